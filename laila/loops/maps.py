"""Maps as loop nests: the order of the axes, reductions outside the innermost axis, tiles and blocks.

What is done together and in which sizes is decided in `register_tiling`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.order import wants_inner
from aplc.laila.ir.program import Map
from aplc.laila.ir.ranges import of_storage
from aplc.laila.ir.scalar import Buffer, Do, Exp, Fold, Read, Var, nodes
from aplc.laila.ir.split import Piece, bound_in
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.flat import Flat
from aplc.laila.loops.folds import Folds
from aplc.laila.loops.nests import Finish
from aplc.laila.loops.packed_matmul import Panels
from aplc.laila.transform import register_tiling as tile
from aplc.laila.transform.register_tiling import SIZES, Tile
from aplc.tail import prims as p
from aplc.tail.prims import Prim

Axes = list[tuple[Var, Exp]]


@dataclass(frozen=True, slots=True)
class Span:
    """A range of an index, of which `together` values are taken at a time, one after the other perhaps."""

    var: Var
    start: Exp
    stop: Exp
    together: int = 1
    in_order: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A block of the steps of a fold along a block of its rows; whether the steps are the first, the last."""

    steps: Span
    across: Span
    first: Exp
    last: Exp


class Maps(Panels, Flat, Folds):
    """The generation of MAPs."""

    def map(self, statement: Map, roots: tuple[Exp, ...], block: Block) -> None:
        """A MAP as a loop nest."""
        buffer = statement.buffer
        body, position, *extents = roots
        axes = list(zip(statement.space.indices, extents, strict=True))
        fits = bool(axes) and not block.mode.is_rare and tile.fits_tiles(body)
        product = self.may_be_in_panels(buffer, axes, body, position, block) if fits else None
        if product is not None:
            loops = lambda b: self.map_in_loops(buffer, axes, body, position, b)  # noqa: E731
            self.in_panels(product, block, loops)
            return
        self.map_in_loops(buffer, axes, body, position, block)

    def map_in_loops(self, buffer: Buffer, axes: Axes, body: Exp, position: Exp, block: Block) -> None:
        """A MAP as a loop nest over its axes."""
        make = self.make
        names = tuple([var for var, _ in axes])
        fits = bool(axes) and not block.mode.is_rare and tile.fits_tiles(body)
        fold = self.fold_to_interchange(body, names[-1], buffer) if axes else None
        if fold is not None:
            shape = tile.product_tile(self.free, make, fold, names) if fits else Tile(None, 1, 1)
            make_loops = self.rows_of_folds if shape.row is None else self.tiles_of_folds
            make_loops(buffer, axes, fold, shape, body, position, block)
            return
        across = tile.axis_of_squares(self.free, make, body, names) if fits else None
        if across is not None:
            self.squares(buffer, axes, across, (body, position), block)
            return
        in_lanes = bool(axes) and self.is_in_lanes(
            Piece(names[-1], make.zero, axes[-1][1], (body,)), block.mode
        )
        together: dict[Var, int] = {}
        if fits and in_lanes:
            together = tile.rows_in_lanes(self.free, body, names)
        elif fits:
            together = tile.results_together(self.free, make, body, names)
        plain = not together and not in_lanes
        if plain and self.flat_rows(buffer, axes, (body, position), block, self.storing(buffer)):
            return
        spans = [Span(var, make.zero, extent, together.get(var, 1)) for var, extent in axes]
        self.spans(spans, (body, position), block, self.storing(buffer), frozenset())

    def storing(self, buffer: Buffer) -> Finish:
        """Writes values, given as pairs of a value and its position; their folds run side by side."""

        def store(inner: Block, roots: tuple[Exp, ...]) -> None:
            if len(roots) > 2:
                self.side_by_side(roots[0::2], inner)
            values = self.values(roots, inner)
            for value, place in zip(values[0::2], values[1::2], strict=True):
                inner.statements.append(l.Store(buffer, place, value))

        return store

    def side_by_side(self, bodies: tuple[Exp, ...], block: Block) -> None:
        """The folds of several bodies that differ in their indices only, those over one range in one loop."""
        groups: dict[tuple[int, int], list[Fold]] = {}
        for body in bodies:
            for node in nodes(body):
                if isinstance(node, Fold) and block.find(node) is None:
                    groups.setdefault((id(node.var), id(node.extent)), []).append(node)
        for group in groups.values():
            running = [
                self.running(node, node.combine, self.accumulator(node))
                for node in dict.fromkeys(group)
                if isinstance(node.combine, Prim)
            ]
            self.folds(tuple(running), block)
            block.names |= {id(each.node): each.acc for each in running}

    # --- loops ---

    def spans(
        self, spans: list[Span], roots: tuple[Exp, ...], block: Block, build: Finish, hidden: frozenset[Var]
    ) -> None:
        """Loops over ranges, outermost first, with what `build` makes of the roots inside; these are there
        once for each of the indices taken together. `hidden` are indices bound further in.
        """
        if not spans:
            build(block, roots)
            return
        span, *rest = spans
        unbound = hidden | {s.var for s in rest}

        def inside(inner: Block, roots: tuple[Exp, ...]) -> None:
            self.spans(rest, roots, inner, build, hidden)

        for piece in self.pieces(Piece(span.var, span.start, span.stop, roots), unbound):
            left, reductions = piece, None if span.in_order else ()
            if span.together > 1 and self.may_repeat(roots):
                steps, left = self.steps(piece, span.together, block)
                self.piece(steps, unbound, block, inside, reductions)
            self.piece(left, unbound, block, inside, reductions)

    def may_repeat(self, roots: tuple[Exp, ...]) -> bool:
        """Whether expressions may stand side by side, once for each of several indices: copies of statements
        inside them would bind the same names.
        """
        return not any(isinstance(node, Do) for node in nodes(*roots))

    def steps(self, piece: Piece, count: int, block: Block) -> tuple[Piece, Piece]:
        """A range in steps of several indices, with the roots once for each of them, and the rest of it."""
        make = self.make
        end = self.end_of_whole(piece, count, block)
        last = make.const(1 - count)
        highs = tuple([make.add(high, last) for high in make.last_indices(piece.stop)])
        var = make.between(piece.var.name, (piece.start,), highs)
        roots: list[Exp] = []
        for k in range(count):
            substitute = Substitute(make, {piece.var: make.add(var, make.const(k))})
            roots += [substitute(root) for root in piece.roots]
        return (
            Piece(var, piece.start, end, tuple(roots), count),
            Piece(piece.var, end, piece.stop, piece.roots),
        )

    # --- folds outside the innermost axis ---

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

    def first(self, fold: Fold, buffer: Buffer) -> Exp:
        """What a row of a buffer starts from."""
        make, op = self.make, fold.combine
        assert isinstance(op, Prim)
        start = self.neutral_among(op, of_storage(buffer))
        if fold.empty is None or fold.empty is start:
            return start
        return make.select(make.call(p.EQI, fold.extent, make.zero), fold.empty, start)

    def rows_of_folds(
        self, buffer: Buffer, axes: Axes, fold: Fold, shape: Tile, body: Exp, position: Exp, block: Block
    ) -> None:
        """A MAP with the innermost axis inside the fold of its body: rows accumulate in place, one by one.

        What the body makes of the fold is done to each row when it is complete.
        """
        make = self.make
        (index, _) = axes[-1]
        store = self.storing(buffer)

        def row(inner: Block, roots: tuple[Exp, ...]) -> None:
            first, element, place, stop, extent, *rest = roots
            across = [Span(index, make.zero, stop)]
            self.spans(across, (first, place), inner, store, frozenset())

            def steps(block: Block) -> None:
                self.spans(
                    [Span(fold.var, make.zero, extent, shape.steps, in_order=True)],
                    (element, place),
                    block,
                    lambda b, r: self.add_to_rows(buffer, fold, Span(index, make.zero, stop), r, b),
                    frozenset((index,)),
                )

            self.branch(make.call(p.LTI, make.zero, stop), inner, steps)
            if rest:
                self.spans(across, (rest[0], place), inner, store, frozenset())

        roots: tuple[Exp, ...] = (self.first(fold, buffer), fold.body, position, axes[-1][1], fold.extent)
        if body is not fold:
            roots = (*roots, Substitute(make, {fold: make.read(buffer, position)})(body))
        self.loops(axes[:-1], roots, block, row, frozenset((fold.var, index)))

    def tiles_of_folds(
        self, buffer: Buffer, axes: Axes, fold: Fold, shape: Tile, body: Exp, position: Exp, block: Block
    ) -> None:
        """The same in tiles of several rows and steps, and in blocks: see Note [Tiles].

        A part of a row starts with its first block of steps and is finished with the last.
        """
        make, store = self.make, self.storing(buffer)
        whole = [Span(var, make.zero, extent) for var, extent in axes]
        *outer, row = whole
        outer.sort(key=lambda span: span.var is shape.row)  # the axis of the tile last
        outer[-1] = Span(outer[-1].var, make.zero, outer[-1].stop, shape.rows)
        roots: tuple[Exp, ...] = (fold.body, position)
        if body is not fold:
            roots = (*roots, Substitute(make, {fold: make.read(buffer, position)})(body))

        def part(inner: Block, part: Part) -> None:
            def rows(inner: Block, copies: tuple[Exp, ...]) -> None:
                self.part_of_rows(buffer, fold, part, len(roots), copies, inner)

            self.spans(outer, roots, inner, rows, frozenset((fold.var, row.var)))

        def blocks(inner: Block, start: Exp, stop: Exp) -> None:
            steps = Span(fold.var, start, stop, shape.steps, in_order=True)
            first = self.named(make.call(p.EQI, start, make.zero), inner, "first")
            last = make.call(p.EQI, stop, fold.extent)
            last = last if body is fold else self.named(last, inner, "last")

            def across(inner: Block, low: Exp, high: Exp) -> None:
                part(inner, Part(steps, Span(row.var, low, high), first, last))

            self.blocks(row.stop, SIZES.row_block, inner, across, in_order=True)  # rows run in parallel

        if fold.empty is not None:
            result = Substitute(make, {fold: fold.empty})(body)
            nothing = make.call(p.EQI, fold.extent, make.zero)
            self.branch(
                nothing, block, lambda b: self.spans(whole, (result, position), b, store, frozenset())
            )
        self.blocks(fold.extent, SIZES.fold_block, block, blocks, in_order=True)

    def part_of_rows(
        self, buffer: Buffer, fold: Fold, part: Part, width: int, roots: tuple[Exp, ...], block: Block
    ) -> None:
        """A part of some rows; of each row there are an element, its place and perhaps what is made of the
        result.
        """
        op, store = fold.combine, self.storing(buffer)
        assert isinstance(op, Prim)
        elements, places, results = roots[0::width], roots[1::width], roots[2::width] if width > 2 else ()
        start = (self.neutral_among(op, of_storage(buffer)),) * len(places)

        def write(values: tuple[Exp, ...], inner: Block) -> None:
            self.spans([part.across], _pairs(values, places), inner, store, frozenset())

        def add(inner: Block, roots: tuple[Exp, ...]) -> None:
            self.add_to_rows(buffer, fold, part.across, roots, inner)

        self.branch(part.first, block, lambda b: write(start, b))
        self.spans([part.steps], _pairs(elements, places), block, add, frozenset((part.across.var,)))
        if results:
            self.branch(part.last, block, lambda b: write(results, b))

    def add_to_rows(
        self, buffer: Buffer, fold: Fold, across: Span, roots: tuple[Exp, ...], block: Block
    ) -> None:
        """Pairs of an element and its place, along part of a row that is known not to be empty: each place
        takes in its elements.
        """
        make, op = self.make, fold.combine
        assert isinstance(op, Prim)

        def add(inner: Block, roots: tuple[Exp, ...]) -> None:
            values = self.values(roots, inner)
            elements: dict[Exp, list[Exp]] = {}
            for value, place in zip(values[0::2], values[1::2], strict=True):
                elements.setdefault(place, []).append(value)
            totals = [self.taken_in(op, make.read(buffer, q), v, inner) for q, v in elements.items()]
            for place, total in zip(elements, totals, strict=True):
                inner.statements.append(l.Store(buffer, place, total))

        pieces = self.pieces(Piece(across.var, across.start, across.stop, roots), frozenset())
        if len(pieces) == 1:
            self.name_elements(roots[0::2], across.var, block)
        for piece in pieces:
            self.piece(piece, frozenset(), block, add, independent=True)

    def taken_in(self, op: Prim, before: Exp, values: list[Exp], block: Block) -> Exp:
        """A value combined with others. Of several doubles the extremum is found in pairs, by comparisons
        alone, and whether one of them is NaN, which wins, is asked once.
        """
        make = self.make
        if len(values) == 1 or op not in (p.MAXD, p.MIND) or make.settings.strict_fp:
            for value in values:
                before = self.combined(op, before, value)
            return before
        better = p.GTD if op is p.MAXD else p.LTD

        def best(a: Exp, b: Exp) -> Exp:  # b if one of them is NaN
            return self.named(make.select(make.call(better, a, b), a, b), block, "x")

        named = [self.named(value, block, "x") for value in values]
        is_nan = [make.call(p.NEQD, x, x) for x in named]
        total = best(_in_pairs(named, best), self.named(before, block, "t"))
        any_nan = _in_pairs(is_nan, lambda a, b: make.call(p.ORB, a, b))
        return make.select(any_nan, make.const(float("nan")), total)

    def name_elements(self, roots: tuple[Exp, ...], index: Var, block: Block) -> None:
        """Name before a loop what is read in it at a place that does not depend on it."""
        hidden = bound_in(roots) | {index}
        certain = {id(n) for n in unconditional(roots)}
        for node in nodes(*roots):
            stays = isinstance(node, Read) and not self.free.of(node) & hidden
            if stays and id(node) in certain and block.find(node) is None:
                block.names[id(node)] = self.named(self.single(node, block), block, "t")

    # --- maps across the order of memory ---

    def squares(self, buffer: Buffer, axes: Axes, across: Var, roots: tuple[Exp, ...], block: Block) -> None:
        """A MAP that reads along another axis than it writes, in squares of these two axes."""
        make = self.make
        others = [Span(var, make.zero, extent) for var, extent in axes[:-1] if var is not across]
        (extent,) = [extent for var, extent in axes if var is across]
        last, width = axes[-1]

        def within(inner: Block, roots: tuple[Exp, ...]) -> None:
            def column(inner: Block, low: Exp, high: Exp) -> None:
                def square(inner: Block, left: Exp, right: Exp) -> None:
                    spans = [Span(across, low, high), Span(last, left, right)]
                    self.spans(spans, roots, inner, self.storing(buffer), frozenset())

                self.blocks(width, SIZES.square, inner, square)

            self.blocks(extent, SIZES.square, inner, column)

        self.spans(others, roots, block, within, frozenset((across, last)))


def _in_pairs(values: list[Exp], combine: Callable[[Exp, Exp], Exp]) -> Exp:
    """Values combined two by two until one is left."""
    while len(values) > 1:
        left = values[len(values) & ~1 :]
        values = [combine(a, b) for a, b in zip(values[0::2], values[1::2], strict=False)] + left
    return values[0]


def _pairs(values: tuple[Exp, ...], places: tuple[Exp, ...]) -> tuple[Exp, ...]:
    """Values, each followed by its place."""
    return tuple([exp for pair in zip(values, places, strict=True) for exp in pair])
