"""Materialises the expensive predicates of filters.

    FILTER b = e where keep over i < n      →   MAP mask[i] = keep over i < n
                                                FILTER b = e where mask[i] over i < n

Where what is kept is counted, part by part, before it is written, a test with a loop in it would be made
twice, and is worth the memory of its results. Elsewhere it is where the test reads a row or a column of a
matrix: a map of such folds walks along rows, or takes several rows at a time, while a filter goes from
element to element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from aplc.laila.ir.program import Alloc, Filter, Free, If, Map, Program, Space, Statement, While
from aplc.laila.ir.scalar import (
    Buffer,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    Read,
    Site,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.tail.prims import Prim
from aplc.tail.types import Base


def with_masks(program: Program, make: ExprBuilder, *, in_parts: bool = True) -> Program:
    """The program with the masks of its filters in memory where they take long. Filters may go `in_parts`."""
    return with_blocks(program, _Masks(make, in_parts).block)


@dataclass(slots=True)
class _Masks:
    make: ExprBuilder
    in_parts: bool
    free: FreeVars = field(default_factory=FreeVars)
    sites: dict[Buffer, Site] = field(default_factory=dict)
    """Where memory for what is kept is asked for."""

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order."""
        self.sites |= {s.buffer: s.site for s in statements if isinstance(s, Alloc)}
        result: list[Statement] = []
        for statement in statements:
            match statement:
                case Filter(buffer=buffer) if buffer in self.sites and self.takes_long(statement):
                    result += self.in_memory(statement, self.sites[buffer])
                case If() | While():
                    result.append(with_bodies(statement, self.block))
                case _:
                    result.append(statement)
        return tuple(result)

    def in_memory(self, statement: Filter, site: Site) -> tuple[Statement, ...]:
        """The filter, with its mask in front of it."""
        make, space = self.make, statement.space
        (index,), (extent,) = space.indices, space.extents
        mask = Buffer(make.fresh("mask"), Base.BOOL, "bool")
        again = make.index(index.name, extent)
        known: dict[Exp, Exp] = {index: again}
        rest = replace(
            statement,
            space=Space((again,), space.extents),
            keep=make.read(mask, again),
            body=Substitute(make, known)(statement.body),
        )
        return Alloc(mask, extent, site), Map(mask, space, index, statement.keep), rest, Free(mask)

    def takes_long(self, statement: Filter) -> bool:
        """Whether the test has a loop in it that is worth a mask, and elements cannot fail, since they would
        then not come before a failing test.
        """
        loops = [n for n in nodes(statement.keep) if isinstance(n, Fold) and not isinstance(n.extent, Const)]
        if not loops or contains(Check, statement.body) or len(statement.space.indices) != 1:
            return False
        return self.in_parts or any([self.reads_a_row(fold, *statement.space.indices) for fold in loops])

    def reads_a_row(self, fold: Fold, element: Var) -> bool:
        """Whether a fold by a primitive reads memory at places that both its index and the element's tell."""
        if not isinstance(fold.combine, Prim):
            return False
        reads = [each.index for each in nodes(fold.body) if isinstance(each, Read)]
        return any([{element, fold.var} <= self.free.of(index) for index in reads])
