"""Copies that nobody needs: an array that a change has made has no other name (thesis section 3.1.5)."""

from __future__ import annotations

from aplc.tail import prims as p
from aplc.tail.optimise.rewrite import Rebuild
from aplc.tail.syntax import Exp, Op, Term


def drop_copies(term: Term) -> Term:
    """All copies of what is a copy already."""
    return Rebuild(drop_copy).term(term)


def drop_copy(exp: Exp) -> Exp:
    """`copy(update(a,i,v)) = update(a,i,v)`, the same for `modify`, and `copy(copy(a)) = copy(a)`.

    Only where one stands directly inside the other: a name between them could be used elsewhere too.
    """
    if not isinstance(exp, Op) or exp.prim is not p.COPY:
        return exp
    (inner,) = exp.args
    return inner if isinstance(inner, Op) and inner.prim in (p.COPY, p.UPDATE, p.MODIFY) else exp
