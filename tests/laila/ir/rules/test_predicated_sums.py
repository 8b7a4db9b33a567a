"""Sums weighted by a condition and its opposite are choices, and have the values of the sums."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from aplc import fn
from aplc.laila.ir.rules.predicated_sums import chosen
from aplc.laila.ir.scalar import MULTIPLY_ADD, Call, Exp, Var
from aplc.laila.ir.settings import Settings
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail import prims as p
from aplc.tail.errors import RunError
from aplc.tail.types import Base
from tests.support.machine import needs_c

NUMBERS = (0.0, 0.5, 1.0, -3.0, 1e308, -1e308, np.inf, -np.inf, np.nan)

SUMS = (
    "{(w×⍵≥0)+(1-w←1-*-⍵×⍵)×⍵<0}",
    "{(⍺×⍵≥0)+(1-⍺)×⍵<0}",
    "{(⍺×⍵=0)+(1-⍺)×⍵≠0}",
    "{((1-⍺)×⍵≤2)+⍺×~⍵≤2}",
    "{((1-⍺)×⍵≤2)+⍺×⍵>2}",
)


@needs_c
@pytest.mark.parametrize("text", SUMS)
def test_values_are_those_of_the_sum(text: str) -> None:
    pairs = np.array([*itertools.product(NUMBERS, NUMBERS)]).T.copy()
    given = pairs if "⍺" in text else pairs[1:]
    with np.errstate(all="ignore"):
        wanted = fn(text, target="interp")(*given)
    np.testing.assert_allclose(fn(text, target="c")(*given), wanted, rtol=1e-15)


INTEGER_SUMS = ("((8|a)×a>b)+b×~a>b", "((8|a)×a>b)+(a×b)×a≤b", "(5×a=b)+a×a≠b", "(a=b)+9×a≠b")


@needs_c
@pytest.mark.parametrize("text", INTEGER_SUMS)
def test_sums_of_integers(text: str) -> None:
    numbers = [-(2**63), -(2**62), -1, 0, 1, 7, 8, 2**62, 2**63 - 1]
    given = np.array([*itertools.product(numbers, numbers)], np.int64)
    text = f"{{a←⍵[;1] ⋄ b←⍵[;2] ⋄ {text}}}"
    assert np.array_equal(fn(text, target="c")(given), fn(text, target="interp")(given))
    assert "b2i" not in fn(text, target="c").emit("laila", "[int]2")


def test_a_sum_of_what_may_fail_is_no_choice() -> None:
    """An index that is wrong is an error also where it has no weight."""
    text = "{v←⍵ ⋄ (v[⍺]×⍺≤≢v)+⍺×⍺>≢v}"
    for target in ("interp", "c"):
        with pytest.raises(RunError, match="INDEX ERROR"):
            fn(text, target=target)(np.array([1, 9]), np.array([1, 2, 3]))


class TestChoices:
    """What is recognised."""

    make = ExprBuilder(Settings())
    w, x = Var("w", Base.DOUBLE), Var("x", Base.DOUBLE)

    def weighted(self, number: Exp, cond: Exp) -> Exp:
        make = self.make
        return make.call(p.MULD, number, make.call(p.I2D, make.call(p.B2I, cond)))

    def sum_of(self, number: Exp, cond: Exp, other: Exp) -> Exp | None:
        rest = self.make.call(p.SUBD, self.make.const(1.0), number)
        return chosen(self.make, self.weighted(number, cond), self.weighted(rest, other))

    def test_opposites(self) -> None:
        make, zero = self.make, self.make.const(0.0)
        holds = make.call(p.EQD, self.x, zero)
        choice = self.sum_of(self.w, holds, make.call(p.NEQD, self.x, zero))
        assert isinstance(choice, Call) and choice.op is MULTIPLY_ADD
        assert self.sum_of(self.w, holds, make.call(p.NOTB, holds)) is choice
        assert self.sum_of(self.w, holds, holds) is None

    def test_opposites_but_for_nan(self) -> None:
        make, zero = self.make, self.make.const(0.0)
        conds = make.call(p.GTED, self.x, zero), make.call(p.LTD, self.x, zero)
        assert self.sum_of(self.w, *conds) is None
        assert self.sum_of(make.call(p.EXPD, self.x), *conds) is not None
