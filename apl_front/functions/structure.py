"""Structural functions: shape, reshape, ravel, reverse, rotate, transpose, take, drop, first, match.

One function per symbol and valence builds its TAIL. Where a vector's length is known, the version that
keeps it is chosen; otherwise the general one. `functions` has the tables of all.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from aplc.apl_front.building.axes import along, constant_axis, from_first, to_first
from aplc.apl_front.building.builder import (
    Builder,
    base_of,
    enclosed,
    int_constant,
    join_bases,
    length_of,
    numeric,
    plain_type,
    rank,
)
from aplc.apl_front.building.closed import array_of
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, unsupported
from aplc.tail.prims import Prim
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Op, Vec, literal, op, prim_fn, vec
from aplc.tail.types import Base, Single, SingleVector, known_length
from aplc.tail.unify import NoMatch


def _op(prim: Prim, *args: Exp, symbol: str, span: Span) -> Op:
    return op(prim, *args, symbol=symbol, span=span)


def _ints(*values: int, span: Span | None) -> Vec:
    return vec(tuple([literal(v, span) for v in values]), Base.INT, span)


def to_integers(build: Builder, exp: Exp, symbol: str) -> Exp:
    """An operand as integers; doubles must turn out to be whole."""
    if error := numeric(exp, symbol):
        raise error
    if isinstance(exp, Vec) and base_of(exp) is Base.DOUBLE:
        items = [build.coerce(i, Base.INT, symbol, i.span) for i in exp.items]
        return vec(tuple(items), Base.INT, exp.span)
    return build.coerce(exp, Base.INT, symbol, exp.span)


def one_integer(build: Builder, exp: Exp, symbol: str, span: Span) -> Exp:
    """An operand as one integer scalar: a scalar, or a vector known to have one element."""
    exp = to_integers(build, exp, symbol)
    if rank(exp) == 0:
        return exp
    if length_of(exp) == 1:
        value = int_constant(exp)
        return literal(value, exp.span) if value is not None else op(p.FIRST_V, exp, span=exp.span)
    if rank(exp) == 1 and (length_of(exp) is not None or (build.proving and is_known_vector(exp))):
        message = f"{symbol} needs one number, got {plain_type(exp)}"
        raise compile_error("LENGTH ERROR", message, exp.span or span)
    return op(p.SINGLE, exp, symbol=symbol, span=exp.span or span)


def is_known_vector(exp: Exp) -> bool:
    """Whether the type tells the length."""
    return known_length(exp.ty) is not None


def as_vector(exp: Exp) -> Exp:
    """A scalar as a vector of one element; anything else as it is."""
    return vec((exp,), base_of(exp), exp.span) if rank(exp) == 0 else exp


def as_column(build: Builder, a: Exp, span: Span) -> Exp:
    """A vector as a matrix of one column; a scalar as a matrix of one element."""
    if rank(a) == 2:
        return a
    a = build.bind(as_vector(a))
    length = length_of(a)
    rows = (
        literal(length, span) if length is not None else op(p.FIRST_V, op(p.SHAPE, a, span=span), span=span)
    )
    return op(p.RESHAPE, vec((rows, literal(1, span)), Base.INT, span), a, span=span)


# --- monadic --------------------------------------------------------------------------------------------


def enclose(build: Builder, a: Exp, span: Span) -> Exp:
    """`⊂a`"""
    return enclosed(a, span)


def shape(build: Builder, a: Exp, span: Span) -> Exp:
    """`⍴a`"""
    if rank(a) == 0:
        build.discard(a)
        return vec((), Base.INT, span)
    return _op(p.SHAPE_V if is_known_vector(a) else p.SHAPE, a, symbol="⍴", span=span)


def tally(build: Builder, a: Exp, span: Span) -> Exp:
    """`≢a`"""
    if rank(a) == 0:
        build.discard(a)
        return literal(1, span)
    return op(p.FIRST_V, shape(build, a, span), symbol="≢", span=span)


def index_generator(build: Builder, a: Exp, span: Span) -> Exp:
    """`⍳n`"""
    if rank(a) > 1 or (rank(a) == 1 and length_of(a) not in (1, None)):
        raise unsupported(f"⍳ of {plain_type(a)} (arrays of indices)", span, "use ∘., or ⊤")
    n = one_integer(build, a, "⍳", span)
    value = int_constant(n)
    if value is not None and value < 0:
        raise compile_error("DOMAIN ERROR", f"⍳ needs a count that is not negative, got ¯{-value}", span)
    known = isinstance(n.ty, Single)
    return to_origin(build, _op(p.IOTA_V if known else p.IOTA, n, symbol="⍳", span=span))


def ravel(build: Builder, a: Exp, span: Span) -> Exp:
    """`,a`"""
    if rank(a) <= 1:
        return as_vector(a)
    return _op(p.RAVEL, a, symbol=",", span=span)


def reverse(build: Builder, a: Exp, span: Span) -> Exp:
    """`⌽a`"""
    if rank(a) == 0:
        return a
    return _op(p.REVERSE_V if is_known_vector(a) else p.REVERSE, a, symbol="⌽", span=span)


def reverse_first(build: Builder, a: Exp, span: Span) -> Exp:
    """`⊖a`"""
    return along(lambda b: reverse(build, b, span), a, 0, span)


def reverse_along(build: Builder, a: Exp, span: Span, axis: Exp) -> Exp:
    """`⌽[k]a`"""
    k = constant_axis(build, axis, rank(a), "⌽", span)
    return along(lambda b: reverse(build, b, span), a, k, span)


def transpose(build: Builder, a: Exp, span: Span) -> Exp:
    """`⍉a`"""
    return a if rank(a) <= 1 else _op(p.TRANSP, a, symbol="⍉", span=span)


def first(build: Builder, a: Exp, span: Span) -> Exp:
    """`⊃a`"""
    if rank(a) == 0:
        return a
    length = known_length(a.ty)
    nonempty = length is not None and (length - 1).is_natural
    return _op(p.FIRST_V if nonempty else p.FIRST, a, symbol="⊃", span=span)


def same(build: Builder, a: Exp, span: Span) -> Exp:
    """`⊢a`, `⊣a`"""
    return a


def materialise(build: Builder, a: Exp, span: Span) -> Exp:
    """`⌷a`: the identity, with the promise that the array is in memory."""
    return a if rank(a) == 0 else _op(p.MATERIALISE, a, symbol="⌷", span=span)


def depth(build: Builder, a: Exp, span: Span) -> Exp:
    """`≡a` of a simple array: 0 for a scalar, else 1."""
    build.discard(a)
    return literal(min(1, rank(a)), span)


def table(build: Builder, a: Exp, span: Span) -> Exp:
    """`⍪a`: a matrix with a row for each cell of the first axis."""
    if rank(a) == 2:
        return a
    a = build.bind(as_vector(a))
    extents = op(p.SHAPE_V if is_known_vector(a) else p.SHAPE, a, span=span)
    if rank(a) == 1:
        shape = vec((op(p.FIRST_V, extents, span=span), literal(1, span)), Base.INT, span)
        return _op(p.RESHAPE, shape, a, symbol="⍪", span=span)
    others = op(p.DROP_V, literal(1, span), extents, span=span)
    columns = op(p.REDUCE, prim_fn(p.MULI), literal(1, span), others, span=span)
    rows = op(p.FIRST_V, extents, span=span)
    return _op(p.RESHAPE, vec((rows, columns), Base.INT, span), a, symbol="⍪", span=span)


def shifted(build: Builder, numbers: Exp, by: int) -> Exp:
    """Integers plus a small constant."""
    if by == 0:
        return numbers
    known = int_constant(numbers)
    if rank(numbers) == 0:
        if known is not None:
            return literal(known + by, numbers.span)
        return op(p.ADDI, numbers, literal(by), span=numbers.span)
    function = build.function((Base.INT,), lambda x: op(p.ADDI, x, literal(by)), numbers.span)
    return build.each(function, numbers, numbers.span)


def from_origin(build: Builder, numbers: Exp) -> Exp:
    """Integers counted from ⎕IO, counted from 1."""
    return shifted(build, numbers, 1 - build.index_origin)


def to_origin(build: Builder, numbers: Exp) -> Exp:
    """Integers counted from 1, counted from ⎕IO."""
    return shifted(build, numbers, build.index_origin - 1)


# --- dyadic ---------------------------------------------------------------------------------------------


def reshape(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`extents⍴a`; the number of extents is the rank of the result."""
    extents = to_integers(build, left, "⍴")
    if rank(extents) > 1:
        message = f"⍴ needs a vector of extents on the left, got {plain_type(left)}"
        raise compile_error("RANK ERROR", message, left.span or span)
    if rank(extents) == 1 and known_length(extents.ty) is None:
        what = "⍴ with a left argument whose length is not known when compiling"
        raise unsupported(what, left.span or span, "write the extents one by one")
    for extent in extents.items if isinstance(extents, Vec) else (extents,):
        value = int_constant(extent)
        if value is not None and value < 0:
            raise compile_error(
                "DOMAIN ERROR", f"⍴ needs extents that are not negative, got ¯{-value}", extent.span or span
            )
    count = int_constant(extents)
    if count is not None:
        return _op(p.RESHAPE_V, literal(count, extents.span), a, symbol="⍴", span=span)
    if isinstance(extents.ty, Single | SingleVector):
        length = extents if isinstance(extents.ty, Single) else op(p.FIRST_V, extents, span=extents.span)
        with suppress(NoMatch):  # it may be negative
            return _op(p.RESHAPE_V, length, a, symbol="⍴", span=span)
    return _op(p.RESHAPE, as_vector(extents), a, symbol="⍴", span=span)


def rotate(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`n⌽a`, along the last axis: by one number, or by one for each vector along it."""
    return _rotate(build, left, a, span, max(0, rank(a) - 1))


def rotate_first(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`n⊖a`"""
    return _rotate(build, left, a, span, 0)


def rotate_along(build: Builder, left: Exp, a: Exp, span: Span, axis: Exp) -> Exp:
    """`n⌽[k]a`"""
    return _rotate(build, left, a, span, constant_axis(build, axis, rank(a), "⌽", span))


def _rotate(build: Builder, left: Exp, a: Exp, span: Span, axis: int) -> Exp:
    if rank(left) > 0 and rank(left) == rank(a) - 1 and length_of(left) != 1:
        amounts = build.bind(to_integers(build, left, "⌽"))
        return along(lambda b: _op(p.ROTATES, amounts, b, symbol="⌽", span=span), a, axis, span)
    if rank(left) > 1 or (rank(left) == 1 and rank(a) > 1 and length_of(left) != 1):
        shown = f"got {plain_type(left)} and {plain_type(a)}"
        raise compile_error("RANK ERROR", f"⌽ needs one number, or one for each vector, {shown}", span)
    n = build.bind(one_integer(build, left, "⌽", span))
    if rank(a) == 0:
        build.discard(n)
        return a

    def rotated(b: Exp) -> Exp:
        return _op(p.ROTATE_V if is_known_vector(b) else p.ROTATE, n, b, symbol="⌽", span=span)

    return along(rotated, a, axis, span)


def transpose_by(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`axes⍉a` for constant axes; equal ones select a diagonal."""
    axes = as_vector(to_integers(build, left, "⍉"))
    values = _constants(build, axes)
    if values is None:
        return _transpose_by_data(build, axes, a, span)
    values = [v + 1 - build.index_origin for v in values]
    axes = _ints(*values, span=axes.span)
    if len(values) != rank(a):
        message = f"⍉ needs one axis for each of the {rank(a)} axes on its right, got {len(values)}"
        raise compile_error("LENGTH ERROR", message, span)
    if set(values) != set(range(1, len(set(values)) + 1)):
        got = " ".join([str(v + build.index_origin - 1).replace("-", "¯") for v in values])
        message = f"⍉ needs axes counted from {build.index_origin} without a gap, got {got}"
        raise compile_error("DOMAIN ERROR", message, axes.span or span)
    prim = p.TRANSP2 if len(set(values)) == len(values) else p.DIAGONAL
    return a if not values else _op(prim, axes, a, symbol="⍉", span=span)


def _transpose_by_data(build: Builder, axes: Exp, a: Exp, span: Span) -> Exp:
    """`axes⍉a` for axes that only the run knows: they must be a permutation, which keeps the rank."""
    if rank(axes) > 1:
        raise compile_error(
            "RANK ERROR", f"⍉ needs a vector of axes on the left, got {plain_type(axes)}", span
        )
    axes = from_origin(build, axes)
    if length_of(axes) is None:
        axes = op(p.OF_LENGTH, literal(rank(a), span), axes, symbol="⍉", span=span)
    if length_of(axes) != rank(a):
        message = f"⍉ needs one axis for each of the {rank(a)} axes on its right, got {length_of(axes)}"
        raise compile_error("LENGTH ERROR", message, span)
    return _op(p.TRANSP2, axes, a, symbol="⍉", span=span)


def _constants(build: Builder, axes: Exp) -> list[int] | None:
    """The elements of a vector of integers that is known when compiling, `⌽⍳3` included."""
    found = array_of(build, axes)
    return None if found is None or found.ndim != 1 else [int(k) for k in found.tolist()]


def _all_counts(build: Builder, counts: Exp, a: Exp, symbol: str, span: Span) -> tuple[Exp, Exp]:
    """A count for each axis, where only the run knows how many are given: the other axes stay whole."""
    counts, a = build.bind(counts), build.bind(a)
    given = op(p.FIRST_V, op(p.SHAPE, counts, span=span), span=span)
    whole: Exp = op(p.DROP, given, op(p.SHAPE, a, span=span), span=span)
    if symbol == "↓":
        whole = build.each(build.function((Base.INT,), lambda _: literal(0, span), span), whole, span)
    all_axes = op(p.CAT, counts, whole, symbol=symbol, span=span)
    return op(p.OF_LENGTH, literal(rank(a), span), all_axes, symbol=symbol, span=span), a


def _part(symbol: str, one: Prim, known: Prim, several: Prim) -> Callable[[Builder, Exp, Exp, Span], Exp]:
    """Take or drop: the primitives for one count, for a known length, and for several axes."""

    def build_part(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
        counts = to_integers(build, left, symbol)
        if rank(counts) > 1:
            message = f"{symbol} needs a vector of counts on the left, got {plain_type(left)}"
            raise compile_error("RANK ERROR", message, left.span or span)
        axes = 1 if rank(counts) == 0 else length_of(counts)
        if axes is None and rank(a) > 0:
            counts, a = _all_counts(build, counts, a, symbol, span)
            axes = rank(a)
        elif axes is None:
            counts, axes = one_integer(build, counts, symbol, span), 1
        if rank(a) == 0 and axes > 0:
            ones = _ints(*([1] * axes), span=span)
            a = as_vector(a) if axes == 1 else op(p.RESHAPE, ones, a, span=span)
        if axes > rank(a):
            message = f"{symbol} needs at most {rank(a)} counts for {plain_type(a)}, got {axes}"
            raise compile_error("LENGTH ERROR", message, span)
        if axes == 0:
            return a
        if axes > 1:
            return _op(several, counts, a, symbol=symbol, span=span)
        n = one_integer(build, counts, symbol, span)
        keeps_length = known is p.TAKE_V or is_known_vector(a)
        if rank(a) == 1 and isinstance(n.ty, Single) and keeps_length:
            with suppress(NoMatch):  # a count that is a variable may be beyond the length
                return _op(known, n, a, symbol=symbol, span=span)
        return _op(one, n, a, symbol=symbol, span=span)

    return build_part


take = _part("↑", p.TAKE, p.TAKE_V, p.TAKES)
drop = _part("↓", p.DROP, p.DROP_V, p.DROPS)


def take_along(build: Builder, left: Exp, a: Exp, span: Span, axis: Exp) -> Exp:
    """`n↑[k]a`"""
    k = constant_axis(build, axis, rank(a), "↑", span)
    return from_first(take(build, left, to_first(a, k, span), span), k, span)


def drop_along(build: Builder, left: Exp, a: Exp, span: Span, axis: Exp) -> Exp:
    """`n↓[k]a`"""
    k = constant_axis(build, axis, rank(a), "↓", span)
    return from_first(drop(build, left, to_first(a, k, span), span), k, span)


def pick(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`i⊃a` of a vector."""
    if rank(left) > 0 and length_of(left) == 0:
        return a
    if rank(left) > 1 or (rank(left) == 1 and length_of(left) not in (None, 1)):
        message = f"⊃ of simple arrays goes one step deep, got {plain_type(left)}"
        raise compile_error("RANK ERROR", message, span)
    if rank(a) != 1:
        message = f"⊃ needs a vector on its right, got {plain_type(a)}"
        raise compile_error("RANK ERROR", message, span)
    index = from_origin(build, one_integer(build, left, "⊃", span))
    return _op(p.PICK, index, a, symbol="⊃", span=span)


def match(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a≡b`: false at once where rank, kind or known lengths differ."""
    base = join_bases([base_of(left), base_of(right)])
    lengths = length_of(left), length_of(right)
    differ = None not in lengths and lengths[0] != lengths[1]
    if base is None or rank(left) != rank(right) or differ:
        build.discard(right, left)
        return literal(False, span)
    left, right = build.coerce(left, base, "≡", span), build.coerce(right, base, "≡", span)
    if base is Base.COMPLEX:
        left, right = build.bind(left), build.bind(right)
        alike = [
            match(build, build.convert(left, part, "", span), build.convert(right, part, "", span), span)
            for part in (p.REALZ, p.IMAGZ)
        ]
        return op(p.ANDB, *alike, symbol="≡", span=span)
    return comparing(build, p.MATCH, (left, right), "≡", span)


WITHIN_TOLERANCE = {
    p.INDEX_OF: p.INDEX_OF_T, p.MEMBER: p.MEMBER_T, p.FIND: p.FIND_T, p.UNIQUE: p.UNIQUE_T,
    p.MATCH: p.MATCH_T,
}  # fmt: skip


def comparing(build: Builder, prim: Prim, args: tuple[Exp, ...], symbol: str, span: Span) -> Exp:
    """A primitive that compares elements of one type; doubles are compared within ⎕CT."""
    if build.tolerance and base_of(args[0]) is Base.DOUBLE:
        return op(WITHIN_TOLERANCE[prim], literal(build.tolerance, span), *args, symbol=symbol, span=span)
    return op(prim, *args, symbol=symbol, span=span)


def not_match(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a≢b`"""
    return op(p.NOTB, match(build, left, right, span), symbol="≢", span=span)


def left_of(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a⊣b`"""
    build.discard(right)
    return left


def right_of(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a⊢b`"""
    build.discard(left)
    return right
