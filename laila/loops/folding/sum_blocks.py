"""Sums of integers in narrow lanes.

Note [Sums in narrow lanes]
    A sum of integers has 64 bits, and terms that are computed in 32 would be widened one by one. A block of
    so many terms that their sum cannot leave 32 bits is added up in those, and then the sums of the blocks in
    64: `for i by n { part = 0; for k in i … i+n { part = part + f(k) }; s = s + part }`.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.interval_rules import INT32
from aplc.laila.ir.ranges import INDEX_WIDTH
from aplc.laila.ir.scalar import SMALL, BlockExp, Call, Const, Exp, Fold, PureCall, Read, Var, nodes, operands
from aplc.laila.ir.split import Piece
from aplc.laila.loops.accumulators import Accumulator, Accumulators, FoldLoop
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import in_any_order
from aplc.laila.loops.strategies import Otherwise
from aplc.tail import prims as p
from aplc.tail.types import Base

SUM_BLOCK = 4096
"""So many narrow integers are added up in narrow lanes, or fewer if their sum might not fit."""

LEAST_SUM_BLOCK = 256
"""Fewer do not pay."""


class SumsInBlocks:
    """Sums of narrow integers: see Note [Sums in narrow lanes]."""

    def __init__(self, accumulators: Accumulators) -> None:
        self.accumulators, self.nests = accumulators, accumulators.nests
        self.make, self.code, self.ranges = accumulators.make, accumulators.code, accumulators.ranges

    def generate(self, wanted: FoldLoop, block: Block, otherwise: Otherwise[FoldLoop]) -> None:
        """Folds, some of them in blocks, if that pays for one."""
        terms = zip(wanted.running, wanted.piece.roots, strict=True)
        sizes = tuple([self.sum_block(running, term) for running, term in terms])
        if any(sizes):
            self.in_sum_blocks(wanted, sizes, block)
        else:
            otherwise(wanted, block)

    def sum_block(self, running: Accumulator, term: Exp) -> int:
        """The number of terms that narrow lanes can add up; 0 if that does not pay."""
        if running.op is not p.ADDI or self.ranges.integers(running.acc).within(INT32):
            return 0
        extent = running.node.extent
        if isinstance(term, Const) or (isinstance(extent, Const) and extent.value <= SUM_BLOCK):
            return 0
        if not self.is_narrow(term):
            return 0
        interval = self.ranges.integers(term)
        fitting = int(INT32.high // max(1, -interval.low, interval.high)) - 1
        return min(SUM_BLOCK, fitting) if fitting >= LEAST_SUM_BLOCK else 0

    def is_narrow(self, term: Exp) -> bool:
        """Whether a term is computed from integers of 32 bits at most."""

        def below(exp: Exp) -> tuple[Exp, ...]:
            is_whole = isinstance(exp, Read) or (isinstance(exp, Call) and exp.op is SMALL)
            return () if is_whole else tuple(operands(exp))

        return not any(
            node.ty is Base.DOUBLE
            or isinstance(node, Fold | BlockExp | PureCall)
            or self.ranges.width(node) > INDEX_WIDTH
            for node in nodes(term, below=below)
        )

    def in_sum_blocks(self, wanted: FoldLoop, sizes: tuple[int, ...], block: Block) -> None:
        """Folds over one piece of their range, some of them in blocks: see Note [Sums in narrow lanes]."""
        make, running, piece = self.make, wanted.running, wanted.piece
        size = min([n for n in sizes if n])
        self.nests.hoist(piece, frozenset(), block)
        start, stop = self.nests.bounds(piece, block)
        lasts = tuple([high for high in piece.var.highs if isinstance(high, Const)])
        first = make.between("start", (piece.start,), lasts)
        inner = block.inner(in_loop=True)
        end = make.between("stop", (), tuple([make.add(last, make.one) for last in lasts]))
        inner.statements.append(l.Declare(end, make.call(p.MINI, make.add(first, make.const(size)), stop)))
        given = zip(running, piece.roots, sizes, strict=True)
        parts = [self.part(each, term, size) if n else each for each, term, n in given]
        self.accumulators.declared([part for part, n in zip(parts, sizes, strict=True) if n], inner)
        reductions = tuple([r for part in parts for r in self.accumulators.reductions_of(part)])
        some = Piece(piece.var, first, end, piece.roots)
        self.accumulators.loop(parts, some, reductions, inner)
        for each, part in zip(running, parts, strict=True):
            if part is not each:
                inner.statements.append(l.Assign(each.acc, make.add(each.acc, part.acc)))
        loop = l.For(first, start, stop, tuple(inner.statements), step=size)
        whole = tuple([reduction for each in running for reduction in self.accumulators.reductions_of(each)])
        parallel = self.nests.accumulated(whole, inner)
        block.statements.append(in_any_order(loop, parallel, piece.roots))

    def part(self, running: Accumulator, term: Exp, size: int) -> Accumulator:
        """A sum of terms as that of one block."""
        interval = self.ranges.integers(term)
        low, high = [
            self.make.const(int(end) * size) for end in (min(0, interval.low), max(0, interval.high))
        ]
        return replace(running, acc=Var(self.make.fresh("part"), Base.INT, lows=(low,), highs=(high,)))
