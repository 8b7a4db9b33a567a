"""Integers of loops over scalars that a round makes narrow, whatever they were: lanes keep 32 bits of them.

    x = first; while k < n { x = f(x); k += 1 }; x
        →   y = f(first); k' = k < n ? k + 1 : k; while k' < n { y = f(y); k' += 1 }; k < n ? y : first

Of bits that `⎕INT32XOR` and its like give, or rests, there are 32, though what they begin with may be any
number. Behind the first round a vector has twice as many of them. `masked_simd_loops` makes the lanes.

Legal: what all points share tells whether there is a first round, and a round is computed without a trap and
without a check where there is none.
"""

from __future__ import annotations

from dataclasses import dataclass

from aplc.laila.ir.interval_rules import INT32
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.rounds import Divided, Rounds, is_total
from aplc.laila.ir.scalar import Exp, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.tail.types import Base


@dataclass(frozen=True, slots=True)
class Later:
    """A loop without its first round."""

    rounds: Rounds
    began: Exp
    """Whether there is a first round."""
    names: dict[Var, Var]
    """What the variables are called that have 32 bits now."""


def behind_first_round(make: ExprBuilder, ranges: Ranges, rounds: Rounds, parts: Divided) -> Later | None:
    """The loop behind its first round, if that makes integers that points have of their own narrow."""
    if parts.own_cond is not make.true or not all(is_total(e) for e in (*rounds.firsts, *rounds.nexts)):
        return None
    names: dict[Var, Var] = {}
    for var, new in zip(rounds.variables, rounds.nexts, strict=True):
        if var in parts.own and var.ty is Base.INT and not ranges.integers(var).within(INT32):
            found = ranges.integers(new)
            if found.within(INT32) and not found.is_empty:
                low, high = make.const(int(found.low)), make.const(int(found.high))
                names[var] = Var(make.fresh(var.name), var.ty, lows=(low,), highs=(high,))
    if not names:
        return None
    starts = Substitute(make, dict(zip(rounds.variables, rounds.firsts, strict=True)))
    began = starts(rounds.cond)
    firsts = [
        starts(new) if var in parts.own else make.select(began, starts(new), first)
        for var, new, first in zip(rounds.variables, rounds.nexts, rounds.firsts, strict=True)
    ]
    named = Substitute(make, {v: name for v, name in names.items()})
    variables = tuple([names.get(v, v) for v in rounds.variables])
    nexts = tuple([named(e) for e in rounds.nexts])
    later = Rounds(variables, tuple(firsts), named(rounds.cond), nexts, named(rounds.result))
    return Later(later, began, names)
