"""Searches for the place of a number among the elements that a loop computes, as `v⍳x` is lowered.

`lifting` and `bounding` ask whether a fold is one, where the number is an extremum of the
elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import buffers_read, changed
from aplc.laila.ir.program import (
    Fused,
    HostLet,
    If,
    Reduce,
    Statement,
)
from aplc.laila.ir.scalar import Buffer, Call, Check, Const, Exp, Fold, FreeVars, Select, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.scalars import neutral
from aplc.laila.lowering.tolerance import equal
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

LARGEST_TOLERANCE = 0.01
"""Note [Where an extremum is first] of `bounding` needs one that is far below 1."""

EXTREMA = {p.MAXI: p.GTI, p.MINI: p.LTI, p.MAXD: p.GTD, p.MIND: p.LTD}
"""The operators of extrema, and when one number is better than another."""


@dataclass(frozen=True, slots=True)
class Search:
    """The search for the first of some elements that equals a number; `var` is its place, counted from
    `origin`, or that of one more where there is none.
    """

    var: Var
    fold: Fold
    element: Exp
    """Of the index of the fold."""
    number: Var
    tolerance: Exp | None
    """None: equal means the same."""
    origin: Exp


def search_of(make: ExprBuilder, var: Var, fold: Fold) -> Search | None:
    """The search that a fold is, for a number that a variable holds."""
    k, n, body = fold.var, fold.extent, fold.body
    if fold.combine is not p.MINI or not isinstance(body, Select):
        return None
    origin = make.sub(body.then, k)
    if not isinstance(origin, Const) or make.sub(body.other, n) is not origin:
        return None
    for node in nodes(body.cond):
        if isinstance(node, Call) and node.op in (p.EQI, p.EQD):
            for element, number in (node.args, node.args[::-1]):
                if isinstance(number, Var) and number is not k:
                    found, tolerance = _comparison(make, body.cond, element, number)
                    if found:
                        return Search(var, fold, element, number, tolerance, origin)
    return None


def _comparison(make: ExprBuilder, cond: Exp, x: Exp, y: Exp) -> tuple[bool, Exp | None]:
    """Whether a condition says that two numbers are equal, and within which tolerance."""
    if cond is make.call(p.EQI, x, y) or cond is make.call(p.EQD, x, y):
        return True, None
    if x.ty is not Base.DOUBLE:
        return False, None
    if cond is same_in_order(make, x, y):
        return True, None
    for node in nodes(cond):
        if not isinstance(node, Const) or not isinstance(node.value, float):
            continue
        if 0 < node.value < LARGEST_TOLERANCE and cond in (equal(make, node, x, y), equal(make, node, y, x)):
            return True, node
    return False, None


def same_in_order(make: ExprBuilder, x: Exp, y: Exp) -> Exp:
    """Whether doubles are the same, or both NaN."""
    both = make.call(p.ANDB, make.call(p.NEQD, x, x), make.call(p.NEQD, y, y))
    return make.call(p.ORB, make.call(p.EQD, x, y), both)


def among_numbers(make: ExprBuilder, op: Prim, x: Exp) -> Exp:
    """A double, or what never is the extremum in its place if it is NaN."""
    return make.select(make.call(p.NEQD, x, x), neutral(make, op), x)


def is_compared(make: ExprBuilder, op: Prim, compared: Exp, x: Exp) -> bool:
    """Whether something is an element x, or stands for it among numbers."""
    return compared is x or (x.ty is Base.DOUBLE and compared is among_numbers(make, op, x))


def searches_in(make: ExprBuilder, statements: Sequence[Statement]) -> list[Search]:
    """The searches among statements and in branches, but not in loops, for elements of which nothing has
    changed since the first statement.
    """
    found: list[Search] = []
    _collect(make, statements, set(), set(), found)
    return found


def _collect(
    make: ExprBuilder,
    statements: Sequence[Statement],
    memory: set[Buffer],
    names: set[str],
    found: list[Search],
) -> None:
    """The searches in statements, given what has changed, which grows."""
    for statement in statements:
        searches: list[Search | None] = []
        match statement:
            case HostLet(var=var, value=Fold() as fold):
                searches.append(search_of(make, var, fold))
            case Fused(parts=parts):
                folds = [q for q in parts if isinstance(q, Reduce)]
                searches += [search_of(make, q.var, fold_of(q)) for q in folds]
            case If(then=then, other=other):
                for side in (then, other):
                    _collect(make, side, set(memory), set(names), found)
            case _:
                pass
        for each in within((statement,)):
            memory |= set(changed(each))
        names |= {var.name for var in bound(statement)}
        for search in searches:
            if search is not None and memory.isdisjoint(buffers_read(search.element)):
                used = FreeVars().names(search.element) | {search.number.name}
                if used.isdisjoint(names - {search.fold.var.name}):
                    found.append(search)


def fold_of(part: Reduce) -> Fold:
    """The fold of a part, over the index of its loop."""
    return replace(part.fold, var=part.space.indices[0], body=part.body)


def unchecked(make: ExprBuilder, exp: Exp) -> Exp:
    """An expression whose checks have all been made."""
    change = Substitute(make, {})
    for node in nodes(exp):
        if isinstance(node, Check):
            change.done[id(node)] = change(node.value)
            change.alive.append(node)
    return change(exp)
