"""Which maps are products: of each row with each column, as in `A f.g B`, in distances between all pairs of
points, in sums over the pixels under a few filters.

A term of the fold joins what depends on the row, and what depends on the column. `packed_matmul`, which makes
the loops, lays the latter out in memory. This module decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Check,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.strides import depends
from aplc.laila.lowering.pull import weigh
from aplc.laila.transform.register_tiling import SIZES, fits_tiles
from aplc.tail.prims import Prim

MOST_PARTS = 2
"""Parts of a term that columns have: each has a panel of its own."""


@dataclass(frozen=True, slots=True)
class MatrixProduct:
    """A map whose fold runs over what rows and columns have; `of_columns` are the parts of a term that the
    columns have, and `of_rows` those that rows have in place of what the run computes for each column.
    """

    target: Buffer
    axes: dict[Var, Exp]
    body: Exp
    position: Exp
    fold: Fold
    row: Var
    column: Var
    of_columns: tuple[Exp, ...]
    of_rows: tuple[Exp, ...]

    @property
    def others(self) -> tuple[Var, ...]:
        """The axes that are neither that of rows nor that of columns."""
        return tuple([var for var in self.axes if var not in (self.row, self.column)])


def product_of(
    free: FreeVars, target: Buffer, axes: dict[Var, Exp], body: Exp, position: Exp
) -> MatrixProduct | None:
    """A map as a product, if its body has one fold, which can accumulate in what is written."""
    folds = [n for n in nodes(body) if isinstance(n, Fold)]
    if len(axes) < 2 or len(folds) != 1 or folds[0].ty is not target.ty or not fits_tiles(body):
        return None
    if target.is_bounded:
        return None
    (fold,) = folds
    is_certain = any(n is fold for n in unconditional((body,)))
    is_in_place = any(isinstance(n, Read) and n.buffer is target for n in nodes(body))
    is_plain = not contains(Check | BlockExp | PureCall | Fold, fold.body)
    if not (isinstance(fold.combine, Prim) and is_certain and is_plain) or is_in_place:
        return None
    if any(depends(free, fold.extent, var) for var in axes):
        return None
    *rows, column = axes
    for row in reversed(rows):
        columns = _of_columns(free, fold, row, column)
        if columns:
            of_rows = _of_rows(free, fold, row, column)
            return MatrixProduct(target, axes, body, position, fold, row, column, columns, of_rows)
    return None


def _of_columns(free: FreeVars, fold: Fold, row: Var, column: Var) -> tuple[Exp, ...]:
    """The largest parts of a term that depend on the column and not on the row; none if the rest depends on
    the column, too, or is much work.
    """
    reads = [n for n in nodes(fold.body) if isinstance(n, Read)]
    along_fold = [n for n in reads if depends(free, n.index, fold.var)]
    if any(_is_joint(free, n, row, column) for n in reads) or not all(
        any(depends(free, n.index, var) for n in along_fold) for var in (row, column)
    ):
        return ()
    parts = parts_of(free, fold.body, column, row)
    if any(not depends(free, part, fold.var) for part in parts):
        return ()
    work = weigh(fold.body).cost - sum([weigh(part).cost for part in parts])
    return parts if len(parts) <= MOST_PARTS and work <= SIZES.tile_work else ()


def _of_rows(free: FreeVars, fold: Fold, row: Var, column: Var) -> tuple[Exp, ...]:
    """The largest parts of a term that depend on the row and the step and not on the column, if they are
    few.
    """
    parts = tuple([part for part in parts_of(free, fold.body, row, column) if depends(free, part, fold.var)])
    return parts if len(parts) <= MOST_PARTS else ()


def _is_joint(free: FreeVars, exp: Exp, row: Var, column: Var) -> bool:
    """Whether an expression depends on both the row and the column."""
    return depends(free, exp, row) and depends(free, exp, column)


def parts_of(free: FreeVars, term: Exp, axis: Var, other: Var) -> tuple[Exp, ...]:
    """The largest parts of a term that depend on one axis and not on the other."""
    joint = nodes(term, below=lambda e: operands(e) if _is_joint(free, e, axis, other) else ())
    met = dict.fromkeys([part for n in joint if _is_joint(free, n, axis, other) for part in operands(n)])
    return tuple([part for part in met if depends(free, part, axis) and not depends(free, part, other)])
