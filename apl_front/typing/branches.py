"""Conditions and branches: one 0 or 1 as a condition, and two branches as a conditional of one type."""

from __future__ import annotations

from aplc.apl_front.building.builder import Builder, base_of, is_enclosed, length_of, plain_type, rank
from aplc.apl_front.building.closed import value_of
from aplc.apl_front.functions import tuples
from aplc.tail import prims as p
from aplc.tail.errors import AplcError, Error, compile_error, unsupported
from aplc.tail.parts import rebuilt
from aplc.tail.source import Span
from aplc.tail.syntax import Binding, Exp, conditional, let, literal, op, vec
from aplc.tail.types import Base, Func, Tuple, Type, known_length, rank_of


class Unfinished(Error):
    """A call of a recursive function whose result type is not known yet."""


def as_condition(build: Builder, exp: Exp, what: str, span: Span) -> Exp:
    """An expression as one boolean scalar."""
    lengths = (1, None) if not build.proving or known_length(exp.ty) is None else (1,)
    if isinstance(exp.ty, Tuple) or (rank(exp) > 0 and length_of(exp) not in lengths) or rank(exp) > 1:
        raise compile_error("LENGTH ERROR", f"{what} needs one 0 or 1, got {plain_type(exp)}", span)
    if rank(exp) == 1:
        prim = p.FIRST_V if length_of(exp) == 1 else p.SINGLE
        exp = op(prim, exp, symbol=what, span=span)
    value = value_of(build, exp)
    if value in (0, 1):
        return literal(bool(value), exp.span)
    if value is not None:
        shown = plain_type(exp) if isinstance(value, str) else f"{value:g}".replace("-", "¯")
        raise compile_error("DOMAIN ERROR", f"{what} needs 0 or 1, got {shown}", span)
    return build.coerce(exp, Base.BOOL, what, span)


Branch = tuple[Exp | None, list[Binding]] | None
"""A value (None: there is none) with the bindings of its block; None for one that is unfinished."""


def join_branches(build: Builder, condition: Exp, then: Branch, otherwise: Branch, span: Span) -> Exp:
    """The conditional of two branches, brought to one element type."""
    if then is None or otherwise is None:
        known = then or otherwise
        if known is None or known[0] is None:
            raise Unfinished
        return let(known[1], known[0])
    assert then[0] is not None
    if otherwise[0] is None:
        with build.block() as bindings:
            failing = no_value(build, then[0].ty, "the result of the function", span)
        otherwise = (failing, bindings)
    assert otherwise[0] is not None
    wanted = tuples.widen(then[0].ty, otherwise[0].ty)
    if wanted is None:
        raise _parted(then[0], otherwise[0], span)
    made = []
    for value, bindings in (then, otherwise):
        assert value is not None
        with build.block(bindings):
            made.append(let(bindings, tuples.coerce(build, value, wanted, "a guard", span)))
    return conditional(condition, made[0], made[1], span)


def _parted(then: Exp, otherwise: Exp, span: Span) -> AplcError:
    """The error for branches that have no common type."""
    shown = f"{plain_type(then)} here and {plain_type(otherwise)} otherwise"
    if isinstance(then.ty, Tuple) or isinstance(otherwise.ty, Tuple):
        scalars = {is_enclosed(value.ty) for value in (then, otherwise)}
        hint = "write ,⊂ for a vector of one item" if scalars == {True, False} else ""
        return unsupported(f"a function whose result is {shown}", span, hint)
    if Base.CHAR in (base_of(then), base_of(otherwise)) and base_of(then) is not base_of(otherwise):
        return unsupported(f"a function whose result is {shown}", span, "make text of numbers with ⍕")
    hint = "write , in front of the scalar" if {rank(then), rank(otherwise)} == {0, 1} else ""
    return unsupported(f"a function whose result has different ranks, {shown},", span, hint)


def no_value(build: Builder, ty: Type, what: str, span: Span) -> Exp:
    """An expression of a type that only raises VALUE ERROR: what has no value there."""
    if isinstance(ty, Tuple):
        return rebuilt(tuple([no_value(build, t, what, span) for t in ty.items]), ty, span)
    return op(p.NO_RESULT, filler(build, ty, span), symbol=what, span=span)


def filler(build: Builder, ty: Type, span: Span) -> Exp:
    """Some value of a type: zeros and blanks, and arrays without elements."""
    if isinstance(ty, Tuple):
        return rebuilt(tuple([filler(build, t, span) for t in ty.items]), ty, span)
    assert not isinstance(ty, Func) and isinstance(ty.base, Base)
    fill = build.fill(ty.base, span)
    axes = rank_of(ty).const
    zeros = vec(tuple([literal(0, span)] * axes), Base.INT, span)
    return op(p.RESHAPE, zeros, fill, span=span) if axes else fill
