"""Kernels for scans and filters of items whose lengths differ: what runs along each item.

    for i < n { SCAN b[p(i)+k] = + of e(i,k) over k < length(i) }
        →   launch totals      part t: what its last piece comes to, and whether the item begins there
            host               what comes before the first piece of each part
            launch pieces      part t: each of its pieces, from its beginning or from what comes before

    for i < n { FILTER b, used over k < length(i) { … }; put ends[i+1] = used }
        →   MAP ends[i+1] = REDUCE + over k < length(i) { 1 for what is kept } over i < n
            SCAN ends[i+1] = + of ends[i+1]
            for i < n, in any order { used = ends[i]; FILTER b, used over k < length(i) { … } }

The first loop of a filter is a fold of items. What its last loop carries along an item is a scan, too: of the
number of those that are kept. So both go through the pieces of equal parts, or a group has an item, or a
work-item has one, or a chunk of them: see Note [Lengths of items].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aplc.laila.devices.device_mapping import GROUP
from aplc.laila.devices.item_lengths import LengthDivider, Lengths
from aplc.laila.devices.kernel_partition import Chunk, Loop, Total
from aplc.laila.devices.kernels import fits, in_any_order, written_by
from aplc.laila.devices.offload_scans import ScanDivider
from aplc.laila.devices.pieces import EqualParts, Piece
from aplc.laila.ir.program import (
    Assign,
    Filter,
    ForEach,
    Fused,
    HostLet,
    If,
    Map,
    Part,
    Scan,
    Space,
    Statement,
    Store,
    Variable,
)
from aplc.laila.ir.scalar import QUOT, BlockExp, Buffer, Check, Exp, Fold, Read, Var, contains, nodes
from aplc.laila.ir.statements import own_expressions, rebuilt
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.types import Base


@dataclass(frozen=True, slots=True)
class Running:
    """What runs along each item."""

    space: Space
    """Of the items."""
    lets: tuple[HostLet, ...]
    """What is computed once for each."""
    along: Fused
    """Scans with what is fused with them, or a filter."""
    extent: Exp
    """The length of an item."""
    place: Exp | None = None
    """Where the first element of an item goes that is kept,"""
    stop: Exp | None = None
    """and the place behind the last one."""

    @property
    def index(self) -> Var:
        """That of an item."""
        return self.space.indices[0]

    @property
    def carried(self) -> list[Scan | Filter]:
        """The parts that carry something from value to value."""
        return [q for q in self.along.parts if isinstance(q, Scan | Filter)]


@dataclass(frozen=True, slots=True)
class Counted:
    """A filter of each item, where what is kept has been counted."""

    ends: Buffer
    """How many elements are kept of the items before each."""
    is_own: bool
    """Whether nothing else wants to know."""
    count: Map
    scan: Scan
    write: ForEach
    running: Running | None
    """What it does along each item, if that can be cut."""
    total: Assign


class ItemScanDivider(ScanDivider, LengthDivider):
    """Kernels for loops over items with scans or filters of each."""

    # --- which loops ---

    def running_of(self, statement: ForEach) -> Running | None:
        """What runs along the items of a loop, if nothing else is done there."""
        if len(statement.space.indices) != 1 or statement.scratch:
            return None
        *before, last = statement.body
        match last:
            case Scan():
                along = Fused(last.space, (last,))
            case Fused():
                along = last
            case _:
                return None
        lets = tuple([s for s in before if isinstance(s, HostLet)])
        if len(lets) < len(before) or len(along.space.indices) != 1:
            return None
        extent = self.of_item(lets, along.space.extents[0])
        running = Running(statement.space, lets, along, extent)
        return running if self.can_be_cut(running) else None

    def can_be_cut(self, running: Running) -> bool:
        """Whether what runs along an item depends on its length, and pieces can be combined."""
        make, along = self.make, running.along
        carried = running.carried
        maps = [q for q in along.parts if isinstance(q, Map) and q.guard is None and not q.ordered]
        scans = [q for q in carried if isinstance(q, Scan)]
        combined = all(in_any_order(make.settings, q.combine, q.body.ty) for q in scans)
        known = len(maps) + len(carried) == len(along.parts)
        if not carried or not known or not combined:
            return False
        results = {q.running for q in scans}
        elements = [q.keep if isinstance(q, Filter) else q.body for q in carried]
        once = [let.value for let in running.lets]
        if any(self.free.of(e) & results for e in elements) or contains(Fold | BlockExp, *once):
            return False
        written, roots = set(written_by(along)), [*once, *own_expressions(along)]
        if any(isinstance(n, Read) and n.buffer in written for n in nodes(*roots)):
            return False
        extent = running.extent
        return running.index in self.free.of(extent) and not contains(Fold | BlockExp, extent)

    def of_item(self, lets: Sequence[HostLet], exp: Exp) -> Exp:
        """An expression without the variables that are computed once for each item."""
        known: dict[str, Exp] = {}
        for let in lets:
            known[let.var.name] = self.with_values(known, let.value)
        return self.with_values(known, exp)

    def with_values(self, known: dict[str, Exp], exp: Exp) -> Exp:
        """An expression with values for variables of these names, whatever else is known of them."""
        variables = [n for n in nodes(exp) if isinstance(n, Var) and n.name in known]
        found: dict[Exp, Exp] = {v: known[v.name] for v in variables}
        return Substitute(self.make, found)(exp)

    # --- filters ---

    def counted(self, statement: ForEach) -> Counted | None:
        """A loop that appends what it keeps of each item, in another way: what is kept is counted first."""
        make, used = self.make, statement.counts
        if used is None or len(statement.space.indices) != 1 or statement.scratch:
            return None
        (index,), (n,) = statement.space.indices, statement.space.extents
        next_one, ends = make.add(index, make.one), None
        *before, last = statement.body
        if isinstance(last, Store) and last.position is next_one and last.value is used and before:
            ends = last.buffer
            *before, last = before
        lets = tuple([s for s in before if isinstance(s, HostLet)])
        if not isinstance(last, Filter) or last.count is not used or len(lets) < len(before):
            return None
        if contains(Fold | BlockExp, *[let.value for let in lets]):
            return None
        own = ends or Buffer(make.fresh("ends"), Base.INT, "int64")
        (inside,), (extent,) = last.space.indices, last.space.extents
        length = self.of_item(lets, extent)
        place = make.index(inside.name, length)
        keep = Substitute(make, {inside: place})(self.of_item(lets, last.keep))
        each = make.fold(p.ADDI, place, length, make.call(p.B2I, keep), make.zero)
        row = make.index(index.name, n)
        here = Substitute(make, {index: row})
        space = Space((row,), (n,))
        rows = [s for s in [rebuilt(let, here) for let in lets] if isinstance(s, HostLet)]
        within = make.index(inside.name, here(extent))
        change = Substitute(make, {index: row, inside: within})
        found = replace(
            last, space=Space((within,), (here(extent),)), keep=change(last.keep), body=change(last.body)
        )
        places = make.read(own, row), make.read(own, make.add(row, make.one))
        write = ForEach(space, (*rows, *self.kept(found, *places)), independent=True)
        along = Fused(found.space, (found,))
        running = Running(space, tuple(rows), along, here(length), *places)
        return Counted(
            own,
            ends is None,
            Map(own, statement.space, next_one, each),
            Scan(own, statement.space, next_one, p.ADDI, make.read(own, next_one)),
            write,
            running if self.can_be_cut(running) else None,
            Assign(used, make.read(own, n)),
        )

    # --- equal parts ---

    def start_running(self, loop: Loop, running: Running, lengths: Lengths) -> list[If]:
        """The start of kernels for equal parts of all values."""
        make, settings = self.make, self.make.settings
        enough = make.call(p.ANDB, lengths.is_unlike, self.reaches(loop))
        parts = EqualParts(self, running.space, lengths)
        totals = tuple([self.total(q) for q in running.carried])
        begun = Buffer(make.fresh("begun"), Base.BOOL, Base.BOOL.dtype)
        cut = _Cut(self, parts, running, totals, begun)
        first, second = parts.last(cut.length_of, cut.total), parts.each(cut.length_of, cut.piece)
        partials = tuple([total.partial for total in totals])
        others = (*partials, begun)
        if enough is make.false or not fits(settings, first, frozenset(others)):
            return []
        if not fits(settings, second, loop.written):
            return []
        own = replace(loop, others=others)
        before = self.made(own, "totals", parts.chunk, first, frozenset(others))
        after = self.made(own, "pieces", parts.chunk, second, loop.written)
        (items,) = self.numbers(parts.chunk)
        between = [s for total in totals for s in self.exclusive_of_items(total, begun, items)]
        between += self.started(own, after, (items,), ())
        body = [
            *parts.divided(items, others),
            *self.started(own, before, (items,), between),
            *parts.freed(others),
        ]
        return [If(enough, tuple(body))]

    def exclusive_of_items(self, total: Total, begun: Buffer, items: Var) -> list[Statement]:
        """What the last pieces of the parts come to replaced by what comes before the first of each."""
        make, partial, before = self.make, total.partial, total.before
        k = make.index("k", items)
        own = Var(make.fresh("t"), before.ty)
        longer = make.call(total.combine, before, own)
        step = (
            HostLet(own, make.read(partial, k)),
            Store(partial, k, before),
            Assign(before, make.select(make.read(begun, k), own, longer)),
        )
        return [Variable(before, total.start), ForEach(Space((k,), (items,)), step)]

    # --- a group for each item ---

    def start_groups(self, loop: Loop, running: Running, is_long: Exp) -> list[If]:
        """The start of a kernel with a group for each item, if items are long; or nothing."""
        make, space, settings = self.make, running.space, self.make.settings
        can_fail = contains(Check, *[let.value for let in running.lets])
        if not self.division.grid or self.division.grid % GROUP or can_fail:
            return []
        item, row, stop = [self.natural(name) for name in ("item", "row", "stop")]
        here = Substitute(make, {running.index: row})
        (old,), (extent,) = running.along.space.indices, running.along.space.extents
        inside = make.index(old.name, stop)
        along = rebuilt(running.along, Substitute(make, {running.index: row, old: inside}))
        assert isinstance(along, Fused)
        along = replace(along, space=Space((inside,), (stop,)))
        lets = [rebuilt(let, here) for let in running.lets]
        own = replace(loop, totals=tuple([self.total(q) for q in running.carried]))
        swept = self.swept(own, along, make.zero, stop)
        enough = make.call(p.ANDB, self.reaches(loop), is_long)
        if swept is None or enough is make.false:
            return []
        first = [
            HostLet(row, make.call(QUOT, item, make.const(GROUP))),
            *lets,
            HostLet(stop, here(extent)),
            *[
                Variable(carry.before, carry.nothing if running.place is None else here(running.place))
                for carry in swept.sweep.carries
            ],
        ]
        if not fits(settings, (*first, *swept.sweep.statements), loop.written):
            return []
        chunk = Chunk((item,), (), (), (), (), space, Substitute(make, {}), (), in_steps=True)
        made = self.made(loop, "items", chunk, tuple(first), loop.written, sweep=swept.sweep)
        number = self.natural("items")
        length = HostLet(number, make.mul(make.product(space.extents), make.const(GROUP)))
        return [If(enough, (length, *self.started(loop, made, (number,), ())))]


@dataclass(frozen=True, slots=True)
class _Cut:
    """What a work-item does with what runs along the items in its part."""

    divider: ItemScanDivider
    parts: EqualParts
    running: Running
    totals: tuple[Total, ...]
    begun: Buffer
    """Whether the last item of each part begins in it."""

    def length_of(self, row: Var) -> Exp:
        """The values of an item."""
        return Substitute(self.parts.make, {self.running.index: row})(self.running.extent)

    def within(self, piece: Piece) -> tuple[list[Statement], Var, Substitute]:
        """What is computed once for an item, an index of the piece, and what expressions become there."""
        make, running = self.parts.make, self.running
        (old,) = running.along.space.indices
        inside = make.index(old.name, piece.count)
        change = Substitute(make, {running.index: piece.row, old: make.add(piece.skipped, inside)})
        return [rebuilt(let, change) for let in running.lets], inside, change

    def total(self, piece: Piece) -> tuple[Statement, ...]:
        """What the last piece of the part comes to."""
        make, number = self.parts.make, self.parts.number
        lets, inside, change = self.within(piece)
        puts: list[Statement] = [Store(self.begun, number, piece.begins)]
        for part, total in zip(self.running.carried, self.totals, strict=True):
            element = make.call(p.B2I, part.keep) if isinstance(part, Filter) else part.body
            own = Var(make.fresh("s"), total.before.ty)
            fold = make.fold(total.combine, inside, piece.count, change(element), total.start)
            puts += [HostLet(own, fold), Store(total.partial, number, own)]
        return (*lets, *puts)

    def piece(self, piece: Piece) -> tuple[Statement, ...]:
        """What runs along one piece, from what comes before it."""
        make, along, number = self.parts.make, self.running.along, self.parts.number
        lets, inside, change = self.within(piece)
        space = Space((inside,), (piece.count,))
        starts: list[Statement] = []
        parts: list[Part] = []
        totals = iter(self.totals)
        for part in along.parts:
            assert isinstance(part, Map | Scan | Filter)
            changed = rebuilt(part, change)
            assert isinstance(changed, Map | Scan | Filter)
            if isinstance(changed, Map):
                parts.append(replace(changed, space=space))
                continue
            total = next(totals)
            before = make.select(piece.begins, total.start, make.read(total.partial, number))
            if isinstance(changed, Scan):
                here = Var(make.fresh("before"), before.ty)
                starts.append(HostLet(here, before))
                parts.append(replace(changed, space=space, start=here))
                continue
            assert self.running.place is not None and self.running.stop is not None
            place, stop = change(self.running.place), change(self.running.stop)
            cut = make.add(place, make.read(total.partial, make.add(number, make.one)))
            kept = replace(changed, space=space)
            end = make.select(piece.ends, stop, cut)
            return (*lets, *self.divider.kept(kept, make.add(place, before), end))
        return (*lets, *starts, Fused(space, tuple(parts), along.in_place))
