"""Blocks: what inner scopes inherit, what views of a scope share, and the flags of checks."""

import pytest

from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import Buffer, Site, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.loops.blocks import LAST_BIT, Block, Flags, Mode
from aplc.tail.faults import Fault
from aplc.tail.types import Base

REPORTING = Mode(reporting=True)


SITES = [Site(Fault("DOMAIN ERROR", "nothing"), "", None) for _ in range(LAST_BIT.bit_length() + 1)]


def test_scopes_inside_inherit_the_mode_and_the_flags() -> None:
    flags = Flags()
    inside = Block(None, False).under(REPORTING, flags).inner(in_loop=True).inner(in_loop=False)
    assert inside.mode is REPORTING
    assert inside.flags is flags
    assert inside.in_loop


def test_a_view_shares_all_but_the_mode() -> None:
    make, block = ExprBuilder(), Block(None, False)
    view = block.under(REPORTING)
    x = make.read(Buffer("a", Base.INT, "int64"), make.zero)
    view.names[id(x)] = make.one
    view.statements.append(l.Declare(Var("s", Base.INT), make.zero))
    assert not block.mode.reporting
    assert block.find(x) is make.one
    assert block.statements == view.statements


def test_conditions_tested_among_some_values_are_not_known_after_them() -> None:
    make, block = ExprBuilder(), Block(None, False)
    cond = Var("c", Base.BOOL)
    here = block.evaluating((cond, make.one))
    here.tested.add(id(cond))
    assert here.inner(in_loop=False).has_tested(cond)
    assert not block.has_tested(cond)


def test_names_of_its_own() -> None:
    make, block = ExprBuilder(), Block(None, False)
    x = make.read(Buffer("a", Base.INT, "int64"), make.zero)
    inside = block.with_own_names()
    inside.names[id(x)] = make.one
    inside.statements.append(l.Declare(Var("s", Base.INT), make.zero))
    assert block.find(x) is None
    assert len(block.statements) == 1


def test_flags_that_are_bits_share_a_variable() -> None:
    make, flags = ExprBuilder(), Flags()
    first, second = [flags.of(make, SITES[k], is_bit=True) for k in (0, 1)]
    assert (first.bit, second.bit) == (1, 2)
    assert flags.variables() == [first.var]
    assert not flags.is_alone(SITES[0])
    number = flags.of(make, SITES[2], is_bit=False)
    assert number.bit is None
    assert flags.is_alone(SITES[2])
    assert flags.of(make, SITES[0], is_bit=True) == first


@pytest.mark.parametrize("is_bit", [True, False])
def test_a_flag_alone_takes_any_bits(is_bit: bool) -> None:
    make, flags = ExprBuilder(), Flags()
    flag = flags.of(make, SITES[0], is_bit=True)
    again = flags.of(make, SITES[0], is_bit=is_bit)
    assert again.var is flag.var
    assert again.bit == (1 if is_bit else None)


def test_a_variable_has_no_more_bits() -> None:
    make, flags = ExprBuilder(), Flags()
    found = [flags.of(make, site, is_bit=True) for site in SITES]
    assert [flag.bit for flag in found[-2:]] == [LAST_BIT, 1]
    assert len(flags.variables()) == 2


def test_pending_flags_come_first() -> None:
    make, outer = ExprBuilder(), Flags()
    before = outer.of(make, SITES[0], is_bit=True)
    inner = Flags(outer.all())
    own = inner.of(make, SITES[1], is_bit=True)
    assert list(inner.all().items()) == [(SITES[0], before), (SITES[1], own)]
    assert list(outer.raised) == [SITES[0]]
