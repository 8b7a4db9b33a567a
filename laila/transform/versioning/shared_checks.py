"""What a loop has checked of every element is not checked again by later loops over as many.

    UPDATE a[i[k]-1] over k < n { … } provided (1 ≤ i[k] and i[k] ≤ m)
    UPDATE b[i[k]-1] over k < n { … } provided (1 ≤ i[k] and i[k] ≤ m)

→   UPDATE a[i[k]-1] over k < n { … } provided (1 ≤ i[k] and i[k] ≤ m)
    UPDATE b[i[k]-1] over k < n { … }

A check that a loop makes at each point holds for all points behind the loop, until something changes that it
asks for. Such are two updates at the same places, `s[b]+←v ⋄ c[b]+←1`, and elements that are read where
others were read before. Loops that cannot fail share one with others more often.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from aplc.laila.ir.liveness import buffers_read, named
from aplc.laila.ir.program import (
    Assign,
    ForEach,
    Fused,
    If,
    Map,
    Program,
    Space,
    Statement,
    Variable,
    While,
)
from aplc.laila.ir.scalar import (
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    FreeVars,
    Read,
    Select,
    Sum,
    Var,
    certainly,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p


def with_checks_shared(program: Program, make: ExprBuilder) -> Program:
    """The program without checks that hold at all points of a loop as they have held before."""
    blocks = (program.statements, *[f.statements for f in program.functions])
    everything = [s for block in blocks for s in within(block)]
    if sum([1 for s in everything if _checks(s)]) < 2:
        return program
    changing = frozenset([s.var.name for s in everything if isinstance(s, Variable | Assign)])
    return with_blocks(program, _Sharing(make, changing, FreeVars()).block)


@dataclass(frozen=True, slots=True)
class _Fact:
    """A condition that holds at each point of a space."""

    space: Space
    ok: Exp
    reads: tuple[Buffer, ...]


@dataclass(slots=True)
class _Sharing:
    make: ExprBuilder
    changing: frozenset[str]
    free: FreeVars
    facts: list[_Fact] = field(default_factory=list)

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """A sequence of statements, the facts before which are known; those of it are forgotten behind it."""
        result: list[Statement] = []
        before = list(self.facts)
        for old in statements:
            statement = old
            if isinstance(statement, While | ForEach):
                self.forget(statement)
            if isinstance(statement, If | While | ForEach):
                statement = with_bodies(statement, self.block)
            elif _checks(statement):
                statement = self.without_known(statement)
            self.forget(statement)
            self.facts += self.learnt(old)
            result.append(statement)
        self.facts = [fact for fact in before if fact in self.facts]
        return tuple(result)

    def forget(self, statement: Statement) -> None:
        """Nothing is known of elements that a statement may change."""
        changed = {b for s in within((statement,)) for b in named(s)}
        self.facts = [fact for fact in self.facts if changed.isdisjoint(fact.reads)]

    def without_known(self, statement: Statement) -> Statement:
        """A loop without checks that hold."""
        space = _space(statement)
        known: dict[Exp, Exp] = {}
        for fact in self.facts:
            if space is not None and fact.space.is_same_as(space):
                here = Substitute(self.make, dict(zip(fact.space.indices, space.indices, strict=True)))
                known[here(fact.ok)] = self.make.true
        return rebuilt(statement, Substitute(self.make, known)) if known else statement

    def learnt(self, statement: Statement) -> Iterator[_Fact]:
        """What holds behind a loop."""
        space = _space(statement)
        own = frozenset(named(statement))
        if space is None:
            return
        indices = {index.name for index in space.indices}
        for check in _checks(statement):
            for ok in self.parts(check.ok):
                reads = tuple(buffers_read(ok))
                names = self.free.names(ok)
                plain = all(isinstance(n, Call | Const | Read | Select | Sum | Var) for n in nodes(ok))
                if plain and own.isdisjoint(reads) and self.changing.isdisjoint(names) and indices & names:
                    yield _Fact(space, ok, reads)

    def parts(self, ok: Exp) -> Iterator[Exp]:
        """A condition, and those of which it consists."""
        yield ok
        if isinstance(ok, Call) and ok.op is p.ANDB:
            for part in ok.args:
                yield from self.parts(part)


def _space(statement: Statement) -> Space | None:
    """The space of a loop that computes something at each of its points."""
    return statement.space if isinstance(statement, Map | Fused) else None


def _checks(statement: Statement) -> list[Check]:
    """The checks that a loop makes at each point."""
    roots: list[Exp] = []
    for part in statement.parts if isinstance(statement, Fused) else (statement,):
        if not isinstance(part, Map):
            continue
        guard = part.guard
        if guard is not None:
            roots.append(guard)
        while isinstance(guard, Check):
            guard = guard.value
        if guard is None or isinstance(guard, Const):
            roots += [part.position, part.body]
    return [n for n in nodes(*roots, below=certainly) if isinstance(n, Check)]
