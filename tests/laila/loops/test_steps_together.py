"""Folds that combine the elements of rows in order take the steps of several rows together."""

from __future__ import annotations

import re

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]

RNG = np.random.default_rng(11)
HASHES = "{{4294967296|16777619×⍺ ⎕INT32XOR ⍵}/(⌽⍵),2166136261}⍤1"


@pytest.mark.parametrize(
    "text", [HASHES, "{{⍺+⍵÷2}/⍵}", "{{⍺-3×⍵}/⍵}", "{({⍺+⍵÷2}/⍵),[1.5]{⍺-⍵×⍵÷64}/⍵}", "{{⍵+1÷⍺}/⍵}"]
)
def test_values(text: str) -> None:
    meaning = aplc.fn(text, target="interp")
    for shape in ((0, 3), (1, 5), (3, 1), (4, 7), (7, 2), (9, 16), (66, 3)):
        m = RNG.integers(1, 100, shape)
        wanted = meaning(m)
        for target in ("c", "openmp"):
            assert np.allclose(aplc.fn(text, target=target)(m), wanted, rtol=1e-12, equal_nan=True)


def test_no_columns() -> None:
    m = np.zeros((6, 0), int)
    assert np.array_equal(aplc.fn(HASHES)(m), aplc.fn(HASHES, target="interp")(m))


def chains(text: str) -> int:
    """How many rows the loops along them have at most: the variables that one loop assigns to."""
    source = aplc.fn(text).emit("c", "[int]2")
    loops = re.findall(r"for \([^\n]*k--\) \{\n((?:(?!for \()[^\n]*\n)*?) *\}\n", source)
    return max(len(set(re.findall(r"^ *(s\d*) [-+*]?= ", body, re.MULTILINE))) for body in loops)


def test_how_many_rows_are_taken_together() -> None:
    """One where a step may fail: the error that is reported is that of the first row."""
    assert chains(HASHES) == 4
    assert chains("{{⍺-3×⍵}/⍵}") == 4
    assert chains("{{(⍳9)[⍺]-⍵}/⍵}") == 1


def test_the_error_of_the_first_row() -> None:
    m = np.ones((8, 4), int)
    m[2, 3], m[1, 0], m[6, 3] = 8, 7, 9
    text = "{{(⌊/⍵)⌊(5 6 7)[⍺]}/⍵}"
    messages = []
    for target in ("interp", "c"):
        with pytest.raises(aplc.AplcError) as caught:
            aplc.fn(text, target=target)(m)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
