"""Matrices of truth values in memory, as `keys∘.=⍳n` makes: what they say can be asked again elsewhere."""

from __future__ import annotations

from aplc.laila.ir.liveness import buffers_read, changed
from aplc.laila.ir.program import Map, Statement
from aplc.laila.ir.scalar import BlockExp, Fold, FreeVars, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, within
from aplc.tail.types import Base


def is_truth_matrix(make: ExprBuilder, statement: Map) -> bool:
    """Whether a map makes a matrix of truth values, each for itself."""
    is_plain = statement.guard is None and not statement.ordered and len(statement.space.indices) == 2
    is_bool = statement.buffer.ty is Base.BOOL and not make.may_fail(statement.body)
    return is_plain and is_bool and not contains(Fold | BlockExp, statement.body)


def stays(free: FreeVars, matrix: Map, statement: Statement) -> bool:
    """Whether a matrix, and what it is made of, are the same after a statement."""
    touched = {b for s in within([statement]) for b in changed(s)}
    names = {v.name for v in bound(statement)}
    is_same = touched.isdisjoint((matrix.buffer, *buffers_read(matrix.body)))
    return is_same and names.isdisjoint(free.names(matrix.body))
