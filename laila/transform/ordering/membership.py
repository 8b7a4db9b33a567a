"""A table that is only asked whether it has an element is a set: `x∊a` needs no places.

    run aplc_table_int_make(t, a, n, 1)            run aplc_table_int_make_set(t, a, n)
    … aplc_table_int_find_one(t, x) ≤ n …     →    … aplc_table_int_has_one(t, x) …

A set takes an eighth to a half of the memory, and so more of it is near. None is needed where the elements
that it is made of are asked whether they are the first of their kind (`≠a`):

    run aplc_table_int_make(t, a, n, 1)               run aplc_firsts_1_int(a, n, first)
    … aplc_table_int_find_one(t, a[i]) ≥ i+1 …   →    … first[i] ≠ 0 …

Each NaN is the first of its kind: it is not found, which is at n+1. Elements that a map has written to `a`
may be computed again where they are asked, as those of columns are (`≠m[;1]`), in either order (`⌽≠⌽v`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import Users, buffers_read, changed, introduced, named
from aplc.laila.ir.program import (
    Alloc,
    Empty,
    Filter,
    ForEach,
    Free,
    Map,
    Program,
    RuntimeCall,
    Scan,
    Statement,
)
from aplc.laila.ir.scalar import BlockExp, Buffer, Call, Check, Exp, Fold, PureCall, Read, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import everywhere, expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.ordering.key_numbering import MAKE, TABLE
from aplc.tail import prims as p
from aplc.tail.types import Base

FIND, HAS = "_find_one", "_has_one"
TYPES = (Base.INT, Base.DOUBLE, Base.CHAR)


def with_sets(program: Program, make: ExprBuilder) -> Program:
    """The program with sets for tables of which nobody wants places."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    block = [with_bodies(s, lambda body: _block(body, make)) for s in statements]
    tables = [(k, s) for k, s in enumerate(block) if isinstance(s, RuntimeCall) and _makes_table(s, make)]
    users = Users().of(block) if tables else {}
    instead: dict[int, tuple[Statement, ...]] = {}
    for k, run in tables:
        table, keys, rows, _ = run.arguments
        assert isinstance(table, Buffer) and isinstance(keys, Buffer) and isinstance(rows, Exp)
        uses = {u: instead.get(u, (block[u],))[-1] for u in users[table] if u != k}
        if (changed := _answered(uses, table, _answers(uses, table, rows, make), make)) is not None:
            instead |= {u: (s,) for u, s in changed.items()}
            instead[k] = (replace(run, function=f"{run.function}_set", arguments=(table, keys, rows)),)
            continue
        columns = _columns(block, k, keys, max(uses, default=k), make)
        first = Buffer(make.fresh("first"), Base.INT, "uint8", lows=(make.zero,), highs=(make.one,))
        if (changed := _answered(uses, table, _firsts(uses, run, columns, first, make), make)) is not None:
            ends = {u for u, s in changed.items() if isinstance(s, Free)}
            instead |= {u: () if isinstance(s, Empty) else (s,) for u, s in changed.items()}
            instead |= {u: (Free(first),) for u in ends}
            name = f"aplc_firsts_1_{table.ty.value}"
            marked = replace(run, function=name, arguments=(keys, rows, first))
            assert run.site is not None
            instead[k] = Alloc(first, rows, run.site), marked
    return tuple([made for k, s in enumerate(block) for made in instead.get(k, (s,))])


def _answered(
    uses: dict[int, Statement], table: Buffer, answers: dict[Exp, Exp], make: ExprBuilder
) -> dict[int, Statement] | None:
    """What uses a table with answers for the questions, if there are no others."""
    change = Substitute(make, answers)
    changed = {u: rebuilt(s, change) for u, s in uses.items()}
    return changed if answers and all(_asks_only(s, table) for s in changed.values()) else None


def _makes_table(run: RuntimeCall, make: ExprBuilder) -> bool:
    """Whether a call makes a table of elements of a type that sets have."""
    names = [f"{TABLE}{ty.value}{MAKE}" for ty in TYPES]
    return run.function in names and run.arguments[3] is make.one


def _answers(uses: dict[int, Statement], table: Buffer, rows: Exp, make: ExprBuilder) -> dict[Exp, Exp]:
    """The questions whether a table has an element, as a set answers them."""
    found: dict[Exp, Exp] = {}
    for node in nodes(*[e for s in uses.values() for e in expressions(s)]):
        match node:
            case Call(op, (PureCall(function=name, memory=memory) as search, other)) if (
                op in (p.LTEI, p.GTI) and table in memory and other is rows and name.endswith(FIND)
            ):
                own = replace(search, function=name.removesuffix(FIND) + HAS, ty=Base.BOOL, lows=(), highs=())
                has = make.lookup(own)
                found[node] = has if op is p.LTEI else make.call(p.NOTB, has)
            case _:
                pass
    return found


def _columns(block: Sequence[Statement], k: int, keys: Buffer, last: int, make: ExprBuilder) -> Map | None:
    """The map by which statement k of a block has its keys, if nothing that it reads changes until the last
    statement that looks for some.
    """
    written = [(j, s) for j, s in enumerate(block[:k]) if isinstance(s, Map) and s.buffer is keys]
    if len(written) != 1:
        return None
    ((j, column),) = written
    is_plain = column.guard is None and not column.ordered and not contains(Check | BlockExp, column.body)
    if not is_plain or len(column.space.indices) != 1 or column.position is not column.space.indices[0]:
        return None
    before, all_after = [
        {b for s in everywhere(block[j + 1 : end]) for b in (*changed(s), *introduced(s))}
        for end in (k, last + 1)
    ]
    return None if keys in before or all_after & set(buffers_read(column.body)) else column


def _firsts(
    uses: dict[int, Statement], run: RuntimeCall, column: Map | None, first: Buffer, make: ExprBuilder
) -> dict[Exp, Exp]:
    """The questions whether an element of an array is the first of its kind there, as marks answer them."""
    found: dict[Exp, Exp] = {}
    table, keys, rows, _ = run.arguments
    assert isinstance(rows, Exp)
    every = list(nodes(*[e for s in uses.values() for e in expressions(s)]))
    indices = _indices(uses.values(), every, rows)
    for node in every:
        match node:
            case Call(op, (PureCall(function=name, memory=memory, args=(x,)), place)) if (
                (op is p.GTEI or (op is p.EQI and x.ty is not Base.DOUBLE))
                and table in memory
                and name.endswith(FIND)
            ):
                at = make.sub(place, make.one)
                is_key = isinstance(x, Read) and x.buffer is keys and x.index is at
                if column is not None and (
                    at in indices or make.sub(make.sub(rows, at), make.one) in indices
                ):
                    element = Substitute(make, {column.space.indices[0]: at})(column.body)
                    is_key |= element is x
                if is_key:
                    found[node] = make.call(p.NEQI, make.read(first, at), make.zero)
            case _:
                pass
    return found


def _indices(statements: Iterable[Statement], every: Sequence[Exp], rows: Exp) -> set[Exp]:
    """The indices of loops over so many rows."""
    spaces = [s.space for s in within(statements) if isinstance(s, Map | Scan | Filter | ForEach)]
    found = {i for space in spaces for i, n in zip(space.indices, space.extents, strict=True) if n is rows}
    return {*found, *[node.var for node in every if isinstance(node, Fold) and node.extent is rows]}


def _asks_only(statement: Statement, table: Buffer) -> bool:
    """Whether a statement asks a table only as a set can answer, or begins or ends it."""
    if any(table in named(s) and not isinstance(s, Empty | Free) for s in within((statement,))):
        return False
    for node in nodes(*expressions(statement)):
        if isinstance(node, PureCall) and table in node.memory and not node.function.endswith(HAS):
            return False
        if isinstance(node, BlockExp) and table in buffers_read(node):
            return False
    return True
