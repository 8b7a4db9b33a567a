"""Indices that are bounded at the ends of an axis, or go on at the other end: loops are cut there."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_device, needs_threads

PLACES = {
    "above": "1⌈¯1+⍳{}",
    "below": "{}⌊1+⍳{}",
    "both": "1⌈{}⌊¯2+⍳{}",
    "both, the other way": "{}⌊1⌈2+⍳{}",
    "next": "1+{}|⍳{}",
    "previous": "1+{}|{}+¯2+⍳{}",
    "previous, from below": "1+{}|¯2+⍳{}",
}
FURTHER = {"third": "1+{}|2+⍳{}", "backwards": "1⌈{}-⍳{}", "twice": "1⌈{}⌊¯3+2×⍳{}"}
TARGETS = [
    pytest.param("c", marks=needs_c),
    pytest.param("openmp", marks=needs_threads),
    pytest.param("opencl", marks=needs_device),
]


def stencil(places: str) -> str:
    rows, columns = places.replace("{}", "r"), places.replace("{}", "c")
    return f"{{r c←⍴⍵ ⋄ ⍵[{rows};]+(2×⍵[;{columns}])+3×⍵[{rows};{columns}]}}"


@pytest.mark.parametrize("places", [*PLACES.values(), *FURTHER.values()], ids=[*PLACES, *FURTHER])
@pytest.mark.parametrize("target", TARGETS)
def test_values(places: str, target: TargetName) -> None:
    wanted, found = [aplc.fn(stencil(places), target=each) for each in ("interp", target)]
    for rows in (0, 1, 2, 3, 4, 17):
        for columns in (0, 1, 2, 3, 5, 70):
            m = np.arange(rows * columns).reshape(rows, columns) % 23
            assert np.array_equal(found(m), wanted(m)), (rows, columns)


@needs_c
@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
def test_no_indices_are_written(places: str) -> None:
    text = aplc.fn(stencil(places)).emit("laila", "[double]2")
    assert text.count("alloc") == 1 and "provided" not in text


@needs_c
@pytest.mark.parametrize("target", ["interp", "c"])
def test_what_may_be_outside_is_checked(target: TargetName) -> None:
    for places in ("2⌈¯1+⍳{}", "(1+{})⌊1+⍳{}", "{}|1+⍳{}"):
        with pytest.raises(aplc.Error, match="INDEX ERROR"):
            aplc.fn(stencil(places), target=target)(np.ones((1, 1)))


@needs_c
def test_windows_that_are_picked_from_are_not_written() -> None:
    f = "{{((1 2⌷⍵)+(2 1⌷⍵)+(2 3⌷⍵)+3 2⌷⍵)÷4}⌺3 3⊢⍵}"
    assert aplc.fn(f).emit("laila", "[double]2").count("alloc") == 1
    for shape in ((3, 3), (1, 1), (0, 4), (9, 70)):
        m = np.random.default_rng(2).random(shape)
        assert np.allclose(aplc.fn(f)(m), aplc.fn(f, target="interp")(m), 1e-12, 0)
