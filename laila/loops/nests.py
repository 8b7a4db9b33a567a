"""Loop nests over index spaces: the part of generation that knows no statements of the host, and no folds.

A nest is split at the breakpoints of its index conditions; folds that do not depend on a loop are computed
before it. A loop over one piece of a range is made by the first strategy that applies, and else by `plain`.
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
from aplc.laila.ir.breakpoint_walk import Walk, walk
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import (
    BIT_OR,
    QUOT,
    BlockExp,
    Call,
    Check,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.split import Piece, at_most_once, bound_in, split
from aplc.laila.ir.statements import acts
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block, Carried, Reductions
from aplc.laila.loops.loop_options import LoopOptions
from aplc.laila.loops.straight_code import StraightCode
from aplc.laila.loops.strategies import Otherwise, Strategy, in_order
from aplc.laila.lowering.pull import cost_of, fill
from aplc.tail import prims as p
from aplc.tail.types import Base

LONG = 20
"""Calls of this weight, as logarithms, are computed before a loop in which they are the same each time."""

Axes = list[tuple[Var, Exp]]
"""Indices, outermost first, each with its extent."""

EmitBody = Callable[[Block, tuple[Exp, ...]], None]
"""What is done with expressions once the loops around them stand."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A loop over one piece of a range that is to be made."""

    piece: Piece
    build: EmitBody
    """What is made of the roots inside."""
    unbound: frozenset[Var] = frozenset()
    """The indices of loops further in."""
    reductions: Reductions | None = ()
    """What it accumulates; None if it runs in order."""
    descending: bool = False
    independent: bool = False
    """Whether its iterations are known not to touch the same memory."""
    rounds: int = 0
    """In how many loops of rounds it is already, see `cycles`."""
    changing: frozenset[Var] = frozenset()
    """The variables that its iterations change and read, as running values."""

    @property
    def hidden(self) -> frozenset[Var]:
        """What has no value before the loop that would be the one inside."""
        return self.unbound | self.changing

    @property
    def may_be_in_lanes(self) -> bool:
        """Whether it is an innermost loop, whose iterations may run in any order."""
        return self.reductions is not None and not self.descending and not self.unbound

    def over(self, piece: Piece) -> Wanted:
        """A loop with the same inside over another piece, of which nothing else is known."""
        return Wanted(
            piece, self.build, self.unbound, self.reductions, rounds=self.rounds, changing=self.changing
        )


LoopStrategies = Sequence[Strategy[Wanted]]


def in_any_order(loop: l.For, parallel: Reductions | None, roots: tuple[Exp, ...]) -> l.For:
    """A loop with what it accumulates if its iterations may run at the same time."""
    private = memory_of_sequences(roots) if parallel is not None else None
    return loop if private is None else replace(loop, parallel=parallel, private=private)


class Nests:
    """The builder of loops. What they contain is straight code, and what callers add to it; `strategies` are
    tried in order for each loop over a piece.
    """

    def __init__(
        self, code: StraightCode, options: LoopOptions, strategies: Callable[[Nests], LoopStrategies]
    ) -> None:
        self.make, self.code, self.options = code.make, code, options
        self.free = FreeVars()
        self.ranges = Ranges(is_single=code.make.settings.is_single)
        self.by_strategy = in_order(strategies(self), self.plain)

    def nest(
        self,
        axes: Axes,
        roots: tuple[Exp, ...],
        block: Block,
        finish: EmitBody,
        reductions: Reductions | None = (),
    ) -> None:
        """Loops over the axes, outermost first, with `finish` for the values of the roots inside. Without
        reductions they run in order.
        """

        def innermost(inner: Block, inner_roots: tuple[Exp, ...]) -> None:
            finish(inner, self.code.values(inner_roots, inner))

        self.loops(axes, roots, block, innermost, frozenset(), reductions)

    def loops(
        self,
        axes: Axes,
        roots: tuple[Exp, ...],
        block: Block,
        build: EmitBody,
        hidden: frozenset[Var],
        reductions: Reductions | None = (),
        changing: frozenset[Var] = frozenset(),
    ) -> None:
        """Loops over the axes with what `build` makes of the roots inside; `hidden` are indices bound
        there, and `changing` variables that change there.
        """
        if not axes:
            build(block, roots)
            return
        (var, extent), *rest = axes
        unbound = hidden | {v for v, _ in rest}

        def inside(inner: Block, roots: tuple[Exp, ...]) -> None:
            self.loops(rest, roots, inner, build, hidden, reductions, changing)

        whole = Piece(var, self.make.zero, extent, roots)
        self.in_pieces(Wanted(whole, inside, unbound, reductions, changing=changing), block)

    def in_pieces(self, wanted: Wanted, block: Block) -> None:
        """The loops over the pieces of a range: one loop over all of them where it is a walk."""
        pieces = self.pieces(wanted.piece, wanted.unbound)
        if not self.walks(wanted, pieces, block):
            for piece in pieces:
                self.loop(wanted.over(piece), block)

    def walks(self, wanted: Wanted, pieces: list[Piece], block: Block) -> bool:
        """Whether a range with these pieces is a walk, which is then made."""
        found = walk(self.make, self.free, wanted.piece, pieces) if wanted.may_be_in_lanes else None
        if found is not None:
            self.walked(found, wanted, block)
        return found is not None

    def walked(self, walk: Walk, wanted: Wanted, block: Block) -> None:
        """The loop over the pieces of a walk, see Note [Walks] of `breakpoint_walk`."""
        make = self.make
        start = Var(make.fresh("next"), Base.INT)
        block.statements.append(l.Declare(start, self.code.single(walk.start, block), mutable=True))
        stop = self.code.named(self.code.single(walk.stop, block), block, "stop")
        ends = [self.code.named(self.code.single(end, block), block, "end") for end in walk.ends]
        round_ = block.inner(in_loop=False)
        round_.statements.append(l.Declare(walk.low, start))
        high = stop
        for end in ends:
            above = make.select(make.call(p.LTI, walk.low, end), end, stop)
            high = make.call(p.MINI, high, above)
        for var, value in (*walk.tests, *walk.distances, (walk.high, high)):
            round_.statements.append(l.Declare(var, self.code.single(value, round_)))
        self.loop(replace(wanted, piece=walk.piece), round_)
        round_.statements.append(l.Assign(start, walk.high))
        block.statements.append(l.While(make.call(p.LTI, start, stop), tuple(round_.statements)))

    def pieces(self, whole: Piece, unbound: frozenset[Var]) -> list[Piece]:
        """The pieces of a range."""
        return split(self.make, self.free, whole, unbound) if self.options.splitting else [whole]

    def loop(self, wanted: Wanted, block: Block) -> None:
        """A loop over one piece, as the first strategy makes it that applies."""
        self.by_strategy(wanted, block)

    def plain(self, wanted: Wanted, block: Block) -> None:
        """A loop that does one iteration after the other."""
        piece, reductions = wanted.piece, wanted.reductions
        self.hoist(piece, wanted.hidden, block)
        inner = block.inner(in_loop=True)
        wanted.build(inner, piece.roots)
        if not inner.statements:
            return
        start, stop = self.bounds(piece, block)
        parallel = self.accumulated(reductions, inner)
        in_lanes = is_straight(inner.statements)
        in_scalars = in_lanes and block.mode.in_scalars and bool(reductions)
        lanes = parallel if in_lanes and not in_scalars else None
        body = tuple(inner.statements)
        loop = l.For(piece.var, start, stop, body, lanes, wanted.descending, wanted.independent, piece.step)
        loop = replace(loop, in_scalars=in_scalars)
        carried = block.mode.carried
        if reductions is None and carried is not None:
            loop = replace(loop, running=carried.running)
            parallel = self.accumulated(carried.others, inner)
        block.statements.append(in_any_order(loop, parallel, piece.roots))

    def bounds(self, piece: Piece, block: Block) -> tuple[Exp, Exp]:
        """From where and up to where a loop over a piece runs."""
        return self.code.single(piece.start, block), self.code.single(loop_bound(self.make, piece), block)

    def blocks(
        self,
        extent: Exp,
        size: int,
        block: Block,
        build: Callable[[Block, Exp, Exp], None],
        *,
        in_order: bool = False,
        about: Exp | None = None,
        reductions: Reductions = (),
    ) -> None:
        """A range in blocks, with what `build` makes of the bounds of one; a short range is one block. There
        are `about` so many of them; all of them accumulate the reductions.
        """
        make = self.make
        stop = self.code.single(extent, block)
        if make.at_least(make.const(size), stop):
            self.branch(make.call(p.LTI, make.zero, stop), block, lambda b: build(b, make.zero, stop))
            return
        start = make.index("start", stop)
        inner = block.inner(in_loop=True)
        after = make.add(start, make.const(size))
        end = self.bound("stop", make.call(p.MINI, after, stop), inner, (start,), (after, stop))
        build(inner, start, end)
        parallel = self.accumulated(None if in_order else reductions, inner)
        loop = l.For(
            start, make.zero, stop, tuple(inner.statements), step=size, parallel=parallel, about=about
        )
        carried = block.mode.carried
        if in_order and carried is not None:
            parallel = self.accumulated(carried.others, inner)
            loop = replace(loop, parallel=parallel, running=carried.running)
        block.statements.append(loop)

    def end_of_whole(self, piece: Piece, many: Exp, block: Block) -> Exp:
        """The end of the part of a range that is a multiple of a number of steps."""
        make = self.make
        length = make.call(p.MAXI, make.sub(piece.stop, piece.start), make.zero)
        whole = make.add(piece.start, make.mul(many, make.call(QUOT, length, many)))
        return self.bound("whole", whole, block, (piece.start,), (piece.stop,))

    def bound(
        self, hint: str, value: Exp, block: Block, lows: tuple[Exp, ...], highs: tuple[Exp, ...]
    ) -> Exp:
        """The end of a range as a variable with what is known of it."""
        computed = self.code.single(value, block)
        if isinstance(computed, Var) or not self.free.of(computed):
            return computed
        var = self.make.between(hint, lows, highs)
        block.statements.append(l.Declare(var, computed))
        return var

    # --- scopes ---

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
        flags = [l.Reduction(BIT_OR, var, self.make.zero) for var in body.flags.variables() if var in used]
        return (*reductions, *flags)

    def branch(self, cond: Exp, block: Block, build: Callable[[Block], None]) -> None:
        """Statements under a condition; without one if it is known to hold."""
        if cond is self.make.true:
            build(block)
        elif cond is not self.make.false:
            inner = block.inner(in_loop=False)
            build(inner)
            block.statements.append(l.If(self.code.single(cond, block), tuple(inner.statements)))

    def one_of(
        self, cond: Exp, block: Block, then: Callable[[Block], None], other: Callable[[Block], None]
    ) -> None:
        """Statements for when a condition holds, or for when it does not; no condition if that is known."""
        if cond in (self.make.true, self.make.false):
            (then if cond is self.make.true else other)(block)
            return
        test = self.code.single(cond, block)
        first, second = block.inner(in_loop=False), block.inner(in_loop=False)
        then(first)
        other(second)
        block.statements.append(l.If(test, tuple(first.statements), tuple(second.statements)))

    # --- before a loop ---

    def hoist(self, piece: Piece, unbound: frozenset[Var], block: Block) -> None:
        """Compute before a loop what in its body does not depend on it: folds and sequences that do not act,
        and long calls.
        """
        hidden = unbound | bound_in(piece.roots) | {piece.var}
        folds: dict[int, Around] | None = None  # asked for rarely
        same = [node for node in unconditional(piece.roots) if not self.free.of(node) & hidden]
        for node in same:
            if not isinstance(node, Fold | BlockExp) or block.find(node) is not None:
                continue
            if acts(node):
                continue
            if not _may_fail(node):
                block.names[id(node)] = self.code.value(node, block)
                continue
            folds = folds_around(piece.roots) if folds is None else folds
            around = folds.get(id(node))
            if around is None or any(_may_fail(e) or self.free.of(e) & hidden for e, _ in around):
                continue
            self.guarded(node, around, piece, unbound, block)
        for node in same:
            if isinstance(node, Call) and cost_of(node) >= LONG and self.is_of_scalars(node, block):
                block.names[id(node)] = self.code.named(self.code.value(node, block), block, "t")

    def is_of_scalars(self, exp: Exp, block: Block) -> bool:
        """Whether an expression reads no memory, which a loop may change, and cannot fail."""
        own = nodes(exp, below=lambda e: () if block.find(e) is not None else operands(e))
        return all(
            [
                block.find(e) is not None or not isinstance(e, Read | PureCall | Fold | Check | BlockExp)
                for e in own
            ]
        )

    def guarded(
        self,
        node: Fold | BlockExp,
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
            inner.statements.append(l.Assign(result, self.code.value(node, inner)))

        self.branch(runs, block, compute)
        block.names[id(node)] = result


class SingleIteration:
    """Pieces that have one iteration at most, which needs no loop."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.make = nests, nests.make

    def generate(self, wanted: Wanted, block: Block, otherwise: Otherwise[Wanted]) -> None:
        """The iteration, under the condition that there is one; nothing of an empty piece."""
        make, piece = self.make, wanted.piece
        if make.at_least(piece.start, piece.stop):
            return
        if not at_most_once(make, piece):
            otherwise(wanted, block)
            return
        substitute = Substitute(make, {piece.var: piece.start})
        roots = tuple([substitute(root) for root in piece.roots])
        runs = make.call(p.LTI, piece.start, piece.stop)
        self.nests.branch(runs, block, lambda inner: wanted.build(inner, roots))


def _may_fail(exp: Exp) -> bool:
    """Whether an expression has checks, or statements, which may have some."""
    return contains(Check | BlockExp, exp)
