"""Selecting, searching and ordering: replicate, expand, where, sets, membership, grades, index of, find."""

from __future__ import annotations

from collections.abc import Callable

from aplc.apl_front.building.axes import along, constant_axis
from aplc.apl_front.building.builder import Builder, base_of, join_bases, length_of, plain_type, rank
from aplc.apl_front.functions.catenation import catenate, laminate
from aplc.apl_front.functions.overloads import pervade
from aplc.apl_front.functions.structure import (
    as_vector,
    comparing,
    is_known_vector,
    to_integers,
    to_origin,
)
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal, op, prim_fn, vec
from aplc.tail.types import Base

# --- replicate and expand -------------------------------------------------------------------------------


def replicate(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`n/a` along the last axis."""
    return _replicated(build, left, a, span, max(0, rank(a) - 1), "/")


def replicate_first(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`n⌿a`"""
    return _replicated(build, left, a, span, 0, "⌿")


def replicate_along(build: Builder, left: Exp, a: Exp, span: Span, axis: Exp) -> Exp:
    """`n/[k]a`"""
    return _replicated(build, left, a, span, constant_axis(build, axis, rank(a), "/", span), "/")


def expand(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    r"""`n\a` along the last axis."""
    return _expanded(build, left, a, span, max(0, rank(a) - 1), "\\")


def expand_first(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`n⍀a`"""
    return _expanded(build, left, a, span, 0, "⍀")


def expand_along(build: Builder, left: Exp, a: Exp, span: Span, axis: Exp) -> Exp:
    r"""`n\[k]a`"""
    return _expanded(build, left, a, span, constant_axis(build, axis, rank(a), "\\", span), "\\")


def _counts(build: Builder, left: Exp, symbol: str, span: Span) -> Exp:
    if rank(left) > 1:
        message = f"{symbol} needs a vector of counts on the left, got {plain_type(left)}"
        raise compile_error("RANK ERROR", message, left.span or span)
    if base_of(left) is Base.BOOL and symbol in "/⌿":
        return build.bind(as_vector(left))
    return build.bind(as_vector(to_integers(build, left, symbol)))


def _replicated(build: Builder, left: Exp, a: Exp, span: Span, axis: int, symbol: str) -> Exp:
    counts = _counts(build, left, symbol, span)
    prim = p.COMPRESS if base_of(counts) is Base.BOOL else p.REPLICATE
    return along(lambda b: op(prim, counts, b, symbol=symbol, span=span), as_vector(a), axis, span)


def _expanded(build: Builder, left: Exp, a: Exp, span: Span, axis: int, symbol: str) -> Exp:
    counts = _counts(build, left, symbol, span)
    return along(lambda b: op(p.EXPAND, counts, b, symbol=symbol, span=span), as_vector(a), axis, span)


# --- search ---------------------------------------------------------------------------------------------


def where(build: Builder, a: Exp, span: Span) -> Exp:
    """`⍸a`: the indices of ones, or each index as often as its count says."""
    if rank(a) != 1:
        raise unsupported(f"⍸ of {plain_type(a)} (arrays of indices)", span, "write ⍸,a")
    counts = a if base_of(a) is Base.BOOL else to_integers(build, a, "⍸")
    return to_origin(build, op(p.WHERE, counts, symbol="⍸", span=span))


def interval_index(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`a⍸b`: how many of the ascending numbers on the left are not above each on the right."""
    if rank(left) != 1:
        message = f"⍸ needs a vector of limits on the left, got {plain_type(left)}"
        raise compile_error("RANK ERROR", message, left.span or span)
    left, a = _comparable(build, left, a, "⍸", span)
    return to_origin(build, op(p.INTERVAL, left, a, symbol="⍸", span=span))


def _comparable(build: Builder, left: Exp, right: Exp, symbol: str, span: Span) -> tuple[Exp, Exp]:
    """Two operands converted to one element type."""
    base = join_bases([base_of(left), base_of(right)])
    if base is None:
        raise compile_error("DOMAIN ERROR", f"{symbol} needs numbers or characters on both sides", span)
    base = Base.DOUBLE if base is Base.COMPLEX else base
    return build.coerce(left, base, symbol, span), build.coerce(right, base, symbol, span)


def index_of(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`a⍳b`: the first position of each cell of `b` among the major cells of `a`."""
    if rank(left) == 0:
        raise compile_error("RANK ERROR", f"⍳ needs a vector on the left, got {plain_type(left)}", span)
    if rank(a) < rank(left) - 1:
        shown = f"got {plain_type(left)} and {plain_type(a)}"
        raise compile_error("RANK ERROR", f"⍳ needs cells of the left argument on the right, {shown}", span)
    base = join_bases([base_of(left), base_of(a)])
    if base is None:
        return _nowhere(build, left, a, span)
    left, a = build.coerce(left, base, "⍳", span), build.coerce(a, base, "⍳", span)
    return to_origin(build, _positions(build, left, a, "⍳", span))


def _nowhere(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`a⍳b` of characters and numbers: none is there."""
    if rank(left) > 1:
        raise unsupported("⍳ of characters and numbers", span)
    left = build.bind(left)
    prim = p.SHAPE_V if is_known_vector(left) else p.SHAPE
    tally = op(p.FIRST_V, op(prim, left, span=span), span=span)
    beyond = to_origin(build, op(p.ADDI, tally, literal(1, span), span=span))
    return _spread(build, beyond, a, span)


def _spread(build: Builder, value: Exp, a: Exp, span: Span) -> Exp:
    """A scalar in the shape of an array."""
    a = build.bind(a)
    if rank(a) == 0:
        return value
    if is_known_vector(a):
        length = op(p.FIRST_V, op(p.SHAPE_V, a, span=span), span=span)
        return op(p.RESHAPE_V, length, value, span=span)
    return op(p.RESHAPE, op(p.SHAPE, a, span=span), value, span=span)


def _positions(build: Builder, left: Exp, a: Exp, symbol: str, span: Span) -> Exp:
    """`a⍳b` for operands of one element type, counted from 1."""
    if base_of(left) is Base.COMPLEX:
        left, a = _as_rows(build, left, span), _as_rows(build, a, span)
    return comparing(build, p.INDEX_OF, (left, a), symbol, span)


def _as_rows(build: Builder, a: Exp, span: Span) -> Exp:
    """Complex numbers as pairs of doubles, along a new last axis."""
    a = build.bind(a)
    real, imaginary = [build.convert(a, part, "", span) for part in (p.REALZ, p.IMAGZ)]
    if rank(a) == 0:
        return vec((real, imaginary), Base.DOUBLE, span)
    return build.bind(laminate(build, build.bind(real), build.bind(imaginary), rank(a) - 0.5, span))


def member(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a∊b`: which elements of `a` occur in `b`."""
    base = join_bases([base_of(left), base_of(right)])
    if base is None:
        build.discard(right)
        return _spread(build, literal(False, span), left, span)
    left, right = build.coerce(left, base, "∊", span), build.coerce(right, base, "∊", span)
    if base is Base.COMPLEX:
        right = build.bind(enlist(build, right, span))
        count = op(p.FIRST_V, op(p.SHAPE, right, span=span), span=span)
        found = _positions(build, right, left, "∊", span)
        return pervade(build, "≤", found, build.bind(count), span)
    return comparing(build, p.MEMBER, (left, right), "∊", span)


def find(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a⍷b`: where `a` begins in `b`."""
    base = join_bases([base_of(left), base_of(right)])
    if base is None and length_of(left) == 0:
        base = base_of(right)
        left = vec((), base, left.span)
    if base is None:
        build.discard(left)
        return _spread(build, literal(False, span), right, span)
    left, right = build.coerce(left, base, "⍷", span), build.coerce(right, base, "⍷", span)
    if base is Base.COMPLEX:
        raise unsupported("⍷ of complex numbers", span)
    return comparing(build, p.FIND, (left, right), "⍷", span)


# --- sets -----------------------------------------------------------------------------------------------


def unique(build: Builder, a: Exp, span: Span) -> Exp:
    """`∪a`: the major cells without repetitions."""
    a = as_vector(a)
    if base_of(a) is Base.COMPLEX:
        a = build.bind(a)
        return op(p.COMPRESS, unique_mask(build, a, span), a, symbol="∪", span=span)
    return comparing(build, p.UNIQUE, (a,), "∪", span)


def unique_mask(build: Builder, a: Exp, span: Span) -> Exp:
    """`≠a`: which major cells did not occur before."""
    a = build.bind(as_vector(a))
    return _in_their_places(a, _positions(build, a, a, "≠", span), span)


def _in_their_places(a: Exp, firsts: Exp, span: Span) -> Exp:
    """Which major cells are the first of their value; given are the positions of these, from 1, for NaN one
    that is too high.
    """
    prim = p.SHAPE_V if is_known_vector(a) else p.SHAPE
    positions = op(p.IOTA, op(p.FIRST_V, op(prim, a, span=span), span=span), span=span)
    return op(p.ZIP_WITH, prim_fn(p.GTEI), firsts, positions, span=span)


def union(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a∪b`: `a,b~a`"""
    left = build.bind(_as_set(left, "∪", span))
    return catenate(build, left, without(build, _as_set(right, "∪", span), left, span), span, "∪")


def intersection(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a∩b`: the elements of `a` that occur in `b`."""
    left, right = build.bind(_as_set(left, "∩", span)), _as_set(right, "∩", span)
    return op(p.COMPRESS, member(build, left, right, span), left, symbol="∩", span=span)


def without(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a~b`: the elements of `a` that do not occur in `b`."""
    left = build.bind(_as_set(left, "~", span))
    others = build.each(prim_fn(p.NOTB), member(build, left, right, span), span)
    return op(p.COMPRESS, others, left, symbol="~", span=span)


def _as_set(a: Exp, symbol: str, span: Span) -> Exp:
    if rank(a) > 1:
        raise compile_error("RANK ERROR", f"{symbol} needs vectors, got {plain_type(a)}", a.span or span)
    return as_vector(a)


# --- order ----------------------------------------------------------------------------------------------


def _grade(symbol: str, prim: p.Prim) -> Callable[[Builder, Exp, Span], Exp]:
    def build_grade(build: Builder, a: Exp, span: Span) -> Exp:
        if rank(a) == 0:
            raise compile_error("RANK ERROR", f"{symbol} needs a vector, got {plain_type(a)}", a.span or span)
        if base_of(a) is Base.COMPLEX:
            raise compile_error("DOMAIN ERROR", f"{symbol}: complex numbers have no order", a.span or span)
        return to_origin(build, op(prim, a, symbol=symbol, span=span))

    return build_grade


grade_up = _grade("⍋", p.GRADE_UP)
grade_down = _grade("⍒", p.GRADE_DOWN)


def _collated(
    symbol: str, grade: Callable[[Builder, Exp, Span], Exp]
) -> Callable[[Builder, Exp, Exp, Span], Exp]:
    def make(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
        if rank(left) != 1:
            what = f"{symbol} with a collating sequence of {rank(left)} axes"
            raise unsupported(what, left.span or span, "a vector has the characters in their order")
        for each in (left, a):
            if base_of(each) is not Base.CHAR:
                message = f"{symbol} needs characters in their order and others, got {plain_type(each)}"
                raise compile_error("DOMAIN ERROR", message, each.span or span)
        return grade(build, build.bind(index_of(build, left, a, span)), span)

    return make


collated_up = _collated("⍋", grade_up)
collated_down = _collated("⍒", grade_down)
"""`order⍋text`: by the places in `order`; what is not there comes last."""


def enlist(build: Builder, a: Exp, span: Span) -> Exp:
    """`∊a` of a simple array: its elements as a vector."""
    return vec((a,), base_of(a), span) if rank(a) == 0 else a if rank(a) == 1 else op(p.RAVEL, a, span=span)
