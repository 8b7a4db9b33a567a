"""Vectors that grow in loops keep room for more: what is added is written behind what is there.

A round that catenates something to an array writes all of it to new memory, so that a loop takes time in the
square of its rounds. Where the old array is dead then, as its memory is given up for the new one, the
elements stay where they are:

    alloc b[n + m]; MAP b[i] = i < n ? a[i] : f(i); take a from b
        →    if n + m > room { alloc c[(n + m) ⌈ 2 × room]; MAP c[j] = a[j]; take a from c; room := … }
             MAP a[n + j] = f(n + j)

What is added may be made of what is there (`a,2↑a`), which is then read in order from the memory that is
written behind it. Other memory for `a` in a branch, between, has no room that is known.

`room` is for how many elements the memory of `a` suffices at least. It is 0 wherever that is not known, so
that what comes next is written to new memory. Other axes than the first one may follow in the index.

What a round takes may be shorter than what is there (`4↑a`): then nothing is added, and a copy is no longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from aplc.laila.ir.liveness import buffers_read, introduced, mentioned, named
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    ForEach,
    HostLet,
    If,
    Map,
    Move,
    Program,
    Space,
    Statement,
    Store,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import Buffer, Call, Const, Exp, FreeVars, Read, Select, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.narrow import Narrowing
from aplc.tail import prims as p
from aplc.tail.types import Base


def with_room(program: Program, make: ExprBuilder) -> Program:
    """The program with room in memory for what loops add to arrays."""
    return with_blocks(program, lambda statements: _block(statements, make))


@dataclass(frozen=True, slots=True)
class _Growth:
    """What a round adds to an array: where in a block memory for all of it begins and is handed over."""

    start: int
    written: int
    end: int
    old: Buffer
    new: Buffer
    added: tuple[Statement, ...]
    """What is written behind what is there; its last part writes to memory that is large enough."""
    length: Exp
    """How many elements are there before,"""
    size: Exp
    """and behind it."""


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    block = [with_bodies(s, lambda inner: _block(inner, make)) for s in statements]
    grown = {b for s in block for b in _grown_in(s, make, in_loop=False)}
    if not grown:
        return tuple(block)
    rooms: dict[Buffer, Var] = {}
    result: list[Statement] = []
    for statement in block:
        result += _with_rooms((statement,), rooms, make, in_loop=False)
        for buffer in introduced(statement):
            if buffer in grown:
                rooms[buffer] = Var(make.fresh("room"), Base.INT, True, (make.zero,))
                size = statement.size if isinstance(statement, Alloc) else make.zero
                result.append(Variable(rooms[buffer], size))
    return tuple(result)


def _is_loop(statement: Statement) -> bool:
    return isinstance(statement, While) or (isinstance(statement, ForEach) and not statement.independent)


def _grown_in(statement: Statement, make: ExprBuilder, *, in_loop: bool) -> set[Buffer]:
    """The arrays to which loops in a statement add something."""
    if isinstance(statement, ForEach) and statement.independent:
        return set()
    in_loop = in_loop or _is_loop(statement)
    found: set[Buffer] = set()
    for body in bodies(statement):
        found |= {g.old for g in _growths(body, make)} if in_loop else set()
        for inner in body:
            found |= _grown_in(inner, make, in_loop=in_loop)
    return found


def _growths(block: Sequence[Statement], make: ExprBuilder) -> list[_Growth]:
    """Where a block adds to arrays that come from outside of it."""
    moves = {s.source: (k, s.target) for k, s in enumerate(block) if isinstance(s, Move)}
    found: list[_Growth] = []
    if not moves:
        return found
    own = {b for s in block for b in introduced(s)}
    for start, alloc in enumerate(block):
        if not isinstance(alloc, Alloc) or alloc.buffer not in moves:
            continue
        end, old = moves[alloc.buffer]
        places = [k for k, s in enumerate(block) if alloc.buffer in mentioned(s)]
        if len(places) < 3 or places[0] != start or places[-1] != end or old in own:
            continue
        between = block[places[1] + 1 : end]
        if any(old in _names(s) or _begins_anew(s, alloc.buffer) for s in between):
            continue
        growth = _growth(block[places[1]], (start, places[1], end), old, make)
        if growth is not None:
            found.append(growth)
    return found


def _begins_anew(statement: Statement, new: Buffer) -> bool:
    """Whether a statement names a buffer for more than getting other memory, in a branch perhaps."""
    if isinstance(statement, Move) and statement.target is new:
        return statement.source is new
    if not isinstance(statement, If):
        return new in _names(statement)
    return any(_begins_anew(s, new) for body in bodies(statement) for s in body)


def _names(statement: Statement) -> list[Buffer]:
    """The buffers that a statement and those inside it name outside of expressions."""
    return [*named(statement), *[b for body in bodies(statement) for s in body for b in _names(s)]]


def _growth(
    statement: Statement, places: tuple[int, int, int], old: Buffer, make: ExprBuilder
) -> _Growth | None:
    """What a map adds to an array of which it copies the rest; None if it does something else."""
    if not isinstance(statement, Map) or statement.guard is not None or statement.ordered:
        return None
    new, (i, *others), (extent, *widths) = statement.buffer, statement.space.indices, statement.space.extents
    known = (new.storage, new.lows, new.highs) == (old.storage, old.lows, old.highs)
    length = _kept(statement.body, i, old, statement.position)
    if not known or length is None or i in FreeVars().of(length):
        return None
    more = make.sub(extent, length)
    if not make.nonnegative(more):  # a take may want fewer than there are
        more = make.call(p.MAXI, more, make.zero)
    row = make.product(tuple(widths))
    j = make.index("i", more)
    replaced = Substitute(make, {i: make.add(length, j) if more is not make.one else length})
    position, value = replaced(statement.position), replaced(statement.body)
    if more is make.one and not others:
        added: tuple[Statement, ...] = (Store(old, position, value),)
        if not isinstance(value, Var | Const):
            var = Var(make.fresh("v"), value.ty)
            added = (HostLet(var, value), Store(old, position, var))
    else:
        reads = old in buffers_read(value)  # they lie before what is written, in the same memory
        if reads and more is length:
            return None  # twice the array: that is as much as a copy, and no loop in order
        added = (Map(old, Space((j, *others), (more, *widths)), position, value, ordered=reads),)
    return _Growth(*places, old, new, added, make.mul(length, row), make.mul(extent, row))


def _kept(body: Exp, i: Var, old: Buffer, position: Exp) -> Exp | None:
    """Up to which index the elements are those that are there in another array."""
    length: Exp | None = None
    while isinstance(body, Select):
        match body.cond:
            case Call(op=p.LTI, args=(index, bound)) if index is i:
                length, body = bound, body.then
            case _:
                return None
    is_same = isinstance(body, Read) and body.buffer is old and body.index is position
    return length if is_same else None


def _with_rooms(
    block: Sequence[Statement], rooms: dict[Buffer, Var], make: ExprBuilder, *, in_loop: bool
) -> tuple[Statement, ...]:
    """Statements that write what is added where there is room, and know how much there is."""
    growths = [g for g in _growths(block, make) if g.old in rooms] if in_loop else []
    rooms = {**rooms, **{g.new: rooms[g.old] for g in growths}}
    at = {k: g for g in growths for k in (g.start, g.written, g.end)}
    result: list[Statement] = []
    for k, statement in enumerate(block):
        if k in at:
            if k == at[k].written:
                result += _grow(at[k], rooms[at[k].old], block[at[k].start], make)
            continue
        if not (isinstance(statement, ForEach) and statement.independent):
            inside = partial(_with_rooms, rooms=rooms, make=make, in_loop=in_loop or _is_loop(statement))
            statement = with_bodies(statement, inside)
        result.append(statement)
        if isinstance(statement, Move | Swap):
            changed = [b for b in named(statement) if b in rooms]
            result += [Assign(rooms[b], make.zero, of_memory=True) for b in changed]
    merged = {g.new: g.old for g in growths}
    if not merged:
        return tuple(result)
    return Narrowing(make, Ranges(is_single=make.settings.is_single), merged).statements(result)


def _grow(growth: _Growth, room: Var, alloc: Statement, make: ExprBuilder) -> list[Statement]:
    """What a round adds, after memory for it where there is too little."""
    assert isinstance(alloc, Alloc)
    old = growth.old
    more = Buffer(make.fresh("more"), old.ty, old.storage, lows=old.lows, highs=old.highs)
    wanted = make.call(p.MAXI, growth.size, make.add(room, room))
    kept = growth.length
    if not make.at_least(growth.size, kept):
        kept = make.call(p.MINI, kept, growth.size)
    j = make.index("j", kept)
    larger = (
        Alloc(more, wanted, alloc.site),
        Map(more, Space((j,), (kept,)), j, make.read(old, j)),
        Move(old, more),
        Assign(room, wanted, of_memory=True),
    )
    *before, write = growth.added
    return [*before, If(make.call(p.GTI, growth.size, room), larger), write]
