"""Number systems, matrices, chance and formatting: `⊥ ⊤ ⌹ ? ⍕`."""

from __future__ import annotations

from aplc.apl_front.building.builder import (
    Builder,
    base_of,
    constant,
    join_bases,
    length_of,
    numeric,
    plain_type,
    rank,
)
from aplc.apl_front.building.runs import without_runs
from aplc.apl_front.functions.overloads import pervade
from aplc.apl_front.functions.structure import as_column, as_vector, one_integer, to_integers, to_origin
from aplc.tail import prims as p
from aplc.tail.errors import compile_error
from aplc.tail.refine import has_one_line
from aplc.tail.source import Span
from aplc.tail.syntax import Arg, Exp, Fn, Lit, Op, PrimFn, Var, Vec, literal, op, vec
from aplc.tail.types import Base, Tuple

REARRANGED = (p.RESHAPE, p.RESHAPE_V, p.RAVEL, p.REVERSE, p.REVERSE_V)
"""Primitives whose result has elements of their last argument only."""


def numbers(build: Builder, symbol: str, *args: Exp) -> list[Exp]:
    """Operands as integers, or all as doubles."""
    for arg in args:
        if error := numeric(arg, symbol):
            raise error
    base = join_bases([Base.INT, *[base_of(a) for a in args if base_of(a) is not Base.CHAR]])
    assert base is not None
    return [build.coerce(a, base, symbol, a.span) for a in args]


def decode(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a⊥b`"""
    left, right = numbers(build, "⊥", left, right)
    lengths = length_of(left), length_of(right)
    if None not in lengths and 1 not in lengths and lengths[0] != lengths[1]:
        shown = f"got {plain_type(left)} and {plain_type(right)}"
        raise compile_error(
            "LENGTH ERROR", f"⊥ needs equal lengths, {shown}", span, build.describe(left, right)
        )
    return op(p.DECODE, as_vector(left), as_vector(right), symbol="⊥", span=span)


def encode(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`a⊤b`"""
    left, right = numbers(build, "⊤", left, right)
    if Base.COMPLEX in (base_of(left), base_of(right)):
        raise compile_error("DOMAIN ERROR", "⊤ needs real numbers", span)
    if rank(left) == 0:
        return pervade(build, "|", left, right, span)
    return op(p.ENCODE, left, right, symbol="⊤", span=span)


def inverse(build: Builder, a: Exp, span: Span) -> Exp:
    """`⌹a`: the inverse, the pseudo-inverse of a vector, the reciprocal of a scalar."""
    if rank(a) > 2:
        raise compile_error("RANK ERROR", f"⌹ needs a matrix, got {plain_type(a)}", a.span or span)
    (a,) = _doubles(build, a)
    if rank(a) == 0:
        return op(p.DIVD, literal(1.0, span), a, symbol="⌹", span=span)
    if rank(a) == 2:
        return op(p.MAT_INV, a, symbol="⌹", span=span)
    return op(p.RAVEL, op(p.MAT_INV, as_column(build, a, span), symbol="⌹", span=span), span=span)


def divide(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`b⌹a`: the solution of `a+.×x` is `b`, or the one nearest to it."""
    if max(rank(left), rank(a)) > 2:
        shown = f"got {plain_type(left)} and {plain_type(a)}"
        raise compile_error("RANK ERROR", f"⌹ needs matrices, {shown}", span)
    left, a = _doubles(build, left, a)
    solved = op(p.MAT_DIV, as_vector(left), as_column(build, a, span), symbol="⌹", span=span)
    if rank(a) == 2:
        return solved
    if rank(left) <= 1:
        return op(p.SINGLE, solved, span=span)
    return op(p.RAVEL, solved, span=span)


def _doubles(build: Builder, *args: Exp) -> list[Exp]:
    for arg in args:
        if error := numeric(arg, "⌹"):
            raise error
    return [build.coerce(a, Base.DOUBLE, "⌹", a.span) for a in args]


# --- chance ---------------------------------------------------------------------------------------------


def roll(build: Builder, a: Exp, span: Span) -> Exp:
    """`?a`: whole numbers from ⎕IO, fractions for zeros. An array in which only the run would find the zeros
    gives doubles, one number or an array filled with it gives integers and must not be 0.
    """
    all_zeros, fractions = _all_zeros(build, a), base_of(a) is Base.DOUBLE
    a = build.bind(to_integers(build, a, "?"))
    shape = vec((), Base.INT, span) if rank(a) == 0 else op(p.SHAPE, a, span=span)
    if all_zeros:
        return build.bind(op(p.UNIFORM, shape, symbol="?", span=span))
    if fractions or (rank(a) > 0 and _least(build, a) < 1):
        return _roll_mixed(build, a, shape, span)
    return to_origin(build, build.bind(op(p.ROLL, a, symbol="?", span=span)))


def _least(build: Builder, a: Arg) -> int:
    """What no element of an array of integers is below, 0 where nothing is known. Extents count as 1, and so
    does one number that fills an array.
    """
    if isinstance(a, Fn | PrimFn):
        return 0
    if rank(a) == 0:
        known = constant(a)
        return known if isinstance(known, int) else 1
    match build.definition(a):
        case Vec(items=items):
            return min((k if isinstance(k := constant(i), int) else 0 for i in items), default=1)
        case Op(prim=p.EACH, args=(Fn(body=Op(prim=p.ADDI, args=(Var(), Lit(value=int(by))))), less)):
            return by + _least(build, less)
        case Op(prim=p.EACH, args=(Fn(body=Op(prim=p.ADDI, args=(Lit(value=int(by)), Var()))), less)):
            return by + _least(build, less)
        case Op(prim=prim, args=(*_, whole)) if prim in REARRANGED:
            return _least(build, whole)
        case Op(prim=prim) if prim in (p.IOTA, p.IOTA_V, p.SHAPE, p.SHAPE_V):
            return 1
        case _:
            return 0


def _roll_mixed(build: Builder, a: Exp, shape: Exp, span: Span) -> Exp:
    """`?0 6`: doubles between 0 and 1 for the zeros, whole numbers for the others."""
    zero = build.bind(pervade(build, "=", a, literal(0, span), span))
    whole = build.bind(op(p.ROLL, pervade(build, "+", a, zero, span), symbol="?", span=span))
    fractions = build.bind(op(p.UNIFORM, shape, symbol="?", span=span))
    chosen = pervade(build, "×", zero, fractions, span)
    others = pervade(build, "×", pervade(build, "~", None, zero, span), to_origin(build, whole), span)
    return pervade(build, "+", chosen, others, span)


def _all_zeros(build: Builder, arg: Arg) -> bool:
    """Whether an array is known to hold zeros only."""
    if isinstance(arg, Fn | PrimFn):
        return False
    found = build.definition(arg)
    match found:
        case Lit(value=value):
            return value == 0 and not isinstance(value, str)
        case Vec(items=items):
            return bool(items) and all(_all_zeros(build, i) for i in items)
        case Op(prim=prim, args=args) if prim in (p.RESHAPE, p.RESHAPE_V):
            return _all_zeros(build, args[1])
        case Op(prim=prim, args=args) if prim is p.RAVEL:
            return _all_zeros(build, args[0])
        case _:
            return False


def deal(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`k?n`: k different whole numbers."""
    k, n = one_integer(build, left, "?", span), one_integer(build, right, "?", span)
    return to_origin(build, build.bind(op(p.DEAL, k, n, symbol="?", span=span)))


# --- text -----------------------------------------------------------------------------------------------


def format_value(build: Builder, a: Exp, span: Span, symbol: str = "⍕") -> Exp:
    """`⍕a`; of an array of arrays a vector where all values of its type are displayed in one line, otherwise
    the matrix of the lines.
    """
    if isinstance(a.ty, Tuple):
        axes = literal(1 if has_one_line(a.ty) else 2, span)
        a = without_runs(a, symbol, span)
        return op(p.FORMAT_NESTED, literal(build.digits, span), axes, a, symbol=symbol, span=span)
    if base_of(a) is Base.CHAR:
        return a
    return op(p.FORMAT, literal(build.digits, span), a, symbol=symbol, span=span)


def format_by(build: Builder, left: Exp, a: Exp, span: Span) -> Exp:
    """`w d⍕a`"""
    if error := numeric(a, "⍕"):
        raise error
    spec = to_integers(build, left, "⍕")
    if rank(spec) > 1:
        message = f"⍕ needs a vector of widths and decimals, got {plain_type(spec)}"
        raise compile_error("RANK ERROR", message, left.span or span)
    return op(p.FORMAT_BY, as_vector(spec), build.coerce(a, Base.DOUBLE, "⍕", span), symbol="⍕", span=span)
