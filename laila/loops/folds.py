"""Folds as loops. Long ones are split: sums of narrow integers in blocks, cheap terms with two accumulators.

Note [Sums in narrow lanes]
    A sum of integers has 64 bits, and terms that are computed in 32 would be widened one by one. A block of
    so many terms that their sum cannot leave 32 bits is added up in those, and then the sums of the blocks in
    64: `for i by n { part = 0; for k in i … i+n { part = part + f(k) }; s = s + part }`.

Note [Two halves]
    Each step of a fold waits for the one before it. Where little is computed between them, the loop takes a
    term of the first half of the range and one of the second at a time, for an accumulator each:
    `for k < n÷2 { s = s + f(k); s' = s' + f(k + n÷2) }; s = s + s'`, and the term that may be left over.
    Memory is read in two streams, of which processors fetch more at once than of one.

Note [Folds in squares]
    A fold of folds that reads along its inner axis and across it, as whether `m≡⍉m`, touches a new line of
    the cache for each element that it reads across. Where the operator combines in any order, both axes are
    walked in squares, whose lines are used up before they leave the cache. Where elements are the same on
    both sides of the diagonal of a matrix that is square, those on one side are enough for `∧ ∨ ⌈ ⌊`.

Note [Items of equal lengths]
    Where lengths that belong to an item may differ only if one is 1, no scalar of the host says which holds
    (Note [Lengths that only the run knows] of `maps`): the loop over elements stands twice inside the one
    over items, behind a test of the two lengths. Where they are equal, elements lie side by side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import longest
from aplc.laila.ir.interval_rules import INT32
from aplc.laila.ir.ranges import INDEX_WIDTH
from aplc.laila.ir.scalar import (
    QUOT,
    SMALL,
    BlockExp,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    PureCall,
    Read,
    Select,
    Step,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.split import Piece, at_most_once
from aplc.laila.ir.strides import depends
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.accumulators import Accumulator, Accumulators
from aplc.laila.loops.blocks import Block, Reductions
from aplc.laila.loops.nests import Wanted, in_any_order
from aplc.laila.loops.strategies import Otherwise, in_order
from aplc.laila.lowering.cycles import cycle_of
from aplc.laila.lowering.pull import fill, weigh
from aplc.laila.lowering.scalars import chained
from aplc.laila.transform.register_tiling import SIZES, axis_of_squares
from aplc.tail import prims as p
from aplc.tail.types import Base

SUM_BLOCK = 4096
"""So many narrow integers are added up in narrow lanes, or fewer if their sum might not fit."""

LEAST_SUM_BLOCK = 256
"""Fewer do not pay."""

IN_ANY_ORDER = frozenset((p.ANDB, p.ORB, p.ADDI, p.MAXI, p.MINI))
"""Operators whose outcome does not depend on the order of what they combine."""

EITHER_WAY = frozenset((p.EQI, p.EQD, p.EQB, p.EQC, p.NEQI, p.NEQD, p.NEQB, p.NEQC))
"""Questions about two elements whose order does not matter."""

SHORT = 64
"""A known extent up to which halves do not pay."""


@dataclass(frozen=True, slots=True)
class FoldLoop:
    """A loop over one piece of the range of associative folds."""

    running: tuple[Accumulator, ...]
    piece: Piece
    reductions: Reductions


class Folds:
    """The loops of folds."""

    def __init__(self, accumulators: Accumulators) -> None:
        self.accumulators, self.nests = accumulators, accumulators.nests
        self.make, self.code = accumulators.make, accumulators.code
        ways = (InSquares(accumulators), SumsInBlocks(accumulators), TwoHalves(accumulators))
        self.split = in_order(ways, self.plain)

    def fold(self, node: Fold, block: Block, target: Var | None = None) -> Var:
        """A fold; its value is a mutable variable afterwards."""
        acc = target or self.accumulators.accumulator(node)
        if isinstance(node.combine, Step):
            extent = self.code.single(node.extent, block)
            whole = Piece(node.var, self.make.zero, extent, (node.body,))
            self.from_right(node, node.combine, whole, acc, block)
        else:
            self.together((self.accumulators.running(node, node.combine, acc),), block)
        return acc

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
        if block.in_loop or block.mode.reporting or at_most_once(self.make, wanted.piece):
            self.plain(wanted, block)
        else:
            self.nests.ranges.bind_loop(wanted.piece.var)
            self.split(wanted, block)

    def plain(self, wanted: FoldLoop, block: Block) -> None:
        """One term after the other."""
        self.accumulators.loop(wanted.running, wanted.piece, wanted.reductions, block)

    def from_right(self, node: Fold, step: Step, whole: Piece, acc: Var, block: Block) -> None:
        """The last element, then each earlier one combined with what is right of it."""
        make = self.make
        empty = node.empty if node.empty is not None else fill(make, node.ty)
        block.statements.append(l.Declare(acc, self.code.single(empty, block), mutable=True))
        last = make.sub(whole.stop, make.one)

        def start(inner: Block) -> None:
            body = Substitute(make, {whole.var: last})(node.body)
            inner.statements.append(l.Assign(acc, self.code.single(body, inner)))

        self.nests.branch(make.call(p.GTI, whole.stop, make.zero), block, start)

        def combine(inner: Block, roots: tuple[Exp, ...]) -> None:
            (element,) = self.code.values(roots, inner)
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
        i, j = wanted.piece.var, node.var
        swapped = Substitute(self.make, {i: j, j: i})(node.body)
        is_same = swapped is node.body
        if isinstance(node.body, Call) and isinstance(swapped, Call) and node.body.op in EITHER_WAY:
            is_same = swapped.op is node.body.op and swapped.args == node.body.args[::-1]
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


class TwoHalves:
    """Folds of cheap terms, over the two halves of a range side by side: see Note [Two halves]."""

    def __init__(self, accumulators: Accumulators) -> None:
        self.accumulators, self.nests = accumulators, accumulators.nests
        self.make, self.code = accumulators.make, accumulators.code

    def generate(self, wanted: FoldLoop, block: Block, otherwise: Otherwise[FoldLoop]) -> None:
        """Folds in two halves if all wait for what they accumulate."""
        piece = wanted.piece
        terms = zip(wanted.running, piece.roots, strict=True)
        waits = all(self.waits(running, term) for running, term in terms)
        if waits and cycle_of(self.make, self.nests.free, piece, frozenset()) is None:
            self.in_halves(wanted, block)
        else:
            otherwise(wanted, block)

    def waits(self, running: Accumulator, term: Exp) -> bool:
        """Whether a fold waits for its operator, or for memory, rather than for its terms."""
        most = longest(running.node.extent)
        is_short = most is not None and most <= SHORT
        halves = self.nests.options.halves
        if running.op not in halves.operators or is_short or weigh(term).cost > halves.cost:
            return False
        return not contains(Check | Fold | BlockExp, term)

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
        self.accumulators.loop((*running, *others), both, together, block)
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
        better = p.GTD if running.op is p.MAXD else p.LTD
        return self.make.select(self.make.call(better, other, acc), other, acc)
