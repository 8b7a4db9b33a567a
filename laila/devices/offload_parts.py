"""Kernels for few long folds: the elements of a map are folds, each of which is done in parts.

    MAP b[i] = f(REDUCE + over k < n { e(i,k) }) over i < m
        →   MAP partial[i×parts + j] = REDUCE + over k < length { e(i, j×length + k) } over i < m, j < parts
            MAP b[i] = f(REDUCE + over j < parts { partial[i×parts + j] }) over i < m

There are as many parts as fill the device. Of rows, whose neighbours in memory are neighbouring terms, a
group does each part; of columns a work-item does one, and neighbours have neighbouring columns. The second
map has rows. Where there are enough elements without parts, each is done as a whole.

    SCAN b[i,k] = + of e(i,k) over i < m, k < n
        →   MAP partial[i×parts + j] = …                                as above
            SCAN partial[i×parts + j] over i < m, j < parts
            for i < m, j < parts { SCAN b[i, j×length + k] over k < length, from partial[i×parts + j - 1] }

So are few long columns scanned, in two passes.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.devices.device_mapping import GROUP
from aplc.laila.devices.kernel_partition import NOWHERE, Loop, Total
from aplc.laila.devices.offload_rows import LONG, RowDivider
from aplc.laila.ir.program import Alloc, ForEach, Free, HostLet, If, Map, Scan, Space, Statement
from aplc.laila.ir.scalar import BlockExp, Buffer, Exp, Fold, Read, Var, contains
from aplc.laila.ir.statements import rebuilt
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import from_index
from aplc.laila.lowering.scalars import neutral
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

FULL = 4
"""Folds are done in parts if so many times as many would run at the same time."""

SHORT = 32
"""Terms of a column that are worth a part."""


class PartDivider(RowDivider):
    """Kernels for maps with few long folds."""

    def start_parts(self, loop: Loop, statement: Map) -> list[If]:
        """The start of kernels for the parts of folds and for what they come to; nothing where there are no
        such kernels.
        """
        make, space, grid = self.make, statement.space, self.division.grid
        is_row = True
        fold = self.only_fold(statement)
        if fold is None:
            is_row, fold = False, self.only_fold(statement, self.is_column)
        if fold is None or grid % GROUP or not isinstance(fold.combine, Prim):
            return []
        points, least = make.product(space.extents), LONG if is_row else SHORT
        enough, sizes, (length, parts) = self.division_in_parts(
            loop, points, fold.extent, grid // GROUP if is_row else grid, least
        )
        if enough is make.false:
            return []
        partial = Buffer(make.fresh("partial"), fold.ty, fold.ty.dtype)
        first = self.in_parts(statement, fold, partial, (length, parts), is_row=is_row)
        second, total = self.of_parts(statement, fold, partial, parts)
        own = replace(loop, name="parts", space=first.space, written=frozenset((partial,)), is_even=False)
        starts = (
            self.start_rows(own, first, only(first), make.true) if is_row else self.start_columns(own, first)
        )
        ends = self.start_rows(loop, second, total, make.true)
        if not starts or not ends:
            return []
        before: tuple[Statement, ...] = (
            *sizes,
            Alloc(partial, make.mul(points, parts), NOWHERE),
        )
        then = If(make.call(p.NOTB, loop.todo), ends[0].then)
        return [If(enough, (*before, *starts[0].then, then, Free(partial)))]

    def division_in_parts(
        self, loop: Loop, points: Exp, extent: Exp, full: int, least: int
    ) -> tuple[Exp, tuple[Statement, ...], tuple[Var, Var]]:
        """Whether folds of an extent are worth parts at so many points, where `full` parts fill the device;
        what computes the length of a part, `least` or more, and the number of parts; and these two.
        """
        make, most = self.make, self.make.const(full)
        few = make.call(p.LTEI, make.call(p.MULI, points, make.const(FULL)), most)
        enough = make.call(p.ANDB, self.is_work(loop.work), few)
        enough = make.call(p.ANDB, enough, make.call(p.GTEI, extent, make.const(FULL * least)))
        enough = make.call(p.ANDB, enough, make.call(p.GTEI, points, make.one))
        wanted, length, parts = [
            Var(make.fresh(name), Base.INT, True, (make.one,)) for name in ("wanted", "length", "parts")
        ]
        sizes = (
            HostLet(wanted, self.parts(most, points)),
            HostLet(length, make.call(p.MAXI, self.parts(extent, wanted), make.const(least))),
            HostLet(parts, self.parts(extent, length)),
        )
        return enough, sizes, (length, parts)

    def start_columns(self, loop: Loop, statement: Map) -> list[If]:
        """The start of a kernel whose neighbouring work-items do neighbouring elements."""
        chunk = self.grid(statement.space)
        return self.start(loop, chunk, (self.points(statement, chunk, is_even=False),))

    def start_scans_in_parts(self, loop: Loop, statement: Scan, total: Total) -> list[If]:
        """The start of kernels for the parts of scanned columns; nothing where there are none."""
        make, grid = self.make, self.division.grid
        *columns, index = statement.space.indices
        *extents, extent = statement.space.extents
        if grid % GROUP or self.make.linear(statement.position)[1].get(columns[-1]) not in (1, -1):
            return []
        points = make.product(tuple(extents))
        enough, sizes, (length, parts) = self.division_in_parts(loop, points, extent, grid, SHORT)
        if enough is make.false or contains(BlockExp | Fold, statement.position, statement.body):
            return []
        fold = make.fold(statement.combine, index, extent, statement.body, neutral(make, statement.combine))
        if not isinstance(fold, Fold):
            return []
        sums = Map(total.partial, Space(tuple(columns), tuple(extents)), make.zero, fold)
        first = self.in_parts(sums, fold, total.partial, (length, parts), is_row=False)
        own = replace(loop, space=first.space, written=frozenset((total.partial,)), is_even=False, totals=())
        starts = [
            self.start_columns(replace(own, name="parts"), first),
            self.start_totals(replace(own, name="totals"), (tuple(columns), tuple(extents)), total, parts),
            self.start_rest(replace(own, written=loop.written), statement, total, (length, parts)),
        ]
        if not all(starts):
            return []
        before: tuple[Statement, ...] = (
            *sizes,
            Alloc(total.partial, make.mul(points, parts), NOWHERE),
        )
        has_run = make.call(p.NOTB, loop.todo)
        then = [If(has_run, (*starts[1][0].then, If(has_run, starts[2][0].then)))]
        return [If(enough, (*before, *starts[0][0].then, *then, Free(total.partial)))]

    def start_totals(
        self, loop: Loop, columns: tuple[tuple[Var, ...], tuple[Exp, ...]], total: Total, parts: Var
    ) -> list[If]:
        """The start of a kernel for what the parts up to each come to."""
        make, (indices, extents) = self.make, columns
        own = tuple([replace(v, name=make.fresh(v.name)) for v in indices])
        part, running = make.index("part", parts), Var(make.fresh("s"), total.before.ty)
        space = Space((*own, part), (*extents, parts))
        place = make.add(make.mul(from_index(make, extents, own), parts), part)
        value = make.read(total.partial, place)
        scan = Scan(total.partial, space, place, total.combine, value, running)
        chunk = self.chunk(space, len(own) - 1, in_steps=True)
        changed = rebuilt(scan, chunk.change)
        assert isinstance(changed, Scan)
        return self.start(replace(loop, space=space), chunk, (replace(changed, space=chunk.space),))

    def start_rest(self, loop: Loop, statement: Scan, total: Total, sizes: tuple[Var, Var]) -> list[If]:
        """The start of a kernel that scans each part, from what is before it."""
        make, space, (length, parts) = self.make, statement.space, sizes
        *columns, index = space.indices
        *extents, extent = space.extents
        part, own = make.index("part", parts), tuple([replace(v, name=make.fresh(v.name)) for v in columns])
        first = make.mul(part, length)
        count = make.call(p.MINI, length, make.sub(extent, first))
        k = make.between(index.name, (make.zero,), make.last_indices(length))
        here: dict[Exp, Exp] = dict(zip(columns, own, strict=True))
        change = Substitute(make, {**here, index: make.add(first, k)})
        chunk = self.grid(Space((*own[:-1], part, own[-1]), (*extents[:-1], parts, extents[-1])))
        place = make.add(make.mul(from_index(make, tuple(extents), own), parts), make.sub(part, make.one))
        known = make.read(total.partial, place)
        before = Var(make.fresh("before"), total.before.ty)
        let = HostLet(before, make.select(make.call(p.GTI, part, make.zero), known, total.start))
        changed = rebuilt(statement, change)
        assert isinstance(changed, Scan)
        scan = replace(changed, space=Space((k,), (count,)), start=before)
        lets = tuple([HostLet(index, here) for index, here in chunk.indices])
        return self.start(loop, chunk, (ForEach(chunk.space, (*lets, let, scan)),))

    def in_parts(
        self, statement: Map, fold: Fold, partial: Buffer, sizes: tuple[Var, Var], *, is_row: bool
    ) -> Map:
        """What the parts of a fold come to; those of columns are the axis before the last."""
        make, space, (length, parts) = self.make, statement.space, sizes
        assert isinstance(fold.combine, Prim)
        part = make.index("part", parts)
        before = make.mul(part, length)
        count = make.call(p.MINI, length, make.sub(fold.extent, before))
        term = make.between(fold.var.name, (make.zero,), make.last_indices(length))
        body = Substitute(make, {fold.var: make.add(before, term)})(fold.body)
        place = make.add(make.mul(from_index(make, space.extents, space.indices), parts), part)
        at = len(space.indices) if is_row else len(space.indices) - 1
        indices, extents = [*space.indices], [*space.extents]
        indices.insert(at, part)
        extents.insert(at, parts)
        own = make.fold(fold.combine, term, count, body, neutral(make, fold.combine))
        return Map(partial, Space(tuple(indices), tuple(extents)), place, own)

    def of_parts(self, statement: Map, fold: Fold, partial: Buffer, parts: Var) -> tuple[Map, Fold]:
        """The map, with what the parts come to in place of all terms, and the fold of these."""
        make, space = self.make, statement.space
        assert isinstance(fold.combine, Prim)
        k = make.index("k", parts)
        place = make.add(make.mul(from_index(make, space.extents, space.indices), parts), k)
        total = make.fold(fold.combine, k, parts, make.read(partial, place), neutral(make, fold.combine))
        change = Substitute(make, {fold: total})
        assert isinstance(total, Fold)
        return replace(statement, position=change(statement.position), body=change(statement.body)), total

    def is_column(self, node: Exp, fold: Fold, statement: Map) -> bool:
        """Whether something reads neighbours for neighbouring elements, and others for each term."""
        if not isinstance(node, Read) or node.buffer.data is not None:
            return False
        are_neighbours = self.are_neighbours(node.index, statement.space.indices[-1])
        return are_neighbours and fold.var in self.free.of(node.index)


def only(statement: Map) -> Fold:
    """The fold that an element is."""
    assert isinstance(statement.body, Fold)
    return statement.body
