r"""What fills arrays of arrays: `↑`, `/` and `\` with more places than there are items, and `⍴` of none.

A place without an item gets the prototype of the first one: an array of its extents whose elements are fills.
Without a first item the extents are 0. The fills are catenated to the elements, so that items stay views, and
the catenation is never written where no item is read that has them.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.apl_front.building.builder import Builder, base_of, int_constant, length_of
from aplc.apl_front.functions import nested_values as nv
from aplc.tail import prims as p
from aplc.tail.parts import table
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Vec, conditional, literal, nest, op, vec
from aplc.tail.types import Base, Records


def may_fill(build: Builder, symbol: str, left: Exp, exp: Exp) -> bool:
    """Whether `left f exp` may have places for which there is no item."""
    match symbol:
        case "↑":
            return not _takes_what_is_there(build, left, exp)
        case "\\" | "⍀":
            return True
        case "/" | "⌿":
            counts = [int_constant(k) for k in (left.items if isinstance(left, Vec) else (left,))]
            return base_of(left) is not Base.BOOL and any(k is None or k < 0 for k in counts)
        case "⍴":  # of no items: fills of a descriptor are items without elements, if these have axes
            item = nv.type_of(exp).item
            return nv.axes_of(exp) > 0 and item.rank.const == 0
        case _:
            return False


def _takes_what_is_there(build: Builder, count: Exp, exp: Exp) -> bool:
    """Whether a take is known not to go beyond the items of a vector."""
    wanted = int_constant(count)
    there = length_of(nv.parts_of(build, exp)[0]) if nv.axes_of(exp) == 1 else None
    return wanted is not None and there is not None and abs(wanted) <= there


def arranged(build: Builder, exp: Exp, change: Callable[[Exp], Exp], span: Span) -> Exp:
    """The items in other places, and prototypes where the change of an array fills."""
    places, *extents, elements = nv.parts_of(build, exp)
    firsts = [build.bind(op(p.FIRST, nv.flat(n, span), span=span)) for n in extents]
    ones = op(p.RESHAPE, nv.shape(build, exp, span), literal(True, span), span=span)
    exists = build.bind(change(build.bind(ones)))

    def filled(descriptor: Exp, default: Exp) -> Exp:
        function = build.function(
            (Base.BOOL, Base.INT), lambda there, x: conditional(there, x, default, span), span
        )
        return build.bind(op(p.ZIP_WITH, function, exists, change(descriptor), span=span))

    behind = nv.items_of_vector(build, elements, span)
    found = [filled(places, behind), *[filled(n, first) for n, first in zip(extents, firsts, strict=True)]]
    first = nv.ravelled(build, nv.first_item(build, exp, span), span)
    fills = _with_fills(build, first, span)
    return nest((*found, build.bind(nv.joined(build, [elements, fills], span))), span)


def _with_fills(build: Builder, exp: Exp, span: Span) -> Exp:
    """An array of that structure, whose elements are fills."""
    if nv.is_nested(exp):
        *descriptor, elements = nv.parts_of(build, exp)
        return nest((*descriptor, build.bind(_with_fills(build, elements, span))), span)
    if isinstance(exp.ty, Records):
        columns = [build.bind(_with_fills(build, c, span)) for c in nv.columns_of(build, exp)]
        return table(tuple(columns), None, span)
    extents = vec((nv.size_of(build, exp, span),), Base.INT, span)
    return op(p.RESHAPE, extents, build.fill(base_of(exp), span), span=span)
