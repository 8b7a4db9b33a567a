"""Doubles that are whole numbers, as integers.

An expression is rebuilt with some variables as conversions of integers. Where operands of arithmetic are
such, and ranges tell that all that may come of them is a double exactly, the result is the conversion of an
integer, too; comparisons of such are comparisons of integers. A zero is never negative: products of negative
numbers stay what they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Set

from aplc.laila.ir.interval import EXACT, Interval
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.rules.complex_rules import MIRRORED
from aplc.laila.ir.rules.guards import OF_INTEGERS
from aplc.laila.ir.scalar import (
    DIVIDE,
    FLOOR,
    QUOT,
    REM,
    SNAP,
    TRUNCATE,
    BlockExp,
    Call,
    Check,
    Const,
    Exp,
    Select,
    Sum,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

SMALL = 1 << 46
"""Of whole numbers below this, those that differ differ by more than the tolerance."""

ARITHMETIC = {p.ADDD: p.ADDI, p.SUBD: p.SUBI, p.MULD: p.MULI, p.MAXD: p.MAXI, p.MIND: p.MINI}

Compared = Callable[[Exp], tuple[Prim, Exp, Exp] | None]
"""What tells of a comparison within the tolerance which one of `OF_INTEGERS` it is for whole numbers, and its
operands.
"""


class Wholes(Substitute):
    """Rebuilds expressions where some doubles are conversions of integers, given what holds there."""

    def __init__(
        self,
        make: ExprBuilder,
        replacements: dict[Exp, Exp],
        ranges: Ranges,
        compared: Compared,
        facts: Set[Exp] = frozenset(),
        named: dict[Exp, Exp] | None = None,
    ) -> None:
        super().__init__(make, replacements)
        self.ranges = ranges
        self.compared = compared
        self.facts = facts
        self.named = named or {}
        """The values of some variables."""
        self.divisions = 0
        """The divisions that have become those of integers."""

    def whole(self, exp: Exp) -> Exp | None:
        """The integer of which a rebuilt double is the conversion."""
        match exp:
            case Const(value=float(value)) if value.is_integer() and abs(value) <= EXACT.high:
                return None if value == 0 and math.copysign(1, value) < 0 else self.make.const(int(value))
            case Call(op=p.I2D, args=(integer,)) if self.ranges.integers(integer).within(EXACT):
                return integer
            case _:
                return None

    def _rebuild(self, node: Exp) -> Exp:
        result = super()._rebuild(node)
        found = self._tolerant(node) or self._of(result) or result
        if found.ty is Base.BOOL and not isinstance(found, Const):
            decided = self.ranges.integers(found)
            if decided.low == decided.high and not contains(Check | BlockExp, found):
                return self.make.const(bool(decided.low))
        return found

    def _of(self, exp: Exp) -> Exp | None:
        """A rebuilt expression of conversions as one of integers."""
        make = self.make
        match exp:
            case Call(op=op, args=(x, y)) if op in ARITHMETIC:
                return self._computed(ARITHMETIC[op], x, y)
            case Call(op=op, args=(x, y)) if op in OF_INTEGERS:
                return self._comparison(op, x, y)
            case Call(op=p.ABSD, args=(x,)) if (a := self.whole(x)) is not None:
                not_negative = self.ranges.integers(a).low >= 0
                return make.call(p.I2D, a if not_negative else make.call(p.ABSI, a))
            case Call(op=p.RESD, args=(x, y)):
                return self._remainder(x, y)
            case Call(op=op, args=(x, y)) if op is DIVIDE:
                return self._quotient(x, y)
            case Call(op=op, args=(x,)) if op is FLOOR and self.whole(x) is not None:
                return x
            case Call(op=op, args=(_, x)) if op is SNAP and self.whole(x) is not None:
                return x
            case Call(op=op, args=(x,)) if op is TRUNCATE:
                return self.whole(x)
            case Select():
                return self._choice(exp)
            case _:
                return None

    def _computed(self, op: Prim, x: Exp, y: Exp) -> Exp | None:
        """A sum, difference, product or extremum."""
        a, b = self.whole(x), self.whole(y)
        if a is None or b is None:
            return None
        lows = self.ranges.integers(a).low, self.ranges.integers(b).low
        if op is p.MULI and min(lows) < 0 and max(lows) <= 0:
            return None  # zero times a negative number is not 0 but -0
        found = self.make.call(op, a, b)
        return self.make.call(p.I2D, found) if self.ranges.integers(found).within(EXACT) else None

    def _comparison(self, op: Prim, x: Exp, y: Exp) -> Exp | None:
        """A comparison that is exact."""
        make, a, b = self.make, self.whole(x), self.whole(y)
        if a is not None and b is not None:
            return make.call(OF_INTEGERS[op], a, b)
        if a is None and b is not None:
            return self._comparison(MIRRORED[op], y, x)
        if a is None:
            return None
        if isinstance(y, Const):
            return self._with_constant(op, a, float(y.value))
        if op is p.LTED and self.ranges.integers(a).low >= 0 and (most := self._most(y)) is not None:
            of = a.args[0] if isinstance(a, Call) and a.op is p.ABSI else a
            if most >= 1:  # rarely asked, as what is larger than that is seen at once
                return make.call(p.ANDB, make.call(p.LTEI, a, make.const(most)), make.call(op, x, y))
            if self._is_above_rest(of):
                return make.const(False)
            return make.call(p.EQI, of, make.zero)  # not negative, and at most what is below 1
        return None

    def _less_rest(self, exp: Exp) -> tuple[Exp, Call] | None:
        """A number and the remainder that is taken away from it, if an integer is such a difference."""
        match exp:
            case Sum(const=0, terms=((x, 1), (y, -1))) | Sum(const=0, terms=((y, -1), (x, 1))):
                rest = self.named.get(y, y)
                return (x, rest) if isinstance(rest, Call) and rest.op is REM else None
            case _:
                return None

    def _is_above_rest(self, exp: Exp) -> bool:
        """Whether an integer is what a divisor is above the rest that it leaves."""
        found = self._less_rest(exp)
        return found is not None and found[1].args[1] is found[0]

    def _with_constant(self, op: Prim, a: Exp, c: float) -> Exp | None:
        """The comparison of an integer with a number that is none."""
        make = self.make
        if c == 0:  # the negative one
            return make.call(OF_INTEGERS[op], a, make.zero)
        if math.isnan(c) or op in (p.EQD, p.NEQD):
            return make.const(op is p.NEQD)
        if abs(c) > EXACT.high:
            return make.const((c > 0) == (op in (p.LTD, p.LTED)))
        if op in (p.LTD, p.LTED):
            return make.call(p.LTEI, a, make.const(math.floor(c)))
        return make.call(p.GTEI, a, make.const(math.ceil(c)))

    def _most(self, exp: Exp) -> int | None:
        """The whole number that a double is not above by 1, if it is a constant times one that is whole and
        not negative.
        """
        match self.named.get(exp, exp):
            case Call(op=p.MULD, args=(Const(value=k), x)) | Call(op=p.MULD, args=(x, Const(value=k))):
                a = self.whole(x)
                if a is None or not k >= 0 or self.ranges.integers(a).low < 0:
                    return None
                return int(k * self.ranges.integers(a).high)
            case _:
                return None

    def _tolerant(self, node: Exp) -> Exp | None:
        """A comparison within the tolerance, as it was before it was rebuilt."""
        found = self.compared(node)
        if found is None:
            return None
        op, x, y = found
        a, b = [self.whole(self.done[id(e)]) for e in (x, y)]
        if a is None or b is None:
            return None
        small = Interval(1 - SMALL, SMALL - 1)
        if not all(self.ranges.integers(e).within(small) for e in (a, b)):
            return None
        return self.make.call(OF_INTEGERS[op], a, b)

    def _remainder(self, x: Exp, y: Exp) -> Exp | None:
        """`x|y` by what is positive."""
        make, a, b = self.make, self.whole(x), self.whole(y)
        if a is None or b is None or self.ranges.integers(a).low < 1:
            return None
        if self.ranges.integers(b).low >= 0:
            found = make.call(REM, b, a)
        elif make.settings.strict_fp:  # a zero has the sign of what is divided
            return None
        else:
            found = make.call(p.RESI, a, b)
        self.divisions += 1
        return make.call(p.I2D, found)

    def _quotient(self, x: Exp, y: Exp) -> Exp | None:
        """`x÷y` where nothing remains."""
        make, a, b = self.make, self.whole(x), self.whole(y)
        if a is None or b is None or self.ranges.integers(b).low < 1:
            return None
        if (number := self._without_rest(a, b)) is not None:
            return make.call(p.I2D, make.call(QUOT, number, b))
        if self.ranges.integers(a).low < 0:
            return None
        rest = make.call(REM, a, b)
        nothing = [make.call(p.EQI, rest, make.zero), make.call(p.LTI, rest, make.one)]
        if b is make.const(2):
            nothing.append(make.call(p.NEQI, rest, make.one))
        return None if self.facts.isdisjoint(nothing) else make.call(p.I2D, make.call(QUOT, a, b))

    def _without_rest(self, exp: Exp, divisor: Exp) -> Exp | None:
        """The number of which an integer is the multiple of a divisor below it."""
        found = self._less_rest(exp)
        if found is None or found[1].args != (found[0], divisor):
            return None
        return found[0] if self.ranges.integers(found[0]).low >= 0 else None

    def _choice(self, exp: Select) -> Exp | None:
        """A choice of two whole numbers; quotients are looked at again, as the condition may tell more."""
        make, cond = self.make, Substitute(self.make, self.named)(exp.cond)
        sides = [
            self._where(side, told(make, cond, holds=holds)) if _divides(side) else side
            for side, holds in ((exp.then, True), (exp.other, False))
        ]
        if exp.ty is not Base.DOUBLE:
            found = make.select(exp.cond, *sides)
            return found if found is not exp else None
        a, b = [self.whole(side) for side in sides]
        if a is None or b is None:
            return make.select(exp.cond, *sides)
        if make.call(p.EQI, b, a) in told(make, exp.cond, holds=True):  # the one is the other
            return make.call(p.I2D, b)
        found, rare = make.select(exp.cond, a, b), _rare(make, exp.cond)
        return make.call(p.I2D, found if rare is None else make.select(rare, found, b))

    def _where(self, exp: Exp, facts: Set[Exp]) -> Exp:
        """A rebuilt expression where more is known."""
        inner = Wholes(self.make, {}, self.ranges, self.compared, self.facts | facts, self.named)
        found = inner(exp)
        self.divisions += inner.divisions
        return found


def told(make: ExprBuilder, cond: Exp, *, holds: bool) -> frozenset[Exp]:
    """The conditions that hold where one does, or does not."""
    if not holds:
        cond = make.call(p.NOTB, cond)
    match cond:
        case Call(op=p.ANDB, args=(a, b)):
            return told(make, a, holds=True) | told(make, b, holds=True) | {cond}
        case Call(op=p.NOTB, args=(Call(op=p.ORB, args=(a, b)),)):
            return told(make, a, holds=False) | told(make, b, holds=False) | {cond}
        case Call(op=p.NOTB, args=(Call(op=p.EQI | p.NEQI as op, args=(a, b)),)):
            return frozenset((cond, make.call(p.NEQI if op is p.EQI else p.EQI, a, b)))
        case _:
            return frozenset((cond,))


def most_residue(values: Iterable[Exp], named: Mapping[Var, Exp]) -> int | None:
    """The greatest number that some values can be if each is chosen from constants and residues by such."""
    left, most = list(values), 0.0
    while left:
        match left.pop():
            case Var() as var if var in named:
                left.append(named[var])
            case Select(then=then, other=other):
                left += [then, other]
            case Check(value=value):
                left.append(value)
            case Const(value=value) | Call(op=p.RESD, args=(Const(value=value), _)) if value >= 0:
                most = max(most, value)
            case _:
                return None
    return int(most) if most < math.inf else None


def _rare(make: ExprBuilder, cond: Exp) -> Exp | None:
    """What is asked first of a condition that seldom holds, as `_comparison` makes it: integers alone."""
    match cond:
        case Call(op=p.ORB, args=(x, y)):
            a, b = _rare(make, x), _rare(make, y)
            return None if a is None or b is None else make.call(p.ORB, a, b)
        case Call(op=p.ANDB, args=(Call(op=p.LTEI, args=(_, Const())) as first, Call(op=p.LTED))):
            return first
        case _:
            return None


def _divides(exp: Exp) -> bool:
    """Whether there is a quotient in an expression, but for those in choices of its own."""
    below = nodes(exp, below=lambda e: () if isinstance(e, Select) else operands(e))
    return any(isinstance(n, Call) and n.op is DIVIDE for n in below)
