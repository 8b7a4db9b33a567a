"""Arrays of integers that a round makes small, whatever they were: rounds behind the first have narrow ones.

    while k < n { MAP b[i] = f(a); swap a b; k := k + 1 }
        →   alloc c, d; began := k < n
            if began { MAP c[i] = f(a); k := k + 1 }
            while k < n { MAP d[i] = f(c); swap c d; k := k + 1 }
            if began { MAP a[i] = c[i] }

The states of an automaton, or what comparisons and tables make, are a few numbers from the first round on,
though what it begins with may be any: memory is moved as bytes then, and lanes are as many more. How narrow
they are `narrow_values` finds, whose ranges tell here that it pays.

Legal: a round writes all of the new array in one map, the old one changes by the exchange alone, and behind
that a round mentions neither. A loop that does not begin asks its condition twice, and nothing changes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import mentioned
from aplc.laila.ir.program import (
    Alloc,
    Assign,
    Free,
    HostCheck,
    HostLet,
    If,
    Map,
    Program,
    Reduce,
    Space,
    Statement,
    Swap,
    While,
)
from aplc.laila.ir.ranges import Ranges, storage_for, width_of
from aplc.laila.ir.scalar import BlockExp, Buffer, PureCall, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, with_bodies, within
from aplc.laila.lowering.pull import from_index
from aplc.laila.transform.narrow import Narrowing
from aplc.laila.transform.rounds.narrow_states import WIDEST
from aplc.laila.transform.stored_ranges import Survey
from aplc.tail.types import Base

MOST = 12
"""Rounds of so many statements, without those of memory, are there twice, at most."""


def with_states_settled(program: Program, make: ExprBuilder) -> Program:
    """The program with rounds on narrow arrays behind the first."""
    if not any(isinstance(s, While) and _swaps(s) for s in within(program.statements)):
        return program
    settling = _Settling(make, Survey(program, is_single=make.settings.is_single), program)
    return replace(program, statements=settling.block(program.statements))


def _swaps(loop: While) -> list[Swap]:
    return [s for s in loop.body if isinstance(s, Swap)]


class _Settling:
    """The loops of a program, of which the ranges are known."""

    def __init__(self, make: ExprBuilder, survey: Survey, program: Program) -> None:
        self.make, self.survey = make, survey
        self.everything = list(within(program.statements))

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements with their loops changed."""
        result: list[Statement] = []
        for statement in statements:
            found = self.states(statement, statements) if isinstance(statement, While) else []
            if found:
                assert isinstance(statement, While)
                result += self.settled(statement, found)
            else:
                result.append(with_bodies(statement, self.block))
        gone = {s.second for s in statements if isinstance(s, While) for s in self.states(s, statements)}
        return tuple([s for s in result if not (isinstance(s, Alloc | Free) and s.buffer in gone)])

    def states(self, loop: While, block: Sequence[Statement]) -> list[Swap]:
        """The exchanges of old arrays and new ones, if each of them is of such a kind."""
        swaps = _swaps(loop)
        plain = Alloc | Free | Assign | HostLet | HostCheck | Map | Reduce | Swap
        size = sum(not isinstance(s, Alloc | Free) for s in loop.body)
        if not swaps or size > MOST or not all(isinstance(s, plain) for s in loop.body):
            return []
        own = [n for s in loop.body for n in nodes(*own_expressions(s))]
        if any(isinstance(n, BlockExp | PureCall) for n in own):
            return []
        allocs = {s.buffer: s for s in block if isinstance(s, Alloc)}
        return swaps if all(self.settles(loop, s, allocs) for s in swaps) else []

    def settles(self, loop: While, swap: Swap, allocs: dict[Buffer, Alloc]) -> bool:
        """Whether a round makes small numbers of any, and all of them."""
        old, new = swap.first, swap.second
        if old.ty is not Base.INT or old.storage != new.storage or new.asked or new not in allocs:
            return False
        if old not in allocs or allocs[old].size is not allocs[new].size or contains(Read, loop.cond):
            return False
        place = loop.body.index(swap)
        writers = [s for s in loop.body if isinstance(s, Map) and s.buffer is new]
        others = [s for s in loop.body if isinstance(s, Map | Alloc | Free) and s.buffer is old]
        rest: list[Statement] = [s for s in loop.body if isinstance(s, Alloc | Free | Swap) and s is not swap]
        if (
            len(writers) != 1
            or others
            or any({old, new} & set(mentioned(s)) for s in (*rest, *loop.body[place + 1 :]))
        ):
            return False
        (writer,) = writers
        if any(new in mentioned(s) for s in loop.body[: loop.body.index(writer)]):
            return False
        outside = [
            s for s in self.everything if new in mentioned(s) and not isinstance(s, Alloc | Free | While)
        ]
        if any(s not in loop.body for s in outside):
            return False
        space, make = writer.space, self.make
        is_whole = (
            make.product(space.extents) is allocs[new].size and writer.guard is None and not writer.ordered
        )
        if not is_whole or writer.position is not from_index(make, space.extents, space.indices):
            return False
        return self.is_narrow(self.survey.ranges, writer) and not self.is_known(old)

    def is_narrow(self, ranges: Ranges, writer: Map) -> bool:
        """Whether what a round writes has a few bits."""
        found = ranges.integers(writer.body)
        return not found.is_empty and width_of(storage_for(found)) <= WIDEST

    def is_known(self, old: Buffer) -> bool:
        """Whether the array is narrow as it is."""
        found = self.survey.stored.get(old)
        return found is not None and not found.is_empty and width_of(storage_for(found)) <= WIDEST

    def settled(self, loop: While, swaps: Sequence[Swap]) -> list[Statement]:
        """The loop in two parts, and what is around them."""
        make = self.make
        narrow: dict[Buffer, Buffer] = {}
        first: dict[Buffer, Buffer] = {}
        memory: list[Statement] = []
        ends: list[Statement] = []
        back: list[Statement] = []
        allocs = {s.buffer: s for s in self.everything if isinstance(s, Alloc)}
        for swap in swaps:
            alloc = allocs[swap.second]
            c, d = [replace(b, name=make.fresh(b.name)) for b in (swap.first, swap.second)]
            narrow |= {swap.first: c, swap.second: d}
            first[swap.second] = c
            memory += [replace(alloc, buffer=b) for b in (c, d)]
            ends += [Free(c), Free(d)]
            i = make.index("i", alloc.size)
            back.append(Map(swap.first, Space((i,), (alloc.size,)), i, make.read(c, i)))
        own = {
            s.buffer: replace(s.buffer, name=make.fresh(s.buffer.name))
            for s in loop.body
            if isinstance(s, Alloc)
        }
        began = Var(make.fresh("began"), Base.BOOL)
        once = [s for s in loop.body if not isinstance(s, Swap)]
        renamed = Narrowing(make, Ranges(is_single=make.settings.is_single), {**own, **first}).statements(
            once
        )
        rounds = Narrowing(make, Ranges(is_single=make.settings.is_single), narrow).statements(loop.body)
        rest = replace(loop, body=rounds)
        return [
            *memory,
            HostLet(began, loop.cond),
            If(began, renamed, ()),
            rest,
            If(began, tuple(back), ()),
            *ends,
        ]
