"""Expressions whose value follows from constants and types: ranks, depths, element types, and what is made
of these. Conditions that are such choose while compiling, in whatever way they are written.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from aplc.apl_front.building.builder import Builder, constant, int_constant
from aplc.tail import prims as p
from aplc.tail.errors import Error
from aplc.tail.syntax import Arg, Exp, Fn, Lit, Op, PrimFn, Var, Vec, literal, op, vec
from aplc.tail.types import Base, Func, Rho, Tuple, known_length, rank_of

if TYPE_CHECKING:
    from aplc.tail.meaning.core import Value

FEW = 64
"""Elements of what is computed while compiling."""


def value_of(build: Builder, exp: Exp) -> bool | int | float | str | None:
    """The value of a scalar or of a vector of one element; None where only the run knows it."""
    known = constant(exp)
    if known is not None or isinstance(exp, Var | Lit):
        return known
    found = array_of(build, exp)
    if found is None or found.size != 1:
        return None
    value = found.reshape(-1)[0].item()
    return value if isinstance(value, bool | int | float) else None


def array_of(build: Builder, exp: Exp) -> Value | None:
    """The value of a small array, a matrix being one that is reshaped; None where only the run knows it."""
    term = _closed(build, exp, FEW)
    if term is None:
        return None
    from aplc.tail.evaluate import evaluate  # noqa: PLC0415 (NumPy is imported where it is needed)

    try:
        found = evaluate(term, [], lambda *_: None)
    except (Error, ArithmeticError):
        return None  # the run says what is wrong
    assert not isinstance(found, tuple)
    return found


def whole_numbers(build: Builder, exp: Exp) -> list[int]:
    """The elements of a small vector of whole numbers; none where only the run knows them."""
    value = array_of(build, exp)
    is_vector = value is not None and value.ndim == 1 and value.dtype.kind in "iub"
    return [int(k) for k in value.tolist()] if value is not None and is_vector else []


def _closed(build: Builder, exp: Exp, depth: int) -> Exp | None:
    """The same without variables; None where it depends on one, or is large."""
    if depth == 0 or isinstance(exp.ty, Tuple | Func) or not isinstance(exp.ty.base, Base):
        return None
    axes, length = rank_of(exp.ty), known_length(exp.ty)
    is_reshaped = isinstance(exp, Op) and exp.prim is p.RESHAPE and _is_small(build, exp.args[0])
    is_small = length is not None and length.is_const and length.const <= FEW
    if axes != Rho(0) and not is_small and not is_reshaped:
        return None
    if length == Rho(0):
        return vec((), exp.ty.base)
    number = int_constant(exp)
    if number is not None:
        return literal(number) if axes == Rho(0) else vec((literal(number),), Base.INT)
    match exp:
        case Lit():
            return exp
        case Var():
            found = build.definition(exp)
            return None if isinstance(found, Var) else _closed(build, found, depth - 1)
        case Vec(items=items):
            parts = [_closed(build, item, depth - 1) for item in items]
            known = [part for part in parts if part is not None]
            return vec(tuple(known), exp.ty.base) if len(known) == len(parts) else None
        case Op(prim=prim, args=args) if not (prim.stateful or prim.draws or prim.opens):
            given = [arg if isinstance(arg, PrimFn) else _argument(build, arg, depth) for arg in args]
            arguments = [arg for arg in given if arg is not None]
            if len(arguments) < len(given):
                return None
            return op(prim, *arguments, symbol=exp.symbol, span=exp.span)
        case _:
            return None


def _is_small(build: Builder, extents: Arg) -> bool:
    """Whether the extents of an array are known, and few its elements."""
    found = build.definition(extents) if isinstance(extents, Var) else extents
    known = [int_constant(item) for item in found.items] if isinstance(found, Vec) else [None]
    return math.prod([FEW + 1 if n is None else n for n in known]) <= FEW


def _argument(build: Builder, arg: Exp | Fn, depth: int) -> Exp | None:
    return None if isinstance(arg, Fn) else _closed(build, arg, depth - 1)
