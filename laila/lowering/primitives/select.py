"""The lowering of functions that choose elements by data: compress, replicate, expand, `⍸`, and the rotation
of each row by a count of its own.

Note [Vectors that are not computed]
    `m/v` and `⍸m` are `kept` elements of a vector: a source and a mask. A reduction by an associative
    function takes the neutral element where the mask does not hold, a count is a reduction of the mask, and
    what is mapped over the vector is mapped over the source. Everything else needs them in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from aplc.laila.ir.counts import is_bit, is_zero_or_one
from aplc.laila.ir.liveness import with_frees
from aplc.laila.ir.program import Assign, ForEach, If, Map, Space, Store, Variable
from aplc.laila.ir.rules.folds import interval
from aplc.laila.ir.scalar import BLENDED, BLENDED_INTEGER, QUOT, TRUNCATE, Buffer, Const, Exp, Site, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.keeping import is_dear, is_view
from aplc.laila.lowering.primitives.folds import number_kept, single_index
from aplc.laila.lowering.pull import Filtered, Pull, fill, from_buffer, from_scalar, kept, rotated_last
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.array_limits import ADDRESSABLE
from aplc.tail.prims import INT_MAX
from aplc.tail.syntax import Op
from aplc.tail.types import Base

IndexMap = Callable[[Exp], Exp]

_BLENDED = {Base.DOUBLE: BLENDED, Base.INT: BLENDED_INTEGER}
"""Choices by bits, for which gcc makes no branches."""


# --- vectors that are not computed ------------------------------------------------------------------------


def mapped(low: Lowering, a: Pull, f: IndexMap, ty: Base) -> Pull:
    """`f` of every element. Of a vector that is not computed, only if `f` of the others is no error."""
    if a.filtered is None:
        return a.mapped(f, ty)
    source = a.filtered.source.mapped(f, ty)
    if source.weight.may_fail:
        return low.computed(a.filtered).mapped(f, ty)
    return kept(source, a.filtered.mask)


def zipped(a: Pull, b: Pull, f: Callable[[Exp, Exp], Exp], ty: Base) -> Pull | None:
    """`f` of the pairs of two vectors that are not computed, where the same elements are kept of both."""
    if a.filtered is None or b.filtered is None:
        return None
    masks = [x.filtered.mask for x in (a, b) if x.filtered is not None]
    if masks[0].shape[0] is not masks[1].shape[0] or masks[0].sample() is not masks[1].sample():
        return None
    source = a.filtered.source.zipped(b.filtered.source, f, ty, masks[0].shape)
    return None if source.weight.may_fail else kept(source, masks[0])


# --- lengths ----------------------------------------------------------------------------------------------


def extended(
    low: Lowering, a: Pull, shape: tuple[Exp, ...], site: Site, *, given_first: bool = False
) -> Pull:
    """An array of a shape, or of one element, which extends to that shape."""
    make = low.make
    pairs = list(zip(shape, a.shape, strict=True))
    equal: Exp = make.true
    for wanted, given in pairs:
        equal = make.call(p.ANDB, equal, make.call(p.EQI, wanted, given))
    if equal is make.true:
        return a
    a = low.forced(a)
    one = make.call(p.EQI, a.size, make.one)
    if one is make.true:
        return repeated(low, a, shape)
    m, n = pairs[-1]
    for wanted, given in reversed(pairs[:-1]):
        same = make.call(p.EQI, wanted, given)
        m, n = make.select(same, m, wanted), make.select(same, n, given)
    equal, one = low.once(equal, "equal", likely=True), low.once(one, "one")
    low.require(make.call(p.ORB, equal, one), site, *((n, m) if given_first else (m, n)))
    index: IndexMap = lambda i: make.select(equal, i, make.zero)  # noqa: E731
    flat = None if a.flat is None else lambda i: a.at_flat(index(i))
    axes = None if a.axes is None else lambda ix: a.at(*map(index, ix))
    return Pull(make, a.ty, shape, flat, axes)


def repeated(low: Lowering, a: Pull, shape: tuple[Exp, ...]) -> Pull:
    """An array of one element, for each element of another shape; it is computed even if there is none."""
    return from_scalar(low.make, low.once(a.at(*[low.make.zero] * a.rank), "x"), shape)


def _matched(low: Lowering, counts: Pull, extent: Exp, site: Site) -> tuple[Exp, IndexMap, IndexMap]:
    """How many slices there are, with their counts and their positions; one count, or one slice, extends."""
    make = low.make
    m, n = counts.shape[0], extent
    if m is n:
        return n, counts.at, lambda i: i
    counts = low.forced(counts)
    if m is make.one:
        single = low.once(counts.at(make.zero), "c")
        return n, lambda _: single, lambda i: i
    if n is make.one:
        return m, counts.at, lambda _: make.zero
    equal = low.once(make.call(p.EQI, m, n), "equal", likely=True)
    ones = [low.once(make.call(p.EQI, x, make.one), "one") for x in (m, n)]
    low.require(make.call(p.ORB, equal, make.call(p.ORB, *ones)), site, m, n)
    longest = low.extent(make.select(equal, m, make.select(ones[0], n, m)))
    of_counts, of_slices = [single_index(low, equal, one) for one in ones]
    return longest, lambda i: counts.at(of_counts(i)), of_slices


# --- compress and ⍸ ---------------------------------------------------------------------------------------


@lowers(p.COMPRESS)
def _compress(low: Lowering, op: Op, site: SiteOf) -> Pull:
    return _selected(low, low.array(op.args[0]), low.forced(low.array(op.args[1])), site)


def _selected(low: Lowering, mask: Pull, a: Pull, site: SiteOf) -> Pull:
    """The slices of the last axis where a mask holds."""
    make = low.make
    extent, keep, source = _matched(low, mask, a.shape[-1], site(faults.LENGTHS))
    if mask.shape[0] is make.one and extent is a.shape[-1]:
        count = low.extent(make.select(keep(make.zero), extent, make.zero))
        return a if count is extent else a.moved((*a.shape[:-1], count), lambda ix: ix)
    if mask.shape[0] is extent is a.shape[-1] and (every := _every(low, mask)) is not None:
        count, place = every
        return a.moved((*a.shape[:-1], count), lambda ix: (*ix[:-1], place(ix[-1])))
    chosen = Pull(make, Base.BOOL, (extent,), keep)
    if (found := _interval(low, chosen)) is not None:
        first, count = found
        return a.moved((*a.shape[:-1], count), lambda ix: (*ix[:-1], source(make.add(ix[-1], first))))
    if a.rank == 1:
        return kept(Pull(make, a.ty, (extent,), lambda i: a.at(source(i))), chosen)
    positions = low.computed(Filtered(Pull(make, Base.INT, (extent,), source), chosen))
    return _gathered(a, positions)


def _every(low: Lowering, mask: Pull) -> tuple[Exp, IndexMap] | None:
    """How many elements there are at which a mask holds, and where the kth of them stands, if every so many
    elements there is one.
    """
    make, (extent,), n = low.make, mask.shape, len(mask.cycle)
    marks = [k for k, each in enumerate(mask.cycle) if each.value]
    if len(marks) != 1 or mask.filtered is not None:
        return None
    first = marks[0]
    count = low.extent(make.call(QUOT, make.add(extent, make.const(n - 1 - first)), make.const(n)))
    return count, lambda k: make.add(make.mul(make.const(n), k), make.const(first))


def _interval(low: Lowering, mask: Pull) -> tuple[Exp, Exp] | None:
    """Where the elements begin at which a mask holds, and how many these are, if all stand side by side."""
    make, (n,) = low.make, mask.shape
    index = make.sample_index(n)
    found = None if mask.filtered is not None else interval(make, mask.at(index), index, n)
    if found is None:
        return None
    first = low.extent(found[0], n)
    return first, low.extent(make.call(p.MAXI, make.zero, make.sub(found[1], first)), make.sub(n, first))


def _gathered(a: Pull, positions: Pull) -> Pull:
    """The slices of the last axis at some positions."""
    return a.moved((*a.shape[:-1], positions.shape[0]), lambda ix: (*ix[:-1], positions.at(ix[-1])))


@lowers(p.WHERE)
def _where(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    counts = low.array(op.args[0])
    extent = counts.shape[0]
    mask = counts if counts.ty is Base.BOOL else _as_mask(counts)
    if mask is not None:
        if (found := _interval(low, mask)) is not None:
            first, count = found
            return Pull(make, Base.INT, (count,), lambda i: make.add(make.add(i, first), make.one))
        if (every := _every(low, mask)) is not None:
            count, place = every
            return Pull(make, Base.INT, (count,), lambda i: make.add(place(i), make.one))
        return kept(Pull(make, Base.INT, (extent,), lambda i: make.add(i, make.one)), mask)
    counts = low.shared(counts)
    negative = site(faults.NEGATIVE_COUNT)

    def checked(i: Exp) -> Exp:
        c = counts.at(i)
        return make.check(make.call(p.GTEI, c, make.zero), c, negative, c)

    total = _total(low, extent, checked, (), site(faults.NO_MEMORY))
    buffer = low.index_buffer(total, (make.one,), (extent,), site(faults.NO_MEMORY))
    _repeat(low, buffer, total, extent, counts.at, lambda i, _: make.add(i, make.one))
    return from_buffer(make, buffer, (total,))


ONCE = 8
"""So many copies of an element are written without asking how many are wanted."""


# --- replicate --------------------------------------------------------------------------------------------


@lowers(p.REPLICATE)
def _replicate(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    counts, a = low.array(op.args[0]), low.forced(low.array(op.args[1]))
    mask = _as_mask(counts)
    if mask is not None:
        return _selected(low, mask, a, site)
    memory = site(faults.NO_MEMORY)
    if counts.shape[0] is make.one:
        return _each_alike(low, low.once(low.forced(counts).at(make.zero), "c"), a, memory)
    counts = low.shared(low.forced(counts))
    extent, count, source = _matched(low, counts, a.shape[-1], site(faults.LENGTHS))
    total = _total(low, extent, lambda i: _magnitude(make, count(i)), a.shape[:-1], memory)

    def slice_of(i: Exp, c: Exp) -> Exp:
        some = make.call(p.GTEI, c, make.zero)
        if a.rank == 1:
            return make.select(some, a.at(source(i)), fill(make, a.ty))
        return make.select(some, source(i), make.const(-1))

    if a.rank == 1:
        buffer = low.allocated(a.ty, total, memory)
    else:
        highs = (make.sub(a.shape[-1], make.one),)
        buffer = low.index_buffer(total, (make.const(-1),), highs, memory)
    _repeat(low, buffer, total, extent, count, slice_of)
    slices = from_buffer(make, buffer, (total,))
    return slices if a.rank == 1 else _filled(low.shared(a), slices)


def _as_mask(counts: Pull) -> Pull | None:
    """Counts that are zeros and ones as truth values."""
    make = counts.make
    are_bits = all(c.value in (0, 1) for c in counts.cycle) if counts.cycle else is_bit(counts.sample())
    if not are_bits:
        return None
    mask = counts.mapped(lambda c: make.call(p.NEQI, c, make.zero), Base.BOOL)
    return replace(mask, cycle=counts.cycle)


def _each_alike(low: Lowering, c: Exp, a: Pull, site: Site) -> Pull:
    """Every slice of the last axis as often, or as many fills."""
    make, n = low.make, a.shape[-1]
    if c is make.one:
        return a
    length = low.extent(_magnitude(make, c))
    factors = [make.call(p.I2D, x) for x in (n, length)]
    _require_room(low, make.call(p.MULD, *factors), a.shape[:-1], site)
    total = low.extent(make.mul(n, length))
    a = a if is_view(a) else low.shared(a)
    divisor = length if isinstance(length, Const) else make.call(p.MAXI, length, make.one)
    some = make.call(p.GTEI, c, make.zero)

    def element(ix: tuple[Exp, ...]) -> Exp:
        value = a.at(*ix[:-1], make.call(QUOT, ix[-1], divisor))
        return make.select(some, value, fill(make, a.ty))

    return Pull(make, a.ty, (*a.shape[:-1], total), axes=element)


def _magnitude(make: ExprBuilder, c: Exp) -> Exp:
    """The absolute value of a count; the least integer, which has none, becomes the greatest."""
    if make.nonnegative(c) or is_zero_or_one(c):
        return c
    size = make.call(p.ABSI, c)
    return make.select(make.call(p.LTI, size, make.zero), make.const(INT_MAX), size)


def _total(low: Lowering, extent: Exp, length: IndexMap, others: tuple[Exp, ...], site: Site) -> Exp:
    """The sum of lengths that are not negative. It is exact in doubles as far as there is memory for it."""
    make = low.make
    k = make.index("k", extent)
    body = make.call(p.I2D, length(k))
    total = low.named(make.fold(p.ADDD, k, extent, body, make.const(0.0)), "total")
    _require_room(low, total, others, site)
    return low.counted(make.call(TRUNCATE, total), (make.zero,), ())


def _require_room(low: Lowering, total: Exp, others: tuple[Exp, ...], site: Site) -> None:
    """There is an address for each element of an array with that last extent and some others."""
    make = low.make
    for n in others:
        total = make.call(p.MULD, total, make.call(p.I2D, make.call(p.MAXI, make.one, n)))
    fits = make.call(p.LTD, total, make.const(float(ADDRESSABLE)))
    shown = make.call(TRUNCATE, make.call(p.MIND, total, make.const(2.0**62)))
    low.require(fits, site, shown)


def _repeat(
    low: Lowering, buffer: Buffer, total: Exp, extent: Exp, count: IndexMap, value: Callable[[Exp, Exp], Exp]
) -> None:
    """Write a value for each count, as often as its magnitude says. Where there is room for `ONCE` values, so
    many are written at once: those behind write over what is too many, and few counts are greater.
    """
    make, once = low.make, low.make.const(ONCE)
    i = make.index("i", extent)
    at = Var(make.fresh("at"), Base.INT, True, (make.zero,))
    low.emit(Variable(at, make.zero))
    with low.block() as statements:
        c = low.named(count(i), "c")
        length = low.counted(_magnitude(make, c), (make.zero,), ())
        element = low.named(value(i, c), "x")

        def copies(start: Exp, n: Exp) -> Map:
            j = make.index("j", n)
            return Map(buffer, Space((j,), (n,)), make.add(start, j), element)

        beyond = low.counted(make.sub(length, once), (), ())
        more = If(make.call(p.LTI, make.zero, beyond), (copies(make.add(at, once), beyond),))
        has_room = make.call(p.LTEI, make.add(at, once), total)
        low.emit(If(has_room, (copies(at, once), more), (copies(at, length),)))
        low.emit(Assign(at, make.add(at, length)))
    low.emit(ForEach(Space((i,), (extent,)), tuple(with_frees(statements))))


def _filled(a: Pull, positions: Pull) -> Pull:
    """The slices of the last axis at some positions; a negative one is for a slice of fills."""
    make = a.make

    def element(ix: tuple[Exp, ...]) -> Exp:
        position = positions.at(ix[-1])
        some = make.call(p.GTEI, position, make.zero)
        return make.select(some, a.at(*ix[:-1], position), fill(make, a.ty))

    return Pull(make, a.ty, (*a.shape[:-1], positions.shape[0]), axes=element)


# --- expand -----------------------------------------------------------------------------------------------


@lowers(p.EXPAND)
def _expand(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    counts, a = [low.forced(low.array(x)) for x in op.args]
    m, n = counts.shape[0], a.shape[-1]
    all_single = is_zero_or_one(counts.sample())
    if not all_single or is_dear(counts, 2):
        counts = low.shared(counts)
    single = low.once(make.call(p.EQI, m, make.one), "one")
    extent = low.extent(make.select(single, n, m))
    count: IndexMap = lambda i: counts.at(make.select(single, make.zero, i))  # noqa: E731
    needed = number_kept(
        low, Pull(make, Base.BOOL, (extent,), lambda i: make.call(p.GTI, count(i), make.zero))
    )
    equal = low.once(make.call(p.EQI, n, needed), "equal")
    is_one = make.call(p.EQI, n, make.one)
    low.require(make.call(p.ORB, equal, is_one), site(faults.LENGTHS), needed, n)
    memory = site(faults.NO_MEMORY)
    length: IndexMap = lambda c: make.call(p.MAXI, _magnitude(make, c), make.one)  # noqa: E731
    total = extent if all_single else _total(low, extent, lambda i: length(count(i)), a.shape[:-1], memory)
    if a.rank == 1:
        buffer = low.allocated(a.ty, total, memory)
    else:
        highs = (make.sub(n, make.one),)
        buffer = low.index_buffer(total, (make.const(-1),), highs, memory)
    i = make.index("i", extent)
    at, taken = [Var(make.fresh(hint), Base.INT, True, (make.zero,)) for hint in ("at", "taken")]
    low.emit(Variable(at, make.zero), Variable(taken, make.zero))
    reads_ahead = all_single and a.rank == 1 and not a.weight.may_fail and not is_dear(a, 1)
    with low.block() as statements:
        c = low.named(count(i), "c")
        some = make.call(p.GTI, c, make.zero)
        source = make.select(equal, taken, make.zero)
        value = source if a.rank > 1 else a.at(source)
        if reads_ahead:  # also where the element is not wanted, so that there is no branch
            value = low.named(a.at(make.call(p.MINI, source, make.sub(n, make.one))), "next")
        none = fill(make, a.ty) if a.rank == 1 else make.const(-1)
        if reads_ahead and a.ty in _BLENDED:
            value = low.named(make.call(_BLENDED[a.ty], some, value, none), "x")
        else:
            value = low.named(make.select(some, value, none), "x")
        if all_single:
            low.emit(Store(buffer, i, value))
        else:
            size = low.counted(length(c), (make.one,), ())
            j = make.index("j", size)
            low.emit(Map(buffer, Space((j,), (size,)), make.add(at, j), value))
            low.emit(Assign(at, make.add(at, size)))
        low.emit(Assign(taken, make.add(taken, make.call(p.B2I, some))))
    loop = ForEach(Space((i,), (extent,)), tuple(with_frees(statements)))
    if reads_ahead:
        nothing = Map(buffer, Space((i,), (extent,)), i, fill(make, a.ty))
        low.emit(If(make.call(p.GTI, n, make.zero), (loop,), (nothing,)))
    else:
        low.emit(loop)
    slices = from_buffer(make, buffer, (total,))
    return slices if a.rank == 1 else _filled(low.shared(a), slices)


# --- rotation ---------------------------------------------------------------------------------------------


@lowers(p.ROTATES)
def _rotates(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    counts, a = low.array(op.args[0]), low.array(op.args[1])
    extent = a.shape[-1]
    modulus = make.call(p.MAXI, extent, make.one)
    last = make.sub(modulus, make.one)
    counts = extended(low, counts, a.shape[:-1], site(faults.LENGTHS), given_first=True)
    offsets = counts.mapped(lambda n: make.call(p.RESI, modulus, n), Base.INT)
    if a.rank == 1:
        return rotated_last(a, low.extent(offsets.at(), last))
    buffer = low.index_buffer(make.product(a.shape[:-1]), (make.zero,), (last,), site(faults.NO_MEMORY))
    low.fill_buffer(buffer, offsets)
    offsets = from_buffer(make, buffer, a.shape[:-1])

    def element(ix: tuple[Exp, ...]) -> Exp:
        position = make.add(ix[-1], offsets.at(*ix[:-1]))
        early = make.call(p.LTI, position, extent)
        return make.select(early, a.at(*ix[:-1], position), a.at(*ix[:-1], make.sub(position, extent)))

    return Pull(make, a.ty, a.shape, axes=element)
