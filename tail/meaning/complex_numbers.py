"""The meaning of complex arithmetic, by parts, with the operations of compiled programs in their order.

Division is Smith's (Algorithm 116, CACM 5, 1962): by the larger part of the divisor first, so that squares of
parts do not overflow.
"""

from __future__ import annotations

import math

import numpy as np

from aplc.tail import faults
from aplc.tail.meaning.core import Value, libm, require

SCALED = 2.0**-500, 2.0**500
"""Below the first and above the second, parts are scaled before they are squared."""

ANGLE = libm(math.atan2, np.arctan2)


def of_parts(real: Value, imaginary: Value) -> Value:
    """The number with these parts."""
    result = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imaginary)), dtype=np.complex128)
    result.real, result.imag = real, imaginary
    return result


def multiply(x: Value, y: Value) -> Value:
    """`x×y`"""
    return of_parts(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)


def divide(x: Value, y: Value) -> Value:
    """`x÷y`; `0÷0` is 1."""
    both_zero = (x == 0) & (y == 0)
    require((y != 0) | both_zero, faults.DIVIDE_BY_ZERO)
    safe = np.where(y == 0, 1.0, y)
    is_wide = np.abs(safe.real) >= np.abs(safe.imag)
    large = np.where(is_wide, safe.real, safe.imag)
    small = np.where(is_wide, safe.imag, safe.real)
    ratio = small / large
    scale = large + small * ratio
    first, second = np.where(is_wide, x.real, x.imag), np.where(is_wide, x.imag, x.real)
    real = (first + second * ratio) / scale
    imaginary = (second - first * ratio) / scale
    quotient = of_parts(real, np.where(is_wide, imaginary, -imaginary))
    return np.where(both_zero, 1.0 + 0j, quotient)


def magnitude(x: Value) -> Value:
    """`|x`: parts whose squares would be too large or too small are scaled by a power of 2."""
    larger = np.maximum(np.abs(x.real), np.abs(x.imag))
    scale = np.where(larger > SCALED[1], 2.0**-600, np.where(larger < SCALED[0], 2.0**600, 1.0))
    real, imaginary = x.real * scale, x.imag * scale
    return np.asarray(np.sqrt(real * real + imaginary * imaginary) / scale)


def phase(x: Value) -> Value:
    """`12○x`, above -π and up to π."""
    return ANGLE(x.imag, x.real)


def to_real(x: Value) -> Value:
    """A number accepted where a real one is required."""
    require(x.imag == 0, faults.NOT_A_REAL)
    return np.asarray(x.real).copy()


def equal(x: Value, y: Value) -> Value:
    """`x=y` without a tolerance."""
    return np.asarray((x.real == y.real) & (x.imag == y.imag))
