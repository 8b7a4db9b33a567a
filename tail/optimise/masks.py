"""Counts that are zeros and ones by their text: `1 0 1/a` and `(n⍴1 0)/a` select, they do not repeat.

Numbers in a text are integers, so they are counts there. Where all of them are zeros and ones, the operator
takes truth values, which is less to compute and to keep.
"""

from __future__ import annotations

from aplc.tail import prims as p
from aplc.tail.optimise.facts import Facts
from aplc.tail.optimise.shapes import Rules, retyped
from aplc.tail.syntax import Arg, Exp, Lit, Op, Var, Vec, literal, op, vec
from aplc.tail.types import Base

OF_LAST = frozenset(
    (p.RESHAPE, p.RESHAPE_V, p.REVERSE, p.REVERSE_V, p.ROTATE, p.ROTATE_V, p.TAKE, p.TAKE_V, p.DROP, p.DROP_V)
)
"""Operators whose result has elements of their last argument, and zeros."""
OF_BOTH = frozenset((p.CAT, p.CAT_V, p.CONS, p.CONS_V, p.SNOC, p.SNOC_V))
"""Operators whose result has the elements of both arguments."""


def select_by_mask(exp: Op, facts: Facts) -> Exp:
    """`replicate(c,a) = compress(m,a)` where c is m with 1 for true and 0 for false."""
    mask = _as_mask(exp.args[0], facts)
    return exp if mask is None else _of_mask(exp, p.COMPRESS, mask, exp.args[1])


def where_mask(exp: Op, facts: Facts) -> Exp:
    """`where(c) = where(m)` where c is m with 1 for true and 0 for false."""
    mask = _as_mask(exp.args[0], facts)
    return exp if mask is None else _of_mask(exp, p.WHERE, mask)


def _of_mask(exp: Op, prim: p.Prim, *args: Arg) -> Exp:
    return retyped(exp, op(prim, *args, symbol=exp.symbol, span=exp.span))


def _as_mask(exp: Arg, facts: Facts) -> Exp | None:
    """The truth values that an expression has in place of zeros and ones, if its text says so."""
    value = facts.defined(exp)
    if isinstance(exp, Var) and not isinstance(value, Lit | Vec):
        return None  # it is computed where it stands
    match value:
        case Lit(value=int(number)) if number in (0, 1) and not isinstance(number, bool):
            return literal(bool(number), value.span)
        case Vec(items=items):
            masks = [_as_mask(item, facts) for item in items]
            found = [mask for mask in masks if mask is not None]
            return vec(tuple(found), Base.BOOL, value.span) if items and len(found) == len(items) else None
        case Op(prim=prim, args=args) if prim in OF_LAST:
            mask = _as_mask(args[-1], facts)
            return None if mask is None else _again(value, *args[:-1], mask)
        case Op(prim=prim, args=(left, right)) if prim in OF_BOTH:
            first, second = _as_mask(left, facts), _as_mask(right, facts)
            return None if first is None or second is None else _again(value, first, second)
        case _:
            return None


def _again(exp: Op, *args: Arg) -> Op:
    return op(exp.prim, *args, symbol=exp.symbol, span=exp.span)


MASKS: Rules = {p.REPLICATE: (select_by_mask,), p.WHERE: (where_mask,)}
