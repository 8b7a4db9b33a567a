r"""Loops over the rows of a matrix, of which later ones need what earlier ones have found of the same row,
run together for a few rows at a time.

    alloc a : n
    MAP a[i] = REDUCE + x[m×i+k] over i < n
    MAP b[m×i+j] = x[m×i+j] ÷ a[i] over i < n, j < m
    →   rows = 4 max 256÷m    (64 if m ≤ 24)
        for part < n÷rows {
            first = part×rows; count = rows min n-first
            alloc a : rows
            MAP a[i] = REDUCE + x[m×(first+i)+k] over i < count
            MAP b[m×(first+i)+j] = x[m×(first+i)+j] ÷ a[i] over i < count, j < m
        }

So rows are still in the cache when they are wanted again, and what is found of them needs little memory. Each
loop stays what it was, several rows in lanes included, as it would not if both were one loop over rows: of
short rows there are as many as go side by side in lanes.

Scans along rows take part, so that `⌈/(⌈\m)-m` writes no matrix but a few rows of one; so do maps over all
elements of what they write.

A statement takes part if its outermost index counts the rows, and it touches an array that another one of
them writes only in its own row. One of them may fail: which error comes first stays the same.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from aplc.laila.ir.liveness import Users, buffers_read, mentioned
from aplc.laila.ir.program import (
    Alloc,
    ForEach,
    Free,
    Fused,
    HostLet,
    If,
    Map,
    Program,
    Scan,
    Space,
    Statement,
    While,
)
from aplc.laila.ir.scalar import QUOT, BlockExp, Buffer, Exp, Fold, FreeVars, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import weigh
from aplc.laila.transform.fusion.axes import is_along_rows, over_axes
from aplc.laila.transform.register_tiling import SIZES
from aplc.tail import prims as p
from aplc.tail.types import Base

ELEMENTS = 256
"""So many elements of a matrix at a time, or more where a few rows have more. With so few, one loop reads
memory while the one before it still writes.
"""

MOST = 8
"""More loops are not looked at together."""

FEWEST = 4
"""Rows at a time: as many as loops take side by side."""


def in_row_blocks(program: Program, make: ExprBuilder) -> Program:
    """The program with loops over the same rows together."""
    return with_blocks(program, _Rows(make).block)


def length_of_rows(make: ExprBuilder, free: FreeVars, index: Exp, row: Var) -> Exp | None:
    """The length of the rows of an array of which an index lies in a row; None if it may not."""
    length = make.sub(Substitute(make, {row: make.add(row, make.one)})(index), index)
    if row in free.of(length) or length is make.zero:
        return None
    rest = make.sub(index, make.mul(row, length))
    if rest is make.zero:
        return length
    last = make.sub(length, make.one)
    is_inside = isinstance(rest, Var) and make.zero in rest.lows and last in rest.highs
    return length if is_inside else None


def _maps(statement: Statement) -> tuple[Map | Scan, ...] | None:
    """The maps, and scans along rows, that a statement is, all over its space; None for something else."""
    match statement:
        case Map() | Scan():
            parts: tuple[object, ...] = (statement,)
        case Fused(parts=parts, in_place=False):
            pass
        case _:
            return None
    maps = tuple([q for q in parts if isinstance(q, Map | Scan) and _has_own_rows(q)])
    return maps if len(maps) == len(parts) else None


def _has_own_rows(part: Map | Scan) -> bool:
    """Whether each row is made for itself, and all of it: a scan of a vector goes on from row to row."""
    if isinstance(part, Map):
        return part.guard is None and not part.ordered
    return len(part.space.indices) > 1 and part.start is None


@dataclass(slots=True)
class _Rows:
    make: ExprBuilder
    free: FreeVars = field(default_factory=FreeVars)
    some_row: Var = field(init=False)

    def __post_init__(self) -> None:
        self.some_row = Var(self.make.fresh("row"), Base.INT)

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those in branches and rounds."""
        block = [with_bodies(s, self.block) if isinstance(s, If | While) else s for s in statements]
        all_users, users, position = Users(), dict[Buffer, list[int]](), 0
        while position < len(block):
            by_axes = self.by_axes(block, position)
            group = None if self.rows_of(block[position]) is None else self.group(by_axes, position)
            if group is not None:
                users = users or all_users.of(block)
                together = self.together(group, users, by_axes)
                if together is not None:
                    block, users = together, {}
            position += 1
        return tuple(block)

    def by_axes(self, block: list[Statement], first: int) -> list[Statement]:
        """The block with maps over all elements of what is scanned along rows there as maps over its axes."""
        scan, make = block[first], self.make
        if not isinstance(scan, Scan) or not is_along_rows(make, scan):
            return block
        size = make.product(scan.space.extents)

        def changed(statement: Statement) -> Statement:
            if not isinstance(statement, Map) or statement.space.extents != (size,):
                return statement
            is_read = scan.buffer in buffers_read(statement.body)
            return over_axes(make, statement, scan.space) if is_read else statement

        return list(map(changed, block))

    def rows_of(self, statement: Statement) -> Exp | None:
        """How many rows a statement goes over; None if it does something else, or there are no folds in it
        nor columns.
        """
        maps = _maps(statement)
        if not maps:
            return None
        space = maps[0].space
        has_rows = len(space.indices) > 1 or any(contains(Fold, q.body) for q in maps)
        return space.extents[0] if has_rows and not any(contains(BlockExp, q.body) for q in maps) else None

    def group(self, block: Sequence[Statement], first: int) -> list[int] | None:
        """The positions of statements over the same rows, from one on, between which nothing else is done but
        that memory comes and goes, and scalars get values; None if there is only one.
        """
        rows, failing = self.rows_of(block[first]), 0
        found: list[int] = []
        for k in range(first, len(block)):
            statement = block[k]
            maps = _maps(statement)
            if maps is not None and self.rows_of(statement) is rows:
                if len(found) == MOST:
                    break
                failing += any(weigh(q.body).may_fail or weigh(q.position).may_fail for q in maps)
                if failing > 1:
                    break
                found.append(k)
            elif isinstance(statement, HostLet):
                if weigh(statement.value).may_fail:
                    break
            elif not isinstance(statement, Alloc | Free):
                break
        return found if len(found) > 1 else None

    def together(
        self, group: list[int], users: dict[Buffer, list[int]], block: list[Statement]
    ) -> list[Statement] | None:
        """The block with a group as one loop over blocks of rows, if that is allowed and pays."""
        while len(group) > 1:
            own = self.own(group, users, block)
            if own is not None:
                return self.blocked(group, own, block)
            group = group[:-1]
        return None

    def own(
        self, group: list[int], users: dict[Buffer, list[int]], block: list[Statement]
    ) -> dict[Buffer, Exp] | None:
        """The arrays that a group has for itself, with the length of a row of each; None if its statements
        cannot run for some rows before they run for others, or need not.
        """
        inside = range(group[0], group[-1] + 1)
        # In order, so that a program has the same C in every run.
        written = dict.fromkeys([q.buffer for k in group for q in _maps(block[k]) or ()])
        lengths: dict[Buffer, Exp] = {}
        for k in group:
            for buffer, index, row in self.places(block[k], written):
                length = length_of_rows(self.make, self.free, index, row)
                if length is None or lengths.setdefault(buffer, length) is not length:
                    return None
        own: dict[Buffer, Exp] = {}
        names, rows = self.names(block, group), self.rows_of(block[group[0]])
        assert rows is not None
        for k in inside:
            statement = block[k]
            if k not in group:
                if names & {v.name for v in bound(statement)}:
                    return None
                if isinstance(statement, HostLet) and written.keys() & set(buffers_read(statement.value)):
                    return None
        for buffer in written:
            all_users = users[buffer]
            begin, end = block[all_users[0]], block[all_users[-1]]
            is_inside = isinstance(end, Free) and set(all_users[1:-1]) <= set(group)
            size = self.make.mul(rows, lengths[buffer])
            if isinstance(begin, Alloc) and is_inside and begin.size is size:
                own[buffer] = lengths[buffer]
        freed = [s.buffer for k in inside if isinstance(s := block[k], Free) and s.buffer not in own]
        if any(buffer in mentioned(block[k]) for buffer in freed for k in group):
            return None
        return own if own and self.is_reused(group, own, block) else None

    def names(self, block: Sequence[Statement], group: Sequence[int]) -> set[str]:
        """The variables of which statements are made, but for the extents of arrays that begin inside."""
        found: set[str] = set()
        for k in group:
            for q in _maps(block[k]) or ():
                for exp in (q.body, q.position, *q.space.extents):
                    found |= self.free.names(exp)
        return found

    def places(self, statement: Statement, written: Collection[Buffer]) -> list[tuple[Buffer, Exp, Var]]:
        """Where a statement touches some arrays, with the index of its rows."""
        found: list[tuple[Buffer, Exp, Var]] = []
        for q in _maps(statement) or ():
            row = q.space.indices[0]
            found.append((q.buffer, q.position, row))
            for node in nodes(q.body, q.position):
                if isinstance(node, Read) and node.buffer in written:
                    found.append((node.buffer, node.index, row))
        return found

    def is_reused(self, group: Sequence[int], own: dict[Buffer, Exp], block: Sequence[Statement]) -> bool:
        """Whether more than single elements of a row are wanted again, and all of the group belongs to it."""
        seen: set[tuple[Buffer, Exp | None]] = set()
        again = False
        for k in group:
            touched = self.rows_touched(block[k])
            if seen and not {buffer for buffer, _ in touched} & own.keys():
                return False
            again |= any(place is not None for _, place in touched & seen)
            seen |= touched
        return again

    def rows_touched(self, statement: Statement) -> set[tuple[Buffer, Exp | None]]:
        """The arrays that a statement touches at its rows, each with the place of the first element of a row;
        None where a row has one.
        """
        make = self.make
        found: set[tuple[Buffer, Exp | None]] = set()
        for q in _maps(statement) or ():
            row, *others = q.space.indices
            columns = {*others, *[n.var for n in nodes(q.body) if isinstance(n, Fold)]}
            first = Substitute(make, {row: self.some_row, **dict.fromkeys(columns, make.zero)})
            reads = [(n.buffer, n.index) for n in nodes(q.body) if isinstance(n, Read)]
            for buffer, index in ((q.buffer, q.position), *reads):
                if row in self.free.of(index):
                    is_one = self.free.of(index).isdisjoint(columns)
                    found.add((buffer, None if is_one else first(index)))
        return found

    def blocked(self, group: list[int], own: dict[Buffer, Exp], block: list[Statement]) -> list[Statement]:
        """The block with the loop over blocks of rows."""
        make = self.make
        n = self.rows_of(block[group[0]])
        assert n is not None
        width = make.one
        for k in group:
            for q in _maps(block[k]) or ():
                for extent in q.space.extents[1:]:
                    width = make.call(p.MAXI, width, extent)
        rows = Var(make.fresh("rows"), Base.INT, lows=(make.const(FEWEST),))
        few = make.call(p.MAXI, make.const(FEWEST), make.call(QUOT, make.const(ELEMENTS), width))
        are_short = make.call(p.LTEI, width, make.const(SIZES.gathered_calls))
        many = make.select(are_short, make.const(SIZES.points), few)
        parts = Var(make.fresh("parts"), Base.INT, lows=(make.zero,))
        blocks = make.call(QUOT, make.add(n, make.sub(rows, make.one)), rows)
        part = make.index("part", parts)
        first = Var(make.fresh("first"), Base.INT, lows=(make.zero,), highs=make.last_indices(n))
        count = Var(make.fresh("count"), Base.INT, lows=(make.zero,), highs=(rows, n))
        body: list[Statement] = [
            HostLet(first, make.mul(part, rows)),
            HostLet(count, make.call(p.MINI, rows, make.sub(n, first))),
        ]
        begun = {s.buffer: s for s in block if isinstance(s, Alloc) and s.buffer in own}
        body += [replace(begun[b], size=make.mul(rows, length)) for b, length in own.items()]
        body += [self.of_rows(block[k], own, first, count) for k in group]
        body += [Free(b) for b in own]
        loop = ForEach(Space((part,), (parts,)), tuple(body), independent=True)
        result: list[Statement] = []
        for k, statement in enumerate(block):
            if isinstance(statement, Alloc | Free) and statement.buffer in own:
                continue
            if k not in group:
                result.append(statement)
            if k == group[-1]:
                result += [HostLet(rows, many), HostLet(parts, blocks), loop]
        return result

    def of_rows(self, statement: Statement, own: dict[Buffer, Exp], first: Var, count: Var) -> Statement:
        """A statement for so many rows from one on."""
        make = self.make

        def moved(q: Map | Scan, space: Space) -> Map | Scan:
            old, new = q.space.indices[0], space.indices[0]
            local = Substitute(make, {old: new})
            kept: dict[Exp, Exp] = {
                node: make.read(node.buffer, local(node.index))
                for node in nodes(q.body, q.position)
                if isinstance(node, Read) and node.buffer in own
            }
            change = Substitute(make, {**kept, old: make.add(first, new)})
            position = local(q.position) if q.buffer in own else change(q.position)
            return replace(q, space=space, position=position, body=change(q.body))

        maps = _maps(statement) or ()
        space = self.space(maps[0].space, count)
        parts = tuple([moved(q, space) for q in maps])
        return replace(statement, space=space, parts=parts) if isinstance(statement, Fused) else parts[0]

    def space(self, space: Space, count: Var) -> Space:
        """The space of so many rows."""
        row = self.make.index(space.indices[0].name, count)
        return Space((row, *space.indices[1:]), (count, *space.extents[1:]))
