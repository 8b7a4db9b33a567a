"""Products among the folds of statements, for passes that compute them otherwise.

A product is a fold that two axes around it have a part in: of the map that it stands in, or of other folds.
What computes it before the statement does so at all places of both axes, so that it is not looked for where
there may be no elements.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.program import Assign, ForEach, HostLet, If, Map, Output, Statement, Variable, While
from aplc.laila.ir.scalar import (
    BlockExp,
    Call,
    Const,
    Exp,
    Fold,
    FreeVars,
    Read,
    Select,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, rebuilt, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.prims import Prim

Axes = dict[Var, Exp]
"""The variables around an expression that run, with their extents."""

Block = tuple[Statement, ...]


class FoldProducts(ABC):
    """The products inside folds of a program, and what becomes of the statements around them."""

    in_loops = False
    """Whether statements in loops are looked at."""
    in_maps = False
    """Whether a map may be the product itself."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make = make
        self.free = FreeVars()

    @abstractmethod
    def wants(self, fold: Fold, axes: Axes) -> bool:
        """Whether a fold that cannot fail, with extents that are the same everywhere, is changed."""

    @abstractmethod
    def changed(self, statement: Statement, fold: Fold, axes: Axes) -> Block:
        """The statement with such a fold computed otherwise."""

    def block(self, statements: Sequence[Statement]) -> Block:
        """Statements in order, with the products in them changed."""
        return tuple([made for statement in statements for made in self.statement(statement)])

    def statement(self, statement: Statement) -> Block:
        """A statement with its product changed."""
        match statement:
            case Map(buffer, space, _, body, None, ordered=False) if buffer not in buffers_read(body):
                found = self.product(body, dict(zip(space.indices, space.extents, strict=True)))
                return (statement,) if found is None else self.changed(statement, *found)
            case HostLet(value=Fold() as value):
                found = self.product(value, {})
                return (statement,) if found is None else self.changed(statement, *found)
            case HostLet() | Assign() | Output():
                return self.beside(statement)
            case If():
                return (with_bodies(statement, self.block),)
            case While() | ForEach() if self.in_loops:
                return (with_bodies(statement, self.block),)
            case _:
                return (statement,)

    def beside(self, statement: Statement) -> Block:
        """The same for one that computes other things, too."""
        for fold in _outer_folds(own_expressions(statement)):
            if (found := self.product(fold, {})) is not None:
                total = Var(self.make.fresh("s"), fold.ty)
                rest = rebuilt(statement, Substitute(self.make, {fold: total}))
                return *self.changed(HostLet(total, fold), *found), *self.beside(rest)
        return (statement,)

    def product(self, root: Exp, outer: Axes) -> tuple[Fold, Axes] | None:
        """A product among the folds of an expression, and its axes, of which a fold has one at least, but for
        maps that are the product. That there are elements must not be the question of a choice.
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
                of_folds = self.in_maps or any(var not in outer for var in own)
                if len(own) == 2 and of_folds and self.is_product(node, own, axes):
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
        return self.wants(fold, own)

    def versions(
        self, statement: Statement, worth: Exp, before: Block, wanted: Statement, behind: Block
    ) -> Block:
        """A statement changed to `wanted`, between others, where that is worth it, or as it is."""
        if worth is self.make.false:
            return (statement,)
        if worth is self.make.true:
            return (*before, wanted, *behind)
        if not isinstance(wanted, HostLet):
            return (If(worth, (*before, wanted, *behind), (statement,)),)
        assert isinstance(statement, HostLet)
        value = Var(self.make.fresh(wanted.var.name), wanted.var.ty)
        start = self.make.const(0, wanted.var.ty)
        return (
            Variable(value, start),
            If(worth, (*before, Assign(value, wanted.value), *behind), (Assign(value, statement.value),)),
            HostLet(wanted.var, value),
        )

    def all_hold(self, conditions: Iterable[Exp]) -> Exp:
        """Whether all of some conditions hold."""
        result = self.make.true
        for condition in conditions:
            result = self.make.call(p.ANDB, result, condition)
        return result


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
