"""Arrays of records while elaborating: how they are made of columns, of strands and of items.

See Note [Records] in `aplc.tail.types`. A strand of strands is a tuple as long as nothing asks for more
(`tuples`); where its items have fields of the same types it can become an array of records. A field that is
a simple scalar in one record and a vector in another is a vector in all.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.apl_front.building.builder import Builder, is_enclosed, join_bases, plain_type, rank
from aplc.apl_front.functions import nested_values as nv
from aplc.tail import prims as p
from aplc.tail.errors import unsupported
from aplc.tail.parts import table
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, TupleExp, literal, nest, op, product, vec
from aplc.tail.types import (
    UNIT,
    Array,
    Base,
    Func,
    Nested,
    Records,
    Rho,
    Tuple,
    Type,
    generalise,
    known_length,
    nested,
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


def columns_of(build: Builder, exp: Exp) -> tuple[Exp, ...]:
    """The arrays of the fields."""
    opened = build.bind(exp)
    assert isinstance(opened, TupleExp) and is_records(exp)
    return opened.items


def frame_of(build: Builder, exp: Exp) -> Exp:
    """A simple array that has the shape of an array of arrays, or of records, or of the fields of a table."""
    if nv.is_nested(exp):
        return nv.parts_of(build, exp)[0]
    return frame_of(build, columns_of(build, exp)[0]) if is_records(exp) else exp


def axes_of(exp: Exp) -> int:
    """The rank of any array."""
    if is_records(exp):
        return type_of(exp).rank.const + is_table(exp)
    return nv.axes_of(exp) if nv.is_nested(exp) else rank(exp)


# --- types ----------------------------------------------------------------------------------------------


def record_type(ty: Type) -> Records | None:
    """The type as which a strand becomes an array of records; None where it cannot."""
    if isinstance(ty, Records):
        return ty
    if isinstance(ty, Nested) or not isinstance(ty, Tuple) or not ty.items:
        return None
    is_scalar = is_enclosed(ty)
    rows = [_row(item) for item in (ty.items[:1] if is_scalar else ty.items)]
    fields = rows[0]
    for row in rows[1:]:
        fields = None if fields is None or row is None else wider_fields(fields, row)
    return None if fields is None else records(fields, 0 if is_scalar else 1)


def _row(ty: Type) -> tuple[Type, ...] | None:
    """The types of the fields of a record."""
    if isinstance(ty, Nested | Records) or not isinstance(ty, Tuple) or is_enclosed(ty) or not ty.items:
        return None
    fields = [_field(item) for item in ty.items]
    known = tuple([field for field in fields if field is not None])
    return known if len(known) == len(fields) else None


def _field(ty: Type) -> Type | None:
    if isinstance(ty, Nested):
        return ty
    if isinstance(ty, Records | Func):
        return None
    if isinstance(ty, Tuple):
        made = nv.nested_type(ty)
        if made is not None:
            return made
        row = _row(ty)
        return None if row is None else Tuple(row)
    return generalise(ty)


def wider_fields(left: tuple[Type, ...], right: tuple[Type, ...]) -> tuple[Type, ...] | None:
    """The least types of fields that those of two records convert to."""
    if len(left) != len(right):
        return None
    both = [wider_field(a, b) for a, b in zip(left, right, strict=True)]
    known = tuple([field for field in both if field is not None])
    return known if len(known) == len(both) else None


def wider_field(left: Type, right: Type) -> Type | None:
    """The least type of a field that both convert to; a scalar beside a vector becomes one of one element."""
    if left == right:
        return left
    match left, right:
        case (Array(), Array()):
            assert isinstance(left.base, Base) and isinstance(right.base, Base)
            base = join_bases([left.base, right.base])
            ranks = {left.rank, right.rank}
            if base is None or (len(ranks) > 1 and ranks != {Rho(0), Rho(1)}):
                return None
            return Array(base, max(left.rank, right.rank, key=lambda r: r.const))
        case (Array() | Nested(), Array() | Nested()):
            return nv.wider_item(left, right)
        case (Nested() | Records() | Array(), _) | (_, Nested() | Records() | Array()):
            return None
        case (Tuple(), Tuple()):
            fields = wider_fields(left.items, right.items)
            return None if fields is None else Tuple(fields)
        case _:
            return None


def wider(left: Type, right: Type) -> Records | None:
    """The least type of arrays of records that both convert to."""
    if known_length(right) == Rho(0) or right == UNIT:
        return found if (found := record_type(left)) is not None and found.rank == Rho(1) else None
    if known_length(left) == Rho(0) or left == UNIT:
        return wider(right, left)
    first, second = record_type(left), record_type(right)
    if first is None or second is None or first.rank != second.rank or first.axis != second.axis:
        return None
    fields = wider_fields(first.fields, second.fields)
    return None if fields is None else records(fields, first.rank, first.axis)


def grown(before: Type, after: Type) -> Records | None:
    """The type of arrays of records that a value is of all along which is one of these first, and then the
    other. None where there is none.
    """
    if before == after or not isinstance(after, Tuple) or (then := record_type(after)) is None:
        return None
    if known_length(before) == Rho(0) or before == UNIT:
        return then if then.rank == Rho(1) else None
    first = record_type(before)
    if first is not None and first.rank == Rho(0) and then.rank == Rho(1):
        first = records(first.fields, 1)  # a scalar, which becomes longer, is a vector from the beginning
    return None if first is None else wider(first, then)


# --- construction ---------------------------------------------------------------------------------------


def as_records(build: Builder, exp: Exp, span: Span | None) -> Exp | None:
    """A value as an array of records; None where its items are no records with the same fields."""
    ty = record_type(exp.ty)
    return None if ty is None else converted(build, exp, ty, span)


def required(build: Builder, exp: Exp, symbol: str, span: Span) -> Exp:
    """A value as an array of arrays, or of records, that may be used any number of times. `Unsupported` where
    its items are neither.
    """
    made = exp if is_records(exp) else nv.as_nested(build, exp, span)
    made = made or as_records(build, exp, span)
    if made is None:
        raise unsupported(f"{symbol} of {plain_type(exp)} and arrays", span)
    return build.bind(made)


def converted(build: Builder, exp: Exp, ty: Records, span: Span | None) -> Exp:
    """A value as an array of records of a type that is known to hold it."""
    if exp.ty == ty:
        return exp
    if known_length(exp.ty) == Rho(0) or exp.ty == UNIT:
        return no_records(build, ty, span)
    if is_records(exp):
        if type_of(exp).rank.const < ty.rank.const:
            exp = build.bind(ravelled(build, exp, span))
        columns = zip(columns_of(build, exp), ty.items, strict=True)
        return table(tuple([build.bind(_as_column(build, c, t, span)) for c, t in columns]), ty.axis, span)
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
    if isinstance(field, Tuple) and not isinstance(field, Nested):
        whole = product((items[0], product(())) if is_scalar else tuple(items), span)
        return converted(build, whole, records(field.items, 0 if is_scalar else 1), span)
    own = [build.bind(_as_field(build, item, field, span)) for item in items]
    if is_scalar:
        return nv.enclosed_item(build, own[0], span)
    made = nv.of_items(build, own, span)
    assert made is not None, (field, [item.ty for item in items])
    return made


def _as_field(build: Builder, item: Exp, field: Type, span: Span | None) -> Exp:
    """An array, or an array of arrays, as a field of that type."""
    if isinstance(field, Nested):
        return nv.converted(build, item, field, "a strand", span)
    assert isinstance(field, Array) and isinstance(field.base, Base)
    if rank(item) < field.rank.const:
        item = nv.flat(item, span)
    return build.coerce(item, field.base, "a strand", span)


def _as_column(build: Builder, exp: Exp, ty: Type, span: Span | None) -> Exp:
    """The array of a field with the types of another one."""
    if exp.ty == ty:
        return exp
    if isinstance(ty, Records):
        return converted(build, exp, ty, span)
    if not isinstance(ty, Nested):
        assert isinstance(ty, Array) and isinstance(ty.base, Base)
        return build.coerce(exp, ty.base, "a strand", span)
    if nv.is_nested(exp):
        return nv.coerced(build, exp, nv.simple_base(ty), span)
    coerced = build.bind(build.coerce(exp, nv.simple_base(ty), "a strand", span))
    return of_elements(build, coerced, span)


def of_elements(build: Builder, simple: Exp, span: Span | None) -> Exp:
    """A simple array with each element as a vector of one."""
    numbers = op(p.IOTA, nv.size_of(build, simple, span), span=span)
    less = build.function((Base.INT,), lambda i: op(p.SUBI, i, literal(1, span), span=span), span)
    places: Exp = build.bind(build.each(less, numbers, span))
    one: Exp = build.bind(
        op(p.RESHAPE, op(p.SHAPE, nv.flat(simple, span), span=span), literal(1, span), span=span)
    )
    if rank(simple) != 1:
        shape = build.bind(op(p.SHAPE, simple, span=span)) if rank(simple) else vec((), Base.INT, span)
        places, one = [build.bind(op(p.RESHAPE, shape, part, span=span)) for part in (places, one)]
    return nest((places, one, build.bind(nv.flat(simple, span))), span)


def no_records(build: Builder, ty: Records, span: Span | None) -> Exp:
    """The vector of no records of a type."""
    made: list[Exp] = []
    for part in ty.items:
        if isinstance(part, Records):
            made.append(no_records(build, part, span))
        elif isinstance(part, Nested):
            made.append(nv.no_items(nested(part.item, 1), span))
        else:
            assert isinstance(part, Array) and isinstance(part.base, Base)
            made.append(vec((), part.base, span))
    return table(tuple(made), ty.axis, span)


def fitted(build: Builder, left: Exp, right: Exp, span: Span | None) -> tuple[Exp, Exp] | None:
    """Two arrays of records, of any ranks, with fields of the same types; None where they have none."""
    types = [record_type(exp.ty) for exp in (left, right)]
    if types[0] is None or types[1] is None:
        return None
    fields = wider_fields(types[0].fields, types[1].fields)
    if fields is None:
        return None
    first, second = [
        build.bind(converted(build, exp, records(fields, ty.rank, ty.axis), span))
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
    return product(tuple([build.bind(item_at(build, c, number, span)) for c in columns_of(build, exp)]), span)


def numbers(build: Builder, exp: Exp, span: Span | None) -> Exp:
    """1, 2, … in the shape of an array of arrays or records."""
    frame = build.bind(frame_of(build, exp))
    flat = op(p.IOTA, nv.size_of(build, frame, span), span=span)
    return flat if rank(frame) == 1 else op(p.RESHAPE, op(p.SHAPE, frame, span=span), flat, span=span)


def ravelled(build: Builder, exp: Exp, span: Span | None) -> Exp:
    """An array, of any items, as a vector."""
    return arranged(build, exp, lambda part: nv.ravelled(build, part, span), span)


def arranged(build: Builder, exp: Exp, change: Callable[[Exp], Exp], span: Span | None) -> Exp:
    """The array with all its columns changed in one way, which are arrays, of arrays or not."""
    if not is_records(exp):
        return build.bind(change(exp))
    columns = [build.bind(arranged(build, part, change, span)) for part in columns_of(build, exp)]
    return table(tuple(columns), type_of(exp).axis, span)


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
