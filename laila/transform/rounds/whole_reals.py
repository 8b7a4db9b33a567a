"""Whole doubles that become integers, and doubles again, stay doubles.

    real(x in range ? integer(⌊x) : 0)    →    x in range ? ⌊x + 0 : 0

So are differences from whole numbers, `x-⌊x`, and distances in a box that is repeated, `d-b×⌊0.5+d÷b`. There
and back are some sixteen operations where lanes have no conversions of 64 bits. A floor may be a negative
zero, which no integer is: by the sum it is not.

Last, as integers tell more about their ranges than doubles do.
"""

from __future__ import annotations

from aplc.laila.ir.program import Program
from aplc.laila.ir.scalar import CEIL, FLOOR, TRUNCATE, Call, Check, Const, Exp, Select
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import rebuilt, with_blocks
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p


def with_whole_reals(program: Program, make: ExprBuilder) -> Program:
    """The program in which no integer is made of a whole double only to become a double again."""
    change = _Reals(make, {})

    return with_blocks(program, lambda statements: tuple([rebuilt(s, change) for s in statements]))


class _Reals(Substitute):
    """Rebuilds expressions with doubles in the place of integers that become such."""

    def _rebuild(self, node: Exp) -> Exp:
        result = super()._rebuild(node)
        if isinstance(result, Call) and result.op is p.I2D:
            return self.real(result.args[0]) or result
        return result

    def real(self, integer: Exp) -> Exp | None:
        """An integer as a double, if it is made of a whole one."""
        make = self.make
        match integer:
            case Check(ok=ok, value=value, site=site, reported=reported):
                real = self.real(value)
                return None if real is None else make.check(ok, real, site, *reported)
            case Select(cond=cond, then=then, other=Const(value=0)):
                real = self.real(then)
                return None if real is None else make.select(cond, real, make.const(0.0))
            case Call(op=op, args=(Call(op=rounding) as whole,)) if op is TRUNCATE and rounding in (
                FLOOR,
                CEIL,
            ):
                return make.call(p.ADDD, whole, make.const(0.0))
            case _:
                return None
