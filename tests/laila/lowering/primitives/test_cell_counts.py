"""Cells that differ in a count alone, as rotations of a vector by several amounts do, are not in memory."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c, needs_threads

RNG = np.random.default_rng(3)
FEW = "{+⌿(3×⍳5)×[1](¯1+⍳5)⌽⍤0 1⊢⍵}"
SHIFTS = {
    "some": [3, -1, 0, 100, -64, 5, 2, 7, 1, -300],
    "one": [-2],
    "none": [],
    "many": [*range(-20, 21)],
    "eight": [8, 7, 6, 5, 4, 3, 2, 1],
}


@needs_c
@pytest.mark.in_turn(16)
@pytest.mark.parametrize("target", ["c", pytest.param("openmp", marks=needs_threads)])
@pytest.mark.parametrize("shifts", SHIFTS.values(), ids=SHIFTS)
@pytest.mark.parametrize(
    "text",
    [
        "{⍺⌽⍤0 1⊢⍵}",
        "{+⌿⍺⌽⍤0 1⊢⍵}",
        "{⌈⌿⍺⌽⍤0 1⊢⍵}",
        "{⊃{⍺-2×⍵}/0,⍺⌽⍤0 1⊢⍵}",
        "{m←⍺⌽⍤0 1⊢⍵ ⋄ (⌈⌿m)-⌊⌿m}",
        "{⍉⍺{(⍺⌽⍵)-(1+⍺)⌽2×⍵}⍤0 1⊢⍵}",
        "{⌽⍺{⌽⍺⌽⍵}⍤0 1⊢⍵}",
    ],
)
def test_values(text: str, shifts: list[int], target: str) -> None:
    k = np.array(shifts, np.int64)
    found, meaning = aplc.fn(text, target=target), aplc.fn(text, target="interp")
    for n in (0, 1, 2, 7, 64, 300):
        for v in (RNG.integers(0, 9, n), RNG.random(n)):
            assert np.allclose(found(k, v), meaning(k, v), rtol=1e-9), n


@needs_c
def test_nan_among_what_is_folded() -> None:
    v = np.array([1.0, np.nan, 3.0, 2.0, 5.0, 4.0, 9.0])
    for text in ("{⌈⌿(¯1+⍳5)⌽⍤0 1⊢⍵}", "{⌊⌿(⍳9)⌽⍤0 1⊢⍵}", FEW):
        wanted = aplc.fn(text, target="interp")(v)
        assert np.allclose(aplc.fn(text, target="c")(v), wanted, equal_nan=True)


def test_few_rotations_are_one_walk() -> None:
    """Five elements of one vector are added, at distances that are chosen once for each piece of it."""
    text = aplc.fn(FEW).emit("c", "[double]1")
    (line,) = [line for line in text.splitlines() if line.strip().startswith("a[i] =")]
    assert line.count("omega[i + distance") == 5 and "?" not in line
    assert "omega_n, 5" not in text


def test_many_rotations_are_walked_eight_at_a_time() -> None:
    text = aplc.fn("{+⌿⍺⌽⍤0 1⊢⍵}").emit("c", "[int]1,[double]1")
    assert any(line.count("omega[i + distance") == 8 for line in text.splitlines())
    assert "alpha_n * omega_n" not in text


def test_what_is_wanted_as_a_whole_is_written_by_rows() -> None:
    """Each row is cut where it begins anew, so that no element asks from where it comes."""
    text = aplc.fn("{⍺⌽⍤0 1⊢⍵}").emit("c", "[int]1,[double]1")
    rows = [line for line in text.splitlines() if "a[i * omega_n + j] =" in line]
    assert len(rows) == 2 and all("?" not in row for row in rows)


def test_counts_that_may_be_wrong_are_checked_in_each_cell() -> None:
    k, v = np.array([1.0, 0.5]), np.arange(4.0)
    messages = []
    for target in ("interp", "c"):
        with pytest.raises(aplc.AplcError) as caught:
            aplc.fn("{+⌿⍺⌽⍤0 1⊢⍵}", target=target)(k, v)
        messages.append(str(caught.value))
    assert messages[0] == messages[1] and "DOMAIN ERROR" in messages[0]
