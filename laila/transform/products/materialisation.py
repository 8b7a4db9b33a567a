"""Materialises matrix products that a fold wants, an element at a time.

    s = REDUCE add over i < n { REDUCE add over j < m { REDUCE add over k { a[i;k] × b[k;j] } } }
    →   MAP c[i;j] = REDUCE add over k { a[i;k] × b[k;j] } over i < n, j < m
        s = REDUCE add over i < n { REDUCE add over j < m { c[i;j] } }

A product in panels takes a fifth to a twentieth of the time of the same folds one by one, which is worth the
memory of its elements where there are many steps for each. Of few the fold needs no memory: the run
knows which it is.
"""

from __future__ import annotations

from aplc.laila.ir.program import Alloc, Free, Map, Program, Space, Statement
from aplc.laila.ir.scalar import Buffer, Exp, Fold, Select, Site, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import rebuilt, with_blocks
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.products.fold_products import Axes, FoldProducts
from aplc.laila.transform.products.recognition import product_of
from aplc.tail import prims as p
from aplc.tail.faults import NO_MEMORY

LEAST = 16
"""So many rows, columns and steps make a product worth its memory."""

MOST = 1 << 24
"""So many elements of a product are worth the time that they save."""


def with_products_written(program: Program, make: ExprBuilder) -> Program:
    """The program with large products in memory where folds want their elements."""
    return with_blocks(program, _Products(make).block)


class _Products(FoldProducts):
    """The products in memory."""

    def wants(self, fold: Fold, axes: Axes) -> bool:
        """Whether panels would be made for it."""
        target = Buffer("product", fold.ty, fold.ty.dtype)
        return product_of(self.free, target, axes, self.usual(fold, axes), self.place(axes)) is not None

    def usual(self, fold: Fold, axes: Axes) -> Exp:
        """The fold where what does not change in its loops is chosen as it usually is: equal lengths, not one
        element that is as long as the other argument. Loops have versions for that.
        """
        inside = {fold.var, *axes}
        choices = [n for n in nodes(fold) if isinstance(n, Select) and not self.free.of(n.cond) & inside]
        return Substitute(self.make, {choice: choice.then for choice in choices})(fold)

    def place(self, axes: Axes) -> Exp:
        """Where an element stands."""
        (row, _), (column, columns) = axes.items()
        return self.make.add(self.make.mul(row, columns), column)

    def changed(self, statement: Statement, fold: Fold, axes: Axes) -> tuple[Statement, ...]:
        """The statement behind a product, or as it is where that is small."""
        make = self.make
        most, size = make.const(MOST), make.product(tuple(axes.values()))
        large = [make.call(p.GTEI, extent, make.const(LEAST)) for extent in (*axes.values(), fold.extent)]
        small = [make.call(p.LTEI, each, most) for each in (*axes.values(), size)]
        product = Buffer(make.fresh("product"), fold.ty, fold.ty.dtype)
        indices = [make.index(hint, extent) for hint, extent in zip("ij", axes.values(), strict=True)]
        own = Substitute(make, dict(zip(axes, indices, strict=True)))
        space = Space(tuple(indices), tuple(axes.values()))
        before = (
            Alloc(product, size, Site(NO_MEMORY, "", None)),
            Map(product, space, own(self.place(axes)), own(fold)),
        )
        wanted = rebuilt(statement, Substitute(make, {fold: make.read(product, self.place(axes))}))
        return self.versions(statement, self.all_hold((*large, *small)), before, wanted, (Free(product),))
