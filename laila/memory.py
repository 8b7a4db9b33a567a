"""Where the life of a buffer ends: after the last statement that mentions it, unless it is handed out."""

from __future__ import annotations

from laila.program import (
    Alloc,
    ArrayRef,
    Free,
    Map,
    Output,
    Program,
    Put,
    Statement,
    expressions,
)
from laila.scalar import Buffer, Read, nodes


def free_buffers(program: Program) -> Program:
    """The program with a `free` for every buffer that it allocates and keeps."""
    last: dict[Buffer, int] = {}
    kept: set[Buffer] = set()
    for position, statement in enumerate(program.statements):
        for buffer in mentioned(statement):
            last[buffer] = position
        if isinstance(statement, Output) and statement.is_result and isinstance(statement.value, ArrayRef):
            kept.add(statement.value.buffer)
    allocated = {s.buffer for s in program.statements if isinstance(s, Alloc)}
    ends: dict[int, list[Buffer]] = {}
    for buffer, position in last.items():
        if buffer in allocated and buffer not in kept:
            ends.setdefault(position, []).append(buffer)
    statements: list[Statement] = []
    for position, statement in enumerate(program.statements):
        statements.append(statement)
        statements += [Free(buffer) for buffer in ends.get(position, ())]
    return Program(program.parameters, tuple(statements))


def mentioned(statement: Statement) -> list[Buffer]:
    """The buffers that a statement reads or writes, in an order that is the same in every run."""
    found = [n.buffer for n in nodes(*expressions(statement)) if isinstance(n, Read)]
    match statement:
        case Alloc(buffer=buffer) | Map(buffer=buffer) | Put(buffer=buffer) | Free(buffer=buffer):
            found.append(buffer)
        case Output(value=ArrayRef(buffer=buffer)):
            found.append(buffer)
        case _:
            pass
    return list(dict.fromkeys(found))
