"""Whether statements and expressions certainly fail, as far as their constants tell."""

from __future__ import annotations

from itertools import islice, product

from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.program import HostCheck, HostLet, Map, Statement, Store
from aplc.laila.ir.scalar import Check, Const, Exp, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute

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
