"""Assignments to records, `x[i]←⊂'ann' 31`, and to the elements of tables, `t[i;2]←31`: field by field."""

from __future__ import annotations

from aplc.apl_front.building.builder import Builder, enclosed, is_enclosed, plain_type
from aplc.apl_front.building.item_types import nested_type, record_type
from aplc.apl_front.elaboration import item_assignment
from aplc.apl_front.elaboration.updates import modified, updated
from aplc.apl_front.functions import indexing, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions.operators import Operand
from aplc.apl_front.records import columns as record_columns
from aplc.apl_front.records import tables
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail.errors import unsupported
from aplc.tail.parts import table
from aplc.tail.source import Span
from aplc.tail.syntax import Exp
from aplc.tail.types import Tuple

Given = list[Exp | None]


def needed(old: Exp) -> bool:
    """Whether an assignment is to records, or to a strand of them."""
    return rv.is_records(old) or (nested_type(old.ty) is None and record_type(old.ty) is not None)


def assigned(elab: Elaborating, old: Exp, given: Given, f: Operand | None, value: Exp, span: Span) -> Exp:
    """The array after `old[given]←value` or `old[given] f←value`."""
    build = elab.build
    made = rv.as_records(build, old, span)
    assert made is not None
    old = build.bind(made)
    if len(given) != nv.axes_of(old):
        raise indexing.wrong_count(plain_type(old), nv.axes_of(old), len(given), span)
    if rv.is_table(old):
        return _in_table(elab, old, given, f, value, span)
    if f is not None:
        current = build.bind(tables.bracket(build, old, list(given), span))
        value = build.bind(f.apply(current, value, span))
    both = rv.fitted(build, old, value, span)
    if both is None:
        what = f"← of {plain_type(value)} to records, which are {plain_type(old)},"
        raise unsupported(what, span, "enclose a record with ⊂")
    columns = [
        _in_column(elab, column, given, None, new, span)
        for column, new in zip(*[nv.columns_of(build, a) for a in both], strict=True)
    ]
    return table(tuple(columns), None, span)


def _in_table(elab: Elaborating, old: Exp, given: Given, f: Operand | None, value: Exp, span: Span) -> Exp:
    """A table with other elements at some indices, of which that along the axis of fields is constant."""
    build, columns, place = elab.build, list(nv.columns_of(elab.build, old)), rv.type_of(old).axis
    assert place is not None
    others = [*given[:place], *given[place + 1 :]]
    chosen, is_one = tables.fields(build, old, given[place], span)
    values = [value] if is_one else _shared(build, value, len(chosen), place, span)
    for k, new in zip(chosen, values, strict=True):
        columns[k] = _in_column(elab, columns[k], others, f, new, span)
    return table(tuple(columns), place, span)


def _shared(build: Builder, value: Exp, count: int, place: int, span: Span) -> list[Exp]:
    """The values for several fields: the columns of a table, the items of a strand, or one scalar for all."""
    if rv.is_table(value) and rv.type_of(value).axis == place and len(rv.type_of(value).items) == count:
        return list(nv.columns_of(build, value))
    if tuples.is_scalar(value):
        return [value] * count
    if tuples.is_tuple(value) and not is_enclosed(value.ty):
        items = tuples.items_of(build, value)
        if len(items) == count:
            return [build.bind(enclosed(item, span)) for item in items]
    raise unsupported(f"← of {plain_type(value)} to {count} fields of a table", span)


def _in_column(elab: Elaborating, old: Exp, given: Given, f: Operand | None, value: Exp, span: Span) -> Exp:
    """What holds a field, with other elements or items at some indices."""
    build = elab.build
    if rv.is_records(old):
        return build.bind(assigned(elab, old, given, f, value, span))
    if nv.is_nested(old):
        return build.bind(item_assignment.assigned(elab, old, given, f, value, span))
    if isinstance(value.ty, Tuple):
        raise record_columns.refused("←", value, old, span)
    if f is not None and f.is_pervasive():
        return build.bind(modified(elab, f, old, given, value, span))
    if f is not None:
        value = build.bind(f.apply(indexing.index(build, old, given, "[ ]", span), value, span))
    return build.bind(updated(elab, old, given, value, span))
