"""The lowering of comparison within ⎕CT; its meaning is that of `aplc.tail.meaning.tolerant`.

Note [Comparing with a constant]
    The numbers that equal a constant c within the tolerance are those from one double to another, since what
    may be between two numbers grows far more slowly than what is. These two are found while compiling, and
    `x=c` is whether x lies from the one to the other, `x<c` whether it is below the first, and `x≤c` whether
    it is at most the second: exact comparisons. Zero and infinity equal themselves only.
"""

from __future__ import annotations

import math

from aplc.laila.ir.scalar import SNAP, Call, Const, Exp
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail import prims as p
from aplc.tail.meaning.tolerant import LARGEST, MOST, equal_numbers


def equal(make: ExprBuilder, tolerance: Exp, x: Exp, y: Exp) -> Exp:
    """`x=y`; see Note [Comparing with a constant]."""
    if isinstance(x, Const):
        x, y = y, x
    if (ends := _ends(tolerance, y)) is not None:
        low, high = ends
        if low == high or math.isnan(low):
            return make.call(p.EQD, x, y)
        above = make.call(p.GTED, x, make.const(low))
        return make.call(p.ANDB, above, make.call(p.LTED, x, make.const(high)))
    if x is y:
        return make.call(p.EQD, x, y)
    larger = make.call(p.MAXD, make.call(p.ABSD, x), make.call(p.ABSD, y))
    allowed = make.call(p.MULD, tolerance, make.call(p.MIND, larger, make.const(LARGEST)))
    near = make.call(p.LTED, make.call(p.ABSD, make.call(p.SUBD, x, y)), allowed)
    return make.call(p.ORB, make.call(p.EQD, x, y), near)


def _ends(tolerance: Exp, c: Exp) -> tuple[float, float] | None:
    """The least and the greatest number that equal an expression, where that is known."""
    if not isinstance(tolerance, Const) or not isinstance(c, Const) or not 0 <= tolerance.value <= MOST:
        return None
    return equal_numbers(float(tolerance.value), float(c.value))


def less(make: ExprBuilder, tolerance: Exp, x: Exp, y: Exp) -> Exp:
    """`x<y`"""
    if (ends := _ends(tolerance, y)) is not None:
        return make.call(p.LTD, x, make.const(ends[0]))
    if (ends := _ends(tolerance, x)) is not None:
        return make.call(p.GTD, y, make.const(ends[1]))
    return make.call(p.GTD, *_apart(make, tolerance, y, x))


def _apart(make: ExprBuilder, tolerance: Exp, x: Exp, y: Exp) -> tuple[Exp, Exp]:
    """How far x is above y, and how far it may be if they are equal. Where it is not above, the first is not
    positive and the second is above it: the larger of x and -y is the larger magnitude, or negative, and then
    the numbers are further apart.
    """
    larger = make.call(p.MIND, make.call(p.MAXD, x, make.call(p.NEGD, y)), make.const(LARGEST))
    return make.call(p.SUBD, x, y), make.call(p.MULD, tolerance, larger)


def less_or_equal(make: ExprBuilder, tolerance: Exp, x: Exp, y: Exp) -> Exp:
    """`x≤y`"""
    if (ends := _ends(tolerance, y)) is not None:
        return make.call(p.LTED, x, make.const(ends[1]))
    if (ends := _ends(tolerance, x)) is not None:
        return make.call(p.GTED, y, make.const(ends[0]))
    near = make.call(p.LTED, *_apart(make, tolerance, x, y))
    return make.call(p.ORB, make.call(p.LTED, x, y), near)


def snap(make: ExprBuilder, tolerance: Exp, x: Exp) -> Exp:
    """The whole number that a double is taken for by `⌊` and `⌈`, or itself."""
    is_whole = isinstance(x, Call) and x.op is p.I2D
    return x if is_whole else make.call(SNAP, tolerance, x)
