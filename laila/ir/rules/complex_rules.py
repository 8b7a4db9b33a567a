"""How expressions of complex numbers are simplified.

Note [Magnitudes compared with a constant]
    `|z` is the square root of the sum of two squares, of parts that have been scaled where that sum would not
    be a moderate number. A root rounds upwards with its operand, so there is a least number whose root is at
    least c, and a greatest one whose root is at most c. If c is moderate, these are compared with the sum,
    without a root: parts that are scaled are far larger than c or far smaller, and so are their squares, be
    they infinite or zero.

Note [Signs of parts]
    A sign is changed later, or by a difference: `x × -y` is `-(x × y)`, and `x - -y` is `x + y`, to the last
    bit. So the squares in `z×z` and in `z×+z` are the same ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from aplc.laila.ir.scalar import (
    IMAGINARY_PART,
    MAGNITUDE,
    OF_PARTS,
    REAL_PART,
    ROUNDED,
    Call,
    Check,
    Const,
    Exp,
    Select,
    Var,
)
from aplc.tail import prims as p
from aplc.tail.prims import Prim

if TYPE_CHECKING:
    from aplc.laila.ir.simplify import ExprBuilder

PARTS = (REAL_PART, IMAGINARY_PART)
MODERATE = 2.0**-400, 2.0**400
"""Between these a constant is compared with a sum of squares."""


def _part(make: ExprBuilder, op: Prim, args: tuple[Exp, ...]) -> Exp | None:
    """A part of a complex number; of a choice it is a choice."""
    match args[0]:
        case Call(op=made, args=parts) if made is OF_PARTS:
            return parts[op is IMAGINARY_PART]
        case Select(cond=cond, then=then, other=other):
            return make.select(cond, make.call(op, then), make.call(op, other))
        case Check(ok=ok, value=value, site=site, reported=reported):
            return make.check(ok, make.call(op, value), site, *reported)
        case _:
            return None


def _of_parts(make: ExprBuilder, op: Prim, args: tuple[Exp, ...]) -> Exp | None:
    """The number with the parts of a number is that one."""
    match args:
        case (Call(op=first, args=(number,)), Call(op=second, args=(other,))) if number is other:
            return number if (first, second) == PARTS else None
        case _:
            return None


def complex_sum(make: ExprBuilder, var: Var, extent: Exp, body: Exp, empty: Exp | None) -> Exp:
    """The sums of the parts."""
    sums = []
    for part in PARTS:
        nothing = None if empty is None else make.call(part, empty)
        sums.append(make.fold(p.ADDD, var, extent, make.call(part, body), nothing))
    return make.call(OF_PARTS, *sums)


MIRRORED = {p.EQD: p.EQD, p.NEQD: p.NEQD, p.LTD: p.GTD, p.GTD: p.LTD, p.LTED: p.GTED, p.GTED: p.LTED}
"""What holds of b and a where a comparison holds of a and b."""


def _compared(make: ExprBuilder, op: Prim, args: tuple[Exp, ...]) -> Exp | None:
    """A magnitude compared with a constant: see Note [Magnitudes compared with a constant]."""
    a, b = args
    if isinstance(a, Const):
        op, a, b = MIRRORED[op], b, a
    if not (isinstance(a, Call) and a.op is MAGNITUDE and isinstance(b, Const)):
        return None
    if not MODERATE[0] <= b.value <= MODERATE[1]:
        return None
    real, imaginary = a.args
    squares = make.call(p.ADDD, make.call(p.MULD, real, real), make.call(p.MULD, imaginary, imaginary))
    least, greatest = _of_root(float(b.value))
    return make.call(op, squares, make.const(greatest if op in (p.GTD, p.LTED) else least))


@cache
def _of_root(c: float) -> tuple[float, float]:
    """The least double whose root is at least c, and the greatest one whose root is at most c."""
    least = greatest = c * c
    while math.sqrt(least) >= c:
        least = math.nextafter(least, 0.0)
    while math.sqrt(least) < c:
        least = math.nextafter(least, math.inf)
    while math.sqrt(greatest) <= c:
        greatest = math.nextafter(greatest, math.inf)
    while math.sqrt(greatest) > c:
        greatest = math.nextafter(greatest, 0.0)
    return least, greatest


Rule = Callable[["ExprBuilder", Prim, tuple[Exp, ...]], Exp | None]
COMPLEX_RULES: dict[Prim, Rule] = {
    REAL_PART: _part, IMAGINARY_PART: _part, OF_PARTS: _of_parts,
    p.LTD: _compared, p.GTD: _compared, p.LTED: _compared, p.GTED: _compared,
}  # fmt: skip
"""What an operator applied is instead, if it is simpler."""


# --- signs, as conjugates bring them: see Note [Signs of parts] ------------------------------------------


def _negated(exp: Exp) -> Exp | None:
    """What an expression is the negation of."""
    return exp.args[0] if isinstance(exp, Call) and exp.op is p.NEGD else None


def of_negation(make: ExprBuilder, op: Prim, args: tuple[Exp, ...]) -> Exp | None:
    """The negation of a negation, or of a product that is rounded by itself."""
    inner = _negated(args[0])
    if inner is None:
        return None
    return inner if op is p.NEGD else make.call(p.NEGD, make.call(op, inner))


def of_product(make: ExprBuilder, op: Prim, args: tuple[Exp, ...]) -> Exp | None:
    """A product of negations."""
    x, y = args
    inner, other = _negated(x), _negated(y)
    if inner is None and other is None:
        return None
    product = make.call(op, x if inner is None else inner, y if other is None else other)
    return product if inner is not None and other is not None else make.call(p.NEGD, product)


def of_sum(make: ExprBuilder, op: Prim, args: tuple[Exp, ...]) -> Exp | None:
    """A sum or a difference with a negation."""
    x, y = args
    inner, other = _negated(x), _negated(y)
    if other is not None:
        return make.call(p.SUBD if op is p.ADDD else p.ADDD, x, other)
    return make.call(p.SUBD, y, inner) if op is p.ADDD and inner is not None else None


SIGN_RULES = {
    p.NEGD: of_negation,
    ROUNDED: of_negation,
    p.MULD: of_product,
    p.ADDD: of_sum,
    p.SUBD: of_sum,
}
"""The rules by the operator that has a negation among its operands."""
