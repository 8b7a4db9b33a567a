"""Kernels for loops over statements: each work-item does some of the iterations.

    for cell < n { MAP a[i] = … ; MAP sum[j] = sum[j] + … }
        →   alloc sums : double[items × 3]
            launch kernel      each work-item: sum := its place in sums, 0; its rounds
            MAP sum[j] = sum[j] + sums[k×3 + j]      for each work-item k

Which loops may run so is what `parallel` knows of loops for threads: their rounds are independent, or only
accumulate. Memory with which a round begins anew, and arrays that rounds accumulate into, each work-item has
for itself, in one array of all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from operator import is_

from aplc.laila.devices.kernel_partition import NOWHERE, Chunk, Divider, Loop
from aplc.laila.devices.kernels import Own, fits, written_by
from aplc.laila.ir import loops as l
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Filter,
    ForEach,
    Free,
    Fused,
    If,
    Map,
    Program,
    Scan,
    Space,
    Statement,
    Store,
    Variable,
)
from aplc.laila.ir.scalar import Buffer, Const, Exp, Fold, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import (
    bodies,
    bound,
    everywhere,
    expressions,
    own_expressions,
    rebuilt,
    with_bodies,
    within,
)
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.generate import generate
from aplc.laila.threads.parallel import parallelise
from aplc.tail.types import Base


def with_own_indices(program: Program, make: ExprBuilder) -> Program:
    """The program with indices of loops over statements that no other statement has; what does not change is
    the same statement.
    """
    seen: set[str] = set()

    def block(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        return tuple([within_own(own(s)) for s in statements])

    def within_own(statement: Statement) -> Statement:
        changed = with_bodies(statement, block)
        before, after = [[s for body in bodies(each) for s in body] for each in (statement, changed)]
        return statement if all(map(is_, before, after)) else changed

    def own(statement: Statement) -> Statement:
        if not isinstance(statement, ForEach):
            return statement
        fresh: dict[Exp, Exp] = {
            v: replace(v, name=make.fresh(v.name)) for v in statement.space.indices if v.name in seen
        }
        seen.update([v.name for v in statement.space.indices])
        if not fresh:
            return statement
        changed = rebuilt(statement, Substitute(make, fresh))
        assert isinstance(changed, ForEach)
        named = [fresh.get(v, v) for v in changed.space.indices]
        indices = tuple([v for v in named if isinstance(v, Var)])
        return replace(changed, space=replace(changed.space, indices=indices))

    for statement in everywhere(program.statements):
        if not isinstance(statement, ForEach):
            seen.update([v.name for v in bound(with_bodies(statement, lambda _: ()))])
            seen.update([n.var.name for n in nodes(*own_expressions(statement)) if isinstance(n, Fold)])
    return replace(program, statements=block(program.statements))


def loops_in_parts(program: Program, make: ExprBuilder) -> dict[Var, l.Schedule]:
    """How the loops over statements run in parts that may do so, by their indices."""
    if not any(isinstance(s, ForEach) for s in within(program.statements)):
        return {}
    code = parallelise(generate(program, make), make, always=True)
    return {
        s.var: s.schedule
        for s in l.within(code.statements)
        if isinstance(s, l.For) and s.schedule is not None and not s.schedule.last
    }


class LoopDivider(Divider):
    """Kernels for loops over statements."""

    schedules: dict[Var, l.Schedule]
    allocations: Mapping[Buffer, Exp]
    """The sizes of the buffers of the program."""

    def kernels_of(self, statement: ForEach) -> tuple[Loop, list[If]] | None:
        """A loop, and the start of a kernel that does it; None where there is none."""
        if len(statement.space.indices) != 1:
            return None
        schedule = self.schedules.get(statement.space.indices[0])
        if schedule is None or schedule.running is not None:
            return None
        chunk = self.chunk(statement.space, 0, in_steps=bool(self.division.grid))
        own, body = self.own_memory(statement, schedule)
        if own is None:
            return None
        work = self.effort.of_rounds(statement)
        written = {b for s in within(body) for b in written_by(s)}
        written -= {s.buffer for s in within(body) if isinstance(s, Alloc)} | {each.buffer for each in own}
        todo = Var(self.make.fresh("todo"), Base.BOOL)
        for_kernels = self.is_for_kernels(expressions(statement))
        loop = Loop("rounds", statement.space, work, frozenset(written), todo, is_for_kernels=for_kernels)
        return loop, self.start_rounds(loop, chunk, body, own, schedule)

    def own_memory(
        self, statement: ForEach, schedule: l.Schedule
    ) -> tuple[tuple[Own, ...] | None, tuple[Statement, ...]]:
        """The arrays that each work-item has for itself, and the body without their allocations; None where
        their sizes are known only inside the loop.
        """
        inside = {v.name for s in statement.body for v in bound(s)} | {statement.space.indices[0].name}
        sizes = {b: self.allocations[b] for b in statement.scratch if b in self.allocations}
        sizes |= {each.buffer: each.size for each in schedule.array_reductions}
        if len(sizes) < len(statement.scratch):
            return None, ()
        for each in within(statement.body):
            if isinstance(each, Alloc) and each.buffer not in self.lengths:
                sizes[each.buffer] = each.size
        if any(v.name in inside for size in sizes.values() for v in self.free.of(size)):
            return None, ()
        own = [
            Own(b, Buffer(self.make.fresh(f"{b.name}_all"), b.ty, b.storage), size)
            for b, size in sizes.items()
        ]
        return tuple(own), _without(statement.body, set(sizes))

    def start_rounds(
        self,
        loop: Loop,
        chunk: Chunk,
        body: tuple[Statement, ...],
        own: tuple[Own, ...],
        schedule: l.Schedule,
    ) -> list[If]:
        """The start of the kernel if there is enough to do; then what the work-items have accumulated is
        joined in their order.
        """
        make = self.make
        enough = self.enough(loop, chunk)
        rounds = ForEach(chunk.space, tuple([rebuilt(s, chunk.change) for s in body]), independent=True)
        before: list[Statement] = []
        after: list[Statement] = []
        item = make.index("k", chunk.item)  # the number of a work-item, for the host
        joined: list[Statement] = []
        partials: list[Buffer] = []
        for each in schedule.joined:
            reduction = each.reduction
            if reduction.var.name not in {v.name for s in body for v in bound(s)}:
                continue  # a flag of the generated loop
            partial = self.partial(reduction.var)
            partials.append(partial)
            before.append(Variable(reduction.var, reduction.neutral))
            after.append(Store(partial, chunk.item, reduction.var))
            part = Substitute(make, {each.part: make.read(partial, item)})(each.value)
            joined.append(Assign(reduction.var, part))
        arrays = {each.buffer: each for each in own}
        for private in schedule.array_reductions:
            mine = arrays[private.buffer]
            (clear,), (join,) = private.clear.body, private.join.body
            assert isinstance(clear, l.Store) and isinstance(join, l.Store)
            index = make.index("j", mine.size)
            space = Space((index,), (mine.size,))
            before.append(Map(mine.buffer, space, index, clear.value))
            place = make.add(make.mul(item, mine.size), index)
            known: dict[Exp, Exp] = {
                make.read(private.own, private.join.var): make.read(mine.all, place),
                private.join.var: index,
            }
            joined.append(Map(private.buffer, space, index, Substitute(make, known)(join.value)))
        inside = (*before, rounds, *after)
        accumulated = [each.buffer for each in own]
        loop = replace(loop, written=loop.written | frozenset(partials), others=tuple(partials))
        settings = make.settings
        if enough is make.false or not fits(settings, (*chunk.bounds, *inside), loop.written, accumulated):
            return []
        written = loop.written | frozenset([each.all for each in own])
        made = self.made(loop, loop.name, chunk, inside, written, own=own)
        items = self.numbers(chunk)
        joins = [ForEach(Space((item,), items), tuple(joined))] if joined else []
        memory = [Alloc(each.all, make.mul(items[0], each.size), NOWHERE) for each in own]
        started = self.started(loop, made, items, joins)
        freed = [Free(b) for b in (*[each.all for each in own], *loop.partials)]
        return [If(enough, (*self.divided(loop, chunk, items), *memory, *started, *freed))]


def has_open_extents(statement: ForEach) -> bool:
    """Whether loops inside may be long."""
    spaces = [s.space for s in within(statement.body) if isinstance(s, Map | Scan | Filter | Fused | ForEach)]
    folds = [n.extent for e in expressions(statement) for n in nodes(e) if isinstance(n, Fold)]
    extents = [*folds, *[n for space in spaces for n in space.extents]]
    return not all(isinstance(n, Const) for n in extents)


def _without(statements: tuple[Statement, ...], buffers: set[Buffer]) -> tuple[Statement, ...]:
    """Statements without the allocations of some buffers."""
    return tuple(
        [
            with_bodies(s, lambda inner: _without(inner, buffers))
            for s in statements
            if not (isinstance(s, Alloc | Free) and s.buffer in buffers)
        ]
    )
