"""Collapses loops over two axes into one, where the place of an element in memory is all that counts.

Where the elements of a map depend on row i and column j only through the position i×n + j, as sums of
neighbours do, rows need not be loops of their own: the loop over all elements has no borders at which lanes
stand empty. Columns at the borders, for which another formula holds, are computed with the others and
written again.

Note [Reading beyond a row]
    An access at `position + c` that is in bounds at the first and at the last element of the inner columns
    is in bounds at all positions between them, those of the borders included. Nothing that is computed there
    may fail, and it is written before the right element is. A map that changes an array in its place reads
    what it has written there, so its rows stay loops of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import BlockExp, Check, Const, Exp, Fold, PureCall, Read, Var, nodes
from aplc.laila.ir.split import Piece, at_most_once
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import EmitBody, Wanted
from aplc.laila.loops.spans import MapNest, Spans
from aplc.laila.loops.strategies import Otherwise
from aplc.tail import prims as p

LONG_ROW = 512
"""From so many elements on rows are loops of their own where there are borders: written once only."""

NEAR = 1 << 15
"""So many elements together are in the first cache when their borders are written again."""


@dataclass(frozen=True, slots=True)
class Inside:
    """The pieces of an inner axis: the one with all but a few columns, and the others."""

    main: Piece
    borders: tuple[Piece, ...]
    position: Var
    roots: tuple[Exp, ...]
    """What is computed at a position of the run."""


class LoopCollapse:
    """Maps over two axes as loops over the elements of several rows."""

    def __init__(self, spans: Spans) -> None:
        self.spans, self.nests, self.code = spans, spans.nests, spans.code
        self.make, self.free = spans.make, spans.nests.free

    def generate(self, wanted: MapNest, block: Block, otherwise: Otherwise[MapNest]) -> None:
        """Loops over two axes, the rows of a piece as one loop, if there is a piece for which that can be."""
        if len(wanted.axes) != 2 or not self.nests.options.splitting or block.mode.reporting:
            otherwise(wanted, block)
            return
        (row, rows), (column, columns) = wanted.axes
        roots, finish = wanted.roots, self.spans.storing(wanted.buffer)
        pieces = self.nests.pieces(Piece(row, self.make.zero, rows, roots), frozenset((column,)))
        insides = [self.inside(piece, column, columns) for piece in pieces]
        if any(isinstance(n, Read) and n.buffer is wanted.buffer for n in nodes(*roots)):
            insides = [None if inside is None or inside.borders else inside for inside in insides]
        if not any(insides):
            otherwise(wanted, block)
            return

        def in_rows(scope: Block, piece: Piece) -> None:
            def build(inner: Block, r: tuple[Exp, ...]) -> None:
                self.nests.nest([(column, columns)], r, inner, finish)

            self.nests.loop(Wanted(piece, build, frozenset((column,))), scope)

        for piece, inside in zip(pieces, insides, strict=True):
            if inside is None:
                in_rows(block, piece)
            elif not inside.borders:
                self.run(piece, inside, columns, block, finish)
            else:
                self.with_borders(piece, inside, columns, block, finish, in_rows)

    def inside(self, piece: Piece, column: Var, columns: Exp) -> Inside | None:
        """The columns of a piece of rows, if most of them are elements of one run."""
        make = self.make
        if at_most_once(make, piece):
            return None
        inner = self.nests.pieces(Piece(column, make.zero, columns, piece.roots), frozenset())
        long = [q for q in inner if not at_most_once(make, q)]
        if len(long) != 1 or any(
            isinstance(n, Check | BlockExp | Fold | PureCall) for n in nodes(*long[0].roots)
        ):
            return None
        (main,) = long
        if (self.free.of(main.start) | self.free.of(main.stop)) & {piece.var}:
            return None
        position = make.between("p", (make.zero,), ())
        index = make.sub(position, make.mul(piece.var, columns))
        roots = tuple([Substitute(make, {main.var: index})(root) for root in main.roots])
        for node in nodes(*roots):
            if isinstance(node, Read) and make.linear(node.index)[1].get(position) != 1:
                return None
        if any(self.free.of(root) & {piece.var, main.var} for root in roots):
            return None
        return Inside(main, tuple([q for q in inner if q is not main]), position, roots)

    def run(self, piece: Piece, inside: Inside, columns: Exp, block: Block, finish: EmitBody) -> None:
        """The loop over all elements from the first to the last of the inner columns."""
        make, main = self.make, inside.main
        start = make.add(make.mul(piece.start, columns), main.start)
        stop = make.add(make.mul(make.sub(piece.stop, make.one), columns), main.stop)
        whole = Piece(inside.position, start, stop, inside.roots)
        self.nests.loop(Wanted(whole, lambda inner, r: finish(inner, self.code.values(r, inner))), block)

    def least(self, piece: Piece) -> dict[Exp, Exp]:
        """What an extent is at least where a piece is not empty."""
        const, terms = self.make.linear(self.make.sub(piece.stop, piece.start))
        match list(terms.items()):
            case [(Var() as extent, 1)]:
                return {extent: self.make.const(1 - const)}
            case _:
                return {}

    def with_borders(
        self,
        piece: Piece,
        inside: Inside,
        columns: Exp,
        block: Block,
        finish: EmitBody,
        in_rows: Callable[[Block, Piece], None],
    ) -> None:
        """Short rows, or few, as one run, and then their borders; others as they are."""
        make, main = self.make, inside.main
        is_short = make.call(p.LTI, columns, make.const(LONG_ROW))
        elements = make.mul(make.sub(piece.stop, piece.start), columns)
        is_near = make.call(p.LTI, elements, make.const(NEAR))
        is_better = make.call(p.ORB, is_short, is_near)
        cond = make.call(p.ANDB, make.call(p.LTI, main.start, main.stop), is_better)

        def flat(scope: Block) -> None:
            self.run(piece, inside, columns, scope, finish)

            def borders(inner: Block, roots: tuple[Exp, ...]) -> None:
                rest = iter(roots)
                for border in inside.borders:
                    start, stop = next(rest), next(rest)
                    values = tuple(islice(rest, len(border.roots)))
                    of_row = replace(border, start=start, stop=stop, roots=values)
                    self.nests.loop(Wanted(of_row, lambda b, r: finish(b, self.code.values(r, b))), inner)

            roots = [root for border in inside.borders for root in (border.start, border.stop, *border.roots)]
            columns_of = frozenset([border.var for border in inside.borders])
            with make.assuming(self.least(main)):
                simpler = tuple(map(Substitute(make, {}), roots))
                self.nests.loop(Wanted(replace(piece, roots=simpler), borders, columns_of), scope)

        if isinstance(cond, Const):
            flat(block) if cond.value else in_rows(block, piece)
            return
        short, long = block.inner(in_loop=block.in_loop), block.inner(in_loop=block.in_loop)
        flat(short)
        in_rows(long, piece)
        test = self.code.single(cond, block)
        block.statements.append(l.If(test, tuple(short.statements), tuple(long.statements)))
