"""Where a sequence of statements makes an array of an old one, and where that may happen in place.

    alloc b; …; MAP b[…] = … a …; …; take a from b

The map is made of `pieces`. In between nobody may change the old array, nor, if somebody reads it until it is
given up, what the map is made of: then that may wait until there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import buffers_read, mentioned, named
from aplc.laila.ir.program import Alloc, If, Map, Move, Statement
from aplc.laila.ir.scalar import SMALL, Buffer, Call, Const, Exp, FreeVars, Select, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import weigh
from aplc.laila.transform.buffers.pieces import Pieces, pieces_of

FEW = 8
"""Up to so many elements that are made of what is there are scalars before they are written."""


@dataclass(frozen=True, slots=True)
class Update:
    """Where in a block an array is made of an old one: where memory for it begins, where it is written, and
    where its memory is handed over.
    """

    start: int
    written: int
    end: int
    new: Buffer
    pieces: Pieces | None
    """What is made; None: nothing of what is there, which nobody reads from where memory begins."""
    versions: tuple[Exp, Pieces] | None = None
    """Another version of that, and when it is chosen."""

    @property
    def adds(self) -> bool:
        """Whether there is more than what is kept."""
        pieces = self.pieces
        return pieces is None or any(not is_zero(e) for e in (pieces.front, pieces.more))

    @property
    def turns(self) -> bool:
        """Whether what is kept lies at another place, or something comes in front of it."""
        return self.pieces is not None and any(not is_zero(e) for e in (self.pieces.front, self.pieces.shift))


def is_zero(exp: Exp) -> bool:
    """Whether an expression is the number 0."""
    return isinstance(exp, Const) and exp.value == 0


@dataclass(frozen=True, slots=True)
class Updates:
    """What statements make of an array."""

    make: ExprBuilder
    old: Buffer

    def of(self, block: Sequence[Statement]) -> list[Update]:
        """Where a block makes the array anew."""
        found: list[Update] = []
        for end, move in enumerate(block):
            if isinstance(move, Move) and move.target is self.old and move.source is not self.old:
                update = self.update(block, move.source, end)
                if update is not None:
                    found.append(update)
        return found

    def update(self, block: Sequence[Statement], new: Buffer, end: int) -> Update | None:
        """What is made of the array in a block that hands over its memory at some position."""
        make, old = self.make, self.old
        places = [k for k, s in enumerate(block) if new in mentioned(s)]
        start = places[0]
        alloc = block[start]
        is_alike = (new.storage, new.lows, new.highs) == (old.storage, old.lows, old.highs)
        if not isinstance(alloc, Alloc) or places[-1] != end or not is_alike:
            return None
        if not any(old in mentioned(s) for s in block[start + 1 : end]):
            return Update(start, start, end, new, None)
        written = places[1]
        made, version = block[written], None
        match made:
            case If(cond=cond, then=(Map() as then,), other=(Map() as other,)):
                made, version = other, (cond, then)
            case _:
                pass
        if not isinstance(made, Map) or made.buffer is not new:
            return None
        if make.product(made.space.extents) is not alloc.size:
            return None  # others write to the rest of the memory
        pieces = pieces_of(made, old, make)
        if pieces is None or old in buffers_read(pieces.front, pieces.kept, pieces.shift, pieces.more):
            return None
        versions = None
        if version is not None:
            first = pieces_of(self.with_plain_places(version[1]), old, make)
            if first is None or _outline(first) != _outline(pieces) or old in buffers_read(version[0]):
                return None
            versions = version[0], first
        update = Update(start, written, end, new, pieces, versions)
        return None if self.place(block, update) is None else update

    def with_plain_places(self, made: Map) -> Map:
        """A map whose choices among the pieces of an array are told as elsewhere, not by what is known to be
        small.
        """
        return replace(made, body=self.plain(made.body))

    def plain(self, body: Exp) -> Exp:
        """An element with that changed in the conditions of its choices."""
        if not isinstance(body, Select):
            return body
        small: dict[Exp, Exp] = {
            e: e.args[0] for e in nodes(body.cond) if isinstance(e, Call) and e.op is SMALL
        }
        cond = Substitute(self.make, small)(body.cond) if small else body.cond
        return self.make.select(cond, self.plain(body.then), self.plain(body.other))

    def place(self, block: Sequence[Statement], update: Update) -> int | None:
        """Where the array may change in place: where it is written, or where its memory is handed over if it
        is read until then. None: at neither.
        """
        pieces = update.pieces
        if pieces is None:
            return update.start
        is_twice = pieces.more is pieces.kept and not isinstance(pieces.more, Const)
        if is_twice and self.is_read(pieces):
            return None  # twice the array: that is as much as a copy
        between = block[update.written + 1 : update.end]
        if not any(self.old in mentioned(s) for s in between):
            return update.written
        exps: list[Exp] = [*pieces.made.space.extents, pieces.front, pieces.kept, pieces.shift, pieces.behind]
        if not self.are_scalars(pieces) and not self.is_read(pieces):
            exps += [pieces.made.body, pieces.made.position]
            if weigh(pieces.made.body).may_fail:
                return None
        elif pieces.made.position not in pieces.made.space.indices:
            exps.append(pieces.made.position)
        names = {v.name for s in between for v in bound(s)}
        changed = {b for s in within(between) for b in named(s)}
        is_quiet = all(names.isdisjoint(FreeVars().names(e)) for e in exps)
        is_quiet = is_quiet and changed.isdisjoint(buffers_read(*exps))
        is_named = self.old in changed or any(update.new in mentioned(s) for s in between)
        if not is_quiet or is_named:
            return None
        return update.end

    def is_read(self, pieces: Pieces) -> bool:
        """Whether what is added is made of the array."""
        return self.old in buffers_read(*[v for v in self.values(pieces)])

    def values(self, pieces: Pieces) -> list[Exp]:
        """What is added in front and behind, at any place there."""
        make = self.make
        found: list[Exp] = []
        for first, count in ((make.zero, pieces.front), (pieces.behind, pieces.more)):
            if not is_zero(count):
                j = make.index("i", count)
                found.append(Substitute(make, {pieces.index: make.add(first, j)})(pieces.made.body))
        return found

    def are_scalars(self, pieces: Pieces) -> bool:
        """Whether what is added is an element, or a few that are made of the array."""
        count = self.make.product((self.make.add(pieces.front, pieces.more), *pieces.made.space.extents[1:]))
        if not isinstance(count, Const):
            return False
        return count.value == 1 or (count.value <= FEW and self.is_read(pieces))


def _outline(pieces: Pieces) -> list[int]:
    """The same for maps that keep the same of an array and add as much to it."""
    exps = (pieces.front, pieces.kept, pieces.shift, pieces.behind, pieces.more)
    return [id(e) for e in (*exps, *pieces.made.space.extents)]
