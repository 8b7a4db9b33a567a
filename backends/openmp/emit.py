"""C with OpenMP from loops: what `aplc.backends.c.emit` prints, with the scheduled loops as functions that
run in threads.

A loop with a schedule becomes two functions. One computes part of it, from one index up to another; the other
calls that once where little is to do, and otherwise once for each part, in a loop of OpenMP:

    static APLC_APART double loop_in_parts(…, const double *restrict v, double sum, …, const int64_t last) {
        const int parts = aplc_parts(host, aplc_turns(first, last, 1), 24.0);
        double sum_of[parts];
        if (parts == 1) {
            loop(v, first, last, &sum_of[0]);
        } else {
            aplc_fork(host);
            #pragma omp parallel for num_threads(parts) schedule(static, 1)
            for (int part = 0; part < parts; part++)
                APLC_PART(host, loop(v, aplc_cut(first, last, 1, part, parts), …, &sum_of[part]));
            aplc_join(host);
        }
        for (int part = 0; part < parts; part++)
            sum += sum_of[part];
        return sum;
    }

The program says `sum = loop_in_parts(host, v, sum, 0, n)`. Loops that are repeated stand in that function
where `loop` is called once. Equal functions are one, see `functions`. What is in order around loops in parts,
and has memory of its own, remains where it is (`stands_alone`).

A part that fails leaves its function, and the program leaves with what the first of them says. Parts can be
ended from outside, one by one (`rts/aplc_work.h`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from aplc.backends.c.functions import is_long, unnumbered, written_by
from aplc.backends.c.mentions import allocated
from aplc.backends.c.program import CProgram
from aplc.backends.c.types import STORAGE_TYPES
from aplc.backends.openmp.parts import (
    Part,
    PartEmitter,
    all_of,
    carried_by,
    fails,
    has_long_items,
    is_often_brief,
    owned_by,
    results_of,
)
from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import within
from aplc.laila.ir.program import Parameter
from aplc.laila.ir.scalar import Buffer, Var
from aplc.tail.types import Base


def emit_openmp(
    parameters: tuple[Parameter, ...], code: l.Code, *, strict_fp: bool = False, limited: bool = False
) -> CProgram:
    """The C program of a loop program with schedules; `strict_fp` and `limited` are those of
    `aplc.backends.c.emit`.
    """
    return replace(_Threads(code, strict_fp, limited).program(parameters), has_threads=True)


@dataclass(frozen=True, slots=True)
class _Own:
    """Where parts accumulate into an array: the memory of all, and how a part declares its place there."""

    reduction: l.ArrayReduction
    all: str
    declaration: str
    place: str


class _Threads(PartEmitter):
    """Statements and functions, with loops in parts."""

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
        if self.stands_alone(loop, loop.schedule):
            if is_often_brief(loop, loop.schedule):
                self.in_line(loop, loop.schedule)
            else:
                self.call_in_parts(loop, loop.schedule)
            return
        self.line("{")
        self.open()
        self.level += 1
        self.in_parts(loop, loop.schedule, self.work(loop.schedule.work))
        self.level -= 1
        self.close()
        self.line("}")

    def in_line(self, loop: l.For, schedule: l.Schedule) -> None:
        """A loop inside another one where it is, if it has little to do; otherwise a call of its function."""
        which = "aplc_is_brief_again" if schedule.again else "aplc_is_brief"
        turns = f"aplc_turns({self.text(loop.start)}, {self.text(loop.stop)}, {loop.step})"
        self.line(f"if ({which}({turns}, {self.work(schedule.work)})) {{")
        self.open()
        self.level += 1
        self.alone(loop)
        self.level -= 1
        self.close()
        self.line("} else {")
        self.open()
        self.level += 1
        self.call_in_parts(loop, replace(schedule, repeated=False))
        self.level -= 1
        self.close()
        self.line("}")

    def alone(self, loop: l.For) -> None:
        """All of a loop in one thread."""
        for statement in l.in_one_part(loop):
            self.statement(statement)

    # --- the function that runs a loop in parts ---

    def call_in_parts(self, loop: l.For, schedule: l.Schedule) -> None:
        """A call of the function that runs a loop in parts. Variables get their values behind it: the address
        of one is taken nowhere, so that it can stay in a register.
        """
        whole = self.whole(loop, schedule)
        if not whole.may_fail and len(whole.results) < 2:
            given = "".join([f"{self.spell(var)} = " for _, var in whole.results])
            self.line(f"{given}{whole.name}({', '.join(whole.arguments)});")
            return
        if whole.results:
            self.line("{")
            self.open()
            self.level += 1
        outs = [self.declare(f"{unnumbered(var.name)}_out:") for _, var in whole.results]
        for (ty, _), out in zip(whole.results, outs, strict=True):
            self.line(f"{ty} {out};")
        call = f"{whole.name}({', '.join([*whole.arguments, *[f'&{out}' for out in outs]])})"
        if whole.may_fail:
            self.leave_if_failed(call)
        else:
            self.line(f"{call};")
        for (_, var), out in zip(whole.results, outs, strict=True):
            self.line(f"{self.spell(var)} = {out};")
        if whole.results:
            self.level -= 1
            self.close()
            self.line("}")

    def stands_alone(self, loop: l.For, schedule: l.Schedule) -> bool:
        """Whether a loop in parts can be a function: what it does in order has no memory of its own, and
        changes no variables but its results.
        """
        if self.earlier or schedule.in_order is None:
            return not self.earlier
        inside = list(self.own_statements((schedule.in_order,)))
        assigned = {s.var.name for s in within((schedule.in_order,)) if isinstance(s, l.Assign)}
        changed = {name for name in assigned if self.is_in_scope(Var(name, Base.INT))}
        return not any(map(allocated, inside)) and changed <= {v.name for v in results_of(schedule)}

    def whole(self, loop: l.For, schedule: l.Schedule) -> Part:
        """Write the function that runs a loop in parts. What it takes ends with the bounds, but for a loop in
        packs, which mentions them, and with the places of its results, unless it returns the only one.
        """
        packs = schedule.running.packs if schedule.running else None
        results = self.typed(results_of(schedule))
        ours = {var.name for _, var in results} | {room.name for _, room in schedule.scratch}
        if schedule.in_order is None:
            ours |= {*owned_by(loop, schedule)}
        things = self.needs(all_of(loop, schedule), ours)
        if schedule.ends is not None and all(t.name != schedule.ends.name for t in things):
            things.append(schedule.ends)
        given: list[Var | Buffer] = [*things, *[var for _, var in results]]
        arguments = ["host", *[self.spell(t) for t in given]]
        is_known = not any(term.extents for term in schedule.work)
        work = self.work(schedule.work)
        if not is_known:
            arguments.append(work)
        may_fail = fails(loop, schedule)
        if packs is None:
            arguments += [self.text(loop.start), self.text(loop.stop)]
            first = Var("first_00", Base.INT, True, (loop.start,), (loop.start,))
            last = Var("last_00", Base.INT, True, (loop.stop,), (loop.stop,))
            loop = replace(loop, start=first, stop=last)
            if isinstance(schedule.in_order, l.For):
                in_order = replace(schedule.in_order, start=first, stop=last)
                schedule = replace(schedule, in_order=in_order)
        with self.apart():
            written, mutable = written_by(loop.body), {var.name for _, var in results}
            heads = ["aplc_host *host"]
            heads += self.heads(given, written, mutable, packs=packs is not None)
            if not is_known:
                work = self.declare("work:")
                heads.append(f"const double {work}")
            if packs is None:
                heads += [f"const int64_t {self.declare(var.name)}" for var in (first, last)]
            by_place = may_fail or len(results) > 1
            outs, more = self.places_of(results) if by_place else ([], [])
            self.in_parts(loop, schedule, work)
            for (_, var), out in zip(results, outs, strict=False):
                self.line(f"*{out} = {self.spell(var)};")
            if may_fail:
                self.line("return APLC_OK;")
            elif len(results) == 1:
                self.line(f"return {self.spell(results[0][1])};")
            kind = "int" if may_fail else results[0][0] if len(results) == 1 else "void"
            name = self.finished("loop_in_parts", kind, [*heads, *more])
        return Part(name, tuple(arguments), results, may_fail)

    # --- where the parts are called ---

    def in_parts(self, loop: l.For, schedule: l.Schedule, work: str) -> None:
        """The calls of a loop's function, and what is made of their results; an iteration is so much work."""
        part = self.function(loop, schedule)
        threads = self.declare("threads_00") if schedule.uneven else ""
        parts, number = self.declare("parts_00"), self.declare("part_00")
        start, stop, step = self.text(loop.start), self.text(loop.stop), loop.step
        turns = f"aplc_turns({start}, {stop}, {step})"
        longs = self.declare("longs_00") if has_long_items(schedule, part) else ""
        in_order = None if longs else schedule.in_order
        memory = self.memory_of_parts(
            replace(schedule, in_order=in_order), (turns, work), threads or parts, number
        )
        if threads:
            self.line(f"const int {parts} = aplc_shares({threads}, {turns});")
        is_call = part.may_fail or schedule.private or is_long(loop)
        is_other = schedule.running and (schedule.running.rooms or schedule.running.packs)
        inline = is_other or in_order or (schedule.repeated and not is_call)
        if inline:
            self.line(f"if ({parts} == 1) {{")
            self.level += 1
            self.alone(replace(loop, schedule=replace(schedule, in_order=in_order)))
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
        results = [self.declare(f"{self.spell(var)}_of_00") for _, var in part.results]
        for (ty, _), name in zip(part.results, results, strict=True):
            self.line(f"{ty} {name}[{parts}];")
        hosts, failed = (self.declare("hosts_00"), self.declare("failed_00")) if part.may_fail else ("", "")
        if part.may_fail:
            self.line(f"aplc_host {hosts}[{parts}];")
            self.line(f"int {failed}[{parts}];")

        owned = {self.spell(own.reduction.buffer): self.spell(own.reduction.own) for own in memory}

        def call(before: list[str], first: str, last: str, k: str) -> None:
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
            call([self.spell(var) for var in carried_by(schedule)], start, stop, "0")
            self.level -= 1
            self.line("} else {")
            self.level += 1
        before = self.before(schedule, parts, number, bounds, loop.step) if schedule.running else []
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
        call(before, *bounds, number)
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

    def memory_of_parts(
        self, schedule: l.Schedule, size: tuple[str, str], parts: str, number: str
    ) -> list[_Own]:
        """In how many parts a loop runs, with memory for all of them but the first, which has the array."""
        rooms = []
        for each in schedule.array_reductions:
            rooms.append(self.declare(f"{self.spell(each.buffer)}_room_00"))
            self.line(f"const int64_t {rooms[-1]} = aplc_room({self.text(each.size)});")
        turns, work = size
        given = f"host, {turns}, {work}"
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
        part: Part,
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
            if any(site.items or site.fault.tells_text for site in self.sites):
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

    def before(
        self, schedule: l.Schedule, parts: str, number: str, bounds: tuple[str, str], step: int
    ) -> list[str]:
        """What is accumulated before each part: a loop over all but the last, in pieces for all threads."""
        running = schedule.running
        assert running is not None
        plain = l.Schedule((), running.joined)
        part = self.function(running.totals, plain)
        pieces, piece = self.declare("pieces_00"), self.declare("piece_00")
        self.line(f"const int {pieces} = aplc_pieces({parts});")
        names = [self.declare(f"{self.spell(var)}_before_00") for _, var in part.results]
        totals = [self.declare(f"{self.spell(var)}_in_00") for _, var in part.results]
        for (ty, _), name, total in zip(part.results, names, totals, strict=True):
            self.line(f"{ty} {name}[{parts} + 1], {total}[{parts} * {pieces}];")
        self.line("aplc_fork(host);")
        self.line(f"#pragma omp parallel for num_threads({parts}) schedule(static, 1)")
        self.line(f"for (int {piece} = 0; {piece} < ({parts} - 1) * {pieces}; {piece}++) {{")
        self.line(f"    const int {number} = {piece} / {pieces};")
        cut = f"aplc_cut({', '.join(bounds)}, {step}, {piece} % {pieces}"
        given = [*part.arguments, f"{cut}, {pieces})", f"{cut} + 1, {pieces})"]
        given += [f"&{total}[{piece}]" for total in totals]
        self.line(f"    APLC_PART(host, {part.name}({', '.join(given)}));")
        self.line("}")
        self.line("aplc_join(host);")
        for name, each in zip(names, running.joined, strict=True):
            self.line(f"{name}[0] = {self.spell(each.reduction.var)};")
        self.line(f"for (int {number} = 1; {number} < {parts}; {number}++) {{")
        self.open()
        self.level += 1
        self.line(f"for (int {piece} = 0; {piece} < {pieces}; {piece}++) {{")
        self.open()
        self.level += 1
        for each, (ty, var), total in zip(running.joined, part.results, totals, strict=True):
            self.like(each.part, var)
            found = f"{total}[({number} - 1) * {pieces} + {piece}]"
            self.line(f"const {ty} {self.declare(each.part.name)} = {found};")
            self.statement(l.Assign(var, each.value))
        self.level -= 1
        self.close()
        self.line("}")
        for (_, var), name in zip(part.results, names, strict=True):
            self.line(f"{name}[{number}] = {self.spell(var)};")
        self.level -= 1
        self.close()
        self.line("}")
        before = [f"{name}[{number}]" for name in names]
        places = [each.reduction.var for each in running.joined]
        for count, _ in running.rooms:
            name = names[places.index(count)]
            self.line(f"{name}[{parts}] = INT64_MAX;")
            before.append(f"{name}[{number} + 1]")
        return before
