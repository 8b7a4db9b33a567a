"""Checks that a result shows: what is left out, and that values and errors are those with all checks."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from aplc import Function, fn
from aplc.laila.ir.program import HostLet, Map, Space, Statement
from aplc.laila.ir.scalar import DIVIDE, SQRT, Buffer, Check, Exp, Select, Site, Var, nodes
from aplc.laila.ir.settings import Settings
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.loops.deferred_checks import DOUBT, without_shown
from aplc.options import Options
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.errors import RunError
from aplc.tail.types import Base
from tests.support.compiling import c_of
from tests.support.machine import needs_c

NUMBERS = (0.0, -0.0, 1.0, -2.0, 1e-320, 1e308, np.inf, -np.inf, np.nan)

PROGRAMS = (
    "{(⍵÷⍺)+(⍺÷⍵)+⍵÷1-⍺}",
    "{1-(⍟⍺)×(1÷⍵)×(⍺÷⍵)*0.5}",
    "{(¯2⌈(⍵÷⍺)×(⍺÷⍵)-⍵÷1-⍺)⌊2}",  # it shows below the limits
    "{+/(⍵÷⍺)+(⍺÷⍵)+⍵÷1-⍺}",
    "{s←⌈/y←(⍵÷⍺)+(⍺÷⍵)+⍵÷1-⍺ ⋄ y-s}",  # a loop with two results
    "{((⍵>0)×⍟|⍵)+(⍺÷⍵)-⍺*0.5}",
)


class TestStatements:
    """What is left out."""

    make = ExprBuilder(Settings())
    site = Site(faults.DIVIDE_BY_ZERO, "÷", None)
    index = Var("i", Base.INT)
    target, source = (Buffer(name, Base.DOUBLE, "float64") for name in ("a", "b"))

    def number(self, k: int) -> Exp:
        return self.make.add(self.make.const(k), self.index)

    def read(self, k: int, buffer: Buffer | None = None) -> Exp:
        return self.make.read(buffer or self.source, self.number(k))

    def quotient(self, x: Exp, y: Exp) -> Exp:
        make = self.make
        zero, one = make.const(0.0), make.const(1.0)
        by_zero = make.call(p.EQD, y, zero)
        ok = make.call(p.ORB, make.call(p.NOTB, by_zero), make.call(p.EQD, x, zero))
        value = make.call(DIVIDE, make.select(by_zero, one, x), make.select(by_zero, one, y))
        return make.check(ok, value, self.site)

    def sum_of(self, *terms: Exp) -> Exp:
        total, *rest = terms
        for term in rest:
            total = self.make.call(p.ADDD, total, term)
        return total

    def quotients(self, *places: int) -> list[Exp]:
        return [self.quotient(self.read(k), self.read(k + 1)) for k in places]

    def map_of(self, body: Exp) -> Map:
        space = Space((self.index,), (self.make.const(100),))
        return Map(self.target, space, self.index, body)

    def checks_left(self, body: Exp) -> list[Check] | None:
        """The checks of a map without those that its result shows."""
        quick = without_shown(self.make, self.map_of(body))
        if quick is None:
            return None
        assert isinstance(quick, Map)
        return [n for n in nodes(quick.body) if isinstance(n, Check)]

    def test_one_check_stands_for_several(self) -> None:
        body = self.sum_of(*self.quotients(0, 2, 4))
        (check,) = self.checks_left(body) or []
        assert check.site is DOUBT
        assert not any(isinstance(n, Select) for n in nodes(check))

    def test_too_few(self) -> None:
        assert self.checks_left(self.sum_of(*self.quotients(0, 2))) is None

    def test_each_number_stands_for_enough(self) -> None:
        make = self.make
        first, second = [self.sum_of(*self.quotients(k, k + 2, k + 4)) for k in (0, 10)]
        checks = self.checks_left(make.call(p.MAXD, first, second))
        assert checks is not None and [c.site for c in checks] == [DOUBT, DOUBT]
        few = self.sum_of(*self.quotients(10, 12))
        assert self.checks_left(make.call(p.MAXD, first, few)) is None

    def test_a_denominator_hides(self) -> None:
        """`1÷x` is 0 for an infinite x."""
        make = self.make
        total = self.sum_of(*self.quotients(0, 2, 4))
        assert self.checks_left(make.call(DIVIDE, make.const(1.0), total)) is not None  # below it
        assert self.checks_left(self.sum_of(self.quotient(self.read(9), total), total)) is not None
        nested = self.quotient(
            self.read(9), self.quotient(self.read(8), self.quotient(*map(self.read, (6, 7))))
        )
        assert self.checks_left(nested) is None

    def test_a_denominator_that_is_no_number_shows(self) -> None:
        """`1÷x` is NaN where x is."""
        make = self.make
        x = self.read(9)
        ok = make.call(p.NOTB, make.call(p.LTD, x, make.const(0.0)))
        root = make.check(ok, make.call(SQRT, x), self.site)
        over = make.call(DIVIDE, self.sum_of(*self.quotients(0, 2)), root)
        (check,) = self.checks_left(over) or []
        assert check.site is DOUBT and check.value is not over

    def test_one_number_of_which_others_are_made(self) -> None:
        make = self.make
        total = self.sum_of(*self.quotients(0, 2, 4))
        square = make.call(p.NEGD, make.call(p.MULD, total, total))
        made = self.sum_of(make.call(p.EXPD, square), make.call(p.MAXD, make.call(p.ABSD, total), total))
        (check,) = self.checks_left(made) or []
        assert check.site is DOUBT and len(list(nodes(check.value))) < len(list(nodes(square)))

    def test_functions_that_hide(self) -> None:
        make = self.make
        one, other, third = self.quotients(0, 2, 4)
        for hiding in (
            make.call(p.EXPD, third),
            make.call(p.MIND, third, one),
            make.call(p.I2D, make.call(p.B2I, make.call(p.LTD, third, one))),
        ):
            assert self.checks_left(self.sum_of(one, other, hiding)) is None

    def test_branches_show_what_they_evaluate(self) -> None:
        make = self.make
        cond = make.call(p.LTD, self.read(20), self.read(21))
        one, other, third = self.quotients(0, 2, 4)
        assert self.checks_left(self.sum_of(one, other, make.select(cond, third, self.read(22)))) is not None
        both = make.select(cond, self.sum_of(one, third), self.sum_of(other, third))
        assert self.checks_left(both) is not None
        on_third = make.select(make.call(p.LTD, third, self.read(20)), one, other)
        assert self.checks_left(on_third) is None
        assert self.checks_left(self.sum_of(on_third, third)) is not None

    def test_other_checks_keep_all(self) -> None:
        make = self.make
        three = self.quotients(0, 2, 4)
        holds = make.call(p.LTI, self.index, make.const(50))
        other = make.check(holds, self.read(30), Site(faults.LENGTHS, "+", None))
        assert self.checks_left(self.sum_of(*three, other)) is None

    def test_what_reads_its_own_buffer_runs_once(self) -> None:
        body = self.sum_of(*self.quotients(0, 2, 4), self.read(0, self.target))
        assert self.checks_left(body) is None

    def test_scalars_without_loops(self) -> None:
        statement: Statement = HostLet(Var("x", Base.DOUBLE), self.sum_of(*self.quotients(0, 2, 4)))
        assert without_shown(self.make, statement) is None


def outcome(function: Function, given: tuple[object, ...]) -> object:
    """The value of a function, or the kind and place of its error."""
    try:
        with np.errstate(all="ignore"):
            return np.asarray(function(*given))
    except RunError as error:
        return str(error).split(":")[:4]


@pytest.mark.in_turn(16)
@needs_c
@pytest.mark.parametrize("text", PROGRAMS)
@pytest.mark.parametrize("strict", [False, True])
def test_values_and_errors_are_those_of_the_interpreter(text: str, strict: bool) -> None:
    ones = [np.full(19, each) for each in (3.0, 2.5)]
    pairs = [*itertools.product(NUMBERS, NUMBERS)]
    meaning = fn(text, target="interp")
    compiled = [fn(text, target=target, strict_fp=strict) for target in ("c", "openmp")]
    for size, (x, y) in [(0, (1.0, 1.0)), *((19, pair) for pair in pairs)]:
        given = tuple([each[:size].copy() for each in ones])
        if size:
            given[0][13], given[1][13] = x, y
        wanted = outcome(meaning, given)
        for function in compiled:
            found = outcome(function, given)
            if isinstance(wanted, list) or isinstance(found, list):
                assert isinstance(wanted, list) and isinstance(found, list), (x, y, wanted, found)
            elif strict:
                np.testing.assert_array_equal(found, wanted)
            else:
                np.testing.assert_allclose(np.asarray(found), np.asarray(wanted), rtol=1e-9)


@pytest.mark.parametrize("text", PROGRAMS)
def test_loops_without_checks_come_first(text: str) -> None:
    numbers = np.ones(9)
    c = c_of(f"v{text}w", Options(), v=numbers, w=numbers)
    assert re.search(r"bad \|= aplc_bits\((\w+) - \1\);", c)
    first, again = c.split("int64_t bad = 0;", 1)[1].split("if (aplc_raised(bad)) {", 1)
    assert "== 0.0" not in first and "aplc_fail" not in first
    assert "== 0.0" in again and "aplc_fail" in again


@needs_c
def test_zero_by_zero_is_one_beside_numbers_that_overflow() -> None:
    f = fn("{(⍵÷⍺)+(⍺÷⍵)+⍵÷1-⍺}", target="c")
    given = np.array([[0.0, 3.0, 1e308], [0.0, 2.0, 1e-308]])
    assert f(*given).tolist() == [1 + 1 + 0.0, 2 / 3 + 1.5 - 1.0, np.inf]


@needs_c
def test_errors_name_their_place() -> None:
    f = fn("{(⍟⍺)+(⍵*0.5)+⍵÷⍺-2}", target="c")
    errors = {
        (0.0, 3.0): "1:3: DOMAIN ERROR: ⍟ needs a number above zero, or a complex one",
        (3.0, -1.0): "1:8: DOMAIN ERROR: * has no real result: of complex numbers, 0J0+x, it may have one",
        (2.0, 3.0): "1:15: DOMAIN ERROR: ÷ divides by zero",
    }
    for wrong, message in errors.items():
        given = np.full((2, 9), 3.0)
        given[:, 7] = wrong
        with pytest.raises(RunError, match=re.escape(message)):
            f(*given)
