"""Coalesces buffers that only exchange their memory: one buffer for both.

A loop that changes an array in place gives its memory to a new array and takes it back at the end of the
round. The memory cannot lie on the stack then, and what is written looks like another array than what is
read. Where the old array is not mentioned in between, the two are one:

    empty b; take b from a; MAP b[…] = …; take a from b    →    MAP a[…] = …

So are an array that begins in the same sequence and the one that gets its memory for good.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.laila.ir.liveness import mentioned
from aplc.laila.ir.program import Alloc, Empty, Free, Move, Program, Statement
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import Buffer
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import with_blocks, with_bodies
from aplc.laila.transform.narrow import Narrowing


def without_moves(program: Program, make: ExprBuilder) -> Program:
    """The program without memory that changes hands only to come back."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    block = [with_bodies(s, lambda inner: _block(inner, make)) for s in statements]
    guests = [s.buffer for s in block if isinstance(s, Empty)]
    while guests:
        merged = _without(block, guests, make)
        if len(merged) == len(block):
            break
        block = list(merged)
        guests = [s.buffer for s in block if isinstance(s, Empty)]
    return tuple(block)


def _without(block: list[Statement], guests: list[Buffer], make: ExprBuilder) -> tuple[Statement, ...]:
    """The statements without those of some buffers that only borrow the memory of others."""
    places: dict[Buffer, list[int]] = {}
    for k, statement in enumerate(block):
        for buffer in mentioned(statement):
            places.setdefault(buffer, []).append(k)
    hosts: dict[Buffer, Buffer] = {}
    removed: set[int] = set()
    ours = {s.buffer for s in block if isinstance(s, Alloc | Empty)}
    for guest in guests:
        empty, *uses = places[guest]
        if len(uses) < 2 or not isinstance(block[empty], Empty):
            continue
        lent, given_back = block[uses[0]], block[uses[-1]]
        if not (isinstance(lent, Move) and lent.target is guest):
            continue
        host = lent.source
        is_returned = (
            isinstance(given_back, Move) and given_back.source is guest and given_back.target is host
        )
        is_free = not any(uses[0] < k < uses[-1] for k in places[host])
        later = [k for k in places[host] if k > uses[0]]
        is_left = host in ours and all(isinstance(block[k], Free) for k in later)
        if not _are_alike(guest, host):
            continue
        if is_returned and is_free:
            hosts[guest] = host
            removed |= {empty, uses[0], uses[-1]}
        elif is_left:
            hosts[guest] = host
            removed |= {empty, uses[0], *later}
    if not hosts:
        return tuple(block)
    for guest in hosts:
        while hosts[guest] in hosts:
            hosts[guest] = hosts[hosts[guest]]
    rest = [s for k, s in enumerate(block) if k not in removed]
    renamed = Narrowing(make, Ranges(is_single=make.settings.is_single), hosts).statements(rest)
    handed_on = {b for s in renamed for b in mentioned(s) if b in hosts}  # by name
    return _without(block, [g for g in guests if g not in handed_on], make) if handed_on else renamed


def _are_alike(a: Buffer, b: Buffer) -> bool:
    """Whether the same is known of the elements of two buffers."""
    return (a.storage, a.lows, a.highs, a.values) == (b.storage, b.lows, b.highs, b.values)
