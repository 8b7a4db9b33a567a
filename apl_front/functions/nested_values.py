"""Arrays of arrays while elaborating: how they are made of parts, of strands and of items, and taken apart.

See Note [Arrays of arrays] in `aplc.tail.types`. A strand of arrays is a tuple as long as nothing asks for
more (`tuples`); where its items have one type it can become an array of arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aplc.apl_front.building.builder import Builder, is_enclosed, join_bases, plain_type, rank
from aplc.tail import prims as p
from aplc.tail.errors import unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Fn, TupleExp, Vec, literal, nest, op, prim_fn, vec
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
    array,
    generalise,
    known_length,
    nested,
)


def is_nested(exp: Exp | None) -> bool:
    """Whether a value is an array of arrays."""
    return exp is not None and isinstance(exp.ty, Nested)


def type_of(exp: Exp) -> Nested:
    """The type of an array of arrays."""
    assert isinstance(exp.ty, Nested), exp.ty
    return exp.ty


def axes_of(exp: Exp) -> int:
    """The rank of an array of arrays."""
    return type_of(exp).rank.const


def is_nested_item(exp: Exp) -> bool:
    """Whether the items of an array of arrays are arrays of arrays themselves."""
    return isinstance(type_of(exp).item, Nested)


def parts_of(build: Builder, exp: Exp) -> tuple[Exp, ...]:
    """The places of the items, their extents and the elements."""
    assert is_nested(exp)
    opened = build.bind(exp)
    assert isinstance(opened, TupleExp)
    return opened.items


def simple_base(ty: Nested) -> Base:
    """The element type at the bottom."""
    item = ty.item
    while isinstance(item, Nested):
        item = item.item
    assert isinstance(item.base, Base)
    return item.base


def with_base(ty: Nested, base: Base) -> Nested:
    """The type with another element type at the bottom."""
    item = ty.item
    return nested(with_base(item, base) if isinstance(item, Nested) else Array(base, item.rank), ty.rank)


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


def items_of_vector(build: Builder, exp: Exp, span: Span | None) -> Exp:
    """The number of elements, or of items, of a vector."""
    return count(build, exp, span) if is_nested(exp) else size_of(build, exp, span)


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

    if not is_nested(elements):
        return part(elements)
    *inner, values = parts_of(build, elements)
    return nest((*[part(d) for d in inner], values), span)


def first_item(build: Builder, exp: Exp, span: Span | None) -> Exp:
    """The first item, or its prototype where there is none: an array whose extents are 0."""
    *descriptor, elements = parts_of(build, exp)
    found = [d if rank(d) == 0 else op(p.FIRST, d, symbol="⊃", span=span) for d in descriptor]
    if len(found) > 1 or axes_of(exp) == 0:
        return item_of(build, found, elements, span)
    start = build.bind(found[0])
    exists = build.bind(op(p.MINI, literal(1, span), count(build, exp, span), span=span))
    *inner, values = parts_of(build, elements)  # the items are enclosed arrays, each of one item itself
    return nest(
        (*[op(p.FIRST, op(p.SLICE, start, exists, d, span=span), span=span) for d in inner], values), span
    )


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


def extents_of(build: Builder, exp: Exp, span: Span | None) -> list[Exp]:
    """The extents of an array, each a scalar."""
    known = build.bind(shape(build, exp, span) if is_nested(exp) else op(p.SHAPE, exp, span=span))
    axes = axes_of(exp) if is_nested(exp) else rank(exp)
    return [build.bind(op(p.PICK, literal(k + 1, span), known, span=span)) for k in range(axes)]


def ravelled(build: Builder, exp: Exp, span: Span | None) -> Exp:
    """An array, of arrays or not, as a vector."""
    if is_nested(exp):
        return arranged(build, exp, lambda d: build.bind(flat(d, span)), span)
    return flat(exp, span)


def arranged(build: Builder, exp: Exp, change: Callable[[Exp], Exp], span: Span | None) -> Exp:
    """The items in other places: what happens to the array happens to their places and extents."""
    *descriptor, elements = parts_of(build, exp)
    return nest((*[change(d) for d in descriptor], elements), span)


def enlist(build: Builder, exp: Exp, span: Span) -> Exp:
    """`∊`: all elements in one vector, in the order of the items."""
    if not is_nested(exp):
        return flat(exp, span)
    vector = ravelled(build, exp, span)

    def elements(number: Exp) -> Exp:
        return enlist(build, item_at(build, vector, number, span), span)

    function = build.function_on((array(Base.INT, 0),), elements, span)
    places = op(p.IOTA, count(build, vector, span), span=span)
    made = op(p.PIECES, function, places, symbol="∊", span=span)
    return parts_of(build, made)[-1]


def enclosed_item(build: Builder, item: Exp, span: Span | None) -> Exp:
    """The scalar whose only item is an array."""
    item = build.bind(item)
    return nest((literal(0, span), *extents_of(build, item, span), ravelled(build, item, span)), span)


def as_nested(build: Builder, exp: Exp, span: Span | None) -> Exp | None:
    """A value as an array of arrays; None where its items are no arrays of one type."""
    if is_nested(exp):
        return exp
    if isinstance(exp.ty, Records) or not isinstance(exp.ty, Tuple) or not exp.ty.items:
        return None
    opened = build.bind(exp)
    assert isinstance(opened, TupleExp)
    if is_enclosed(exp.ty):
        inner = _as_item(build, opened.items[0], span)
        return None if inner is None else enclosed_item(build, inner, span)
    items = [_as_item(build, item, span) for item in opened.items]
    known = [item for item in items if item is not None]
    return of_items(build, known, span) if len(known) == len(items) else None


def _as_item(build: Builder, exp: Exp, span: Span | None) -> Exp | None:
    """A component of a strand as an item; a simple one has axes."""
    if isinstance(exp.ty, Tuple):
        return as_nested(build, exp, span)
    return exp if rank(exp) else None


def of_one_rank(build: Builder, exp: Exp, span: Span | None) -> Exp | None:
    """A strand of simple arrays of several ranks as the vector of these with as many axes each, the new ones
    in front; None for any other value.
    """
    if isinstance(exp.ty, Nested | Records) or not isinstance(exp.ty, Tuple):
        return None
    if is_enclosed(exp.ty) or not exp.ty.items:
        return None
    opened = build.bind(exp)
    assert isinstance(opened, TupleExp)
    if any(isinstance(item.ty, Tuple) for item in opened.items):
        return None
    axes = max(rank(item) for item in opened.items)
    items = []
    for item in opened.items:
        lacking = axes - rank(item)
        if lacking:
            shape = vec((*[literal(1, span)] * lacking, *extents_of(build, item, span)), Base.INT, span)
            item = build.bind(op(p.RESHAPE, shape, item, span=span))
        items.append(item)
    return of_items(build, items, span)


def of_items(build: Builder, items: list[Exp], span: Span | None) -> Exp | None:
    """The vector of some items; None where they have no common type."""
    if any(is_nested(i) != is_nested(items[0]) for i in items):
        return None
    ranks = {axes_of(i) if is_nested(i) else rank(i) for i in items}
    if len(ranks) > 1:
        return None
    alike = fitted(build, items)
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
    """Items with a common element type; None where they have none, or differ further in."""
    bases = [simple_base(type_of(i)) if is_nested(i) else _base(i) for i in items]
    base = join_bases(bases)
    if base is None:
        return None
    if not is_nested(items[0]):
        return [build.coerce(i, base, "a strand", i.span) for i in items]
    types = {with_base(type_of(i), base).item for i in items}
    if len(types) > 1:
        return None
    return [coerced(build, i, base, i.span) for i in items]


def _base(exp: Exp) -> Base:
    assert not isinstance(exp.ty, Tuple | Func) and isinstance(exp.ty.base, Base)
    return exp.ty.base


def coerced(build: Builder, exp: Exp, base: Base, span: Span | None) -> Exp:
    """An array of arrays with its elements converted."""
    if simple_base(type_of(exp)) is base:
        return exp
    *descriptor, elements = parts_of(build, exp)
    if is_nested(elements):
        elements = coerced(build, elements, base, span)
    else:
        elements = build.coerce(elements, base, "a strand", span)
    return nest((*descriptor, build.bind(elements)), span)


def joined(build: Builder, vectors: list[Exp], span: Span | None) -> Exp:
    """Vectors of elements one behind the other."""
    if is_nested(vectors[0]):
        result = vectors[0]
        for vector in vectors[1:]:
            result = catenated(build, result, vector, lambda a, b: op(p.CAT, a, b, span=span), span)
        return result
    if all(isinstance(v, Vec) for v in vectors):
        items = [i for v in vectors if isinstance(v, Vec) for i in v.items]
        return vec(tuple(items), _base(vectors[0]), span)
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


def nested_type(ty: Type) -> Nested | None:
    """The type as which a strand becomes an array of arrays; None where it cannot."""
    if isinstance(ty, Nested):
        return ty
    if isinstance(ty, Records) or not isinstance(ty, Tuple) or not ty.items:
        return None
    inner = ty.items[:1] if is_enclosed(ty) else ty.items
    items: list[Array | Nested] = []
    for component in inner:
        if isinstance(component, Tuple):
            found = nested_type(component)
            if found is None:
                return None
            items.append(found)
        else:
            assert not isinstance(component, Func)
            simple = generalise(component)
            if simple.rank == Rho(0):
                return None
            items.append(simple)
    common = items[0]
    for item in items[1:]:
        wider = wider_item(common, item)
        if wider is None:
            return None
        common = wider
    return nested(common, 0 if is_enclosed(ty) else 1)


def wider_item(left: Array | Nested, right: Array | Nested) -> Array | Nested | None:
    """The least type of items that both convert to."""
    if isinstance(left, Nested) and isinstance(right, Nested):
        item = wider_item(left.item, right.item)
        return None if item is None or left.rank != right.rank else nested(item, left.rank)
    if isinstance(left, Nested) or isinstance(right, Nested) or left.rank != right.rank:
        return None
    assert isinstance(left.base, Base) and isinstance(right.base, Base)
    base = join_bases([left.base, right.base])
    return None if base is None else Array(base, left.rank)


def wider(left: Type, right: Type) -> Nested | None:
    """The least type of arrays of arrays that both convert to."""
    first, second = nested_type(left), nested_type(right)
    if first is not None and first.rank == Rho(1) and known_length(right) == Rho(0):
        return first
    if second is not None and second.rank == Rho(1) and known_length(left) == Rho(0):
        return second
    found = None if first is None or second is None else wider_item(first, second)
    return found if isinstance(found, Nested) else None


def no_items(ty: Nested, span: Span | None) -> Exp:
    """The vector of no items of a type."""
    descriptor = [vec((), Base.INT, span)] * (1 + ty.item.rank.const)
    if isinstance(ty.item, Nested):
        return nest((*descriptor, no_items(nested(ty.item.item, 1), span)), span)
    assert isinstance(ty.item.base, Base)
    return nest((*descriptor, vec((), ty.item.base, span)), span)


def grown(before: Type, after: Type) -> Nested | None:
    """The type of arrays of arrays that a value is of all along which is one of these first, and then the
    other: a strand or an empty vector to which items are added. None where there is none.
    """
    then = nested_type(after)
    if then is None or before == then:
        return None
    if known_length(before) == Rho(0) or (isinstance(before, Tuple) and before == UNIT):
        return then if then.rank == Rho(1) else None
    first = nested_type(before)
    if first is not None and first.rank == Rho(0) and then.rank == Rho(1):
        first = nested(first.item, 1)  # a scalar, which becomes longer, is a vector from the beginning
    return None if first is None else wider(first, then)


def structure(ty: Type) -> object:
    """How a value is made of arrays: not their types."""
    if not isinstance(ty, Tuple):
        return None
    return type(ty), tuple([structure(t) for t in ty.items])


def converted(build: Builder, exp: Exp, ty: Nested, symbol: str, span: Span | None) -> Exp:
    """A value as an array of arrays of a type that is known to hold it."""
    if exp.ty == ty:
        return exp
    if known_length(exp.ty) == Rho(0):
        return no_items(ty, span)
    made = as_nested(build, exp, exp.span or span)
    assert made is not None, (exp.ty, ty)
    if axes_of(made) < ty.rank.const:
        made = build.bind(ravelled(build, made, span))
    return coerced(build, made, simple_base(ty), span)


def required(build: Builder, exp: Exp, symbol: str, span: Span) -> Exp:
    """A value as an array of arrays that may be used any number of times. `Unsupported` where its items have
    no common type.
    """
    made = as_nested(build, exp, span)
    if made is None:
        raise unsupported(f"{symbol} of {plain_type(exp)} and arrays", span)
    return build.bind(made)
