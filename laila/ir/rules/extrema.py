"""Comparisons with extrema of integers.

    t ≤ a⌊b     →   t ≤ a ∧ t ≤ b
    a⌈b ≤ t     →   b ≤ t, where a ≤ t is known

So the places that `1⌈¯1+⍳n` tells are known to be right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aplc.laila.ir.scalar import Call, Exp
from aplc.tail import prims as p
from aplc.tail.prims import Prim

if TYPE_CHECKING:
    from aplc.laila.ir.simplify import ExprBuilder


def comparison_with_extremum(make: ExprBuilder, op: Prim, low: Exp, high: Exp) -> Exp | None:
    """What is left of the question whether `low` is less than `high`, or no greater, where one of them is an
    extremum; `op` asks it of these two in one order or the other. None where that is not simpler.
    """
    is_ascending, margin = op in (p.LTI, p.LTEI), make.const(op in (p.LTI, p.GTI))
    if isinstance(high, Call) and high.op is p.MINI:
        pairs = [(low, each) for each in high.args]
    elif isinstance(low, Call) and low.op is p.MAXI:
        pairs = [(each, high) for each in low.args]
    else:
        return None
    left = [(a, b) for a, b in pairs if not (make.counts(a, b) and make.at_least(make.sub(b, margin), a))]
    if len(left) == len(pairs) and not (is_ascending and pairs[0][0] is low):
        return None
    result: Exp = make.true
    for pair in left:
        result = make.call(p.ANDB, result, make.call(op, *(pair if is_ascending else pair[::-1])))
    return result
