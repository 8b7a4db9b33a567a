"""Asks for elements that are read where other elements tell, some rounds before.

Note [Gathering from afar]
    Elements at places that other elements tell lie anywhere. A processor asks memory for as many of them at
    once as it foresees: few, where the rounds of a loop have more than a load or two in them. So a
    loop asks for the element of the round 64 further on, if the array is larger than a cache nearby:

        for k { t = c[k]; s = s + x[t] }
        →   for k { if (2¹⁶ < n) { ahead(x, c[min(k + 64, m - 1)]) }; t = c[k]; s = s + x[t] }

    where `n` and `m` are the lengths of `x` and `c`; without these it remains as it is. Nothing is read there
    but elements of `c`, which neither the loop nor those around it write: other threads may. A loop in lanes
    that does little else has a version out of lanes for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import with_bodies, within
from aplc.laila.ir.program import Move, RuntimeCall, Swap
from aplc.laila.ir.rounds import is_total
from aplc.laila.ir.scalar import (
    Buffer,
    Exp,
    FreeVars,
    Read,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.prefetching.reads import reads_of, values_of
from aplc.laila.lowering.pull import weigh
from aplc.tail import prims as p

AHEAD = 64
"""So many rounds on: far enough for memory to answer, and near enough for what it answers to remain."""

FAR = 2**19
"""Bytes of an array that is not in a cache nearby."""

LIGHT = 12
"""The most that a loop in lanes may do in a round to be better off out of them."""

QUICK = 4
"""The most that a place may take to be computed a second time."""


def with_gathers_ahead(code: l.Code, make: ExprBuilder) -> l.Code:
    """The program as Note [Gathering from afar] has it."""
    bodies = [code.statements, *[r.body for r in code.routines]]
    sizes = dict(code.sizes)
    unknown: set[Buffer] = set()
    assigned: set[Var] = set()
    for statement in [s for body in bodies for s in within(body)]:
        match statement:
            case l.Allocate(buffer=buffer, size=size):
                if buffer in sizes:
                    unknown.add(buffer)
                sizes[buffer] = size
            case Move(target=first, source=second) | Swap(first=first, second=second):
                unknown |= {first, second}
            case l.Assign(var=var):
                assigned.add(var)
            case _:
                pass
    free = FreeVars()
    known = {b: n for b, n in sizes.items() if b not in unknown and free.of(n).isdisjoint(assigned)}
    return l.with_blocks(code, _Gathers(make, free, known).block)


class _Gathers:
    """The loops of a program; `sizes` are the lengths of arrays where they are known."""

    def __init__(self, make: ExprBuilder, free: FreeVars, sizes: dict[Buffer, Exp]) -> None:
        self.make, self.free, self.sizes = make, free, sizes
        self.changing: set[Buffer] = set()
        """What the loops around the statement at hand write."""

    def block(self, statements: tuple[l.Stm, ...]) -> tuple[l.Stm, ...]:
        """Statements with their loops."""
        return tuple([each for s in statements for each in self.statement(s)])

    def statement(self, statement: l.Stm) -> tuple[l.Stm, ...]:
        """A statement, or what takes its place."""
        is_inner = isinstance(statement, l.For) and not any(
            isinstance(s, l.For | l.While) for s in within(statement.body)
        )
        if not (is_inner and isinstance(statement, l.For)):
            outside = self.changing
            if isinstance(statement, l.For | l.While):
                self.changing = outside | _written(statement)
            changed = with_bodies(statement, self.block)
            self.changing = outside
            return (changed,)
        hints = tuple(self.hints(statement))
        if not hints:
            return (statement,)
        if statement.reductions is None:
            return (replace(statement, body=(*hints, *statement.body)),)
        if weigh(*_values(statement)).cost > LIGHT:
            return (statement,)
        conds = {each.cond: None for each in hints}
        asking = tuple([s for each in hints for s in each.then])
        out_of_lanes = replace(statement, body=(*asking, *statement.body), reductions=None)
        any_far = self.make.false
        for cond in conds:
            any_far = self.make.call(p.ORB, any_far, cond)
        return (l.If(any_far, (out_of_lanes,), (statement,)),)

    def hints(self, loop: l.For) -> Iterator[l.If]:
        """What a round asks for, if it is far."""
        make = self.make
        if loop.step != 1 or loop.descending:
            return
        changing = {s.var for s in within(loop.body) if isinstance(s, l.Declare | l.Assign)}
        written = self.changing | _written(loop)
        asked: dict[tuple[Buffer, Exp], None] = {}
        for buffer, place in reads_of(loop.body, make):
            if not contains(Read, place):
                continue
            later = self.later(place, loop, written)
            size = self.sizes.get(buffer)
            if later is not None and size is not None and self.free.of(later).isdisjoint(changing):
                asked[buffer, later] = None
        for buffer, later in asked:
            is_far = make.call(p.LTI, make.const(FAR // buffer.item_bytes), self.sizes[buffer])
            yield l.If(is_far, (l.Prefetch(buffer, later),))

    def later(self, place: Exp, loop: l.For, written: set[Buffer]) -> Exp | None:
        """A place that elements tell, some rounds on; None if it is none, more must be done to find it, or
        elements of what is being written tell it.
        """
        make = self.make
        changed: dict[Exp, Exp] = {}
        for node in nodes(place):
            if isinstance(node, Read):
                is_next = make.linear(node.index)[1].get(loop.var) == 1 and not contains(Read, node.index)
                if not is_next or node.buffer in written or node.buffer not in self.sizes:
                    return None
                last = make.sub(self.sizes[node.buffer], make.one)
                ahead = make.call(p.MINI, make.add(node.index, make.const(AHEAD)), last)
                changed[node] = make.read(node.buffer, ahead)
        is_quick = weigh(place).cost <= QUICK
        return Substitute(make, changed)(place) if changed and is_quick and is_total(place) else None


def _written(loop: l.For | l.While) -> set[Buffer]:
    """What a loop may write."""
    found: set[Buffer] = set()
    for statement in within(loop.body):
        match statement:
            case l.Store(buffer=buffer):
                found.add(buffer)
            case RuntimeCall(arguments=arguments):
                found |= {a for a in arguments if isinstance(a, Buffer)}
            case _:
                pass
    return found


def _values(loop: l.For) -> list[Exp]:
    """What a round computes."""
    return [value for statement in loop.body for value in values_of(statement)]
