"""Sequentialises parallel copies: state that changes at once, as assignments one after the other.

The state of a loop changes at once: `a b←⍵ ⋄ b a` exchanges two arrays, their lengths with them. Statements
run one after the other, so a change waits until nobody needs what is there before it. Where several wait for
each other in a ring, one of the new values is kept under another name first:

    (a, b, c) := (b, c, t)    →    a := b; b := c; c := t
    (m, n) := (n, m)          →    t = n; n := m; m := t

Arrays exchange their memory instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from aplc.laila.ir.program import Assign, HostLet, Statement, Swap
from aplc.laila.ir.scalar import Buffer, Exp, FreeVars, Var
from aplc.laila.ir.simplify import ExprBuilder


def assignments(make: ExprBuilder, changes: Sequence[tuple[Var, Exp]]) -> list[Statement]:
    """Statements after which each variable has its new value, computed of what all were before."""
    free = FreeVars()
    left = [(var, value) for var, value in changes if not (isinstance(value, Var) and value.name == var.name)]
    result: list[Statement] = []
    while left:
        ready = next((k for k in range(len(left)) if not _is_needed(free, left, k)), None)
        if ready is not None:
            result.append(Assign(*left.pop(ready)))
        else:
            var, value = left[0]
            kept = replace(var, name=make.fresh("t"))
            result.append(HostLet(kept, value))
            left[0] = var, kept
    return result


def _is_needed(free: FreeVars, changes: Sequence[tuple[Var, Exp]], k: int) -> bool:
    """Whether another change than the `k`th needs the variable that it changes."""
    name = changes[k][0].name
    return any(name in free.names(value) for j, (_, value) in enumerate(changes) if j != k)


def exchanges(buffers: Sequence[Buffer | None], wanted: Mapping[int, int]) -> list[Statement]:
    """Swaps after which each place that wants what another one holds has got it.

    No two want the same, and what is wanted is not to stay where it is.
    """
    holder = {k: k for k in (*wanted, *wanted.values())}
    result: list[Statement] = []
    for k, source in wanted.items():
        place = holder[source]
        if place == k:
            continue
        first, second = buffers[k], buffers[place]
        assert first is not None and second is not None
        result.append(Swap(first, second))
        displaced = next(old for old, now in holder.items() if now == k)
        holder[source], holder[displaced] = k, place
    return result
