"""Rows with a divisor each have a loop for those where it is zero."""

from __future__ import annotations

import re

import numpy as np
import pytest

from aplc import fn
from tests.support.machine import needs_c

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]

APART = re.compile(r"const double (t\d*) = 0 < \w+ \? \w+\[\w+\] : 0\.0;\n\s+if \(\1 == 0\.0\)")
"""The test of the divisor of a row that has elements."""
TEXTS = {
    "{⍵÷⍤1 0⊢+/⍵}": 1,
    "{(⍵+1)÷⍤1 0⊢⌈/⍵}": 1,
    "{(⍵-⍤1 0⊢⌊/⍵)÷⍤1 0⊢(⌈/⍵)-⌊/⍵}": 1,
    "{⍵×⍤1 0⊢+/⍵}": 0,  # nothing is divided
    "{⍵÷⍤1⊢+⌿⍵}": 0,  # each element by another number
    "{⍵÷+/,⍵}": 0,  # all by one number
}


@pytest.mark.parametrize(("text", "count"), TEXTS.items())
def test_where_there_is_a_loop_of_its_own(text: str, count: int) -> None:
    assert len(APART.findall(fn(text).emit("c", "[double]2"))) == count


def test_the_other_rows_raise_no_flags() -> None:
    """The loop where the divisor is not zero stores quotients and does nothing else."""
    source = fn("{⍵÷⍤1 0⊢+/⍵}").emit("c", "[double]2")
    (start,) = [m.end() for m in APART.finditer(source)]
    _, other = source[start:].split("} else {", 1)
    loop = other[: other.index("\n            }\n")]
    assert "/ t" in loop and "bad" not in loop and "?" not in loop


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("target", ("c", "openmp"))
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str, target: str) -> None:
    """Rows whose divisor is zero: of zeros alone they are ones, and else an error."""
    random, f, meaning = np.random.default_rng(4), fn(text, target=target), fn(text, target="interp")
    for shape in ((0, 3), (3, 0), (1, 1), (5, 9), (70, 12), (9, 40)):
        m = random.integers(-2, 3, shape) / 2
        for each in (np.abs(m) + 1, m * (random.random((len(m), 1)) < 0.5), m):
            assert _value(f, each) == _value(meaning, each)


def _value(f: object, m: object) -> object:
    assert callable(f)
    try:
        return np.round(f(m), 9).tolist()
    except Exception as error:
        return str(error)
