"""What operators make of intervals: rules for `aplc.laila.ir.ranges`, which bounds values of expressions."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from aplc.laila.ir.interval import BITS, Interval
from aplc.laila.ir.scalar import (
    ALARM,
    BIT_COUNT,
    BIT_FIELD,
    CEIL,
    CHARACTER,
    DIVIDE,
    FLOOR,
    FLOOR_DIV,
    FLOOR_QUOT,
    FLOOR_QUOT64,
    LESSER,
    PIECE,
    QUOT,
    REM,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SMALL,
    SMALL_LIMIT,
    SNAP,
    SNAP_QUOT64,
    TRUNCATE,
)
from aplc.tail import prims as p
from aplc.tail.meaning.tolerant import snap
from aplc.tail.prims import Prim
from aplc.tail.types import LAST_CHARACTER

Rule = Callable[..., Interval | None]

INT32 = Interval(-(2**31), 2**31 - 1)


def _corners(f: Callable[[int | float, int | float], int | float]) -> Rule:
    """The rule of a function that is monotone in each argument, whatever the other one is."""

    def rule(a: Interval, b: Interval) -> Interval | None:
        values = [f(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        return None if any(math.isnan(v) for v in values) else Interval(min(values), max(values))

    return rule


def _monotone(f: Callable[[int | float], int | float]) -> Rule:
    def rule(a: Interval) -> Interval | None:
        values = f(a.low), f(a.high)
        return Interval(min(values), max(values))

    return rule


def magnitude(a: Interval) -> Interval:
    """`|x|`; that of the least integer is out of range."""
    ends = abs(a.low), abs(a.high)
    return Interval(0 if a.low <= 0 <= a.high else min(ends), max(ends))


def _residue(divisor: Interval, a: Interval) -> Interval:
    """`x|y`: the sign of x, and nearer to 0; y itself for x = 0."""
    if divisor.low > 0 and a.low >= 0 and a.high < divisor.low:
        return a
    found = Interval(min(0, divisor.low + 1), max(0, divisor.high - 1))
    if divisor.low > 0 and a.low >= 0:
        found = found.meet(Interval(0, a.high))
    return found.hull(a) if divisor.low <= 0 <= divisor.high else found


def _quotient(a: Interval, divisor: Interval) -> Interval | None:
    """The floor of a quotient by a positive integer."""
    if divisor.low <= 0:
        return None
    return _corners(lambda x, y: x // y)(a, divisor)


def _remainder(a: Interval, divisor: Interval) -> Interval:
    """The remainder of a non-negative integer and a positive one."""
    return Interval(0, max(0, min(a.high, divisor.high - 1)))


def _divided(a: Interval, b: Interval) -> Interval | None:
    if b.low <= 0 <= b.high or math.isinf(b.low) or math.isinf(b.high):
        return None
    return _corners(lambda x, y: x / y)(a, b)


def _rounded(f: Callable[[float], int]) -> Rule:
    """Floor and ceiling as doubles; every double from 2⁵² on is whole."""
    return _monotone(lambda x: float(f(x)) if abs(x) < 2**52 else x)


def _snapped(tolerance: Interval, a: Interval) -> Interval | None:
    """What is taken for a whole number within a tolerance: the larger a number, the larger the result."""
    if tolerance.low != tolerance.high:
        return None
    low, high = snap(np.array(tolerance.low), np.array([a.low, a.high], np.float64)).tolist()
    return Interval(low, high)


def _snap_quotient(x: Interval, y: Interval) -> Interval | None:
    """One more at most than the floor of the quotient."""
    found = RULES[FLOOR_QUOT64](x, y)
    return None if found is None else Interval(found.low, found.high + 1)


def _finite(rule: Rule) -> Rule:
    """A rule of doubles where no infinity arises, so that there is no NaN behind it."""

    def finite(*args: Interval) -> Interval | None:
        found = rule(*args)
        ends = [e for a in (*args, found) if a is not None for e in (a.low, a.high)]
        return found if found is not None and not any(math.isinf(e) for e in ends) else None

    return finite


def _truncated(a: Interval) -> Interval | None:
    if math.isinf(a.low) or math.isinf(a.high):
        return None
    return Interval(math.trunc(a.low), math.trunc(a.high))


def _less(a: Interval, b: Interval) -> Interval:
    if a.high < b.low:
        return Interval(1, 1)
    return Interval(0, 0) if a.low >= b.high else BITS


def _less_or_equal(a: Interval, b: Interval) -> Interval:
    if a.high <= b.low:
        return Interval(1, 1)
    return Interval(0, 0) if a.low > b.high else BITS


def _equal(a: Interval, b: Interval) -> Interval:
    if a.low == a.high == b.low == b.high:
        return Interval(1, 1)
    return Interval(0, 0) if a.meet(b).is_empty else BITS


def _not(a: Interval) -> Interval:
    return Interval(1 - a.high, 1 - a.low)


def common_divisor(a: Interval, b: Interval) -> Interval | None:
    """The greatest common divisor: no greater than one of both, and 0 for two zeros."""
    high = max(magnitude(a).high, magnitude(b).high)
    return Interval(0, high) if high < 2**63 else None


def common_multiple(a: Interval, b: Interval) -> Interval | None:
    """The least common multiple of integers that are not negative: no greater than their product."""
    return None if a.low < 0 or b.low < 0 else Interval(0, a.high * b.high)


def _flipped(rule: Rule) -> Rule:
    return lambda a, b: rule(b, a)


def _negated(rule: Callable[[Interval, Interval], Interval]) -> Rule:
    return lambda a, b: _not(rule(a, b))


def of_bits(a: Interval, b: Interval) -> Interval:
    """What the bits of two integers make, of 32 bits at most: no more bits than they have."""
    if not (a.within(INT32) and b.within(INT32)):
        return INT32
    ends = (int(e) for e in (a.low, a.high, b.low, b.high))
    limit = 1 << max([max(e, ~e).bit_length() for e in ends])
    return Interval(0 if min(a.low, b.low) >= 0 else -limit, limit - 1)


def _common_bits(a: Interval, b: Interval) -> Interval:
    """The bits that two integers have in common: no more than one of them has that is not negative."""
    found = of_bits(a, b)
    for one in (a, b):
        if one.low >= 0 and one.within(INT32):
            found = found.meet(Interval(0, one.high))
    return found


def _shifted(shift: Callable[[int, int], int]) -> Rule:
    """The rule of a shift by a count that is not negative; a long one to the left gives any 32 bits."""

    def rule(a: Interval, count: Interval) -> Interval:
        if not (a.within(INT32) and count.within(Interval(0, 32))):
            return INT32
        found = _corners(lambda x, k: shift(int(x), int(k)))(a, count)
        return found if found is not None and found.within(INT32) else INT32

    return rule


def _piece(count: Interval, value: Interval, step: Interval) -> Interval | None:
    """What a piece of a function of constants can be: the values at its ends, or 0."""
    last = _TIMES(Interval(0, max(0, count.high - 1)), step)
    return None if last is None else Interval(0, 0).hull(_add(value, last))


def _add(a: Interval, b: Interval) -> Interval:
    return Interval(a.low + b.low, a.high + b.high)


def _sub(a: Interval, b: Interval) -> Interval:
    return Interval(a.low - b.high, a.high - b.low)


_MAX = _corners(max)
_MIN = _corners(min)
_TIMES = _corners(lambda x, y: x * y)

RULES: dict[Prim, Rule] = {
    p.ADDI: _add,
    p.SUBI: _sub,
    p.MULI: _TIMES,
    p.NEGI: _monotone(lambda x: -x),
    p.ABSI: magnitude,
    p.SIGNI: _monotone(lambda x: (x > 0) - (x < 0)),
    p.MAXI: _MAX,
    p.MINI: _MIN,
    p.RESI: _residue,
    p.GCDI: common_divisor,
    p.LCMI: common_multiple,
    QUOT: _quotient,
    FLOOR_DIV: _quotient,
    FLOOR_QUOT: _quotient,
    FLOOR_QUOT64: _corners(lambda x, y: math.floor(float(x) / float(y))),
    SNAP_QUOT64: lambda _, x, y: _snap_quotient(x, y),
    REM: _remainder,
    p.B2I: _monotone(lambda x: x),
    p.C2I: lambda a: a.meet(Interval(0, LAST_CHARACTER)),
    CHARACTER: lambda a: a.meet(Interval(0, LAST_CHARACTER)),
    p.ANDI32: _common_bits,
    p.ORI32: of_bits,
    p.XORI32: of_bits,
    p.NOTI32: lambda a: Interval(~a.high, ~a.low) if a.within(INT32) else INT32,
    SHIFT_LEFT: _shifted(lambda x, k: x << k),
    SHIFT_RIGHT: _shifted(lambda x, k: x >> k),
    BIT_FIELD: lambda _, shift, mask: Interval(0, mask.high),
    PIECE: lambda _, first, count, value, step: _piece(count, value, step),
    BIT_COUNT: lambda _: Interval(0, 64),
    SMALL: lambda a: a.meet(Interval(-SMALL_LIMIT, SMALL_LIMIT)),
    ALARM: _monotone(lambda x: x),
    p.I2D: _monotone(float),
    TRUNCATE: _truncated,
    p.ADDD: _finite(_add),
    p.SUBD: _finite(_sub),
    p.MULD: _finite(_TIMES),
    p.NEGD: _monotone(lambda x: -x),
    p.ABSD: magnitude,
    p.MAXD: _MAX,
    p.MIND: _MIN,
    LESSER: _MIN,
    DIVIDE: _finite(_divided),
    FLOOR: _rounded(math.floor),
    CEIL: _rounded(math.ceil),
    SNAP: _snapped,
    p.ANDB: _MIN,
    p.ORB: _MAX,
    p.NOTB: _not,
    **dict.fromkeys((p.LTI, p.LTD), _less),
    **dict.fromkeys((p.LTEI, p.LTED), _less_or_equal),
    **dict.fromkeys((p.GTI, p.GTD), _flipped(_less)),
    **dict.fromkeys((p.GTEI, p.GTED), _flipped(_less_or_equal)),
    **dict.fromkeys((p.EQI, p.EQD, p.EQC, p.EQB), _equal),
    **dict.fromkeys((p.NEQI, p.NEQD, p.NEQC, p.NEQB), _negated(_equal)),
}
"""What operators make of intervals. An integer result beyond 64 bits stands for every integer."""
