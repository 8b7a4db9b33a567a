"""Maps over rows of a matrix, with folds of each row, as loops over the rows.

    MAP a[i×m + j] over i < n, j < m { b[i×m + j] ÷ + over k < m of b[i×m + k] }
        →   for i < n { s = + over k < m of b[i×m + k]; MAP a[i×m + j] over j < m { b[i×m + j] ÷ s } }

A loop over rows can run in strips, where rows are short; what it has copied is read from the copy there. A
map whose elements others of its block want stays: they may share its loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from aplc.laila.ir.liveness import buffers_read, changed, mentioned
from aplc.laila.ir.program import Alloc, ForEach, Free, HostLet, Map, Move, Output, Space, Statement, Store
from aplc.laila.ir.scalar import (
    BlockExp,
    Call,
    Const,
    Exp,
    Fold,
    FreeVars,
    MayFail,
    Read,
    Var,
    bound_by,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import rebuilt, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import cost_of

COSTLY = 4
"""Calls of this weight that are the same for a row, as the quotient of a fold, are computed once for it."""


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
    holding: set[int] = set()
    for node in nodes(statement.body):
        is_fold = isinstance(node, Fold)
        if is_fold or any(id(o) in holding for o in operands(node)):
            holding.add(id(node))
        is_costly = isinstance(node, Call) and id(node) in holding and cost_of(node) >= COSTLY
        if not (is_fold or is_costly) or free.of(node) & inside:
            continue
        if row not in free.of(node) or may_fail(node):
            if is_fold:
                return None
            continue
        var = Var(make.fresh("s"), node.ty)
        lets.append(HostLet(var, Substitute(make, known)(node)))
        known[node] = var
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


def from_copies(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    """The statements of a cell, which read what the cell has copied from its copy; in strips that has the
    elements of all lanes side by side.
    """
    result: list[Statement] = []
    copies: list[Map | Store] = []
    for statement in statements:
        copies = [copy for copy in copies if _holds_behind(statement, copy)]
        if copies and isinstance(statement, HostLet | Store | Map):
            result.append(rebuilt(statement, partial(_copied, copies=tuple(copies), make=make)))
        else:
            result.append(statement)
        match statement:
            case Map(guard=None, ordered=False, body=Read(), space=Space(indices=(_,))) | Store(value=Read()):
                copies.append(statement)
            case _:
                pass
    return tuple(result)


def _holds_behind(statement: Statement, copy: Map | Store) -> bool:
    """Whether neither a copy nor what it has read is changed by a statement behind it."""
    memory = {b for each in within((statement,)) for b in changed(each)}
    value, place = _read(copy)
    if not memory.isdisjoint(buffers_read(value, place)):
        return False
    if copy.buffer not in memory:
        return True
    if not isinstance(statement, Store) or not isinstance(copy, Store):
        return False
    places = (statement.position, place)
    return all(isinstance(k, Const) for k in places) and places[0] is not places[1]


def _read(copy: Map | Store) -> tuple[Exp, Exp]:
    """What is copied, and where to."""
    return (copy.body if isinstance(copy, Map) else copy.value), copy.position


def _copied(exp: Exp, copies: Sequence[Map | Store], make: ExprBuilder) -> Exp:
    """An expression that reads elements, and folds of the same extent, from copies."""
    found: dict[Exp, Exp] = {}
    below = list(nodes(exp))
    for copy in copies:
        element, position = _read(copy)
        if isinstance(copy, Store):
            found[element] = make.read(copy.buffer, position)
            continue
        for fold in below:
            if isinstance(fold, Fold) and fold.extent is copy.space.extents[0]:
                there = Substitute(make, {copy.space.indices[0]: fold.var})
                found[there(element)] = make.read(copy.buffer, there(position))
    return Substitute(make, found)(exp)
