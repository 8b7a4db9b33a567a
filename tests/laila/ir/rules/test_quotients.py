"""Quotients and rests: what is put together again, and what bounds a quotient."""

import numpy as np
import pytest

import aplc
from aplc.laila.ir.scalar import QUOT, REM, Exp, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail.types import Base
from tests.support.laila.text import laila


def parts(make: ExprBuilder, number: Exp, divisor: Exp) -> tuple[Exp, Exp]:
    return make.call(QUOT, number, divisor), make.call(REM, number, divisor)


@pytest.mark.parametrize("times", [1, -1, 3])
def test_a_number_is_put_together_again(times: int) -> None:
    """Whatever stands beside it, and for divisors that only the run knows."""
    make = ExprBuilder()
    x, y = Var("x", Base.INT, True), Var("y", Base.INT, True)
    number, factor = make.add(make.mul(make.const(2), x), make.const(5)), make.const(times)
    for divisor in (make.const(7), Var("n", Base.INT, True)):
        quotient, rest = parts(make, number, divisor)
        first = make.add(make.mul(factor, make.mul(quotient, divisor)), y)
        assert make.add(first, make.mul(factor, rest)) is make.add(make.mul(factor, number), y)
        assert make.sub(
            make.mul(factor, rest), make.sub(y, make.mul(factor, make.mul(divisor, quotient)))
        ) is (make.sub(make.mul(factor, number), y))


def test_parts_of_different_numbers_stay() -> None:
    make = ExprBuilder()
    x, y, n = [Var(name, Base.INT, True) for name in "xyn"]
    quotient, rest = parts(make, x, n)
    assert make.add(make.mul(quotient, n), make.call(REM, y, n)) is not x
    assert make.add(make.mul(quotient, y), rest) is not x
    assert make.add(make.mul(make.mul(make.const(2), quotient), n), rest) is not x


def test_a_place_among_all_elements_is_in_a_row() -> None:
    make = ExprBuilder()
    rows, columns = [Var(name, Base.INT, True) for name in ("rows", "columns")]
    place = make.between("place", (make.zero,), (make.sub(make.mul(rows, columns), make.one),))
    row, column = parts(make, place, columns)
    assert make.at_least(make.sub(rows, make.one), row) and make.at_least(make.sub(columns, make.one), column)
    assert not make.at_least(make.sub(columns, make.one), row)
    assert not make.at_least(make.sub(rows, make.const(2)), row)


def test_places_of_a_shape_are_quotients_without_checks() -> None:
    made = laila("m←?3 4⍴9\nm[⍸m>5]←0\n⎕←m")
    assert "quot" not in made and "rem(" not in made and "INDEX" not in made


@pytest.mark.parametrize("text", ["{(⍴⍵)⊤¯1+⍳×/⍴⍵}", "{(⍴⍵)⊤⍳×/⍴⍵}", "{(1+⍴⍵)⊤-⍳×/⍴⍵}", "{(0,⍴⍵)⊤⍳9}"])
@pytest.mark.parametrize("shape", [(3, 4), (0, 4), (4, 0), (1, 1), (2, 3, 4), (2, 0, 3)])
def test_digits_in_the_shape_of_an_array(text: str, shape: tuple[int, ...]) -> None:
    """Numbers that have no more digits, and those that have."""
    m = np.zeros(shape)
    assert np.array_equal(aplc.fn(text, target="c")(m), aplc.fn(text, target="interp")(m))
