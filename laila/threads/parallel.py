"""Decides which loops run in threads, and cuts them into parts.

`generate` says of each loop whether its iterations may run in any order, and what they accumulate. Here the
outermost of such loops in each nest get a schedule: what an iteration costs, so that the run can tell whether
threads are worth it; how what the parts have accumulated is joined; which memory each part has for itself.

Note [Parts]
    A loop is cut into parts, as many as there are threads, each a run of neighbouring iterations. What they
    accumulate is joined in their order, so that a result is the same in each run with the same number of
    threads. An error is that of the first part that fails: the one that would come first in one thread.

Note [Work]
    The work of an iteration is counted in operations times the bytes of their lanes, in terms of the extents
    that are known before the loop. It decides between one thread and several, so it need not be exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import is_straight, lane_bytes, longest
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
    PureCall,
    Read,
    Var,
    nodes,
)
from aplc.laila.ir.simplify import Scalars
from aplc.laila.ir.statements import given_by, leaves
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.compress_store import VECTOR, packs_of
from aplc.laila.lowering.pull import weigh
from aplc.laila.lowering.scalars import neutral
from aplc.laila.threads.reduction_recognition import accumulated, counted
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

WORTH = 3.0e7
"""So much work is worth a second thread: some 150 µs, several times what it takes to wake one that sleeps."""

WORTH_AGAIN = WORTH / 8
"""The same in a loop, where threads still wait for what comes next."""

GUESS = 32
"""Iterations of a loop of which nothing is known before the one around it."""

MANY = 64
"""Rounds that are worth memory of its own for each part."""

FEW = 8
"""Iterations that are too few to be the parts of a loop, where a longer one stands inside."""

OF_A_RUN = 20_000.0
"""The work of a function of the run-time system."""


def parallelise(code: l.Code, make: Scalars, *, always: bool = False) -> l.Code:
    """The program with schedules beside its parallel loops; if `always`, beside the shortest too."""
    routines = tuple([replace(r, body=_Scheduler(make, always, r.body).whole()) for r in code.routines])
    return replace(code, statements=_Scheduler(make, always, code.statements).whole(), routines=routines)


def in_threads(code: l.Code) -> frozenset[str]:
    """The names of the buffers and variables that loops with schedules compute."""
    found: set[str] = set()
    for statement in within((*code.statements, *[s for r in code.routines for s in r.body])):
        if isinstance(statement, l.For) and statement.schedule is not None:
            found |= {s.buffer.name for s in within(statement.body) if isinstance(s, l.Store)}
            accumulated = (*(statement.parallel or ()), *statement.running)
            found |= {reduction.var.name for reduction in accumulated}
    return frozenset(found)


@dataclass(slots=True)
class _Scheduler:
    make: Scalars
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
                    return (replace(statement, schedule=schedule),)
                in_order = replace(statement, body=self.again(body, repeated=True))
                if statement.parallel is not None or statement.running:
                    return (in_order,)
                return self.tallied((), statement, in_order, repeated)
            case l.While(body=body):
                rounds = replace(statement, body=self.again(body, repeated=repeated))
                over_counter = counted(self.make, statement, initial)
                return (rounds,) if over_counter is None else self.tallied(*over_counter, rounds, repeated)
            case l.If(then=then, other=other):
                first, second = self.block(then, repeated=repeated), self.block(other, repeated=repeated)
                return (replace(statement, then=first, other=second),)
            case _:
                return (statement,)

    def again(self, body: tuple[l.Stm, ...], *, repeated: bool) -> tuple[l.Stm, ...]:
        """The statements of a loop in order, with schedules."""
        self.rounds += 1
        found = self.block(body, repeated=repeated)
        self.rounds -= 1
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
        apart = tuple([self.apart(*array) for array in found.arrays])
        schedule = replace(schedule, in_order=in_order, apart=apart, uneven=schedule.uneven and not apart)
        return (*before, replace(loop, schedule=schedule))

    def changes_hands(self, buffer: Buffer) -> bool:
        """Whether a buffer may have other memory than what was allocated for it."""
        return buffer not in self.sizes or buffer in self.exchanged

    def apart(self, buffer: Buffer, op: Prim) -> l.Apart:
        """How an array is accumulated in memory of each part."""
        make = self.make
        own = Buffer(make.fresh(f"{buffer.name}_own"), buffer.ty, buffer.storage)
        size = self.sizes[buffer]
        place = Var(make.fresh("j"), Base.INT, True)
        after = make.call(op, make.read(buffer, place), make.read(own, place))
        join = l.For(place, make.zero, size, (l.Store(buffer, place, after),), (), independent=True)
        clear = replace(join, body=(l.Store(own, place, neutral(make, op)),))
        return l.Apart(buffer, own, size, clear, join)

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
        work = self.work(loop)
        count = self.make.sub(loop.stop, loop.start)
        if isinstance(count, Const) and count.value <= loop.step:
            return None
        most = self.longest(count)
        total = (
            math.inf if most is None or any(t.extents for t in work) else most * sum([t.units for t in work])
        )
        if total / loop.step < (WORTH_AGAIN if self.rounds else WORTH) and not self.always:
            return None
        joined = tuple([self.joined(r) for r in loop.parallel])
        uneven = running is None and any(isinstance(s, l.While) for s in within(loop.body))
        return l.Schedule(work, joined, last, private, repeated, running, uneven, again=self.rounds > 0)

    def longest(self, count: Exp) -> float | None:
        """How often a loop runs at most, where that is known."""
        if (most := longest(count)) is not None:
            return float(most)
        count = self.named(count, self.values)
        const, terms = self.make.linear(count)
        for atom in terms:
            match atom:
                case Call(op=op, args=(whole, Const(value=by))) if op is QUOT:
                    if const == 0 and terms == {whole: 1, atom: -by}:
                        return float(by) - 1  # what is left over of blocks
                case _:
                    pass
        return float(count.value) if isinstance(count, Const) else None

    def running(self, loop: l.For) -> l.Running | None:
        """How a loop that reads what it accumulates runs in parts; None if it does not."""
        carried = {r.var for r in loop.running}
        assigned = {s.var for s in within(loop.body) if isinstance(s, l.Assign)}
        leaves = any(isinstance(s, l.Fail | l.Allocate | RuntimeCall) for s in within(loop.body))
        inside = {s.buffer for s in within(loop.body) if isinstance(s, l.Local)}
        if not carried & assigned or leaves or not self.stands_alone(loop, carried, inside):
            return None
        body = self.totals(loop.body, inside, carried | {v for v in assigned if v in _declared(loop.body)})
        straight = loop.running if is_straight(list(body)) else None
        totals = replace(loop, body=body, reductions=straight, parallel=None, running=())
        places = {
            e: None  # in order, so that a program has the same C in every run
            for s in within(loop.body)
            if isinstance(s, l.Store) and s.buffer not in inside
            for e in nodes(s.position)
            if isinstance(e, Var)
        }
        rooms = [(v, Var(self.make.fresh("room"), v.ty)) for v in places if v in carried]
        ours = [b for b, made in self.allocations.items() if made.room >= VECTOR and b not in self.exchanged]
        packs = packs_of(loop, ours, self.free, self.make, rooms[0][1]) if len(rooms) == 1 else None
        return l.Running(tuple([self.joined(r) for r in loop.running]), totals, tuple(rooms), packs)

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
                found = is_late(_expressions(statement))
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
            if any(var in self.free.of(e) for e in _expressions(statement)) or bodies(statement):
                return False
        return False

    def private_memory(self, loop: l.For) -> tuple[l.Allocate, ...] | None:
        """The memory that each part allocates for itself."""
        inside = {s.buffer for s in within(loop.body) if isinstance(s, l.Allocate | l.Local)}
        wanted = [b for b in loop.private if b not in inside]
        if any(b not in self.allocations for b in wanted):
            return None
        return tuple([self.allocations[b] for b in wanted])

    # --- what they cost ---

    def work(self, loop: l.For) -> tuple[l.Term, ...]:
        """The work of one iteration: see Note [Work]."""
        found: dict[tuple[int, ...], l.Term] = {}
        known: dict[Exp, Exp] = {}
        for term in self.terms(loop.body, {loop.var.name}, known):
            key = tuple([id(e) for e in term.extents])
            before = found[key].units if key in found else 0.0
            found[key] = l.Term(before + term.units, term.extents)
        return tuple(found.values())

    def terms(self, body: tuple[l.Stm, ...], inside: set[str], known: dict[Exp, Exp]) -> Iterator[l.Term]:
        """The work of statements; `inside` names variables of the loop, `known` is what some of them are."""
        for statement in body:
            yield l.Term(_units(statement))
            match statement:
                case l.Declare(var=var, value=value, mutable=mutable):
                    inside.add(var.name)
                    if not mutable and value is not None:
                        known[var] = value
                case l.For(var=var, start=start, stop=stop, body=inner, step=step, about=about):
                    inside.add(var.name)
                    times, extents = self.times(about or self.make.sub(stop, start), inside, known)
                    for term in self.terms(inner, inside, known):
                        units = term.units * (times / step if extents else max(1.0, times / step))
                        yield l.Term(units, (*extents, *term.extents))
                case l.While(body=inner):
                    for term in self.terms(inner, inside, known):
                        yield l.Term(term.units * GUESS, term.extents)
                case l.If(then=then, other=other):
                    share = 0.5 if then and other else 1.0
                    for term in self.terms((*then, *other), inside, known):
                        yield l.Term(term.units * share, term.extents)
                case RuntimeCall() | HostCall() | FunctionCall():
                    inside |= {var.name for var in given_by(statement)}
                case _:
                    pass

    def times(self, extent: Exp, inside: set[str], known: dict[Exp, Exp]) -> tuple[float, tuple[Exp, ...]]:
        """How often a loop runs: a number, and an extent that is known before the outermost loop."""
        extent = self.named(extent, known)
        if isinstance(extent, Const):
            return float(extent.value), ()
        is_read = any(isinstance(n, Read | PureCall) for n in nodes(extent))
        is_hidden = is_read or not self.free.names(extent).isdisjoint(inside)
        return (self.most(extent), ()) if is_hidden else (1.0, (extent,))

    def named(self, exp: Exp, known: dict[Exp, Exp]) -> Exp:
        """An expression with what some variables stand for."""
        for _ in range(4):  # names of names
            if not self.free.of(exp) & known.keys():
                break
            exp = Substitute(self.make, known)(exp)
        return exp

    def most(self, extent: Exp) -> float:
        """The length of a block, of which only the last is shorter; a guess for what is no block."""
        for atom, times in self.make.linear(extent)[1].items():
            if times == 1 and isinstance(atom, Call) and atom.op is p.MINI:
                for end in atom.args:
                    length = self.make.add(self.make.sub(extent, atom), end)
                    if isinstance(length, Const):
                        return float(length.value)
        return float(GUESS)


def _declared(body: tuple[l.Stm, ...]) -> set[Var]:
    """The variables that statements declare."""
    return {s.var for s in within(body) if isinstance(s, l.Declare)}


def _units(statement: l.Stm) -> float:
    """The work of one statement, without those inside."""
    if isinstance(statement, RuntimeCall):
        return OF_A_RUN
    if isinstance(statement, l.Store):
        exps, least = [statement.value], statement.buffer.item_bytes
    else:
        exps, least = _expressions(statement), 0
    found = 0.0
    for exp in exps:
        lanes = [n.buffer.item_bytes for n in nodes(exp) if isinstance(n, Read)]
        found += (1 + weigh(exp).cost) * max([least or lane_bytes(exp.ty), *lanes])
    return found


def _expressions(statement: l.Stm) -> list[Exp]:
    """The expressions that a statement evaluates itself."""
    match statement:
        case l.Declare(value=value):
            return [] if value is None else [value]
        case l.Assign(value=value):
            return [value]
        case l.Store(position=position, value=value):
            return [position, value]
        case l.For(start=start, stop=stop):
            return [start, stop]
        case l.If(cond=cond) | l.While(cond=cond):
            return [cond]
        case l.Fail(ok=ok, reported=reported):
            return [ok, *reported]
        case l.Allocate(size=size):
            return [size]
        case RuntimeCall(arguments=arguments):
            return [a for a in arguments if not isinstance(a, Buffer)]
        case _:
            return []


def _moved(statement: l.Stm) -> list[Buffer]:
    """The buffers that get memory from a statement, or lose it."""
    match statement:
        case l.Allocate(buffer=buffer) | l.Release(buffer=buffer):
            return [buffer]
        case Move(target=target, source=source):
            return [target, source]
        case Swap(first=first, second=second):
            return [first, second]
        case RuntimeCall(arguments=arguments):
            return [a for a in arguments if isinstance(a, Buffer) and a.storage == TABLE]
        case HostCall(result=result):
            return _arrays((result,))
        case FunctionCall(results=results):
            return _arrays(results)
        case _:
            return []


def _arrays(references: tuple[Ref, ...]) -> list[Buffer]:
    found = [leaf for r in references for leaf in leaves(r)]
    return [leaf.buffer for leaf in found if isinstance(leaf, ArrayRef)]
