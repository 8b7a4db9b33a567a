"""Folds along columns take in the scans along columns that they read: a row at a time, in blocks of columns.

    alloc a : m·n                                       alloc s : n
    SCAN ⊕ a[n·k+j] = f(k,j) over j < n, k < m          for each block of columns {
    MAP b[j] = REDUCE ⊗ over k < m                →         MAP s[j] = neutral of ⊕;  MAP b[j] = neutral of ⊗
        { g(a[n·k+j], k, j) } over j < n                    for k < m in order
    free a                                                      FUSED { x = s[j] ⊕ f(k,j)
                                                                        MAP s[j] = x
                                                                        MAP b[j] = b[j] ⊗ g(x, k, j) }
                                                        }
                                                        free s

The running values of a row and what the folds have by then are all that is in memory, and stay in a cache
nearby: a block has so few columns. Yet it has as many as that allows: memory gives long runs of neighbours
faster, so that threads share a few wide blocks. Several rows are done at a time, so that a running value is
loaded and stored for a few rows once. Scans of scans, and several scans that folds read together, are one
such loop, and so are all the folds of a statement over the same rows. Blocks are independent.

Where lengths are equal only if the run finds so, as those of two arguments, there is a version for that.

Legal: nothing else reads the scan; it does not fail, and the fold in one way at most; what it is made of
stays the same up to where it is read. Profitable: the scan is read from memory once less, and not written at
all. Scans that have bytes for elements stay in memory: they take little of it, and a lane for each byte does
more at a time than loops that widen what they combine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from aplc.laila.ir.interval_rules import INT32
from aplc.laila.ir.liveness import Users, buffers_read
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
    Variable,
)
from aplc.laila.ir.ranges import Ranges, of_storage, storage_for
from aplc.laila.ir.scalar import (
    QUOT,
    BlockExp,
    Buffer,
    Check,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Select,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, rebuilt, with_blocks, with_bodies, within
from aplc.laila.ir.strides import steps_by_one
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import fill, from_index, weigh
from aplc.laila.lowering.scalars import CUTTING, joined, neutral
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.transform.fusion.scan_readers import (
    Loops,
    Reader,
    Scanned,
    around,
    fails_alike,
    may_move,
    scans_of,
    without,
)
from aplc.laila.transform.versioning.multiversioning import Equal, is_total, version
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

COLUMNS = 8192
"""The most columns of a block: two rows of so many lie in a cache nearby."""

SHARED = 512
"""The least where threads share the blocks,"""

SHARES = 4
"""and into how many blocks what has more is divided."""

LINE = 64
"""Columns by which such blocks begin in different lines of the cache."""

NARROW = 1
"""Bytes of an element of scans that stay in memory."""

ROWS = 4
"""Rows at a time."""

FEW = 3
"""Columns for which checks in loops over rows take longer than memory."""

WORK = 24
"""Rows of more operations for each column than this are done one by one."""


def with_rows_scanned(program: Program, make: ExprBuilder, *, in_threads: bool) -> Program:
    """The program with scans along columns in the folds that read them."""
    return with_blocks(program, _Columns(make, program, in_threads).block)


@dataclass(frozen=True, slots=True)
class _Columnwise:
    """Folds of a statement along the columns of a matrix, each for a column, and the scans that they read, in
    order.
    """

    scans: tuple[Scanned, ...]
    folds: tuple[tuple[Fold, Var], ...]
    rows: Exp
    columns: Exp


@dataclass(slots=True)
class _Columns:
    make: ExprBuilder
    program: Program
    in_threads: bool
    free: FreeVars = field(default_factory=FreeVars)
    users: Users = field(default_factory=Users)
    known: list[HostLet] = field(default_factory=list)
    """The conditions and lengths of the statements around."""
    changing: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Scalars that change are not what conditions told of them."""
        everything = [self.program.statements, *[f.statements for f in self.program.functions]]
        self.changing = frozenset(
            [s.var.name for block in everything for s in within(block) if isinstance(s, Variable)]
        )

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those inside them."""
        outer = list(self.known)
        block: list[Statement] = []
        for statement in statements:
            block.append(with_bodies(statement, self.block))
            if isinstance(statement, HostLet) and self.is_known(statement):
                self.known.append(statement)
        self.known = outer
        for reader in [s for s in block if isinstance(s, Reader)]:
            scans = scans_of(block, self.users)
            if not scans:
                break
            at = next((k for k, s in enumerate(block) if s is reader), None)
            if at is not None:
                block = self.taken_in(block, at, scans) or block
        return tuple(block)

    def taken_in(
        self, block: list[Statement], at: int, scans: dict[Buffer, Scanned]
    ) -> list[Statement] | None:
        """A block in which a statement has taken in the scans that it alone reads; None if it does not."""
        reader = block[at]
        assert isinstance(reader, Reader)
        read = dict.fromkeys([n.buffer for n, _ in around(reader, lambda n: False) if isinstance(n, Read)])
        wanted = self.all_read(block, at, [b for b in read if b in scans], scans)
        if not wanted or all(s.scan.buffer.item_bytes <= NARROW for s in wanted):
            return None
        first = min(s.at for s in wanted)
        others = {s.scan.buffer for s in wanted}
        roots = [e for s in wanted for e in (s.scan.body, *s.scan.space.extents)]
        if not may_move(self.free, roots, [s for s in block[first:at] if not _makes(s, others)]):
            return None
        found = self.columnwise(reader, wanted)
        if found is not None:
            return without(block, wanted, {at: self.where_wide(reader, found)})
        return self.in_versions(block, at, wanted)

    def all_read(
        self, block: list[Statement], at: int, read: list[Buffer], scans: dict[Buffer, Scanned]
    ) -> tuple[Scanned, ...] | None:
        """Scans, and those that they read, in order, if they and one statement alone read them."""
        wanted: dict[Buffer, Scanned] = {}
        while read:
            buffer = read.pop()
            if buffer in wanted:
                continue
            wanted[buffer] = scans[buffer]
            read += [b for b in buffers_read(scans[buffer].scan.body) if b in scans]
        own = {s.at for s in wanted.values()} | {at}
        if any(k not in own for s in wanted.values() for k in s.readers):
            return None
        return tuple(sorted(wanted.values(), key=lambda s: s.at))

    # --- what is taken in ---

    def columnwise(self, reader: Reader, scans: tuple[Scanned, ...]) -> _Columnwise | None:
        """The folds of a statement that read scans along the columns of one matrix, if nothing else in it
        does.
        """
        columns, rows = scans[0].scan.space.extents
        buffers = {s.scan.buffer for s in scans}
        for k, scanned in enumerate(scans):
            (j, i), extents = scanned.scan.space.indices, scanned.scan.space.extents
            if extents != (columns, rows) or scanned.scan.position is not self.place(rows, columns, i, j):
                return None
            earlier = {s.scan.buffer for s in scans[:k]}
            if not self.reads_own(scanned.scan.body, earlier, self.place(rows, columns, i, j)):
                return None
            if any(b in buffers - earlier for b in buffers_read(scanned.scan.body)):
                return None
        folds: dict[Fold, Var] = {}
        for node, loops in around(reader, lambda n: _is_over(n, rows, buffers)):
            if _is_over(node, rows, buffers):
                assert isinstance(node, Fold)
                column = self.column(node, loops, rows, columns, buffers)
                if column is None or folds.setdefault(node, column) is not column:
                    return None
            elif isinstance(node, Read | BlockExp | PureCall) and buffers & set(buffers_read(node)):
                return None
        of_scans = [self.is_along_rows(s.scan.body, *s.scan.space.indices) for s in scans]
        of_folds = [self.is_along_rows(fold.body, column, fold.var) for fold, column in folds.items()]
        if not folds or not all((*of_scans, *of_folds)):
            return None
        return _Columnwise(scans, tuple(folds.items()), rows, columns)

    def is_along_rows(self, body: Exp, column: Var, row: Var) -> bool:
        """Whether an element takes neighbours in a row from neighbours in memory, without asking which they
        are.
        """
        for node in nodes(body):
            if isinstance(node, Select) and not contains(Read, node.cond):
                if {column, row} & self.free.of(node.cond):
                    return False
            elif isinstance(node, Read) and not self.is_along(node, column):
                return False
        return True

    def is_along(self, read: Read, column: Var) -> bool:
        """Whether what is read for neighbours in a row are neighbours, or the same."""
        is_same = column not in self.free.of(read.index)
        return is_same or steps_by_one(self.make, self.free, read.index, column)

    def place(self, rows: Exp, columns: Exp, row: Exp, column: Exp) -> Exp:
        """Where an element of the matrix is."""
        return from_index(self.make, (rows, columns), (row, column))

    def reads_own(self, exp: Exp, buffers: set[Buffer], place: Exp) -> bool:
        """Whether an expression reads some buffers at one place only."""
        read = [n for n in nodes(exp) if isinstance(n, Read) and n.buffer in buffers]
        return all(n.index is place for n in read)

    def column(self, fold: Fold, loops: Loops, rows: Exp, columns: Exp, buffers: set[Buffer]) -> Var | None:
        """The column that a fold is about, if it may be computed for all of them before, row by row."""
        if not isinstance(fold.combine, Prim) or fold.combine in CUTTING or not fails_alike(fold.body):
            return None
        own = {var for var, _ in loops}
        inside = {v for v in self.free.of(fold) if v in own}
        for column, extent in loops:
            if extent is columns and inside == {column}:
                is_own = self.reads_own(fold.body, buffers, self.place(rows, columns, fold.var, column))
                is_same = fold.empty is None or column not in self.free.of(fold.empty)
                return column if is_own and is_same and fold.extent is rows else None
        return None

    # --- the rows ---

    def where_wide(self, reader: Reader, found: _Columnwise) -> list[Statement]:
        """A statement with loops over rows in front, unless it checks elements of rows of a few."""
        quick = self.replaced(reader, found)
        if not isinstance(reader, Map) or not any(contains(Check, fold.body) for fold, _ in found.folds):
            return quick
        memory = [s.scan.buffer for s in found.scans]
        scans: list[Statement] = [*[s.alloc for s in found.scans], *[s.scan for s in found.scans]]
        others = (*scans, reader, *[Free(b) for b in memory])
        is_wide = self.make.call(p.LTI, self.make.const(FEW), found.columns)
        return [If(is_wide, tuple(quick), others)]

    def replaced(self, reader: Reader, found: _Columnwise) -> list[Statement]:
        """A statement behind the loops over rows that compute its folds."""
        make = self.make
        site = found.scans[0].alloc.site
        running = [self.row_of(s.scan.buffer, "s") for s in found.scans]
        own = self.own_memory(reader, found)
        totals = [own or self.total(fold) for fold, _ in found.folds]
        begun = [*running, *([] if own else totals)]
        results: dict[Exp, Exp] = {
            fold: make.read(total, j) for (fold, j), total in zip(found.folds, totals, strict=True)
        }
        after = [] if own else [rebuilt(reader, Substitute(make, results))]
        return [
            *[Alloc(b, found.columns, site) for b in begun],
            *self.blocks(found, running, totals),
            *after,
            *[Free(b) for b in begun],
        ]

    def row_of(self, buffer: Buffer, name: str) -> Buffer:
        """Memory for the running values of a row, which begin with others than those of the scan."""
        return Buffer(self.make.fresh(name), buffer.ty, buffer.storage)

    def total(self, fold: Fold) -> Buffer:
        """Memory for a fold of each column."""
        storage = STORAGE[fold.ty]
        if fold.ty is Base.INT:
            storage = storage_for(Ranges(is_single=self.make.settings.is_single).integers(fold), 32)
        return Buffer(self.make.fresh("total"), fold.ty, storage)

    def own_memory(self, reader: Reader, found: _Columnwise) -> Buffer | None:
        """The memory that a statement writes, if it writes the only fold of each column there."""
        if not isinstance(reader, Map) or len(found.folds) != 1:
            return None
        ((fold, column),) = found.folds
        is_same = reader.body is fold and reader.position is column and len(reader.space.indices) == 1
        is_kept = reader.buffer.ty is fold.ty and not reader.buffer.is_bounded
        return reader.buffer if is_same and is_kept else None

    def blocks(self, found: _Columnwise, running: list[Buffer], totals: list[Buffer]) -> list[Statement]:
        """The loop over blocks of columns."""
        make, n = self.make, found.columns
        before, width = self.width(n)
        many = make.call(QUOT, make.add(n, make.sub(width, make.one)), width)
        blocks = Var(make.fresh("blocks"), Base.INT, True, (make.zero,))
        block = make.index("block", blocks)
        first = Var(make.fresh("first"), Base.INT, True, (make.zero,), make.last_indices(n))
        count = Var(make.fresh("count"), Base.INT, True, (make.one,), (width, n))
        at_a_time = ROWS if self.work(found) <= WORK else 1
        done = Var(make.fresh("rows"), Base.INT, True, (make.zero,))
        groups = make.index("group", done)
        left = make.sub(found.rows, make.mul(make.const(at_a_time), done))
        last = make.index("row", left)
        several = [make.add(make.mul(make.const(at_a_time), groups), make.const(k)) for k in range(at_a_time)]
        start = self.started(found, running, totals, first, count)
        body: list[Statement] = [
            HostLet(first, make.mul(block, width)),
            HostLet(count, make.call(p.MINI, width, make.sub(n, first))),
            start,
            self.over(groups, done, several, found, running, totals, first, count),
        ]
        if at_a_time > 1:
            rest = [make.add(make.mul(make.const(at_a_time), done), last)]
            body.append(self.over(last, left, rest, found, running, totals, first, count))
        loop = ForEach(Space((block,), (blocks,)), tuple(body), independent=True)
        groups_of = make.call(QUOT, found.rows, make.const(at_a_time)) if at_a_time > 1 else found.rows
        return [HostLet(done, groups_of), *before, HostLet(blocks, many), loop]

    def width(self, columns: Exp) -> tuple[list[Statement], Exp]:
        """How many columns a block has, and what computes it."""
        make = self.make
        most = make.const(COLUMNS)
        if not self.in_threads:
            return [], most
        lines = make.call(QUOT, make.add(columns, make.const(SHARES * LINE - 1)), make.const(SHARES * LINE))
        share = make.call(p.MINI, make.mul(make.const(LINE), lines), most)
        width = Var(make.fresh("width"), Base.INT, True, (make.const(SHARED),), (most,))
        return [HostLet(width, make.call(p.MAXI, share, make.const(SHARED)))], width

    def work(self, found: _Columnwise) -> int:
        """The operations for an element."""
        return sum([weigh(s.scan.body).cost for s in found.scans]) + sum(
            [weigh(f.body).cost for f, _ in found.folds]
        )

    def started(
        self, found: _Columnwise, running: list[Buffer], totals: list[Buffer], first: Exp, count: Exp
    ) -> Statement:
        """What the scans and folds of a block begin with."""
        make = self.make
        j = make.index("j", count)
        space, column = Space((j,), (count,)), make.add(first, j)
        starts = [self.start_of_scan(s.scan, b) for s, b in zip(found.scans, running, strict=True)]
        starts += [self.start_of_fold(f, b) for (f, _), b in zip(found.folds, totals, strict=True)]
        buffers = [*running, *totals]
        maps = [Map(b, space, column, start) for b, start in zip(buffers, starts, strict=True)]
        return Fused(space, tuple(maps))

    def start_of_scan(self, scan: Scan, buffer: Buffer) -> Exp:
        """What a scan begins with: ¯0 + x is x, also for ¯0."""
        if scan.combine is p.ADDD:
            return self.make.const(-0.0)
        return self.neutral(scan.combine, buffer)

    def neutral(self, op: Prim, buffer: Buffer) -> Exp:
        """The neutral element among the values that memory holds."""
        values = of_storage(buffer)
        if op in (p.MAXI, p.MINI) and values is not None and values.within(INT32):
            return self.make.const(int(values.low if op is p.MAXI else values.high))
        return neutral(self.make, op)

    def start_of_fold(self, fold: Fold, buffer: Buffer) -> Exp:
        """What a fold begins with; for no elements it is the result."""
        make = self.make
        assert isinstance(fold.combine, Prim)
        start = self.neutral(fold.combine, buffer)
        if fold.empty is None or fold.empty is start:
            return start
        return make.select(make.call(p.EQI, fold.extent, make.zero), fold.empty, start)

    def over(
        self,
        index: Var,
        extent: Exp,
        rows: list[Exp],
        found: _Columnwise,
        running: list[Buffer],
        totals: list[Buffer],
        first: Exp,
        count: Exp,
    ) -> Statement:
        """The loop in order over rows, or over some at a time, of a block of columns."""
        make = self.make
        j = make.index("j", count)
        space, column = Space((j,), (count,)), make.add(first, j)
        scanned = [make.read(b, column) for b in running]
        folded = [make.read(b, column) for b in totals]
        for row in rows:
            for k, each in enumerate(found.scans):
                across, along = each.scan.space.indices
                own = self.elements(found.scans[:k], scanned, found, along, across)
                body = Substitute(make, {**own, along: row, across: column})(each.scan.body)
                scanned[k] = make.call(each.scan.combine, scanned[k], body)
            for k, (fold, index_of_column) in enumerate(found.folds):
                own = self.elements(found.scans, scanned, found, fold.var, index_of_column)
                body = Substitute(make, {**own, fold.var: row, index_of_column: column})(fold.body)
                assert isinstance(fold.combine, Prim)
                folded[k] = joined(make, fold.combine, folded[k], body)
        maps = [
            Map(b, space, column, x) for b, x in zip((*running, *totals), (*scanned, *folded), strict=True)
        ]
        loop = Fused(space, tuple(maps), in_place=True)
        return ForEach(Space((index,), (extent,)), (loop,))

    def elements(
        self, scans: Sequence[Scanned], values: list[Exp], found: _Columnwise, row: Exp, column: Exp
    ) -> dict[Exp, Exp]:
        """What stands for the elements of scans at a place."""
        place = self.place(found.rows, found.columns, row, column)
        return {self.make.read(s.scan.buffer, place): v for s, v in zip(scans, values, strict=False)}

    # --- lengths that the run compares ---

    def in_versions(
        self, block: list[Statement], at: int, scans: tuple[Scanned, ...]
    ) -> list[Statement] | None:
        """A block in which a statement takes in scans where lengths are equal, and otherwise reads them."""
        make, reader = self.make, block[at]
        known = [*self.known, *[s for s in block[:at] if isinstance(s, HostLet) and self.is_known(s)]]
        about = {v for e in own_expressions(reader) for v in self.free.of(e)}
        for each in reversed(known):
            about |= self.free.of(each.value) if each.var in about else frozenset()
        conditions = [k for k in known if k.var.likely and k.var in about]
        if not conditions or not isinstance(reader, HostLet | Map):
            return None
        equal, test = Equal(make), make.true
        for each in known:
            if each in conditions:
                test = make.call(p.ANDB, test, each.var)
            if each in conditions or not each.var.likely:
                equal.learn(each.var, each.value, holds=each.var.likely)
        exported = [reader.var] if isinstance(reader, HostLet) else []
        span: list[Statement] = [*[s.scan for s in scans], reader]
        changed = version(make, span, equal.values, exported)
        made = [s for s in changed if isinstance(s, Scan)]
        moved = tuple([replace(s, scan=scan) for s, scan in zip(scans, made, strict=True)])
        quick, *assigned = changed[len(made) :]
        found = self.columnwise(quick, moved) if isinstance(quick, Reader) else None
        if found is None or not isinstance(quick, Reader):
            return None
        other = [
            *[s.alloc for s in scans],
            *version(make, span, {}, exported),
            *[Free(s.scan.buffer) for s in scans],
        ]
        choice = If(test, (*self.replaced(quick, found), *assigned), tuple(other))
        return without(block, scans, {at: [*[Variable(v, fill(make, v.ty)) for v in exported], choice]})

    def is_known(self, statement: HostLet) -> bool:
        """Whether a scalar is a condition or a length that stays what it is."""
        is_length = statement.var.likely or statement.var.is_index
        return (
            is_length and is_total(statement.value) and not self.free.names(statement.value) & self.changing
        )


def _is_over(node: Exp, rows: Exp, buffers: set[Buffer]) -> bool:
    """Whether a node is a fold over the rows of a matrix that reads scans of it."""
    return isinstance(node, Fold) and node.extent is rows and not buffers.isdisjoint(buffers_read(node.body))


def _makes(statement: Statement, buffers: set[Buffer]) -> bool:
    """Whether a statement makes one of some scans, or its memory."""
    return isinstance(statement, Alloc | Scan | Free) and statement.buffer in buffers
