"""Integers as truth values and truth values as integers, for `truth_values` and `truth_versions`."""

from __future__ import annotations

from dataclasses import replace

from aplc.tail import prims as p
from aplc.tail.syntax import Exp, Param, Var, fn, literal, op, prim_fn
from aplc.tail.types import Array, Base, Func, Single, SingleVector, Tuple, Type, Vector, rank_of, scalar


def truth_type(ty: Type) -> Type:
    """The type of truth values in the place of numbers."""
    assert isinstance(ty, Array | Vector | Single | SingleVector)
    return replace(ty, base=Base.BOOL)


def not_zero(exp: Exp, name: str) -> Exp:
    """Which of integers are not zero, by a function with a parameter of that name."""
    param = Param(name, scalar(Base.INT))
    each = op(p.NEQI, Var(name, ty=param.ty, span=exp.span), literal(0, exp.span), span=exp.span)
    if _is_scalar(exp):
        return op(p.NEQI, exp, literal(0, exp.span), span=exp.span)
    return op(p.EACH, fn((param,), each, exp.span), exp, span=exp.span)


def as_number(truth: Exp) -> Exp:
    """Truth values as zeros and ones."""
    if _is_scalar(truth):
        return op(p.B2I, truth, span=truth.span)
    return op(p.EACH, prim_fn(p.B2I), truth, span=truth.span)


def _is_scalar(exp: Exp) -> bool:
    assert not isinstance(exp.ty, Func | Tuple)
    return rank_of(exp.ty).const == 0
