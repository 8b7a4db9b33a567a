"""What checks tell of lengths is known in the loops over elements behind them."""

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

TEXTS = [
    "{+/{+/,(3 3⍴⍳9)×⍵}⍤2⊢⍵}",
    "{{(3 3⍴⍳9)+.×⍵}⍤2⊢⍵}",
    "{+/{∧/{∧/(⍳3)∊⍵}⍤1⊢⍵⍪(⍉⍵)⍪3 3⍴⍵}⍤2⊢⍵}",
    "{+/{+/,⍵⍪2 3⍴⍳6}⍤2⊢⍵}",
]
SHAPES = [(4, 3, 3), (1, 3, 3), (0, 3, 3), (0, 5, 4), (90, 3, 3)]


@needs_c
@pytest.mark.in_turn(2)
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str) -> None:
    wanted = aplc.fn(text, target="interp")
    for target in ("c", "openmp"):
        compiled = aplc.fn(text, target=target)
        for shape in SHAPES:
            cells = np.arange(np.prod(shape)).reshape(shape) * 7919 % 5
            assert np.array_equal(compiled(cells), wanted(cells)), shape


@needs_c
def test_lengths_that_differ() -> None:
    f = aplc.fn(TEXTS[0])
    for shape in ((2, 3, 4), (2, 4, 3)):
        with pytest.raises(aplc.RunError, match="LENGTH ERROR"):
            f(np.ones(shape, int))


def test_loops_have_known_lengths() -> None:
    *checks, rest = aplc.fn(TEXTS[2]).emit("laila", "[int]3").split(" ERROR at ")
    assert checks and "⍵_n1" not in rest and "⍵_n2" not in rest
    *checks, rest = aplc.fn(TEXTS[3]).emit("laila", "[int]3").split(" ERROR at ")
    assert checks and "⍵_n2" not in rest
