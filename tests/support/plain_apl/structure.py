"""Functions that arrange elements: shape, catenation, reversal, transposition, take and drop.

Axes count from 0 here.
"""

from __future__ import annotations

import math

from tests.support.plain_apl.array import (
    AXIS,
    DOMAIN,
    LENGTH,
    RANK,
    A,
    AplError,
    NotTier1,
    Shape,
    build,
    converted,
    fill,
    ints,
    joined,
    reshaped,
    vector,
    whole_numbers,
    whole_vector,
    with_axis,
    without_axis,
)


def require_axis(a: A, axis: int) -> None:
    """AXIS ERROR if the array has no axis of that number."""
    if not 0 <= axis < a.rank:
        raise AplError(AXIS)


# --- shape ----------------------------------------------------------------------------------------------


def shape(y: A) -> A:
    """`⍴y`"""
    return ints(*y.shape)


def reshape(x: A, y: A) -> A:
    """`x⍴y`: the elements over and over; of no elements, the fill."""
    extents = tuple(whole_vector(x))
    if any(n < 0 for n in extents):
        raise AplError(DOMAIN)
    count = math.prod(extents)
    source = y.data or (fill(y.kind),)
    return A(y.kind, extents, tuple([source[i % len(source)] for i in range(count)]))


def ravel(y: A) -> A:
    """`,y`"""
    return reshaped(y, (len(y.data),))


def table(y: A) -> A:
    """`⍪y`: the major cells as rows."""
    return reshaped(y, (y.tally, math.prod(y.shape[1:])))


def tally(y: A) -> A:
    """`≢y`"""
    return A("int", (), (y.tally,))


def depth(y: A) -> A:
    """`≡y` of a simple array."""
    return A("int", (), (int(y.rank > 0),))


# --- catenation -----------------------------------------------------------------------------------------


def catenate_last(x: A, y: A) -> A:
    """`x,y`"""
    return catenate(x, y, max(x.rank, y.rank, 1) - 1)


def catenate_first(x: A, y: A) -> A:
    """`x⍪y`"""
    return catenate(x, y, 0)


def catenate(x: A, y: A, axis: int) -> A:
    """`x,[axis]y`: one behind the other along an axis that at least one of them has."""
    rank = max(x.rank, y.rank, 1)
    if not 0 <= axis < rank:
        raise AplError(AXIS)
    parts = [_with_extent(a, other, rank, axis) for a, other in ((x, y), (y, x))]
    return _end_to_end(parts, axis)


def _with_extent(a: A, other: A, rank: int, axis: int) -> A:
    """The array with that axis: a scalar extends, a cell of rank one less gets extent 1."""
    if a.rank == rank:
        return a
    if a.rank == 0:
        rest = without_axis(other.shape, axis) if other.rank else ()
        extents = with_axis(rest, axis, 1)
        return A(a.kind, extents, a.data * math.prod(extents))
    if a.rank == rank - 1:
        return reshaped(a, with_axis(a.shape, axis, 1))
    raise AplError(RANK)


def laminate(x: A, y: A, axis: int) -> A:
    """`x,[axis-.5]y`: the two along a new axis, which gets that number."""
    rank = max(x.rank, y.rank)
    if not 0 <= axis <= rank:
        raise AplError(AXIS)
    common = y.shape if x.rank == 0 else x.shape
    parts = [A(a.kind, common, a.data * math.prod(common)) if a.rank == 0 else a for a in (x, y)]
    if parts[0].rank != parts[1].rank:
        raise AplError(RANK)
    return _end_to_end([reshaped(a, with_axis(a.shape, axis, 1)) for a in parts], axis)


def _end_to_end(parts: list[A], axis: int) -> A:
    """Two arrays of the same rank along an axis. LENGTH ERROR if the other axes differ."""
    first, second = parts
    rest = without_axis(first.shape, axis)
    if rest != without_axis(second.shape, axis):
        raise AplError(LENGTH)
    kind = joined(first.kind, second.kind)
    first, second = converted(first, kind), converted(second, kind)
    n = first.shape[axis]

    def element(index: Shape) -> object:
        k = index[axis]
        source, at = (first, k) if k < n else (second, k - n)
        return source.at((*index[:axis], at, *index[axis + 1 :]))

    return build(kind, with_axis(rest, axis, n + second.shape[axis]), element)


# --- order along an axis --------------------------------------------------------------------------------


def reverse(y: A, axis: int) -> A:
    """`⌽[axis]y`; a scalar has nothing to reverse."""
    if y.rank == 0:
        return y
    n = y.shape[axis]
    return build(y.kind, y.shape, lambda i: y.at((*i[:axis], n - 1 - i[axis], *i[axis + 1 :])))


def rotate(x: A, y: A, axis: int) -> A:
    """`x⌽[axis]y`: each vector along the axis by its own number, or all by one."""
    amounts = whole_numbers(x)
    if x.is_single and x.rank <= 1:
        lengths = [amounts[0]] * math.prod(without_axis(y.shape, axis))
    elif y.rank == 0 or x.rank != y.rank - 1:
        raise AplError(RANK)
    elif x.shape != without_axis(y.shape, axis):
        raise AplError(LENGTH)
    else:
        lengths = amounts
    if y.rank == 0:
        return y
    by = A("int", without_axis(y.shape, axis), tuple(lengths))
    n = y.shape[axis]

    def element(i: Shape) -> object:
        rest = without_axis(i, axis)
        return y.at((*i[:axis], (i[axis] + by.at(rest)) % n, *i[axis + 1 :]))

    return build(y.kind, y.shape, element)


def transpose(y: A) -> A:
    """`⍉y`"""
    return build(y.kind, y.shape[::-1], lambda i: y.at(i[::-1]))


def dyadic_transpose(x: A, y: A) -> A:
    """`x⍉y`: axis k of y becomes axis x[k]; axes that become the same one are walked together."""
    targets = [t - 1 for t in whole_vector(x)]
    if len(targets) != y.rank:
        raise AplError(LENGTH, RANK)
    rank = max(targets, default=-1) + 1
    if set(targets) != set(range(rank)):
        raise AplError(DOMAIN)
    extents = tuple([min(n for n, t in zip(y.shape, targets, strict=True) if t == k) for k in range(rank)])
    return build(y.kind, extents, lambda i: y.at([i[t] for t in targets]))


# --- parts ----------------------------------------------------------------------------------------------


def take(x: A, y: A) -> A:
    """`x↑y`: from the front, from the end if negative; fill where there is nothing."""
    counts = whole_vector(x)
    y = _with_axes_for(counts, y)
    counts += y.shape[len(counts) :]
    starts = [n + k if k < 0 else 0 for n, k in zip(y.shape, counts, strict=True)]

    def element(i: Shape) -> object:
        source = [k + start for k, start in zip(i, starts, strict=True)]
        inside = all(0 <= k < n for k, n in zip(source, y.shape, strict=True))
        return y.at(source) if inside else fill(y.kind)

    return build(y.kind, tuple(map(abs, counts)), element)


def drop(x: A, y: A) -> A:
    """`x↓y`"""
    counts = whole_vector(x)
    y = _with_axes_for(counts, y)
    counts += [0] * (y.rank - len(counts))
    extents = tuple([max(0, n - abs(k)) for n, k in zip(y.shape, counts, strict=True)])
    starts = [max(k, 0) for k in counts]
    return build(y.kind, extents, lambda i: y.at([k + s for k, s in zip(i, starts, strict=True)]))


def _with_axes_for(counts: list[int], y: A) -> A:
    """A scalar gets the axes that are counted. LENGTH ERROR for more counts than axes."""
    if y.rank == 0:
        return reshaped(y, (1,) * len(counts))
    if len(counts) > y.rank:
        raise AplError(LENGTH, RANK)
    return y


def iota(y: A) -> A:
    """`⍳y` of one count."""
    counts = whole_vector(y)
    if len(counts) != 1:
        raise NotTier1("the indices of an array of several axes")
    if counts[0] < 0:
        raise AplError(DOMAIN)
    return vector("int", range(1, counts[0] + 1))
