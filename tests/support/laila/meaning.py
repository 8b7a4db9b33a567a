"""The meaning of scalar expressions of Laila, written down once more."""

import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from aplc.laila.ir.scalar import (
    ALARM,
    BIT_OR,
    BITS,
    CEIL,
    DIVIDE,
    FLOOR,
    QUOT,
    RAISED,
    REM,
    TRUNCATE,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    Read,
    Select,
    Step,
    Sum,
    Var,
)
from aplc.tail import prims as p
from aplc.tail.prims import Prim

Env = dict[str, Any]
Memory = dict[Buffer, list[Any]]
Tree = tuple[Any, ...]


class Failed(Exception):
    """A check that does not hold."""


# --- the meaning of expressions, written down once more -------------------------------------------------


def wrap(value: int) -> int:
    return (int(value) + 2**63) % 2**64 - 2**63


def residue(x: int, y: int) -> int:
    return y if x == 0 else y % x


def bits(x: float) -> int:
    return int(struct.unpack("<q", struct.pack("<d", x))[0])


def double(f: Callable[..., Any]) -> Callable[..., float]:
    def apply(*args: float) -> float:
        with np.errstate(all="ignore"):
            return float(f(*map(np.float64, args)))

    return apply


MEANING: dict[Prim, Callable[..., Any]] = {
    p.ADDI: lambda x, y: wrap(x + y),
    p.SUBI: lambda x, y: wrap(x - y),
    p.MULI: lambda x, y: wrap(x * y),
    p.NEGI: lambda x: wrap(-x),
    p.ABSI: lambda x: wrap(abs(x)),
    p.SIGNI: lambda x: (x > 0) - (x < 0),
    p.MAXI: max,
    p.MINI: min,
    p.RESI: residue,
    p.LTI: lambda x, y: x < y,
    p.LTEI: lambda x, y: x <= y,
    p.GTI: lambda x, y: x > y,
    p.GTEI: lambda x, y: x >= y,
    p.EQI: lambda x, y: x == y,
    p.NEQI: lambda x, y: x != y,
    p.LTD: lambda x, y: x < y,
    p.LTED: lambda x, y: x <= y,
    p.GTD: lambda x, y: x > y,
    p.GTED: lambda x, y: x >= y,
    p.EQD: lambda x, y: x == y,
    p.NEQD: lambda x, y: x != y,
    p.ANDB: lambda x, y: x and y,
    p.ORB: lambda x, y: x or y,
    p.NOTB: lambda x: not x,
    p.EQB: lambda x, y: x == y,
    p.NEQB: lambda x, y: x != y,
    p.B2I: int,
    p.I2D: float,
    p.ADDD: double(np.add),
    p.SUBD: double(np.subtract),
    p.MULD: double(np.multiply),
    p.NEGD: double(np.negative),
    p.ABSD: double(np.abs),
    p.MAXD: double(np.maximum),
    p.MIND: double(np.minimum),
    DIVIDE: double(np.divide),
    FLOOR: double(np.floor),
    CEIL: double(np.ceil),
    TRUNCATE: int,
    QUOT: lambda x, y: x // y,
    REM: lambda x, y: x % y,
    BIT_OR: lambda x, y: x | y,
    ALARM: int,
    BITS: bits,
    RAISED: lambda flag: wrap(flag << 1) != 0,
}
"""Operators on Python values; divisions of integers only where they are defined."""


def value_of(exp: Exp, env: Env, memory: Memory | None = None) -> Any:
    """The value of an expression; `Failed` where a check in it fails."""
    go = lambda e: value_of(e, env, memory)  # noqa: E731
    match exp:
        case Const(value=value):
            return value
        case Var(name=name):
            return env[name]
        case Call(op=op, args=args):
            return MEANING[op](*map(go, args))
        case Sum(const=const, terms=terms):
            return wrap(const + sum([k * go(atom) for atom, k in terms]))
        case Read(buffer=buffer, index=index):
            elements = buffer.data if buffer.data is not None else (memory or {})[buffer]
            position = go(index)
            assert 0 <= position < len(elements), "an element that is not there"
            return elements[position]
        case Select(cond=cond, then=then, other=other):
            return go(then if go(cond) else other)
        case Check(ok=ok, value=value):
            if not go(ok):
                raise Failed
            return go(value)
        case Fold(combine=combine, var=var, extent=extent, body=body, empty=empty):
            elements = [value_of(body, {**env, var.name: k}, memory) for k in range(go(extent))]
            if not elements:
                assert empty is not None
                return go(empty)
            *rest, result = elements
            for element in reversed(rest):
                if isinstance(combine, Step):
                    inner = {**env, combine.element.name: element, combine.accumulator.name: result}
                    result = value_of(combine.body, inner, memory)
                else:
                    result = MEANING[combine](element, result)
            return result


def same(x: Any, y: Any) -> bool:
    """Whether two scalars are one value of one type; any NaN equals any other."""
    if isinstance(x, float) and isinstance(y, float):
        return bits(x) == bits(y) or (math.isnan(x) and math.isnan(y))
    if isinstance(x, complex) and isinstance(y, complex):
        return same(x.real, y.real) and same(x.imag, y.imag)
    return type(x) is type(y) and x == y
