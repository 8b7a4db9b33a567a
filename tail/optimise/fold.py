"""Constant folding: scalar primitives of literals, coercions of literal vectors, conditions that are known;
and in the same pass what `constant_evaluation` evaluates and `shapes` knows, because each makes the others
possible.

A fold computes with the primitive's own meaning; where that fails (a division by zero), the expression
stays, so that the error comes when the program runs.
"""

from __future__ import annotations

import math

import numpy as np

from aplc.tail import prims as p
from aplc.tail.evaluate import dtype_of
from aplc.tail.faults import FaultRaised
from aplc.tail.meaning.overflow import CHECKED
from aplc.tail.optimise.constant_evaluation import fold_closed
from aplc.tail.optimise.facts import Facts
from aplc.tail.optimise.rewrite import Rebuild, may_fail
from aplc.tail.optimise.shapes import SHAPES, apply_rules, value_of_type
from aplc.tail.syntax import Exp, If, Item, Lit, Op, PrimFn, Term, TupleExp, Vec, literal, vec
from aplc.tail.types import Base, Func, Tuple


def fold_constants(term: Term) -> Term:
    """All foldings, and the arithmetic of shapes, in one pass from the leaves up."""
    rebuild = Rebuild(lambda exp: _fold(exp, facts))
    facts = Facts(rebuild.values)
    return rebuild.term(term)


def _fold(exp: Exp, facts: Facts) -> Exp:
    folded = fold_component(fold_conditional(fold_coerced_vector(fold_scalar(exp))))
    return value_of_type(fold_closed(apply_rules(folded, SHAPES, facts), facts), facts)


def fold_scalar(exp: Exp) -> Exp:
    """`prim(c, …) = c'` for literals c; doubles only where the result is finite, integers where it fits."""
    if not isinstance(exp, Op) or not exp.prim.is_scalar:
        return exp
    literals = [a for a in exp.args if isinstance(a, Lit)]
    if exp.prim is p.C2I and literals:
        return literal(ord(str(literals[0].value)), exp.span)
    if len(literals) < len(exp.args) or any(isinstance(a.value, str) for a in literals):
        return exp
    try:
        with np.errstate(all="ignore"):
            meaning = CHECKED.get(exp.prim, exp.prim.meaning)
            value = meaning(*[np.array(a.value, dtype=dtype_of(a.ty)) for a in literals]).item()
    except FaultRaised:
        return exp
    if isinstance(value, complex) or (isinstance(value, float) and not math.isfinite(value)):
        return exp
    return literal(chr(value) if exp.prim is p.I2C else value, exp.span)


def fold_coerced_vector(exp: Exp) -> Exp:
    """`each(i2d, [c, …]) = [i2d(c), …]`, and for b2i."""
    if not isinstance(exp, Op) or exp.prim is not p.EACH:
        return exp
    coercion, vector = exp.args
    if not isinstance(coercion, PrimFn) or coercion.prim not in (p.I2D, p.B2I) or not isinstance(vector, Vec):
        return exp
    items = vector.items
    if not all(isinstance(i, Lit) for i in items):
        return exp
    assert not isinstance(exp.ty, Func | Tuple) and isinstance(exp.ty.base, Base)
    kind = float if coercion.prim is p.I2D else int
    folded = [literal(kind(i.value), i.span) for i in items if isinstance(i, Lit)]
    return vec(tuple(folded), exp.ty.base, exp.span)


def fold_conditional(exp: Exp) -> Exp:
    """`if tt then a else b = a`, `if ff then a else b = b`."""
    if not isinstance(exp, If) or not isinstance(exp.condition, Lit):
        return exp
    return exp.then if exp.condition.value else exp.otherwise


def fold_component(exp: Exp) -> Exp:
    """`(a, …, b, …).k = b` for component k, where the others cannot fail."""
    if not isinstance(exp, Item) or not isinstance(exp.value, TupleExp):
        return exp
    items = exp.value.items
    others = items[: exp.index - 1] + items[exp.index :]
    return exp if any(map(may_fail, others)) else items[exp.index - 1]
