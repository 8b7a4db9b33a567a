"""A tile of a product: some rows by some vectors of columns of the result, which stand in registers.

See Note [Panels] in `packed_matmul`, which makes the loops around it.

Note [Sums in registers]
    clang keeps an array in registers where its indices are constants once loops are unrolled. How many
    rows of the tile are stored only the run knows, so what is stored is another array, into which the sums
    are copied behind the last step. gcc looks at the loop over the steps alone, and loses nothing by that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.interval import Interval
from aplc.laila.ir.ranges import of_storage, storage_for, width_of
from aplc.laila.ir.scalar import (
    QUOT,
    TILE_COLUMNS,
    TILE_LANES,
    TILE_ROWS,
    Buffer,
    Const,
    Exp,
    Read,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.strides import depends
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.accumulators import combined, neutral_among
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import Nests
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.transform.products.recognition import MatrixProduct
from aplc.laila.transform.register_tiling import SIZES
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

VECTORS_AT_HAND = 3
"""The vectors of columns in a tile of a kernel."""

TILE_BYTES = 8 * 192
"""The largest tile: see `aplc_tile_rows` and `aplc_tile_columns`."""

IN_REGISTERS = 4
"""So many steps of a tile, which stays in registers, take as long as one of a loop that goes over memory."""

LINE = 64
"""The bytes of a line of the cache."""


@dataclass(frozen=True, slots=True)
class Range:
    """The indices from one up to another."""

    start: Exp
    stop: Exp
    most: Exp | None = None
    """What they stay below: so many rounds are written one by one, as far as they are wanted."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Memory for a part of the terms, of rows or of columns: for each step it has what the lines of a tile
    have of it, side by side.
    """

    part: Exp
    memory: Buffer


@dataclass(frozen=True, slots=True)
class Work:
    """A product, the size of its tiles, and the block of steps, rows and columns at work."""

    product: MatrixProduct
    of_rows: tuple[Panel, ...]
    of_columns: tuple[Panel, ...]
    high: Exp
    """The rows of a tile."""
    wide: Exp
    """Its columns, which are those of a panel."""
    steps: Range
    down: Range
    across: Range
    left: Exp
    """Where in their memory the panels of rows begin, less what lies before the first step."""
    right: Exp
    """The same of columns."""

    def at(self, step: Exp, line: Exp, nests: Nests, *, is_row: bool) -> Exp:
        """Where a panel has the element of a step and of a row or column, counted from the first of the
        tile.
        """
        make = nests.make
        first, length = (self.left, self.high) if is_row else (self.right, self.wide)
        return make.add(make.add(first, make.mul(step, length)), line)


class ProductTile:
    """What is done with one tile."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.code, self.make, self.free = nests, nests.code, nests.make, nests.free
        self.at_hand = nests.options.tile_at_hand

    def sides(self, size: int) -> tuple[Exp, Exp]:
        """The rows and the columns of a tile of elements of some bytes."""
        make = self.make
        if self.at_hand is None:
            return make.call(TILE_ROWS, make.const(size)), make.call(TILE_COLUMNS, make.const(size))
        rows, wide = self.at_hand
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

    def tiles(self, work: Work, width: Exp, block: Block) -> None:
        """The tile of some rows in a panel of so many columns: in narrow tiles where it is not full."""
        self.nests.one_of(
            self.make.call(p.EQI, width, work.wide),
            block,
            lambda b: self.tile(work, Range(self.make.zero, work.wide), work.wide, b),
            lambda b: self.narrow(work, width, b),
        )

    def narrow(self, work: Work, width: Exp, block: Block) -> None:
        """The tiles of a panel that is not full, a vector wide each."""
        make = self.make
        if self.at_hand is None:
            lanes = make.call(TILE_LANES, make.const(self.sums_of(work.product).item_bytes))
        else:
            lanes = make.call(QUOT, work.wide, make.const(VECTORS_AT_HAND))
        vector = self.code.named(lanes, block, "vector")
        count = self.code.single(parts(self.nests, width, vector), block)
        each = make.index("q", count)
        inner = block.inner(in_loop=True)
        first = self.code.named(make.mul(each, vector), inner, "first")
        stored = self.code.named(make.call(p.MINI, vector, make.sub(width, first)), inner, "stored")
        self.tile(work, Range(first, make.add(first, vector)), stored, inner)
        block.statements.append(l.For(each, make.zero, count, tuple(inner.statements), about=make.one))

    def tile(self, work: Work, lanes: Range, stored: Exp, block: Block) -> None:
        """A tile of the result, in some lanes of a panel, the block of steps taken in; so many of its columns
        are stored. In a later block of steps that is added to what the result has from those before.
        """
        make, product = self.make, work.product
        fold, target = product.fold, product.target
        op = fold.combine
        assert isinstance(op, Prim)
        sums = self.sums_of(product)
        size = TILE_BYTES // sums.item_bytes
        block.statements.append(l.Local(sums, size, in_registers=self.at_hand is not None))
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

        if self.at_hand is None:
            self.prefetch(target, there, inside, block)
        self.filled_with(sums, everything, neutral_among(make, op, of_storage(target)), here, block)
        terms = self.terms(work, row, make.add(lanes.start, lane))
        before, total = make.read(target, there), make.read(sums, here)
        self.take_in(work, (row, lane, width), terms, total, block)
        if self.at_hand is None:  # see Note [Sums in registers]
            whole = replace(sums, name=make.fresh("whole"))
            block.statements.append(l.Local(whole, size))
            self.filled_with(whole, everything, total, here, block, unrolled=True)
            total = make.read(whole, here)

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

        is_later = make.call(p.GTI, work.steps.start, make.zero)
        both = make.call(op, before, total)
        self.nests.one_of(is_later, block, lambda b: stored_as(both, b), lambda b: stored_as(total, b))

    def prefetch(self, target: Buffer, place: Exp, inside: list[tuple[Var, Range]], block: Block) -> None:
        """Ask for the memory of a tile, which is far away, before the steps that it waits for: a line of the
        cache after the other, and the last element, which may lie in one more.
        """
        make = self.make
        (row, down), (lane, across) = inside
        last = Substitute(make, {lane: make.sub(across.stop, make.one)})(place)
        inner = block.inner(in_loop=True)
        begin, end = self.code.values((place, last), inner)
        step = max(1, LINE // target.item_bytes)
        line = l.For(lane, across.start, across.stop, (l.Prefetch(target, begin, writes=True),), step=step)
        body = (*inner.statements, line, l.Prefetch(target, end, writes=True))
        block.statements.append(l.For(row, down.start, down.stop, body))

    def terms(self, work: Work, row: Exp, lane: Exp) -> Exp:
        """The terms of a row of a tile and a lane of the panels."""
        make, product = self.make, work.product
        last = make.sub(product.axes[product.row], make.one)
        read = make.call(p.MINI, make.add(work.down.start, row), last)
        step = product.fold.var
        known: dict[Exp, Exp] = {}
        for panels, line, is_row in ((work.of_rows, row, True), (work.of_columns, lane, False)):
            place = work.at(step, line, self.nests, is_row=is_row)
            known |= {panel.part: make.read(panel.memory, place) for panel in panels}
        return Substitute(make, {product.row: read})(Substitute(make, known)(product.fold.body))

    def take_in(self, work: Work, tile: tuple[Var, Var, Exp], term: Exp, total: Exp, block: Block) -> None:
        """For all steps, and all rows and lanes of a tile: `total := total op term`, in its memory."""
        make, fold = self.make, work.product.fold
        assert isinstance(fold.combine, Prim) and isinstance(total, Read)
        row, lane, width = tile
        rows = block.inner(in_loop=True)
        packed = {panel.memory for panel in work.of_rows}
        for node in nodes(term, below=lambda e: operands(e) if depends(self.free, e, lane) else ()):
            is_element = isinstance(node, Read) and node.buffer in packed  # as it is stored, for all lanes
            if not depends(self.free, node, lane) and contains(Read, node) and not is_element:
                rows.names[id(node)] = self.code.named(self.code.single(node, rows), rows, "t")
        lanes = rows.inner(in_loop=True)
        element = self.code.single(combined(make, fold.combine, total, term), lanes)
        body = (*lanes.statements, l.Store(total.buffer, total.index, element))
        about = make.call(QUOT, width, make.const(IN_REGISTERS))
        in_lanes = l.For(lane, make.zero, width, body, reductions=(), independent=True, about=about)
        together = l.For(row, make.zero, work.high, (*rows.statements, in_lanes), unrolled=True)
        block.statements.append(l.For(fold.var, work.steps.start, work.steps.stop, (together,)))

    def filled_with(
        self,
        target: Buffer,
        order: list[tuple[Var, Range]],
        value: Exp,
        place: Exp,
        block: Block,
        *,
        unrolled: bool = False,
    ) -> None:
        """Two loops, the inner one in lanes, that write a value at a place."""
        (outer, around), (lane, inside) = order
        inner = block.inner(in_loop=True)
        element, position = self.code.values((value, place), inner)
        body = (*inner.statements, l.Store(target, position, element))
        lanes: l.Stm = l.For(lane, inside.start, inside.stop, body, reductions=(), independent=True)
        if around.most is None:
            block.statements.append(l.For(outer, around.start, around.stop, (lanes,), unrolled=unrolled))
            return
        wanted = self.make.call(p.LTI, outer, around.stop)
        lanes = lanes if wanted is self.make.true else l.If(wanted, (lanes,), ())
        block.statements.append(l.For(outer, around.start, around.most, (lanes,), unrolled=True))


def parts(nests: Nests, extent: Exp, size: Exp) -> Exp:
    """How many parts of a size an extent has; the last may be smaller."""
    make = nests.make
    return make.call(QUOT, make.add(extent, make.add(size, make.const(-1))), size)
