"""Arithmetic with shapes: by types, by what a variable stands for, and by the laws of the operators.

A rule takes an application, with all parts simplified, and what is known; it gives an equal expression, the
application itself where it does not apply. An argument goes only if it cannot fail. A variable's value has
been computed where it is bound, so it may always go, and what it stands for may be looked at.
"""

from __future__ import annotations

from collections.abc import Callable

from aplc.tail import prims as p
from aplc.tail.optimise.facts import Facts
from aplc.tail.optimise.rewrite import op_may_fail
from aplc.tail.prims import Prim
from aplc.tail.syntax import Arg, Exp, Fn, Lit, Op, PrimFn, Var, Vec, literal, op, vec
from aplc.tail.types import Base, Single, SingleVector, Vector, base_of, is_subtype, known_length
from aplc.tail.unify import NoMatch

Rule = Callable[[Op, Facts], Exp]
Rules = dict[Prim, tuple[Rule, ...]]


def apply_rules(exp: Exp, rules: Rules, facts: Facts) -> Exp:
    """The expression after all rules for its primitive, and for that of the result, until none applies."""
    while isinstance(exp, Op):
        for rule in rules.get(exp.prim, ()):
            changed = rule(exp, facts)
            if changed is not exp:
                exp = changed
                break
        else:
            return exp
    return exp


# --- values that the type tells ---------------------------------------------------------------------------


def value_of_type(exp: Exp, facts: Facts) -> Exp:
    """`e:S(κ,i) = i` and `e:SV(κ,i) = [i]` where e cannot fail; `x = c` where x stands for the literal c."""
    if isinstance(exp, Lit | Vec):
        return exp
    if isinstance(exp, Var):
        value = facts.defined(exp)
        if isinstance(value, Lit):
            return value
    ty = exp.ty
    if not isinstance(ty, Single | SingleVector) or ty.base not in (Base.INT, Base.BOOL):
        return exp
    if not ty.value.is_const or not isinstance(exp, Var | Op) or facts.may_fail(exp):
        return exp
    item = literal(bool(ty.value.const) if ty.base is Base.BOOL else ty.value.const, exp.span)
    return item if isinstance(ty, Single) else vec((item,), base_of(ty), exp.span)


# --- shape --------------------------------------------------------------------------------------------------


def shape_of_known(exp: Op, facts: Facts) -> Exp:
    """`shape(a) = [n, …]` where the extents of a are known: `shape(reshape([3,2],a)) = [3,2]`,
    `shape(transp2([2,1],a:[3,2])) = [2,3]`, `shapeV(v:<κ>3) = [3]`.
    """
    (of,) = exp.args
    extents = facts.whole(of)
    if extents is None or not facts.total(of):
        return exp
    return vec(tuple([literal(n, exp.span) for n in extents]), Base.INT, exp.span)


def shape_of_same_shape(exp: Op, facts: Facts) -> Exp:
    """`shape(each(f,a)) = shape(a)`, and for every operator that keeps the shape; `shape(x) = shape(y)` where
    y is an earlier variable of the same shape.
    """
    of = _expression(exp.args[0])
    source = facts.source(of)
    if source == of or not isinstance(source, Var) or not facts.total(of):
        return exp
    return retyped(exp, op(p.SHAPE, source, symbol=exp.symbol, span=exp.span))


def shape_of_reshaped(exp: Op, facts: Facts) -> Exp:
    """`shape(reshape(x,a)) = x` for a variable x, where the array has a name already."""
    (of,) = exp.args
    value = facts.defined(of)
    if of is value or not isinstance(value, Op) or value.prim is not p.RESHAPE:
        return exp
    extents = value.args[0]
    return retyped(exp, extents) if isinstance(extents, Var) else exp


def shape_of_transposed(exp: Op, facts: Facts) -> Exp:
    """`shape(transp(a)) = reverseV(shape(a))`, and so for a variable that stands for `transp(x)`."""
    of = facts.defined(exp.args[0])
    if not isinstance(of, Op) or of.prim is not p.TRANSP or facts.rank(of) is None:
        return exp
    if of is not exp.args[0] and not isinstance(of.args[0], Var):
        return exp
    inner = op(p.SHAPE, of.args[0], symbol=exp.symbol, span=exp.span)
    return retyped(exp, op(p.REVERSE_V, inner, span=exp.span))


# --- known lengths ------------------------------------------------------------------------------------------

OF_VECTORS = {
    p.DROP: p.DROP_V, p.TAKE: p.TAKE_V, p.ROTATE: p.ROTATE_V, p.REVERSE: p.REVERSE_V, p.CAT: p.CAT_V,
    p.CONS: p.CONS_V, p.SNOC: p.SNOC_V, p.IOTA: p.IOTA_V, p.SHAPE: p.SHAPE_V,
}  # fmt: skip
"""The operator on vectors whose length is in the type, for each on arrays."""


def know_length(exp: Op, facts: Facts) -> Exp:
    """`drop(c,v) = dropV(c,v)`, and so for the others, where the types tell the length of the result."""
    vectors = exp.args if exp.prim is p.CAT else exp.args[-1:]
    if exp.prim is p.SNOC:
        vectors = exp.args[:1]
    if exp.prim not in (p.TAKE, p.IOTA) and any(known_length(a.ty) is None for a in vectors):
        return exp
    return _sharper(exp, OF_VECTORS[exp.prim], exp.args)


def reshape_to_vector(exp: Op, facts: Facts) -> Exp:
    """`reshape([n],a) = reshapeV(n,a)` where the type tells n."""
    extents = exp.args[0]
    if not isinstance(extents, Vec) or len(extents.items) != 1:
        return exp
    return _sharper(exp, p.RESHAPE_V, (extents.items[0], exp.args[1]))


def _sharper(exp: Op, prim: Prim, args: tuple[Arg, ...]) -> Exp:
    """Another primitive on these arguments, where it has a type and that type fits."""
    try:
        changed = op(prim, *args, symbol=exp.symbol, span=exp.span)
    except NoMatch:
        return exp
    return retyped(exp, changed)


def of_known_length(exp: Op, facts: Facts) -> Exp:
    """`ofLength(n,v:<κ>n) = v`"""
    count, of = exp.args
    same = isinstance(exp.ty, Vector) and known_length(of.ty) == exp.ty.length
    return _expression(of) if same and facts.total(count) else exp


# --- reshape ------------------------------------------------------------------------------------------------


def literal_axes(exp: Op, facts: Facts) -> Exp:
    """`reshape(x,a) = reshape([n, …],a)` where x stands for [n, …]; so for the axes and counts of others."""
    first = exp.args[0]
    value = facts.defined(first)
    known = facts.integers(first)
    if first is value or not isinstance(value, Vec) or known is None or len(known) > p.MAX_RANK:
        return exp
    return retyped(exp, op(exp.prim, value, *exp.args[1:], symbol=exp.symbol, span=exp.span))


def reshape_to_own_shape(exp: Op, facts: Facts) -> Exp:
    """`reshape(shape(x),x) = x`, and `reshape([n, …],a) = a` where that is the shape of a."""
    first, of = exp.args
    value = facts.defined(first)
    if isinstance(value, Op) and value.prim is p.SHAPE and isinstance(of, Var):
        own = facts.source(_expression(value.args[0]))
        return retyped(exp, of) if isinstance(own, Var) and own == facts.source(of) else exp
    wanted = facts.integers(first)
    return retyped(exp, of) if wanted is not None and wanted == facts.whole(of) else exp


# --- elements -----------------------------------------------------------------------------------------------


def first_of_joined(exp: Op, facts: Facts) -> Exp:
    """`firstV(consV(a,v)) = a`, and `firstV([a,b, …]) = a`."""
    of = exp.args[0]
    value = facts.defined(of)
    if isinstance(value, Vec) and value.items:
        return _part(exp, of, value.items[0], value.items[1:], facts)
    if isinstance(value, Op) and value.prim in (p.CONS, p.CONS_V) and facts.rank(value) == 1:
        return _part(exp, of, _expression(value.args[0]), value.args[1:], facts)
    return exp


def first_of_rearranged(exp: Op, facts: Facts) -> Exp:
    """`first(ravel(a)) = first(a)`, so for transposition, and `first(reshape([n, …],a)) = first(a)` where
    no n is zero.
    """
    (of,) = exp.args
    if not isinstance(of, Op):
        return exp
    keeps_first = of.prim in (p.RAVEL, p.TRANSP) or (of.prim is p.TRANSP2 and not op_may_fail(of))
    if of.prim in (p.RESHAPE, p.RESHAPE_V):
        keeps_first = min(facts.integers(of.args[0]) or (0,)) > 0 and not op_may_fail(of)
        keeps_first |= facts.rank(of) == 0
    if not keeps_first:
        return exp
    return retyped(exp, op(p.FIRST, of.args[-1], symbol=exp.symbol, span=exp.span))


def pick_of_known(exp: Op, facts: Facts) -> Exp:
    """`pick(k,[…, a, …]) = a` for the element number k."""
    which, of = exp.args
    value, position = facts.defined(of), facts.integers(which)
    if not isinstance(value, Vec) or not isinstance(which, Lit) or position is None:
        return exp
    if not 1 <= position[0] <= len(value.items):
        return exp
    k = position[0] - 1
    return _part(exp, of, value.items[k], (*value.items[:k], *value.items[k + 1 :]), facts)


def alike_of_same_extents(exp: Op, facts: Facts) -> Exp:
    """`alike(a,b) = a` where both are known to have the same extents."""
    a, b = map(_expression, exp.args)
    first, second = facts.source(a), facts.source(b)
    extents = facts.whole(a)
    are_same = (extents is not None and extents == facts.whole(b)) or (
        isinstance(first, Var) and first == second
    )
    return retyped(exp, a) if are_same and facts.total(b) else exp


def part_of_complex(exp: Op, facts: Facts) -> Exp:
    """`realz(complexd(a,b)) = a`, `imagz(complexd(a,b)) = b`"""
    number = facts.defined(exp.args[0])
    if not isinstance(number, Op) or number.prim is not p.COMPLEX:
        return exp
    real, imaginary = number.args
    part, other = (real, imaginary) if exp.prim is p.REALZ else (imaginary, real)
    return _part(exp, exp.args[0], _expression(part), (other,), facts)


def _part(exp: Op, of: Arg, part: Exp, others: tuple[Arg, ...], facts: Facts) -> Exp:
    """A part of a value: of a variable's value only what need not be computed again."""
    if isinstance(of, Var):
        return retyped(exp, part) if isinstance(part, Lit | Var) else exp
    return retyped(exp, part) if facts.total(*others) else exp


# --- the table ----------------------------------------------------------------------------------------------

SHAPES: Rules = {
    p.SHAPE: (shape_of_known, shape_of_reshaped, shape_of_same_shape, shape_of_transposed, know_length),
    p.SHAPE_V: (shape_of_known,),
    p.RESHAPE: (literal_axes, reshape_to_own_shape, reshape_to_vector),
    p.TRANSP2: (literal_axes,),
    p.TAKES: (literal_axes,),
    p.DROPS: (literal_axes,),
    p.DROP: (know_length,),
    p.TAKE: (know_length,),
    p.ROTATE: (know_length,),
    p.REVERSE: (know_length,),
    p.CAT: (know_length,),
    p.CONS: (know_length,),
    p.SNOC: (know_length,),
    p.IOTA: (know_length,),
    p.OF_LENGTH: (of_known_length,),
    p.FIRST: (first_of_joined, first_of_rearranged),
    p.FIRST_V: (first_of_joined,),
    p.PICK: (pick_of_known,),
    p.ALIKE: (alike_of_same_extents,),
    p.REALZ: (part_of_complex,),
    p.IMAGZ: (part_of_complex,),
}


def _expression(arg: Arg) -> Exp:
    assert not isinstance(arg, Fn | PrimFn)
    return arg


def retyped(exp: Op, changed: Arg) -> Exp:
    """What takes the place of an expression, if its type is at least as precise."""
    return _expression(changed) if is_subtype(changed.ty, exp.ty) else exp
