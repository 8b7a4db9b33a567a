"""Strides of loops: whether a map of reductions runs better with the reduction outside its innermost loop.

In `C[i;j] = Σk A[i;k] × B[k;j]` the loop over k walks down a column of B. With the loop over j innermost
every access is to neighbours: C's row accumulates, A's element stays. The same holds for sums over the
first axis.
"""

from __future__ import annotations

from aplc.laila.ir.scalar import (
    DIVIDE,
    MULTIPLY_ADD,
    REM,
    Call,
    Exp,
    Fold,
    FreeVars,
    Read,
    Select,
    Sum,
    Var,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.prims import Prim


def wants_inner(make: ExprBuilder, free: FreeVars, fold: Fold, index: Var) -> bool:
    """Whether the loop over `index` should be inside that of the fold.

    The fold's function must be associative, its extent must not depend on the index, and of the accesses
    in its body some must be neighbours along the index but not along the fold, and none the other way round.
    """
    if not isinstance(fold.combine, Prim) or depends(free, fold.extent, index):
        return False
    if fold.empty is not None and depends(free, fold.empty, index):
        return False
    gains = 0
    for node in nodes(fold.body):
        if isinstance(node, Fold):
            return False
        if isinstance(node, Read):
            along_index = steps_by_one(make, free, node.index, index)
            along_fold = steps_by_one(make, free, node.index, fold.var)
            if along_fold and not along_index and depends(free, node.index, index):
                return False
            gains += along_index and not along_fold and depends(free, node.index, fold.var)
    return gains > 0


def steps_by_one(make: ExprBuilder, free: FreeVars, position: Exp, index: Var) -> bool:
    """Whether neighbouring values of the index mean neighbouring elements: not where it is also a factor, as
    in `i + n×i`.
    """
    _, terms = make.linear(position)
    if abs(terms.get(index, 0)) != 1:
        return False
    return not any(atom is not index and depends(free, atom, index) for atom in terms)


def depends(free: FreeVars, exp: Exp, index: Var) -> bool:
    """Whether an expression mentions an index."""
    return index in free.of(exp)


def order_in_memory(make: ExprBuilder, indices: tuple[Var, ...], element: Exp) -> tuple[int, ...]:
    r"""The axes of a scan's result from the slowest to the fastest in memory.

    Where elements are read along another axis than the last, as in `+\⍉m`, that axis is the fastest: the
    result of `⍉+\⍉m`, which is `+⍀m`, is then in order.
    """
    free = FreeVars()
    *others, last = indices
    places = [place for n in nodes(element) if isinstance(n, Read) for place in _places(n.index)]
    axes = list(range(len(indices)))
    if any(steps_by_one(make, free, place, last) for place in places):
        return tuple(axes)
    for k in reversed(range(len(others))):
        if any(steps_by_one(make, free, place, others[k]) for place in places):
            return (*axes[:k], *axes[k + 1 :], k)
    return tuple(axes)


def _places(index: Exp) -> list[Exp]:
    """What an index may be: one of the branches of a choice. A remainder steps as what it is of does, but for
    where it begins again.
    """
    match index:
        case Select(then=then, other=other):
            return [*_places(then), *_places(other)]
        case Call(op=op, args=(number, _)) if op is REM:
            return _places(number)
        case _:
            return [index]


COMMUTATIVE = frozenset((p.ADDD, p.MULD, p.ADDI, p.MULI, p.ANDB, p.ORB, p.EQI, p.EQD, p.EQB, p.MINI, p.MAXI))
"""Functions of two elements whose order does not matter."""

_EITHER_WAY = COMMUTATIVE | {p.EQC, p.NEQI, p.NEQD, p.NEQB, p.NEQC, p.MAXD, p.MIND}
"""These, other questions, and extrema of doubles, of which only the sign of a zero may be another one."""

_DIFFERENCES = frozenset((p.SUBI, p.SUBD))
_PRODUCTS = frozenset((p.MULI, p.MULD, DIVIDE))
_EVEN = frozenset((p.ABSI, p.ABSD))
_ODD = frozenset((p.SIGND, p.NEGI, p.NEGD))
_ODD_IF_COUNTED = frozenset((p.SIGNI, p.I2D))
"""Of the least integer they are not, as that is its own negative."""
_OF_EITHER_SIGN = frozenset((p.EQI, p.EQD, p.NEQI, p.NEQD))

_MOST_COMPARED = 150
"""Nodes of an expression that is compared with what it is where indices change places."""


def is_symmetric(make: ExprBuilder, body: Exp, row: Var, column: Var) -> bool:
    """Whether an element is the same where two indices change places, as those of `m=⍉m` are, or of
    `(×x∘.-x)××y∘.-y`, whose factors both change their signs.
    """
    if sum([1 for _ in nodes(body)]) > _MOST_COMPARED:
        return False
    return _Exchanged(make).sign(body, Substitute(make, {row: column, column: row})(body)) == 1


class _Exchanged:
    """Compares expressions with what they are after an exchange; what it finds is remembered."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make = make
        self.known: dict[tuple[Exp, Exp], int] = {}

    def sign(self, a: Exp, b: Exp) -> int:
        """1 if two expressions have the same value because operators do not ask for an order, -1 if one is
        the negative of the other; 0 if that does not show. The sign of a zero may be another one.
        """
        if a is b:
            return 1
        if (a, b) not in self.known:
            self.known[a, b] = self.found(a, b)
        return self.known[a, b]

    def found(self, a: Exp, b: Exp) -> int:
        """The same for two that are not one."""
        match a, b:
            case Sum(), Sum():
                return -1 if self.make.mul(self.make.const(-1), b) is a else 0
            case Read(), Read() if a.buffer is b.buffer:
                return int(self.sign(a.index, b.index) == 1)
            case Select(), Select():
                is_same = self.sign(a.cond, b.cond) == 1
                return self.common(self.sign(a.then, b.then), self.sign(a.other, b.other)) if is_same else 0
            case Fold(), Fold() if a.combine is b.combine and a.var is b.var and a.extent is b.extent:
                return int(a.empty is b.empty and self.sign(a.body, b.body) == 1)
            case Call(), Call() if a.op is b.op:
                return self.of_calls(a, b)
            case _:
                return 0

    def of_calls(self, a: Call, b: Call) -> int:
        """For two calls of one operator: their arguments in order, or exchanged where either will do."""
        first = self.of_arguments(a, [self.sign(x, y) for x, y in zip(a.args, b.args, strict=True)])
        is_either = a.op in _EITHER_WAY or a.op in _DIFFERENCES or a.op is MULTIPLY_ADD
        if first or not is_either:
            return first
        turned = (b.args[1], b.args[0], *b.args[2:])
        found = self.of_arguments(a, [self.sign(x, y) for x, y in zip(a.args, turned, strict=True)])
        return -found if a.op in _DIFFERENCES else found

    def of_arguments(self, call: Call, signs: list[int]) -> int:
        """The sign of a call whose arguments have these ones."""
        op = call.op
        if 0 in signs:
            return 0
        if all([sign == 1 for sign in signs]):
            return 1
        if op in _PRODUCTS:
            return signs[0] * signs[1]
        if op is MULTIPLY_ADD:
            return self.common(signs[0] * signs[1], signs[2])
        if op in _EVEN:
            return 1
        if op in _ODD or (op in _ODD_IF_COUNTED and self.make.counts(call.args[0])):
            return -1
        if op in _OF_EITHER_SIGN:
            return abs(self.common(*signs))
        if op in _DIFFERENCES or op in (p.ADDI, p.ADDD):
            return self.common(*signs)
        return 0

    @staticmethod
    def common(*signs: int) -> int:
        """The sign that all have, otherwise 0."""
        return signs[0] if len(set(signs)) == 1 else 0
