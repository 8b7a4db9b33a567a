"""The meaning of `!`, `○`, the 32-bit functions, and `⊥ ⊤`, in NumPy.

See `meaning` for the conventions. Whole numbers have exact results as long as a double holds them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from aplc.tail import faults
from aplc.tail.array_limits import require_room_for
from aplc.tail.meaning import complex_numbers
from aplc.tail.meaning.core import Value, base_of_value, libm, require, residue_double, residue_int

LARGEST_FACTORIAL = 170
"""Beyond it a factorial is greater than every double."""

FACTORIALS = [float(math.factorial(n)) for n in range(LARGEST_FACTORIAL + 1)]

MANY = 1024
"""With n ≥ 2k and k ≥ 1024, the number of k-subsets of n things is greater than every double."""

LARGE = 128.0
"""Up to here products of two values of Γ neither overflow nor vanish."""

LOG_OF_LARGEST = math.log(1.7976931348623157e308)

# --- factorial and binomial -----------------------------------------------------------------------------


def factorial(x: Value) -> Value:
    """`!x` = Γ(x+1), infinite where it is too large; undefined for negative whole numbers."""
    require(~((x < 0) & (np.floor(x) == x)), faults.NO_FACTORIAL)
    return np.asarray(np.vectorize(_factorial, otypes=[np.float64])(x))


def _factorial(x: float) -> float:
    if x > LARGEST_FACTORIAL + 1:
        return math.inf
    if math.isfinite(x) and x.is_integer():
        return FACTORIALS[int(x)] if x <= LARGEST_FACTORIAL else math.inf
    try:
        return _gamma_behind(x)
    except OverflowError:
        return math.inf


def _gamma_behind(x: float) -> float:
    """Γ(x+1). Where x+1 is no double it is x×Γ(x): Γ would magnify the rounding of the sum."""
    return x * math.gamma(x) if x >= 1 and x + 1 - 1 != x else math.gamma(x + 1)


def binomial(x: Value, y: Value) -> Value:
    """`x!y` = (!y)÷(!x)×!y-x, the number of x-subsets of y things; negative whole numbers mean the limit.

    A DOMAIN ERROR where `!y` has no value and `x` is not whole.
    """
    pole = (y < 0) & (np.floor(y) == y) & (np.floor(x) != x) & (x == x)
    require(~pole, faults.NO_FACTORIAL)
    return np.asarray(np.vectorize(_binomial, otypes=[np.float64])(x, y))


def _binomial(x: float, y: float) -> float:
    if not (math.isfinite(x) and math.isfinite(y)):
        return math.nan
    if x.is_integer() and y.is_integer():
        return _whole_binomial(int(x), int(y))
    if x.is_integer() and x <= MANY:
        product = 1.0
        for k in range(1, int(x) + 1):
            product *= (y - x + k) / k
        return product if x >= 0 else 0.0
    if (y - x).is_integer() and y < x:
        return 0.0
    if max(abs(x), abs(y), abs(y - x)) <= LARGE:
        return _gamma_behind(y) / (_gamma_behind(x) * _gamma_behind(y - x))
    sign = _gamma_sign(y + 1) * _gamma_sign(x + 1) * _gamma_sign(y - x + 1)
    less, more = min(x, y - x), max(x, y - x)
    if y > LARGE:
        logarithm = _log_gamma_ratio(more + 1, less) - math.lgamma(less + 1)
    else:
        logarithm = math.lgamma(y + 1) - math.lgamma(x + 1) - math.lgamma(y - x + 1)
    return sign * (math.exp(logarithm) if logarithm < LOG_OF_LARGEST else math.inf)


def _log_gamma_ratio(z: float, x: float) -> float:
    """The logarithm of Γ(z+x) ÷ Γ(z) for large z and z+x, by Stirling's series without its cancellation."""
    w = z + x
    tail = (1 / w - 1 / z) / 12 - (w**-3 - z**-3) / 360 + (w**-5 - z**-5) / 1260
    return (z - 0.5) * math.log1p(x / z) + x * (math.log(w) - 1) + tail


def _gamma_sign(x: float) -> int:
    """The sign of Γ(x), which has poles at zero and at negative whole numbers."""
    return -1 if x < 0 and math.floor(x) % 2 else 1


def _whole_binomial(x: int, y: int) -> float:
    """The table of Dyalog's reference for `!`, with `_choose` of natural numbers."""
    if y >= 0:
        return _choose(x, y) if 0 <= x <= y else 0.0
    if x >= 0:
        return (-1.0) ** (x % 2) * _choose(x, x - y - 1)
    return (-1.0) ** ((y - x) % 2) * _choose(-y - 1, -x - 1) if x <= y else 0.0


def _choose(k: int, n: int) -> float:
    """The number of k-subsets of n things, 0 ≤ k ≤ n, correctly rounded."""
    k = min(k, n - k)
    if k >= MANY:
        return math.inf
    try:
        return float(math.comb(n, k))
    except OverflowError:
        return math.inf


# --- circular functions ---------------------------------------------------------------------------------


def circle(k: Value, x: Value) -> Value:
    """`k○x` for k in ¯7…7."""
    k, x = np.broadcast_arrays(k, x)
    for number in k[(k < -7) | (k > 7)][:1]:
        require(False, faults.NO_CIRCLE, int(number))
    result = np.empty(x.shape, dtype=np.float64)
    for number in np.unique(k):
        chosen = k == number
        result[chosen] = _circle(int(number), x[chosen])
    return result


def _circle(k: int, x: Value) -> Value:
    """One of the fifteen functions; not-a-number passes every test of the domain."""
    if k in (0, -1, -2):
        require(~(np.abs(x) > 1), faults.NOT_REAL)
    if k == -4:
        require(~(np.abs(x) < 1), faults.NOT_REAL)
    if k == -6:
        require(~(x < 1), faults.NOT_REAL)
    if k == -7:
        require(~(np.abs(x) >= 1), faults.NOT_REAL)
    with np.errstate(all="ignore"):
        match k:
            case 0:
                return np.asarray(np.sqrt((1 - x) * (1 + x)))
            case 4:
                return np.asarray(np.hypot(1, x))
            case -4:
                return np.where(
                    (x == -1) | np.isinf(x), np.where(x == -1, 0.0, x), (x + 1) * np.sqrt((x - 1) / (x + 1))
                )
            case _:
                return np.asarray(CIRCULAR[k](x))


CIRCULAR = {
    1: libm(math.sin, np.sin),
    2: libm(math.cos, np.cos),
    3: libm(math.tan, np.tan),
    5: libm(math.sinh, np.sinh),
    6: libm(math.cosh, np.cosh),
    7: libm(math.tanh, np.tanh),
    -1: libm(math.asin, np.arcsin),
    -2: libm(math.acos, np.arccos),
    -3: libm(math.atan, np.arctan),
    -5: libm(math.asinh, np.arcsinh),
    -6: libm(math.acosh, np.arccosh),
    -7: libm(math.atanh, np.arctanh),
}

# --- integers of 32 bits ----------------------------------------------------------------------------------


def low32(x: Value) -> Value:
    """The low 32 bits as a number in two's complement."""
    return np.asarray(x).astype(np.int32).astype(np.int64)


def and32(x: Value, y: Value) -> Value:
    """`x ⎕INT32AND y`"""
    return low32(x & y)


def or32(x: Value, y: Value) -> Value:
    """`x ⎕INT32OR y`"""
    return low32(x | y)


def xor32(x: Value, y: Value) -> Value:
    """`x ⎕INT32XOR y`"""
    return low32(x ^ y)


def not32(x: Value) -> Value:
    """`⎕INT32NOT x`"""
    return low32(~x)


def shift_left32(x: Value, count: Value) -> Value:
    """`x ⎕INT32SHL count`; 0 for a count of 32 or more. The count is not cut to 32 bits."""
    _require_shift(count)
    return np.where(count >= 32, 0, low32(x << np.minimum(count, 32)))


def shift_right32(x: Value, count: Value) -> Value:
    """`x ⎕INT32SHR count`, which repeats the sign bit. The count is not cut to 32 bits."""
    _require_shift(count)
    return low32(x) >> np.minimum(count, 32)


def _require_shift(count: Value) -> None:
    for number in count[count < 0][:1]:
        require(False, faults.NEGATIVE_SHIFT, int(number))


# --- number systems ---------------------------------------------------------------------------------------


def decode(a: Value, b: Value) -> Value:
    """`a⊥b`: the last axis of `a` against the first of `b`; an extent of 1 extends."""
    return horner(a, b, np.add, complex_numbers.multiply if np.iscomplexobj(a) else np.multiply)


def horner(
    a: Value, b: Value, add: Callable[[Value, Value], Value], multiply: Callable[[Value, Value], Value]
) -> Value:
    """`a⊥b` by Horner's rule, so that the first radix does not matter, with this sum and this product."""
    m, n = a.shape[-1], b.shape[0]
    require(n in (1, m) or m == 1, faults.LENGTHS, m, n)
    count = n if m == 1 else m
    require_room_for(a.shape[:-1] + b.shape[1:])
    rows, columns = math.prod(a.shape[:-1]), math.prod(b.shape[1:])
    radices = np.broadcast_to(a, (*a.shape[:-1], count)).reshape(rows, 1, count)
    digits = np.broadcast_to(b, (count, *b.shape[1:])).reshape(count, columns)
    result = np.zeros((rows, columns), dtype=a.dtype)
    for k in range(count):
        result = add(digits[k], multiply(result, radices[..., k]) if k else result)
    return np.array(result).reshape(a.shape[:-1] + b.shape[1:])


def encode(a: Value, b: Value) -> Value:
    """`a⊤b`: the first axis of `a` holds the radices, and 0 takes all that is left."""
    require_room_for(a.shape + b.shape)
    result, is_exact = np.empty(a.shape + b.shape, dtype=a.dtype), base_of_value(a).is_exact
    rest = np.broadcast_to(b, result.shape[1:])
    for k in range(a.shape[0] - 1, -1, -1):
        radix = np.broadcast_to(a[k].reshape(a.shape[1:] + (1,) * b.ndim), rest.shape)
        takes_all = radix == 0
        divisor = np.where(takes_all, 1, radix)
        if is_exact:
            result[k] = residue_int(radix, rest)
            rest = np.where(takes_all, 0, np.floor_divide(rest, divisor))
        else:
            result[k] = residue_double(radix, rest)
            rest = np.where(takes_all, 0.0, (rest - result[k]) / divisor)
    return result
