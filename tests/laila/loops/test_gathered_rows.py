"""Loops over points with folds along rows of their own, which are in lanes of points where rows are short.

Rows are empty, short, just short enough and longer; there are none, too few for lanes, or strips with a rest.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest

from aplc import fn
from aplc.laila.transform.register_tiling import SIZES
from tests.support.days import of_today
from tests.support.machine import needs_c

Value = np.ndarray[Any, Any]

ROWS = (0, 1, SIZES.least_points, SIZES.points + 1, 2 * SIZES.points + 7)
LONGEST = (SIZES.loaded, SIZES.gathered_calls)
COLUMNS = (0, 1, 5, *[n + k for n in LONGEST for k in (0, 1)])

FUNCTIONS = {
    "{+/⍵}": SIZES.loaded,
    "{+/⍵×⍵}": SIZES.loaded,
    "{+/⍵>1}": SIZES.loaded,
    "{×/⍵}": SIZES.loaded,
    "{⌈/⍵}": SIZES.loaded,
    "{-/⍵×1+⍵}": SIZES.loaded,
    "{∧/⍵≤1}": SIZES.loaded,
    "{⌈/+/⍵*2}": SIZES.loaded,
    "{(+/⍵)-⌊/⍵}": SIZES.loaded,
    "{⍵+.×⊃↓⍉⍪⍳1↓⍴⍵}": SIZES.loaded,
    "{m+⍟+/*⍵-m←⌈/⍵}⍤1": SIZES.gathered_calls,
    "{(⊢÷+/)*⍵-⌈/⍵}⍤1": SIZES.gathered_calls,
    "{x←1○⍵ ⋄ (⌽x),+/x}⍤1": SIZES.gathered_calls,
    "{d÷0.5*⍨(+/×⍨d)÷≢d←⍵-(+/⍵)÷≢⍵}⍤1": SIZES.gathered,
}

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]


@pytest.mark.parametrize("text", FUNCTIONS)
def test_short_rows_have_a_version(text: str) -> None:
    found = fn(text).emit("c", "[double]2")
    assert f"<= {FUNCTIONS[text]}" in found


@pytest.mark.parametrize(
    ("text", "argument", "in_scalars"),
    [
        ("{+/⍵}", "[double]2", True),
        ("{+/⍵}", "[int]2", True),
        ("{(+/⍵)÷≢⍉⍵}", "[int]2", True),
        ("{⌈/⍵}", "[int]2", True),
        ("{⌈/⍵}", "[double]2", False),  # it tests for NaN
        ("{+/⍵>1}", "[double]2", False),  # conditions
        ("{∧/⍵>1}", "[double]2", True),
        ("{(+/⍵)-⌈/⍵}", "[double]2", False),
        ("{+/⍵*0.3}", "[double]2", False),
        ("{+/⍵}", "[bool]2", False),  # bytes
    ],
)
def test_elements_that_are_added_up_one_by_one(text: str, argument: str, in_scalars: bool) -> None:
    assert ("aplc_next_one" in fn(text).emit("c", argument)) == in_scalars


def _values(text: str, matrix: Value, **options: Any) -> Value | str:
    try:
        with np.errstate(all="ignore"):
            return np.asarray(fn(text, **options)(matrix))
    except Exception as error:
        return str(error)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("strict_fp", (False, True))
@pytest.mark.parametrize("text", of_today([*FUNCTIONS], 3))
def test_rows_of_any_length(text: str, strict_fp: bool) -> None:
    random = np.random.default_rng(23)
    for rows, columns in product(ROWS, COLUMNS):
        numbers = random.standard_normal((rows, columns))
        some = random.choice([np.nan, 0.0, -0.0, 1.5, -2.0], numbers.shape, p=[0.02, 0.3, 0.3, 0.19, 0.19])
        for matrix in (numbers, some, random.integers(-9, 9, numbers.shape)):
            expected = _values(text, matrix, target="interp")
            found = _values(text, matrix, strict_fp=strict_fp)
            what = f"{text} of {rows} by {columns}"
            if isinstance(expected, str) or isinstance(found, str):
                assert found == expected, what
            elif strict_fp or found.dtype != np.float64:
                np.testing.assert_array_equal(found, expected, what)
            else:
                np.testing.assert_allclose(found, expected, 1e-9, 1e-9, err_msg=what)
