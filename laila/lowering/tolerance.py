"""The lowering of comparison within ⎕CT; its meaning is that of `aplc.tail.meaning.tolerant`.

Note [Comparing with a constant]
    The numbers that equal a constant c within the tolerance are those from one double to another, since what
    may be between two numbers grows far more slowly than what is. These two are found while compiling, and
    `x=c` is whether x lies from the one to the other, `x<c` whether it is below the first, and `x≤c` whether
    it is at most the second: exact comparisons. Zero and infinity equal themselves only.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from aplc.laila.ir.scalar import SNAP, Call, Const, Exp, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.meaning.tolerant import LARGEST, MOST, equal_numbers

Comparison = Callable[[ExprBuilder, Exp, Exp, Exp], Exp]
"""What makes a comparison of a tolerance and two operands."""


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


# --- what is the same for many comparisons --------------------------------------------------------------


def exact(
    make: ExprBuilder, root: Exp, is_one: Callable[[Exp], bool], is_other: Callable[[Exp], bool]
) -> Exp:
    """An expression with its comparisons within a constant tolerance, where one operand `is_one` and the
    other `is_other`, as exact ones with the least or the greatest number that equals the one.
    """
    found: dict[Exp, Exp] = {}
    for node in nodes(root):
        for compare in (equal, less, less_or_equal):
            known = operands_of(make, node, compare)
            if known is None:
                continue
            tolerance, x, y = known
            if is_one(y) and is_other(x):
                found[node] = _exactly(make, compare, tolerance, x, y, is_left=False)
            elif is_one(x) and is_other(y):
                found[node] = _exactly(make, compare, tolerance, y, x, is_left=True)
    return Substitute(make, found)(root) if found else root


def operands_of(make: ExprBuilder, exp: Exp, compare: Comparison) -> tuple[Const, Exp, Exp] | None:
    """The tolerance and the operands of a comparison that one of the functions above has made."""
    match exp:
        case Call(op=p.ORB, args=(Call(op=p.EQD | p.LTED, args=(x, y)), Call(op=p.LTED, args=(_, allowed)))):
            pass
        case Call(op=p.GTD, args=(Call(op=p.SUBD, args=(y, x)), allowed)):
            pass
        case _:
            return None
    factors = allowed.args if isinstance(allowed, Call) and allowed.op is p.MULD else ()
    for tolerance in factors:
        if (
            isinstance(tolerance, Const)
            and 0 <= tolerance.value <= MOST
            and compare(make, tolerance, x, y) is exp
        ):
            return tolerance, x, y
    return None


def _exactly(make: ExprBuilder, compare: Comparison, tolerance: Exp, x: Exp, c: Exp, *, is_left: bool) -> Exp:
    """A comparison of x with c, which is the left operand perhaps, by the ends of what equals c."""
    low, high = [make.call(op, tolerance, c) for op in (p.LOWESTD, p.HIGHESTD)]
    if compare is equal:
        return make.call(p.ANDB, make.call(p.GTED, x, low), make.call(p.LTED, x, high))
    if compare is less:
        return make.call(p.LTD, high, x) if is_left else make.call(p.LTD, x, low)
    return make.call(p.LTED, low, x) if is_left else make.call(p.LTED, x, high)
