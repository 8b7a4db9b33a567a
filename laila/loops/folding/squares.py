"""Folds of folds in squares.

Note [Folds in squares]
    A fold of folds that reads along its inner axis and across it, as whether `m≡⍉m`, touches a new line of
    the cache for each element that it reads across. Where the operator combines in any order, both axes are
    walked in squares, whose lines are used up before they leave the cache. Where elements are the same on
    both sides of the diagonal of a matrix that is square, those on one side are enough for `∧ ∨ ⌈ ⌊`.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import longest
from aplc.laila.ir.scalar import BlockExp, Check, Exp, Fold, PureCall, contains
from aplc.laila.ir.split import Piece
from aplc.laila.ir.strides import depends, is_symmetric
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.accumulators import Accumulators, FoldLoop
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import Wanted, in_any_order
from aplc.laila.loops.strategies import Otherwise
from aplc.laila.transform.register_tiling import SIZES, axis_of_squares
from aplc.tail import prims as p

IN_ANY_ORDER = frozenset((p.ANDB, p.ORB, p.ADDI, p.MAXI, p.MINI))
"""Operators whose outcome does not depend on the order of what they combine."""


class InSquares:
    """Folds of folds that read across the order of memory: see Note [Folds in squares]."""

    def __init__(self, accumulators: Accumulators) -> None:
        self.accumulators, self.nests = accumulators, accumulators.nests
        self.make, self.free = accumulators.make, accumulators.nests.free

    def generate(self, wanted: FoldLoop, block: Block, otherwise: Otherwise[FoldLoop]) -> None:
        """One fold over two axes, in squares of these, if something is read across."""
        inner = self.inner(wanted)
        if inner is None:
            otherwise(wanted, block)
        else:
            self.in_squares(wanted, inner, block)

    def inner(self, wanted: FoldLoop) -> Fold | None:
        """The fold that is the element of another one, by the same operator in any order, where the two axes
        may be exchanged for it.
        """
        if len(wanted.running) != 1:
            return None
        piece, (running,) = wanted.piece, wanted.running
        node = piece.roots[0]
        if not isinstance(node, Fold) or piece.start is not self.make.zero:
            return None
        is_alike = node.combine is running.op and running.op in IN_ANY_ORDER
        is_alike = is_alike and (node.empty is None or node.empty is running.start)
        if not is_alike or depends(self.free, node.extent, piece.var) or longest(node.extent) is not None:
            return None
        if contains(Check | Fold | BlockExp | PureCall, node.body):
            return None
        across = axis_of_squares(self.free, self.make, node.body, (piece.var, node.var))
        return None if across is None else node

    def is_symmetric(self, wanted: FoldLoop, node: Fold) -> bool:
        """Whether the axes may change places in an element, and the operator may leave out one of the two."""
        is_same = is_symmetric(self.make, node.body, wanted.piece.var, node.var)
        return is_same and wanted.running[0].op is not p.ADDI

    def in_squares(self, wanted: FoldLoop, node: Fold, block: Block) -> None:
        """Both folds in one accumulator."""
        make, nests, piece = self.make, self.nests, wanted.piece
        start, stop = nests.bounds(piece, block)
        low = make.index("start", stop)
        inner = block.inner(in_loop=True)
        after = make.add(low, make.const(SIZES.square))
        high = nests.bound("stop", make.call(p.MINI, after, stop), inner, (low,), (after, stop))
        rows = Piece(make.between(piece.var.name, (low,), make.last_indices(high)), low, high, (node.body,))
        rows = replace(rows, roots=(Substitute(make, {piece.var: rows.var})(node.body),))

        def square(inside: Block, left: Exp, right: Exp) -> None:
            var = make.between(node.var.name, (left,), make.last_indices(right))

            def row(within: Block, roots: tuple[Exp, ...]) -> None:
                body = Substitute(make, {node.var: var})(roots[0])
                columns = Piece(var, left, right, (body,))
                self.accumulators.loop(wanted.running, columns, wanted.reductions, within)

            nests.loop(Wanted(rows, row, frozenset((node.var,)), reductions=wanted.reductions), inside)

        extent = node.extent
        if self.is_symmetric(wanted, node):
            is_square = make.call(p.EQI, piece.stop, extent)
            extent = make.select(is_square, high, extent)
        nests.blocks(extent, SIZES.square, inner, square, in_order=True)
        loop = l.For(low, start, stop, tuple(inner.statements), step=SIZES.square)
        parallel = nests.accumulated(wanted.reductions, inner)
        block.statements.append(in_any_order(loop, parallel, piece.roots))
