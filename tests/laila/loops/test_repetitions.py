"""Elements that stand several times, one behind the other: loops without a division."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.laila.loops.cycles import FEW
from aplc.laila.lowering.cycles import SHORT
from tests.support.machine import lack_of

VECTORS = (
    "⍺/⍵", "3/⍵", "7/⍵", "1↓⍺/⍵", "¯2↓4/⍵", "⌽⍺/⍵", "⍵,3/⍵", "(2/⍵),⍺/⍵", "⍺/3/⍵", "+/⍺/⍵", "+\\3/⍵",
    "(⍺/⍵)×⍳⍺×≢⍵", "⌈/0,2-/⍺/⍵", "(⍺/⍵)[⌽⍳⍺×≢⍵]", "(2/⍵)+1⌽2/⍵", "⍺/⍵>3",
)  # fmt: skip
MATRICES = ("⍺/⍵", "⍺⌿⍵", "⍺/⍺⌿⍵", "3/2⌿⍵", "⍉⍺/⍵", "+/⍺⌿⍵", "+⌿⍺/⍵", "1 1↓⍺/⍵", "⍺⌿⍉⍵", "⊖⍺⌿⍵")


def value(function: Any, *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except aplc.RunError as failure:
        return str(failure)


@pytest.mark.in_turn(12)
@pytest.mark.parametrize("target", ("c", "openmp", "opencl"))
@pytest.mark.parametrize(
    ("text", "shapes"),
    [(text, ((0,), (1,), (SHORT,), (301,))) for text in VECTORS]
    + [(text, ((0, 3), (3, 0), (1, 1), (5, 2), (70, 90))) for text in MATRICES],
)
def test_values(text: str, shapes: tuple[tuple[int, ...], ...], target: str) -> None:
    if lack := lack_of(target):
        pytest.skip(f"NOT CHECKED: {lack}")
    found, meaning = [aplc.fn(f"{{{text}}}", target=each) for each in (target, "interp")]
    rng = np.random.default_rng(5)
    for shape in shapes:
        for given in (rng.integers(-5, 9, shape) / 4, rng.integers(0, 200, shape).astype(np.uint8)):
            for times in (0, 1, *FEW, 5, 9, -2):
                wanted, made = value(meaning, times, given), value(found, times, given)
                assert np.array_equal(wanted, made), (shape, times)


def test_nothing_is_divided() -> None:
    for text, types in (("3/⍵", ("[double]1",)), ("+/⍺/⍵", ("[int]0", "[double]1"))):
        made = aplc.fn(f"{{{text}}}").emit("c", *types)
        assert "[q]" in made
        assert not [line for line in made.splitlines() if "omega[" in line and " / " in line], made


def test_rounds_of_an_outer_product_are_counted() -> None:
    """Which row an element of a histogram belongs to is told by its round, not by a division for each."""
    text = aplc.fn("{h←99⍴0 ⋄ h[,1+⌊⍺∘.×⍵]+←1 ⋄ h}").emit("c", "[double]1", "[double]1")
    assert "alpha[before + round] * omega[i - base]" in text
