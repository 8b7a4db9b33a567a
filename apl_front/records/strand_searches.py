"""Searches in strands whose items differ in rank or kind, and for the items of such strands: `⍳ ∊ ~ ∩`.

The items of a strand are known one by one, so what is looked for is compared with each of them. It may be an
element of a simple array, an item of an array of arrays or of records, or an item of a strand.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.apl_front.building.builder import Builder
from aplc.apl_front.functions import nested, overloads, searches, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions import table as functions
from aplc.apl_front.records import columns as record_columns
from aplc.apl_front.records import searches as record_searches
from aplc.tail import prims as p
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, conditional, literal, op, product
from aplc.tail.types import Base, Tuple

SYMBOLS = frozenset("⍳∊~∩")


def concerns(symbol: str, left: Exp | None, right: Exp) -> bool:
    """Whether an application is a search in a strand, or for the items of one."""
    if left is None or symbol not in SYMBOLS or rv.is_table(left) or rv.is_table(right):
        return False
    if symbol in "~∩":
        return rv.is_many(left) and tuples.is_tuple(right)
    if symbol == "⍳" and (tuples.is_scalar(left) or (nv.is_nested(left) and nv.axes_of(left) != 1)):
        return False
    return tuples.is_tuple(left) or tuples.is_tuple(right)


def applied(build: Builder, symbol: str, left: Exp, right: Exp, span: Span) -> Exp:
    """A function that `concerns` says is one of those here."""
    left, right = build.bind(left), build.bind(right)
    match symbol:
        case "⍳":
            return _index_of(build, left, right, span)
        case "∊":
            return _member(build, left, right, span)
        case _:
            kept = build.bind(_member(build, left, right, span))
            if symbol == "~":
                kept = build.bind(overloads.pervade(build, "~", None, kept, span))
            return record_columns.applied(build, "/", kept, left, span, None)


def _index_of(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a⍳b`: the first item of `a` that each of `b` equals, behind all where there is none."""
    if not tuples.is_tuple(left):
        return _each(build, lambda sought: _found(build, left, sought, span), right, span)
    items = tuples.items_of(build, left)

    def position(sought: Exp) -> Exp:
        result: Exp = literal(len(items) + build.index_origin, span)
        for k, item in reversed([*enumerate(items)]):
            number = literal(k + build.index_origin, span)
            result = conditional(record_searches.match(build, item, sought, span), number, result, span)
        return result

    return _each(build, position, right, span)


def _member(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a∊b`: whether each item of `a` is one of `b`."""
    if not tuples.is_tuple(right):
        return _each(build, lambda sought: _is_in(build, sought, right, span), left, span)
    items = tuples.items_of(build, right)

    def is_one(sought: Exp) -> Exp:
        result: Exp = literal(False, span)
        for item in items:
            alike = record_searches.match(build, item, sought, span)
            result = op(p.ORB, result, alike, symbol="∊", span=span)
        return result

    return _each(build, is_one, left, span)


def _found(build: Builder, array: Exp, sought: Exp, span: Span) -> Exp:
    """Where an item of a strand stands in an array of simple elements, of arrays, or of records."""
    if not isinstance(sought.ty, Tuple) and tuples.is_scalar(sought):
        if isinstance(array.ty, Tuple):
            return searches.index_of(build, array, sought, span)
        return functions.dyadic(build, "⍳", array, sought, span, None)
    whole = product((sought, product(())), span)
    if rv.is_records(array):
        return record_searches.compared(build, "⍳", array, whole, span)
    return nested.primitive(build, "⍳", array, whole, span, None)


def _is_in(build: Builder, sought: Exp, array: Exp, span: Span) -> Exp:
    """Whether an item of a strand is one of an array."""
    if not isinstance(sought.ty, Tuple) and tuples.is_scalar(sought):
        if isinstance(array.ty, Tuple):
            return literal(False, span)
        return functions.dyadic(build, "∊", sought, array, span, None)
    whole = product((sought, product(())), span)
    if rv.is_records(array):
        return record_searches.compared(build, "∊", whole, array, span)
    return nested.primitive(build, "∊", whole, array, span, None)


def _each(build: Builder, f: Callable[[Exp], Exp], of: Exp, span: Span) -> Exp:
    """A function that gives one number for an item or element, of each of these."""
    if tuples.is_tuple(of):
        found = [build.bind(f(build.bind(item))) for item in tuples.items_of(build, of)]
        return found[0] if tuples.is_scalar(of) else tuples.as_simple(build, product(tuple(found), span))
    if tuples.is_scalar(of):
        return f(build.bind(rv.item_at(build, of, literal(1, span), span)))

    def on_item(number: Exp) -> Exp:
        return f(build.bind(rv.item_at(build, whole, number, span)))

    whole = build.bind(nv.ravelled(build, of, span) if isinstance(of.ty, Tuple) else nv.flat(of, span))
    numbers = build.bind(rv.numbers(build, of, span))
    return build.each(build.function((Base.INT,), on_item, span), numbers, span)
