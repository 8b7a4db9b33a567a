"""Operators along axes where an argument, or what the function gives, is an array of arrays: `f⍤k`, and folds
and scans of several axes.

The cells are enclosed: what is left is `f¨`, with `↑` behind it.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.apl_front.building.axes import from_last, to_last
from aplc.apl_front.building.builder import Builder, enclosed, plain_type, rank
from aplc.apl_front.elaboration.in_order import Ordered
from aplc.apl_front.functions import cuts, items, nested, structure
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions.operators import Operand
from aplc.apl_front.records import functions as records
from aplc.apl_front.typing.effects import Place
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail.errors import unsupported
from aplc.tail.parts import table
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal, vec
from aplc.tail.types import Base, Tuple


def applied(
    elab: Elaborating,
    f: Operand,
    places: tuple[Place, ...],
    ranks: tuple[int, int, int],
    left: Exp | None,
    right: Exp,
    span: Span,
) -> Exp:
    """`f⍤k`; with names of outside that the function changes, from the first cell to the last."""
    build = elab.build
    first, is_left_whole = (None, False) if left is None else _cells(build, left, ranks[1], f, span)
    last, is_right_whole = _cells(build, right, ranks[0] if left is None else ranks[2], f, span)

    def of_cells(a: Exp | None, b: Exp, at: Span) -> Exp:
        a = enclosed(a, at) if a is not None and is_left_whole else a
        return f.apply(a, enclosed(b, at) if is_right_whole else b, at)

    on_cell = replace(f, apply=of_cells, symbol=None)
    if places:
        result = Ordered(elab, on_cell, places, f"{f.text}⍤", span).each(first, last)
    else:
        result = items.each(build, on_cell, first, last, span)
    if not isinstance(result.ty, Tuple):
        return result
    result = build.bind(rv.required(build, result, f"{f.text}⍤", span))
    if not rv.is_records(result):
        return nested.mix(build, result, span)
    return records.primitive(build, "↑", None, result, span, None)


def _cells(build: Builder, exp: Exp, k: int, f: Operand, span: Span) -> tuple[Exp, bool]:
    """The cells of rank k, enclosed, and whether they are items that are enclosed already."""
    if rv.is_table(exp) and rv.type_of(exp).axis == 1 and k in (1, -1) and nv.axes_of(exp) == 2:
        return table(nv.columns_of(build, exp), None, span), False  # rows are records
    if isinstance(exp.ty, Tuple):
        made = rv.as_nested(build, exp, span)
        if made is None:
            raise unsupported(f"{f.text}⍤ of {plain_type(exp)}", span)
        exp = build.bind(made)
    axes = nv.axes_of(exp) if nv.is_nested(exp) else rank(exp)
    wanted = min(k, axes) if k >= 0 else max(0, axes + k)
    if wanted == 0:
        return exp, nv.is_nested(exp)
    inner = [literal(axis + build.index_origin, span) for axis in range(axes - wanted, axes)]
    return cuts.enclose_axes(build, vec(tuple(inner), Base.INT, span), exp, span), False


def along(
    elab: Elaborating,
    f: Operand,
    symbol: str,
    exp: Exp,
    span: Span,
    *,
    keeps_axis: bool = False,
    keeps_length: bool = False,
) -> Exp:
    """A fold or scan of each row, or each column, of an array of arrays, given what does it to a vector, and
    whether that is a vector again; also whether of the same length, which no row tells where there is none.
    """
    build = elab.build
    is_first = symbol in "⌿⍀"
    if is_first:
        exp = nv.arranged(build, exp, lambda d: build.bind(to_last(d, 0, span)), span)
    exp = build.bind(exp)
    result = build.bind(applied(elab, f, (), (1, 1, 1), None, exp, span))
    if not keeps_axis:
        return result
    shape = build.bind(nv.shape(build, exp, span)) if keeps_length else None

    def in_place(frame: Exp) -> Exp:
        shaped = frame if shape is None else build.bind(structure.reshape(build, shape, frame, span))
        return from_last(shaped, 0, span) if is_first else shaped

    if not nv.is_nested(result):
        return in_place(result)
    return nv.arranged(build, result, lambda d: build.bind(in_place(d)), span)
