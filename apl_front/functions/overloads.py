"""Overload resolution of scalar functions, and their extension to arrays.

A scalar function is chosen from its valence and the base types of its operands (`choose`); on arrays it
becomes `each` or `zipWith` (`pervade`), with coercions made explicit and scalars extended.

Note [Single-element extension]
    An array of one element extends like a scalar. Where the types show it, it is extended here. Where two
    arrays of equal rank have lengths that only the run knows, `zipWith` itself extends (see its meaning).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from aplc.apl_front.building.axes import constant_axes, permuted
from aplc.apl_front.building.builder import (
    WIDENS,
    Builder,
    base_of,
    counted,
    int_constant,
    length_of,
    numeric,
    plain_type,
    rank,
    rho,
)
from aplc.apl_front.functions import complex_functions
from aplc.apl_front.syntax import hints
from aplc.apl_front.syntax.glyphs import DYADIC, MONADIC
from aplc.tail import prims as p
from aplc.tail.errors import AplcError, compile_error
from aplc.tail.prims import Prim
from aplc.tail.source import Span
from aplc.tail.syntax import Arg, Exp, Fn, Lit, Op, PrimFn, Var, Vec, conditional, literal, op, prim_fn, vec
from aplc.tail.types import Base, Rho, SingleVector, array, known_length


@dataclass(frozen=True, slots=True)
class Choice:
    """A scalar function for one base type of its operands."""

    operand: Base | None
    """What the operands are converted to; None: they are not looked at."""
    make: Callable[..., Exp]
    """The application to scalars of that type."""
    prim: Prim | None
    """The primitive, where the application is nothing else."""


def choose(build: Builder, symbol: str, args: tuple[Exp, ...], span: Span) -> Choice | None:
    """The function for these operands; None for the identity. DOMAIN ERROR where it is not defined on
    them.
    """
    if symbol in ("=", "≠") and len({base_of(a) is Base.CHAR for a in args}) == 2:
        return Choice(None, lambda *_: literal(symbol == "≠", span), None)
    if symbol in complex_functions.COMPOSED[len(args)] and any(base_of(a) is Base.COMPLEX for a in args):
        _require_numbers(args, symbol)
        composed = complex_functions.COMPOSED[len(args)][symbol]
        if symbol == "○" and len(args) == 2:
            return Choice(None, lambda k, x: complex_functions.circular(build, k, x, span), None)
        return Choice(Base.COMPLEX, lambda *xs: composed(build, *xs, span), None)
    if symbol in "×÷" and complex_functions.is_scaled(symbol, args):
        scaled = complex_functions.scaled(build, symbol, args, span)
        return Choice(None, scaled, None)
    if symbol == "⍟" and len(args) == 2:
        _require_numbers(args, symbol)
        return Choice(Base.DOUBLE, lambda x, y: _logarithm(x, y, span), None)
    if symbol == "÷" and len(args) == 1:
        _require_numbers(args, symbol)
        return Choice(Base.DOUBLE, lambda x: op(p.DIVD, literal(1.0, span), x, symbol="÷", span=span), None)
    if symbol == "○":
        _require_numbers(args, symbol)
        if len(args) == 1:
            return Choice(Base.DOUBLE, lambda x: op(p.MULD, literal(math.pi, span), x, span=span), None)
        parts = complex_functions.part_of_real(build, args[0])
        if parts is not None:
            return Choice(Base.DOUBLE, lambda _, x: parts(x, span), None)
        return Choice(Base.DOUBLE, lambda k, x: _circular(k, x, span), None)
    rows = (MONADIC if len(args) == 1 else DYADIC).get(symbol)
    if rows is None:
        raise _no_such_valence(symbol, len(args), span)
    row = next((r for r in rows if all(_accepts(a, r.operand) for a in args)), None)
    if row is None:
        _require_numbers(args, symbol)
        row = rows[-1]  # the operands must turn out to be zeros and ones, or whole
    prim = row.prim
    if prim is None:
        return None
    if symbol in "∧∨" and row.operand is Base.DOUBLE:
        tolerance = literal(build.tolerance, span)
        return Choice(Base.DOUBLE, lambda *xs: op(prim, tolerance, *xs, symbol=symbol, span=span), None)
    if build.tolerance and row.operand is Base.COMPLEX and symbol in "=≠" and len(args) == 2:
        return Choice(Base.COMPLEX, lambda x, y: complex_functions.near(build, symbol, x, y, span), None)
    if build.tolerance and row.operand is Base.DOUBLE and symbol in TOLERANT[len(args)]:
        return Choice(Base.DOUBLE, lambda *xs: _tolerant(build, symbol, xs, span), None)
    return Choice(row.operand, lambda *xs: op(prim, *xs, symbol=symbol, span=span), prim)


def _no_such_valence(symbol: str, arguments: int, span: Span) -> AplcError:
    """The error for a scalar function that has no such valence."""
    if arguments == 2:
        return compile_error("SYNTAX ERROR", f"{symbol} takes no left argument", span)
    hint = hints.for_sign(span)
    message = f"{symbol} needs a left argument" + (f": {hint}" if hint else "")
    return compile_error("SYNTAX ERROR", message, span)


def _accepts(arg: Exp, operand: Base) -> bool:
    zero_or_one = operand is Base.BOOL and int_constant(arg) in (0, 1) and isinstance(arg, Lit)
    return zero_or_one or operand in WIDENS[base_of(arg)]


def _require_numbers(args: tuple[Exp, ...], symbol: str) -> None:
    are_texts = len(args) == 2 and all(base_of(arg) is Base.CHAR for arg in args)
    if symbol == "+" and are_texts and args[0].span != args[1].span:
        message = "+ needs numbers, got characters: write , to join texts"
        raise compile_error("DOMAIN ERROR", message, args[0].span)
    for arg in args:
        if error := numeric(arg, symbol):
            raise error


def _logarithm(base: Exp, x: Exp, span: Span) -> Exp:
    """`base⍟x` is `(⍟x)÷⍟base`."""
    logs = [op(p.LND, e, symbol="⍟", span=span) for e in (x, base)]
    return op(p.DIVD, *logs, symbol="⍟", span=span)


def _circular(k: Exp, x: Exp, span: Span) -> Exp:
    """`k○x`; k arrives as a double and must be whole."""
    if isinstance(k, Lit) and isinstance(k.value, float) and k.value.is_integer() and abs(k.value) < 2**31:
        return op(p.CIRCD, literal(int(k.value), k.span), x, symbol="○", span=span)
    return op(p.CIRCD, op(p.D2I, k, symbol="○", span=span), x, symbol="○", span=span)


# --- tolerant comparison ----------------------------------------------------------------------------------

TOLERANT = {1: "⌊⌈", 2: "=≠<≤>≥|"}
"""The functions that ⎕CT concerns, by number of arguments."""


def _tolerant(build: Builder, symbol: str, args: tuple[Exp, ...], span: Span) -> Exp:
    """A function that ⎕CT concerns, on doubles."""
    tolerance = literal(build.tolerance, span)
    if len(args) == 1:
        prim = p.FLOORD if symbol == "⌊" else p.CEILD
        return op(prim, op(p.SNAPD, tolerance, *args, span=span), symbol=symbol, span=span)
    x, y = args
    if symbol == "|":
        return _tolerant_residue(build, build.bind(x), build.bind(y), span)
    if symbol in "=≠":
        equal = op(p.EQTD, tolerance, x, y, symbol=symbol, span=span)
        return equal if symbol == "=" else op(p.NOTB, equal, symbol=symbol, span=span)
    if symbol in ">≥":
        x, y = (y, x) if _is_plain(x) or _is_plain(y) else (build.bind(x), build.bind(y))[::-1]
    return op(p.LTTD if symbol in "<>" else p.LTETD, tolerance, x, y, symbol=symbol, span=span)


def _is_plain(exp: Arg) -> bool:
    """Whether computing an expression surely does nothing but that, so that another may come first."""
    return isinstance(exp, Lit | Var) or (
        isinstance(exp, Op) and exp.prim is p.I2D and _is_plain(exp.args[0])
    )


def _tolerant_residue(build: Builder, x: Exp, y: Exp, span: Span) -> Exp:
    """`x|y`: 0 where `y÷x` is within ⎕CT of a whole number."""
    rest = build.bind(op(p.RESD, x, y, symbol="|", span=span))
    size = op(p.ABSD, y, span=span)
    allowed = build.bind(op(p.MULD, literal(build.tolerance, span), size, span=span))
    none = op(p.LTED, op(p.ABSD, rest, span=span), allowed, span=span)
    gap = op(p.ABSD, op(p.SUBD, x, rest, span=span), span=span)
    near = op(p.ORB, none, op(p.LTED, gap, allowed, span=span), span=span)
    divides = op(p.ANDB, op(p.NEQD, x, literal(0.0, span), span=span), near, span=span)
    return conditional(divides, literal(0.0, span), rest, span)


# --- arrays ---------------------------------------------------------------------------------------------


def pervade(
    build: Builder, symbol: str, left: Exp | None, right: Exp, span: Span, axis: Exp | None = None
) -> Exp:
    """A scalar function on arrays of any rank; with an axis, a vector goes along that axis of the other."""
    right, left = _numeric_empty(right, symbol), None if left is None else _numeric_empty(left, symbol)
    if axis is not None:
        return _along_axis(build, symbol, left, right, span, axis)
    if left is None:
        choice = choose(build, symbol, (right,), span)
        return right if choice is None else applied_to_each(build, choice, symbol, right, span)
    choice = choose(build, symbol, (left, right), span)
    assert choice is not None
    left, right = extend_single(build, symbol, left, right, span)
    if (whole := _on_known_values(build, choice, left, right, span)) is not None:
        return whole
    if 0 not in (rank(left), rank(right)):
        _require_conformable(build, symbol, left, right, span)
    return applied_to_pairs(build, choice, symbol, left, right, span)


def applied_to_pairs(build: Builder, choice: Choice, symbol: str, left: Exp, right: Exp, span: Span) -> Exp:
    """A dyadic function on two scalars, a scalar and an array, or two arrays of one rank."""
    scalars = rho(left) == Rho(0), rho(right) == Rho(0)
    if all(scalars):
        if choice.operand is None:
            build.discard(right, left)
        return choice.make(*[_coerced(build, choice, a, symbol) for a in (left, right)])
    if any(scalars):
        beside, a = (left, right) if scalars[0] else (right, left)
        return _each_beside(build, choice, symbol, beside, a, span, scalar_left=scalars[0])
    arrays = [_coerced(build, choice, a, symbol) for a in (left, right)]
    bases = tuple([base_of(a) for a in arrays])
    function = _function(build, choice, symbol, bases, span)
    return op(p.ZIP_WITH, function, *arrays, symbol=symbol, span=span)


def _on_known_values(build: Builder, choice: Choice, left: Exp, right: Exp, span: Span) -> Exp | None:
    """A function of integers on one-element vectors whose values the types tell: so that they still do."""
    known = [isinstance(a.ty, SingleVector) for a in (left, right)]
    fit = all(k or rank(a) == 0 for k, a in zip(known, (left, right), strict=True))
    if not any(known) or not fit or choice.prim not in (p.ADDI, p.SUBI) or not _all_ints(left, right):
        return None
    items = [op(p.FIRST_V, a, span=a.span) if k else a for k, a in zip(known, (left, right), strict=True)]
    return vec((choice.make(*items),), Base.INT, span)


def _all_ints(*args: Exp) -> bool:
    return all(base_of(a) is Base.INT for a in args)


def _numeric_empty(a: Exp, symbol: str) -> Exp:
    """The empty text as the empty vector of numbers, where only numbers make sense."""
    empty = length_of(a) == 0 and base_of(a) is Base.CHAR and symbol not in ("=", "≠")
    return vec((), Base.INT, a.span) if empty else a


def _along_axis(build: Builder, symbol: str, left: Exp | None, right: Exp, span: Span, axis: Exp) -> Exp:
    """`v f[k] a`, `m f[j k] a`: the axes of one array, in their order, are those axes of the other."""
    if left is None:
        raise compile_error("SYNTAX ERROR", f"monadic {symbol} takes no axis", axis.span or span)
    low, high = sorted((left, right), key=rank)
    if rank(low) in (0, rank(high)):
        return pervade(build, symbol, left, right, span)
    high = build.bind(high)
    chosen = constant_axes(build, axis, rank(high), symbol, span)
    if len(chosen) != rank(low):
        needed = counted(rank(low), "axis", "axes")
        message = f"{symbol} of {plain_type(low)} needs {needed} in brackets, got {len(chosen)}"
        raise compile_error("LENGTH ERROR", message, axis.span or span)
    order = [*[k for k in range(rank(high)) if k not in chosen], *chosen]
    moved = build.bind(permuted(high, [order.index(k) for k in range(rank(high))], span))
    fixed, cell = build.bind(low), array(base_of(moved), rank(low))

    def on_cell(part: Exp) -> Exp:
        return pervade(build, symbol, *((fixed, part) if low is left else (part, fixed)), span)

    function = build.function_on((cell,), on_cell, span)
    return permuted(op(p.CELLS, function, moved, symbol=symbol, span=span), order, span)


def extend_single(build: Builder, symbol: str, left: Exp, right: Exp, span: Span) -> tuple[Exp, Exp]:
    """See Note [Single-element extension]: the operand known to have one element becomes a scalar."""
    if rank(left) == rank(right) == 0:
        return left, right
    singles = is_single(build, left), is_single(build, right)
    if singles[0] and (not singles[1] or rank(left) < rank(right)) and rank(left) > 0:
        return _only(left), right
    if singles[1] and (not singles[0] or rank(right) < rank(left)) and rank(right) > 0:
        return left, _only(right)
    if 0 not in (rank(left), rank(right)) and rank(left) != rank(right):
        if rank(left) == 1 and length_of(left) is None:
            return op(p.SINGLE, left, symbol=symbol, span=span), right
        if rank(right) == 1 and length_of(right) is None:
            return left, op(p.SINGLE, right, symbol=symbol, span=span)
    return left, right


def _only(a: Exp) -> Exp:
    """The element of an array that is known to have just one."""
    return op(p.FIRST_V if length_of(a) == 1 else p.FIRST, a, span=a.span)


def is_single(build: Builder, exp: Exp) -> bool:
    """Whether an array is known to have exactly one element; of a variable it is found out once."""
    if rank(exp) == 0 or length_of(exp) == 1:
        return True
    if not isinstance(exp, Var):
        return _has_one_element(build, exp)
    if exp.name not in build.singles:
        build.singles[exp.name] = _has_one_element(build, exp)
    return build.singles[exp.name]


def _has_one_element(build: Builder, exp: Exp) -> bool:
    found = build.definition(exp)
    if isinstance(found, Op) and found.prim is p.RESHAPE and isinstance(found.args[0], Vec):
        return all(int_constant(extent) == 1 for extent in found.args[0].items)
    return isinstance(found, Op) and found.prim is p.EACH and _single_argument(build, found.args[1])


def _single_argument(build: Builder, arg: Arg) -> bool:
    return not isinstance(arg, Fn | PrimFn) and is_single(build, arg)


def _require_conformable(build: Builder, symbol: str, left: Exp, right: Exp, span: Span) -> None:
    note = build.describe(left, right)
    shown = f"got {plain_type(left)} and {plain_type(right)}"
    if rank(left) != rank(right):
        raise compile_error("RANK ERROR", f"{symbol} needs equal ranks or a scalar, {shown}", span, note)
    lengths = known_length(left.ty), known_length(right.ty)
    known = None not in (length_of(left), length_of(right)) or build.proving
    if known and None not in lengths and lengths[0] != lengths[1]:
        raise compile_error("LENGTH ERROR", f"{symbol} needs equal lengths, {shown}", span, note)


def _coerced(build: Builder, choice: Choice, exp: Exp, symbol: str) -> Exp:
    return exp if choice.operand is None else build.coerce(exp, choice.operand, symbol, exp.span)


def _function(build: Builder, choice: Choice, symbol: str, bases: tuple[Base, ...], span: Span) -> Arg:
    if choice.prim is not None:
        return prim_fn(choice.prim, symbol, span)
    return build.function(bases, choice.make, span)


def applied_to_each(build: Builder, choice: Choice, symbol: str, a: Exp, span: Span) -> Exp:
    """A monadic function on a scalar or an array."""
    a = _coerced(build, choice, a, symbol)
    if rho(a) == Rho(0):
        return choice.make(a)
    if isinstance(a.ty, SingleVector) and choice.prim is p.NEGI:
        return vec((choice.make(op(p.FIRST_V, a, span=a.span)),), Base.INT, span)
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
