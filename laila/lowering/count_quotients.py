"""Rounded quotients of numbers of elements, as numbers of elements: `⌊(≢v)÷60` counts rows.

Where `k` rows of `c` elements are made of `n` by `k←⌊n÷c`, it is known then that `k×c` is at most `n`, and a
reshape needs no test of each element.
"""

from __future__ import annotations

from aplc.laila.ir.counts import MAX_COEFFICIENT
from aplc.laila.ir.scalar import CEIL, DIVIDE, QUOT, SNAP, Call, Const, Exp
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail import prims as p
from aplc.tail.prims import Prim

EXACT_BELOW = 1e-14
"""The largest tolerance that no quotient of a number of elements reaches."""


def rounded_quotient(make: ExprBuilder, rounding: Prim, x: Exp) -> Exp | None:
    """`⌊n÷c` or `⌈n÷c` of a number of elements and a constant; None for anything else.

    It is exact: no array has 1e14 elements, and below these a quotient that is not whole is further from
    whole numbers than a tolerance of 1e-14 reaches.
    """
    match x:
        case Call(op=op, args=(Const(value=tolerance), snapped)) if op is SNAP and tolerance <= EXACT_BELOW:
            x = snapped
        case _:
            pass
    match x:
        case Call(op=op, args=(Call(op=p.I2D, args=(n,)), Const(value=float(c)))) if op is DIVIDE:
            if not (c.is_integer() and 2 <= c <= MAX_COEFFICIENT and make.counts(n) and make.nonnegative(n)):
                return None
            up = make.const(int(c) - 1 if rounding is CEIL else 0)
            return make.call(QUOT, make.add(n, up), make.const(int(c)))
        case _:
            return None
