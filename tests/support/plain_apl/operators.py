"""Operators: functions of functions, and the functions that they take.

    F ::= F(monadic, dyadic, symbol)     either valence may be missing; the symbol of a primitive is for its
                                         identity item

A reduction's kind of elements is the least one that holds the elements and is closed under the function.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.support.plain_apl.array import (
    DOMAIN,
    INT_MAX,
    INT_MIN,
    LARGEST,
    LENGTH,
    RANK,
    A,
    AplError,
    NotTier1,
    Shape,
    assembled,
    build,
    converted,
    fill,
    joined,
    whole_numbers,
    with_axis,
    without_axis,
)
from tests.support.plain_apl.scalar import extended_shape
from tests.support.plain_apl.structure import require_axis

Monadic = Callable[[A], A]
Dyadic = Callable[[A, A], A]


def _no_monadic(y: A) -> A:
    raise NotTier1("no such valence")


def _no_dyadic(x: A, y: A) -> A:
    raise NotTier1("no such valence")


@dataclass(frozen=True)
class F:
    """A function value."""

    monadic: Monadic = _no_monadic
    dyadic: Dyadic = _no_dyadic
    symbol: str = ""


IDENTITY = {
    **dict.fromkeys("+-|∨<>≠", 0),
    **dict.fromkeys("×÷*!∧≤=≥", 1),
}
LIMITS = {"⌈": {"int": INT_MIN, "double": -LARGEST}, "⌊": {"int": INT_MAX, "double": LARGEST}}


def identity_item(f: F, kind: str) -> Any:
    """What reducing nothing gives. DOMAIN ERROR for a function without such an element."""
    if f.symbol in LIMITS:
        if kind not in LIMITS[f.symbol]:
            raise NotTier1("the smallest boolean")
        return LIMITS[f.symbol][kind]
    if f.symbol not in IDENTITY:
        raise AplError(DOMAIN)
    return converted(A("int", (), (IDENTITY[f.symbol],)), kind).data[0]


def closure(f: F, kind: str) -> str:
    """The least kind that holds elements of this kind and what f makes of them."""
    if kind == "char":
        raise NotTier1("a reduction of characters")
    sample = A(kind, (), ({"int": 1, "double": 1.0, "bool": True}[kind],))
    closed = kind
    while True:
        result = f.dyadic(sample, converted(sample, closed))
        if result.rank:
            raise NotTier1("a reduction with arrays as results")
        wider = joined(closed, result.kind)
        if wider == closed:
            return closed
        closed = wider


# --- reductions and scans -------------------------------------------------------------------------------


def _fold(f: F, items: list[A], kind: str) -> A:
    """`f/` of scalars from the right; there is at least one."""
    result = converted(items[-1], kind)
    for item in items[-2::-1]:
        result = converted(f.dyadic(item, result), kind)
    return result


def _along(y: A, axis: int, rest: Shape) -> list[A]:
    """The scalars along an axis at an index of the others."""
    return [A(y.kind, (), (y.at((*rest[:axis], k, *rest[axis:])),)) for k in range(y.shape[axis])]


def reduce(f: F, y: A, axis: int) -> A:
    """`f/[axis]y`"""
    if y.rank == 0:
        return converted(y, closure(f, y.kind))
    require_axis(y, axis)
    frame = without_axis(y.shape, axis)
    if y.shape[axis] == 0:
        if f.symbol not in IDENTITY and f.symbol not in LIMITS:
            if 0 in frame:
                raise NotTier1("whether anything is reduced")
            raise AplError(DOMAIN)
        kind = closure(f, y.kind)
        return A(kind, frame, (identity_item(f, kind),) * math.prod(frame))
    kind = closure(f, y.kind)
    return build(kind, frame, lambda i: _fold(f, _along(y, axis, i), kind).data[0])


def scan(f: F, y: A, axis: int) -> A:
    """`f\\[axis]y`: the reductions of all beginnings."""
    kind = closure(f, y.kind)
    if y.rank == 0:
        return converted(y, kind)
    require_axis(y, axis)

    def element(i: Shape) -> Any:
        items = _along(y, axis, without_axis(i, axis))
        return _fold(f, items[: i[axis] + 1], kind).data[0]

    return build(kind, y.shape, element)


def reduce_windows(n: A, f: F, y: A, axis: int) -> A:
    """`n f/[axis]y`: the reductions of all windows of that width; reversed ones if it is negative."""
    if n.rank > 1 or not n.is_single:
        raise AplError(RANK, LENGTH)
    (width,) = whole_numbers(n)
    if y.rank == 0:
        raise AplError(RANK)
    require_axis(y, axis)
    count = y.shape[axis] + 1 - abs(width)
    if count < 0:
        raise AplError(LENGTH, DOMAIN)
    frame = without_axis(y.shape, axis)
    kind = closure(f, y.kind)
    shape = with_axis(frame, axis, count)

    def element(i: Shape) -> Any:
        window = _along(y, axis, without_axis(i, axis))[i[axis] : i[axis] + abs(width)]
        if not window:
            return identity_item(f, kind)
        return _fold(f, window[::-1] if width < 0 else window, kind).data[0]

    return build(kind, shape, element)


# --- products -------------------------------------------------------------------------------------------


def _scalars(a: A) -> list[A]:
    return [A(a.kind, (), (x,)) for x in a.data]


def outer(f: F, x: A, y: A) -> A:
    """`x∘.f y`"""
    pairs = [(a, b) for a in _scalars(x) for b in _scalars(y)]
    prototypes = pairs or [(_prototype(x), _prototype(y))]
    return _framed(x.shape + y.shape, lambda: [f.dyadic(a, b) for a, b in prototypes], pairs)


def inner(f: F, g: F, x: A, y: A) -> A:
    """`x f.g y`: `f/` of `g` between the rows of x and the columns of y; a single element extends."""
    count = y.tally if x.is_single else x.shape[-1]
    x, y = _extended_last(x, count), _extended_first(y, count)
    if x.shape[-1] != y.shape[0]:
        raise AplError(LENGTH)
    rows, columns = x.shape[:-1], y.shape[1:]
    middle = g.dyadic(_prototype(x, 1), _prototype(y, 1)).kind
    kind = closure(f, middle)

    def element(i: Shape) -> Any:
        row = A(x.kind, (count,), tuple([x.at((*i[: len(rows)], k)) for k in range(count)]))
        column = A(y.kind, (count,), tuple([y.at((k, *i[len(rows) :])) for k in range(count)]))
        if not count:
            return identity_item(f, kind)
        items = [g.dyadic(a, b) for a, b in zip(_scalars(row), _scalars(column), strict=True)]
        return _fold(f, items, kind).data[0]

    if not count and f.symbol not in IDENTITY and f.symbol not in LIMITS and 0 in rows + columns:
        raise NotTier1("whether anything is reduced")
    return build(kind, rows + columns, element)


def _extended_last(x: A, count: int) -> A:
    return A(x.kind, (*x.shape[:-1], count), x.data * count) if x.is_single else x


def _extended_first(y: A, count: int) -> A:
    return A(y.kind, (count, *y.shape[1:]), y.data * count) if y.is_single else y


# --- each and rank --------------------------------------------------------------------------------------


def _prototype(a: A, value: int | None = None) -> A:
    """A scalar for a function to be tried on, where there is no element."""
    if value is None or a.kind == "char":
        return A(a.kind, (), (fill(a.kind),))
    return converted(A("int", (), (value,)), a.kind)


def _framed(frame: Shape, work: Callable[[], list[A]], pairs: list[Any]) -> A:
    """The results in their frame; of none, an empty array with the cells of the trial, which may not fail."""
    if pairs:
        return assembled(frame, work())
    try:
        (trial,) = work()
    except AplError:
        raise NotTier1("what is made of nothing") from None
    return A(trial.kind, frame + trial.shape, ())


def each(f: F, y: A) -> A:
    """`f¨y`, where the results are of one shape."""
    items = _scalars(y)
    return _framed(y.shape, lambda: [f.monadic(a) for a in items or [_prototype(y)]], items)


def each_pair(f: F, x: A, y: A) -> A:
    """`x f¨y`"""
    shape = extended_shape(x, y)
    count = math.prod(shape)
    left, right = [_scalars(a) * (count if a.is_single else 1) for a in (x, y)]
    pairs = list(zip(left[:count], right[:count], strict=True))
    trials = pairs or [(_prototype(x), _prototype(y))]
    return _framed(shape, lambda: [f.dyadic(a, b) for a, b in trials], pairs)


def _cell_rank(k: int, a: A) -> int:
    """The rank of the cells that k means for an array."""
    return min(k, a.rank) if k >= 0 else max(a.rank + k, 0)


def _cells_or_trial(a: A, rank: int) -> tuple[Shape, list[A]]:
    frame, cell = a.shape[: a.rank - rank], a.shape[a.rank - rank :]
    return frame, a.cells(rank) or [A(a.kind, cell, (fill(a.kind),) * math.prod(cell))]


def rank_monadic(f: F, k: int, y: A) -> A:
    """`(f⍤k)y`"""
    frame, cells = _cells_or_trial(y, _cell_rank(k, y))
    return _framed(frame, lambda: [f.monadic(c) for c in cells], [()] * math.prod(frame))


def rank_dyadic(f: F, left: int, right: int, x: A, y: A) -> A:
    """`x(f⍤left right)y`: frames agree, or one of them is empty."""
    left_frame, left_cells = _cells_or_trial(x, _cell_rank(left, x))
    right_frame, right_cells = _cells_or_trial(y, _cell_rank(right, y))
    if left_frame and right_frame and left_frame != right_frame:
        raise AplError(*([LENGTH] if len(left_frame) == len(right_frame) else [RANK]))
    frame = left_frame or right_frame
    count = max(math.prod(frame), 1)
    left_cells = left_cells if left_frame else left_cells * count
    right_cells = right_cells if right_frame else right_cells * count
    pairs = list(zip(left_cells, right_cells, strict=True))
    return _framed(frame, lambda: [f.dyadic(a, b) for a, b in pairs], [()] * math.prod(frame))


# --- composition and repetition -------------------------------------------------------------------------


def commute(f: F) -> F:
    """`f⍨`"""
    return F(lambda y: f.dyadic(y, y), lambda x, y: f.dyadic(y, x))


def constant(value: A) -> F:
    """`value⍨`"""
    return F(lambda y: value, lambda x, y: value)


def beside(f: F, g: F) -> F:
    """`f∘g`"""
    return F(lambda y: f.monadic(g.monadic(y)), lambda x, y: f.dyadic(x, g.monadic(y)))


def bind_left(value: A, f: F) -> F:
    """`value∘f`"""
    return F(lambda y: f.dyadic(value, y))


def bind_right(f: F, value: A) -> F:
    """`f∘value`"""
    return F(lambda y: f.dyadic(y, value))


def atop(f: F, g: F) -> F:
    """`f⍤g`, and the train `(f g)`"""
    return F(lambda y: f.monadic(g.monadic(y)), lambda x, y: f.monadic(g.dyadic(x, y)))


def over(f: F, g: F) -> F:
    """`f⍥g`"""
    return F(
        lambda y: f.monadic(g.monadic(y)),
        lambda x, y: f.dyadic(g.monadic(x), g.monadic(y)),
    )


def fork(f: F, g: F, h: F) -> F:
    """`(f g h)`"""
    return F(
        lambda y: g.dyadic(f.monadic(y), h.monadic(y)),
        lambda x, y: g.dyadic(f.dyadic(x, y), h.dyadic(x, y)),
    )


def power(f: F, times: int) -> F:
    """`f⍣times`"""

    def monadic(y: A) -> A:
        for _ in range(times):
            y = f.monadic(y)
        return y

    def dyadic(x: A, y: A) -> A:
        for _ in range(times):
            y = f.dyadic(x, y)
        return y

    return F(monadic, dyadic)


LONGEST_LOOP = 200


def power_until(f: F, g: F) -> F:
    """`f⍣g`: until `g` between the new value and the one before is 1."""

    def loop(step: Monadic, y: A) -> A:
        for _ in range(LONGEST_LOOP):
            new = step(y)
            if whole_numbers(g.dyadic(new, y)) == [1]:
                return new
            y = new
        raise NotTier1("a loop without end")

    return F(lambda y: loop(f.monadic, y), lambda x, y: loop(lambda z: f.dyadic(x, z), y))
