"""Small memory that rounds of a loop ask for, each of its own size, stays for the next round.

    for i in … { alloc b[n]; …; free b }
    →   room := ¯1
        for i in … { if n > room { free b; room := n ⌈ 64; alloc b[room] }
                     …
                     if room > 4096 { free b; room := ¯1 } }
        free b

What has the same size in all rounds has been allocated before them (`hoist`), and what rounds in order hand
on stays in another way (`memory_reuse`). This is for what is left: what a function of items wants.
Memory that is not small is freed where it was, so no more of it is held at a time than before. Each part of a
loop that runs in threads has memory of its own: `Schedule.scratch`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import bodies, with_bodies
from aplc.laila.ir.program import ArrayRef, FunctionCall, HostCall, Move, Ref, ScalarRef, Swap, TupleRef
from aplc.laila.ir.scalar import Buffer, Call, Const, Exp, Sum, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail import prims as p
from aplc.tail.types import Base

LEAST = 64
"""The fewest elements for which there is room once there is any."""

_Loop = TypeVar("_Loop", bound=l.For | l.While)

MOST = 4096
"""Memory for more elements does not stay."""


def with_scratch_kept(code: l.Code, make: ExprBuilder) -> l.Code:
    """The program with small memory that stays from round to round of its outermost loops, or of each part of
    one with a schedule.
    """
    return l.with_blocks(code, lambda block: _block(block, make))


def _block(statements: tuple[l.Stm, ...], make: ExprBuilder) -> tuple[l.Stm, ...]:
    result: list[l.Stm] = []
    for statement in statements:
        match statement:
            case l.For(schedule=l.Schedule() as schedule):
                result.append(_in_parts(statement, schedule, make))
            case l.For() | l.While():
                rooms = _rooms(statement, make)
                result += l.around([*rooms.items()], _kept(statement, rooms, make))
            case _:
                result.append(with_bodies(statement, lambda body: _block(body, make)))
    return tuple(result)


def _in_parts(loop: l.For, schedule: l.Schedule, make: ExprBuilder) -> l.For:
    """A loop with a schedule, each of whose parts keeps memory of its own."""
    rooms = _rooms(loop, make)
    loop = _kept(loop, rooms, make)
    instead = None if schedule.in_order is None else _kept(schedule.in_order, rooms, make)
    return replace(loop, schedule=replace(schedule, in_order=instead, scratch=tuple(rooms.items())))


def _rooms(loop: l.For | l.While, make: ExprBuilder) -> dict[Buffer, Var]:
    """For each array that can stay, the number of elements for which there is room."""
    return {b: Var(make.fresh("room"), Base.INT) for b in _scratch(loop)}


def _scratch(loop: l.For | l.While) -> list[Buffer]:
    """The arrays of unknown size that begin and end in one place of a loop each, and change hands nowhere."""
    times: Counter[Buffer] = Counter()
    handed: set[Buffer] = set()
    for statement in (loop, *_in_order(loop.body)):
        match statement:
            case l.Allocate(buffer=b) | l.Release(buffer=b):
                times[b] += 1
            case l.For(private=private) | l.While(private=private):
                handed.update(private)
            case Move(target=a, source=b) | Swap(first=a, second=b):
                handed |= {a, b}
            case HostCall(result=result):
                handed.update(_buffers(result))
            case FunctionCall(results=results):
                handed.update([b for result in results for b in _buffers(result)])
            case l.Emit(value=value, is_result=True):
                handed.update(_buffers(value))
            case _:
                pass
    found: list[Buffer] = []
    for block in _blocks(loop):
        ends = {s.buffer for s in block if isinstance(s, l.Release)}
        for statement in block:
            if (
                isinstance(statement, l.Allocate)
                and statement.buffer in ends
                and times[statement.buffer] == 2
            ):
                is_plain = not isinstance(statement.size, Const) and not _is_product(statement.size)
                found += [statement.buffer] if is_plain and statement.buffer not in handed else []
    return found


def _is_product(size: Exp) -> bool:
    """Whether a size has factors, which are multiplied where memory is asked for: that may not fit."""
    match size:
        case Call(op=p.MULI) | Sum(const=0, terms=((_, _),)):
            return True
        case _:
            return False


def _in_order(statements: tuple[l.Stm, ...]) -> Iterator[l.Stm]:
    """All statements, but for those inside of loops in parts."""
    for statement in statements:
        yield statement
        if not _has_parts(statement):
            for body in bodies(statement):
                yield from _in_order(body)


def _blocks(statement: l.Stm) -> Iterator[tuple[l.Stm, ...]]:
    for body in bodies(statement):
        yield body
        for inner in body:
            if not _has_parts(inner):
                yield from _blocks(inner)


def _has_parts(statement: l.Stm) -> bool:
    return isinstance(statement, l.For) and statement.schedule is not None


def _buffers(value: Ref) -> list[Buffer]:
    match value:
        case ArrayRef(buffer=buffer):
            return [buffer]
        case TupleRef(items=items):
            return [b for item in items for b in _buffers(item)]
        case ScalarRef():
            return []


def _kept(loop: _Loop, rooms: Mapping[Buffer, Var], make: ExprBuilder) -> _Loop:
    """A loop whose arrays stay if there is a number for them; those inside of loops in parts stay there."""

    def block(statements: tuple[l.Stm, ...]) -> tuple[l.Stm, ...]:
        return tuple([new for s in statements for new in changed(s)])

    def changed(statement: l.Stm) -> list[l.Stm]:
        match statement:
            case l.Allocate(buffer=buffer, size=size, site=site, room=behind) if buffer in rooms:
                room, size_now = rooms[buffer], Var(make.fresh("size"), Base.INT)
                wanted = make.call(p.MAXI, make.const(LEAST), size_now)
                too_little = make.call(p.GTI, size_now, room)
                if not (make.counts(size) and make.nonnegative(size)):  # as it is where it is told
                    too_little = make.call(p.ORB, make.call(p.LTI, size_now, make.zero), too_little)
                    wanted = make.select(make.call(p.LTI, size_now, make.zero), size_now, wanted)
                other = (l.Release(buffer), l.Assign(room, wanted), l.Allocate(buffer, room, site, behind))
                return [l.Declare(size_now, size), l.If(too_little, other)]
            case l.Release(buffer=buffer) if buffer in rooms:
                room = rooms[buffer]
                large = make.call(p.GTI, room, make.const(MOST))
                return [l.If(large, (statement, l.Assign(room, make.const(-1))))]
            case l.For(schedule=l.Schedule() as schedule):
                return [_in_parts(statement, schedule, make)]
            case _:
                return [with_bodies(statement, block)]

    return replace(loop, body=block(loop.body))
