"""Arrays of integers that rounds write again and again, and that are a result in the end, are narrow before.

    while … { MAP b[i] = f(a); swap a b }          →   while … { MAP b[i] = f(a); swap a b }
    result a                                           alloc r; MAP r[i] = a[i]; free a
                                                       result r

So are those that a round takes for the next one, and gives away when it is the last one: `take a from b` and
`take r from b`.

A result has 64 bits for each element. Where ranges tell that the numbers need a few of these, a round moves
as much less, and its lanes are as many more; one copy more than before is made, behind the last round.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Free,
    Map,
    Move,
    Output,
    Program,
    Space,
    Statement,
    Swap,
    While,
)
from aplc.laila.ir.ranges import storage_for, width_of
from aplc.laila.ir.scalar import Buffer
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import exchanged, leaves, within
from aplc.laila.transform.stored_ranges import Survey

WIDEST = 16
"""Of so many bits elements are, at most: a copy more is to be worth it."""


def with_narrow_states(program: Program, survey: Survey, make: ExprBuilder) -> Program:
    """The program with copies of what rounds exchange for its results; `survey` tells their ranges."""
    rounds = [s for s in within(program.statements) if isinstance(s, While)]
    states = {survey.leader(s.first) for s in within(rounds) if isinstance(s, Swap)}
    allocs = {survey.leader(s.buffer): s for s in within(program.statements) if isinstance(s, Alloc)}
    outputs = [a.buffer for s in within(program.statements) if isinstance(s, Output) for a in _arrays(s)]
    taken = [s.target for s in within(rounds) if isinstance(s, Move)]
    states |= {survey.leader(b) for b in taken if b not in outputs}
    result: list[Statement] = []
    for statement in program.statements:
        copied: dict[Buffer, Buffer] = {}
        if isinstance(statement, Output) and statement.is_result:
            for array in _arrays(statement):
                buffer, leader = array.buffer, survey.leader(array.buffer)
                alloc = allocs.get(leader)
                is_state = leader in states and outputs.count(buffer) == 1
                if is_state and alloc is not None and _is_narrow(survey, buffer):
                    copied[buffer] = replace(buffer, name=make.fresh(buffer.name))
                    result += _copy(array, copied[buffer], alloc, make)
            statement = replace(statement, value=exchanged(statement.value, partial(_new, copied)))
        result.append(statement)
    return replace(program, statements=tuple(result))


def _arrays(output: Output) -> list[ArrayRef]:
    return [leaf for leaf in leaves(output.value) if isinstance(leaf, ArrayRef)]


def _new(copied: dict[Buffer, Buffer], buffer: Buffer) -> Buffer:
    return copied.get(buffer, buffer)


def _is_narrow(survey: Survey, buffer: Buffer) -> bool:
    """Whether a result is of integers of a few bits each, and nobody else relies on its type."""
    interval = survey.stored.get(buffer)
    if buffer not in survey.handed_out or interval is None or interval.is_empty:
        return False
    return width_of(storage_for(interval)) <= WIDEST


def _copy(array: ArrayRef, new: Buffer, alloc: Alloc, make: ExprBuilder) -> list[Statement]:
    """The elements of an array in other memory; the life of its own ends."""
    size = make.product(array.shape)
    i = make.index("i", size)
    copy = Map(new, Space((i,), (size,)), i, make.read(array.buffer, i))
    return [replace(alloc, buffer=new, size=size), copy, Free(array.buffer)]
