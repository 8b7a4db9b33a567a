"""The types of arrays of arrays and of records: what strands become, and which types hold two others.

A strand of arrays, or of strands, is a tuple as long as nothing asks for more (`tuples`). Where its items are
arrays of one type it can become an array of arrays, where they are strands with fields of the same types an
array of records. Where it could become either, as a strand of strands of as many records each, it is one of
records, whose fields are records.
"""

from __future__ import annotations

from functools import lru_cache

from aplc.apl_front.building.builder import is_enclosed, join_bases
from aplc.tail.types import (
    UNIT,
    Array,
    Base,
    Func,
    ItemType,
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


def bottom(ty: Nested) -> Array | Records:
    """What the innermost items are."""
    item: ItemType = ty
    while isinstance(item, Nested):
        item = item.item
    return item


def simple_base(ty: Nested) -> Base:
    """The element type at the bottom, where no records are."""
    item = bottom(ty)
    assert isinstance(item, Array) and isinstance(item.base, Base), ty
    return item.base


def with_base(ty: Nested, base: Base) -> Nested:
    """The type with another element type at the bottom, where no records are."""
    item = ty.item
    assert not isinstance(item, Records), ty
    return nested(with_base(item, base) if isinstance(item, Nested) else Array(base, item.rank), ty.rank)


def nested_type(ty: Type) -> Nested | None:
    """The type as which a strand becomes an array of arrays; None where it cannot."""
    found = groups_type(ty)
    if found is None or isinstance(ty, Nested):
        return found
    return None if isinstance(found.item, Records) and record_type(ty) is not None else found


@lru_cache(maxsize=1024)
def groups_type(ty: Type) -> Nested | None:
    """The same, also for a strand that could as well become an array of records, whose fields are records."""
    if isinstance(ty, Nested):
        return ty
    if isinstance(ty, Records) or not isinstance(ty, Tuple) or not ty.items:
        return None
    common: ItemType | None = None
    for component in ty.items[:1] if is_enclosed(ty) else ty.items:
        item = _item(component)
        common = item if item is None or common is None else wider_item(common, item)
        if common is None:
            return None
    return None if common is None else nested(common, 0 if is_enclosed(ty) else 1)


def has_groups(ty: Type) -> bool:
    """Whether the items of an array are arrays of records."""
    return isinstance(ty, Nested) and isinstance(ty.item, Records)


def _item(ty: Type) -> ItemType | None:
    """The type that a component of a strand has as an item: a simple one has axes, and a table is none."""
    if not isinstance(ty, Tuple):
        assert not isinstance(ty, Func)
        simple = generalise(ty)
        return None if simple.rank == Rho(0) else simple
    found = nested_type(ty) or record_type(ty)
    return None if isinstance(found, Records) and found.axis is not None else found


def wider_item(left: ItemType, right: ItemType) -> ItemType | None:
    """The least type of items that both convert to."""
    if type(left) is not type(right) or left.rank != right.rank:
        return None
    match left, right:
        case (Nested(), Nested()):
            item = wider_item(left.item, right.item)
            return None if item is None else nested(item, left.rank)
        case (Records(), Records()):
            fields = wider_fields(left.fields, right.fields) if left.axis == right.axis else None
            return None if fields is None else records(fields, left.rank, left.axis)
        case (Array(), Array()):
            assert isinstance(left.base, Base) and isinstance(right.base, Base)
            base = join_bases([left.base, right.base])
            return None if base is None else Array(base, left.rank)
        case _:
            raise AssertionError(left)


def wider_nested(left: Type, right: Type) -> Nested | None:
    """The least type of arrays of arrays that both convert to."""
    as_type = groups_type if has_groups(left) or has_groups(right) else nested_type
    first, second = as_type(left), as_type(right)
    if first is not None and first.rank == Rho(1) and known_length(right) == Rho(0):
        return first
    if second is not None and second.rank == Rho(1) and known_length(left) == Rho(0):
        return second
    found = None if first is None or second is None else wider_item(first, second)
    return found if isinstance(found, Nested) else None


def grown_nested(before: Type, after: Type) -> Nested | None:
    """The type of arrays of arrays that a value is of all along which is one of these first, and then the
    other: a strand or an empty vector to which items are added. None where there is none.
    """
    as_type = groups_type if has_groups(before) else nested_type
    then = as_type(after)
    if then is None or before == then:
        return None
    if known_length(before) == Rho(0) or (isinstance(before, Tuple) and before == UNIT):
        return then if then.rank == Rho(1) else None
    first = nested_type(before)
    if first is not None and first.rank == Rho(0) and then.rank == Rho(1):
        first = nested(first.item, 1)  # a scalar, which becomes longer, is a vector from the beginning
    return None if first is None else wider_nested(first, then)


def form_of(ty: Type) -> object:
    """How a value is made of arrays: not their types."""
    if not isinstance(ty, Tuple):
        return None
    return type(ty), tuple([form_of(t) for t in ty.items])


# --- records --------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
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
    if isinstance(ty, Records):
        return ty if ty.axis is None else None
    if isinstance(ty, Func):
        return None
    if isinstance(ty, Tuple):
        made = nested_type(ty)
        if made is not None:
            return made
        row = _row(ty)
        return record_type(ty) if row is None else Tuple(row)
    return generalise(ty)


def wider_fields(left: tuple[Type, ...], right: tuple[Type, ...]) -> tuple[Type, ...] | None:
    """The least types of fields that those of two records convert to."""
    if len(left) != len(right):
        return None
    both = [wider_field(a, b) for a, b in zip(left, right, strict=True)]
    known = tuple([field for field in both if field is not None])
    return known if len(known) == len(both) else None


def wider_field(left: Type, right: Type) -> Type | None:
    """The least type of a field that both convert to; a scalar beside a vector becomes one of one element,
    and strands of records that differ in number arrays of records.
    """
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
        case (Array() | Nested() | Records(), Array() | Nested() | Records()):
            return wider_item(left, right)
        case (Tuple(), Tuple()):
            if not isinstance(left, Nested | Records) and not isinstance(right, Nested | Records):
                fields = wider_fields(left.items, right.items)
                if fields is not None:
                    return Tuple(fields)
            first, second = record_type(left), record_type(right)
            return None if first is None or second is None else wider_item(first, second)
        case _:
            return None


def wider_records(left: Type, right: Type) -> Records | None:
    """The least type of arrays of records that both convert to."""
    if known_length(right) == Rho(0) or right == UNIT:
        return found if (found := record_type(left)) is not None and found.rank == Rho(1) else None
    if known_length(left) == Rho(0) or left == UNIT:
        return wider_records(right, left)
    first, second = record_type(left), record_type(right)
    if first is None or second is None or first.rank != second.rank or first.axis != second.axis:
        return None
    wider = wider_item(first, second)
    return wider if isinstance(wider, Records) else None


def grown_records(before: Type, after: Type) -> Records | None:
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
    return None if first is None else wider_records(first, then)
