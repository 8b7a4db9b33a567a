"""How Laila's passes are described and run.

A pass takes a program to one of the same meaning: of SOACs, of SOACs with kernels, or of loops. Which are
made depends on the goal, which says what the target has, and never which target it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

from aplc.laila.devices.device_mapping import DIVISION, Division
from aplc.laila.ir.check import Checked, check_program
from aplc.laila.ir.check_rounds import check_rounds
from aplc.laila.ir.program import Program
from aplc.laila.ir.simplify import ExprBuilder
from aplc.tail.passes import Timed, made, untimed

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Goal:
    """What a program is made for, as far as passes ask."""

    level: int = 2
    threads: bool = False
    """Whether loops of its C run in threads: any, or what of them the host of a device does."""
    kernels: bool = False
    """Whether a device runs the loops that are large enough."""
    division: Division = DIVISION
    """How the work of a kernel is divided."""
    in_tasks: bool = False
    """Whether it is without threads as it runs inside of tasks."""
    shortest: bool = False
    """Whether the shortest loops run in threads where any do."""


@dataclass(frozen=True, slots=True)
class When:
    """A condition on goals, in words and as a function."""

    words: str
    holds: Callable[[Goal], bool]


ALWAYS = When("from -O 1 on", lambda goal: goal.level > 0)
ON_HOST = When("from -O 1 on, without kernels", lambda goal: goal.level > 0 and not goal.kernels)
IN_TURN = When(
    "from -O 1 on, without threads or with kernels",
    lambda goal: goal.level > 0 and (goal.kernels or not goal.threads),
)
ALONE = When(
    "from -O 1 on, without threads and kernels",
    lambda goal: goal.level > 0 and not goal.kernels and not goal.threads,
)
IN_ORDER = When(
    "from -O 1 on, without threads, tasks and kernels",
    lambda goal: goal.level > 0 and not goal.kernels and not goal.threads and not goal.in_tasks,
)
THREADS = When("with threads", lambda goal: goal.threads)
TASKS = When(
    "from -O 1 on, with threads",
    lambda goal: goal.level > 0 and goal.threads,
)
THREADS_ON_HOST = When(
    "from -O 1 on, with threads, without kernels",
    lambda goal: goal.level > 0 and goal.threads and not goal.kernels,
)
KERNELS = When("with kernels", lambda goal: goal.kernels)
OWN_MEMORY = When(
    "with kernels, on a device that has memory of its own",
    lambda goal: goal.kernels and not goal.division.shared,
)


@dataclass(frozen=True, slots=True)
class Pass(Generic[T]):
    """A named rewriting of programs."""

    name: str
    run: Callable[[T, ExprBuilder, Goal], T]
    when: When
    """The goals for which it is made; where it is made at `-O 0`, the target cannot do without it."""
    reason: str
    """Why it is made, and why there in the order."""
    shares_memory: bool = False
    """Whether arrays of one loop may then have their memory in turn (see `check_rounds`)."""


def plain(run: Callable[[T, ExprBuilder], T]) -> Callable[[T, ExprBuilder, Goal], T]:
    """What a pass runs that asks nothing about the goal."""
    return lambda program, make, goal: run(program, make)


def told_of_threads(run: Callable[..., T], word: str = "in_threads") -> Callable[[T, ExprBuilder, Goal], T]:
    """What a pass runs that asks whether there are threads."""
    return lambda program, make, goal: run(program, make, **{word: goal.threads})


def chosen(passes: Iterable[Pass[T]], goal: Goal, names: Collection[str] | None) -> tuple[Pass[T], ...]:
    """The passes for a goal; where there are names, of those that it can do without only the named ones,
    whatever its level.
    """
    if names is None:
        return tuple([each for each in passes if each.when.holds(goal)])
    least, most = replace(goal, level=0), replace(goal, level=max(goal.level, 1))
    return tuple(
        [e for e in passes if e.when.holds(least) or (e.name in names and e.when.holds(most))],
    )


def run_passes(
    program: T,
    make: ExprBuilder,
    goal: Goal,
    passes: Iterable[Pass[T]],
    observe: Callable[[str, T], None],
    tell: Timed = untimed,
) -> T:
    """The program after all passes. Each is observed; a failure names it."""
    for each in passes:
        program = made(each.name, partial(each.run, program, make, goal), tell)
        observe(each.name, program)
    return program


def checking(passes: Iterable[Pass[T]], *, is_shared: bool = False) -> Callable[[str, Program], None]:
    """An observer that checks the program after each of these passes."""
    sharing = {each.name for each in passes if each.shares_memory}
    shared, checked = [is_shared], Checked()

    def observe(name: str, program: Program) -> None:
        shared[0] |= name in sharing
        check_program(program, name, checked)
        check_rounds(program, name, checked, is_shared=shared[0])

    return observe
