"""Kernels: what the work-items of a parallel device do, and how the host starts them.

    kernel ::= kernel f(b, …; x, …) item { stm* }     each work-item runs the statements, with its own number

The statements are those of `program`, over a chunk of a SOAC's index space. The host starts a kernel by a
`HostCall` of the kernel's own primitive: the number of work-items, the arrays, and the scalars go in; out
comes whether some check failed. A kernel does not say which one: the host then runs the SOAC itself, and
finds the error, with its place and values, that it would have found without a device.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from aplc.laila.devices.device_mapping import GROUP
from aplc.laila.ir.liveness import mentioned
from aplc.laila.ir.program import (
    Alloc,
    ArrayRef,
    Assign,
    Filter,
    ForEach,
    Free,
    Fused,
    HostCall,
    HostCheck,
    HostLet,
    If,
    Map,
    Program,
    Reduce,
    Ref,
    ScalarRef,
    Scan,
    Statement,
    Store,
    Variable,
    While,
)
from aplc.laila.ir.scalar import (
    BINOMIAL,
    CIRCLE,
    CIRCLES,
    EXACT_POWER,
    FACTORIAL,
    LOG,
    POWER,
    TABLE,
    Buffer,
    Call,
    Check,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Select,
    Site,
    Step,
    Var,
    nodes,
)
from aplc.laila.ir.settings import Settings
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, everywhere, expressions
from aplc.tail import prims as p
from aplc.tail.faults import NO_MEMORY
from aplc.tail.prims import Prim
from aplc.tail.types import Base
from aplc.tail.unify import parse_scheme

PRIVATE_ELEMENTS = 512
"""Arrays up to this length may be private to a work-item."""

TABLE_ELEMENTS = 1024
"""Tables of constants up to this length stand in the text of a kernel."""

NOT_IN_KERNELS = frozenset((FACTORIAL, BINOMIAL, p.GCDTD, p.LCMTD))
"""Operators that only the host computes."""

ROUNDED = frozenset((p.EXPD, LOG, POWER, EXACT_POWER, p.RESD, CIRCLE, *CIRCLES.values()))
"""Functions of reals whose last bits depend on the library."""


OF_THE_DRIVER = ROUNDED - {p.EXPD, LOG, p.RESD}
"""Functions of reals that kernels take from the driver's library."""


@dataclass(frozen=True, slots=True)
class Join:
    """A value of which the work-items of a group have one each, combined in their order: the first of them
    writes the result where the number of the group says, or has it as `total` at the end of the kernel.
    """

    value: Var
    combine: Prim
    partial: Buffer | None
    total: Var | None = None


@dataclass(frozen=True, slots=True)
class Own:
    """An array that each work-item has for itself, of a size: its part of an array of all."""

    buffer: Buffer
    all: Buffer
    size: Exp


TILE, TALL = 32, 8
"""The sides of a tile, and the work-items along its second one: each does several rows of it."""


@dataclass(frozen=True, slots=True)
class Steps:
    """What takes in the tiles of a product, block by block."""

    extent: Exp
    """Of all blocks."""
    first: Var
    """Where the block at hand begins."""
    line: Var
    """The row of a tile that is filled."""
    start: tuple[Statement, ...]
    """What is done before the blocks."""
    use: tuple[Statement, ...]
    """What is done with the tiles of each."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Elements that a group reads along one axis and uses along the other, through tiles in its own memory:
    the statements of the kernel fill the tiles, those at its end use them.
    """

    tiles: tuple[Buffer, ...]
    extents: tuple[Exp, Exp]
    """Of the rows and the columns."""
    first_row: Var
    first_column: Var
    """Where the tile at hand begins."""
    along: Var
    across: Var
    """The place of a work-item in a row of the tile, and the row."""
    steps: Steps | None = None
    """For products, whose tiles are filled and used again and again; the kernel ends with the results."""

    @property
    def between(self) -> tuple[Statement, ...]:
        """What is done besides filling tiles and the end of the kernel."""
        return () if self.steps is None else (*self.steps.start, *self.steps.use)


EACH = 15
"""Neighbouring elements that a work-item combines; odd, so that those of all work-items lie in all banks."""

RUN = GROUP * EACH
"""Neighbouring elements that a group takes at a time, if it takes all of a range."""

LARGE_GROUP = 256
"""Work-items of a group that takes one run: as many runs are told of together, so that few groups wait.
A power of 4, as the steps of a scan go to and fro between two halves of memory.
"""


@dataclass(frozen=True, slots=True)
class Carry:
    """A value that goes on from element to element, and from run to run."""

    combine: Prim
    nothing: Exp
    """What it begins with, and what stands for elements behind the last one."""
    element: Var
    """What an element adds."""
    before: Var
    """What the elements before the run at hand come to."""
    running: Var
    """The value with an element, or the place of one that is kept."""
    kept: tuple[Statement, ...] = ()
    """What is done with each element that is kept, if the value counts them."""
    held: Var | None = None
    """What an element is, if work-items hold on to it from when they find out whether it is kept."""

    @property
    def is_filter(self) -> bool:
        """Whether an element is 1 or 0: kept or not."""
        return bool(self.kept)


@dataclass(frozen=True, slots=True)
class LookBack:
    """How groups that have one run each find what is before it: in arrays with what runs come to, after these
    what blocks of them come to, and then what is before each block of blocks, by carry. The first of the
    arrays begins with the number of runs that have been begun.
    """

    states: tuple[Buffer, ...]
    totals: tuple[Buffer | None, ...]
    """What gets the total of all runs, by carry."""

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        """All of them."""
        return (*self.states, *[total for total in self.totals if total is not None])


@dataclass(frozen=True, slots=True)
class Sweep:
    """A group takes elements of an axis run by run: neighbouring work-items compute neighbouring elements,
    each combines those that follow one another, and neighbouring ones use the running values.
    """

    start: Exp
    stop: Exp
    """What the group takes."""
    index: Var
    """Of an element."""
    carries: tuple[Carry, ...]
    elements: tuple[Statement, ...]
    """What computes the elements of the carries."""
    use: tuple[Statement, ...]
    """What is done with the running values at each index."""
    look_back: LookBack | None = None
    """If it takes one run: which one is then found out when it begins."""
    lanes: int = GROUP
    """The work-items of a group."""
    each: int = EACH
    """The neighbouring elements that each of them combines."""

    @property
    def run(self) -> int:
        """Neighbouring elements that a group takes at a time."""
        return self.lanes * self.each

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All of them."""
        return (*self.elements, *self.use, *[s for c in self.carries for s in c.kept])

    @property
    def own(self) -> tuple[Var, ...]:
        """The variables that it binds."""
        of_carries = [v for c in self.carries for v in (c.element, c.running, c.held) if v is not None]
        return (self.index, *of_carries)


@dataclass(frozen=True, eq=False, slots=True)
class Kernel:
    """A function of which each work-item runs an instance."""

    name: str
    items: tuple[Var, ...]
    """The number of the work-item along each axis of the kernel's own space, from 0."""
    statements: tuple[Statement, ...]
    arrays: tuple[Buffer, ...]
    """What it reads and writes in the memory of the device."""
    lengths: tuple[int, ...]
    """Their numbers of elements, where the memory is none of the heap's or the inputs'; else 0."""
    scalars: tuple[Var, ...]
    written: frozenset[Buffer]
    may_fail: bool
    launch: Prim
    """What the host asks for to start it."""
    joins: tuple[Join, ...]
    """What groups combine at the end; then all work-items must get there."""
    own: tuple[Own, ...] = ()
    end: tuple[Statement, ...] = ()
    """What the first work-item of each group does with the totals, or what uses the tiles."""
    stage: Stage | None = None
    sweep: Sweep | None = None
    """What is done behind the statements."""

    @property
    def group(self) -> tuple[int, ...]:
        """The sizes of its groups; none where work-items do not need one another."""
        if self.stage is not None:
            return (TILE, TALL)
        if self.sweep is not None:
            return (self.sweep.lanes, *[1] * (len(self.items) - 1))
        return (GROUP, *[1] * (len(self.items) - 1)) if self.joins else ()


@dataclass(frozen=True, slots=True)
class Offloaded:
    """A program whose host starts kernels."""

    program: Program
    kernels: tuple[Kernel, ...]
    work: Mapping[int, Exp]
    """About how many operations the statements take for which there are kernels, by their identity."""
    choices: Mapping[int, str] = field(default_factory=dict)
    """Which of its kernels runs, and why, of statements that have several for items of unlike lengths."""


def kernel(
    make: ExprBuilder,
    name: str,
    items: tuple[Var, ...],
    statements: tuple[Statement, ...],
    written: frozenset[Buffer],
    lengths: dict[Buffer, int],
    joins: tuple[Join, ...] = (),
    memory: tuple[Own, ...] = (),
    end: tuple[Statement, ...] = (),
    stage: Stage | None = None,
    sweep: Sweep | None = None,
) -> Kernel:
    """The kernel of some statements; its parameters are what they mention and do not bind. `lengths` are
    those of arrays that are no memory of the heap.
    """
    parts = statements
    swept = () if sweep is None else sweep.statements
    statements = (*statements, *(() if stage is None else stage.between), *swept, *end)
    inside = {v.name for s in statements for v in bound(s)} | {item.name for item in items}
    own = {s.buffer for s in everywhere(statements) if isinstance(s, Alloc)}
    own |= {each.buffer for each in memory}
    if stage is not None:
        own |= set(stage.tiles)
        inside |= {v.name for v in (stage.first_row, stage.first_column, stage.along, stage.across)}
        inside |= set() if stage.steps is None else {stage.steps.first.name, stage.steps.line.name}
    inside |= set() if sweep is None else {v.name for v in sweep.own}
    used = [b for s in statements for b in mentioned(s) if not is_table(b) and b not in own]
    inside |= {join.total.name for join in joins if join.total is not None}
    used += [] if sweep is None or sweep.look_back is None else sweep.look_back.buffers
    used += [join.partial for join in joins if join.partial is not None] + [each.all for each in memory]
    free = FreeVars()
    roots = [*[e for s in statements for e in expressions(s)], *[each.size for each in memory]]
    roots += [] if stage is None else stage.extents
    roots += [] if stage is None or stage.steps is None else [stage.steps.extent]
    roots += [] if sweep is None else [sweep.start, sweep.stop, *[c.nothing for c in sweep.carries]]
    scalars = {v.name: v for root in roots for v in sorted(free.of(root), key=lambda v: v.name)}
    return Kernel(
        make.fresh(name),
        items,
        parts,
        tuple(dict.fromkeys(used)),
        tuple([len(b.data) if b.data is not None else lengths.get(b, 0) for b in dict.fromkeys(used)]),
        tuple([v for v in scalars.values() if v.name not in inside]),
        written,
        may_fail(statements),
        Prim("launch", (parse_scheme("int → bool"),), not_here),
        joins,
        memory,
        end,
        stage,
        sweep,
    )


def may_fail(statements: tuple[Statement, ...]) -> bool:
    """Whether a work-item may leave these statements before their end."""
    if any(isinstance(s, HostCheck) for s in everywhere(statements)):
        return True
    return any(isinstance(n, Check) for s in statements for n in nodes(*expressions(s)))


def not_here(*_: object) -> object:
    """The meaning of what the backend answers."""
    raise NotImplementedError("a kernel is started by the backend")


def launch(make: ExprBuilder, kernel: Kernel, items: tuple[Var, ...], failed: Var) -> HostCall:
    """The statement of the host that starts a kernel for a number of work-items. Of an array of unknown
    length the address is all that is handed over.
    """
    lengths = [make.const(max(1, length)) for length in kernel.lengths]
    arrays: list[Ref] = [ArrayRef(b, (n,)) for b, n in zip(kernel.arrays, lengths, strict=True)]
    numbers = [ScalarRef(number) for number in items]
    arguments: tuple[Ref, ...] = (*numbers, *arrays, *[ScalarRef(v) for v in kernel.scalars])
    return HostCall(kernel.launch, arguments, ScalarRef(failed), Site(NO_MEMORY, "", None))


def is_table(buffer: Buffer) -> bool:
    """Whether the elements stand in the text of kernels."""
    return buffer.data is not None and len(buffer.data) <= TABLE_ELEMENTS


# --- what a kernel can do -------------------------------------------------------------------------------


def fits(
    settings: Settings,
    statements: tuple[Statement, ...],
    written: frozenset[Buffer],
    memory: Collection[Buffer] = (),
) -> bool:
    """Whether work-items can run these statements, each on its own chunk, in any order.

    Where doubles are floats there, sums that count stay on the host.

    They must not write but to `written`, where their chunks differ, and to what is their own, such as the
    given `memory`; and the host must be able to do the same again after a failure.
    """
    everything = list(everywhere(statements))
    own = {*memory, *[s.buffer for s in everything if isinstance(s, Alloc)]}
    found = [n for s in statements for n in nodes(*expressions(s))]
    sums = [q for s in everything if isinstance(s, Fused) for q in s.parts if isinstance(q, Reduce)]
    if settings.is_single and any(q.fold.combine is p.ADDD and _is_whole(q.body) for q in sums):
        return False
    if not all(_runs(s) for s in everything) or not all(_computes(n, settings) for n in found):
        return False
    writes = {b for s in everything for b in written_by(s)}
    reads = {n.buffer for n in found if isinstance(n, Read)}
    may_fail = any(isinstance(n, Check) for n in found) or any(isinstance(s, HostCheck) for s in everything)
    return writes <= own | written and not (may_fail and reads & written)


def _runs(statement: Statement) -> bool:
    match statement:
        case Alloc(size=size):
            return isinstance(size, Const) and size.value <= PRIVATE_ELEMENTS
        case Map(ordered=ordered):
            return not ordered
        case HostLet() | Variable() | Assign() | Free() | Scan() | Filter() | Fused() | Store():
            return True
        case HostCheck() | If() | While() | ForEach():
            return True
        case _:
            return False


def _computes(node: Exp, settings: Settings) -> bool:
    match node:
        case PureCall():
            return False
        case Read(buffer=buffer):
            return buffer.storage != TABLE
        case Call(op=op):
            return op not in NOT_IN_KERNELS and not (settings.strict_fp and op in ROUNDED)
        case Fold(combine=combine, body=body):
            return not (settings.is_single and combine is p.ADDD and _is_whole(body))
        case _:
            return True


def _is_whole(exp: Exp) -> bool:
    """Whether a double is an integer by the way it is made: sums of such are exact in doubles."""
    match exp:
        case Const(value=value):
            return float(value).is_integer()
        case Call(op=op):
            return op is p.I2D
        case Select(then=then, other=other):
            return _is_whole(then) and _is_whole(other)
        case _:
            return False


def written_by(statement: Statement) -> list[Buffer]:
    """The buffers of which a statement writes elements, without those inside it."""
    match statement:
        case Map(buffer=b) | Scan(buffer=b) | Filter(buffer=b) | Store(buffer=b):
            return [b]
        case Fused(parts=parts):
            return [part.buffer for part in parts if not isinstance(part, Reduce)]
        case _:
            return []


def in_any_order(settings: Settings, combine: Prim | Step, ty: Base) -> bool:
    """Whether partial results of a fold or scan may be combined."""
    if not isinstance(combine, Prim):
        return False
    return not (settings.strict_fp and not ty.is_exact and combine in (p.ADDD, p.MULD))
