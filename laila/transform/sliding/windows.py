"""Slides a window of rows over an array that is only needed row by row: it is never all in memory.

Where one map makes an array, and another one needs of it for each of its rows that row and a few neighbours,
both take turns over blocks of rows. The array is a window of one block and of the rows beside it, which stays
in the first cache. What stands beyond the first and the last row (the other end of a torus, the border
again, zeros) is made before anything is changed: so blocks ask nothing about their rows.

    alloc t : n·m
    MAP t[m·i+j] = f(a, i, j) over i < n, j < m
    MAP a[m·i+j] = g(t[m·i+j], i < 1 ? t[m·(n-1)+j] : t[m·(i-1)+j]) over i < n, j < m
    →   alloc t : m·(many+2);  alloc edges : 4·m
        for each chunk < 2, side < 2 {
            edge = (chunk < 1 ? 0 : n) - 1 + side;  row = edge < 0 ? n-1 : min(edge, n-1)
            MAP edges[m·(2·chunk+side)+j] = f(a, row, j) over j < m
        }
        MAP t[m·many+j] = edges[j] over j < 2·m
        for each block {
            first = many·block;  count = min(many, n-first);  own = min(count, n-1-first)
            MAP t[j] = t[m·many+j] over j < 2·m
            MAP t[m·(2+i)+j] = f(a, first+1+i, j) over i < own, j < m
            MAP t[m·(2+own)+j] = edges[m·(own+first-n+4)+j] over j < m·(count-own)
            MAP a[m·(first+i)+j] = g(t[m·(1+i)+j], t[m·i+j]) over i < count, j < m
        }

With threads the rows are cut into chunks, each with a window of its own, and the rows where chunks meet are
edges, too. Arrays that are small stay as they are: the run asks.

Legal: nothing else uses the array; what is written may be what it is made of, if a row is made of that row
alone; beyond the ends there is a row or a constant, the same wherever it is asked for; not both can fail.
Profitable: where the array is too large for the first cache. Halide calls this a sliding window with storage
folding (Ragan-Kelley et al., PLDI 2013).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import Users, buffers_read
from aplc.laila.ir.program import (
    Alloc,
    ForEach,
    Free,
    HostCheck,
    HostLet,
    If,
    Map,
    Program,
    Space,
    Statement,
    While,
)
from aplc.laila.ir.scalar import QUOT, Buffer, Const, Exp, Fold, FreeVars, Var, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import expressions, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.pointwise import in_place
from aplc.laila.transform.products.recognition import product_of
from aplc.laila.transform.register_tiling import SIZES
from aplc.laila.transform.sliding.moving import by_array, general, may_fail, stays, together
from aplc.laila.transform.sliding.row_reads import FARTHEST, Layout, RowReads, TooFar, layout
from aplc.tail import prims as p
from aplc.tail.types import Base

LEAST = 1 << 16
"""Bytes of an array from which on it gets a window."""

BLOCK = 1 << 14
"""Bytes of a block of rows."""

FEWEST = 4 * FARTHEST
"""Rows of an array, or of a chunk, that are enough."""

CHUNKS = 32
"""Into so many chunks of at least `LEAST` bytes the rows are cut at most, for threads."""

EVEN = 4
"""Many chunks are a multiple of this, so that a few threads have as much to do as one another."""


def with_windows(program: Program, make: ExprBuilder, *, in_chunks: bool) -> Program:
    """The program with windows in the place of arrays that are needed row by row; `in_chunks` for threads."""
    return with_blocks(program, _Sliding(make, in_chunks=in_chunks).block)


@dataclass(frozen=True, slots=True)
class Made:
    """An array that is needed row by row: its memory, and what makes it."""

    alloc: Alloc
    making: Statement
    """The statement that makes it, perhaps in several versions."""
    rows: Layout

    @property
    def made(self) -> Map:
        """The map that makes it in all cases."""
        return self.rows.made


@dataclass(slots=True)
class _Sliding:
    make: ExprBuilder
    in_chunks: bool

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those inside them."""
        block = tuple([self.inside(s) for s in statements])
        return self.taken_in_turns(block) or block

    def inside(self, statement: Statement) -> Statement:
        """A statement with windows in those inside it. The arrays of a loop change in place for them."""
        if not isinstance(statement, While):
            return with_bodies(statement, self.block)
        loop = replace(statement, body=tuple([self.inside(s) for s in statement.body]))
        changed = in_place(loop, self.make)
        body = self.taken_in_turns(changed.body) or self.taken_in_turns(loop.body)
        return loop if body is None else replace(loop, body=body)

    def taken_in_turns(self, statements: Sequence[Statement]) -> tuple[Statement, ...] | None:
        """A block with windows for the arrays that its maps take row by row; None if there are none."""
        takers = [(s, taker) for s in statements if (taker := general(s)) is not None]
        block, all_users, has_windows = list(statements), Users(), False
        users = all_users.of(block) if takers else {}
        for statement, taker in takers:
            slid = self.slid(block, users, statement, taker)
            if slid is None and (apart := self.apart(block, users, taker)) is not None:
                slid = self.slid(apart, all_users.of(apart), statement, taker)
            if slid is not None:
                block, has_windows = slid, True
                users = all_users.of(block)
        return tuple(block) if has_windows else None

    def apart(
        self, block: Sequence[Statement], users: dict[Buffer, list[int]], taker: Map
    ) -> list[Statement] | None:
        """A block in which arrays that one loop makes for a map alone have loops of their own, if any."""
        read = dict.fromkeys(buffers_read(taker.body))
        own = {users[b][1]: by_array(block[users[b][1]]) for b in read if len(users.get(b, ())) == 4}
        alone = {
            k: makers.values()
            for k, makers in own.items()
            if all(b in read and len(users[b]) == 4 and users[b][1] == k for b in makers)
        }
        result = [each for k, statement in enumerate(block) for each in alone.get(k) or (statement,)]
        return result if len(result) > len(block) else None

    def slid(
        self, block: list[Statement], users: dict[Buffer, list[int]], statement: Statement, taker: Map
    ) -> list[Statement] | None:
        """A block with windows for the arrays that a statement takes row by row; None if there are none."""
        read = dict.fromkeys(buffers_read(taker.body))
        made = [self.made(block, users.get(buffer, ()), statement, taker, buffer) for buffer in read]
        found = [each for each in made if each is not None]
        if not found:
            return None
        try:
            windows = Windows(self.make, taker, tuple(found), in_chunks=self.in_chunks)
        except TooFar:
            return None
        return windows.put(block, statement)

    def made(
        self,
        block: list[Statement],
        users: Sequence[int],
        statement: Statement,
        taker: Map,
        buffer: Buffer,
    ) -> Made | None:
        """An array that only this map uses, which may be made where it is taken."""
        if len(users) != 4:
            return None
        alloc, making, last, free = [block[k] for k in users]
        if not (isinstance(alloc, Alloc) and last is statement and isinstance(free, Free)):
            return None
        made = general(making)
        if made is None or made.buffer is not buffer or buffer in buffers_read(made.body):
            return None
        more = self.more_rows(made, taker)
        if more is None or (more and contains(Fold, taker.body)):
            return None  # rows of much work read what is around them sooner than it is copied
        _, start, end, _ = users
        if not stays(set(buffers_read(*expressions(making))), block[start + 1 : end]):
            return None
        if sum([may_fail(s) for s in block[start : end + 1]]) > 1:
            return None
        if may_fail(making) and any(isinstance(s, HostCheck) for s in within(block[start:end])):
            return None
        rows = layout(made, self.make)
        return None if rows is None else Made(alloc, making, replace(rows, above=more // 2, more=more))

    def more_rows(self, made: Map, taker: Map) -> int | None:
        """How many rows more an array has than the map that takes it, if that has any; None for too many."""
        make, rows = self.make, taker.space.extents[0]
        with make.assuming({rows: make.const(FEWEST)} if isinstance(rows, Var) else {}):
            more = make.sub(Substitute(make, {})(made.space.extents[0]), rows)
        is_near = isinstance(more, Const) and 0 <= more.value <= 2 * FARTHEST
        return int(more.value) if isinstance(more, Const) and is_near else None


class Windows:
    """A map and the arrays that it takes row by row.

    Raises `TooFar` where there can be no window.
    """

    def __init__(self, make: ExprBuilder, taker: Map, found: tuple[Made, ...], *, in_chunks: bool) -> None:
        self.make, self.taker, self.found, self.in_chunks = make, taker, found, in_chunks
        self.rows = taker.space.extents[0]
        self.least = self.lower_bounds()
        with make.assuming(dict(self.least)):
            self.reads = RowReads(make, {each.made.buffer: each.rows for each in found}, self.rows)
            self.body, _ = self.reads.inside(taker.body, taker.space.indices[0])
            self.far = make.const(self.reads.farthest)
            self.demand_own_rows()
        self.edges = {e: replace(e.made.buffer, name=make.fresh("edges")) for e in found}
        largest = max(found, key=lambda e: e.made.buffer.item_bytes)
        item = largest.made.buffer.item_bytes
        size = make.call(p.MAXI, largest.rows.size, make.one)
        many = make.call(QUOT, make.const(BLOCK // item), size)
        self.many = make.call(p.MAXI, many, make.const(max(8 * self.reads.farthest, 1)))
        """Rows of a block."""
        self.total = make.mul(self.rows, largest.rows.size)
        self.least_total = make.const(LEAST // item)

    def lower_bounds(self) -> tuple[tuple[Exp, Exp], ...]:
        """What extents are at least, where there are windows."""
        make, found = self.make, dict[Exp, Exp]()
        for each in (self.taker, *[e.made for e in self.found]):
            found |= {n: make.one for n in each.space.extents if isinstance(n, Var)}
        if isinstance(self.rows, Var):
            found[self.rows] = make.const(FEWEST)
        return tuple(found.items())

    def demand_own_rows(self) -> None:
        """Demands that a row of the arrays is made of the same row of what the map writes, if of that."""
        written = layout(self.taker, self.make)
        for each in self.found:
            if self.taker.buffer not in buffers_read(each.made.body):
                continue
            if written is None:
                raise TooFar
            make, index, above = self.make, each.made.space.indices[0], each.rows.above
            reads = RowReads(make, {self.taker.buffer: replace(written, above=-above)}, self.rows)
            last = make.add(self.rows, make.const(above - 1))
            own = make.between(index.name, (make.const(above),), (last,))
            for read, facts in reads.reads(Substitute(make, {index: own})(each.made.body)):
                reads.locate(read, own, facts)
            if reads.farthest:
                raise TooFar

    @property
    def is_worth_it(self) -> Exp:
        """Whether the array is large enough, which may be known, and blocks have rows for the panels of a
        product, whose rows all read the same columns.
        """
        make, taker = self.make, self.taker
        many = make.call(p.LTEI, make.const(FEWEST), self.rows)
        axes = dict(zip(taker.space.indices, taker.space.extents, strict=True))
        if product_of(FreeVars(), taker.buffer, axes, taker.body, taker.position) is not None:
            enough = make.const(SIZES.least_product[0])
            many = make.call(p.ANDB, many, make.call(p.LTEI, enough, self.many))
        return make.call(p.ANDB, many, make.call(p.LTEI, self.least_total, self.total))

    def put(self, block: list[Statement], taking: Statement) -> list[Statement] | None:
        """A block with the windows for a statement, which is the map or has versions of it."""
        make, worth = self.make, self.is_worth_it
        if worth is make.false:
            return None
        with make.assuming(dict(self.least)):
            inside = self.in_turns()
        as_it_was = tuple([*[e.making for e in self.found], taking])
        making = [e.making for e in self.found]
        read = {b for e in self.found for b in buffers_read(*expressions(e.making))}
        late: list[Statement] = []
        behind_first = False
        result: list[Statement] = []
        for statement in block:
            if statement is taking:
                result += [self.memory_of_edges(e, worth) for e in self.found]
                result += inside if worth is make.true else [If(worth, inside, as_it_was, self.least)]
                result += [*late, *[Free(buffer) for buffer in self.edges.values()]]
                behind_first = False
            elif any(statement is each for each in making):
                behind_first = True
            elif behind_first and isinstance(statement, Free) and statement.buffer in read:
                late.append(statement)
            elif isinstance(statement, Alloc) and any(statement is e.alloc for e in self.found):
                result.append(self.memory(statement, worth))
            else:
                result.append(statement)
        return result

    # --- memory ---

    def memory(self, alloc: Alloc, worth: Exp) -> Alloc:
        """The memory of an array, or of its window."""
        own = next(e for e in self.found if e.alloc is alloc)
        size = self.make.one if self.in_chunks else self.window_size(own)
        return replace(alloc, size=self.make.select(worth, size, alloc.size))

    def window_size(self, each: Made) -> Exp:
        """The elements of a window."""
        return self.make.mul(self.make.add(self.many, self.twice), each.rows.size)

    def memory_of_edges(self, each: Made, worth: Exp) -> Alloc:
        """The memory of the rows at the ends, and where chunks meet."""
        make = self.make
        rows = make.mul(make.add(self.chunks, make.one), self.twice)
        size = make.select(worth, make.mul(rows, each.rows.size), make.zero)
        return Alloc(self.edges[each], size, each.alloc.site)

    @property
    def twice(self) -> Exp:
        """How many rows are kept from one block to the next."""
        return self.make.add(self.far, self.far)

    @property
    def chunks(self) -> Exp:
        """How many chunks there are."""
        make = self.make
        if not self.in_chunks:
            return make.one
        by_size = make.call(QUOT, self.total, self.least_total)
        by_rows = make.call(QUOT, self.rows, make.const(FEWEST))
        most = make.call(p.MINI, make.call(p.MINI, by_size, by_rows), make.const(CHUNKS))
        whole = make.mul(make.const(EVEN), make.call(QUOT, most, make.const(EVEN)))
        return make.call(p.MAXI, make.select(make.call(p.LTI, most, make.const(EVEN)), most, whole), make.one)

    # --- statements ---

    def in_turns(self) -> tuple[Statement, ...]:
        """The arrays and the map in turns."""
        make = self.make
        if not self.in_chunks:
            ends = [s for e in self.found for s in self.made_edges(e, make.one, self.rows)]
            windows = {e: e.made.buffer for e in self.found}
            return (*ends, *self.turns(windows, make.zero, self.rows, make.zero, None))
        chunks = make.between("chunks", (make.one,), ())
        each = make.between("rows", (make.const(FEWEST),), (self.rows,))
        chunk = make.index("chunk", chunks)
        start = make.between("start", (make.zero,), (make.sub(self.rows, make.one),))
        stop = make.between("stop", (make.one,), (self.rows,))
        follows = make.add(chunk, make.one)
        is_last = make.call(p.LTEI, chunks, follows)
        windows = {e: replace(e.made.buffer, name=make.fresh("window")) for e in self.found}
        body = (
            *[Alloc(windows[e], self.window_size(e), e.alloc.site) for e in self.found],
            HostLet(start, make.mul(chunk, each)),
            HostLet(stop, make.select(is_last, self.rows, make.add(start, each))),
            *self.turns(windows, start, stop, chunk, each),
            *[Free(window) for window in windows.values()],
        )
        return (
            HostLet(chunks, self.chunks),
            HostLet(each, make.call(QUOT, self.rows, chunks)),
            *[s for e in self.found for s in self.made_edges(e, chunks, each)],
            ForEach(Space((chunk,), (chunks,)), body, independent=True),
        )

    def made_edges(self, each: Made, chunks: Exp, rows: Exp) -> list[Statement]:
        """The rows on both sides of where chunks begin and end; beyond the ends are others or constants.
        Behind the last chunk only those beyond the end are used.
        """
        make = self.make
        if self.far is make.zero:
            return []
        chunk, side = make.index("chunk", make.add(chunks, make.one)), make.index("side", self.twice)
        edge = Var(make.fresh("edge"), Base.INT, True)
        first, last = self.ends(each)
        row = make.between("row", (first,), (last,))
        start = make.select(make.call(p.LTI, chunk, chunks), make.mul(chunk, rows), self.rows)
        others, constants = self.beyond_ends(each, edge)
        made = self.some_rows(
            each, self.edges[each], make.add(make.mul(chunk, self.twice), side), row, make.one
        )
        body: list[Statement] = [made]
        for is_there, value in constants:
            body = [If(is_there, (replace(made, body=value),), tuple(body))]
        where = HostLet(edge, make.add(make.sub(start, self.far), side))
        space = Space((chunk, side), (make.add(chunks, make.one), self.twice))
        return [ForEach(space, (where, HostLet(row, others), *body), independent=True)]

    def ends(self, each: Made) -> tuple[Exp, Exp]:
        """The first and the last row of an array."""
        make, rows = self.make, each.rows
        return make.const(-rows.above), make.add(self.rows, make.const(rows.more - rows.above - 1))

    def beyond_ends(self, each: Made, edge: Var) -> tuple[Exp, list[tuple[Exp, Exp]]]:
        """Which row stands for one that may be beyond the ends; conditions on it with constants."""
        make = self.make
        first, last = self.ends(each)
        row = make.call(p.MAXI, make.call(p.MINI, edge, last), first)
        constants: list[tuple[Exp, Exp]] = []
        for (buffer, number), beyond in self.reads.beyond.items():
            if buffer is each.made.buffer:
                place = make.const(number) if number < 0 else make.add(self.rows, make.const(number))
                is_there = make.call(p.EQI, edge, place)
                if beyond.value is not None:
                    constants.append((is_there, beyond.value))
                elif beyond.row is not None:
                    row = make.select(is_there, beyond.row, row)
        return row, constants

    def turns(
        self, windows: dict[Made, Buffer], start: Exp, stop: Exp, chunk: Exp, rows: Exp | None
    ) -> list[Statement]:
        """The rows from `start` on up to `stop`, block by block; `rows` are about how many, if told early."""
        make, far, twice, many = self.make, self.far, self.twice, self.many
        length = make.sub(stop, start)
        blocks = make.between("blocks", (make.zero,), ())
        block = make.index("block", blocks)
        first = make.between("first", (make.zero,), (make.sub(stop, make.one),))
        count = make.between("count", (make.zero,), (many,))
        own = make.between("own", (make.zero,), (count,))
        last = make.call(p.MINI, count, make.sub(make.sub(stop, far), first))
        before: list[Statement] = []
        body: list[Statement] = [
            HostLet(first, make.add(start, make.mul(block, many))),
            HostLet(count, make.call(p.MINI, many, make.sub(stop, first))),
            HostLet(own, make.call(p.MAXI, last, make.zero)),
        ]
        made: list[Map] = []
        ends: list[Statement] = []
        for each, window in windows.items():
            edges = self.edges[each]
            if far is not make.zero:
                above, behind = make.mul(chunk, twice), make.mul(make.add(chunk, make.one), twice)
                before.append(self.copied(each, window, many, edges, above, twice))
                body.append(self.copied(each, window, make.zero, window, many, twice))
            behind_own = make.sub(make.sub(stop, far), make.add(first, make.one))
            made.append(self.some_rows(each, window, twice, make.add(first, far), own, behind_own))
            if far is not make.zero:
                seen = make.add(make.add(first, own), make.sub(make.add(far, far), stop))
                rest = make.sub(count, own)
                target = make.add(twice, own)
                ends.append(self.copied(each, window, target, edges, make.add(behind, seen), rest))
        body += [*together(made, make), *ends, self.taken(windows, first, count)]
        some = make.sub(many, make.one)
        about = None if rows is None else make.call(QUOT, make.add(rows, some), many)
        return [
            *before,
            HostLet(blocks, make.call(QUOT, make.add(length, some), many)),
            ForEach(Space((block,), (blocks,)), tuple(body), about=about),
        ]

    def some_rows(
        self, each: Made, target: Buffer, place: Exp, row: Exp, count: Exp, last: Exp | None = None
    ) -> Map:
        """So many rows of an array, from one on, in memory from another row on; `last`: how far behind the
        first one the last one may be, if there is one.
        """
        make, made = self.make, each.made
        k, *others = [
            make.index(i.name, n)
            for i, n in zip(made.space.indices, (count, *made.space.extents[1:]), strict=True)
        ]
        if last is not None:
            k = replace(k, highs=(*k.highs, last))
        inner: dict[Exp, Exp] = dict(zip(made.space.indices[1:], others, strict=True))
        own = make.add(make.add(row, k), make.const(each.rows.above))
        at = Substitute(make, {made.space.indices[0]: own, **inner})
        in_row = Substitute(make, {made.space.indices[0]: make.zero, **inner})(made.position)
        position = make.add(make.mul(make.add(place, k), each.rows.size), in_row)
        space = Space((k, *others), (count, *made.space.extents[1:]))
        if count is make.one:
            alone = Substitute(make, {k: make.zero})
            space, position = Space(space.indices[1:], space.extents[1:]), alone(position)
            return replace(made, buffer=target, space=space, position=position, body=alone(at(made.body)))
        return replace(made, buffer=target, space=space, position=position, body=at(made.body))

    def copied(self, each: Made, target: Buffer, place: Exp, source: Buffer, row: Exp, count: Exp) -> Map:
        """So many rows that lie in other memory, or elsewhere in the same."""
        make, size = self.make, each.rows.size
        k = make.index("k", make.mul(count, size))
        value = make.read(source, make.add(make.mul(row, size), k))
        return Map(target, Space((k,), (make.mul(count, size),)), make.add(make.mul(place, size), k), value)

    def taken(self, windows: dict[Made, Buffer], first: Exp, count: Exp) -> Map:
        """The map for some rows, of windows."""
        make, taker = self.make, self.taker
        old = taker.space
        k = make.index(old.indices[0].name, count)
        window = {e.made.buffer: (windows[e], e.rows.size) for e in self.found}
        replaced: dict[Exp, Exp] = {old.indices[0]: make.add(first, k)}
        for read, place in self.reads.places.items():
            buffer, size = window[read.buffer]
            row = make.add(k, make.add(self.far, make.const(place.below)))
            replaced[read] = make.read(buffer, make.add(make.mul(row, size), place.place))
        change = Substitute(make, replaced)
        space = Space((k, *old.indices[1:]), (count, *old.extents[1:]))
        return replace(taker, space=space, position=change(taker.position), body=change(self.body))
