"""Loop versioning by value range: statements that divide are emitted twice, one version for small integers.

What the compiler cannot know the run finds out at little cost: whether an extent is small, whether all
integers of an input are. Where a statement's remainders and roundings depend on them and would need 64 bits,
it stands twice behind that test. In the first version indices have a bound and elements of the input are
marked `SMALL`; `narrow` makes of that what it can.

What is made of such quotients and divided again is in both versions, too: the two share loops there, and the
first has arrays of its own for what lies between, which are as small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from aplc.laila.ir.interval import Interval
from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.program import (
    Alloc,
    ForEach,
    Free,
    HostCheck,
    HostLet,
    If,
    Map,
    Parameter,
    Program,
    Space,
    Statement,
    Variable,
)
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import (
    CEIL,
    FLOOR,
    SMALL,
    SMALL_LIMIT,
    BlockExp,
    Buffer,
    Call,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Step,
    Var,
    bound_by,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import expressions, own_expressions, rebuilt, with_bodies
from aplc.laila.ir.substitute import Redirected, Substitute
from aplc.laila.lowering.pull import fill
from aplc.laila.transform.fusion.fuse import MAX_REGION
from aplc.laila.transform.versioning.multiversioning import divided, given, is_total, version
from aplc.tail import prims as p
from aplc.tail.types import Base

WIDE = frozenset(("int64", "uint32", "int32"))
"""How integers are stored of which it is not known that they are small."""


SMALL_RANGE = Interval(-SMALL_LIMIT, SMALL_LIMIT)


def assume_small(program: Program, make: ExprBuilder) -> Program:
    """The program with its dividing statements in two versions where that may pay."""
    assumer = _Assumer(program.parameters, make)
    return replace(program, statements=assumer.block(program.statements, is_outermost=True))


@dataclass(frozen=True, slots=True)
class _Sources:
    """What a statement's divisions depend on: indices with their extents, inputs, and scalars."""

    indices: tuple[tuple[Var, Exp], ...] = ()
    inputs: tuple[Buffer, ...] = ()
    scalars: tuple[Var, ...] = ()

    def with_those(self, other: _Sources) -> _Sources:
        """These and others."""
        return _Sources(
            tuple(dict.fromkeys((*self.indices, *other.indices))),
            tuple(dict.fromkeys((*self.inputs, *other.inputs))),
            tuple(dict.fromkeys((*self.scalars, *other.scalars))),
        )


NO_SOURCES = _Sources()


class _Assumer:
    def __init__(self, parameters: tuple[Parameter, ...], make: ExprBuilder) -> None:
        self.make = make
        self.free = FreeVars()
        self.inputs = {
            q.buffer: q for q in parameters if q.ty is Base.INT and q.extents and q.buffer.storage in WIDE
        }
        self.tests: dict[Buffer, Var] = {}
        self.pending: list[Statement] = []
        """The tests that must stand in front of the statement at hand, outside of loops and branches."""
        self.cells: set[Var] = set()
        """The indices of loops over cells, whose bodies run side by side: a choice in them would not."""

    def block(self, statements: Sequence[Statement], *, is_outermost: bool = False) -> tuple[Statement, ...]:
        """The statements of the program, of a loop or of a branch. Inputs are tested outside of these."""
        done: list[Statement] = []
        left = list(statements)
        while left:
            stop = self.stop(left)
            new = self.in_versions(left[:stop]) if stop else [self.inside(left[0])]
            if is_outermost:
                done += self.pending
                self.pending.clear()
            done += new
            left = left[max(stop, 1) :]
        return tuple(done)

    def inside(self, statement: Statement) -> Statement:
        """A statement that does not stand in versions."""
        if isinstance(statement, Map | HostLet):
            return statement
        if isinstance(statement, ForEach):
            self.cells.update(statement.space.indices)
        return with_bodies(statement, self.block)

    def stop(self, left: Sequence[Statement]) -> int:
        """Where statements end that stand in versions, or 0: memory and what is divided first, and as far
        as others divide what is made of that, which become one loop with it.
        """
        begin = next((k for k, s in enumerate(left) if not isinstance(s, Alloc)), len(left))
        stop = 0
        made: set[Buffer] = set()
        for k, statement in enumerate(left[begin : begin + MAX_REGION], begin):
            if isinstance(statement, Map | HostLet):
                below = set(_divided(own_expressions(statement)))
                if k == begin:
                    stop = k + 1 if self.sources(statement) != NO_SOURCES else 0
                elif any(isinstance(n, Read) and n.buffer in made for n in below):
                    stop = k + 1
                elif isinstance(statement, HostLet) and not below and not is_total(statement.value):
                    break
            is_plain = isinstance(statement, Alloc | Free | HostCheck | HostLet | Map)
            if not stop or not is_plain or contains(BlockExp | PureCall, *own_expressions(statement)):
                break
            if isinstance(statement, Map):
                made.add(statement.buffer)
        if stop > begin + 1:
            while stop < len(left) and isinstance(left[stop], Free):
                stop += 1
            front, twice, _ = divided(list(left[:stop]))
            late = {v.name for s in twice for v in given(s)}
            early = [*[e for s in front for e in expressions(s)], self.condition(self.all_sources(twice))]
            if any(late & self.free.names(e) for e in early):
                return begin + 1
        return stop

    def all_sources(self, statements: Sequence[Statement]) -> _Sources:
        """What makes the divisions of some statements wide."""
        found = NO_SOURCES
        for statement in statements:
            if isinstance(statement, Map | HostLet):
                found = found.with_those(self.sources(statement))
        return found

    def condition(self, found: _Sources) -> Exp:
        """Whether all of that is small; inputs are tested before."""
        make = self.make
        cond: Exp = make.true
        for scalar in found.scalars:
            for comparison, bound in ((p.GTEI, -SMALL_LIMIT), (p.LTEI, SMALL_LIMIT)):
                cond = make.call(p.ANDB, cond, make.call(comparison, scalar, make.const(bound)))
        for buffer in found.inputs:
            if buffer in self.tests:
                cond = make.call(p.ANDB, cond, self.tests[buffer])
        for _, extent in found.indices:
            is_small = make.call(p.LTEI, extent, make.const(SMALL_LIMIT))
            cond = make.call(p.ANDB, cond, is_small)
        return cond

    def in_versions(self, span: Sequence[Statement]) -> list[Statement]:
        """Statements behind a test, in two versions, and the tests of inputs in front of it."""
        make = self.make
        front, twice, behind = divided(list(span))
        found = self.all_sources(twice)
        self.pending += [s for buffer in found.inputs for s in self.test(buffer)]
        assuming = _Assuming(make, found)
        exported = [v for s in twice for v in given(s)]
        declared = [Variable(v, fill(make, v.ty)) for v in exported]
        own = self.with_copies([assuming.statement(s) for s in twice], front)
        fast = version(make, own, {}, exported)
        slow = version(make, twice, {}, exported)
        choice = If(self.condition(found), self.with_own_memory(fast), slow)
        return [*front, *declared, choice, *behind]

    def with_copies(self, statements: list[Statement], front: Sequence[Statement]) -> list[Statement]:
        """Statements of the first version, where what is needed behind them and is read by some of them lies
        in an array of its own first: what both versions write has no bounds.
        """
        make = self.make
        begun = {s.buffer: s for s in front if isinstance(s, Alloc)}
        read = buffers_read(*[e for s in statements for e in expressions(s)])
        made = [s for s in statements if isinstance(s, Map)]
        twice = {s.buffer for k, s in enumerate(made) if s.buffer in {t.buffer for t in made[:k]}}
        whole = [s.buffer for s in made if s.guard is None and not s.ordered and s.buffer.ty is Base.INT]
        kept = [b for b in whole if b in begun and b in read and b not in twice]
        own = {b: replace(b, name=make.fresh(b.name)) for b in kept}
        if not own:
            return statements
        change = Redirected(make, {b: partial(make.read, new) for b, new in own.items()})
        result: list[Statement] = [replace(begun[b], buffer=new) for b, new in own.items()]
        for statement in [rebuilt(s, change) for s in statements]:
            result.append(statement)
            if isinstance(statement, Map) and statement.buffer in own:
                new = own[statement.buffer]
                result[-1] = replace(statement, buffer=new)
                result.append(replace(statement, body=make.read(new, statement.position)))
        return [*result, *[Free(new) for new in own.values()]]

    def with_own_memory(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements with other names for the memory that begins and ends there."""
        make = self.make
        begun = [s.buffer for s in statements if isinstance(s, Alloc)]
        own = {b: replace(b, name=make.fresh(b.name)) for b in begun}
        change = Redirected(make, {b: partial(make.read, new) for b, new in own.items()})
        result: list[Statement] = []
        for statement in [rebuilt(s, change) for s in statements]:
            if isinstance(statement, Alloc | Free | Map):
                statement = replace(statement, buffer=own.get(statement.buffer, statement.buffer))
            result.append(statement)
        return tuple(result)

    def sources(self, statement: Map | HostLet) -> _Sources:
        """What makes the divisions of a statement wide and may be tested before it."""
        roots = own_expressions(statement)
        below = dict.fromkeys(_divided(roots))  # in order, so that a program has the same C in every run
        if not below or contains(BlockExp, *roots):
            return NO_SOURCES
        loops = [(n.var, n.extent) for n in nodes(*roots) if isinstance(n, Fold)]
        if isinstance(statement, Map):
            loops += zip(statement.space.indices, statement.space.extents, strict=True)
        ranges = Ranges(is_single=self.make.settings.is_single)
        for var, _ in loops:
            ranges.bind_loop(var)
        bound = frozenset([var for n in nodes(*roots) if isinstance(n, Fold) for var in bound_by(n)])
        bound |= {var for var, _ in loops}
        wide = [(v, e) for v, e in loops if v in below and ranges.integers(v).high > SMALL_LIMIT]
        names = {v.name for v in bound}
        indices = [(v, e) for v, e in wide if not self.free.names(e) & names]
        reads = [n.buffer for n in below if isinstance(n, Read) and n.buffer in self.inputs]
        if not loops:
            return NO_SOURCES
        named = [n for n in below if isinstance(n, Var) and n.ty is Base.INT and (n.highs or not n.is_index)]
        bound |= self.cells
        scalars = [n for n in named if n not in bound and not ranges.integers(n).within(SMALL_RANGE)]
        return _Sources(tuple(indices), tuple(dict.fromkeys(reads)), tuple(dict.fromkeys(scalars)))

    def test(self, buffer: Buffer) -> Iterator[Statement]:
        """Whether all elements of an input are small, found out once."""
        if buffer in self.tests:
            return
        make = self.make
        var = self.tests[buffer] = Var(make.fresh("small"), Base.BOOL)
        extent = make.product(self.inputs[buffer].extents)
        index = make.index("k", extent)
        element = make.read(buffer, index)
        above = make.call(p.GTEI, element, make.const(-SMALL_LIMIT))
        fits = make.call(p.ANDB, above, make.call(p.LTEI, element, make.const(SMALL_LIMIT)))
        yield HostLet(var, make.fold(p.ANDB, index, extent, fits, make.true))


def _divided(roots: Iterable[Exp]) -> Iterator[Exp]:
    """The nodes on which remainders and roundings depend, except through positions in memory."""
    divisions = [part for n in nodes(*roots) for part in _divided_in(n)]
    return (
        nodes(*divisions, below=lambda e: () if isinstance(e, Read) else operands(e))
        if divisions
        else iter(())
    )


def _divided_in(exp: Exp) -> list[Exp]:
    """A residue or what is rounded; of a fold whose steps have residues by constants the elements."""
    match exp:
        case Call(op=op) if op is p.RESI or op in (FLOOR, CEIL):
            return [exp]
        case Fold(combine=Step(body=step), body=body) if any(_is_by_constant(n) for n in nodes(step)):
            return [n for n in nodes(body) if isinstance(n, Read)]
        case _:
            return []


def _is_by_constant(exp: Exp) -> bool:
    return isinstance(exp, Call) and exp.op in (p.RESI, p.RESD) and isinstance(exp.args[0], Const)


class _Assuming(Substitute):
    """Rebuilds expressions with indices and inputs that are known to be small."""

    def __init__(self, make: ExprBuilder, sources: _Sources) -> None:
        limit = make.const(SMALL_LIMIT - 1)
        self.bounded: dict[Var, Var] = {v: replace(v, highs=(*v.highs, limit)) for v, _ in sources.indices}
        replacements: dict[Exp, Exp] = {old: new for old, new in self.bounded.items()}
        super().__init__(make, replacements)
        self.inputs = sources.inputs
        for scalar in sources.scalars:
            self.done[id(scalar)] = make.call(SMALL, scalar)

    def statement(self, statement: Statement) -> Statement:
        """A statement with those; a MAP over the bounded indices."""
        if not isinstance(statement, Map):
            return rebuilt(statement, self)
        space = statement.space
        return replace(
            statement,
            space=Space(tuple([self.bounded.get(i, i) for i in space.indices]), space.extents),
            position=self(statement.position),
            body=self(statement.body),
            guard=None if statement.guard is None else self(statement.guard),
        )

    def _rebuild(self, node: Exp) -> Exp:
        rebuilt = super()._rebuild(node)
        if isinstance(rebuilt, Read) and rebuilt.buffer in self.inputs:
            return self.make.call(SMALL, rebuilt)
        if isinstance(rebuilt, Fold) and rebuilt.var in self.bounded:
            var = self.bounded[rebuilt.var]
            return self.make.fold(rebuilt.combine, var, rebuilt.extent, rebuilt.body, rebuilt.empty)
        return rebuilt
