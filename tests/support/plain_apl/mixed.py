"""Arrays whose items differ in type, of plain Python objects, for `plain_apl`: records, and arrays of them.

    M ::= M(shape, items)       items row-major, each an `A`, an `N` or an `M`

A record is a vector of its fields; an array of records has records for its items; the items of a table are
the fields of all its records.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from tests.support.plain_apl import nested
from tests.support.plain_apl.array import A, NotTier1, Shape, ints
from tests.support.plain_apl.nested import N


@dataclass(frozen=True)
class M:
    """An array whose items may be anything."""

    shape: Shape
    items: tuple[Any, ...]

    def __post_init__(self) -> None:
        assert prod(self.shape) == len(self.items)

    @property
    def kind(self) -> str:
        """No kind of element."""
        return "mixed"

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def data(self) -> tuple[Any, ...]:
        """All elements at the bottom."""
        return tuple([x for item in self.items for x in item.data])


def vector(items: Sequence[Any]) -> M:
    """A vector of these items."""
    return M((len(items),), tuple(items))


def equal(x: Any, y: Any) -> bool:
    """`x≡y`"""
    if isinstance(x, M) and isinstance(y, M):
        return x.shape == y.shape and all(map(equal, x.items, y.items))
    if isinstance(x, M) or isinstance(y, M):
        return False
    return nested.equal(x, y)


def filled(a: A | N | M) -> Any:
    """An array of that structure whose elements are fills."""
    return M(a.shape, tuple(map(filled, a.items))) if isinstance(a, M) else nested.filled(a)


def arranged(a: M, work: Callable[[A], A]) -> M:
    """What happens to an array of numbers that stand for the items, where 0 stands for the fill."""
    numbers = work(A("int", a.shape, tuple(range(1, len(a.items) + 1))))
    if not a.items and numbers.data:
        raise NotTier1("the fill of no records")
    return M(numbers.shape, tuple([a.items[k - 1] if k else filled(a.items[0]) for k in numbers.data]))


def first_of_each(a: M) -> list[bool]:
    """For each item whether no one before is the same."""
    return [not any(equal(item, b) for b in a.items[:k]) for k, item in enumerate(a.items)]


def kept(a: M, mask: Sequence[bool]) -> M:
    """The items of a vector at the truths."""
    return vector([item for item, m in zip(a.items, mask, strict=True) if m])


def groups(a: M) -> list[list[int]]:
    """For each item that differs from all before the numbers, from 1, of those equal to it."""
    found: list[list[int]] = []
    for k, item in enumerate(a.items):
        mine = next((g for g in found if equal(a.items[g[0] - 1], item)), None)
        found += [[k + 1]] if mine is None else []
        if mine is not None:
            mine.append(k + 1)
    return found


def key(a: A | N | M) -> Any:
    """What items of one type are sorted by: vectors element by element, records field by field."""
    if isinstance(a, A):
        return a.data[0] if a.rank == 0 else a.data
    return tuple(map(key, a.items))


def order(items: Sequence[Any], *, down: bool = False) -> A:
    """`⍋` or `⍒` of a vector of these items, which keeps those that are equal in their order."""
    keys = list(map(key, items))
    return ints(*[k + 1 for k in sorted(range(len(keys)), key=keys.__getitem__, reverse=down)])
