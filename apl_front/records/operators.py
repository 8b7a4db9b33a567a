"""`f¨` where an argument is an array of records or a table, or what `f` gives for an item is a record."""

from __future__ import annotations

from aplc.apl_front.building.builder import Builder, plain_type
from aplc.apl_front.functions import items
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions.operators import Operand
from aplc.apl_front.records import tables
from aplc.tail.errors import compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp
from aplc.tail.types import Tuple


def each(build: Builder, f: Operand, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`f¨b`, `a f¨b`: of records that are items, or of the elements of tables, field by field."""
    found = [a for a in (left, right) if a is not None and rv.is_table(a)]
    if not found:
        return items.each(build, f, left, right, span)
    axis, count = rv.type_of(found[0]).axis, len(rv.type_of(found[0]).items)
    assert axis is not None
    sides = []
    for side in (left, right):
        if side is None or not rv.is_table(side):
            if side is not None and not _is_single(side):
                raise unsupported(f"{f.text}¨ of {plain_type(side)} beside a table", span)
            sides.append([side] * count)
        elif rv.type_of(side).axis != axis or len(rv.type_of(side).items) != count:
            raise compile_error("LENGTH ERROR", f"{f.text}¨ needs tables of the same fields", span)
        else:
            sides.append(list(nv.columns_of(build, side)))
    columns = [each(build, f, a, b, span) for a, b in zip(*sides, strict=True) if b is not None]
    return tables.settled(build, columns, axis, span)


def folded(build: Builder, f: Operand, table: Exp, span: Span) -> Exp:
    """`f/` of a table along the axis of its fields: of the elements side by side, from the last on."""
    *before, result = nv.columns_of(build, table)
    for column in reversed(before):
        result = build.bind(items.each(build, f, column, result, span))
    return result


def _is_single(exp: Exp) -> bool:
    """Whether a value is a scalar, which belongs to all elements of a table."""
    if isinstance(exp.ty, Tuple) and not rv.is_many(exp):
        return len(exp.ty.items) == 2 and exp.ty.items[1] == Tuple()
    return nv.axes_of(exp) == 0
