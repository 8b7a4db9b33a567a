"""The meaning of integer arithmetic where a wrap is an error: `CHECKED`, for programs that ask for it.

Plain integers are those of two's complement, see `prims`. Reductions apply these functions in order, so an
intermediate result that does not fit is an error too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from aplc.tail import faults, prims
from aplc.tail.meaning.core import Value, base_of_value, lcm, require
from aplc.tail.meaning.numeric import decode, horner
from aplc.tail.prims import INT_MIN, Prim


def _add(x: Value, y: Value) -> Value:
    """`x+y`, which has wrapped if its sign is that of neither."""
    result = x + y
    require(((x ^ result) & (y ^ result)) >= 0, faults.TOO_LARGE)
    return np.asarray(result)


def _subtract(x: Value, y: Value) -> Value:
    """`x-y`"""
    result = x - y
    require(((x ^ y) & (x ^ result)) >= 0, faults.TOO_LARGE)
    return np.asarray(result)


def _multiply(x: Value, y: Value) -> Value:
    """`x×y`"""
    _require_product(x, y)
    return np.asarray(x * y)


def _require_product(x: Value, y: Value) -> None:
    """The product fits if it is near that of doubles; a wrap moves it by 2^64 at least."""
    distance = np.abs(x.astype(np.float64) * y.astype(np.float64) - (x * y).astype(np.float64))
    require(distance < 2.0**62, faults.TOO_LARGE)


def _least_common_multiple(x: Value, y: Value) -> Value:
    """`x∧y`"""
    divisor = np.gcd(x, y)
    _require_product(np.asarray(np.floor_divide(x, np.where(divisor == 0, 1, divisor))), y)
    return lcm(x, y)


def _negate(x: Value) -> Value:
    """`-x`"""
    require(x != INT_MIN, faults.TOO_LARGE)
    return np.asarray(-x)


def _magnitude(x: Value) -> Value:
    """`|x`"""
    require(x != INT_MIN, faults.TOO_LARGE)
    return np.asarray(np.abs(x))


def _decode(a: Value, b: Value) -> Value:
    """`a⊥b`"""
    if not base_of_value(a).is_exact:
        return decode(a, b)
    return horner(a, b, _add, _multiply)


CHECKED: dict[Prim, Callable[..., Any]] = {
    prims.ADDI: _add,
    prims.SUBI: _subtract,
    prims.MULI: _multiply,
    prims.LCMI: _least_common_multiple,
    prims.NEGI: _negate,
    prims.ABSI: _magnitude,
    prims.DECODE: _decode,
}
"""What takes the place of a primitive's meaning."""
