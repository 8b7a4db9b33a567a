"""`v[⍸b]` where the mask is another array: as long as v, shorter, or longer."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_device, needs_threads

NAMED = "{r←⍵ ⋄ i←⍸⍺ ⋄ r[i]←1-r[i] ⋄ r}"
CHANGED = "{r←⍵ ⋄ b←⍺ ⋄ b[≢b]←0 ⋄ i←⍸b ⋄ r[i]←1-r[i] ⋄ r}"
TEXTS = (
    NAMED,
    CHANGED,
    "{r←⍵ ⋄ i←⍸⍺ ⋄ r[i]←⌽r[i] ⋄ r,≢i}",
    "{b←⍺ ⋄ i←⍸b ⋄ b[≢b]←0 ⋄ ⍵[i],b}",
    "{+/⍵[⍸⍺]}",
    "{⍵[⍸⍺]}",
    "{⍵[⍸~⍺],0}",
    "{⌈/0,⍵[⍸⍺]}",
    "{≢⍵[⍸⍺]}",
    "{r←⍵ ⋄ r[⍸⍺]←7 ⋄ r}",
    "{r←⍵ ⋄ r[⍸⍺]+←1 ⋄ r}",
    "{r←⍵ ⋄ r[⍸⍺]←⍺/⍺ ⋄ r}",
    "{r←⍵ ⋄ r[⍸⍺]←3 ⋄ r[⍸~⍺]×←2 ⋄ r}",
    "{m←⍵,[0.5]⍵ ⋄ m[;⍸⍺]}",
    "{m←⍵,[1.5]⍵ ⋄ m[⍸⍺;]←8 ⋄ m}",
    "{(-@(⍸⍺))⍵}",
)
TARGETS = [
    pytest.param("c", marks=needs_c),
    pytest.param("openmp", marks=needs_threads),
    pytest.param("opencl", marks=needs_device),
]


def answer(f: aplc.Function, mask: object, v: object) -> object:
    """What a function gives, or its error."""
    try:
        return f(mask, v)
    except aplc.Error as error:
        return str(error)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("target", TARGETS)
def test_values_and_errors(text: str, target: TargetName) -> None:
    wanted, found = [aplc.fn(text, target=each) for each in ("interp", target)]
    rng = np.random.default_rng(4)
    for length in (0, 1, 5, 70, 3000):
        for extent in (0, 1, 4, 5, 6, 70, 71, 3000):
            for share in (0.0, 0.02, 0.5, 1.0):
                mask, v = rng.random(length) < share, rng.integers(0, 9, extent)
                first, second = answer(wanted, mask, v), answer(found, mask, v)
                assert type(first) is type(second), (length, extent, first, second)
                assert np.array_equal(first, second), (length, extent, first, second)


@needs_c
@pytest.mark.parametrize("text", ["{+/⍵[⍸⍺]}", "{r←⍵ ⋄ r[⍸⍺>3]←7 ⋄ r}", "{r←⍵ ⋄ r[⍸~⍺>3]×←2 ⋄ r}", NAMED])
def test_places_are_not_written(text: str) -> None:
    laila = aplc.fn(text).emit("laila", "[bool]1" if text is NAMED else "[double]1", "[double]1")
    assert "FILTER" not in laila and "UPDATE" not in laila


@needs_c
def test_places_in_memory_are_asked_once() -> None:
    laila = aplc.fn(CHANGED).emit("laila", "[bool]1", "[double]1")
    assert "last" in laila and "provided" not in laila
