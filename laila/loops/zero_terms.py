"""Finds terms of sums that are zero in some iterations of a loop, so that they need not be added.

Note [Zeros in rounds]
    `(x×~c)+f×c` keeps what is not chosen as a term `x×0`. That is a zero, which changes nothing, unless x is
    infinite or NaN, or the other term is ¯0. A loop keeps its numbers small where `c` bounds them: from
    `c: 4≥(x×x)+y×y` follows that x and y are at most 2 wherever `f` is chosen.

    It is assumed that what the loop reads, and what it begins with, is of moderate size and not ¯0. Where
    then intervals for the variables can be found that no round leaves, and with them all such terms are
    zeros, the loop has a version without them, and the run looks whether the assumption holds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from aplc.laila.ir.interval import Interval
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.rounds import Rounds
from aplc.laila.ir.scalar import BITS, MULTIPLY_ADD, Call, Const, Exp, Read, Select, Var, nodes, operands
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail import prims as p
from aplc.tail.prims import INT_MIN
from aplc.tail.types import Base

MODERATE = float(1 << 128)
"""How large the numbers may be with which a loop begins: products of seven of them are finite."""

ATTEMPTS = 6
"""How often intervals are widened before a loop is taken to leave them."""

SLACK = 1 + 2**-40
"""More than what a bound of rounded numbers is rounded by."""

_ASCENDING = (p.LTD, p.LTED)
_ORDERED = (*_ASCENDING, p.GTD, p.GTED)

Bounds = dict[Var, Interval | None]
"""The intervals of variables; None where any double is possible."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A loop without terms that are zeros, and the numbers that must be moderate for that."""

    nexts: tuple[Exp, ...]
    assumed: tuple[Exp, ...]


def without_zeros(make: ExprBuilder, rounds: Rounds) -> Plain | None:
    """The loop without what Note [Zeros in rounds] says, if there is any of it. Floats overflow sooner."""
    if make.settings.is_single:
        return None
    search = _Search(make, rounds)
    nexts = tuple([search.plain(e) for e in rounds.nexts])
    if nexts == rounds.nexts:
        return None
    plain = replace(rounds, nexts=nexts)
    bounds = search.stable(plain)
    doubtful = _perhaps_negative_zero(plain)
    for branch, ranges in search.branches(rounds.nexts, bounds):
        zero, rest = _term_of_zero(branch)
        if zero is not None and not (_is_finite(ranges.of(zero)) and _is_no_negative_zero(rest, doubtful)):
            return None
    firsts = [e for e in rounds.firsts if e.ty is Base.DOUBLE and not isinstance(e, Const)]
    return Plain(nexts, (*search.leaves, *firsts))


def is_moderate(make: ExprBuilder, exp: Exp) -> Exp:
    """The condition that a number is what is assumed of those with which a loop begins."""
    small = make.call(p.LTED, make.call(p.ABSD, exp), make.const(MODERATE))
    return make.call(p.ANDB, small, make.call(p.NEQI, make.call(BITS, exp), make.const(INT_MIN)))


def _term_of_zero(exp: Exp) -> tuple[Exp | None, Exp]:
    """`y×0+x` as y and x; otherwise None and the expression."""
    match exp:
        case Call(op=op, args=(y, Const(value=0.0), x)) if op is MULTIPLY_ADD:
            return y, x
        case _:
            return None, exp


def _is_double(exp: Exp) -> bool:
    return exp.ty is Base.DOUBLE


def _is_square(exp: Exp) -> bool:
    return isinstance(exp, Call) and exp.op is p.MULD and exp.args[0] is exp.args[1]


def _is_finite(interval: Interval | None) -> bool:
    return interval is not None and not (math.isinf(interval.low) or math.isinf(interval.high))


class _Search:
    """The search for intervals that no round leaves."""

    def __init__(self, make: ExprBuilder, rounds: Rounds) -> None:
        self.make = make
        self.rounds = rounds
        own = frozenset(rounds.variables)
        inside = nodes(rounds.cond, *rounds.nexts, below=lambda e: () if isinstance(e, Read) else operands(e))
        self.leaves = tuple(
            [n for n in inside if isinstance(n, Read | Var) and n.ty is Base.DOUBLE and n not in own]
        )

    def plain(self, exp: Exp) -> Exp:
        """An expression, branch by branch, without terms of zero."""
        if isinstance(exp, Select):
            return self.make.select(exp.cond, self.plain(exp.then), self.plain(exp.other))
        return _term_of_zero(exp)[1]

    def stable(self, plain: Rounds) -> Bounds:
        """Intervals of the variables that hold before each round; None where there is none."""
        bounds = {v: _first(e) for v, e in zip(plain.variables, plain.firsts, strict=True) if _is_double(e)}
        nexts = dict(zip(plain.variables, plain.nexts, strict=True))
        for attempt in range(ATTEMPTS + len(bounds)):
            changed = False
            for var, old in list(bounds.items()):
                new = old
                for branch, ranges in self.branches((nexts[var],), bounds):
                    found = ranges.of(branch)
                    new = None if new is None or found is None else new.hull(found)
                if new != old:
                    changed = True
                    bounds[var] = _widened(new, old) if attempt < ATTEMPTS else None
            if not changed:
                return bounds
        return dict.fromkeys(bounds)

    def branches(self, roots: Iterable[Exp], bounds: Bounds) -> Iterator[tuple[Exp, Ranges]]:
        """What may be chosen, with the ranges where it is."""
        for root in roots:
            if isinstance(root, Select) and _is_double(root):
                yield from self.branches((root.then,), self.where(root.cond, True, bounds))
                yield from self.branches((root.other,), self.where(root.cond, False, bounds))
            else:
                yield root, self.ranges(bounds)

    def ranges(self, bounds: Bounds) -> Ranges:
        """Ranges in which variables have intervals, and what is assumed is assumed."""
        moderate = Interval(-MODERATE, MODERATE)
        result = Ranges({leaf.buffer: moderate for leaf in self.leaves if isinstance(leaf, Read)})
        for leaf in self.leaves:
            if isinstance(leaf, Var):
                result.bind(leaf, moderate)
        for var, interval in bounds.items():
            result.bind(var, interval)
        return result

    def where(self, cond: Exp, holds: bool, bounds: Bounds) -> Bounds:
        """The intervals of the variables where a condition holds, or does not."""
        match cond:
            case Call(op=op, args=(inner,)) if op is p.NOTB:
                return self.where(inner, not holds, bounds)
            case Call(op=op, args=(a, b)) if op is (p.ANDB if holds else p.ORB):
                return self.where(b, holds, self.where(a, holds, bounds))
            case Call(op=op, args=(a, b)) if op in _ORDERED:
                ranges, found = self.ranges(bounds), dict(bounds)
                low, high = ranges.of(a), ranges.of(b)
                if not holds and (low is None or high is None):
                    return bounds  # one of them may be NaN
                if (op in _ASCENDING) is not holds:
                    a, b, low, high = b, a, high, low
                _narrow(a, Interval(-math.inf, math.inf if high is None else high.high), ranges, found)
                _narrow(b, Interval(-math.inf if low is None else low.low, math.inf), ranges, found)
                return found
            case _:
                return bounds


# --- intervals ------------------------------------------------------------------------------------------


def _first(exp: Exp) -> Interval | None:
    """The interval of what a variable begins with; what is no constant is moderate."""
    if not isinstance(exp, Const):
        return Interval(-MODERATE, MODERATE)
    return Interval(exp.value, exp.value) if math.isfinite(exp.value) else None


def _widened(new: Interval | None, old: Interval | None) -> Interval | None:
    """An interval that has grown, with room to grow further where it was no single number."""
    if new is None or old is None or old.low == old.high:
        return new
    low = new.low if new.low == old.low else 2 * new.low - old.low
    high = new.high if new.high == old.high else 2 * new.high - old.high
    return Interval(low, high)


def _narrow(exp: Exp, within: Interval, ranges: Ranges, bounds: Bounds) -> None:
    """Make the intervals of variables smaller, given that of an expression, which is no NaN."""
    match exp:
        case Var() if exp in bounds:
            old = bounds[exp]
            bounds[exp] = within if old is None else old.meet(within)
        case Call(args=(a, _)) if _is_square(exp) and within.high >= 0:
            root = math.sqrt(within.high) * SLACK
            _narrow(a, Interval(-root, root), ranges, bounds)
        case Call(op=op, args=(a,)) if op is p.ABSD:
            _narrow(a, Interval(-within.high, within.high), ranges, bounds)
        case Call(op=op, args=(a,)) if op is p.NEGD:
            _narrow(a, Interval(-within.high, -within.low), ranges, bounds)
        case Call(op=op, args=(a, b)) if op is p.ADDD:
            for one, other in ((a, b), (b, a)):
                beside = _known(other, ranges)
                _narrow(one, _difference(within, beside), ranges, bounds)
        case Call(op=op, args=(a, b)) if op is p.SUBD:
            beside, whole = _known(b, ranges), _known(a, ranges)
            _narrow(a, _difference(within, Interval(-beside.high, -beside.low)), ranges, bounds)
            _narrow(b, _difference(whole, within), ranges, bounds)
        case _:
            pass


def _known(exp: Exp, ranges: Ranges) -> Interval:
    """The interval of a number that is no NaN."""
    found = ranges.of(exp)
    if found is not None:
        return found
    return Interval(0.0 if _is_square(exp) else -math.inf, math.inf)


def _difference(a: Interval, b: Interval) -> Interval:
    """What x can be if `x+y` is rounded to be in `a`, and y is in `b`."""

    def end(x: float, y: float, direction: float) -> float:
        if math.isinf(x) or math.isinf(y):
            return direction * math.inf
        return x - y + direction * (SLACK - 1) * (abs(x) + abs(y))

    return Interval(end(a.low, b.high, -1), end(a.high, b.low, 1))


# --- the sign of zero -----------------------------------------------------------------------------------


def _perhaps_negative_zero(rounds: Rounds) -> frozenset[Var]:
    """The variables that may be ¯0 in some round."""
    doubtful: frozenset[Var] = frozenset()
    while True:
        found = frozenset(
            [
                var
                for var, first, new in zip(rounds.variables, rounds.firsts, rounds.nexts, strict=True)
                if _is_double(var) and (_is_negative_zero(first) or not _is_no_negative_zero(new, doubtful))
            ]
        )
        if found == doubtful:
            return doubtful
        doubtful = found


def _is_negative_zero(exp: Exp) -> bool:
    return isinstance(exp, Const) and exp.value == 0 and math.copysign(1.0, exp.value) < 0


def _is_no_negative_zero(exp: Exp, doubtful: frozenset[Var]) -> bool:
    """Whether a number is not ¯0, given that what is read is not. A sum is ¯0 only if both terms are: one
    that is too small for a double is not rounded.
    """
    match exp:
        case Const():
            return not _is_negative_zero(exp)
        case Var():
            return exp not in doubtful
        case Read():
            return True
        case Select(then=then, other=other):
            return _is_no_negative_zero(then, doubtful) and _is_no_negative_zero(other, doubtful)
        case Call(op=op, args=(a, b)) if op is p.ADDD:
            return _is_no_negative_zero(a, doubtful) or _is_no_negative_zero(b, doubtful)
        case Call(op=op, args=(a, _)) if op is p.SUBD:
            return _is_no_negative_zero(a, doubtful)
        case Call(op=op):
            return op in (p.ABSD, p.I2D) or _is_square(exp)
        case _:
            return False
