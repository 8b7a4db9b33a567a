"""Which integers count elements, so that linear reasoning holds for them; and which are zero or one."""

from __future__ import annotations

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

MAX_COEFFICIENT = 1 << 12


MAX_CONSTANT = 1 << 47


def is_count(exp: Exp) -> bool:
    """Whether an expression counts elements: see Note [What may be reasoned about]."""
    match exp:
        case Var(is_index=is_index):
            return is_index
        case Const(value=value, ty=ty):
            return ty is Base.INT and abs(value) <= MAX_CONSTANT
        case Call(op=op, args=args):
            if op is p.MULI:
                return all(is_extent(a) for a in args)
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


INDEX_OPS = frozenset((p.MAXI, p.MINI, p.ABSI, QUOT, REM))


def is_extent(exp: Exp) -> bool:
    """Whether a factor is an extent: the product of extents counts elements, that of indices may be the
    user's.
    """
    match exp:
        case Var(is_index=is_index, highs=highs):
            return is_index and not highs
        case Call(op=op, args=args):
            return op in (p.MULI, p.MAXI, p.MINI) and all(is_extent(a) for a in args)
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
