"""Accumulators of folds by associative operators: what they start from, and how they take in a value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from aplc.laila.ir import loops as l
from aplc.laila.ir.interval import Interval
from aplc.laila.ir.interval_rules import INT32
from aplc.laila.ir.scalar import (
    BIT_OR,
    PLACES,
    RAISED,
    SMALL,
    BlockExp,
    Call,
    Exp,
    Fold,
    PureCall,
    Read,
    Var,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import Piece
from aplc.laila.loops.blocks import Block, Reductions
from aplc.laila.loops.nests import Nests, Wanted
from aplc.laila.lowering.scalars import joined, neutral
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base


@dataclass(frozen=True, slots=True)
class Accumulator:
    """A fold by an associative operator while its loop runs."""

    node: Fold
    op: Prim
    acc: Var
    start: Exp
    nan: Var | None
    """The flag for NaN among the operands of an extremum, which may be one."""


def neutral_among(make: ExprBuilder, op: Prim, values: Interval | None) -> Exp:
    """What an accumulator starts from: of narrow integers the greatest starts from their least."""
    if op in (p.MAXI, p.MINI) and values is not None and values.within(INT32):
        return make.const(int(values.low if op is p.MAXI else values.high))
    return neutral(make, op)


def combined(make: ExprBuilder, op: Prim, before: Exp, value: Exp) -> Exp:
    """`before op value`. Comparisons of numbers choose: C compilers put that in lanes, but not `&` of
    bytes and the outcome of wider operands.
    """
    leaves = [n for n in nodes(value, below=_above_reads) if isinstance(n, Read | Var)]
    if op not in (p.ANDB, p.ORB) or all(n.ty is Base.BOOL for n in leaves):
        return joined(make, op, before, value)
    if op is p.ANDB:
        return make.select(value, before, make.false)
    return make.select(value, make.true, before)


def better(make: ExprBuilder, op: Prim, before: Exp, number: Exp) -> Exp:
    """The extremum of a double and one that is no NaN, by a comparison."""
    return make.select(make.call(p.GTD if op is p.MAXD else p.LTD, number, before), number, before)


def _above_reads(exp: Exp) -> Iterable[Exp]:
    """The operands of an expression, without those that tell where something is read."""
    return () if isinstance(exp, Read) else operands(exp)


@dataclass(frozen=True, slots=True)
class FoldLoop:
    """A loop over one piece of the range of associative folds."""

    running: tuple[Accumulator, ...]
    piece: Piece
    reductions: Reductions


class Accumulators:
    """The variables in which folds accumulate."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.code, self.make, self.ranges = nests, nests.code, nests.make, nests.ranges

    def accumulator(self, node: Fold) -> Var:
        """A variable for a reduction, with what is known of its values."""
        found = self.ranges.of(node)
        name = self.make.fresh("s")
        if node.ty is not Base.INT or found is None or not found.within(INT32):
            return Var(name, node.ty)
        low, high = self.make.const(int(found.low)), self.make.const(int(found.high))
        return Var(name, node.ty, lows=(low,), highs=(high,))

    def running(self, node: Fold, op: Prim, acc: Var) -> Accumulator:
        """An associative fold that accumulates into a variable."""
        may_be_nan = op in (p.MAXD, p.MIND) and self.ranges.of(node.body) is None
        nan = Var(self.make.fresh("nan"), Base.INT) if may_be_nan else None
        return Accumulator(node, op, acc, neutral_among(self.make, op, self.ranges.of(node)), nan)

    def declared(self, running: Sequence[Accumulator], block: Block) -> Reductions:
        """The accumulators of folds, declared, as what a loop may accumulate in lanes."""
        for each in running:
            bits = self.least_bits(each)
            block.statements.append(l.Declare(each.acc, each.start, mutable=True, bits=bits))
            if each.nan is not None:
                block.statements.append(l.Declare(each.nan, self.make.zero, mutable=True))
        return tuple([reduction for each in running for reduction in self.reductions_of(each)])

    def least_bits(self, running: Accumulator) -> int:
        """The fewest bits in which a fold accumulates: sums of narrow terms take theirs, for the bounds of
        narrow accumulators hold for the sums of any of their terms.
        """
        is_short = running.op is p.ADDI and self.nests.options.has_memory
        return 16 if is_short and self.is_narrow(running.node.body, 16) else 32

    def is_narrow(self, term: Exp, bits: int) -> bool:
        """Whether a term is computed from integers of so many bits at most."""

        def below(exp: Exp) -> tuple[Exp, ...]:
            is_whole = isinstance(exp, Read) or (isinstance(exp, Call) and exp.op is SMALL)
            return () if is_whole else tuple(operands(exp))

        return not any(
            not node.ty.is_exact
            or isinstance(node, Fold | BlockExp)
            or (isinstance(node, PureCall) and node.header != PLACES)
            or self.ranges.width(node) > bits
            for node in nodes(term, below=below)
        )

    def reductions_of(self, running: Accumulator) -> Reductions:
        """What a loop may accumulate in lanes for a fold."""
        flag = () if running.nan is None else (l.Reduction(BIT_OR, running.nan, self.make.zero),)
        return (l.Reduction(running.op, running.acc, running.start), *flag)

    def loop(
        self, running: Sequence[Accumulator], piece: Piece, reductions: Reductions, block: Block
    ) -> None:
        """A loop over one piece of the range of folds, which take in what its roots give."""

        def body(inner: Block, roots: tuple[Exp, ...]) -> None:
            for each, value in zip(running, self.code.values(roots, inner), strict=True):
                self.accumulate(each, value, inner)

        self.nests.loop(Wanted(piece, body, reductions=reductions), block)

    def accumulate(self, running: Accumulator, value: Exp, block: Block) -> None:
        """One more value. Extrema of doubles are compared in lanes; a flag tells of NaN, which wins."""
        make, op, acc = self.make, running.op, running.acc
        if op not in (p.MAXD, p.MIND):
            before = Var(acc.name, acc.ty) if acc.is_index else acc  # what is known holds behind the loop
            after = joined(make, op, before, value)
            if after is not before:
                block.statements.append(l.Assign(acc, after))
            return
        x = self.code.named(value, block, "x")
        block.statements.append(l.Assign(acc, better(make, op, acc, x)))
        if running.nan is not None:
            flag = make.call(BIT_OR, running.nan, self.code.alarm(make.call(p.EQD, x, x)))
            block.statements.append(l.Assign(running.nan, flag))

    def completed(self, running: Accumulator, block: Block) -> None:
        """The value of a fold after its loop, for NaN and for nothing."""
        make = self.make
        if running.nan is not None:
            is_nan = l.Assign(running.acc, make.const(float("nan")))
            block.statements.append(l.If(make.call(RAISED, running.nan), (is_nan,)))
        self.empty_fold(running.node, running.start, running.acc, block)

    def empty_fold(self, node: Fold, start: Exp, acc: Var, block: Block) -> None:
        """The value for no elements, where it is not what the accumulator starts from."""
        if node.empty is None or node.empty is start:
            return
        empty = node.empty
        none = self.make.call(p.EQI, node.extent, self.make.zero)

        def assign(inner: Block) -> None:
            inner.statements.append(l.Assign(acc, self.code.single(empty, inner)))

        self.nests.branch(none, block, assign)
