"""From the program of SOACs to loops: sequential code for one thread.

Each MAP and each fold becomes a loop nest, split at the breakpoints of its index conditions; what an
expression shares is computed once and named; checks inside loops raise a flag that is tested after the
loop. Loops whose body depends on a condition marked likely exist twice: for when all such conditions hold,
and for when they do not.
"""

from __future__ import annotations

from collections.abc import Callable

from laila import loops as l
from laila.analysis import (
    assigned,
    assigning,
    is_straight,
    loop_bound,
    unconditional,
)
from laila.lower_scalars import neutral
from laila.order import wants_inner
from laila.program import Alloc, Free, HostCheck, HostLet, Map, Output, Program, Put, ScalarRef, Statement
from laila.pull import fill
from laila.scalar import (
    ALSO,
    RAISED,
    Buffer,
    Check,
    Exp,
    Fold,
    FreeVars,
    Step,
    Var,
    nodes,
)
from laila.simplify import Scalars, Substitute
from laila.split import Piece, at_most_once, bound_in, split
from laila.values import Block, Values
from tail import prims as p
from tail.prims import Prim
from tail.types import Base

Finish = Callable[[Block, tuple[Exp, ...]], None]
"""What is done with expressions once the loops around them stand."""


def generate(program: Program, make: Scalars, *, splitting: bool = True) -> tuple[l.Stm, ...]:
    """The statements of a whole program."""
    return Generator(make, splitting).program(program)


class Generator(Values):
    """The state of one generation."""

    def __init__(self, make: Scalars, splitting: bool) -> None:
        super().__init__(make)
        self.splitting = splitting
        self.free = FreeVars()

    # --- host statements ---

    def program(self, program: Program) -> tuple[l.Stm, ...]:
        """All statements in order."""
        block = Block(None, False)
        for statement in program.statements:
            first = len(block.statements)
            self.statement(statement, block)
            flags, self.flags = self.flags, {}
            declared = [l.Declare(flag, self.make.zero, mutable=True) for flag in flags.values()]
            block.statements[first:first] = declared
            for site, flag in flags.items():
                raised = self.make.call(RAISED, flag)
                block.statements.append(l.Fail(self.make.call(p.NOTB, raised), site, ()))
        return tuple(block.statements)

    def statement(self, statement: Statement, block: Block) -> None:
        """One statement of the host."""
        match statement:
            case HostLet(var=var, value=value):
                self.versioned((value,), block, lambda b, roots: self.host_let(var, roots[0], b), var)
            case Alloc(buffer=buffer, size=size, site=site):
                block.statements.append(l.Allocate(buffer, self.single(size, block), site))
            case Free(buffer=buffer):
                block.statements.append(l.Release(buffer))
            case Map():
                roots = (statement.body, statement.position, *statement.space.extents)
                self.versioned(roots, block, lambda b, roots: self.map(statement, roots, b))
            case Put(buffer=buffer, position=position, value=value):
                block.statements.append(l.Store(buffer, position, self.single(value, block)))
            case HostCheck(ok=ok, site=site, reported=reported):
                values = self.values((ok, *reported), block)
                block.statements.append(l.Fail(values[0], site, values[1:]))
            case Output(value=ScalarRef(value=value), is_result=is_result):
                block.statements.append(l.Emit(ScalarRef(self.single(value, block)), is_result))
            case Output(value=value, is_result=is_result):
                block.statements.append(l.Emit(value, is_result))

    def host_let(self, var: Var, value: Exp, block: Block) -> None:
        """A host scalar; a fold accumulates in the variable itself."""
        if isinstance(value, Fold) and block.find(value) is None:
            self.fold(value, block, var)
        else:
            computed = self.single(value, block)
            block.statements.append(l.Declare(var, computed))

    def versioned(
        self, roots: tuple[Exp, ...], block: Block, build: Finish, result: Var | None = None
    ) -> None:
        """One version if no likely condition occurs; else one where all hold, and one for the rest."""
        likely = [n for n in nodes(*roots) if isinstance(n, Var) and n.likely]
        has_loop = result is None or any(isinstance(n, Fold) for n in nodes(*roots))
        if not likely or not has_loop:
            build(block, roots)
            return
        cond: Exp = self.make.true
        for var in likely:
            cond = self.make.call(p.ANDB, cond, var)
        substitute = Substitute(self.make, {var: self.make.true for var in likely})
        fast, slow = block.inner(in_loop=False), block.inner(in_loop=False)
        build(fast, tuple([substitute(r) for r in roots]))
        build(slow, roots)
        versions = [tuple(fast.statements), tuple(slow.statements)]
        if result is not None:
            block.statements.append(l.Declare(result, None, mutable=True))
            versions = [assigning(v, result) for v in versions]
        block.statements.append(l.If(cond, versions[0], versions[1]))

    def map(self, statement: Map, roots: tuple[Exp, ...], block: Block) -> None:
        """A MAP as a loop nest."""
        body, position, *extents = roots
        axes = list(zip(statement.space.indices, extents, strict=True))
        fold = self.fold_to_interchange(body, axes[-1][0], statement.buffer) if axes else None
        if fold is not None:
            self.map_of_folds(statement.buffer, axes, fold, body, position, block)
            return

        def store(inner: Block, values: tuple[Exp, ...]) -> None:
            inner.statements.append(l.Store(statement.buffer, values[1], values[0]))

        self.nest(axes, (body, position), block, store)

    def fold_to_interchange(self, body: Exp, index: Var, buffer: Buffer) -> Fold | None:
        """The only fold of a MAP's body, if it should run outside the innermost axis and can accumulate
        there.
        """
        folds = [n for n in nodes(body) if isinstance(n, Fold)]
        if len(folds) != 1 or folds[0].ty is not buffer.ty:
            return None
        (fold,) = folds
        is_certain = any(n is fold for n in unconditional((body,)))
        return fold if is_certain and wants_inner(self.make, self.free, fold, index) else None

    def map_of_folds(
        self,
        buffer: Buffer,
        axes: list[tuple[Var, Exp]],
        fold: Fold,
        body: Exp,
        position: Exp,
        block: Block,
    ) -> None:
        """A MAP with the innermost axis inside the fold of its body: rows accumulate in place.

        What the body makes of the fold is done to each row when it is complete.
        """
        make = self.make
        op = fold.combine
        assert isinstance(op, Prim)
        start: Exp = neutral(make, op)
        if fold.empty is not None and fold.empty is not start:
            start = make.select(make.call(p.EQI, fold.extent, make.zero), fold.empty, start)

        def clear(inner: Block, values: tuple[Exp, ...]) -> None:
            inner.statements.append(l.Store(buffer, values[1], values[0]))

        def accumulate(inner: Block, values: tuple[Exp, ...]) -> None:
            before = make.read(buffer, values[1])
            inner.statements.append(l.Store(buffer, values[1], make.call(op, before, values[0])))

        def row(inner: Block, roots: tuple[Exp, ...]) -> None:
            first, element, place, stop, extent, *rest = roots
            (index, _) = axes[-1]
            self.nest([(index, stop)], (first, place), inner, clear)
            self.nest([(fold.var, extent), (index, stop)], (element, place), inner, accumulate)
            if rest:
                self.nest([(index, stop)], (rest[0], place), inner, clear)

        roots: tuple[Exp, ...] = (start, fold.body, position, axes[-1][1], fold.extent)
        if body is not fold:
            roots = (*roots, Substitute(make, {fold: make.read(buffer, position)})(body))
        self.loops(axes[:-1], roots, block, row, frozenset((fold.var, axes[-1][0])))

    # --- loops ---

    def nest(self, axes: list[tuple[Var, Exp]], roots: tuple[Exp, ...], block: Block, finish: Finish) -> None:
        """Loops over the axes, outermost first, with `finish` for the values of the roots inside."""

        def innermost(inner: Block, inner_roots: tuple[Exp, ...]) -> None:
            finish(inner, self.values(inner_roots, inner))

        self.loops(axes, roots, block, innermost, frozenset())

    def loops(
        self,
        axes: list[tuple[Var, Exp]],
        roots: tuple[Exp, ...],
        block: Block,
        build: Finish,
        hidden: frozenset[Var],
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
            self.piece(piece, unbound, block, lambda inner, r: self.loops(rest, r, inner, build, hidden))

    def pieces(self, whole: Piece, unbound: frozenset[Var]) -> list[Piece]:
        """The pieces of a range."""
        return split(self.make, self.free, whole, unbound) if self.splitting else [whole]

    def piece(
        self,
        piece: Piece,
        unbound: frozenset[Var],
        block: Block,
        build: Finish,
        reductions: tuple[l.Reduction, ...] | None = (),
        *,
        descending: bool = False,
    ) -> None:
        """A loop over one piece, or its single iteration."""
        make = self.make
        if at_most_once(make, piece):
            substitute = Substitute(make, {piece.var: piece.start})
            roots = tuple([substitute(r) for r in piece.roots])
            self.branch(make.call(p.LTI, piece.start, piece.stop), block, lambda b: build(b, roots))
            return
        self.hoist(piece, unbound, block)
        inner = block.inner(in_loop=True)
        build(inner, piece.roots)
        start, stop = self.single(piece.start, block), self.single(loop_bound(make, piece), block)
        lanes = reductions if is_straight(inner.statements) else None
        flags = [l.Reduction(ALSO, flag) for flag in self.flags.values()]
        if lanes is not None:
            used = assigned(inner.statements)
            lanes = (*lanes, *[f for f in flags if f.var in used])
        block.statements.append(l.For(piece.var, start, stop, tuple(inner.statements), lanes, descending))

    def branch(self, cond: Exp, block: Block, build: Callable[[Block], None]) -> None:
        """Statements under a condition; without one if it is known to hold."""
        if cond is self.make.true:
            build(block)
        elif cond is not self.make.false:
            inner = block.inner(in_loop=False)
            build(inner)
            block.statements.append(l.If(self.single(cond, block), tuple(inner.statements)))

    def hoist(self, piece: Piece, unbound: frozenset[Var], block: Block) -> None:
        """Compute before a loop the folds in its body that do not depend on it."""
        hidden = unbound | bound_in(piece.roots) | {piece.var}
        for node in unconditional(piece.roots):
            if not isinstance(node, Fold) or block.find(node) is not None or self.free.of(node) & hidden:
                continue
            if any(isinstance(n, Check) for n in nodes(node)):
                self.guarded_fold(node, piece, unbound, block)
            else:
                block.names[id(node)] = self.fold(node, block)

    def guarded_fold(self, node: Fold, piece: Piece, unbound: frozenset[Var], block: Block) -> None:
        """A fold that may fail is computed before a loop only if it runs at all, and those further in."""
        runs = self.make.call(p.LTI, piece.start, piece.stop)
        for var in sorted(unbound, key=lambda v: v.name):
            for last in var.highs:
                runs = self.make.call(p.ANDB, runs, self.make.call(p.GTEI, last, self.make.zero))
        result = Var(self.make.fresh("s"), node.ty)
        block.statements.append(l.Declare(result, fill(self.make, node.ty), mutable=True))

        def compute(inner: Block) -> None:
            inner.statements.append(l.Assign(result, self.fold(node, inner)))

        self.branch(runs, block, compute)
        block.names[id(node)] = result

    # --- folds ---

    def fold(self, node: Fold, block: Block, target: Var | None = None) -> Var:
        """A reduction; its value is a mutable variable afterwards."""
        acc = target or Var(self.make.fresh("s"), node.ty)
        extent = self.single(node.extent, block)
        whole = Piece(node.var, self.make.zero, extent, (node.body,))
        if isinstance(node.combine, Step):
            self.fold_from_right(node, node.combine, whole, acc, block)
        elif node.combine in (p.MAXD, p.MIND):
            self.fold_extremum(node, node.combine, whole, acc, block)
        else:
            self.fold_associative(node, node.combine, whole, acc, block)
        return acc

    def fold_associative(self, node: Fold, op: Prim, whole: Piece, acc: Var, block: Block) -> None:
        """`acc := neutral; for … acc := acc op body`"""
        start = neutral(self.make, op)
        block.statements.append(l.Declare(acc, start, mutable=True))

        def accumulate(inner: Block, values: tuple[Exp, ...]) -> None:
            combined = self.make.call(op, acc, values[0])
            inner.statements.append(l.Assign(acc, combined))

        self.accumulate(whole, accumulate, (l.Reduction(op, acc),), block)
        self.empty_fold(node, start, acc, block)

    def fold_extremum(self, node: Fold, op: Prim, whole: Piece, acc: Var, block: Block) -> None:
        """A maximum or minimum of doubles: comparison in lanes, and a flag for NaN, which wins in the end."""
        make = self.make
        start = neutral(make, op)
        nan = Var(make.fresh("nan"), Base.INT)
        block.statements.append(l.Declare(acc, start, mutable=True))
        block.statements.append(l.Declare(nan, make.zero, mutable=True))
        better = p.GTD if op is p.MAXD else p.LTD

        def accumulate(inner: Block, values: tuple[Exp, ...]) -> None:
            x = self.named(values[0], inner, "x")
            chosen = make.select(make.call(better, x, acc), x, acc)
            inner.statements.append(l.Assign(acc, chosen))
            inner.statements.append(l.Assign(nan, make.call(ALSO, nan, self.alarm(make.call(p.EQD, x, x)))))

        self.accumulate(whole, accumulate, (l.Reduction(op, acc), l.Reduction(ALSO, nan)), block)
        block.statements.append(l.If(make.call(RAISED, nan), (l.Assign(acc, make.const(float("nan"))),)))
        self.empty_fold(node, start, acc, block)

    def accumulate(
        self, whole: Piece, accumulate: Finish, reductions: tuple[l.Reduction, ...], block: Block
    ) -> None:
        """The loops of a fold, in pieces."""

        def body(inner: Block, roots: tuple[Exp, ...]) -> None:
            accumulate(inner, self.values(roots, inner))

        for piece in self.pieces(whole, frozenset()):
            self.piece(piece, frozenset(), block, body, reductions)

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
            inner.statements.append(l.Assign(acc, self.single(body, inner)))

        rest = Piece(whole.var, whole.start, last, whole.roots)
        for piece in reversed(self.pieces(rest, frozenset())):
            self.piece(piece, frozenset(), block, combine, None, descending=True)
