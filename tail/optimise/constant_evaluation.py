"""Evaluation while compiling: small expressions of constants, by the reference interpreter.

Note [What is computed while compiling]
    Shapes, axes, counts and indices are short vectors of integers, and the operators on them are computed
    here wherever all arguments are constants of at most `SMALL` elements. Vectors of doubles are data: they
    stay. So does `iotaV`, whose elements are cheaper than a table of them. What raises an error stays too, so
    that the error comes when the program runs; so does what wraps, which may be one.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from aplc.tail import prims as p
from aplc.tail.errors import RunError
from aplc.tail.evaluate import evaluate
from aplc.tail.optimise.facts import SMALL, Facts
from aplc.tail.syntax import Arg, Exp, Fn, Lit, Op, PrimFn, TupleExp, Var, Vec, literal, product, vec, walk
from aplc.tail.types import Base, Func, Tuple, Type, is_subtype

SMALL_FUNCTION = 32
"""A function with more operators than this is not applied while compiling."""

OF_KNOWN_SIZE = frozenset({
    p.EACH, p.ZIP_WITH, p.REDUCE, p.REDUCE1, p.SCAN, p.SHAPE, p.SHAPE_V, p.RESHAPE, p.RESHAPE_V, p.RAVEL,
    p.REVERSE, p.REVERSE_V, p.ROTATE, p.ROTATE_V, p.TRANSP, p.TRANSP2, p.TAKE, p.TAKE_V, p.TAKES, p.DROP,
    p.DROP_V, p.DROPS, p.FIRST, p.FIRST_V, p.CAT, p.CAT_V, p.CONS, p.CONS_V, p.SNOC, p.SNOC_V, p.PICK,
    p.MATCH, p.SINGLE, p.OF_LENGTH, p.GRADE_UP, p.GRADE_DOWN,
})  # fmt: skip
"""Primitives that are evaluated where the extents of their result are known and small."""

NOT_LARGER = frozenset({
    p.COMPRESS, p.UNIQUE, p.INDEX_OF, p.MEMBER, p.FIND, p.INTERVAL, p.DECODE, p.INDEX, p.GRADE_UP,
    p.GRADE_DOWN,
})  # fmt: skip
"""Primitives whose result is not larger than their arguments."""


def fold_closed(exp: Exp, facts: Facts) -> Exp:
    """`prim(c, …) = c'` for constants c, small ones: see Note [What is computed while compiling]."""
    if not isinstance(exp, Op) or not _is_small(exp, facts):
        return exp
    args = [_closed(arg, facts) for arg in exp.args]
    known = tuple([arg for arg in args if arg is not None])
    if len(known) < len(args):
        return exp
    try:
        value = evaluate(replace(exp, args=known), (), _print_nothing, check_overflow=True)
    except RunError:
        return exp
    assert isinstance(value, np.ndarray)
    folded = _constant_of(value, exp)
    return exp if folded is None or not is_subtype(folded.ty, exp.ty) else folded


def _print_nothing(*args: object) -> None:
    """No closed expression prints."""


def _is_small(exp: Op, facts: Facts) -> bool:
    """Whether the result of an application is surely small, and no vector of inexact numbers."""
    rank = facts.rank(exp)
    if rank is None or rank > 1 or (rank == 1 and _is_inexact(exp.ty)):
        return False
    if exp.prim in NOT_LARGER:
        return True
    extents = facts.whole(exp)
    return exp.prim in OF_KNOWN_SIZE and extents is not None and math.prod(extents) <= SMALL


def _is_inexact(ty: Type) -> bool:
    return not isinstance(ty, Func | Tuple) and isinstance(ty.base, Base) and not ty.base.is_exact


def _closed(arg: Arg, facts: Facts) -> Arg | None:
    """An argument with constants for its variables; None where something is not constant."""
    if isinstance(arg, PrimFn):
        return arg
    if isinstance(arg, Fn):
        return arg if _is_closed(arg) else None
    if isinstance(arg, TupleExp):
        items = [facts.constant(i) for i in arg.items]
        known = tuple([i for i in items if i is not None])
        return product(known) if len(known) == len(items) else None
    return facts.constant(arg)


def _is_closed(function: Fn) -> bool:
    """Whether a function consists of a few scalar primitives of its parameters and of literals."""
    params = {param.name for param in function.params}
    for count, node in enumerate(walk(function)):
        if count > SMALL_FUNCTION or not isinstance(node, Lit | Var | Op):
            return False
        if isinstance(node, Var) and node.name not in params:
            return False
        if isinstance(node, Op) and not node.prim.is_scalar:
            return False
    return True


def _constant_of(value: np.ndarray[Any, Any], exp: Op) -> Lit | Vec | None:
    """The literal of a value; None where there is none that is finite and small."""
    if value.ndim > 1 or value.size > SMALL or isinstance(exp.ty, Func | Tuple):
        return None
    base = exp.ty.base
    assert isinstance(base, Base)
    items = [chr(v) if base is Base.CHAR else v for v in value.reshape(-1).tolist()]
    if base is Base.COMPLEX or any(isinstance(v, float) and not math.isfinite(v) for v in items):
        return None
    literals = tuple([literal(v, exp.span) for v in items])
    return vec(literals, base, exp.span) if value.ndim else literals[0]
