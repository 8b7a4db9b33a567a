"""What passes make for one thread, beside what there is for several, chosen by extent.

    P ─ pass for one thread ─► Q        →    if work(P) < worth ∨ threads ≤ 2 { Q' } else { P' }

where P' and Q' are the statements by which blocks differ. Two loops that run in threads move twice the memory
of the one that takes their place in one thread, so that two threads are no sooner. What P' and Q' both write
is allocated before; scalars that both give are variables. Where the extents of P' are not known before it, it
stays alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import Users, mentioned
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Filter,
    Free,
    Fused,
    HostLet,
    If,
    Map,
    Program,
    Reduce,
    Scan,
    Statement,
    Variable,
    While,
)
from aplc.laila.ir.scalar import Exp, FreeVars, PureCall, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import (
    bodies,
    bound,
    expressions,
    names_of_results,
    rebuilt,
    with_bodies,
    within,
)
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import fill, weigh
from aplc.tail import prims as p
from aplc.tail.types import Base

WORTH = 30_000_000
"""So much work is worth threads: that of `parallel`."""

FEW = 3
"""So many threads are sooner than one that moves half of the memory."""

BYTES = 8
"""Of the lanes of operations."""


def beside_threads(
    run: Callable[[Program, ExprBuilder], Program], program: Program, make: ExprBuilder, *, always: bool
) -> Program:
    """The program with what a pass makes of it for one thread beside what it is, which is taken `always`."""
    alone = run(program, make)
    if alone == program:
        return program
    merge = _Merge(make, names_of_results(program), 0 if always else WORTH)
    pairs = zip(program.functions, alone.functions, strict=True)
    functions = [replace(f, statements=merge.block(f.statements, g.statements, 8)) for f, g in pairs]
    statements = merge.block(program.statements, alone.statements, 1)
    return replace(program, statements=statements, functions=tuple(functions))


class _Merge:
    """Blocks of two programs as one."""

    def __init__(self, make: ExprBuilder, kept: frozenset[str], worth: int) -> None:
        self.make, self.free, self.kept, self.worth = make, FreeVars(), kept, worth

    def block(
        self, several: Sequence[Statement], one: Sequence[Statement], share: int
    ) -> tuple[Statement, ...]:
        """A block with both where they differ; in rounds a `share` of the work is worth threads."""
        several = _freed_early(several, one)
        first = 0
        while first < min(len(several), len(one)) and several[first] == one[first]:
            first += 1
        behind = 0
        while behind < min(len(several), len(one)) - first and several[-1 - behind] == one[-1 - behind]:
            behind += 1
        middle, other = [tuple(block[first : len(block) - behind]) for block in (several, one)]
        rest = several[len(several) - behind :]
        return (*several[:first], *self.chosen(middle, other, share, rest), *rest)

    def chosen(
        self,
        several: tuple[Statement, ...],
        one: tuple[Statement, ...],
        share: int,
        rest: Sequence[Statement],
    ) -> tuple[Statement, ...]:
        """The statements by which blocks differ, before the rest, with a condition that chooses."""
        if not several or not one:
            return several
        if len(several) == len(one) == 1 and bodies(several[0]) and _head(several[0]) == _head(one[0]):
            inner = 8 if isinstance(several[0], While) else share
            pairs = zip(bodies(several[0]), bodies(one[0]), strict=True)
            merged = iter([self.block(x, y, inner) for x, y in pairs])
            return (with_bodies(several[0], lambda _: next(merged)),)
        named = {var for s in several for var in bound(s)}
        both = {s.buffer: s for s in several if isinstance(s, Alloc)}
        both = {s.buffer: s for s in one if isinstance(s, Alloc) and both.get(s.buffer) == s}
        if any(self.free.of(s.size) & named for s in both.values()):
            return several
        versions = [tuple([s for s in block if s not in both.values()]) for block in (one, several)]
        work = self.work(several)
        owns = [self.given(block, rest) for block in (one, several)]
        if work is None or owns[0].keys() != owns[1].keys() or not all(map(_is_closed, versions)):
            return several
        versions = [self.giving(block, own, owns[1]) for block, own in zip(versions, owns, strict=True)]
        variables = [Variable(v, fill(self.make, v.ty)) for v in owns[1].values()]
        make = self.make
        brief = make.call(p.LTI, work, make.const(self.worth // share))
        threads = PureCall("aplc_most_threads", "aplc_threads.h", (), (), Base.INT)
        few = make.call(p.LTI, threads, make.const(FEW))
        return (*both.values(), *variables, If(make.call(p.ORB, brief, few), versions[0], versions[1]))

    def given(self, block: Sequence[Statement], rest: Sequence[Statement]) -> dict[str, Var]:
        """The scalars of a block that the rest uses, by name."""
        used = {name for s in within(rest) for e in expressions(s) for name in self.free.names(e)} | self.kept
        return {v.name: v for s in block for v in _given(s) if v.name in used}

    def giving(
        self, block: Sequence[Statement], own: Mapping[str, Var], given: Mapping[str, Var]
    ) -> tuple[Statement, ...]:
        """A block that has names of its own for the scalars that it gives, which it assigns at its end."""
        names: dict[Exp, Exp] = {v: replace(v, name=self.make.fresh(v.name)) for v in own.values()}
        change = Substitute(self.make, names)
        ends = [Assign(v, names[own[name]]) for name, v in given.items()]
        return (*[_named(rebuilt(s, change), names) for s in block], *ends)

    def work(self, statements: Sequence[Statement]) -> Exp | None:
        """The work of loops, if it is known before them."""
        make = self.make
        named = {var for s in statements for var in bound(s)}
        found: Exp = make.zero
        for statement in statements:
            match statement:
                case Map(space=space) | Scan(space=space) | Fused(space=space):
                    if any(self.free.of(e) & named for e in space.extents):
                        return None
                    units = sum([1 + weigh(e).cost for e in expressions(statement)]) * BYTES
                    turns: Exp = make.const(int(units))
                    for extent in space.extents:
                        turns = make.mul(turns, extent)
                    found = make.add(found, turns)
                case _:
                    pass
        return None if found is make.zero else found


def _is_closed(statements: Sequence[Statement]) -> bool:
    """Whether statements leave nothing but elements of memory that was there before."""
    kinds = (Alloc, Free, Map, Scan, Fused, If, While, HostLet, Variable, Assign)
    begun = {s.buffer for s in statements if isinstance(s, Alloc)}
    ended = {s.buffer for s in statements if isinstance(s, Free)}
    is_plain = all(isinstance(s, kinds) for s in statements)
    parts = [part for s in statements if isinstance(s, Fused) for part in s.parts]
    return is_plain and begun == ended and not any(isinstance(part, Filter) for part in parts)


def _given(statement: Statement) -> tuple[Var, ...]:
    """The scalars that a statement begins."""
    match statement:
        case HostLet(var=var) | Variable(var=var):
            return (var,)
        case Fused(parts=parts):
            return tuple([part.var for part in parts if isinstance(part, Reduce)])
        case _:
            return ()


def _named(statement: Statement, names: Mapping[Exp, Exp]) -> Statement:
    """A statement with other names for the scalars that it begins or changes."""

    def name(var: Var) -> Var:
        new = names.get(var, var)
        assert isinstance(new, Var)
        return new

    match statement:
        case HostLet(var=var) | Variable(var=var) | Assign(var=var):
            return replace(statement, var=name(var))
        case Fused(parts=parts):
            new = [replace(part, var=name(part.var)) if isinstance(part, Reduce) else part for part in parts]
            return replace(statement, parts=tuple(new))
        case _:
            return with_bodies(statement, lambda body: tuple([_named(s, names) for s in body]))


def _head(statement: Statement) -> Statement:
    """A statement without those in it."""
    return with_bodies(statement, lambda _: ())


def _freed_early(several: Sequence[Statement], one: Sequence[Statement]) -> list[Statement]:
    """Statements that free what the others do not have directly behind its last use."""
    users = Users().of(several)
    known = {b for s in one for b in mentioned(s)}
    ends = {b: places[-2:] for b, places in users.items() if b not in known and len(places) > 1}
    frees = {b: free for b, (_, k) in ends.items() if isinstance(free := several[k], Free)}
    behind: dict[int, list[Statement]] = {}
    for buffer, free in frees.items():
        behind.setdefault(ends[buffer][0], []).append(free)
    rest = {id(free) for free in frees.values()}
    return [each for k, s in enumerate(several) if id(s) not in rest for each in (s, *behind.get(k, ()))]
