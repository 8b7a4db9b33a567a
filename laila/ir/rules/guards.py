"""Lower bounds of extents that hold in a part of a program: what is assumed there, and what conditions tell.

    0=≢⍵:0 ⋄ (+/⍵)÷≢⍵     →   if n = 0 { 0 } else { (sum of ⍵) / n }, where n ≥ 1 and nobody asks for 0

A program in versions assumes in one of them what its condition asks. A guard of the user's tells as much of
what stands behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from aplc.laila.ir.constants import EXACT
from aplc.laila.ir.counts import branches, is_count, is_zero_or_one
from aplc.laila.ir.rules.folds import LESS
from aplc.laila.ir.scalar import Call, Const, Exp, Select, Var, nodes
from aplc.tail import prims as p
from aplc.tail.prims import Prim

if TYPE_CHECKING:
    from aplc.laila.ir.simplify import ExprBuilder


@dataclass(frozen=True, slots=True)
class Assumed:
    """Lower bounds that hold in a part of a program, by extent."""

    lows: Mapping[Exp, Exp] = field(default_factory=dict)
    in_version: bool = False
    """Whether the part is a version that was made for them: in it no others are made for the same reason."""

    def extended(self, lows: Mapping[Exp, Exp], are_told: bool) -> Assumed:
        """What holds where others do, too, which conditions of the program tell or a version is made for."""
        return Assumed({**self.lows, **lows}, self.in_version or (not are_told and bool(lows)))


@contextmanager
def where(make: ExprBuilder, cond: Exp, *, holds: bool) -> Iterator[None]:
    """The part of a program where a condition holds, or does not."""
    lows = told(make, cond, holds=holds)
    with make.assuming(lows, are_told=True) if lows else nullcontext():
        yield


def told(make: ExprBuilder, cond: Exp, *, holds: bool) -> dict[Exp, Exp]:
    """The lower bounds of extents that are known where a condition holds, or does not, and not elsewhere."""
    match cond:
        case Call(op=p.NOTB, args=(inner,)):
            return told(make, inner, holds=not holds)
        case Call(op=op, args=(a, b)) if op is (p.ANDB if holds else p.ORB):
            return told(make, a, holds=holds) | told(make, b, holds=holds)
        case Call(op=op, args=args) if op in LESS and make.counts(*args):
            low, high, strict = LESS[op]
            gap = make.sub(make.sub(args[high], args[low]), make.const(strict))
            return _not_negative(make, gap if holds else make.sub(make.const(-1), gap))
        case Call(op=p.EQI | p.NEQI as op, args=(a, b)) if make.counts(a, b):
            gap = make.sub(a, b)
            return _equal(make, gap) if holds == (op is p.EQI) else _unequal(make, gap)
        case _:
            return {}


def _not_negative(make: ExprBuilder, difference: Exp) -> dict[Exp, Exp]:
    """What is known of the only variable in a difference that is zero or more, if it has a lower bound."""
    const, terms = make.linear(difference)
    match list(terms.items()):
        case [(Var() as extent, 1)] if not make.at_least(extent, make.const(-const)):
            return {extent: make.const(-const)}
        case _:
            return {}


def _equal(make: ExprBuilder, difference: Exp) -> dict[Exp, Exp]:
    """The same where it is zero."""
    return _not_negative(make, difference) or _not_negative(make, make.sub(make.zero, difference))


def _unequal(make: ExprBuilder, difference: Exp) -> dict[Exp, Exp]:
    """The same where it is not zero, but is known to be no less: an extent other than 0 is 1 or more."""
    for each in (difference, make.sub(make.zero, difference)):
        if make.nonnegative(each):
            return _not_negative(make, make.sub(each, make.one))
    return {}


def integer_in(make: ExprBuilder, exp: Exp) -> Exp | None:
    """The integer that a double is made of, where it has its value for certain."""
    known: dict[int, Exp] = {}
    for node in nodes(exp, below=branches):
        match node:
            case Const(value=float(number)) if number.is_integer() and abs(number) <= EXACT:
                known[id(node)] = make.const(int(number))
            case Call(op=p.I2D, args=(integer,)) if is_count(integer) or is_zero_or_one(integer):
                known[id(node)] = integer
            case Select(cond=cond, then=then, other=other):
                known[id(node)] = make.select(cond, known[id(then)], known[id(other)])
            case _:
                return None
    return known[id(exp)]


OF_INTEGERS = {
    p.EQD: p.EQI, p.NEQD: p.NEQI, p.LTD: p.LTI, p.LTED: p.LTEI, p.GTD: p.GTI, p.GTED: p.GTEI
}  # fmt: skip
"""Comparisons of doubles, and those of integers."""


def of_counts(make: ExprBuilder, op: Prim, args: tuple[Exp, ...]) -> Exp | None:
    """What a comparison of doubles is that are numbers of elements, if it is known: none is zero behind a
    guard that asks for that. Of a condition that is one or zero it is the condition, or its opposite.
    """
    integers = [integer_in(make, a) for a in args]
    if None in integers or all(isinstance(i, Const) for i in integers):
        return None
    found = make.call(OF_INTEGERS[op], *[i for i in integers if i is not None])
    are_bits = all(isinstance(i, Const) or (i is not None and is_zero_or_one(i)) for i in integers)
    return found if are_bits or isinstance(found, Const) else None


COUNT_RULES = dict.fromkeys(OF_INTEGERS, of_counts)
