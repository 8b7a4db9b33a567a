"""Sums of integers in narrow lanes.

Note [Sums in narrow lanes]
    A sum of integers has 64 bits, and terms that are computed in 32 would be widened one by one. A block of
    so many terms that their sum cannot leave 32 bits is added up in those, and then the sums of the blocks in
    64: `for i by n { part = 0; for k in i … i+n { part = part + f(k) }; s = s + part }`. Digits and truth
    values are added up in 16 bits.

Note [Sums by place]
    In `+/f×a+b×k` the second factor grows with the index, and needs 64 bits. In a block it is `w+b×j`, where
    w is the factor of its first term and j counts from 0. So two sums of narrow integers tell that of the
    block: `(w×+/f)+b×+/f×j`. That integers wrap makes no difference.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.interval import Interval
from aplc.laila.ir.interval_rules import INT32
from aplc.laila.ir.ranges import INDEX_WIDTH, STORAGES
from aplc.laila.ir.scalar import Call, Const, Exp, Var
from aplc.laila.ir.split import Piece
from aplc.laila.ir.strides import depends
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.accumulators import Accumulator, Accumulators, FoldLoop
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import in_any_order
from aplc.laila.loops.strategies import Otherwise
from aplc.tail import prims as p
from aplc.tail.types import Base

SUM_BLOCK = 4096
"""So many narrow integers are added up in narrow lanes, or fewer if their sum might not fit."""

ROW_BLOCK = 1 << 20
"""The same inside another loop: few rows are longer."""

LEAST_ROW = 64
"""Shorter rows are added up as they are."""

SHORT_SUM_BLOCK = 1024
"""So many must fit for lanes of 16 bits."""

LEAST_SUM_BLOCK = 256
"""Fewer do not pay."""


@dataclass(frozen=True, slots=True)
class _Narrow:
    """A sum that blocks of so many terms compute in narrow lanes. By place, a term is `factor×weight`, and
    the weight grows by `step` with the index.
    """

    size: int
    factor: Exp
    weight: Exp | None = None
    step: int = 0


class SumsInBlocks:
    """Sums of narrow integers: see Note [Sums in narrow lanes]."""

    def __init__(self, accumulators: Accumulators) -> None:
        self.accumulators, self.nests = accumulators, accumulators.nests
        self.make, self.code, self.ranges = accumulators.make, accumulators.code, accumulators.ranges

    def generate(self, wanted: FoldLoop, block: Block, otherwise: Otherwise[FoldLoop]) -> None:
        """Folds, some of them in blocks, if that pays for one."""
        most = ROW_BLOCK if block.in_loop else SUM_BLOCK
        terms = zip(wanted.running, wanted.piece.roots, strict=True)
        narrow = tuple([self.narrow(running, term, wanted.piece.var, most) for running, term in terms])
        if not any(narrow):
            otherwise(wanted, block)
        elif block.in_loop:
            piece = wanted.piece
            length = self.make.sub(piece.stop, piece.start)
            is_long = self.make.call(p.GTEI, length, self.make.const(LEAST_ROW))
            self.nests.one_of(
                is_long,
                block,
                lambda inner: self.in_sum_blocks(wanted, narrow, inner),
                lambda inner: otherwise(wanted, inner),
            )
        else:
            self.in_sum_blocks(wanted, narrow, block)

    def narrow(self, running: Accumulator, term: Exp, index: Var, most: int) -> _Narrow | None:
        """How narrow lanes add up a sum; None if that does not pay."""
        if running.op is not p.ADDI or self.ranges.integers(running.acc).within(INT32):
            return None
        extent = running.node.extent
        if isinstance(term, Const) or (isinstance(extent, Const) and extent.value <= SUM_BLOCK):
            return None
        if not self.accumulators.is_narrow(term, INDEX_WIDTH):
            return self.by_place(term, index)
        largest = _magnitude(self.ranges.integers(term))
        short = int(STORAGES["int16"].high) // largest
        if short >= SHORT_SUM_BLOCK and self.accumulators.is_narrow(running.node.body, 16):
            return _Narrow(min(SUM_BLOCK, short), term)
        size = min(most, int(INT32.high) // largest - 1)
        return _Narrow(size, term) if size >= LEAST_SUM_BLOCK else None

    def by_place(self, term: Exp, index: Var) -> _Narrow | None:
        """How narrow lanes add up narrow integers, each times a number that grows with the index: see Note
        [Sums by place].
        """
        if not self.nests.options.has_memory or not isinstance(term, Call) or term.op is not p.MULI:
            return None
        for factor, weight in (term.args, term.args[::-1]):
            free = self.nests.free
            _, terms = self.make.linear(weight)
            step = terms.get(index, 0)
            if step == 0 or any(depends(free, atom, index) for atom in terms if atom is not index):
                continue
            if not depends(free, factor, index) or not self.accumulators.is_narrow(factor, INDEX_WIDTH):
                continue
            largest = _magnitude(self.ranges.integers(factor))
            size = min(SUM_BLOCK, math.isqrt(2 * int(INT32.high) // largest))
            if size >= LEAST_SUM_BLOCK:
                return _Narrow(size, factor, weight, step)
        return None

    def in_sum_blocks(self, wanted: FoldLoop, narrow: tuple[_Narrow | None, ...], block: Block) -> None:
        """Folds over one piece of their range, some of them in blocks: see Note [Sums in narrow lanes]."""
        make, running, piece = self.make, wanted.running, wanted.piece
        size = min([each.size for each in narrow if each is not None])
        self.nests.hoist(piece, frozenset(), block)
        start, stop = self.nests.bounds(piece, block)
        lasts = tuple([high for high in piece.var.highs if isinstance(high, Const)])
        first = make.between("start", (piece.start,), lasts)
        inner = block.inner(in_loop=True)
        parts = _Parts(self, piece.var, size)
        results = [
            parts.add(each, term) if own is None else parts.sum(each, own, first)
            for each, term, own in zip(running, piece.roots, narrow, strict=True)
        ]
        if parts.index is None:
            end = make.between("stop", (), tuple([make.add(last, make.one) for last in lasts]))
            bound = make.call(p.MINI, make.add(first, make.const(size)), stop)
            some = Piece(piece.var, first, end, tuple(parts.terms))
        else:
            end = make.between("many", (make.zero,), (make.const(size),))
            bound = make.call(p.MINI, make.const(size), make.sub(stop, first))
            some = Piece(parts.index, make.zero, end, parts.from_first(first))
        inner.statements.append(l.Declare(end, bound))
        self.accumulators.declared([part for part in parts.running if part not in running], inner)
        reductions = tuple([r for part in parts.running for r in self.accumulators.reductions_of(part)])
        self.accumulators.loop(parts.running, some, reductions, inner)
        for each, result in zip(running, results, strict=True):
            if result is not each.acc:
                inner.statements.append(l.Assign(each.acc, make.add(each.acc, result)))
        loop = l.For(first, start, stop, tuple(inner.statements), step=size)
        whole = tuple([reduction for each in running for reduction in self.accumulators.reductions_of(each)])
        parallel = self.nests.accumulated(whole, inner)
        block.statements.append(in_any_order(loop, parallel, piece.roots))


class _Parts:
    """What a block accumulates: each term once."""

    def __init__(self, sums: SumsInBlocks, var: Var, size: int) -> None:
        self.make, self.ranges, self.var, self.size = sums.make, sums.ranges, var, size
        self.index: Var | None = None
        """The index that counts from the first term of a block, if a sum needs it."""
        self.running: list[Accumulator] = []
        self.terms: list[Exp] = []
        self.known: dict[Exp, Var] = {}
        """The accumulators of narrow sums, by their term."""

    def add(self, running: Accumulator, term: Exp) -> Var:
        """A fold whose accumulator is that of all blocks."""
        self.running.append(running)
        self.terms.append(term)
        return running.acc

    def sum(self, running: Accumulator, narrow: _Narrow, first: Var) -> Exp:
        """The sum of a block, of narrow sums."""
        make, found = self.make, self.ranges.integers(narrow.factor)
        sum_ = self.part(running, narrow.factor, found, self.size)
        if narrow.weight is None:
            return sum_
        if self.index is None:
            self.index = make.between("j", (make.zero,), (make.const(self.size - 1),))
            self.ranges.bind_loop(self.index)
        by_place = make.mul(narrow.factor, self.index)
        moment = self.part(running, by_place, found, self.size * (self.size - 1) // 2)
        weight = Substitute(make, {self.var: first})(narrow.weight)
        return make.add(make.mul(weight, sum_), make.mul(make.const(narrow.step), moment))

    def part(self, running: Accumulator, term: Exp, values: Interval, times: int) -> Var:
        """The accumulator of a narrow sum, which is at most so many times an extreme value."""
        if term in self.known:
            return self.known[term]
        low, high = [self.make.const(int(end) * times) for end in (min(0, values.low), max(0, values.high))]
        acc = self.known[term] = Var(self.make.fresh("part"), Base.INT, lows=(low,), highs=(high,))
        self.running.append(replace(running, acc=acc))
        self.terms.append(term)
        return acc

    def from_first(self, first: Var) -> tuple[Exp, ...]:
        """The terms by the index that counts from the first one."""
        assert self.index is not None
        at = Substitute(self.make, {self.var: self.make.add(first, self.index)})
        return tuple([at(term) for term in self.terms])


def _magnitude(values: Interval) -> int:
    """The largest magnitude of integers, at least 1."""
    return int(max(1, -values.low, values.high))
