"""Short rows that each cell reads again, which stand column by column: values are the interpreter's."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from aplc import fn
from aplc.laila.transform.register_tiling import SIZES
from aplc.laila.transform.rounds.points_in_columns import CELLS
from tests.support.days import of_today
from tests.support.machine import needs_c

Value = np.ndarray[Any, Any]

TEXTS = (
    "{x←⍺ ⋄ {⊃⍋+/×⍨x-⍤1⊢⍵}⍤1⊢⍵}",
    "{x←⍺ ⋄ {d←+/|x-⍤1⊢⍵ ⋄ (⌊/d),d⍳⌊/d}⍤1⊢⍵}",
    "{y←⊢/⍺ ⋄ x←0 ¯1↓⍺ ⋄ {+/y[(2⌊≢y)↑⍋+/×⍨x-⍤1⊢⍵]}⍤1⊢⍵}",
    "{p←↓⍵ ⋄ d←p∘.{+/(⍺-⍵)*2}p ⋄ {⊃⍋⍵}⍤1⊢d+1e9×∘.=⍨⍳≢p}",
    "{x←⍺ ⋄ {(⌈/+/x×⍤1⊢⍵)÷1+⌈/⌈/x}⍤1⊢⍵}",
    "{x←⍺ ⋄ {i←1+⊃⌊⍵ ⋄ (+/x[i;]),⌈/+/x÷⍤1⊢⍵}⍤1⊢⍵}",
)
ROWS = (0, 1, SIZES.points - 1, SIZES.points + 3)
COLUMNS = (0, 1, 5, SIZES.gathered, SIZES.gathered + 1)

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]


def _is_dyadic(text: str) -> bool:
    return not text.startswith("{p")


@pytest.mark.parametrize("text", TEXTS[:4])
def test_matrices_stand_column_by_column(text: str) -> None:
    assert "alloc columns" in fn(text).emit("laila", *["[double]2"] * (2 if _is_dyadic(text) else 1))


def test_what_is_written_stays() -> None:
    text = "{x←⍺ ⋄ {x[1;]←⍵ ⋄ ⊃⍋+/×⍨x-⍤1⊢⍵}⍤1⊢⍵}"
    assert "alloc columns" not in fn(text).emit("laila", "[double]2", "[double]2")


def _outcome(text: str, arguments: tuple[Value, ...], **options: Any) -> Value | str:
    try:
        with np.errstate(all="ignore"):
            return np.asarray(fn(text, **options)(*arguments))
    except Exception as error:
        return str(error)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("strict_fp", (False, True))
@pytest.mark.parametrize("text", of_today([*TEXTS], 3))
def test_values(text: str, strict_fp: bool) -> None:
    random = np.random.default_rng(29)
    for rows, columns, cells in product(ROWS, COLUMNS, (0, 1, CELLS + 1)):
        matrix, others = random.integers(0, 90, (rows, columns)) / 8, random.integers(0, 9, (cells, columns))
        wide = np.concatenate([matrix, matrix[:, :1]], 1) if "¯1↓⍺" in text else matrix
        arguments = (wide, others / 2 + 0.25) if _is_dyadic(text) else (matrix,)
        expected = _outcome(text, arguments, target="interp")
        found = _outcome(text, arguments, strict_fp=strict_fp)
        what = f"{text} of {rows} by {columns}, {cells}"
        if isinstance(expected, str) or isinstance(found, str):
            assert found == expected, what
        else:
            np.testing.assert_allclose(found, expected, 1e-9, 1e-9, err_msg=what)
