"""C with OpenMP of the functions that compute part of a loop: from one index up to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aplc.backends.c.functions import is_long, unnumbered, written_by
from aplc.backends.c.mentions import allocated
from aplc.backends.openmp.tasks import TaskEmitter
from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import within
from aplc.laila.ir.program import RuntimeCall
from aplc.laila.ir.scalar import BIT_OR, Buffer, Call, Var
from aplc.laila.threads.runtime_calls import with_threads
from aplc.tail import prims as p
from aplc.tail.types import Base


@dataclass(frozen=True, slots=True)
class Part:
    """The function that computes part of a loop, and what the place that calls it must know."""

    name: str
    arguments: tuple[str, ...]
    results: tuple[tuple[str, Var], ...]
    """The C type of each variable that it gives."""
    may_fail: bool


class PartEmitter(TaskEmitter):
    """Statements and functions, with those of parts of loops."""

    def run_of(self, lines: Sequence[str]) -> Sequence[str]:
        """The function that runs the program."""
        return super().run_of([in_order(lines) + lines[0], *lines[1:]])

    def linkage(self, share: int | None) -> str:
        """What stands before the type of the function at hand; only one thread runs a section."""
        return super().linkage(share) if share is None else in_order(self.lines) + super().linkage(share)

    def run(self, run: RuntimeCall) -> None:
        """A function of the run-time system."""
        super().run(with_threads(run))

    def function(self, loop: l.For, schedule: l.Schedule) -> Part:
        """Write the function for part of a loop."""
        accumulated, carried = [r.reduction.var for r in schedule.joined], carried_by(schedule)
        rooms = [room for _, room in schedule.running.rooms] if schedule.running else []
        owned = owned_by(loop, schedule)
        flags = [e.reduction.var for e in schedule.joined if e.reduction.op is BIT_OR]
        rooms_of_scratch = [room for _, room in schedule.scratch]
        ours = {*owned, *[var.name for var in (*accumulated, *carried, *rooms_of_scratch)]}
        things = self.needs([*sizes_of(loop, schedule), *loop.body, *beyond_of(loop)], ours)
        given = [*things, *flags, *[v for v in schedule.last if v not in things]]
        arguments = tuple([self.spell(t) for t in given])
        given += [*carried, *rooms]
        results = self.typed(results_of(schedule))
        may_fail = fails(loop, schedule)
        mutable = {v.name for v in (*flags, *schedule.last, *carried)}
        with self.apart():
            self.owned = owned
            self.has_exit = bool(owned)
            written = written_by(loop.body)
            heads = ["aplc_host *host"] if may_fail else []
            packs = schedule.running.packs if schedule.running else None
            heads += self.heads(given, written, mutable, packs=packs is not None)
            first, last = [Var(name, Base.INT, True) for name in ("first_00", "last_00")]
            first, last = (first, last) if packs is None else (packs.first, packs.last)
            heads += [f"const int64_t {self.declare(v.name)}" for v in (first, last)]
            outs, more = self.places_of(results)
            if may_fail:
                self.work_for_host()
            for buffer in owned.values():
                self.line(self.without_memory(buffer, self.declare(buffer.name)))
            if self.has_exit:
                self.line("int status = APLC_OK;")
            for statement in (*schedule.private, *l.begun(schedule.scratch)):
                self.statement(statement)
            for each in schedule.joined:
                if each.reduction.op is not BIT_OR:
                    ty, start = self.mutable_type(each.reduction.var), self.text(each.reduction.neutral)
                    self.line(f"{ty} {self.declare(each.reduction.var.name)} = {start};")
            part = replace(loop, start=first, stop=last, schedule=None)
            for statement in self.of_part(part, schedule):
                self.statement(statement)
            for (_, var), out in zip(results, outs, strict=True):
                self.line(f"*{out} = {self.spell(var)};")
            if self.has_exit:
                self.lines.append("done:")
                for buffer in owned.values():
                    self.line(self.freeing(buffer))
            if may_fail:
                self.line("return status;" if self.has_exit else "return APLC_OK;")
            name = self.finished("loop", "int" if may_fail else "void", [*heads, *more])
        return Part(name, arguments, results, may_fail)

    def typed(self, results: Sequence[Var]) -> tuple[tuple[str, Var], ...]:
        """The results of a function, each with its C type."""
        return tuple([(self.mutable_type(v), v) for v in results])

    def places_of(self, results: Sequence[tuple[str, Var]]) -> tuple[list[str], list[str]]:
        """The parameters for where a function puts its results: their names, and their declarations."""
        outs = [self.declare(f"{unnumbered(var.name)}_out:") for _, var in results]
        return outs, [f"{ty} *{out}" for (ty, _), out in zip(results, outs, strict=True)]

    def of_part(self, loop: l.For, schedule: l.Schedule) -> tuple[l.Stm, ...]:
        """The loop, or what stands for it, writing only as far as the next part begins."""
        packs = schedule.running.packs if schedule.running else None
        rooms = dict(schedule.running.rooms) if schedule.running else {}

        def within_room(statement: l.Stm) -> l.Stm:
            match statement:
                case l.Store(position=Var() as count) if count in rooms:
                    fits = Call(p.LTI, (count, rooms[count]), Base.BOOL)
                    return l.If(fits, (statement,))
                case l.For(body=body) | l.While(body=body):
                    return replace(statement, body=tuple([within_room(s) for s in body]))
                case l.If(then=then, other=other):
                    first, second = [tuple([within_room(s) for s in body]) for body in (then, other)]
                    return replace(statement, then=first, other=second)
                case _:
                    return statement

        statements: tuple[l.Stm, ...] = self.rows_of_part(loop) if packs is None else packs.part
        return tuple([within_room(s) for s in statements]) if rooms else statements

    def rows_of_part(self, loop: l.For) -> tuple[l.Stm, ...]:
        """A loop, or what takes its place but for the last few iterations of a part."""
        if loop.beyond is None:
            return (loop,)
        begin = Call(p.MAXI, (loop.start, Call(p.SUBI, (loop.stop, loop.beyond.last), Base.INT)), Base.INT)
        most = Var("most_00", Base.INT, True)
        return (
            l.Declare(most, begin),
            replace(loop.beyond.loop, start=loop.start, stop=most),
            replace(loop, start=most, beyond=None),
        )

    def like(self, var: Var, other: Var) -> None:
        """A variable has the lanes and the type of another one."""
        widths, storages = self.printer.ranges.widths, self.printer.storages
        if other.name in widths:
            widths[var.name] = widths[other.name]
        if other.name in storages:
            storages[var.name] = storages[other.name]


def in_order(lines: Sequence[str]) -> str:
    """What stands before a function that only one thread runs, if it has loops, and all of them in order."""
    has_loops = any(line.lstrip().startswith(("for (", "while (")) for line in lines)
    return "APLC_IN_ORDER " if has_loops and not any("omp parallel" in line for line in lines) else ""


def carried_by(schedule: l.Schedule) -> list[Var]:
    """The variables that iterations accumulate and read."""
    return [each.reduction.var for each in schedule.running.joined] if schedule.running else []


def results_of(schedule: l.Schedule) -> list[Var]:
    """The variables that a loop gives values, in the order of the results of its functions."""
    return [*[each.reduction.var for each in schedule.joined], *schedule.last, *carried_by(schedule)]


def owned_by(loop: l.For, schedule: l.Schedule) -> dict[str, Buffer]:
    """The memory that a part allocates and frees, by name."""
    private = {a.buffer.name: a.buffer for a in schedule.private}
    return private | {b.name: b for s in within(loop.body) for b in allocated(s)}


def sizes_of(loop: l.For, schedule: l.Schedule) -> list[l.Stm]:
    """Statements that mention what the sizes of the memory of a part depend on."""
    return [l.Declare(loop.var, allocation.size) for allocation in schedule.private]


def beyond_of(loop: l.For) -> list[l.Stm]:
    """Statements that mention what the loop needs that may take the place of this one."""
    return [] if loop.beyond is None else [l.Declare(loop.var, loop.beyond.last), *loop.beyond.loop.body]


def fails(loop: l.For, schedule: l.Schedule) -> bool:
    """Whether a part may leave the program."""
    return bool(schedule.private) or any(map(_may_leave, within(loop.body)))


def has_long_items(schedule: l.Schedule, part: Part) -> bool:
    """Whether items that are long are done behind the parts, each by all threads. Errors are those of the
    first item that has one, so such loops do all in turn.
    """
    is_free = not (schedule.last or schedule.array_reductions or part.may_fail)
    return schedule.ends is not None and schedule.uneven and schedule.in_order is not None and is_free


def is_often_brief(loop: l.For, schedule: l.Schedule) -> bool:
    """Whether a loop stands in another one, and is so simple that a call takes longer than a few rounds."""
    is_inside = schedule.repeated or schedule.again
    has_more = schedule.private or schedule.array_reductions or schedule.in_order or loop.is_share
    return is_inside and not (has_more or fails(loop, schedule) or is_long(loop))


def all_of(loop: l.For, schedule: l.Schedule) -> list[l.Stm]:
    """The statements that say what the function for a loop in parts must be given, but for its bounds."""
    statements = [*sizes_of(loop, schedule), *loop.body, *beyond_of(loop)]
    running = schedule.running
    if running is not None:
        statements += running.totals.body
    if running is not None and running.packs is not None:
        bounds = [l.Declare(loop.var, bound) for bound in (loop.start, loop.stop)]
        statements += [*bounds, *running.packs.alone]
    match schedule.in_order:
        case l.For(body=body):
            statements += body
        case l.While() as rounds:
            statements.append(rounds)
        case None:
            pass
    for each in schedule.array_reductions:
        statements += [l.Declare(loop.var, each.size), each.clear, each.join]
    return statements


def _may_leave(statement: l.Stm) -> bool:
    """Whether a statement may leave the program."""
    if isinstance(statement, RuntimeCall):
        return statement.site is not None
    return isinstance(statement, l.Fail | l.Allocate)
