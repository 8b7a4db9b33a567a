"""Maps as loop nests: the order of the axes, reductions outside the innermost axis, tiles and blocks.

What is done together and in which sizes is decided in `register_tiling`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.breakpoint_walk import as_walk
from aplc.laila.ir.program import Map
from aplc.laila.ir.ranges import of_storage
from aplc.laila.ir.scalar import Buffer, Exp, Fold, Read, Var, nodes
from aplc.laila.ir.split import Piece, bound_in, breaks_of
from aplc.laila.ir.strides import depends, wants_inner
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.accumulators import combined, neutral_among
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.folding.flat_rows import FlatRows, NarrowMaps, RowFold
from aplc.laila.loops.lanes import Lanes
from aplc.laila.loops.loop_collapse import LoopCollapse
from aplc.laila.loops.nests import Wanted
from aplc.laila.loops.points.gathered_rows import GatheredMaps
from aplc.laila.loops.products.packed_matmul import PackedProducts
from aplc.laila.loops.spans import MapNest, Span, Spans
from aplc.laila.loops.strategies import Otherwise, in_order
from aplc.laila.transform import register_tiling as tile
from aplc.laila.transform.register_tiling import SIZES, Tile
from aplc.laila.transform.unroll import fold_written_out
from aplc.tail import prims as p
from aplc.tail.prims import Prim

NARROW = 4
"""Strips of rows that are no better than all rows at once."""


class Maps:
    """The loops of MAPs."""

    def __init__(self, spans: Spans) -> None:
        self.spans, self.make = spans, spans.make
        strategies = (
            PackedProducts(spans.nests),
            Interchange(spans),
            NarrowMaps(spans.nests),
            SquareTiles(spans),
            GatheredMaps(spans.nests),
            UnrollAndJam(spans),
            LoopCollapse(spans),
        )
        self.nest = in_order(strategies, self.plain)

    def map(self, statement: Map, roots: tuple[Exp, ...], block: Block) -> None:
        """A MAP as a loop nest; its roots are an element, its position, and the extents of the axes."""
        body, position, *extents = roots
        axes = list(zip(statement.space.indices, extents, strict=True))
        self.nest(MapNest(statement.buffer, axes, body, position), block)

    def plain(self, wanted: MapNest, block: Block) -> None:
        """A loop for each axis, in the order of the axes."""
        spans = [Span(var, self.make.zero, extent) for var, extent in wanted.axes]
        self.spans.loops(spans, wanted.roots, block, self.spans.storing(wanted.buffer), frozenset())


def _may_be_tiled(wanted: MapNest, block: Block) -> bool:
    """Whether several elements of a map may be computed at a time, and it is worth it."""
    return bool(wanted.axes) and not block.mode.is_rare and tile.fits_tiles(wanted.body)


# --- elements together ----------------------------------------------------------------------------------


class UnrollAndJam:
    """Maps of which several rows, or results, are computed in one loop further in."""

    def __init__(self, spans: Spans) -> None:
        self.spans, self.lanes = spans, Lanes(spans.nests)
        self.make, self.free = spans.make, spans.nests.free

    def generate(self, wanted: MapNest, block: Block, otherwise: Otherwise[MapNest]) -> None:
        """Loops that take several indices at a time, or whose innermost iterations are taken in lanes."""
        names = tuple([var for var, _ in wanted.axes])
        innermost = [Piece(var, self.make.zero, extent, (wanted.body,)) for var, extent in wanted.axes[-1:]]
        in_lanes = any(self.lanes.is_in_lanes(each, block.mode) for each in innermost)
        together: dict[Var, int] = {}
        if _may_be_tiled(wanted, block) and in_lanes:
            together = tile.rows_in_lanes(self.free, wanted.body, names)
        elif _may_be_tiled(wanted, block):
            together = tile.results_together(self.free, self.make, wanted.body, names)
        if not together and not in_lanes:
            otherwise(wanted, block)
            return
        spans = [Span(var, self.make.zero, extent, together.get(var, 1)) for var, extent in wanted.axes]
        self.spans.loops(spans, wanted.roots, block, self.spans.storing(wanted.buffer), frozenset())


# --- folds outside the innermost axis -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """A block of the steps of a fold along a block of its rows; whether the steps are the first, the last."""

    steps: Span
    across: Span
    first: Exp
    last: Exp


class Interchange:
    """Maps of folds with the loop of the fold outside the innermost axis."""

    def __init__(self, spans: Spans) -> None:
        self.flat_rows = FlatRows(spans.nests)
        self.spans, self.nests, self.code = spans, spans.nests, spans.code
        self.make, self.free = spans.make, spans.nests.free

    def generate(self, wanted: MapNest, block: Block, otherwise: Otherwise[MapNest]) -> None:
        """Rows that accumulate in memory, or tiles of rows, if the only fold of a map should run outside."""
        names = tuple([var for var, _ in wanted.axes])
        fold = self.fold_to_interchange(wanted.body, names[-1], wanted.buffer) if names else None
        if fold is None:
            otherwise(wanted, block)
            return
        may_be_tiled = _may_be_tiled(wanted, block)
        shape = tile.product_tile(self.free, self.make, fold, names) if may_be_tiled else Tile(None, 1, 1)
        if shape.row is None and (total := fold_written_out(self.make, fold)) is not None:
            body = Substitute(self.make, {fold: total})(wanted.body)
            otherwise(replace(wanted, body=body), block)
        elif shape.row is None:
            steps = 1 if self.is_cut_by_steps(fold, wanted.axes[-1]) else shape.steps
            self.rows_of_folds(wanted, fold, replace(shape, steps=steps), block)
        else:
            self.tiles_of_folds(wanted, fold, shape, block)

    def fold_to_interchange(self, body: Exp, index: Var, buffer: Buffer) -> Fold | None:
        """The only fold of a MAP's body, if it should run outside the innermost axis and can accumulate
        there: not in a buffer whose elements are known to have bounds, which sums on their way have not.
        """
        folds = [n for n in nodes(body) if isinstance(n, Fold)]
        if len(folds) != 1 or folds[0].ty is not buffer.ty or buffer.is_bounded:
            return None
        (fold,) = folds
        is_certain = any(n is fold for n in unconditional((body,)))
        return fold if is_certain and wants_inner(self.make, self.free, fold, index) else None

    def is_cut_by_steps(self, fold: Fold, row: tuple[Var, Exp]) -> bool:
        """Whether each step of a fold cuts rows elsewhere: the rows of several steps would fall into many
        pieces, most of which are empty. Where they are a walk, as those of rotations are, they may.
        """
        index, extent = row
        piece = Piece(index, self.make.zero, extent, (fold.body,))
        if all(not depends(self.free, b.at, fold.var) for b in breaks_of(self.make, self.free, piece)):
            return False
        return as_walk(self.make, self.free, piece) is None

    def first(self, fold: Fold, buffer: Buffer) -> Exp:
        """What a row of a buffer starts from."""
        make, op = self.make, fold.combine
        assert isinstance(op, Prim)
        start = neutral_among(self.make, op, of_storage(buffer))
        if fold.empty is None or fold.empty is start:
            return start
        return make.select(make.call(p.EQI, fold.extent, make.zero), fold.empty, start)

    def rows_of_folds(self, wanted: MapNest, fold: Fold, shape: Tile, block: Block) -> None:
        """A MAP with the innermost axis inside the fold of its body: rows accumulate in place, one by one.

        What the body makes of the fold is done to each row when it is complete.
        """
        make, buffer, axes = self.make, wanted.buffer, wanted.axes
        body, position = wanted.roots
        (index, _) = axes[-1]
        store = self.spans.storing(buffer)

        def row(inner: Block, roots: tuple[Exp, ...]) -> None:
            first, element, place, stop, extent, *rest = roots
            across = [Span(index, make.zero, stop)]
            self.spans.loops(across, (first, place), inner, store, frozenset())

            def steps_from(start: Exp, block: Block) -> None:
                self.spans.loops(
                    [Span(fold.var, start, extent, shape.steps, in_order=True)],
                    (element, place),
                    block,
                    lambda b, r: self.add_to_rows(buffer, fold, Span(index, make.zero, stop), r, b),
                    frozenset((index,)),
                )

            def steps(block: Block) -> None:
                rows = RowFold(buffer, fold, index, stop, extent, element, place)
                self.flat_rows.generate(rows, block, steps_from)

            self.nests.branch(make.call(p.LTI, make.zero, stop), inner, steps)
            if rest:
                self.spans.loops(across, (rest[0], place), inner, store, frozenset())

        roots: tuple[Exp, ...] = (self.first(fold, buffer), fold.body, position, axes[-1][1], fold.extent)
        if body is not fold:
            roots = (*roots, Substitute(make, {fold: make.read(buffer, position)})(body))
        self.nests.loops(axes[:-1], roots, block, row, frozenset((fold.var, index)))

    def tiles_of_folds(self, wanted: MapNest, fold: Fold, shape: Tile, block: Block) -> None:
        """The same in tiles of several rows and steps, and in blocks: see Note [Tiles].

        A part of a row starts with its first block of steps and is finished with the last.
        """
        make, buffer = self.make, wanted.buffer
        (body, position), store = wanted.roots, self.spans.storing(buffer)
        whole = [Span(var, make.zero, extent) for var, extent in wanted.axes]
        *outer, row = whole
        outer.sort(key=lambda span: span.var is shape.row)  # the axis of the tile last
        outer[-1] = Span(outer[-1].var, make.zero, outer[-1].stop, shape.rows)
        roots: tuple[Exp, ...] = (fold.body, position)
        if body is not fold:
            roots = (*roots, Substitute(make, {fold: make.read(buffer, position)})(body))

        def part(inner: Block, part: Part) -> None:
            def rows(inner: Block, copies: tuple[Exp, ...]) -> None:
                self.part_of_rows(buffer, fold, part, len(roots), copies, inner)

            self.spans.loops(outer, roots, inner, rows, frozenset((fold.var, row.var)))

        def blocks(inner: Block, start: Exp, stop: Exp) -> None:
            steps = Span(fold.var, start, stop, shape.steps, in_order=True)
            first = self.code.named(make.call(p.EQI, start, make.zero), inner, "first")
            last = make.call(p.EQI, stop, fold.extent)
            last = last if body is fold else self.code.named(last, inner, "last")

            def across(inner: Block, low: Exp, high: Exp) -> None:
                part(inner, Part(steps, Span(row.var, low, high), first, last))

            self.nests.blocks(row.stop, SIZES.row_block, inner, across, in_order=True)  # rows run in parallel

        if fold.empty is not None:
            result = Substitute(make, {fold: fold.empty})(body)
            nothing = make.call(p.EQI, fold.extent, make.zero)
            self.nests.branch(
                nothing, block, lambda b: self.spans.loops(whole, (result, position), b, store, frozenset())
            )
        self.nests.blocks(fold.extent, SIZES.fold_block, block, blocks, in_order=True)

    def part_of_rows(
        self, buffer: Buffer, fold: Fold, part: Part, width: int, roots: tuple[Exp, ...], block: Block
    ) -> None:
        """A part of some rows; of each row there are an element, its place and perhaps what is made of the
        result.
        """
        op, store = fold.combine, self.spans.storing(buffer)
        assert isinstance(op, Prim)
        elements, places, results = roots[0::width], roots[1::width], roots[2::width] if width > 2 else ()
        start = (neutral_among(self.make, op, of_storage(buffer)),) * len(places)

        def write(values: tuple[Exp, ...], inner: Block) -> None:
            self.spans.loops([part.across], _pairs(values, places), inner, store, frozenset())

        def add(inner: Block, roots: tuple[Exp, ...]) -> None:
            self.add_to_rows(buffer, fold, part.across, roots, inner)

        self.nests.branch(part.first, block, lambda b: write(start, b))
        self.spans.loops([part.steps], _pairs(elements, places), block, add, frozenset((part.across.var,)))
        if results:
            self.nests.branch(part.last, block, lambda b: write(results, b))

    def add_to_rows(
        self, buffer: Buffer, fold: Fold, across: Span, roots: tuple[Exp, ...], block: Block
    ) -> None:
        """Pairs of an element and its place, along part of a row that is known not to be empty: each place
        takes in its elements.
        """
        make, op = self.make, fold.combine
        assert isinstance(op, Prim)

        def add(inner: Block, roots: tuple[Exp, ...]) -> None:
            values = self.code.values(roots, inner)
            elements: dict[Exp, list[Exp]] = {}
            for value, place in zip(values[0::2], values[1::2], strict=True):
                elements.setdefault(place, []).append(value)
            before = [make.read(buffer, place) for place in elements]
            totals = [self.taken_in(op, b, v, inner) for b, v in zip(before, elements.values(), strict=True)]
            for place, old, total in zip(elements, before, totals, strict=True):
                if total is not old:
                    inner.statements.append(l.Store(buffer, place, total))

        whole = Wanted(Piece(across.var, across.start, across.stop, roots), add, independent=True)
        pieces = self.nests.pieces(whole.piece, frozenset())
        if len(pieces) == 1:
            self.name_elements(roots[0::2], across.var, block)
        if not self.nests.walks(whole, pieces, block):
            for piece in pieces:
                self.nests.loop(replace(whole, piece=piece), block)

    def taken_in(self, op: Prim, before: Exp, values: list[Exp], block: Block) -> Exp:
        """A value combined with others. Of several doubles the extremum is found in pairs, by comparisons
        alone, and whether one of them is NaN, which wins, is asked once.
        """
        make = self.make
        if len(values) == 1 or op not in (p.MAXD, p.MIND) or make.settings.strict_fp:
            for value in values:
                before = combined(make, op, before, value)
            return before
        better = p.GTD if op is p.MAXD else p.LTD

        def best(a: Exp, b: Exp) -> Exp:  # b if one of them is NaN
            return self.code.named(make.select(make.call(better, a, b), a, b), block, "x")

        named = [self.code.named(value, block, "x") for value in values]
        is_nan = [make.call(p.NEQD, x, x) for x in named]
        total = best(_in_pairs(named, best), self.code.named(before, block, "t"))
        any_nan = _in_pairs(is_nan, lambda a, b: make.call(p.ORB, a, b))
        return make.select(any_nan, make.const(float("nan")), total)

    def name_elements(self, roots: tuple[Exp, ...], index: Var, block: Block) -> None:
        """Name before a loop what is read in it at a place that does not depend on it."""
        hidden = bound_in(roots) | {index}
        certain = {id(n) for n in unconditional(roots)}
        for node in nodes(*roots):
            stays = isinstance(node, Read) and not self.free.of(node) & hidden
            if stays and id(node) in certain and block.find(node) is None:
                block.names[id(node)] = self.code.named(self.code.single(node, block), block, "t")


# --- maps across the order of memory --------------------------------------------------------------------


class SquareTiles:
    """Maps that read along another axis than they write: in squares, so that what was loaded for one element
    is there for the next. Where numbers tell which columns are read, rows are taken a few at a time, and all
    columns of these.
    """

    def __init__(self, spans: Spans) -> None:
        self.spans, self.nests = spans, spans.nests
        self.make, self.free = spans.make, spans.nests.free

    def generate(self, wanted: MapNest, block: Block, otherwise: Otherwise[MapNest]) -> None:
        """Squares of two axes, if a map reads along one of them and writes along the other."""
        names = tuple([var for var, _ in wanted.axes])
        if not _may_be_tiled(wanted, block):
            otherwise(wanted, block)
        elif (across := tile.axis_of_squares(self.free, self.make, wanted.body, names)) is not None:
            self.squares(wanted, across, block, SIZES.square)
        elif (across := tile.axis_looked_up(self.free, self.make, wanted.body, names)) is not None:
            strips = partial(self.squares, wanted, across, side=None)
            self.nests.one_of(self.is_narrow(wanted), block, partial(otherwise, wanted), strips)
        else:
            otherwise(wanted, block)

    def is_narrow(self, wanted: MapNest) -> Exp:
        """Whether all rows are a few: the caches hold them, and a few strips are too few for threads."""
        return self.make.call(p.LTEI, wanted.axes[-1][1], self.make.const(NARROW * SIZES.square))

    def squares(self, wanted: MapNest, across: Var, block: Block, side: int | None) -> None:
        """A MAP that reads along another axis than it writes, in squares of these two axes, or in strips with
        all of that axis.
        """
        make, axes = self.make, wanted.axes
        store = self.spans.storing(wanted.buffer)
        others = [Span(var, make.zero, extent) for var, extent in axes[:-1] if var is not across]
        (extent,) = [extent for var, extent in axes if var is across]
        last, width = axes[-1]

        def within(inner: Block, roots: tuple[Exp, ...]) -> None:
            def column(inner: Block, low: Exp, high: Exp) -> None:
                def square(inner: Block, left: Exp, right: Exp) -> None:
                    spans = [Span(across, low, high), Span(last, left, right)]
                    self.spans.loops(spans, roots, inner, store, frozenset())

                self.nests.blocks(width, SIZES.square, inner, square)

            if side is None:
                column(inner, make.zero, extent)
            else:
                self.nests.blocks(extent, side, inner, column)

        self.spans.loops(others, wanted.roots, block, within, frozenset((across, last)))


def _in_pairs(values: list[Exp], combine: Callable[[Exp, Exp], Exp]) -> Exp:
    """Values combined two by two until one is left."""
    while len(values) > 1:
        left = values[len(values) & ~1 :]
        values = [combine(a, b) for a, b in zip(values[0::2], values[1::2], strict=False)] + left
    return values[0]


def _pairs(values: tuple[Exp, ...], places: tuple[Exp, ...]) -> tuple[Exp, ...]:
    """Values, each followed by its place."""
    return tuple([exp for pair in zip(values, places, strict=True) for exp in pair])
