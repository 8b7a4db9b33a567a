"""What the host knows of the lengths of items before it chooses a kernel for a loop over them.

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

from dataclasses import dataclass

from aplc.laila.devices.device_mapping import GROUP, ON_A_UNIT
from aplc.laila.devices.kernel_partition import Divider, Loop
from aplc.laila.ir.program import Assign, ForEach, Fused, HostLet, Reduce, Space, Statement, Variable
from aplc.laila.ir.scalar import QUOT, Check, Exp, Fold, Var
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
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


class LengthDivider(Divider):
    """Loops over items, of whose lengths the host learns what chooses between their kernels."""

    def measured(self, extent: Exp, index: Var, n: Exp) -> Lengths:
        """The lengths of n items, given that of the item at an index: see Note [Lengths of items]."""
        make = self.make
        length = make.call(p.MAXI, make.zero, Unfailing(make, {})(extent))
        slots, mean, most = [self.natural(name) for name in ("slots", "mean", "longest")]
        one_more = make.add(length, make.one)
        values = make.sub(slots, n)
        whole = HostLet(mean, make.call(QUOT, values, make.call(p.MAXI, make.one, n)))
        if self.division.grid:
            space = Space((index,), (n,))
            whats = ((slots, p.ADDI, one_more), (most, p.MAXI, length))
            folds = [(var, make.fold(op, index, n, of, make.zero), of) for var, op, of in whats]
            found = [Reduce(var, space, fold, of) for var, fold, of in folds if isinstance(fold, Fold)]
            limit = make.mul(make.const(UNLIKE), make.call(p.MAXI, mean, make.const(GROUP)))
            measure: tuple[Statement, ...] = (Fused(space, tuple(found)), whole)
            if len(found) < len(folds):  # one is known without a loop
                measure = (*[HostLet(var, value) for var, value, _ in folds], whole)
            return Lengths(length, slots, mean, make.call(p.GTI, most, limit), measure)
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
        return Lengths(length, slots, mean, is_unlike, measure)

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

    def reaches(self, loop: Loop) -> Exp:
        """Whether there is enough to do for a kernel, and an item at all."""
        make = self.make
        if not loop.is_for_kernels:
            return make.false
        (n,) = loop.space.extents
        enough = self.effort.reaches(loop.work, self.division.least_work)
        return make.call(p.ANDB, enough, make.call(p.GTEI, n, make.one))
