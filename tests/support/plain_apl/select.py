"""Functions that find and choose elements: indexing, replication, search, sets, sorting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.support.plain_apl.array import (
    DOMAIN,
    INDEX,
    LENGTH,
    RANK,
    A,
    AplError,
    NotTier1,
    Shape,
    build,
    fill,
    indices,
    is_number,
    joined,
    raised,
    same,
    truth,
    vector,
    whole_numbers,
    whole_vector,
)
from tests.support.plain_apl.structure import catenate, ravel

# --- indexing -------------------------------------------------------------------------------------------


def first(y: A) -> A:
    """`⊃y`"""
    return A(y.kind, (), y.data[:1] or (fill(y.kind),))


def pick(x: A, y: A) -> A:
    """`x⊃y` of a simple vector."""
    path = whole_vector(x)
    if not path:
        return y
    if len(path) > 1 or y.rank != 1:
        raise AplError(RANK)
    return squad(A("int", (), (path[0],)), y)


def squad(x: A, y: A) -> A:
    """`x⌷y`: one index for each leading axis."""
    numbers = whole_vector(x)
    if len(numbers) > y.rank:
        raise AplError(RANK, LENGTH)
    scalars: list[A | None] = [A("int", (), (k,)) for k in numbers]
    return bracket(y, scalars + [None] * (y.rank - len(numbers)))


def bracket(y: A, at: Sequence[A | None]) -> A:
    """`y[a;b;…]`; None where an index is left out."""
    if len(at) != y.rank:
        raise AplError(RANK)
    axes = [vector("int", range(1, n + 1)) if a is None else a for a, n in zip(at, y.shape, strict=True)]
    for a, n in zip(axes, y.shape, strict=True):
        if any(not 1 <= k <= n for k in whole_numbers(a)):
            raise AplError(INDEX)
    extents = tuple([n for a in axes for n in a.shape])

    def element(i: Shape) -> Any:
        source, rest = [], i
        for a in axes:
            source.append(int(a.at(rest[: a.rank])) - 1)
            rest = rest[a.rank :]
        return y.at(source)

    return build(y.kind, extents, element)


# --- replicate and expand -------------------------------------------------------------------------------


def replicate(x: A, y: A, axis: int) -> A:
    """`x/[axis]y`: so many of each; a negative count gives fills instead of the element."""
    y = ravel(y) if y.rank == 0 else y
    counts, n = whole_vector(x), y.shape[axis]
    if len(counts) == 1:
        counts *= n
    if n not in (len(counts), 1):
        raise AplError(LENGTH)
    source = [(k if n != 1 else 0) if c > 0 else None for k, c in enumerate(counts) for _ in range(abs(c))]
    return _along(y, axis, source)


def expand(x: A, y: A, axis: int) -> A:
    """`x\\[axis]y`: positive counts take elements in turn, others give so many fills, 0 one."""
    y = ravel(y) if y.rank == 0 else y
    counts, n = whole_vector(x), y.shape[axis]
    if len(counts) == 1 and n != 1:
        if counts[0] <= 0:
            raise NotTier1("whether a single count of fills extends")
        counts *= n
    elements = sum(c > 0 for c in counts)
    if n not in (elements, 1):
        raise AplError(LENGTH)
    source: list[int | None] = []
    taken = 0
    for c in counts:
        source += [(taken if n != 1 else 0) if c > 0 else None] * max(abs(c), 1)
        taken += c > 0
    return _along(y, axis, source)


def _along(y: A, axis: int, source: list[int | None]) -> A:
    """The array with these positions along an axis; None is fill."""

    def element(i: Shape) -> Any:
        k = source[i[axis]]
        return fill(y.kind) if k is None else y.at((*i[:axis], k, *i[axis + 1 :]))

    return build(y.kind, (*y.shape[:axis], len(source), *y.shape[axis + 1 :]), element)


# --- equality and search --------------------------------------------------------------------------------


def is_same(x: A, y: A) -> bool:
    """Whether two arrays match: shapes, elements, and of no elements whether they would be characters."""
    if x.shape != y.shape:
        return False
    if not x.data:
        return is_number(x) == is_number(y)
    return all(map(same, x.data, y.data))


def match(x: A, y: A) -> A:
    """`x≡y`"""
    return truth(is_same(x, y))


def not_match(x: A, y: A) -> A:
    """`x≢y`"""
    return truth(not is_same(x, y))


def _position(items: Sequence[Any], wanted: Any) -> int:
    """The number of the first equal item, one more than there are if none is."""
    return next((k for k, item in enumerate(items, start=1) if same(item, wanted)), len(items) + 1)


def index_of(x: A, y: A) -> A:
    """`x⍳y`: where the cells of y stand among the major cells of x."""
    if x.rank == 0:
        raise AplError(RANK)
    inner = x.rank - 1
    if y.rank < inner:
        raise AplError(RANK)
    frame, cell = y.shape[: y.rank - inner], y.shape[y.rank - inner :]
    if cell != x.shape[1:]:
        raise AplError(LENGTH)
    if 0 in (*cell, *x.shape):
        if inner:
            raise NotTier1("empty cells")
        return A("int", y.shape, (1,) * len(y.data))
    major = [c.data for c in x.cells(inner)]
    found = [_first_equal(major, c.data) for c in y.cells(inner)]
    return A("int", frame, tuple(found))


def _first_equal(cells: list[tuple[Any, ...]], wanted: tuple[Any, ...]) -> int:
    for k, cell in enumerate(cells, start=1):
        if all(map(same, cell, wanted)):
            return k
    return len(cells) + 1


def member(x: A, y: A) -> A:
    """`x∊y`"""
    return A("bool", x.shape, tuple([_position(y.data, a) <= len(y.data) for a in x.data]))


def find(x: A, y: A) -> A:
    """`x⍷y`: where x begins in y as a whole."""
    if x.rank > y.rank:
        return A("bool", y.shape, (False,) * len(y.data))
    x = raised(x, y.rank)

    def begins(i: Shape) -> bool:
        if any(k + n > m for k, n, m in zip(i, x.shape, y.shape, strict=True)):
            return False
        return all(same(x.at(j), y.at([a + b for a, b in zip(i, j, strict=True)])) for j in indices(x.shape))

    return build("bool", y.shape, begins)


def where(y: A) -> A:
    """`⍸y` of a vector: each index as often as its element says."""
    if y.rank != 1:
        raise NotTier1("indices of several axes")
    counts = whole_numbers(y)
    if any(c < 0 for c in counts):
        raise AplError(DOMAIN)
    return vector("int", [k for k, c in enumerate(counts, start=1) for _ in range(c)])


def interval_index(x: A, y: A) -> A:
    """`x⍸y`: how many of the ascending x are not above each element of y."""
    if x.rank == 0:
        raise AplError(RANK)
    if x.rank > 1:
        raise NotTier1("intervals of cells")
    if is_number(x) != is_number(y):
        raise NotTier1("intervals of characters and numbers")
    if list(x.data) != sorted(x.data):
        raise AplError(DOMAIN)
    return A("int", y.shape, tuple([sum(b <= a for b in x.data) for a in y.data]))


# --- sets -----------------------------------------------------------------------------------------------


def _as_vector(a: A) -> A:
    if a.rank > 1:
        raise AplError(RANK)
    return ravel(a)


def unique(y: A) -> A:
    """`∪y`: the major cells without repetition."""
    cells = (ravel(y) if y.rank == 0 else y).cells(max(y.rank - 1, 0))
    kept: list[A] = []
    for cell in cells:
        if not any(is_same(cell, k) for k in kept):
            kept.append(cell)
    return A(y.kind, (len(kept), *y.shape[1:]), tuple([x for cell in kept for x in cell.data]))


def union(x: A, y: A) -> A:
    """`x∪y`: x, and of y what x does not have."""
    x, y = _as_vector(x), _as_vector(y)
    joined(x.kind, y.kind)
    return catenate(x, without(y, x), 0)


def intersection(x: A, y: A) -> A:
    """`x∩y`: of x what y has."""
    x, y = _as_vector(x), _as_vector(y)
    return vector(x.kind, [a for a in x.data if _position(y.data, a) <= len(y.data)])


def without(x: A, y: A) -> A:
    """`x~y`: of x what y does not have."""
    x = _as_vector(x)
    return vector(x.kind, [a for a in x.data if _position(y.data, a) > len(y.data)])


# --- sorting --------------------------------------------------------------------------------------------


def grade_up(y: A) -> A:
    """`⍋y`: the permutation that sorts the major cells, equal ones in their order."""
    return _graded(y, descending=False)


def grade_down(y: A) -> A:
    """`⍒y`"""
    return _graded(y, descending=True)


def _graded(y: A, *, descending: bool) -> A:
    if y.rank == 0:
        raise AplError(RANK)
    cells = [c.data for c in y.cells(y.rank - 1)]
    order = sorted(range(len(cells)), key=lambda k: cells[k], reverse=descending)
    return vector("int", [k + 1 for k in order])
