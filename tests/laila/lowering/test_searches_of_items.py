"""Searches and grades in functions of items and rows are those of loops, which take no squares of time."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.options import Options
from tests.support.compiling import c_of
from tests.support.machine import needs_c

RNG = np.random.default_rng(3)
MATRICES = {
    "whole numbers": RNG.integers(0, 9, (50, 12)),
    "NaN": np.where(RNG.random((40, 7)) < 0.1, np.nan, RNG.random((40, 7))),
    "no rows": RNG.random((0, 4)),
    "columns": RNG.random((50, 1)),
    "no columns": RNG.random((5, 0)),
    "long rows": RNG.integers(0, 700, (3, 900)),
}
TEXTS = (
    "{{+/≠⍵}¨↓⍵}",
    "{{+/⍵⍳⌽⍵}¨↓⍵}",
    "{{+/⍵∊1↓⍵}¨↓⍵}",
    "{{⊃⍒⍵}¨↓⍵}",
    "{({⊃⍋⍵}¨↓⍵)+{⊃⍒⍵}¨↓⍵}",
    "{{+/⍋⍋⍵}¨↓⍵}",
    "{{+/(3⌊≢⍵)↑⍵[⍒⍵]}¨↓⍵}",
)


@needs_c
@pytest.mark.parametrize("target", ["c", "openmp"])
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str, target: str) -> None:
    expected, compiled = aplc.fn(text, target="interp"), aplc.fn(text, target=target)
    for name, matrix in MATRICES.items():
        np.testing.assert_allclose(compiled(matrix), expected(matrix), rtol=1e-12, err_msg=name)


def test_what_is_left_out() -> None:
    """The first position alone is found by a fold, and keys that are others for each row are in a table."""
    m = np.ones((20, 30))
    assert "aplc_grade" not in c_of("⎕←{⊃⍒⍵}¨↓m", Options(), m=m)
    assert "_find_one" in c_of("⎕←{+/≠⍵}¨↓m", Options(), m=m)
    assert "_find_one" not in c_of("⎕←{+/(2↑⍵)∊3 5}¨↓m", Options(), m=m)
