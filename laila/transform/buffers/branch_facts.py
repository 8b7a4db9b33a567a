"""What conditions tell of lengths in their branches, as `ir.rules.guards` does while lowering.

    c = 2 ≤ n; if c { … n - 2 ≥ 0 … }

A variable that a loop in a branch changes is not the one that was asked there. That a round reads a variable
after it has changed it is excluded by `check_rounds`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

from aplc.laila.ir.program import Assign, ForEach, HostLet, If, Statement, While
from aplc.laila.ir.rules.guards import where
from aplc.laila.ir.scalar import Exp, FreeVars, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, within
from aplc.tail.types import Base


@dataclass(slots=True)
class Told:
    """A walk through a sequence of statements with what they have told."""

    make: ExprBuilder
    conditions: dict[str, Exp] = field(default_factory=dict)
    """The conditions that have a name."""

    def bodies(self, statement: Statement) -> Iterator[Sequence[Statement]]:
        """The sequences inside the next statement, each while what is told there holds."""
        if isinstance(statement, HostLet) and statement.var.ty is Base.BOOL:
            self.conditions[statement.var.name] = statement.value
        if not isinstance(statement, If):
            yield from bodies(statement)
        else:
            cond = statement.cond
            if isinstance(cond, Var):
                cond = self.conditions.get(cond.name, cond)
            names = FreeVars().names(cond)
            for body, holds in ((statement.then, True), (statement.other, False)):
                is_same = names.isdisjoint(_changed_in_loops(body))
                with where(self.make, cond, holds=holds) if is_same else nullcontext():
                    yield body
        changed = {s.var.name for s in within((statement,)) if isinstance(s, Assign)}
        if changed:
            free = FreeVars()
            self.conditions = {k: e for k, e in self.conditions.items() if changed.isdisjoint(free.names(e))}


def _changed_in_loops(block: Sequence[Statement]) -> set[str]:
    loops = [s for s in within(block) if isinstance(s, While | ForEach)]
    return {s.var.name for s in within(loops) if isinstance(s, Assign)}
