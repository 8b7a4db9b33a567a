"""Searches among items, as definitions in plain Python: an item is a tuple of extents and one of elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key
from itertools import product
from typing import Any

Item = tuple[tuple[int, ...], tuple[Any, ...]]
Equal = Callable[[Any, Any], bool]


def exactly(x: Any, y: Any) -> bool:
    """The equality of elements."""
    return bool(x == y)


def within(tolerance: float) -> Equal:
    """That of doubles within a tolerance."""
    return lambda x, y: x == y or abs(x - y) <= tolerance * max(abs(x), abs(y))


def same(a: Item, b: Item, equal: Equal = exactly) -> bool:
    """Whether two items are equal."""
    return a[0] == b[0] and all(map(equal, a[1], b[1]))


def index_of(a: Sequence[Item], b: Sequence[Item], equal: Equal = exactly) -> list[int]:
    """`a⍳b`"""
    return [next((k for k, x in enumerate(a, 1) if same(x, y, equal)), len(a) + 1) for y in b]


def classes(items: Sequence[Item], equal: Equal = exactly) -> tuple[list[int], list[int], list[int]]:
    """The number of the class of each item, and for each class its first item and how many it has."""
    numbers: list[int] = []
    firsts: list[int] = []
    for k, item in enumerate(items):
        before = next((j for j in range(k) if same(items[j], item, equal)), None)
        if before is None:
            firsts.append(k + 1)
        numbers.append(len(firsts) if before is None else numbers[before])
    return numbers, firsts, [numbers.count(k + 1) for k in range(len(firsts))]


def order(a: Item, b: Item) -> int:
    """Below 0 if one item stands before another of its rank, above 0 if behind."""
    tables = [dict(zip(product(*map(range, x[0])), x[1], strict=True)) for x in (a, b)]
    for place in product(*map(range, map(max, a[0], b[0]))):
        x, y = [table.get(place) for table in tables]
        if x is not None and y is not None and x != y:
            return -1 if x < y else 1
        if (x is None) != (y is None):
            return -1 if x is None else 1
    return (a[0] > b[0]) - (a[0] < b[0])


def grade(items: Sequence[Item], sign: int = 1) -> list[int]:
    """`⍋`, and `⍒` with -1."""
    return sorted(
        range(1, len(items) + 1), key=cmp_to_key(lambda i, k: sign * order(items[i - 1], items[k - 1]))
    )


def runs(marks: Sequence[int]) -> tuple[list[int], list[int]]:
    """Where the items of `k⊆v` begin, from 0, and their lengths."""
    starts: list[int] = []
    lengths: list[int] = []
    before = 0
    for k, mark in enumerate(marks):
        if mark > before:
            starts.append(k)
            lengths.append(1)
        elif mark:
            lengths[-1] += 1
        before = mark
    return starts, lengths
