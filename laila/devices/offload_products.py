"""Kernels for matrix products, on devices whose work-groups have local memory.

    MAP b[i,j] = f(REDUCE op over k < s { g(x[i,k], y[k,j]) }) over i < n, j < m
        →   launch kernel      a group for each tile of b: for each block of k it reads a tile of x and one
                               of y into its own memory, and its work-items go on with their elements of b

Each element that is read serves a row or a column of the tile. Neighbours read neighbours whichever way the
matrices lie in memory. A work-item has several rows of the tile, whose results wait in registers. The terms
of a result come in their order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aplc.laila.devices.kernel_partition import Chunk, Divider, Loop
from aplc.laila.devices.kernels import TALL, TILE, Stage, Steps, fits, in_any_order, may_fail
from aplc.laila.devices.offload_tiles import MOST_TILES, groups_of
from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.program import Assign, ForEach, HostLet, If, Map, Space, Statement, Store, Variable
from aplc.laila.ir.scalar import BlockExp, Buffer, Check, Exp, Fold, FreeVars, Read, Var, contains, nodes
from aplc.laila.ir.split import bound_in
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.scalars import neutral
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

WIDTH = TILE + 1
"""Of the rows of a tile in memory, so that a column lies in all banks."""


@dataclass(frozen=True, slots=True)
class TiledProduct:
    """The fold of a map, and the names of places in the tiles of a group."""

    fold: Fold
    row: Var
    column: Var
    extents: Mapping[Var, Exp]
    """Of the rows, the columns and the steps of the fold."""
    corner: Mapping[Var, Exp]
    """Where the tiles at hand begin along each."""
    along: Var
    across: Var
    line: Var
    """The row of a tile that is filled."""
    tiles: Mapping[Read, Buffer]
    """By what is read."""


class ProductDivider(Divider):
    """Kernels for maps of rows with columns."""

    def start_products(self, loop: Loop, statement: Map) -> list[If]:
        """The start of a kernel with a group for each tile; nothing where there is no such kernel."""
        make = self.make
        fold = self.fold_of_product(statement)
        if fold is None:
            return []
        (row, column), (rows, columns) = statement.space.indices, statement.space.extents
        reads = self.reads_of_product(fold, row, column)
        if not reads or len(reads) > MOST_TILES:
            return []
        first_row, first_column, first, along, across, line = [
            Var(make.fresh(name), Base.INT, True, (make.zero,))
            for name in ("row", "column", "first", "along", "across", "line")
        ]
        tiles = {read: Buffer(make.fresh("tile"), read.buffer.ty, read.buffer.storage) for read in reads}
        extents = {row: rows, column: columns, fold.var: fold.extent}
        corner: dict[Var, Exp] = {row: first_row, column: first_column, fold.var: first}
        product = TiledProduct(fold, row, column, extents, corner, along, across, line, tiles)
        fills = tuple([self.filled(product, read) for read in reads])
        start, use, end = self.taken_in(product, statement)
        inside = (*fills, *start, *use, *end)
        enough = self.is_work(loop.work)
        for extent in extents.values():
            enough = make.call(p.ANDB, enough, make.call(p.GTEI, extent, make.const(TILE)))
        if enough is make.false or may_fail(inside):
            return []
        if not fits(make.settings, inside, loop.written, tiles.values()):
            return []
        items = (Var(make.fresh("item"), Base.INT, True), Var(make.fresh("item"), Base.INT, True))
        steps = Steps(fold.extent, first, line, start, use)
        stage = Stage(tuple(tiles.values()), (rows, columns), first_row, first_column, along, across, steps)
        chunk = Chunk(items, (), (), (), (), statement.space, Substitute(make, {}), (), True)
        made = self.made(loop, "product", chunk, fills, loop.written, end=end, stage=stage)
        before, numbers = groups_of(make, rows, columns)
        return [If(enough, (*before, *self.started(loop, made, numbers, ())))]

    def filled(self, product: TiledProduct, read: Read) -> Statement:
        """An element of a tile. Neighbours read along memory; where it lies in the tile does not depend on
        that.
        """
        make, step = self.make, product.fold.var
        is_row = self.depends(read, product.row)
        side = product.row if is_row else product.column
        is_across = make.linear(read.index)[1].get(side) in (1, -1)
        own = (product.along, product.line) if is_across else (product.line, product.along)
        places = dict(zip((side, step), own, strict=True))
        there: dict[Exp, Exp] = {var: make.add(product.corner[var], place) for var, place in places.items()}
        ok = self.both(*[make.call(p.LTI, there[var], product.extents[var]) for var in places])
        outer, inner = (side, step) if is_row else (step, side)
        place = self.in_tile(places[outer], places[inner])
        return If(ok, (Store(product.tiles[read], place, Substitute(make, there)(read)),))

    def taken_in(self, product: TiledProduct, statement: Map) -> tuple[tuple[Statement, ...], ...]:
        """What begins the results of a work-item, takes in the tiles of a block, and writes the results."""
        make, fold, row, column = self.make, product.fold, product.row, product.column
        assert isinstance(fold.combine, Prim)
        first, count = product.corner[fold.var], Var(make.fresh("count"), Base.INT, True, (make.one,))
        step = make.index("k", count)
        results = [Var(make.fresh("s"), fold.ty) for _ in range(TILE // TALL)]
        parts = [Var(make.fresh("part"), fold.ty) for _ in results] if make.settings.is_single else results
        taken: list[Statement] = []
        end: list[Statement] = []
        for number, (result, part) in enumerate(zip(results, parts, strict=True)):
            own = make.add(product.across, make.const(TALL * number))
            column_here = make.add(product.corner[column], product.along)
            here: dict[Exp, Exp] = {row: make.add(product.corner[row], own), column: column_here}
            known: dict[Exp, Exp] = {**here, fold.var: make.add(first, step)}
            for read, tile in product.tiles.items():
                place = (own, step) if self.depends(read, row) else (step, product.along)
                known[read] = make.read(tile, self.in_tile(*place))
            taken.append(Assign(part, make.call(fold.combine, part, Substitute(make, known)(fold.body))))
            change = Substitute(make, {**here, fold: result})
            is_there = self.both(*[make.call(p.LTI, here[v], product.extents[v]) for v in (row, column)])
            put = Store(statement.buffer, change(statement.position), change(statement.body))
            end.append(If(is_there, (put,)))
        nothing = neutral(make, fold.combine)
        most = make.call(p.MINI, make.const(TILE), make.sub(fold.extent, first))
        use: list[Statement] = [HostLet(count, most), ForEach(Space((step,), (count,)), tuple(taken))]
        if parts is not results:  # floats: large sums would take in small terms with few of their digits
            whole = [Assign(r, make.call(fold.combine, r, q)) for r, q in zip(results, parts, strict=True)]
            use = [*[Variable(part, nothing) for part in parts], *use, *whole]
        return tuple([Variable(result, nothing) for result in results]), tuple(use), tuple(end)

    def in_tile(self, outer: Exp, inner: Exp) -> Exp:
        """A place in a tile."""
        return self.make.add(self.make.mul(self.make.const(WIDTH), outer), inner)

    def fold_of_product(self, statement: Map) -> Fold | None:
        """The fold of an element, if there is one, always done, and of an extent that the host knows."""
        body = statement.body
        if len(statement.space.indices) != 2 or statement.guard is not None or statement.ordered:
            return None
        folds = [n for n in nodes(body) if isinstance(n, Fold)]
        if len(folds) != 1 or contains(BlockExp, body):
            return None
        (fold,) = folds
        hidden = set(statement.space.indices) | bound_in((body,))
        is_known = self.free.of(fold.extent).isdisjoint(hidden)
        is_known &= not contains(Check | Read, fold.extent)
        is_done = any(n is fold for n in unconditional((body,)))
        is_free = isinstance(fold.combine, Prim) and in_any_order(self.make.settings, fold.combine, fold.ty)
        return fold if is_known and is_done and is_free else None

    def reads_of_product(self, fold: Fold, row: Var, column: Var) -> list[Read]:
        """What is read for a row or for a column at each step; nothing if something is read for both, or for
        one of them only, or where a condition holds: tiles are filled without asking.
        """
        reads = [n for n in nodes(fold.body) if isinstance(n, Read) and self.depends(n, fold.var)]
        of_rows = [n for n in reads if self.depends(n, row)]
        of_columns = [n for n in reads if self.depends(n, column)]
        is_nested = any(isinstance(n, Read) for read in reads for n in nodes(read.index))
        is_joint = any(read in of_columns for read in of_rows)
        always = set(map(id, unconditional((fold.body,))))
        is_guarded = any(id(read) not in always for read in reads)
        if is_nested or is_joint or is_guarded or not of_rows or not of_columns:
            return []
        return [*of_rows, *of_columns]

    def depends(self, exp: Exp, var: Var) -> bool:
        """Whether a value is another one for other values of a variable."""
        return var in self.free.of(exp)

    def both(self, first: Exp, second: Exp) -> Exp:
        """Whether two conditions hold."""
        return self.make.call(p.ANDB, first, second)


def is_product(free: FreeVars, statement: Map) -> bool:
    """Whether the folds of a map read for all rows what only columns have."""
    row, *columns = statement.space.indices
    found = [n for fold in nodes(statement.body) if isinstance(fold, Fold) for n in nodes(fold.body)]
    read = [free.of(n.index) for n in found if isinstance(n, Read)]
    return any(row not in names and not names.isdisjoint(columns) for names in read)
