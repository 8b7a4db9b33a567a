"""Arrays of a few elements as scalars in loops, and the ranges of what rounds give."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

import aplc
from tests.support.days import of_today

STEPS = {
    "rotated": "{(1⌽⍵)+2×¯1⌽⍵}",
    "residues": "{1000007|(1⌽⍵)+(⊃⍵)×3=⍳≢⍵}",
    "residues from below": "{¯3|(2×⍵)-1⌽⍵}",
    "products": "{11|⍵×1⌽⍵}",
    "powers": "{7|(7 7⍴1 1 1 0 2)+.×⍵}",
    "chosen": "{⍵[⌽⍳≢⍵]-⍵}",
    "truth values": "{(1⌽2|⍵)≠2|¯1⌽⍵}",
    "in place": "{v←⍵ ⋄ v[2]+←5 ⋄ 13|v+⌽v}",
    "scanned": "{⌈\\1⌽⍵}",
}
STARTS = {
    "small": [0, 1, 2, 3, 4, 5, 6],
    "huge": [2**62, -(2**62), 5, -5, 2**40, 0, 1000007],
    "below": [-1, -2, -3, -4, -5, -6, -7],
}


@pytest.mark.parametrize("step", of_today(tuple(STEPS.values()), 3))
@pytest.mark.parametrize("target", ("c", "openmp"))
def test_rounds(step: str, target: Literal["c", "openmp"]) -> None:
    text = f"{{({step}⍣⍺)7⍴⍵}}"
    wanted, found = aplc.fn(text, target="interp"), aplc.fn(text, target=target)
    for start in STARTS.values():
        for rounds in (0, 1, 2, 3, 20):
            assert found(rounds, start).tolist() == wanted(rounds, start).tolist(), (start, rounds)


@pytest.mark.parametrize("kind", ("float64", "complex128"))
def test_rounds_of_numbers(kind: str) -> None:
    turn = aplc.fn("{({(0.5×⍵)+0.25×(1⌽⍵)+¯1⌽⍵}⍣⍺)5⍴⍵}", target="c", strict_fp=True)
    v = np.array([1.5, np.nan, 3, np.inf, 5] if kind == "float64" else [1.5, 2j, 3, 4 - 1j, 5], kind)
    for rounds in (0, 1, 7):
        wanted = v
        for _ in range(rounds):
            wanted = 0.5 * wanted + 0.25 * (np.roll(wanted, -1) + np.roll(wanted, 1))
        assert np.array_equal(turn(rounds, v), wanted, equal_nan=True), rounds


def test_few_elements_are_in_no_memory() -> None:
    """The loop over the rounds reads and writes scalars only, and takes no residues once it has some."""
    text = aplc.fn("{+/({1000007|(1⌽⍵)+(⊃⍵)×7=⍳9}⍣⍺)9⍴⍵}").emit("c", "[int]0", "[int]1")
    *_, last = text.split("while (")
    inside = last.split("}")[0]
    assert "[" not in inside and "residue" not in inside, inside


def test_residues_of_a_scalar() -> None:
    """What the rounds start from may be no residue."""
    steps = aplc.fn("∇ r←n f r;k\n:For k :In ⍳n\nr←7|r+k\n:EndFor\n∇\nf", target="c")
    for start in (0, 6, 7, -1, 2**62):
        for n in (0, 1, 5):
            wanted = start
            for k in range(1, n + 1):
                wanted = (wanted + k) % 7
            assert steps(n, start) == wanted, (start, n)


@pytest.mark.parametrize("target", ("interp", "c"))
def test_arrays_that_a_search_in_a_table_reads_stay(target: Literal["interp", "c"]) -> None:
    """A row of a few elements that rounds make and look for is in memory."""
    text = "{g←{⍵≤0:⍺ ⋄ ((5 4⍴⍬)⍳(⍳4)⌈4⍴6)∇⍵-1} ⋄ (⊃⍵)g 2+≢⍵}"
    assert aplc.fn(text, target=target)([3, 1]) == 6
