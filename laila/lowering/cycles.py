"""Modulo indexing: a loop that reads an array at `k mod m` runs in rounds of length m, without the modulo.

Note [Rounds of a cycle]
    `(⍴v)⍴w` reads `w[k mod m]` where m is the length of w. A loop over k is cut into rounds in which k runs
    from one multiple of m up to the next, and what is left in the inner loop is a difference:
    `for k < n { … w[k mod m] … }` becomes `for r by m { for k in r … min(r+m, n) { … w[k-r] … } }`.
    Where a reshaped array has all elements anyway, lowering says so by a choice (`fits ? k : k mod m`), which
    goes, too: either way it is k mod m. Where k may be negative, as that of the second array of several that
    stand one behind the other, rounds would begin behind the first element.
"""

from __future__ import annotations

from dataclasses import dataclass

from aplc.laila.ir.scalar import REM, Call, Const, Exp, FreeVars, Read, Select, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import Piece, bound_in

SHORT = 64
"""Cycles and loops that are known to be shorter do not pay."""
LONG = 512
"""Shorter cycles of a known length stand in memory again and again, up to so many elements."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """Positions that are `(k + shift) mod length` for the index k of a loop."""

    length: Exp
    shift: Exp
    positions: tuple[Exp, ...]


def cycle_of(make: ExprBuilder, free: FreeVars, piece: Piece, unbound: frozenset[Var]) -> Cycle | None:
    """A cycle in which memory is read while the index of a loop ascends, if there is one."""
    extent = make.sub(piece.stop, piece.start)
    if isinstance(extent, Const) and extent.value < SHORT:
        return None
    every = list(nodes(*piece.roots))
    found: list[tuple[Call, Exp]] = []
    for node in nodes(*[n.index for n in every if isinstance(n, Read)]):
        if not isinstance(node, Call) or node.op is not REM or piece.var not in free.of(node):
            continue
        if make.nonnegative(node.args[0]):
            shift = make.sub(node.args[0], piece.var)
            if piece.var not in free.of(shift) | free.of(node.args[1]):
                found.append((node, shift))
    if not found:
        return None
    (first, shift), hidden = found[0], unbound | bound_in(piece.roots)
    length = first.args[1]
    if (free.of(shift) | free.of(length)) & hidden or (isinstance(length, Const) and length.value < SHORT):
        return None
    same = {node for node, other in found if node.args[1] is length and other is shift}
    chosen = [n for n in every if isinstance(n, Select) and n.other in same and _is_known(n.cond)]
    return Cycle(length, shift, (*same, *chosen))


def _is_known(cond: Exp) -> bool:
    """Whether a condition says that a reshaped array has all the elements that are read."""
    return isinstance(cond, Var) and cond.likely
