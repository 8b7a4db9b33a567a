"""Which integers count elements, so that linear reasoning holds for them; and which are zero or one.

Note [Places in rows]
    A place in a matrix of rows of n elements is `n×row + column`, and what is made of several vectors of n
    elements asks where it is among them:

        n×row + column < 2×n    →    row < 2        where 0 ≤ column < n

    So a loop over rows can be cut where the condition changes, and nothing asks about columns.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from aplc.laila.ir.scalar import (
    BIT_FIELD,
    QUOT,
    REM,
    Call,
    Const,
    Exp,
    PureCall,
    Read,
    Select,
    Sum,
    Var,
    nodes,
)
from aplc.tail import prims as p
from aplc.tail.types import Base

if TYPE_CHECKING:
    from aplc.laila.ir.simplify import ExprBuilder

MAX_COEFFICIENT = 1 << 12


MAX_CONSTANT = 1 << 47

MOST_ROWS = 1 << 8
"""The places of so many rows count elements as their length does."""


def is_count(exp: Exp) -> bool:
    """Whether an expression counts elements: see Note [What may be reasoned about]."""
    match exp:
        case Var(is_index=is_index):
            return is_index
        case Const(value=value, ty=ty):
            return ty is Base.INT and abs(value) <= MAX_CONSTANT
        case Call(op=op, args=args):
            if op is p.MULI:
                return all(is_extent(a) for a in args) or _is_row_start(*args)
            return op in INDEX_OPS and all(is_count(a) for a in args)
        case Read(buffer=buffer):
            return buffer.is_bounded
        case PureCall(lows=lows, highs=highs):
            return bool(lows or highs)
        case Sum(const=const, terms=terms):
            is_small = all(abs(k) <= MAX_COEFFICIENT for _, k in terms)
            return is_small and abs(const) <= MAX_CONSTANT and all(is_count(atom) for atom, _ in terms)
        case _:
            return False


INDEX_OPS = frozenset((p.MAXI, p.MINI, p.ABSI, p.RESI, QUOT, REM))


def _is_row_start(a: Exp, b: Exp) -> bool:
    """Whether it is an extent times one of a few places, which counts elements as the extent does."""
    place, extent = (b, a) if is_extent(a) else (a, b)
    if not isinstance(place, Var) or not place.is_index or not is_extent(extent):
        return False
    lows, highs = [[e.value for e in ends if isinstance(e, Const)] for ends in (place.lows, place.highs)]
    return max(lows, default=-1) >= 0 and min(highs, default=MAX_CONSTANT) <= MOST_ROWS


def is_extent(exp: Exp) -> bool:
    """Whether a factor is an extent: the product of extents counts elements, that of indices may be the
    user's.
    """
    match exp:
        case Var(is_index=is_index, highs=highs, is_size=is_size):
            return is_index and (is_size or not highs)
        case Call(op=op, args=args):
            return op in (p.MULI, p.MAXI, p.MINI, QUOT) and all(is_extent(a) for a in args)
        case Const():
            return is_count(exp)
        case _:
            return False


def is_zero_or_one(exp: Exp) -> bool:
    """Whether an integer is zero or one by the way it is computed."""
    return all(isinstance(n, Select) or _stands_for_truth(n) for n in nodes(exp, below=branches))


def is_bit(exp: Exp) -> bool:
    """The same, or because it is a digit in base 2."""
    match exp:
        case Call(op=op, args=(_, _, mask)) if op is BIT_FIELD:
            return isinstance(mask, Const) and mask.value == 1
        case Call(op=p.RESI, args=(base, _)):
            return isinstance(base, Const) and base.value == 2
        case _:
            return is_zero_or_one(exp)


def _stands_for_truth(exp: Exp) -> bool:
    if isinstance(exp, Const):
        return exp.value in (0, 1)
    return isinstance(exp, Call) and exp.op is p.B2I


def branches(exp: Exp) -> tuple[Exp, ...]:
    """What a choice is between; nothing below what is none."""
    return (exp.then, exp.other) if isinstance(exp, Select) else ()


def is_zero(exp: Exp) -> bool:
    """Whether it is the constant zero, and not -0.0."""
    return (
        isinstance(exp, Const)
        and exp.value == 0
        and not (isinstance(exp.value, float) and math.copysign(1.0, exp.value) < 0)
    )


# --- places in rows ---


def in_rows(make: ExprBuilder, gap: Exp) -> Exp | None:
    """Whether `gap ≥ 0`, asked of the multiple of a factor in it alone; None where the rest might decide. See
    Note [Places in rows].
    """
    const, terms = make.linear(gap)
    products = [atom for atom in terms if isinstance(atom, Call) and atom.op is p.MULI]
    for size in dict.fromkeys([a for atom in products for a in atom.args if is_extent(a)]):
        multiple: dict[Exp, int] = {}
        rest: dict[Exp, int] = {}
        for atom, k in terms.items():
            factor = _other_factor(make, atom, size)
            into = rest if factor is None else multiple
            into[factor or atom] = into.get(factor or atom, 0) + k
        rows, column = make.from_linear(0, multiple), make.from_linear(const, rest)
        if make.nonnegative(column) and make.nonnegative(make.sub(make.sub(size, make.one), column)):
            return make.call(p.GTEI, _flat(make, rows), make.zero)
        if make.nonnegative(make.add(column, size)) and make.nonnegative(make.sub(make.const(-1), column)):
            return make.call(p.GTEI, _flat(make, rows), make.one)
    return None


def _other_factor(make: ExprBuilder, atom: Exp, size: Exp) -> Exp | None:
    """What is multiplied by the size."""
    if atom is size:
        return make.one
    if isinstance(atom, Call) and atom.op is p.MULI and size in atom.args:
        return atom.args[atom.args[0] is size]
    return None


def _flat(make: ExprBuilder, rows: Exp) -> Exp:
    """A linear form whose atoms are constants and linear forms themselves, as one."""
    const, terms = make.linear(rows)
    result: Exp = make.const(const)
    for atom, k in terms.items():
        result = make.add(result, make.mul(make.const(k), atom))
    return result
