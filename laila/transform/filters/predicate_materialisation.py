"""Materialises the expensive predicates of filters, for targets that would evaluate them twice.

    FILTER b = e where keep over i < n      →   MAP mask[i] = keep over i < n
                                                FILTER b = e where mask[i] over i < n

What is kept is counted, part by part, before it is written; a test with a loop in it is worth the memory of
its results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.program import Alloc, Filter, Free, If, Map, Program, Space, Statement, While
from aplc.laila.ir.scalar import Buffer, Check, Const, Exp, Fold, Site, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.tail.types import Base


def with_masks(program: Program, make: ExprBuilder) -> Program:
    """The program with the masks of its filters in memory where they take long."""
    return with_blocks(program, _Masks(make).block)


@dataclass(slots=True)
class _Masks:
    make: ExprBuilder

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order."""
        sites = {s.buffer: s.site for s in statements if isinstance(s, Alloc)}
        result: list[Statement] = []
        for statement in statements:
            match statement:
                case Filter(buffer=buffer) if buffer in sites and _takes_long(statement):
                    result += self.in_memory(statement, sites[buffer])
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


def _takes_long(statement: Filter) -> bool:
    """Whether the test has a loop in it; where elements may fail, those before a failing test come first."""
    loops = [n for n in nodes(statement.keep) if isinstance(n, Fold) and not isinstance(n.extent, Const)]
    is_safe = not contains(Check, statement.body)
    return bool(loops) and is_safe and len(statement.space.indices) == 1
