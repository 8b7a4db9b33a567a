"""Loops over the elements of a matrix that ask for row or column run along rows: nothing is divided.

    MAP b[i] = (i rem c < 1 ? e : f) over i < r×c     →     MAP b[i×c + j] = (j < 1 ? e : f) over i < r, j < c

So it is with updates by masks (`masked_updates`, `masks_in_place`) of matrices that were moved, as places in
these are numbers of elements: `m[⍸1⌽b]←0`. What a loop asks of rows and columns holds for pieces of it then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.program import Map, Program, Space, Statement
from aplc.laila.ir.scalar import QUOT, REM, Call, Exp, Fold, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p


def with_rows_of_masks(program: Program, make: ExprBuilder) -> Program:
    """The program with loops over elements along rows, where they ask for these and arrays have axes."""
    if make.settings.arrays == "flat":
        return program
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    changed = [with_bodies(s, lambda body: _block(body, make)) for s in statements]
    return tuple([_along_rows(s, make) if isinstance(s, Map) else s for s in changed])


def _along_rows(loop: Map, make: ExprBuilder) -> Map:
    """A loop over all elements of a matrix as one over rows and columns, if it asks for these."""
    if len(loop.space.indices) != 1 or loop.ordered or loop.guard is not None or contains(Fold, loop.body):
        return loop
    (i,), (extent,) = loop.space.indices, loop.space.extents
    if loop.position is not i or not isinstance(extent, Call) or extent.op is not p.MULI:
        return loop
    asked: dict[Exp, None] = {
        n.args[1]: None
        for n in nodes(loop.body)
        if isinstance(n, Call) and n.op in (REM, QUOT) and n.args[0] is i
    }
    for columns in asked:
        rows = [a for a, b in (extent.args, extent.args[::-1]) if b is columns]
        if rows:
            space = Space((make.index("i", rows[0]), make.index("j", columns)), (rows[0], columns))
            row, column = space.indices
            place = make.add(make.mul(row, columns), column)
            known = {make.call(REM, i, columns): column, make.call(QUOT, i, columns): row, i: place}
            body = Substitute(make, known)(loop.body)
            return replace(loop, space=space, position=place, body=body)
    return loop
