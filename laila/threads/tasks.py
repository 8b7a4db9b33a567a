"""Finds calls of recursive functions that may be made at the same time.

Note [Tasks]
    A function that calls itself several times in one sequence of statements, as Quicksort does, need not wait
    for one call before it makes the next, if this needs nothing that the other gives. What stands between the
    calls is done before them all, or behind them if it needs what they give or ends the life of what they
    take. Only functions without effects are called so: they print nothing, ask the host for nothing and draw
    nothing by chance. What fails between calls fails behind the earlier ones, as in one thread; so does the
    first call that fails.

    Each function with such calls, or with calls of one that has them, stands twice in the program: with
    tasks, and without any threads, for calls inside of tasks and those that have little to do. Which one runs
    is decided there (`rts/aplc_tasks.h`), by the work of calls. Loops of a call that is in a task never run
    in parts: where these would keep loops from being what they are in one thread (`Function.alone`), there is
    a third version, for calls outside of tasks, and the one with tasks has the loops of one thread.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import within
from aplc.laila.ir.program import ArrayRef, FunctionCall, HostCall, Move, Ref, RuntimeCall, Swap
from aplc.laila.ir.scalar import Buffer, Exp, FreeVars, PureCall, Read, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import given_by, leaves
from aplc.laila.threads.work import WorkEstimate

OF_A_CALL = 400.0
"""The work of a call alone: some 2 ns."""


def make_tasks(code: l.Code, make: ExprBuilder) -> l.Code:
    """The program with tasks where its functions make independent calls: see Note [Tasks]."""
    pure = without_effects(code.routines)
    if not pure:
        return code
    found: dict[str, tuple[l.Stm, ...]] = {}
    for routine in code.routines:
        if routine.name in pure:
            found[routine.name] = together(routine.body, pure)
    with_tasks = {name for name, body in found.items() if _started(body)}
    if not with_tasks:
        return code
    with_tasks |= {name for body in found.values() for name in _started(body)}
    called = {name: _called(body) for name, body in found.items()}
    while more := {name for name, names in called.items() if names & with_tasks} - with_tasks:
        with_tasks |= more
    estimate = WorkEstimate(make, FreeVars())
    routines = []
    for r in code.routines:
        if r.name in with_tasks:
            work, is_light = estimate.of_call(r.body, OF_A_CALL), _is_light(r.body)
            first = None if r.alone is None else replace(r, body=found[r.name], alone=None)
            plain = r if r.alone is None else r.alone
            body = found[r.name] if r.alone is None else together(r.alone.body, pure)
            tasks = l.Tasks(body, work, is_light, first)
            r = replace(plain, body=in_one_thread(plain.body), tasks=tasks)
        routines.append(r)
    return replace(code, statements=together(code.statements, with_tasks), routines=tuple(routines))


def in_one_thread(block: tuple[l.Stm, ...]) -> tuple[l.Stm, ...]:
    """Statements without schedules."""
    found: list[l.Stm] = []
    for statement in block:
        match statement:
            case l.For(schedule=l.Schedule()):
                found += in_one_thread(l.in_one_part(statement))
            case _:
                found.append(l.with_bodies(statement, in_one_thread))
    return tuple(found)


def why_in_one_thread(code: l.Code) -> dict[str, str]:
    """Why the calls inside of functions are no tasks, by their names; of those with tasks an empty text. The
    program is one that `make_tasks` has seen.
    """
    pure = without_effects(code.routines)
    found = {}
    for routine in code.routines:
        calls = [s for s in within(routine.body) if isinstance(s, FunctionCall)]
        in_loops = [s for s in within(routine.body) if isinstance(s, l.For | l.While) and _called((s,))]
        if routine.tasks is not None and _started(routine.tasks.body):
            found[routine.name] = ""
        elif routine.name not in pure:
            found[routine.name] = "it prints, asks the host for something, or draws by chance"
        elif in_loops:
            found[routine.name] = "they stand in a loop"
        elif len(calls) > 1:
            found[routine.name] = "each needs what another gives, or stands under another condition"
        else:
            found[routine.name] = "there is one"
    return found


def without_effects(routines: Iterable[l.Routine]) -> set[str]:
    """The names of functions that do nothing but give a value, or fail."""
    called = {r.name: _called(r.body) for r in routines if not any(map(_acts, within(r.body)))}
    while others := {name for name, names in called.items() if not names <= called.keys()}:
        for name in others:
            del called[name]
    return set(called)


def _acts(statement: l.Stm) -> bool:
    """Whether a statement does more than compute."""
    is_run_with_host = isinstance(statement, RuntimeCall) and statement.with_host
    return is_run_with_host or isinstance(statement, l.Emit | HostCall)


def _is_light(body: tuple[l.Stm, ...]) -> bool:
    """Whether statements only compute with scalars, so that even a count of calls is some of their work."""
    return not any(isinstance(s, l.For | l.While | l.Allocate | RuntimeCall) for s in within(body))


def _called(body: tuple[l.Stm, ...]) -> set[str]:
    return {s.function for s in within(body) if isinstance(s, FunctionCall)}


def _started(body: tuple[l.Stm, ...]) -> set[str]:
    """The functions whose calls may be tasks."""
    return {call.function for s in within(body) if isinstance(s, l.Together) for call in s.calls}


def together(block: tuple[l.Stm, ...], pure: set[str]) -> tuple[l.Stm, ...]:
    """Statements in which independent calls of these functions stand together."""

    def inside(body: tuple[l.Stm, ...]) -> tuple[l.Stm, ...]:
        return together(body, pure)

    found: list[l.Stm] = []
    calls = [k for k, s in enumerate(block) if isinstance(s, FunctionCall) and s.function in pure]
    last = calls[-1] if calls else 0
    k = 0
    while k < len(block):
        statement = block[k]
        group = _Group(pure) if k in calls and k < last else None
        if group is not None and (length := group.of(block[k : last + 1])):
            found += [l.Together(tuple(group.calls), tuple(group.before)), *group.behind]
            k += length
        else:
            found.append(l.with_bodies(statement, inside))
            k += 1
    return tuple(found)


@dataclass(slots=True)
class _Group:
    """Calls that may be made at the same time, with what stands between them."""

    pure: set[str]
    calls: list[FunctionCall] = field(default_factory=list)
    before: list[tuple[l.Stm, ...]] = field(default_factory=list)
    behind: list[l.Stm] = field(default_factory=list)

    def of(self, block: tuple[l.Stm, ...]) -> int:
        """How many statements belong to the group that begins with the first; 0 if that stands alone."""
        given, taken = set[str](), set[str]()
        changed, needed = set[str](), set[str]()
        """By the calls, and by what is done behind them."""
        moved, left = list[l.Stm](), list[l.Stm]()
        length = 0
        for k, statement in enumerate(block):
            names, changes = touched(statement), changed_by(statement)
            is_free = not (names & (given | changed)) and not (changes & (taken | needed))
            if isinstance(statement, FunctionCall) and statement.function in self.pure:
                if not is_free:
                    break
                self.behind += left
                self.before += [tuple(moved)] if self.calls else []
                self.calls.append(statement)
                moved, left, length = [], [], k + 1
                given |= changes
                taken |= names
            elif any(_acts(s) or isinstance(s, FunctionCall) for s in within((statement,))):
                break
            elif is_free:
                moved.append(statement)
            elif any(isinstance(s, l.Fail) for s in within((statement,))):
                break
            else:
                left.append(statement)
                changed |= changes
                needed |= names
        return length if len(self.calls) > 1 else 0


def _named(exps: Iterable[Exp]) -> set[str]:
    """The variables and buffers in expressions."""
    names: set[str] = set()
    for node in nodes(*exps):
        match node:
            case Var(name=name):
                names.add(name)
            case Read(buffer=buffer):
                names.add(buffer.name)
            case PureCall(memory=memory, behind=behind):
                names |= {buffer.name for buffer in (*memory, *behind)}
            case _:
                pass
    return names


def _of_references(references: tuple[Ref, ...]) -> set[str]:
    """The variables and buffers in values."""
    names: set[str] = set()
    for leaf in [leaf for r in references for leaf in leaves(r)]:
        if isinstance(leaf, ArrayRef):
            names |= {leaf.buffer.name} | _named(leaf.scalars)
        else:
            names |= _named((leaf.value,))
    return names


def touched(statement: l.Stm) -> set[str]:
    """The names of all that a statement reads or changes, with those inside it."""
    names = changed_by(statement)
    for inner in within((statement,)):
        names |= _named(l.own_expressions(inner))
        match inner:
            case FunctionCall(arguments=arguments) | HostCall(arguments=arguments):
                names |= _of_references(arguments)
            case RuntimeCall(arguments=given):
                names |= {a.name for a in given if isinstance(a, Buffer)}
            case l.Emit(value=value):
                names |= _of_references((value,))
            case l.Prefetch(buffer=buffer):
                names.add(buffer.name)
            case _:
                pass
    return names


def changed_by(statement: l.Stm) -> set[str]:
    """The names of the variables that a statement declares or sets, and of the buffers that it writes or that
    get other memory, with those inside it.
    """
    names: set[str] = set()
    for inner in within((statement,)):
        match inner:
            case l.Declare(var=var) | l.Assign(var=var) | l.For(var=var):
                names.add(var.name)
            case l.Store(buffer=buffer) | l.Allocate(buffer=buffer) | l.Release(buffer=buffer):
                names.add(buffer.name)
            case l.Local(buffer=buffer):
                names.add(buffer.name)
            case Move(target=one, source=other) | Swap(first=one, second=other):
                names |= {one.name, other.name}
            case RuntimeCall(arguments=arguments):
                names |= {a.name for a in arguments if isinstance(a, Buffer)}
                names |= {var.name for var in given_by(inner)}
            case FunctionCall() | HostCall():
                given = inner.results if isinstance(inner, FunctionCall) else (inner.result,)
                names |= _of_references(given)
            case _:
                pass
    return names
