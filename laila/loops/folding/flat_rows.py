"""Folds over the rows of narrow matrices, in lanes across the borders of rows.

Note [Rows in lanes]
    Twelve columns fill few vectors, or none. A few rows lie in memory as one, of which each place has an
    accumulator of its own, as wide as what is read or as wide as its values need:

        for start by 255 blocks {
            for j < 64×12 { s[j] = 0 }
            for block from start { for j < 64×12 in lanes { s[j] = s[j] + v[64×12×block + j] } }
            for r < 64 { for i < 12 { a[i] = a[i] + s[12×r + i] } }
        }

    The rows that are left follow one by one. Only the run may know how many columns there are: rows that are
    not narrow, or few, are done as others. What each column has, as of `m` in `+⌿(⍵-⍤1⊢m)*2`, stands in
    an array as often as there are rows in a block.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.interval import FULL, Interval
from aplc.laila.ir.ranges import STORAGES, of_storage, width_of
from aplc.laila.ir.scalar import (
    BIT_OR,
    QUOT,
    BlockExp,
    Buffer,
    Check,
    Exp,
    Fold,
    PureCall,
    Read,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.split import Piece
from aplc.laila.ir.strides import depends
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.accumulators import combined, neutral_among
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.cycles import of_whole_vectors
from aplc.laila.loops.nests import EmitBody, Nests, Wanted
from aplc.laila.loops.spans import MapNest
from aplc.laila.loops.strategies import Otherwise
from aplc.laila.lowering.scalars import may_reassociate
from aplc.laila.lowering.scopes import STORAGE
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

BYTES = 1024
"""The accumulators that lie side by side take so many bytes at most,"""

PLACES = 256
"""or are so many."""

LEAST_BLOCKS = 4
"""As many rows as that many blocks have pay for the accumulators."""

MOST_BLOCKS = 255
"""So many blocks go into accumulators before these are emptied."""

LEAST_COUNT = 16
"""So many values must fit into a narrow accumulator."""

LEAST_ROWS = 2
"""So many rows lie side by side, or more."""

MOST_AGAIN = 4
"""So many arrays at most stand there several times."""

MOST_FOLDS = 3
"""Versions of more folds would be long."""

WIDE = 4
"""Of elements of so many bytes"""

FEW_COLUMNS = 16
"""more columns than that are no worse where they accumulate in registers."""

LINE = 64
"""The bytes of the widest vectors."""

OPERATORS = (p.ADDI, p.MINI, p.MAXI, p.ANDB, p.ORB, p.ADDD, p.MIND, p.MAXD)


@dataclass(frozen=True, slots=True)
class RowFold:
    """A fold whose rows accumulate in a buffer: at `place`, for each column below `columns`, the elements for
    each of so many rows.
    """

    buffer: Buffer
    fold: Fold
    column: Var
    columns: Exp
    rows: Exp
    element: Exp
    place: Exp

    @property
    def op(self) -> Prim:
        """The operator of the fold."""
        assert isinstance(self.fold.combine, Prim)
        return self.fold.combine


@dataclass(frozen=True, slots=True)
class _Flat:
    """The elements by their place among those of all rows, and the accumulators of these."""

    position: Var
    """The place, which is the first one of a block and then"""
    lane: Var
    """so many further."""
    element: Exp
    again: tuple[tuple[Buffer, Exp], ...]
    """Arrays in which what is computed for each column stands several times."""
    sums: Buffer
    op: Prim
    most: int
    """How many values an accumulator takes."""
    is_wide: bool
    """Whether few elements fill a vector."""

    @property
    def room(self) -> int:
        """How many accumulators there are at most."""
        return max(PLACES, BYTES // self.sums.item_bytes)


class FlatRows:
    """Folds over narrow rows: see Note [Rows in lanes]."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.make, self.code, self.free = nests, nests.make, nests.code, nests.free

    def generate(self, wanted: RowFold, block: Block, otherwise: Otherwise[Exp]) -> None:
        """A fold whose accumulators have begun; `otherwise` makes the steps from a row on."""
        make = self.make
        flat = self.flat(wanted, block)
        pays = make.false if flat is None else self.pays(wanted, flat)
        if flat is None or pays is make.false:
            otherwise(make.zero, block)
            return
        first = make.between("first", (make.zero,), (wanted.rows,))
        block.statements.append(l.Declare(first, make.zero, mutable=True))

        def in_lanes(inner: Block) -> None:
            inner.statements.append(l.Assign(first, self.in_lanes(wanted, flat, inner)))

        self.nests.branch(pays, block, in_lanes)
        otherwise(first, block)

    def pays(self, wanted: RowFold, flat: _Flat) -> Exp:
        """Whether rows are narrow, and many."""
        make, columns = self.make, wanted.columns
        is_narrow = make.call(p.LTEI, columns, make.const(flat.room // LEAST_ROWS))
        least = make.const(LEAST_BLOCKS * flat.room)
        return make.call(p.ANDB, is_narrow, make.call(p.GTEI, make.mul(columns, wanted.rows), least))

    def flat(self, wanted: RowFold, block: Block) -> _Flat | None:
        """The elements by their place, if that is all that they depend on."""
        make, op = self.make, wanted.fold.combine
        if op not in OPERATORS or not may_reassociate(make, op) or not self.nests.options.has_memory:
            return None
        if block.mode.is_rare or not self.nests.options.splitting:
            return None
        of_columns = self.of_columns(wanted)
        if of_columns is None or contains(Check | BlockExp | Fold | PureCall, wanted.element):
            return None
        position, row = make.between("p", (make.zero,), ()), wanted.fold.var
        lane = make.between("j", (make.zero,), ())
        again = [(self.repeated(n), n) for n in of_columns]
        stands: dict[Exp, Exp] = {n: make.read(buffer, lane) for buffer, n in again}
        column = make.sub(position, make.mul(row, wanted.columns))
        by_place = Substitute(make, {wanted.column: column})
        element = by_place(Substitute(make, stands)(wanted.element))
        if depends(self.free, element, row) or depends(self.free, element, wanted.column):
            return None
        reads = [n for n in nodes(element) if isinstance(n, Read) and depends(self.free, n.index, position)]
        if not reads or any(make.linear(n.index)[1].get(position) != 1 for n in reads):
            return None
        width = 8 * max([b.item_bytes for b in (*[n.buffer for n in reads], *[b for b, _ in again])])
        if op in (p.ANDB, p.ORB):  # bytes are no lanes beside wider operands
            value = make.call(p.NOTB, element) if op is p.ANDB else element
            element, op = make.call(p.B2I, value), BIT_OR
        storage, most = self.accumulated(op, element, width)
        ty = Base.DOUBLE if storage == Base.DOUBLE.dtype else Base.INT
        sums = Buffer(make.fresh("sums"), ty, storage)
        is_wide = any(n.buffer.item_bytes >= WIDE for n in reads)
        return _Flat(position, lane, element, tuple(again), sums, op, most, is_wide)

    def of_columns(self, wanted: RowFold) -> list[Exp] | None:
        """What is computed for each column, the same in all rows; None if that is not so simple."""
        row = wanted.fold.var

        def is_of_column(exp: Exp) -> bool:
            return depends(self.free, exp, wanted.column) and not depends(self.free, exp, row)

        def below(exp: Exp) -> tuple[Exp, ...]:
            return () if isinstance(exp, Read) or is_of_column(exp) else tuple(operands(exp))

        found = [n for n in nodes(wanted.element, below=below) if is_of_column(n)]
        certain = {id(n) for n in unconditional((wanted.element,))}
        is_simple = all(id(n) in certain and n.ty in STORAGE for n in found)
        return found if is_simple and len(found) <= MOST_AGAIN else None

    def repeated(self, exp: Exp) -> Buffer:
        """An array in which a value for each column stands several times."""
        is_read = isinstance(exp, Read) and exp.buffer.data is None
        memory = exp.buffer if isinstance(exp, Read) and is_read else Buffer("", exp.ty, STORAGE[exp.ty])
        return replace(memory, name=self.make.fresh("again"), asked=False)

    def accumulated(self, op: Prim, element: Exp, width: int) -> tuple[str, int]:
        """The storage of accumulators no narrower than what is read, and how many values they take."""
        if element.ty is Base.DOUBLE:
            return Base.DOUBLE.dtype, MOST_BLOCKS
        values = self.nests.ranges.integers(element)
        for storage, held in STORAGES.items():
            if width_of(storage) >= width and (most := _times(op, values, held)) >= LEAST_COUNT:
                return storage, min(most, MOST_BLOCKS)
        return "int64", MOST_BLOCKS

    def in_lanes(self, wanted: RowFold, flat: _Flat, block: Block) -> Exp:
        """The rows of whole blocks; the first row behind them."""
        make, sums = self.make, flat.sums
        columns = self.code.single(wanted.columns, block)
        together = make.call(QUOT, make.const(flat.room), columns)
        lanes = LINE // sums.item_bytes
        for many in (lanes // 4, lanes // 2, lanes):
            together = self.code.named(of_whole_vectors(make, together, many), block, "rows")
        cycle = self.code.named(make.mul(together, columns), block, "cycle")
        count = self.code.named(make.call(QUOT, self.code.single(wanted.rows, block), together), block, "n")
        row, column = make.index("r", together), make.index("i", columns)
        place = make.add(make.mul(row, columns), column)
        rows = Piece(row, make.zero, together, ())
        for buffer, each in flat.again:
            block.statements.append(l.Local(buffer, flat.room))
            value = Substitute(make, {wanted.column: column})(each)
            self.over_rows(buffer, rows, Piece(column, make.zero, columns, (value, place)), block)

        def of_blocks(inner: Block, start: Exp, stop: Exp) -> None:
            inner.statements.append(l.Local(sums, flat.room))
            self.stored(sums, make.index("j", cycle), cycle, self.neutral(flat), inner)
            self.taken(flat, cycle, start, stop, inner)
            roots = self.emptied(wanted, make.read(sums, place), column)
            self.over_rows(wanted.buffer, rows, Piece(column, make.zero, columns, roots), inner)

        self.nests.blocks(count, flat.most, block, of_blocks, in_order=True)
        return make.mul(count, together)

    def neutral(self, flat: _Flat) -> Exp:
        """What accumulators start from."""
        values = STORAGES.get(flat.sums.storage)
        return self.make.zero if flat.op is BIT_OR else neutral_among(self.make, flat.op, values)

    def taken(self, flat: _Flat, cycle: Exp, start: Exp, stop: Exp, block: Block) -> None:
        """The elements of some blocks of rows."""
        make, number = self.make, self.make.between("block", (start,), self.make.last_indices(stop))

        def one(inner: Block, roots: tuple[Exp, ...]) -> None:
            base = self.code.named(self.code.single(roots[0], inner), inner, "base")
            lane = make.index("j", cycle)
            at = Substitute(make, {flat.position: make.add(base, lane), flat.lane: lane})
            after = self.combined(flat.op, make.read(flat.sums, lane), at(flat.element))
            self.stored(flat.sums, lane, cycle, after, inner)

        whole = Piece(number, start, stop, (make.mul(number, cycle),))
        self.nests.loop(Wanted(whole, one, frozenset(), None), block)

    def emptied(self, wanted: RowFold, sums: Exp, column: Var) -> tuple[Exp, Exp]:
        """What is accumulated for a column with an accumulator, and where."""
        make, op = self.make, wanted.op
        place = Substitute(make, {wanted.column: column})(wanted.place)
        if op in (p.ANDB, p.ORB):
            sums = make.call(p.EQI if op is p.ANDB else p.NEQI, sums, make.zero)
        return combined(make, op, make.read(wanted.buffer, place), sums), place

    def over_rows(self, buffer: Buffer, rows: Piece, columns: Piece, block: Block) -> None:
        """Values stored, given with their places, row by row."""

        def of_row(inner: Block, roots: tuple[Exp, ...]) -> None:
            across = replace(columns, roots=roots)
            self.nests.loop(Wanted(across, self.storing(buffer), independent=True), inner)

        whole = replace(rows, roots=columns.roots)
        self.nests.loop(Wanted(whole, of_row, frozenset((columns.var,)), None), block)

    def stored(self, buffer: Buffer, lane: Var, count: Exp, value: Exp, block: Block) -> None:
        """A value for each place of a buffer, in lanes."""
        whole = Piece(lane, self.make.zero, count, (value, lane))
        self.nests.loop(Wanted(whole, self.storing(buffer), independent=True), block)

    def storing(self, buffer: Buffer) -> EmitBody:
        """Writes a value to its place."""

        def store(inner: Block, roots: tuple[Exp, ...]) -> None:
            value, place = self.code.values(roots, inner)
            inner.statements.append(l.Store(buffer, place, value))

        return store

    def combined(self, op: Prim, before: Exp, value: Exp) -> Exp:
        """A value taken in; NaN stays."""
        make = self.make
        if op not in (p.MAXD, p.MIND):
            return combined(make, op, before, value)
        better = make.call(p.GTD if op is p.MAXD else p.LTD, value, before)
        return make.select(make.call(p.ORB, better, make.call(p.NEQD, value, value)), value, before)


class NarrowMaps:
    """Maps of folds over narrow rows that accumulate in small arrays, before the map is made of these."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.make, self.flat_rows = nests, nests.make, FlatRows(nests)

    def generate(self, wanted: MapNest, block: Block, otherwise: Otherwise[MapNest]) -> None:
        """A version for narrow rows if all folds of a map may be in lanes."""
        make = self.make
        pays, body = make.true, wanted.body
        found: list[tuple[RowFold, _Flat]] = []
        while pays is not make.false and (folds := self.folds(wanted, body)):
            sums: dict[Exp, Exp] = {}
            for rows in folds:
                flat = self.flat_rows.flat(rows, block)
                if flat is None or len(found) == MOST_FOLDS:
                    pays = make.false
                    break
                pays = make.call(p.ANDB, pays, self.flat_rows.pays(rows, flat))
                if flat.is_wide:
                    pays = make.call(p.ANDB, pays, make.call(p.LTEI, rows.columns, make.const(FEW_COLUMNS)))
                found.append((rows, flat))
                sums[rows.fold] = make.read(rows.buffer, rows.place)
            body = Substitute(make, sums)(body)
        if not found or pays is make.false or contains(Fold, body):
            otherwise(wanted, block)
            return

        def narrow(inner: Block) -> None:
            for rows, flat in found:
                self.accumulated(rows, flat, inner)
            ((column, columns),) = wanted.axes
            piece = Piece(column, make.zero, columns, (body, wanted.position))
            self.nests.in_pieces(Wanted(piece, self.flat_rows.storing(wanted.buffer)), inner)

        self.nests.one_of(pays, block, narrow, lambda inner: otherwise(wanted, inner))

    def folds(self, wanted: MapNest, body: Exp) -> list[RowFold]:
        """The innermost folds of a map over one axis, if all are certainly computed, for each column."""
        if len(wanted.axes) != 1:
            return []
        ((column, columns),) = wanted.axes
        every = [n for n in nodes(body) if isinstance(n, Fold)]
        roots = (body, *[n.body for n in every])
        certain = {id(n) for n in unconditional(roots)}
        rows = frozenset([n.var for n in every])
        found = [n for n in every if not contains(Fold, n.body)]
        for n in found:
            is_simple = id(n) in certain and n.ty in STORAGE and isinstance(n.combine, Prim)
            if not is_simple or self.nests.free.of(n) & rows or depends(self.nests.free, n.extent, column):
                return []
        return [RowFold(self.array(n.ty), n, column, columns, n.extent, n.body, column) for n in found]

    def array(self, ty: Base) -> Buffer:
        """A small array of what a fold gives for each column."""
        return Buffer(self.make.fresh("t"), ty, STORAGE[ty])

    def accumulated(self, rows: RowFold, flat: _Flat, block: Block) -> None:
        """What a fold gives for each column, in its array."""
        make, lanes = self.make, self.flat_rows
        block.statements.append(l.Local(rows.buffer, flat.room // LEAST_ROWS))
        start = neutral_among(make, rows.op, of_storage(rows.buffer))
        lanes.stored(rows.buffer, make.index("i", rows.columns), rows.columns, start, block)
        first = lanes.nests.code.named(lanes.in_lanes(rows, flat, block), block, "first")
        after = combined(make, rows.op, make.read(rows.buffer, rows.column), rows.element)
        columns = Piece(rows.column, make.zero, rows.columns, (after, rows.column))
        lanes.over_rows(rows.buffer, Piece(rows.fold.var, first, rows.rows, ()), columns, block)


def _times(op: Prim, values: Interval, held: Interval) -> int:
    """How many values of an interval a narrow accumulator takes, at most MOST_BLOCKS."""
    if op is not p.ADDI:
        return MOST_BLOCKS if values.within(held) else 0
    if held is FULL or not values.within(held):
        return MOST_BLOCKS if held is FULL else 0
    limits = [int(held.high // values.high)] if values.high > 0 else []
    limits += [int(held.low // values.low)] if values.low < 0 else []
    return min(limits, default=MOST_BLOCKS)
