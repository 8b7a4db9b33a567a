"""Evaluation while compiling: small expressions of constants, by the reference interpreter.

Note [What is computed while compiling]
    Shapes, axes, counts and indices are short vectors of integers, and the operators on them are computed
    here wherever all arguments are constants of at most `SMALL` elements, or texts of `SMALL_TEXT`. Vectors
    of doubles are data: they stay. So does `iotaV`, whose elements are cheaper than a table of them. What
    raises an error stays too, so that the error comes when the program runs; so does what wraps, which may
    be one.

    Matrices that are made of constant vectors element by element are tables, `1 2 1∘.×1 2 1` as much as its
    nine numbers: with up to `LARGEST_TABLE` elements they are computed, too, so that windows have constant
    weights.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from aplc.tail import prims as p
from aplc.tail.errors import RunError
from aplc.tail.evaluate import evaluate
from aplc.tail.optimise.facts import Facts, small
from aplc.tail.syntax import (
    Arg,
    Exp,
    Fn,
    Lit,
    Op,
    PrimFn,
    TupleExp,
    Var,
    Vec,
    literal,
    op,
    product,
    vec,
    walk,
)
from aplc.tail.types import Base, Func, Tuple, Type, is_subtype

SMALL_FUNCTION = 32
"""A function with more operators than this is not applied while compiling."""

LARGEST_TABLE = 81
"""A matrix of more elements is computed when the program runs."""

OF_TABLES = frozenset({p.OUTER, p.EACH, p.ZIP_WITH, p.TRANSP, p.TRANSP2, p.REVERSE})
"""Primitives that make tables of constant vectors and other tables."""

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
    is_table = _is_table(exp, facts)
    if not isinstance(exp, Op) or not (is_table or _is_small(exp, facts)):
        return exp
    args = [(_of_table if is_table else _closed)(arg, facts) for arg in exp.args]
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
    return exp.prim in OF_KNOWN_SIZE and extents is not None and math.prod(extents) <= small(exp)


def _is_table(exp: Exp, facts: Facts) -> bool:
    """Whether an expression makes a table of exact numbers that is not too large."""
    if not isinstance(exp, Op) or exp.prim not in OF_TABLES or _is_inexact(exp.ty):
        return False
    extents = facts.whole(exp)
    return extents is not None and len(extents) > 1 and 0 < math.prod(extents) <= LARGEST_TABLE


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


def _of_table(arg: Arg, facts: Facts) -> Arg | None:
    """A constant argument of a table, as `_closed` has it. `iotaV` is cheaper than its numbers."""
    value = facts.defined(arg)
    if isinstance(value, Op) and value.prim is p.IOTA_V:
        return None
    if isinstance(value, Op) and value.prim is p.RESHAPE:
        return value if all(_are_literals(a) for a in value.args) else None
    return _closed(arg, facts)


def _are_literals(arg: Arg) -> bool:
    return isinstance(arg, Vec) and all(isinstance(i, Lit) for i in arg.items)


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


def _constant_of(value: np.ndarray[Any, Any], exp: Op) -> Exp | None:
    """The literal of a value; None where there is none that is finite and small."""
    if value.size > (small(exp) if value.ndim < 2 else LARGEST_TABLE) or isinstance(exp.ty, Func | Tuple):
        return None
    base = exp.ty.base
    assert isinstance(base, Base)
    items = [chr(v) if base is Base.CHAR else v for v in value.reshape(-1).tolist()]
    if base is Base.COMPLEX or any(isinstance(v, float) and not math.isfinite(v) for v in items):
        return None
    literals = tuple([literal(v, exp.span) for v in items])
    if value.ndim < 2:
        return vec(literals, base, exp.span) if value.ndim else literals[0]
    extents = vec(tuple([literal(n, exp.span) for n in value.shape]), Base.INT, exp.span)
    return op(p.RESHAPE, extents, vec(literals, base, exp.span), span=exp.span)
