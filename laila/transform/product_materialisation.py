"""Materialises matrix products that a fold wants, an element at a time.

    s = REDUCE add over i < n { REDUCE add over j < m { REDUCE add over k { a[i;k] × b[k;j] } } }
    →   MAP c[i;j] = REDUCE add over k { a[i;k] × b[k;j] } over i < n, j < m
        s = REDUCE add over i < n { REDUCE add over j < m { c[i;j] } }

A product in panels takes a fifth to a twentieth of the time of the same folds one by one, which is worth the
memory of its elements where there are many steps for each. Of few the fold needs no memory: the run
knows which it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Free,
    HostLet,
    If,
    Map,
    Output,
    Program,
    Space,
    Statement,
    Variable,
)
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Call,
    Const,
    Exp,
    Fold,
    FreeVars,
    Read,
    Select,
    Site,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, rebuilt, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.products import product_of
from aplc.tail import prims as p
from aplc.tail.faults import NO_MEMORY
from aplc.tail.prims import Prim

LEAST = 16
"""So many rows, columns and steps make a product worth its memory."""

MOST = 1 << 24
"""So many elements of a product are worth the time that they save."""

Axes = dict[Var, Exp]
"""The variables of the folds around an expression, with their extents."""


def with_products_written(program: Program, make: ExprBuilder) -> Program:
    """The program with large products in memory where folds want their elements."""
    return with_blocks(program, _Products(make).block)


class _Products:
    """The products inside folds of a program."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make = make
        self.free = FreeVars()

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, behind the products that they want."""
        return tuple([made for statement in statements for made in self.statement(statement)])

    def statement(self, statement: Statement) -> tuple[Statement, ...]:
        """A statement, behind the products that it wants."""
        match statement:
            case Map(buffer, space, _, body, None, ordered=False) if buffer not in buffers_read(body):
                found = self.product(body, dict(zip(space.indices, space.extents, strict=True)))
                return (statement,) if found is None else self.written(statement, *found)
            case HostLet(value=Fold() as value):
                found = self.product(value, {})
                return (statement,) if found is None else self.written(statement, *found)
            case HostLet() | Assign() | Output():
                return self.beside(statement)
            case If():  # in loops there are no panels
                return (with_bodies(statement, self.block),)
            case _:
                return (statement,)

    def beside(self, statement: Statement) -> tuple[Statement, ...]:
        """The same for one that computes other things, too."""
        for fold in _outer_folds(own_expressions(statement)):
            if (found := self.product(fold, {})) is not None:
                total = Var(self.make.fresh("s"), fold.ty)
                rest = rebuilt(statement, Substitute(self.make, {fold: total}))
                return *self.written(HostLet(total, fold), *found), *self.beside(rest)
        return (statement,)

    def product(self, root: Exp, outer: Axes) -> tuple[Fold, Axes] | None:
        """A product among the folds of an expression, and its axes, of which a fold has one at least. It is
        computed at all places, so that there are elements there must not be the question of a choice.
        """
        stack: list[tuple[Exp, Axes]] = [(root, outer)]
        seen: set[int] = set()
        while stack:
            node, axes = stack.pop()
            if id(node) in seen or isinstance(node, BlockExp):
                continue
            seen.add(id(node))
            if isinstance(node, Fold):
                own = {var: extent for var, extent in axes.items() if var in self.free.of(node)}
                if (
                    len(own) == 2
                    and any(var not in outer for var in own)
                    and self.is_product(node, own, axes)
                ):
                    return node, own
                axes = axes | {node.var: node.extent}
            certain = (node.cond,) if isinstance(node, Select) else operands(node)
            stack += [(operand, axes) for operand in certain]
        return None

    def is_product(self, fold: Fold, own: Axes, axes: Axes) -> bool:
        """Whether a fold is a product of what two axes have, whose extents are the same everywhere."""
        if not isinstance(fold.combine, Prim) or self.make.may_fail(fold):
            return False
        if any(self.free.of(extent) & axes.keys() for extent in (*own.values(), fold.extent)):
            return False
        target = Buffer("product", fold.ty, fold.ty.dtype)
        return product_of(self.free, target, own, self.usual(fold, own), self.place(own)) is not None

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

    def written(self, statement: Statement, fold: Fold, axes: Axes) -> tuple[Statement, ...]:
        """The statement behind a product, or as it is where that is small."""
        make = self.make
        most = make.const(MOST)
        sizes = (*axes.values(), make.product(tuple(axes.values())))
        large = [make.call(p.GTEI, extent, make.const(LEAST)) for extent in (*axes.values(), fold.extent)]
        worth = make.true
        for condition in (*large, *[make.call(p.LTEI, size, most) for size in sizes]):
            worth = make.call(p.ANDB, worth, condition)
        if worth is make.false:
            return (statement,)
        product = Buffer(make.fresh("product"), fold.ty, fold.ty.dtype)
        indices = [make.index(hint, extent) for hint, extent in zip("ij", axes.values(), strict=True)]
        own = Substitute(make, dict(zip(axes, indices, strict=True)))
        wanted = rebuilt(statement, Substitute(make, {fold: make.read(product, self.place(axes))}))
        written = (
            Alloc(product, make.product(tuple(axes.values())), Site(NO_MEMORY, "", None)),
            Map(product, Space(tuple(indices), tuple(axes.values())), own(self.place(axes)), own(fold)),
            wanted,
            Free(product),
        )
        if worth is make.true:
            return written
        if not isinstance(wanted, HostLet):
            return (If(worth, written, (statement,)),)
        assert isinstance(statement, HostLet)
        value = Var(make.fresh(wanted.var.name), wanted.var.ty)
        first, last = written[:2], written[3:]
        start = make.const(0, wanted.var.ty)
        return (
            Variable(value, start),
            If(worth, (*first, Assign(value, wanted.value), *last), (Assign(value, statement.value),)),
            HostLet(wanted.var, value),
        )


def _outer_folds(roots: Sequence[Exp]) -> list[Fold]:
    """The folds of expressions that stand in no other and are wanted for sure, if there are any elements."""

    def below(exp: Exp) -> Iterable[Exp]:
        match exp:
            case Fold() | BlockExp():
                return ()
            case Select(Call(p.EQI, (_, Const(value=0))) as cond, Const(), other) if not contains(Read, cond):
                return cond, other
            case Select(cond):
                return (cond,)
            case _:
                return operands(exp)

    return [node for node in nodes(*roots, below=below) if isinstance(node, Fold)]
