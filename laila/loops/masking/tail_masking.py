"""Vectorises loops over narrow elements in whole vectors, the last of which is masked.

Note [Whole vectors]
    Many narrow elements fit a vector, so a loop whose extent is not a multiple of that leaves many that
    would be computed one by one. They are computed as one vector more, in which those behind the last keep
    their values:

        for i in a … b { x[i] = f(y[i+k]) }
        →   for i in a … w by 64 { for j < 64 { x[i+j] = f(y[i+j+k]) } }
            if w < b { for j < 64 { x[w+j] = j < b-w ? f(y[w+j+k]) : x[w+j] } }

    This reads and writes behind the last element: memory that is touched so is allocated with room for a
    vector there. What lies there may be part of what another thread computes, so loops inside of what may
    run in parts stay as they are, unless they write memory that each part has for itself, and read none that
    other parts write: then the loops between run in order. It may also be what the same loop writes
    elsewhere, as where it does several short rows: then each of them has a vector of its own, one after the
    other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.liveness import buffers_read, introduced
from aplc.laila.ir.loops import with_bodies, within
from aplc.laila.ir.program import FunctionCall, HostCall, Move, Swap
from aplc.laila.ir.ranges import width_of
from aplc.laila.ir.rounds import TRAPPING
from aplc.laila.ir.scalar import (
    BlockExp,
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
    Var,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.strides import steps_by_one
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.masking.compress_store import end_of_whole, in_packs
from aplc.laila.loops.masking.part_tails import last_rows
from aplc.tail import prims as p
from aplc.tail.types import Base

FEW = 8
"""Iterations that are too few to be known to run in parts."""

VECTOR = 64
"""Bytes of a vector, and the room behind arrays."""

WIDEST = 16
"""Bits of elements that are narrow."""


def in_whole_vectors(code: l.Code, make: ExprBuilder, *, threads: bool) -> l.Code:
    """The program with loops over narrow elements as Note [Whole vectors] has them, and what is kept of an
    array as `compress_store` has it.
    """
    return l.with_blocks(code, lambda block: _Loops(make, block, threads).whole())


class _Loops:
    """The loops of a program, or of a routine."""

    def __init__(self, make: ExprBuilder, statements: tuple[l.Stm, ...], threads: bool) -> None:
        self.make = make
        self.free = FreeVars()
        self.threads = threads
        self.statements = statements
        self.families = families(statements)
        self.roomy: set[Buffer] = set()
        """The buffers whose memory needs room."""
        self.masks: dict[int, Buffer] = {}
        self.written: dict[Buffer, None] = {}
        """What is written behind its last element, in loops that may run in parts."""
        self.shared: frozenset[Buffer] = frozenset()
        """What parts write that is not their own: behind what one of them reads another may write."""
        self.is_in_share = False
        """Whether a loop around is cut in any case, so that those inside it are not."""

    def whole(self) -> tuple[l.Stm, ...]:
        """All statements."""
        found = self.block(self.statements)
        return found if not self.roomy else self.with_room(found)

    def with_room(self, statements: tuple[l.Stm, ...]) -> tuple[l.Stm, ...]:
        """Statements that allocate room behind arrays."""
        return tuple(
            [
                replace(s, room=VECTOR)
                if isinstance(s, l.Allocate) and s.buffer in self.roomy
                else with_bodies(s, self.with_room)
                for s in statements
            ]
        )

    def block(self, statements: tuple[l.Stm, ...], own: frozenset[Buffer] | None = None) -> tuple[l.Stm, ...]:
        """Statements with their loops in whole vectors; those of a loop that may be cut have `own` memory in
        each part.
        """
        return tuple([new for s in statements for new in self.statement(s, own)])

    def statement(self, statement: l.Stm, own: frozenset[Buffer] | None) -> Iterable[l.Stm]:
        if not isinstance(statement, l.For):
            return (with_bodies(statement, lambda body: self.block(body, own)),)
        stored = [s.buffer for s in statement.body if isinstance(s, l.Store)]
        if own is None or (own.issuperset(stored) and self.shared.isdisjoint(_read(statement))):
            lanes = self.lanes_of(statement)
            if lanes is not None:
                self.written |= dict.fromkeys(stored)
                return self.in_vectors(statement, lanes)
        is_alone = self.is_in_share and own is not None and own.issuperset(stored)
        packs = in_packs(statement, self.families, self.free, self.make)
        if packs is not None:
            self.touched(stored)
            return [statement] if self.threads and not is_alone else packs  # in parts: see `parallel`
        if not self.threads or statement.parallel is None:
            return (with_bodies(statement, lambda body: self.block(body, own)),)
        return (self.in_parts(statement, own),)

    def in_parts(self, loop: l.For, around: frozenset[Buffer] | None) -> l.For:
        """A loop that may run in parts, which have memory of their own, as those of loops around it do."""
        before, self.written = self.written, {}
        private = _own_memory(loop, self.make)
        outside, self.shared = self.shared, self.shared | _stored(loop) - private
        was_in_share, self.is_in_share = self.is_in_share, self.is_in_share or loop.is_share
        body = self.block(loop.body, private if around is None else around | private)
        self.shared, self.is_in_share = outside, was_in_share
        is_in_order = not private.issuperset(self.written)
        beyond = self.beyond(loop) if around is None and not private else None
        self.written |= before
        if is_in_order:
            return replace(loop, body=body, parallel=None, running=())
        return replace(loop, body=body, beyond=beyond)

    def beyond(self, loop: l.For) -> l.Beyond | None:
        """What may take the place of a loop over rows: see Note [Vectors behind rows]."""
        is_plain = loop.parallel == () and not loop.running and loop.step == 1 and not loop.descending
        stored = _stored(loop)
        if not is_plain or not any(width_of(b.storage) <= WIDEST for b in stored):
            return None
        self.written = {}
        roomy = set(self.roomy)
        body = self.block(loop.body, stored)
        last = last_rows(self.make, self.free, loop, tuple(self.written), VECTOR) if self.written else None
        if last is None:
            self.roomy = roomy
            return None
        return l.Beyond(replace(loop, body=body, parallel=None), last)

    def touched(self, buffers: Iterable[Buffer]) -> None:
        """Notes that something reads or writes behind arrays."""
        for buffer in buffers:
            self.roomy |= self.families[buffer]

    def lanes_of(self, loop: l.For) -> int | None:
        """How many elements a vector of a loop has; None if it is no loop for Note [Whole vectors]."""
        if loop.descending or loop.step != 1 or loop.running or loop.private:
            return None
        places: list[tuple[Buffer, Exp]] = []
        values: list[Exp] = []
        for statement in loop.body:
            match statement:
                case l.Store(buffer=buffer, position=position, value=value):
                    places.append((buffer, position))
                    values.append(value)
                case l.Declare(value=value, mutable=False) if value is not None:
                    values.append(value)
                case _:
                    return None
        reads = self.reads_of(values, loop.var)
        if not places or reads is None:
            return None
        places += [(read.buffer, read.index) for read in reads]
        if any(b not in self.families or b.ty is Base.DOUBLE for b, _ in places):
            return None
        widest = max([width_of(b.storage) for b, _ in places])
        if widest > WIDEST or not all(self.is_along(e, loop.var) for _, e in places):
            return None
        lanes = 8 * VECTOR // widest
        length = self.make.sub(loop.stop, loop.start)
        is_even = isinstance(length, Const) and (length.value % lanes == 0 or length.value < lanes // 4)
        if is_even:
            return None
        self.touched([b for b, _ in places])
        return lanes

    def is_along(self, position: Exp, index: Var) -> bool:
        """Whether the next index means the next element."""
        steps = steps_by_one(self.make, self.free, position, index)
        return steps and self.make.linear(position)[1][index] == 1

    def reads_of(self, values: list[Exp], index: Var) -> list[Read] | None:
        """The reads at places that depend on an index; None if more than reading depends on it, or if a read
        is not certain, so that behind the last element it may be far away.
        """
        found: list[Read] = []
        seen: set[int] = set()
        stack = list(values)
        while stack:
            node = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            match node:
                case Read(index=place):
                    if index in self.free.of(place):
                        found.append(node)
                case Select(cond=cond) if index in self.free.of(cond):
                    rest = (node.then, node.other)
                    if contains(Read, *rest):
                        return None
                    stack += operands(node)
                case Check() | BlockExp() | Fold() | PureCall():
                    return None
                case Call(op=op) if op in TRAPPING:
                    return None
                case Var() if node is index:
                    return None
                case _:
                    stack += operands(node)
        return found

    def in_vectors(self, loop: l.For, lanes: int) -> Iterable[l.Stm]:
        """The vectors of a loop that are whole, and one with a mask."""
        make, many = self.make, self.make.const(lanes)
        declared, end = end_of_whole(make, loop, lanes)
        yield from declared
        if not make.at_least(loop.start, end):
            first = Var(make.fresh(loop.var.name), Base.INT, True, loop.var.lows, loop.var.highs)
            vector = self.vector(loop, first, lanes, None)
            yield replace(loop, var=first, stop=end, body=(vector,), step=lanes, reductions=None)
        over = make.sub(make.add(end, many), loop.stop)
        more = make.between("more", (make.one,), (many,))
        apart = self.apart(loop)
        is_known = isinstance(over, Const)
        named = () if is_known else (l.Declare(more, over),)
        masked = (*named, *[self.vector(each, end, lanes, over if is_known else more) for each in apart])
        is_left = make.call(p.LTI, end, loop.stop)
        if not isinstance(is_left, Const):
            yield l.If(is_left, masked)
        elif is_left.value:
            yield from masked

    def apart(self, loop: l.For) -> list[l.For]:
        """The loop, or one for each store where several are to the same array; where such loops would read
        what another one has written, the loop as one whose order counts.
        """
        stores = [s for s in loop.body if isinstance(s, l.Store)]
        written = {s.buffer for s in stores}
        if len(written) == len(stores):
            return [loop]
        found = []
        for store in stores:
            body: list[l.Stm] = [store]
            needs = {*self.free.names(store.position), *self.free.names(store.value)}
            for statement in reversed(loop.body[: loop.body.index(store)]):
                match statement:
                    case l.Declare(var=var, value=value) if value is not None and var.name in needs:
                        needs |= self.free.names(value)
                        body.insert(0, statement)
                    case _:
                        pass
            values = [s.value for s in body if isinstance(s, l.Declare | l.Store) and s.value is not None]
            reads = [n for n in nodes(*values) if isinstance(n, Read) and n.buffer in written]
            if any(n.buffer is not store.buffer or n.index is not store.position for n in reads):
                return [replace(loop, reductions=None)]
            found.append(replace(loop, body=tuple(body)))
        return found

    def vector(self, loop: l.For, first: Exp, lanes: int, more: Exp | None) -> l.For:
        """The elements of one vector, perhaps but so many more than there are. Where rounds of the loop may
        run at the same time, C compilers are told so: they do not see it where one of two places is read.
        """
        make = self.make
        lane = make.index("j", make.const(lanes))
        change = Substitute(make, {loop.var: make.add(first, lane)})
        body: list[l.Stm] = []
        for statement in loop.body:
            match statement:
                case l.Declare(var=var, value=value) if value is not None:
                    body.append(l.Declare(var, change(value)))
                case l.Store(buffer=buffer, position=position, value=value):
                    place, new = change(position), change(value)
                    if more is not None:
                        is_element = make.read(self.mask(lanes), make.add(more, lane))
                        new, old = self.named(new, body), self.named(make.read(buffer, place), body)
                        new = make.select(is_element, new, old)
                    body.append(l.Store(buffer, place, new))
                case _:
                    body.append(statement)
        return replace(
            loop,
            var=lane,
            start=make.zero,
            stop=make.const(lanes),
            body=tuple(body),
            independent=loop.independent or loop.parallel == (),
            parallel=None,
        )

    def named(self, value: Exp, body: list[l.Stm]) -> Exp:
        """A value as a variable: what is read or computed in one branch of a choice makes C compilers branch,
        and clang then writes some lanes one by one.
        """
        if isinstance(value, Const | Var):
            return value
        var = Var(self.make.fresh("x"), value.ty)
        body.append(l.Declare(var, value))
        return var

    def mask(self, lanes: int) -> Buffer:
        """A table from which masks are read: as many lanes with an element as without."""
        if lanes not in self.masks:
            marks = (True,) * lanes + (False,) * lanes
            self.masks[lanes] = Buffer(self.make.fresh("mask"), Base.BOOL, "bool", data=marks)
        return self.masks[lanes]


def _stored(loop: l.For) -> frozenset[Buffer]:
    """The memory that a loop writes, and loops in it."""
    return frozenset([s.buffer for s in within(loop.body) if isinstance(s, l.Store)])


def _read(loop: l.For) -> list[Buffer]:
    """The memory that the statements of a loop read."""
    values = [s.value for s in loop.body if isinstance(s, l.Store | l.Declare)]
    return buffers_read(*[value for value in values if value is not None])


def _own_memory(loop: l.For, make: ExprBuilder) -> frozenset[Buffer]:
    """The memory that each part of a loop has for itself; none where the loop may turn out not to be cut."""
    every = list(within(loop.body))
    count = make.sub(loop.stop, loop.start)
    is_short = isinstance(count, Const) and count.value <= FEW * loop.step
    if is_short or any(isinstance(s, l.Emit | HostCall | FunctionCall) for s in every):
        return frozenset()
    return frozenset([*loop.private, *[s.buffer for s in every if isinstance(s, l.Allocate)]])


def families(statements: tuple[l.Stm, ...]) -> dict[Buffer, set[Buffer]]:
    """The buffers that only ever have memory that the program allocates, with those that it moves between."""
    every = list(within(statements))
    begun = [s.buffer for s in every if isinstance(s, l.Allocate) and not s.is_there]
    found = {b: {b} for b in dict.fromkeys(begun)}
    targets = {s.target for s in every if isinstance(s, Move)}
    calls = [s for s in every if isinstance(s, HostCall | FunctionCall)]
    targets.difference_update([b for call in calls for b in introduced(call)])
    strangers: set[Buffer] = set()
    for statement in every:
        match statement:
            case Swap(first=a, second=b) | Move(target=a, source=b):
                family = found.get(a, {a}) | found.get(b, {b})
                strangers.update([each for each in (a, b) if each not in found and each not in targets])
                found |= {each: family for each in family}
            case _:
                pass
    return {b: family for b, family in found.items() if not family & strangers}
