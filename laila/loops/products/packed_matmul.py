"""Packed matrix products: maps of rows with columns, in register tiles over packed panels.

Note [Panels]
    In `C[i;j] = Σk f(A[i;k], B[k;j])` a tile of C, some rows by some vectors of columns, stands in registers
    while k runs:

        for each block of rows, of columns, and of k
            left[tile;k;i] = what rows have of f,  right[panel;k;j] = what columns have of it
            for each group of tiles of rows, for each panel, for each tile of the group
                t[i;j] = the neutral element
                for k { for i { for j { t[i;j] = t[i;j] op f(left[tile;k;i], right[panel;k;j]) } } }
                C = t in the first block of k, C op t in later ones; in the last one what the map makes of it

    An element of a panel serves all rows of a tile, one of its rows all columns, and C is touched once for a
    block of k: its memory is asked for before the steps. In the panels all that is read for one k lies
    together, in whatever order A and B lie in memory, and what is computed from one of them alone is computed
    once. A panel of columns stays in the first cache while the tiles of a group go by, which stay in the
    second one while all panels go by (Goto and van de Geijn, Anatomy of high-performance matrix
    multiplication, 2008). Where columns are left over, tiles are one vector wide. Where rows or columns do
    not fill a tile, panels have zeros; nothing of that is stored.

    How many rows and columns a tile has depends on the registers of the machine: the run-time system says it.
    Integers whose sums over one block of k fit narrow lanes are added up in these, and C takes in the sums.
    In a kernel there is one panel of columns, in memory of its own, and rows are read where they lie.

Note [Symmetric products]
    In `m+.×⍉m` the terms of `C[j;i]` are those of `C[i;j]`: f is commutative, and of a row and a column it
    takes the same. Tiles that lie above the diagonal are left out, and filled in at the end from those below
    it, unless there are so few steps that this takes longer. The groups of tiles at the top have little work,
    those at the bottom most: they take turns, so that threads, which have neighbouring turns, have as much
    work each.

What is a product is decided in `recognition`; `product_tile` has what is done with one tile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import QUOT, Buffer, Call, Const, Exp, Fold, Read, Site, Var, contains, nodes
from aplc.laila.ir.strides import COMMUTATIVE, depends, steps_by_one, wants_inner
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import Nests
from aplc.laila.loops.products.product_tile import Panel, ProductTile, Range, Work, parts
from aplc.laila.loops.spans import MapNest
from aplc.laila.loops.strategies import Otherwise
from aplc.laila.lowering.pull import fill, weigh
from aplc.laila.lowering.tolerance import exact
from aplc.laila.transform.products.recognition import MatrixProduct, product_of
from aplc.laila.transform.register_tiling import SIZES, fits_tiles
from aplc.tail import prims as p
from aplc.tail.faults import NO_MEMORY
from aplc.tail.types import Base


class PackedProducts:
    """Products in panels: see Note [Panels]."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.code, self.make, self.free = nests, nests.code, nests.make, nests.free
        self.tile = ProductTile(nests)

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
        is_work = sum([weigh(part).cost for part in product.of_columns]) > SIZES.tile_work
        if is_work or not wants_inner(make, self.free, product.fold, product.column):
            rows, steps = min(rows, columns), SIZES.least_steps
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
        is_fold = contains(Fold, wanted.body)
        if not wanted.axes or block.mode.is_rare or not is_fold or not fits_tiles(wanted.body):
            return None
        options = self.nests.options
        is_possible = options.has_memory or options.tile_at_hand is not None
        if not is_possible or not options.splitting or block.in_loop:
            return None
        body = wanted.body if options.tile_at_hand is not None else self.compared_exactly(wanted)
        found = product_of(self.free, wanted.buffer, dict(wanted.axes), body, wanted.position)
        if found is None or (options.tile_at_hand is not None and not _is_plain(found.fold)):
            return None
        return found

    def compared_exactly(self, wanted: MapNest) -> Exp:
        """What a map makes, where terms are comparisons within a tolerance of what a row and a column have:
        the column has the ends of what equals its element instead, which are found once for a block of rows.
        """
        *rows, (column, _) = wanted.axes

        def among(var: Var, other: Var) -> Callable[[Exp], bool]:
            return lambda exp: depends(self.free, exp, var) and not depends(self.free, exp, other)

        for row, _ in reversed(rows):
            body = exact(self.make, wanted.body, among(column, row), among(row, column))
            if body is not wanted.body:
                return body
        return wanted.body

    def product(self, product: MatrixProduct, block: Block) -> None:
        """The loops of Note [Panels]; other axes are loops around them."""
        make = self.make
        axes = {var: self.code.single(extent, block) for var, extent in product.axes.items()}
        product = replace(product, axes=axes)
        high, wide = self.tile.sides(self.tile.sums_of(product).item_bytes)
        of_columns = self.panels(product.of_columns, product)
        down, across = [Range(make.zero, axes[var]) for var in (product.row, product.column)]
        steps = Range(make.zero, product.fold.extent)
        work = Work(product, (), of_columns, high, wide, steps, down, across, make.zero, make.zero)
        if self.nests.options.tile_at_hand is None:
            self.in_memory(replace(work, of_rows=self.panels(product.of_rows, product)), block)
        else:
            assert isinstance(wide, Const)
            room = SIZES.product_steps * int(wide.value)
            block.statements += [l.Local(panel.memory, room, in_registers=True) for panel in of_columns]
            self.around(work, (), block, lambda inner: self.steps(work, inner, self.at_hand))

    def panels(self, of_what: tuple[Exp, ...], product: MatrixProduct) -> tuple[Panel, ...]:
        """Panels for parts of the terms."""
        return tuple([Panel(part, self.tile.memory_for(part, product)) for part in of_what])

    def around(
        self, work: Work, memory: tuple[Buffer, ...], block: Block, build: Callable[[Block], None]
    ) -> None:
        """Loops over the axes that are neither rows nor columns, whose rounds may have memory each."""
        product = work.product

        def loops(others: tuple[Var, ...], outer: Block) -> None:
            if not others:
                build(outer)
                return
            first, *rest = others
            inner = outer.inner(in_loop=True)
            loops(tuple(rest), inner)
            body = tuple(inner.statements)
            stop = product.axes[first]
            outer.statements.append(l.For(first, self.make.zero, stop, body, parallel=(), private=memory))

        loops(product.others, block)

    def steps(self, work: Work, block: Block, build: Callable[[Work, Block], None]) -> None:
        """One block of steps after the other."""

        def inside(inner: Block, start: Exp, stop: Exp) -> None:
            build(replace(work, steps=Range(start, stop)), inner)

        extent, size = work.product.fold.extent, SIZES.product_steps
        self.nests.blocks(extent, size, block, inside, in_order=True, about=self.make.one)

    # --- panels in memory ---

    def in_memory(self, work: Work, block: Block) -> None:
        """All of a product. Where it has few steps, blocks have more rows."""
        make, rows, columns = self.make, work.down.stop, work.across.stop
        steps = make.const(SIZES.product_steps)
        depth = self.code.named(make.call(p.MINI, steps, work.steps.stop), block, "depth")
        more = make.call(QUOT, steps, depth)
        tall = self.code.named(make.mul(make.const(SIZES.product_rows), more), block, "tall")
        broad = make.const(SIZES.product_columns)
        memory = []
        for panels, extent, size, length in (
            (work.of_rows, rows, tall, work.high),
            (work.of_columns, columns, broad, work.wide),
        ):
            lines = make.mul(parts(self.nests, make.call(p.MINI, size, extent), length), length)
            room = self.code.named(make.mul(lines, depth), block, "room")
            for panel in panels:
                memory.append(panel.memory)
                block.statements.append(l.Allocate(panel.memory, room, Site(NO_MEMORY, "", None)))

        has_halves: Exp = make.false
        if self.is_symmetric(work.product):
            many = make.call(p.GTEI, work.steps.stop, make.const(SIZES.least_product[2]))
            has_halves = self.code.single(many, block)

        def blocks(inner: Block) -> None:
            self.parts_of(inner, work.down, tall, lambda b, down: (
                self.parts_of(b, work.across, broad, lambda b, across: (
                    self.steps(
                        replace(work, down=down, across=across), b,
                        lambda work, b: self.in_panels_of_all(work, b, has_halves=has_halves),
                    )
                ))
            ))  # fmt: skip
            self.nests.branch(has_halves, inner, lambda b: self.mirrored(work.product, b))

        self.around(work, tuple(memory), block, blocks)
        block.statements += [l.Release(buffer) for buffer in memory]

    def parts_of(self, block: Block, whole: Range, size: Exp, build: Callable[[Block, Range], None]) -> None:
        """A range in parts of a size, one after the other, with what is made of each."""
        make = self.make
        if make.at_least(size, whole.stop):
            build(block, whole)
            return
        count = self.code.single(parts(self.nests, whole.stop, size), block)
        number = make.index("part", count)
        inner = block.inner(in_loop=True)
        build(inner, self.part_of(inner, whole, number, size))
        block.statements.append(l.For(number, make.zero, count, tuple(inner.statements), about=make.one))

    def part_of(self, block: Block, whole: Range, number: Exp, size: Exp) -> Range:
        """A part of a range."""
        make = self.make
        start = make.between("top", (whole.start,), make.last_indices(whole.stop))
        stop = make.between("stop", (start,), (whole.stop,))
        block.statements.append(l.Declare(start, make.add(whole.start, make.mul(number, size))))
        block.statements.append(l.Declare(stop, make.call(p.MINI, make.add(start, size), whole.stop)))
        return Range(start, stop)

    def in_panels_of_all(self, work: Work, block: Block, *, has_halves: Exp) -> None:
        """A block of rows, columns and steps: its panels are laid out, and then all tiles are done."""
        make = self.make
        deep = self.code.named(make.sub(work.steps.stop, work.steps.start), block, "deep")
        counts: list[Exp] = []
        for panels, lines, size in (
            (work.of_rows, work.down, work.high),
            (work.of_columns, work.across, work.wide),
        ):
            extent = make.sub(lines.stop, lines.start)
            counts.append(self.code.named(parts(self.nests, extent, size), block, "panels"))
            if panels:
                self.laid_out(work, deep, counts[-1], block, is_row=lines is work.down)
        tiles, across_all = counts
        group = make.const(SIZES.product_tiles)
        groups = self.code.named(parts(self.nests, tiles, group), block, "groups")
        count = self.code.named(make.mul(groups, across_all), block, "count")
        turn = make.index("turn", count)
        inner = block.inner(in_loop=True)
        work = self.with_sides(work, inner)
        number = self.code.named(make.call(QUOT, turn, across_all), inner, "number")
        panel = self.code.named(make.sub(turn, make.mul(number, across_all)), inner, "panel")
        across = self.part_of(inner, work.across, panel, work.wide)
        if has_halves is not make.false:
            half = make.call(QUOT, number, make.const(2))
            from_below = make.sub(make.sub(groups, make.one), half)
            is_odd = make.call(p.EQI, make.sub(number, make.mul(make.const(2), half)), make.one)
            number = self.code.named(make.select(is_odd, from_below, half), inner, "group")
        group_of = self.part_of(inner, Range(make.zero, tiles), number, group)
        right = self.code.named(self.begin(work, panel, deep, work.wide), inner, "right")
        work = replace(work, across=across, right=right)
        width = self.code.named(make.sub(across.stop, across.start), inner, "width")
        tile = make.between("tile", (group_of.start,), make.last_indices(group_of.stop))
        innermost = inner.inner(in_loop=True)
        top = make.between("i", (work.down.start,), make.last_indices(work.down.stop))
        place = make.add(work.down.start, make.mul(tile, work.high))
        innermost.statements.append(l.Declare(top, place))
        left = self.code.named(self.begin(work, tile, deep, work.high), innermost, "left")
        work = replace(work, down=Range(top, work.down.stop), left=left)
        reaches = make.call(p.LTI, across.start, make.add(top, work.high))
        reaches = make.call(p.ORB, make.call(p.NOTB, has_halves), reaches)
        self.nests.branch(reaches, innermost, lambda b: self.tile.tiles(work, width, b))
        body = tuple(innermost.statements)
        inner.statements.append(
            l.For(tile, group_of.start, group_of.stop, body, about=make.call(p.MINI, group, tiles))
        )
        block.statements.append(l.For(turn, make.zero, count, tuple(inner.statements), parallel=()))

    def is_symmetric(self, product: MatrixProduct) -> bool:
        """Whether an element is that with row and column exchanged: see Note [Symmetric products]."""
        row, column, fold = product.row, product.column, product.fold
        if product.axes[row] is not product.axes[column]:
            return False
        rest = Substitute(self.make, {fold: self.make.read(product.target, product.position)})(product.body)
        if product.body is not fold and (depends(self.free, rest, row) or depends(self.free, rest, column)):
            return False
        exchanged = Substitute(self.make, {row: column, column: row})(fold.body)
        if (
            not isinstance(fold.body, Call)
            or not isinstance(exchanged, Call)
            or fold.body.op not in COMMUTATIVE
        ):
            return False
        return exchanged.op is fold.body.op and exchanged.args in (fold.body.args, fold.body.args[::-1])

    def mirrored(self, product: MatrixProduct, block: Block) -> None:
        """What lies below the diagonal, above it, too, in squares that stay in the cache."""
        make, row, column = self.make, product.row, product.column
        extent, side = product.axes[row], make.const(SIZES.square)
        whole = Range(make.zero, extent)
        count = self.code.single(parts(self.nests, extent, side), block)
        first, second = make.index("square", count), make.index("square", count)
        outer = block.inner(in_loop=True)
        rows = self.part_of(outer, whole, first, side)
        inner = outer.inner(in_loop=True)
        columns = self.part_of(inner, whole, second, side)
        line = inner.inner(in_loop=True)
        begin = self.code.single(make.call(p.MAXI, columns.start, make.add(row, make.one)), line)
        exchanged = Substitute(make, {row: column, column: row})(product.position)
        lanes = line.inner(in_loop=True)
        place, value = self.code.values((product.position, make.read(product.target, exchanged)), lanes)
        body = (*lanes.statements, l.Store(product.target, place, value))
        line.statements.append(l.For(column, begin, columns.stop, body))
        inner.statements.append(l.For(row, rows.start, rows.stop, tuple(line.statements)))
        outer.statements.append(l.For(second, first, count, tuple(inner.statements)))
        block.statements.append(l.For(first, make.zero, count, tuple(outer.statements), parallel=()))

    def begin(self, work: Work, number: Exp, deep: Exp, length: Exp) -> Exp:
        """Where a panel begins, less what lies before the first step: see `Work`."""
        make = self.make
        return make.mul(make.sub(make.mul(number, deep), work.steps.start), length)

    def with_sides(self, work: Work, block: Block) -> Work:
        """The sides of a tile as variables of the scope at hand: the function of a thread must see that they
        are constants.
        """
        make = self.make
        high, wide = [make.between(hint, (make.one,), ()) for hint in ("high", "wide")]
        block.statements += [l.Declare(high, work.high), l.Declare(wide, work.wide)]
        return replace(work, high=high, wide=wide)

    def laid_out(self, work: Work, deep: Exp, count: Exp, block: Block, *, is_row: bool) -> None:
        """The panels of a block of rows, or of columns."""
        make = self.make
        number = make.index("panel", count)
        inner = block.inner(in_loop=True)
        work = self.with_sides(work, inner)
        size = work.high if is_row else work.wide
        lines = self.part_of(inner, work.down if is_row else work.across, number, size)
        begin = self.code.named(self.begin(work, number, deep, size), inner, "begin")
        work = replace(work, down=lines, left=begin) if is_row else replace(work, across=lines, right=begin)
        for panel in work.of_rows if is_row else work.of_columns:
            self.lay_out(work, panel, inner, is_row=is_row)
        block.statements.append(l.For(number, make.zero, count, tuple(inner.statements), parallel=()))

    def lay_out(self, work: Work, panel: Panel, block: Block, *, is_row: bool) -> None:
        """Write a part of the terms to its panel, along the memory in which it is read; zeros where there are
        no rows or columns.
        """
        make, product = self.make, work.product
        axis, lines, size = (
            (product.row, work.down, work.high) if is_row else (product.column, work.across, work.wide)
        )
        width = self.code.named(make.sub(lines.stop, lines.start), block, "width")
        step, lane = product.fold.var, make.index("j", size)
        place = work.at(step, lane, self.nests, is_row=is_row)
        element = Substitute(make, {axis: make.add(lines.start, lane)})(panel.part)
        places = [n.index for n in nodes(element) if isinstance(n, Read)]
        along_lanes, along_steps = [
            any(steps_by_one(make, self.free, index, var) for index in places) for var in (lane, step)
        ]
        steps = (step, work.steps)

        def lanes_up_to(stop: Exp, inner: Block) -> None:
            lanes = (lane, Range(make.zero, stop))
            order = [lanes, steps] if along_steps and not along_lanes and not is_row else [steps, lanes]
            self.tile.filled_with(panel.memory, order, element, place, inner)

        def lanes_and_zeros(inner: Block) -> None:
            lanes_up_to(width, inner)
            rest = [steps, (lane, Range(width, size))]
            self.tile.filled_with(panel.memory, rest, fill(make, panel.part.ty), place, inner)

        is_whole = make.call(p.EQI, width, size)
        self.nests.one_of(is_whole, block, lambda b: lanes_up_to(size, b), lanes_and_zeros)

    # --- a panel at hand ---

    def at_hand(self, work: Work, block: Block) -> None:
        """A block of steps in a kernel: one panel after the other is laid out, and its tiles are done."""
        make = self.make
        panels = self.code.named(parts(self.nests, work.across.stop, work.wide), block, "panels")
        tiles = self.code.single(parts(self.nests, work.down.stop, work.high), block)
        panel, tile = make.index("turn", panels), make.index("tile", tiles)
        inner = block.inner(in_loop=True)
        across = self.part_of(inner, work.across, panel, work.wide)
        right = make.mul(make.sub(make.zero, work.steps.start), work.wide)
        work = replace(work, across=across, right=right)
        for each in work.of_columns:
            self.lay_out(work, each, inner, is_row=False)
        width = self.code.named(make.sub(across.stop, across.start), inner, "width")
        innermost = inner.inner(in_loop=True)
        top = make.between("i", (make.zero,), make.last_indices(work.down.stop))
        innermost.statements.append(l.Declare(top, make.mul(tile, work.high)))
        self.tile.tiles(replace(work, down=Range(top, work.down.stop)), width, innermost)
        inner.statements.append(l.For(tile, make.zero, tiles, tuple(innermost.statements)))
        memory = tuple([each.memory for each in work.of_columns])
        body = tuple(inner.statements)
        block.statements.append(l.For(panel, make.zero, panels, body, parallel=(), private=memory))


def _is_plain(fold: Fold) -> bool:
    """Whether a fold is a sum of doubles that are made by addition and multiplication."""
    found = list(nodes(fold.body))
    calls = [n for n in found if isinstance(n, Call)]
    reads = [n for n in found if isinstance(n, Read)]
    is_real = all(n.buffer.storage == "float64" for n in reads)
    operators = {n.op for n in calls if n.ty is Base.DOUBLE}
    return fold.combine is p.ADDD and is_real and operators <= {p.ADDD, p.SUBD, p.MULD}
