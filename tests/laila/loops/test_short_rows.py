"""Short rows of much work, in lanes of rows."""

import numpy as np
import pytest

import aplc
from aplc.compiler import optimise, to_c, to_laila, to_tail
from aplc.options import Options
from aplc.tail.source import Source

RNG = np.random.default_rng(3)


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5, 7, 8])
@pytest.mark.parametrize("text", ["{⌊(÷⍳C)×⍤1⊢⍵}", "{(⍳C)*⍤1⊢⍵}", "{x←⌊⍵×⍤1⊢⍳C ⋄ x,+/x}", "{(⍳C)|⍤1⊢⍵}"])
def test_values(text: str, columns: int) -> None:
    text = text.replace("C", str(columns))
    for rows in (0, 1, 2, 3, 7, 100):
        m = RNG.normal(size=(rows, columns)) * 1000
        wanted = aplc.fn(text, target="interp")(m)
        for target in ("c", "openmp"):
            assert np.allclose(aplc.fn(text, target=target)(m), wanted, rtol=1e-12, equal_nan=True)


def test_an_error_of_a_row_is_that_of_its_first_element() -> None:
    m = np.arange(30.0).reshape(10, 3)
    m[4, 1], m[4, 2], m[7, 0] = 1e30, np.nan, np.inf
    with pytest.raises(aplc.AplcError, match="DOMAIN ERROR"):
        aplc.fn("{⌊0.5 0.25 2×⍤1⊢⍵}", target="c")(m)


@pytest.mark.parametrize(("columns", "in_lanes_of_rows"), [(3, True), (5, True), (4, False), (9, False)])
def test_which_are(columns: int, in_lanes_of_rows: bool) -> None:
    """Rows that fill vectors stay, and longer ones."""
    options = Options()
    text = f"⎕←⌊(÷⍳{columns})×⍤1⊢200 {columns}⍴⍳1000"
    term = optimise(to_tail([Source("p.apl", text)], {}).term, options)
    program, make = to_laila(term, {}, options)
    assert ("GCC unroll" in to_c(program, make, options).text) == in_lanes_of_rows
