"""Exponentials and the like of sums along rows are computed in lanes, behind the sums."""

from __future__ import annotations

import numpy as np
import pytest

from aplc import fn
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_threads

TEXTS = {
    "{÷1+*-⍺+.×⍵}": True,
    "{p←÷1+*-⍺+.×⍵ ⋄ p,p×1-p}": True,
    "{s←+/⍺ ⋄ (*s×s>0)⌊s}": True,
    "{⍟1+(+/⍺×⍺)+0×⍺+.×⍵}": False,
    "{(+/⍺)*3}": False,
}
"""Whether the sums are apart: not where an element is made of two."""


@pytest.mark.parametrize(("text", "is_apart"), TEXTS.items())
def test_sums_stand_in_front_of_calls(text: str, is_apart: bool) -> None:
    made = fn(text).emit("laila", "[double]2", "[double]1")
    assert any("MAP" in line and "{ REDUCE addd" in line for line in made.splitlines()) == is_apart


@pytest.mark.parametrize(
    "target", [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]
)
def test_values(target: TargetName) -> None:
    rng = np.random.default_rng(5)
    for text in TEXTS:
        for rows, columns in ((0, 7), (1, 0), (9, 7), (70, 30)):
            given = rng.normal(0, 1, (rows, columns)), rng.normal(0, 1, columns)
            assert np.allclose(fn(text, target=target)(*given), fn(text, target="interp")(*given), 1e-9)
