"""Rows that are divided by one number each have a loop for those where it is zero, and one for the others.

    for i { for j in lanes { bad |= s[i] = 0 ∧ x[i×n+j] ≠ 0; a[i×n+j] = x[i×n+j] ÷ (s[i] = 0 ? 1 : s[i]) } }
    →   for i { t = s[i]; if t = 0 { … } else { for j in lanes { a[i×n+j] = x[i×n+j] ÷ t } } }

What is divided by zero raises a flag, or fails, so it is rare; a loop that raises none has no lanes of flags
to join at the end of each row. Rows of a few elements stay: their branch costs what they do. Where the whole
program has one divisor, `versions` does the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.loops import with_bodies
from aplc.laila.ir.scalar import Buffer, Call, Const, Exp, FreeVars, PureCall, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.inner_loops import changing_names, expressions_of, substituted
from aplc.laila.lowering.pull import fill
from aplc.tail import prims as p

SHORT = 8
"""Rows that are known to have no more elements stay."""


def with_divisors_apart(code: l.Code, make: ExprBuilder) -> l.Code:
    """The program with two loops for rows that are divided by one number each."""
    rows = _Rows(make)
    return l.with_blocks(code, lambda statements: rows.block(statements, in_loop=False))


class _Rows:
    """The loops of a program."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make, self.free = make, FreeVars()

    def block(self, statements: tuple[l.Stm, ...], *, in_loop: bool) -> tuple[l.Stm, ...]:
        return tuple([new for s in statements for new in self.statement(s, in_loop=in_loop)])

    def statement(self, statement: l.Stm, *, in_loop: bool) -> tuple[l.Stm, ...]:
        if in_loop and isinstance(statement, l.For) and _is_row(statement):
            return self.row(statement)
        inside = in_loop or isinstance(statement, l.For | l.While)
        return (with_bodies(statement, lambda body: self.block(body, in_loop=inside)),)

    def row(self, row: l.For) -> tuple[l.Stm, ...]:
        """A loop along a row behind the test of its first divisor, if it has one."""
        make, (same, body) = self.make, self.without_names(row)
        divisor = next(self.divisors(row, body), None) if same else None
        if divisor is None:
            return (row,)
        t = Var(make.fresh("t"), divisor.ty)
        runs = make.call(p.LTI, row.start, row.stop)
        test = make.call(p.EQD, divisor, make.const(0.0))
        versions: list[l.For] = []
        for is_zero in (True, False):
            change = Substitute(make, {test: make.const(is_zero), divisor: t})
            versions.append(_without_idle(replace(row, body=tuple([substituted(s, change) for s in body]))))
        zero, other = versions
        declared = l.Declare(t, make.select(runs, divisor, fill(make, divisor.ty)))
        return declared, l.If(make.call(p.EQD, t, make.const(0.0)), (zero,), self.row(other))

    def without_names(self, row: l.For) -> tuple[dict[Exp, Exp], tuple[l.Stm, ...]]:
        """The body of a row with what stays the same in the place of its names, and what they stood for."""
        changing = {row.var.name, *[s.var.name for s in row.body if isinstance(s, l.Assign)]}
        written = {s.buffer for s in row.body if isinstance(s, l.Store)}
        same: dict[Exp, Exp] = {}
        body: list[l.Stm] = []
        for statement in row.body:
            new = substituted(statement, Substitute(self.make, same))
            if isinstance(new, l.Declare) and not new.mutable and new.value is not None:
                if self.stays(new.value, changing, written):
                    same[new.var] = new.value
                    continue
                changing.add(new.var.name)
            body.append(new)
        return same, tuple(body)

    def divisors(self, row: l.For, body: tuple[l.Stm, ...]) -> Iterator[Exp]:
        """The numbers that stay the same and of which each iteration asks whether they are zero."""
        changing = changing_names(replace(row, body=body))
        written = {s.buffer for s in row.body if isinstance(s, l.Store)}
        zero = self.make.const(0.0)
        for node in unconditional(tuple([exp for s in body for exp in expressions_of(s)])):
            if not isinstance(node, Call) or node.op is not p.EQD or node.args[1] is not zero:
                continue
            divisor = node.args[0]
            is_read = contains(Read, divisor) and not contains(PureCall, divisor)
            if is_read and self.stays(divisor, changing, written):
                yield divisor

    def stays(self, exp: Exp, changing: set[str], written: set[Buffer]) -> bool:
        """Whether an expression is the same in each iteration."""
        reads = {n.buffer for n in nodes(exp) if isinstance(n, Read)}
        return not self.free.names(exp) & changing and not reads & written


def _is_row(loop: l.For) -> bool:
    """Whether a loop of more than a few rounds in lanes only computes and stores elements."""
    if loop.private or loop.reductions is None:
        return False
    if not all([isinstance(s, l.Declare | l.Assign | l.Store) for s in loop.body]):
        return False
    ends = loop.start, loop.stop
    bounds = [end.value for end in ends if isinstance(end, Const)]
    return len(bounds) < len(ends) or bounds[1] - bounds[0] > SHORT


def _without_idle(loop: l.For) -> l.For:
    """A loop without accumulators that take in nothing."""
    reductions = loop.reductions or ()
    idle = {r.var: (r.op, r.neutral) for r in reductions}

    def is_idle(statement: l.Stm) -> bool:
        match statement:
            case l.Assign(var=var, value=Call(op=op, args=(before, value))) if before is var and var in idle:
                return idle[var] == (op, value)
            case _:
                return False

    body = tuple([s for s in loop.body if not is_idle(s)])
    assigned = {s.var for s in body if isinstance(s, l.Assign)}
    return replace(loop, body=body, reductions=tuple([r for r in reductions if r.var in assigned]))
