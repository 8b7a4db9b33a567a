"""Collapses the axes of loops over rows into one, where only the number of a row counts.

    for i < n, j < m { x[i×m + j] = + over k < r of a[(i×m + j)×r + k] }
        →   for q < n×m { x[q] = + over k < r of a[q×r + k] }

The cells of an array of three axes are then what the rows of a matrix are, for all passes that follow: loops
over rows have versions for short ones, run in strips and in lanes. A loop stays as it is where it asks for
one of its indices itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.program import ForEach, Map, Program, Space, Statement
from aplc.laila.ir.scalar import Exp, Fold, FreeVars, Var, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import expressions, rebuilt, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute


def with_axes_collapsed(program: Program, make: ExprBuilder) -> Program:
    """The program with loops over several axes of rows as loops over all rows."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    result: list[Statement] = []
    for statement in statements:
        statement = with_bodies(statement, lambda body: _block(body, make))
        while (collapsed := _collapsed(statement, make)) is not None:
            statement = collapsed
        result.append(statement)
    return tuple(result)


def _collapsed(statement: Statement, make: ExprBuilder) -> Statement | None:
    """A loop with the first two of its axes as one; None if it is to stay as it is."""
    match statement:
        case ForEach(ends=None, counts=None, about=None):
            pass
        case Map(body=body) if contains(Fold, body):
            pass
        case _:
            return None
    indices, extents = statement.space.indices, statement.space.extents
    if len(indices) < 2:
        return None
    row, column = indices[:2]
    count = make.product(extents[:2])
    place = make.index(column.name, count)
    rest: dict[Exp, Exp] = {column: make.sub(place, make.mul(row, extents[1]))}
    changed = rebuilt(statement, Substitute(make, rest))
    assert isinstance(changed, ForEach | Map)
    changed = replace(changed, space=Space((place, *indices[2:]), (count, *extents[2:])))
    return None if _mentions(changed, row) else changed


def _mentions(statement: Statement, var: Var) -> bool:
    free = FreeVars()
    return any(var in free.of(exp) for exp in expressions(statement))
