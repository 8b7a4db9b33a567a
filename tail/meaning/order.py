"""The meaning of sorting and searching: `⍋ ⍒ ⍸ ∪ ∊ ⍷ ⍳`, in NumPy.

Comparison is exact; both zeros are equal, and NaN equals nothing, itself included. In an order NaN stands
above all numbers: `⍋` puts it last and `⍒` first. Characters are ordered by code point.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from aplc.tail import faults
from aplc.tail.meaning.core import Value, require


def grade_up(a: Value) -> Value:
    """`⍋a`: the positions, from 1, that put the cells of the first axis in ascending order, by their first
    element that differs; equal cells stay in order.
    """
    return _ascending(_rows(a)) + 1


def grade_down(a: Value) -> Value:
    """`⍒a`: likewise in descending order; equal cells stay in order here too."""
    rows = _rows(a)
    return len(rows) - _ascending(rows[::-1])[::-1]


def _rows(a: Value) -> Value:
    """The cells of the first axis as rows of a matrix."""
    return a.reshape(a.shape[0], math.prod(a.shape[1:]))


def _ascending(rows: Value) -> Value:
    if rows.shape[1] == 0:
        return np.arange(len(rows))
    return np.lexsort(rows.T[::-1])


def interval_index(a: Value, b: Value) -> Value:
    """`a⍸b`: how many elements of the ascending vector `a` are at most the element of `b`."""
    require(a[:-1] <= a[1:], faults.NOT_ASCENDING)
    result = np.searchsorted(a, b, side="right")
    return np.where(b == b, result, 0).astype(np.int64)


def unique(a: Value) -> Value:
    """`∪a`: the different cells of the first axis, in the order of their first occurrences."""
    _, positions = np.unique(_codes(_rows(a)), return_index=True)
    return a[np.sort(positions)]


def index_of(a: Value, b: Value) -> Value:
    """`a⍳b`: where the cells of `b`, which have the shape of those of `a`'s first axis, stand there first;
    counted from 1, one past the end for those that do not.
    """
    split = b.ndim - (a.ndim - 1)
    for m, n in zip(a.shape[1:], b.shape[split:], strict=True):
        require(m == n, faults.LENGTHS, m, n)
    frame = b.shape[:split]
    rows, wanted = _rows(a), b.reshape(math.prod(frame), math.prod(b.shape[split:]))
    count = len(rows)
    codes = _codes(np.concatenate([rows, wanted]))
    positions = np.full(codes.max(initial=-1) + 1, count + 1, dtype=np.int64)
    positions[codes[:count][::-1]] = np.arange(count, 0, -1)
    return positions[codes[count:]].reshape(frame)


def _codes(rows: Value) -> Value:
    """A number for each row, the same for equal rows only."""
    count, columns = rows.shape
    if columns == 0:
        return np.zeros(count, dtype=np.int64)
    _, codes = np.unique(rows, return_inverse=True, equal_nan=False)
    codes = codes.reshape(rows.shape)
    if columns > 1:
        _, codes = np.unique(codes, axis=0, return_inverse=True)
    return codes.reshape(count)


def member(a: Value, b: Value) -> Value:
    """`a∊b`: which elements of `a` are elements of `b`."""
    return index_of(b.reshape(-1), a) <= b.size


def find(a: Value, b: Value, equal: Callable[[Value, Value], Value] = np.equal) -> Value:
    """`a⍷b`: where in `b` an occurrence of `a` begins. A lower rank of `a` gets leading axes of extent 1."""
    result = np.zeros(b.shape, dtype=np.bool_)
    if a.ndim > b.ndim:
        return result
    pattern = a.reshape((1,) * (b.ndim - a.ndim) + a.shape)
    starts = tuple([max(0, min(n, n - m + 1)) for m, n in zip(pattern.shape, b.shape, strict=True)])
    found = np.ones(starts, dtype=np.bool_)
    for offset in np.ndindex(pattern.shape):
        part = b[tuple([slice(k, k + n) for k, n in zip(offset, starts, strict=True)])]
        found &= equal(part, pattern[offset])
    result[tuple([slice(n) for n in starts])] = found
    return result
