"""Memory that each round of a loop asks for anew, in sizes that change from round to round, is kept for the
next round.

What has the same size in each round is allocated before the loop (`hoist`). Of what remains, an array that
ends in its round leaves its memory to the next one, and an array that replaces another one gets the memory of
that one in exchange:

    while … { alloc b[n]; MAP b[…] = … a …; take a from b }
        →    empty b
             while … {
                 if n > room { free b; alloc b[n ⌈ 1.5 × room] }
                 MAP b[…] = … a …
                 swap a b; swap their rooms
             }
             free b

`room` is for how many elements the memory of an array suffices, ¯1 where it has none, or that is not known.
Memory that is far too large is not kept: a small array that a loop leaves behind does not hold it. What an
array grows out of, which `buffers.growth` gives room for more than it needs, is freed.
With threads, each part of a loop in parts has memory of its own, which none of the rounds around it keeps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

from aplc.laila.ir.failures import room_for
from aplc.laila.ir.liveness import introduced
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Assign,
    Empty,
    ForEach,
    Free,
    HostCheck,
    HostLet,
    If,
    Move,
    Output,
    Program,
    Statement,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.scalar import QUOT, BlockExp, Buffer, Call, Const, Exp, Sum, Var, told_at
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import (
    bodies,
    everywhere,
    leaves,
    statements_of,
    with_blocks,
    with_bodies,
)
from aplc.laila.ir.substitute import with_sequences
from aplc.laila.transform.hoist import is_local
from aplc.tail import prims as p
from aplc.tail.types import Base

LARGER = 4
"""Memory for more than so many times as many elements as an array has, and some more, is not kept for it."""
SOME = 1024


def with_memory_kept(program: Program, make: ExprBuilder, *, in_threads: bool) -> Program:
    """The program with memory that stays from round to round of its loops."""
    return with_blocks(program, lambda statements: _block(statements, make, in_threads))


@dataclass(slots=True)
class _Kept:
    """The arrays whose memory stays in a loop."""

    begun: dict[Buffer, Alloc] = field(default_factory=dict)
    """Those that begin in a round,"""
    replaced: dict[Buffer, None] = field(default_factory=dict)
    """and those of outside that they replace."""


def _block(statements: Sequence[Statement], make: ExprBuilder, in_threads: bool) -> tuple[Statement, ...]:
    result: list[Statement] = []
    for statement in statements:
        kept = _kept(statement, in_threads) if _is_loop(statement) else _Kept()
        if kept.begun:
            rooms = {b: _room(make) for b in (*kept.begun, *kept.replaced)}
            for buffer in kept.replaced:
                _know_room(result, buffer, rooms[buffer], make)
            result += [s for b in kept.begun for s in (Variable(rooms[b], make.const(-1)), Empty(b))]
            statement = with_bodies(statement, partial(_round, rooms=rooms, kept=kept, make=make))
        result.append(_inside(statement, make, in_threads))
        result += [Free(b) for b in kept.begun]
    return tuple(result)


def _inside(statement: Statement, make: ExprBuilder, in_threads: bool) -> Statement:
    """A statement with the loops inside it, and in its expressions, changed."""
    statement = with_bodies(statement, lambda body: _block(body, make, in_threads))

    def changed(node: BlockExp) -> tuple[Statement, ...] | None:
        before = statements_of(node)
        after = _block(before, make, in_threads)
        return after if after != before else None

    return with_sequences(make, statement, changed)


def _room(make: ExprBuilder) -> Var:
    return Var(make.fresh("room"), Base.INT, True, (make.const(-1),))


def _is_loop(statement: Statement) -> bool:
    return isinstance(statement, While) or (isinstance(statement, ForEach) and not statement.independent)


# --- which memory stays ---------------------------------------------------------------------------------


def _kept(loop: Statement, in_threads: bool) -> _Kept:
    """The arrays that begin in rounds of a loop and either end there or replace one of outside, whose memory
    changes hands in no other way; with threads, none that each part of a loop has for itself.
    """
    changes: dict[Buffer, list[Statement]] = {}
    own: set[Buffer] = set()
    for body in bodies(loop):
        for statement in everywhere(body):
            if in_threads and isinstance(statement, ForEach) and statement.independent:
                own.update(statement.scratch)
            for buffer in _owners(statement):
                changes.setdefault(buffer, []).append(statement)
    found: dict[Buffer, Alloc] = {}
    usual: set[tuple[Buffer, int]] = set()
    for block in _blocks(loop):
        ends = {b: s for s in block for b in _ended(s)}
        for b in _doubled(block):
            ends.pop(b, None)
        for statement in block:
            if isinstance(statement, Alloc) and statement.buffer in ends and not is_local(statement):
                found[statement.buffer] = statement
                usual |= {(statement.buffer, id(s)) for s in (statement, ends[statement.buffer])}
    begun = {b: a for b, a in found.items() if b not in own and all((b, id(s)) in usual for s in changes[b])}
    while True:
        targets = {b: s.target for b in begun for s in changes[b] if isinstance(s, Move)}
        wrong = [
            b
            for b, target in targets.items()
            if target.storage != b.storage
            or not all(isinstance(s, Move) and s.source in begun for s in changes[target])
        ]
        if not wrong:
            return _Kept(begun, dict.fromkeys(targets.values()))
        for b in wrong:
            del begun[b]


def _blocks(loop: Statement) -> Iterator[tuple[Statement, ...]]:
    """The sequences of statements that a round goes through in order."""
    for body in bodies(loop):
        yield body
        for statement in body:
            if isinstance(statement, If) or _is_loop(statement):
                yield from _blocks(statement)


def _doubled(block: Sequence[Statement]) -> list[Buffer]:
    """The buffers that give an array more memory than it needs, seldom: no round wants the old memory."""
    return [
        s.source
        for s, after in pairwise(block)
        if isinstance(s, Move)
        and isinstance(after, Assign)
        and after.of_memory
        and not isinstance(after.value, Const)
    ]


def _ended(statement: Statement) -> list[Buffer]:
    match statement:
        case Free(buffer=b) | Move(source=b):
            return [b]
        case _:
            return []


def _owners(statement: Statement) -> list[Buffer]:
    """The buffers whose memory begins, ends or changes hands in a statement."""
    match statement:
        case Free(buffer=b):
            return [b]
        case Move(target=a, source=b) | Swap(first=a, second=b):
            return [a, b]
        case Output(value=value, is_result=True):
            return [leaf.buffer for leaf in leaves(value) if isinstance(leaf, ArrayRef)]
        case _:
            return introduced(statement)


# --- the loop -------------------------------------------------------------------------------------------


def _know_room(before: list[Statement], buffer: Buffer, room: Var, make: ExprBuilder) -> None:
    """Add to the statements in front of a loop the variable for the room of an array, where it is allocated
    or at the end.
    """
    for k in reversed(range(len(before))):
        statement = before[k]
        if isinstance(statement, Alloc) and statement.buffer is buffer:
            before.insert(k + 1, Variable(room, statement.size))
            return
        if any(buffer in _owners(s) for s in everywhere((statement,))):
            break
    before.append(Variable(room, make.const(-1)))


def _round(
    block: Sequence[Statement], rooms: Mapping[Buffer, Var], kept: _Kept, make: ExprBuilder
) -> tuple[Statement, ...]:
    """The statements of a round that has memory from the one before."""
    result: list[Statement] = []
    now: dict[Buffer, Var] = {}
    for statement in block:
        match statement:
            case Alloc(buffer=buffer) if buffer in kept.begun:
                now[buffer] = _room(make)
                result += _enough(statement, rooms[buffer], now[buffer], make)
            case Free(buffer=buffer) if buffer in kept.begun:
                result.append(Assign(rooms[buffer], now[buffer], of_memory=True))
            case Move(target=target, source=source) if source in kept.begun:
                result += [
                    Swap(target, source),
                    Assign(rooms[source], rooms[target], of_memory=True),
                    Assign(rooms[target], now[source], of_memory=True),
                ]
            case If() | While() | ForEach():
                inside = partial(_round, rooms=rooms, kept=kept, make=make)
                result.append(with_bodies(statement, inside))
            case _:
                result.append(statement)
    return tuple(result)


def _factors(size: Exp, make: ExprBuilder) -> tuple[Exp, ...]:
    """The factors of a product."""
    match size:
        case Call(op=p.MULI, args=args):
            return tuple([factor for arg in args for factor in _factors(arg, make)])
        case Sum(const=0, terms=((atom, k),)):
            return (*_factors(atom, make), make.const(k))
        case _:
            return (size,)


def _enough(alloc: Alloc, room: Var, now: Var, make: ExprBuilder) -> list[Statement]:
    """Other memory for an array, where what it has is too little or far too much, and its room `now`."""
    array, named = alloc.buffer, alloc.size
    result: list[Statement] = []
    size = named
    factors = _factors(named, make)
    if sum(not isinstance(n, Const) for n in factors) > 1 and not make.settings.unsafe:
        # such a product may wrap where it has a name
        ok, *told = room_for(make, factors)
        result.append(HostCheck(ok, *told_at(alloc.site, tuple(told))))
    if not isinstance(named, Var | Const):
        size = Var(make.fresh("size"), Base.INT, True)
        result.append(HostLet(size, named))
    gone, more = (replace(array, name=make.fresh(hint)) for hint in ("gone", "more"))
    is_other = Var(make.fresh("other"), Base.BOOL)
    too_little = make.call(p.GTI, size, room)
    some = make.add(make.mul(make.const(LARGER), size), make.const(SOME))
    grown = make.call(p.MAXI, size, make.add(room, make.call(QUOT, room, make.const(2))))
    wanted = make.select(too_little, grown, size)
    other = (Empty(gone), Move(gone, array), Free(gone), Alloc(more, now, alloc.site), Move(array, more))
    return [
        *result,
        HostLet(is_other, make.call(p.ORB, too_little, make.call(p.GTI, room, some))),
        HostLet(now, make.select(is_other, wanted, room)),
        If(is_other, other),
    ]
