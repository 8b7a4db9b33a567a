"""Maps over a few rows, of which loops read all at one place of a row, as a map for each row.

    MAP m[i×n + j] = e(i,j) over i < 2, j < n     →   MAP m[j] = e(0,j) over j < n
                                                      MAP m[n+j] = e(1,j) over j < n
    MAP x[j] = m[j] + 10×m[n+j] over j < n            MAP x[j] = m[j] + 10×m[n+j] over j < n

They share the loop that reads the rows (`fuse`), and what nobody else reads is not written. So the digits of
numbers (`10 10⊤v`) are in registers between what makes them and what uses them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import named
from aplc.laila.ir.program import Alloc, Free, Fused, Map, Program, Space, Statement
from aplc.laila.ir.scalar import BlockExp, Buffer, Check, Const, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import everywhere, own_expressions, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute

FEW = 8
"""So many rows at most have a loop each."""


def with_rows_apart(program: Program, make: ExprBuilder) -> Program:
    """The program with a map for each of a few rows, where loops read several rows at one place."""
    blocks = [program.statements, *[f.statements for f in program.functions]]
    everything = [s for block in blocks for s in everywhere(block)]
    found = [s for s in everything if isinstance(s, Map) and _may_part(s)]
    writes = Counter([b for s in everything for b in _written(s)])
    maps = {s.buffer: s for s in found if writes[s.buffer] == 1}
    for statement in everything if maps else ():
        for buffer in named(statement):
            if not isinstance(statement, Alloc | Free) and statement is not maps.get(buffer):
                maps.pop(buffer, None)
        for node in nodes(*own_expressions(statement)):
            if (
                isinstance(node, Read)
                and node.buffer in maps
                and not _is_in_row(make, node, maps[node.buffer])
            ):
                del maps[node.buffer]
    parted = set(maps.values())
    return with_blocks(program, lambda block: _block(make, block, parted)) if parted else program


def _written(statement: Statement) -> list[Buffer]:
    parts = statement.parts if isinstance(statement, Fused) else (statement,)
    return [part.buffer for part in parts if isinstance(part, Map)]


def _may_part(statement: Map) -> bool:
    """Whether a map is one over a few rows, each of which may have a loop: errors keep their order."""
    if statement.guard is not None or statement.ordered or len(statement.space.indices) != 2:
        return False
    rows = statement.space.extents[0]
    is_few = isinstance(rows, Const) and 1 < rows.value <= FEW
    return is_few and not contains(BlockExp | Check, statement.body)


def _is_in_row(make: ExprBuilder, read: Read, rows: Map) -> bool:
    """Whether a read asks for an element of a row that is known, at a place that is an index."""
    count, width = rows.space.extents
    assert isinstance(count, Const)
    places = [make.sub(read.index, make.mul(make.const(k), width)) for k in range(int(count.value))]
    return any(isinstance(place, Var) and place.is_index for place in places)


def _block(make: ExprBuilder, statements: Sequence[Statement], parted: set[Map]) -> tuple[Statement, ...]:
    result: list[Statement] = []
    for statement in statements:
        if not isinstance(statement, Map) or statement not in parted:
            result.append(with_bodies(statement, lambda body: _block(make, body, parted)))
            continue
        (row, column), (count, width) = statement.space.indices, statement.space.extents
        assert isinstance(count, Const)
        for k in range(int(count.value)):
            change = Substitute(make, {row: make.const(k)})
            position, body = change(statement.position), change(statement.body)
            space = Space((column,), (width,))
            result.append(replace(statement, space=space, position=position, body=body))
    return tuple(result)
