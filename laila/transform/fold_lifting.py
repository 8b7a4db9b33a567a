"""Takes reductions out of larger expressions, as statements of their own that can be fused with others.

Those of elements are taken out where they do not depend on the index of the element.

    x = (REDUCE … a[i]) ÷ REDUCE … b[j]     →     s = REDUCE … a[i];  t = REDUCE … b[j];  x = s ÷ t

Arrays of a few elements, of which each is of folds of its own, are made element by element, so that
these folds can share a loop, as those of `(⌈/v),(⌊/v),(+/v)÷≢v` do:

    MAP b[i] over i < 2 { i < 1 ? REDUCE … : REDUCE … }     →     put b[0] = REDUCE …;  put b[1] = REDUCE …

What a choice may leave out stays in it, lest it be computed in vain. Out of a choice between a constant and a
fold comes the fold if a fold over as many elements decides, as the number of elements does in `⌈/m/v`: they
share a loop then, which costs less than two even where the constant is chosen.

    n = REDUCE addi over k < e { m[k] }                     n = REDUCE addi over k < e { m[k] }
    x = n = 0 ? least : REDUCE maxd over k < e { … }   →    s = REDUCE maxd over k < e { … }
                                                            x = n = 0 ? least : s
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.program import Alloc, HostCheck, HostLet, Map, Program, Statement, Store
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Const,
    Exp,
    Fold,
    FreeVars,
    Select,
    Var,
    bound_by,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import weigh
from aplc.tail.prims import Prim

_FEW = 16
"""Arrays of more elements are made by loops."""


def with_folds_apart(program: Program, make: ExprBuilder) -> Program:
    """The program with the folds in its scalars as statements."""
    return with_blocks(program, _Folds(make).block)


@dataclass(slots=True)
class _Folds:
    make: ExprBuilder
    free: FreeVars = field(default_factory=FreeVars)
    extents: dict[Var, Exp] = field(default_factory=dict)
    """How many elements the folds so far are over, by what holds their results."""
    ages: dict[Var | Buffer, int] = field(default_factory=dict)
    """When scalars and memory that statements bring came about."""

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """A sequence of statements, with those inside them."""
        return tuple([with_bodies(s, self.block) for s in self.split(statements)])

    def split(self, statements: Sequence[Statement]) -> list[Statement]:
        """A sequence of statements. Equal folds are one, unless something between them may change what they
        read.
        """
        result: list[Statement] = []
        known: dict[int, Var] = {}
        for statement in itertools.chain.from_iterable([self.elements(each) for each in statements]):
            if not isinstance(statement, HostLet | Alloc | Map | Store | HostCheck):
                known = {}
            self.add(statement, known, result)
        return result

    def elements(self, statement: Statement) -> Sequence[Statement]:
        """A map of a few elements that chooses among folds by the place of the element, one by one."""
        if not isinstance(statement, Map) or statement.guard is not None or statement.ordered:
            return [statement]
        space, body = statement.space, statement.body
        extents = [extent.value for extent in space.extents if isinstance(extent, Const)]
        if len(extents) < len(space.extents) or math.prod(extents) > _FEW or not self.chooses(statement):
            return [statement]
        result: list[Statement] = []
        for point in itertools.product(*[range(int(extent)) for extent in extents]):
            at: dict[Exp, Exp] = dict(zip(space.indices, map(self.make.const, point), strict=True))
            change = Substitute(self.make, at)
            result.append(Store(statement.buffer, change(statement.position), change(body)))
        return result

    def chooses(self, statement: Map) -> bool:
        """Whether the place alone decides which folds an element is made of."""
        indices = frozenset(statement.space.indices)
        stack = [statement.body]
        while stack:
            node = stack.pop()
            if not isinstance(node, Select):
                continue
            if (needs := self.free.of(node.cond)) and needs <= indices:
                return any([isinstance(each, Fold) for each in nodes(node)])
            stack += [node.then, node.other]
        return False

    def add(self, statement: Statement, known: dict[int, Var], result: list[Statement]) -> None:
        """A statement, behind the folds in it that are not known, and those in these."""
        found: dict[Exp, Exp] = {}
        for fold in self.outer(statement):
            var = known.get(id(fold))
            if var is None:
                var = known[id(fold)] = Var(self.make.fresh("s"), fold.ty)
                self.add(HostLet(var, fold), known, result)
            found[fold] = var
        change = Substitute(self.make, found)
        if found and isinstance(statement, HostLet):
            statement = HostLet(statement.var, change(statement.value))
        elif found and isinstance(statement, Map):
            statement = replace(statement, body=change(statement.body))
        elif found and isinstance(statement, Store):
            statement = replace(statement, value=change(statement.value))
        result.append(statement)
        brought: list[Var | Buffer] = list(bound(statement))
        if isinstance(statement, Alloc):
            brought.append(statement.buffer)
        self.ages |= dict.fromkeys(brought, len(self.ages))
        if isinstance(statement, HostLet) and isinstance(statement.value, Fold):
            known.setdefault(id(statement.value), statement.var)
            self.extents[statement.var] = statement.value.extent

    def outer(self, statement: Statement) -> list[Fold]:
        """The folds to take out of a statement."""
        match statement:
            case HostLet(value=Fold() as value):
                stack = self.inside(value, frozenset())
            case HostLet(value=value) | Store(value=value):
                stack = [(value, frozenset())]
            case Map(body=value, space=space):
                stack = [(value, frozenset(space.indices))]
            case _:
                return []
        found: dict[int, Fold] = {}
        seen: set[int] = set()
        while stack:
            node, hidden = stack.pop()
            if id(node) in seen or isinstance(node, BlockExp):
                continue
            seen.add(id(node))
            if isinstance(node, Select):
                stack.append((node.cond, hidden))
                stack += [(fold, hidden) for fold in self.shared(node)]
            elif not isinstance(node, Fold):
                stack += [(operand, hidden) for operand in operands(node)]
            elif self.is_free_of(node, hidden):
                found[id(node)] = node
            else:
                stack += self.inside(node, hidden)
        return list(found.values())

    def shared(self, choice: Select) -> list[Fold]:
        """The fold between which and a constant others over as many elements choose, if it can be computed
        whatever they choose: it does not fail, and is made of what was there before, of which no choice says
        where it may be read.
        """
        deciding = self.free.of(choice.cond)
        match choice:
            case Select(then=Const(), other=Fold() as fold) | Select(then=Fold() as fold, other=Const()):
                as_many = [self.extents.get(var) is fold.extent for var in deciding]
                if not as_many or not all(as_many) or weigh(fold).may_fail:
                    return []
                made_of: list[Var | Buffer] = [*self.free.of(fold), *buffers_read(fold)]
                first = min([self.ages[var] for var in deciding])
                return [fold] if all([self.ages.get(each, -1) < first for each in made_of]) else []
            case _:
                return []

    def is_free_of(self, fold: Fold, hidden: frozenset[Var]) -> bool:
        """Whether a fold can be computed before loops over what is `hidden`, which may be empty."""
        is_safe = not hidden or not weigh(fold).may_fail
        return is_safe and isinstance(fold.combine, Prim) and not self.free.of(fold) & hidden

    def inside(self, fold: Fold, hidden: frozenset[Var]) -> list[tuple[Exp, frozenset[Var]]]:
        """What a fold computes, with the variables that are hidden there."""
        return [(operand, hidden | bound_by(fold)) for operand in operands(fold)]
