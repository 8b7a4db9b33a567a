"""The lowering of the primitives of arrays of arrays.

Note [Items made one by one]
    The items that `pieces` makes are lowered like cells (Note [Cells]). If all have the same extents, the
    places of their elements are computed from the index of the item, and nothing is stored for them.
    Otherwise a buffer has the place where each item ends. Where extents are quickly computed from the index
    they are counted first (`_Counted`): the running sum of the sizes is written, memory is allocated for
    just so many elements, and the items are made in any order. Sizes that are the lengths of items which
    lie one behind the other already are not summed again. What is kept of vectors is written at once to
    memory that holds all of these (`_Kept`). What takes work to count is appended, item by
    item, to a buffer that grows by doubling (`_Appended`); so are items that are arrays of arrays, or of
    records (`_Deep`).
"""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir.liveness import buffers_read, with_frees
from aplc.laila.ir.program import (
    Alloc,
    Filter,
    ForEach,
    Map,
    Scan,
    Space,
    Statement,
    Store,
    Variable,
)
from aplc.laila.ir.scalar import QUOT, Buffer, Const, Exp, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering import decisions
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.decisions import Items
from aplc.laila.lowering.lowered import Lowered, leaves_of
from aplc.laila.lowering.primitives.appending import Elements, ends_of, growing, length_at
from aplc.laila.lowering.primitives.cells import Cells, Irregular
from aplc.laila.lowering.primitives.folds import Reducer, fold
from aplc.laila.lowering.primitives.inside import Early
from aplc.laila.lowering.primitives.uniform import cell_at, common, delayed, few, sliced
from aplc.laila.lowering.pull import Filtered, Pull, Weight, dropped, fill, from_buffer, from_scalar, ravelled
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.table import lowers
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.syntax import Fn, Op, PrimFn
from aplc.tail.types import Base, Nested, Records, nested

CHEAP = 8
"""What takes so many operations is computed twice rather than written to memory."""

SIDE_BY_SIDE = Weight(1, may_fail=False)
"""What two numbers take that stand side by side in memory: as much as one."""


@lowers(p.SLICE)
def _slice(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    start, count, elements = low.scalar(op.args[0]), low.scalar(op.args[1]), low.array(op.args[2])
    if make.settings.is_written:
        extent = elements.shape[0]
        holds: Exp = make.true
        for small, large in ((make.zero, start), (start, extent), (make.zero, count)):
            holds = make.call(p.ANDB, holds, make.call(p.LTEI, small, large))
        holds = make.call(p.ANDB, holds, make.call(p.LTEI, count, make.sub(extent, start)))
        low.require(holds, site(faults.INDEX_RANGE), make.add(start, count), extent)
    elif (item := sliced(elements, low.seen_through(start), low.seen_through(count))) is not None:
        return item
    return dropped(elements, 0, low.extent(count), low.extent(start))


@lowers(p.ALIKE)
def _alike(low: Lowering, op: Op, site: SiteOf) -> Pull:
    a, b = low.array(op.args[0]), low.forced(low.array(op.args[1]))
    for m, n in zip(a.shape, b.shape, strict=True):
        low.require(low.make.call(p.EQI, m, n), site(faults.LENGTHS), m, n)
    return a


@lowers(p.RUNS)
def _runs(low: Lowering, op: Op, site: SiteOf) -> Lowered:
    """Runs begin and end before elements, or behind the last one. All these places in order are where the
    first one begins, where it ends, where the second one begins, and so on: a filter finds them. Among truth
    values a place is one of them if they differ there; otherwise one run can end where the next begins, and
    each place is looked at twice.
    """
    make = low.make
    marks = low.forced(low.array(op.args[0]))
    marks = marks if marks.weight.cost <= CHEAP else low.shared(marks)
    is_bool = marks.ty is Base.BOOL
    extent = marks.shape[0]
    none: Exp = make.false if is_bool else make.zero

    def around(place: Exp) -> tuple[Exp, Exp]:
        before = make.select(make.call(p.GTI, place, make.zero), marks.at(make.sub(place, make.one)), none)
        return before, make.select(make.call(p.LTI, place, extent), marks.at(place), none)

    def is_one(k: Exp) -> Exp:
        if is_bool:
            return make.call(p.NEQB, *around(k))
        place = half(k)
        before, after = around(place)
        rises = make.call(p.GTI, after, before)
        stops = make.call(p.ORB, rises, make.call(p.EQI, after, make.zero))
        ends = make.call(p.ANDB, make.call(p.GTI, before, make.zero), stops)
        is_end = make.call(p.EQI, make.add(place, place), k)
        return make.select(is_end, ends, rises)

    def half(k: Exp) -> Exp:
        return k if is_bool else make.call(QUOT, k, make.const(2))

    places = make.add(extent, make.one)
    shape = (places if is_bool else make.add(places, places),)
    found = low.computed(Filtered(Pull(make, Base.INT, shape, half), Pull(make, Base.BOOL, shape, is_one)))
    count = low.counted(make.call(QUOT, found.shape[0], make.const(2)), (make.zero,), ())

    def start(i: Exp) -> Exp:
        return found.at(make.add(i, i))

    def length(i: Exp) -> Exp:
        return make.sub(found.at(make.add(make.add(i, i), make.one)), start(i))

    return tuple([Pull(make, Base.INT, (count,), f, _weight=SIDE_BY_SIDE) for f in (start, length)])


@lowers(p.PIECES)
def _pieces(low: Lowering, op: Op, site: SiteOf) -> Lowered:
    function, vector = op.args
    assert isinstance(function, Fn)
    make = low.make
    numbers = low.array(vector)
    if isinstance(function.body.ty, Nested | Records):
        deep = _Deep(low, function, [numbers], site, of_fills=False).result()
        return _noted(low, deep, decisions.DEEP)
    made: Lowered | None = few(low, function, numbers) or delayed(low, function, numbers, site)
    if made is None:
        pieces = _Pieces(low, function, [numbers], site, of_fills=False)
        made = pieces.result()
        if isinstance(made, tuple):
            return _noted(low, made, pieces.how)
    assert isinstance(made, Pull)
    span, values = low.decisions.subject.span, () if made.buffer is None else ((made.buffer, made.size),)
    low.decisions.items.append(Items(span, "uniform", decisions.ONE_SHAPE, (), values, low.level > 0))
    n, *extents = made.shape
    size = make.product(tuple(extents))
    places = Pull(make, Base.INT, (n,), axes=lambda ix: make.mul(ix[0], size))
    elements = ravelled(made)
    elements.span = elements.span or span
    return (places, *[from_scalar(make, e, (n,)) for e in extents], elements)


def _noted(low: Lowering, made: Lowered, how: str) -> Lowered:
    """Items that lie one behind the other, for `aplc explain`."""
    assert isinstance(made, tuple)
    *descriptor, elements = made
    places = [a.buffer for a in leaves_of(tuple(descriptor)) if a.buffer is not None]
    inside = [elements] if isinstance(elements, Pull) else list(leaves_of(elements))
    values = tuple([(a.buffer, a.size) for a in inside[-1:] if a.buffer is not None])
    places += [a.buffer for a in inside[:-1] if a.buffer is not None]
    low.decisions.ends(*places)
    own = () if how == decisions.LIKE_OTHERS else tuple(dict.fromkeys(places))
    noted = Items(low.decisions.subject.span, "offsets", how, own, values, low.level > 0)
    low.decisions.items.append(noted)
    return made


class _Pieces(Cells):
    """Cells that need not have the same extents."""

    how = decisions.APPENDED
    """How those are made that have not."""

    def applied(self, arguments: list[Pull]) -> Pull:
        """The function of an element; what it keeps of a vector need not be computed."""
        low = self.low
        value = low.body_of(self.function, arguments, low.deferred)
        assert isinstance(value, Pull)
        if value.filtered is None:
            return value
        if self.has_effects or Early(self.make, low.statements).of_all(value.filtered.source.shape) is None:
            return low.materialise(value)
        return value

    def irregular(self, value: Pull, inside: list[Statement]) -> Irregular:
        """They are counted first where that is cheap, or else appended to one buffer."""
        if self.has_effects:
            return _Appended(self, value)
        early = Early(self.make, inside)
        if value.filtered is not None:
            most = early.of_all(value.filtered.source.shape)
            assert most is not None
            inside[:] = [s for s in inside if s not in early.made]
            self.how = decisions.KEPT
            return _Kept(self, value.filtered, early.checked(most[0]))
        extents = early.of_all(value.shape)
        if extents is None:
            return _Appended(self, value)
        inside[:] = [s for s in inside if s not in early.made]
        counted = _Counted(self, value, extents, early)
        self.how = decisions.COUNTED if counted.shared is None else decisions.LIKE_OTHERS
        return counted


def _in_parts(of: Cells, ends: Buffer, extents: list[Buffer], elements: Pull) -> Lowered:
    """The parts of an array whose items lie one behind the other; where each ends stands behind a 0."""
    make = of.make
    (n,) = of.frame
    of.low.offsets[ends] = n
    lengths = Pull(make, Base.INT, (n,), axes=lambda ix: length_at(make, ends, ix[0]))
    axes = [from_buffer(make, b, (n,)) for b in extents]
    return (from_buffer(make, ends, (n,)), *(axes or [lengths]), elements)


class _Counted:
    """Items whose extents are known before they are made."""

    independent = True

    def __init__(self, of: Cells, value: Pull, extents: tuple[Exp, ...], early: Early) -> None:
        low, make = of.low, of.make
        self.of, self.make, self.low = of, make, low
        self.buffer = low.unowned(of.base, "items")
        size = make.product(extents)
        self.size = early.checked(size)
        shared = [b for b in buffers_read(size) if low.offsets.get(b) is of.frame[0]]
        self.shared = next((b for b in shared if size is length_at(make, b, of.index[0])), None)
        """Where items of the same lengths end."""
        self.ends = self.shared or low.unowned(Base.INT, "ends")
        self.extents: dict[Buffer, Exp] = {}
        """Memory for the extents along each of several axes, and the extent of an item."""
        for extent in extents if len(extents) > 1 else ():
            self.extents[low.unowned(Base.INT, "extents")] = early.checked(extent)

    def round(self, value: Pull) -> None:
        """One item, to its place."""
        start = self.low.counted(self.make.read(self.ends, self.of.index[0]), (self.make.zero,), ())
        if value.rank == 0:
            self.low.emit(Store(self.buffer, start, value.at()))
        else:
            self.low.fill_buffer(self.buffer, value, start)

    def result(self, body: ForEach) -> Lowered:
        """Where items end, memory for all, and the items."""
        low, make, of = self.low, self.make, self.of
        (n,), (i,) = of.frame, of.index
        site = of.site(faults.NO_MEMORY)
        space = Space(of.index, of.frame)
        if self.shared is None:
            low.adopt(self.ends)
            most = low.once(_bound(make, n), "most")
            fits = make.call(p.LTEI, self.size, most)
            size = make.check(fits, self.size, site, self.size, make.zero)
            low.emit(Alloc(self.ends, make.add(n, make.one), site), Store(self.ends, make.zero, make.zero))
            low.emit(Scan(self.ends, space, make.add(i, make.one), p.ADDI, size))
        for buffer, extent in self.extents.items():
            low.adopt(buffer)
            low.emit(Alloc(buffer, n, site), Map(buffer, space, i, extent))
        total = low.counted(make.read(self.ends, n), (make.zero,), ())
        low.adopt(self.buffer)
        low.emit(Alloc(self.buffer, total, site), replace(body, ends=make.read(self.ends, n)))
        return _in_parts(of, self.ends, list(self.extents), from_buffer(make, self.buffer, (total,)))


class _Kept:
    """Vectors of which some elements are kept, one after the other in memory for all."""

    independent = False

    def __init__(self, of: Cells, value: Filtered, most: Exp) -> None:
        self.of, self.make, self.low, self.value = of, of.make, of.low, value
        self.most = most
        """The elements of a vector."""
        self.buffer, self.ends = of.low.unowned(of.base, "items"), of.low.unowned(Base.INT, "ends")
        self.used = Var(self.make.fresh("used"), Base.INT, True, (self.make.zero,))
        of.low.decisions.place(self.used)

    def round(self, value: Pull) -> None:
        """What is kept of one vector."""
        low, make, source = self.low, self.make, self.value.source
        extent = low.extent(source.shape[0])
        i = make.index("i", extent)
        space = Space((i,), (extent,))
        low.emit(Filter(self.buffer, self.used, space, self.value.mask.at(i), source.at(i), goes_on=True))
        low.emit(Store(self.ends, make.add(self.of.index[0], make.one), self.used))

    def result(self, body: ForEach) -> Lowered:
        """Memory for all, and the items."""
        low, make, of = self.low, self.make, self.of
        (n,), (i,) = of.frame, of.index
        site = of.site(faults.NO_MEMORY)
        fits = make.call(p.LTEI, self.most, low.once(_bound(make, n), "most"))
        each = make.check(fits, self.most, site, self.most, make.zero)
        all_of_them = low.counted(make.fold(p.ADDI, i, n, each, make.zero), (make.zero,), ())
        for buffer, size in ((self.buffer, all_of_them), (self.ends, make.add(n, make.one))):
            low.adopt(buffer)
            low.emit(Alloc(buffer, size, site))
        low.emit(Store(self.ends, make.zero, make.zero), Variable(self.used, make.zero))
        low.emit(replace(body, ends=all_of_them, counts=self.used))
        return _in_parts(of, self.ends, [], from_buffer(make, self.buffer, (self.used,)))


def _bound(make: ExprBuilder, n: Exp) -> Exp:
    """A size that so many items may have without a sum that does not fit an integer."""
    return make.call(QUOT, make.const(2**62), make.call(p.MAXI, make.one, n))


class _Appended:
    """Items of any extents, one after the other."""

    independent = False

    def __init__(self, of: Cells, value: Pull) -> None:
        low, site = of.low, of.site(faults.NO_MEMORY)
        self.of, self.make, self.low = of, of.make, low
        self.items = Elements(low, of.base, site)
        self.ends = low.unowned(Base.INT, "ends")
        """Where each item ends, behind a 0."""
        self.extents = [low.unowned(Base.INT, "extents") for _ in range(value.rank if value.rank > 1 else 0)]

    def round(self, value: Pull) -> None:
        """One item, appended."""
        low, make = self.low, self.make
        shape = tuple([low.extent(n) for n in value.shape])
        self.items.put(value, make.product(shape))
        (i,) = self.of.index
        low.emit(Store(self.ends, make.add(i, make.one), self.items.used))
        low.emit(*[Store(b, i, n) for b, n in zip(self.extents, shape, strict=False)])

    def result(self, body: ForEach) -> Lowered:
        """The parts of the array, behind all items."""
        low, make, of = self.low, self.make, self.of
        (n,) = of.frame
        site = of.site(faults.NO_MEMORY)
        for buffer in (self.ends, *self.extents):
            low.adopt(buffer)
        low.emit(Alloc(self.ends, make.add(n, make.one), site), Store(self.ends, make.zero, make.zero))
        low.emit(*[Alloc(b, n, site) for b in self.extents])
        self.items.declare()
        low.emit(body)
        return _in_parts(of, self.ends, self.extents, self.items.result())


class _Deep(Cells):
    """Items that are arrays of arrays, or of records."""

    def result(self) -> Lowered:
        """The items, one after the other: all parts of each at once."""
        low, make, (n,), (i,) = self.low, self.make, self.frame, self.index
        ty = self.function.body.ty
        assert isinstance(ty, Nested | Records)
        site = self.site(faults.NO_MEMORY)
        axes = [low.unowned(Base.INT, "extents") for _ in range(ty.rank.const)]
        inside = growing(low, nested(ty, 1).items[-1], site)
        with low.block() as statements:
            cells = [self.cell(a, k, self.index) for a, k in zip(self.arrays, self.splits, strict=True)]
            value = low.applied(self.function, *cells)
            first, *_ = leaves_of(value)
            before, statements[:] = self.parted(statements)
            shape = tuple([low.extent(m) for m in first.shape])
            low.emit(*[Store(b, i, m) for b, m in zip(axes, shape, strict=True)])
            inside.put(value, low.extent(make.product(shape)))
        for axis in axes:
            low.adopt(axis)
        low.emit(*before, *[Alloc(axis, n, site) for axis in axes])
        inside.declare()
        low.emit(ForEach(Space(self.index, self.frame), tuple(with_frees(statements))))
        extents = [from_buffer(make, axis, (n,)) for axis in axes]
        return (ends_of(low, n, extents, site), *extents, inside.result())


@lowers(p.MIX)
def _mix(low: Lowering, op: Op, site: SiteOf) -> Pull:
    known, array = op.args
    least = low.array(known)
    assert not isinstance(array, Fn | PrimFn)
    make = low.make
    parts = low.lower(array)
    assert isinstance(parts, tuple)
    starts, *extents, elements = [part for part in parts if isinstance(part, Pull)]
    starts, extents = low.shared(starts), [low.shared(n) for n in extents]
    same = [common(n) for n in extents]
    widths = [_longest(low, n) if one is None else one for n, one in zip(extents, same, strict=True)]
    widths = [_at_least(low, starts.size, w, least.at(make.const(k))) for k, w in enumerate(widths)]
    low.require_room((*starts.shape, *widths), site(faults.NO_MEMORY))
    outer = starts.rank
    own = tuple([n for n in same if n is not None])

    def element(ix: tuple[Exp, ...]) -> Exp:
        item, inner = ix[:outer], ix[outer:]
        if len(own) == len(extents):
            cell = cell_at(elements, low.seen_through(starts.at(*item)), own)
            if cell is not None:
                return cell.at(*inner)
        position: Exp = make.zero
        inside: Exp = make.true
        for i, n, one in zip(inner, extents, same, strict=True):
            extent = n.at(*item) if one is None else one
            position = make.add(make.mul(position, extent), i)
            if one is None:
                inside = make.call(p.ANDB, inside, make.call(p.LTI, i, extent))
        place = make.add(starts.at(*item), position)
        found = elements.at(place)
        if make.settings.is_written:
            size = elements.shape[0]
            exists = make.call(p.ANDB, make.call(p.GTEI, place, make.zero), make.call(p.LTI, place, size))
            end = make.add(place, make.one)
            found = make.check(exists, elements.at(place), site(faults.INDEX_RANGE), end, size)
        return make.select(inside, found, fill(make, elements.ty))

    return Pull(make, elements.ty, (*starts.shape, *widths), axes=element)


def _at_least(low: Lowering, items: Exp, width: Exp, least: Exp) -> Exp:
    """The extent of an axis of cells, which are filled up to this least one; of no items it is that."""
    make = low.make
    if isinstance(width, Const) and isinstance(least, Const) and width.value <= least.value:
        return least
    exists = make.call(p.GTI, items, make.zero)
    return low.extent(make.call(p.MAXI, make.select(exists, width, make.zero), least))


def _longest(low: Lowering, extents: Pull) -> Exp:
    """The longest of the extents, 0 if there are none."""
    make = low.make
    least = Reducer(p.MAXI, lambda a, b: make.call(p.MAXI, a, b), make.zero)
    flat = ravelled(extents)
    return low.once(fold(low, least, flat.shape[0], flat.at), "width")
