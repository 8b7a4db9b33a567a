"""Asks for the elements of later rows while those of a row are read.

Note [Rows to come]
    A loop over short rows of unlike lengths reads its memory in steps that no processor foresees, and each
    row would wait for it. So a row asks for what the row 16 further on begins with; the last rows ask for the
    last one. Nothing is read for that but where this row begins, as the row itself would read it: see
    `Rounds`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from aplc.laila.ir import loops as l
from aplc.laila.ir.rounds import is_total
from aplc.laila.ir.scalar import (
    Buffer,
    Exp,
    FreeVars,
    Read,
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.prefetching.reads import LINE, reads_of
from aplc.tail import prims as p
from aplc.tail.types import Base

AHEAD = 16
"""So many rows on: far enough for memory to answer, and near enough for what it answers to remain."""


@dataclass(slots=True)
class Rounds:
    """A loop over rows, and what tells where the row of any round begins.

    What a round reads at a place that its number tells any other round reads for its number, too, unless a
    condition on the number stands before it: one on what is read does not keep a round from such a place.
    """

    make: ExprBuilder
    free: FreeVars
    loop: l.For
    values: dict[Exp, Exp] = field(default_factory=dict)
    """What the variables stand for that a round declares."""
    is_free: bool = True
    """Whether no condition on the number of the round has been met."""

    @property
    def is_regular(self) -> bool:
        """Whether a number of rounds further on there is a round."""
        return self.loop.step == 1 and not self.loop.descending

    def note(self, statement: l.Stm) -> None:
        """Take in a statement that stands in the loop, outside of loops inside it."""
        match statement:
            case l.Declare(var=var, value=value, mutable=False) if value is not None:
                self.values[var] = Substitute(self.make, self.values)(value)
            case l.Fail(ok=cond) | l.If(cond=cond):
                self.is_free &= not self.depends_on_number(Substitute(self.make, self.values)(cond))
            case _:
                pass

    def depends_on_number(self, cond: Exp) -> bool:
        """Whether a condition asks for the number of the round itself, not only for what is read there."""
        return any(
            node is self.loop.var
            for node in nodes(cond, below=lambda e: () if isinstance(e, Read) else operands(e))
        )

    def ahead(self, row: l.For, bytes_of_row: int) -> Iterator[l.Stm]:
        """Statements that ask for the first elements of a later row, of each array that a row reads."""
        if not (self.is_regular and self.is_free):
            return
        make = self.make
        begins: dict[tuple[Buffer, Exp], Exp] = {}
        later = Var(make.fresh("later"), Base.INT, True)
        for buffer, place in _in_steps(row, make):
            start = Substitute(make, self.values)(Substitute(make, {row.var: row.start})(place))
            if self.is_told_by_number(start):
                begins[buffer, start] = Substitute(make, {self.loop.var: later})(start)
        if not begins:
            return
        last = make.sub(self.loop.stop, make.one)
        yield l.Declare(later, make.call(p.MINI, make.add(self.loop.var, make.const(AHEAD)), last))
        for (buffer, _), begin in begins.items():
            for k in range(0, bytes_of_row, LINE):
                place = make.add(begin, make.const(k // buffer.item_bytes))
                yield l.Prefetch(buffer, place)

    def is_told_by_number(self, start: Exp) -> bool:
        """Whether the place of a row is computed from what stands at places that the number of the round
        tells.
        """
        written = {s.buffer for s in l.within(self.loop.body) if isinstance(s, l.Store)}
        inside = {s.var for s in l.within(self.loop.body) if isinstance(s, l.Declare | l.Assign | l.For)}
        reads = [node for node in nodes(start) if isinstance(node, Read)]
        if any(contains(Read, read.index) or read.buffer in written for read in reads):
            return False
        is_read = any(self.loop.var in self.free.of(read.index) for read in reads)
        return is_read and is_total(start) and self.free.of(start).isdisjoint(inside)


def _in_steps(row: l.For, make: ExprBuilder) -> Iterator[tuple[Buffer, Exp]]:
    """What a loop over a row reads, each element behind the one before: the array, and where."""
    computed = [s for s in row.body if isinstance(s, l.Declare | l.Assign)]
    for buffer, place in reads_of(computed, make):
        if make.linear(place)[1].get(row.var) == 1:
            yield buffer, place
