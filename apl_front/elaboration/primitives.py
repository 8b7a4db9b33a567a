"""Primitive functions applied: to simple arrays, strands, arrays of arrays, and arrays of records."""

from __future__ import annotations

from aplc.apl_front.building.builder import UnknownRank, plain_type, rank
from aplc.apl_front.building.runs import is_runs
from aplc.apl_front.elaboration.in_apl import of_complex
from aplc.apl_front.functions import items, nested, polymorphic, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions import table as functions
from aplc.apl_front.functions.overloads import pervade
from aplc.apl_front.reading import tree
from aplc.apl_front.reading.scope import Scope
from aplc.apl_front.records import functions as records
from aplc.apl_front.records import operators as record_operators
from aplc.apl_front.records import runs, strand_searches
from aplc.apl_front.syntax.glyphs import SCALAR_FUNCTIONS
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail.errors import Unsupported, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp
from aplc.tail.types import Tuple


def apply(
    elab: Elaborating, node: tree.Primitive, scope: Scope, left: Exp | None, right: Exp, span: Span
) -> Exp:
    """A primitive function: pervasive or structural, perhaps along an axis."""
    symbol = node.symbol
    axis = None if node.axis is None else elab.array(node.axis, scope)
    elab.build.configure(scope)
    span = scope.placed(span)
    if symbol in SCALAR_FUNCTIONS and (symbol, left is None) not in (("~", False), ("≠", True)):
        if rv.is_records(right) or rv.is_records(left):
            return record_operators.each(elab.build, elab.operand(node, scope, symbol), left, right, span)
        return _scalar(elab, node, scope, left, right, axis, span)
    if is_runs(right.ty) or (left is not None and is_runs(left.ty)):
        return runs.primitive(elab.build, symbol, left, right, span, axis)
    if rv.is_records(right) or (rv.is_records(left) and not isinstance(right.ty, Tuple)):
        return records.primitive(elab.build, symbol, left, right, span, axis)
    mark = elab.build.mark()
    try:
        return _structural(elab, node, left, right, axis, span)
    except Unsupported as refusal:
        elab.build.undo(mark)
        try:
            return records.instead(elab.build, symbol, left, right, span, axis, refusal)
        except Unsupported:
            if axis is not None or left is None or not strand_searches.concerns(symbol, left, right):
                raise
    elab.build.undo(mark)
    return strand_searches.applied(elab.build, symbol, left, right, span)


def _scalar(
    elab: Elaborating,
    node: tree.Primitive,
    scope: Scope,
    left: Exp | None,
    right: Exp,
    axis: Exp | None,
    span: Span,
) -> Exp:
    """A scalar function."""
    build, symbol = elab.build, node.symbol
    if axis is not None and left is not None and nv.is_nested(left) | nv.is_nested(right):
        _require_one_rank(symbol, left, right, axis, span)
    many = axis is None and items.has_many(left, right)
    if many or nested.concerns(symbol, left, right, axis, is_scalar=True):
        return items.each(build, elab.operand(node, scope, symbol), left, right, span)
    if isinstance(right.ty, Tuple) or (left is not None and isinstance(left.ty, Tuple)):
        if axis is not None:
            raise tuples.refused(symbol, left, right, span)

        def once(a: Exp | None, b: Exp) -> Exp:
            return apply(elab, node, scope, a, b, span)

        return tuples.each(build, symbol, once, left, right, span)
    mark = build.mark()
    try:
        return pervade(build, symbol, left, right, span, axis)
    except UnknownRank:
        build.undo(mark)
    if axis is not None:
        raise unsupported(f"{symbol} with an axis, for every rank,", span)
    return polymorphic.scalar_function(build, symbol, left, right, span)


def _require_one_rank(symbol: str, left: Exp, right: Exp, axis: Exp, span: Span) -> None:
    """Arrays of arrays of one rank, or beside a scalar, need no axis; others have none."""
    ranks = [
        nv.axes_of(a)
        if nv.is_nested(a)
        else int(not tuples.is_scalar(a))
        if isinstance(a.ty, Tuple)
        else rank(a)
        for a in (left, right)
    ]
    if 0 not in ranks and ranks[0] != ranks[1]:
        what = f"{symbol} with an axis of {plain_type(left)} and {plain_type(right)}"
        raise unsupported(what, axis.span or span, "repeat one with ⍴")


def _structural(
    elab: Elaborating, node: tree.Primitive, left: Exp | None, right: Exp, axis: Exp | None, span: Span
) -> Exp:
    """Any other one."""
    build, symbol = elab.build, node.symbol
    if symbol == "⌹" and (value := of_complex(elab, left, right, span)) is not None:
        return value
    if nested.concerns(symbol, left, right, axis, is_scalar=False):
        return nested.primitive(build, symbol, left, right, span, axis)
    by_arrays = symbol == "⌷" and not isinstance(right.ty, Tuple)
    if isinstance(right.ty, Tuple) or (left is not None and isinstance(left.ty, Tuple) and not by_arrays):
        if axis is not None:
            raise tuples.refused(symbol, left, right, span)
        return nested.of_strands(build, symbol, left, right, span)
    mark = build.mark()
    try:
        if left is None:
            return functions.monadic(build, symbol, right, span, axis)
        return functions.dyadic(build, symbol, left, right, span, axis)
    except UnknownRank:
        build.undo(mark)
    if axis is not None:
        raise unsupported(f"{symbol} with an axis, for every rank,", span)
    return polymorphic.function(build, symbol, left, right, span)
