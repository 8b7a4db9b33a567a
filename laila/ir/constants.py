"""Scalar operators of constants, computed while compiling."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import numpy as np

from aplc.laila.ir.scalar import (
    CEIL,
    DIVIDE,
    FLOOR,
    FLOOR_QUOT,
    IS_SHORT,
    QUOT,
    RAW,
    REM,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SHORT_EXPONENT,
    SNAP,
    Const,
)
from aplc.tail import prims as p
from aplc.tail.faults import FaultRaised
from aplc.tail.meaning.core import Value
from aplc.tail.meaning.tolerant import snap
from aplc.tail.prims import Prim
from aplc.tail.types import Array, Base

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


def wrap(value: int) -> int:
    """An integer in two's complement, 64 bits."""
    return value if p.INT_MIN <= value <= p.INT_MAX else (value + 2**63) % 2**64 - 2**63


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
    if op is IS_SHORT:
        return values[0] <= SHORT_EXPONENT
    if op is DIVIDE:
        return float(values[0]) / float(values[1]) if values[1] else None
    if op in (FLOOR, CEIL):
        return float((np.floor if op is FLOOR else np.ceil)(values[0]))
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
