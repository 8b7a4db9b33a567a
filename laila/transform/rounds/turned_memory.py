"""Rounds that hand memory on from array to array move elements instead, where all rounds can then be made
for one element, in registers.

    while … { MAP c[i] = f(a[i], b[i]); swap a b; swap b c }
        →   while … { FUSED { MAP a[i] = b[i]; MAP b[i] = f(a[i], b[i]) } }

Such are recurrences that know the last two values, `t←(2×x×b)-a ⋄ a←b ⋄ b←t`. An array moves as a whole in
one step, which is cheaper than its elements as long as these lie in memory: `pointwise` asks for this form,
and keeps the other one where its rounds stay outside.

Legal: what is written anew is read by nothing in a round and by nothing outside the loop, so that it does
not matter what it holds; one statement mentions the arrays before they exchange their memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import mentioned
from aplc.laila.ir.program import Fused, Map, Statement, Swap, While
from aplc.laila.ir.scalar import Buffer, Read, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions


def with_elements_moved(loop: While, fresh: Sequence[Buffer], make: ExprBuilder) -> While | None:
    """The loop without exchanges of memory; None where it has none, or is not of the kind. What is `fresh` is
    mentioned by nothing else.
    """
    holds = _held(loop.body)
    users = [
        k
        for k, s in enumerate(loop.body)
        if not isinstance(s, Swap) and not holds.keys().isdisjoint(mentioned(s))
    ]
    if not holds or len(users) != 1 or any(isinstance(s, Swap) for s in loop.body[: users[0]]):
        return None
    statement = loop.body[users[0]]
    parts = statement.parts if isinstance(statement, Fused) else (statement,)
    maps = [q for q in parts if isinstance(q, Map) and q.guard is None and not q.ordered]
    written = {q.buffer: q for q in maps if q.buffer in holds}
    read = {n.buffer for n in nodes(*own_expressions(statement)) if isinstance(n, Read)}
    if len(maps) < len(parts) or not written or any(b in read or b not in fresh for b in written):
        return None
    if len({(b.storage, b.lows, b.highs, b.values) for b in holds}) > 1:
        return None
    first = next(iter(written.values()))
    moved: list[Map] = [q for q in maps if q.buffer not in holds]
    for target, source in holds.items():
        if target in written or target is source:
            continue
        if source in written:
            moved.append(replace(written[source], buffer=target))
        else:
            moved.append(replace(first, buffer=target, body=make.read(source, first.position)))
    if any(holds[b] in written for b in written):
        return None  # what is written stays where nobody reads it
    changed: Statement = Fused(first.space, tuple(moved), in_place=True) if len(moved) > 1 else moved[0]
    kept = [changed if s is statement else s for s in loop.body if not isinstance(s, Swap)]
    return replace(loop, body=tuple(kept))


def _held(body: Sequence[Statement]) -> dict[Buffer, Buffer]:
    """Whose memory the arrays have behind a round that exchange it, by what each has before."""
    holds: dict[Buffer, Buffer] = {}
    for swap in [s for s in body if isinstance(s, Swap)]:
        a, b = swap.first, swap.second
        holds[a], holds[b] = holds.get(b, b), holds.get(a, a)
    return holds
