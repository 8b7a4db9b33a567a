"""Strides of loops: whether a map of reductions runs better with the reduction outside its innermost loop.

In `C[i;j] = Σk A[i;k] × B[k;j]` the loop over k walks down a column of B. With the loop over j innermost
every access is to neighbours: C's row accumulates, A's element stays. The same holds for sums over the
first axis.
"""

from __future__ import annotations

from aplc.laila.ir.scalar import REM, Call, Exp, Fold, FreeVars, Read, Select, Var, nodes
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

_MOST_COMPARED = 40
"""Nodes of an expression that is compared with what it is where indices change places."""


def is_symmetric(make: ExprBuilder, body: Exp, row: Var, column: Var) -> bool:
    """Whether an element is the same where two indices change places, as those of `m=⍉m` are."""
    if sum([1 for _ in nodes(body)]) > _MOST_COMPARED:
        return False
    return _are_alike(body, Substitute(make, {row: column, column: row})(body))


def _are_alike(a: Exp, b: Exp) -> bool:
    """Whether two expressions have the same value because operators do not ask for an order."""
    if a is b or not isinstance(a, Call) or not isinstance(b, Call) or a.op is not b.op:
        return a is b
    match a.args[0], b.args[0]:
        case Call(op=p.SUBD, args=(x, y)), Call(op=p.SUBD, args=(z, w)) if a.op is p.ABSD:
            if _are_alike(x, w) and _are_alike(y, z):
                return True
        case _:
            pass
    if all(map(_are_alike, a.args, b.args)):
        return True
    return a.op in _EITHER_WAY and all(map(_are_alike, a.args, b.args[::-1]))
