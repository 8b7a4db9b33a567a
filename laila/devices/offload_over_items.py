"""Chooses between kernels for loops over items by the lengths of the items: see Note [Lengths of items].

MAP or FUSED with a fold of as many values as each item has, or a loop over statements with something that
runs along each item
→   lengths of items
if they are too unlike { parts of equal values } else if they are long { a group for an item }
else { a work-item for an item, or for a chunk of items }
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace

from aplc.laila.devices.item_lengths import LONG_ITEM, Lengths
from aplc.laila.devices.item_sort import ItemDistribution
from aplc.laila.devices.kernel_partition import Loop
from aplc.laila.devices.loop_distribution import CannotDistribute
from aplc.laila.devices.offload_item_scans import ItemScanDivider, Running
from aplc.laila.devices.offload_items import ItemDivider
from aplc.laila.devices.offload_loops import LoopDivider
from aplc.laila.devices.offload_rows import RowDivider
from aplc.laila.ir import loops as l
from aplc.laila.ir.program import Alloc, ForEach, Free, Fused, If, Map, Part, Statement, Store, While
from aplc.laila.ir.scalar import Exp, Fold, contains
from aplc.laila.ir.statements import expressions, own_expressions, rebuilt, within
from aplc.laila.threads.work import GUESS
from aplc.tail import prims as p

DISTRIBUTED = "in loops over all items, one for each step of a round, which choose by the lengths of items"
"""How a loop runs whose rounds make arrays."""


class ItemChooser(LoopDivider, RowDivider, ItemDivider, ItemScanDivider):
    """Loops over items, each with all its kernels."""

    distributes = False
    """Whether loops whose rounds make arrays are distributed: not before a crash of theirs is understood."""
    in_rounds = False
    """Whether a loop in order is around the statement at hand."""

    @abstractmethod
    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, each with its kernels in front of it."""

    @abstractmethod
    def rounds(self, statement: While | ForEach) -> list[Statement]:
        """A loop with kernels inside."""

    @abstractmethod
    def start_fused(self, loop: Loop, statement: Fused) -> list[If]:
        """The start of kernels for folds, maps and scans in one loop, each work-item with its chunk."""

    def over_items(self, loop: Loop, statement: Map | Fused) -> list[Statement] | None:
        """A loop over items: see Note [Lengths of items]. None if it is none, or in a loop in order, which
        wants to know what is enough before it begins.
        """
        space = statement.space
        parts: tuple[Part, ...] = (statement,) if isinstance(statement, Map) else statement.parts
        maps = [q for q in parts if isinstance(q, Map) and not q.ordered]
        if self.in_rounds or len(space.indices) != 1 or len(maps) < len(parts):
            return None
        if isinstance(statement, Fused) and statement.in_place:
            return None
        folding = [q for q in maps if contains(Fold, q.body)]
        found = self.fold_of_items(folding[0]) if len(folding) == 1 else None
        if found is None:
            return None
        (part,), (fold, lengths) = folding, found
        known = self.of_items(loop, statement, lengths)
        own = replace(known, written=frozenset((part.buffer,)))
        starts = self.start_values(own, part, fold, lengths)
        if self.division.grid:
            starts += self.start_rows(own, part, fold, self.is_long(lengths))
        rest = [q for q in maps if q is not part]
        before: tuple[Statement, ...] = (Fused(space, tuple(rest)),) if len(rest) > 1 else tuple(rest)
        starts = [replace(s, then=self.block((*before, *s.then))) for s in starts]
        self.statement = statement
        starts += self.start_alike(replace(known, name=loop.name), statement)
        return self.by_lengths(loop, statement, lengths, starts)

    def rounds_over_items(
        self, loop: Loop, starts: list[If], statement: ForEach, running: Running | None
    ) -> list[Statement] | None:
        """A loop over items with something that runs along each, given the starts of a kernel whose
        work-items have as many items each: see Note [Lengths of items]. None if it is none, or in a loop in
        order.
        """
        if running is None or self.in_rounds or not self.may_balance:
            return None
        (index,), (n,) = statement.space.indices, statement.space.extents
        lengths = self.measured(running.extent, index, n)
        parts = self.start_running(loop, running, lengths)
        parts = [replace(s, then=self.block(s.then)) for s in parts]
        self.statement = statement
        groups = self.start_groups(loop, running, self.is_long(lengths)) if self.division.grid else []
        if not parts and not groups:
            return None
        return self.by_lengths(loop, statement, lengths, [*parts, *groups, *starts])

    def is_long(self, lengths: Lengths) -> Exp:
        """Whether items are worth a group each."""
        return self.make.call(p.GTEI, lengths.mean, self.make.const(LONG_ITEM))

    def by_lengths(
        self, loop: Loop, statement: Map | Fused | ForEach, lengths: Lengths, starts: list[If]
    ) -> list[Statement] | None:
        """The first of the kernels that is for items of such lengths; None where there are none."""
        make, (n,) = self.make, statement.space.extents
        chosen: tuple[Statement, ...] = ()
        for start in reversed(starts):
            chosen = (replace(start, other=chosen),)
        worth = make.call(p.GTEI, n, make.one) if self.division.grid else self.reaches(loop)
        measured = self.block(lengths.measured) if self.division.grid else lengths.measured
        self.statement = statement
        if not starts:
            return None
        self.work_of[id(statement)] = loop.work
        self.choices[id(statement)] = self.choice
        return self.either(loop, [If(worth, (*measured, *chosen))], (statement,))

    def of_items(self, loop: Loop, statement: Map | Fused, lengths: Lengths) -> Loop:
        """The loop with the work that it has for items of the mean length. Processors go by the guess: their
        kernels are no slower than the host for less.
        """
        if not self.division.grid:
            return replace(loop, name="items")
        self.effort.guess = lengths.mean
        roots = own_expressions(statement)
        work = self.effort.of_loop(loop.space, roots, loop.written)
        self.effort.guess = self.make.const(GUESS)
        return replace(loop, name="items", work=work)

    def start_alike(self, loop: Loop, statement: Map | Fused) -> list[If]:
        """The start of a kernel whose work-items have as many items each."""
        if isinstance(statement, Fused):
            return self.start_fused(loop, statement)
        if self.division.grid:
            chunk = self.grid(statement.space)
            return self.start(loop, chunk, (self.points(statement, chunk, is_even=loop.is_even),))
        chunk = self.chunk(statement.space, 0)
        changed = rebuilt(statement, chunk.change)
        assert isinstance(changed, Map)
        return self.start(loop, chunk, (replace(changed, space=chunk.space),))

    def counted_first(self, statement: ForEach) -> list[Statement]:
        """A filter of each item by kernels; nothing where there are none. Threads of the host do it sooner:
        they pack whole vectors, and look at each value once.
        """
        make, counted = self.make, self.counted(statement)
        if counted is None or self.in_rounds or not self.is_eager:
            return []
        loop = replace(
            self.loop("kept", statement.space, expressions(statement), {counted.ends}),
            work=self.effort.of_rounds(statement),
        )
        enough = self.reaches(loop)
        if enough is make.false:
            return []
        (n,) = statement.space.extents
        own = self.memory(counted.ends, make.add(n, make.one)) if counted.is_own else None
        self.schedules[counted.write.space.indices[0]] = l.Schedule(())
        self.statement = counted.write
        found = self.kernels_of(counted.write)
        if found is None or not found[1]:
            return []
        written = self.rounds_over_items(*found, counted.write, counted.running)
        written = written or self.either(*found, (counted.write,))
        choice = self.choices.get(id(counted.write))
        steps: list[Statement] = [*self.block((counted.count, counted.scan)), *written, counted.total]
        if own is not None:
            steps = [own, Store(counted.ends, make.zero, make.zero), *steps, Free(counted.ends)]
        self.statement = statement
        self.work_of[id(statement)] = loop.work
        if choice is not None:
            self.choices[id(statement)] = choice
        return [If(enough, tuple(steps), (statement,))]

    def distributed(
        self, loop: ForEach | None, statement: ForEach | Map, on_host: Callable[[], list[Statement]]
    ) -> list[Statement]:
        """A loop whose rounds make arrays, as loops over all items one after the other; nothing where it is
        none, or where threads of the host do it sooner: their rounds stay in caches.
        """
        make = self.make
        if loop is None or self.in_rounds or not self.distributes or len(loop.space.indices) != 1:
            return []
        loops = ItemDistribution(make, loop)
        try:
            statements = loops.run()
        except CannotDistribute:
            return []
        work, (n,) = self.effort.of_rounds(loop), loop.space.extents
        enough = self.effort.reaches(work, self.division.least_work)
        enough = make.call(p.ANDB, enough, make.call(p.GTEI, n, make.one))
        enough = make.call(p.ANDB, enough, loops.condition)
        if enough is make.false:
            return []
        for each in within(statements):
            if isinstance(each, Alloc) and each.buffer in loops.memory:
                self.memory(each.buffer, each.size)
            if isinstance(each, ForEach) and each.counts is None:
                self.schedules[each.space.indices[0]] = l.Schedule(())
        there, here = self.block(statements), on_host()
        self.work_of[id(statement)] = work
        self.choices[id(statement)] = DISTRIBUTED
        return [If(enough, there, tuple(here))]
