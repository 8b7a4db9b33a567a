"""Removes arrays that nobody reads, where computing them cannot fail.

Of what is kept only the count may be used:

    FILTER a, n over i < m { x i where c i }     →     n = REDUCE + over i < m { b2i(c i) }
    run aplc_unique_int(x, n, 1, index, &m)      →     run aplc_count_unique_int(x, n, 1, &m)

Lowering writes an array for the sake of its errors even if its elements are used nowhere; where the ranges of
values show that there are none, nothing is left to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import buffers_read, mentioned
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Filter,
    ForEach,
    Free,
    HostLet,
    If,
    Map,
    Program,
    RuntimeCall,
    Scan,
    Statement,
    Store,
    While,
)
from aplc.laila.ir.scalar import BlockExp, Buffer, Check, Fold, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, leaves, own_expressions, with_blocks, with_bodies, within
from aplc.tail import prims as p
from aplc.tail.types import Base

ONLY_WRITE = ("aplc_grade_", "aplc_order_", "aplc_fields_", "aplc_texts_")
"""How functions of the run-time system begin that do nothing but write an array, their last argument."""

UNIQUE = "aplc_unique_"
"""How functions begin that find the different rows of an array; their last argument gets the places."""


def without_unused(program: Program, make: ExprBuilder) -> Program:
    """The program without arrays that nobody reads and their computation."""
    bodies_of_all = [program.statements, *[f.statements for f in program.functions]]
    everything = [s for statements in bodies_of_all for s in within(statements)]
    writes: dict[Buffer, set[Buffer]] = {}
    """For each buffer those that are read to write it."""
    todo: list[Buffer] = []
    for statement in everything:
        if isinstance(statement, Alloc):
            writes.setdefault(statement.buffer, set())
        if (target := _written(statement)) is not None:
            given = mentioned(statement) if isinstance(statement, RuntimeCall) else ()
            read = {*buffers_read(*own_expressions(statement)), *given}
            writes.setdefault(target, set()).update(read - {target})
            if isinstance(statement, Filter):
                todo += buffers_read(*statement.space.extents, statement.keep)
        elif (notes := _noted(statement)) is not None:
            writes.setdefault(notes, set())
            todo += [b for b in mentioned(statement) if b is not notes]
        elif bodies(statement):
            todo += buffers_read(*own_expressions(statement))
        else:
            todo += mentioned(statement)
    for function in program.functions:
        references = (*function.parameters, *function.results)
        todo += [leaf.buffer for r in references for leaf in leaves(r) if isinstance(leaf, ArrayRef)]
    used: set[Buffer] = set()
    while todo:
        buffer = todo.pop()
        if buffer not in used:
            used.add(buffer)
            todo += writes.get(buffer, ())
    unused = writes.keys() - used
    return with_blocks(program, lambda statements: _left(statements, unused, make))


def _written(statement: Statement) -> Buffer | None:
    """The buffer that a statement is there for, if it does nothing else and cannot fail but for memory."""
    if isinstance(statement, Free):
        return statement.buffer
    if isinstance(statement, Alloc | Map | Scan | Store):
        certain = not contains(Check | BlockExp, *own_expressions(statement))
        return statement.buffer if certain else None
    if isinstance(statement, Filter):
        certain = not contains(Check | BlockExp, *own_expressions(statement))
        is_row = len(statement.space.indices) == 1
        return statement.buffer if certain and is_row and not statement.goes_on else None
    if isinstance(statement, RuntimeCall) and statement.function.startswith(ONLY_WRITE):
        array = statement.arguments[-1]
        assert isinstance(array, Buffer)
        return array
    return None


def _noted(statement: Statement) -> Buffer | None:
    """Where a call of the run-time system notes what it finds, which is there for something besides."""
    if not isinstance(statement, RuntimeCall) or _without_notes(statement) is None:
        return None
    array = statement.arguments[-1]
    return array if isinstance(array, Buffer) else None


def _without_notes(call: RuntimeCall) -> str | None:
    """The function that does the same and notes nothing: it enters items in a table, or counts the rows that
    differ. Which do beyond a tolerance depends on the places of others.
    """
    name = call.function
    if name.startswith("aplc_items_") and name.endswith("_add"):
        return name.removesuffix("_add") + "_count"
    if name.startswith(UNIQUE) and name != f"{UNIQUE}near":
        return name.replace(UNIQUE, "aplc_count_unique_")
    return None


def _with_no_notes(statement: Statement) -> Statement:
    """The call of that function."""
    assert isinstance(statement, RuntimeCall)
    name = _without_notes(statement)
    assert name is not None
    return replace(statement, function=name, arguments=statement.arguments[:-1])


def _counted(statement: Filter, make: ExprBuilder) -> HostLet:
    """How many are kept, and nothing besides."""
    (index,), (extent,) = statement.space.indices, statement.space.extents
    one = make.call(p.B2I, statement.keep)
    return HostLet(statement.count, Fold(p.ADDI, index, extent, one, make.const(0), Base.INT))


def _left(statements: Sequence[Statement], unused: set[Buffer], make: ExprBuilder) -> tuple[Statement, ...]:
    """The statements without those that are there for buffers that nobody uses."""
    result: list[Statement] = []
    for statement in statements:
        match statement:
            case While() | ForEach() | If():
                result.append(with_bodies(statement, lambda body: _left(body, unused, make)))
            case _ if _written(statement) not in unused:
                result.append(_with_no_notes(statement) if _noted(statement) in unused else statement)
            case Filter():
                result.append(_counted(statement, make))
            case _:
                pass
    return tuple(result)
