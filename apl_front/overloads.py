"""Overload resolution of scalar functions, and their extension to arrays.

A scalar function is chosen from its valence and the base types of its operands (`choose`); on arrays it
becomes `each` or `zipWith` (`pervade`), with coercions made explicit and scalars extended.

Note [Single-element extension]
    An array of one element extends like a scalar. Where the types show it, it is extended here. Where two
    arrays of equal rank have lengths that only the run knows, `zipWith` itself extends (see its meaning).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from apl_front.builder import (
    WIDENS,
    Builder,
    base_of,
    int_constant,
    length_of,
    numeric,
    plain_type,
    rank,
)
from apl_front.glyphs import DYADIC, MONADIC
from tail import prims as p
from tail.errors import compile_error, unsupported
from tail.prims import Prim
from tail.source import Span
from tail.syntax import Arg, Exp, Lit, literal, op, prim_fn
from tail.types import Base


@dataclass(frozen=True, slots=True)
class Choice:
    """A scalar function for one base type of its operands."""

    operand: Base | None
    """What the operands are converted to; None: they are not looked at."""
    make: Callable[..., Exp]
    """The application to scalars of that type."""
    prim: Prim | None
    """The primitive, where the application is nothing else."""


def choose(symbol: str, args: tuple[Exp, ...], span: Span) -> Choice | None:
    """The function for these operands; None for the identity. DOMAIN ERROR where it is not defined on
    them.
    """
    if symbol in ("=", "≠") and len({base_of(a) is Base.CHAR for a in args}) == 2:
        return Choice(None, lambda *_: literal(symbol == "≠", span), None)
    if symbol == "⍟" and len(args) == 2:
        _require_numbers(args, symbol)
        return Choice(Base.DOUBLE, lambda x, y: _logarithm(x, y, span), None)
    if symbol == "÷" and len(args) == 1:
        _require_numbers(args, symbol)
        return Choice(Base.DOUBLE, lambda x: op(p.DIVD, literal(1.0, span), x, symbol="÷", span=span), None)
    rows = (MONADIC if len(args) == 1 else DYADIC).get(symbol)
    if rows is None:
        valence = "monadic" if len(args) == 1 else "dyadic"
        raise unsupported(f"{valence} {symbol}", span)
    row = next((r for r in rows if all(_accepts(a, r.operand) for a in args)), None)
    if row is None:
        _require_numbers(args, symbol)
        if len(rows) > 1:
            raise unsupported(f"{symbol} on doubles", span)
        row = rows[0]  # a function on booleans; the operands must turn out to be zeros and ones
    prim = row.prim
    if prim is None:
        return None
    return Choice(row.operand, lambda *xs: op(prim, *xs, symbol=symbol, span=span), prim)


def _accepts(arg: Exp, operand: Base) -> bool:
    zero_or_one = operand is Base.BOOL and int_constant(arg) in (0, 1) and isinstance(arg, Lit)
    return zero_or_one or operand in WIDENS[base_of(arg)]


def _require_numbers(args: tuple[Exp, ...], symbol: str) -> None:
    for arg in args:
        if error := numeric(arg, symbol):
            raise error


def _logarithm(base: Exp, x: Exp, span: Span) -> Exp:
    """`base⍟x` is `(⍟x)÷⍟base`."""
    logs = [op(p.LND, e, symbol="⍟", span=span) for e in (x, base)]
    return op(p.DIVD, *logs, symbol="⍟", span=span)


# --- arrays ---------------------------------------------------------------------------------------------


def pervade(build: Builder, symbol: str, left: Exp | None, right: Exp, span: Span) -> Exp:
    """A scalar function on arrays of any rank."""
    if left is None:
        choice = choose(symbol, (right,), span)
        return right if choice is None else _each(build, choice, symbol, right, span)
    choice = choose(symbol, (left, right), span)
    assert choice is not None
    left, right = _extend_single(build, left, right)
    if rank(left) == 0 and rank(right) == 0:
        if choice.operand is None:
            build.discard(right, left)
        return choice.make(*[_coerced(build, choice, a, symbol) for a in (left, right)])
    if rank(left) == 0:
        return _each_beside(build, choice, symbol, left, right, span, scalar_left=True)
    if rank(right) == 0:
        return _each_beside(build, choice, symbol, right, left, span, scalar_left=False)
    _require_conformable(build, symbol, left, right, span)
    arrays = [_coerced(build, choice, a, symbol) for a in (left, right)]
    bases = tuple([base_of(a) for a in arrays])
    function = _function(build, choice, symbol, bases, span)
    return op(p.ZIP_WITH, function, *arrays, symbol=symbol, span=span)


def _extend_single(build: Builder, left: Exp, right: Exp) -> tuple[Exp, Exp]:
    """See Note [Single-element extension]: the operand known to have one element becomes a scalar."""
    if length_of(left) == 1 and rank(right) > 0 and length_of(right) != 1:
        return op(p.FIRST_V, left, span=left.span), right
    if length_of(right) == 1 and rank(left) > 0 and length_of(left) != 1:
        return left, op(p.FIRST_V, right, span=right.span)
    return left, right


def _require_conformable(build: Builder, symbol: str, left: Exp, right: Exp, span: Span) -> None:
    note = build.describe(left, right)
    shown = f"got {plain_type(left)} and {plain_type(right)}"
    if rank(left) != rank(right):
        raise compile_error("RANK ERROR", f"{symbol} needs equal ranks or a scalar, {shown}", span, note)
    lengths = length_of(left), length_of(right)
    if None not in lengths and lengths[0] != lengths[1]:
        raise compile_error("LENGTH ERROR", f"{symbol} needs equal lengths, {shown}", span, note)


def _coerced(build: Builder, choice: Choice, exp: Exp, symbol: str) -> Exp:
    return exp if choice.operand is None else build.coerce(exp, choice.operand, symbol, exp.span)


def _function(build: Builder, choice: Choice, symbol: str, bases: tuple[Base, ...], span: Span) -> Arg:
    if choice.prim is not None:
        return prim_fn(choice.prim, symbol, span)
    return build.function(bases, choice.make, span)


def _each(build: Builder, choice: Choice, symbol: str, a: Exp, span: Span) -> Exp:
    a = _coerced(build, choice, a, symbol)
    if rank(a) == 0:
        return choice.make(a)
    return build.each(_function(build, choice, symbol, (base_of(a),), span), a, span)


def _each_beside(
    build: Builder, choice: Choice, symbol: str, beside: Exp, a: Exp, span: Span, *, scalar_left: bool
) -> Exp:
    """Scalar extension: `each(fn x => f(s,x), a)`, or with the scalar on the right."""
    if not isinstance(beside, Lit):
        beside = build.bind(_coerced(build, choice, beside, symbol))
    a = _coerced(build, choice, a, symbol)

    def make(x: Exp) -> Exp:
        s = _coerced(build, choice, beside, symbol)
        return choice.make(s, x) if scalar_left else choice.make(x, s)

    return build.each(build.function((base_of(a),), make, span), a, span)
