"""Reductions of items by functions that work element by element.

Such a reduction is one of a flat array: the items are the cells of it, and each element of the result is a
reduction of the elements at one place in all items. Their shapes are compared once, before anything is
computed.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.apl_front.building.axes import from_last, to_last
from aplc.apl_front.building.builder import Builder, enclosed, rank
from aplc.apl_front.building.item_types import simple_base, with_base
from aplc.apl_front.functions import cuts
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions.operators import Folding, Operand, folding, on_scalars
from aplc.tail import prims as p
from aplc.tail.errors import AplcError
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Fn, Op, PrimFn, Var, literal, op, vec, walk
from aplc.tail.types import Array, Base, scalar


def is_flat(build: Builder, f: Operand, exp: Exp) -> bool:
    """Whether a reduction of an array of arrays is one of a flat array: the function works element by
    element, and on both its arguments. The items that `⊣` and `{⍵}` choose among need not be alike.
    """
    if nv.axes_of(exp) == 0 or not isinstance(nv.type_of(exp).item, Array) or not f.is_pervasive():
        return False
    if f.symbol is not None:
        return f.symbol not in "⊢⊣"
    base = simple_base(nv.type_of(exp))
    try:
        function = on_scalars(build, f, (base, base), f.span).function
    except AplcError:  # which a fold of elements says better than one of items
        return True
    if not isinstance(function, Fn):
        return True
    used = {node.name for node in walk(function.body) if isinstance(node, Var)}
    return all(q.name in used for q in function.params)


def reduce(build: Builder, f: Operand, exp: Exp, span: Span, axis: int, symbol: str) -> Exp:
    """`f/` and `f⌿` of an array of arrays whose items have simple elements."""
    plan = folding(build, f, simple_base(nv.type_of(exp)), span)
    shown = f.text + symbol
    exp = build.bind(nv.coerced(build, exp, with_base(nv.type_of(exp), plan.base), span))
    if nv.axes_of(exp) == 1:
        return enclosed(_folded(build, plan, exp, shown, span), span)
    return _each_row(build, exp, axis, lambda row: _folded(build, plan, row, shown, span), shown, span)


def _folded(build: Builder, plan: Folding, vector: Exp, symbol: str, span: Span) -> Exp:
    """The reduction of a vector of items."""
    return plan.reduced(to_last(_stacked(build, vector, symbol, span), 0, span), symbol, span)


def _stacked(build: Builder, vector: Exp, symbol: str, span: Span) -> Exp:
    """The items of a vector as the cells of one array."""
    return build.bind(op(p.STACK, vector, symbol=symbol, span=span))


def _each_row(
    build: Builder, exp: Exp, axis: int, make: Callable[[Exp], Exp], symbol: str, span: Span
) -> Exp:
    """What a function gives for each vector of items along an axis."""
    moved = build.bind(nv.arranged(build, exp, lambda d: build.bind(to_last(d, axis, span)), span))
    *frame, count = nv.extents_of(build, moved, span)
    rows: Exp = literal(1, span)
    for extent in frame:
        rows = build.bind(op(p.MULI, rows, extent, span=span))
    table = vec((rows, count), Base.INT, span)
    flat = build.bind(
        nv.arranged(build, moved, lambda d: build.bind(op(p.RESHAPE, table, d, span=span)), span)
    )

    def on_row(number: Exp) -> Exp:
        first = op(p.MULI, op(p.SUBI, number, literal(1, span), span=span), count, span=span)
        start = build.bind(first)

        def row(descriptor: Exp) -> Exp:
            return build.bind(op(p.SLICE, start, count, nv.flat(descriptor, span), span=span))

        return make(nv.arranged(build, flat, row, span))

    function = build.function_on((scalar(Base.INT),), on_row, span)
    places = build.bind(op(p.IOTA, rows, span=span))
    made = build.bind(op(p.PIECES, function, places, symbol=symbol, span=span))
    if len(frame) == 1:
        return made
    shape = build.bind(vec(tuple(frame), Base.INT, span))
    return nv.arranged(build, made, lambda d: build.bind(op(p.RESHAPE, shape, d, span=span)), span)


def have_one_shape(build: Builder, exp: Exp) -> bool:
    """Whether the program tells that all items of a vector have one shape: each extent is one number."""

    def is_repeated(extent: Exp) -> bool:
        if not isinstance(extent, Op) or extent.prim is not p.RESHAPE:
            return False
        number = extent.args[1]
        return not isinstance(number, Fn | PrimFn) and rank(number) == 0

    return all(is_repeated(build.definition(n)) for n in nv.parts_of(build, exp)[1:-1])


def reduce_windows(build: Builder, f: Operand, size: Exp, exp: Exp, span: Span, symbol: str) -> Exp:
    """`n f/` of a vector of items of one shape: the reductions of all windows of n cells of one array."""
    plan = folding(build, f, simple_base(nv.type_of(exp)), span)
    shown = f.text + symbol
    n = build.bind(size)
    cells = _stacked(
        build, build.bind(nv.coerced(build, exp, with_base(nv.type_of(exp), plan.base), span)), shown, span
    )
    windows = plan.of_windows(n, to_last(cells, 0, span), shown, span)
    axes = [literal(k + 1 + build.index_origin, span) for k in range(nv.type_of(exp).item.rank.const)]
    return cuts.enclose_axes(
        build, vec(tuple(axes), Base.INT, span), build.bind(from_last(windows, 0, span)), span
    )
