"""Short rows in order by networks: each element of a sorted row is an expression of all of them, so that many
rows stand in the lanes of a vector, and what reads the rows needs none in memory.

    for cell { MAP m[4×cell+i] = e[i] over i < 4; run aplc_sort_up_int(m, 4×cell, 4) }
    →   MAP m[4×cell] = s0 over cell; MAP m[4×cell+1] = s1 over cell; MAP m[4×cell+2] = s2 over cell; …

where s0 to s3 are e[0] to e[3] behind the comparators of a sorting network (`networks`). They
share a loop with what reads the rows (`fuse`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from aplc.laila.ir.liveness import buffers_read, mentioned
from aplc.laila.ir.program import Alloc, ForEach, Free, Map, Program, RuntimeCall, Statement
from aplc.laila.ir.scalar import BlockExp, Buffer, Const, Exp, Fold, PureCall, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.ordering.networks import in_order, only_writes
from aplc.laila.transform.ordering.sorted_values import SORT
from aplc.tail.types import Base

MOST = 8
"""Rows of so many elements at most are sorted by a network: of more, each element takes too many others."""


def with_row_networks(program: Program, make: ExprBuilder) -> Program:
    """The program with networks for the rows of a known, small length that loops sort."""
    return with_blocks(program, lambda block: _block(block, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    inner = [with_bodies(s, lambda body: _block(body, make)) for s in statements]
    return tuple([new for s in inner for new in _in_lanes(s, make)])


def _in_lanes(statement: Statement, make: ExprBuilder) -> list[Statement]:
    """A loop that sorts a row at each point, as loops whose points may stand in lanes."""
    match statement:
        case ForEach(space, body, independent=True, scratch=(), ends=None, counts=None):
            pass
        case _:
            return [statement]
    match _without_unread(body):
        case (Map() as row, RuntimeCall() as run):
            pass
        case _:
            return [statement]
    elements = _sorted(row, run, make)
    if elements is None:
        return [statement]
    start = run.arguments[1]
    assert isinstance(start, Exp)
    return [Map(row.buffer, space, make.add(start, make.const(k)), e) for k, e in enumerate(elements)]


def _without_unread(body: Sequence[Statement]) -> tuple[Statement, ...]:
    """Statements without the arrays of theirs that are only written: what was graded, mostly."""
    own = [s.buffer for s in body if isinstance(s, Alloc)]
    for buffer in own:
        uses = [s for s in body if buffer in mentioned(s)]
        if all(isinstance(s, Alloc | Free) or only_writes(s, buffer) for s in uses):
            body = [s for s in body if s not in uses]
    return tuple(body)


def _sorted(before: Map, run: RuntimeCall, make: ExprBuilder) -> list[Exp] | None:
    """The elements in order that a map writes and a call sorts; None where it sorts others."""
    if before.guard is not None or before.ordered or not run.function.startswith(SORT):
        return None
    buffer, start, rows = run.arguments
    if buffer is not before.buffer or not isinstance(buffer, Buffer) or not isinstance(start, Exp):
        return None
    if not isinstance(rows, Const) or not 1 < rows.value <= MOST or not _may_exchange(buffer, make):
        return None
    if contains(Fold | BlockExp | PureCall, before.body) or buffer in buffers_read(before.body):
        return None
    count, extents = int(rows.value), before.space.extents
    wholes = [range(int(e.value)) for e in extents if isinstance(e, Const)]
    if len(wholes) < len(extents):
        return None
    found: dict[int, Exp] = {}
    for point in product(*wholes):
        at = Substitute(make, dict(zip(before.space.indices, map(make.const, point), strict=True)))
        place = make.sub(at(before.position), start)
        if not isinstance(place, Const) or len(found) > count:
            return None
        found[int(place.value)] = at(before.body)
    if sorted(found) != list(range(count)):
        return None
    places = in_order(make, [found[i] for i in range(count)], range(count))
    return places if run.function.startswith(f"{SORT}up_") else places[::-1]


def _may_exchange(buffer: Buffer, make: ExprBuilder) -> bool:
    """Whether elements may lose their order among equal ones: see Note [Equal elements in networks]."""
    return buffer.ty is Base.INT or (buffer.ty is Base.DOUBLE and not make.settings.strict_fp)
