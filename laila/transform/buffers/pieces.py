"""What a map makes of an array: a part of it that is kept in order, with something in front and behind.

    b[i] = i < m ? f(i) : i < m + l ? a[i - m + k] : g(i)      over i < n
        →   m rows in front, l rows of `a` from k on, n - m - l rows behind

The body is a choice by comparisons with the first index; where that changes sides, the pieces meet. The part
that is kept lies as far from its old place for all of its elements. A map of another extent than what is kept
and added, as of a take, has pieces that are empty.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aplc.laila.ir.program import Map
from aplc.laila.ir.scalar import Buffer, Call, Exp, FreeVars, Read, Select, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail import prims as p


@dataclass(frozen=True, slots=True)
class Pieces:
    """A new array, of an old one."""

    made: Map
    front: Exp
    """How many rows come in front of what is kept,"""
    kept: Exp
    """how many are kept,"""
    shift: Exp
    """from which element on, less those in front: how far a kept element lies behind its new place."""
    behind: Exp
    """The row with which begins what comes behind, and how many rows that is."""
    more: Exp

    @property
    def index(self) -> Var:
        """The first index of the map, which counts rows."""
        return self.made.space.indices[0]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the rows: from the first on, and before the last."""

    low: Exp
    high: Exp
    body: Exp


def pieces_of(made: Map, old: Buffer, make: ExprBuilder) -> Pieces | None:
    """What a map makes of an old array; None if it keeps no part of that, or does something else."""
    if made.guard is not None or made.ordered:
        return None
    (i, *_), (extent, *_) = made.space.indices, made.space.extents
    free = FreeVars()
    indices = set(made.space.indices)
    for piece in pieces_in(i, Piece(make.zero, extent, made.body), make, is_last=True):
        body = piece.body
        if not isinstance(body, Read) or body.buffer is not old:
            continue
        shift = make.sub(body.index, made.position)
        if indices & free.of(shift) or indices & (free.of(piece.low) | free.of(piece.high)):
            continue
        if not make.counts(piece.low, piece.high):  # a sum with any integer wraps
            continue
        front, least = [_least(make, end, extent) for end in (piece.low, piece.high)]
        more = make.sub(extent, piece.high)
        if not make.nonnegative(more):  # a take may want fewer than there are
            more = make.call(p.MAXI, more, make.zero)
        return Pieces(made, front, make.sub(least, front), shift, piece.high, more)
    return None


def pieces_in(i: Var, whole: Piece, make: ExprBuilder, *, is_last: bool) -> list[Piece]:
    """The pieces of a body, in order. One that may end behind the last row says where it would."""
    body = whole.body
    match body:
        case Select(cond=Call(op=p.ANDB, args=(a, b))):
            body = replace(body, cond=a, then=replace(body, cond=b))
        case _:
            pass
    threshold = _threshold(body.cond, i, make) if isinstance(body, Select) else None
    if threshold is None:
        return [whole]
    assert isinstance(body, Select)
    bound, is_then_below = threshold
    below, above = (body.then, body.other) if is_then_below else (body.other, body.then)
    if not make.at_least(bound, whole.low):
        bound = make.call(p.MAXI, bound, whole.low)
    high = bound if is_last else _least(make, bound, whole.high)
    return [
        *pieces_in(i, Piece(whole.low, high, below), make, is_last=False),
        *pieces_in(i, Piece(high, whole.high, above), make, is_last=is_last),
    ]


def _threshold(cond: Exp, i: Var, make: ExprBuilder) -> tuple[Exp, bool] | None:
    """Where a comparison of an index changes sides, and whether it holds below."""
    match cond:
        case Call(op=p.LTI | p.LTEI | p.GTI | p.GTEI as op, args=(a, b)):
            pass
        case _:
            return None
    free = FreeVars()
    rest = make.sub(make.sub(a, b), i)
    if i not in free.of(rest):  # i + rest is compared with 0
        is_below = op in (p.LTI, p.LTEI)
        bound = make.sub(make.zero, rest)
        return (bound if op in (p.LTI, p.GTEI) else make.add(bound, make.one)), is_below
    rest = make.add(make.sub(a, b), i)
    if i in free.of(rest):
        return None
    is_below = op in (p.GTI, p.GTEI)  # rest - i is compared with 0
    return (rest if op in (p.GTI, p.LTEI) else make.add(rest, make.one)), is_below


def _least(make: ExprBuilder, a: Exp, b: Exp) -> Exp:
    if make.at_least(a, b):
        return b
    return a if make.at_least(b, a) else make.call(p.MINI, a, b)
