"""Maps over rows of a matrix, with folds of each row, as loops over the rows.

    MAP a[i×m + j] over i < n, j < m { b[i×m + j] ÷ + over k < m of b[i×m + k] }
        →   for i < n { s = + over k < m of b[i×m + k]; MAP a[i×m + j] over j < m { b[i×m + j] ÷ s } }

A loop over rows can run in strips, where rows are short. A map whose elements others of its block want stays:
they may share its loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import mentioned
from aplc.laila.ir.program import Alloc, ForEach, Free, HostLet, Map, Move, Output, Space, Statement
from aplc.laila.ir.scalar import BlockExp, Exp, Fold, FreeVars, MayFail, Var, bound_by, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute


def as_cells(statement: Statement, block: Sequence[Statement], make: ExprBuilder) -> ForEach | None:
    """A loop over cells as it is, and a map over two axes, in a block, as a loop over the first of them; None
    if it has no folds of rows, or if they may fail.
    """
    if isinstance(statement, ForEach):
        return statement
    if not isinstance(statement, Map) or len(statement.space.indices) != 2:
        return None
    if statement.guard is not None or statement.ordered:
        return None
    row, column = statement.space.indices
    rows, columns = statement.space.extents
    if contains(BlockExp, statement.body) or not contains(Fold, statement.body):
        return None
    others = [s for s in block if s is not statement and not isinstance(s, Alloc | Free | Move | Output)]
    if any(statement.buffer in mentioned(s) for s in others):
        return None
    free, may_fail = FreeVars(), MayFail()
    folds = [n for n in nodes(statement.body) if isinstance(n, Fold)]
    inside = {column, *[v for fold in folds for v in bound_by(fold)]}
    known: dict[Exp, Exp] = {}
    lets: list[HostLet] = []
    for fold in folds:
        if not free.of(fold) & inside:
            if row not in free.of(fold) or may_fail(fold):
                return None
            var = Var(make.fresh("s"), fold.ty)
            lets.append(HostLet(var, Substitute(make, known)(fold)))
            known[fold] = var
    if not lets:
        return None
    body = Substitute(make, known)(statement.body)
    cell = replace(statement, space=Space((column,), (columns,)), body=body)
    return ForEach(Space((row,), (rows,)), (*lets, cell), independent=True)


def a_row(cells: ForEach) -> ForEach | None:
    """The loop along the last axis of independent cells along several; None if it is no loop of its own."""
    if len(cells.space.indices) < 2 or not cells.independent or cells.scratch or cells.ends or cells.counts:
        return None
    return replace(cells, space=Space(cells.space.indices[-1:], cells.space.extents[-1:]))


def over_rows(cells: ForEach, row: Sequence[Statement]) -> ForEach:
    """Statements for each row of cells along several axes, in the place of the loop along it."""
    return replace(cells, space=Space(cells.space.indices[:-1], cells.space.extents[:-1]), body=tuple(row))
