"""Whether statements and expressions certainly fail, as far as constants tell; and when there is no room."""

from __future__ import annotations

from itertools import islice, product

from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.program import HostCheck, HostLet, Map, Statement, Store
from aplc.laila.ir.scalar import TRUNCATE, Check, Const, Exp, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.array_limits import ADDRESSABLE

MAX_POINTS = 64
"""So many elements of an array are looked at one by one."""


def never_holds(statement: Statement, make: ExprBuilder) -> bool:
    """Whether a statement certainly fails."""
    match statement:
        case HostCheck(ok=ok):
            return ok is make.false
        case HostLet(value=value) | Store(value=value):
            return fails(value, make)
        case Map(space=space, body=body, guard=None) if may_fail(body):
            extents = [range(int(n.value)) for n in space.extents if isinstance(n, Const)]
            if len(extents) < len(space.extents):
                return False
            for point in islice(product(*extents), MAX_POINTS):
                index: dict[Exp, Exp] = {i: make.const(k) for i, k in zip(space.indices, point, strict=True)}
                if fails(Substitute(make, index)(body), make):
                    return True
        case _:
            pass
    return False


def may_fail(exp: Exp) -> bool:
    """Whether there is a check in an expression."""
    return contains(Check, exp)


def fails(exp: Exp, make: ExprBuilder) -> bool:
    """Whether an expression certainly fails."""
    return any(isinstance(n, Check) and n.ok is make.false for n in unconditional((exp,)))


def room_for(make: ExprBuilder, shape: tuple[Exp, ...]) -> tuple[Exp, Exp, Exp]:
    """Whether there can be an array of a shape (see `aplc.tail.array_limits`), told without products that
    wrap; and how many elements it has, in the two words that the error tells.
    """
    counts = [make.call(p.MAXI, make.one, n) for n in shape]
    total = make.call(p.I2D, counts[0])
    for n in counts[1:]:
        total = make.call(p.MULD, total, make.call(p.I2D, n))
    above = make.call(p.MULD, total, make.const(2.0**-64))
    low = counts[0]
    for n in counts[1:]:
        low = make.mul(low, n)
    high = make.mul(make.const(2), make.call(TRUNCATE, make.call(p.MIND, above, make.const(2.0**60))))
    least = shape[0]
    for n in shape[1:]:
        least = make.call(p.MINI, least, n)
    is_empty = make.call(p.EQI, least, make.zero)
    high = make.select(is_empty, make.sub(make.const(-1), high), high)
    return make.call(p.LTD, total, make.const(float(ADDRESSABLE))), low, high
