"""Catenation: `,` and `⍪` of two arrays along the last, the first, or a given axis, and lamination."""

from __future__ import annotations

import math
from itertools import pairwise

from aplc.apl_front.building.axes import axis_number, constant_axis, from_last, to_last
from aplc.apl_front.building.builder import (
    Builder,
    base_of,
    counted,
    join_bases,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.functions.structure import is_known_vector
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Op, Vec, literal, op, vec
from aplc.tail.types import Base


def _op(prim: p.Prim, *args: Exp, symbol: str, span: Span) -> Op:
    return op(prim, *args, symbol=symbol, span=span)


def joined(build: Builder, left: Exp, right: Exp, symbol: str, span: Span) -> tuple[Exp, Exp]:
    """Two operands converted to one element type."""
    base = join_bases([base_of(left), base_of(right)])
    if base is None and 0 in (length_of(left), length_of(right)):
        if length_of(left) == 0:
            return vec((), base_of(right), left.span), right
        return left, vec((), base_of(left), right.span)
    if base is None:
        what = f"{symbol} of characters and numbers in one array"
        raise unsupported(what, span, "make text of numbers with ⍕")
    return build.coerce(left, base, symbol, span), build.coerce(right, base, symbol, span)


def catenate(build: Builder, left: Exp, right: Exp, span: Span, symbol: str = ",") -> Exp:
    """`a,b` along the last axis; a scalar or an array of one rank less is one slice."""
    left, right = joined(build, left, right, symbol, span)
    ranks = rank(left), rank(right)
    if ranks == (0, 0):
        return vec((left, right), base_of(left), span)
    if 0 in ranks and max(ranks) > 1:
        return _catenate_scalar(build, left, right, span)
    known = all(rank(a) == 0 or is_known_vector(a) for a in (left, right))
    if ranks[0] == ranks[1]:
        prim = p.CAT_V if known else p.CAT
    elif ranks[0] == ranks[1] - 1:
        prim = p.CONS_V if known else p.CONS
    elif ranks[1] == ranks[0] - 1:
        prim = p.SNOC_V if known else p.SNOC
    else:
        shown = f"got {plain_type(left)} and {plain_type(right)}"
        raise compile_error("RANK ERROR", f"{symbol} needs ranks that differ by one at most, {shown}", span)
    return _op(prim, left, right, symbol=symbol, span=span)


def _catenate_scalar(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """A scalar beside a matrix or more: it is repeated to one slice."""
    scalar_left = rank(left) == 0
    a = build.bind(right if scalar_left else left)
    last = literal(-1, span)
    extents = op(p.DROP_V, last, op(p.SHAPE, a, span=span), span=span)
    slice_ = op(p.RESHAPE, extents, left if scalar_left else right, span=span)
    if scalar_left:
        return _op(p.CONS, slice_, a, symbol=",", span=span)
    return _op(p.SNOC, a, slice_, symbol=",", span=span)


def catenate_first(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a⍪b`"""
    return _along(build, left, right, 0, "⍪", span)


def ravel_along(build: Builder, a: Exp, span: Span, axis: Exp) -> Exp:
    """`,[k]a`: neighbouring axes as one; a fraction, or no axis at all, is a new axis of extent 1."""
    known = build.definition(axis)
    numbers = list(known.items) if isinstance(known, Vec) else [axis]
    if len(numbers) == 1:
        number = axis_number(numbers[0], ",", span) - build.index_origin
        if number.is_integer():
            constant_axis(build, numbers[0], rank(a), ",", span)
            return a
        if not -1 < number < rank(a):
            shown = f"{number + build.index_origin:g}".replace("-", "¯")
            has = counted(rank(a), "axis", "axes")
            message = f", has no place for a new axis {shown}: its argument has {has}"
            raise compile_error("AXIS ERROR", message, axis.span or span)
        return _reshaped(build, a, math.ceil(number), 0, span)
    places = [constant_axis(build, each, rank(a), ",", span) for each in numbers]
    if any(after != before + 1 for before, after in pairwise(places)):
        message = ", needs axes that follow each other"
        raise compile_error("AXIS ERROR", message, axis.span or span)
    return _reshaped(build, a, places[0] if places else rank(a), len(places), span)


def _reshaped(build: Builder, a: Exp, first: int, count: int, span: Span) -> Exp:
    """The array with so many axes from one on as one; none: a new one of extent 1."""
    a = build.bind(a)
    extents = [op(p.PICK, literal(k + 1, span), op(p.SHAPE, a, span=span), span=span) for k in range(rank(a))]
    joined_extent: Exp = literal(1, span)
    for extent in extents[first : first + count]:
        joined_extent = op(p.MULI, joined_extent, extent, span=span)
    shape = (*extents[:first], joined_extent, *extents[first + count :])
    return op(p.RESHAPE, vec(shape, Base.INT, span), a, symbol=",", span=span)


def catenate_along(build: Builder, left: Exp, right: Exp, span: Span, axis: Exp) -> Exp:
    """`a,[k]b`: along an axis, or with a fraction along a new axis between two."""
    axes = max(rank(left), rank(right))
    number = axis_number(axis, ",", span) - build.index_origin
    if not number.is_integer():
        return laminate(build, left, right, number, span)
    return _along(build, left, right, constant_axis(build, axis, axes, ",", span), ",", span)


def _along(build: Builder, left: Exp, right: Exp, axis: int, symbol: str, span: Span) -> Exp:
    """Catenation along an axis of the array with more of them."""
    axes = max(rank(left), rank(right))
    if axes <= 1:
        return catenate(build, left, right, span, symbol)
    moved = [to_last(a, axis, span) if rank(a) == axes else a for a in (left, right)]
    return from_last(catenate(build, moved[0], moved[1], span, symbol), axis, span)


def laminate(build: Builder, left: Exp, right: Exp, number: float, span: Span) -> Exp:
    """`a,[k.5]b`: the two arrays along a new axis of extent 2; the number counts from 0."""
    left, right = joined(build, left, right, ",", span)
    axes, place = max(rank(left), rank(right)), math.ceil(number)
    if not 0 <= place <= axes:
        shown = f"{number + build.index_origin:g}".replace("-", "¯")
        message = f", has no place for a new axis {shown}: its arguments have {counted(axes, 'axis', 'axes')}"
        raise compile_error("AXIS ERROR", message, span)
    if 0 not in (rank(left), rank(right)) and rank(left) != rank(right):
        shown = f"got {plain_type(left)} and {plain_type(right)}"
        raise compile_error("RANK ERROR", f", needs equal ranks along a new axis, {shown}", span)
    if axes == 0:
        return vec((left, right), base_of(left), span)
    left, right = build.bind(left), build.bind(right)
    extents = build.bind(op(p.SHAPE, left if rank(left) == axes else right, span=span))
    if rank(left) == 0:
        left = op(p.RESHAPE, extents, left, span=span)
    own = op(p.SHAPE, right, span=span) if rank(right) else extents
    unit = op(p.SNOC_V, own, literal(1, span), span=span)
    last = _op(p.CONS, left, op(p.RESHAPE, unit, right, span=span), symbol=",", span=span)
    return from_last(last, place, span)
