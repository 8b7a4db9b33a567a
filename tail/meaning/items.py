"""What searches among the items of arrays of arrays mean: `⍳ ∪ ≠ ⌸ ⍋ ⍒ ≡` of them.

Items are equal if their extents and all their elements are. Both zeros are equal; NaN equals nothing, and so
does an item that holds one. The functions take the parts of arrays of arrays: see `aplc.tail.meaning.pieces`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key, partial

import numpy as np

from aplc.tail.meaning import core, tolerant
from aplc.tail.meaning.core import Value
from aplc.tail.meaning.pieces import Parts, items

Key = tuple[tuple[int, ...], bytes]


def _key(item: Value) -> Key | None:
    """The same for equal items only; None for one that equals nothing."""
    if item.dtype.kind == "f":
        if np.isnan(item).any():
            return None
        item = item + 0.0  # no negative zero
    return item.shape, item.tobytes()


def classes(parts: Parts) -> Parts:
    """For each item the number of its class, which are the items that equal it, from 1 in the order of their
    first items; and for each class the number of its first item, from 1, and how many items it has.
    """
    numbers: list[int] = []
    firsts: list[int] = []
    known: dict[Key, int] = {}
    for k, item in enumerate(items(parts), 1):
        key = _key(item)
        number = known.get(key, 0) if key is not None else 0
        if not number:
            firsts.append(k)
            number = len(firsts)
        if key is not None:
            known[key] = number
        numbers.append(number)
    return _classes(numbers, firsts)


def _classes(numbers: list[int], firsts: list[int]) -> Parts:
    given = np.array(numbers, np.int64)
    counts = np.bincount(given, minlength=len(firsts) + 1)[1:].astype(np.int64)
    return given, np.array(firsts, np.int64), counts


def index_of(a: Parts, b: Parts) -> Value:
    """For each item of `b` the number of the first item of `a` that equals it, from 1; one more than there
    are for what equals none.
    """
    known: dict[Key | None, int] = {}
    count = 0
    for count, item in enumerate(items(a), 1):
        known.setdefault(_key(item), count)
    known[None] = count + 1
    return np.array([known.get(_key(item), count + 1) for item in items(b)], np.int64)


def near_classes(tolerance: Value, parts: Parts) -> Parts:
    """The same within a tolerance: an item belongs to the class of the first one before it that equals it."""
    numbers: list[int] = []
    firsts: list[int] = []
    for k, first in enumerate(near_index_of(tolerance, parts, parts).tolist(), 1):
        if first < k:
            numbers.append(numbers[first - 1])
        else:
            firsts.append(k)
            numbers.append(len(firsts))
    return _classes(numbers, firsts)


def near_index_of(tolerance: Value, a: Parts, b: Parts) -> Value:
    """The same within a tolerance."""
    own, wanted = items(a), items(b)
    found = np.full(len(wanted), len(own) + 1, np.int64)
    for shape in {item.shape for item in own}:
        places = np.array([k for k, item in enumerate(own) if item.shape == shape], np.int64)
        asked = [k for k, item in enumerate(wanted) if item.shape == shape]
        if not asked:
            continue
        rows = np.array([own[k].reshape(-1) for k in places])
        others = np.array([wanted[k].reshape(-1) for k in asked])
        positions = tolerant.index_of(tolerance, rows, others)
        there = positions <= len(places)
        found[np.array(asked, np.int64)[there]] = places[positions[there] - 1] + 1
    return found


def _order_of(a: Value, b: Value) -> int:
    """Below 0 if one array stands before another of its rank, above 0 if behind, else 0.

    They are compared element by element as if both had the greater extents, where what an array lacks stands
    before everything; arrays without a difference by their extents.
    """
    extents = tuple(map(max, a.shape, b.shape))
    for place in np.ndindex(extents) if a.size or b.size else ():
        in_a, in_b = [all(map(int.__lt__, place, x.shape)) for x in (a, b)]
        if in_a and in_b and a[place] != b[place]:
            return -1 if a[place] < b[place] else 1
        if in_a != in_b:
            return 1 if in_a else -1
    return int(a.shape > b.shape) - int(a.shape < b.shape)


def _ranks(values: Value) -> Value:
    """Integers in the order of elements; NaN stands above all numbers."""
    _, codes = np.unique(values, return_inverse=True, equal_nan=True)
    return codes.reshape(values.shape)


def _in_order(parts: Parts, numbers: Sequence[int]) -> list[int]:
    *descriptor, elements = parts
    arrays = items((*descriptor, _ranks(elements)))
    compare: Callable[[int, int], int] = lambda i, k: _order_of(arrays[i], arrays[k])  # noqa: E731
    return sorted(numbers, key=cmp_to_key(compare))


def grade_up(parts: Parts) -> Value:
    """`⍋`: the numbers, from 1, that put items in ascending order; equal items stay in order."""
    return np.array(_in_order(parts, range(parts[0].size)), np.int64) + 1


def grade_down(parts: Parts) -> Value:
    """`⍒`: likewise in descending order; equal items stay in order here too."""
    last = parts[0].size - 1
    return np.array(_in_order(parts, range(last, -1, -1))[::-1], np.int64) + 1


def match(a: Parts, b: Parts, equal: Callable[[Value, Value], Value] = core.match) -> Value:
    """`a≡b`: whether two arrays of arrays have the same extents and equal items at all places."""
    alike = a[0].shape == b[0].shape
    pairs = zip(items(a), items(b), strict=True) if alike else ()
    return np.asarray(alike and all(bool(equal(x, y)) for x, y in pairs), dtype=np.bool_)


def near_match(tolerance: Value, a: Parts, b: Parts) -> Value:
    """The same within a tolerance."""
    return match(a, b, partial(tolerant.match, tolerance))
