"""The lowering of searches among the items of arrays of arrays.

Note [Searches among items]
    A table of items is made by the run-time system, which gets the places and the extents of a number of
    items at a time: they need not be in memory, and whatever computes them stays part of a loop. The elements
    stay where they are. A search in a table is an expression (`PureCall`), as it is for elements; where items
    are vectors, it takes what computes their places.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from aplc.laila.ir.program import Alloc, Assign, Empty, HostLet, Map, RuntimeCall, Space, Variable, While
from aplc.laila.ir.scalar import TABLE, Buffer, Exp, PureCall, Var
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.lowered import Lowered
from aplc.laila.lowering.primitives.folds import Reducer, fold
from aplc.laila.lowering.pull import Pull, Weight, from_buffer, from_scalar, ravelled
from aplc.laila.lowering.scalars import SiteOf
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.lowering.table import lowers
from aplc.laila.lowering.tolerance import equal as equal_within
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.prims import EQUALITY
from aplc.tail.syntax import Arg, Fn, Op, PrimFn, TupleExp
from aplc.tail.types import Base

ITEMS, NEAR, ORDER = "aplc_items.h", "aplc_items_near.h", "aplc_items_order.h"

AT_ONCE = 1024
"""So many items are described to the run-time system at a time."""

TOLERANT = (p.CLASSES_T, p.INDEX_OF_ITEMS_T, p.MATCH_ITEMS_T)
"""Those that compare doubles within a tolerance, which comes first."""


@dataclass(frozen=True, slots=True)
class Items:
    """The items of an array; see Note [Arrays of arrays] in `aplc.tail.types`."""

    low: Lowering
    site: SiteOf
    starts: Pull
    extents: tuple[Pull, ...]
    elements: Pull

    @property
    def axes(self) -> int:
        """The rank of the items."""
        return len(self.extents)

    @property
    def count(self) -> Exp:
        """How many there are in a vector."""
        return self.starts.shape[0]

    def size(self, *index: Exp) -> Exp:
        """The number of elements of an item."""
        return self.low.make.product(tuple([n.at(*index) for n in self.extents]))

    def record(self, *index: Exp) -> list[Exp]:
        """Where the elements of an item begin, and its extents; an error if the elements are not there."""
        make = self.low.make
        start, *extents = [self.starts.at(*index), *[n.at(*index) for n in self.extents]]
        if make.settings.is_written:
            end, holds = make.add(start, self.size(*index)), make.call(p.GTEI, start, make.zero)
            for n in extents:
                holds = make.call(p.ANDB, holds, make.call(p.GTEI, n, make.zero))
            holds = make.call(p.ANDB, holds, make.call(p.LTEI, end, self.elements.shape[0]))
            start = make.check(holds, start, self.site(faults.INDEX_RANGE), end, self.elements.shape[0])
        return [start, *extents]

    def records(self) -> Pull:
        """The records of the items of a vector, as rows of a matrix."""
        make = self.low.make

        def part(ix: tuple[Exp, ...]) -> Exp:
            *parts, last = self.record(ix[0])
            result = last
            for k in range(len(parts) - 1, -1, -1):
                result = make.select(make.call(p.EQI, ix[1], make.const(k)), parts[k], result)
            return result

        return Pull(make, Base.INT, (self.count, make.const(1 + self.axes)), axes=part)

    def ravelled(self) -> Items:
        """The same in a vector."""
        parts = ravelled(self.starts), tuple(map(ravelled, self.extents))
        return Items(self.low, self.site, *parts, self.elements)

    def in_memory(self, ty: str = "") -> Items:
        """The same with its elements in memory, of any width that they have there unless one is asked for."""
        elements = self.elements
        wanted = ty or (STORAGE[Base.DOUBLE] if elements.ty is Base.DOUBLE else "")
        if elements.buffer is None or (wanted and elements.buffer.storage != wanted):
            elements = self.low.in_memory(elements, self.site(faults.NO_MEMORY))
        return Items(self.low, self.site, self.starts, self.extents, elements)

    @property
    def memory(self) -> Buffer:
        """The memory of the elements."""
        assert self.elements.buffer is not None
        return self.elements.buffer


def _items(low: Lowering, arg: Arg, site: SiteOf) -> Items:
    assert not isinstance(arg, Fn | PrimFn)
    parts = low.lower(arg)
    assert isinstance(parts, tuple)
    starts, *extents, elements = [part for part in parts if isinstance(part, Pull)]
    return Items(low, site, low.shared(starts), tuple([low.shared(n) for n in extents]), elements)


def _arguments(low: Lowering, op: Op) -> tuple[Exp | None, list[Arg]]:
    """The tolerance of a search, None where it compares exactly, and its other arguments."""
    if op.prim in TOLERANT:
        return low.array(op.args[0]).at(), list(op.args[1:])
    return None, list(op.args)


def _kind(buffer: Buffer, tolerance: Exp | None) -> str:
    """The suffix of functions of the run-time system."""
    if tolerance is not None:
        return "near"
    return "double" if buffer.ty is Base.DOUBLE else str(buffer.item_bytes)


Prepared = TypeVar("Prepared")
Call = Callable[[Buffer, Exp, Exp], tuple[RuntimeCall, ...]]


def _in_parts(items: Items, call: Call, then: tuple[Assign, ...] = ()) -> None:
    """A function of the run-time system, called with the records of a few items, how many, and how many were
    before them, until all are done; statements follow each time.
    """
    low, make = items.low, items.low.make
    width = 1 + items.axes
    room, site = make.const(AT_ONCE * width), items.site(faults.NO_MEMORY)
    records = low.allocated(Base.INT, room, site, hint="records")
    before = Var(make.fresh("before"), Base.INT, True, (make.zero,))
    count = Var(make.fresh("count"), Base.INT, True, (make.zero,))
    j = make.index("j", count)
    parts = items.record(make.add(before, j))
    space = Space((j,), (count,))
    maps = [
        Map(records, space, make.add(make.mul(j, make.const(width)), make.const(k)), part)
        for k, part in enumerate(parts)
    ]
    low.emit(
        Variable(before, make.zero),
        While(
            make.call(p.LTI, before, items.count),
            (
                HostLet(count, make.call(p.MINI, make.const(AT_ONCE), make.sub(items.count, before))),
                *maps,
                *call(records, count, before),
                *then,
                Assign(before, make.add(before, count)),
            ),
        ),
    )


@lowers(p.CLASSES, p.CLASSES_T)
def _classes(low: Lowering, op: Op, site: SiteOf) -> Lowered:
    make, memory = low.make, site(faults.NO_MEMORY)
    tolerance, (arg,) = _arguments(low, op)
    items = _items(low, arg, site).in_memory()
    table = Buffer(make.fresh("table"), items.elements.ty, TABLE)
    n = items.count
    classes = Var(make.fresh("n"), Base.INT, True, (make.zero,), (n,))
    numbers = Buffer(make.fresh("numbers"), Base.INT, STORAGE[Base.INT], lows=(make.one,), highs=(classes,))
    low.adopt(numbers)
    running, now = [Var(make.fresh(name), Base.INT, True, (make.zero,)) for name in ("classes", "now")]
    kind, header = _kind(items.memory, tolerance), ITEMS if tolerance is None else NEAR
    low.emit(Alloc(numbers, n, memory), Empty(table), Variable(running, make.zero))

    def add(records: Buffer, count: Exp, before: Exp) -> tuple[RuntimeCall, ...]:
        given = (table, items.memory, records, items.elements.shape[0], make.const(items.axes), count, before)
        more = () if tolerance is None else (tolerance,)
        return (RuntimeCall(f"aplc_items_{kind}_add", header, (*given, *more, numbers), (now,), memory),)

    _in_parts(items, add, (Assign(running, now),))
    low.emit(HostLet(classes, running))

    def of_each(name: str) -> Pull:
        def value(k: Exp) -> Exp:
            return make.lookup(PureCall(name, ITEMS, (table,), (k,), Base.INT, (), (make.one,), (n,)))

        return Pull(make, Base.INT, (classes,), value, _weight=Weight(1, may_fail=False))

    return from_buffer(make, numbers, (n,)), of_each("aplc_items_first"), of_each("aplc_items_counted")


@lowers(p.INDEX_OF_ITEMS, p.INDEX_OF_ITEMS_T)
def _index_of(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make, memory = low.make, site(faults.NO_MEMORY)
    tolerance, (left, right) = _arguments(low, op)

    def prepared(key: object, compute: Callable[[], Prepared]) -> Prepared:
        is_fixed = not low.on_host and _is_fixed(low, left)
        return low.in_front(key, compute) if is_fixed else compute()

    keys = prepared(op, lambda: _items(low, left, site).in_memory())
    asked = _items(low, right, site).in_memory()
    if asked.memory.storage != keys.memory.storage:
        own = STORAGE[keys.elements.ty]
        asked, given = asked.in_memory(own), keys
        keys = prepared(left, lambda: given.in_memory(own))
    table = prepared(right, lambda: _table(keys, tolerance))
    kind, header = _kind(keys.memory, tolerance), ITEMS if tolerance is None else NEAR
    missing = make.add(keys.count, make.one)
    records = None if asked.axes == 1 else low.in_memory(asked.records(), memory).buffer

    def find(i: Exp) -> Exp:
        given: tuple[Exp, ...] = (asked.elements.shape[0], keys.count)
        name, where = f"aplc_items_{kind}_find", [table, asked.memory]
        if records is None:
            given = (*given, *asked.record(i))
        else:
            name, where, given = f"{name}_at", [*where, records], (*given, i)
        found = PureCall(name, header, tuple(where), given, Base.INT, (keys.memory,), (make.one,), (missing,))
        return make.lookup(found)

    return Pull(make, Base.INT, (asked.count,), find)


def _is_fixed(low: Lowering, arg: Arg) -> bool:
    """Whether an array of arrays is the same for all elements that a function is applied to."""
    return all(map(low.is_fixed, arg.items)) if isinstance(arg, TupleExp) else low.is_fixed(arg)


def _table(items: Items, tolerance: Exp | None) -> Buffer:
    """A table of items."""
    low, make, memory = items.low, items.low.make, items.site(faults.NO_MEMORY)
    table = Buffer(make.fresh("table"), items.elements.ty, TABLE)
    kind, header = _kind(items.memory, tolerance), ITEMS if tolerance is None else NEAR
    low.emit(Empty(table))

    def enter(records: Buffer, count: Exp, before: Exp) -> tuple[RuntimeCall, ...]:
        given = (table, items.memory, records, items.elements.shape[0], make.const(items.axes), count, before)
        more = () if tolerance is None else (tolerance,)
        return (RuntimeCall(f"aplc_items_{kind}_enter", header, (*given, *more), site=memory),)

    _in_parts(items, enter)
    return table


@lowers(p.MATCH_ITEMS, p.MATCH_ITEMS_T)
def _match(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make = low.make
    tolerance, args = _arguments(low, op)
    a, b = [_items(low, arg, site) for arg in args]
    first, second = [low.shared(low.forced(x.elements)) for x in (a, b)]
    both = Reducer(p.ANDB, lambda x, y: make.call(p.ANDB, x, y), make.true)

    def equal(x: Exp, y: Exp) -> Exp:
        if tolerance is None:
            return make.call(EQUALITY[first.ty.value], x, y)
        return equal_within(make, tolerance, x, y)

    def same(i: Exp) -> Exp:
        (of_a, *extents), (of_b, *others) = flat_a.record(i), flat_b.record(i)
        alike: Exp = make.true
        for m, n in zip(extents, others, strict=True):
            alike = make.call(p.ANDB, alike, make.call(p.EQI, m, n))

        def element(k: Exp) -> Exp:
            return equal(first.at(make.add(of_a, k)), second.at(make.add(of_b, k)))

        return make.select(alike, fold(low, both, flat_a.size(i), element), make.false)

    flat_a, flat_b = a.ravelled(), b.ravelled()
    alike: Exp = make.true
    for m, n in zip(a.starts.shape, b.starts.shape, strict=True):
        alike = make.call(p.ANDB, alike, make.call(p.EQI, m, n))
    if a.starts.rank == 0:
        return from_scalar(make, same(make.zero))
    return from_scalar(make, make.select(alike, fold(low, both, flat_a.count, same), make.false))


@lowers(p.GRADE_ITEMS_UP, p.GRADE_ITEMS_DOWN)
def _grade(low: Lowering, op: Op, site: SiteOf) -> Pull:
    make, memory = low.make, site(faults.NO_MEMORY)
    items = _items(low, op.args[0], site)
    items = items.in_memory(STORAGE[items.elements.ty])
    records, n = low.in_memory(items.records(), memory).buffer, items.count
    assert records is not None
    out = low.index_buffer(n, (make.one,), (n,), memory)
    direction = "up" if op.prim is p.GRADE_ITEMS_UP else "down"
    name = f"aplc_order_{direction}_{items.elements.ty.value}"
    low.emit(RuntimeCall(name, ORDER, (items.memory, records, make.const(items.axes), n, out), site=memory))
    return from_buffer(make, out, (n,))
