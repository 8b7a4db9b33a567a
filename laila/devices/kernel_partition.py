"""Partitions loops into chunks, one for each work-item, and makes the statements that start kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from aplc.laila.devices.cost_model import Effort
from aplc.laila.devices.device_mapping import GROUP, ON_A_UNIT, Division
from aplc.laila.devices.kernels import (
    OF_THE_DRIVER,
    Join,
    Kernel,
    Own,
    Stage,
    Sweep,
    fits,
    kernel,
    launch,
)
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    ForEach,
    Free,
    HostLet,
    If,
    Map,
    Program,
    Space,
    Statement,
    Store,
    Variable,
)
from aplc.laila.ir.ranges import MAX_COUNT
from aplc.laila.ir.scalar import (
    QUOT,
    SMALL,
    SMALL_LIMIT,
    BlockExp,
    Buffer,
    Call,
    Const,
    Exp,
    Fold,
    Site,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import everywhere, rebuilt
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.hoist import LOCAL_BYTES, changing_hands, is_local
from aplc.tail import prims as p
from aplc.tail.faults import NO_MEMORY
from aplc.tail.prims import Prim
from aplc.tail.types import Base

LOCAL = LOCAL_BYTES // 8
WAVES = 4
"""How many work-items there are for each that runs at the same time: the last ones should not take long."""
NOWHERE = Site(NO_MEMORY, "", None)


@dataclass(frozen=True, slots=True)
class Chunk:
    """The part of a loop that one work-item does: a range of an axis, or all indices in steps."""

    items: tuple[Var, ...]
    """The number of the work-item along each axis that is divided."""
    sizes: tuple[Var, ...]
    """The indices in each range but the last, or the steps: arguments of the kernel."""
    axes: tuple[int, ...]
    bounds: tuple[Statement, ...]
    """What computes where it begins, and its length."""
    counts: tuple[Var, ...]
    space: Space
    change: Callable[[Exp], Exp]
    indices: tuple[tuple[Var, Exp], ...]
    """The indices of the loop that are divided, with what they are in the chunk."""
    in_steps: bool = False
    room: int = 0
    """The elements of arrays for results; 0: one for each work-item or group, and one for all."""
    steps: tuple[Statement, ...] = ()
    """What computes these steps."""

    @property
    def item(self) -> Var:
        """The number of the work-item where one axis is divided."""
        (item,) = self.items
        return item

    @property
    def count(self) -> Var:
        """How many indices it does there."""
        (count,) = self.counts
        return count


@dataclass(frozen=True, slots=True)
class Total:
    """What the chunks before a chunk come to, in an array."""

    partial: Buffer
    combine: Prim
    start: Exp
    before: Var
    whole: Var | None = None
    """The variable that gets the total of all chunks."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop that kernels may do: what it is called there, and what it takes."""

    name: str
    space: Space
    work: Exp
    """About how many operations."""
    written: frozenset[Buffer]
    todo: Var
    """Whether the host must do it."""
    results: tuple[tuple[Var, Fold, Buffer], ...] = ()
    """The variables of folds, and the arrays for the results of the chunks."""
    totals: tuple[Total, ...] = ()
    """Of what goes on from chunk to chunk."""
    others: tuple[Buffer, ...] = ()
    """More arrays with an element for each chunk."""
    least: int = 1
    """The indices of a chunk, at least, unless units of the device were left without one."""
    is_for_kernels: bool = True
    """Whether the host is no better at what it computes."""
    is_even: bool = False
    """Whether all its points take about as long, so that as many work-items as run at a time do all."""

    @property
    def partials(self) -> tuple[Buffer, ...]:
        """The arrays with an element for each chunk."""
        results = [partial for _, _, partial in self.results]
        return (*results, *[total.partial for total in self.totals], *self.others)


class Divider:
    """Loops in chunks, and the kernels that do them."""

    def __init__(self, program: Program, make: ExprBuilder, division: Division) -> None:
        self.make, self.division = make, division
        self.least_work = division.least_work
        """The operations from which on a loop is worth a kernel, at the statement at hand."""
        self.kernels: list[Kernel] = []
        self.statement: Statement | None = None
        """The statement at hand."""
        self.work_of: dict[int, Exp] = {}
        """About how many operations the statements with kernels take, by their identity."""
        self.choices: dict[int, str] = {}
        """Which of several kernels the statements choose, by their identity."""
        self.effort = Effort(make)
        self.free = self.effort.free
        moving = changing_hands(program)
        self.lengths = {
            s.buffer: max(1, int(s.size.value))
            for s in everywhere(program.statements)
            if isinstance(s, Alloc) and is_local(s) and isinstance(s.size, Const) and s.buffer not in moving
        }

    def memory(self, buffer: Buffer, size: Exp) -> Alloc:
        """Memory for an array of our own, which may be on the stack."""
        made = Alloc(buffer, size, NOWHERE)
        if is_local(made) and isinstance(size, Const):
            self.lengths[buffer] = max(1, int(size.value))
        return made

    # --- loops and their chunks ---

    def loop(
        self,
        name: str,
        space: Space,
        roots: tuple[Exp, ...],
        written: set[Buffer],
        results: tuple[tuple[Var, Fold, Buffer], ...] = (),
        totals: tuple[Total, ...] = (),
    ) -> Loop:
        """A loop over a space that evaluates the roots and writes some buffers."""
        todo = Var(self.make.fresh("todo"), Base.BOOL)
        partials = {partial for _, _, partial in results}
        work = self.effort.of_loop(space, roots, written)
        written_there = frozenset(written | partials)
        for_kernels, is_even = self.is_for_kernels(roots), not contains(BlockExp | Fold, *roots)
        return Loop(
            name,
            space,
            work,
            written_there,
            todo,
            results,
            totals,
            is_for_kernels=for_kernels,
            is_even=is_even,
        )

    @property
    def is_eager(self) -> bool:
        """Whether kernels do what the host does sooner, too; it has no floats."""
        return self.division.eager or self.make.settings.is_single

    def is_for_kernels(self, roots: Iterable[Exp]) -> bool:
        """Whether the host is no better at computing some expressions."""
        return self.is_eager or not any(isinstance(n, Call) and n.op in OF_THE_DRIVER for n in nodes(*roots))

    def partial(self, var: Var) -> Buffer:
        """An array for the results of the chunks, and one more element."""
        return Buffer(self.make.fresh("partial"), var.ty, var.ty.dtype)

    def chunk(self, space: Space, axis: int, *, in_steps: bool = False) -> Chunk:
        """The part of an axis that one work-item does."""
        make = self.make
        old, extent = space.indices[axis], space.extents[axis]
        limits = tuple([high for high in old.highs if isinstance(high, Const)]) or (make.const(MAX_COUNT),)
        last = tuple(dict.fromkeys((*make.last_indices(extent), *limits)))
        item = Var(make.fresh("item"), Base.INT, True, (make.zero,))
        count = Var(make.fresh("count"), Base.INT, True, (make.zero if in_steps else make.one,))
        bounds: list[Statement] = []
        if in_steps:
            size = Var(make.fresh("step"), Base.INT, True, (make.one,))
            left = make.sub(make.add(extent, size), make.add(item, make.one))
            is_one = make.call(p.B2I, make.call(p.LTI, item, extent))
            several = make.call(QUOT, left, size)  # a slow instruction, and most have one at most
            bounds.append(HostLet(count, make.select(make.call(p.LTI, size, extent), several, is_one)))
        else:
            size = Var(make.fresh("chunk"), Base.INT, True, (make.one,))
            start = Var(make.fresh("start"), Base.INT, True, (make.zero,), last)
            bounds.append(HostLet(start, make.mul(item, size)))
            bounds.append(HostLet(count, make.call(p.MINI, size, make.sub(extent, start))))
        if in_steps:
            index = Var(make.fresh(old.name), Base.INT, True, (make.zero,))
            new = make.add(item, make.mul(index, size))
            if any(int(limit.value) <= SMALL_LIMIT for limit in limits if isinstance(limit, Const)):
                new = make.call(SMALL, new)
        else:
            highs = (*make.last_indices(count), *limits)
            index = make.between(old.name, (make.zero,), tuple(dict.fromkeys(highs)))
            new = make.add(start, index)
        indices = tuple([index if k == axis else v for k, v in enumerate(space.indices)])
        extents = tuple([count if k == axis else n for k, n in enumerate(space.extents)])
        change = Substitute(make, {old: new})
        within = Space(indices, extents)
        named = ((old, new),)
        return Chunk((item,), (size,), (axis,), tuple(bounds), (count,), within, change, named, in_steps)

    def grid(self, space: Space) -> Chunk:
        """The points of the last axis in steps, so that neighbours are done by neighbours, and a part of the
        axis before it. That part is the innermost loop: what a work-item reads there it may need again.
        """
        last = len(space.indices) - 1
        inner = self.chunk(space, last, in_steps=True)
        if last == 0:
            return inner
        outer = self.chunk(inner.space, last - 1)
        order = (last, *range(last))
        indices, extents = [
            tuple([each[k] for k in order]) for each in (outer.space.indices, outer.space.extents)
        ]
        return Chunk(
            (*inner.items, *outer.items),
            (*inner.sizes, *outer.sizes),
            (*inner.axes, *outer.axes),
            (*inner.bounds, *outer.bounds),
            (*inner.counts, *outer.counts),
            Space(indices, extents),
            lambda exp: outer.change(inner.change(exp)),
            (*inner.indices, *outer.indices),
            True,
        )

    def points(self, statement: Map, chunk: Chunk, *, is_even: bool) -> Statement:
        """A map, point by point; where two axes are divided and all points take as long, a loop over the part
        of the axis before the last, which may be cut where conditions on its index change.
        """
        put: Statement = Store(statement.buffer, statement.position, statement.body)
        if statement.guard is not None:
            put = If(statement.guard, (put,))
        lets = tuple([HostLet(index, here) for index, here in chunk.indices])
        if len(lets) == 1 or not is_even:
            return ForEach(chunk.space, (*lets, put))
        (column, *others), (count, *counts) = chunk.space.indices, chunk.space.extents
        (row, place) = chunk.indices[1]
        inner = replace(statement, space=Space(tuple(others), tuple(counts)))
        inside = rebuilt(inner, Substitute(self.make, {row: place}))
        return ForEach(Space((column,), (count,)), (lets[0], inside))

    # --- starting kernels ---

    def is_work(self, work: Exp) -> Exp:
        """Whether so many operations are worth a kernel."""
        return self.effort.reaches(work, self.least_work)

    def enough(self, loop: Loop, chunk: Chunk) -> Exp:
        """Whether a loop is worth a kernel, and the axes long enough to be divided."""
        make, division = self.make, self.division
        if not loop.is_for_kernels:
            return make.false
        enough = self.is_work(loop.work)
        least = make.const(1 if chunk.in_steps else division.least_rows)
        for axis in chunk.axes:
            enough = make.call(p.ANDB, enough, make.call(p.GTEI, loop.space.extents[axis], least))
        return enough

    def made(
        self,
        loop: Loop,
        name: str,
        chunk: Chunk,
        inside: tuple[Statement, ...],
        written: frozenset[Buffer],
        joins: tuple[Join, ...] = (),
        own: tuple[Own, ...] = (),
        end: tuple[Statement, ...] = (),
        stage: Stage | None = None,
        sweep: Sweep | None = None,
    ) -> Kernel:
        """A kernel for the chunks of a loop."""
        length = self.length_of_partials(chunk, joins)
        lengths = {**self.lengths, **(dict.fromkeys(loop.partials, length) if length <= LOCAL else {})}
        statements = (*chunk.bounds, *inside)
        made = kernel(
            self.make, name, chunk.items, statements, written, lengths, joins, own, end, stage, sweep
        )
        self.kernels.append(made)
        self.work_of[id(self.statement)] = loop.work
        return made

    def length_of_partials(self, chunk: Chunk, joins: tuple[Join, ...] = ()) -> int:
        """The length of arrays with an element for each chunk, or for each group of them, and one for all."""
        most = self.division.grid if chunk.in_steps else self.division.items
        return chunk.room or 1 + (most // GROUP if joins else most)

    def divided(
        self, loop: Loop, chunk: Chunk, items: tuple[Var, ...], joins: tuple[Join, ...] = ()
    ) -> list[Statement]:
        """The sizes of the chunks, their numbers, and the arrays for their results."""
        make, result = self.make, []
        for size, axis, number in zip(chunk.sizes, chunk.axes, items, strict=True):
            extent = loop.space.extents[axis]
            most = make.const(self.division.grid if chunk.in_steps else self.division.items)
            if chunk.in_steps and number is items[0]:
                unit = make.const(GROUP)
                rounded = make.call(QUOT, make.add(extent, make.sub(unit, make.one)), unit)
                value = make.call(p.MINI, make.call(p.MULI, rounded, unit), most)
                result += [HostLet(size, value), HostLet(number, size)]
                continue
            if chunk.in_steps and loop.is_even:
                all_items = make.const(WAVES * self.division.grid)
                most = make.call(p.MAXI, make.call(QUOT, all_items, items[0]), make.one)
            length = self.parts(extent, most)
            if loop.least > 1:
                fair = self.parts(extent, make.const(max(1, self.division.items // ON_A_UNIT)))
                length = make.call(p.MAXI, length, make.call(p.MINI, fair, make.const(loop.least)))
            result += [HostLet(size, length), HostLet(number, self.parts(extent, size))]
        length = make.const(self.length_of_partials(chunk, joins))
        return [*result, *[Alloc(partial, length, NOWHERE) for partial in loop.partials]]

    def parts(self, extent: Exp, size: Exp) -> Exp:
        """How many parts of a size an extent has, or how long so many of them are."""
        make = self.make
        return make.call(QUOT, make.add(extent, make.sub(size, make.one)), size)

    def numbers(self, chunk: Chunk) -> tuple[Var, ...]:
        """Variables for the numbers of work-items along the axes."""
        make = self.make
        most = make.const(self.division.grid if chunk.in_steps else self.division.items)
        return tuple([Var(make.fresh("items"), Base.INT, True, (make.one,), (most,)) for _ in chunk.axes])

    def started(
        self, loop: Loop, made: Kernel, items: tuple[Var, ...], then: Sequence[Statement]
    ) -> list[Statement]:
        """The start of a kernel, and what follows if nothing fails."""
        failed = Var(self.make.fresh("failed"), Base.BOOL)
        result: list[Statement] = [launch(self.make, made, items, failed), Assign(loop.todo, failed)]
        if then:
            result.append(If(self.make.call(p.NOTB, failed), tuple(then)))
        return result

    def combined(self, loop: Loop, count: Var) -> list[Statement]:
        """The values of folds from the results of so many chunks or groups, in their order."""
        make = self.make
        statements: list[Statement] = []
        for var, fold, partial in loop.results:
            k = make.index("k", count)
            total = Var(make.fresh("s"), var.ty)
            again = make.fold(fold.combine, k, count, make.read(partial, k), fold.empty)
            statements += [HostLet(total, again), Assign(var, total)]
        return statements

    def joins(self, loop: Loop, chunk: Chunk, values: tuple[Var, ...]) -> tuple[Join, ...]:
        """The values of folds as groups combine them; none where the host must do that alone."""
        if not chunk.in_steps or self.division.grid % GROUP:
            return ()
        return tuple(
            [
                Join(value, fold.combine, partial)
                for value, (_, fold, partial) in zip(values, loop.results, strict=True)
                if isinstance(fold.combine, Prim)
            ]
        )

    def start(
        self, loop: Loop, chunk: Chunk, inside: tuple[Statement, ...], values: tuple[Var, ...] = ()
    ) -> list[If]:
        """The start of a kernel if there is enough to do; nothing where there is no such kernel. `values` are
        the results of its folds for a chunk.
        """
        make = self.make
        enough = self.enough(loop, chunk)
        joins = self.joins(loop, chunk, values)
        if not joins:
            puts = [Store(q[2], chunk.item, value) for q, value in zip(loop.results, values, strict=True)]
            inside = (*inside, *puts)
        if enough is make.false or not fits(make.settings, (*chunk.bounds, *inside), loop.written):
            return []
        made = self.made(loop, loop.name, chunk, inside, loop.written, joins)
        items = self.numbers(chunk)
        count, then = items[0], []
        if joins:
            count = Var(make.fresh("groups"), Base.INT, True, (make.one,))
            then.append(HostLet(count, make.call(QUOT, items[0], make.const(GROUP))))
        started = self.started(loop, made, items, [*then, *self.combined(loop, count)])
        return [If(enough, (*self.divided(loop, chunk, items, joins), *started, *_freed(loop)))]

    def start_twice(
        self, loop: Loop, chunk: Chunk, first: tuple[Statement, ...], second: tuple[Statement, ...]
    ) -> list[If]:
        """A kernel for the totals of the chunks, and one that goes on from what is before each chunk."""
        make, settings = self.make, self.make.settings
        enough = self.enough(loop, chunk)
        totals = frozenset(total.partial for total in loop.totals)
        if enough is make.false or not fits(settings, (*chunk.bounds, *first), totals):
            return []
        if not fits(settings, (*chunk.bounds, *second), loop.written):
            return []
        items = self.numbers(chunk)
        before = self.made(loop, "totals", chunk, first, totals)
        after = self.made(loop, loop.name, chunk, second, loop.written)
        ends = [Assign(t.whole, t.before) for t in loop.totals if t.whole is not None]
        between: list[Statement] = [s for total in loop.totals for s in self.exclusive(total, items[0])]
        between += self.started(loop, after, items, [*self.combined(loop, items[0]), *ends])
        started = self.started(loop, before, items, between)
        return [If(enough, (*self.divided(loop, chunk, items), *started, *_freed(loop)))]

    def exclusive(self, total: Total, items: Var) -> list[Statement]:
        """The totals of the chunks replaced by what is before each; at the end is that of all."""
        make, partial, before = self.make, total.partial, total.before
        k = make.index("k", items)
        own = Var(make.fresh("t"), before.ty)
        following = Assign(before, make.call(total.combine, before, own))
        step = (HostLet(own, make.read(partial, k)), Store(partial, k, before), following)
        return [
            Variable(before, total.start),
            ForEach(Space((k,), (items,)), step),
            Store(partial, items, before),
        ]

    def either(self, loop: Loop, starts: list[If], on_host: tuple[Statement, ...]) -> list[Statement]:
        """The first kernel for which there is enough to do; otherwise, or if it fails, the host's way."""
        if not starts:
            return list(on_host)
        chosen: tuple[Statement, ...] = ()
        for start in reversed(starts):
            chosen = (replace(start, other=chosen),)
        return [Variable(loop.todo, self.make.true), *chosen, If(loop.todo, on_host)]


def _freed(loop: Loop) -> list[Statement]:
    return [Free(partial) for partial in loop.partials]
