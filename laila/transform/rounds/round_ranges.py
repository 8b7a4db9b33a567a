"""Ranges of the integers that the rounds of a loop carry, where the rounds themselves make them.

    while k < n { x := 7 | x + y; y := 7 | x }
        →   while k < n and not (x and y in 0 … 6) { x := 7 | x + y; y := 7 | x }
            if x and y in 0 … 6 { while k < n { x := (x + y < 7) ? x + y : x + y - 7; y := x } }

What a round gives, whatever it was given, is in a range, and stays there. Before, it may be anything: the
first loop, which few programs enter and most leave after a round, runs until all is in its range, or until
there is no further round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from aplc.laila.ir.interval import EMPTY, Interval
from aplc.laila.ir.interval_rules import INT32
from aplc.laila.ir.program import Assign, HostLet, If, Program, Statement, Variable, While
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import BlockExp, Call, Check, Const, Exp, Fold, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import expressions, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.narrow import Narrowing
from aplc.tail import prims as p
from aplc.tail.types import Base

NATURAL32 = Interval(0, INT32.high)

DEEP = 3
"""So often ranges shrink to what is made of them."""


def with_rounds_bounded(program: Program, make: ExprBuilder) -> Program:
    """The program with loops over scalars that know the ranges of what they carry."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    result: list[Statement] = []
    for statement in statements:
        statement = with_bodies(statement, lambda body: _block(body, make))
        result += _bounded(statement, make) if isinstance(statement, While) else [statement]
    return tuple(result)


def _bounded(loop: While, make: ExprBuilder) -> list[Statement]:
    """A loop, or the two that it becomes."""
    if not all(isinstance(s, HostLet | Assign | If) for s in within(loop.body)):
        return [loop]
    exps = expressions(loop)
    if not _residues(exps) or contains(Check | BlockExp | Fold, *exps):
        return [loop]
    own = {s.var.name for s in within(loop.body) if isinstance(s, HostLet)}
    carried = {s.var.name: s.var for s in within(loop.body) if isinstance(s, Assign)}
    carried = {name: v for name, v in carried.items() if v.ty is Base.INT and name not in own}
    found = _ranges_of(carried, loop.body, make)
    bounds = {v: found[name] for name, v in carried.items() if _is_asked(found[name])}
    if not bounds:
        return [loop]
    names = {v.name: _between(v, i, make) for v, i in bounds.items()}
    rebuild = _Fast(make, dict(names))
    fast = rebuild.loop(loop)
    if len(_slow_residues(expressions(fast), rebuild.ranges)) >= len(_residues(exps)):
        return [loop]
    inside = _all_within(bounds, make)
    slow = replace(loop, cond=make.call(p.ANDB, loop.cond, make.call(p.NOTB, inside)))
    pairs = [(v, names[v.name]) for v in bounds]
    starts = [Variable(new, old) for old, new in pairs]
    ends = [Assign(old, new, of_memory=True) for old, new in pairs]
    return [slow, If(inside, (*starts, fast, *ends))]


def _is_asked(values: Interval) -> bool:
    """Whether the loop asks for these values, so that it may count on them."""
    return values.within(INT32) and not values.is_empty


def _between(var: Var, values: Interval, make: ExprBuilder) -> Var:
    """A variable with bounds."""
    low, high = make.const(int(values.low)), make.const(int(values.high))
    return Var(make.fresh(var.name), var.ty, lows=(low,), highs=(high,))


def _all_within(bounds: dict[Var, Interval], make: ExprBuilder) -> Exp:
    """Whether all variables are in their ranges."""
    result: Exp = make.true
    for var, values in bounds.items():
        for comparison, bound in ((p.GTEI, values.low), (p.LTEI, values.high)):
            result = make.call(p.ANDB, result, make.call(comparison, var, make.const(int(bound))))
    return result


def _residues(exps: Iterable[Exp]) -> list[Call]:
    return [n for n in nodes(*exps) if isinstance(n, Call) and n.op is p.RESI]


def _slow_residues(exps: Iterable[Exp], ranges: Ranges) -> list[Call]:
    """Those of numbers that may be negative, or have more than 32 bits."""
    return [n for n in _residues(exps) if not ranges.integers(n.args[1]).within(NATURAL32)]


def _ranges_of(carried: dict[str, Var], body: Sequence[Statement], make: ExprBuilder) -> dict[str, Interval]:
    """What rounds give, whatever they were given; then of that again, as it is in the same ranges: of those
    variables only that will be asked whether they are.
    """
    known: dict[str, Interval] = {}
    for _ in range(DEEP):
        ranges = Ranges(is_single=make.settings.is_single)
        for name, values in known.items():
            if _is_asked(values):
                ranges.bind(carried[name], values)
        found = dict.fromkeys(carried, EMPTY)
        for statement in _in_order(body, ranges):
            if isinstance(statement, Assign) and (name := statement.var.name) in found:
                found[name] = found[name].hull(ranges.integers(statement.value))
        known = found
    return known


def _in_order(body: Sequence[Statement], ranges: Ranges) -> Iterator[Statement]:
    """Statements and those inside, with the ranges of what they name known for those behind."""
    for statement in within(body):
        if isinstance(statement, HostLet) and statement.var.ty.is_exact:
            ranges.bind(statement.var, ranges.of(statement.value))
        yield statement


class _Fast:
    """Rebuilds a loop whose variables are in their ranges, with names of its own."""

    def __init__(self, make: ExprBuilder, names: dict[str, Var]) -> None:
        self.make, self.names = make, names
        self.ranges = Ranges(is_single=make.settings.is_single)

    def loop(self, loop: While) -> While:
        """The loop, with what the ranges decide."""
        return replace(loop, cond=self.exp(loop.cond), body=self.body(loop.body))

    def exp(self, exp: Exp) -> Exp:
        """An expression with what the ranges decide."""
        mentioned = [n for n in nodes(exp) if isinstance(n, Var) and n.name in self.names]
        change = Substitute(self.make, {var: self.names[var.name] for var in mentioned})
        return Narrowing(self.make, self.ranges, {})(change(exp))

    def body(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements, of choices that are decided what is chosen."""
        result: list[Statement] = []
        for statement in statements:
            match statement:
                case HostLet(var=var, value=value):
                    changed = self.exp(value)
                    self.names[var.name] = new = replace(var, name=self.make.fresh(var.name))
                    if var.ty.is_exact:
                        self.ranges.bind(new, self.ranges.of(changed))
                    result.append(HostLet(new, changed))
                case Assign(var=var, value=value):
                    target = self.names.get(var.name, var)
                    result.append(replace(statement, var=target, value=self.exp(value)))
                case If(cond=cond, then=then, other=other):
                    decided = self.exp(cond)
                    if isinstance(decided, Const):
                        result += self.body(then if decided.value else other)
                    else:
                        given = self.body(then), self.body(other)
                        result.append(replace(statement, cond=decided, then=given[0], other=given[1]))
                case _:
                    result.append(statement)
        return tuple(result)
