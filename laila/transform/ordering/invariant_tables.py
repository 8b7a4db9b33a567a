"""Loop-invariant code motion for the tables of searches: what each round would make of the same keys is made
once.

    while c { empty t; run make(t, keys, n); … find(t, x) …; free t }
    →   empty t; run make(t, keys, n); while c { … find(t, x) … }; free t

Lowering makes a table where the search is; a function that is applied to elements has it in front already,
items and loops of the host have it in each round. It leaves a loop if nothing in there writes what it is made
of. Keys that are searched in a branch only stay there. A table that is made for certain elements, of which
each round has others, is made for as many of any kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import buffers_read, changed
from aplc.laila.ir.program import Empty, ForEach, Free, Program, RuntimeCall, Statement, While
from aplc.laila.ir.scalar import TABLE, Buffer, FreeVars
from aplc.laila.ir.statements import bound, everywhere, with_blocks, with_bodies

FOR = "_for"
"""The end of the names of functions that make a table for elements that are known."""


def with_tables_in_front(program: Program) -> Program:
    """The program with tables in front of the loops that would make them again."""
    return with_blocks(program, _block)


def _block(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """A sequence of statements; a table that leaves the inner one of two loops may leave the outer one."""
    result: list[Statement] = []
    for outer in statements:
        statement = with_bodies(outer, _block)
        if not isinstance(statement, While | ForEach):
            result.append(statement)
            continue
        made = _invariant(statement)
        tables = [run.arguments[0] for run in made]
        rest = tuple([s for s in statement.body if s not in made and not _begins_or_ends(s, tables)])
        for run, table in zip(made.values(), tables, strict=True):
            assert isinstance(table, Buffer)
            result += [Empty(table), run]
        result.append(replace(statement, body=rest) if made else statement)
        result += [Free(table) for table in tables if isinstance(table, Buffer)]
    return tuple(result)


def _begins_or_ends(statement: Statement, tables: Sequence[object]) -> bool:
    return isinstance(statement, Empty | Free) and statement.buffer in tables


def _invariant(loop: While | ForEach) -> dict[RuntimeCall, RuntimeCall]:
    """The calls in the body of a loop that make the same table in each round, and those in front of it."""
    begun = {s.buffer for s in loop.body if isinstance(s, Empty) and s.buffer.storage == TABLE}
    if not begun:
        return {}
    inner = list(everywhere(loop.body))
    own = {s.buffer for s in loop.body if isinstance(s, Free)} & begun
    varying = {v.name for s in (loop, *inner) for v in bound(s)}
    free, found = FreeVars(), dict[RuntimeCall, RuntimeCall]()
    for run in loop.body:
        if not isinstance(run, RuntimeCall) or run.arguments[0] not in own or run.with_host:
            continue
        table = run.arguments[0]
        others = [s for s in inner if s is not run and not _begins_or_ends(s, (table,))]
        written = {b for s in others for b in changed(s)}
        for call in (run, _for_any(run)):
            exps = [a for a in call.arguments if not isinstance(a, Buffer)]
            keys = {a for a in call.arguments if isinstance(a, Buffer)} | {*buffers_read(*exps)}
            names = {name for e in exps for name in free.names(e)}
            if run not in found and written.isdisjoint(keys) and names.isdisjoint(varying):
                found[run] = call
    return found


def _for_any(run: RuntimeCall) -> RuntimeCall:
    """A call that makes a table as if nothing were known of the elements that will be looked up."""
    if not run.function.endswith(FOR):
        return run
    table, keys, n, _, searches = run.arguments
    function = run.function.removesuffix(FOR)
    return replace(run, function=function, arguments=(table, keys, n, searches), only_reads=())
