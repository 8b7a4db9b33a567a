"""Reads a strip of short rows once as it lies in memory, before its elements are gathered.

Note [Rows before they are gathered]
    Points in lanes that walk along rows of their own gather an element of each row at a time. A processor
    foresees which memory is read next by loads that go on along it, not by gathers, and waits for each of
    these: rows from memory take three times as long as a loop that reads them one after the other. So one
    element of each line of the cache is loaded before, from the first row of the strip to its last:

        for i by 64 { s[64] = …; for k < n { for j < 64 { s[j] = s[j] + x[n×(i+j) + k] } } }
        →   for i by 64 { for q < 64×n by 8 { load x[n×i + q] }; … }

    Rows with less than a line between them alone are read so: of a few columns of a wide matrix others would
    be loaded in vain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.scalar import BlockExp, Exp, Fold, FreeVars, Read, Var, nodes, operands
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.strides import depends, steps_by_one
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.prefetching.reads import LINE
from aplc.laila.loops.straight_code import StraightCode
from aplc.tail import prims as p


class StripsRead:
    """Loads of what the lanes of strips gather along their rows."""

    def __init__(self, make: ExprBuilder, free: FreeVars, code: StraightCode) -> None:
        self.make, self.free, self.code = make, free, code

    def load(self, folds: Iterable[Fold], lane: Var, hidden: frozenset[Var], block: Block) -> None:
        """Load what folds gather, of each array once; `hidden` variables are bound where they run."""
        make, seen = self.make, set()
        for read, fold in _certain_reads(folds):
            if read.buffer in seen or (ends := self.ends(read, fold, lane)) is None:
                continue
            first, last = ends
            if (self.free.of(first) | self.free.of(last)) & hidden:
                continue
            seen.add(read.buffer)
            begin = self.code.single(first, block)
            some = make.call(p.GTI, fold.extent, make.zero)
            read_all = make.add(make.sub(last, first), make.one)
            count = self.code.single(make.select(some, read_all, make.zero), block)
            at = make.index("at", count)
            load = l.Prefetch(read.buffer, make.add(begin, at), loads=True)
            block.statements.append(l.For(at, make.zero, count, (load,), step=LINE // read.buffer.item_bytes))

    def ends(self, read: Read, fold: Fold, lane: Var) -> tuple[Exp, Exp] | None:
        """The first and the last place that lanes read along a fold, if rows lie close to each other."""
        make, (_, terms) = self.make, self.make.linear(read.index)
        others = [atom for atom in terms if atom is not fold.var]
        step = terms.get(fold.var, 0)
        if abs(step) != 1 or any(depends(self.free, atom, fold.var) for atom in others):
            return None
        if not depends(self.free, read.index, lane) or steps_by_one(make, self.free, read.index, lane):
            return None
        next_row = Substitute(make, {lane: make.add(lane, make.one)})(read.index)
        stride = make.sub(next_row, read.index)
        gap = make.const(LINE // read.buffer.item_bytes)
        if not (make.at_least(make.add(fold.extent, gap), stride) and make.at_least(stride, make.zero)):
            return None
        ends = (make.zero, make.sub(fold.extent, make.one))
        first, last = ends if step == 1 else ends[::-1]
        return (
            Substitute(make, {lane: make.zero, fold.var: first})(read.index),
            Substitute(make, {lane: lane.highs[0], fold.var: last})(read.index),
        )


def _certain_reads(folds: Iterable[Fold]) -> Iterator[tuple[Read, Fold]]:
    """What folds read at each of their steps, not in loops inside."""
    below = lambda e: () if isinstance(e, BlockExp | Fold) else operands(e)  # noqa: E731
    for fold in folds:
        certain = {id(n) for n in unconditional((fold.body,))}
        for node in nodes(fold.body, below=below):
            if isinstance(node, Read) and id(node) in certain:
                yield node, fold
