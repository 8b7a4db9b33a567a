"""Loops over all elements of an array, as loops over its axes."""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir.program import Map, Scan, Space
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import from_index


def over_axes(make: ExprBuilder, statement: Map, wanted: Space) -> Map:
    """A map over the positions of an array as one over its axes."""
    indices = tuple([make.index(i.name, n) for i, n in zip(wanted.indices, wanted.extents, strict=True)])
    position = from_index(make, wanted.extents, indices)
    change = Substitute(make, {statement.space.indices[0]: position})
    return replace(
        statement,
        space=Space(indices, wanted.extents),
        position=change(statement.position),
        body=change(statement.body),
        guard=None if statement.guard is None else change(statement.guard),
    )


def is_along_rows(make: ExprBuilder, scan: Scan) -> bool:
    """Whether a scan of an array runs along its last axis, in the order of its elements."""
    space = scan.space
    return len(space.indices) > 1 and scan.position is from_index(make, space.extents, space.indices)
