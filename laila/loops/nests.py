"""Loop nests over index spaces, and reductions: the part of generation that knows no statements of the host.

A nest is split at the breakpoints of its index conditions; folds that do not depend on a loop are computed
before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import (
    Around,
    assigned,
    folds_around,
    is_straight,
    loop_bound,
    memory_of_sequences,
    unconditional,
)
from aplc.laila.ir.interval import Interval
from aplc.laila.ir.ranges import INT32, Ranges
from aplc.laila.ir.scalar import ALSO, QUOT, RAISED, REM, Check, Do, Exp, Fold, FreeVars, Step, Var, nodes
from aplc.laila.ir.simplify import Scalars
from aplc.laila.ir.split import Piece, at_most_once, bound_in, split
from aplc.laila.ir.statements import acts
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block, Carried, Reductions
from aplc.laila.loops.loop_options import LoopOptions
from aplc.laila.loops.values import Values
from aplc.laila.lowering.cycles import Cycle, cycle_of
from aplc.laila.lowering.pull import fill
from aplc.laila.lowering.scalars import chained, joined, neutral
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

Finish = Callable[[Block, tuple[Exp, ...]], None]
"""What is done with expressions once the loops around them stand."""


def in_any_order(loop: l.For, parallel: tuple[l.Reduction, ...] | None, roots: tuple[Exp, ...]) -> l.For:
    """A loop with what it accumulates if its iterations may run at the same time."""
    private = memory_of_sequences(roots) if parallel is not None else None
    return loop if private is None else replace(loop, parallel=parallel, private=private)


@dataclass(frozen=True, slots=True)
class Running:
    """A fold by an associative operator while its loop runs."""

    node: Fold
    op: Prim
    acc: Var
    start: Exp
    nan: Var | None
    """The flag for NaN among the operands of an extremum."""


def _rounded_up(make: Scalars, count: Exp, size: Exp) -> Exp:
    """How many pieces of a size a number of iterations makes, which may be negative."""
    padded = make.add(make.call(p.MAXI, count, make.zero), make.sub(size, make.one))
    return make.call(QUOT, padded, size)


class Nests(Values):
    """The generation of loops and of folds."""

    def __init__(self, make: Scalars, options: LoopOptions) -> None:
        super().__init__(make)
        self.options = options
        self.free = FreeVars()
        self.ranges = Ranges(is_single=make.settings.is_single)

    # --- loops ---

    def nest(
        self,
        axes: list[tuple[Var, Exp]],
        roots: tuple[Exp, ...],
        block: Block,
        finish: Finish,
        reductions: tuple[l.Reduction, ...] | None = (),
    ) -> None:
        """Loops over the axes, outermost first, with `finish` for the values of the roots inside. Without
        reductions they run in order.
        """

        def innermost(inner: Block, inner_roots: tuple[Exp, ...]) -> None:
            finish(inner, self.values(inner_roots, inner))

        self.loops(axes, roots, block, innermost, frozenset(), reductions)

    def loops(
        self,
        axes: list[tuple[Var, Exp]],
        roots: tuple[Exp, ...],
        block: Block,
        build: Finish,
        hidden: frozenset[Var],
        reductions: tuple[l.Reduction, ...] | None = (),
    ) -> None:
        """Loops over the axes with what `build` makes of the roots inside; `hidden` are indices bound
        there.
        """
        if not axes:
            build(block, roots)
            return
        (var, extent), *rest = axes
        unbound = hidden | {v for v, _ in rest}
        for piece in self.pieces(Piece(var, self.make.zero, extent, roots), unbound):
            self.piece(
                piece,
                unbound,
                block,
                lambda inner, r: self.loops(rest, r, inner, build, hidden, reductions),
                reductions,
            )

    def pieces(self, whole: Piece, unbound: frozenset[Var]) -> list[Piece]:
        """The pieces of a range."""
        return split(self.make, self.free, whole, unbound) if self.options.splitting else [whole]

    def piece(
        self,
        piece: Piece,
        unbound: frozenset[Var],
        block: Block,
        build: Finish,
        reductions: tuple[l.Reduction, ...] | None = (),
        *,
        descending: bool = False,
        independent: bool = False,
    ) -> None:
        """A loop over one piece, or its single iteration; none where nothing is left to do in it."""
        make = self.make
        if at_most_once(make, piece):
            substitute = Substitute(make, {piece.var: piece.start})
            roots = tuple([substitute(r) for r in piece.roots])
            self.branch(make.call(p.LTI, piece.start, piece.stop), block, lambda b: build(b, roots))
            return
        if self.options.splitting and reductions is not None and not descending and piece.step == 1:
            cycle = cycle_of(make, self.free, piece, unbound)
            if cycle is not None:
                self.in_rounds(piece, cycle, unbound, block, build, reductions)
                return
        self.hoist(piece, unbound, block)
        inner = block.inner(in_loop=True)
        build(inner, piece.roots)
        if not inner.statements:
            return
        start, stop = self.single(piece.start, block), self.single(loop_bound(make, piece), block)
        parallel = self.accumulated(reductions, inner)
        lanes = parallel if is_straight(inner.statements) else None
        body = tuple(inner.statements)
        loop = l.For(piece.var, start, stop, body, lanes, descending, independent, piece.step)
        carried = block.mode.carried
        if reductions is None and carried is not None:
            loop = replace(loop, running=carried.running)
            parallel = self.accumulated(carried.others, inner)
        block.statements.append(in_any_order(loop, parallel, piece.roots))

    def in_rounds(
        self,
        piece: Piece,
        cycle: Cycle,
        unbound: frozenset[Var],
        block: Block,
        build: Finish,
        reductions: Reductions,
    ) -> None:
        """A loop over one piece, one round after the other: see Note [Rounds of a cycle]."""
        make = self.make
        self.hoist(piece, unbound, block)
        start, stop = self.single(piece.start, block), self.single(loop_bound(make, piece), block)
        length = self.named(self.single(make.call(p.MAXI, cycle.length, make.one), block), block, "cycle")
        ahead = self.single(make.call(REM, make.add(piece.start, cycle.shift), length), block)
        first = make.sub(start, self.named(ahead, block, "ahead"))
        count = self.named(
            self.single(_rounded_up(make, make.sub(stop, first), length), block), block, "rounds"
        )
        number = make.between("round", (make.zero,), make.last_indices(count))
        inner = block.inner(in_loop=True)
        base = make.between("base", (first,), ())
        end = make.between("end", (), (stop,))
        low = base if ahead is make.zero else make.call(p.MAXI, base, start)
        inner.statements.append(l.Declare(base, make.add(first, make.mul(number, length))))
        inner.statements.append(l.Declare(end, make.call(p.MINI, make.add(base, length), stop)))
        lows, highs = (low, piece.start), (*make.last_indices(piece.stop), *make.last_indices(end))
        var = make.between(piece.var.name, lows, highs)
        replaced: dict[Exp, Exp] = {each: make.sub(var, base) for each in cycle.positions}
        substitute = Substitute(make, {**replaced, piece.var: var})
        roots = tuple([substitute(root) for root in piece.roots])
        self.piece(Piece(var, low, end, roots), unbound, inner, build, reductions)
        loop = l.For(number, make.zero, count, tuple(inner.statements))
        block.statements.append(in_any_order(loop, self.accumulated(reductions, inner), roots))

    def carrying(self, block: Block, running: Reductions, others: Reductions = ()) -> Block:
        """The same scope, for loops that are in order because of running values only."""
        is_exact = all(r.op not in (p.ADDD, p.MULD) for r in running)
        is_free = is_exact or not self.make.settings.strict_fp
        return block.under(replace(block.mode, carried=Carried(running, others) if is_free else None))

    def accumulated(self, reductions: Reductions | None, body: Block) -> Reductions | None:
        """What a loop accumulates, its flags included; None if it runs in order."""
        if reductions is None:
            return None
        used = assigned(body.statements)
        flags = [l.Reduction(ALSO, var, self.make.zero) for var in body.flags.variables() if var in used]
        return (*reductions, *flags)

    def branch(self, cond: Exp, block: Block, build: Callable[[Block], None]) -> None:
        """Statements under a condition; without one if it is known to hold."""
        if cond is self.make.true:
            build(block)
        elif cond is not self.make.false:
            inner = block.inner(in_loop=False)
            build(inner)
            block.statements.append(l.If(self.single(cond, block), tuple(inner.statements)))

    def hoist(self, piece: Piece, unbound: frozenset[Var], block: Block) -> None:
        """Compute before a loop the folds and sequences in its body that do not depend on it, nor act."""
        hidden = unbound | bound_in(piece.roots) | {piece.var}
        folds = folds_around(piece.roots)
        for node in unconditional(piece.roots):
            if not isinstance(node, Fold | Do) or block.find(node) is not None or self.free.of(node) & hidden:
                continue
            if acts(node):
                continue
            if not _may_fail(node):
                block.names[id(node)] = self.value(node, block)
            elif id(node) in folds:
                around = folds[id(node)]
                if not any(_may_fail(extent) or self.free.of(extent) & hidden for extent, _ in around):
                    self.guarded(node, around, piece, unbound, block)

    def guarded(
        self,
        node: Fold | Do,
        around: Around,
        piece: Piece,
        unbound: frozenset[Var],
        block: Block,
    ) -> None:
        """What may fail is computed before a loop only if it runs at all, and those further in, and if the
        folds around it come to it.
        """
        runs = self.make.call(p.LTI, piece.start, piece.stop)
        for extent, least in around:
            runs = self.make.call(p.ANDB, runs, self.make.call(p.GTEI, extent, self.make.const(least)))
        for var in sorted(unbound, key=lambda v: v.name):
            for last in var.highs:
                runs = self.make.call(p.ANDB, runs, self.make.call(p.GTEI, last, self.make.zero))
        result = Var(self.make.fresh("s"), node.ty)
        block.statements.append(l.Declare(result, fill(self.make, node.ty), mutable=True))

        def compute(inner: Block) -> None:
            inner.statements.append(l.Assign(result, self.value(node, inner)))

        self.branch(runs, block, compute)
        block.names[id(node)] = result

    # --- folds ---

    def fold(self, node: Fold, block: Block, target: Var | None = None) -> Var:
        """A reduction; its value is a mutable variable afterwards."""
        acc = target or self.accumulator(node)
        if isinstance(node.combine, Step):
            extent = self.single(node.extent, block)
            whole = Piece(node.var, self.make.zero, extent, (node.body,))
            self.fold_from_right(node, node.combine, whole, acc, block)
        else:
            self.folds((self.running(node, node.combine, acc),), block)
        return acc

    def accumulator(self, node: Fold) -> Var:
        """A variable for a reduction, with what is known of its values."""
        found = self.ranges.of(node)
        name = self.make.fresh("s")
        if node.ty is not Base.INT or found is None or not found.within(INT32):
            return Var(name, node.ty)
        low, high = self.make.const(int(found.low)), self.make.const(int(found.high))
        return Var(name, node.ty, lows=(low,), highs=(high,))

    def neutral_among(self, op: Prim, values: Interval | None) -> Exp:
        """What an accumulator starts from: of narrow integers the greatest starts from their least."""
        if op in (p.MAXI, p.MINI) and values is not None and values.within(INT32):
            return self.make.const(int(values.low if op is p.MAXI else values.high))
        return neutral(self.make, op)

    def running(self, node: Fold, op: Prim, acc: Var) -> Running:
        """An associative fold that accumulates into a variable."""
        nan = Var(self.make.fresh("nan"), Base.INT) if op in (p.MAXD, p.MIND) else None
        return Running(node, op, acc, self.neutral_among(op, self.ranges.of(node)), nan)

    def folds(self, running: tuple[Running, ...], block: Block) -> None:
        """Associative folds over one range in one loop: `acc := neutral; for … acc := acc op body`"""
        make = self.make
        reductions = self.declared(running, block)
        first = running[0].node
        extent = self.single(first.extent, block)
        whole = Piece(first.var, make.zero, extent, tuple([each.node.body for each in running]))
        for piece in self.pieces(whole, frozenset()):
            self.folds_of_piece(running, piece, reductions, block)
        for each in running:
            self.completed(each, block)

    def folds_of_piece(
        self, running: Sequence[Running], piece: Piece, reductions: tuple[l.Reduction, ...], block: Block
    ) -> None:
        """Associative folds over one piece of their range."""

        def body(inner: Block, roots: tuple[Exp, ...]) -> None:
            for each, value in zip(running, self.values(roots, inner), strict=True):
                self.accumulate(each, value, inner)

        self.piece(piece, frozenset(), block, body, reductions)

    def declared(self, running: Sequence[Running], block: Block) -> tuple[l.Reduction, ...]:
        """The accumulators of folds, declared, as what a loop may accumulate in lanes."""
        for each in running:
            block.statements.append(l.Declare(each.acc, each.start, mutable=True))
            if each.nan is not None:
                block.statements.append(l.Declare(each.nan, self.make.zero, mutable=True))
        return tuple([reduction for each in running for reduction in self.reductions_of(each)])

    def reductions_of(self, running: Running) -> tuple[l.Reduction, ...]:
        """What a loop may accumulate in lanes for a fold."""
        flag = () if running.nan is None else (l.Reduction(ALSO, running.nan, self.make.zero),)
        return (l.Reduction(running.op, running.acc, running.start), *flag)

    def completed(self, running: Running, block: Block) -> None:
        """The value of a fold after its loop, for NaN and for nothing."""
        make = self.make
        if running.nan is not None:
            is_nan = l.Assign(running.acc, make.const(float("nan")))
            block.statements.append(l.If(make.call(RAISED, running.nan), (is_nan,)))
        self.empty_fold(running.node, running.start, running.acc, block)

    def accumulate(self, running: Running, value: Exp, block: Block) -> None:
        """One more value. Extrema of doubles are compared in lanes; a flag tells of NaN, which wins."""
        make, op, acc = self.make, running.op, running.acc
        if running.nan is None:
            after = joined(make, op, acc, value)
            if after is not acc:
                block.statements.append(l.Assign(acc, after))
            return
        x = self.named(value, block, "x")
        better = p.GTD if op is p.MAXD else p.LTD
        block.statements.append(l.Assign(acc, make.select(make.call(better, x, acc), x, acc)))
        flag = make.call(ALSO, running.nan, self.alarm(make.call(p.EQD, x, x)))
        block.statements.append(l.Assign(running.nan, flag))

    def empty_fold(self, node: Fold, start: Exp, acc: Var, block: Block) -> None:
        """The value for no elements, where it is not what the accumulator starts from."""
        if node.empty is None or node.empty is start:
            return
        empty = node.empty
        none = self.make.call(p.EQI, node.extent, self.make.zero)

        def assign(inner: Block) -> None:
            inner.statements.append(l.Assign(acc, self.single(empty, inner)))

        self.branch(none, block, assign)

    def fold_from_right(self, node: Fold, step: Step, whole: Piece, acc: Var, block: Block) -> None:
        """The last element, then each earlier one combined with what is right of it."""
        make = self.make
        empty = node.empty if node.empty is not None else fill(make, node.ty)
        block.statements.append(l.Declare(acc, self.single(empty, block), mutable=True))
        last = make.sub(whole.stop, make.one)

        def start(inner: Block) -> None:
            body = Substitute(make, {whole.var: last})(node.body)
            inner.statements.append(l.Assign(acc, self.single(body, inner)))

        self.branch(make.call(p.GTI, whole.stop, make.zero), block, start)

        def combine(inner: Block, roots: tuple[Exp, ...]) -> None:
            (element,) = self.values(roots, inner)
            body = Substitute(make, {step.element: element, step.accumulator: acc})(step.body)
            body = chained(make, body, acc)
            inner.statements.append(l.Assign(acc, self.single(body, inner)))

        rest = Piece(whole.var, whole.start, last, whole.roots)
        for piece in reversed(self.pieces(rest, frozenset())):
            self.piece(piece, frozenset(), block, combine, None, descending=True)


def _may_fail(exp: Exp) -> bool:
    """Whether an expression has checks, or statements, which may have some."""
    return any(isinstance(n, Check | Do) for n in nodes(exp))
