"""Indices of what lies in memory in another order: that is read where it is, without being written first."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.options import Options
from tests.support.compiling import c_of
from tests.support.machine import needs_c

Value = np.ndarray[Any, Any]

RNG = np.random.default_rng(5)
ORDERS = {"transposed": "⍉", "turned": "⌽", "from behind": "⊖", "without the first": "1↓", "both": "⍉⌽"}
PLACES = {
    "rows": "[n;]",
    "columns": "[;n]",
    "constant": "[3 1 3 2;]",
    "different": "[3 1 2;3 1]",
    "both": "[n;n]",
}


@needs_c
@pytest.mark.parametrize("target", ["c", "openmp"])
@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
def test_values(order: str, places: str, target: str) -> None:
    text = f"{{n←⍺ ⋄ ({order}⍵){places}}}"
    expected, compiled = aplc.fn(text, target="interp"), aplc.fn(text, target=target)
    for rows, columns, many in ((4, 4, 0), (4, 5, 9), (70, 33, 50), (33, 100, 1)):
        m, n = RNG.random((rows, columns)), RNG.integers(1, min(rows, columns), many)
        assert np.array_equal(expected(n, m), compiled(n, m)), (rows, columns, many)


def test_nothing_is_written_first() -> None:
    """The result is the only matrix, and several rows of the argument are read together."""
    inputs: dict[str, Value] = {"m": RNG.random((5, 6)), "n": np.array([1, 2])}
    for text in ("⎕←⍉(⍉m)[1 3 5;]", "⎕←{⍵[1 3 5]}⍤1⊢m", "⎕←(⌽m)[n;]", "⎕←(⍉m)[n;]"):
        code = c_of(text, Options(), **inputs)
        assert code.count("sizeof(double)") == 1, text
    assert "start += 32" in code
    assert c_of("⎕←(+\\m)[n;]", Options(), **inputs).count("sizeof(double)") == 2
