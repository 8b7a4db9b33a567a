"""Folds over all pairs of elements go over each pair once, where both orders of it give the same.

    s = +/ +/ e(i, j) over j < n, i < n    →    s = +/ (2 × +/ e(i, j) over j < i) + e(i, i) over i < n
    s = ⌈/ ⌈/ e(i, j) over j < n, i < n    →    s = ⌈/ ⌈/ e(i, j) over j < i+1, i < n

So do the differences of all pairs, their distances, and what tells whether pairs are in the same order. That
an element is the same where its indices change places is what `is_symmetric` shows. Sums of doubles are in
another order then, which `--strict-fp` forbids.

Folds that read a matrix across, as whether `m≡⍉m`, are left to loops that walk it in squares. But where
nobody else reads the matrix, its elements are made where the fold wants them: of both sides of the diagonal
that are as many as there are in the matrix, and what they are made of is read along.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.laila.ir.liveness import Users, buffers_read, changed
from aplc.laila.ir.program import Alloc, Free, HostLet, Map, Program, Space, Statement
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import rebuilt, with_blocks
from aplc.laila.ir.strides import is_symmetric
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.register_tiling import axis_of_squares
from aplc.tail import prims as p

_SUMS = frozenset((p.ADDI, p.ADDD))
_ONCE = frozenset((p.MAXI, p.MINI, p.MAXD, p.MIND))
"""Operators to which an element given twice is one given once. `∧` and `∨` leave early, and see to that."""


def with_triangles(program: Program, make: ExprBuilder) -> Program:
    """The program with folds over pairs on one side of the diagonal."""
    if make.settings.check_overflow or make.settings.strict_fp:
        return program
    change = _Halved(make, {})

    def block(statements: Sequence[Statement]) -> tuple[Statement, ...]:
        return tuple([rebuilt(s, change) for s in _without_matrices(make, statements)])

    return with_blocks(program, block)


class _Halved(Substitute):
    """Rebuilds expressions with folds over one half of a square."""

    def _rebuild(self, node: Exp) -> Exp:
        result = super()._rebuild(node)
        return (self.half(result) or result) if isinstance(result, Fold) else result

    def half(self, outer: Fold) -> Exp | None:
        """A fold over all pairs as one over half of them."""
        make, inner, row = self.make, outer.body, outer.var
        if not isinstance(inner, Fold) or inner.combine is not outer.combine:
            return None
        if inner.combine not in _SUMS | _ONCE or inner.extent is not outer.extent:
            return None
        if isinstance(outer.extent, Const) or inner.empty is not outer.empty:
            return None
        if contains(Check | BlockExp | PureCall, inner.body):
            return None
        if axis_of_squares(FreeVars(), make, inner.body, (row, inner.var)) is not None:
            return None
        if not is_symmetric(make, inner.body, row, inner.var):
            return None
        is_sum = inner.combine in _SUMS
        count = row if is_sum else make.add(row, make.one)
        column = make.index(inner.var.name, count)
        body = Substitute(make, {inner.var: column})(inner.body)
        part = make.fold(inner.combine, column, count, body, inner.empty)
        if is_sum:
            there = Substitute(make, {inner.var: row})(inner.body)
            if inner.combine is p.ADDI:
                part = make.add(make.mul(make.const(2), part), there)
            else:
                part = make.call(p.ADDD, make.call(p.MULD, make.const(2.0), part), there)
        return make.fold(outer.combine, row, outer.extent, part, outer.empty)


def _without_matrices(make: ExprBuilder, statements: Sequence[Statement]) -> list[Statement]:
    """A block without the matrices of which only such a fold reads elements and those across from them."""
    users = Users().of(statements)
    result: dict[int, list[Statement]] = {k: [s] for k, s in enumerate(statements)}
    for k, statement in enumerate(statements):
        for fold in _folds(statement):
            matrices = _matrices(make, statements, users, k, fold)
            made = _made_again(make, fold, matrices)
            if made is None:
                continue
            inputs = {b for m in matrices.values() for b in buffers_read(m.body)}
            begins = min(users[buffer][1] for buffer in matrices)
            ends = [
                j for j in range(begins, k) if isinstance(s := statements[j], Free) and s.buffer in inputs
            ]
            gone = [j for buffer in matrices for j in users[buffer] if j != k]
            result |= {j: [] for j in (*ends, *gone)}
            result[k] = [rebuilt(statement, Substitute(make, {fold: made})), *[statements[j] for j in ends]]
            break
    return [s for k in range(len(statements)) for s in result[k]]


def _folds(statement: Statement) -> list[Fold]:
    """The folds of folds that a scalar is made of."""
    if not isinstance(statement, HostLet):
        return []
    return [n for n in nodes(statement.value) if isinstance(n, Fold) and isinstance(n.body, Fold)]


def _matrices(
    make: ExprBuilder, statements: Sequence[Statement], users: dict[Buffer, list[int]], at: int, fold: Fold
) -> dict[Buffer, Map]:
    """The matrices in front of a statement that nobody else reads than a fold in it."""
    found: dict[Buffer, Map] = {}
    for buffer in buffers_read(fold):
        match [statements[k] for k in users.get(buffer, [])]:
            case [Alloc(), Map(space=Space((i, j), (m, n))) as made, HostLet() as user, Free()]:
                is_whole = made.guard is None and made.position is make.add(make.mul(i, n), j)
                inputs = {*buffers_read(made.body)}
                between = statements[users[buffer][1] + 1 : at]
                changes = {b for s in between if not isinstance(s, Free) for b in changed(s)}
                is_same = m is n is fold.extent and user is statements[at] and not changes & inputs
                if is_whole and is_same and not contains(Check | BlockExp | PureCall | Fold, made.body):
                    found[buffer] = made
            case _:
                pass
    return found


def _made_again(make: ExprBuilder, outer: Fold, matrices: dict[Buffer, Map]) -> Fold | None:
    """A fold over pairs that makes the elements of matrices instead of reading them across."""
    inner, row = outer.body, outer.var
    if not matrices or not isinstance(inner, Fold) or outer.empty is not inner.empty:
        return None
    column, n = inner.var, outer.extent
    elements: dict[Exp, Exp] = {}
    for node in nodes(outer):
        if isinstance(node, Read) and node.buffer in matrices:
            (i, j), body = matrices[node.buffer].space.indices, matrices[node.buffer].body
            for first, second in ((row, column), (column, row)):
                if node.index is make.add(make.mul(first, n), second):
                    elements[node] = Substitute(make, {i: first, j: second})(body)
            if node not in elements:
                return None
    body = Substitute(make, elements)(inner.body)
    was_across, is_across = [axis_of_squares(FreeVars(), make, b, (row, column)) for b in (inner.body, body)]
    if was_across is None or is_across is not None or not is_symmetric(make, body, row, column):
        return None
    made = make.fold(inner.combine, column, inner.extent, body, inner.empty)
    found = make.fold(outer.combine, row, outer.extent, made, outer.empty)
    return found if isinstance(found, Fold) else None
