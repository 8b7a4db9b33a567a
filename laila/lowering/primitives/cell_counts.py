"""Counts that each cell has for itself, such as by how much it is rotated: written for all cells before any
element is made, so that the cells need not be.

    (k⌽⍤0 1⊢x)[r;i]     →   n[r] ← (⍴x)|k[r], and then x[i+n[r]], or x[i+n[r]-⍴x] from the end on
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.program import Alloc, HostLet, Map, Space, Statement
from aplc.laila.ir.scalar import BlockExp, Buffer, Exp, Fold, FreeVars, PureCall, Site, Var, contains
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.context import Lowering
from aplc.laila.lowering.primitives.inside import may_fail
from aplc.laila.lowering.pull import from_index
from aplc.laila.lowering.scopes import STORAGE
from aplc.tail.types import Base


class CellCounts:
    """The counts of the cells at some indices; none at first."""

    def __init__(self, low: Lowering, index: tuple[Var, ...], frame: tuple[Exp, ...]) -> None:
        self.low, self.make, self.index, self.frame = low, low.make, index, frame
        self.place = from_index(low.make, frame, index)
        self.values: dict[Var, tuple[Buffer, Exp]] = {}

    def __iter__(self) -> Iterator[Var]:
        return iter(self.values)

    def named(self, inside: Sequence[Statement], free: FreeVars, *, opens: bool) -> Substitute | None:
        """Puts what statements for a cell name in the place of the names, but for counts, which are written
        unless `opens` says that they need no names; None if statements do more, or may fail.
        """
        substitute = Substitute(self.make, {})
        for statement in inside:
            if not isinstance(statement, HostLet) or may_fail(statement):
                return None
            var, value = statement.var, substitute(statement.value)
            if opens or not var.is_index:
                substitute.done[id(var)] = value
                substitute.alive.append(var)
            elif not self.takes(var, value, free):
                return None
        return substitute

    def takes(self, var: Var, value: Exp, free: FreeVars) -> bool:
        """Whether a count is written for all cells: on the host, where that is no loop for each of them."""
        is_quick = not contains(BlockExp | Fold | PureCall, value)
        if not self.low.on_host or var.ty is not Base.INT or not is_quick:
            return False
        own = {v.name for v in (*self.index, *self.values)}
        lows, highs = [tuple([n for n in e if not own & free.names(n)]) for e in (var.lows, var.highs)]
        stored = Buffer(self.make.fresh(var.name), Base.INT, STORAGE[Base.INT], lows=lows, highs=highs)
        before: dict[Exp, Exp] = {v: self.make.read(b, self.place) for v, (b, _) in self.values.items()}
        self.values[var] = stored, Substitute(self.make, before)(value)
        return True

    def keep(self, wanted: frozenset[Var]) -> None:
        """Of the counts only those are written on which elements depend, or other counts that are."""
        read: set[Buffer] = set()
        for var, (buffer, value) in reversed(list(self.values.items())):
            if var in wanted or buffer in read:
                read.update(buffers_read(value))
            else:
                del self.values[var]

    def write(self, site: Site) -> None:
        """Write them, in the block at hand."""
        size = self.make.product(self.frame)
        space = Space(self.index, self.frame)
        for buffer, value in self.values.values():
            self.low.adopt(buffer)
            self.low.decisions.computed(buffer)
            self.low.emit(Alloc(buffer, size, site), Map(buffer, space, self.place, value))

    def at(self, ix: tuple[Exp, ...]) -> dict[Exp, Exp]:
        """The counts of the cell that an index begins with."""
        place = from_index(self.make, self.frame, ix[: len(self.frame)])
        return {v: self.make.read(buffer, place) for v, (buffer, _) in self.values.items()}
