"""Kernels for folds of items whose lengths differ, in equal parts of all values.

    MAP b[i] = f(REDUCE + over k < length(i) { e(i,k) }) over i < n
        →   SCAN slots[i+1] = + of length(i) + 1          an item takes a slot for each value, and one more
            launch values      part t: the slots from t×size up to (t+1)×size, of one item after the other;
                               b[i] of items that lie inside; of those that are cut, what its piece comes to
            launch ends        part t: an item that is cut and ends here: its pieces in their order, b[i]

Each part finds its first item by halving. However lengths differ, each has the same number of values and
items: one long item among a million short ones is shared by all.

Note [Lengths of items]
    How long items are is known when the program runs. Where a loop over them may be worth a kernel, the host
    looks at their lengths first: what they come to, and how unlike they are. On a device with a grid of
    work-items those of a group wait for the longest item among them: where the longest one is many times the
    mean, it gets parts of equal values; where items are long, a group has an item; otherwise a work-item.

    On a processor parts of equal values take about twice as long as chunks of items, all units together.
    So they pay where one chunk alone takes longer than that, divided by the units: on two units never, and
    the lengths are not looked at there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aplc.laila.devices.device_mapping import GROUP, ON_A_UNIT
from aplc.laila.devices.kernel_partition import NOWHERE, Chunk, Divider, Loop
from aplc.laila.devices.kernels import fits, in_any_order
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    ForEach,
    Free,
    Fused,
    HostLet,
    If,
    Map,
    Reduce,
    Scan,
    Space,
    Statement,
    Store,
    Variable,
    While,
)
from aplc.laila.ir.scalar import QUOT, BlockExp, Buffer, Check, Exp, Fold, Var, contains, nodes, operands
from aplc.laila.ir.split import bound_in
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.scalars import neutral
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

LONG_ITEM = 2 * GROUP
"""The mean length of items that are worth a group each."""

COST = 5, 2
"""More than parts of equal values take on a processor, compared with chunks: five halves."""

UNLIKE = 32
"""So many times the mean, and a group's work, is the longest of items that are too unlike for a grid."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """What the host knows of the lengths of items before it chooses a kernel."""

    fold: Fold
    length: Exp
    """Of the item at the index of the loop; 0 where that fails."""
    slots: Var
    """Of all items: one for each value, and one more for each item."""
    mean: Var
    is_unlike: Exp
    measured: tuple[Statement, ...]


class Unfailing(Substitute):
    """Expressions with zero where a check would fail."""

    def _rebuild(self, node: Exp) -> Exp:
        if isinstance(node, Check):
            make, value = self.make, self.done[id(node.value)]
            return make.select(self.done[id(node.ok)], value, make.zero)
        return super()._rebuild(node)


class ItemDivider(Divider):
    """Kernels for maps over items, whose elements are folds of as many values as each item has."""

    def lengths_of(self, statement: Map) -> Lengths | None:
        """What is to be known of the items that the one fold of a map goes over, if it goes over items."""
        make, space = self.make, statement.space
        roots = (statement.body,)
        if statement.guard is not None or len(space.indices) != 1 or contains(BlockExp, *roots):
            return None
        folds = [n for n in nodes(*roots, below=_outside) if isinstance(n, Fold)]
        if len(folds) != 1 or not isinstance(folds[0].combine, Prim) or not self.may_balance:
            return None
        (fold,), (index,), (n,) = folds, space.indices, space.extents
        hidden = bound_in((fold.extent,)) | bound_in(roots) - {fold.var}
        free = self.free.of(fold.extent)
        if index not in free or free & (hidden | {fold.var}) or contains(Fold, fold.extent):
            return None
        if not in_any_order(make.settings, fold.combine, fold.ty):
            return None
        length = make.call(p.MAXI, make.zero, Unfailing(make, {})(fold.extent))
        return self.measured(fold, length, index, n)

    def measured(self, fold: Fold, length: Exp, index: Var, n: Exp) -> Lengths:
        """See Note [Lengths of items]."""
        make = self.make
        slots, mean, most = [self.natural(name) for name in ("slots", "mean", "longest")]
        one_more = make.add(length, make.one)
        values = make.sub(slots, n)
        whole = HostLet(mean, make.call(QUOT, values, make.call(p.MAXI, make.one, n)))
        if self.division.grid:
            space = Space((index,), (n,))
            found: list[Reduce] = []
            for var, op, of in ((slots, p.ADDI, one_more), (most, p.MAXI, length)):
                each = make.fold(op, index, n, of, make.zero)
                assert isinstance(each, Fold)
                found.append(Reduce(var, space, each, of))
            limit = make.mul(make.const(UNLIKE), make.call(p.MAXI, mean, make.const(GROUP)))
            measure: tuple[Statement, ...] = (Fused(space, tuple(found)), whole)
            return Lengths(fold, length, slots, mean, make.call(p.GTI, most, limit), measure)
        size, parts, weight = [self.natural(name) for name in ("size", "parts", "weight")]
        chunk = make.index("c", parts)
        start = make.mul(chunk, size)
        count = make.call(p.MINI, size, make.sub(n, start))
        inside = make.index("j", count)
        of_item = Substitute(make, {index: make.add(start, inside)})(one_more)
        step = (
            HostLet(weight, make.fold(p.ADDI, inside, count, of_item, make.zero)),
            Assign(slots, make.add(slots, weight)),
            Assign(most, make.call(p.MAXI, most, weight)),
        )
        measure = (
            HostLet(size, self.parts(n, make.const(self.division.items))),
            HostLet(parts, self.parts(n, size)),
            Variable(slots, make.zero),
            Variable(most, make.zero),
            ForEach(Space((chunk,), (parts,)), step),
            whole,
        )
        times, by = COST
        heaviest = make.mul(make.const(by * self.units), most)
        is_unlike = make.call(p.GTI, heaviest, make.mul(make.const(times), slots))
        return Lengths(fold, length, slots, mean, is_unlike, measure)

    @property
    def choice(self) -> str:
        """Which kernel runs and why, for people."""
        if self.division.grid:
            return (
                f"by the lengths of items: parts of equal values where the longest is over {UNLIKE} times "
                f"the mean, a group for an item from a mean of {LONG_ITEM} on, else a work-item for an item"
            )
        times, by = COST
        share = 100 * times // (by * self.units)
        return (
            "by the lengths of items: parts of equal values where one chunk of items has over "
            f"{share} % of all, else chunks of items"
        )

    @property
    def units(self) -> int:
        """Of a processor."""
        return self.division.items // ON_A_UNIT

    @property
    def may_balance(self) -> bool:
        """Whether the lengths of items may matter: see Note [Lengths of items]."""
        times, by = COST
        return bool(self.division.grid) or self.units * by > times

    def natural(self, name: str, *highs: Exp) -> Var:
        """A fresh variable that is not negative."""
        return Var(self.make.fresh(name), Base.INT, True, (self.make.zero,), highs)

    def start_values(self, loop: Loop, statement: Map, lengths: Lengths) -> list[If]:
        """The start of kernels for equal parts of all values."""
        make, fold, (n,) = self.make, lengths.fold, loop.space.extents
        assert isinstance(fold.combine, Prim)
        enough = make.call(p.ANDB, lengths.is_unlike, self.reaches(loop))
        ends = Buffer(make.fresh("ends"), Base.INT, "int64")
        head, tail = [Buffer(make.fresh(name), fold.ty, fold.ty.dtype) for name in ("head", "tail")]
        part = _Part(self, loop, statement, lengths, ends, head, tail)
        first, second = part.pieces(), part.cut()
        pieces = frozenset((head, tail))
        written = loop.written | pieces
        settings = make.settings
        if enough is make.false or not fits(settings, first, written):
            return []
        if not fits(settings, second, loop.written):
            return []
        own = replace(loop, others=(head, tail))
        before = self.made(own, "values", part.chunk, first, written)
        after = self.made(own, "ends", part.chunk, second, loop.written)
        (items,) = self.numbers(part.chunk)
        most = make.const(self.division.items)
        (index,), unfailing = loop.space.indices, make.add(lengths.length, make.one)
        scan = Scan(ends, loop.space, make.add(index, make.one), p.ADDI, unfailing)
        body: list[Statement] = [
            HostLet(part.size, self.parts(lengths.slots, most)),
            HostLet(items, self.parts(lengths.slots, part.size)),
            Alloc(ends, make.add(n, make.one), NOWHERE),
            Store(ends, make.zero, make.zero),
            scan,
            *[Alloc(piece, most, NOWHERE) for piece in (head, tail)],
            *self.started(own, before, (items,), self.started(own, after, (items,), ())),
            *[Free(each) for each in (head, tail, ends)],
        ]
        return [If(enough, tuple(body))]

    def reaches(self, loop: Loop) -> Exp:
        """Whether there is enough to do for a kernel, and an item at all."""
        make = self.make
        if not loop.is_for_kernels:
            return make.false
        (n,) = loop.space.extents
        enough = self.effort.reaches(loop.work, self.division.least_work)
        return make.call(p.ANDB, enough, make.call(p.GTEI, n, make.one))


class _Part:
    """What a work-item does with its part of all values."""

    def __init__(
        self,
        divider: ItemDivider,
        loop: Loop,
        statement: Map,
        lengths: Lengths,
        ends: Buffer,
        head: Buffer,
        tail: Buffer,
    ) -> None:
        make, natural = divider.make, divider.natural
        self.make, self.natural, self.statement = make, natural, statement
        self.lengths, self.ends, self.head, self.tail = lengths, ends, head, tail
        (self.index,), (self.n,) = loop.space.indices, loop.space.extents
        self.size = Var(make.fresh("share"), Base.INT, True, (make.one,))
        self.number, self.start, self.stop = [natural(name) for name in ("item", "start", "stop")]
        self.chunk = Chunk(
            (self.number,),
            (self.size,),
            (0,),
            (),
            (),
            loop.space,
            Substitute(make, {}),
            (),
            room=divider.division.items,
        )

    def at(self, place: Exp) -> Exp:
        return self.make.read(self.ends, place)

    def first(self, row: Var) -> list[Statement]:
        """Where the part begins and ends, and which item has its first slot."""
        make = self.make
        above, middle = self.natural("above"), self.natural("middle")
        is_right = make.call(p.LTEI, self.at(middle), self.start)
        return [
            HostLet(self.start, make.mul(self.number, self.size)),
            HostLet(self.stop, make.call(p.MINI, make.add(self.start, self.size), self.lengths.slots)),
            Variable(row, make.zero),
            Variable(above, self.n),
            While(
                make.call(p.LTI, make.add(row, make.one), above),
                (
                    HostLet(middle, make.call(QUOT, make.add(row, above), make.const(2))),
                    If(is_right, (Assign(row, middle),), (Assign(above, middle),)),
                ),
            ),
        ]

    def put(self, row: Var, total: Exp) -> Store:
        """The element of an item whose values come to a total."""
        make, fold = self.make, self.lengths.fold
        assert isinstance(fold.combine, Prim)
        nothing = neutral(make, fold.combine)
        if fold.empty is not None and fold.empty is not nothing:
            total = make.select(make.call(p.GTI, self.lengths.length, make.zero), total, fold.empty)
        here = Substitute(make, {self.index: row})
        whole = Substitute(make, {fold: total})
        position, body = [here(whole(e)) for e in (self.statement.position, self.statement.body)]
        return Store(self.statement.buffer, position, body)

    def pieces(self) -> tuple[Statement, ...]:
        """One item after the other, as far as its values are in the part."""
        make, fold = self.make, self.lengths.fold
        assert isinstance(fold.combine, Prim)
        row = self.natural("row", *make.last_indices(self.n))
        place, begin, end, length = [self.natural(name) for name in ("place", "begin", "end", "length")]
        skipped, until, count = [self.natural(name) for name in ("skipped", "until", "count")]
        inside = make.index(fold.var.name, count)
        change = Substitute(make, {self.index: row, fold.var: make.add(skipped, inside)})
        own = Var(make.fresh("s"), fold.ty)
        nothing = neutral(make, fold.combine)
        begins = make.call(p.EQI, skipped, make.zero)
        is_whole = make.call(p.ANDB, begins, make.call(p.LTEI, end, self.stop))
        left = make.sub(make.call(p.MINI, until, length), skipped)
        step: tuple[Statement, ...] = (
            HostLet(begin, self.at(row)),
            HostLet(end, self.at(make.add(row, make.one))),
            HostLet(length, Substitute(make, {self.index: row})(fold.extent)),
            HostLet(skipped, make.sub(place, begin)),
            HostLet(until, make.sub(make.call(p.MINI, end, self.stop), begin)),
            HostLet(count, make.call(p.MAXI, make.zero, left)),
            HostLet(own, make.fold(fold.combine, inside, count, change(fold.body), nothing)),
            If(
                is_whole,
                (self.put(row, own),),
                (If(begins, (Store(self.tail, self.number, own),), (Store(self.head, self.number, own),)),),
            ),
            Assign(place, make.add(begin, until)),
            Assign(row, make.add(row, make.one)),
        )
        rounds = While(make.call(p.LTI, place, self.stop), step)
        return (*self.first(row), Variable(place, self.start), rounds)

    def cut(self) -> tuple[Statement, ...]:
        """The item that has begun in a part before this one and ends here, from its pieces."""
        make, fold = self.make, self.lengths.fold
        assert isinstance(fold.combine, Prim)
        row = self.natural("row", *make.last_indices(self.n))
        begin, end, part, count = [self.natural(name) for name in ("begin", "end", "part", "count")]
        piece = make.index("k", count)
        body = make.read(self.head, make.add(make.add(part, make.one), piece))
        own = Var(make.fresh("s"), fold.ty)
        rest = make.fold(fold.combine, piece, count, body, neutral(make, fold.combine))
        ends_here = make.call(p.ANDB, make.call(p.LTI, begin, self.start), make.call(p.LTEI, end, self.stop))
        joined: tuple[Statement, ...] = (
            HostLet(part, make.call(QUOT, begin, self.size)),
            HostLet(count, make.sub(self.number, part)),
            HostLet(own, make.call(fold.combine, make.read(self.tail, part), rest)),
            self.put(row, own),
        )
        return (
            *self.first(row),
            HostLet(begin, self.at(row)),
            HostLet(end, self.at(make.add(row, make.one))),
            If(ends_here, joined),
        )


def _outside(exp: Exp) -> tuple[Exp, ...]:
    """The operands of what is no fold."""
    return () if isinstance(exp, Fold) else operands(exp)
