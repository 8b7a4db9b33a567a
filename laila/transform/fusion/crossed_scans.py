"""A scan along columns takes in the scan along rows whose values it combines: rows are done one by one.

    SCAN + a[i;j] = f(i;j) over i < m, j < n        SCAN + b[0;j] = f(0;j) over j < n
    SCAN + b[i;j] = a[i;j] over j < n, i < m   →    for i from 1 below m, in order
                                                        FUSED { SCAN + s = f(i;j) over j < n
                                                                b[i;j] = b[i-1;j] + s }

Nothing else reads `a`, which is not written then: the sums of the scans of an image, its summed-area table
(Crow, Summed-area tables for texture mapping, 1984), are one matrix in memory in place of two.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.laila.ir.liveness import Users, buffers_read
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Free,
    Fused,
    If,
    Map,
    Program,
    Scan,
    Space,
    Statement,
    Variable,
    While,
)
from aplc.laila.ir.scalar import BlockExp, Exp, Fold, PureCall, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import from_index, weigh
from aplc.tail import prims as p
from aplc.tail.types import Base


def with_crossed_scans(program: Program, make: ExprBuilder) -> Program:
    """The program with scans along both axes of a matrix made in one loop."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    block = [with_bodies(s, lambda body: _block(body, make)) for s in statements]
    rows = [s for s in block if isinstance(s, Scan) and len(s.space.indices) == 2]
    if len(rows) < 2:
        return tuple(block)
    users = Users().of(block)
    instead: dict[int, tuple[Statement, ...]] = {}
    for row in rows:
        places = users[row.buffer]
        kinds = [type(block[k]) for k in places]
        if kinds != [Alloc, Scan, Scan, Free] or block[places[1]] is not row or row.buffer.asked:
            continue
        column, between = block[places[2]], block[places[1] + 1 : places[2]]
        assert isinstance(column, Scan)
        if column.buffer is row.buffer or not all(isinstance(s, Alloc | Free) for s in between):
            continue
        if any(b in buffers_read(row.body) for s in between if isinstance(s, Free) for b in (s.buffer,)):
            continue
        if (joined := _joined(row, column, make)) is not None:
            instead |= {places[0]: (), places[1]: (), places[2]: joined, places[3]: ()}
    return tuple([new for k, s in enumerate(block) for new in instead.get(k, (s,))])


def _joined(row: Scan, column: Scan, make: ExprBuilder) -> tuple[Statement, ...] | None:
    """Both scans row by row, if the second one reads the first at its own place, and neither fails."""
    (i, j), (m, n) = row.space.indices, row.space.extents
    (across, down), extents = column.space.indices, column.space.extents
    if extents != (n, m) or any(s.running is not None or s.start is not None for s in (row, column)):
        return None
    place, there = [from_index(make, (m, n), index) for index in ((i, j), (down, across))]
    if row.position is not place or column.position is not there:
        return None
    element = make.read(row.buffer, there)
    read = [e for e in nodes(column.body) if isinstance(e, Read) and e.buffer is row.buffer]
    if set(read) != {element} or column.buffer in buffers_read(row.body, column.body):
        return None
    bodies = row.body, column.body
    if contains(Fold | BlockExp | PureCall, *bodies) or any(weigh(e).may_fail for e in bodies):
        return None

    own = make.index("j", n)
    space = Space((own,), (n,))

    def row_at(k: Exp, *, is_first: bool) -> Fused:
        """A row of both scans."""
        running = Var(make.fresh("s"), row.body.ty)
        along = Scan(
            row.buffer,
            space,
            own,
            row.combine,
            Substitute(make, {i: k, j: own})(row.body),
            running,
            is_written=False,
        )
        body = Substitute(make, {element: running, down: k, across: own})(column.body)
        position = from_index(make, (m, n), (k, own))
        if not is_first:
            above = make.read(column.buffer, make.sub(position, n))
            body = make.call(column.combine, above, body)
        return Fused(space, (along, Map(column.buffer, space, position, body)))

    k = Var(make.fresh("row"), Base.INT, True, (make.one,))
    rounds = While(
        make.call(p.LTI, k, m),
        (row_at(k, is_first=False), Assign(k, make.add(k, make.one))),
    )
    whole = (row_at(make.zero, is_first=True), Variable(k, make.one), rounds)
    some = make.call(p.LTI, make.zero, m)
    return whole if some is make.true else (If(some, whole, ()),)
