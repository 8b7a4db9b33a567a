"""`f¨` and `∘.f` where an argument, or what `f` gives, is an array of arrays.

A function of an item is one of its number (`Side`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from aplc.apl_front.building.builder import (
    Builder,
    enclosed,
    is_enclosed,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.building.item_types import nested_type, record_type
from aplc.apl_front.building.runs import without_runs
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions import tuples
from aplc.apl_front.functions.cells import Cells
from aplc.apl_front.functions.operators import Operand
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, unsupported
from aplc.tail.faults import IndexForm
from aplc.tail.parts import table
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Fn, ItemIndex, Op, TupleExp, Var, literal, op, walk
from aplc.tail.types import UNIT, Base, Records, Tuple, Type, scalar


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
    if isinstance(exp.ty, Tuple):
        exp = build.bind(rv.required(build, exp, "¨", span))
    if rv.is_many(exp):
        whole = exp
        if nv.axes_of(exp) == 0:
            item = build.bind(rv.item_at(build, exp, literal(1, span), span))
            return Side(None, lambda _: item)
        return Side(rv.numbers(build, exp, span), lambda number: _numbered(build, whole, number, span))
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
    return rv.item_at(build, exp, number, span)


class Items(Cells):
    """The items of an array of arrays one after the other."""

    def __init__(self, build: Builder, array: Exp, span: Span) -> None:
        self.build, self.span = build, span
        self.array = build.bind(nv.ravelled(build, array, span))
        self.count = build.bind(nv.size_of(build, nv.frame_of(build, self.array), span))
        self.frame = (self.count,)

    def at(self, i: Exp) -> Exp:
        """The item at a position, counted from 0."""
        number = self.build.bind(op(p.ADDI, i, literal(1, self.span), span=self.span))
        return rv.item_at(self.build, self.array, number, self.span)


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

        return _by_number(build, f, on_one, (moving.numbers,), (moving.numbers,), span)
    numbers = of_left.numbers, of_right.numbers
    require_equal_ranks(f, numbers[0], numbers[1], span)
    first = of_left

    def on_two(number: Exp, other: Exp) -> Exp:
        return f.apply(first.at(number), of_right.at(other), span)

    return _by_number(build, f, on_two, numbers, numbers[:1], span)


def require_equal_ranks(f: Operand, left: Exp, right: Exp, span: Span) -> None:
    """Two arguments of `f¨` that are no scalars have as many axes."""
    if rank(left) != rank(right):
        shown = f"got {rank(left)} and {rank(right)} axes"
        raise compile_error("RANK ERROR", f"{f.text}¨ needs equal ranks or a scalar, {shown}", span)


def _by_number(
    build: Builder,
    f: Operand,
    make: Callable[..., Exp],
    numbers: tuple[Exp, ...],
    sides: tuple[Exp, ...],
    span: Span,
) -> Exp:
    """A function of the numbers of items, for each of them. An item has the index that its first numbers are
    of these arrays of numbers.
    """
    numbers = tuple([build.bind(n) for n in numbers])
    mark = build.mark()
    inputs = (scalar(Base.INT),) * len(numbers)
    function = build.function_on(inputs, _as_item(build, make, f, span), f.span)
    if tuples.is_tuple(function.body):
        build.undo(mark)
        return _columns(build, f, make, function, numbers, sides, span)
    extents = [nv.extents_of(build, side, span) if rank(side) > 1 else [] for side in sides]
    function = _of_items(build, function, extents)
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

    shape = nv.extents_of(build, numbers[0], span) if rank(numbers[0]) > 1 else []
    count = nv.size_of(build, flat[0], span)
    result = pieces(build, _as_item(build, on_place, f, span), count, shape, f, span)
    if not shape:
        return result
    whole = build.bind(op(p.SHAPE, numbers[0], span=span))
    return nv.arranged(build, result, lambda d: op(p.RESHAPE, whole, d, span=span), span)


def _columns(
    build: Builder,
    f: Operand,
    make: Callable[..., Exp],
    function: Fn,
    numbers: tuple[Exp, ...],
    sides: tuple[Exp, ...],
    span: Span,
) -> Exp:
    """A function of the numbers of items that gives records: one function for each field. What it computes
    for several of them is computed for each, so where it would not give the same each time it makes records
    that are enclosed, one by one.
    """
    assert isinstance(function.body.ty, Tuple)
    if any(isinstance(node, Op) and (node.prim.stateful or node.prim.draws) for node in walk(function.body)):
        if record_type(Tuple((function.body.ty, UNIT))) is None:
            result = plain_type(function.body)
            what = f"{f.text}, which prints or draws random numbers, with a result of {result}"
            raise unsupported(what, f.span, "give one value for each item")

        def one(*args: Exp) -> Exp:
            return enclosed(build.bind(make(*args)), span)

        *places, made = nv.parts_of(build, _by_number(build, f, one, numbers, sides, span))
        if rank(places[0]) == 1:
            return made
        shape = build.bind(op(p.SHAPE, places[0], span=span))
        return nv.rearranged(build, made, lambda c: build.bind(op(p.RESHAPE, shape, c, span=span)), span)

    def field(k: int) -> Callable[..., Exp]:
        def made(*args: Exp) -> Exp:
            value = build.bind(make(*args))
            parts = value.items if isinstance(value, TupleExp) else ()
            build.discard(*[part for j, part in enumerate(parts) if j != k])
            return parts[k]

        return made

    count = len(function.body.ty.items)
    columns = [build.bind(_by_number(build, f, field(k), numbers, sides, span)) for k in range(count)]
    return table(tuple(columns), None, span)


def _of_items(build: Builder, function: Fn, extents: list[list[Exp]]) -> Fn:
    """A function whose errors name the item. Its first parameters are its number in an array of each of these
    extents, in a vector if there are none.
    """
    numbers = [Var(q.name, ty=q.ty, span=function.span) for q in function.params]
    parts = tuple([(number, *axes) for number, axes in zip(numbers, extents, strict=False)])
    form = IndexForm(build.index_origin, tuple([max(1, len(axes)) for axes in extents]))
    return replace(function, item=ItemIndex(parts, form))


def _as_item(build: Builder, make: Callable[..., Exp], f: Operand, span: Span) -> Callable[..., Exp]:
    """A function whose result is an array, of whatever, or a record."""

    def made(*args: Exp) -> Exp:
        value = without_runs(make(*args), f"{f.text}, applied to items, with a result", span)
        if not isinstance(value.ty, Tuple) or (rv.is_records(value) and not rv.is_table(value)):
            return value
        known = rv.as_nested(build, value, span)
        if known is None and tuples.is_tuple(value) and not is_enclosed(value.ty):
            return build.bind(value)
        known = known or rv.as_records(build, value, span)
        if known is None or rv.is_table(known):
            what = f"{f.text}, applied to items, with a result of {plain_type(value)}"
            tables = isinstance(value.ty, Tuple) and any(_is_table(t) for t in (value.ty, *value.ty.items))
            raise unsupported(what, f.span, "↓ makes records of the rows of a table" if tables else "")
        return known

    return made


def _is_table(ty: Type) -> bool:
    return isinstance(ty, Records) and ty.axis is not None


def pieces(
    build: Builder, make: Callable[[Exp], Exp], count: Exp, shape: list[Exp], f: Operand, span: Span
) -> Exp:
    """The vector of what a function of 1, 2, … gives, the numbers of items in an array of that shape."""
    function = _of_items(build, build.function_on((scalar(Base.INT),), make, f.span), [shape])
    places = build.bind(op(p.IOTA, count, span=span))
    return build.bind(op(p.PIECES, function, places, symbol=f"{f.text}¨", span=span))


def outer(build: Builder, f: Operand, left: Exp, right: Exp, span: Span) -> Exp:
    """`a∘.f b`"""
    left, right = build.bind(left), build.bind(right)
    of_left, of_right = side(build, left, span), side(build, right, span)
    if of_left.numbers is None or of_right.numbers is None:
        return each(build, f, left, right, span)
    rows, columns = of_left.numbers, build.bind(of_right.numbers)

    def both(i: Exp, j: Exp) -> Exp:
        return f.apply(of_left.at(i), of_right.at(j), span)

    index = build.function((Base.INT, Base.INT), lambda i, j: i, span)
    other = build.function((Base.INT, Base.INT), lambda i, j: j, span)
    pairs = tuple([op(p.OUTER, k, rows, columns, symbol=f"∘.{f.text}", span=span) for k in (index, other)])
    return _by_number(build, f, both, pairs, (rows, columns), span)


def has_many(left: Exp | None, right: Exp) -> bool:
    """Whether `f¨` has an array of elements whose number is not known, or of none, beside an enclosed item or
    a strand that becomes an array of arrays.
    """
    if left is None or isinstance(left.ty, Tuple) == isinstance(right.ty, Tuple):
        return False
    strand, simple = (left, right) if isinstance(left.ty, Tuple) else (right, left)
    if rv.is_records(strand):
        return False
    is_known = rank(simple) == 0 or (rank(simple) == 1 and bool(length_of(simple)))
    return not is_known and joins(strand, strand)


def joins(left: Exp, right: Exp) -> bool:
    """Whether `∘.` has an argument that is an array of arrays or of records or becomes one, or the enclosed
    item of one.
    """
    strands = [a for a in (left, right) if isinstance(a.ty, Tuple)]
    return bool(strands) and all(map(_has_items, strands))


def _has_items(strand: Exp) -> bool:
    if rv.is_table(strand):
        return False
    types = strand.ty, nested_type(strand.ty), record_type(strand.ty)
    return is_enclosed(types[0]) or types[1:] != (None, None)
