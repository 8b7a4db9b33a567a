"""Splits long reductions: sums of narrow integers in blocks, cheap terms with two accumulators.

Other folds, and those inside loops, stay as `nests` has them.

Note [Sums in narrow lanes]
    A sum of integers has 64 bits, and terms that are computed in 32 would be widened one by one. A block of
    so many terms that their sum cannot leave 32 bits is added up in those, and then the sums of the blocks in
    64: `for i by n { part = 0; for k in i … i+n { part = part + f(k) }; s = s + part }`.

Note [Two halves]
    Each step of a fold waits for the one before it. Where little is computed between them, the loop takes a
    term of the first half of the range and one of the second at a time, for an accumulator each:
    `for k < n÷2 { s = s + f(k); s' = s' + f(k + n÷2) }; s = s + s'`, and the term that may be left over.
    Memory is read in two streams, of which processors fetch more at once than of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import longest, loop_bound
from aplc.laila.ir.ranges import INDEX_WIDTH, INT32
from aplc.laila.ir.scalar import (
    QUOT,
    SMALL,
    Call,
    Check,
    Const,
    Do,
    Exp,
    Fold,
    Lookup,
    Read,
    Var,
    nodes,
    operands,
)
from aplc.laila.ir.split import Piece, at_most_once
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import Running, in_any_order
from aplc.laila.loops.powers import Powers
from aplc.laila.lowering.cycles import cycle_of
from aplc.laila.lowering.pull import weigh
from aplc.tail import prims as p
from aplc.tail.types import Base

SUM_BLOCK = 4096
"""So many narrow integers are added up in narrow lanes, or fewer if their sum might not fit."""

LEAST_SUM_BLOCK = 256
"""Fewer do not pay."""


SHORT = 64
"""A known extent up to which halves do not pay."""


class Folds(Powers):
    """The generation of long folds."""

    def folds_of_piece(
        self, running: Sequence[Running], piece: Piece, reductions: tuple[l.Reduction, ...], block: Block
    ) -> None:
        """Associative folds over one piece of their range, which may be long if no loop is around it."""
        sizes: tuple[int, ...] = ()
        if not block.in_loop and not block.mode.reporting and not at_most_once(self.make, piece):
            self.ranges.bind_loop(piece.var)
            sizes = tuple([self.sum_block(*pair) for pair in zip(running, piece.roots, strict=True)])
            waits = all(self.waits(*pair) for pair in zip(running, piece.roots, strict=True))
            if waits and not any(sizes) and cycle_of(self.make, self.free, piece, frozenset()) is None:
                self.in_halves(running, piece, reductions, block)
                return
        if any(sizes):
            self.in_sum_blocks(running, sizes, piece, block)
        else:
            super().folds_of_piece(running, piece, reductions, block)

    # --- sums of narrow integers ---

    def sum_block(self, running: Running, term: Exp) -> int:
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
            or isinstance(node, Fold | Do | Lookup)
            or self.ranges.width(node) > INDEX_WIDTH
            for node in nodes(term, below=below)
        )

    def in_sum_blocks(
        self, running: Sequence[Running], sizes: tuple[int, ...], piece: Piece, block: Block
    ) -> None:
        """Folds over one piece of their range, some of them in blocks: see Note [Sums in narrow lanes]."""
        make = self.make
        size = min([n for n in sizes if n])
        self.hoist(piece, frozenset(), block)
        start, stop = self.single(piece.start, block), self.single(loop_bound(make, piece), block)
        lasts = tuple([high for high in piece.var.highs if isinstance(high, Const)])
        first = make.between("start", (piece.start,), lasts)
        inner = block.inner(in_loop=True)
        end = make.between("stop", (), tuple([make.add(last, make.one) for last in lasts]))
        inner.statements.append(l.Declare(end, make.call(p.MINI, make.add(first, make.const(size)), stop)))
        parts = [self.part(each, size) if n else each for each, n in zip(running, sizes, strict=True)]
        self.declared([part for part, n in zip(parts, sizes, strict=True) if n], inner)
        reductions = tuple([reduction for part in parts for reduction in self.reductions_of(part)])
        some = Piece(piece.var, first, end, piece.roots)
        super().folds_of_piece(parts, some, reductions, inner)
        for each, part in zip(running, parts, strict=True):
            if part is not each:
                inner.statements.append(l.Assign(each.acc, make.add(each.acc, part.acc)))
        loop = l.For(first, start, stop, tuple(inner.statements), step=size)
        whole = tuple([reduction for each in running for reduction in self.reductions_of(each)])
        parallel = self.accumulated(whole, inner)
        block.statements.append(in_any_order(loop, parallel, piece.roots))

    def part(self, running: Running, size: int) -> Running:
        """A sum as that of one block."""
        interval = self.ranges.integers(running.node.body)
        low, high = [
            self.make.const(int(end) * size) for end in (min(0, interval.low), max(0, interval.high))
        ]
        return replace(running, acc=Var(self.make.fresh("part"), Base.INT, lows=(low,), highs=(high,)))

    # --- two halves ---

    def waits(self, running: Running, term: Exp) -> bool:
        """Whether a fold waits for its operator, or for memory, rather than for its terms."""
        most = longest(running.node.extent)
        is_short = most is not None and most <= SHORT
        if (
            running.op not in self.options.halves.operators
            or is_short
            or weigh(term).cost > self.options.halves.cost
        ):
            return False
        return not any(isinstance(n, Check | Fold | Do) for n in nodes(term))

    def in_halves(
        self, running: Sequence[Running], piece: Piece, reductions: tuple[l.Reduction, ...], block: Block
    ) -> None:
        """Folds over the two halves of a piece side by side: see Note [Two halves]."""
        make = self.make
        start, stop = self.single(piece.start, block), self.single(loop_bound(make, piece), block)
        count = make.call(p.MAXI, make.zero, make.sub(stop, start))
        half = make.between("middle", (make.zero,), ())
        block.statements.append(l.Declare(half, make.call(QUOT, count, make.const(2))))
        others = [replace(each, acc=Var(make.fresh("s"), each.acc.ty)) for each in running]
        block.statements += [l.Declare(each.acc, each.start, mutable=True) for each in others]
        further = tuple([r for each in others for r in self.reductions_of(each)])
        roots = self.at(piece, make.add(piece.var, half))
        both = Piece(piece.var, start, make.add(start, half), (*piece.roots, *roots))
        together = tuple(dict.fromkeys((*reductions, *further)))
        super().folds_of_piece((*running, *others), both, together, block)
        for each, other in zip(running, others, strict=True):
            block.statements.append(l.Assign(each.acc, self.united(each, other.acc)))
        last = make.add(start, make.mul(make.const(2), half))

        def left(inner: Block) -> None:
            values = self.values(self.at(piece, last), inner)
            for each, value in zip(running, values, strict=True):
                self.accumulate(each, value, inner)

        self.branch(make.call(p.LTI, last, stop), block, left)

    def at(self, piece: Piece, index: Exp) -> tuple[Exp, ...]:
        """What a piece computes at an index."""
        substitute = Substitute(self.make, {piece.var: index})
        return tuple([substitute(root) for root in piece.roots])

    def united(self, running: Running, other: Var) -> Exp:
        """Two accumulators in one; no NaN is in those of an extremum."""
        acc = running.acc
        if running.op not in (p.MAXD, p.MIND):
            return self.make.call(running.op, acc, other)
        better = p.GTD if running.op is p.MAXD else p.LTD
        return self.make.select(self.make.call(better, other, acc), other, acc)
