"""Folds as loops. Long ones are cut in the ways of the room `folding`.

Note [Items of equal lengths]
    Where lengths that belong to an item may differ only if one is 1, no scalar of the host says which holds
    (Note [Lengths that only the run knows] of `maps`): the loop over elements stands twice inside the one
    over items, behind a test of the two lengths. Where they are equal, elements lie side by side.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import Call, Exp, Fold, Select, Step, Var, nodes
from aplc.laila.ir.split import Piece, at_most_once
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.accumulators import Accumulator, Accumulators, FoldLoop
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.folding.halves import TwoHalves
from aplc.laila.loops.folding.squares import InSquares
from aplc.laila.loops.folding.sum_blocks import SumsInBlocks
from aplc.laila.loops.folding.whole_lines import WholeLines
from aplc.laila.loops.nests import Wanted
from aplc.laila.loops.strategies import in_order
from aplc.laila.lowering.pull import fill
from aplc.laila.lowering.scalars import chained
from aplc.tail import prims as p


class Folds:
    """The loops of folds."""

    def __init__(self, accumulators: Accumulators) -> None:
        self.accumulators, self.nests = accumulators, accumulators.nests
        self.make, self.code = accumulators.make, accumulators.code
        kinds = InSquares, WholeLines, SumsInBlocks, TwoHalves
        self.split = in_order([way(accumulators) for way in kinds], self.plain)
        self.narrow_sums = SumsInBlocks(accumulators)

    def fold(self, node: Fold, block: Block, target: Var | None = None) -> Var:
        """A fold; its value is a mutable variable afterwards."""
        if isinstance(node.combine, Step):
            own = self.accumulators.accumulator(node)
            acc = own if own.highs or target is None else target  # its bounds decide how it is computed
            extent = self.code.single(node.extent, block)
            whole = Piece(node.var, self.make.zero, extent, (node.body,))
            self.from_right(node, node.combine, whole, acc, block)
            if target is not None and acc is not target:
                block.statements.append(l.Declare(target, acc, mutable=True))
        else:
            acc = target or self.accumulators.accumulator(node)
            self.together((self.accumulators.running(node, node.combine, acc),), block)
        return target or acc

    def together(self, running: tuple[Accumulator, ...], block: Block) -> None:
        """Associative folds over one range in one loop: `acc := neutral; for … acc := acc op body`"""
        reductions = self.accumulators.declared(running, block)
        roots = (running[0].node.extent, *[each.node.body for each in running])

        def loops(inner: Block, exps: tuple[Exp, ...]) -> None:
            extent, *bodies = exps
            stop = self.code.single(extent, inner)
            whole = Piece(running[0].node.var, self.make.zero, stop, tuple(bodies))
            for piece in self.nests.pieces(whole, frozenset()):
                self.loop(FoldLoop(running, piece, reductions), inner)

        cond = equal_lengths(roots) if block.in_loop and not block.mode.is_rare else None
        if cond is None:
            loops(block, roots)
        else:
            known = [Substitute(self.make, {cond: self.make.const(holds)}) for holds in (True, False)]
            then, other = [tuple([decided(root) for root in roots]) for decided in known]
            self.nests.one_of(cond, block, lambda b: loops(b, then), lambda b: loops(b, other))
        for each in running:
            self.accumulators.completed(each, block)

    def loop(self, wanted: FoldLoop, block: Block) -> None:
        """The loop over one piece, which may be long if no loop is around it."""
        if block.mode.reporting or at_most_once(self.make, wanted.piece):
            self.plain(wanted, block)
            return
        self.nests.ranges.bind_loop(wanted.piece.var)
        if block.in_loop:
            self.narrow_sums.generate(wanted, block, self.plain)
        else:
            self.split(wanted, block)

    def plain(self, wanted: FoldLoop, block: Block) -> None:
        """One term after the other."""
        self.accumulators.loop(wanted.running, wanted.piece, wanted.reductions, block)

    def from_right(self, node: Fold, step: Step, whole: Piece, acc: Var, block: Block) -> None:
        """The last element, then each earlier one combined with what is right of it."""
        self.from_right_together([(node, step, acc)], whole, block)

    def from_right_together(
        self, folds: Sequence[tuple[Fold, Step, Var]], whole: Piece, block: Block
    ) -> None:
        """The same for several folds over one range, step by step; the roots of the range are their elements.
        None of them waits for another.
        """
        make = self.make
        for node, _, acc in folds:
            empty = node.empty if node.empty is not None else fill(make, node.ty)
            block.statements.append(l.Declare(acc, self.code.single(empty, block), mutable=True, bits=64))
        last = make.sub(whole.stop, make.one)

        def start(inner: Block) -> None:
            at_last = Substitute(make, {whole.var: last})
            values = self.code.values(tuple([at_last(root) for root in whole.roots]), inner)
            for (_, _, acc), value in zip(folds, values, strict=True):
                inner.statements.append(l.Assign(acc, value))

        self.nests.branch(make.call(p.GTI, whole.stop, make.zero), block, start)

        def combine(inner: Block, roots: tuple[Exp, ...]) -> None:
            elements = self.code.values(roots, inner)
            for (_, step, acc), element in zip(folds, elements, strict=True):
                body = Substitute(make, {step.element: element, step.accumulator: acc})(step.body)
                body = chained(make, body, acc)
                inner.statements.append(l.Assign(acc, self.code.single(body, inner)))

        rest = Piece(whole.var, whole.start, last, whole.roots)
        for piece in reversed(self.nests.pieces(rest, frozenset())):
            self.nests.loop(Wanted(piece, combine, reductions=None, descending=True), block)


def equal_lengths(roots: tuple[Exp, ...]) -> Exp | None:
    """The condition that two lengths are equal, which tells how often a fold runs and where it reads: see
    Note [Items of equal lengths].
    """
    extent, *bodies = roots
    if not isinstance(extent, Select) or not isinstance(extent.cond, Call) or extent.cond.op is not p.EQI:
        return None
    return extent.cond if any(node is extent.cond for node in nodes(*bodies)) else None
