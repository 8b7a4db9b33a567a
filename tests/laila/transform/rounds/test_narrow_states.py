"""What rounds exchange is narrow where ranges tell it, and what is handed out has 64 bits."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_device, needs_threads

STEPS = {
    "cyclic": "{n←8|1+⍵ ⋄ m←(n=1⌽⍵)∨n=¯1⌽⍵ ⋄ (n×m)+⍵×~m}",
    "sandpile": "{t←⍵>3 ⋄ (⍵-4×t)+((1↓t),0)+0,¯1↓t}",
    "residues": "{100|⍵+2×1⌽⍵}",
    "below zero": "{¯100⌈100⌊(1⌽⍵)-2×⍵}",
}
TARGETS = [
    pytest.param("c", marks=needs_c),
    pytest.param("openmp", marks=needs_threads),
    pytest.param("opencl", marks=needs_device),
]


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
@pytest.mark.parametrize("target", TARGETS)
def test_values(step: str, target: TargetName) -> None:
    for text in (f"{{({step}⍣⍺)⍵}}", f"{{r←({step}⍣⍺)⍵ ⋄ ⎕←+/r ⋄ r}}", f"{{r←({step}⍣⍺)⍵ ⋄ r r}}"):
        wanted, found = aplc.fn(text, target="interp"), aplc.fn(text, target=target)
        for size in (0, 1, 2, 3, 65, 300):
            start = np.random.default_rng(size).integers(0, 200, size).astype(np.uint8)
            for count in (0, 1, 4):
                for given in (start, start.astype(np.int64) << 40):
                    one, other = found(count, given), wanted(count, given)
                    for a, b in zip(one, other, strict=True) if isinstance(one, tuple) else [(one, other)]:
                        assert np.array_equal(a, b) and np.asarray(a).dtype == np.asarray(b).dtype


@needs_c
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_states_are_bytes(step: str) -> None:
    text = aplc.fn(f"{{({step}⍣⍺)8|⍵}}").emit("c", "[int]0", "[int]1")
    assert text.count("int64_t *const other") == 0
    assert text.count("int8_t *const other") > 0


FILLED = "{m←⍵ ⋄ ({m×⍵⌈(1⌽⍵)⌈¯1⌽⍵}⍣≡)(≢m)⍴2,(≢m)⍴0}"
"""Its state is the result when it does not change any more."""


def test_states_that_are_given_away_are_bytes() -> None:
    text = aplc.fn(FILLED).emit("c", "[bool]1")
    assert text.count("sizeof(int8_t)") == 3 and text.count("sizeof(int64_t)") == 1


@pytest.mark.parametrize("target", TARGETS[:2])
def test_values_of_states_that_are_given_away(target: TargetName) -> None:
    for mask in (np.ones(0, bool), np.array([True]), np.array([True, True, False, True, False, True])):
        found = aplc.fn(FILLED, target=target)(mask)
        assert np.array_equal(found, aplc.fn(FILLED, target="interp")(mask))
