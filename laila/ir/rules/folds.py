"""Folds that need no loop, or are two: conditions that hold in one interval of an index are counted and
sought by its ends, and complex sums are sums of parts.

    REDUCE addi over k < n { b2i(k < m) }           →   0 ⌈ m ⌊ n
    REDUCE mini over k < n { k ≥ m ? k + 1 : d }    →   0 ⌈ m < n ? (0 ⌈ m) + 1 : d        where d > n
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aplc.laila.ir.rules.complex_rules import complex_sum
from aplc.laila.ir.scalar import Call, Const, Exp, Select, Step, Var, nodes
from aplc.tail import prims as p
from aplc.tail.prims import Prim

if TYPE_CHECKING:
    from aplc.laila.ir.simplify import ExprBuilder

LESS = {p.LTI: (0, 1, 1), p.LTEI: (0, 1, 0), p.GTI: (1, 0, 1), p.GTEI: (1, 0, 0)}
"""Comparisons as `args[low] + strict ≤ args[high]`."""


def simpler_fold(
    make: ExprBuilder, combine: Prim | Step, index: Var, extent: Exp, body: Exp, empty: Exp | None
) -> Exp | None:
    """The value of a fold without it, or with others; None if it stays as it is."""
    if combine is p.ADDZ:
        return complex_sum(make, index, extent, body, empty)
    match body:
        case Const(value=int()) if combine is p.ADDI and make.counts(extent):
            return make.mul(body, make.call(p.MAXI, make.zero, extent))
        case Call(op=p.B2I, args=(cond,)) if combine is p.ADDI:
            found = interval(make, cond, index, extent)
            return None if found is None else make.call(p.MAXI, make.zero, make.sub(found[1], found[0]))
        case Select(cond=cond, then=then, other=other) if combine is p.MINI and empty in (then, other):
            if empty is then:
                cond, then, other = make.call(p.NOTB, cond), other, then
            return _least_place(make, cond, make.sub(then, index), other, index, extent)
        case _:
            return None


def first_place(make: ExprBuilder, cond: Exp, index: Var, extent: Exp) -> Exp:
    """The least index below an extent where a condition holds; the extent if it holds nowhere."""
    return make.fold(p.MINI, index, extent, make.select(cond, index, extent), extent)


def _least_place(make: ExprBuilder, cond: Exp, more: Exp, other: Exp, index: Var, extent: Exp) -> Exp | None:
    """The least index where a condition holds, and something more; another number, which is greater, where
    it holds nowhere.
    """
    if not isinstance(more, Const) or not make.at_least(other, make.sub(make.add(extent, more), make.one)):
        return None
    found = interval(make, cond, index, extent)
    if found is None:
        return None
    first, stop = found
    return make.select(make.call(p.LTI, first, stop), make.add(first, more), other)


def interval(make: ExprBuilder, cond: Exp, index: Var, extent: Exp) -> tuple[Exp, Exp] | None:
    """Where a condition holds: from one value of an index below an extent up to another one, exclusive, which
    is less if it holds nowhere. None if the condition is not of that kind.
    """
    first, stop = make.zero, extent
    pending = [(cond, True)]
    while pending:
        exp, holds = pending.pop()
        match exp:
            case Call(op=p.ANDB, args=(a, b)) if holds:
                pending += [(a, True), (b, True)]
            case Call(op=p.ORB, args=(a, b)) if not holds:
                pending += [(a, False), (b, False)]
            case Call(op=p.NOTB, args=(a,)):
                pending.append((a, not holds))
            case Call(op=op, args=args) if op in LESS and make.counts(*args):
                low, high, strict = LESS[op]
                gap = make.sub(make.sub(args[high], args[low]), make.const(strict))
                at = _place(make, gap if holds else make.sub(make.const(-1), gap), index)
                if at is None:
                    return None
                if at[1] > 0:
                    first = make.call(p.MAXI, first, at[0])
                else:
                    stop = make.call(p.MINI, stop, make.add(at[0], make.one))
            case Call(op=op, args=args) if op is (p.EQI if holds else p.NEQI) and make.counts(*args):
                at = _place(make, make.sub(*args), index)
                if at is None:
                    return None
                first = make.call(p.MAXI, first, at[0])
                stop = make.call(p.MINI, stop, make.add(at[0], make.one))
            case _:
                return None
    return first, stop


def _place(make: ExprBuilder, gap: Exp, index: Var) -> tuple[Exp, int] | None:
    """Where a linear expression of an index is zero, and the step by which it changes, if that is 1 or -1."""
    const, terms = make.linear(gap)
    step = terms.pop(index, 0)
    rest = make.from_linear(const, terms)
    if abs(step) != 1 or any(n is index for n in nodes(rest)):
        return None
    return (make.sub(make.zero, rest) if step > 0 else rest), step
