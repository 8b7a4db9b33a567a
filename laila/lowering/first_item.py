"""Statements that are the same for all items of an array of arrays, and move in front of them: their checks
fail in the first one, if there is any.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir.program import HostCheck, Statement
from aplc.laila.ir.scalar import Check, Exp, Site, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import rebuilt
from aplc.laila.ir.substitute import Substitute
from aplc.tail.syntax import Fn


def of_first(make: ExprBuilder, function: Fn, index: tuple[Var, ...], statement: Statement) -> Statement:
    """A statement of a function of items, its checks those of the item at index 0. Where it depends on the
    index otherwise, it still does.
    """
    if function.item is None:
        return statement
    first = _OfFirst(make, index)
    if isinstance(statement, HostCheck):
        reported = first.told(statement.site, statement.reported)
        return replace(statement, ok=first(statement.ok), reported=reported)
    return rebuilt(statement, first)


class _OfFirst(Substitute):
    """Changes an index in the numbers of items, which checks report, and nowhere else."""

    def __init__(self, make: ExprBuilder, index: tuple[Var, ...]) -> None:
        super().__init__(make, {})
        zeros: dict[Exp, Exp] = dict.fromkeys(index, make.zero)
        self.first = Substitute(make, zeros)

    def _rebuild(self, node: Exp) -> Exp:
        if not isinstance(node, Check):
            return super()._rebuild(node)
        ok, value = self.done[id(node.ok)], self.done[id(node.value)]
        return self.make.check(ok, value, node.site, *self.told(node.site, node.reported))

    def told(self, site: Site, reported: tuple[Exp, ...]) -> tuple[Exp, ...]:
        """What a check reports, for the first item."""
        own = len(reported) - site.count
        return (*[self(r) for r in reported[:own]], *[self.first(r) for r in reported[own:]])
