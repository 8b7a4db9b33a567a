"""Loops over narrow elements in whole vectors, the last one with a mask: from loops to loops.

Note [Whole vectors]
    Many narrow elements fit a vector, so a loop whose extent is not a multiple of that leaves many that
    would be computed one by one. They are computed as one vector more, in which those behind the last keep
    their values:

        for i in a … b { x[i] = f(y[i+k]) }
        →   for i in a … w by 64 { for j < 64 { x[i+j] = f(y[i+j+k]) } }
            if w < b { for j < 64 { x[w+j] = j < b-w ? f(y[w+j+k]) : x[w+j] } }

    This reads and writes behind the last element: memory that the program allocates has room for a vector
    there. What lies there may be part of what another thread computes, so loops inside of what may run in
    parts stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from laila import loops as l
from laila.pack import in_packs
from laila.parallel import within
from laila.program import Swap, Take
from laila.ranges import width_of
from laila.rounds import TRAPPING
from laila.scalar import (
    QUOT,
    Buffer,
    Call,
    Check,
    Const,
    Do,
    Exp,
    Fold,
    FreeVars,
    Lookup,
    Read,
    Select,
    Var,
    nodes,
    operands,
)
from laila.simplify import Scalars
from laila.substitute import Substitute
from tail import prims as p
from tail.types import Base

VECTOR = 64
"""Bytes of a vector, and the room behind arrays."""

WIDEST = 16
"""Bits of elements that are narrow."""


def in_whole_vectors(code: l.Code, make: Scalars, *, threads: bool) -> l.Code:
    """The program with loops over narrow elements as Note [Whole vectors] has them."""
    routines = tuple([replace(r, body=_Loops(make, r.body, threads).block(r.body)) for r in code.routines])
    return l.Code(_Loops(make, code.statements, threads).block(code.statements), routines)


class _Loops:
    """The loops of a program, or of a routine."""

    def __init__(self, make: Scalars, statements: tuple[l.Stm, ...], threads: bool) -> None:
        self.make = make
        self.free = FreeVars()
        self.threads = threads
        self.roomy = _with_room(statements)
        self.masks: dict[int, Buffer] = {}

    def block(self, statements: tuple[l.Stm, ...], *, in_parts: bool = False) -> tuple[l.Stm, ...]:
        """Statements with their loops in whole vectors; `in_parts` are those of a loop that may be cut."""
        return tuple([new for s in statements for new in self.statement(s, in_parts)])

    def statement(self, statement: l.Stm, in_parts: bool) -> Iterable[l.Stm]:
        match statement:
            case l.For(body=body, parallel=parallel):
                lanes = None if in_parts else self.lanes_of(statement)
                if lanes is not None:
                    return self.in_vectors(statement, lanes)
                packs = None if self.threads else in_packs(statement, self.roomy, self.free, self.make)
                if packs is not None:
                    return packs
                in_parts = in_parts or (self.threads and parallel is not None)
                return (replace(statement, body=self.block(body, in_parts=in_parts)),)
            case l.While(body=body):
                return (replace(statement, body=self.block(body, in_parts=in_parts)),)
            case l.If(then=then, other=other):
                first, second = [self.block(b, in_parts=in_parts) for b in (then, other)]
                return (replace(statement, then=first, other=second),)
            case _:
                return (statement,)

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
        if any(b not in self.roomy or b.ty is Base.DOUBLE for b, _ in places):
            return None
        widest = max([width_of(b.storage) for b, _ in places])
        if widest > WIDEST or any(self.make.linear(e)[1].get(loop.var) != 1 for _, e in places):
            return None
        lanes = 8 * VECTOR // widest
        length = self.make.sub(loop.stop, loop.start)
        is_even = isinstance(length, Const) and (length.value % lanes == 0 or length.value < lanes // 4)
        return None if is_even else lanes

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
                    if any(isinstance(n, Read) for n in nodes(*rest)):
                        return None
                    stack += operands(node)
                case Check() | Do() | Fold() | Lookup():
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
        length = make.call(p.MAXI, make.sub(loop.stop, loop.start), make.zero)
        whole = make.between("whole", (loop.start,), (loop.stop,))
        yield l.Declare(whole, make.add(loop.start, make.mul(many, make.call(QUOT, length, many))))
        first = Var(make.fresh(loop.var.name), Base.INT, True, loop.var.lows, loop.var.highs)
        vector = self.vector(loop, first, lanes, None)
        yield replace(loop, var=first, stop=whole, body=(vector,), step=lanes, reductions=None)
        more = make.between("more", (make.one,), (make.const(lanes),))
        masked = (
            l.Declare(more, make.sub(make.add(whole, many), loop.stop)),
            self.vector(loop, whole, lanes, more),
        )
        yield l.If(make.call(p.LTI, whole, loop.stop), masked)

    def vector(self, loop: l.For, first: Var, lanes: int, more: Var | None) -> l.For:
        """The elements of one vector, perhaps but so many more than there are."""
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
                        new = make.select(is_element, new, make.read(buffer, place))
                    body.append(l.Store(buffer, place, new))
                case _:
                    body.append(statement)
        return replace(
            loop, var=lane, start=make.zero, stop=make.const(lanes), body=tuple(body), parallel=None
        )

    def mask(self, lanes: int) -> Buffer:
        """A table from which masks are read: as many lanes with an element as without."""
        if lanes not in self.masks:
            marks = (True,) * lanes + (False,) * lanes
            self.masks[lanes] = Buffer(self.make.fresh("mask"), Base.BOOL, "bool", data=marks)
        return self.masks[lanes]


def _with_room(statements: tuple[l.Stm, ...]) -> frozenset[Buffer]:
    """The buffers that only ever have memory that the program allocates."""
    every = list(within(statements))
    found = {s.buffer for s in every if isinstance(s, l.Allocate)}
    pairs = [(s.first, s.second) for s in every if isinstance(s, Swap)]
    pairs += [(s.target, s.source) for s in every if isinstance(s, Take)]
    while True:
        given = {b for pair in pairs for b in pair if found & {*pair} != {*pair}}
        if not given & found:
            return frozenset(found)
        found -= given
