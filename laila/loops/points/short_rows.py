"""Rows of a few elements that are much work each run side by side in lanes, not the elements of one row.

    for i { for j < 3 in lanes { a[3×i+j] = f(v[3×i+j]) } }
    →   for i in lanes { for j < 3, written out { a[3×i+j] = f(v[3×i+j]) } }

Three elements fill no vector. What is little work stays as it is: to gather every third element costs more.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import is_straight
from aplc.laila.ir.loops import with_bodies
from aplc.laila.ir.scalar import Const, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.loops.inner_loops import expressions_of
from aplc.laila.lowering.pull import weigh
from aplc.tail.types import Base

LENGTHS = (2, 3, 5, 6, 7)
"""The rows that fill no vector of doubles."""

LEAST_WORK = 12
"""So much work, roughly in cycles, makes up for elements that lie apart."""


def with_rows_in_lanes(code: l.Code, make: ExprBuilder) -> l.Code:
    """The program with loops over short rows in lanes where the loops along these were."""
    return l.with_blocks(code, lambda statements: _block(statements, make))


def _block(statements: tuple[l.Stm, ...], make: ExprBuilder) -> tuple[l.Stm, ...]:
    return tuple([_statement(s, make) for s in statements])


def _statement(statement: l.Stm, make: ExprBuilder) -> l.Stm:
    if isinstance(statement, l.For) and (rows := _in_lanes(statement, make)) is not None:
        return rows
    return with_bodies(statement, lambda body: _block(body, make))


def _in_lanes(rows: l.For, make: ExprBuilder) -> l.For | None:
    """A loop over rows in lanes, if it does nothing else and its rows are so short."""
    if not rows.body:
        return None
    *before, row = rows.body
    if not isinstance(row, l.For) or not is_straight([*before, *row.body]):
        return None
    if rows.parallel is None or rows.reductions is not None or rows.step != 1 or rows.descending:
        return None
    is_short = row.start is make.zero and isinstance(row.stop, Const) and row.stop.value in LENGTHS
    if not is_short or row.step != 1 or row.reductions is None:
        return None
    values = [e for s in row.body for e in expressions_of(s)]
    is_of_doubles = any(n.ty is Base.DOUBLE for n in nodes(*values))
    if not is_of_doubles or weigh(*values).cost < LEAST_WORK:
        return None
    return replace(
        rows, body=(*before, replace(row, reductions=None, unrolled=True)), reductions=row.reductions
    )
