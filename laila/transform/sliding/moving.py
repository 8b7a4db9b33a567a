"""What windows and shared rows ask about statements: which may be done later, and what they write."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import named
from aplc.laila.ir.program import Alloc, Free, Fused, HostCheck, HostLet, If, Map, Statement
from aplc.laila.ir.scalar import BlockExp, Buffer, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import expressions, within
from aplc.laila.ir.substitute import Substitute
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


def by_array(statement: Statement) -> dict[Buffer, Statement]:
    """What a loop of maps makes, perhaps in versions, made by a loop for each array; none if it does more."""
    last = statement
    while isinstance(last, If) and len(last.other) == 1:
        (last,) = last.other
    if not isinstance(last, Fused):
        return {}
    arrays = dict.fromkeys([q.buffer for q in last.parts if isinstance(q, Map)])
    made = {array: own for array in arrays if (own := _only(statement, array)) is not None}
    return made if len(made) == len(arrays) else {}


def _only(statement: Statement, array: Buffer) -> Statement | None:
    """A loop of maps that makes one array, perhaps in versions; None if it does anything else."""
    if isinstance(statement, If):
        sides = [[_only(s, array) for s in side] for side in (statement.then, statement.other)]
        then, other = [tuple([s for s in side if s is not None]) for side in sides]
        return None if any(None in side for side in sides) else replace(statement, then=then, other=other)
    if not isinstance(statement, Fused) or statement.in_place:
        return None
    if not all(isinstance(q, Map) for q in statement.parts):
        return None
    own = [q for q in statement.parts if isinstance(q, Map) and q.buffer is array]
    return own[0] if len(own) == 1 else replace(statement, parts=tuple(own)) if own else None


def together(maps: Sequence[Map], make: ExprBuilder) -> list[Statement]:
    """Maps of different arrays that read none of these, as one loop if they have one space."""
    first = maps[0]
    if len(maps) < 2 or not all(m.space.is_same_as(first.space) for m in maps):
        return list(maps)
    parts: list[Map] = []
    for each in maps:
        here = Substitute(make, dict(zip(each.space.indices, first.space.indices, strict=True)))
        parts.append(replace(each, space=first.space, position=here(each.position), body=here(each.body)))
    return [Fused(first.space, tuple(parts))]


def may_fail(statement: Statement) -> bool:
    """Whether a statement may raise an error."""
    return any(weigh(e).may_fail for e in expressions(statement))
