"""Coalesces buffers that only exchange their memory: one buffer for both.

A loop that changes an array in place gives its memory to a new array and takes it back at the end of the
round. The memory cannot lie on the stack then, and what is written looks like another array than what is
read. Where the old array is not mentioned in between, the two are one:

    empty b; take b from a; MAP b[…] = …; take a from b    →    MAP a[…] = …

So are an array that begins in the same sequence and the one that gets its memory for good, be it in one
branch only, where the other one gets other memory:

    empty b; if c {take b from a} else {take b from d}; free a    →    if c {} else {take a from d}

Whatever moves are left, in branches and in loops, are looked at by `buffers.copy_coalescing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import Users, mentioned
from aplc.laila.ir.program import Alloc, Empty, Free, Function, If, Move, Output, Program, Statement
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import Buffer
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import with_bodies
from aplc.laila.transform.buffers.copy_coalescing import Statements, with_moves_coalesced
from aplc.laila.transform.narrow import Narrowing


def without_moves(program: Program, make: ExprBuilder) -> Program:
    """The program without memory that changes hands only to come back."""
    functions = tuple([_function(f, make) for f in program.functions])
    return replace(program, statements=_coalesced(program.statements, make), functions=functions)


def _function(function: Function, make: ExprBuilder) -> Function:
    """A function; what it gives goes by other names then, as what a program gives."""
    given = [Output(result, is_result=True) for result in function.results]
    statements = _coalesced([*function.statements, *given], make)
    results = [s.value for s in statements if isinstance(s, Output) and s.is_result]
    rest = [s for s in statements if not (isinstance(s, Output) and s.is_result)]
    return replace(function, statements=tuple(rest), results=tuple(results))


def _coalesced(statements: Sequence[Statement], make: ExprBuilder) -> Statements:
    return with_moves_coalesced(_block(statements, make), make)


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    block = [with_bodies(s, lambda inner: _block(inner, make)) for s in statements]
    block = _with_direct_moves(block)
    block = list(_without_chosen(block, make))
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
    places = Users().of(block)
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
    handed_on = _named(renamed, hosts)
    return _without(block, [g for g in guests if g not in handed_on], make) if handed_on else renamed


def _named(block: Sequence[Statement], hosts: Mapping[Buffer, Buffer]) -> frozenset[Buffer]:
    """The buffers with a host that statements still mention: what is handed on goes by its name."""
    return frozenset([b for s in block for b in mentioned(s) if b in hosts])


def _with_direct_moves(block: list[Statement]) -> list[Statement]:
    """The statements without buffers that get their memory only to hand it on."""
    if not any(isinstance(s, Empty) for s in block):
        return block
    places = Users().of(block)
    changed: dict[int, Statement | None] = {}
    for between, uses in places.items():
        if len(uses) != 3 or any(k in changed for k in uses):
            continue
        empty, first, second = (block[k] for k in uses)
        if not (isinstance(empty, Empty) and isinstance(first, Move) and isinstance(second, Move)):
            continue
        if first.target is not between or second.source is not between:
            continue
        source, target = first.source, second.target
        is_quiet = not any(uses[1] < k < uses[2] for k in places[source])
        if is_quiet and source is not target and _are_alike(between, source):
            changed |= {uses[0]: None, uses[1]: None, uses[2]: Move(target, source)}
    return [s for k, old in enumerate(block) if (s := changed.get(k, old)) is not None]


def _without_chosen(
    block: list[Statement], make: ExprBuilder, kept: frozenset[Buffer] = frozenset()
) -> tuple[Statement, ...]:
    """The statements without buffers that get their memory in a condition, in one of its branches that of an
    array that begins in the same sequence and is not needed behind it; those to be `kept` stay.
    """
    if not any(isinstance(s, If) for s in block):
        return tuple(block)
    places = Users().of(block)
    begun = {s.buffer: k for k, s in enumerate(block) if isinstance(s, Alloc | Empty)}
    hosts: dict[Buffer, Buffer] = {}
    removed: set[int] = set()
    for guest, start in begun.items():
        at = next((k for k in places[guest] if k != start), start)
        chosen = block[at]
        if not isinstance(block[start], Empty) or not isinstance(chosen, If) or guest in kept:
            continue
        for mine, others in ((chosen.then, chosen.other), (chosen.other, chosen.then)):
            host = _given(guest, mine)
            if host is None or host not in begun or not _are_alike(guest, host):
                continue
            if not {guest, host}.isdisjoint((*hosts, *hosts.values())):
                continue
            later = [k for k in places[host] if k > at]
            is_left = begun[host] < at and all(isinstance(block[k], Free) for k in later)
            if is_left and _given(guest, others, host) is not None:
                hosts[guest] = host
                removed |= {start, *later}
                break
    if not hosts:
        return tuple(block)
    rest = [s for k, s in enumerate(block) if k not in removed]
    renamed = Narrowing(make, Ranges(is_single=make.settings.is_single), hosts).statements(rest)
    handed_on = _named(renamed, hosts)
    if handed_on:
        return _without_chosen(block, make, kept | handed_on)
    return tuple(with_bodies(s, _without_idle) if isinstance(s, If) else s for s in renamed)


def _without_idle(branch: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """A branch without what gives a buffer its own memory."""
    return tuple(s for s in branch if not (isinstance(s, Move) and s.target is s.source))


def _given(guest: Buffer, branch: Sequence[Statement], host: Buffer | None = None) -> Buffer | None:
    """Whose memory a buffer gets in a branch, which mentions it there only, and behind that neither a host
    nor whose memory it was; None if it is otherwise.
    """
    at = [k for k, s in enumerate(branch) if guest in mentioned(s)]
    move = branch[at[0]] if len(at) == 1 else None
    if not isinstance(move, Move) or move.target is not guest:
        return None
    gone = {move.source, host}
    is_last = not any(gone & set(mentioned(s)) for s in branch[at[0] + 1 :])
    return move.source if is_last else None


def _are_alike(a: Buffer, b: Buffer) -> bool:
    """Whether the same is known of the elements of two buffers."""
    return (a.storage, a.lows, a.highs, a.values) == (b.storage, b.lows, b.highs, b.values)
