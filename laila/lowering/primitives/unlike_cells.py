"""Cells whose extents depend on their data.

The first cell decides how much room each has. One that is smaller is filled up; where one is larger there
is twice as much room for all from then on, so that all are copied a few times at most, and once more
behind the last one if none takes all the room. Where they are alike, nothing of this happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from aplc.laila.ir.liveness import with_frees
from aplc.laila.ir.program import Alloc, Assign, Empty, ForEach, If, Map, Move, Space, Statement, Variable
from aplc.laila.ir.scalar import Buffer, Exp, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.pull import Pull, fill, from_buffer, from_index
from aplc.laila.lowering.scalars import SiteOf
from aplc.tail import faults
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base


class Application(Protocol):
    """A function applied to the cells of a frame; `index` is that of the cell at hand."""

    low: Lowering
    make: ExprBuilder
    site: SiteOf
    frame: tuple[Exp, ...]
    index: tuple[Var, ...]
    runs: Exp

    @property
    def base(self) -> Base:
        """The type of the elements."""

    def store(self, buffer: Buffer, value: Pull, shape: tuple[Exp, ...]) -> None:
        """Write the cell at hand where all have a shape."""

    def attempt(self, extents: Sequence[Var]) -> None:
        """Where there are no cells, variables become the extents for a cell of fills, unless that fails."""


class UnlikeCells:
    """Cells in memory, one after the other."""

    independent = False

    def __init__(self, of: Application, value: Pull) -> None:
        make = of.make
        self.of, self.make, self.low = of, make, of.low
        self.buffer = of.low.unowned(of.base, "cells")
        self.started = Var(make.fresh("started"), Base.BOOL)
        self.extents, self.room = self._variables("cell_n", value), self._variables("room", value)

    def _variables(self, hint: str, value: Pull) -> tuple[Var, ...]:
        """One for each extent of a cell."""
        make = self.make
        return tuple([Var(make.fresh(hint), Base.INT, True, (make.zero,)) for _ in value.shape])

    def _assigned(self, variables: tuple[Var, ...], shape: tuple[Exp, ...]) -> tuple[Statement, ...]:
        return tuple([Assign(v, n) for v, n in zip(variables, shape, strict=True)])

    def _all_of(self, primitive: Prim, shape: tuple[Exp, ...], other: tuple[Exp, ...]) -> Exp:
        """Whether a comparison holds for all extents."""
        holds: Exp = self.make.true
        for m, n in zip(shape, other, strict=True):
            holds = self.make.call(p.ANDB, holds, self.make.call(primitive, m, n))
        return holds

    def round(self, value: Pull) -> None:
        """One cell: memory for all of them if it is the first, and its elements."""
        low, make, of = self.low, self.make, self.of
        shape = tuple([low.extent(n) for n in value.shape])
        with low.block() as first:
            self._begin(self._memory(), shape)
            low.emit(*self._assigned(self.extents, shape), Assign(self.started, make.true))
        low.emit(If(self.started, (), tuple(first)))
        with low.block() as stored:
            of.store(self.buffer, value, self.room)
        with low.block() as filled:
            self._fill_up(value, shape)
        equal = self._all_of(p.EQI, self.room, shape)
        low.emit(If(equal, tuple(with_frees(stored)), tuple(with_frees(filled))))
        most = [make.call(p.MAXI, m, n) for m, n in zip(self.extents, shape, strict=True)]
        low.emit(*self._assigned(self.extents, tuple(most)))

    def _begin(self, memory: Buffer, room: tuple[Exp, ...], *written: Statement) -> None:
        """From here on cells are in memory where they have some room, and some elements."""
        low, of = self.low, self.of
        site, shape = of.site(faults.NO_MEMORY), (*of.frame, *room)
        low.require_room(shape, site)
        low.emit(Alloc(memory, self.make.product(shape), site), *written, Move(self.buffer, memory))
        low.emit(*self._assigned(self.room, room))

    def _memory(self) -> Buffer:
        return Buffer(self.make.fresh("cells"), self.of.base, self.buffer.storage)

    def _copied(self, memory: Buffer, count: Exp, shape: tuple[Exp, ...], room: tuple[Exp, ...]) -> Map:
        """So many cells of a shape copied to memory where they have other room."""
        make = self.make
        indices = tuple([make.index("i", n) for n in (count, *shape)])
        places = [from_index(make, (count, *extents), indices) for extents in (room, self.room)]
        return Map(memory, Space(indices, (count, *shape)), places[0], make.read(self.buffer, places[1]))

    def _fill_up(self, value: Pull, shape: tuple[Exp, ...]) -> None:
        """A cell that does not take all the room there is, or more."""
        low, make, of = self.low, self.make, self.of
        done, blank = from_index(make, of.frame, of.index), fill(make, value.ty)
        memory = self._memory()
        with low.block() as grown:
            wanted = tuple([self._wanted(m, n) for m, n in zip(self.room, shape, strict=True)])
            size = make.product((*of.frame, *wanted))
            i = make.index("i", size)
            blanks = Map(memory, Space((i,), (size,)), i, blank)
            self._begin(memory, wanted, blanks, self._copied(memory, done, self.room, wanted))
        low.emit(If(self._all_of(p.LTEI, shape, self.room), (), tuple(with_frees(grown))))
        size = low.named(make.product(self.room), "size")
        start = low.named(make.mul(done, size), "start")
        i = make.index("i", size)
        low.emit(Map(self.buffer, Space((i,), (size,)), make.add(start, i), blank))
        if value.rank == 1:
            low.fill_buffer(self.buffer, value, start)
            return
        indices = tuple([make.index("i", n) for n in shape])
        place = make.add(start, from_index(make, self.room, indices))
        low.emit(Map(self.buffer, Space(indices, shape), place, value.at(*indices)))

    def _wanted(self, room: Exp, extent: Exp) -> Exp:
        """Room for an extent: at least twice as much as before, where that is not enough."""
        make = self.make
        more = make.call(p.MAXI, extent, make.add(room, room))
        return self.low.named(make.select(make.call(p.LTEI, extent, room), room, more), "room")

    def result(self, body: ForEach) -> Pull:
        """The result, behind all cells."""
        low, make, of = self.low, self.make, self.of
        low.adopt(self.buffer)
        low.emit(
            Empty(self.buffer),
            Variable(self.started, make.false),
            *[Variable(n, make.zero) for n in (*self.extents, *self.room)],
            body,
        )
        memory = self._memory()
        size = make.product((*of.frame, *self.extents))
        fitted = (
            Alloc(memory, size, of.site(faults.NO_MEMORY)),
            self._copied(memory, make.product(of.frame), self.extents, self.extents),
            Move(self.buffer, memory),
        )
        low.emit(If(self._all_of(p.EQI, self.room, self.extents), (), fitted))
        if of.runs is not make.true:
            of.attempt(self.extents)
        return from_buffer(make, self.buffer, (*of.frame, *self.extents))
