"""Rotations of one vector by several amounts that only the run compares with its length: one loop in all."""

from __future__ import annotations

import numpy as np
import pytest

from aplc import fn
from tests.support.machine import needs_c, needs_threads

NEIGHBOURS = "{⊃+/¯7 ¯5 ¯3 2 4 6⌽¨⊂⍵}"
TEXTS = (
    NEIGHBOURS,
    "{(3⌽⍵)+(¯4⌽⍵)+(5⌽⍵)+(¯6⌽⍵)+7⌽⍵}",
    "{w←≢⍵ ⋄ k←⌊w÷3 ⋄ (k⌽⍵)-(¯2⌽⍵)-((-k)⌽⍵)-(2⌽⍵)-(k-1)⌽⍵}",
)
LENGTHS = (0, 1, 2, 5, 7, 8, 12, 63, 64, 65, 300)


@needs_c
@pytest.mark.parametrize("target", ["c", pytest.param("openmp", marks=needs_threads)])
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str, target: str) -> None:
    found, expected = fn(text, target=target), fn(text, target="interp")
    for n in LENGTHS:
        for kind in (np.bool_, np.int64):
            v = np.random.default_rng(n).integers(0, 2, n).astype(kind)
            assert np.array_equal(found(v), expected(v)), (n, kind)


def test_the_sum_stands_once() -> None:
    text = fn(NEIGHBOURS).emit("c", "[double]1")
    (line,) = [line for line in text.splitlines() if line.strip().startswith("a[i] =")]
    assert line.count("omega[i + distance") == 6 and "?" not in line


def test_choices_between_arrays_are_cut_off() -> None:
    """Ten vectors one behind the other are pieces, each of which reads one of them."""
    text = fn("{(3↑⍵),(4↓⍵),⍺,⍵,(2↓⍺),(5↑⍺),(1↓⍵),(7↓⍺),(9↓⍵),6↑⍵}").emit("c", "[double]1,[double]1")
    assert "distance" not in text
