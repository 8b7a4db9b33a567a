"""Subscripts that are constants among others are checked one by one, and not written to memory."""

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_threads

TEXTS = (
    "{⍵[;1 3 2]}",
    "{⍵[3 1 2;2 5]}",
    "{⍵[⌽⍳≢⍵;4 2]}",
    "{m←⍵ ⋄ m[;2 4]←m[;4 2] ⋄ m}",
    "{⍵[;0 2]}",
    "{⍵[;2 ¯1 7]}",
    "{⍵[;7 9 2]}",
    "{⍵[;⍬]}",
)


def result(function: aplc.Function, given: object) -> str:
    """The value, or the error, as text."""
    try:
        return str(np.asarray(function(given)).tolist())
    except aplc.Error as failure:
        return str(failure)


@pytest.mark.parametrize(
    "target", [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]
)
@pytest.mark.parametrize("text", TEXTS)
def test_values_and_errors(text: str, target: TargetName) -> None:
    meaning, function = aplc.fn(text, target="interp"), aplc.fn(text, target=target)
    for shape in ((0, 0), (0, 4), (3, 0), (1, 1), (3, 3), (5, 6), (4, 9)):
        m = np.arange(shape[0] * shape[1]).reshape(shape)
        assert result(function, m) == result(meaning, m), shape


def test_no_memory() -> None:
    """Numbers that only the run knows are written."""
    assert "alloc index" not in aplc.fn("{⍵[;1 2 4]}").emit("laila", "[int]2")
    assert "alloc index" in aplc.fn("{⍵[;⍺]}").emit("laila", "[int]1", "[int]2")
