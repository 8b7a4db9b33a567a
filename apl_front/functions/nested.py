"""APL's functions on arrays of arrays.

What chooses, arranges or counts items works on their places and extents, which are flat arrays; the elements
stay where they are. A function of each item is one of its number (`Side`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from aplc.apl_front.building.axes import constant_axis
from aplc.apl_front.building.builder import (
    Builder,
    base_of,
    enclosed,
    int_constant,
    is_enclosed,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import table as functions
from aplc.apl_front.functions import tuples
from aplc.apl_front.functions.operators import Operand
from aplc.apl_front.functions.overloads import pervade
from aplc.apl_front.functions.structure import as_vector, from_origin, one_integer, shifted, to_integers
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import (
    Exp,
    Fn,
    Item,
    Op,
    TupleExp,
    Vec,
    literal,
    nest,
    op,
    prim_fn,
    prints,
    product,
    vec,
)
from aplc.tail.types import Base, Nested, Tuple, scalar

# --- each and the products ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Side:
    """An argument of `f¨`: its items by their numbers, or the one item that belongs to all."""

    numbers: Exp | None
    """The numbers of the items, from 1, in the shape of the argument; None for the item of a scalar."""
    at: Callable[[Exp | None], Exp]


def side(build: Builder, exp: Exp, span: Span) -> Side:
    """An argument of `f¨`."""
    exp = build.bind(exp)
    if is_enclosed(exp.ty) and isinstance(exp, TupleExp):
        item = exp.items[0]
        return Side(None, lambda _: item)
    if isinstance(exp.ty, Tuple) and not nv.is_nested(exp):
        exp = build.bind(required(build, exp, "¨", span))
    if nv.is_nested(exp):
        whole = exp
        if nv.axes_of(exp) == 0:
            item = build.bind(nv.item_at(build, exp, literal(1, span), span))
            return Side(None, lambda _: item)
        return Side(nv.numbers(build, exp, span), lambda number: _numbered(build, whole, number, span))
    if rank(exp) == 0:
        scalar_item = exp
        return Side(None, lambda _: scalar_item)
    elements = build.bind(nv.flat(exp, span))
    numbers: Exp = op(p.IOTA, nv.size_of(build, elements, span), span=span)
    if rank(exp) > 1:
        numbers = op(p.RESHAPE, op(p.SHAPE, exp, span=span), numbers, span=span)

    def element(number: Exp | None) -> Exp:
        assert number is not None
        return op(p.PICK, number, elements, span=span)

    return Side(numbers, element)


def _numbered(build: Builder, exp: Exp, number: Exp | None, span: Span) -> Exp:
    assert number is not None
    return nv.item_at(build, exp, number, span)


def required(build: Builder, exp: Exp, symbol: str, span: Span) -> Exp:
    """A value as an array of arrays. `Unsupported` where its items have no common type."""
    made = nv.as_nested(build, exp, span)
    if made is None:
        what = f"{symbol} of {plain_type(exp)}, whose items are no arrays of one rank and kind,"
        raise unsupported(what, exp.span or span)
    return made


def each(build: Builder, f: Operand, left: Exp | None, right: Exp, span: Span) -> Exp:
    """`f¨b`, `a f¨b` where an argument, or what `f` gives, is no array of simple scalars."""
    of_right = side(build, right, span)
    of_left = None if left is None else side(build, left, span)
    if of_left is None or of_left.numbers is None or of_right.numbers is None:
        moving = of_right if of_right.numbers is not None else of_left
        if moving is None or moving.numbers is None:
            return enclosed(
                f.apply(None if of_left is None else of_left.at(None), of_right.at(None), span), span
            )

        def on_one(number: Exp) -> Exp:
            first = None if of_left is None else of_left.at(number)
            return f.apply(first, of_right.at(number), span)

        return _by_number(build, f, on_one, (moving.numbers,), span)
    numbers = of_left.numbers, of_right.numbers
    if rank(numbers[0]) != rank(numbers[1]):
        shown = f"got {rank(numbers[0])} and {rank(numbers[1])} axes"
        raise compile_error("RANK ERROR", f"{f.text}¨ needs equal ranks or a scalar, {shown}", span)
    first = of_left

    def on_two(number: Exp, other: Exp) -> Exp:
        return f.apply(first.at(number), of_right.at(other), span)

    return _by_number(build, f, on_two, numbers, span)


def _by_number(
    build: Builder, f: Operand, make: Callable[..., Exp], numbers: tuple[Exp, ...], span: Span
) -> Exp:
    """A function of the numbers of items, for each of them."""
    numbers = tuple([build.bind(n) for n in numbers])
    function = build.function_on((scalar(Base.INT),) * len(numbers), _as_item(build, make, f, span), f.span)
    symbol = f"{f.text}¨"
    body = function.body
    if not isinstance(body.ty, Tuple) and rank(body) == 0:
        return op(p.EACH if len(numbers) == 1 else p.ZIP_WITH, function, *numbers, symbol=symbol, span=span)
    if len(numbers) == 2:
        pairs = [build.function((Base.INT, Base.INT), lambda *both, k=k: both[k], span) for k in range(2)]
        numbers = tuple([build.bind(op(p.ZIP_WITH, q, *numbers, symbol=symbol, span=span)) for q in pairs])
    flat = [build.bind(nv.flat(n, span)) for n in numbers]

    def on_place(place: Exp) -> Exp:
        return make(*[op(p.PICK, place, n, span=span) for n in flat])

    result = pieces(build, _as_item(build, on_place, f, span), nv.size_of(build, flat[0], span), f, span)
    if rank(numbers[0]) == 1:
        return result
    extents = build.bind(op(p.SHAPE, numbers[0], span=span))
    return nv.arranged(build, result, lambda d: op(p.RESHAPE, extents, d, span=span), span)


def _as_item(build: Builder, make: Callable[..., Exp], f: Operand, span: Span) -> Callable[..., Exp]:
    """A function whose result is an array, or an array of arrays."""

    def made(*args: Exp) -> Exp:
        value = make(*args)
        if not isinstance(value.ty, Tuple):
            return value
        known = nv.as_nested(build, value, span)
        if known is None or nv.axes_of(known) == 0:
            what = f"{f.text}, applied to items, with a result of {plain_type(value)}"
            raise unsupported(what, f.span)
        return known

    return made


def pieces(build: Builder, make: Callable[[Exp], Exp], count: Exp, f: Operand, span: Span) -> Exp:
    """The vector of what a function of 1, 2, … gives."""
    number = (scalar(Base.INT),)
    function = build.function_on(number, make, f.span)
    body = function.body
    places = build.bind(op(p.IOTA, count, span=span))
    if not nv.is_nested(body):
        return build.bind(op(p.PIECES, function, places, symbol=f"{f.text}¨", span=span))
    if isinstance(nv.type_of(body).item, Nested):
        raise unsupported(f"{f.text}¨ with results nested three deep", f.span)
    if prints(function):
        raise unsupported(f"{f.text}¨ with nested results and effects", f.span)
    extents: list[Exp] = []
    for axis in range(nv.type_of(body).item.rank.const):
        inner = build.function_on(number, lambda i, a=axis: nv.parts_of(build, make(i))[1 + a], f.span)
        extents.append(build.bind(op(p.PIECES, inner, places, symbol=f"{f.text}¨", span=span)))
    values = build.function_on(number, lambda i: enlist(build, make(i), span), f.span)
    elements = nv.parts_of(build, op(p.PIECES, values, places, symbol=f"{f.text}¨", span=span))[-1]
    axes = [nv.parts_of(build, e)[-1] for e in extents]
    outer = nv.parts_of(build, extents[0])[:-1]
    return nest((*outer, nest((_running(build, axes, span), *axes, elements), span)), span)


def _running(build: Builder, extents: list[Exp], span: Span) -> Exp:
    """Where items start that lie one behind the other."""
    sizes = extents[0]
    for extent in extents[1:]:
        sizes = op(p.ZIP_WITH, prim_fn(p.MULI), sizes, extent, span=span)
    sizes = build.bind(sizes)
    ends = op(p.SCAN, prim_fn(p.ADDI), sizes, span=span)
    return build.bind(op(p.ZIP_WITH, prim_fn(p.SUBI), ends, sizes, span=span))


def outer(build: Builder, f: Operand, left: Exp, right: Exp, span: Span) -> Exp:
    """`a∘.f b`"""
    of_left, of_right = side(build, left, span), side(build, right, span)
    if of_left.numbers is None or of_right.numbers is None:
        return each(build, f, left, right, span)
    rows, columns = of_left.numbers, build.bind(of_right.numbers)

    def both(i: Exp, j: Exp) -> Exp:
        return f.apply(of_left.at(i), of_right.at(j), span)

    index = build.function((Base.INT, Base.INT), lambda i, j: i, span)
    other = build.function((Base.INT, Base.INT), lambda i, j: j, span)
    pairs = tuple([op(p.OUTER, k, rows, columns, symbol=f"∘.{f.text}", span=span) for k in (index, other)])
    return _by_number(build, f, both, pairs, span)


def joins(left: Exp, right: Exp) -> bool:
    """Whether `∘.` has an argument that is an array of arrays, or the enclosed item of one."""
    return any(nv.is_nested(a) or is_enclosed(a.ty) for a in (left, right))


# --- functions ------------------------------------------------------------------------------------------


def first(build: Builder, exp: Exp, span: Span) -> Exp:
    """`⊃`: the first item; an array without elements where there is none."""
    *descriptor, elements = nv.parts_of(build, exp)
    found = [d if rank(d) == 0 else op(p.FIRST, d, symbol="⊃", span=span) for d in descriptor]
    return nv.item_of(build, found, elements, span)


def pick(build: Builder, left: Exp, exp: Exp, span: Span) -> Exp:
    """`k⊃`: an item, or an item of an item."""
    path = to_integers(build, left, "⊃")
    if rank(path) == 1 and (length_of(path) or 0) > 1:
        path = build.bind(path)
        steps = [op(p.PICK, literal(k + 1, span), path, span=span) for k in range(length_of(path) or 0)]
        value = exp
        for step in steps:
            value = (
                pick(build, step, value, span)
                if nv.is_nested(value)
                else functions.dyadic(build, "⊃", step, value, span, None)
            )
        return value
    if nv.axes_of(exp) != 1:
        raise unsupported(f"⊃ of {plain_type(exp)}", span, "ravel it with ,")
    position = build.bind(from_origin(build, one_integer(build, path, "⊃", span)))
    *descriptor, elements = nv.parts_of(build, exp)
    return nv.item_of(
        build, [op(p.PICK, position, d, symbol="⊃", span=span) for d in descriptor], elements, span
    )


def mix(build: Builder, exp: Exp, span: Span) -> Exp:
    """`↑`"""
    *descriptor, elements = nv.parts_of(build, exp)
    least = _least_extents(build, exp, span)
    if not nv.is_nested(elements):
        return op(p.MIX, least, nest((*descriptor, elements), span), symbol="↑", span=span)
    inner = nv.parts_of(build, elements)
    mixed = [op(p.MIX, least, nest((*descriptor, d), span), symbol="↑", span=span) for d in inner[:-1]]
    return nest((*mixed, inner[-1]), span)


def _least_extents(build: Builder, exp: Exp, span: Span) -> Exp:
    """The extents of cells where there are no items: those of vectors whose length the function tells that
    makes them, otherwise 0.
    """
    axes = nv.type_of(exp).item.rank.const
    part = build.definition(nv.parts_of(build, exp)[0])
    made = build.definition(part.value) if isinstance(part, Item) else part
    if isinstance(made, Op) and made.prim is p.PIECES and isinstance(made.args[0], Fn):
        length = length_of(made.args[0].body)
        if length is not None and axes == 1:
            return vec((literal(length, span),), Base.INT, span)
    return vec((literal(0, span),) * axes, Base.INT, span)


def split(build: Builder, a: Exp, span: Span, axis: Exp | None = None) -> Exp:
    """`↓`: the vectors of the last axis, or of the one named, as items."""
    if rank(a) == 0:
        return a
    along = rank(a) - 1 if axis is None else constant_axis(build, axis, rank(a), "↓", span)
    return enclose_axes(build, literal(along + build.index_origin, span), a, span)


def enclose_axes(build: Builder, axes: Exp, a: Exp, span: Span) -> Exp:
    """`⊂[axes]`: the cells of those axes as items."""
    given = [axes] if not isinstance(axes, Vec) else list(axes.items)
    inner = [constant_axis(build, k, rank(a), "⊂", span) for k in given]
    if len(set(inner)) != len(inner):
        raise compile_error("DOMAIN ERROR", "⊂ needs different axes", axes.span or span)
    others = [k for k in range(rank(a)) if k not in inner]
    if not inner:
        return a
    order = [0] * rank(a)
    for place, k in enumerate([*others, *inner]):
        order[k] = place + 1
    numbers = vec(tuple([literal(k, span) for k in order]), Base.INT, span)
    moved = build.bind(a if order == sorted(order) else op(p.TRANSP2, numbers, a, symbol="⊂", span=span))
    extents = nv.extents_of(build, moved, span)
    elements = build.bind(nv.flat(moved, span))
    own = extents[len(others) :]
    if not others:
        return nest((literal(0, span), *own, elements), span)
    size, count = own[0], extents[0]
    for extent in own[1:]:
        size = build.bind(op(p.MULI, size, extent, span=span))
    for extent in extents[1 : len(others)]:
        count = build.bind(op(p.MULI, count, extent, span=span))

    def start(number: Exp) -> Exp:
        return op(p.MULI, op(p.SUBI, number, literal(1, span), span=span), size, span=span)

    shape = build.bind(vec(tuple(extents[: len(others)]), Base.INT, span))
    places = build.each(build.function((Base.INT,), start, span), op(p.IOTA, count, span=span), span)
    if len(others) > 1:
        places = op(p.RESHAPE, shape, places, span=span)
    lengths = [build.bind(op(p.RESHAPE, shape, n, span=span)) for n in own]
    return nest((build.bind(places), *lengths, elements), span)


def enlist(build: Builder, exp: Exp, span: Span) -> Exp:
    """`∊`: all elements in one vector, in the order of the items."""
    if not nv.is_nested(exp):
        return nv.flat(exp, span)
    flat = nv.ravelled(build, exp, span)

    def elements(number: Exp) -> Exp:
        return enlist(build, nv.item_at(build, flat, number, span), span)

    function = build.function_on((scalar(Base.INT),), elements, span)
    places = op(p.IOTA, nv.count(build, flat, span), span=span)
    made = op(p.PIECES, function, places, symbol="∊", span=span)
    return nv.parts_of(build, made)[-1]


def concatenation(build: Builder, exp: Exp, span: Span) -> Exp:
    """`,/` of vectors: the scalar with the vector of all."""
    if nv.is_nested(nv.parts_of(build, exp)[-1]):
        raise unsupported(f",/ of {plain_type(exp)}", span)
    return nv.enclosed_item(build, enlist(build, exp, span), span)


def joining(
    build: Builder, symbol: str, left: Exp | None, a: Exp, axis: Exp | None, span: Span
) -> Exp | None:
    r"""`,/`, `,⌿`, `,\` and `n,/` of scalars; None for what is no such thing."""
    if left is None and symbol in "/⌿":
        if axis is None:
            axis = literal((rank(a) if symbol == "/" else 1) - 1 + build.index_origin, span)
        return enclose_axes(build, axis, a, span)
    if rank(a) > 1 or axis is not None:
        return None
    return prefixes(build, a, span) if left is None else windows(build, left, a, span)


def windows(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`n,/v`: all windows of n elements."""
    n = one_integer(build, left, ",/", span)
    if (int_constant(n) or 0) < 0:
        raise unsupported(",/ with a window that is turned around", span, "⌽¨ turns the items")
    n, a = build.bind(op(p.NATURAL, n, symbol=",/", span=span)), build.bind(a)
    places, most = op(p.IOTA, nv.size_of(build, a, span), span=span), literal(2**63 - 1, span)
    least = op(p.REDUCE_N, prim_fn(p.MINI), most, n, places, symbol=",/", span=span)
    starts = build.bind(shifted(build, least, -1))
    lengths = op(p.RESHAPE, op(p.SHAPE, starts, span=span), n, span=span)
    return nest((starts, build.bind(lengths), a), span)


def prefixes(build: Builder, a: Exp, span: Span) -> Exp:
    r"""`,\` of a vector of scalars: all its prefixes."""
    a = build.bind(a)
    count = nv.size_of(build, a, span)
    zeros = op(p.RESHAPE, vec((count,), Base.INT, span), literal(0, span), span=span)
    return nest((build.bind(zeros), build.bind(op(p.IOTA, count, span=span)), a), span)


def partition(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`k⊆v`: an item for each run of numbers that do not rise; what belongs to a 0 is left out."""
    marks, a = _marks(build, left, a, "⊆", span)
    before = op(p.CONS, literal(0, span), op(p.DROP, literal(-1, span), marks, span=span), span=span)
    begins = build.bind(op(p.ZIP_WITH, prim_fn(p.GTI), marks, before, symbol="⊆", span=span))
    zeros = build.each(
        build.function((Base.INT,), lambda x: op(p.EQI, x, literal(0, span)), span), marks, span
    )
    ends = build.bind(op(p.ZIP_WITH, prim_fn(p.ORB), begins, zeros, symbol="⊆", span=span))
    starts = build.bind(op(p.WHERE, begins, span=span))
    behind = op(p.ADDI, nv.size_of(build, a, span), literal(1, span), span=span)
    stops = build.bind(op(p.SNOC, op(p.WHERE, ends, span=span), behind, span=span))
    order = build.bind(op(p.SCAN, prim_fn(p.ADDI), build.coerce(ends, Base.INT, "⊆", span), span=span))

    def length(start: Exp) -> Exp:
        own = op(p.PICK, start, order, span=span)
        stop = op(p.PICK, op(p.ADDI, own, literal(1, span), span=span), stops, span=span)
        return op(p.SUBI, stop, start, span=span)

    lengths = build.each(build.function((Base.INT,), length, span), starts, span)
    return nest((build.bind(shifted(build, starts, -1)), build.bind(lengths), a), span)


def cut(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`k⊂v`: an item begins at each 1, and more of them, which are empty but the last, at larger numbers."""
    marks, a = _marks(build, left, a, "⊂", span)
    count = nv.size_of(build, a, span)
    places = op(p.IOTA, count, span=span)
    starts = build.bind(shifted(build, op(p.REPLICATE, marks, places, symbol="⊂", span=span), -1))
    stops = op(p.SNOC, op(p.DROP, literal(1, span), starts, span=span), count, span=span)
    stops = op(p.TAKE, nv.size_of(build, starts, span), stops, span=span)  # no items, no stop
    lengths = op(p.ZIP_WITH, prim_fn(p.SUBI), stops, starts, span=span)
    return nest((starts, build.bind(lengths), a), span)


def _marks(build: Builder, left: Exp, a: Exp, symbol: str, span: Span) -> tuple[Exp, Exp]:
    """The left argument of `⊆` and `⊂`, a number that is not negative for each element."""
    if rank(a) > 1 or rank(left) > 1:
        raise unsupported(
            f"{symbol} of {plain_type(a)} by {plain_type(left)}", span, "of the rows, one by one"
        )
    a = build.bind(as_vector(a))
    marks = to_integers(build, left, symbol)
    marks = build.bind(build.convert(marks, p.NATURAL, symbol, span))
    if rank(marks) == 0:
        extents = vec((nv.size_of(build, a, span),), Base.INT, span)
        return build.bind(op(p.RESHAPE, extents, marks, span=span)), a
    equal = build.function((Base.INT, base_of(a)), lambda x, _: x, span)
    return build.bind(op(p.ZIP_WITH, equal, marks, a, symbol=symbol, span=span)), a


def catenate(build: Builder, left: Exp, right: Exp, symbol: str, span: Span) -> Exp:
    """`a,b` and `a⍪b`"""
    sides: list[Exp] = []
    for one, other in ((left, right), (right, left)):
        if not isinstance(one.ty, Tuple) and length_of(one) == 0:
            return required(build, other, symbol, span)
        sides.append(one if not isinstance(one.ty, Tuple) else required(build, one, symbol, span))
    for one in sides:
        if not nv.is_nested(one):
            shown = f"{plain_type(left)} and {plain_type(right)}"
            raise unsupported(f"{symbol} of {shown}: simple scalars beside arrays", span)
    fitted = nv.fitted(build, sides)
    if fitted is None:
        raise unsupported(f"{symbol} of {plain_type(left)} and {plain_type(right)}", span)

    def join(a: Exp, b: Exp) -> Exp:
        return build.bind(functions.dyadic(build, symbol, a, b, span, None))

    a, b = fitted
    if nv.axes_of(a) == nv.axes_of(b) == 0:
        a = nv.ravelled(build, a, span)
    return nv.catenated(build, a, b, join, span)


def match(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a≡b`: the same shapes, and the same items in the same order."""
    both = [nv.as_nested(build, x, span) if isinstance(x.ty, Tuple) else None for x in (left, right)]
    if both[0] is None or both[1] is None:
        build.discard(right, left)
        return literal(False, span)
    a, b = both[0], both[1]
    if nv.axes_of(a) != nv.axes_of(b) or nv.type_of(a).item.rank != nv.type_of(b).item.rank:
        build.discard(right, left)
        return literal(False, span)
    of_a, of_b = nv.parts_of(build, a), nv.parts_of(build, b)
    alike: Exp = literal(True, span)
    for x, y in zip(of_a[1:-1], of_b[1:-1], strict=True):
        alike = op(p.ANDB, alike, functions.dyadic(build, "≡", x, y, span, None), symbol="≡", span=span)
    if nv.is_nested(of_a[-1]) or nv.is_nested(of_b[-1]):
        raise unsupported(f"≡ of {plain_type(a)}", span)
    first, second = [build.bind(enlist(build, x, span)) for x in (a, b)]
    same = functions.dyadic(build, "≡", first, second, span, None)
    return op(p.ANDB, alike, same, symbol="≡", span=span)


# --- searches -------------------------------------------------------------------------------------------


def keys(build: Builder, arrays: list[Exp], symbol: str, span: Span, *, ordered: bool = False) -> list[Exp]:
    """For each array of items a matrix with a row for each, equal where the items are; or in their order.

    A row has the extents of the item and its elements, filled up to the longest item of all arrays.
    """
    fitted = nv.fitted(build, arrays)
    if fitted is None:
        raise unsupported(f"{symbol} of {' and '.join([plain_type(a) for a in arrays])}", span)
    if any(nv.is_nested(nv.parts_of(build, a)[-1]) or nv.type_of(a).item.rank.const > 1 for a in fitted):
        raise unsupported(f"{symbol} of {plain_type(fitted[0])}", span)
    vectors = [build.bind(nv.ravelled(build, a, span)) for a in fitted]
    width: Exp = literal(0, span)
    for a in vectors:
        longest = op(p.REDUCE, prim_fn(p.MAXI), literal(0, span), nv.parts_of(build, a)[1], span=span)
        width = op(p.MAXI, width, longest, span=span)
    width = build.bind(width)
    return [_rows(build, a, width, span, ordered=ordered) for a in vectors]


def _rows(build: Builder, a: Exp, width: Exp, span: Span, *, ordered: bool) -> Exp:
    """The key of each item of a vector."""
    base = nv.simple_base(nv.type_of(a))
    if base is Base.COMPLEX:
        raise unsupported("a search among arrays of complex numbers", span)
    wide = Base.DOUBLE if base is Base.DOUBLE else Base.INT

    def row(number: Exp) -> Exp:
        item = build.bind(nv.item_at(build, a, number, span))
        length = nv.size_of(build, item, span)
        values = op(p.TAKE, width, _as_numbers(build, item, base, span), span=span)
        if not ordered:
            size = build.coerce(length, wide, "¨", span)
            return op(p.CONS, size, values, span=span)
        one = build.coerce(literal(1, span), wide, "⍋", span)
        ones = op(p.RESHAPE, vec((length,), Base.INT, span), one, span=span)
        pairs = op(p.CONS, op(p.TAKE, width, ones, span=span), nv.column(values, span), span=span)
        return op(p.RAVEL, pairs, span=span)

    function = build.function_on((scalar(Base.INT),), row, span)
    numbers = op(p.IOTA, nv.count(build, a, span), span=span)
    return build.bind(op(p.CELLS, function, numbers, span=span))


def _as_numbers(build: Builder, item: Exp, base: Base, span: Span) -> Exp:
    if base is Base.CHAR:
        return build.each(prim_fn(p.C2I, "", span), item, span)
    return build.coerce(item, Base.DOUBLE if base is Base.DOUBLE else Base.INT, "¨", span)


def index_of(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a⍳b`"""
    a, b = required(build, left, "⍳", span), required(build, right, "⍳", span)
    rows = keys(build, [a, b], "⍳", span)
    found = functions.dyadic(build, "⍳", rows[0], rows[1], span, None)
    return _in_shape(build, found, b, span)


def member(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a∊b`"""
    a, b = required(build, left, "∊", span), required(build, right, "∊", span)
    return _in_shape(build, _found(build, a, b, "∊", span), a, span)


def _found(build: Builder, a: Exp, b: Exp, symbol: str, span: Span) -> Exp:
    """Whether each item of one is one of the other, as a vector."""
    rows = keys(build, [a, b], symbol, span)
    places = functions.dyadic(build, "⍳", rows[1], rows[0], span, None)
    last = op(p.ADDI, nv.count(build, b, span), literal(build.index_origin - 1, span), span=span)
    return build.bind(pervade(build, "≤", places, last, span))


def _in_shape(build: Builder, values: Exp, like: Exp, span: Span) -> Exp:
    """A vector in the shape of an array of arrays."""
    if nv.axes_of(like) == 1:
        return values
    if nv.axes_of(like) == 0:
        return op(p.FIRST, values, span=span)
    return op(p.RESHAPE, nv.shape(build, like, span), values, span=span)


def unique_mask(build: Builder, exp: Exp, span: Span) -> Exp:
    """`≠`: which items are the first of their kind."""
    (rows,) = keys(build, [exp], "≠", span)
    firsts = functions.dyadic(build, "⍳", rows, rows, span, None)
    numbers = functions.monadic(build, "⍳", nv.count(build, exp, span), span, None)
    return build.bind(pervade(build, "=", firsts, numbers, span))


def chosen(build: Builder, mask: Exp, exp: Exp, span: Span) -> Exp:
    """The items where a mask holds."""
    mask = build.bind(mask)
    return nv.arranged(build, exp, lambda d: build.bind(op(p.COMPRESS, mask, d, span=span)), span)


def grade(build: Builder, symbol: str, exp: Exp, span: Span) -> Exp:
    """`⍋` and `⍒`: element by element, a shorter item before a longer one that begins with it."""
    (rows,) = keys(build, [exp], symbol, span, ordered=True)
    return functions.monadic(build, symbol, rows, span, None)


# --- the table ------------------------------------------------------------------------------------------

ARRANGING = {1: frozenset("⌽⊖⍉,⍪"), 2: frozenset("⍴⌽⊖⍉↑↓/⌿\\⍀⌷")}
"""What is done to the places and extents of items, by number of arguments."""


MAKING = {1: frozenset("↑↓"), 2: frozenset("⊂⊆")}
"""What makes arrays of arrays of others, or the other way round."""


def concerns(symbol: str, left: Exp | None, right: Exp, axis: Exp | None, *, is_scalar: bool) -> bool:
    """Whether an application is one of those below: to an array of arrays, or one that makes such a one."""
    arguments = [a for a in (left, right) if a is not None]
    if any(nv.is_nested(a) for a in arguments) or symbol in MAKING[len(arguments)]:
        return True
    if symbol == "⊂" and axis is not None:
        return True
    if is_scalar or not any(isinstance(a.ty, Tuple) for a in arguments):
        return False
    return not tuples.has(symbol, left) and not (symbol == "⌷" and not isinstance(right.ty, Tuple))


def primitive(build: Builder, symbol: str, left: Exp | None, right: Exp, span: Span, axis: Exp | None) -> Exp:
    """A function that is not scalar where an argument is an array of arrays."""
    arguments = [a for a in (left, right) if a is not None]
    simple = not any(isinstance(a.ty, Tuple) for a in arguments)
    if left is None and simple:
        if symbol == "↑":
            return right
        if symbol == "⊂":
            assert axis is not None
            return enclose_axes(build, axis, right, span)
        return split(build, right, span, axis)
    if left is not None and simple and axis is None:
        return (partition if symbol == "⊆" else cut)(build, left, right, span)
    if left is None:
        return _monadic(build, symbol, required(build, right, symbol, span), span, axis)
    return _dyadic(build, symbol, left, right, span, axis)


def _monadic(build: Builder, symbol: str, exp: Exp, span: Span, axis: Exp | None) -> Exp:
    exp = build.bind(exp)
    if symbol in ARRANGING[1]:
        return nv.arranged(
            build, exp, lambda d: build.bind(functions.monadic(build, symbol, d, span, axis)), span
        )
    if axis is not None:
        raise unsupported(f"{symbol} with an axis of {plain_type(exp)}", span)
    match symbol:
        case "⊃":
            return first(build, exp, span)
        case "↑":
            return mix(build, exp, span)
        case "∊":
            return enlist(build, exp, span)
        case "⊂":
            return product((exp, product(())), span)
        case "⊢" | "⊣" | "⌷" | "⊆":
            return exp
        case "≢" | "⍴":
            return functions.monadic(build, symbol, nv.parts_of(build, exp)[0], span, None)
        case "≡":
            return literal(depth_of(nv.type_of(exp)), span)
        case "≠":
            return unique_mask(build, exp, span)
        case "∪":
            return chosen(build, unique_mask(build, exp, span), exp, span)
        case "⍋" | "⍒":
            return grade(build, symbol, exp, span)
        case _:
            raise unsupported(f"{symbol} of {plain_type(exp)}", span)


def depth_of(ty: Nested) -> int:
    """`≡` of an array of arrays."""
    return 1 + (depth_of(ty.item) if isinstance(ty.item, Nested) else 1)


def _dyadic(build: Builder, symbol: str, left: Exp, right: Exp, span: Span, axis: Exp | None) -> Exp:
    simple_left = not isinstance(left.ty, Tuple)
    if symbol in ARRANGING[2] and simple_left:
        exp = build.bind(required(build, right, symbol, span))
        left = build.bind(left)
        return nv.arranged(
            build, exp, lambda d: build.bind(functions.dyadic(build, symbol, left, d, span, axis)), span
        )
    if axis is not None:
        raise unsupported(f"{symbol} with an axis of arrays of arrays", span)
    match symbol:
        case "," | "⍪":
            return catenate(build, left, right, symbol, span)
        case "⊃" if simple_left:
            return pick(build, left, required(build, right, symbol, span), span)
        case "≡":
            return match(build, left, right, span)
        case "≢":
            return op(p.NOTB, match(build, left, right, span), symbol="≢", span=span)
        case "⊢":
            build.discard(left)
            return right
        case "⊣":
            build.discard(right)
            return left
        case "⍳":
            return index_of(build, left, right, span)
        case "∊":
            return member(build, left, right, span)
        case "~" | "∩":
            a, b = [build.bind(required(build, x, symbol, span)) for x in (left, right)]
            mask = _found(build, a, b, symbol, span)
            if symbol == "~":
                mask = pervade(build, "~", None, mask, span)
            return chosen(build, mask, a, span)
        case "∪":
            a, b = [build.bind(required(build, x, symbol, span)) for x in (left, right)]
            rest = chosen(build, pervade(build, "~", None, _found(build, b, a, symbol, span), span), b, span)
            return catenate(build, a, rest, ",", span)
        case _:
            shown = " and ".join([plain_type(a) for a in (left, right)])
            raise unsupported(f"{symbol} of {shown}", span)
