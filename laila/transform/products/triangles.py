"""Folds over all pairs of elements go over each pair once, where both orders of it give the same.

    s = +/ +/ e(i, j) over j < n, i < n    →    s = +/ (2 × +/ e(i, j) over j < i) + e(i, i) over i < n
    s = ⌈/ ⌈/ e(i, j) over j < n, i < n    →    s = ⌈/ ⌈/ e(i, j) over j < i+1, i < n

So do the differences of all pairs, their distances, and what tells whether pairs are in the same order. That
an element is the same where its indices change places is what `is_symmetric` shows. Sums of doubles are in
another order then, which `--strict-fp` forbids.

Folds that read a matrix across, as whether `m≡⍉m`, are left to loops that walk it in squares.
"""

from __future__ import annotations

from aplc.laila.ir.program import Program
from aplc.laila.ir.scalar import BlockExp, Check, Const, Exp, Fold, FreeVars, PureCall, contains
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

    return with_blocks(program, lambda statements: tuple([rebuilt(s, change) for s in statements]))


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
