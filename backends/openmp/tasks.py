"""C with OpenMP of functions whose calls may be made at the same time.

A function with tasks has a plain version, as for one thread, which calls itself, and one that makes calls
that stand together at the same time, if they are worth it (`rts/aplc_tasks.h` decides):

    if (aplc_is_worth(host, 2, (const double[]){f_work(n), f_work(m)})) {
        f_task task = {{f_run, f_alone, depth + 1}, a, n, &r1};
        f_task task1 = {{f_run, f_alone, depth + 1}, b, m, &r2};
        status = aplc_together(host, (aplc_task *[]){&task.task, &task1.task}, 2, false);
    } else {
        status = f_call(host, depth + 1, a, n, &r1);
        if (status == APLC_OK)
            status = f_call(host, depth + 1, b, m, &r2);
    }

`f_call` chooses the version, or tries the plain one with a budget. What that spends is counted in the plain
version itself, or in a third one where it would take long beside what the function does. Where loops in parts
differ by more than that, they are in a version for calls outside of tasks, `f_first`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from aplc.backends.c.mentions import leaves_of_all
from aplc.backends.c.sections import SectionEmitter
from aplc.laila.ir import loops as l
from aplc.laila.ir.program import FunctionCall, ScalarRef


class TaskEmitter(SectionEmitter):
    """Statements and functions, with calls at the same time."""

    depth: str | None = "0"
    """How many calls there are from the outermost to those of the function at hand; None: those have no
    tasks.
    """
    is_tried = False
    """Whether those spend a budget."""
    earlier: tuple[FunctionCall, ...] = ()
    """Calls that come first if the program leaves where it is."""

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Another function is written meanwhile, in which no calls come first."""
        outside, self.earlier = self.earlier, ()
        with super().apart():
            yield
        self.earlier = outside

    def routine(self, routine: l.Routine) -> list[tuple[str, list[str]]]:
        """A function of the program, and what there is besides if it has tasks."""
        if not self.types:
            for each in self.code.routines:
                self.declare_tasks(each)
        if routine.tasks is None:
            return super().routine(routine)
        name, heads = routine.name, list[tuple[str, str]]()

        def spend(found: list[tuple[str, str]]) -> tuple[str, ...]:
            self.line(f"if (!aplc_spend(host, {self.work_text(name, found)}))")
            self.line("    return APLC_AGAIN;")
            return ()

        def begin(found: list[tuple[str, str]]) -> tuple[str, ...]:
            heads[:] = found
            depth = self.declare("depth:")  # no variable is called so
            self.depth = f"{depth} + 1"
            return (f"int {depth}",)

        self.depth = None
        is_light = routine.tasks.light
        found = [self.function_of(routine, routine.body, name, _nothing if is_light else spend)]
        self.is_tried = True
        if is_light:
            found.append(self.function_of(routine, routine.body, _tried(name), spend))
        self.is_tried = False
        if (first := routine.tasks.first) is not None:
            found.append(self.function_of(first, first.body, _first(name), begin))
        found.append(self.function_of(routine, routine.tasks.body, _tasks(name), begin))
        self.depth = "0"
        return [*found, self.work_of(routine, routine.tasks), *self.starters(routine, heads)]

    def begin_calls(self) -> None:
        """What a program with tasks does first."""
        if self.types:
            self.line("aplc_begin_tasks(host);")

    def declare_tasks(self, routine: l.Routine) -> None:
        """The names, and the type of the tasks, of a function that has some."""
        if routine.tasks is None:
            return
        self.headers.add("aplc_tasks.h")
        tasks = routine.tasks
        more = [*([_tried] if tasks.light else []), *([_first] if tasks.first is not None else [])]
        of = [_tasks, _call, _work, _run, _alone, *more, _task]
        name = [self.declare(each(routine.name), self.globals) for each in of][-1]
        self.begin(())
        fields = [f"    {ty}{identifier};" for ty, identifier in self.signature(routine)[0]]
        self.types += ["typedef struct {", "    aplc_task task;", *fields, f"}} {name};", ""]

    def work_of(self, routine: l.Routine, tasks: l.Tasks) -> tuple[str, list[str]]:
        """The function that tells the work of a call."""
        self.begin(())
        heads = self.signature(routine)[0]
        given = [f"{ty}{identifier}" for ty, identifier in heads if not ty.endswith("*")]
        self.line(f"return {self.work(tasks.work)};")
        name = self.globals[_work(routine.name)]
        return f"static inline double {name}({', '.join(given) or 'void'}) {{", self.lines

    def work_text(self, name: str, heads: Sequence[tuple[str, str]]) -> str:
        """The work of a call of a function with these arguments."""
        scalars = [identifier for ty, identifier in heads if not ty.endswith("*")]
        return f"{self.globals[_work(name)]}({', '.join(scalars)})"

    def starters(
        self, routine: l.Routine, heads: Sequence[tuple[str, str]]
    ) -> Iterator[tuple[str, list[str]]]:
        """The functions that do a task, with tasks inside and without, and the one that makes a call."""
        name, identifiers = routine.name, [identifier for _, identifier in heads]
        task = self.globals[_task(name)]

        def called(version: str, *more: str) -> str:
            return f"return {self.globals[version]}({', '.join(['host', *more, *identifiers])});"

        for own, version, more in ((_run, _tasks(name), ("task->depth",)), (_alone, name, ())):
            given = ", ".join(["host", *more, *[f"given->{identifier}" for identifier in identifiers]])
            lines = [
                f"    const {task} *given = (const void *)task;",
                f"    return {self.globals[version]}({given});",
            ]
            yield f"static int {self.globals[own(name)]}(aplc_host *host, aplc_task *task) {{", lines
        head = ", ".join(["aplc_host *host, int depth", *[f"{ty}{identifier}" for ty, identifier in heads]])
        starts = f"{{{self.globals[_run(name)]}, {self.globals[_alone(name)]}, depth}}"
        tried = self.globals.get(_tried(name), self.globals[name])
        outermost = []
        if _first(name) in self.globals:
            outermost = [
                "    if (way == APLC_IN_TASKS && host->crew == NULL)",
                f"        {called(_first(name), 'depth')}",
            ]
        lines = [
            f"    const int way = aplc_way(host, depth, {self.work_text(name, heads)});",
            *outermost,
            "    if (way == APLC_IN_TASKS)",
            f"        {called(_tasks(name), 'depth')}",
            "    if (way == APLC_PLAIN)",
            f"        {called(name)}",
            "    host->budget = APLC_BUDGET;",
            f"    const int status = {tried}({', '.join(['host', *identifiers])});",
            "    host->budget = INT64_MAX;",
            "    if (status != APLC_AGAIN)",
            "        return status;",
            f"    {task} task = {{{', '.join([starts, *identifiers])}}};",
            "    return aplc_together(host, (aplc_task *[]){&task.task}, 1, true);",
        ]
        yield f"static int {self.globals[_call(name)]}({head}) {{", lines

    def work(self, terms: tuple[l.Term, ...]) -> str:
        """The work of an iteration or a call, as a double."""
        texts = []
        for term in terms:
            extents = [f"(double)({self.text(e)})" for e in term.extents]
            texts.append(" * ".join([f"{term.units:.1f}", *extents]))
        return " + ".join(texts) or "1.0"

    # --- calls ---

    def call(self, invoke: FunctionCall) -> str:
        """A call, which chooses the version of the function unless there are to be no tasks."""
        name = invoke.function
        if self.depth is None or _tasks(name) not in self.globals:
            version = (
                self.globals.get(_tried(name), self.globals[name]) if self.is_tried else self.globals[name]
            )
            return self.called_at(invoke, f"{version}({', '.join(['host', *self.given(invoke)])})")
        call = f"{self.globals[_call(name)]}({', '.join(['host', self.depth, *self.given(invoke)])})"
        return self.called_at(invoke, call)

    def together(self, calls: l.Together) -> None:
        """Calls at the same time, or one after the other."""
        outside = self.earlier
        for call in calls.calls:
            self.declare_results(call)
        for k, before in enumerate(calls.before):
            self.earlier = (*outside, *calls.calls[: k + 1])
            for statement in before:
                self.statement(statement)
        self.earlier = outside
        status = "status" if self.has_exit else self.declare("failed")
        if not self.has_exit:
            self.line(f"int {status};")
        work = [f"{self.globals[_work(c.function)]}({', '.join(self.scalars(c))})" for c in calls.calls]
        worth = f"aplc_is_worth(host, {len(work)}, (const double[]){{{', '.join(work)}}})"
        self.indented(f"if ({worth}) {{", lambda: self.start(calls.calls, status))
        self.line("} else {")
        self.line(f"    {status} = {self.call(calls.calls[0])};")
        for call in calls.calls[1:]:
            self.line(f"    if ({status} == APLC_OK)")
            self.line(f"        {status} = {self.call(call)};")
        self.line("}")
        self.line(f"if ({status} != APLC_OK)")
        self.line("    goto done;" if self.has_exit else f"    return {status};")

    def start(self, calls: Sequence[FunctionCall], status: str) -> None:
        """Calls as tasks."""
        names = []
        for call in calls:
            names.append(self.declare("task_00"))
            of = _run(call.function), _alone(call.function)
            head = ", ".join([*[self.globals[name] for name in of], self.depth or "0"])
            given = ", ".join([f"{{{head}}}", *self.given(call)])
            self.line(f"{self.globals[_task(call.function)]} {names[-1]} = {{{given}}};")
        tasks = ", ".join([f"&{name}.task" for name in names])
        together = f"aplc_together(host, (aplc_task *[]){{{tasks}}}, {len(names)}, false)"
        self.line(f"{status} = {together};")
        for call, name in zip(calls, names, strict=True):
            if (told := self.called_at(call, status)) != status:  # the first that has failed told the error
                self.line(f"if ({name}.task.status != APLC_OK)")
                self.line(f"    {status} = {told};")

    def scalars(self, invoke: FunctionCall) -> list[str]:
        """What a call takes that is no memory."""
        parts = []
        for leaf in leaves_of_all(invoke.arguments):
            parts += [self.text(e) for e in ((leaf.value,) if isinstance(leaf, ScalarRef) else leaf.shape)]
        return parts

    def indented(self, head: str, body: Callable[[], None]) -> None:
        """Lines in a scope behind a line."""
        self.line(head)
        self.open()
        self.level += 1
        body()
        self.level -= 1
        self.close()

    def leave_with(self, head: str, call: str) -> None:
        """Leave with what a call gives, unless calls that come earlier fail."""
        if not self.earlier:
            super().leave_with(head, call)
            return
        self.line(head + " {")
        first, *others = [self.call(each) for each in self.earlier]
        self.line(f"    {'' if self.has_exit else 'int '}status = {first};")
        for text in (*others, call):
            self.line("    if (status == APLC_OK)")
            self.line(f"        status = {text};")
        self.line("    goto done;" if self.has_exit else "    return status;")
        self.line("}")


def _nothing(_: object) -> tuple[str, ...]:
    return ()


def _tasks(name: str) -> str:
    return f"{name}_tasks"


def _first(name: str) -> str:
    return f"{name}_first"


def _work(name: str) -> str:
    return f"{name}_work"


def _task(name: str) -> str:
    return f"{name}_task"


def _run(name: str) -> str:
    return f"{name}_run"


def _alone(name: str) -> str:
    return f"{name}_alone"


def _call(name: str) -> str:
    return f"{name}_call"


def _tried(name: str) -> str:
    return f"{name}_tried"
