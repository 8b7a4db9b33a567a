"""Lengths that agree: loops over lengths that are equal in nearly every run can be one loop.

Where two lengths must be equal unless one of the arrays has a single element, which then extends (see Note
[Lengths that only the run knows]), only the run knows whether loops over them have one length. A span of
statements in which loops could share what they read if they had stands twice behind that test: in the first
version equal lengths have one name, by which `fuse` finds them, the second is for the rest.

    s = REDUCE over i < n { b[i] }               if m = n {
    k = m = n ? m : …                                s = REDUCE over i < m { b[i] }
    t = REDUCE over j < k { a[…] × b[…] }    →       t = REDUCE over j < m { a[j] × b[j] }
                                                 } else { … }
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from laila.analysis import consists_of
from laila.fuse import MAX_REGION
from laila.memory import mentioned
from laila.program import (
    Alloc,
    ArrayRef,
    Assign,
    Choice,
    Filter,
    Free,
    Function,
    HostCheck,
    HostLet,
    Map,
    Program,
    Put,
    Scan,
    Space,
    Statement,
    Variable,
)
from laila.pull import fill
from laila.scalar import Buffer, Call, Const, Exp, Fold, FreeVars, Var, nodes
from laila.simplify import Scalars
from laila.statements import bound, expressions, leaves, rebuilt, with_bodies, within
from laila.substitute import Substitute
from tail import prims as p
from tail.prims import Prim

TOTAL = frozenset(
    (p.EQI, p.NEQI, p.LTI, p.LTEI, p.GTI, p.GTEI, p.ANDB, p.ORB, p.NOTB, p.MAXI, p.MINI, p.MULI)
)
"""What lengths are compared and computed with; it cannot fail, so it may stand earlier than it did."""

STRAIGHT = (HostLet, Alloc, Free, Map, Scan, Filter, Put, HostCheck)
"""Statements that a span may have."""


def with_equal_lengths(program: Program, make: Scalars) -> Program:
    """The program with spans in two versions where loops over equal lengths would share what they read."""
    agreeing = _Agreeing(make, program)
    functions = tuple(
        [replace(f, statements=agreeing.block(f.statements, _results(f))) for f in program.functions]
    )
    return replace(program, statements=agreeing.block(program.statements, frozenset()), functions=functions)


@dataclass(frozen=True, slots=True)
class _Loop:
    """A parallel operation: where it stands, its extents, and the memory it touches."""

    position: int
    extents: tuple[Exp, ...]
    touched: frozenset[Buffer]


class _Equal:
    """What expressions are where some lengths are equal."""

    def __init__(self, make: Scalars) -> None:
        self.make = make
        self.values: dict[Exp, Exp] = {}
        self.lengths: dict[Exp, Var] = {}
        """The lengths that are computed, by their values."""

    def __call__(self, exp: Exp) -> Exp:
        return Substitute(self.make, self.values)(exp)

    def learn(self, var: Var, value: Exp, *, holds: bool) -> None:
        """A scalar of the host: a condition that holds, or a length."""
        if holds:
            for m, n in _equations(value):
                self.equate(self(m), self(n))
            self.values[var] = self.make.true
        elif var.is_index:
            known = self(value)
            same = known if isinstance(known, Var | Const) else self.lengths.setdefault(known, var)
            if same is not var:
                self.stand(var, same)

    def equate(self, first: Exp, second: Exp) -> None:
        """Two lengths are equal: one of them stands for both."""
        if not _is_length(second):
            first, second = second, first
        if first is not second and _is_length(second) and all(second is not n for n in nodes(first)):
            self.stand(second, first)

    def stand(self, old: Exp, new: Exp) -> None:
        """One expression for another from here on."""
        change = Substitute(self.make, {old: new})
        self.values = {known: change(value) for known, value in self.values.items()}
        self.values[old] = new


class _Renamed(Substitute):
    """Rebuilds expressions with other indices for folds whose extents change."""

    def __init__(self, make: Scalars, replacements: dict[Exp, Exp]) -> None:
        super().__init__(make, replacements)
        self.replacements = replacements

    def _rebuild(self, node: Exp) -> Exp:
        rebuilt = super()._rebuild(node)
        if isinstance(rebuilt, Fold):
            index = self.replacements.get(rebuilt.var)
            if isinstance(index, Var):
                return self.make.fold(rebuilt.combine, index, rebuilt.extent, rebuilt.body, rebuilt.empty)
        return rebuilt


class _Agreeing:
    def __init__(self, make: Scalars, program: Program) -> None:
        self.make = make
        self.free = FreeVars()
        everything = [*program.statements, *[s for f in program.functions for s in f.statements]]
        self.changing = frozenset([s.var for s in within(everything) if isinstance(s, Variable)])
        self.known: list[HostLet] = []
        """The conditions and lengths so far."""

    def block(self, statements: Sequence[Statement], results: frozenset[Var]) -> tuple[Statement, ...]:
        """A sequence of statements; `results` are used behind it."""
        outer = list(self.known)
        done: list[Statement] = []
        left = list(statements)
        while left:
            straight = next((k for k, s in enumerate(left) if not isinstance(s, STRAIGHT)), len(left))
            count = min(straight, MAX_REGION)
            if count:
                done += self.region(left[:count], left[count:], results)
                left = left[count:]
            else:
                done.append(with_bodies(left.pop(0), lambda body: self.block(body, frozenset())))
        self.known = outer
        return tuple(done)

    def region(
        self, region: list[Statement], behind: Sequence[Statement], results: frozenset[Var]
    ) -> list[Statement]:
        """Statements without control flow, a span of which stands twice perhaps."""
        around = list(self.known)
        self.known += [s for s in region if isinstance(s, HostLet) and self.is_known(s)]
        if not any(s.var.likely for s in self.known):
            return region
        group = self.group([loop for k, s in enumerate(region) for loop in self.loops(k, s)])
        if not group:
            return region
        first, last = group[0].position, group[-1].position
        while first and isinstance(region[first - 1], Alloc | HostCheck):
            first -= 1
        while last + 1 < len(region) and isinstance(region[last + 1], Free):
            last += 1
        front, twice, frees = _divided(region[first : last + 1])
        conditions = self.conditions(group)
        early = [*around, *region[:first], *front]
        if not all(c in early for c in conditions) or not self.stand_alone(front, twice):
            return region
        rest = region[last + 1 :]
        used = {v.name for s in (*rest, *behind) for e in expressions(s) for v in self.free.of(e)}
        used |= {v.name for v in results}
        exported = [v for s in twice for v in _given(s) if v.name in used]
        declared = [Variable(v, fill(self.make, v.ty)) for v in exported]
        choice = self.choice(conditions, twice, exported)
        return [*region[:first], *front, *declared, choice, *frees, *rest]

    def stand_alone(self, front: list[Statement], behind: list[Statement]) -> bool:
        """Whether nothing of what moves to the front needs what stays behind it."""
        given = {v.name for s in behind for v in bound(s)}
        return not any(v.name in given for s in front for e in expressions(s) for v in self.free.of(e))

    def is_known(self, statement: HostLet) -> bool:
        """Whether a scalar is a condition or a length that may be computed earlier, and stays what it is."""
        value = statement.value
        if not (statement.var.likely or statement.var.is_index) or self.free.of(value) & self.changing:
            return False
        return _is_total(value)

    def loops(self, position: int, statement: Statement) -> list[_Loop]:
        """The parallel operation that a statement is, if it is one."""
        match statement:
            case HostLet(value=Fold(combine=Prim(), extent=extent)):
                extents: tuple[Exp, ...] = (extent,)
            case Map(guard=None, ordered=False, space=space) | Scan(space=space) | Filter(space=space):
                extents = space.extents
            case _:
                return []
        return [_Loop(position, extents, frozenset(mentioned(statement)))]

    def group(self, loops: list[_Loop]) -> list[_Loop]:
        """Loops that would have one index space were all lengths equal, and share memory, but have not."""
        equal = _Equal(self.make)
        for known in self.known:
            equal.learn(known.var, known.value, holds=known.var.likely)
        spaces: dict[tuple[Exp, ...], list[_Loop]] = {}
        for loop in loops:
            spaces.setdefault(tuple([equal(n) for n in loop.extents]), []).append(loop)
        for group in spaces.values():
            for one, other in combinations(group, 2):
                if one.extents != other.extents and one.touched & other.touched:
                    return group
        return []

    def conditions(self, group: list[_Loop]) -> list[HostLet]:
        """The likely conditions about the extents of some loops."""
        about = {v for loop in group for n in loop.extents for v in self.free.of(n)}
        for known in reversed(self.known):
            if known.var in about:
                about |= self.free.of(known.value)
        return [k for k in self.known if k.var.likely and self.free.of(k.value) & about]

    def choice(self, conditions: list[HostLet], span: list[Statement], exported: list[Var]) -> Choice:
        """A span in two versions; the second is what it was."""
        make = self.make
        test: Exp = make.true
        equal = _Equal(make)
        for known in self.known:
            if known in conditions and equal(known.value) is not make.true:
                test = make.call(p.ANDB, test, known.var)
            if known in conditions or not known.var.likely:
                equal.learn(known.var, known.value, holds=known.var.likely)
        otherwise: dict[Exp, Exp] = {test: make.false} if isinstance(test, Var) else {}
        return Choice(
            test, self.version(span, equal.values, exported), self.version(span, otherwise, exported)
        )

    def version(
        self, span: list[Statement], values: dict[Exp, Exp], exported: list[Var]
    ) -> tuple[Statement, ...]:
        """A span where some expressions stand for others; what is used behind it is assigned to."""
        make = self.make
        change = Substitute(make, values)
        names: dict[Exp, Exp] = {v: replace(v, name=make.fresh(v.name)) for v in exported}
        for index, extent in _loop_indices(span):
            if (changed := change(extent)) is not extent:
                names[index] = replace(index, highs=make.last_indices(changed))
        rename = _Renamed(make, {**values, **names})
        resize = Substitute(make, names)  # memory is on the stack in both versions, or in neither
        statements = [
            rebuilt(s, resize) if isinstance(s, Alloc) else _renamed(rebuilt(s, rename), names) for s in span
        ]
        kept = [s for s in statements if not (isinstance(s, HostCheck) and s.ok is make.true)]
        return (*kept, *[Assign(v, names[v]) for v in exported])


def _divided(
    span: list[Statement],
) -> tuple[list[Statement], list[Statement], list[Statement]]:
    """What may stand in front of a span, the span, and what stands behind it: memory that outlives it, and
    that was there before.
    """
    begun = {s.buffer for s in span if isinstance(s, Alloc)}
    ended = {s.buffer for s in span if isinstance(s, Free)}
    front: list[Statement] = []
    twice: list[Statement] = []
    behind: list[Statement] = []
    for statement in span:
        match statement:
            case HostLet(value=value) if _is_total(value):
                front.append(statement)
            case Alloc(buffer=buffer) if buffer not in ended:
                front.append(statement)
            case Free(buffer=buffer) if buffer not in begun:
                behind.append(statement)
            case _:
                twice.append(statement)
    return front, twice, behind


def _results(function: Function) -> frozenset[Var]:
    """The variables in what a function gives."""
    found = [leaf for r in function.results for leaf in leaves(r)]
    roots = [e for r in found for e in (r.shape if isinstance(r, ArrayRef) else (r.value,))]
    return frozenset([n for n in nodes(*roots) if isinstance(n, Var)])


def _given(statement: Statement) -> tuple[Var, ...]:
    """The scalars that a statement gives to those behind it."""
    match statement:
        case HostLet(var=var) | Filter(count=var):
            return (var,)
        case _:
            return ()


def _loop_indices(span: list[Statement]) -> Iterator[tuple[Var, Exp]]:
    """The indices of loops and folds with their extents."""
    for statement in span:
        if isinstance(statement, Map | Scan | Filter):
            yield from zip(statement.space.indices, statement.space.extents, strict=True)
    for node in nodes(*[e for s in span for e in expressions(s)]):
        if isinstance(node, Fold):
            yield node.var, node.extent


def _renamed(statement: Statement, names: dict[Exp, Exp]) -> Statement:
    """A statement with other variables for those that it binds."""

    def name(var: Var) -> Var:
        new = names.get(var, var)
        return new if isinstance(new, Var) else var

    def over(space: Space) -> Space:
        return Space(tuple(map(name, space.indices)), space.extents)

    match statement:
        case HostLet(var=var):
            return replace(statement, var=name(var))
        case Map(space=space) | Scan(space=space):
            return replace(statement, space=over(space))
        case Filter(space=space, count=count):
            return replace(statement, space=over(space), count=name(count))
        case _:
            return statement


def _is_total(value: Exp) -> bool:
    """Whether a scalar is computed of others, and cannot fail."""
    return consists_of(value, TOTAL)


def _equations(value: Exp) -> list[tuple[Exp, Exp]]:
    """The pairs of lengths whose equality a condition is."""
    if isinstance(value, Call) and value.op is p.ANDB:
        return [pair for arg in value.args for pair in _equations(arg)]
    if isinstance(value, Call) and value.op is p.EQI:
        return [(value.args[0], value.args[1])]
    return []


def _is_length(exp: Exp) -> bool:
    return isinstance(exp, Var) and exp.is_index
