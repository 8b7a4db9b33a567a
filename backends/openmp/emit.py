"""C with OpenMP from loops: what `aplc.backends.c.emit` prints, with the scheduled loops as functions that
run in threads.

A loop with a schedule becomes a function of its own, of the bounds of a part. Where little is to do, it is
called once; otherwise once for each part, in a loop of OpenMP:

    const int parts = aplc_parts(host, n, 24.0);
    double sums[parts];
    if (parts == 1)
        loop(v, 0, n, &sums[0]);
    else {
        aplc_fork(host);
        #pragma omp parallel for num_threads(parts) schedule(static, 1)
        for (int part = 0; part < parts; part++)
            APLC_PART(host, loop(v, aplc_cut(0, n, 1, part, parts), …, &sums[part]));
        aplc_join(host);
    }
    for (int part = 0; part < parts; part++)
        sum += sums[part];

A part that fails leaves its function, and the program leaves with what the first of them says. Parts can be
ended from outside, one by one (`rts/aplc_work.h`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from aplc.backends.c.mentions import allocated, mentioned_things
from aplc.backends.c.program import CProgram
from aplc.backends.c.types import C_TYPES, STORAGE_TYPES, stored
from aplc.backends.openmp.tasks import TaskEmitter
from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import within
from aplc.laila.ir.program import Parameter, RuntimeCall
from aplc.laila.ir.scalar import BIT_OR, TABLE, Buffer, Call, Var
from aplc.tail import prims as p
from aplc.tail.types import Base


def emit_openmp(
    parameters: tuple[Parameter, ...], code: l.Code, *, strict_fp: bool = False, limited: bool = False
) -> CProgram:
    """The C program of a loop program with schedules; `strict_fp` and `limited` are those of
    `aplc.backends.c.emit`.
    """
    return replace(_Threads(code, strict_fp, limited).program(parameters), has_threads=True)


@dataclass(frozen=True, slots=True)
class _Part:
    """The function that computes part of a loop, and what the place that calls it must know."""

    name: str
    arguments: tuple[str, ...]
    results: tuple[tuple[str, Var], ...]
    """The C type of each variable that it gives."""
    may_fail: bool


@dataclass(frozen=True, slots=True)
class _Own:
    """Where parts accumulate into an array: the memory of all, and how a part declares its place there."""

    reduction: l.ArrayReduction
    all: str
    declaration: str
    place: str


class _Threads(TaskEmitter):
    def own_statements(self, statements: tuple[l.Stm, ...]) -> Iterator[l.Stm]:
        """All but those inside scheduled loops."""
        for statement in statements:
            yield statement
            match statement:
                case l.For(schedule=None, body=body) | l.While(body=body):
                    yield from self.own_statements(body)
                case l.For(schedule=l.Schedule(in_order=l.For() | l.While() as in_order)):
                    yield from self.own_statements((in_order,))
                case l.If(then=then, other=other):
                    yield from self.own_statements((*then, *other))
                case l.Together(calls=calls, before=before):
                    yield from self.own_statements((*[s for body in before for s in body], *calls))
                case _:
                    pass

    def loop(self, loop: l.For) -> None:
        """A loop, in parts if it has a schedule."""
        if loop.schedule is None:
            super().loop(loop)
            return
        self.headers.add("aplc_threads.h")
        self.line("{")
        self.open()
        self.level += 1
        self.in_parts(loop, loop.schedule)
        self.level -= 1
        self.close()
        self.line("}")

    # --- where the parts are called ---

    def in_parts(self, loop: l.For, schedule: l.Schedule) -> None:
        """The calls of a loop's function, and what is made of their results."""
        part = self.function(loop, schedule)
        threads = self.declare("threads_00") if schedule.uneven else ""
        parts, number = self.declare("parts_00"), self.declare("part_00")
        start, stop, step = self.text(loop.start), self.text(loop.stop), loop.step
        turns = f"aplc_turns({start}, {stop}, {step})"
        longs = self.declare("longs_00") if _has_long_items(schedule, part) else ""
        in_order = None if longs else schedule.in_order
        memory = self.memory_of_parts(replace(schedule, in_order=in_order), turns, threads or parts, number)
        if threads:
            self.line(f"const int {parts} = aplc_shares({threads}, {turns});")
        inline = (
            schedule.running or in_order or (schedule.repeated and not part.may_fail and not schedule.private)
        )
        if inline:
            self.line(f"if ({parts} == 1) {{")
            self.level += 1
            if schedule.running and schedule.running.packs:
                for statement in schedule.running.packs.alone:
                    self.statement(statement)
            elif in_order is None:
                super().loop(replace(loop, schedule=None))
            else:
                self.statement(in_order)
            self.level -= 1
            self.line("} else {")
            self.level += 1
        cut = f"aplc_cut({start}, {stop}, {step}, {number}"
        bounds = f"{cut}, {parts})", f"{cut} + 1, {parts})"
        if schedule.ends is not None:
            cuts = self.declare("cuts_00")
            self.line(f"int64_t {cuts}[{parts} + 1];")
            self.line(f"APLC_CUTS({cuts}, {self.spell(schedule.ends)}, {start}, {stop}, {parts});")
            bounds = f"{cuts}[{number}]", f"{cuts}[{number} + 1]"
            if longs:
                self.line(f"bool {longs}[{parts} + 1];")
                ends = self.spell(schedule.ends)
                self.line(f"APLC_LONG_ITEMS({longs}, {cuts}, {ends}, {parts}, {threads});")
                bounds = bounds[0], f"{bounds[1]} - {longs}[{number} + 1]"
        before = self.before(loop, schedule, parts, number, bounds) if schedule.running else []
        results = [self.declare(f"{self.spell(var)}_of_00") for _, var in part.results]
        for (ty, _), name in zip(part.results, results, strict=True):
            self.line(f"{ty} {name}[{parts}];")
        hosts, failed = (self.declare("hosts_00"), self.declare("failed_00")) if part.may_fail else ("", "")
        if part.may_fail:
            self.line(f"aplc_host {hosts}[{parts}];")
            self.line(f"int {failed}[{parts}];")

        owned = {self.spell(own.reduction.buffer): self.spell(own.reduction.own) for own in memory}

        def call(first: str, last: str, k: str) -> None:
            arguments = [owned.get(a, a) for a in part.arguments]
            given = [*arguments, *before, first, last, *[f"&{name}[{k}]" for name in results]]
            if part.may_fail:
                self.line(f"{hosts}[{k}] = *host;")
                called = f"{failed}[{k}] = {part.name}({', '.join([f'&{hosts}[{k}]', *given])})"
            else:
                called = f"{part.name}({', '.join(given)})"
            self.line(f"APLC_PART(host, {called});" if k == number else f"{called};")

        if not inline:
            self.line(f"if ({parts} == 1) {{")
            self.level += 1
            call(start, stop, "0")
            self.level -= 1
            self.line("} else {")
            self.level += 1
        if threads:
            taken = self.declare("taken_00")
            self.line(f"int {taken} = 0;")
        self.line("aplc_fork(host);")
        if threads:
            self.line(f"#pragma omp parallel num_threads({threads})")
            self.line(f"for (int {number}; ({number} = aplc_next(&{taken})) < {parts};) {{")
        else:
            self.line(f"#pragma omp parallel for num_threads({parts}) schedule(static, 1)")
            self.line(f"for (int {number} = 0; {number} < {parts}; {number}++) {{")
        self.open()
        self.level += 1
        for own in memory:
            self.line(
                f"{own.declaration} = {number} == 0 ? {self.spell(own.reduction.buffer)} : {own.place};"
            )
            self.line(f"if ({number} > 0) {{")
            self.body((own.reduction.clear,))
            self.line("}")
        call(*bounds, number)
        self.level -= 1
        self.close()
        self.line("}")
        self.line("aplc_join(host);")
        for own in memory:
            self.line(f"for (int {number} = 1; {number} < {parts}; {number}++) {{")
            self.line(f"    {own.declaration} = {own.place};")
            self.body((own.reduction.join,))
            self.line("}")
            self.line(f"free({own.all});")
        if not inline:
            self.level -= 1
            self.line("}")
        self.join(schedule, part, parts, number, (results, hosts, failed))
        if longs and isinstance(schedule.in_order, l.For):
            self.long_items(schedule.in_order, longs, cuts, (parts, number))
        if inline:
            self.level -= 1
            self.line("}")

    def long_items(self, loop: l.For, longs: str, cuts: str, names: tuple[str, str]) -> None:
        """The items that are left to loops inside, which run in parts themselves, one by one."""
        parts, number = names
        self.line(f"for (int {number} = 1; {number} <= {parts}; {number}++) {{")
        self.line(f"    if ({longs}[{number}]) {{")
        self.open()
        self.level += 2
        first, last = Var("item_00", Base.INT, True), Var("behind_00", Base.INT, True)
        for var, place in ((first, f"{cuts}[{number}] - 1"), (last, f"{cuts}[{number}]")):
            self.line(f"const int64_t {self.declare(var.name)} = {place};")
        self.statement(replace(loop, start=first, stop=last))
        self.level -= 2
        self.close()
        self.line("    }")
        self.line("}")

    def memory_of_parts(self, schedule: l.Schedule, turns: str, parts: str, number: str) -> list[_Own]:
        """In how many parts a loop runs, with memory for all of them but the first, which has the array."""
        rooms = []
        for each in schedule.array_reductions:
            rooms.append(self.declare(f"{self.spell(each.buffer)}_room_00"))
            self.line(f"const int64_t {rooms[-1]} = aplc_room({self.text(each.size)});")
        given = f"host, {turns}, {self.work(schedule.work)}"
        if not rooms:
            which = "aplc_parts_again" if schedule.again else "aplc_parts"
            which = "aplc_parts_of_rounds" if schedule.in_order else which
            if schedule.ends is not None:
                most = f"aplc_parts({given})"
                if schedule.in_order is not None:
                    most = f"APLC_PARTS_OF_ITEMS({most}, {self.spell(schedule.ends)}, {turns})"
                self.line(f"const int {parts} = {most};")
                return []
            self.line(f"const int {parts} = {which}({given});")
            return []
        self.line(f"int {parts} = aplc_parts_apart({given}, {' + '.join(rooms)});")
        found = []
        for each, room in zip(schedule.array_reductions, rooms, strict=True):
            element = STORAGE_TYPES[each.own.storage]
            name = self.declare(f"{self.spell(each.buffer)}_all_00")
            memory = f"aplc_alloc(({parts} - 1) * {room}, sizeof({element}))"
            self.line(f"{element} *{name} = {parts} > 1 ? {memory} : NULL;")
            declaration = f"{element} *{self.declare(each.own.name)}"
            found.append(_Own(each, name, declaration, f"{name} + ({number} - 1) * {room}"))
        self.line(f"if ({' || '.join([f'{own.all} == NULL' for own in found])}) {{")
        for own in found if len(found) > 1 else ():
            self.line(f"    free({own.all});")
        self.line(f"    {parts} = 1;")
        self.line("}")
        return found

    def join(
        self,
        schedule: l.Schedule,
        part: _Part,
        parts: str,
        number: str,
        arrays: tuple[list[str], str, str],
    ) -> None:
        """What the parts have given, joined in their order; the first failure is that of the program."""
        results, hosts, failed = arrays
        if part.may_fail:
            self.line(f"for (int {number} = 0; {number} < {parts}; {number}++) {{")
            self.level += 1
            source = f"{hosts}[{number}]"
            given = f"{source}.site, {source}.values[0], {source}.values[1]"
            call = f"aplc_fail(host, {given})"
            if any(site.items for site in self.sites):
                call = f"aplc_fail_in(host, {given}, {source}.told, {source}.items)"
            self.leave_with(f"if ({failed}[{number}] != APLC_OK)", call)
            self.level -= 1
            self.line("}")
        joined = list(zip(schedule.joined, part.results, results, strict=False))
        if joined:
            self.line(f"for (int {number} = 0; {number} < {parts}; {number}++) {{")
            self.open()
            self.level += 1
            for each, (ty, var), name in joined:
                self.like(each.part, var)
                self.line(f"const {ty} {self.declare(each.part.name)} = {name}[{number}];")
                self.statement(l.Assign(var, each.value))
            self.level -= 1
            self.close()
            self.line("}")
        rest = slice(len(schedule.joined), None)
        for (_, var), name in zip(part.results[rest], results[rest], strict=True):
            self.line(f"{self.spell(var)} = {name}[{parts} - 1];")

    # --- loops that read what they accumulate ---

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

        statements: tuple[l.Stm, ...] = (loop,) if packs is None else packs.part
        return tuple([within_room(s) for s in statements]) if rooms else statements

    def before(
        self, loop: l.For, schedule: l.Schedule, parts: str, number: str, bounds: tuple[str, str]
    ) -> list[str]:
        """What is accumulated before each part, by a loop over all parts but the last."""
        running = schedule.running
        assert running is not None
        plain = l.Schedule((), running.joined)
        part = self.function(running.totals, plain)
        names = [self.declare(f"{self.spell(var)}_before_00") for _, var in part.results]
        for (ty, _), name in zip(part.results, names, strict=True):
            self.line(f"{ty} {name}[{parts} + 1];")
        self.line("aplc_fork(host);")
        self.line(f"#pragma omp parallel for num_threads({parts}) schedule(static, 1)")
        self.line(f"for (int {number} = 0; {number} < {parts} - 1; {number}++)")
        given = [*part.arguments, *bounds, *[f"&{name}[{number} + 1]" for name in names]]
        self.line(f"    APLC_PART(host, {part.name}({', '.join(given)}));")
        self.line("aplc_join(host);")
        for name, each in zip(names, running.joined, strict=True):
            self.line(f"{name}[0] = {self.spell(each.reduction.var)};")
        self.line(f"for (int {number} = 1; {number} < {parts}; {number}++) {{")
        self.open()
        self.level += 1
        for each, (ty, var), name in zip(running.joined, part.results, names, strict=True):
            self.like(each.part, var)
            self.line(f"const {ty} {self.declare(each.part.name)} = {name}[{number}];")
            self.statement(l.Assign(var, each.value))
            self.line(f"{name}[{number}] = {self.spell(var)};")
        self.level -= 1
        self.close()
        self.line("}")
        found = [f"{name}[{number}]" for name in names]
        places = [each.reduction.var for each in running.joined]
        for count, _ in running.rooms:
            name = names[places.index(count)]
            self.line(f"{name}[{parts}] = INT64_MAX;")
            found.append(f"{name}[{number} + 1]")
        return found

    def like(self, var: Var, other: Var) -> None:
        """A variable has the lanes and the type of another one."""
        widths, storages = self.printer.ranges.widths, self.printer.storages
        if other.name in widths:
            widths[var.name] = widths[other.name]
        if other.name in storages:
            storages[var.name] = storages[other.name]

    # --- the function of a part ---

    def function(self, loop: l.For, schedule: l.Schedule) -> _Part:
        """Print the function for part of a loop."""
        accumulated = [each.reduction.var for each in schedule.joined]
        carried = [each.reduction.var for each in schedule.running.joined] if schedule.running else []
        rooms = [room for _, room in schedule.running.rooms] if schedule.running else []
        inside = {b.name: b for s in within(loop.body) for b in allocated(s)}
        own = {
            *[v.name for v in (*accumulated, *carried)],
            *[a.buffer.name for a in schedule.private],
            *inside,
        }
        sizes = tuple([l.Declare(loop.var, a.size) for a in schedule.private])
        things = [
            t for t in mentioned_things((*sizes, *loop.body)) if t.name not in own and self.is_in_scope(t)
        ]
        flags = [e.reduction.var for e in schedule.joined if e.reduction.op is BIT_OR]
        given = [*things, *flags, *[v for v in schedule.last if v not in things]]
        arguments = tuple([self.spell(t) for t in given])
        given += [*carried, *rooms]
        results = tuple([(self.mutable_type(v), v) for v in (*accumulated, *schedule.last, *carried)])
        may_fail = bool(schedule.private) or any(map(_may_fail, within(loop.body)))
        name = self.declare("loop", self.globals)
        hints = [f"{self.spell(v)}_out" for _, v in results]
        outside = self.lines, self.level, self.scopes, self.taken, self.numbers, self.owned, self.has_exit
        earlier, self.earlier = self.earlier, ()
        self.lines, self.level, self.scopes = [], 1, [self.globals, {}]
        outer, self.around = self.around, [*self.around, *self.taken[1:]]
        self.taken, self.numbers = [self.taken[0], set()], [{}, {}]
        private = {a.buffer.name: a.buffer for a in schedule.private}
        self.owned = private | inside
        self.has_exit = bool(self.owned)
        written = {s.buffer.name for s in within(loop.body) if isinstance(s, l.Store)}
        written |= {
            a.name
            for s in within(loop.body)
            if isinstance(s, RuntimeCall)
            for a in s.arguments
            if isinstance(a, Buffer)
        }
        mutable = {v.name for v in (*flags, *schedule.last, *carried)}
        heads = ["aplc_host *host"] if may_fail else []
        heads += [self.head(t, written, mutable) for t in given]
        packs = schedule.running.packs if schedule.running else None
        first, last = [Var(name, Base.INT, True) for name in ("first_00", "last_00")]
        first, last = (first, last) if packs is None else (packs.first, packs.last)
        heads += [f"const int64_t {self.declare(v.name)}" for v in (first, last)]
        outs = [self.declare(hint) for hint in hints]
        heads += [f"{ty} *{out}" for (ty, _), out in zip(results, outs, strict=True)]
        if may_fail:
            self.work_for_host()
        for buffer in self.owned.values():
            self.line(self.declaration(buffer))
        if self.has_exit:
            self.line("int status = APLC_OK;")
        for allocation in schedule.private:
            self.statement(allocation)
        for each in schedule.joined:
            if each.reduction.op is not BIT_OR:
                ty, start = self.mutable_type(each.reduction.var), self.text(each.reduction.neutral)
                self.line(f"{ty} {self.declare(each.reduction.var.name)} = {start};")
        bounds, self.printer.bounds = self.printer.bounds, None
        for statement in self.of_part(replace(loop, start=first, stop=last, schedule=None), schedule):
            self.statement(statement)
        self.printer.bounds = bounds
        for (_, var), out in zip(results, outs, strict=True):
            self.line(f"*{out} = {self.spell(var)};")
        if self.has_exit:
            self.lines.append("done:")
            for buffer in self.owned.values():
                self.line(self.freeing(buffer))
        if may_fail:
            self.line("return status;" if self.has_exit else "return APLC_OK;")
        kind = "int" if may_fail else "void"
        self.parts += [f"static {kind} {name}({', '.join(heads)}) {{", *self.lines, "}", ""]
        self.lines, self.level, self.scopes, self.taken, self.numbers, self.owned, self.has_exit = outside
        self.around, self.earlier = outer, earlier
        return _Part(name, arguments, results, may_fail)

    def is_in_scope(self, thing: Var | Buffer) -> bool:
        """Whether something is declared in the function at hand."""
        return any(thing.name in scope for scope in self.scopes[1:])

    def head(self, thing: Var | Buffer, written: set[str], mutable: set[str]) -> str:
        """A parameter of a part's function."""
        if isinstance(thing, Var):
            if thing.name in mutable:
                return f"{self.mutable_type(thing)} {self.declare(thing.name)}"
            ty = C_TYPES[thing.ty] if thing.ty is Base.BOOL else self.mutable_type(thing)
            return f"const {ty} {self.declare(thing.name)}"
        if thing.storage == TABLE:
            return f"const aplc_table {self.declare(thing.name)}"
        const = "" if thing.name in written else "const "
        restrict = "" if thing.name in self.moved else "restrict "
        return f"{const}{STORAGE_TYPES[thing.storage]} *{restrict}{self.declare(thing.name)}"

    def mutable_type(self, var: Var) -> str:
        """The C type with which a variable has been declared, if it is assigned to."""
        if var.ty is Base.INT:
            width = self.printer.ranges.widths.get(var.name, 64)
            return STORAGE_TYPES[self.printer.storages.get(var.name, f"int{width}")]
        return stored(var.ty)


def _has_long_items(schedule: l.Schedule, part: _Part) -> bool:
    """Whether items that are long are done behind the parts, each by all threads. Errors are those of the
    first item that has one, so such loops do all in turn.
    """
    is_free = not (schedule.last or schedule.array_reductions or part.may_fail)
    return schedule.ends is not None and schedule.uneven and schedule.in_order is not None and is_free


def _may_fail(statement: l.Stm) -> bool:
    """Whether a statement may leave the program."""
    if isinstance(statement, RuntimeCall):
        return statement.site is not None
    return isinstance(statement, l.Fail | l.Allocate)
