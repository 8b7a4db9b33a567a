"""Rows of a few truth values and bytes: what gcc folds without a loop, see Note [Sums of comparisons]."""

import numpy as np
import pytest

import aplc

WERE_WRONG = ["{(⍵[⍒⍵])[1]}", "{(⍵[⍋⍵])[1]}", "{⌈/⍵>0}", "{⌈/⍵=1}", "{⌊/⍵>0}"]
OTHERS = [
    *("{⊃⍒⍵}", "{⊃⍋⍵}", "{⊃⌽⍒⍵}", "{⊃⌽⍋⍵}", "{⍵⍳⌈/⍵}", "{⍵⍳⌊/⍵}"),
    *("{⊃⌽⍵[⍒⍵]}", "{⊃⌽⍵[⍋⍵]}", "{⍵[⍵⍳⌈/⍵]}", "{⍵[⍵⍳⌊/⍵]}"),
    *("{⌈/⍵}", "{⌊/⍵}", "{+/⍵>0}", "{∨/⍵=1}"),
]
SELDOM = pytest.mark.in_turn(14)


def rows(length: int, dtype: str) -> np.ndarray:
    """Rows of ones and zeros."""
    return (np.random.default_rng(length).random((203, length)) < 0.4).astype(dtype)


@pytest.mark.optimised
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8"])
@pytest.mark.parametrize("function", [*WERE_WRONG, *[pytest.param(f, marks=SELDOM) for f in OTHERS]])
def test_values(function: str, dtype: str) -> None:
    compiled, meaning = (aplc.fn(f"{{{function}⍤1⊢⍵}}", target=target) for target in ("c", "interp"))
    for length in range(2, 9):
        given = rows(length, dtype)
        np.testing.assert_array_equal(compiled(given), meaning(given), f"{length} in a row")
