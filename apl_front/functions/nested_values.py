"""Arrays of arrays while elaborating: how they are made of parts and of items, and taken apart.

See Note [Arrays of arrays] in `aplc.tail.types`. What their elements are may be any array: a simple one,
one of arrays, or one of records. How strands become such arrays: `record_values`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aplc.apl_front.building.builder import Builder, plain_type, rank
from aplc.apl_front.building.item_types import bottom, simple_base, wider_item
from aplc.tail import prims as p
from aplc.tail.errors import unsupported
from aplc.tail.parts import table
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Fn, TupleExp, Vec, literal, nest, op, prim_fn, vec
from aplc.tail.types import (
    Array,
    Base,
    ItemType,
    Nested,
    Records,
    Rho,
    Tuple,
    Type,
    array,
    base_of,
    nested,
    records,
)


def is_nested(exp: Exp | None) -> bool:
    """Whether a value is an array of arrays."""
    return exp is not None and isinstance(exp.ty, Nested)


def type_of(exp: Exp) -> Nested:
    """The type of an array of arrays."""
    assert isinstance(exp.ty, Nested), exp.ty
    return exp.ty


def parts_of(build: Builder, exp: Exp) -> tuple[Exp, ...]:
    """The places of the items, their extents and the elements."""
    assert is_nested(exp)
    opened = build.bind(exp)
    assert isinstance(opened, TupleExp)
    return opened.items


def columns_of(build: Builder, exp: Exp) -> tuple[Exp, ...]:
    """The arrays of the fields of records or of a table."""
    opened = build.bind(exp)
    assert isinstance(opened, TupleExp) and isinstance(exp.ty, Records)
    return opened.items


# --- any arrays -----------------------------------------------------------------------------------------


def axes_of(exp: Exp) -> int:
    """The rank of any array."""
    if isinstance(exp.ty, Records):
        return exp.ty.rank.const + (exp.ty.axis is not None)
    return type_of(exp).rank.const if is_nested(exp) else rank(exp)


def frame_of(build: Builder, exp: Exp) -> Exp:
    """A simple array that has the shape of any array, but of a table that of its fields."""
    while isinstance(exp.ty, Nested | Records):
        exp = (parts_of if isinstance(exp.ty, Nested) else columns_of)(build, exp)[0]
    return exp


def extents_of(build: Builder, exp: Exp, span: Span | None) -> list[Exp]:
    """The extents of an array, each a scalar."""
    frame = frame_of(build, exp)
    known = build.bind(op(p.SHAPE, frame, span=span))
    return [build.bind(op(p.PICK, literal(k + 1, span), known, span=span)) for k in range(rank(frame))]


def items_of_vector(build: Builder, exp: Exp, span: Span | None) -> Exp:
    """The number of elements, of items or of records of a vector."""
    return size_of(build, frame_of(build, exp), span)


def rearranged(build: Builder, exp: Exp, change: Callable[[Exp], Exp], span: Span | None) -> Exp:
    """What any array holds in other places: what happens to it happens to the places and extents of items,
    and to each column of records.
    """
    if is_nested(exp):
        return arranged(build, exp, change, span)
    if not isinstance(exp.ty, Records):
        return change(exp)
    columns = [build.bind(rearranged(build, c, change, span)) for c in columns_of(build, exp)]
    return table(tuple(columns), exp.ty.axis, span)


def arranged(build: Builder, exp: Exp, change: Callable[[Exp], Exp], span: Span | None) -> Exp:
    """The items in other places: what happens to the array happens to their places and extents."""
    *descriptor, elements = parts_of(build, exp)
    return nest((*[change(d) for d in descriptor], elements), span)


def ravelled(build: Builder, exp: Exp, span: Span | None) -> Exp:
    """Any array as a vector."""
    if isinstance(exp.ty, Tuple):
        return rearranged(build, exp, lambda part: build.bind(flat(part, span)), span)
    return flat(exp, span)


# --- items ----------------------------------------------------------------------------------------------


def shape(build: Builder, exp: Exp, span: Span | None) -> Exp:
    """`⍴` of an array of arrays."""
    return op(p.SHAPE, parts_of(build, exp)[0], span=span)


def count(build: Builder, exp: Exp, span: Span | None) -> Exp:
    """The number of items."""
    return size_of(build, parts_of(build, exp)[0], span)


def size_of(build: Builder, simple: Exp, span: Span | None) -> Exp:
    """The number of elements of a simple array."""
    axes = rank(simple)
    if axes == 0:
        return literal(1, span)
    extents = op(p.SHAPE, simple, span=span)
    if axes == 1:
        return build.bind(op(p.PICK, literal(1, span), extents, span=span))
    return build.bind(op(p.REDUCE, prim_fn(p.MULI), literal(1, span), extents, span=span))


def numbers(build: Builder, exp: Exp, span: Span | None) -> Exp:
    """1, 2, … in the shape of an array of arrays."""
    axes = axes_of(exp)
    if axes == 0:
        return literal(1, span)
    flat = op(p.IOTA, count(build, exp, span), span=span)
    return flat if axes == 1 else op(p.RESHAPE, shape(build, exp, span), flat, span=span)


def flat(simple: Exp, span: Span | None) -> Exp:
    """A simple array as a vector; that of a scalar has one element."""
    if simple.ty == array(Base.INT, 1) or rank(simple) == 1:
        return simple
    if rank(simple) == 0:
        return op(p.RESHAPE_V, literal(1, span), simple, span=span)
    return op(p.RAVEL, simple, span=span)


def item_at(build: Builder, exp: Exp, number: Exp, span: Span | None) -> Exp:
    """An item by its number in row-major order, counted from 1, that there is."""
    *descriptor, elements = parts_of(build, exp)
    if axes_of(exp):
        descriptor = [op(p.PICK, number, build.bind(flat(d, span)), span=span) for d in descriptor]
    return item_of(build, descriptor, elements, span)


def item_of(build: Builder, descriptor: Sequence[Exp], elements: Exp, span: Span | None) -> Exp:
    """The item at a place, with these extents, of an array with these elements."""
    start, *extents = [build.bind(d) for d in descriptor]
    length = product_of(build, extents, span)

    def part(values: Exp) -> Exp:
        if not extents:
            return op(p.PICK, op(p.ADDI, start, literal(1, span), span=span), values, span=span)
        found = op(p.SLICE, start, length, values, span=span)
        if len(extents) == 1:
            return found
        return op(p.RESHAPE, vec(tuple(extents), Base.INT, span), found, span=span)

    return rearranged(build, elements, part, span)


def first_item(build: Builder, exp: Exp, span: Span | None) -> Exp:
    """The first item, or its prototype where there is none: an array whose extents are 0."""
    *descriptor, elements = parts_of(build, exp)
    found = [d if rank(d) == 0 else op(p.FIRST, d, symbol="⊃", span=span) for d in descriptor]
    if len(found) > 1 or axes_of(exp) == 0:
        return item_of(build, found, elements, span)
    start = build.bind(found[0])
    exists = build.bind(op(p.MINI, literal(1, span), count(build, exp, span), span=span))

    def first(values: Exp) -> Exp:  # the items are enclosed arrays, each of one item itself
        return op(p.FIRST, op(p.SLICE, start, exists, values, span=span), span=span)

    return rearranged(build, elements, first, span)


def enlist(build: Builder, exp: Exp, span: Span) -> Exp:
    """`∊`: all elements in one vector, in the order of the items."""
    if not is_nested(exp):
        return flat(exp, span)
    if isinstance(bottom(type_of(exp)), Records):
        raise unsupported(f"∊ of {plain_type(exp)}", span, "⊃,/ joins the items, and k⊃¨ has one field")
    vector = ravelled(build, exp, span)

    def elements(number: Exp) -> Exp:
        return enlist(build, item_at(build, vector, number, span), span)

    function = build.function_on((array(Base.INT, 0),), elements, span)
    places = op(p.IOTA, count(build, vector, span), span=span)
    made = op(p.PIECES, function, places, symbol="∊", span=span)
    return parts_of(build, made)[-1]


def product_of(build: Builder, extents: Sequence[Exp], span: Span | None) -> Exp:
    """How many elements an item with these extents has."""
    if not extents:
        return literal(1, span)
    length = extents[0]
    for extent in extents[1:]:
        length = build.bind(op(p.MULI, length, extent, span=span))
    return length


def pieces(build: Builder, function: Fn, a: Exp, symbol: str, span: Span) -> Exp:
    """What a function gives for each element of an array, as the items of an array of that shape."""
    a = build.bind(a)
    made = build.bind(op(p.PIECES, function, flat(a, span), symbol=symbol, span=span))
    if rank(a) == 1:
        return made
    extents = build.bind(op(p.SHAPE, a, span=span))
    return arranged(build, made, lambda d: build.bind(op(p.RESHAPE, extents, d, span=span)), span)


def first_items(build: Builder, exp: Exp, wanted: int, span: Span) -> tuple[Exp, ...]:
    """The items of a vector that must have just so many; of a scalar its item."""
    if axes_of(exp) == 0:
        return (item_at(build, exp, literal(1, span), span),)
    length = literal(wanted, span)

    def of_length(descriptor: Exp) -> Exp:
        return build.bind(op(p.OF_LENGTH, length, descriptor, symbol="←", span=span))

    known = arranged(build, exp, of_length, span)
    return tuple([item_at(build, known, literal(k + 1, span), span) for k in range(wanted)])


# --- construction ---------------------------------------------------------------------------------------


def enclosed_item(build: Builder, item: Exp, span: Span | None) -> Exp:
    """The scalar whose only item is an array."""
    item = build.bind(item)
    return nest((literal(0, span), *extents_of(build, item, span), ravelled(build, item, span)), span)


def of_items(build: Builder, items: list[Exp], span: Span | None) -> Exp | None:
    """The vector of some items; None where they have no common type."""
    alike = fitted(build, items) if len({axes_of(i) for i in items}) == 1 else None
    if alike is None:
        return None
    alike = [build.bind(i) for i in alike]
    extents = [extents_of(build, i, span) for i in alike]
    starts: list[Exp] = [literal(0, span)]
    for shape_of_item in extents[:-1]:
        size = product_of(build, shape_of_item, span)
        starts.append(build.bind(op(p.ADDI, starts[-1], size, span=span)))
    axes = [vec(tuple(axis), Base.INT, span) for axis in zip(*extents, strict=True)]
    elements = joined(build, [ravelled(build, i, span) for i in alike], span)
    return nest((vec(tuple(starts), Base.INT, span), *axes, elements), span)


def fitted(build: Builder, items: list[Exp]) -> list[Exp] | None:
    """Arrays, of any ranks, that hold the same: simple elements, items or records. None where they cannot."""
    kinds = [_held(i.ty) for i in items]
    common: ItemType | None = kinds[0]
    for kind in kinds[1:]:
        common = None if common is None else wider_item(common, kind)
    if common is None:
        return None
    return [build.bind(coerced(build, i, _holding(i.ty, common), i.span)) for i in items]


def _held(ty: Type) -> ItemType:
    """What an array holds: an element as a scalar, an item, or a record, as a scalar too."""
    match ty:
        case Nested(item=item):
            return item
        case Records(fields=fields, axis=axis):
            return records(fields, 0 if axis is None else axis, axis)
        case _:
            return Array(base_of(ty), Rho(0))


def _holding(ty: Type, held: ItemType) -> Type:
    """The type of an array of the same form that holds something else."""
    if isinstance(ty, Nested):
        return nested(held, ty.rank)
    if isinstance(ty, Records):
        assert isinstance(held, Records)
        return records(held.fields, ty.rank, ty.axis)
    assert isinstance(held, Array)
    return Array(held.base, Rho(0))


def coerced(build: Builder, exp: Exp, ty: Type, span: Span | None) -> Exp:
    """An array with its elements converted to those of a type of the same form; what is a simple field in
    the one and one of vectors in the other has vectors of one element.
    """
    if exp.ty == ty:
        return exp
    if not isinstance(ty, Tuple):
        return build.coerce(exp, base_of(ty), "a strand", span)
    if isinstance(ty, Records):
        pairs = zip(columns_of(build, exp), ty.items, strict=True)
        return table(tuple([build.bind(coerced(build, c, t, span)) for c, t in pairs]), ty.axis, span)
    assert isinstance(ty, Nested)
    if not is_nested(exp):
        simple = build.bind(build.coerce(exp, simple_base(ty), "a strand", span))
        return _of_elements(build, simple, span)
    *descriptor, elements = parts_of(build, exp)
    return nest((*descriptor, build.bind(coerced(build, elements, ty.items[-1], span))), span)


def _of_elements(build: Builder, simple: Exp, span: Span | None) -> Exp:
    """A simple array with each element as a vector of one."""
    numbers = op(p.IOTA, size_of(build, simple, span), span=span)
    less = build.function((Base.INT,), lambda i: op(p.SUBI, i, literal(1, span), span=span), span)
    places: Exp = build.bind(build.each(less, numbers, span))
    one: Exp = build.bind(
        op(p.RESHAPE, op(p.SHAPE, flat(simple, span), span=span), literal(1, span), span=span)
    )
    if rank(simple) != 1:
        shape = build.bind(op(p.SHAPE, simple, span=span)) if rank(simple) else vec((), Base.INT, span)
        places, one = [build.bind(op(p.RESHAPE, shape, part, span=span)) for part in (places, one)]
    return nest((places, one, build.bind(flat(simple, span))), span)


def joined(build: Builder, vectors: list[Exp], span: Span | None) -> Exp:
    """Vectors that hold the same, one behind the other."""
    if isinstance(vectors[0].ty, Records):
        columns = zip(*[columns_of(build, v) for v in vectors], strict=True)
        return table(tuple([build.bind(joined(build, list(c), span)) for c in columns]), None, span)
    if is_nested(vectors[0]):
        result = vectors[0]
        for vector in vectors[1:]:
            result = catenated(build, result, vector, lambda a, b: op(p.CAT, a, b, span=span), span)
        return result
    if all(isinstance(v, Vec) for v in vectors):
        items = [i for v in vectors if isinstance(v, Vec) for i in v.items]
        return vec(tuple(items), base_of(vectors[0].ty), span)
    result = vectors[0]
    for vector in vectors[1:]:
        result = op(p.CAT, result, vector, span=span)
    return build.bind(result)


def catenated(
    build: Builder, left: Exp, right: Exp, join: Callable[[Exp, Exp], Exp], span: Span | None
) -> Exp:
    """Two arrays of arrays of one item type, their places and extents joined in some way."""
    first, second = parts_of(build, left), parts_of(build, right)
    before = items_of_vector(build, first[-1], span)
    places = moved(build, second[0], before, span)
    elements = joined(build, [first[-1], second[-1]], span)
    descriptors = zip(first[:-1], (places, *second[1:-1]), strict=True)
    return nest((*[join(a, b) for a, b in descriptors], elements), span)


def moved(build: Builder, places: Exp, by: Exp, span: Span | None) -> Exp:
    """Places further on."""
    if rank(places) == 0:
        return op(p.ADDI, places, by, span=span)
    return build.each(build.function((Base.INT,), lambda x: op(p.ADDI, x, by, span=span), span), places, span)


def column(vector: Exp, span: Span | None) -> Exp:
    """A vector as a matrix of one column."""
    length = op(p.PICK, literal(1, span), op(p.SHAPE, vector, span=span), span=span)
    return op(p.RESHAPE, vec((length, literal(1, span)), Base.INT, span), vector, span=span)


def nothing(ty: Type, span: Span | None) -> Exp:
    """The empty vector that holds what an array of a type does."""
    match ty:
        case Nested(item=item):
            elements = nothing(nested(item, 1).items[-1], span)
            return nest((*[vec((), Base.INT, span)] * (1 + item.rank.const), elements), span)
        case Records(items=columns, axis=axis):
            return table(tuple([nothing(column, span) for column in columns]), axis, span)
        case _:
            return vec((), base_of(ty), span)
