"""Searches among arrays: `⍳ ∊ ∪ ∩ ~ ≠ ⍋ ⍒` of items.

Each item becomes a row of a matrix, its key: two keys are equal, or in order, where the items are.
"""

from __future__ import annotations

from aplc.apl_front.building.builder import (
    Builder,
    plain_type,
)
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import table as functions
from aplc.apl_front.functions.overloads import pervade
from aplc.tail import prims as p
from aplc.tail.errors import unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import (
    Exp,
    literal,
    op,
    prim_fn,
    vec,
)
from aplc.tail.types import Base, scalar


def keys(build: Builder, arrays: list[Exp], symbol: str, span: Span, *, ordered: bool = False) -> list[Exp]:
    """For each array of items a matrix with a row for each, equal where the items are; or in their order.

    A row has the extents of the item and its elements, filled up to the longest item of all arrays.
    """
    fitted = nv.fitted(build, arrays)
    if fitted is None:
        raise unsupported(f"{symbol} of {' and '.join([plain_type(a) for a in arrays])}", span)
    if any(nv.is_nested(nv.parts_of(build, a)[-1]) or nv.type_of(a).item.rank.const > 1 for a in fitted):
        raise unsupported(f"{symbol} of {plain_type(fitted[0])}", span)
    vectors = [build.bind(nv.ravelled(build, a, span)) for a in fitted]
    width: Exp = literal(0, span)
    for a in vectors:
        longest = op(p.REDUCE, prim_fn(p.MAXI), literal(0, span), nv.parts_of(build, a)[1], span=span)
        width = op(p.MAXI, width, longest, span=span)
    width = build.bind(width)
    return [_rows(build, a, width, span, ordered=ordered) for a in vectors]


def _rows(build: Builder, a: Exp, width: Exp, span: Span, *, ordered: bool) -> Exp:
    """The key of each item of a vector."""
    base = nv.simple_base(nv.type_of(a))
    if base is Base.COMPLEX:
        raise unsupported("a search among arrays of complex numbers", span)
    wide = Base.DOUBLE if base is Base.DOUBLE else Base.INT

    def row(number: Exp) -> Exp:
        item = build.bind(nv.item_at(build, a, number, span))
        length = nv.size_of(build, item, span)
        values = op(p.TAKE, width, _as_numbers(build, item, base, span), span=span)
        if not ordered:
            size = build.coerce(length, wide, "¨", span)
            return op(p.CONS, size, values, span=span)
        one = build.coerce(literal(1, span), wide, "⍋", span)
        ones = op(p.RESHAPE, vec((length,), Base.INT, span), one, span=span)
        pairs = op(p.CONS, op(p.TAKE, width, ones, span=span), nv.column(values, span), span=span)
        return op(p.RAVEL, pairs, span=span)

    function = build.function_on((scalar(Base.INT),), row, span)
    numbers = op(p.IOTA, nv.count(build, a, span), span=span)
    return build.bind(op(p.CELLS, function, numbers, span=span))


def _as_numbers(build: Builder, item: Exp, base: Base, span: Span) -> Exp:
    if base is Base.CHAR:
        return build.each(prim_fn(p.C2I, "", span), item, span)
    return build.coerce(item, Base.DOUBLE if base is Base.DOUBLE else Base.INT, "¨", span)


def index_of(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a⍳b`"""
    a, b = nv.required(build, left, "⍳", span), nv.required(build, right, "⍳", span)
    rows = keys(build, [a, b], "⍳", span)
    found = functions.dyadic(build, "⍳", rows[0], rows[1], span, None)
    return _in_shape(build, found, b, span)


def member(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a∊b`"""
    a, b = nv.required(build, left, "∊", span), nv.required(build, right, "∊", span)
    return _in_shape(build, found(build, a, b, "∊", span), a, span)


def found(build: Builder, a: Exp, b: Exp, symbol: str, span: Span) -> Exp:
    """Whether each item of one is one of the other, as a vector."""
    rows = keys(build, [a, b], symbol, span)
    places = functions.dyadic(build, "⍳", rows[1], rows[0], span, None)
    last = op(p.ADDI, nv.count(build, b, span), literal(build.index_origin - 1, span), span=span)
    return build.bind(pervade(build, "≤", places, last, span))


def _in_shape(build: Builder, values: Exp, like: Exp, span: Span) -> Exp:
    """A vector in the shape of an array of arrays."""
    if nv.axes_of(like) == 1:
        return values
    if nv.axes_of(like) == 0:
        return op(p.FIRST, values, span=span)
    return op(p.RESHAPE, nv.shape(build, like, span), values, span=span)


def unique_mask(build: Builder, exp: Exp, span: Span) -> Exp:
    """`≠`: which items are the first of their kind."""
    (rows,) = keys(build, [exp], "≠", span)
    firsts = functions.dyadic(build, "⍳", rows, rows, span, None)
    numbers = functions.monadic(build, "⍳", nv.count(build, exp, span), span, None)
    return build.bind(pervade(build, "=", firsts, numbers, span))


def chosen(build: Builder, mask: Exp, exp: Exp, span: Span) -> Exp:
    """The items where a mask holds."""
    mask = build.bind(mask)
    return nv.arranged(build, exp, lambda d: build.bind(op(p.COMPRESS, mask, d, span=span)), span)


def grade(build: Builder, symbol: str, exp: Exp, span: Span) -> Exp:
    """`⍋` and `⍒`: element by element, a shorter item before a longer one that begins with it."""
    (rows,) = keys(build, [exp], symbol, span, ordered=True)
    return functions.monadic(build, symbol, rows, span, None)
