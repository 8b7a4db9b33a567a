"""What versions of statements share: what is replaced in each, and which statements are emitted twice.

A version is a span of statements in which lengths have the values, or the names, that its condition tells.
What may stand in front of all versions and behind them stands there once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from aplc.laila.ir import rounds
from aplc.laila.ir.analysis import consists_of
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Filter,
    ForEach,
    Free,
    HostCheck,
    HostLet,
    Map,
    Scan,
    Space,
    Statement,
)
from aplc.laila.ir.scalar import Call, Const, Exp, Fold, Sum, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, expressions, rebuilt, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p

TOTAL = frozenset(
    (p.EQI, p.NEQI, p.LTI, p.LTEI, p.GTI, p.GTEI, p.ANDB, p.ORB, p.NOTB, p.MAXI, p.MINI, p.MULI, p.RESI)
)
"""What lengths are compared and computed with; it cannot fail, so it may stand earlier than it did."""


class Equal:
    """What expressions are where some lengths are equal."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make = make
        self.values: dict[Exp, Exp] = {}
        self.lengths: dict[Exp, Var] = {}
        """The lengths that are computed, by their values."""

    def copy(self) -> Equal:
        """The same, which may learn more."""
        other = Equal(self.make)
        other.values, other.lengths = dict(self.values), dict(self.lengths)
        return other

    def __call__(self, exp: Exp) -> Exp:
        """What an expression is there."""
        return Substitute(self.make, self.values)(exp)

    def learn(self, var: Var, value: Exp, *, holds: bool) -> None:
        """A scalar of the host: a condition that holds, a length, or one that is a constant then."""
        if holds:
            for m, n in _equations(value):
                self.equate(self(m), self(n))
            self.values[var] = self.make.true
            return
        known, found = self(value), self(var)
        if var.is_index and found is not var:  # as where a condition has told what it is
            self.equate(known, found)
        elif var.is_index and not isinstance(known, Const):
            known = known if isinstance(known, Var) else self.lengths.setdefault(known, var)
            if known is not var:
                self.stand(var, known)
        elif isinstance(known, Const):
            self.stand(var, known)

    def equate(self, first: Exp, second: Exp) -> None:
        """Two lengths are equal: one of them stands for both."""
        if not _is_length(second):
            first, second = second, first
        if first is second:
            return
        if not _is_length(second):
            for number, length in ((first, second), (second, first)):
                if (longer := _longer(length)) is not None and isinstance(number, Const) and number.value > 0:
                    var, by = longer
                    self.stand(var, self.make.add(number, self.make.const(by)))
        elif isinstance(first, Var | Const):
            self.stand(second, first)
        else:
            self.stand(first, second)  # as n for (0⌈n-1)+1, or for 0⌈m-1

    def stand(self, old: Exp, new: Exp) -> None:
        """One expression for another from here on."""
        change = Substitute(self.make, {old: new})
        self.values = {known: change(value) for known, value in self.values.items()}
        self.values[old] = new


class _Renamed(Substitute):
    """Rebuilds expressions with other indices for folds whose extents change."""

    def __init__(self, make: ExprBuilder, replacements: dict[Exp, Exp]) -> None:
        super().__init__(make, replacements)
        self.replacements = replacements

    def _rebuild(self, node: Exp) -> Exp:
        rebuilt = super()._rebuild(node)
        if isinstance(rebuilt, Fold):
            index = self.replacements.get(rebuilt.var)
            if isinstance(index, Var):
                return self.make.fold(rebuilt.combine, index, rebuilt.extent, rebuilt.body, rebuilt.empty)
        return rebuilt


def version(
    make: ExprBuilder,
    span: list[Statement],
    values: dict[Exp, Exp],
    exported: list[Var],
    *,
    own_memory: bool = False,
) -> tuple[Statement, ...]:
    """A span where some expressions stand for others; what is used behind it is assigned to. Memory that the
    version does not own is as large as it was: it is on the stack in all versions, or in none.
    """
    names: dict[Exp, Exp] = {v: replace(v, name=make.fresh(v.name)) for v in exported}
    change = Substitute(make, values)
    for index, extent in _loop_indices(span):
        if (changed := change(extent)) is not extent:
            names[index] = replace(index, highs=make.last_indices(changed))
            change = Substitute(make, {**values, **names})
    rename = _Renamed(make, {**values, **names})
    resize = rename if own_memory else Substitute(make, names)
    statements = [
        rebuilt(s, resize) if isinstance(s, Alloc) else _renamed(rebuilt(s, rename), names) for s in span
    ]
    kept = [s for s in statements if not (isinstance(s, HostCheck) and s.ok is make.true)]
    return (*kept, *[Assign(v, names[v]) for v in exported])


def divided(
    span: list[Statement],
) -> tuple[list[Statement], list[Statement], list[Statement]]:
    """What may stand in front of a span, the span, and what stands behind it: memory that outlives it, and
    that was there before. Checks of lengths stay in front of memory that may have no size where they fail.
    """
    begun = {s.buffer for s in span if isinstance(s, Alloc)}
    ended = {s.buffer for s in span if isinstance(s, Free)}
    front: list[Statement] = []
    twice: list[Statement] = []
    behind: list[Statement] = []
    for statement in span:
        match statement:
            case HostLet(value=value) if is_total(value):
                front.append(statement)
            case Alloc(buffer=buffer) if buffer not in ended:
                late = {v for s in twice for v in bound(s)}
                early = [s for s in twice if isinstance(s, HostCheck) and _may_precede(s, late)]
                twice = [s for s in twice if s not in early]
                front += [*early, statement]
            case Free(buffer=buffer) if buffer not in begun:
                behind.append(statement)
            case _:
                twice.append(statement)
    return front, twice, behind


def _may_precede(check: HostCheck, late: set[Var]) -> bool:
    """Whether a check needs nothing that a span computes or changes, `late` being such scalars."""
    roots = (check.ok, *check.reported)
    return all(is_total(e) for e in roots) and late.isdisjoint(nodes(*roots))


def given(statement: Statement) -> tuple[Var, ...]:
    """The scalars that a statement gives to those behind it; a filter that goes on changes a variable."""
    match statement:
        case HostLet(var=var) | Filter(count=var, goes_on=False):
            return (var,)
        case _:
            return ()


def _loop_indices(span: list[Statement]) -> Iterator[tuple[Var, Exp]]:
    """The indices of loops and folds with their extents."""
    for statement in within(span):
        if isinstance(statement, Map | Scan | Filter | ForEach):
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
        case ForEach(space=space, body=body):
            return replace(statement, space=over(space), body=tuple([_renamed(s, names) for s in body]))
        case Filter(space=space, count=count):
            return replace(statement, space=over(space), count=name(count))
        case _:
            return with_bodies(statement, lambda body: tuple([_renamed(s, names) for s in body]))


def is_total(value: Exp) -> bool:
    """Whether a scalar is computed of others, and cannot fail: it may be divided by constants."""
    return consists_of(value, TOTAL | rounds.TRAPPING) and rounds.is_total(value)


def _equations(value: Exp) -> list[tuple[Exp, Exp]]:
    """The pairs of lengths whose equality a condition is."""
    if isinstance(value, Call) and value.op is p.ANDB:
        return [pair for arg in value.args for pair in _equations(arg)]
    if isinstance(value, Call) and value.op is p.EQI:
        return [(value.args[0], value.args[1])]
    return []


def _longer(exp: Exp) -> tuple[Var, int] | None:
    """The length n, and k, of which an expression is 0⌈n-k."""
    match exp:
        case Call(op=p.MAXI, args=(Const(value=0), Sum(const=const, terms=((Var() as var, 1),)))):
            return var, -int(const)
        case _:
            return None


def _is_length(exp: Exp) -> bool:
    return isinstance(exp, Var) and exp.is_index
