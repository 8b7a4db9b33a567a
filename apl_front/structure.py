"""The structural functions: shape, reshape, ravel, catenate, reverse, rotate, transpose, take, drop,
first, match…

One function per symbol and valence builds its TAIL. Where a vector's length is known, the version that
keeps it is chosen; otherwise the general one. `MONADIC_STRUCTURE` and `DYADIC_STRUCTURE` are the tables.
"""

from __future__ import annotations

from collections.abc import Callable

from apl_front.builder import (
    Builder,
    base_of,
    int_constant,
    join_bases,
    length_of,
    numeric,
    plain_type,
    rank,
)
from tail import prims as p
from tail.errors import Unsupported, compile_error, unsupported
from tail.prims import Prim
from tail.source import Span
from tail.syntax import Exp, Lit, Op, Vec, literal, op, vec
from tail.types import Base, Single, known_length


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
    what = f"{symbol} with {plain_type(exp)} where one number is needed"
    unknown = rank(exp) == 1 and length_of(exp) is None
    raise unsupported(what, exp.span or span, "write ⊃ in front of it" if unknown else "")


def is_known_vector(exp: Exp) -> bool:
    """Whether the type tells the length."""
    return known_length(exp.ty) is not None


def as_vector(exp: Exp) -> Exp:
    """A scalar as a vector of one element; anything else as it is."""
    return vec((exp,), base_of(exp), exp.span) if rank(exp) == 0 else exp


# --- monadic --------------------------------------------------------------------------------------------


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
    n = one_integer(build, a, "⍳", span)
    value = int_constant(n)
    if value is not None and value < 0:
        raise compile_error("DOMAIN ERROR", f"⍳ needs a count that is not negative, got ¯{-value}", span)
    known = isinstance(n.ty, Single)
    return _op(p.IOTA_V if known else p.IOTA, n, symbol="⍳", span=span)


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
    return on_first_axis(lambda b: reverse(build, b, span), a, "⊖", span)


def on_first_axis(change: Callable[[Exp], Exp], a: Exp, symbol: str, span: Span) -> Exp:
    """A function of the last axis applied to the first: between two transpositions."""
    if rank(a) <= 1:
        return change(a)
    return op(p.TRANSP, change(op(p.TRANSP, a, span=span)), symbol=symbol, span=span)


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


# --- dyadic ---------------------------------------------------------------------------------------------


def reshape(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`extents⍴a`; the number of extents is the rank of the result."""
    extents = to_integers(build, left, "⍴")
    if rank(extents) > 1:
        raise compile_error("RANK ERROR", "⍴ needs a vector of extents on the left", left.span or span)
    if rank(extents) == 1 and length_of(extents) is None:
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
    return _op(p.RESHAPE, as_vector(extents), a, symbol="⍴", span=span)


def joined(build: Builder, left: Exp, right: Exp, symbol: str, span: Span) -> tuple[Exp, Exp]:
    """Two operands converted to one element type."""
    base = join_bases([base_of(left), base_of(right)])
    if base is None and 0 in (length_of(left), length_of(right)):
        if length_of(left) == 0:
            return vec((), base_of(right), left.span), right
        return left, vec((), base_of(left), right.span)
    if base is None:
        raise unsupported(f"{symbol} of characters and numbers in one array", span)
    return build.coerce(left, base, symbol, span), build.coerce(right, base, symbol, span)


def catenate(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a,b` along the last axis; a scalar or an array of one rank less is one slice."""
    left, right = joined(build, left, right, ",", span)
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
        raise compile_error("RANK ERROR", f", needs ranks that differ by one at most, {shown}", span)
    return _op(prim, left, right, symbol=",", span=span)


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


def rotate(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`n⌽a` for one number n."""
    if rank(left) > 0 and length_of(left) != 1:
        raise unsupported("⌽ with an array on the left", left.span or span, "rotate by one number")
    n = one_integer(build, left, "⌽", span)
    if rank(a) == 0:
        return a
    return _op(p.ROTATE_V if is_known_vector(a) else p.ROTATE, n, a, symbol="⌽", span=span)


def rotate_first(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`n⊖a`"""
    n = build.bind(left)
    return on_first_axis(lambda b: rotate(build, n, b, span), a, "⊖", span)


def transpose_by(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`axes⍉a` for constant axes; equal ones select a diagonal."""
    axes = as_vector(to_integers(build, left, "⍉"))
    if not isinstance(axes, Vec) or not all(isinstance(i, Lit) for i in axes.items):
        raise unsupported("⍉ with axes that are not constants", span)
    values = [int(i.value) for i in axes.items if isinstance(i, Lit) and not isinstance(i.value, str)]
    if len(values) != rank(a):
        message = f"⍉ needs one axis for each of the {rank(a)} axes on its right, got {len(values)}"
        raise compile_error("LENGTH ERROR", message, span)
    if set(values) != set(range(1, max(values, default=0) + 1)):
        raise compile_error("DOMAIN ERROR", "⍉ needs axes counted from 1 without a gap", axes.span or span)
    prim = p.TRANSP2 if len(set(values)) == len(values) else p.DIAGONAL
    return a if not values else _op(prim, axes, a, symbol="⍉", span=span)


def _part(symbol: str, one: Prim, known: Prim, several: Prim) -> Callable[[Builder, Exp, Exp, Span], Exp]:
    """Take or drop: the primitives for one count, for a known length, and for several axes."""

    def build_part(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
        counts = to_integers(build, left, symbol)
        if rank(counts) > 1:
            raise compile_error("RANK ERROR", f"{symbol} needs a vector of counts on the left", span)
        axes = 1 if rank(counts) == 0 else length_of(counts)
        if axes is None:
            what = f"{symbol} with a left argument whose length is not known when compiling"
            raise unsupported(what, left.span or span, "write ⊃ in front of it")
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
        if rank(a) == 1 and int_constant(n) is not None and keeps_length:
            return _op(known, n, a, symbol=symbol, span=span)
        return _op(one, n, a, symbol=symbol, span=span)

    return build_part


take = _part("↑", p.TAKE, p.TAKE_V, p.TAKES)
drop = _part("↓", p.DROP, p.DROP_V, p.DROPS)


def pick(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`i⊃a` of a vector."""
    if rank(a) != 1 or (rank(left) > 0 and length_of(left) != 1):
        raise unsupported("⊃ other than of one element of a vector", span)
    return _op(p.PICK, one_integer(build, left, "⊃", span), a, symbol="⊃", span=span)


def index_of(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`a⍳b`"""
    if rank(left) == 0:
        raise compile_error("RANK ERROR", f"⍳ needs a vector on the left, got {plain_type(left)}", span)
    if rank(left) > 1:
        raise unsupported(f"⍳ with {plain_type(left)} on the left", span, "look up in a vector")
    left, a = joined(build, left, a, "⍳", span)
    return _op(p.INDEX_OF, left, a, symbol="⍳", span=span)


def match(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a≡b`: false at once where rank, kind or known lengths differ."""
    base = join_bases([base_of(left), base_of(right)])
    lengths = length_of(left), length_of(right)
    differ = None not in lengths and lengths[0] != lengths[1]
    if base is None or rank(left) != rank(right) or differ:
        build.discard(right, left)
        return literal(False, span)
    left, right = joined(build, left, right, "≡", span)
    return _op(p.MATCH, left, right, symbol="≡", span=span)


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


MONADIC_STRUCTURE: dict[str, Callable[[Builder, Exp, Span], Exp]] = {
    "⍴": shape,
    "≢": tally,
    "⍳": index_generator,
    ",": ravel,
    "⌽": reverse,
    "⊖": reverse_first,
    "⍉": transpose,
    "⊃": first,
    "⊢": same,
    "⊣": same,
}

DYADIC_STRUCTURE: dict[str, Callable[[Builder, Exp, Exp, Span], Exp]] = {
    "⍴": reshape,
    ",": catenate,
    "⌽": rotate,
    "⊖": rotate_first,
    "⍉": transpose_by,
    "↑": take,
    "↓": drop,
    "⊃": pick,
    "⍳": index_of,
    "≡": match,
    "≢": not_match,
    "⊢": right_of,
    "⊣": left_of,
}


def monadic(build: Builder, symbol: str, a: Exp, span: Span) -> Exp:
    """A monadic structural function."""
    make = MONADIC_STRUCTURE.get(symbol)
    if make is None:
        raise _not_yet("monadic", symbol, span)
    return make(build, a, span)


def dyadic(build: Builder, symbol: str, left: Exp, right: Exp, span: Span) -> Exp:
    """A dyadic structural function."""
    make = DYADIC_STRUCTURE.get(symbol)
    if make is None:
        raise _not_yet("dyadic", symbol, span)
    return make(build, left, right, span)


def _not_yet(valence: str, symbol: str, span: Span) -> Unsupported:
    return unsupported(f"{valence} {symbol}", span)
