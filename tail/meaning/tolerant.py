"""The meaning of comparison within ⎕CT, in NumPy: scalar functions of doubles, and searches.

Two numbers are equal within a tolerance t if they are equal, or finite and no further apart than t times the
larger magnitude: so zero equals itself only, numbers of different signs never are equal, and infinity equals
itself. t is at most 1E¯9. Being equal is not transitive: a search finds the first element that is equal.
"""

from __future__ import annotations

import math
import struct
import sys
from functools import lru_cache, partial

import numpy as np

from aplc.tail import faults
from aplc.tail.meaning import order
from aplc.tail.meaning.core import Value, require

LARGEST = sys.float_info.max
"""The largest finite double."""

MOST = 1e-9
"""Up to this tolerance the last number that equals one is found in a few operations; ⎕CT is no greater."""

MOST_PAIRS = 1 << 16
"""So many candidates are compared at once."""


def equal(tolerance: Value, x: Value, y: Value) -> Value:
    """`x=y`"""
    with np.errstate(all="ignore"):
        larger = np.minimum(np.maximum(np.abs(x), np.abs(y)), LARGEST)
        return np.asarray((x == y) | (np.abs(x - y) <= tolerance * larger))


def less(tolerance: Value, x: Value, y: Value) -> Value:
    """`x<y`: below, and not equal."""
    return (x < y) & ~equal(tolerance, x, y)


def less_or_equal(tolerance: Value, x: Value, y: Value) -> Value:
    """`x≤y`: below or equal."""
    return (x < y) | equal(tolerance, x, y)


def snap(tolerance: Value, x: Value) -> Value:
    """The nearest whole number, if x is no further from it than the tolerance times the larger of 1 and the
    magnitude, so that `⌊` and `⌈` take it for whole. Otherwise x itself.
    """
    with np.errstate(all="ignore"):
        whole = np.rint(x)
        near = np.abs(whole - x) <= tolerance * np.maximum(1.0, np.abs(x))
        return np.where(near, whole, x)


def _common_divisor(tolerance: float, x: float, y: float) -> float:
    a, b = max(abs(x), abs(y)), min(abs(x), abs(y))
    if not (math.isfinite(x) and math.isfinite(y)):
        return math.nan
    least = 0.0 if x.is_integer() and y.is_integer() else max(0.0, tolerance * a)
    while b > least:
        rest = math.fmod(a, b)
        a, b = b, 0.0 if b - rest <= least else rest
    return a


def common_divisor(tolerance: Value, x: Value, y: Value) -> Value:
    """`x∨y`: the greatest number of which both are multiples, up to the tolerance times the larger of them;
    exactly for whole numbers. It is not-a-number where an operand is not finite.
    """
    return np.asarray(np.vectorize(_common_divisor, otypes=[np.float64])(tolerance, x, y))


def common_multiple(tolerance: Value, x: Value, y: Value) -> Value:
    """`x∧y`: the product over the greatest common divisor; 0 where that is 0."""
    divisor = common_divisor(tolerance, x, y)
    with np.errstate(all="ignore"):
        return np.where(divisor == 0, 0.0, x / np.where(divisor == 0, 1.0, divisor) * y)


# --- the numbers that equal one -------------------------------------------------------------------------


@lru_cache(maxsize=1 << 10)
def equal_numbers(tolerance: float, c: float) -> tuple[float, float]:
    """The least and the greatest double that equal a number; both are not-a-number for that."""
    if c < 0:
        low, high = equal_numbers(tolerance, -c)
        return -high, -low
    if c == 0 or not math.isfinite(c):
        return c, c

    def last(towards: float) -> float:
        inside, outside = _bits(c), _bits(towards)
        while abs(outside - inside) > 1:
            middle = (inside + outside) // 2
            x = _of_bits(middle)
            if abs(x - c) <= tolerance * min(max(x, c), LARGEST):
                inside = middle
            else:
                outside = middle
        return _of_bits(inside)

    return last(0.0), last(math.inf)


def _bits(x: float) -> int:
    """The representation of a number that is not negative: it ascends as the number does."""
    return int.from_bytes(struct.pack(">d", x), "big")


def _of_bits(bits: int) -> float:
    return float(struct.unpack(">d", bits.to_bytes(8, "big"))[0])


def lowest(tolerance: Value, x: Value) -> Value:
    """The least number that equals x; x itself for a tolerance that is none."""
    return np.asarray(np.vectorize(lambda t, c: _ends(t, c)[0], otypes=[np.float64])(tolerance, x))


def highest(tolerance: Value, x: Value) -> Value:
    """The greatest number that equals x."""
    return np.asarray(np.vectorize(lambda t, c: _ends(t, c)[1], otypes=[np.float64])(tolerance, x))


def _ends(tolerance: float, x: float) -> tuple[float, float]:
    return equal_numbers(float(tolerance), float(x)) if 0 <= tolerance <= MOST else (x, x)


# --- searches -------------------------------------------------------------------------------------------


def index_of(tolerance: Value, a: Value, b: Value) -> Value:
    """`a⍳b`: where the cells of `b`, which have the shape of those of `a`'s first axis, stand there first;
    counted from 1, one past the end for those that do not.
    """
    split = b.ndim - (a.ndim - 1)
    for m, n in zip(a.shape[1:], b.shape[split:], strict=True):
        require(m == n, faults.LENGTHS, m, n)
    frame, columns = b.shape[:split], math.prod(a.shape[1:])
    rows, wanted = a.reshape(len(a), columns), b.reshape(math.prod(frame), columns)
    found = np.full(len(wanted), len(rows) + 1, dtype=np.int64)
    if len(rows) == 0 or len(wanted) == 0:
        return found.reshape(frame)
    if columns == 0:
        return np.ones(frame, dtype=np.int64)
    different = np.unique(rows[:, 0] if columns == 1 else rows, axis=0, return_index=True)[1]
    ascending = different[np.argsort(rows[different, 0], kind="stable")]
    keys = rows[ascending, 0]
    # A little further out than anything equal lies; NaN is sorted last and found by none.
    reach = _reach(float(tolerance)) * np.minimum(np.abs(wanted[:, 0]), LARGEST / 4)
    first = np.searchsorted(keys, wanted[:, 0] - reach, side="left")
    last = np.searchsorted(keys, wanted[:, 0] + reach, side="right")
    width = max(1, MOST_PAIRS // columns)
    asked = np.flatnonzero(first < last)
    place = first[asked]
    while asked.size:  # each round looks at one candidate of each cell that still has some
        for part in range(0, asked.size, width):
            here = slice(part, part + width)
            candidates = ascending[place[here]]
            same = equal(tolerance, rows[candidates], wanted[asked[here]]).all(axis=1)
            best = np.minimum(found[asked[here]], candidates + 1)
            found[asked[here]] = np.where(same, best, found[asked[here]])
        place = place + 1
        left = place < last[asked]
        asked, place = asked[left], place[left]
    return found.reshape(frame)


def _reach(tolerance: float) -> float:
    """A number cannot equal others that are further away than so many times its own magnitude."""
    return max(0.0, 2 * tolerance) if tolerance <= 0.25 else 0.0 if math.isnan(tolerance) else math.inf


def unique(tolerance: Value, a: Value) -> Value:
    """`∪a`: the cells of the first axis that equal none before them."""
    firsts = index_of(tolerance, a, a)
    return np.asarray(a[firsts >= np.arange(1, len(a) + 1)])


def member(tolerance: Value, a: Value, b: Value) -> Value:
    """`a∊b`: which elements of `a` equal elements of `b`."""
    return np.asarray(index_of(tolerance, b.reshape(-1), a) <= b.size)


def find(tolerance: Value, a: Value, b: Value) -> Value:
    """`a⍷b`: where in `b` an occurrence of `a` begins."""
    return order.find(a, b, partial(equal, tolerance))


def match(tolerance: Value, a: Value, b: Value) -> Value:
    """`a≡b` for arrays of one rank."""
    return np.asarray(a.shape == b.shape and bool(np.all(equal(tolerance, a, b))), dtype=np.bool_)
