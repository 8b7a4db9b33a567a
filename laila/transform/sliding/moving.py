"""What windows and shared rows ask about statements: which may be done later, and what they write."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from aplc.laila.ir.liveness import named
from aplc.laila.ir.program import Alloc, Free, Fused, HostCheck, HostLet, If, Map, Statement
from aplc.laila.ir.scalar import BlockExp, Buffer, contains
from aplc.laila.ir.statements import expressions, within
from aplc.laila.lowering.pull import weigh

_KINDS = (Alloc, HostCheck, HostLet, Map, Fused, If)


def stays(arrays: Collection[Buffer], others: Sequence[Statement]) -> bool:
    """Whether what is made of arrays can be made behind other statements; they are freed later then."""
    inside = [s for s in within(others) if not isinstance(s, Free)]
    return all(isinstance(s, _KINDS) and not set(arrays) & set(named(s)) for s in inside)


def general(statement: Statement) -> Map | None:
    """The map over rows that a statement is, or of which it has versions: the last one is for all cases."""
    last = statement
    while isinstance(last, If) and len(last.other) == 1:
        (last,) = last.other
    if not isinstance(last, Map) or last.guard is not None or last.ordered or len(last.space.indices) < 2:
        return None
    if contains(BlockExp, *expressions(statement)):
        return None
    written = {b for s in within((statement,)) for b in named(s)}
    return last if written == {last.buffer} else None


def may_fail(statement: Statement) -> bool:
    """Whether a statement may raise an error."""
    return any(weigh(e).may_fail for e in expressions(statement))
