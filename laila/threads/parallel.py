"""Decides which loops run in threads, and cuts them into parts.

`generate` says of each loop whether its iterations may run in any order, and what they accumulate. Here the
outermost of such loops in each nest get a schedule: what an iteration costs, so that the run can tell whether
threads are worth it; how what the parts have accumulated is joined; which memory each part has for itself.

Note [Parts]
    A loop is cut into parts, as many as there are threads, each a run of neighbouring iterations. What they
    accumulate is joined in their order, so that a result is the same in each run with the same number of
    threads. An error is that of the first part that fails: the one that would come first in one thread.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import is_straight, longest
from aplc.laila.ir.loops import bodies, within
from aplc.laila.ir.program import ArrayRef, FunctionCall, HostCall, Move, Ref, RuntimeCall, Swap
from aplc.laila.ir.scalar import (
    QUOT,
    TABLE,
    Buffer,
    Call,
    Const,
    Exp,
    FreeVars,
    Read,
    Var,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import leaves
from aplc.laila.loops.folding.whole_lines import takes_lines
from aplc.laila.loops.masking.compress_store import VECTOR, in_packs, packs_of
from aplc.laila.loops.masking.tail_masking import families
from aplc.laila.lowering.scalars import neutral
from aplc.laila.threads.reduction_recognition import accumulated, counted
from aplc.laila.threads.runtime_calls import has_threads
from aplc.laila.threads.work import WorkEstimate
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

WORTH = 3.0e7
"""So much work is worth a second thread: some 150 µs, several times what it takes to wake one that sleeps."""

WORTH_AGAIN = WORTH / 8
"""The same in a loop, where threads still wait for what comes next."""

MANY = 64
"""Rounds that are worth memory of its own for each part."""

FEW = 8
"""Iterations that are too few to be the parts of a loop, where a longer one stands inside."""


def parallelise(code: l.Code, make: ExprBuilder, *, always: bool = False) -> l.Code:
    """The program with schedules beside its parallel loops; if `always`, beside the shortest too."""
    routines = tuple([replace(r, body=_Scheduler(make, always, r.body).whole()) for r in code.routines])
    return replace(code, statements=_Scheduler(make, always, code.statements).whole(), routines=routines)


def _in_parts(routine: l.Routine) -> tuple[l.Stm, ...]:
    """The statements of a function where its loops run in threads."""
    tasks = routine.tasks
    return routine.body if tasks is None else tasks.body if tasks.first is None else tasks.first.body


def in_threads(code: l.Code) -> frozenset[str]:
    """The names of the buffers and variables that loops with schedules compute, and functions of the run-time
    system that use threads.
    """
    found: set[str] = set()
    for statement in within((*code.statements, *[s for r in code.routines for s in _in_parts(r)])):
        if isinstance(statement, l.For) and statement.schedule is not None:
            found |= {s.buffer.name for s in within(statement.body) if isinstance(s, l.Store)}
            accumulated = (*(statement.parallel or ()), *statement.running)
            found |= {reduction.var.name for reduction in accumulated}
        if isinstance(statement, RuntimeCall) and has_threads(statement):
            memory = [b for b in statement.arguments if isinstance(b, Buffer)]
            found |= {b.name for b in memory if b not in statement.only_reads}
            found |= {var.name for var in statement.written}
    return frozenset(found)


@dataclass(slots=True)
class _Scheduler:
    make: ExprBuilder
    always: bool
    statements: tuple[l.Stm, ...]
    free: FreeVars = field(default_factory=FreeVars)
    allocations: dict[Buffer, l.Allocate] = field(default_factory=dict)
    rounds: int = 0
    """How many loops in order stand around."""
    sizes: dict[Buffer, Exp] = field(default_factory=dict)
    mentions: Counter[Buffer] = field(default_factory=Counter)
    values: dict[Exp, Exp] = field(default_factory=dict)
    """What variables stand for that are not assigned to."""
    exchanged: set[Buffer] = field(default_factory=set)
    """Buffers that get memory from others."""
    roomy: frozenset[Buffer] = frozenset()
    """Those whose memory always has room for a vector behind its elements."""

    @property
    def estimate(self) -> WorkEstimate:
        """What tells the work of loops."""
        return WorkEstimate(self.make, self.free)

    def whole(self) -> tuple[l.Stm, ...]:
        """All statements of a program or a routine."""
        for statement in within(self.statements):
            self.mentions.update(_moved(statement))
            match statement:
                case l.Allocate(buffer=buffer):
                    if buffer in self.allocations:
                        self.exchanged.add(buffer)
                    self.allocations[buffer] = statement
                    self.sizes[buffer] = statement.size
                case l.Local(buffer=buffer, size=size):
                    self.sizes[buffer] = self.make.const(size)
                case l.Declare(var=var, value=value, mutable=False) if value is not None:
                    self.values[var] = value
                case l.Release():
                    pass
                case _:
                    self.exchanged.update(_moved(statement))
        short = {s.buffer for s in within(self.statements) if isinstance(s, l.Allocate) and s.room < VECTOR}
        self.roomy = frozenset([b for b, f in families(self.statements).items() if not f & short])
        return self.block(self.statements)

    def block(self, statements: tuple[l.Stm, ...], *, repeated: bool = False) -> tuple[l.Stm, ...]:
        """Statements with schedules; `repeated` are those inside a loop in order."""
        found: list[l.Stm] = []
        initial: dict[Var, Exp] = {}
        for statement in statements:
            found += self.statement(statement, repeated, initial)
            for inner in within((statement,)):
                match inner:
                    case l.Declare(var=var, value=value) if value is not None:
                        initial[var] = value
                    case l.Assign(var=var):
                        initial.pop(var, None)
                    case _:
                        pass
        return tuple(found)

    def statement(self, statement: l.Stm, repeated: bool, initial: dict[Var, Exp]) -> tuple[l.Stm, ...]:
        """A statement with schedules; `initial` are values that variables have before it."""
        match statement:
            case l.For(body=body):
                schedule = None if self.has_longer(statement) else self.schedule(statement, repeated)
                if schedule is not None:
                    own = {*statement.private, *_allocated(body)} & self.roomy
                    return (replace(statement, body=self.packed(body, own), schedule=schedule),)
                packs = in_packs(statement, self.roomy, self.free, self.make)
                if packs is not None:
                    return tuple(packs)
                is_once = statement.about is self.make.one
                in_order = replace(statement, body=self.again(body, repeated=True, is_once=is_once))
                if statement.beyond is not None:
                    alone = replace(statement.beyond.loop, start=statement.start, stop=statement.stop)
                    in_order = replace(in_order, beyond=None) if _has_schedules(in_order.body) else alone
                if statement.parallel is not None or statement.running:
                    return (in_order,)
                return self.tallied((), statement, in_order, repeated)
            case l.While(body=body):
                inside = self.again(body, repeated=repeated, is_once=takes_lines(statement))
                rounds = replace(statement, body=inside)
                over_counter = counted(self.make, statement, initial)
                return (rounds,) if over_counter is None else self.tallied(*over_counter, rounds, repeated)
            case l.If(then=then, other=other):
                first, second = self.block(then, repeated=repeated), self.block(other, repeated=repeated)
                return (replace(statement, then=first, other=second),)
            case _:
                return (statement,)

    def packed(self, body: tuple[l.Stm, ...], own: Collection[Buffer]) -> tuple[l.Stm, ...]:
        """The statements of a part, which keep elements in memory of its own as `compress_store` has it."""
        found: list[l.Stm] = []
        for statement in body if own else ():
            packs = in_packs(statement, own, self.free, self.make) if isinstance(statement, l.For) else None
            found += [l.with_bodies(statement, lambda b: self.packed(b, own))] if packs is None else packs
        return tuple(found) if own else body

    def again(self, body: tuple[l.Stm, ...], *, repeated: bool, is_once: bool = False) -> tuple[l.Stm, ...]:
        """The statements of a loop in order, with schedules; `is_once`: it most often has a single round."""
        self.rounds += not is_once
        found = self.block(body, repeated=repeated)
        self.rounds -= not is_once
        return found

    def tallied(
        self, before: tuple[l.Stm, ...], loop: l.For, in_order: l.For | l.While, repeated: bool
    ) -> tuple[l.Stm, ...]:
        """A loop that stands for one in order, if its rounds only accumulate."""
        found = accumulated(self.make, loop, lambda v: self.sets_first(loop.body, v))
        if found is None or any(self.changes_hands(b) for b, _ in found.arrays):
            return (in_order,)
        most = self.longest(self.make.sub(loop.stop, loop.start))
        if found.arrays and most is not None and most < MANY * loop.step and not self.always:
            return (in_order,)
        loop = replace(loop, parallel=found.variables)
        schedule = self.schedule(loop, repeated)
        if schedule is None:
            return (in_order,)
        array_reductions = tuple([self.array_reduction(*array) for array in found.arrays])
        schedule = replace(
            schedule,
            in_order=in_order,
            array_reductions=array_reductions,
            uneven=schedule.uneven and not array_reductions,
        )
        return (*before, replace(loop, schedule=schedule))

    def changes_hands(self, buffer: Buffer) -> bool:
        """Whether a buffer may have other memory than what was allocated for it."""
        return buffer not in self.sizes or buffer in self.exchanged

    def array_reduction(self, buffer: Buffer, op: Prim) -> l.ArrayReduction:
        """How an array is accumulated in memory of each part."""
        make = self.make
        own = Buffer(make.fresh(f"{buffer.name}_own"), buffer.ty, buffer.storage)
        size = self.sizes[buffer]
        place = Var(make.fresh("j"), Base.INT, True)
        after = make.call(op, make.read(buffer, place), make.read(own, place))
        join = l.For(place, make.zero, size, (l.Store(buffer, place, after),), (), independent=True)
        clear = replace(join, body=(l.Store(own, place, neutral(make, op)),))
        return l.ArrayReduction(buffer, own, size, clear, join)

    def has_longer(self, loop: l.For) -> bool:
        """Whether a loop is short and has one in it that is not known to be so."""
        if loop.parallel is None or not self.is_short(loop):
            return False
        inner = [s for s in within(loop.body) if isinstance(s, l.For)]
        return any(s.parallel is not None and not self.is_short(s) for s in inner)

    def is_short(self, loop: l.For) -> bool:
        length = self.make.sub(loop.stop, loop.start)
        return isinstance(length, Const) and length.value <= FEW * loop.step

    def schedule(self, loop: l.For, repeated: bool) -> l.Schedule | None:
        """How a loop runs in parts; None if it must not, or is known not to be worth it."""
        if loop.parallel is None or loop.descending:
            return None
        running = self.running(loop)
        if loop.running and running is None:
            return None
        last = self.set_anew(loop, {r.var for r in (*loop.parallel, *loop.running)})
        private = self.private_memory(loop)
        if last is None or private is None:
            return None
        joined = tuple([self.joined(r) for r in loop.parallel])
        loop = self.with_ends(loop)
        estimate = self.estimate
        work = (l.Term(WORTH),) if loop.is_share else estimate.of(loop)
        count = self.make.sub(loop.stop, loop.start)
        if isinstance(count, Const) and count.value <= loop.step:
            return None
        most = float(loop.about.value) if isinstance(loop.about, Const) else self.longest(count)
        total = (
            math.inf if most is None or any(t.extents for t in work) else most * sum([t.units for t in work])
        )
        if total / loop.step < (WORTH_AGAIN if self.rounds else WORTH) and not self.always:
            return None
        ends = loop.ends.buffer if isinstance(loop.ends, Read) and running is None else None
        has_rounds = any(isinstance(s, l.While) for s in within(loop.body))
        uneven = running is None and not loop.is_share and (has_rounds or estimate.grows)
        schedule = l.Schedule(work, joined, last, private, repeated, running, uneven, again=self.rounds > 0)
        if ends is None or uneven:
            return schedule
        return replace(schedule, ends=ends, in_order=self.item_by_item(loop), uneven=not private)

    def with_ends(self, loop: l.For) -> l.For:
        """A loop with what tells where its rows end, if loops inside go from a place to the next one."""
        if loop.ends is not None or loop.parallel is None or loop.running or loop.step != 1:
            return loop
        make, known = self.make, dict(self.values)
        for statement in within(loop.body):
            match statement:
                case l.Declare(var=var, value=value, mutable=False) if value is not None:
                    known[var] = value
                case l.For(start=start, stop=stop):
                    for length in (stop, make.sub(stop, start)):
                        found = self.places_of(self.estimate.named(length, known), loop.var)
                        if found is not None:
                            return replace(loop, ends=make.read(found, loop.stop))
                case _:
                    pass
        return loop

    def places_of(self, length: Exp, row: Var) -> Buffer | None:
        """The array with the places of rows, where the length of one is `places[row + 1] - places[row]`."""
        make = self.make
        const, terms = make.linear(length)
        if const != 0 or sorted(terms.values()) != [-1, 1]:
            return None
        start, stop = sorted(terms, key=lambda e: terms[e])
        if not (isinstance(start, Read) and isinstance(stop, Read)) or start.index is not row:
            return None
        is_next = start.buffer is stop.buffer and stop.index is make.add(row, make.one)
        return start.buffer if is_next else None

    def item_by_item(self, loop: l.For) -> l.For | None:
        """The loop in order, with loops inside that run in parts; None if there are none."""
        in_order = replace(loop, body=self.again(loop.body, repeated=True))
        return in_order if _has_schedules(in_order.body) else None

    def longest(self, count: Exp) -> float | None:
        """How often a loop runs at most, where that is known."""
        if (most := longest(count)) is not None:
            return float(most)
        count = self.estimate.named(count, self.values)
        terms, lengths = self.make.linear(count)[1], [count]
        for atom in terms:
            match atom:
                case Call(op=op, args=(whole, Const(value=by))) if op is QUOT:
                    if self.make.add(count, self.make.mul(self.make.const(by), atom)) is whole:
                        return float(by) - 1  # what is left over of blocks
                case Call(op=op, args=ends) if (op, terms[atom]) in ((p.MINI, 1), (p.MAXI, -1)):
                    changes = [
                        self.make.mul(self.make.const(terms[atom]), self.make.sub(end, atom)) for end in ends
                    ]
                    lengths += [self.make.add(length, change) for length in lengths for change in changes]
                case _:
                    pass
        known = [float(n.value) for n in lengths if isinstance(n, Const)]  # of a block
        return min(known) if known else None

    def running(self, loop: l.For) -> l.ParallelScan | None:
        """How a loop that reads what it accumulates runs in parts; None if it does not."""
        carried = {r.var for r in loop.running}
        assigned = {s.var for s in within(loop.body) if isinstance(s, l.Assign)}
        leaves = any(isinstance(s, l.Fail | l.Allocate | RuntimeCall) for s in within(loop.body))
        inside = {s.buffer for s in within(loop.body) if isinstance(s, l.Local)}
        if not carried & assigned or leaves or not self.stands_alone(loop, carried, inside):
            return None
        body = self.totals(loop.body, inside, carried | {v for v in assigned if v in _declared(loop.body)})
        keeps_nan = any(r.op in (p.MAXD, p.MIND) for r in loop.running)  # as lanes that are joined do not
        straight = loop.running if is_straight(list(body)) and not keeps_nan else None
        totals = replace(loop, body=body, reductions=straight, parallel=None, running=())
        places = {
            e: None  # in order, so that a program has the same C in every run
            for s in within(loop.body)
            if isinstance(s, l.Store) and s.buffer not in inside
            for e in nodes(s.position)
            if isinstance(e, Var)
        }
        rooms = [(v, Var(self.make.fresh("room"), v.ty)) for v in places if v in carried]
        packs = packs_of(loop, self.roomy, self.free, self.make, rooms)
        return l.ParallelScan(tuple([self.joined(r) for r in loop.running]), totals, tuple(rooms), packs)

    def stands_alone(self, loop: l.For, carried: set[Var], inside: set[Buffer]) -> bool:
        """Whether what is accumulated depends neither on what has been, nor on what the loop writes to memory
        from before.
        """
        late: set[Var] = set(carried)
        memory = {s.buffer for s in within(loop.body) if isinstance(s, l.Store)} - inside

        def is_late(exps: list[Exp], own: Var | None = None) -> bool:
            reads = {n.buffer for e in exps for n in nodes(e) if isinstance(n, Read)}
            free = {v for e in exps for v in self.free.of(e)}
            return bool(free & late - {own}) or bool(reads & memory)

        for _ in range(2):  # what a loop inside leaves for its next turn
            for statement in within(loop.body):
                found = is_late(l.own_expressions(statement))
                match statement:
                    case l.Assign(var=var, value=value) if var in carried:
                        if is_late([value], var):
                            return False
                    case l.Declare(var=var) | l.Assign(var=var) if found:
                        late.add(var)
                    case l.Store(buffer=buffer) if found and buffer in inside:
                        memory.add(buffer)
                    case l.If() | l.While() | l.For() if found:
                        return False
                    case _:
                        pass
        return True

    def totals(self, body: tuple[l.Stm, ...], inside: set[Buffer], kept: set[Var]) -> tuple[l.Stm, ...]:
        """Statements without what is written to memory from before, and what is assigned but not kept."""
        found: list[l.Stm] = []
        for statement in body:
            match statement:
                case l.Store(buffer=buffer) if buffer not in inside:
                    pass
                case l.Assign(var=var) if var not in kept:
                    pass
                case l.For(body=inner, reductions=reductions):
                    rest = self.totals(inner, inside, kept)
                    left = None if reductions is None else tuple([r for r in reductions if r.var in kept])
                    found.append(replace(statement, body=rest, reductions=left))
                case _:
                    found.append(l.with_bodies(statement, lambda inner: self.totals(inner, inside, kept)))
        return tuple(found)

    def joined(self, reduction: l.Reduction) -> l.Joined:
        """How what a part has accumulated joins what came before."""
        part = Var(self.make.fresh("part"), reduction.var.ty)
        return l.Joined(reduction, part, self.make.call(reduction.op, reduction.var, part))

    # --- what iterations may do ---

    def set_anew(self, loop: l.For, accumulated: set[Var]) -> tuple[Var, ...] | None:
        """The variables that each iteration sets before it reads them; None if one is carried from iteration
        to iteration, or something is done that only one thread can do.
        """
        declared: set[str] = {loop.var.name}
        assigned: dict[Var, None] = {}
        moved: Counter[Buffer] = Counter()
        for statement in within(loop.body):
            match statement:
                case l.Declare(var=var) | l.For(var=var):
                    declared.add(var.name)
                case l.Assign(var=var):
                    assigned[var] = None
                case l.Emit() | HostCall() | FunctionCall():
                    return None
                case RuntimeCall(with_host=with_host, written=written):
                    declared |= {v.name for v in written}
                    if with_host:
                        return None
                case _:
                    pass
            moved.update(_moved(statement))
        if any(self.mentions[buffer] != count for buffer, count in moved.items()):
            return None
        left = tuple([v for v in assigned if v not in accumulated and v.name not in declared])
        return left if all(self.sets_first(loop.body, v) for v in left) else None

    def sets_first(self, body: tuple[l.Stm, ...], var: Var) -> bool:
        """Whether statements begin by giving a variable a value that does not depend on it."""
        for statement in body:
            if isinstance(statement, l.Assign) and statement.var is var:
                return var not in self.free.of(statement.value)
            if any(var in self.free.of(e) for e in l.own_expressions(statement)) or bodies(statement):
                return False
        return False

    def private_memory(self, loop: l.For) -> tuple[l.Allocate, ...] | None:
        """The memory that each part allocates for itself."""
        inside = {s.buffer for s in within(loop.body) if isinstance(s, l.Allocate | l.Local)}
        wanted = [b for b in loop.private if b not in inside]
        if any(b not in self.allocations for b in wanted):
            return None
        return tuple([self.allocations[b] for b in wanted])


def _allocated(body: tuple[l.Stm, ...]) -> set[Buffer]:
    """The memory that statements ask for."""
    return {s.buffer for s in within(body) if isinstance(s, l.Allocate)}


def _has_schedules(body: tuple[l.Stm, ...]) -> bool:
    """Whether any loop in statements may run in parts."""
    return any(isinstance(s, l.For) and s.schedule is not None for s in within(body))


def _declared(body: tuple[l.Stm, ...]) -> set[Var]:
    """The variables that statements declare."""
    return {s.var for s in within(body) if isinstance(s, l.Declare)}


def _moved(statement: l.Stm) -> list[Buffer]:
    """The buffers that get memory from a statement, or lose it."""
    match statement:
        case l.Allocate(buffer=buffer) | l.Release(buffer=buffer):
            return [buffer]
        case Move(target=target, source=source):
            return [target, source]
        case Swap(first=first, second=second):
            return [first, second]
        case RuntimeCall(arguments=arguments, only_reads=kept):
            given = [a for a in arguments if isinstance(a, Buffer)]
            return [a for a in given if a.storage == TABLE and a not in kept]
        case HostCall(result=result):
            return _arrays((result,))
        case FunctionCall(results=results):
            return _arrays(results)
        case _:
            return []


def _arrays(references: tuple[Ref, ...]) -> list[Buffer]:
    found = [leaf for r in references for leaf in leaves(r)]
    return [leaf.buffer for leaf in found if isinstance(leaf, ArrayRef)]
