"""Powers of which the exponent only tells the sign.

    (-1)ⁿ   →   n even ? 1 : -1

So `¯1*⍳n`, the signs of an alternating series, are no powers. An integer beyond 2⁵³ is an even number as a
double, and that is what `*` takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aplc.laila.ir.interval import EXACT
from aplc.laila.ir.scalar import EXACT_POWER, POWER, Call, Const, Exp
from aplc.tail import prims as p
from aplc.tail.prims import Prim

if TYPE_CHECKING:
    from aplc.laila.ir.simplify import ExprBuilder


def of_minus_one(make: ExprBuilder, op: Prim, args: tuple[Exp, ...]) -> Exp | None:
    """A power of -1 with an integer as exponent; None for another one."""
    match args:
        case (Const(value=-1.0) as base, Call(op=p.I2D, args=(n,))):
            size = make.call(p.ABSI, n)
            is_double = make.call(p.LTEI, size, make.const(int(EXACT.high)))
            is_odd = make.call(p.EQI, make.call(p.RESI, make.const(2), n), make.one)
            return make.select(make.call(p.ANDB, is_double, is_odd), base, make.const(1.0))
        case _:
            return None


POWER_RULES = {POWER: of_minus_one, EXACT_POWER: of_minus_one}
"""What powers are in simpler terms."""
