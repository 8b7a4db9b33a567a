r"""What makes arrays of arrays of others, and the other way round: `⊂ ⊆ ↓ ,/ ,\\ ⍳ ⍸ ∊` and indices.

Items are cut out of the elements of an array by their places and extents: nothing is copied.
"""

from __future__ import annotations

from aplc.apl_front.building.axes import constant_axis, from_last
from aplc.apl_front.building.builder import (
    Builder,
    base_of,
    int_constant,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.functions import indexing
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions import table as functions
from aplc.apl_front.functions.structure import as_vector, one_integer, shifted, to_integers
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import (
    Exp,
    Vec,
    item,
    literal,
    nest,
    op,
    prim_fn,
    vec,
)
from aplc.tail.types import Array, Base, Records, Tuple, scalar


def split(build: Builder, a: Exp, span: Span, axis: Exp | None = None) -> Exp:
    """`↓`: the vectors of the last axis, or of the one named, as items."""
    axes = nv.axes_of(a)
    if axes == 0:
        return a
    along = axes - 1 if axis is None else constant_axis(build, axis, axes, "↓", span)
    return enclose_axes(build, literal(along + build.index_origin, span), a, span)


def enclose_axes(build: Builder, axes: Exp, a: Exp, span: Span) -> Exp:
    """`⊂[axes]`: the cells of those axes as items; also of an array of arrays."""
    given = [axes] if not isinstance(axes, Vec) else list(axes.items)
    count_of_axes = nv.axes_of(a)
    inner = [constant_axis(build, k, count_of_axes, "⊂", span) for k in given]
    if len(set(inner)) != len(inner):
        raise compile_error("DOMAIN ERROR", "⊂ needs different axes", axes.span or span)
    others = [k for k in range(count_of_axes) if k not in inner]
    if not inner:
        return a
    order = [0] * count_of_axes
    for place, k in enumerate([*others, *inner]):
        order[k] = place + 1
    numbers = vec(tuple([literal(k, span) for k in order]), Base.INT, span)

    def transposed(simple: Exp) -> Exp:
        return build.bind(op(p.TRANSP2, numbers, simple, symbol="⊂", span=span))

    moved = build.bind(a)
    if order != sorted(order):
        moved = nv.rearranged(build, moved, transposed, span)
    extents = nv.extents_of(build, moved, span)
    elements = build.bind(nv.ravelled(build, moved, span))
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


def indices(build: Builder, extents: Exp, symbol: str, span: Span) -> Exp:
    """`⍳` of several extents: an array of that shape, whose items are its indices."""
    extents = build.bind(to_integers(build, extents, symbol))
    axes = length_of(extents)
    if axes is None:
        raise unsupported(f"{symbol} of {plain_type(extents)}, whose length is not known,", span)
    count = op(p.REDUCE, prim_fn(p.MULI), literal(1, span), extents, symbol=symbol, span=span)
    items = _indices_at(build, op(p.IOTA, count, symbol=symbol, span=span), extents, span)
    return nv.arranged(build, items, lambda d: build.bind(op(p.RESHAPE, extents, d, span=span)), span)


def _indices_at(build: Builder, numbers: Exp, extents: Exp, span: Span) -> Exp:
    """The indices of elements of an array by their numbers in row-major order."""
    zero_based = build.bind(shifted(build, numbers, -1))
    columns = op(p.ENCODE, extents, zero_based, symbol="⍳", span=span)
    rows = op(p.TRANSP, shifted(build, columns, build.index_origin), span=span)
    return enclose_axes(build, literal(1 + build.index_origin, span), rows, span)


def places(build: Builder, a: Exp, span: Span) -> Exp:
    """`⍸` of an array of several axes: the indices of what is not 0, as often as its element says."""
    a = build.bind(a)
    numbers = functions.monadic(build, "⍸", nv.flat(a, span), span, None)
    own = build.bind(shifted(build, numbers, 1 - build.index_origin))
    return _indices_at(build, own, build.bind(op(p.SHAPE, a, span=span)), span)


def at_indices(build: Builder, array: Exp, index: Exp, symbol: str, span: Span) -> Exp:
    """`a[i]`, where the items of `i` are indices with a number for each axis."""
    array, index = build.bind(array), build.bind(rv.required_nested(build, index, symbol, span))
    axes = nv.axes_of(array)
    of_one = nv.type_of(index).item
    if not isinstance(of_one, Array) or of_one.rank.const != 1 or of_one.base is Base.CHAR:
        raise unsupported(f"an index of {plain_type(index)}", span)

    def numbers(number: Exp) -> list[Exp | None]:
        item = nv.item_at(build, index, number, span)
        if nv.axes_of(index) == 0:
            return [*indexing.numbers_of(build, item, axes, symbol, span)]
        what = f"the index of {symbol}"
        known = op(p.OF_LENGTH, literal(axes, span), item, symbol=what, span=span)
        one = build.bind(to_integers(build, known, "an index"))
        places: list[Exp] = [literal(k + 1, span) for k in range(axes)]
        if axes > 1:  # a single number does not extend
            length = build.bind(op(p.PICK, number, nv.flat(nv.parts_of(build, index)[1], span), span=span))
            places[-1] = op(p.PICK, places[-1], op(p.IOTA, length, span=span), symbol=what, span=span)
        return [op(p.PICK, place, one, span=span) for place in places]

    def chosen_of(simple: Exp) -> Exp:
        def element(number: Exp) -> Exp:
            return indexing.index(build, simple, numbers(number), symbol, span)

        if nv.axes_of(index) == 0:
            return element(literal(1, span))
        function = build.function((Base.INT,), element, span)
        return build.bind(build.each(function, nv.numbers(build, index, span), span))

    return nv.rearranged(build, array, chosen_of, span)


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
    one_each = build.bind(op(p.REDUCE_N, prim_fn(p.MINI), most, n, places, symbol=",/", span=span))
    starts = build.bind(shifted(build, op(p.IOTA, nv.size_of(build, one_each, span), span=span), -1))
    lengths = op(p.RESHAPE, op(p.SHAPE, starts, span=span), n, span=span)
    return nest((starts, build.bind(lengths), a), span)


def prefixes(build: Builder, a: Exp, span: Span) -> Exp:
    r"""`,\` of a vector of scalars: all its prefixes."""
    a = build.bind(a)
    count = nv.size_of(build, a, span)
    zeros = op(p.RESHAPE, vec((count,), Base.INT, span), literal(0, span), span=span)
    return nest((build.bind(zeros), build.bind(op(p.IOTA, count, span=span)), a), span)


def lines(build: Builder, text: Exp, span: Span) -> Exp:
    """The lines of a text, each of which `⎕UCS 10` ends, but perhaps the last one."""
    text = build.bind(text)
    is_end = build.function((Base.CHAR,), lambda c: op(p.EQC, c, literal("\n", span), span=span), span)
    ends = build.bind(op(p.WHERE, build.each(is_end, text, span), span=span))
    last = op(p.FIRST, op(p.TAKE, literal(-1, span), ends, span=span), span=span)
    size = nv.size_of(build, text, span)
    rest = op(p.LTI, last, size, span=span)
    behind = op(p.ADDI, size, literal(1, span), span=span)
    more = op(p.COMPRESS, vec((rest,), Base.BOOL, span), vec((behind,), Base.INT, span), span=span)
    stops = build.bind(op(p.CAT, ends, more, span=span))
    before = op(p.CONS, literal(0, span), op(p.DROP, literal(-1, span), stops, span=span), span=span)
    starts = build.bind(op(p.TAKE, nv.size_of(build, stops, span), before, span=span))
    lengths = op(p.ZIP_WITH, prim_fn(p.SUBI), shifted(build, stops, -1), starts, span=span)
    return nest((starts, build.bind(lengths), text), span)


def partition(build: Builder, left: Exp, a: Exp, span: Span, axis: Exp | None = None) -> Exp:
    """`k⊆v`: an item for each run of numbers that do not rise; what belongs to a 0 is left out. Of several
    axes each vector along the last one, or the one named, is cut so.
    """
    axes = nv.axes_of(a)
    if axes > 1:
        return _partition_along(build, left, a, span, axis)
    marks, a = _marks(build, left, a, "⊆", span)
    runs = build.bind(op(p.RUNS, marks, symbol="⊆", span=span))
    return nest((build.bind(item(runs, 1, span)), build.bind(item(runs, 2, span)), a), span)


def _partition_along(build: Builder, left: Exp, a: Exp, span: Span, axis: Exp | None) -> Exp:
    """`k⊆m`: the parts of the vectors along an axis, in the place of that axis."""
    axes = nv.axes_of(a)
    along = axes - 1 if axis is None else constant_axis(build, axis, axes, "⊆", span)
    a = build.bind(a)
    rows = build.bind(enclose_axes(build, literal(along + build.index_origin, span), a, span))
    extent = nv.extents_of(build, a, span)[along]
    numbers = build.bind(op(p.IOTA, extent, span=span))
    *runs, _ = nv.parts_of(build, build.bind(partition(build, left, numbers, span)))
    starts, *_, elements = nv.parts_of(build, rows)

    def moved(first: Exp, second: Exp) -> Exp:
        return op(p.ADDI, first, second, span=span)

    add = build.function((Base.INT, Base.INT), moved, span)
    keep = build.function((Base.INT, Base.INT), lambda _, length: length, span)
    parts = [
        build.bind(op(p.OUTER, f, starts, run, symbol="⊆", span=span))
        for f, run in zip((add, keep), runs, strict=True)
    ]
    if along < axes - 1:
        parts = [build.bind(from_last(part, along, span)) for part in parts]
    return nest((*parts, elements), span)


def _cut_along(build: Builder, left: Exp, a: Exp, span: Span, axis: Exp | None) -> Exp:
    """`k⊂m`: an array is cut along its last axis, or the one named, and each part keeps the others."""
    axes = nv.axes_of(a)
    if isinstance(a.ty, Records):
        raise unsupported(f"⊂ of {plain_type(a)}", span, "of the rows, one by one")
    along = axes - 1 if axis is None else constant_axis(build, axis, axes, "⊂", span)
    a = build.bind(a)
    numbers = build.bind(op(p.IOTA, nv.extents_of(build, a, span)[along], span=span))
    marks = build.bind(cut(build, left, shifted(build, numbers, build.index_origin - 1), span))
    given: list[Exp | None] = [None] * axes

    def part(number: Exp) -> Exp:
        given[along] = build.bind(nv.item_at(build, marks, number, span))
        return indexing.bracket(build, a, given, span)

    function = build.function_on((scalar(Base.INT),), part, span)
    return op(p.PIECES, function, nv.numbers(build, marks, span), symbol="⊂", span=span)


def cut(build: Builder, left: Exp, a: Exp, span: Span, axis: Exp | None = None) -> Exp:
    """`k⊂v`: an item begins at each 1, and more of them, which are empty but the last, at larger numbers."""
    if nv.axes_of(a) > 1:
        return _cut_along(build, left, a, span, axis)
    marks, a = _marks(build, left, a, "⊂", span)
    like = nv.frame_of(build, a)
    count = nv.items_of_vector(build, a, span)
    is_alike = rank(left) == 0 or length_of(left) == length_of(like) is not None
    if not is_alike:
        count = _counted(build, marks, count, span)
    if base_of(marks) is Base.BOOL:
        firsts = op(p.WHERE, marks, symbol="⊂", span=span)
    else:
        places = op(p.IOTA, count if is_alike else nv.size_of(build, marks, span), span=span)
        firsts = op(p.REPLICATE, marks, places, symbol="⊂", span=span)
    starts = build.bind(shifted(build, firsts, -1))
    stops = op(p.SNOC, op(p.DROP, literal(1, span), starts, span=span), count, span=span)
    stops = op(p.TAKE, nv.size_of(build, starts, span), stops, span=span)  # no items, no stop
    lengths = op(p.ZIP_WITH, prim_fn(p.SUBI), stops, starts, span=span)
    return nest((starts, build.bind(lengths), a), span)


def _marks(build: Builder, left: Exp, a: Exp, symbol: str, span: Span) -> tuple[Exp, Exp]:
    """The left argument of `⊆` and `⊂`, a truth value or a number that is not negative for each element, and
    the vector that is cut.
    """
    if isinstance(left.ty, Tuple) or nv.axes_of(a) > 1 or rank(left) > 1:
        raise unsupported(
            f"{symbol} of {plain_type(a)} by {plain_type(left)}", span, "of the rows, one by one"
        )
    a = build.bind(nv.ravelled(build, a, span) if isinstance(a.ty, Tuple) else as_vector(a))
    marks = build.bind(left)
    if rank(marks) == 0:
        extents = vec((nv.items_of_vector(build, a, span),), Base.INT, span)
        return build.bind(op(p.RESHAPE, extents, _natural(build, marks, symbol, span), span=span)), a
    like = nv.frame_of(build, a)
    if symbol == "⊂" and not (length_of(marks) == length_of(like) is not None):
        return build.bind(_natural(build, marks, symbol, span)), a
    marks = build.bind(op(p.ALIKE, marks, like, symbol=symbol, span=span))
    return build.bind(_natural(build, marks, symbol, span)), a


def _counted(build: Builder, marks: Exp, count: Exp, span: Span) -> Exp:
    """The number of elements that are cut: there are no more marks than these, and one behind the last."""
    most = build.bind(op(p.ADDI, count, literal(1, span), span=span))
    larger = op(p.MAXI, nv.size_of(build, marks, span), most, span=span)
    places = [op(p.IOTA, n, span=span) for n in (larger, most)]
    checked = build.bind(op(p.ALIKE, *places, symbol="⊂", span=span))
    return build.bind(op(p.SUBI, nv.size_of(build, checked, span), literal(1, span), span=span))


def _natural(build: Builder, marks: Exp, symbol: str, span: Span) -> Exp:
    """Marks that are truth values, or numbers that are not negative; their lengths were compared before, as
    targets do.
    """
    if base_of(marks) is Base.BOOL:
        return marks
    return build.convert(to_integers(build, marks, symbol), p.NATURAL, symbol, span)
