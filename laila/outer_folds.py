"""Folds that are part of a scalar, or of elements that do not depend on their index, as statements of their
own: so that they can share a loop with others.

    x = (REDUCE … a[i]) ÷ REDUCE … b[j]     →     s = REDUCE … a[i];  t = REDUCE … b[j];  x = s ÷ t
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from laila.program import Alloc, HostCheck, HostLet, Map, Program, Put, Statement
from laila.pull import weigh
from laila.scalar import Do, Exp, Fold, FreeVars, Select, Var, operands
from laila.simplify import Scalars
from laila.statements import with_blocks, with_bodies
from laila.substitute import Substitute
from tail.prims import Prim


def with_folds_apart(program: Program, make: Scalars) -> Program:
    """The program with the folds in its scalars as statements."""
    return with_blocks(program, _Folds(make).block)


@dataclass(slots=True)
class _Folds:
    make: Scalars
    free: FreeVars = field(default_factory=FreeVars)

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """A sequence of statements, with those inside them."""
        return tuple([with_bodies(s, self.block) for s in self.split(statements)])

    def split(self, statements: Sequence[Statement]) -> list[Statement]:
        """A sequence of statements. Equal folds are one, unless something between them may change what they
        read.
        """
        result: list[Statement] = []
        known: dict[int, Var] = {}
        for statement in statements:
            found: dict[Exp, Exp] = {}
            for fold in self.outer(statement):
                var = known.get(id(fold))
                if var is None:
                    var = known[id(fold)] = Var(self.make.fresh("s"), fold.ty)
                    result.append(HostLet(var, fold))
                found[fold] = var
            if found:
                change = Substitute(self.make, found)
                if isinstance(statement, HostLet):
                    statement = HostLet(statement.var, change(statement.value))
                elif isinstance(statement, Map):
                    statement = replace(statement, body=change(statement.body))
                elif isinstance(statement, Put):
                    statement = replace(statement, value=change(statement.value))
            elif isinstance(statement, HostLet) and isinstance(statement.value, Fold):
                known.setdefault(id(statement.value), statement.var)
            elif not isinstance(statement, HostLet | Alloc | Map | Put | HostCheck):
                known = {}
            result.append(statement)
        return result

    def outer(self, statement: Statement) -> list[Fold]:
        """The folds to take out of a statement."""
        match statement:
            case HostLet(value=value) if not isinstance(value, Fold):
                hidden: frozenset[Var] = frozenset()
            case Put(value=value):
                hidden = frozenset()
            case Map(body=value, space=space):
                hidden = frozenset(space.indices)
            case _:
                return []
        found: dict[int, Fold] = {}
        stack = [value]
        seen: set[int] = set()
        while stack:
            node = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if isinstance(node, Fold):
                is_safe = not hidden or not weigh(node).may_fail
                if is_safe and isinstance(node.combine, Prim) and not self.free.of(node) & hidden:
                    found[id(node)] = node
            elif not isinstance(node, Do):
                stack += [node.cond] if isinstance(node, Select) else list(operands(node))
        return list(found.values())
