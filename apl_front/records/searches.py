"""Searches among records: `⍳ ∊ ∪ ∩ ~ ≠ ⍋ ⍒ ≡`. Records are compared by numbers, which are the same for
equal ones (`_keys`), and sorted field by field.
"""

from __future__ import annotations

from collections.abc import Iterable

from aplc.apl_front.building.builder import Builder, is_enclosed
from aplc.apl_front.functions import indexing, overloads, searches, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions import table as functions
from aplc.apl_front.records import columns as record_columns
from aplc.tail import prims as p
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal, op
from aplc.tail.types import Tuple


def compared(build: Builder, symbol: str, left: Exp, right: Exp, span: Span) -> Exp:
    """`≡ ≢ ⍳ ∊ ∪ ∩ ~` of records."""
    if symbol == "⊢":
        build.discard(left)
        return right
    if symbol == "⊣":
        build.discard(right)
        return left
    if symbol in "≡≢":
        alike = match(build, left, right, span)
        return alike if symbol == "≡" else op(p.NOTB, alike, symbol="≢", span=span)
    both = rv.fitted(build, left, right, span) if symbol in "⍳∊∪∩~" else None
    if both is None or any(rv.is_table(a) for a in both) or (symbol != "∊" and nv.axes_of(both[0]) != 1):
        raise record_columns.refused(symbol, left, right, span)
    a, b = both
    if symbol == "⍳":
        keys, wanted = _keys(build, a, b, span)
        return functions.dyadic(build, "⍳", keys, _in_shape(build, wanted, b, span), span, None)
    if symbol == "∪":
        keys, wanted = _keys(build, a, b, span)
        new = overloads.pervade(
            build, "~", None, functions.dyadic(build, "∊", wanted, keys, span, None), span
        )
        return record_columns.rows_joined(build, ",", a, _kept(build, new, b, span), span)
    keys, wanted = _keys(build, b, a, span)
    there = build.bind(functions.dyadic(build, "∊", wanted, keys, span, None))
    if symbol == "∊":
        return _in_shape(build, there, a, span)
    return _kept(build, overloads.pervade(build, "~", None, there, span) if symbol == "~" else there, a, span)


def _keys(build: Builder, a: Exp, b: Exp, span: Span) -> tuple[Exp, Exp]:
    """Two vectors of whole numbers, of all records of two arrays, that are equal where the records are: the
    number of a record of the first is that of the first one that equals it, from 0.
    """
    first, second = [build.bind(nv.ravelled(build, x, span)) for x in (a, b)]
    behind = build.bind(
        op(p.ADDI, nv.size_of(build, _flat_frame(build, first, span), span), literal(1, span))
    )
    keys: tuple[Exp, Exp] | None = None
    for x, y in zip(nv.columns_of(build, first), nv.columns_of(build, second), strict=True):
        own = _keys(build, x, y, span) if rv.is_records(x) else _numbers(build, x, y, span)
        if keys is None:
            keys = own
            continue
        pairs = []
        for before, now in zip(keys, own, strict=True):
            scaled = overloads.pervade(build, "×", before, behind, span)
            pairs.append(build.bind(overloads.pervade(build, "+", scaled, now, span)))
        keys = _numbers(build, pairs[0], pairs[1], span)
    assert keys is not None
    return keys


def _flat_frame(build: Builder, exp: Exp, span: Span) -> Exp:
    return build.bind(nv.flat(nv.frame_of(build, exp), span))


def _numbers(build: Builder, x: Exp, y: Exp, span: Span) -> tuple[Exp, Exp]:
    """Where the items of two vectors stand first in the first of them, from 0."""
    made = []
    for searched in (x, y):
        found = build.bind(record_columns.applied(build, "⍳", x, searched, span, None))
        origin = literal(build.index_origin, span)
        made.append(build.bind(overloads.pervade(build, "-", found, origin, span)))
    return made[0], made[1]


def _in_shape(build: Builder, values: Exp, like: Exp, span: Span) -> Exp:
    """A vector in the shape of an array of records."""
    axes = nv.axes_of(like)
    if axes == 1:
        return values
    if axes == 0:
        return op(p.FIRST, values, span=span)
    return op(p.RESHAPE, op(p.SHAPE, nv.frame_of(build, like), span=span), values, span=span)


def _kept(build: Builder, mask: Exp, exp: Exp, span: Span) -> Exp:
    """The records of a vector where a mask holds."""
    return record_columns.by_column(build, "/", build.bind(mask), exp, span, None)


def unique(build: Builder, symbol: str, exp: Exp, span: Span) -> Exp:
    """`∪` and `≠`: which records are the first of their kind."""
    vector = build.bind(nv.ravelled(build, exp, span))
    keys, _ = _keys(build, vector, vector, span)
    places: Exp = op(p.IOTA, nv.size_of(build, keys, span), span=span)
    places = overloads.pervade(build, "-", places, literal(1, span), span)
    mask = build.bind(overloads.pervade(build, "=", keys, places, span))
    return mask if symbol == "≠" else _kept(build, mask, vector, span)


def grade(build: Builder, symbol: str, exp: Exp, span: Span) -> Exp:
    """`⍋` and `⍒`: by the first field, where that is equal by the second, and so on. So they are sorted by
    the last field first, and orders keep what is equal in its order.
    """
    if nv.axes_of(exp) != 1:
        raise record_columns.refused(symbol, None, exp, span)
    order: Exp | None = None
    for column in reversed(nv.columns_of(build, exp)):
        if order is not None:
            column = build.bind(record_columns.at_indices(build, column, [order], span))
        own = build.bind(record_columns.applied(build, symbol, None, column, span, None))
        order = own if order is None else build.bind(indexing.bracket(build, order, [own], span))
    assert order is not None
    return order


def match(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a≡b` of any values, item by item of strands, and field by field of records."""
    if tuples.is_tuple(left) and tuples.is_tuple(right):
        first, second = tuples.items_of(build, left), tuples.items_of(build, right)
        alike = len(first) == len(second) and is_enclosed(left.ty) == is_enclosed(right.ty)
        return (
            _all_match(build, zip(first, second, strict=True), span) if alike else _differ(build, left, right)
        )
    if not (rv.is_records(left) or rv.is_records(right)):
        return _match_of_items(build, left, right, span)
    both = rv.fitted(build, left, right, span)
    if (
        both is None
        or nv.axes_of(both[0]) != nv.axes_of(both[1])
        or rv.type_of(both[0]).axis != rv.type_of(both[1]).axis
    ):
        return _differ(build, left, right)
    return _all_match(build, zip(*[nv.columns_of(build, x) for x in both], strict=True), span)


def _differ(build: Builder, left: Exp, right: Exp) -> Exp:
    build.discard(right, left)
    return literal(False, right.span)


def _all_match(build: Builder, pairs: Iterable[tuple[Exp, ...]], span: Span) -> Exp:
    result: Exp = literal(True, span)
    for a, b in pairs:
        result = op(p.ANDB, match(build, build.bind(a), build.bind(b), span), result, symbol="≡", span=span)
    return result


def _match_of_items(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """The same where one side at least is a simple array, or an array of arrays."""
    if nv.is_nested(left) or nv.is_nested(right):
        return searches.match(build, left, right, span)
    if isinstance(left.ty, Tuple) or isinstance(right.ty, Tuple):
        return _differ(build, left, right)
    return functions.dyadic(build, "≡", left, right, span, None)
