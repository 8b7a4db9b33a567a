"""Counts the operations of loops, by which the host decides between its own loop and a kernel.

What compilers keep out of loops does not count: the places of elements, conditions on indices, at which loops
are cut, and in a fold what is the same for all its terms, or for all the points that have such a fold. An
operation is one of eight bytes; of narrower elements vectors hold more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from aplc.laila.ir.analysis import consists_of
from aplc.laila.ir.program import Filter, ForEach, Fused, If, Map, Scan, Space, Statement, While
from aplc.laila.ir.scalar import (
    QUOT,
    TABLE,
    BlockExp,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    Read,
    Select,
    Sum,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import bound_in
from aplc.laila.ir.statements import bound, everywhere, expressions, own_expressions, statements_of
from aplc.laila.lowering.pull import cost_of
from aplc.laila.threads.work import GUESS
from aplc.tail import prims as p

WIDE, HALF = 8, 4
"""Bytes of what operations are counted in, and of integers that are made of indices."""

LINEAR = p.COMPARISONS_OF_INTEGERS | {p.ADDI, p.SUBI, p.MULI, p.MINI, p.MAXI, p.ANDB, p.ORB, p.NOTB}
"""What positions and conditions on indices are made of, if loops can be rid of them."""

NOTHING: frozenset[Var] = frozenset()


class Effort:
    """The operations of loops and statements, as expressions that the host can compute."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make, self.free = make, FreeVars()
        self.guess: Exp = make.const(GUESS)
        """What an extent is taken for of which the host knows nothing."""
        self.known: dict[int, tuple[Exp, int]] = {}
        """What expressions weigh, by their identity; they live on with it."""

    def of_loop(self, space: Space, roots: tuple[Exp, ...], written: Iterable[Buffer]) -> Exp:
        """The operations of a loop that evaluates the roots at each point and writes some buffers."""
        hidden = _names((*bound_in(roots), *space.indices))
        each = self.once(roots, hidden, frozenset(space.indices), written)
        return self.in_operations(self.times(each, space.extents, hidden))

    def of_rounds(self, statement: ForEach) -> Exp:
        """The operations of a loop over statements."""
        hidden = _names((*bound(statement), *bound_in(expressions(statement))))
        return self.in_operations(self.inside((statement,), hidden, NOTHING))

    def in_operations(self, bytes_of_operands: Exp) -> Exp:
        """So many bytes of operands in operations."""
        return self.make.call(QUOT, bytes_of_operands, self.make.const(WIDE))

    def reaches(self, work: Exp, least: int) -> Exp:
        """Whether there are so many operations: ⌊bytes ÷ 8⌋ ≥ least where bytes ≥ 8 × least."""
        match work:
            case Call(op=op, args=(amount, Const(value=each))) if op is QUOT:
                return self.make.call(p.GTEI, amount, self.make.const(int(each) * least))
            case _:
                return self.make.call(p.GTEI, work, self.make.const(least))

    # --- in bytes of operands ---

    def inside(self, statements: tuple[Statement, ...], hidden: Set[str], points: frozenset[Var]) -> Exp:
        """Of statements, in loops over `points`; of what is called as in `hidden` the host knows nothing."""
        make, total = self.make, self.make.zero
        for statement in statements:
            match statement:
                case If(then=then, other=other):
                    branches = [self.inside(branch, hidden, points) for branch in (then, other)]
                    work = make.call(p.MAXI, *branches)
                case While(body=body):
                    work = make.mul(make.const(GUESS), self.inside(body, hidden, points))
                case ForEach(space=space, body=body):
                    within = self.inside(body, hidden, points.union(space.indices))
                    work = self.times(within, space.extents, hidden)
                case Map(space=space) | Scan(space=space) | Filter(space=space) | Fused(space=space):
                    here = points.union(space.indices)
                    work = self.once(own_expressions(statement), hidden, here)
                    work = self.times(work, space.extents, hidden)
                case _:
                    work = self.once(own_expressions(statement), hidden, points)
            total = make.add(total, work)
        return total

    def once(
        self,
        roots: tuple[Exp, ...],
        hidden: Set[str],
        points: frozenset[Var],
        written: Iterable[Buffer] = (),
    ) -> Exp:
        """Of evaluating expressions at one point, and of writing an element to each of some buffers."""
        return self.sum_of(list(self.nodes(roots, hidden)), hidden, points, written, 1)

    def sum_of(
        self,
        found: Sequence[Exp],
        hidden: Set[str],
        points: frozenset[Var],
        written: Iterable[Buffer],
        more: int,
    ) -> Exp:
        """Of some nodes, and so many operations more."""
        make = self.make
        plain = sum([weight(n) for n in found if not isinstance(n, Fold | BlockExp)], more)
        total: Exp = make.const(plain * width_of(found, written))
        for node in found:
            if isinstance(node, Fold):
                total = make.add(total, self.fold(node, hidden, points))
            elif isinstance(node, BlockExp):
                repeated = any(isinstance(s, While) for s in everywhere(statements_of(node)))
                body = self.once(operands(node), hidden, points)
                total = make.add(total, make.mul(make.const(GUESS if repeated else 1), body))
        return total

    def fold(self, fold: Fold, hidden: Set[str], points: frozenset[Var]) -> Exp:
        """Of a fold: what its terms take that is of this term and of this point, and once what is of this
        point alone.
        """
        own, points_of_it = bound_in((fold,)), self.free.of(fold) & points
        terms: list[Exp] = []
        before: list[Exp] = []
        for node in self.nodes([e for e in operands(fold) if e is not fold.extent], hidden):
            free = self.free.of(node)
            if free.isdisjoint(own):
                before.append(node)
            elif points_of_it <= free:
                terms.append(node)
        is_fused = fold.combine is p.ADDD and isinstance(fold.body, Call) and fold.body.op is p.MULD
        each = self.sum_of(terms, hidden, points | {fold.var}, (), 0 if is_fused else 1)
        once = self.sum_of(before, hidden, points, (), 0)
        return self.make.add(once, self.times(each, (fold.extent,), hidden))

    def times(self, work: Exp, extents: tuple[Exp, ...], hidden: Set[str]) -> Exp:
        """So much work for each point of a space; an extent that depends on what is `hidden` is a guess."""
        make = self.make
        for extent in extents:
            is_hidden = not self.free.names(extent).isdisjoint(hidden)
            is_hidden |= contains(Check | BlockExp | Fold | Read, extent)
            known = self.guess if is_hidden else make.call(p.MAXI, make.zero, extent)
            work = make.call(p.MULI, work, known)
        return work

    # --- which nodes ---

    def nodes(self, roots: Sequence[Exp], hidden: Set[str]) -> Iterator[Exp]:
        """What of some expressions is computed at each point, and folds without what is in them."""
        return nodes(*roots, below=lambda node: self.below(node, hidden))

    def below(self, node: Exp, hidden: Set[str]) -> tuple[Exp, ...]:
        """The operands that count. Of branches that is the heavier one, or the lighter where a version of the
        loop has each.
        """
        match node:
            case Fold() | BlockExp():
                return ()
            case Read(index=index):
                return () if is_linear(index) else (index,)
            case Check(ok=ok, value=value):
                return (value,) if is_linear(ok) else (ok, value)
            case Select(cond=cond, then=then, other=other) if is_linear(cond):
                is_same = self.free.names(cond).isdisjoint(hidden)
                chosen = min if is_same else max
                return (chosen(then, other, key=self.weight_of),)
            case _:
                return operands(node)

    def weight_of(self, exp: Exp) -> int:
        """What an expression weighs with all below it, what is used twice as often: to compare branches."""
        if id(exp) not in self.known:
            for node in nodes(exp, below=lambda e: () if id(e) in self.known else operands(e)):
                if id(node) not in self.known:
                    total = weight(node) + sum([self.known[id(o)][1] for o in operands(node)])
                    self.known[id(node)] = node, total
        return self.known[id(exp)][1]


def _names(variables: Iterable[Var]) -> frozenset[str]:
    """What variables are called, whatever is known of them."""
    return frozenset([var.name for var in variables])


def weight(node: Exp) -> int:
    """The weight of an expression without that of its operands; sums are so many additions."""
    if isinstance(node, Select) and is_linear(node.cond):
        return 0
    return len(node.terms) - 1 if isinstance(node, Sum) else cost_of(node)


def width_of(found: Sequence[Exp], written: Iterable[Buffer]) -> int:
    """The bytes of the widest elements that nodes compute with."""
    inexact = [n.ty.item_bytes for n in found if not n.ty.is_exact]
    if inexact:
        return max(inexact)
    buffers = [*written, *[n.buffer for n in found if isinstance(n, Read)]]
    return max([b.item_bytes for b in buffers if b.storage != TABLE], default=HALF)


def is_linear(exp: Exp) -> bool:
    """Whether an expression consists of indices, extents, what is linear in them, and choices among such."""
    return consists_of(exp, LINEAR)
