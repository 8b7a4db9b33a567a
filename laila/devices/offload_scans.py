"""Kernels for scans and filters: work-groups take neighbouring elements, run by run.

    SCAN b[i] = + of e(i) over i < n
        →   launch totals      group g: the sum of its range; its work-items add e(i) in steps
            host               what is before each range
            launch scan        group g, run by run: neighbouring work-items compute neighbouring e(i) and
                               write neighbouring b[i]; between they combine those that follow one another

The scan of a long row that is one of many is done by one group. Where other axes are scanned, work-items have
a row each, neighbours neighbouring ones.

A filter is a scan of the number of elements that are kept: the places of those of a run lie in the group's
memory, and neighbouring work-items write neighbours. What is fused with a scan is done where its values are
written. A work-item in which a check fails goes on with the next element: all must reach the barriers.

Note [Look-back]
    Where groups may wait for others, one kernel does it all (after Merrill and Garland, Single-pass parallel
    prefix scan with decoupled look-back, 2016): a group takes the next run and tells what it comes to. So
    many runs as a group has work-items are a block, and so many blocks a block of blocks. A group asks all
    runs of its block that are before its own, one by each work-item, and combines what they have told, four
    by four; then all blocks before its own, in the same way, of which the group with the last run of each
    tells; and then what is before its block of blocks, which the last group of each tells. So few wait for
    one another in a row: a chain of blocks, each of which waited for the one before, took longer than their
    memory. The value is the same to the last bit, whoever comes first. What is told is in words that have
    marks of their own: no order of writes to different words is needed. Folds that are fused would depend on
    which group has which run: such loops have ranges.

Note [Elements at hand]
    Whether an element is kept is known when all before it are counted. Where the element is made of what the
    test has read (`(0<v)/v`), work-items hold on to theirs, in registers, until then, and memory is read
    once. Others are read when it is known which of them are wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from aplc.laila.devices.device_mapping import GROUP
from aplc.laila.devices.kernel_partition import NOWHERE, Chunk, Divider, Loop, Total
from aplc.laila.devices.kernels import EACH, LARGE_GROUP, RUN, Carry, Join, LookBack, Sweep, fits
from aplc.laila.devices.offload_rows import LONG
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Filter,
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
from aplc.laila.ir.ranges import MAX_COUNT
from aplc.laila.ir.rounds import is_total
from aplc.laila.ir.scalar import QUOT, REM, Buffer, Check, Const, Exp, Fold, Read, Var, contains, nodes
from aplc.laila.ir.statements import rebuilt
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import to_index
from aplc.laila.lowering.scalars import neutral
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

WORDS = 2
"""Of 64 bits, for what a run comes to: each has half of it, and a mark."""

LARGE_EACH = (EACH, 11, 7, 5, 3)
"""Elements that each work-item of a large group combines: as many as there is room for, as groups wait for
each other once a run. With more than 15, what a filter reads again would not be in a cache any more.
"""


@dataclass(frozen=True, slots=True)
class Swept:
    """What a kernel does with the running values of its ranges."""

    elements: tuple[Exp, ...]
    """Of each total, at an index."""
    sweep: Sweep
    before: tuple[Statement, ...] = ()
    joins: tuple[Join, ...] = ()


class ScanDivider(Divider):
    """Kernels for scans and filters along one axis."""

    def total(self, scan: Scan | Filter) -> Total:
        """What a scan or filter carries from one element to the next."""
        make, ty = self.make, scan.body.ty
        if isinstance(scan, Filter):
            count = Var(make.fresh("before"), Base.INT, True, (make.zero,))
            return Total(self.partial(count), p.ADDI, make.zero, count, scan.count)
        start = make.const(-0.0) if scan.combine is p.ADDD else neutral(make, scan.combine)
        before = Var(make.fresh("before"), ty)
        return Total(self.partial(before), scan.combine, start, before)

    def start_sweep(self, loop: Loop, statement: Fused) -> list[If]:
        """The start of kernels whose groups take neighbouring elements; nothing where there are no such
        kernels.
        """
        grid, space = self.division.grid, loop.space
        if not grid or grid % GROUP or len(space.indices) > 1:
            return []
        if self.division.looks_back and not loop.results:
            return self.start_looking_back(loop, statement)
        return self.start_ranges(loop, statement)

    def start_ranges(self, loop: Loop, statement: Fused) -> list[If]:
        """The start of a kernel for the totals of ranges, and one that goes on from what is before each."""
        make = self.make
        chunk = self.range_of_group(loop.space)
        start, stop = [s.var for s in chunk.bounds if isinstance(s, HostLet)]
        swept, enough = self.swept(loop, statement, start, stop), self.enough(loop, chunk)
        if swept is None or enough is make.false:
            return []
        group = make.call(QUOT, chunk.item, make.const(GROUP))
        known = [
            Variable(carry.before, make.read(total.partial, group))
            for carry, total in zip(swept.sweep.carries, loop.totals, strict=True)
        ]
        second = (*known, *swept.before)
        first, joins = self.totals_of_group(loop, swept, chunk)
        totals = frozenset(total.partial for total in loop.totals)
        inside = (*chunk.bounds, *second, *swept.sweep.statements)
        if not fits(make.settings, (*chunk.bounds, *first), totals):
            return []
        if not fits(make.settings, inside, loop.written):
            return []
        before = self.made(loop, "totals", chunk, first, totals, joins)
        after = self.made(loop, loop.name, chunk, second, loop.written, swept.joins, sweep=swept.sweep)
        (items,) = self.numbers(chunk)
        groups = Var(make.fresh("groups"), Base.INT, True, (make.one,))
        ends = [Assign(t.whole, t.before) for t in loop.totals if t.whole is not None]
        between: list[Statement] = [s for total in loop.totals for s in self.exclusive(total, groups)]
        between += self.started(loop, after, (items,), [*self.combined(loop, groups), *ends])
        started = self.started(loop, before, (items,), between)
        divided = self.ranges(loop, chunk, items, groups)
        return [If(enough, (*divided, *started, *[Free(partial) for partial in loop.partials]))]

    def kept(self, statement: Filter, place: Exp, stop: Exp) -> tuple[Statement, ...]:
        """Each element is written, the next in its place unless it is kept, until all are there that are."""
        make, (old,) = self.make, statement.space.indices
        at = Var(make.fresh("place"), Base.INT, True, (make.zero,))
        end = Var(make.fresh("stop"), Base.INT, True, (make.zero,))
        index = replace(old, name=make.fresh(old.name))
        here = Substitute(make, {old: index})
        keep, body = here(statement.keep), here(statement.body)
        return (
            Variable(at, place),
            HostLet(end, stop),
            Variable(index, make.zero),
            While(
                make.call(p.LTI, at, end),
                (
                    Store(statement.buffer, at, body),
                    Assign(at, make.add(at, make.call(p.B2I, keep))),
                    Assign(index, make.add(index, make.one)),
                ),
            ),
        )

    # --- rows ---

    def axis_of_neighbours(self, scan: Scan) -> int:
        """The axis, of those that are not scanned, along which results are neighbours; or the first."""
        steps = self.make.linear(scan.position)[1]
        found = [k for k, v in enumerate(scan.space.indices[:-1]) if steps.get(v) in (1, -1)]
        return found[0] if found else 0

    def start_scans(self, loop: Loop, statement: Scan) -> list[If]:
        """The start of a kernel with a group for each row, if rows are long and lie in one piece; nothing
        where there is no such kernel.
        """
        make, space = self.make, statement.space
        *others, index = space.indices
        *rows, extent = space.extents
        grid, steps = self.division.grid, make.linear(statement.position)[1]
        if not grid or grid % GROUP or steps.get(index) not in (1, -1):
            return []
        item = Var(make.fresh("item"), Base.INT, True, (make.zero,))
        places = to_index(make, tuple(rows), make.call(QUOT, item, make.const(GROUP)))
        here = rebuilt(statement, Substitute(make, dict(zip(others, places, strict=True))))
        assert isinstance(here, Scan)
        fused = Fused(Space((index,), (extent,)), (here,))
        swept = self.swept(replace(loop, totals=(self.total(here),)), fused, make.zero, extent)
        is_long = make.call(p.GTEI, extent, make.const(LONG))
        enough = make.call(p.ANDB, self.is_work(loop.work), is_long)
        if swept is None or enough is make.false:
            return []
        (carry,) = swept.sweep.carries
        before = Variable(carry.before, carry.nothing)
        if not fits(make.settings, (before, *swept.sweep.statements), loop.written):
            return []
        chunk = Chunk((item,), (), (), (), (), space, Substitute(make, {}), (), in_steps=True)
        made = self.made(loop, "scans", chunk, (before,), loop.written, sweep=swept.sweep)
        number = Var(make.fresh("items"), Base.INT, True, (make.zero,))
        length = HostLet(number, make.mul(make.product(tuple(rows)), make.const(GROUP)))
        return [If(enough, (length, *self.started(loop, made, (number,), ())))]

    # --- look-back ---

    def start_looking_back(self, loop: Loop, statement: Fused) -> list[If]:
        """The start of a kernel whose groups find out what is before them: see Note [Look-back]."""
        make, (extent,) = self.make, loop.space.extents
        item = Var(make.fresh("item"), Base.INT, True, (make.zero,))
        unchanged = Substitute(make, {})
        chunk = Chunk((item,), (), (), (), (), loop.space, unchanged, (), in_steps=True, room=1)
        swept = self.swept(loop, statement, make.zero, extent, LARGE_GROUP)
        enough = self.is_work(loop.work)
        enough = make.call(p.ANDB, enough, make.call(p.GTEI, extent, make.one))
        if swept is None or enough is make.false:
            return []
        sweep = swept.sweep
        before = [
            Variable(carry.before, total.start)
            for carry, total in zip(sweep.carries, loop.totals, strict=True)
        ]
        if not fits(make.settings, (*before, *sweep.statements), loop.written):
            return []
        states = tuple([Buffer(make.fresh("state"), Base.INT, "int64") for _ in sweep.carries])
        wholes = tuple([None if total.whole is None else total.partial for total in loop.totals])
        sweep = replace(sweep, look_back=LookBack(states, wholes))
        lanes, blocks = make.const(sweep.lanes), Var(make.fresh("blocks"), Base.INT, True, (make.one,))
        others = tuple([whole for whole in wholes if whole is not None])
        own = replace(loop, totals=(), others=others, written=loop.written.union(states, others))
        runs, items, told, length = [
            Var(make.fresh(name), Base.INT, True, (make.one,)) for name in ("runs", "items", "told", "length")
        ]
        made = self.made(own, loop.name, chunk, tuple(before), own.written, sweep=sweep)
        totals = [t for t in loop.totals if t.whole is not None]
        ends = [Assign(t.whole, make.read(t.partial, make.zero)) for t in totals if t.whole is not None]
        started = self.started(own, made, (items,), ends)
        first: tuple[Statement, ...] = (
            HostLet(runs, self.parts(extent, make.const(sweep.run))),
            HostLet(items, make.mul(runs, lanes)),
            HostLet(blocks, self.parts(runs, lanes)),
            HostLet(told, make.add(make.add(runs, blocks), self.parts(blocks, lanes))),
            HostLet(length, make.add(make.mul(told, make.const(WORDS)), make.one)),
            *[Alloc(state, length, NOWHERE) for state in states],
            *[Alloc(whole, make.one, NOWHERE) for whole in others],
        )
        cleared = self.cleared(loop, states, length, started)
        return [If(enough, (*first, *cleared, *[Free(buffer) for buffer in (*others, *states)]))]

    def cleared(
        self, loop: Loop, buffers: Sequence[Buffer], length: Var, then: Sequence[Statement]
    ) -> list[Statement]:
        """Zeros into arrays, and what follows."""
        make = self.make
        space = Space((make.index("k", length),), (length,))
        chunk = self.grid(space)
        ((index, place),) = chunk.indices
        puts = [Store(buffer, index, make.zero) for buffer in buffers]
        own = Loop("clear", space, loop.work, frozenset(buffers), loop.todo)
        inside = (ForEach(chunk.space, (HostLet(index, place), *puts)),)
        made = self.made(own, "clear", chunk, inside, own.written)
        items = self.numbers(chunk)
        return [*self.divided(own, chunk, items), *self.started(own, made, items, then)]

    # --- ranges of groups ---

    def range_of_group(self, space: Space) -> Chunk:
        """The part of an axis that one group does."""
        make = self.make
        (old,), (extent,) = space.indices, space.extents
        limits = tuple([high for high in old.highs if isinstance(high, Const)]) or (make.const(MAX_COUNT),)
        last = tuple(dict.fromkeys((*make.last_indices(extent), *limits)))
        size = Var(make.fresh("range"), Base.INT, True, (make.one,))
        item, lane, count = [
            Var(make.fresh(name), Base.INT, True, (make.zero,)) for name in ("item", "lane", "count")
        ]
        start = Var(make.fresh("start"), Base.INT, True, (make.zero,), last)
        stop = Var(make.fresh("stop"), Base.INT, True, (make.one,), (extent,))
        group = make.const(GROUP)
        left = make.sub(make.add(stop, make.const(GROUP - 1)), make.add(start, lane))
        bounds = (
            HostLet(start, make.mul(make.call(QUOT, item, group), size)),
            HostLet(stop, make.call(p.MINI, make.add(start, size), extent)),
        )
        index = make.between(old.name, (make.zero,), make.last_indices(count))
        new = make.add(make.add(start, lane), make.mul(group, index))
        steps = (HostLet(lane, make.call(REM, item, group)), HostLet(count, make.call(QUOT, left, group)))
        return Chunk(
            (item,),
            (size,),
            (0,),
            bounds,
            (count,),
            Space((index,), (count,)),
            Substitute(make, {old: new}),
            ((old, new),),
            in_steps=True,
            room=1 + self.division.grid // GROUP,
            steps=steps,
        )

    def ranges(self, loop: Loop, chunk: Chunk, items: Var, groups: Var) -> list[Statement]:
        """The size of the ranges, whole runs, the numbers of groups and work-items, and memory for the
        totals.
        """
        make, (extent,) = self.make, loop.space.extents
        (size,) = chunk.sizes
        run, most = make.const(RUN), make.const(self.division.grid // GROUP)
        length = make.mul(self.parts(self.parts(extent, run), most), run)
        room = make.const(self.length_of_partials(chunk))
        return [
            HostLet(size, length),
            HostLet(groups, self.parts(extent, size)),
            HostLet(items, make.mul(groups, make.const(GROUP))),
            *[Alloc(partial, room, NOWHERE) for partial in loop.partials],
        ]

    def totals_of_group(
        self, loop: Loop, swept: Swept, chunk: Chunk
    ) -> tuple[tuple[Statement, ...], tuple[Join, ...]]:
        """The combination of all elements of a range, by a group. What is known without a loop, as the sum of
        elements that are all 1, is a value of each work-item.
        """
        make, space = self.make, chunk.space
        (index,) = space.indices
        known: list[HostLet] = []
        parts: list[Reduce] = []
        joins: list[Join] = []
        for total, element in zip(loop.totals, swept.elements, strict=True):
            own = Var(make.fresh("s"), total.before.ty)
            body = chunk.change(element)
            fold = make.fold(total.combine, index, chunk.count, body, neutral(make, total.combine))
            joins.append(Join(own, total.combine, total.partial))
            if isinstance(fold, Fold):
                parts.append(Reduce(own, space, fold, body))
            else:
                known.append(HostLet(own, fold))
        if len(parts) == 1:
            known.append(HostLet(parts[0].var, parts[0].fold))
        together = [Fused(space, tuple(parts))] if len(parts) > 1 else []
        return (*chunk.steps, *known, *together), tuple(joins)

    # --- what is done with running values ---

    def swept(self, loop: Loop, statement: Fused, start: Exp, stop: Exp, lanes: int = GROUP) -> Swept | None:
        """Scans, filters, and what is fused with them; None where a part can be none of that, or groups have
        no room for it. Of elements that may fail those are computed, too, that are not kept.
        """
        make = self.make
        totals, partials = iter(loop.totals), iter(loop.results)
        carries: list[Carry] = []
        elements: list[Exp] = []
        values: list[Statement] = []
        puts: list[Statement] = []
        before: list[Statement] = []
        joins: list[Join] = []
        found: list[Statement] = []
        running = frozenset(
            [s.running for s in statement.parts if isinstance(s, Scan) and s.running is not None]
        )
        for part in statement.parts:
            match part:
                case Scan(buffer=buffer, position=position):
                    carry = self.carry(next(totals), part.running)
                    elements.append(part.body)
                    if part.is_written:
                        puts.append(Store(buffer, position, carry.running))
                case Filter(body=body) if not statement.in_place:
                    place = Var(make.fresh("place"), Base.INT, True, (make.zero,))
                    held = Var(make.fresh("held"), body.ty) if self.is_at_hand(part, running) else None
                    kept = (Store(part.buffer, place, body if held is None else held),)
                    carry = replace(self.carry(next(totals), place, kept), held=held)
                    elements.append(make.call(p.B2I, part.keep))
                    if held is not None:
                        found += self.assigned(held, body)
                    if contains(Check, body):
                        values.append(HostLet(Var(make.fresh("x"), body.ty), body))
                case Map(guard=None, body=body):
                    named = Var(make.fresh("x"), body.ty)
                    values.append(HostLet(named, body))
                    puts.append(Store(part.buffer, part.position, named))
                    continue
                case Reduce(fold=fold) if isinstance(fold.combine, Prim):
                    own = Var(make.fresh("s"), part.var.ty)
                    before.append(Variable(own, neutral(make, fold.combine)))
                    values.append(Assign(own, make.call(fold.combine, own, part.body)))
                    joins.append(Join(own, fold.combine, next(partials)[2]))
                    continue
                case _:
                    return None
            carries.append(carry)
        for carry, element in zip(carries, elements, strict=True):
            found += self.assigned(carry.element, element)
        several = LARGE_EACH if lanes == LARGE_GROUP else (EACH,)
        room = self.division.local_bytes
        fitting = [n for n in several if sum([local_bytes(c, lanes, n) for c in carries]) <= room]
        if not fitting:
            return None
        (index,) = statement.space.indices
        uses = (*values, *puts)
        sweep = Sweep(start, stop, index, tuple(carries), tuple(found), uses, lanes=lanes, each=fitting[0])
        return Swept(tuple(elements), sweep, tuple(before), tuple(joins))

    def is_at_hand(self, part: Filter, running: frozenset[Var]) -> bool:
        """Whether who finds out if an element is kept reads all that it takes, so that memory is read once,
        and it takes none of the running values, which are known later. See Note [Elements at hand].
        """
        read, taken = [
            {node for node in nodes(exp) if isinstance(node, Read | Var)} for exp in (part.keep, part.body)
        ]
        reads = {node for node in taken if isinstance(node, Read)}
        return bool(reads) and reads <= read and not taken & running and is_total(part.body)

    def assigned(self, variable: Var, value: Exp) -> list[Statement]:
        """A value, by a name of its own, and what it changes."""
        named = Var(self.make.fresh("x"), value.ty)
        return [HostLet(named, value), Assign(variable, named)]

    def carry(self, total: Total, running: Var | None, kept: tuple[Statement, ...] = ()) -> Carry:
        """What a scan or filter carries along."""
        make, ty = self.make, total.before.ty
        element, before = [Var(make.fresh(name), ty) for name in ("element", "before")]
        running = running or Var(make.fresh("s"), ty)
        return Carry(total.combine, total.start, element, before, running, kept)


def local_bytes(carry: Carry, lanes: int, each: int) -> int:
    """The memory of a group that a carry takes."""
    width = carry.element.ty.item_bytes
    kept = np.dtype(np.uint8).itemsize + np.dtype(np.uint16).itemsize if carry.is_filter else width
    return lanes * each * kept + 2 * lanes * width
