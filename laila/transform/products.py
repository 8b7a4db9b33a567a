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
    columns have.
    """

    target: Buffer
    axes: dict[Var, Exp]
    body: Exp
    position: Exp
    fold: Fold
    row: Var
    column: Var
    of_columns: tuple[Exp, ...]

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
        parts = _of_columns(free, fold, row, column)
        if parts:
            return MatrixProduct(target, axes, body, position, fold, row, column, parts)
    return None


def _of_columns(free: FreeVars, fold: Fold, row: Var, column: Var) -> tuple[Exp, ...]:
    """The largest parts of a term that depend on the column and not on the row; none if the rest depends on
    the column, too, or is much work.
    """

    def is_joint(exp: Exp) -> bool:
        return depends(free, exp, row) and depends(free, exp, column)

    reads = [n for n in nodes(fold.body) if isinstance(n, Read)]
    along_fold = [n for n in reads if depends(free, n.index, fold.var)]
    if any(is_joint(n) for n in reads) or not all(
        any(depends(free, n.index, var) for n in along_fold) for var in (row, column)
    ):
        return ()
    joint = nodes(fold.body, below=lambda e: operands(e) if is_joint(e) else ())
    met = dict.fromkeys([part for n in joint if is_joint(n) for part in operands(n)])
    parts = tuple([part for part in met if depends(free, part, column) and not depends(free, part, row)])
    if any(not depends(free, part, fold.var) for part in parts):
        return ()
    work = weigh(fold.body).cost - sum([weigh(part).cost for part in parts])
    return parts if len(parts) <= MOST_PARTS and work <= SIZES.tile_work else ()
