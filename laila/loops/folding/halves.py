"""Folds in two halves.

Note [Two halves]
    Each step of a fold waits for the one before it, and for memory. Where little is computed between them, a
    loop takes a term of the first half of the range and one of the second at a time, for an accumulator each:
    `for k < n÷2 { s = s + f(k); s' = s' + f(k + n÷2) }; s = s + s'`, and the term that may be left over.
    Memory is read in two streams, of which processors fetch more at once than of one.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import longest
from aplc.laila.ir.scalar import QUOT, BlockExp, Exp, Fold, Read, Var, contains, nodes
from aplc.laila.ir.split import Piece
from aplc.laila.ir.strides import depends
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.accumulators import Accumulator, Accumulators, FoldLoop, better
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.folding.extrema import ExtremaInLanes
from aplc.laila.loops.nests import Nests
from aplc.laila.loops.strategies import Otherwise
from aplc.laila.lowering.cycles import cycle_of
from aplc.laila.lowering.pull import weigh
from aplc.tail import prims as p

SHORT = 64
"""A known extent up to which halves do not pay."""


def waits(nests: Nests, wanted: FoldLoop) -> bool:
    """Whether long folds wait for their operators, or for memory, rather than for their terms."""
    halves, piece = nests.options.halves, wanted.piece
    for running, term in zip(wanted.running, piece.roots, strict=True):
        most = longest(running.node.extent)
        is_short = most is not None and most <= SHORT
        cost = weigh(term).cost
        is_heavy = cost > halves.cost and (cost > halves.streamed or not streams(nests, term, piece.var))
        if running.op not in halves.operators or is_short or is_heavy:
            return False
        if contains(Fold | BlockExp, term):
            return False
    return cycle_of(nests.make, nests.free, wanted.piece, frozenset()) is None


def streams(nests: Nests, term: Exp, index: Var) -> bool:
    """Whether all that a term reads lies side by side, or is the same in each step."""
    for node in nodes(term):
        if isinstance(node, Read):
            others = [atom for atom in nests.make.linear(node.index)[1] if atom is not index]
            if any(depends(nests.free, atom, index) for atom in others):
                return False
    return True


class TwoHalves:
    """Folds of cheap terms, over the two halves of a range side by side: see Note [Two halves]."""

    def __init__(self, accumulators: Accumulators) -> None:
        self.accumulators, self.nests = accumulators, accumulators.nests
        self.make, self.code = accumulators.make, accumulators.code
        self.extrema = ExtremaInLanes(accumulators)

    def generate(self, wanted: FoldLoop, block: Block, otherwise: Otherwise[FoldLoop]) -> None:
        """Folds in two halves if all wait for what they accumulate."""
        if waits(self.nests, wanted):
            self.in_halves(wanted, block)
        else:
            otherwise(wanted, block)

    def in_halves(self, wanted: FoldLoop, block: Block) -> None:
        """Folds over the two halves of a piece side by side: see Note [Two halves]."""
        make, running, piece = self.make, wanted.running, wanted.piece
        start, stop = self.nests.bounds(piece, block)
        count = make.call(p.MAXI, make.zero, make.sub(stop, start))
        half = make.between("middle", (make.zero,), ())
        block.statements.append(l.Declare(half, make.call(QUOT, count, make.const(2))))
        others = [replace(each, acc=Var(make.fresh("s"), each.acc.ty)) for each in running]
        block.statements += [l.Declare(each.acc, each.start, mutable=True) for each in others]
        further = tuple([r for each in others for r in self.accumulators.reductions_of(each)])
        roots = self.at(piece, make.add(piece.var, half))
        both = Piece(piece.var, start, make.add(start, half), (*piece.roots, *roots))
        together = tuple(dict.fromkeys((*wanted.reductions, *further)))
        self.extrema.loop(FoldLoop((*running, *others), both, together), block)
        for each, other in zip(running, others, strict=True):
            block.statements.append(l.Assign(each.acc, self.united(each, other.acc)))
        last = make.add(start, make.mul(make.const(2), half))

        def left(inner: Block) -> None:
            values = self.code.values(self.at(piece, last), inner)
            for each, value in zip(running, values, strict=True):
                self.accumulators.accumulate(each, value, inner)

        self.nests.branch(make.call(p.LTI, last, stop), block, left)

    def at(self, piece: Piece, index: Exp) -> tuple[Exp, ...]:
        """What a piece computes at an index."""
        substitute = Substitute(self.make, {piece.var: index})
        return tuple([substitute(root) for root in piece.roots])

    def united(self, running: Accumulator, other: Var) -> Exp:
        """Two accumulators in one; no NaN is in those of an extremum."""
        acc = running.acc
        if running.op not in (p.MAXD, p.MIND):
            return self.make.call(running.op, acc, other)
        return better(self.make, running.op, acc, other)
