"""Unrolls loops of few iterations: folds as expressions, maps as one map or one element for each iteration.

    REDUCE + over k < 3 { e(k) }                →    e(0) + e(1) + e(2)
    MAP a[3×i + j] over i < n, j < 3 { e(i,j) } →    MAP a[3×i] over i < n { e(i,0) };  MAP a[3×i + 1] …
    MAP a[j] over j < 3 { e(j) }                →    put a[0] = e(0);  put a[1] = …

`fuse` makes one loop of the maps. Maps with several kinds of errors stay: which one comes first is told by
their loop. What has statements inside stays too: in several copies they would bind the same names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from aplc.laila.ir.program import Map, Scan, Space, Statement, Store
from aplc.laila.ir.scalar import BlockExp, Check, Const, Exp, Fold, Step, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import rebuilt, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.primitives.folds import UNROLL_CONSTANTS, UNROLL_COST, stepped
from aplc.laila.lowering.pull import weigh
from aplc.laila.lowering.scalars import joined

FEW = 4
"""Rounds of a loop that is written out."""


def written_out(make: ExprBuilder, statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Statements without loops of a few rounds."""
    change = FoldsWrittenOut(make, {})
    return tuple([new for s in statements for new in _maps(make, rebuilt(s, change))])


def fold_written_out(make: ExprBuilder, fold: Fold) -> Exp | None:
    """A fold of so few elements that are quickly computed, and cannot fail, that no loop is worth it; else
    None. Its elements are made one by one, so that each may be simpler than all in general.
    """
    if not few_rounds(fold.extent, UNROLL_CONSTANTS) or contains(Check | BlockExp | Fold, fold.body):
        return None
    change = FoldsWrittenOut(make, {})
    total = change.combined(fold)
    return total if weigh(total).cost <= UNROLL_COST else None


MOST_WRITTEN = 5000
"""Of folds in folds, as of windows along many axes, those are written out that have fewer nodes then."""


class FoldsWrittenOut(Substitute):
    """Rebuilds expressions with short folds written out."""

    few = FEW

    def _rebuild(self, node: Exp) -> Exp:
        rebuilt = super()._rebuild(node)
        if (
            isinstance(rebuilt, Fold)
            and few_rounds(rebuilt.extent, self.few)
            and not _has_statements(rebuilt)
        ):
            size = sum([1 for _ in nodes(rebuilt.body)])
            if size * _rounds(rebuilt.extent) <= MOST_WRITTEN:
                return self.combined(rebuilt)
        return rebuilt

    def combined(self, fold: Fold) -> Exp:
        """The elements of a fold, combined from the right."""
        make, combine = self.make, fold.combine
        elements = [_at(make, fold.body, fold, k) for k in range(_rounds(fold.extent))]
        *rest, result = elements
        for element in reversed(rest):
            if isinstance(combine, Step):
                result = stepped(make, partial(_applied, make, combine), element, result)
            else:
                result = joined(make, combine, result, element)
        return result


def _applied(make: ExprBuilder, step: Step, element: Exp, result: Exp) -> Exp:
    """A step of a fold with an element."""
    given: dict[Exp, Exp] = {step.element: element, step.accumulator: result}
    return Substitute(make, given)(step.body)


def _maps(make: ExprBuilder, statement: Statement) -> list[Statement]:
    """A statement, or what is written out of the map that it is; likewise inside it."""
    if isinstance(statement, Scan):
        return _scans(make, statement)
    if not isinstance(statement, Map):
        inside = lambda body: tuple([new for s in body for new in _maps(make, s)])  # noqa: E731
        return [with_bodies(statement, inside)]
    space = statement.space
    if (
        statement.guard is not None
        or statement.ordered
        or not space.indices
        or not few_rounds(space.extents[-1])
    ):
        return [statement]
    errors = {n.site for n in nodes(statement.body) if isinstance(n, Check)}
    if len(errors) > 1 or _has_statements(statement.body):
        return [statement]
    index, outer = space.indices[-1], Space(space.indices[:-1], space.extents[:-1])
    result: list[Statement] = []
    for k in range(_rounds(space.extents[-1])):
        change = Substitute(make, {index: make.const(k)})
        position, body = change(statement.position), change(statement.body)
        if outer.indices:
            result += _maps(make, replace(statement, space=outer, position=position, body=body))
        else:
            result.append(Store(statement.buffer, position, body))
    return result


def _scans(make: ExprBuilder, statement: Scan) -> list[Statement]:
    """Scans beside each other, one by one, if they are few: the last axis is the one along which they run."""
    space = statement.space
    short = [k for k, extent in enumerate(space.extents[:-1]) if few_rounds(extent)]
    if not short or any(isinstance(n, Check | BlockExp) for n in nodes(statement.body)):
        return [statement]
    k = short[0]
    outer = Space(
        (*space.indices[:k], *space.indices[k + 1 :]), (*space.extents[:k], *space.extents[k + 1 :])
    )
    result: list[Statement] = []
    for i in range(_rounds(space.extents[k])):
        change = Substitute(make, {space.indices[k]: make.const(i)})
        position, body = change(statement.position), change(statement.body)
        result += _scans(make, replace(statement, space=outer, position=position, body=body))
    return result


def _at(make: ExprBuilder, body: Exp, fold: Fold, k: int) -> Exp:
    """The element of a fold at a round."""
    return Substitute(make, {fold.var: make.const(k)})(body)


def _has_statements(exp: Exp) -> bool:
    return contains(BlockExp, exp)


def few_rounds(extent: Exp, few: int = FEW) -> bool:
    """Whether a loop is known to have more than one round, and at most so many."""
    return isinstance(extent, Const) and 1 < extent.value <= few


def _rounds(extent: Exp) -> int:
    assert isinstance(extent, Const)
    return int(extent.value)
