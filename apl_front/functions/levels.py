"""One level of nesting less: the items of an array of arrays one behind the other, and what is built on that.

Elements that no item refers to are left out; those of items that are arrays of arrays stay where they are.
"""

from __future__ import annotations

from aplc.apl_front.building.builder import Builder
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions.structure import shifted
from aplc.tail import prims as p
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal, nest, op, prim_fn, product
from aplc.tail.types import Array, Base, Nested, Records, scalar


def concatenated(build: Builder, exp: Exp, span: Span) -> Exp:
    """The items of an array of arrays, ravelled, one behind the other: a vector, of arrays where they are
    arrays of arrays.
    """
    exp = build.bind(exp)
    item = nv.type_of(exp).item
    if isinstance(item, Array):
        return nv.enlist(build, exp, span)
    flat = build.bind(nv.ravelled(build, exp, span))
    if item.rank.const == 0:
        return opened(build, flat, span)
    if isinstance(item, Records):
        return _records_joined(build, flat, span)
    *_, inner = nv.parts_of(build, flat)
    places = build.bind(op(p.IOTA, nv.count(build, flat, span), span=span))

    def joined(part: int) -> Exp:
        def of_item(number: Exp) -> Exp:
            return nv.flat(nv.parts_of(build, nv.item_at(build, flat, number, span))[part], span)

        function = build.function_on((scalar(Base.INT),), of_item, span)
        return nv.parts_of(build, op(p.PIECES, function, places, symbol=",/", span=span))[-1]

    *descriptor, elements = nv.parts_of(build, inner)
    return nest((*[build.bind(joined(k)) for k in range(len(descriptor))], elements), span)


def _records_joined(build: Builder, flat: Exp, span: Span) -> Exp:
    """The records of the items of a vector, one behind the other, by the place of each."""
    starts, *extents, records = nv.parts_of(build, flat)

    def shift(start: Exp, before: Exp) -> Exp:
        return op(p.ADDI, op(p.SUBI, start, before, span=span), literal(1, span), span=span)

    function = build.function((Base.INT, Base.INT), shift, span)
    shifts = build.bind(op(p.ZIP_WITH, function, starts, running(build, extents, span), span=span))
    moves = build.bind(op(p.REPLICATE, sizes(build, extents, span), shifts, symbol=",/", span=span))
    numbers = counted_places(build, nv.size_of(build, moves, span), span)
    places = build.bind(op(p.ZIP_WITH, prim_fn(p.ADDI), moves, numbers, span=span))

    def chosen(part: Exp) -> Exp:
        return build.bind(op(p.INDEX, product((places,), span), part, symbol=",/", span=span))

    return nv.rearranged(build, records, chosen, span)


def opened(build: Builder, exp: Exp, span: Span) -> Exp:
    """`↑` of enclosed arrays: an array of what they enclose."""
    places, inner = nv.parts_of(build, exp)
    numbers = build.bind(shifted(build, places, 1))

    def chosen(d: Exp) -> Exp:
        if nv.axes_of(exp) == 0:
            return op(p.PICK, numbers, d, symbol="↑", span=span)
        return build.bind(op(p.INDEX, product((numbers,), span), d, symbol="↑", span=span))

    return nv.rearranged(build, inner, chosen, span)


def sizes(build: Builder, extents: list[Exp], span: Span) -> Exp:
    """How many elements items with these extents have, of which there are some."""
    result = extents[0]
    for extent in extents[1:]:
        result = op(p.ZIP_WITH, prim_fn(p.MULI), result, extent, span=span)
    return build.bind(result)


def running(build: Builder, extents: list[Exp], span: Span) -> Exp:
    """Where items with these extents, of which there are some, start that lie one behind the other."""
    own = sizes(build, extents, span)
    ends = op(p.SCAN, prim_fn(p.ADDI), own, span=span)
    return build.bind(op(p.ZIP_WITH, prim_fn(p.SUBI), ends, own, span=span))


def counted_places(build: Builder, count: Exp, span: Span) -> Exp:
    """0, 1, …: where items of one element start that lie one behind the other."""
    return build.bind(shifted(build, op(p.IOTA, count, span=span), -1))


def compacted(build: Builder, exp: Exp, span: Span) -> Exp:
    """A vector of arrays whose elements are those of its items, and no others."""
    _, *extents, inner = nv.parts_of(build, exp)
    values = build.bind(concatenated(build, exp, span))
    if isinstance(values.ty, Nested):
        values = compacted(build, values, span)
    if not extents:
        return nest((counted_places(build, nv.count(build, exp, span), span), values), span)
    assert inner is not None
    return nest((running(build, extents, span), *extents, values), span)


def in_order(build: Builder, exp: Exp, span: Span) -> list[Exp]:
    """The extents of the items, level by level, and the elements, all in the order of the items: two arrays
    of one type and one shape match where all of these do.
    """
    if isinstance(exp.ty, Records):
        columns = nv.columns_of(build, exp)
        return [part for column in columns for part in in_order(build, column, span)]
    if not isinstance(exp.ty, Nested):
        return [exp]
    flat = nv.ravelled(build, exp, span)
    _, *extents, _ = nv.parts_of(build, flat)
    return [*extents, *in_order(build, build.bind(concatenated(build, flat, span)), span)]
