"""Parts of equal values: the work on items, however long, in pieces that are parts of one item each.

    items      ■■■■■■■ ■ ■■ ■■■■■■■■■■■■■■■ ■          an item takes a slot for each value, and one more
    parts      ───────┼───────┼───────┼───────          each has as many slots as any other
    pieces     ■■■■■■ ■ ■ ■■ ■■■ ■■■■■■■ ■■■■ ■          what a part has of an item

Each part finds its first item by halving, and goes on from there, piece by piece. However lengths differ,
each has the same number of values and items: one long item among a million short ones is shared by all. The
last slot of an item is in one part alone, which has its end; that of an item without values, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aplc.laila.devices.item_lengths import LengthDivider, Lengths
from aplc.laila.devices.kernel_partition import NOWHERE, Chunk
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Free,
    HostLet,
    If,
    Scan,
    Space,
    Statement,
    Store,
    Variable,
    While,
)
from aplc.laila.ir.scalar import QUOT, Buffer, Exp, Var
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.types import Base


@dataclass(frozen=True, slots=True)
class Piece:
    """What a part has of an item."""

    row: Var
    """The item."""
    skipped: Var
    """How many of its values other parts have before this one."""
    count: Var
    """How many values the piece has."""
    begins: Exp
    """Whether the item begins here,"""
    ends: Exp
    """and whether it ends here."""


class EqualParts:
    """The parts of a loop over items, a work-item for each."""

    def __init__(self, divider: LengthDivider, space: Space, lengths: Lengths) -> None:
        make, natural = divider.make, divider.natural
        self.divider, self.make, self.natural, self.lengths = divider, make, natural, lengths
        (self.index,), (self.n,) = space.indices, space.extents
        self.space = space
        self.ends = Buffer(make.fresh("ends"), Base.INT, "int64")
        """The slots before each item."""
        self.memory = divider.memory(self.ends, make.add(self.n, make.one))
        self.size = Var(make.fresh("share"), Base.INT, True, (make.one,))
        self.number, self.start, self.stop = [natural(name) for name in ("item", "start", "stop")]
        self.room = divider.division.items + 1
        self.chunk = Chunk(
            (self.number,),
            (self.size,),
            (0,),
            (),
            (),
            space,
            Substitute(make, {}),
            (),
            room=self.room,
        )

    # --- on the host ---

    def divided(self, items: Var, others: Sequence[Buffer]) -> list[Statement]:
        """The slots before each item, the size of the parts and their number, and memory for something of
        each part, and of the one behind the last.
        """
        make, slots, parts = self.make, self.lengths.slots, self.divider.parts
        one_more = make.add(self.lengths.length, make.one)
        return [
            HostLet(self.size, parts(slots, make.const(self.divider.division.items))),
            HostLet(items, parts(slots, self.size)),
            self.memory,
            Store(self.ends, make.zero, make.zero),
            Scan(self.ends, self.space, make.add(self.index, make.one), p.ADDI, one_more),
            *[Alloc(each, make.const(self.room), NOWHERE) for each in others],
        ]

    def freed(self, others: Sequence[Buffer]) -> list[Statement]:
        """The end of that memory."""
        return [Free(each) for each in (*others, self.ends)]

    # --- in a work-item ---

    def at(self, place: Exp) -> Exp:
        """The slots before an item."""
        return self.make.read(self.ends, place)

    def bounds(self) -> list[Statement]:
        """Where the part begins and ends."""
        make = self.make
        return [
            HostLet(self.start, make.mul(self.number, self.size)),
            HostLet(self.stop, make.call(p.MINI, make.add(self.start, self.size), self.lengths.slots)),
        ]

    def found(self, row: Var, slot: Exp) -> list[Statement]:
        """The item that a slot is of."""
        make = self.make
        above, middle = self.natural("above"), self.natural("middle")
        is_right = make.call(p.LTEI, self.at(middle), slot)
        return [
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

    def row(self) -> Var:
        """A fresh variable for an item."""
        return self.natural("row", *self.make.last_indices(self.n))

    def each(
        self, length_of: Callable[[Var], Exp], work: Callable[[Piece], tuple[Statement, ...]]
    ) -> tuple[Statement, ...]:
        """Some work on each piece of the part."""
        make, row, place = self.make, self.row(), self.natural("place")
        piece, until, known = self.piece(row, place, length_of)
        step = (
            *known,
            *work(piece),
            Assign(place, until),
            Assign(row, make.add(row, make.one)),
        )
        rounds = While(make.call(p.LTI, place, self.stop), step)
        return (*self.bounds(), *self.found(row, self.start), Variable(place, self.start), rounds)

    def last(
        self, length_of: Callable[[Var], Exp], work: Callable[[Piece], tuple[Statement, ...]]
    ) -> tuple[Statement, ...]:
        """Some work on the last piece of the part."""
        make, row, place = self.make, self.row(), self.natural("place")
        piece, _, known = self.piece(row, place, length_of)
        first = HostLet(place, make.call(p.MAXI, self.start, self.at(row)))
        slot = make.sub(self.stop, make.one)
        return (*self.bounds(), *self.found(row, slot), first, *known, *work(piece))

    def piece(
        self, row: Var, place: Var, length_of: Callable[[Var], Exp]
    ) -> tuple[Piece, Exp, tuple[Statement, ...]]:
        """The piece of an item that begins at a slot, the slot behind it, and what computes it."""
        make = self.make
        begin, end, length, skipped, until, count = [
            self.natural(name) for name in ("begin", "end", "length", "skipped", "until", "count")
        ]
        left = make.sub(make.call(p.MINI, until, length), skipped)
        known = (
            HostLet(begin, self.at(row)),
            HostLet(end, self.at(make.add(row, make.one))),
            HostLet(length, length_of(row)),
            HostLet(skipped, make.sub(place, begin)),
            HostLet(until, make.sub(make.call(p.MINI, end, self.stop), begin)),
            HostLet(count, make.call(p.MAXI, make.zero, left)),
        )
        begins = make.call(p.EQI, skipped, make.zero)
        ends = make.call(p.LTEI, end, self.stop)
        return Piece(row, skipped, count, begins, ends), make.add(begin, until), known
