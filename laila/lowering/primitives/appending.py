"""Vectors that grow: elements, and arrays one behind the other, are added at their end, in order.

A vector of arrays grows in all its parts: the extents of the arrays, and the vector of their elements, which
may be one of arrays itself, or of records. Where each array ends is known behind the last one. A vector of
records grows in each of its columns.
"""

from __future__ import annotations

from typing import Protocol

from aplc.laila.ir.liveness import with_frees
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Empty,
    ForEach,
    If,
    Map,
    Move,
    Scan,
    Space,
    Store,
    Variable,
)
from aplc.laila.ir.scalar import Buffer, Exp, FreeVars, Site, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.lowered import Lowered
from aplc.laila.lowering.pull import Pull, dropped, from_buffer, ravelled
from aplc.tail import prims as p
from aplc.tail.types import Base, ItemType, Nested, Records, Tuple, Type, base_of, nested


class Growing(Protocol):
    """A vector to which others are added."""

    def declare(self) -> None:
        """It is empty; a statement in front of all that add to it."""

    def put(self, vector: Lowered, count: Exp) -> None:
        """All of another vector, of so many items, at its end."""

    def result(self) -> Lowered:
        """The vector, behind all that add to it."""


class Elements:
    """A vector of simple elements, whose memory is doubled where it is full."""

    def __init__(self, low: Lowering, base: Base, site: Site, hint: str = "items") -> None:
        self.low, self.make, self.base, self.site = low, low.make, base, site
        self.buffer = low.unowned(base, hint)
        names = [self.make.fresh(name) for name in ("used", "room")]
        self.used, self.room = [Var(name, Base.INT, True, (self.make.zero,)) for name in names]
        low.decisions.place(self.used)

    def declare(self) -> None:
        """See `Growing`."""
        self.low.adopt(self.buffer)
        zero = self.make.zero
        self.low.emit(Empty(self.buffer), Variable(self.used, zero), Variable(self.room, zero))

    def put(self, vector: Lowered, count: Exp) -> None:
        """See `Growing`."""
        assert isinstance(vector, Pull)
        low, make = self.low, self.make
        if vector.rank == 1 and vector.shape[0] is not count:  # items may be fewer than their elements
            vector = dropped(low.forced(vector), 0, count, make.zero)
        end = low.counted(make.add(self.used, count), (self.used,), ())
        memory = Buffer(make.fresh("more"), self.base, self.buffer.storage)
        wanted = make.call(p.MAXI, end, make.add(self.room, self.room))
        j = make.index("j", self.used)
        grown = (
            Alloc(memory, wanted, self.site),
            Map(memory, Space((j,), (self.used,)), j, make.read(self.buffer, j)),
            Move(self.buffer, memory),
            Assign(self.room, wanted),
        )
        low.emit(If(make.call(p.GTI, end, self.room), grown))
        if vector.rank == 0:
            low.emit(Store(self.buffer, self.used, vector.at()))
        else:
            low.fill_buffer(self.buffer, vector, self.used)
        low.emit(Assign(self.used, end))

    def result(self) -> Pull:
        """See `Growing`."""
        return from_buffer(self.make, self.buffer, (self.used,))


class Arrays:
    """A vector of arrays of one type."""

    def __init__(self, low: Lowering, item: ItemType, site: Site) -> None:
        self.low, self.make, self.site = low, low.make, site
        self.elements = nested(item, 1).items[-1]
        self.count = Var(self.make.fresh("count"), Base.INT, True, (self.make.zero,))
        self.axes = [Elements(low, Base.INT, site, "extents") for _ in range(item.rank.const)]
        self.inside = growing(low, self.elements, site)

    def declare(self) -> None:
        """See `Growing`."""
        self.low.emit(Variable(self.count, self.make.zero))
        for axis in self.axes:
            axis.declare()
        self.inside.declare()

    def put(self, vector: Lowered, count: Exp) -> None:
        """See `Growing`."""
        assert isinstance(vector, tuple)
        low, make = self.low, self.make
        starts, *axes = [low.shared(ravelled(part)) for part in vector[:-1] if isinstance(part, Pull)]
        for axis, extents in zip(self.axes, axes, strict=True):
            axis.put(extents, count)
        low.emit(Assign(self.count, make.add(self.count, count)))
        j = make.index("item", count)
        size = make.product(tuple([n.at(j) for n in axes]))
        elements = vector[-1]
        if starts.at(j) is make.mul(j, size) and j not in FreeVars().of(size):
            self.inside.put(elements, make.mul(count, size))
            return
        if isinstance(elements, Pull):
            elements = low.forced(elements)
            if starts.buffer in low.offsets and size is length_at(make, starts.buffer, j):
                self.inside.put(elements, elements.shape[0])
                return
        with low.block() as statements:
            start = low.counted(starts.at(j), (make.zero,), ())
            extent = low.extent(size)
            self.inside.put(part_of(elements, self.elements, extent, start), extent)
        low.emit(ForEach(Space((j,), (count,)), tuple(with_frees(statements))))

    def result(self) -> tuple[Lowered, ...]:
        """See `Growing`."""
        axes = [axis.result() for axis in self.axes]
        return (ends_of(self.low, self.count, axes, self.site), *axes, self.inside.result())


class Fields:
    """A vector of records."""

    def __init__(self, low: Lowering, ty: Records, site: Site) -> None:
        self.columns = [growing(low, column, site) for column in ty.items]

    def declare(self) -> None:
        """See `Growing`."""
        for column in self.columns:
            column.declare()

    def put(self, vector: Lowered, count: Exp) -> None:
        """See `Growing`."""
        assert isinstance(vector, tuple)
        for column, more in zip(self.columns, vector, strict=True):
            column.put(more, count)

    def result(self) -> tuple[Lowered, ...]:
        """See `Growing`."""
        return tuple([column.result() for column in self.columns])


def growing(low: Lowering, ty: Type, site: Site) -> Growing:
    """A vector of a type."""
    match ty:
        case Nested(item=item):
            return Arrays(low, item, site)
        case Records():
            return Fields(low, ty, site)
        case _:
            return Elements(low, base_of(ty), site)


def part_of(vector: Lowered, ty: Type, count: Exp, start: Exp) -> Lowered:
    """Neighbours in a vector of a type."""
    if isinstance(vector, Pull):
        return dropped(vector, 0, count, start)
    assert isinstance(ty, Tuple)
    parts = [part_of(part, each, count, start) for part, each in zip(vector, ty.items, strict=True)]
    return (*parts[:-1], vector[-1]) if isinstance(ty, Nested) else tuple(parts)


def ends_of(low: Lowering, count: Exp, axes: list[Pull], site: Site) -> Pull:
    """The places of so many arrays that lie one behind the other."""
    make = low.make
    ends = low.unowned(Base.INT, "ends")
    low.adopt(ends)
    i = make.index("i", count)
    size = make.product(tuple([n.at(i) for n in axes]))
    low.emit(Alloc(ends, make.add(count, make.one), site), Store(ends, make.zero, make.zero))
    low.emit(Scan(ends, Space((i,), (count,)), make.add(i, make.one), p.ADDI, size))
    low.offsets[ends] = count
    return from_buffer(make, ends, (count,))


def length_at(make: ExprBuilder, ends: Buffer, item: Exp) -> Exp:
    """The number of elements of an item, one of those that end at these places."""
    return make.sub(make.read(ends, make.add(item, make.one)), make.read(ends, item))
