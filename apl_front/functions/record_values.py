"""Arrays of records while elaborating, and how strands become such arrays, or arrays of arrays.

See Note [Records] in `aplc.tail.types`, and `item_types` for what becomes of which strand. A field that is a
simple scalar in one record and a vector in another is a vector in all.
"""

from __future__ import annotations

from aplc.apl_front.building.builder import Builder, is_enclosed, plain_type, rank
from aplc.apl_front.building.item_types import (
    groups_type,
    has_groups,
    nested_type,
    record_type,
    wider_fields,
)
from aplc.apl_front.functions import nested_values as nv
from aplc.tail import prims as p
from aplc.tail.errors import unsupported
from aplc.tail.parts import table
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, TupleExp, literal, op, product, vec
from aplc.tail.types import (
    UNIT,
    Array,
    Base,
    Nested,
    Records,
    Rho,
    Tuple,
    Type,
    known_length,
    records,
)


def is_records(exp: Exp | None) -> bool:
    """Whether a value is an array of records or a table."""
    return exp is not None and isinstance(exp.ty, Records)


def is_table(exp: Exp | None) -> bool:
    """Whether a value is a table: its elements are those of the fields."""
    return exp is not None and isinstance(exp.ty, Records) and exp.ty.axis is not None


def is_many(exp: Exp | None) -> bool:
    """Whether a value is an array of arrays, or of records that are its items."""
    return nv.is_nested(exp) or (is_records(exp) and not is_table(exp))


def type_of(exp: Exp) -> Records:
    """The type of an array of records."""
    assert isinstance(exp.ty, Records), exp.ty
    return exp.ty


# --- strands --------------------------------------------------------------------------------------------


class UnlikeItems(Exception):
    """The items of a strand have no type in common, so that no array of arrays holds it."""


def as_nested(build: Builder, exp: Exp, span: Span | None) -> Exp | None:
    """A value as an array of arrays; None where its items are no arrays of one type."""
    if nv.is_nested(exp):
        return exp
    return None if nested_type(exp.ty) is None else _of_strand(build, exp, span)


def as_groups(build: Builder, exp: Exp, like: Exp, span: Span | None) -> Exp:
    """A strand beside an array of groups of records as such an array, where it could become one; any other
    value as it is.
    """
    is_strand = isinstance(exp.ty, Tuple) and not isinstance(exp.ty, Nested | Records)
    if not is_strand or not has_groups(like.ty) or not has_groups(groups_type(exp.ty) or UNIT):
        return exp
    return build.bind(_of_strand(build, exp, span))


def _of_strand(build: Builder, exp: Exp, span: Span | None) -> Exp:
    """A strand that becomes an array of arrays. Raises `UnlikeItems` where it cannot."""
    opened = build.bind(exp)
    if not isinstance(opened, TupleExp):
        raise UnlikeItems(exp.ty)
    if is_enclosed(exp.ty):
        return nv.enclosed_item(build, _as_item(build, opened.items[0], span), span)
    made = nv.of_items(build, [_as_item(build, item, span) for item in opened.items], span)
    if made is None:
        raise UnlikeItems(exp.ty)
    return made


def _as_item(build: Builder, exp: Exp, span: Span | None) -> Exp:
    """A component of a strand as an item, where it is one."""
    if not isinstance(exp.ty, Tuple):
        return exp
    made = as_nested(build, exp, span) or as_records(build, exp, span)
    if made is None:
        raise UnlikeItems(exp.ty)
    return build.bind(made)


def items_of_one_rank(build: Builder, exp: Exp, span: Span | None) -> list[Exp]:
    """The items of a strand of simple arrays of several ranks, with as many axes each, the new ones in front;
    none of any other value.
    """
    if isinstance(exp.ty, Nested | Records) or not isinstance(exp.ty, Tuple):
        return []
    if is_enclosed(exp.ty) or not exp.ty.items:
        return []
    opened = build.bind(exp)
    assert isinstance(opened, TupleExp)
    if any(isinstance(item.ty, Tuple) for item in opened.items):
        return []
    axes = max(rank(item) for item in opened.items)
    items = []
    for item in opened.items:
        lacking = axes - rank(item)
        if lacking:
            shape = vec((*[literal(1, span)] * lacking, *nv.extents_of(build, item, span)), Base.INT, span)
            item = build.bind(op(p.RESHAPE, shape, item, span=span))
        items.append(item)
    return items


def to_nested(build: Builder, exp: Exp, ty: Nested, span: Span | None) -> Exp:
    """A value as an array of arrays of a type that holds it. Raises `UnlikeItems` where none does."""
    if exp.ty == ty:
        return exp
    if known_length(exp.ty) == Rho(0):
        build.discard(exp)
        return nv.nothing(ty, span)
    made = as_nested(build, exp, exp.span or span) or _of_strand(build, exp, exp.span or span)
    if nv.axes_of(made) < ty.rank.const:
        made = build.bind(nv.ravelled(build, made, span))
    return nv.coerced(build, made, ty, span)


def required_nested(build: Builder, exp: Exp, symbol: str, span: Span) -> Exp:
    """A value as an array of arrays that may be used any number of times. `Unsupported` where its items have
    no common type.
    """
    made = as_nested(build, exp, span)
    if made is None:
        raise unsupported(f"{symbol} of {plain_type(exp)} and arrays", span)
    return build.bind(made)


def as_records(build: Builder, exp: Exp, span: Span | None) -> Exp | None:
    """A value as an array of records; None where its items are no records with the same fields."""
    ty = record_type(exp.ty)
    return None if ty is None else to_records(build, exp, ty, span)


def required(build: Builder, exp: Exp, symbol: str, span: Span) -> Exp:
    """A value as an array of arrays, or of records, that may be used any number of times. `Unsupported` where
    its items are neither.
    """
    made = exp if is_records(exp) else as_nested(build, exp, span)
    made = made or as_records(build, exp, span)
    if made is None:
        raise unsupported(f"{symbol} of {plain_type(exp)} and arrays", span)
    return build.bind(made)


def to_records(build: Builder, exp: Exp, ty: Records, span: Span | None) -> Exp:
    """A value as an array of records of a type that is known to hold it."""
    if exp.ty == ty:
        return exp
    if known_length(exp.ty) == Rho(0) or exp.ty == UNIT:
        build.discard(exp)
        return nv.nothing(ty, span)
    if is_records(exp):
        if type_of(exp).rank.const < ty.rank.const:
            exp = build.bind(nv.ravelled(build, exp, span))
        return nv.coerced(build, exp, ty, span)
    opened = build.bind(exp)
    assert isinstance(opened, TupleExp)
    is_scalar = ty.rank == Rho(0)
    rows = [build.bind(row) for row in (opened.items[:1] if is_enclosed(exp.ty) else opened.items)]
    made = []
    for k, field in enumerate(ty.fields):
        items = []
        for row in rows:
            assert isinstance(row, TupleExp)
            items.append(row.items[k])
        made.append(build.bind(column(build, items, field, span, is_scalar=is_scalar)))
    return table(tuple(made), None, span)


def column(build: Builder, items: list[Exp], field: Type, span: Span | None, *, is_scalar: bool) -> Exp:
    """The array of a field of a type, given it for each record."""
    if isinstance(field, Array) and field.rank == Rho(0):
        assert isinstance(field.base, Base)
        elements = [build.coerce(item, field.base, "a strand", item.span) for item in items]
        return elements[0] if is_scalar else vec(tuple(elements), field.base, span)
    if isinstance(field, Tuple) and not isinstance(field, Nested | Records):
        whole = product((items[0], product(())) if is_scalar else tuple(items), span)
        return to_records(build, whole, records(field.items, 0 if is_scalar else 1), span)
    own = [build.bind(_as_field(build, item, field, span)) for item in items]
    if is_scalar:
        return nv.enclosed_item(build, own[0], span)
    made = nv.of_items(build, own, span)
    assert made is not None, (field, [item.ty for item in items])
    return made


def _as_field(build: Builder, item: Exp, field: Type, span: Span | None) -> Exp:
    """An array, of whatever, as a field of that type."""
    if isinstance(field, Nested):
        return to_nested(build, item, field, span)
    if isinstance(field, Records):
        return to_records(build, item, field, span)
    assert isinstance(field, Array) and isinstance(field.base, Base)
    if rank(item) < field.rank.const:
        item = nv.flat(item, span)
    return build.coerce(item, field.base, "a strand", span)


def fitted(build: Builder, left: Exp, right: Exp, span: Span | None) -> tuple[Exp, Exp] | None:
    """Two arrays of records, of any ranks, with fields of the same types; None where they have none."""
    types = [record_type(exp.ty) for exp in (left, right)]
    if types[0] is None or types[1] is None:
        return None
    fields = wider_fields(types[0].fields, types[1].fields)
    if fields is None:
        return None
    first, second = [
        build.bind(to_records(build, exp, records(fields, ty.rank, ty.axis), span))
        for exp, ty in zip((left, right), (types[0], types[1]), strict=True)
    ]
    return first, second


# --- items ----------------------------------------------------------------------------------------------


def item_at(build: Builder, exp: Exp, number: Exp, span: Span | None) -> Exp:
    """A record, or an item, by its number in row-major order, counted from 1, that there is."""
    if nv.is_nested(exp):
        return nv.item_at(build, exp, number, span)
    if not is_records(exp):
        return exp if rank(exp) == 0 else op(p.PICK, number, build.bind(nv.flat(exp, span)), span=span)
    return product(
        tuple([build.bind(item_at(build, c, number, span)) for c in nv.columns_of(build, exp)]), span
    )


def numbers(build: Builder, exp: Exp, span: Span | None) -> Exp:
    """1, 2, … in the shape of an array of arrays or records."""
    frame = build.bind(nv.frame_of(build, exp))
    flat = op(p.IOTA, nv.size_of(build, frame, span), span=span)
    return flat if rank(frame) == 1 else op(p.RESHAPE, op(p.SHAPE, frame, span=span), flat, span=span)


def with_vectors(build: Builder, exp: Exp, span: Span | None) -> Exp | None:
    """A strand of vectors and scalars of one kind as an array of vectors, those of scalars with one element;
    None for any other value.
    """
    if nv.is_nested(exp) or is_records(exp) or not isinstance(exp.ty, Tuple) or is_enclosed(exp.ty):
        return None
    opened = build.bind(exp)
    assert isinstance(opened, TupleExp)
    if any(isinstance(item.ty, Tuple) or rank(item) > 1 for item in opened.items):
        return None
    return nv.of_items(build, [build.bind(nv.flat(item, span)) for item in opened.items], span)
