"""Counts and sums by key: one walk over the keys, instead of one for each index that they are compared with.

    MAP a[i] = REDUCE + over j < n { w j where i = key j, 0 elsewhere } over i < m

becomes

    MAP a[i] = 0 over i < m
    UPDATE a[key j] = a[key j] + w j over j < n where 0 ≤ key j < m

and where more is done with the sums than that, they lie in an array of their own. For few indices vectors
compare faster than memory is updated; where only the run knows how many there are, it decides. The index may
be that of a fold, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from laila.memory import buffers_read, named
from laila.program import (
    Alloc,
    Choice,
    Each,
    Free,
    Fused,
    HostLet,
    Map,
    Program,
    Scan,
    Space,
    Statement,
    While,
)
from laila.scalar import Buffer, Call, Const, Do, Exp, Fold, FreeVars, Select, Sum, Var, nodes
from laila.scopes import STORAGE
from laila.simplify import Scalars
from laila.statements import bound, own_expressions, rebuilt, with_blocks, within
from laila.substitute import Substitute
from tail import prims as p
from tail.types import Base

MANY = 128
"""Comparisons in vectors that take about as long as one update of memory."""


def count_by_key(program: Program, make: Scalars) -> Program:
    """The program with counts and sums by key in one walk over the keys."""
    sequences = (program.statements, *[f.statements for f in program.functions])
    allocations = [s for block in sequences for s in within(block) if isinstance(s, Alloc)]
    return with_blocks(program, _Counts(make, allocations).block)


@dataclass(frozen=True, slots=True)
class _Count:
    """What is added up where an index is a key."""

    index: Var
    extent: Exp
    key: Exp
    weight: Exp
    worth: Exp
    """Whether there are enough indices."""


class _Counts:
    """The sums by key of a program."""

    def __init__(self, make: Scalars, allocations: Sequence[Alloc]) -> None:
        self.make = make
        self.free = FreeVars()
        self.sites = {alloc.buffer: alloc.site for alloc in allocations}

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements with sums by key in front of those that use them."""
        block: list[Statement] = []
        for statement in statements:
            match statement:
                case While(body=body) | Each(body=body):
                    block.append(replace(statement, body=self.block(body)))
                case Choice(then=then, other=other):
                    block.append(replace(statement, then=self.block(then), other=self.block(other)))
                case HostLet() | Map(ordered=False) | Scan() | Fused(in_place=False):
                    block += self.statement(statement)
                case _:
                    block.append(statement)
        return tuple(block)

    def statement(self, statement: Statement) -> list[Statement]:
        """A statement behind those that add up what it needs."""
        roots = own_expressions(statement)
        everything = list(nodes(*roots))
        folds = [n for n in everything if isinstance(n, Fold)]
        site = next((self.sites[b] for b in _buffers(statement) if b in self.sites), None)
        if not folds or site is None or any(isinstance(n, Do) for n in everything):
            return [statement]
        written = set(named(statement))
        axes = {f.var: (f.extent, True) for f in folds} | _axes(statement)
        local = frozenset((*axes, *bound(statement)))
        before: list[Statement] = []
        after: list[Statement] = []
        sums: dict[Exp, Exp] = {}
        for fold in folds:
            count = self.count(fold, axes, local)
            if count is None or not written.isdisjoint(buffers_read(fold)):
                continue
            if isinstance(statement, Map) and statement.body is fold and statement.position is count.index:
                return self.added(fold, count, statement.buffer)
            array = Buffer(self.make.fresh("sum"), fold.ty, STORAGE[fold.ty])
            before += [Alloc(array, count.extent, site), *self.added(fold, count, array)]
            after.append(Free(array))
            sums[fold] = self.make.read(array, count.index)
        return [*before, rebuilt(statement, Substitute(self.make, sums)), *after] if sums else [statement]

    def count(self, fold: Fold, axes: dict[Var, tuple[Exp, bool]], local: frozenset[Var]) -> _Count | None:
        """The fold as a sum by key, if it is one whose keys are the same for all that uses it."""
        make = self.make
        if fold.combine not in (p.ADDI, p.ADDD) or make.may_fail(fold.body):
            return None
        condition, weight = self.weighed(fold.body)
        if not isinstance(condition, Call) or condition.op is not p.EQI:
            return None
        const, terms = make.linear(make.sub(*condition.args))
        outer = [v for v, k in terms.items() if isinstance(v, Var) and v in axes and abs(k) == 1]
        for index in outer:
            if index is fold.var:
                continue
            sign = terms[index]
            rest = {atom: -sign * k for atom, k in terms.items() if atom is not index}
            key = make.from_linear(-sign * const, rest)
            extent, in_fold = axes[index]
            worth = make.call(p.LTI, make.const(MANY), extent)
            if in_fold:  # which would need no memory
                worth = make.call(p.ANDB, worth, make.call(p.LTEI, extent, fold.extent))
            if fold.var not in self.free.of(key):
                continue
            inner = self.free.of(key) | self.free.of(weight) | {fold.var}
            if inner & local == {fold.var} and not (self.free.of(extent) | self.free.of(fold.extent)) & local:
                return None if worth is make.false else _Count(index, extent, key, weight, worth)
        return None

    def weighed(self, body: Exp) -> tuple[Exp | None, Exp]:
        """The condition under which something is added, and what."""
        make = self.make
        match body:
            case Call(op=p.B2I, args=(condition,)):
                return condition, make.one
            case Call(op=p.I2D, args=(Call(op=p.B2I, args=(condition,)),)):
                return condition, make.const(1.0, Base.DOUBLE)
            case Call(op=p.MULI, args=(Call(op=p.B2I, args=(condition,)), weight)):
                return condition, weight
            case Call(op=p.MULI, args=(weight, Call(op=p.B2I, args=(condition,)))):
                return condition, weight
            case Sum(const=0, terms=((Call(op=p.B2I, args=(condition,)), k),)):
                return condition, make.const(k)
            case Select(cond=condition, then=weight, other=Const(value=0)):
                return condition, weight
            case _:
                return None, body

    def added(self, fold: Fold, count: _Count, array: Buffer) -> list[Statement]:
        """The sums in an array."""
        make = self.make
        j, i, k = make.index("j", fold.extent), make.index("i", count.extent), make.index("i", count.extent)
        key, weight = [Substitute(make, {fold.var: j})(e) for e in (count.key, count.weight)]
        is_inside = make.call(p.ANDB, make.call(p.LTEI, make.zero, key), make.call(p.LTI, key, count.extent))
        total = make.call(p.ADDI if fold.ty is Base.INT else p.ADDD, make.read(array, key), weight)
        nothing = make.const(0.0 if fold.ty is Base.DOUBLE else 0, fold.ty)
        by_key: list[Statement] = [
            Map(array, Space((i,), (count.extent,)), i, nothing),
            Map(array, Space((j,), (fold.extent,)), key, total, is_inside, ordered=True),
        ]
        if count.worth is make.true:
            return by_key
        again = make.index("k", fold.extent)
        body = Substitute(make, {count.index: k, fold.var: again})(fold.body)
        compared = Fold(fold.combine, again, fold.extent, body, nothing, fold.ty)
        return [Choice(count.worth, tuple(by_key), (Map(array, Space((k,), (count.extent,)), k, compared),))]


def _axes(statement: Statement) -> dict[Var, tuple[Exp, bool]]:
    """The indices of a statement, and their extents."""
    match statement:
        case Fused(parts=parts):
            spaces = [q.space for q in parts]
        case Map(space=space) | Scan(space=space):
            spaces = [space]
        case _:
            spaces = []
    return {i: (n, False) for s in spaces for i, n in zip(s.indices, s.extents, strict=True)}


def _buffers(statement: Statement) -> list[Buffer]:
    return [*named(statement), *buffers_read(*own_expressions(statement))]
