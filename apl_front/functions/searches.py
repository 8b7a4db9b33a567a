"""Searches among arrays: `⍳ ∊ ∪ ∩ ~ ≠ ⌸ ⍋ ⍒ ≡` of items.

Note [Items that have items]
    Searches compare items of simple elements. Where items are arrays of arrays themselves, a number stands
    for each of theirs, the same for equal ones: that of its class, and for an order its rank among all. Then
    an item is an array of numbers. What is looked for has numbers of what it is found among.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aplc.apl_front.building.builder import Builder, plain_type, rank
from aplc.apl_front.building.item_types import bottom, simple_base
from aplc.apl_front.functions import cuts, levels
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions import table as functions
from aplc.apl_front.functions.catenation import laminate
from aplc.apl_front.functions.selection import replicate_first
from aplc.apl_front.functions.structure import as_vector, shifted
from aplc.tail import prims as p
from aplc.tail.errors import CompileError, compile_error, unsupported
from aplc.tail.prims import Prim
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, item, literal, nest, op, prim_fn, product, vec
from aplc.tail.types import Array, Base, Nested, Records, Tuple

WITHIN_TOLERANCE = {
    p.CLASSES: p.CLASSES_T, p.INDEX_OF_ITEMS: p.INDEX_OF_ITEMS_T, p.MATCH_ITEMS: p.MATCH_ITEMS_T,
}  # fmt: skip


def _comparing(build: Builder, prim: Prim, args: tuple[Exp, ...], symbol: str, span: Span) -> Exp:
    """A primitive that compares items of one type; doubles are compared within ⎕CT."""
    if build.tolerance and simple_base(nv.type_of(args[0])) is Base.DOUBLE:
        args, prim = (literal(build.tolerance, span), *args), WITHIN_TOLERANCE[prim]
    return build.bind(op(prim, *args, symbol=symbol, span=span))


def _each(build: Builder, f: Callable[[Exp], Exp], numbers: Exp, span: Span) -> Exp:
    """A function of integers, of each of a vector."""
    return build.bind(build.each(build.function((Base.INT,), f, span), numbers, span))


def _picked(build: Builder, numbers: Exp, vector: Exp, span: Span) -> Exp:
    """Elements of a vector by their numbers, from 1."""
    return _each(build, lambda i: op(p.PICK, i, vector, span=span), numbers, span)


# --- items of simple elements ---------------------------------------------------------------------------


def _by_parts(build: Builder, exp: Exp, span: Span) -> Exp:
    """A vector of arrays of complex numbers with a pair of doubles for each of these."""
    *descriptor, elements = nv.parts_of(build, exp)
    real, imaginary = [build.bind(build.convert(elements, f, "", span)) for f in (p.REALZ, p.IMAGZ)]
    pairs = build.bind(op(p.RAVEL, laminate(build, real, imaginary, 0.5, span), span=span))
    twice = [_each(build, lambda x: op(p.ADDI, x, x, span=span), d, span) for d in descriptor]
    return nest((twice[0], *descriptor[1:-1], twice[-1], pairs), span)


def _is_simple(exp: Exp) -> bool:
    """Whether the items of an array have simple elements, which are no complex numbers."""
    item = nv.type_of(exp).item
    return isinstance(item, Array) and item.base is not Base.COMPLEX


def _refuse_records(exp: Exp, symbol: str, span: Span) -> None:
    """Raise `Unsupported` for items that are arrays of records."""
    if isinstance(bottom(nv.type_of(exp)), Records):
        raise unsupported(f"{symbol} of {plain_type(exp)}", span, "compare one field of the records, as k⊃¨")


def _numbered(build: Builder, descriptor: list[Exp], numbers: Exp, span: Span) -> Exp:
    """Items of numbers at places of their elements; enclosed ones are vectors of one number."""
    if len(descriptor) == 1:
        count = vec((nv.size_of(build, descriptor[0], span),), Base.INT, span)
        descriptor = [*descriptor, build.bind(op(p.RESHAPE, count, literal(1, span), span=span))]
    return nest((*descriptor, numbers), span)


def _keys(build: Builder, exp: Exp, symbol: str, span: Span) -> Exp:
    """A vector of items of simple elements that are equal where those of a vector are."""
    if _is_simple(exp):
        return exp
    _refuse_records(exp, symbol, span)
    *descriptor, elements = nv.parts_of(build, exp)
    if not nv.is_nested(elements):
        return _by_parts(build, exp, span)
    return _numbered(build, descriptor, classes(build, elements, symbol, span)[0], span)


def _keys_of(build: Builder, a: Exp, b: Exp, symbol: str, span: Span) -> tuple[Exp, Exp]:
    """The same for two vectors, of which the items of the second are looked for in the first."""
    if _is_simple(a):
        return a, b
    _refuse_records(a, symbol, span)
    *of_a, inner_a = nv.parts_of(build, a)
    *of_b, inner_b = nv.parts_of(build, b)
    if not nv.is_nested(inner_a):
        return _by_parts(build, a, span), _by_parts(build, b, span)
    numbers, *_ = classes(build, inner_a, symbol, span)
    known = build.bind(op(p.SNOC, numbers, literal(0, span), span=span))
    found = _picked(build, positions(build, inner_a, inner_b, symbol, span), known, span)
    return _numbered(build, of_a, numbers, span), _numbered(build, of_b, found, span)


def _ordered_keys(build: Builder, exp: Exp, symbol: str, span: Span) -> Exp:
    """The same for an order."""
    _refuse_records(exp, symbol, span)
    *descriptor, elements = nv.parts_of(build, exp)
    if not nv.is_nested(elements):
        if simple_base(nv.type_of(exp)) is Base.COMPLEX:
            raise compile_error("DOMAIN ERROR", f"{symbol}: complex numbers have no order", span)
        return exp
    numbers, *_ = classes(build, elements, symbol, span)
    order = _order(build, p.GRADE_ITEMS_UP, elements, symbol, span)
    in_order = _picked(build, order, numbers, span)
    before = op(p.CONS, literal(0, span), op(p.DROP, literal(-1, span), in_order, span=span), span=span)
    before = op(p.TAKE, nv.size_of(build, in_order, span), before, span=span)
    is_new = op(p.ZIP_WITH, build.function((Base.INT, Base.INT), _differ, span), in_order, before, span=span)
    ranks = build.bind(op(p.SCAN, prim_fn(p.ADDI), is_new, span=span))
    ranks = _picked(build, op(p.GRADE_UP, order, span=span), ranks, span)
    return _numbered(build, descriptor, ranks, span)


def _differ(x: Exp, y: Exp) -> Exp:
    return op(p.B2I, op(p.NEQI, x, y))


def _order(build: Builder, prim: Prim, exp: Exp, symbol: str, span: Span) -> Exp:
    """The numbers of the items of a vector in order."""
    return build.bind(op(prim, _ordered_keys(build, exp, symbol, span), symbol=symbol, span=span))


def classes(build: Builder, exp: Exp, symbol: str, span: Span) -> tuple[Exp, Exp, Exp]:
    """For each item of a vector the number of its class; for each class the number of its first item, and how
    many it has.
    """
    all_three = _comparing(build, p.CLASSES, (_keys(build, exp, symbol, span),), symbol, span)
    numbers, firsts, counts = [build.bind(item(all_three, k, span)) for k in (1, 2, 3)]
    return numbers, firsts, counts


def positions(build: Builder, a: Exp, b: Exp, symbol: str, span: Span) -> Exp:
    """Where the items of one vector stand first in another of their type, from 1."""
    return _comparing(build, p.INDEX_OF_ITEMS, _keys_of(build, a, b, symbol, span), symbol, span)


# --- functions of APL -----------------------------------------------------------------------------------


def _found(build: Builder, a: Exp, b: Exp, symbol: str, span: Span) -> Exp:
    """Where the items of one array stand first in another, from 1; behind all where they cannot be equal."""
    vectors = [build.bind(nv.ravelled(build, x, span)) for x in (a, b)]
    fitted = nv.fitted(build, vectors)
    if fitted is not None and nv.type_of(fitted[0]).item == nv.type_of(fitted[1]).item:
        return positions(build, build.bind(fitted[0]), build.bind(fitted[1]), symbol, span)
    behind = op(p.ADDI, nv.count(build, vectors[0], span), literal(1, span), span=span)
    count = vec((nv.count(build, vectors[1], span),), Base.INT, span)
    return build.bind(op(p.RESHAPE, count, behind, span=span))


def _in_shape(build: Builder, values: Exp, like: Exp, span: Span) -> Exp:
    """A vector in the shape of an array of arrays."""
    if nv.axes_of(like) == 1:
        return values
    if nv.axes_of(like) == 0:
        return op(p.FIRST, values, span=span)
    return op(p.RESHAPE, nv.shape(build, like, span), values, span=span)


def is_beside(left: Exp, right: Exp) -> bool:
    """Whether one array has simple scalars, which equal no arrays."""
    return isinstance(left.ty, Tuple) != isinstance(right.ty, Tuple)


def _spread(build: Builder, value: Exp, like: Exp, span: Span) -> Exp:
    """A scalar in the shape of an array of arrays, or of a simple one."""
    if isinstance(like.ty, Tuple):
        like = nv.parts_of(build, rv.required_nested(build, like, "⍳", span))[0]
    if rank(like) == 0:
        return value
    return op(p.RESHAPE, build.bind(op(p.SHAPE, like, span=span)), value, span=span)


def _nowhere(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a⍳b` where nothing is equal."""
    keys = (
        nv.parts_of(build, rv.required_nested(build, left, "⍳", span))[0]
        if isinstance(left.ty, Tuple)
        else left
    )
    if rank(keys) != 1:
        raise unsupported(f"⍳ of {plain_type(left)}", span)
    behind = op(
        p.ADDI, nv.size_of(build, build.bind(keys), span), literal(build.index_origin, span), span=span
    )
    return _spread(build, build.bind(behind), build.bind(right), span)


def index_of(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a⍳b`: of a matrix and the like its rows, which are looked for as such."""
    if is_beside(left, right):
        return _nowhere(build, left, right, span)
    a, b = rv.required_nested(build, left, "⍳", span), rv.required_nested(build, right, "⍳", span)
    of_row = nv.axes_of(a) - 1
    if of_row < 0:
        raise unsupported(f"⍳ of {plain_type(a)}", span)
    if nv.axes_of(b) < of_row:
        shown = f"{plain_type(b)} among the rows of {plain_type(a)}"
        raise compile_error("RANK ERROR", f"⍳ looks for rows, got {shown}", span)
    if of_row:
        a, b = major_cells(build, a, span), build.bind(_last_cells(build, b, of_row, span))
    found = build.bind(shifted(build, _found(build, a, b, "⍳", span), build.index_origin - 1))
    return _in_shape(build, found, b, span)


def _last_cells(build: Builder, exp: Exp, count: int, span: Span) -> Exp:
    """The cells of the last axes as items."""
    axes = range(nv.axes_of(exp) - count, nv.axes_of(exp))
    numbers = [literal(axis + build.index_origin, span) for axis in axes]
    return cuts.enclose_axes(build, vec(tuple(numbers), Base.INT, span), exp, span)


def found(build: Builder, a: Exp, b: Exp, symbol: str, span: Span) -> Exp:
    """Whether each item of one is one of the other, as a vector."""
    last = nv.count(build, b, span)
    return _mask(build, lambda i: op(p.LTEI, i, last, span=span), _found(build, b, a, symbol, span), span)


def _mask(build: Builder, f: Callable[[Exp], Exp], numbers: Exp, span: Span) -> Exp:
    return build.bind(build.each(build.function((Base.INT,), f, span), numbers, span))


def member(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a∊b`"""
    if is_beside(left, right):
        build.discard(right)
        return _spread(build, literal(False, span), build.bind(left), span)
    a, b = rv.required_nested(build, left, "∊", span), rv.required_nested(build, right, "∊", span)
    return _in_shape(build, found(build, a, b, "∊", span), a, span)


def major_cells(build: Builder, exp: Exp, span: Span) -> Exp:
    """The items of a vector, or the rows of a matrix and the like, as the items of a vector."""
    if nv.axes_of(exp) < 2:
        return build.bind(nv.ravelled(build, exp, span))
    axes = [literal(axis + build.index_origin, span) for axis in range(1, nv.axes_of(exp))]
    return build.bind(cuts.enclose_axes(build, vec(tuple(axes), Base.INT, span), exp, span))


def unique_mask(build: Builder, exp: Exp, span: Span) -> Exp:
    """`≠`: which major cells are the first of their kind."""
    vector = major_cells(build, exp, span)
    numbers, firsts, _ = classes(build, vector, "≠", span)
    places = op(p.IOTA, nv.count(build, vector, span), span=span)
    function = build.function(
        (Base.INT, Base.INT), lambda k, i: op(p.EQI, op(p.PICK, k, firsts, span=span), i, span=span), span
    )
    return build.bind(op(p.ZIP_WITH, function, numbers, places, span=span))


def unique(build: Builder, exp: Exp, span: Span) -> Exp:
    """`∪`"""
    if nv.axes_of(exp) > 1:
        mask = unique_mask(build, exp, span)
        return nv.arranged(build, exp, lambda d: build.bind(replicate_first(build, mask, d, span)), span)
    vector = build.bind(nv.ravelled(build, exp, span))
    return at(build, vector, classes(build, vector, "∪", span)[1], span)


def sets(build: Builder, left: Exp, right: Exp, symbol: str, span: Span) -> tuple[Exp, Exp]:
    """The arguments of `∪ ∩ ~` as vectors."""
    given = [rv.required_nested(build, x, symbol, span) for x in (left, right)]
    if any(nv.axes_of(x) > 1 for x in given):
        raise _no_vectors(given, symbol, span)
    a, b = [build.bind(nv.ravelled(build, x, span)) for x in given]
    return a, b


def as_set(build: Builder, left: Exp, right: Exp, symbol: str, span: Span) -> Exp:
    """The left argument of `∩` or `~` as a vector, where one argument is simple and the other is not."""
    a = rv.required_nested(build, left, symbol, span) if isinstance(left.ty, Tuple) else left
    if nv.axes_of(a) > 1:
        raise _no_vectors([a, right], symbol, span)
    return build.bind(nv.ravelled(build, a, span) if isinstance(a.ty, Tuple) else as_vector(a))


def _no_vectors(given: Sequence[Exp], symbol: str, span: Span) -> CompileError:
    shown = " and ".join([plain_type(x) for x in given])
    return compile_error("RANK ERROR", f"{symbol} needs vectors, got {shown}", span)


def at(build: Builder, exp: Exp, numbers: Exp, span: Span) -> Exp:
    """The items of a vector with these numbers, from 1."""
    return nv.arranged(build, exp, lambda d: _picked(build, numbers, d, span), span)


def _of_vector(build: Builder, vector: Exp, numbers: Exp, span: Span) -> Exp:
    return _picked(build, numbers, vector, span)


def chosen(build: Builder, mask: Exp, exp: Exp, span: Span) -> Exp:
    """The items of a vector where a mask holds."""
    return at(build, exp, build.bind(op(p.WHERE, mask, span=span)), span)


def grade(build: Builder, symbol: str, exp: Exp, span: Span) -> Exp:
    """`⍋` and `⍒`: element by element, a shorter item before a longer one that begins with it; of a matrix
    and the like row by row.
    """
    if nv.axes_of(exp) == 0:
        raise unsupported(f"{symbol} of {plain_type(exp)}", span)
    exp = major_cells(build, exp, span)
    prim = p.GRADE_ITEMS_UP if symbol == "⍋" else p.GRADE_ITEMS_DOWN
    return build.bind(shifted(build, _order(build, prim, exp, symbol, span), build.index_origin - 1))


def match(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a≡b`: the same shapes, and the same items in the same order."""
    right, left = build.bind(right), build.bind(left)
    made = [rv.as_nested(build, x, span) if isinstance(x.ty, Tuple) else None for x in (left, right)]
    both = [x if x is None else build.bind(x) for x in made]
    if both[0] is None or both[1] is None or not _of_one_form(nv.type_of(both[0]), nv.type_of(both[1])):
        build.discard(right, left)
        return literal(False, span)
    fitted = nv.fitted(build, [both[0], both[1]])
    if fitted is not None and _is_simple(fitted[0]):
        return _comparing(build, p.MATCH_ITEMS, (build.bind(fitted[0]), build.bind(fitted[1])), "≡", span)
    shapes = [build.bind(nv.shape(build, x, span)) for x in (both[0], both[1])]
    pairs = [shapes, *zip(*[levels.in_order(build, x, span) for x in (both[0], both[1])], strict=True)]
    alike: Exp = literal(True, span)
    for x, y in pairs:
        alike = op(p.ANDB, alike, functions.dyadic(build, "≡", x, y, span, None), symbol="≡", span=span)
    return alike


def _of_one_form(left: Nested, right: Nested) -> bool:
    """Whether arrays of arrays have the same ranks on all levels."""
    if left.rank != right.rank or type(left.item) is not type(right.item):
        return False
    if isinstance(left.item, Nested) and isinstance(right.item, Nested):
        return _of_one_form(left.item, right.item)
    return left.item.rank == right.item.rank


def key_places(build: Builder, keys: Exp, values: Exp, span: Span) -> Exp:
    """What `keys f⌸ values` applies `f` to, for keys that are items and values that are records or the rows
    of a table: the different keys, where their values begin, from 0, how many there are, and in which order.
    """
    vector = build.bind(nv.ravelled(build, keys, span))
    numbers, firsts, counts = classes(build, vector, "⌸", span)
    if nv.axes_of(keys) > 1 or rv.type_of(values).rank.const != 1 or rv.type_of(values).axis == 0:
        raise unsupported(f"⌸ of {plain_type(keys)} and {plain_type(values)}", span)
    numbers = build.bind(op(p.ALIKE, numbers, nv.frame_of(build, values), symbol="⌸", span=span))
    ends = op(p.SCAN, prim_fn(p.ADDI), counts, span=span)
    starts = build.bind(op(p.ZIP_WITH, prim_fn(p.SUBI), ends, counts, span=span))
    order = build.bind(op(p.GRADE_UP, numbers, span=span))
    return product((at(build, vector, firsts, span), starts, counts, order), span)


def key_groups(build: Builder, keys: Exp, values: Exp, span: Span) -> Exp:
    """What `keys f⌸ values` applies `f` to, for keys that are items: the different ones, and for each of them
    the values that belong to it, as items.
    """
    vector = major_cells(build, keys, span)
    numbers, firsts, counts = classes(build, vector, "⌸", span)
    if (nv.axes_of(values) if nv.is_nested(values) else rank(values)) > 1:
        raise unsupported(f"⌸ of {plain_type(keys)} and {plain_type(values)}", span)
    values = nv.ravelled(build, values, span) if nv.is_nested(values) else build.bind(as_vector(values))
    like = nv.parts_of(build, values)[0] if nv.is_nested(values) else values
    numbers = build.bind(op(p.ALIKE, numbers, like, symbol="⌸", span=span))
    ends = op(p.SCAN, prim_fn(p.ADDI), counts, span=span)
    starts = build.bind(op(p.ZIP_WITH, prim_fn(p.SUBI), ends, counts, span=span))
    order = build.bind(op(p.GRADE_UP, numbers, span=span))
    take = at if nv.is_nested(values) else _of_vector
    in_order = take(build, values, order, span)
    return product((at(build, vector, firsts, span), nest((starts, counts, in_order), span)), span)
