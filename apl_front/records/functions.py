"""APL's functions on arrays of records, by their symbols, and what strands become records for them."""

from __future__ import annotations

from collections.abc import Sequence

from aplc.apl_front.building.builder import (
    Builder,
    counted,
    enclosed,
    int_constant,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.building.item_types import record_type
from aplc.apl_front.functions import cuts, indexing, nested, numeric, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions import table as functions
from aplc.apl_front.functions.structure import one_integer, to_integers
from aplc.apl_front.records import columns as record_columns
from aplc.apl_front.records import runs, tables
from aplc.apl_front.records import searches as record_searches
from aplc.apl_front.records.columns import ARRANGING
from aplc.tail import prims as p
from aplc.tail.errors import Unsupported, compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Vec, literal, op, product
from aplc.tail.types import Tuple


def concerns(symbol: str, left: Exp | None, right: Exp) -> bool:
    """Whether a function that is not scalar may be one of those here: of strands that no others take."""
    arguments = [a for a in (left, right) if a is not None]
    if any(record_type(a.ty) is not None for a in arguments if isinstance(a.ty, Tuple)):
        return True
    if left is None:
        return symbol in "↑⍪" and tuples.is_tuple(right)
    if symbol in "≡≢" and tuples.is_tuple(left) and tuples.is_tuple(right):
        return True
    return symbol in ",⍪" or (symbol in "⊃⍴" and tuples.is_tuple(right))


def instead(
    build: Builder,
    symbol: str,
    left: Exp | None,
    right: Exp,
    span: Span,
    axis: Exp | None,
    refusal: Unsupported,
) -> Exp:
    """What an application gives that is refused for other values, with strands as records, or as a table.
    Raises the refusal where they are none.
    """
    if not concerns(symbol, left, right):
        raise refusal
    try:
        return primitive(build, symbol, left, right, span, axis)
    except Unsupported as own:
        if symbol in ",⍪" and axis is None and left is not None:
            made = runs.joined(build, left, right, span)
            if made is not None:
                return made
        arguments = [a for a in (left, right) if a is not None and isinstance(a.ty, Tuple)]
        if any(record_type(a.ty) is not None for a in arguments):
            raise own from None
        raise refusal from None


def primitive(build: Builder, symbol: str, left: Exp | None, right: Exp, span: Span, axis: Exp | None) -> Exp:
    """A function that is not scalar, of records or what becomes records. Raises `Unsupported`."""
    if left is None:
        if symbol == "↑" and axis is None and not rv.is_records(right):
            return tables.side_by_side(build, right, span)
        if symbol == "⍪" and axis is None and _is_unlike(right):
            rows = [(item,) for item in tuples.items_of(build, build.bind(right))]
            return tables.of_rows(build, rows, record_columns.refused(symbol, None, right, span), span)
        return _monadic(build, symbol, _records(build, symbol, right, span), span, axis)
    if symbol in ",⍪":
        return _catenate(build, symbol, build.bind(left), build.bind(right), span, axis)
    if symbol == "⊃":
        return pick(build, left, right, span)
    if symbol == "⍴" and not isinstance(left.ty, Tuple) and _is_unlike(right):
        return tables.reshaped(build, left, right, record_columns.refused(symbol, None, right, span), span)
    if symbol in "⊂⊆" and not isinstance(left.ty, Tuple):
        exp = _records(build, symbol, right, span)
        if rv.is_table(exp):
            raise record_columns.refused(symbol, left, right, span)
        return (cuts.partition if symbol == "⊆" else cuts.cut)(build, left, exp, span, axis)
    if symbol == "⌷" and axis is None and isinstance(left.ty, Tuple):
        return _squad(build, left, right, span)
    if symbol in ARRANGING[2] and not isinstance(left.ty, Tuple):
        exp = _records(build, symbol, right, span)
        if rv.is_table(exp):
            return tables.arranged_table(build, symbol, left, exp, span, axis)
        return record_columns.by_column(build, symbol, build.bind(left), exp, span, axis)
    if axis is not None:
        raise record_columns.refused(symbol, left, right, span)
    return record_searches.compared(build, symbol, left, right, span)


def _is_unlike(exp: Exp) -> bool:
    """Whether a value is a strand of items that are no records of one type."""
    return tuples.is_tuple(exp) and not tuples.is_scalar(exp) and record_type(exp.ty) is None


def _squad(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`(⊂i)⌷a`, `i j⌷a`: an array of indices for each of the first axes."""
    made = _records(build, "⌷", right, span)
    given: list[Exp | None] = list(tuples.items_of(build, build.bind(left)))
    rest = nv.axes_of(made) - len(given)
    if rest < 0:
        most = counted(nv.axes_of(made), "index", "indices")
        message = f"⌷ needs at most {most} for {plain_type(made)}, got {len(given)}"
        raise compile_error("LENGTH ERROR", message, span)
    return tables.bracket(build, made, [*given, *[None] * rest], span)


def _records(build: Builder, symbol: str, exp: Exp, span: Span) -> Exp:
    """A value as records."""
    made = rv.as_records(build, exp, span)
    if made is None:
        raise record_columns.refused(symbol, None, exp, span)
    return build.bind(made)


def _monadic(build: Builder, symbol: str, exp: Exp, span: Span, axis: Exp | None) -> Exp:
    if rv.is_table(exp):
        return tables.of_table(build, symbol, exp, span, axis)
    if symbol in ARRANGING[1]:
        return record_columns.by_column(build, symbol, None, exp, span, axis)
    if symbol == "↓":
        return cuts.split(build, exp, span, axis)
    if symbol == "⊂" and axis is not None:
        return cuts.enclose_axes(build, axis, exp, span)
    if axis is not None:
        raise record_columns.refused(symbol, None, exp, span)
    match symbol:
        case "⊃":
            return record_columns.first(build, exp, span)
        case "↑":
            return tables.settled(build, nv.columns_of(build, exp), rv.type_of(exp).rank.const, span)
        case "≢" | "⍴":
            return functions.monadic(build, symbol, nv.frame_of(build, exp), span, None)
        case "≡":
            return literal(tuples.depth_of(exp.ty), span)
        case "⊢" | "⊣" | "⌷" | "⊆":
            return exp
        case "⊂":
            return enclosed(exp, span)
        case "⍕":
            return numeric.format_value(build, exp, span)
        case "⍋" | "⍒":
            return record_searches.grade(build, symbol, exp, span)
        case "∪" | "≠":
            return record_searches.unique(build, symbol, exp, span)
        case _:
            raise record_columns.refused(symbol, None, exp, span)


def pick(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`k⊃`: a record, and with further numbers, which must be constants, one of its fields and so on. Of a
    strand of vectors and scalars a vector.
    """
    if isinstance(left.ty, Tuple):
        raise record_columns.refused("⊃", left, right, span)
    path = build.bind(to_integers(build, left, "⊃"))
    count = 1 if rank(path) == 0 else length_of(path)
    if rank(path) == 1 and count is not None and count > 1:
        steps: Sequence[Exp] = [op(p.PICK, literal(k + 1, span), path, span=span) for k in range(count)]
        known = build.definition(path)
        if isinstance(known, Vec):
            steps = known.items
        value = right
        for step in steps:
            value = build.bind(_step(build, step, value, span))
        return value
    return _step(build, path, right, span)


def _step(build: Builder, at: Exp, exp: Exp, span: Span) -> Exp:
    """One step of `k⊃`."""
    if tuples.is_tuple(exp) and int_constant(at) is not None:
        return tuples.primitive(build, "⊃", at, exp, span)
    if not isinstance(exp.ty, Tuple):
        return functions.dyadic(build, "⊃", at, exp, span, None)
    made = exp if isinstance(exp.ty, Tuple) and not tuples.is_tuple(exp) else rv.as_nested(build, exp, span)
    made = made or rv.as_records(build, exp, span) or rv.with_vectors(build, exp, span)
    if made is None:
        what = f"⊃ of {plain_type(exp)} with an index that only the run knows"
        raise unsupported(what, span, "items that data chooses need one rank and kind, or fields that have")
    exp = build.bind(made)
    if nv.is_nested(exp):
        return nested.pick(build, at, exp, span)
    if nv.axes_of(exp) != 1:
        raise unsupported(f"⊃ of {plain_type(exp)}", span, "ravel it with ,")
    return record_columns.picked(build, build.bind(one_integer(build, at, "⊃", span)), exp, span)


def indexed(build: Builder, exp: Exp, given: list[Exp | None], span: Span) -> Exp:
    """`a[i;j]` of any array; a strand that data chooses from becomes an array of records, or of vectors."""
    if rv.is_records(exp):
        return tables.bracket(build, exp, given, span)
    mark = build.mark()
    try:
        return indexing.bracket(build, exp, given, span)
    except Unsupported:
        if rv.as_records(build, exp, span) is None and rv.with_vectors(build, exp, span) is None:
            raise
    build.undo(mark)
    made = rv.as_records(build, exp, span)
    if made is None:
        vectors = rv.with_vectors(build, exp, span)
        assert vectors is not None
        return indexing.bracket(build, build.bind(vectors), given, span)
    return tables.bracket(build, build.bind(made), given, span)


def _catenate(build: Builder, symbol: str, left: Exp, right: Exp, span: Span, axis: Exp | None) -> Exp:
    """`a,b`, `a⍪b`, `a,[k]b` where records or tables are made, or made longer."""
    is_one = symbol == "," and axis is None
    if is_one and (strand := _strand(build, left, right, span)) is not None:
        return strand
    if not any(rv.is_table(a) for a in (left, right)) and axis is None:
        both = _as_rows(build, left, right, span)
        if both is not None:
            return record_columns.rows_joined(build, symbol, *both, span)
    return tables.table_joined(build, symbol, left, right, span, axis)


def _strand(build: Builder, left: Exp, right: Exp, span: Span) -> Exp | None:
    """Characters, numbers, and enclosed items side by side, if it is known how many there are."""
    items: list[Exp] = []
    for side in (left, right):
        if rv.is_many(side) and nv.axes_of(side) == 0:
            items.append(build.bind(rv.item_at(build, side, literal(1, span), span)))
        elif isinstance(side.ty, Tuple) or (rank(side) > 0 and length_of(side) is None):
            return None
        else:
            items += tuples.items_of(build, side)
    return product(tuple(items), span)


def _as_rows(build: Builder, left: Exp, right: Exp, span: Span) -> tuple[Exp, Exp] | None:
    """Both sides as records with fields of the same types; None where they are no records."""
    for one, other in ((left, right), (right, left)):
        if not isinstance(one.ty, Tuple) and length_of(one) == 0 and record_type(other.ty) is not None:
            made = build.bind(_records(build, ",", other, span))
            none = build.bind(nv.nothing(rv.type_of(made), span))
            if nv.axes_of(made) == 0:
                made = build.bind(nv.ravelled(build, made, span))
            return (none, made) if one is left else (made, none)
    return rv.fitted(build, left, right, span)
