"""Grades of grades."""

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

RNG = np.random.default_rng(3)
VECTORS = (
    RNG.normal(size=3000),
    RNG.integers(0, 9, 500),
    np.array([2.0, np.nan, -0.0, np.nan, 0.0]),
    np.zeros(0),
    np.array([True]),
)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("text", ("{⍋⍋⍵}", "{⍒⍋⍵}", "{⍋⍒⍵}", "{⍒⍒⍒⍵}", "{g←⍋⍵ ⋄ g,⍋g}", "{⍋⍋⍵,[1.5]⌽⍵}"))
def test_values(text: str) -> None:
    meaning, *others = [aplc.fn(text, target=target) for target in ("interp", "c", "openmp")]
    for v in VECTORS:
        for found in others:
            assert np.array_equal(found(v), meaning(v))


@pytest.mark.parametrize(
    ("text", "grades"),
    [
        ("⎕←⍋⍋v", 1),
        ("⎕←⍒⍋⍒v", 1),
        ("g←⍋v ⋄ ⎕←g ⋄ ⎕←⍋g", 1),
        ("g←⍋v ⋄ g[v]←1 ⋄ ⎕←⍋g", 2),
        ("⎕←⍋1+⍋v", 2),
        ("⎕←⍋2↓⍋v", 2),
    ],
)
def test_which_are_inverted(text: str, grades: int) -> None:
    assert laila(f"v←300|7×⍳9999\n{text}").count("run aplc_grade_") == grades
