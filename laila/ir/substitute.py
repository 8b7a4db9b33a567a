"""Rebuilding expressions with some of their nodes replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from aplc.laila.ir.program import Statement
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    PureCall,
    Read,
    Select,
    Step,
    Sum,
    Var,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import do, own_expressions, rebuilt, rebuilt_do, sequences
from aplc.tail import prims as p


class Substitute:
    """Rebuilds expressions with some nodes replaced, simplifying on the way."""

    def __init__(self, make: ExprBuilder, replacements: dict[Exp, Exp]) -> None:
        self.make = make
        self.done: dict[int, Exp] = {id(k): v for k, v in replacements.items()}
        self.alive = list(replacements)
        self.keeps = make.epoch == 0
        """Whether nodes of which nothing has changed are as simple as can be already."""

    def __call__(self, exp: Exp) -> Exp:
        """The expression after replacement."""
        stack = [exp]
        while stack:
            node = stack[-1]
            if id(node) in self.done:
                stack.pop()
                continue
            needed = self._needs(node)
            pending = [o for o in needed if id(o) not in self.done]
            if pending:
                stack += pending
                continue
            self.alive.append(node)
            self.done[id(node)] = self._rebuild(node)
        return self.done[id(exp)]

    def _is_same(self, node: Exp) -> bool:
        """Whether nothing below a node has changed, which is as simple then as it was."""
        if not self.keeps or isinstance(node, BlockExp):
            return False
        return all([self.done.get(id(o)) is o for o in operands(node)])

    def _needs(self, node: Exp) -> list[Exp]:
        """What must be rebuilt first: of a select whose condition is decided, only the branch taken."""
        if isinstance(node, Select):
            cond = self.done.get(id(node.cond))
            if cond is None:
                return [node.cond]
            if isinstance(cond, Const):
                return [node.then if cond.value else node.other]
        return list(operands(node))

    def _rebuild(self, node: Exp) -> Exp:
        make, done = self.make, self.done
        if self._is_same(node):
            return node
        match node:
            case Const() | Var():
                return node
            case Call(op=op, args=args):
                return make.call(op, *[done[id(a)] for a in args])
            case Sum(const=const, terms=terms):
                result = make.const(const)
                for atom, k in terms:
                    result = make.add(result, make.mul(make.const(k), done[id(atom)]))
                return result
            case Read(buffer=buffer, index=index):
                return make.read(buffer, done[id(index)])
            case PureCall(args=args):
                return make.lookup(node, tuple([done[id(a)] for a in args]))
            case Select(cond=cond, then=then, other=other):
                decided = done[id(cond)]
                if isinstance(decided, Const):
                    return done[id(then if decided.value else other)]
                return make.select(decided, done[id(then)], done[id(other)])
            case Check(ok=ok, value=value, site=site, reported=reported):
                return make.check(done[id(ok)], done[id(value)], site, *[done[id(r)] for r in reported])
            case Fold(combine=combine, var=var, extent=extent, body=body, empty=empty):
                if isinstance(combine, Step):
                    combine = Step(combine.element, combine.accumulator, done[id(combine.body)])
                none = None if empty is None else done[id(empty)]
                return make.fold(combine, var, done[id(extent)], done[id(body)], none)
            case BlockExp(inside=inside, value=value):
                if all(done[id(e)] is e for e in (*inside, value)):
                    return node  # one sequence binds its names once, however often it stands somewhere
                return rebuilt_do(node, lambda e: done[id(e)])


class Redirected(Substitute):
    """Makes of reads of some arrays what is said for each, of their index. Where an element of such an array
    tells which other one is read, both are.
    """

    def __init__(self, make: ExprBuilder, reads: Mapping[Buffer, Callable[[Exp], Exp]]) -> None:
        super().__init__(make, {})
        self.reads = reads

    def _rebuild(self, node: Exp) -> Exp:
        result = super()._rebuild(node)
        if isinstance(result, Read) and result.buffer in self.reads:
            return self.reads[result.buffer](result.index)
        return result


class BoundedFolds(Substitute):
    """Rebuilds expressions with other extents of folds: variables with bounds."""

    def __init__(self, make: ExprBuilder, extents: Mapping[Exp, Var]) -> None:
        super().__init__(make, {})
        self.extents = extents

    def _rebuild(self, node: Exp) -> Exp:
        result = super()._rebuild(node)
        if not isinstance(result, Fold) or result.extent not in self.extents:
            return result
        extent = self.extents[result.extent]
        return self.make.fold(result.combine, result.var, extent, result.body, result.empty)


class WithoutChecks(Substitute):
    """Puts what checks guard in their place."""

    def _needs(self, node: Exp) -> list[Exp]:
        return [node.value] if isinstance(node, Check) else super()._needs(node)

    def _rebuild(self, node: Exp) -> Exp:
        return self.done[id(node.value)] if isinstance(node, Check) else super()._rebuild(node)


class CheckedWhere(Substitute):
    """Lets checks fail only where a condition holds."""

    def __init__(self, make: ExprBuilder, condition: Exp) -> None:
        super().__init__(make, {})
        self.elsewhere = make.call(p.NOTB, condition)

    def _rebuild(self, node: Exp) -> Exp:
        result = super()._rebuild(node)
        if not isinstance(result, Check):
            return result
        ok = self.make.call(p.ORB, self.elsewhere, result.ok)
        return self.make.check(ok, result.value, result.site, *result.reported)


def with_sequences(
    make: ExprBuilder,
    statement: Statement,
    change: Callable[[BlockExp], Sequence[Statement] | None],
    known: dict[Exp, Exp] | None = None,
) -> Statement:
    """A statement with other statements in the sequences of its expressions, where `change` gives some. What
    is `known` of sequences is what they have become elsewhere: each remains one.
    """
    known = {} if known is None else known
    changed: dict[Exp, Exp] = {}
    for node in sequences(own_expressions(statement)):
        if node not in known:
            after = change(node)
            known[node] = node if after is None else do(list(after), node.value)
        if known[node] is not node:
            changed[node] = known[node]
    return rebuilt(statement, Substitute(make, changed)) if changed else statement


class Renaming(Substitute):
    """Rebuilds expressions with all variables of some names replaced: one may have several guises."""

    def __init__(
        self, make: ExprBuilder, names: Mapping[str, Exp], replacements: Mapping[Exp, Exp] | None = None
    ) -> None:
        super().__init__(make, dict(replacements or {}))
        self.names = names

    def _rebuild(self, node: Exp) -> Exp:
        return self.names.get(node.name, node) if isinstance(node, Var) else super()._rebuild(node)
