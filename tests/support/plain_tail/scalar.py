"""Arrays and the scalar functions of TAIL in plain Python, as slowly and plainly as it can be said.

None of it comes from `aplc.tail.meaning.core`: the reference interpreter is compared with it.
"""

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.syntax import Function
from aplc.tail.types import Base

INT, DOUBLE, BOOL, CHAR = Base.INT, Base.DOUBLE, Base.BOOL, Base.CHAR
INT_MIN, INT_MAX = -(2**63), 2**63 - 1
INF, NAN = math.inf, math.nan
FILL = {INT: 0, DOUBLE: 0.0, BOOL: False, CHAR: " "}


# --- values ---------------------------------------------------------------------------------------------


class Fails(Exception):
    """What a definition raises where APL has an error of this kind."""


@dataclass(frozen=True)
class Arr:
    """An array: element type, extents, and the elements in row-major order."""

    base: Base
    shape: tuple[int, ...]
    items: tuple[Any, ...]

    def __post_init__(self) -> None:
        assert len(self.items) == math.prod(self.shape)

    def at(self, index: tuple[int, ...]) -> Any:
        offset = 0
        for extent, k in zip(self.shape, index, strict=True):
            assert 0 <= k < extent
            offset = offset * extent + k
        return self.items[offset]


@dataclass(frozen=True)
class Fun:
    """A function argument: as TAIL writes it and as Python does, with the base type of its result."""

    term: Function
    plain: Callable[..., Any]
    result: Base


def indices(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    return product(*map(range, shape))


def build(base: Base, shape: tuple[int, ...], element: Callable[[tuple[int, ...]], Any]) -> Arr:
    return Arr(base, shape, tuple([element(i) for i in indices(shape)]))


def one(base: Base, value: Any) -> Arr:
    return Arr(base, (), (value,))


def ints(*values: int) -> Arr:
    return Arr(INT, (len(values),), values)


def counting(base: Base, *shape: int) -> Arr:
    """An array of this shape with elements that differ."""
    n = math.prod(shape)
    values: dict[Base, tuple[Any, ...]] = {
        INT: tuple(range(1, n + 1)),
        DOUBLE: tuple([k - 0.5 for k in range(n)]),
        BOOL: tuple([k % 3 == 0 for k in range(n)]),
        CHAR: tuple([chr(ord("a") + k) for k in range(n)]),
    }
    return Arr(base, shape, values[base])


# --- scalar functions -----------------------------------------------------------------------------------


def wrap(x: int) -> int:
    """The 64-bit two's complement."""
    return (x + 2**63) % 2**64 - 2**63


def residue(x: Any, y: Any) -> Any:
    return y if x == 0 else y % x


def divide(x: float, y: float) -> float:
    if y == 0:
        if x == 0:
            return 1.0
        raise Fails("DOMAIN ERROR")
    return x / y


def lcm(x: int, y: int) -> int:
    return 0 if x == 0 or y == 0 else wrap(x * y // math.gcd(x, y))


def greatest(x: float, y: float) -> float:
    return NAN if math.isnan(x) or math.isnan(y) else max(x, y)


def least(x: float, y: float) -> float:
    return NAN if math.isnan(x) or math.isnan(y) else min(x, y)


def power(x: float, y: float) -> float:
    if (x == 0 and y < 0) or (x < 0 and math.isfinite(y) and y != math.floor(y)):
        raise Fails("DOMAIN ERROR")
    try:
        return math.pow(x, y)
    except OverflowError:
        return -INF if x < 0 and y % 2 == 1 else INF


def exponential(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return INF


def logarithm(x: float) -> float:
    if x <= 0:
        raise Fails("DOMAIN ERROR")
    return math.log(x)


def sign(x: float) -> int:
    return 1 if x > 0 else -1 if x < 0 else 0


def whole(function: Callable[[float], int]) -> Callable[[float], int]:
    """A rounding to an integer, which must fit."""

    def rounded(x: float) -> int:
        if not math.isfinite(x) or not INT_MIN <= function(x) <= INT_MAX:
            raise Fails("DOMAIN ERROR")
        return function(x)

    return rounded


def double_to_int(x: float) -> int:
    if not math.isfinite(x) or x != math.floor(x) or not INT_MIN <= int(x) <= INT_MAX:
        raise Fails("DOMAIN ERROR")
    return int(x)


def int_to_bool(x: int) -> bool:
    if x not in (0, 1):
        raise Fails("DOMAIN ERROR")
    return x == 1


def int_to_char(x: int) -> str:
    if not 0 <= x < 0x110000 or 0xD800 <= x < 0xE000:
        raise Fails("DOMAIN ERROR")
    return chr(x)


def natural(x: int) -> int:
    if x < 0:
        raise Fails("DOMAIN ERROR")
    return x


def low32(x: int) -> int:
    """The 32-bit two's complement."""
    return (x + 2**31) % 2**32 - 2**31


def shift_left32(x: int, count: int) -> int:
    return low32(x << natural(count)) if count < 64 else 0


def shift_right32(x: int, count: int) -> int:
    return low32(x) >> min(natural(count), 64)


def factorial(x: float) -> float:
    if x < 0 and (math.isinf(x) or x == math.floor(x)):
        raise Fails("DOMAIN ERROR")
    try:
        return math.gamma(x + 1)
    except OverflowError:
        return INF


def less(x: Any, y: Any) -> bool:
    return bool(x < y)


def less_equal(x: Any, y: Any) -> bool:
    return bool(x <= y)


def greater(x: Any, y: Any) -> bool:
    return bool(x > y)


def greater_equal(x: Any, y: Any) -> bool:
    return bool(x >= y)


def equal(x: Any, y: Any) -> bool:
    return bool(x == y)


def unequal(x: Any, y: Any) -> bool:
    return bool(x != y)


def equal_within(tolerance: float, x: float, y: float) -> bool:
    if x == y:
        return True
    if math.isnan(x) or math.isnan(y):
        return False
    return abs(x - y) <= tolerance * min(max(abs(x), abs(y)), sys.float_info.max)


def snap(tolerance: float, x: float) -> float:
    if not math.isfinite(x):
        return x
    whole = math.copysign(float(round(x)), x)
    return whole if abs(whole - x) <= tolerance * max(1.0, abs(x)) else x


SCALAR: dict[Prim, Callable[..., Any]] = {
    p.ADDI: lambda x, y: wrap(x + y),
    p.SUBI: lambda x, y: wrap(x - y),
    p.MULI: lambda x, y: wrap(x * y),
    p.MAXI: max,
    p.MINI: min,
    p.RESI: residue,
    p.ANDI32: lambda x, y: low32(x & y),
    p.ORI32: lambda x, y: low32(x | y),
    p.XORI32: lambda x, y: low32(x ^ y),
    p.NOTI32: lambda x: low32(~x),
    p.SHLI32: shift_left32,
    p.SHRI32: shift_right32,
    p.GCDI: lambda x, y: wrap(math.gcd(x, y)),
    p.LCMI: lcm,
    p.NEGI: lambda x: wrap(-x),
    p.ABSI: lambda x: wrap(abs(x)),
    p.SIGNI: sign,
    p.ADDD: lambda x, y: x + y,
    p.SUBD: lambda x, y: x - y,
    p.MULD: lambda x, y: x * y,
    p.DIVD: divide,
    p.MAXD: greatest,
    p.MIND: least,
    p.RESD: residue,
    p.POWD: power,
    p.NEGD: lambda x: -x,
    p.ABSD: abs,
    p.EXPD: exponential,
    p.LND: logarithm,
    p.FACTD: factorial,
    p.SIGND: sign,
    p.FLOORD: whole(math.floor),
    p.CEILD: whole(math.ceil),
    **dict.fromkeys((p.LTI, p.LTD), less),
    **dict.fromkeys((p.LTEI, p.LTED), less_equal),
    **dict.fromkeys((p.GTI, p.GTD), greater),
    **dict.fromkeys((p.GTEI, p.GTED), greater_equal),
    **dict.fromkeys((p.EQI, p.EQD, p.EQC, p.EQB), equal),
    **dict.fromkeys((p.NEQI, p.NEQD, p.NEQC, p.NEQB), unequal),
    p.ANDB: lambda x, y: x and y,
    p.ORB: lambda x, y: x or y,
    p.NANDB: lambda x, y: not (x and y),
    p.NORB: lambda x, y: not (x or y),
    p.NOTB: lambda x: not x,
    p.B2I: lambda x: 1 if x else 0,
    p.I2D: float,
    p.D2I: double_to_int,
    p.I2B: int_to_bool,
    p.C2I: ord,
    p.I2C: int_to_char,
    p.NATURAL: natural,
}

TOLERANT: dict[Prim, Callable[..., Any]] = {
    p.EQTD: equal_within,
    p.LTTD: lambda t, x, y: x < y and not equal_within(t, x, y),
    p.LTETD: lambda t, x, y: x < y or equal_within(t, x, y),
    p.SNAPD: snap,
}
"""Those that take a tolerance first."""
