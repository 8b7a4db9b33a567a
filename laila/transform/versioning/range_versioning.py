"""Loop versioning by value range: statements that divide are emitted twice, one version for small integers.

What the compiler cannot know the run finds out at little cost: whether an extent is small, whether all
integers of an input are. Where a statement's remainders and roundings depend on them and would need 64 bits,
it stands twice behind that test. In the first version indices have a bound and elements of the input are
marked `SMALL`; `narrow` makes of that what it can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from aplc.laila.ir.interval import Interval
from aplc.laila.ir.program import (
    Assign,
    ForEach,
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
    Exp,
    Fold,
    FreeVars,
    Read,
    Var,
    bound_by,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import fill
from aplc.tail import prims as p
from aplc.tail.types import Base

WIDE = frozenset(("int64", "uint32", "int32"))
"""How integers are stored of which it is not known that they are small."""


SMALL_RANGE = Interval(-SMALL_LIMIT, SMALL_LIMIT)


def assume_small(program: Program, make: ExprBuilder) -> Program:
    """The program with its dividing statements in two versions where that may pay."""
    assumer = _Assumer(program.parameters, make)
    statements: list[Statement] = []
    for statement in program.statements:
        versions = assumer.versions(statement)
        statements += [*assumer.new_tests(), *versions]
    return replace(program, statements=tuple(statements))


@dataclass(frozen=True, slots=True)
class _Sources:
    """What a statement's divisions depend on: indices with their extents, inputs, and scalars."""

    indices: tuple[tuple[Var, Exp], ...] = ()
    inputs: tuple[Buffer, ...] = ()
    scalars: tuple[Var, ...] = ()


class _Assumer:
    def __init__(self, parameters: tuple[Parameter, ...], make: ExprBuilder) -> None:
        self.make = make
        self.free = FreeVars()
        self.inputs = {
            q.buffer: q for q in parameters if q.ty is Base.INT and q.extents and q.buffer.storage in WIDE
        }
        self.tests: dict[Buffer, Var] = {}
        self.cells: set[Var] = set()
        """The indices of loops over cells, whose bodies run side by side: a choice in them would not."""
        self.pending: list[Statement] = []
        """The tests of inputs that must stand before the statement at hand."""

    def new_tests(self) -> list[Statement]:
        """The tests that the last statement needs."""
        pending, self.pending = self.pending, []
        return pending

    def inner(self, statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """The statements in a loop or a branch."""
        return tuple([new for s in statements for new in self.versions(s)])

    def versions(self, statement: Statement) -> list[Statement]:
        """A statement, or the two versions of it behind a test."""
        match statement:
            case ForEach(space=space):
                self.cells.update(space.indices)
                return [with_bodies(statement, self.inner)]
            case Map() | HostLet():
                return self.divided(statement)
            case _:
                return [with_bodies(statement, self.inner)]

    def divided(self, statement: Map | HostLet) -> list[Statement]:
        """A statement that computes elements."""
        found = self.sources(statement)
        if not found.indices and not found.inputs and not found.scalars:
            return [statement]
        make = self.make
        self.pending += [s for buffer in found.inputs for s in self.test(buffer)]
        cond: Exp = make.true
        for scalar in found.scalars:
            for comparison, bound in ((p.GTEI, -SMALL_LIMIT), (p.LTEI, SMALL_LIMIT)):
                cond = make.call(p.ANDB, cond, make.call(comparison, scalar, make.const(bound)))
        for buffer in found.inputs:
            cond = make.call(p.ANDB, cond, self.tests[buffer])
        for _, extent in found.indices:
            is_small = make.call(p.LTEI, extent, make.const(SMALL_LIMIT))
            cond = make.call(p.ANDB, cond, is_small)
        assuming = _Assuming(make, found)
        if isinstance(statement, Map):
            return [If(cond, (assuming.map(statement),), (statement,))]
        var = statement.var
        first, second = [Var(make.fresh(var.name), var.ty) for _ in range(2)]
        fast = HostLet(first, assuming(statement.value)), Assign(var, first)
        slow = HostLet(second, statement.value), Assign(var, second)
        return [Variable(var, fill(make, var.ty)), If(cond, fast, slow)]

    def sources(self, statement: Map | HostLet) -> _Sources:
        """What makes the divisions of a statement wide and may be tested before it."""
        roots = own_expressions(statement)
        below = dict.fromkeys(_divided(roots))  # in order, so that a program has the same C in every run
        if not below or contains(BlockExp, *roots):
            return _Sources()
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
            return _Sources()
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
    divisions = [
        n for n in nodes(*roots) if isinstance(n, Call) and (n.op is p.RESI or n.op in (FLOOR, CEIL))
    ]
    return (
        nodes(*divisions, below=lambda e: () if isinstance(e, Read) else operands(e))
        if divisions
        else iter(())
    )


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

    def map(self, statement: Map) -> Map:
        """A MAP over the bounded indices."""
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
