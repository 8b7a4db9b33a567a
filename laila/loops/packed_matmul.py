"""Packed matrix products: maps of rows with columns, in register tiles over packed panels.

Note [Panels]
    In `C[i;j] = Σk f(A[i;k], B[k;j])` a tile of C, some rows by some vectors of columns, stands in registers
    while k runs:

        for each block of k
            for each block of rows, for each panel of columns
                panel[k;j] = what columns have of f
                for each tile of rows
                    t[i;j] = C, or the neutral element in the first block
                    for k { for i { for j { t[i;j] = t[i;j] op f(A[i;k], panel[k;j]) } } }
                    C = t, or in the last block what the map makes of it

    An element of the panel serves all rows of a tile, one of A all its columns, and C is touched once for a
    block of k. In the panel all that is read for one k lies together, in whatever order B lies in memory, and
    what is computed from B alone is computed once for a block of rows. Where columns are left over, tiles are
    one vector wide. Where rows or columns do not fill a tile, the last row is computed again, and the panel
    has zeros; nothing of that is stored.

    How many rows and columns a tile has depends on the registers of the machine: the run-time system says it.
    A result takes in its terms in the order of k, as it does in the plain loop. Integers whose sums over one
    block of k fit narrow lanes are added up in these, and C takes in the sums.

What is a product is decided in `products`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.interval import Interval
from aplc.laila.ir.ranges import of_storage, storage_for, width_of
from aplc.laila.ir.scalar import (
    QUOT,
    TILE_COLUMNS,
    TILE_ROWS,
    Buffer,
    Call,
    Const,
    Exp,
    Fold,
    Read,
    Site,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.strides import depends, steps_by_one, wants_inner
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.accumulators import combined, neutral_among
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import Nests
from aplc.laila.loops.spans import MapNest
from aplc.laila.loops.strategies import Otherwise
from aplc.laila.lowering.pull import fill
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.transform.products import MatrixProduct, product_of
from aplc.laila.transform.register_tiling import SIZES, fits_tiles
from aplc.tail import prims as p
from aplc.tail.faults import NO_MEMORY
from aplc.tail.prims import Prim
from aplc.tail.types import Base

VECTORS = 3
"""The vectors of columns in a tile."""

TILE_BYTES = 8 * 192
"""The largest tile: see `aplc_tile_rows` and `aplc_tile_columns`."""


@dataclass(frozen=True, slots=True)
class Range:
    """The indices from one up to another."""

    start: Exp
    stop: Exp
    most: Exp | None = None
    """What they stay below: so many rounds are written one by one, as far as they are wanted."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Memory for a part of the terms, for the steps and columns at work; each step has a row of it."""

    part: Exp
    memory: Buffer


@dataclass(frozen=True, slots=True)
class Work:
    """A product, the size of its tiles, and the block of steps, rows and columns at work."""

    product: MatrixProduct
    panels: tuple[Panel, ...]
    high: Exp
    """The rows of a tile."""
    wide: Exp
    """Its columns, which are those of a panel."""
    steps: Range
    down: Range
    across: Range


class PackedProducts:
    """Products in panels: see Note [Panels]."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.code, self.make, self.free = nests, nests.code, nests.make, nests.free

    def generate(self, wanted: MapNest, block: Block, otherwise: Otherwise[MapNest]) -> None:
        """A product, in panels if it is large enough."""
        product = self.may_be_in_panels(wanted, block)
        if product is None:
            otherwise(wanted, block)
        else:
            self.in_panels(product, block, lambda inner: otherwise(wanted, inner))

    def in_panels(self, product: MatrixProduct, block: Block, otherwise: Callable[[Block], None]) -> None:
        """A product in panels if it is large enough, or `otherwise`."""
        make = self.make
        sides = product.axes[product.row], product.axes[product.column], product.fold.extent
        rows, columns, steps = SIZES.least_product
        if self.nests.options.tile_at_hand is not None:
            rows = self.nests.options.tile_at_hand[0]  # of a chunk: there are others
        if not wants_inner(make, self.free, product.fold, product.column):
            steps = SIZES.least_steps
        enough = make.true
        for extent, least in zip(sides, (rows, columns, steps), strict=True):
            enough = make.call(p.ANDB, enough, make.call(p.GTEI, extent, make.const(least)))
        if enough is make.false:
            otherwise(block)
            return
        if enough is make.true:
            self.product(product, block)
        else:
            self.nests.one_of(enough, block, lambda b: self.product(product, b), otherwise)

    def may_be_in_panels(self, wanted: MapNest, block: Block) -> MatrixProduct | None:
        """A map as a product, where panels can be had and are worth it."""
        if not wanted.axes or block.mode.is_rare or not fits_tiles(wanted.body):
            return None
        options = self.nests.options
        is_possible = options.has_memory or options.tile_at_hand is not None
        if not is_possible or not options.splitting or block.in_loop:
            return None
        found = product_of(self.free, wanted.buffer, dict(wanted.axes), wanted.body, wanted.position)
        if found is None or (options.tile_at_hand is not None and not _is_plain(found.fold)):
            return None
        return found

    def product(self, product: MatrixProduct, block: Block) -> None:
        """The loops of Note [Panels]; other axes are loops around them."""
        make = self.make
        axes = {var: self.code.single(extent, block) for var, extent in product.axes.items()}
        product = replace(product, axes=axes)
        high, wide = self.sides_of_tile(self.sums_of(product).item_bytes)
        panels = tuple([Panel(part, self.memory_for(part, product)) for part in product.of_columns])
        memory = tuple([panel.memory for panel in panels])
        room = make.mul(make.const(SIZES.product_steps), wide)
        if isinstance(room, Const):
            block.statements += [l.Local(buffer, int(room.value), in_registers=True) for buffer in memory]
        else:
            block.statements += [l.Allocate(buffer, room, Site(NO_MEMORY, "", None)) for buffer in memory]

        def steps(inner: Block, start: Exp, stop: Exp) -> None:
            everything = Work(product, panels, high, wide, Range(start, stop), *[
                Range(make.zero, axes[var]) for var in (product.row, product.column)
            ])  # fmt: skip
            self.blocks_of_product(everything, inner)

        def loops(others: tuple[Var, ...], outer: Block) -> None:
            if not others:
                self.nests.blocks(product.fold.extent, SIZES.product_steps, outer, steps, in_order=True)
                return
            first, *rest = others
            inner = outer.inner(in_loop=True)
            loops(tuple(rest), inner)
            body = tuple(inner.statements)
            outer.statements.append(l.For(first, make.zero, axes[first], body, parallel=(), private=memory))

        loops(product.others, block)
        if not isinstance(room, Const):
            block.statements += [l.Release(buffer) for buffer in memory]

    def sides_of_tile(self, size: int) -> tuple[Exp, Exp]:
        """The rows and the columns of a tile of elements of some bytes."""
        make = self.make
        if self.nests.options.tile_at_hand is None:
            return make.call(TILE_ROWS, make.const(size)), make.call(TILE_COLUMNS, make.const(size))
        rows, wide = self.nests.options.tile_at_hand
        return make.const(rows), make.const(wide // size)

    def memory_for(self, part: Exp, product: MatrixProduct) -> Buffer:
        """Memory for a part of the terms, integers in the lanes of a tile or in wider ones."""
        least = 8 * self.sums_of(product).item_bytes
        storage = STORAGE[part.ty]
        if part.ty is Base.INT:
            storage = storage_for(self.nests.ranges.integers(part), least)
        return Buffer(self.make.fresh("panel"), part.ty, storage)

    def sums_of(self, product: MatrixProduct) -> Buffer:
        """The memory of a tile: as that of the result, or for the sums of one block of steps, where these and
        their terms fit narrower lanes.
        """
        fold, target = product.fold, product.target
        sums = Buffer(self.make.fresh("sums"), target.ty, target.storage, values=target.values)
        if fold.combine is not p.ADDI:
            return sums
        term = self.nests.ranges.integers(fold.body)
        most = SIZES.product_steps + 1
        low, high = int(min(0, term.low)) * most, int(max(0, term.high)) * most
        widths = [8 * n.buffer.item_bytes for n in nodes(fold.body) if isinstance(n, Read)]
        storage = storage_for(Interval(low, high), max(widths))
        if width_of(storage) >= width_of(target.storage):
            return sums
        return replace(sums, storage=storage, values=(low, high))

    def blocks_of_product(self, work: Work, block: Block) -> None:
        """All blocks of rows and panels of columns, for one block of steps."""
        make = self.make
        height = make.const(SIZES.product_rows)
        panels = self.code.named(_parts(make, work.across.stop, work.wide), block, "panels")
        count = self.code.named(make.mul(_parts(make, work.down.stop, height), panels), block, "count")
        most = _parts(make, make.call(p.MINI, height, work.down.stop), work.high)
        about = self.code.named(self.code.single(most, block), block, "tiles")
        turn = make.index("turn", count)
        inner = block.inner(in_loop=True)
        if not isinstance(work.wide, Const):
            high, wide = [make.between(hint, (make.one,), ()) for hint in ("high", "wide")]
            # named inside the loop: the function of a thread must see that they are constants
            inner.statements += [l.Declare(high, work.high), l.Declare(wide, work.wide)]
            work = replace(work, high=high, wide=wide)

        def part_of(whole: Range, hint: str, number: Exp, size: Exp) -> Range:
            start = make.between(hint, (make.zero,), make.last_indices(whole.stop))
            stop = make.between("stop", (start,), (whole.stop,))
            inner.statements.append(l.Declare(start, make.mul(number, size)))
            inner.statements.append(l.Declare(stop, make.call(p.MINI, make.add(start, size), whole.stop)))
            return Range(start, stop)

        number = self.code.named(make.call(QUOT, turn, panels), inner, "number")
        down = part_of(work.down, "top", number, height)
        across = part_of(work.across, "left", make.sub(turn, make.mul(number, panels)), work.wide)
        work = replace(work, down=down, across=across)
        width = self.code.named(make.sub(across.stop, across.start), inner, "width")
        for panel in work.panels:
            self.lay_out(work, panel, width, inner)
        tiles = inner.inner(in_loop=True)
        end = self.code.single(_parts(make, make.sub(down.stop, down.start), work.high), inner)
        number = make.index("tile", end)
        top = make.between("i", (down.start,), make.last_indices(down.stop))
        tiles.statements.append(l.Declare(top, make.add(down.start, make.mul(number, work.high))))
        work = replace(work, down=Range(top, down.stop))
        self.nests.one_of(
            make.call(p.EQI, width, work.wide),
            tiles,
            lambda b: self.tile(work, Range(make.zero, work.wide), work.wide, b),
            lambda b: self.narrow_tiles(work, width, b),
        )
        inner.statements.append(l.For(number, make.zero, end, tuple(tiles.statements), about=about))
        memory = tuple([panel.memory for panel in work.panels])
        body = tuple(inner.statements)
        block.statements.append(l.For(turn, make.zero, count, body, parallel=(), private=memory))

    def narrow_tiles(self, work: Work, width: Exp, block: Block) -> None:
        """The tiles of a panel that is not full, a vector wide each."""
        make = self.make
        vector = self.code.named(make.call(QUOT, work.wide, make.const(VECTORS)), block, "vector")
        count = self.code.single(_parts(make, width, vector), block)
        each = make.index("q", count)
        inner = block.inner(in_loop=True)
        first = self.code.named(make.mul(each, vector), inner, "first")
        stored = self.code.named(make.call(p.MINI, vector, make.sub(width, first)), inner, "stored")
        self.tile(work, Range(first, make.add(first, vector)), stored, inner)
        block.statements.append(l.For(each, make.zero, count, tuple(inner.statements), about=make.one))

    def place(self, work: Work, step: Exp, lane: Exp) -> Exp:
        """Where a panel has the element of a step and a column, counted from the first of the panel."""
        return self.make.add(self.make.mul(self.make.sub(step, work.steps.start), work.wide), lane)

    def lay_out(self, work: Work, panel: Panel, width: Exp, block: Block) -> None:
        """Write a part of the terms to its panel, along the memory in which it is read; zeros where there are
        no columns.
        """
        make, product = self.make, work.product
        step, lane = product.fold.var, make.index("j", work.wide)
        place = self.place(work, step, lane)
        element = Substitute(make, {product.column: make.add(work.across.start, lane)})(panel.part)
        places = [n.index for n in nodes(element) if isinstance(n, Read)]
        along_lanes, along_steps = [
            any(steps_by_one(make, self.free, index, var) for index in places) for var in (lane, step)
        ]
        steps = (step, work.steps)

        def columns(stop: Exp, inner: Block) -> None:
            lanes = (lane, Range(make.zero, stop))
            order = [lanes, steps] if along_steps and not along_lanes else [steps, lanes]
            self.filled_with(panel.memory, order, element, place, inner)

        def columns_and_zeros(inner: Block) -> None:
            columns(width, inner)
            rest = [steps, (lane, Range(width, work.wide))]
            self.filled_with(panel.memory, rest, fill(make, panel.part.ty), place, inner)

        is_whole = make.call(p.EQI, width, work.wide)
        self.nests.one_of(is_whole, block, lambda b: columns(work.wide, b), columns_and_zeros)

    def filled_with(
        self, target: Buffer, order: list[tuple[Var, Range]], value: Exp, place: Exp, block: Block
    ) -> None:
        """Two loops, the inner one in lanes, that write a value at a place."""
        (outer, around), (lane, inside) = order
        inner = block.inner(in_loop=True)
        element, position = self.code.values((value, place), inner)
        body = (*inner.statements, l.Store(target, position, element))
        lanes: l.Stm = l.For(lane, inside.start, inside.stop, body, reductions=(), independent=True)
        if around.most is None:
            block.statements.append(l.For(outer, around.start, around.stop, (lanes,)))
            return
        wanted = self.make.call(p.LTI, outer, around.stop)
        lanes = lanes if wanted is self.make.true else l.If(wanted, (lanes,), ())
        block.statements.append(l.For(outer, around.start, around.most, (lanes,), unrolled=True))

    def tile(self, work: Work, lanes: Range, stored: Exp, block: Block) -> None:
        """A tile of the result, in some lanes of a panel, the block of steps taken in; so many of its columns
        are stored.
        """
        make, product = self.make, work.product
        fold, target = product.fold, product.target
        op = fold.combine
        assert isinstance(op, Prim)
        sums = self.sums_of(product)
        size = TILE_BYTES // sums.item_bytes
        block.statements.append(l.Local(sums, size, in_registers=self.nests.options.tile_at_hand is not None))
        width = make.sub(lanes.stop, lanes.start)
        row, lane = make.index("r", work.high), make.index("j", width)
        here = make.add(make.mul(row, width), lane)
        column = make.add(make.add(work.across.start, lanes.start), lane)
        at: dict[Exp, Exp] = {product.row: make.add(work.down.start, row), product.column: column}
        there = Substitute(make, at)(product.position)
        height = make.call(p.MINI, work.high, make.sub(work.down.stop, work.down.start))
        rows = self.code.single(height, block)
        most = work.high if isinstance(work.high, Const) else None
        everything = [(row, Range(make.zero, work.high, most)), (lane, Range(make.zero, width))]
        inside = [(row, Range(make.zero, rows, most)), (lane, Range(make.zero, stored))]

        self.filled_with(sums, everything, neutral_among(make, op, of_storage(target)), here, block)
        is_later = self.code.single(make.call(p.GTI, work.steps.start, make.zero), block)
        before, total = make.read(target, there), make.read(sums, here)
        is_part = sums.storage != target.storage
        if not is_part:
            self.nests.branch(is_later, block, lambda b: self.filled_with(sums, inside, before, here, b))
        terms = self.terms(work, row, make.add(lanes.start, lane))
        self.take_in(work, (row, lane, width), terms, total, block)

        def stored_as(total: Exp, inner: Block) -> None:
            if product.body is fold:
                self.filled_with(target, inside, total, there, inner)
                return
            result = Substitute(make, {**at, fold: total})(product.body)
            self.nests.one_of(
                make.call(p.EQI, work.steps.stop, fold.extent),
                inner,
                lambda b: self.filled_with(target, inside, result, there, b),
                lambda b: self.filled_with(target, inside, total, there, b),
            )

        if not is_part:
            stored_as(total, block)
            return
        both = make.call(op, before, total)
        self.nests.one_of(is_later, block, lambda b: stored_as(both, b), lambda b: stored_as(total, b))

    def terms(self, work: Work, row: Exp, lane: Exp) -> Exp:
        """The terms of a row of a tile and a lane of the panels."""
        make, product = self.make, work.product
        last = make.sub(product.axes[product.row], make.one)
        read = make.call(p.MINI, make.add(work.down.start, row), last)
        place = self.place(work, product.fold.var, lane)
        known: dict[Exp, Exp] = {panel.part: make.read(panel.memory, place) for panel in work.panels}
        return Substitute(make, {product.row: read})(Substitute(make, known)(product.fold.body))

    def take_in(self, work: Work, tile: tuple[Var, Var, Exp], term: Exp, total: Exp, block: Block) -> None:
        """For all steps, and all rows and lanes of a tile: `total := total op term`, in its memory."""
        make, fold = self.make, work.product.fold
        assert isinstance(fold.combine, Prim) and isinstance(total, Read)
        row, lane, width = tile
        rows = block.inner(in_loop=True)
        for node in nodes(term, below=lambda e: operands(e) if depends(self.free, e, lane) else ()):
            if not depends(self.free, node, lane) and contains(Read, node):
                rows.names[id(node)] = self.code.named(self.code.single(node, rows), rows, "t")
        lanes = rows.inner(in_loop=True)
        element = self.code.single(combined(make, fold.combine, total, term), lanes)
        body = (*lanes.statements, l.Store(total.buffer, total.index, element))
        in_lanes = l.For(lane, make.zero, width, body, reductions=(), independent=True)
        together = l.For(row, make.zero, work.high, (*rows.statements, in_lanes), unrolled=True)
        block.statements.append(l.For(fold.var, work.steps.start, work.steps.stop, (together,)))


def _parts(make: ExprBuilder, extent: Exp, size: Exp) -> Exp:
    """How many parts of a size an extent has; the last may be smaller."""
    return make.call(QUOT, make.add(extent, make.add(size, make.const(-1))), size)


def _is_plain(fold: Fold) -> bool:
    """Whether a fold is a sum of doubles that are made by addition and multiplication."""
    found = list(nodes(fold.body))
    calls = [n for n in found if isinstance(n, Call)]
    reads = [n for n in found if isinstance(n, Read)]
    is_real = all(n.buffer.storage == "float64" for n in reads)
    operators = {n.op for n in calls if n.ty is Base.DOUBLE}
    return fold.combine is p.ADDD and is_real and operators <= {p.ADDD, p.SUBD, p.MULD}
