"""Attempts: statements that note where they would fail, and do no more then, instead of failing.

Whether an expression fails is an expression: the conditions of its checks, as lazy as they are, and for all
values of a fold's index. Where it holds, the checks are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import buffers_read, with_frees
from aplc.laila.ir.program import (
    Assign,
    Filter,
    ForEach,
    HostCheck,
    If,
    Map,
    Scan,
    Space,
    Statement,
    Variable,
    While,
)
from aplc.laila.ir.scalar import BlockExp, Check, Exp, Fold, Select, Step, Var, contains, nodes, operands
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, rebuilt
from aplc.laila.ir.substitute import Substitute, WithoutChecks
from aplc.laila.lowering.primitives.inside import may_fail
from aplc.laila.lowering.pull import Pull
from aplc.tail import prims as p
from aplc.tail.types import Base


class _CannotTell(Exception):
    """Whether a statement fails is known only once it has."""


class Attempt:
    """Statements that set a variable where they would fail."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make = make
        self.failed = Var(make.fresh("failed"), Base.BOOL)
        self.depth = 0
        """In how many sequences inside others: a failure in one ends what is behind those, too."""
        self.is_asked = False
        """Whether statements ask if the attempt has failed."""

    def made(
        self, statements: Sequence[Statement], *, unless: Exp, then: Sequence[Statement]
    ) -> tuple[Statement, ...]:
        """An attempt at some statements unless a condition holds, and others behind them if none failed.
        Nothing if that cannot be told.
        """
        try:
            tried = self._of(statements, then)
        except _CannotTell:
            return ()
        start = [Variable(self.failed, self.make.false)] if self.is_asked else []
        return *start, If(self.make.call(p.NOTB, unless), tried)

    def _of(self, statements: Sequence[Statement], then: Sequence[Statement] = ()) -> tuple[Statement, ...]:
        """The statements, each behind what it needs, and others if all succeed."""
        rest = [*then]
        for statement in reversed(statements):
            rest = self._before(statement, rest)
        return tuple(with_frees(rest))

    def _inner(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """A sequence inside another."""
        self.depth += 1
        inner = self._of(statements)
        self.depth -= 1
        return inner

    def _before(self, statement: Statement, rest: list[Statement]) -> list[Statement]:
        """A statement and the rest, which is done only if the statement does not fail."""
        if not may_fail(statement):
            return [statement, *rest]
        match statement:
            case HostCheck(ok=ok):
                return self._where(self._and(holds(self.make, ok), self._plain(ok)), rest)
            case If(cond=cond, then=then, other=other):
                choice = If(self._plain(cond), self._inner(then), self._inner(other), statement.least)
                return self._where(holds(self.make, cond), [choice, *self._unless_failed(rest)])
            case ForEach(space=space, body=body):
                body = tuple(self._unless_failed(self._inner(body)))
                loop = replace(statement, space=self._plain_space(space), body=body, independent=False)
                tests = [holds(self.make, n) for n in space.extents]
                return self._where(self._and(*tests), [loop, *self._unless_failed(rest)])
            case While(cond=cond, body=body) if not contains(Check | BlockExp, cond):
                self.is_asked = True
                goes_on = self._and(self.make.call(p.NOTB, self.failed), cond)
                rounds = While(goes_on, self._inner(body), statement.scratch)
                return [rounds, *self._unless_failed(rest)]
            case _:
                plain = rebuilt(statement, self._plain)
                if may_fail(plain):
                    raise _CannotTell
                return self._where(self._succeeds(statement), [plain, *rest])

    def _where(self, ok: Exp, then: list[Statement]) -> list[Statement]:
        """Statements where a condition holds; where it does not, the attempt has failed."""
        failure = (Assign(self.failed, self.make.true),) if self.depth else ()
        if ok is self.make.true:
            return then
        return [*failure] if ok is self.make.false else [If(ok, tuple(with_frees(then)), failure)]

    def _unless_failed(self, then: Sequence[Statement]) -> list[Statement]:
        self.is_asked = True
        return [If(self.make.call(p.NOTB, self.failed), tuple(with_frees(then)))] if then else []

    def _and(self, *exps: Exp) -> Exp:
        return conjunction(self.make, exps)

    def _plain(self, exp: Exp) -> Exp:
        return WithoutChecks(self.make, {})(exp) if contains(Check, exp) else exp

    def _plain_space(self, space: Space) -> Space:
        return Space(space.indices, tuple([self._plain(n) for n in space.extents]))

    def _succeeds(self, statement: Statement) -> Exp:
        """Whether a statement without others inside it does not fail."""
        make = self.make
        match statement:
            case Map(buffer=buffer, space=space, position=position, body=body, guard=guard):
                if buffer in buffers_read(position, body, *([] if guard is None else [guard])):
                    raise _CannotTell
                element = self._and(holds(make, position), holds(make, body))
                if guard is not None:
                    test = make.select(self._plain(guard), element, make.true)
                    element = self._and(holds(make, guard), test)
            case Scan(space=space, position=position, body=body):
                element = self._and(holds(make, position), holds(make, body))
            case Filter(space=space, keep=keep, body=body):
                test = make.select(self._plain(keep), holds(make, body), make.true)
                element = self._and(holds(make, keep), test)
            case _:
                return self._and(*[holds(make, e) for e in own_expressions(statement)])
        tests = [holds(make, n) for n in space.extents]
        return self._and(*tests, for_all(make, self._plain_space(space), element))


def conjunction(make: ExprBuilder, exps: Sequence[Exp]) -> Exp:
    """Whether all of some conditions hold; none is looked at unless those before it do."""
    result: Exp = make.true
    for exp in reversed(exps):
        result = exp if result is make.true else make.select(exp, result, make.false)
    return result


def for_all(make: ExprBuilder, space: Space, element: Exp) -> Exp:
    """Whether a condition holds at all points of a space."""
    if element is make.true:
        return element
    fresh = [make.index("k", n) for n in space.extents]
    result = Substitute(make, dict[Exp, Exp](zip(space.indices, fresh, strict=True)))(element)
    for index, n in reversed(list(zip(fresh, space.extents, strict=True))):
        result = make.fold(p.ANDB, index, n, result, make.true)
    return result


def succeeds(make: ExprBuilder, value: Pull) -> Exp | None:
    """Whether no element of an array and none of its extents fails; None if that cannot be told."""
    indices = tuple([make.index("k", n) for n in value.shape])
    plain = tuple([WithoutChecks(make, {})(n) for n in value.shape])
    try:
        lengths = [holds(make, n) for n in value.shape]
        elements = for_all(make, Space(indices, plain), holds(make, value.at(*indices)))
    except _CannotTell:
        return None
    return conjunction(make, [*lengths, elements])


def holds(make: ExprBuilder, exp: Exp) -> Exp:
    """Whether an expression can be evaluated without an error. Raises `_CannotTell`."""
    if not contains(Check | BlockExp, exp):
        return make.true
    done: dict[int, Exp] = {}
    plain = WithoutChecks(make, {})
    for node in nodes(exp):
        match node:
            case BlockExp():
                raise _CannotTell
            case Check(ok=ok, value=value):
                done[id(node)] = conjunction(make, [done[id(ok)], plain(ok), done[id(value)]])
            case Select(cond=cond, then=then, other=other):
                branches = make.select(plain(cond), done[id(then)], done[id(other)])
                done[id(node)] = conjunction(make, [done[id(cond)], branches])
            case Fold(combine=combine, var=var, extent=extent, body=body, empty=empty):
                if isinstance(combine, Step) and done[id(combine.body)] is not make.true:
                    raise _CannotTell
                space = Space((var,), (plain(extent),))
                start = [] if empty is None else [done[id(empty)]]
                tests = [done[id(extent)], *start, for_all(make, space, done[id(body)])]
                done[id(node)] = conjunction(make, tests)
            case _:
                done[id(node)] = conjunction(make, [done[id(o)] for o in operands(node)])
    return done[id(exp)]
