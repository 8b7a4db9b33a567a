"""Sorts and grades items, however long each is, by rounds of merging in which each element finds its place.

    run sort(b, start(i), length(i)) for each i
        →   MAP a[…] = b[…]                  blocks of 16 elements of an item: an element goes to the place
                                             that is how many of its block belong before it
            while width < longest item
                for each element             two neighbouring runs of so many elements become one: it goes as
                                             many places on as elements of the other run belong before it
                swap; width := 2 × width
            MAP b[…] = a[…]

All elements of all items do the same, so lengths do not matter; an element halves the other run to find its
place. Equal elements stay in order, so a grade is the same with the places of elements in place of elements.
As many rounds as the longest item takes go over all elements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from aplc.laila.devices.loop_distribution import CannotDistribute, LoopDistribution
from aplc.laila.ir.program import (
    Assign,
    ForEach,
    HostLet,
    If,
    Map,
    RuntimeCall,
    Space,
    Statement,
    Store,
    Swap,
    Variable,
    While,
)
from aplc.laila.ir.scalar import QUOT, REM, Buffer, Exp, Var
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail import prims as p
from aplc.tail.types import Base

BLOCK = 16
"""So many elements are compared with each other at first."""

SORTED = (Base.INT, Base.DOUBLE, Base.CHAR, Base.BOOL)
"""The types of elements that kernels sort."""


@dataclass(frozen=True, slots=True)
class Sorting:
    """What is sorted."""

    of: Buffer
    """The elements of all items,"""
    start: Callable[[Exp], Exp]
    """and where those of an item begin."""
    ends: Buffer
    """How many elements there are before each item."""
    total: Var
    rows: Buffer
    """Of which item each element is."""
    is_down: bool
    is_grade: bool
    """Whether the places of elements are sorted, not elements."""


class ItemDistribution(LoopDistribution):
    """The loops over all items of a loop that may sort each of them."""

    def call(self, statement: RuntimeCall) -> None:
        """A sort or grade of each item."""
        match statement:
            case RuntimeCall(function=function, arguments=(Buffer() as of, start, length)) if (
                function.startswith("aplc_sort_")
            ):
                is_down = function.startswith("aplc_sort_down_")
                assert not isinstance(start, Buffer) and not isinstance(length, Buffer)
                self.sort(of, start, length, None, is_down=is_down)
            case RuntimeCall(
                function=function, arguments=(Buffer() as of, length, columns, Buffer() as out)
            ) if function.startswith("aplc_grade_") and columns is self.make.one:
                assert not isinstance(length, Buffer)
                self.sort(of, self.make.zero, length, out, is_down=function.startswith("aplc_grade_down_"))
            case _:
                raise CannotDistribute

    def sort(self, of: Buffer, start: Exp, length: Exp, out: Buffer | None, *, is_down: bool) -> None:
        """Items in order, or their grades in another array of a round."""
        make = self.make
        if of.ty not in SORTED or (out is not None and out not in self.arrays):
            raise CannotDistribute
        whole, base = self.arrays.get(of, (of, make.zero))
        place = make.add(base, start)
        ends = self.ends_of(length)
        here, total = self.base_of(ends), self.total_of(ends)
        rows = Buffer(make.fresh("rows"), Base.INT, "int64")
        self.allocated(rows, total)
        index = make.index("k", length)
        self.over_items((Map(rows, Space((index,), (length,)), make.add(here, index), self.index),))
        sorting = Sorting(
            whole, lambda row: self.resolved(place, row), ends, total, rows, is_down, out is not None
        )
        now = self.in_order(sorting, length)
        index = make.index("k", length)
        value = make.read(now, make.add(here, index))
        if out is None:
            target, to = whole, place
        else:
            (target, to), value = self.arrays[out], make.add(value, make.one)
        self.over_items((Map(target, Space((index,), (length,)), make.add(to, index), value),))

    def in_order(self, sorting: Sorting, length: Exp) -> Buffer:
        """An array with the elements of each item in order, or with their places from 0."""
        make, row = self.make, self.row()
        ty, storage = (Base.INT, "int64") if sorting.is_grade else (sorting.of.ty, sorting.of.storage)
        now, then = [Buffer(make.fresh(name), ty, storage) for name in ("sorted", "merged")]
        for buffer in (now, then):
            self.allocated(buffer, sorting.total)
        longest, width = [Var(make.fresh(name), Base.INT, True, (make.one,)) for name in ("longest", "width")]
        most = make.fold(p.MAXI, row, self.n, self.resolved(length, row), make.zero)
        self.statements += [
            HostLet(replace(longest, lows=(make.zero,)), most),
            self.blocks(sorting, now),
            Variable(width, make.const(BLOCK)),
            While(
                make.call(p.LTI, width, replace(longest, lows=(make.zero,))),
                (
                    self.merge(sorting, now, then, width),
                    Swap(now, then),
                    Assign(width, make.mul(make.const(2), width)),
                ),
            ),
        ]
        return now

    def before(self, sorting: Sorting, a: Exp, b: Exp) -> Exp:
        """Whether an element belongs before another one: what is no number stands behind all numbers."""
        make = self.make
        if sorting.is_down:
            a, b = b, a
        if a.ty is not Base.DOUBLE:
            return make.call(p.LTI, *[self.number_of(x) for x in (a, b)])
        is_last = make.call(p.ANDB, self.is_number(a), make.call(p.NOTB, self.is_number(b)))
        return make.call(p.ORB, make.call(p.LTD, a, b), is_last)

    def number_of(self, x: Exp) -> Exp:
        """An element that is no double as an integer."""
        casts = {Base.BOOL: p.B2I, Base.CHAR: p.C2I}
        return self.make.call(casts[x.ty], x) if x.ty in casts else x

    def is_number(self, x: Exp) -> Exp:
        """Whether a double is one."""
        make, zero = self.make, self.make.const(0.0)
        return make.call(p.ORB, make.call(p.LTED, x, zero), make.call(p.GTD, x, zero))

    def blocks(self, sorting: Sorting, now: Buffer) -> Map:
        """The elements of each block in order."""
        make = self.make
        place = make.index("j", sorting.total)
        row = make.read(sorting.rows, place)
        base = make.read(sorting.ends, row)
        length = make.sub(make.read(sorting.ends, make.add(row, make.one)), base)
        mine = make.sub(place, base)
        within = make.call(REM, mine, make.const(BLOCK))
        first = make.sub(mine, within)
        count = make.call(p.MINI, make.const(BLOCK), make.sub(length, first))
        start = sorting.start(row)
        element = make.read(sorting.of, make.add(start, mine))
        k = make.index("k", count)
        other = make.read(sorting.of, make.add(start, make.add(first, k)))
        is_earlier = make.call(p.LTI, k, within)
        not_behind = make.call(p.NOTB, self.before(sorting, element, other))
        comes = make.call(
            p.ORB, self.before(sorting, other, element), make.call(p.ANDB, is_earlier, not_behind)
        )
        rank = make.fold(p.ADDI, k, count, make.call(p.B2I, comes), make.zero)
        to = make.add(make.sub(place, within), rank)
        return Map(now, Space((place,), (sorting.total,)), to, mine if sorting.is_grade else element)

    def merge(self, sorting: Sorting, now: Buffer, then: Buffer, width: Var) -> ForEach:
        """Neighbouring runs of each item as one: an element of the left run goes behind those of the right
        one that are less, one of the right run behind those of the left one that are not greater.
        """
        make = self.make
        place = make.index("j", sorting.total)
        row, base, mine, first, other, count, low, high, middle = [
            Var(make.fresh(name), Base.INT, True, (make.zero,))
            for name in ("row", "base", "mine", "first", "other", "count", "low", "high", "middle")
        ]
        is_left = Var(make.fresh("left"), Base.BOOL)
        element = Var(make.fresh("x"), now.ty)
        key, near = Var(make.fresh("key"), sorting.of.ty), Var(make.fresh("y"), sorting.of.ty)
        length = make.sub(make.read(sorting.ends, make.add(row, make.one)), base)
        run = make.call(QUOT, mine, width)

        def key_of(x: Exp) -> Exp:
            return make.read(sorting.of, make.add(sorting.start(row), x)) if sorting.is_grade else x

        beyond = make.select(is_left, make.add(first, width), make.sub(first, width))
        some = make.call(p.MINI, width, make.sub(length, other))
        goes = make.select(
            is_left,
            self.before(sorting, near, key),
            make.call(p.NOTB, self.before(sorting, key, near)),
        )
        begin = make.select(is_left, first, other)
        to = make.add(make.add(base, begin), make.add(make.sub(mine, first), low))
        search: tuple[Statement, ...] = (
            HostLet(middle, make.call(QUOT, make.add(low, high), make.const(2))),
            HostLet(near, key_of(make.read(now, make.add(base, make.add(other, middle))))),
            If(goes, (Assign(low, make.add(middle, make.one)),), (Assign(high, middle),)),
        )
        body: tuple[Statement, ...] = (
            HostLet(row, make.read(sorting.rows, place)),
            HostLet(base, make.read(sorting.ends, row)),
            HostLet(mine, make.sub(place, base)),
            HostLet(first, make.mul(run, width)),
            HostLet(is_left, make.call(p.EQI, make.call(REM, run, make.const(2)), make.zero)),
            HostLet(other, beyond),
            HostLet(count, make.call(p.MAXI, make.zero, some)),
            HostLet(element, make.read(now, place)),
            HostLet(key, key_of(element)),
            Variable(low, make.zero),
            Variable(high, count),
            While(make.call(p.LTI, low, high), search),
            Store(then, to, element),
        )
        return ForEach(Space((place,), (sorting.total,)), body, independent=True)


def can_be_distributed(make: ExprBuilder, loop: ForEach) -> bool:
    """Whether a loop over items can be loops over all items, one for each step of a round."""
    try:
        return len(loop.space.indices) == 1 and bool(ItemDistribution(make, loop).run())
    except CannotDistribute:
        return False
