"""Kernels for matrices that are read across their rows, staged in local memory tile by tile.

    MAP b[i,j] = f(a[j,i]) over i < n, j < m

Neighbouring work-items do neighbouring j, and should read neighbouring elements: a group reads a tile of a
along its rows into its own memory, and uses it along its columns.
"""

from __future__ import annotations

from aplc.laila.devices.kernel_partition import Chunk, Divider, Loop
from aplc.laila.devices.kernels import TALL, TILE, Stage, fits, may_fail
from aplc.laila.ir.program import HostLet, If, Map, Statement, Store
from aplc.laila.ir.scalar import QUOT, BlockExp, Buffer, Exp, Fold, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.types import Base

MOST_TILES = 4
"""Of a kernel: more do not fit the memory of a group beside those of others."""

MOST_GROUPS = (1 << 16) - 1
"""Along an axis: devices have no more along their second one. A group does several tiles then."""


class TileDivider(Divider):
    """Kernels for maps that read across rows."""

    def start_tiles(self, loop: Loop, statement: Map) -> list[If]:
        """The start of a kernel with a group for each tile; nothing where there is no such kernel."""
        make, space = self.make, statement.space
        if len(space.indices) != 2 or statement.guard is not None or statement.ordered:
            return []
        roots = (statement.position, statement.body)
        if contains(BlockExp | Fold, *roots):
            return []
        (row, column), (rows, columns) = space.indices, space.extents
        found = [n for n in nodes(*roots) if isinstance(n, Read) and self.is_across(n, row, column)]
        reads = list(dict.fromkeys(found))
        if not reads or len(reads) > MOST_TILES:
            return []
        first_row, first_column, along, across = [
            Var(make.fresh(name), Base.INT, True, (make.zero,))
            for name in ("row", "column", "along", "across")
        ]
        tiles = tuple([Buffer(make.fresh("tile"), read.buffer.ty, read.buffer.storage) for read in reads])
        width = make.const(TILE + 1)  # so that a column of the tile lies in all banks
        filled: dict[Exp, Exp] = {row: make.add(first_row, along), column: make.add(first_column, across)}
        used: dict[Exp, Exp] = {row: make.add(first_row, across), column: make.add(first_column, along)}
        place = make.add(make.mul(across, width), along)
        load: tuple[Statement, ...] = tuple(
            [
                Store(tile, place, Substitute(make, filled)(read))
                for tile, read in zip(tiles, reads, strict=True)
            ]
        )
        turned = make.add(make.mul(along, width), across)
        used |= {read: make.read(tile, turned) for tile, read in zip(tiles, reads, strict=True)}
        change = Substitute(make, used)
        end = (Store(statement.buffer, change(statement.position), change(statement.body)),)
        least = self.is_work(loop.work)
        enough = make.call(p.ANDB, least, make.call(p.GTEI, rows, make.const(TILE)))
        enough = make.call(p.ANDB, enough, make.call(p.GTEI, columns, make.const(TILE)))
        inside = (*load, *end)
        if enough is make.false or may_fail(inside):
            return []
        if not fits(make.settings, inside, loop.written, tiles):
            return []
        items = (Var(make.fresh("item"), Base.INT, True), Var(make.fresh("item"), Base.INT, True))
        stage = Stage(tiles, (rows, columns), first_row, first_column, along, across)
        chunk = Chunk(items, (), (), (), (), space, change, (), True)
        made = self.made(loop, "tiles", chunk, load, loop.written, end=end, stage=stage)
        before, numbers = groups_of(make, rows, columns)
        return [If(enough, (*before, *self.started(loop, made, numbers, ())))]

    def is_across(self, read: Read, row: Var, column: Var) -> bool:
        """Whether something reads neighbours for neighbouring rows, and others for each column."""
        steps = self.make.linear(read.index)[1]
        is_far = steps.get(column) not in (1, -1) and column in self.free.of(read.index)
        return read.buffer.data is None and steps.get(row) in (1, -1) and is_far


def groups_of(make: ExprBuilder, rows: Exp, columns: Exp) -> tuple[list[Statement], tuple[Var, ...]]:
    """The numbers of work-items along both axes where a group does each tile, and what computes them."""
    numbers = [Var(make.fresh("items"), Base.INT, True, (make.one,)) for _ in range(2)]
    before: list[Statement] = []
    for number, extent, each in ((numbers[0], columns, TILE), (numbers[1], rows, TALL)):
        groups = make.call(QUOT, make.add(extent, make.const(TILE - 1)), make.const(TILE))
        groups = make.call(p.MINI, groups, make.const(MOST_GROUPS))
        before.append(HostLet(number, make.mul(groups, make.const(each))))
    return before, tuple(numbers)
