"""Scalar operators of constants, computed while compiling, and extrema with a constant.

Note [Bounds of what is made of doubles]
    A bound of an integer that is made of a double becomes one of the double:

        0 ⌈ (ok ? trunc x : 0)   →   ok ? trunc(0.0 max x) : 0

    `trunc` is monotone and keeps whole numbers, so a bound that is both an integer and a double may be taken
    on either side of it. Of a double within small bounds the integer is narrow, and there are instructions
    that make vectors of narrow integers of vectors of doubles where there are none for integers of 64 bits.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from aplc.laila.ir.scalar import (
    BIT_AND,
    BIT_COUNT,
    BIT_FIELD,
    BIT_XOR,
    CEIL,
    DIVIDE,
    FLOOR,
    FLOOR_QUOT,
    IS_SHORT,
    PIECE,
    QUOT,
    RAW,
    REM,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SHORT_EXPONENT,
    SNAP,
    TRUNCATE,
    Call,
    Check,
    Const,
    Exp,
    Select,
)
from aplc.tail import prims as p
from aplc.tail.faults import FaultRaised
from aplc.tail.meaning.core import Value
from aplc.tail.meaning.tolerant import snap
from aplc.tail.prims import Prim
from aplc.tail.types import Array, Base

if TYPE_CHECKING:
    from aplc.laila.ir.simplify import ExprBuilder

EXACT = 2**53
"""Integers up to this magnitude are doubles."""
QUOTIENT_DEPTH = 5
"""How deep integers stand in a rounded quotient: below the rounding, a tolerance, a product, a quotient."""

_OF_PYTHON: dict[Prim, Callable[..., bool | int]] = {
    p.LTI: operator.lt,
    p.LTEI: operator.le,
    p.GTI: operator.gt,
    p.GTEI: operator.ge,
    p.EQI: operator.eq,
    p.NEQI: operator.ne,
    p.ADDI: operator.add,
    p.SUBI: operator.sub,
    p.MULI: operator.mul,
    p.MAXI: max,
    p.MINI: min,
    p.ANDB: operator.and_,
    p.ORB: operator.or_,
    p.NOTB: operator.not_,
}
"""What Python computes as APL does, once it has wrapped: calls of NumPy for one number each take long."""

_CHECKED = {SHIFT_LEFT: p.SHLI32, SHIFT_RIGHT: p.SHRI32}
"""Primitives that do the same as an operator, and check what it is sure of."""


def result_base(op: Prim) -> Base:
    """The base type of a scalar operator's result."""
    result = op.schemes[0].type.result
    assert isinstance(result, Array) and isinstance(result.base, Base)
    return result.base


def wrap(value: int, bits: int = 64) -> int:
    """An integer in two's complement of so many bits."""
    half = 1 << (bits - 1)
    return value if -half <= value < half else (value + half) % (2 * half) - half


def folded(op: Prim, args: Sequence[Const]) -> bool | int | float | None:
    """The value of an operator of constants, of the operator's type; None where it is not known here."""
    values = [a.value for a in args]
    op = _CHECKED.get(op, op)
    if op in (QUOT, REM):
        x, y = map(int, values)
        return (x // y if op is QUOT else x % y) if x >= 0 and y > 0 else None
    if op is FLOOR_QUOT:
        x, y = map(int, values)
        return x // y if y > 0 else None
    if op is BIT_FIELD:
        x, shift, mask = map(int, values)
        return (x >> (shift & 63)) & mask
    if op is PIECE:
        x, first, count, value, step = map(int, values)
        return wrap(value + step * (x - first)) if first <= x < first + count else 0
    if op is BIT_COUNT:
        return (int(values[0]) & (2**64 - 1)).bit_count()
    if op in (BIT_AND, BIT_XOR):
        x, y = map(int, values)
        return x & y if op is BIT_AND else x ^ y
    if op is IS_SHORT:
        return values[0] <= SHORT_EXPONENT
    if op is DIVIDE:
        return float(values[0]) / float(values[1]) if values[1] else None
    if op in (FLOOR, CEIL):
        return float((np.floor if op is FLOOR else np.ceil)(values[0]))
    if op is TRUNCATE:
        return int(values[0]) if abs(values[0]) < 2.0**63 else None
    if op is SNAP:
        return float(snap(*[np.array(v) for v in values]))
    if op in RAW:
        return None
    if op in _OF_PYTHON:
        return _OF_PYTHON[op](*values)
    try:
        with np.errstate(all="ignore"):
            pairs = zip(values, args, strict=True)
            typed: list[Value] = [np.array(v, a.ty.dtype) for v, a in pairs]
            result: bool | int | float = op.meaning(*typed).item()
            return result
    except FaultRaised:
        return None


_OF_DOUBLES = {p.MAXI: p.MAXD, p.MINI: p.MIND}


def bounded_before(make: ExprBuilder, op: Prim, bound: Exp, exp: Exp) -> Exp | None:
    """The larger or the smaller of a constant and an integer, if that is made of a double: that is compared.

    See Note [Bounds of what is made of doubles]. Rounded quotients of integers stay as they are, since they
    may become divisions of integers.
    """
    if not isinstance(bound, Const) or abs(bound.value) > EXACT:
        return None
    match exp:
        case Check(ok=ok, value=value, site=site, reported=reported):
            found = bounded_before(make, op, bound, value)
            return None if found is None else make.check(ok, found, site, *reported)
        case Select(cond=cond, then=Call(op=truncate, args=(x,)), other=Const() as other) if (
            truncate is TRUNCATE and not _may_be_quotient(x, QUOTIENT_DEPTH)
        ):
            limit = make.const(float(bound.value), Base.DOUBLE)
            then = make.call(TRUNCATE, make.call(_OF_DOUBLES[op], limit, x))
            nothing = folded(op, [bound, other])
            assert nothing is not None
            return make.select(cond, then, make.const(nothing))
        case _:
            return None


def _may_be_quotient(exp: Exp, depth: int) -> bool:
    """Whether a double is a product or a quotient of integers, perhaps rounded."""
    if not isinstance(exp, Call) or depth == 0:
        return False
    if exp.op not in (FLOOR, CEIL, SNAP, DIVIDE, p.MULD):
        return exp.op is p.I2D
    return any(_may_be_quotient(arg, depth - 1) for arg in exp.args)
