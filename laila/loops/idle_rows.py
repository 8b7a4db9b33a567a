"""Rows in which a condition that stays the same leaves every element as it is are not walked.

    for i { for j in lanes { a[i×n+j] = a[i×n+j] ∨ c[i]∧x[j] } }
    →   for i { if c[i] { for j in lanes { a[i×n+j] = a[i×n+j] ∨ x[j] } } }

The condition is one that each iteration evaluates, and whose value none of them changes: then it may be
evaluated before them, if there are any. With the value that is asked for, what each statement stores must be
the element that stands there already. Rows of a few elements stay: their branch costs what they do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.loops import with_bodies
from aplc.laila.ir.scalar import Const, Exp, FreeVars, PureCall, Read, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.inner_loops import changing_names, expressions_of, substituted
from aplc.tail import prims as p
from aplc.tail.types import Base

SHORT = 16
"""Rows that are known to have no more elements stay."""


def with_idle_rows_left_out(code: l.Code, make: ExprBuilder) -> l.Code:
    """The program with a branch around loops along rows that a condition may leave as they are."""
    return l.with_blocks(code, _Rows(make).block)


class _Rows:
    """The loops of a program."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make, self.free = make, FreeVars()

    def block(self, statements: tuple[l.Stm, ...]) -> tuple[l.Stm, ...]:
        return tuple([self.statement(s) for s in statements])

    def statement(self, statement: l.Stm) -> l.Stm:
        if isinstance(statement, l.For) and _is_row(statement):
            return self.row(statement)
        return with_bodies(statement, self.block)

    def row(self, row: l.For) -> l.Stm:
        """A loop along a row, inside the first condition that may leave it as it is, if there is one."""
        make = self.make
        for cond in self.conditions(row):
            for value in (False, True):
                if self.is_idle(row, {cond: make.const(value)}):
                    works = make.call(p.NOTB, cond) if value else cond
                    runs = make.call(p.LTI, row.start, row.stop)
                    known = Substitute(make, {cond: make.const(not value)})
                    body = tuple([substituted(s, known) for s in row.body])
                    return l.If(make.select(runs, works, make.const(False)), (replace(row, body=body),))
        return row

    def conditions(self, row: l.For) -> Iterator[Exp]:
        """What each iteration evaluates and none changes, the largest first."""
        changing = changing_names(row)
        written = {s.buffer for s in row.body if isinstance(s, l.Store)}
        for node in unconditional(tuple([exp for s in row.body for exp in expressions_of(s)])):
            if node.ty is not Base.BOOL or isinstance(node, Const) or self.free.names(node) & changing:
                continue
            reads = {n.buffer for n in nodes(node) if isinstance(n, Read)}
            if not reads & written and not contains(PureCall, node):
                yield node

    def is_idle(self, row: l.For, known: dict[Exp, Exp]) -> bool:
        """Whether with what is known each statement that stores leaves its element as it is."""
        change = Substitute(self.make, known)
        for statement in row.body:
            match statement:
                case l.Declare(var=var, value=value) if value is not None:
                    known = {**known, var: change(value)}
                    change = Substitute(self.make, known)
                case l.Store(buffer=buffer, position=position, value=value):
                    if change(value) is not self.make.read(buffer, change(position)):
                        return False
                case _:
                    return False
        return True


def _is_row(loop: l.For) -> bool:
    """Whether a loop only changes elements, of more than a few of which it reads what stands there."""
    if loop.private or not all([isinstance(s, l.Declare | l.Store) for s in loop.body]):
        return False
    if (
        isinstance(loop.stop, Const)
        and isinstance(loop.start, Const)
        and loop.stop.value - loop.start.value <= SHORT
    ):
        return False
    written = {s.buffer for s in loop.body if isinstance(s, l.Store)}
    values = [exp for s in loop.body for exp in expressions_of(s)]
    return bool(written) and written <= {n.buffer for n in nodes(*values) if isinstance(n, Read)}
