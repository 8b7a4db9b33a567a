"""The loop language of Laila (thesis section 3.4): what a program does, step by step, for one target thread.

    stm ::= declare x [= e] | x := e | b[e] := e | prefetch b[e]
         |  for x in e … e by n { stm* }        ascending, or descending
         |  if e { stm* } else { stm* } | while e { stm* }
         |  fail unless e | alloc | local | free | take | swap
         |  output | run | ask | invoke
         |  { stm* invoke }* together           calls that may be made at the same time

Expressions are those of `scalar` without folds and checks. `generate` makes these statements; printers
turn them into C.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.program import FunctionCall, HostCall, Move, Ref, RuntimeCall, Swap
from aplc.laila.ir.scalar import Buffer, Const, Exp, Site, Var
from aplc.tail.prims import Prim
from aplc.tail.types import Base


@dataclass(frozen=True, slots=True)
class Declare:
    """A new variable; one that is assigned to later is mutable. What accumulates in narrow lanes has so many
    `bits` if its values fit, and else more.
    """

    var: Var
    value: Exp | None
    mutable: bool = False
    bits: int = 32


@dataclass(frozen=True, slots=True)
class Assign:
    """A new value for a mutable variable."""

    var: Var
    value: Exp


@dataclass(frozen=True, slots=True)
class Store:
    """A new value for an element of a buffer."""

    buffer: Buffer
    position: Exp
    value: Exp


@dataclass(frozen=True, slots=True)
class Prefetch:
    """Ask for the memory of an element that will be read, or written. There may be no such element, unless
    it `loads` it, by which processors foresee that memory further on will be read.
    """

    buffer: Buffer
    position: Exp
    writes: bool = False
    loads: bool = False


@dataclass(frozen=True, slots=True)
class Reduction:
    """A variable that a loop accumulates into, and the associative operator by which it does.

    `neutral` is what part of the loop may start from, beside what the variable holds.
    """

    op: Prim
    var: Var
    neutral: Exp


@dataclass(frozen=True, slots=True)
class Term:
    """A summand of the work of a loop: so much for each point of a space of these extents."""

    units: float
    extents: tuple[Exp, ...] = ()


@dataclass(frozen=True, slots=True)
class Joined:
    """How what a part of a loop has accumulated is joined to what the parts before it have: `part` stands for
    it in the value.
    """

    reduction: Reduction
    part: Var
    value: Exp


@dataclass(frozen=True, slots=True)
class ParallelScan:
    """What a loop accumulates and reads. `totals` is the loop with nothing else left in it. `rooms` are
    variables that count what is written, each with one for where the next part of the loop begins to write.
    """

    joined: tuple[Joined, ...]
    totals: For
    rooms: tuple[tuple[Var, Var], ...]
    packs: Packs | None = None


@dataclass(frozen=True, slots=True)
class Packs:
    """What does the same as a loop that keeps some elements, in whole vectors: see `compress_store`."""

    first: Var
    last: Var
    part: tuple[Stm, ...]
    """From one index up to another, written no further than there is room."""
    alone: tuple[Stm, ...]
    """All of the loop, where it does not run in parts."""


@dataclass(frozen=True, slots=True)
class ArrayReduction:
    """An array into which the parts of a loop accumulate, each in memory of its own: what stands there
    before, and how it is joined.
    """

    buffer: Buffer
    own: Buffer
    size: Exp
    clear: For
    join: For


@dataclass(frozen=True, slots=True)
class Schedule:
    """A loop in parts that run at the same time, if its work is worth it: see `parallel`."""

    work: tuple[Term, ...]
    joined: tuple[Joined, ...] = ()
    last: tuple[Var, ...] = ()
    """Variables that each iteration sets before it reads them: the last iteration tells their values."""
    private: tuple[Allocate, ...] = ()
    """Memory that each part has for itself."""
    repeated: bool = False
    """Whether it stands inside a loop in order, and may run often."""
    running: ParallelScan | None = None
    uneven: bool = False
    """Whether iterations take more and less work: then there are more parts than threads."""
    again: bool = False
    """Whether a loop in order stands around it, so that threads have just done something."""
    in_order: For | While | None = None
    """What runs where the loop does not in parts, if that is another one, with schedules inside."""
    array_reductions: tuple[ArrayReduction, ...] = ()
    ends: Buffer | None = None
    """Where it stands how much is done before each iteration: parts do the same, whatever iterations do."""
    scratch: tuple[tuple[Buffer, Var], ...] = ()
    """Memory that a part has from its first iteration on, and of how many elements, -1 at first: see
    `kept_scratch`.
    """


@dataclass(frozen=True, slots=True)
class Beyond:
    """A loop that does the same as another one, in vectors that reach behind what an iteration writes: so
    many of the `last` ones of a part must not.
    """

    loop: For
    last: Exp


@dataclass(frozen=True, slots=True)
class For:
    """The body for each index from `start` up to `stop`, exclusive; from `stop - 1` down if descending.

    `reductions` are what a target may accumulate in several lanes; None: in order, one by one. The iterations
    of an `independent` loop touch different memory. A loop with a `step` ascends.

    `parallel` is what a loop accumulates whose iterations may otherwise run at the same time; None: they may
    not. `private` is memory that each iteration begins anew with. `running` are accumulators that iterations
    read, too: they may run at the same time once it is known what came before. `schedule` is what a target
    with threads makes of that. An `unrolled` loop is short: compilers write its iterations one by one. One
    `in_scalars` is too short for vectors, which they are not to make of it.
    `about` says how often it runs where its bounds do not before the loops around it. `ends` is how many
    elements all iterations make; an element of a buffer that says how many come before each, if there is one.
    `beyond` is what may take its place. Each iteration that `is_share` is what one thread does of a whole, as
    many as are worth it.
    """

    var: Var
    start: Exp
    stop: Exp
    body: tuple[Stm, ...]
    reductions: tuple[Reduction, ...] | None = None
    descending: bool = False
    independent: bool = False
    step: int = 1
    parallel: tuple[Reduction, ...] | None = None
    private: tuple[Buffer, ...] = ()
    running: tuple[Reduction, ...] = ()
    schedule: Schedule | None = None
    unrolled: bool = False
    in_scalars: bool = False
    about: Exp | None = None
    ends: Exp | None = None
    beyond: Beyond | None = None
    is_share: bool = False


@dataclass(frozen=True, slots=True)
class If:
    """One of two bodies."""

    cond: Exp
    then: tuple[Stm, ...]
    other: tuple[Stm, ...] = ()


@dataclass(frozen=True, slots=True)
class Fail:
    """An APL error unless the condition holds."""

    ok: Exp
    site: Site
    reported: tuple[Exp, ...]


@dataclass(frozen=True, slots=True)
class Allocate:
    """Memory for a number of elements, or WS FULL; `room` are bytes behind them that may be touched, too.
    That in a destination is nobody's own, and valid until something is appended.
    """

    buffer: Buffer
    size: Exp
    site: Site
    room: int = 0
    into: Buffer | None = None
    is_there: bool = False


@dataclass(frozen=True, slots=True)
class Release:
    """The end of a buffer's life."""

    buffer: Buffer


@dataclass(frozen=True, slots=True)
class Emit:
    """Hands a value out."""

    value: Ref
    is_result: bool
    digits: Exp | None = None


@dataclass(frozen=True, slots=True)
class While:
    """The body as long as the condition holds; each round begins anew with the memory that is `private`."""

    cond: Exp
    body: tuple[Stm, ...]
    private: tuple[Buffer, ...] = ()


@dataclass(frozen=True, slots=True)
class Local:
    """A small array of known length in the scope at hand. With `in_registers` loops over its lanes are to be
    whole vectors, also where compilers do not find them.
    """

    buffer: Buffer
    size: int
    in_registers: bool = False


@dataclass(frozen=True, slots=True)
class Together:
    """Calls of functions of the program that may be made at the same time, once what stood `before` each of
    them behind the first has been done: that neither needs what earlier calls give nor changes what they
    take. If it fails, the earlier calls come first.
    """

    calls: tuple[FunctionCall, ...]
    before: tuple[tuple[Stm, ...], ...]


Stm = (
    Declare | Assign | Store | Prefetch | For | If | While | Fail | Allocate | Local | Release | Emit
    | Together | Move | Swap | RuntimeCall | HostCall | FunctionCall
)  # fmt: skip
"""Those of the last line are those of `program`, over plain expressions."""


def in_one_part(loop: For) -> tuple[Stm, ...]:
    """What a loop with a schedule is where it does not run in parts."""
    schedule = loop.schedule
    assert schedule is not None
    if schedule.running is not None and schedule.running.packs is not None:
        return schedule.running.packs.alone
    instead = schedule.in_order
    if instead is None:
        instead = loop if loop.beyond is None else loop.beyond.loop
        instead = replace(instead, start=loop.start, stop=loop.stop, schedule=None)
    set_inside = {s.var for s in within(instead.body) if isinstance(s, Assign)}
    scratch = [(buffer, room) for buffer, room in schedule.scratch if room in set_inside]
    return around(scratch, instead)


def begun(scratch: Iterable[tuple[Buffer, Var]]) -> list[Stm]:
    """The numbers of elements for which there is memory, before there is any."""
    return [Declare(room, Const(-1, Base.INT), mutable=True) for _, room in scratch]


def around(scratch: Sequence[tuple[Buffer, Var]], loop: For | While) -> tuple[Stm, ...]:
    """A loop whose rounds keep memory, with where that begins and ends."""
    return (*begun(scratch), loop, *[Release(buffer) for buffer, _ in scratch])


def within(statements: Iterable[Stm]) -> Iterator[Stm]:
    """All statements, those inside others included."""
    for statement in statements:
        yield statement
        for body in bodies(statement):
            yield from within(body)


def bodies(statement: Stm) -> tuple[tuple[Stm, ...], ...]:
    """The statements inside one."""
    match statement:
        case For(body=body) | While(body=body):
            return (body,)
        case If(then=then, other=other):
            return (then, other)
        case Together(calls=calls, before=before):
            return (*before, calls)
        case _:
            return ()


def own_expressions(statement: Stm) -> list[Exp]:
    """The expressions that a statement evaluates itself."""
    match statement:
        case Declare(value=value):
            return [] if value is None else [value]
        case Assign(value=value):
            return [value]
        case Store(position=position, value=value):
            return [position, value]
        case Prefetch(position=position):
            return [position]
        case For(start=start, stop=stop):
            return [start, stop]
        case If(cond=cond) | While(cond=cond):
            return [cond]
        case Fail(ok=ok, reported=reported):
            return [ok, *reported]
        case Allocate(size=size):
            return [size]
        case RuntimeCall(arguments=arguments):
            return [a for a in arguments if not isinstance(a, Buffer)]
        case _:
            return []


def with_bodies(statement: Stm, change: Callable[[tuple[Stm, ...]], tuple[Stm, ...]]) -> Stm:
    """A statement with those inside it changed."""
    match statement:
        case For(body=body) | While(body=body):
            return replace(statement, body=change(body))
        case If(then=then, other=other):
            return replace(statement, then=change(then), other=change(other))
        case Together(before=before):
            return replace(statement, before=tuple([change(body) for body in before]))
        case _:
            return statement


@dataclass(frozen=True, slots=True)
class Tasks:
    """How a function of the program runs where calls inside it may be made at the same time, and the work of
    one call without those inside, in terms of the parameters. A `light` one only computes with scalars.
    """

    body: tuple[Stm, ...]
    work: tuple[Term, ...]
    light: bool
    first: Routine | None = None
    """The function as the outermost calls have it, whose loops run in threads, if it differs there."""


@dataclass(frozen=True, slots=True)
class Routine:
    """A function of the program: see `program.Function`."""

    name: str
    parameters: tuple[Ref, ...]
    body: tuple[Stm, ...]
    results: tuple[Ref, ...]
    site: Site
    tasks: Tasks | None = None
    alone: Routine | None = None
    """The same for where no loop of it runs in threads, if it differs then."""


@dataclass(frozen=True, slots=True)
class Code:
    """A whole program in loops."""

    statements: tuple[Stm, ...]
    routines: tuple[Routine, ...] = ()
    empty: tuple[Buffer, ...] = ()
    """Buffers that get memory from others; behind a loop without end they have none."""
    sizes: tuple[tuple[Buffer, Exp], ...] = ()
    """How many elements arrays have that are there before the program or a function begins."""


def with_blocks(code: Code, change: Callable[[tuple[Stm, ...]], tuple[Stm, ...]]) -> Code:
    """A program with the statements of it and of each of its functions changed."""

    def changed(routine: Routine) -> Routine:
        alone = None if routine.alone is None else changed(routine.alone)
        return replace(routine, body=change(routine.body), alone=alone)

    routines = tuple(map(changed, code.routines))
    return replace(code, statements=change(code.statements), routines=routines)
