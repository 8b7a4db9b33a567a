"""Arrays of arrays of plain Python objects, for `plain_apl`, and what APL does with them.

    N ::= N(kind, ranks, shape, items)      items row-major, each an `A` or an `N`

All items have one rank and kind, also where there are none. What there is no item for is filled with the
prototype of the first item: an array of its shape whose elements are fills.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from tests.support.plain_apl import definitions as p
from tests.support.plain_apl.array import A, AplError, NotTier1, Shape, fill, ints, vector
from tests.support.plain_apl.select import is_same


@dataclass(frozen=True)
class N:
    """An array of arrays: the kind of the elements at the bottom, the ranks of the array and of its items."""

    kind: str
    ranks: tuple[int, ...]
    shape: Shape
    items: tuple[Any, ...]

    def __post_init__(self) -> None:
        assert len(self.ranks) > 1 and len(self.shape) == self.ranks[0]
        assert prod(self.shape) == len(self.items)
        for item in self.items:
            assert (item.kind, ranks_of(item)) == (self.kind, self.ranks[1:]), (item, self.kind, self.ranks)

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def data(self) -> tuple[Any, ...]:
        """All elements at the bottom."""
        return tuple([x for item in self.items for x in item.data])


def ranks_of(a: A | N) -> tuple[int, ...]:
    """The rank of an array, of its items, and so on."""
    return a.ranks if isinstance(a, N) else (a.rank,)


def made(kind: str, ranks: tuple[int, ...], shape: Shape, items: Sequence[Any]) -> A | N:
    """An array with these items, which is simple where they are scalars."""
    if ranks == (0,):
        return A(kind, shape, tuple([item.data[0] for item in items]))
    return N(kind, (len(shape), *ranks), shape, tuple(items))


def of(shape: Shape, items: Sequence[A | N]) -> A | N:
    """An array with items of which there is at least one; they must have one rank and kind."""
    kinds = {item.kind for item in items}
    ranks = {ranks_of(item) for item in items}
    if len(kinds) != 1 or len(ranks) != 1:
        raise NotTier1("items of several types")
    return made(kinds.pop(), ranks.pop(), shape, items)


def without(kind: str, ranks: tuple[int, ...]) -> A | N:
    """The array of these ranks whose extents are all 0."""
    if len(ranks) == 1:
        return A(kind, (0,) * ranks[0], () if ranks[0] else (fill(kind),))
    return N(kind, ranks, (0,) * ranks[0], () if ranks[0] else (without(kind, ranks[1:]),))


def prototype(a: N) -> A | N:
    """What fills: the first item with fills for its elements."""
    return filled(a.items[0]) if a.items else without(a.kind, a.ranks[1:])


def filled(a: A | N) -> A | N:
    """An array of that structure whose elements are fills."""
    if isinstance(a, A):
        return A(a.kind, a.shape, (fill(a.kind),) * len(a.data))
    return N(a.kind, a.ranks, a.shape, tuple(map(filled, a.items)))


def equal(x: A | N, y: A | N) -> bool:
    """`x≡y`"""
    if isinstance(x, A) and isinstance(y, A):
        return is_same(x, y)
    if isinstance(x, A) or isinstance(y, A) or x.shape != y.shape:
        return False
    return all(map(equal, x.items, y.items))


# --- where items are ------------------------------------------------------------------------------------


def arranged(a: N, work: Callable[[A], A]) -> N:
    """What happens to an array of numbers that stand for the items, where 0 stands for the prototype."""
    numbers = work(A("int", a.shape, tuple(range(1, len(a.items) + 1))))
    items = [a.items[k - 1] if k else prototype(a) for k in numbers.data]
    return N(a.kind, (numbers.rank, *a.ranks[1:]), numbers.shape, tuple(items))


def catenated(a: N, b: N) -> N:
    """`a,b` of vectors and scalars."""
    if (a.kind, a.ranks[1:]) != (b.kind, b.ranks[1:]) or a.rank > 1 or b.rank > 1:
        raise NotTier1("items of several types")
    items = (*a.items, *b.items)
    return N(a.kind, (1, *a.ranks[1:]), (len(items),), items)


def enclosed(a: A | N) -> A | N:
    """`⊂a`"""
    if isinstance(a, A) and a.rank == 0:
        return a
    return N(a.kind, (0, *ranks_of(a)), (), (a,))


def split(a: A) -> N:
    """`↓a` of an array with axes."""
    shape, n = a.shape[:-1], a.shape[-1]
    rows = [vector(a.kind, a.data[k * n : (k + 1) * n]) for k in range(prod(shape))]
    return N(a.kind, (len(shape), 1), shape, tuple(rows))


def mix(a: N) -> A | N:
    """`↑a`: items filled up to the longest along each axis."""
    rank = a.ranks[1]
    if not a.items:
        raise NotTier1("the extents of no items")
    extents = tuple([max(item.shape[k] for item in a.items) for k in range(rank)])
    cells: list[Any] = []
    for item in a.items:
        if isinstance(item, A):
            cells += p.DYADIC["↑"](ints(*extents), item).data
        elif item.items or not prod(extents):
            cells += arranged(item, lambda numbers: p.DYADIC["↑"](ints(*extents), numbers)).items
        else:
            raise NotTier1("the prototype of an empty item")
    shape = a.shape + extents
    return (
        A(a.kind, shape, tuple(cells))
        if len(a.ranks) == 2
        else N(a.kind, (len(shape), *a.ranks[2:]), shape, tuple(cells))
    )


def enlist(a: A | N) -> A:
    """`∊a`"""
    return vector(a.kind, a.data)


# --- every item -----------------------------------------------------------------------------------------


def each(work: Callable[[Any], Any], a: N, kind: str, ranks: tuple[int, ...]) -> A | N:
    """`f¨a`; what f gives has this kind and these ranks."""
    results = [work(item) for item in a.items]
    for r in results:
        if (r.kind, ranks_of(r)) != (kind, ranks):
            raise NotTier1("a result of another type")
    return made(kind, ranks, a.shape, results)


def pervade(symbol: str, x: Any, y: Any) -> Any:
    """A scalar function at every depth; one side may be a simple scalar, or have one item."""
    if isinstance(x, A) and isinstance(y, A):
        return p.DYADIC[symbol](x, y)
    if isinstance(x, A) and x.rank == 0:
        items = [pervade(symbol, x, item) for item in y.items]
        return _pervaded(symbol, x.kind, y.kind, y, items)
    if isinstance(y, A) and y.rank == 0:
        items = [pervade(symbol, item, y) for item in x.items]
        return _pervaded(symbol, x.kind, y.kind, x, items)
    if not (isinstance(x, N) and isinstance(y, N)) or x.ranks != y.ranks:
        raise NotTier1("arrays of several depths")
    if x.shape != y.shape:
        raise AplError("LENGTH ERROR")
    items = [pervade(symbol, a, b) for a, b in zip(x.items, y.items, strict=True)]
    return _pervaded(symbol, x.kind, y.kind, x, items)


def _pervaded(symbol: str, left: str, right: str, like: N, items: list[Any]) -> N:
    kind = items[0].kind if items else p.DYADIC[symbol](A(left, (0,), ()), A(right, (0,), ())).kind
    return N(kind, like.ranks, like.shape, tuple(items))


def insert(symbol: str, a: N) -> A | N:
    """`f/a` of a vector of items: what is enclosed, from the right."""
    if not a.items:
        raise NotTier1("no items")
    result = a.items[-1]
    for item in reversed(a.items[:-1]):
        result = pervade(symbol, item, result)
    return enclosed(result)


# --- searches -------------------------------------------------------------------------------------------


def index_of(x: N, y: N) -> A:
    """`x⍳y` of a vector x"""
    found = [next((k for k, a in enumerate(x.items) if equal(a, b)), len(x.items)) + 1 for b in y.items]
    return A("int", y.shape, tuple(found))


def member(x: N, y: N) -> A:
    """`x∊y`"""
    return A("bool", x.shape, tuple([any(equal(a, b) for b in y.items) for a in x.items]))


def first_of_each(a: N) -> list[bool]:
    """For each item whether no one before is the same."""
    return [not any(equal(item, b) for b in a.items[:k]) for k, item in enumerate(a.items)]


def kept(a: N, mask: Sequence[bool]) -> N:
    """The items of a vector at the truths."""
    items = tuple([item for item, m in zip(a.items, mask, strict=True) if m])
    return N(a.kind, a.ranks, (len(items),), items)


def groups(a: N) -> list[list[int]]:
    """For each item that differs from all before the numbers, from 1, of those equal to it."""
    found: list[list[int]] = []
    for k, item in enumerate(a.items):
        mine = next((g for g in found if equal(a.items[g[0] - 1], item)), None)
        if mine is None:
            found.append([k + 1])
        else:
            mine.append(k + 1)
    return found


def order(a: N) -> list[int]:
    """`⍋a` of a vector of simple vectors."""
    keys = [tuple([ord(x) if isinstance(x, str) else x for x in item.data]) for item in a.items]
    return [k + 1 for k in sorted(range(len(keys)), key=keys.__getitem__)]
