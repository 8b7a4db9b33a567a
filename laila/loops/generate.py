"""From the program of SOACs to loops: sequential code for one thread.

Each MAP and each fold becomes a loop nest, split at the breakpoints of its index conditions; what an
expression shares is computed once and named; checks inside loops raise a flag that is tested after the
loop. Loops whose body depends on a condition marked likely exist twice: for when all such conditions hold,
and for when they do not.

Note [Values in errors]
    A flag tells that a check has failed, not for which values. Where an error should name them, the statement
    stands a second time behind the flag, and there each check leaves at once. It computes what the first one
    did and stops at the first failure; without one it is never entered.

Note [Values that stand for errors]
    After a check has failed, a loop goes on with some value in its place. What comes later in the same
    statement may fail because of that value, or never end: so the flags are tested before it. Of a flag the
    values are not known; where such a test may come, checks that report values leave their loops at once.

Note [Items that failed]
    Checks in a function that is applied to items of an array of arrays report the numbers of the item. Where
    these are the same all through a statement, the test of its flag tells them. So it is in statements made
    for one item after the other, and in a sequence of statements that is the value of an item: where flags
    may be tested early, they are tested behind each such sequence, outside of its loops.

Note [Gathering]
    Elements that are read in a few places anywhere come one by one, in lanes as without. A loop that does
    little else is no faster in lanes, nor is a row of any length, and a flag is one more operation for each:
    so checks of such places leave their loop.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from aplc.laila.ir import liveness
from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import assigning
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Assign,
    Empty,
    Filter,
    ForEach,
    Free,
    Function,
    FunctionCall,
    Fused,
    HostCall,
    HostCheck,
    HostLet,
    If,
    Map,
    Move,
    Output,
    Program,
    Ref,
    RuntimeCall,
    ScalarRef,
    Scan,
    Statement,
    Store,
    Swap,
    TupleRef,
    Variable,
    While,
    versions,
)
from aplc.laila.ir.scalar import (
    RAISED,
    BlockExp,
    Buffer,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    Read,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, bound, everywhere, own_expressions, statements_of, within
from aplc.laila.loops.accumulators import Accumulators
from aplc.laila.loops.blocks import Block, Flags
from aplc.laila.loops.deferred_checks import results_of, without_shown
from aplc.laila.loops.folds import Folds
from aplc.laila.loops.loop_options import IN_ONE, Halves, LoopOptions
from aplc.laila.loops.maps import Maps
from aplc.laila.loops.nest_strategies import loop_strategies
from aplc.laila.loops.nests import Nests
from aplc.laila.loops.prefetching.gathers import LIGHT
from aplc.laila.loops.scan_codegen import Scans
from aplc.laila.loops.soacs import FusedLoops, OrderedLoops
from aplc.laila.loops.spans import Spans
from aplc.laila.loops.straight_code import StraightCode
from aplc.laila.loops.versions import Versions
from aplc.laila.lowering.pull import weigh
from aplc.laila.transform.hoist import changing_hands, is_local, unsized
from aplc.tail import prims as p
from aplc.tail.types import Base


def generate(program: Program, make: ExprBuilder, *, splitting: bool = True) -> l.Code:
    """The statements of a whole program and its functions."""
    options = LoopOptions(splitting, moving=frozenset(changing_hands(program)), unsized=unsized(program))
    generator = Generator(make, options)
    routines = [generator.routine(f) for f in program.functions]
    bodies_of_all = [f.statements for f in versions(program)] + [program.statements]
    empty = [s.buffer for body in bodies_of_all for s in everywhere(body) if isinstance(s, Empty)]
    sizes = [(q.buffer, make.product(q.extents)) for q in program.parameters]
    return l.Code(generator.whole(program.statements), tuple(routines), tuple(empty), tuple(sizes))


def of_kernel(
    statements: Sequence[Statement],
    make: ExprBuilder,
    tile: tuple[int, int] | None = None,
    *,
    halves: Halves = IN_ONE,
) -> l.Code:
    """The statements of a kernel, whose memory is its own. `tile` are the rows of the tiles in which it does
    products in panels, and the bytes of one of them, if it does; `halves` says which long folds it does in
    two.
    """
    options = LoopOptions(has_memory=False, in_versions=False, halves=halves, tile_at_hand=tile)
    return l.Code(Generator(make, options).whole(statements))


def _tests_early(statement: Statement, found: Sequence[Exp]) -> bool:
    """Whether flags may have to be tested within a statement: see Note [Values that stand for errors]."""
    if any(isinstance(n, BlockExp) and any(map(_leaves, statements_of(n))) for n in found):
        return True
    folds = {n for n in found if isinstance(n, Fold) and any(map(_reports, nodes(n)))}
    tests = [n.ok for n in found if isinstance(n, Check)]
    return bool(folds) and (_leaves(statement) or not folds.isdisjoint(nodes(*tests)))


def _gathers(statement: Statement, found: Sequence[Exp], free: FreeVars) -> bool:
    """Whether a statement reads where elements tell, which is checked, in rows whose lengths are data or in
    loops that do little else: see Note [Gathering].
    """
    folds = [node for node in found if isinstance(node, Fold)]
    if any(_gathers_in(row.body, {row.var}, free) for row in folds if contains(Read, row.extent)):
        return True
    match statement:
        case HostLet():
            return any(_gathers_in(fold.body, {fold.var}, free) for fold in folds if _is_light(fold.body))
        case Map() | Fused() if not folds and (
            _keeps_some(statement) or all(map(_is_light, own_expressions(statement)))
        ):
            around = set(bound(statement))
            return any(_gathers_in(exp, around, free) for exp in own_expressions(statement))
        case _:
            return False


def _keeps_some(statement: Statement) -> bool:
    """Whether a statement has filters beside others, and so takes one element after the other."""
    return isinstance(statement, Fused) and any(isinstance(part, Filter) for part in statement.parts)


def _is_light(exp: Exp) -> bool:
    """Whether a loop that computes this does little more than to read."""
    return weigh(exp).cost <= LIGHT


def _gathers_in(body: Exp, around: Collection[Var], free: FreeVars) -> bool:
    """Whether a check in a loop over these indices guards what is read where an element tells."""
    told, gathered = set[int](), set[int]()
    for node in nodes(body):
        below = [id(operand) for operand in operands(node)]
        if (isinstance(node, Read) and id(node.index) in told) or not gathered.isdisjoint(below):
            gathered.add(id(node))
        is_read = isinstance(node, Read) and not free.of(node).isdisjoint(around)
        if is_read or not told.isdisjoint(below):
            told.add(id(node))
        if isinstance(node, Check) and id(node.value) in gathered:
            return True
    return False


def _tells_items(found: Iterable[Exp]) -> bool:
    """Whether checks among these are in items of arrays of arrays."""
    return any(isinstance(n, Check) and n.site.items for n in found)


def _reports(exp: Exp) -> bool:
    return isinstance(exp, Check) and exp.reported != ()


def _leaves(statement: Statement) -> bool:
    """Whether a statement may leave the program, or go on for ever."""
    match statement:
        case HostCheck() | HostCall() | FunctionCall() | RuntimeCall() | While():
            return True
        case Alloc():
            return not is_local(statement)
        case Map(guard=guard, ordered=ordered) if guard is not None or ordered:
            return any(map(_reports, nodes(*own_expressions(statement))))
        case _:
            return any(_leaves(s) for body in bodies(statement) for s in body)


def _going_on(statement: Statement) -> list[Var]:
    """The counts of filters that go on behind what has been kept before."""
    parts = statement.parts if isinstance(statement, Fused) else (statement,)
    return [part.count for part in parts if isinstance(part, Filter) and part.goes_on]


def _changeable(statement: l.Stm, results: tuple[Var, ...]) -> l.Stm:
    """A statement; if it declares one of the results, one that can be assigned to."""
    if isinstance(statement, l.Declare) and statement.var in results:
        return replace(statement, mutable=True)
    return statement


def _only_declares(statement: l.Stm, results: tuple[Var, ...]) -> bool:
    """Whether a statement declares one of the results without a value."""
    return isinstance(statement, l.Declare) and statement.value is None and statement.var in results


class Generator:
    """The generation of host statements; it brings together what makes their loops."""

    def __init__(self, make: ExprBuilder, options: LoopOptions) -> None:
        self.make, self.options = make, options
        self.on_stack: set[Buffer] = set()
        """Buffers whose memory is on the stack, in the version of the code at hand."""
        self.code = StraightCode(make, self.fold, self.do)
        self.nests = Nests(self.code, options, loop_strategies)
        self.folds = Folds(Accumulators(self.nests))
        spans = Spans(self.folds)
        self.versions = Versions(make)
        self.maps, self.scans = Maps(spans), Scans(spans)
        self.fused_loops, self.ordered_loops = FusedLoops(spans, self.versions), OrderedLoops(self.nests)

    def whole(self, statements: Sequence[Statement]) -> tuple[l.Stm, ...]:
        """All statements in order, in a scope of their own."""
        block = Block(None, False)
        self.sequence(statements, block)
        return tuple(block.statements)

    def routine(self, function: Function) -> l.Routine:
        """A function of the program."""
        alone = None if function.alone is None else self.routine(function.alone)
        body = self.whole(function.statements)
        return l.Routine(
            function.name, function.parameters, body, function.results, function.site, None, alone
        )

    def sequence(self, statements: Sequence[Statement], block: Block) -> None:
        """Statements in order, each followed by the test of its flags."""
        for statement in statements:
            self.tested(statement, block)

    def inner(self, statements: Sequence[Statement], block: Block) -> tuple[l.Stm, ...]:
        """Statements in a scope inside a block."""
        scope = block.inner(in_loop=False)
        self.sequence(statements, scope)
        return tuple(scope.statements)

    def tested(self, statement: Statement, block: Block) -> None:
        """A statement, and the test of the flags that it raises."""
        is_free = self.options.splitting and self.options.in_versions and not block.mode.is_rare
        quick = without_shown(self.make, statement) if is_free else None
        if quick is not None:
            self.unchecked(quick, statement, block)
            return
        first = len(block.statements)
        flags = self.flagged(statement, block)
        if flags.unreported and flags.raised:
            counts = [(count, Var(self.make.fresh("before"), Base.INT)) for count in _going_on(statement)]
            block.statements[first:first] = [l.Declare(before, count) for count, before in counts]
            self.repeated(statement, flags, [l.Assign(*each) for each in counts], block)
        for site, flag in flags.raised.items():
            is_alone = flags.is_alone(site)
            raised = self.make.call(RAISED, flag.var) if is_alone else self.code.raised(flag)
            block.statements.append(self.code.failing(site, flag, raised, block))

    def unchecked(self, quick: Statement, statement: Statement, block: Block) -> None:
        """A statement without its checks, and if its flag is raised with them: see Note [Checks that results
        show].
        """
        results = results_of(statement)
        first = len(block.statements)
        flags = self.flagged(quick, block)
        block.statements[first:] = [_changeable(s, results) for s in block.statements[first:]]
        scope = block.inner(in_loop=False)
        self.tested(statement, scope.under(replace(scope.mode, again=True)))
        again = tuple([s for s in scope.statements if not _only_declares(s, results)])
        for result in results:
            again = assigning(again, result)
        block.statements += [l.If(self.code.raised(flag), again) for flag in flags.raised.values()]

    def flagged(self, statement: Statement, block: Block) -> Flags:
        """A statement between the declarations of its flags; these."""
        flags = Flags(block.flags.all())
        found = list(nodes(*own_expressions(statement)))
        leaving = (
            block.mode.leaving or _tests_early(statement, found) or _gathers(statement, found, self.code.free)
        )
        first, last = len(block.statements), block.last
        constant = frozenset[str]()
        if _tells_items(found):
            names = [name for e in own_expressions(statement) for name in self.code.free.names(e)]
            constant = frozenset(names) - {v.name for v in bound(statement)}
        self.statement(statement, block.under(replace(block.mode, leaving=leaving, constant=constant), flags))
        flags.named = block.since(last)
        block.statements[first:first] = self.declarations(flags)
        return flags

    def declarations(self, flags: Flags) -> list[l.Stm]:
        """The variables of flags, of which none is raised."""
        return [l.Declare(var, self.make.zero, mutable=True) for var in flags.variables()]

    def repeated(self, statement: Statement, flags: Flags, undo: list[l.Stm], block: Block) -> None:
        """The statement again, what it has counted undone, with checks that leave at once; see Note [Values
        in errors].
        """
        any_raised: Exp = self.make.false
        for var in flags.variables():
            any_raised = self.make.call(p.ORB, any_raised, self.make.call(RAISED, var))
        again, inner = Flags(block.flags.pending), block.inner(in_loop=False, hidden=flags.named)
        scope = inner.under(replace(block.mode, reporting=True), again)
        self.statement(statement, scope)
        block.statements.append(l.If(any_raised, (*undo, *self.declarations(again), *scope.statements)))

    def fold(self, node: Fold, block: Block) -> Exp:
        """The value of a fold, after its loop."""
        return self.folds.fold(node, block)

    def do(self, node: BlockExp, block: Block) -> Exp:
        """The value after some statements, which become part of the block.

        What they bind may be bound again in the same block, with other values: names for what depends on it
        are forgotten.
        """
        inside = block.with_own_names()
        found = list(nodes(node)) if block.mode.leaving else []
        tells = _tells_items(found)
        before = {site: flag.index for site, flag in block.flags.raised.items()}
        if tells:
            inside = inside.under(replace(block.mode, constant=self.code.free.names(node)))
        for statement in statements_of(node):
            self.statement(statement, inside)
        value = self.code.single(node.value, inside)
        for site, flag in list(block.flags.raised.items()) if tells else ():
            if flag.index and before.get(site) != flag.index:
                inside.statements.append(self.code.failing(site, flag, self.code.raised(flag), inside))
                block.flags.tell_no_more(site)
        return value

    def statement(self, statement: Statement, block: Block) -> None:
        """One statement of the host. What is known of the memory that it changes is forgotten."""
        parts = [each for each in within((statement,)) if not isinstance(each, Alloc | Free | Output)]
        changed = [buffer for each in parts for buffer in liveness.named(each)]
        for buffer in changed:
            block.forget(buffer)
        self.made(statement, block)
        for buffer in changed:
            block.forget(buffer)

    def made(self, statement: Statement, block: Block) -> None:
        """The code of a statement."""
        match statement:
            case HostLet(var=var, value=value):
                self.versions.generate((value,), block, lambda b, r: self.host_let(var, r[0], b), var)
            case Variable(var=var, value=value):
                block.statements.append(l.Declare(var, self.code.single(value, block), mutable=True))
            case Assign(var=var, value=value):
                block.statements.append(l.Assign(var, self.code.single(value, block)))
            case Alloc(buffer=buffer, size=Const(value=size)) if self.options.on_stack(
                statement, block.in_loop
            ):
                self.on_stack.add(buffer)
                block.statements.append(l.Local(buffer, int(size)))
            case Alloc(buffer=buffer, size=size, site=site):
                self.on_stack.discard(buffer)
                count = self.code.single(size, block)
                self.code.settle(block)
                block.statements.append(
                    l.Allocate(buffer, count, site, 0, statement.into, statement.is_there)
                )
            case Free(buffer=buffer):
                if buffer not in self.on_stack:  # its size turned out to be known in this version
                    block.statements.append(l.Release(buffer))
            case Empty():
                pass
            case Move() | Swap():
                block.statements.append(statement)
            case Map(guard=guard):
                roots = (statement.body, statement.position, *statement.space.extents)
                if guard is not None or statement.ordered:
                    roots = (*roots, self.make.true if guard is None else guard)
                    self.versions.generate(roots, block, lambda b, r: self.ordered_loops.map(statement, r, b))
                else:
                    self.versions.generate(roots, block, lambda b, r: self.maps.map(statement, r, b))
            case Scan():
                roots = (statement.body, statement.position, *statement.space.extents)
                self.versions.generate(roots, block, lambda b, r: self.scans.scan(statement, r, b))
            case Filter(goes_on=goes_on):
                if not goes_on:
                    block.statements.append(l.Declare(statement.count, self.make.zero, mutable=True))
                roots = (statement.body, statement.keep, *statement.space.extents)
                self.versions.generate(roots, block, lambda b, r: self.ordered_loops.filter(statement, r, b))
            case Fused():
                self.fused_loops.fused(statement, block)
            case Store(buffer=buffer, position=position, value=value):
                place, element = self.code.values((position, value), block)
                block.statements.append(l.Store(buffer, place, element))
            case HostCheck(ok=ok, site=site, reported=reported):
                values = self.code.values((ok, *reported), block)
                self.code.settle(block)
                block.statements.append(l.Fail(values[0], site, values[1:]))
            case If(cond=cond, then=then, other=other, least=least):
                test = self.code.single(cond, block)
                with self.make.assuming(dict(least)):
                    first = self.inner(then, block)
                block.statements.append(l.If(test, first, self.inner(other, block)))
            case While(cond=cond, body=body, scratch=scratch):
                self.code.settle(block)
                block.statements.append(l.While(cond, self.inner(body, block), scratch))
            case ForEach(space=space):
                self.each(list(zip(space.indices, space.extents, strict=True)), statement, block)
            case Output(value=value, is_result=is_result, digits=digits):
                shown = None if digits is None else self.code.single(digits, block)
                block.statements.append(l.Emit(self.reference(value, block), is_result, shown))
            case RuntimeCall(arguments=arguments):
                plain = [a if isinstance(a, Buffer) else self.code.single(a, block) for a in arguments]
                self.code.settle(block)
                block.statements.append(replace(statement, arguments=tuple(plain)))
            case HostCall(prim=prim, arguments=references, result=result, site=site):
                given = tuple([self.reference(r, block) for r in references])
                self.code.settle(block)
                block.statements.append(HostCall(prim, given, result, site))
            case FunctionCall(function=function, arguments=references, results=results, site=site):
                given = tuple([self.reference(r, block) for r in references])
                self.code.settle(block)
                block.statements.append(FunctionCall(function, given, results, site))

    def reference(self, value: Ref, block: Block) -> Ref:
        """A value to be handed on, its expressions computed."""
        match value:
            case ArrayRef(buffer=buffer, shape=shape, start=start):
                place = None if start is None else self.code.single(start, block)
                return ArrayRef(buffer, self.code.values(shape, block), place)
            case ScalarRef(value=exp):
                return ScalarRef(self.code.single(exp, block))
            case TupleRef(items=items):
                return replace(value, items=tuple([self.reference(i, block) for i in items]))

    def host_let(self, var: Var, value: Exp, block: Block) -> None:
        """A host scalar; a fold accumulates in the variable itself."""
        if isinstance(value, Fold) and block.find(value) is None:
            self.folds.fold(value, block, var)
        else:
            computed = self.code.single(value, block)
            block.statements.append(l.Declare(var, computed))

    def each(self, axes: list[tuple[Var, Exp]], statement: ForEach, block: Block) -> None:
        """Statements for each point of a space, of which these axes are left."""
        if not axes:
            self.sequence(statement.body, block)
            return
        (var, extent), *rest = axes
        stop = self.code.single(extent, block)
        scope = block.inner(in_loop=False)
        self.each(rest, statement, scope)
        parallel = self.nests.accumulated(() if statement.independent else None, scope)
        loop = l.For(var, self.make.zero, stop, tuple(scope.statements), parallel=parallel)
        about = None if statement.about is None else self.code.single(statement.about, block)
        loop = replace(loop, private=statement.scratch, ends=statement.ends, about=about)
        loop = replace(loop, is_share=statement.is_share)
        if statement.counts is not None:
            running = (l.Reduction(p.ADDI, statement.counts, self.make.zero),)
            loop = replace(loop, parallel=self.nests.accumulated((), scope), running=running)
        block.statements.append(loop)
