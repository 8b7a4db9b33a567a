"""Tables: arrays whose fields lie along an axis, each with elements of a type of its own.

A table is made of records by `↑`, and of vectors side by side by `↑`, `,` and `⍪`. It is taken apart by `↓`,
and by indices along the axis of fields, which must be constants. Where its fields have one type it is a plain
array (`settled`).
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.apl_front.building.axes import axis_number, constant_axis
from aplc.apl_front.building.builder import (
    Builder,
    base_of,
    counted,
    enclosed,
    int_constant,
    is_enclosed,
    join_bases,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.building.closed import array_of
from aplc.apl_front.functions import indexing, nested, numeric, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions import table as functions
from aplc.apl_front.functions.structure import to_integers
from aplc.apl_front.records import columns as record_columns
from aplc.apl_front.records import searches as record_searches
from aplc.tail import prims as p
from aplc.tail.errors import Unsupported, compile_error, unsupported
from aplc.tail.parts import table
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Op, Vec, literal, op, product, vec
from aplc.tail.types import Base, Tuple


def settled(build: Builder, columns: Sequence[Exp], axis: int, span: Span) -> Exp:
    """A table of these columns; where they have one type, the array that it is, and else a strand of scalars,
    which are no columns but items.
    """
    bound = [build.bind(c) for c in columns]
    simple = [c for c in bound if not isinstance(c.ty, Tuple)]
    alike = len(simple) == len(bound) and join_bases([base_of(c) for c in simple]) is not None
    if not simple and not any(rv.is_records(c) for c in bound):
        alike = nv.fitted(build, bound) is not None
    if not alike:
        made = table(tuple(bound), axis, span)
        return made if nv.axes_of(made) > 1 else record_columns.first(build, made, span)
    if len(bound) == 1:
        return _with_axis(build, bound[0], axis, span)
    between = literal(axis - 0.5 + build.index_origin, span)
    whole = build.bind(_joined(build, bound[0], bound[1], between, span))
    for column in bound[2:]:
        more = build.bind(_with_axis(build, column, axis, span))
        whole = build.bind(_joined(build, whole, more, literal(axis + build.index_origin, span), span))
    return whole


def _joined(build: Builder, left: Exp, right: Exp, axis: Exp, span: Span) -> Exp:
    if isinstance(left.ty, Tuple):
        return nested.catenate(build, left, right, ",", span, axis)
    return functions.dyadic(build, ",", left, right, span, axis)


def _with_axis(build: Builder, exp: Exp, axis: int, span: Span) -> Exp:
    """An array with one more axis, of extent 1."""

    def reshaped(part: Exp) -> Exp:
        extents = nv.extents_of(build, part, span)
        shape = vec((*extents[:axis], literal(1, span), *extents[axis:]), Base.INT, span)
        return build.bind(op(p.RESHAPE, shape, part, span=span))

    return nv.arranged(build, exp, reshaped, span) if nv.is_nested(exp) else reshaped(exp)


def side_by_side(build: Builder, right: Exp, span: Span) -> Exp:
    """`↑` of a strand: of records, or of vectors of different kinds, which are rows of a table then."""
    made = rv.as_records(build, right, span)
    if made is not None:
        made = build.bind(made)
        return settled(build, nv.columns_of(build, made), rv.type_of(made).rank.const, span)
    if not tuples.is_tuple(right) or is_enclosed(right.ty):
        raise record_columns.refused("↑", None, right, span)
    rows = [vector(build, item, "↑", right, span) for item in tuples.items_of(build, build.bind(right))]
    return settled(build, of_one_length(build, rows, "↑", span), 0, span)


def of_rows(build: Builder, rows: Sequence[Sequence[Exp]], refusal: Unsupported, span: Span) -> Exp:
    """The matrix of items in rows: a table whose columns, or whose rows, have types of their own. Raises the
    refusal where neither have.
    """
    mark = build.mark()
    made = rv.as_records(build, product(tuple([product(tuple(row), span) for row in rows]), span), span)
    if made is not None:
        return settled(build, nv.columns_of(build, build.bind(made)), 1, span)
    build.undo(mark)
    vectors = []
    for row in rows:
        whole = tuples.as_simple(build, product(tuple(row), span))
        made = rv.as_nested(build, whole, span) or rv.as_records(build, whole, span)
        if made is None and not isinstance(whole.ty, Tuple):
            made = whole
        if made is None:
            raise refusal
        vectors.append(build.bind(made))
    return settled(build, vectors, 0, span)


def reshaped(build: Builder, left: Exp, right: Exp, refusal: Unsupported, span: Span) -> Exp:
    """`⍴` of a strand of unlike items, to extents that are known. Raises the refusal for any others."""
    shape = constants(build, to_integers(build, left, "⍴"))
    items = tuples.items_of(build, build.bind(right))
    if shape is None or any(n < 1 for n in shape) or not 1 <= len(shape) <= 2:
        raise refusal
    count = shape[0] * (shape[1] if len(shape) == 2 else 1)
    if count > tuples.MAX_COMPONENTS:
        raise refusal
    repeated = [items[k % len(items)] for k in range(count)]
    if len(shape) == 1:
        return product(tuple(repeated), span)
    width = shape[1]
    return of_rows(build, [repeated[k : k + width] for k in range(0, count, width)], refusal, span)


def vector(build: Builder, exp: Exp, symbol: str, whole: Exp, span: Span) -> Exp:
    """A column: a vector of simple scalars, of arrays, or of records."""
    if tuples.is_tuple(exp):
        made = rv.as_nested(build, exp, span) or rv.as_records(build, exp, span)
        if made is None:
            raise record_columns.refused(symbol, None, whole, span)
        exp = made
    if rv.is_table(exp) or nv.axes_of(exp) != 1:
        raise record_columns.refused(symbol, None, whole, span)
    return build.bind(exp)


def of_one_length(build: Builder, columns: list[Exp], symbol: str, span: Span) -> list[Exp]:
    """Columns, of which all have the extents of the first."""
    like = nv.frame_of(build, columns[0])
    same = [columns[0]]
    for column in columns[1:]:
        known = length_of(like), length_of(nv.frame_of(build, column))
        if None not in known and known[0] == known[1]:
            same.append(column)
            continue
        same.append(_alike(build, column, like, symbol, span))
    return same


def _alike(build: Builder, exp: Exp, like: Exp, symbol: str, span: Span) -> Exp:
    """An array whose extents must be those of another; LENGTH ERROR if they are not."""
    if rv.is_records(exp):
        columns = [_alike(build, c, like, symbol, span) for c in nv.columns_of(build, exp)]
        return table(tuple(columns), rv.type_of(exp).axis, span)

    def checked(part: Exp) -> Exp:
        return build.bind(op(p.ALIKE, part, like, symbol=symbol, span=span))

    return nv.arranged(build, exp, checked, span) if nv.is_nested(exp) else checked(exp)


def of_table(build: Builder, symbol: str, exp: Exp, span: Span, axis: Exp | None) -> Exp:
    """A monadic function of a table."""
    columns, place = nv.columns_of(build, exp), rv.type_of(exp).axis
    assert place is not None
    axes = nv.axes_of(exp)
    match symbol:
        case "⍉" if axis is None:
            return record_columns.by_column(build, symbol, None, exp, span, None, axes - 1 - place)
        case "⌽" | "⊖":
            at = 0 if symbol == "⊖" else axes - 1
            at = at if axis is None else constant_axis(build, axis, axes, symbol, span)
            if at == place:
                return table(columns[::-1], place, span)
            number = literal(at - (at > place) + build.index_origin, span)
            return record_columns.by_column(build, "⌽", None, exp, span, number, place)
        case "↓":
            at = axes - 1 if axis is None else constant_axis(build, axis, axes, symbol, span)
            if at == place:
                return table(columns, None, span)
            if axes == 2:
                return product(columns, span)
        case "≢" | "⍴":
            shape = functions.monadic(build, "⍴", nv.frame_of(build, exp), span, None)
            extents: list[Exp] = [
                op(p.PICK, literal(k + 1, span), build.bind(shape), span=span) for k in range(axes - 1)
            ]
            extents.insert(place, literal(len(columns), span))
            return extents[0] if symbol == "≢" else vec(tuple(extents), Base.INT, span)
        case "≡":
            return literal(tuples.depth_of(exp.ty), span)
        case "⊢" | "⊣" | "⌷" | "⍪":
            return exp
        case "⊂" if axis is None:
            return enclosed(exp, span)
        case "⊃":
            return record_columns.first(build, columns[0], span)
        case "⍕":
            return numeric.format_value(build, exp, span)
        case "⍋" | "⍒" if place == axes - 1:
            return record_searches.grade(build, symbol, table(columns, None, span), span)
        case "∪" | "≠" if place == axes - 1:
            made = record_searches.unique(build, symbol, table(columns, None, span), span)
            return table(nv.columns_of(build, made), place, span) if symbol == "∪" else made
        case _:
            pass
    raise record_columns.refused(symbol, None, exp, span)


def arranged_table(build: Builder, symbol: str, left: Exp, exp: Exp, span: Span, axis: Exp | None) -> Exp:
    """A dyadic function of a table, along other axes than that of fields, or along that with constants."""
    axes = nv.axes_of(exp)
    if symbol in "↑↓" and axis is None:
        counts = tuples.items_of(build, build.bind(to_integers(build, left, symbol)))
        if len(counts) > axes:
            raise compile_error(
                "LENGTH ERROR", f"{symbol} needs at most {counted(axes, 'count', 'counts')}", span
            )
        for at, count in enumerate(counts):
            number = literal(at + build.index_origin, span)
            exp = build.bind(_along(build, symbol, count, exp, at, number, span))
        return exp
    if symbol not in "⌽⊖/⌿\\⍀↑↓":
        if symbol == "⌷" and axis is None:
            given = list(tuples.items_of(build, build.bind(left)))
            return bracket(build, exp, [*given, *[None] * (axes - len(given))], span)
        raise record_columns.refused(symbol, left, exp, span)
    at = 0 if symbol in "⊖⌿⍀" else axes - 1
    at = at if axis is None else constant_axis(build, axis, axes, symbol, span)
    return _along(build, symbol, build.bind(left), exp, at, literal(at + build.index_origin, span), span)


def _along(build: Builder, symbol: str, left: Exp, exp: Exp, at: int, number: Exp, span: Span) -> Exp:
    """A function along one axis of a table, or of the array that it has become."""
    if not rv.is_table(exp):
        return record_columns.applied(build, symbol, left, exp, span, number)
    columns, place = nv.columns_of(build, exp), rv.type_of(exp).axis
    assert place is not None
    if at != place:
        number = literal(at - (at > place) + build.index_origin, span)
        return record_columns.by_column(build, symbol, left, exp, span, number, place)
    places: Exp = vec(tuple([literal(k, span) for k in range(len(columns))]), Base.INT, span)
    chosen = build.definition(build.bind(functions.dyadic(build, symbol, left, places, span, None)))
    numbers = constants(build, chosen)
    if numbers is None or not numbers or (symbol == "↑" and abs(int_constant(left) or 0) > len(columns)):
        raise unsupported(
            f"{symbol} along the fields of {plain_type(exp)}", span, "index them with constants"
        )
    return settled(build, [columns[k] for k in numbers], place, span)


def constants(build: Builder, exp: Exp) -> list[int] | None:
    """The whole numbers that a scalar or a vector is known to have."""
    value = array_of(build, exp)
    if value is None:
        return None
    numbers = value.reshape(-1).tolist()
    return [int(k) for k in numbers] if all(k == int(k) for k in numbers) else None


def bracket(build: Builder, exp: Exp, given: list[Exp | None], span: Span) -> Exp:
    """`a[i;j]` of records or a table."""
    axes = nv.axes_of(exp)
    if len(given) != axes:
        raise indexing.wrong_count(plain_type(exp), axes, len(given), span)
    fixed = [None if g is None else build.bind(g) for g in given]
    columns, place = nv.columns_of(build, exp), rv.type_of(exp).axis
    if place is None:
        return table(
            tuple([build.bind(record_columns.at_indices(build, c, fixed, span)) for c in columns]), None, span
        )
    chosen, is_one = fields(build, exp, fixed.pop(place), span)
    parts = [build.bind(record_columns.at_indices(build, columns[k], fixed, span)) for k in chosen]
    if is_one:
        return parts[0]
    before = [1 if g is None else nv.axes_of(g) for g in fixed[:place]]
    if all((not isinstance(c.ty, Tuple) and rank(c) == 0) or _is_scalar(c) for c in parts):
        return tuples.as_simple(build, product(tuple([_disclosed(build, c, span) for c in parts]), span))
    return settled(build, parts, sum(before), span)


def _is_scalar(exp: Exp) -> bool:
    return rv.is_many(exp) and nv.axes_of(exp) == 0


def _disclosed(build: Builder, exp: Exp, span: Span) -> Exp:
    """What a scalar holds."""
    if nv.is_nested(exp):
        return build.bind(nv.item_at(build, exp, literal(1, span), span))
    return build.bind(rv.item_at(build, exp, literal(1, span), span)) if rv.is_records(exp) else exp


def fields(build: Builder, exp: Exp, index: Exp | None, span: Span) -> tuple[list[int], bool]:
    """Which fields an index along their axis names, from 0, and whether it is a scalar."""
    count = len(rv.type_of(exp).items)
    if index is None:
        return list(range(count)), False
    known = None if isinstance(index.ty, Tuple) or rank(index) > 1 else constants(build, index)
    if known is None:
        what = f"an index of the fields of {plain_type(exp)} that only the run knows"
        raise unsupported(what, index.span or span, "its columns differ in type: name them with constants")
    chosen = [k - build.index_origin for k in known]
    for k in chosen:
        if not 0 <= k < count:
            message = f"there is no field {k + build.index_origin}, the table has {count}"
            raise compile_error("INDEX ERROR", message, index.span or span)
    return chosen, rank(index) == 0


def table_joined(build: Builder, symbol: str, left: Exp, right: Exp, span: Span, axis: Exp | None) -> Exp:
    """Columns beside columns, or rows below rows."""
    axes = max(_axes(left), _axes(right))
    number = float(0 if symbol == "⍪" else axes - 1)
    if axis is not None:
        number = axis_number(axis, symbol, span) - build.index_origin
    if not number.is_integer():
        place = int(number + 1)
        if not 0 <= place <= 1 or axes != 1 or _axes(left) != _axes(right):
            raise record_columns.refused(symbol, left, right, span)
        if all(tuples.is_tuple(a) for a in (left, right)):
            pairs = [tuples.items_of(build, a) for a in (left, right)]
            if len(pairs[0]) != len(pairs[1]):
                message = f"{symbol} needs equal lengths, got {len(pairs[0])} and {len(pairs[1])}"
                raise compile_error("LENGTH ERROR", message, span)
            rows = pairs if place == 0 else [*zip(*pairs, strict=True)]
            return of_rows(build, rows, record_columns.refused(symbol, left, right, span), span)
        sides = [vector(build, a, symbol, a, span) for a in (left, right)]
        return settled(build, of_one_length(build, sides, symbol, span), place, span)
    at = int(number)
    tables = [a for a in (left, right) if rv.is_table(a)]
    if tables and rv.type_of(tables[0]).axis != at:
        return _rows_below(build, symbol, left, right, tables[0], at, span)
    if axes != 2 or not 0 <= at <= 1:
        raise record_columns.refused(symbol, left, right, span)
    columns = [_columns(build, a, at, symbol, span) for a in (left, right)]
    return settled(build, of_one_length(build, columns[0] + columns[1], symbol, span), at, span)


def _axes(exp: Exp) -> int:
    if tuples.is_tuple(exp):
        return 0 if is_enclosed(exp.ty) else 1
    return nv.axes_of(exp)


def _columns(build: Builder, exp: Exp, at: int, symbol: str, span: Span) -> list[Exp]:
    """The columns along an axis of a side of a catenation, each a vector."""
    if rv.is_table(exp):
        return list(nv.columns_of(build, exp))
    if _axes(exp) == 1:
        return [vector(build, exp, symbol, exp, span)]
    if _axes(exp) == 2 and not tuples.is_tuple(exp):
        count = _known_extent(build, nv.frame_of(build, exp), at)
        if count is not None:
            fixed: list[Exp | None] = [None, None]
            parts = []
            for k in range(count):
                fixed[at] = literal(k + build.index_origin, span)
                parts.append(build.bind(indexing.bracket(build, exp, list(fixed), span)))
            return parts
    raise unsupported(
        f"{symbol} of {plain_type(exp)} beside columns of another kind",
        span,
        "a table needs a number of columns that is known: vectors, or ⍪ of one",
    )


def _known_extent(build: Builder, exp: Exp, axis: int) -> int | None:
    """The extent of a simple array along an axis, where the way it was made tells it."""
    made = build.definition(exp)
    if isinstance(made, Op) and made.prim is p.RESHAPE and isinstance(made.args[0], Vec):
        return int_constant(made.args[0].items[axis])
    return None


def _rows_below(build: Builder, symbol: str, left: Exp, right: Exp, like: Exp, at: int, span: Span) -> Exp:
    """Tables of the same fields one behind the other, or one and a row for it."""
    ty = rv.type_of(like)
    sides = []
    for side in (left, right):
        if rv.is_table(side):
            sides.append(nv.columns_of(build, side))
        elif tuples.is_tuple(side) and not is_enclosed(side.ty):
            sides.append(tuple([enclosed(i, span) for i in tuples.items_of(build, build.bind(side))]))
        else:
            raise record_columns.refused(symbol, left, right, span)
    if len(sides[0]) != len(sides[1]):
        message = f"{symbol} needs as many fields on both sides, got {len(sides[0])} and {len(sides[1])}"
        raise compile_error("LENGTH ERROR", message, span)
    assert ty.axis is not None
    number = literal(at - (at > ty.axis) + build.index_origin, span)
    joined = []
    for k, (a, b) in enumerate(zip(*sides, strict=True)):
        try:
            joined.append(build.bind(_behind(build, a, b, number, span)))
        except Unsupported:
            what = f"{symbol} of {plain_type(a)} and {plain_type(b)} in one column, {k + build.index_origin},"
            raise unsupported(what, span, "make text of its numbers with ⍕¨") from None
    return table(tuple(joined), ty.axis, span)


def _behind(build: Builder, left: Exp, right: Exp, axis: Exp, span: Span) -> Exp:
    """A column behind a column."""
    if any(rv.is_records(a) for a in (left, right)):
        both = rv.fitted(build, left, right, span)
        if both is None:
            raise record_columns.refused(",", left, right, span)
        return record_columns.rows_joined(build, ",", *both, span)
    if any(isinstance(a.ty, Tuple) for a in (left, right)):
        if not all(isinstance(a.ty, Tuple) for a in (left, right)):
            raise record_columns.refused(",", left, right, span)
        return nested.catenate(build, left, right, ",", span, axis)
    return functions.dyadic(build, ",", left, right, span, axis)
