"""What is done to an array of records field by field: choosing, arranging, and joining records."""

from __future__ import annotations

from aplc.apl_front.building.builder import (
    Builder,
    rank,
)
from aplc.apl_front.functions import indexing, nested, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions import table as functions
from aplc.apl_front.functions.structure import from_origin
from aplc.tail import prims as p
from aplc.tail.errors import Unsupported
from aplc.tail.parts import table
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, op, product
from aplc.tail.types import Tuple

ARRANGING = {1: frozenset("⌽⊖⍉,⍪"), 2: frozenset("⍴⌽⊖⍉↑↓/⌿\\⍀⌷")}
"""What is done to the array of each field, by number of arguments."""


def applied(build: Builder, symbol: str, left: Exp | None, exp: Exp, span: Span, axis: Exp | None) -> Exp:
    """A function of what holds a field: a simple array, or one of arrays; where the field has fields itself,
    of each of theirs.
    """
    if rv.is_records(exp):
        return by_column(build, symbol, left, exp, span, axis)
    if isinstance(exp.ty, Tuple):
        return nested.primitive(build, symbol, left, exp, span, axis)
    if left is None:
        return functions.monadic(build, symbol, exp, span, axis)
    return functions.dyadic(build, symbol, left, exp, span, axis)


def by_column(
    build: Builder,
    symbol: str,
    left: Exp | None,
    exp: Exp,
    span: Span,
    axis: Exp | None,
    place: int | None = None,
) -> Exp:
    """A function of the array of each field; `place` is where the axis of fields is then, if anywhere."""
    columns = [build.bind(applied(build, symbol, left, c, span, axis)) for c in nv.columns_of(build, exp)]
    return table(tuple(columns), place, span)


def at_indices(build: Builder, exp: Exp, given: list[Exp | None], span: Span) -> Exp:
    """What holds a field at some indices, one for each axis; itself where it has none."""
    if not given:
        return exp
    if not rv.is_records(exp):
        return indexing.bracket(build, exp, list(given), span)
    columns = [build.bind(at_indices(build, c, given, span)) for c in nv.columns_of(build, exp)]
    return table(tuple(columns), None, span)


def first(build: Builder, exp: Exp, span: Span) -> Exp:
    """`⊃`: the first record, or fills and empty arrays where there is none."""
    if rv.is_records(exp):
        firsts = [build.bind(first(build, c, span)) for c in nv.columns_of(build, exp)]
        return product(tuple(firsts), span)
    if nv.is_nested(exp):
        return nv.first_item(build, exp, span)
    return exp if rank(exp) == 0 else op(p.FIRST, nv.flat(exp, span), symbol="⊃", span=span)


def picked(build: Builder, at: Exp, exp: Exp, span: Span) -> Exp:
    """The record at a place."""
    if nv.is_nested(exp):
        return nested.pick(build, at, exp, span)
    if not rv.is_records(exp):
        return op(p.PICK, from_origin(build, at), exp, symbol="⊃", span=span)
    fields = [build.bind(picked(build, at, c, span)) for c in nv.columns_of(build, exp)]
    return product(tuple(fields), span)


def rows_joined(build: Builder, symbol: str, left: Exp, right: Exp, span: Span) -> Exp:
    """Records behind records: field by field."""
    if nv.axes_of(left) == nv.axes_of(right) == 0:
        left = nv.ravelled(build, left, span)
    pairs = zip(nv.columns_of(build, left), nv.columns_of(build, right), strict=True)
    joined = []
    for a, b in pairs:
        if rv.is_records(a):
            joined.append(build.bind(rows_joined(build, symbol, a, b, span)))
        elif nv.is_nested(a):
            joined.append(build.bind(nested.catenate(build, a, b, symbol, span)))
        else:
            joined.append(build.bind(functions.dyadic(build, symbol, a, b, span, None)))
    return table(tuple(joined), None, span)


def refused(symbol: str, left: Exp | None, right: Exp, span: Span) -> Unsupported:
    """The error for a function that is not there for records."""
    return tuples.refused(symbol, left, right, span)
