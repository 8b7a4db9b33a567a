"""Strength reduction: powers whose exponents count the steps of a fold are products that run along with it.

Note [Running powers]
    In `+/c×x*¯1+⍳≢c` the exponent goes up by one from step to step and the base stays the same. Where several
    points are in lanes, each keeps its power, and the next one is a product with the base:

        for k { for j in lanes { s[j] = s[j] + c[k]×x[j]*k } }
        →   for k { for j in lanes { s[j] = s[j] + c[k]×p[j]; p[j] = p[j]×x[j] } }

    This is done to powers of fewer than 64 factors only (`SHORT_POWER`, of which there are none with
    `--strict-fp`). So many roundings are an error of 64×2*¯53 at most, that of squares of squares. A product
    is exact where the power is a whole number below 2*53; it is infinite, zero, or no number where the power
    is; one that gets too small for all its digits loses no more of them than the power does, as its base is
    less than one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.scalar import (
    SHORT_POWER,
    BlockExp,
    Call,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import bound_in
from aplc.laila.ir.substitute import Substitute


@dataclass(frozen=True, slots=True)
class RunningPower:
    """A power of a base that stays the same, what it is at first, and a variable that stands for it."""

    node: Exp
    base: Exp
    first: Exp
    var: Var


def running_powers(make: ExprBuilder, free: FreeVars, roots: Sequence[Exp], index: Var) -> list[RunningPower]:
    """The powers in the body of a fold over `index` that are products of those of the step before; they are
    computed at each step.
    """
    if contains(Fold | BlockExp | PureCall, *roots):
        return []
    certain = {id(n) for n in unconditional(tuple(roots))}
    hidden = bound_in(tuple(roots)) | {index}
    found: list[RunningPower] = []
    for node in dict.fromkeys(nodes(*roots)):
        if not isinstance(node, Call) or node.op is not SHORT_POWER or id(node) not in certain:
            continue
        base, exponent = node.args
        first = Substitute(make, {index: make.zero})(exponent)
        if make.sub(exponent, first) is index and not free.of(base) & hidden:
            var = Var(make.fresh("power"), node.ty)
            found.append(RunningPower(node, base, make.call(SHORT_POWER, base, first), var))
    return found


def with_running_powers(
    make: ExprBuilder, roots: tuple[Exp, ...], powers: Sequence[RunningPower]
) -> tuple[Exp, ...]:
    """Expressions with the variables for their powers, and behind them the bases."""
    if not powers:
        return roots
    change = Substitute(make, {power.node: power.var for power in powers})
    return (*[change(root) for root in roots], *[power.base for power in powers])
