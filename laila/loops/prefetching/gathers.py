"""Asks for elements that are read where other elements tell, some rounds before.

Note [Gathering from afar]
    Elements at places that other elements tell lie anywhere. A processor asks memory for as many of them at
    once as it foresees: few, where the rounds of a loop have more than a load or two in them. So a
    loop asks for the element of the round 64 further on, if the array may not be in a cache:

        for k { t = c[k]; s = s + x[t] }
        →   for k { if (2²⁰ < n) { ahead(x, c[min(k + 64, m - 1)]) }; t = c[k]; s = s + x[t] }

    where `n` and `m` are the lengths of `x` and `c`; without these it remains as it is, and where they are
    computed from elements of an array, which may have no memory any more. Nothing is read there but elements
    of `c`, which neither the loop nor those around it write: other threads may. A loop in lanes that does
    little else has a version out of lanes for that; where places take work it is one in blocks, which asks
    for the elements of the next block first:

        for block of k { for k in block { ahead(x, c[min(k + 128, m - 1)]) }; for k in block in lanes { … } }

    A loop over short rows at places that elements tell, as `m[c;]`, asks for both ends of a row before it:

        for i { for j < w { a[i×w + j] = x[c[i]×w + j] } }
        →   for i { if (2¹⁹ < n and w ≤ 8) { ahead(x, c[…]×w); ahead(x, c[…]×w + w - 1) }; for j … }
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.loops import with_bodies, within
from aplc.laila.ir.program import Move, RuntimeCall, Swap
from aplc.laila.ir.rounds import is_total
from aplc.laila.ir.scalar import (
    CEIL,
    FLOOR,
    SNAP,
    TRUNCATE,
    Buffer,
    Call,
    Const,
    Exp,
    FreeVars,
    Read,
    Select,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.prefetching.reads import LINE, reads_of, values_of
from aplc.laila.lowering.pull import weigh
from aplc.tail import prims as p

AHEAD = 64
"""So many rounds on: far enough for memory to answer, and near enough for what it answers to remain."""

BLOCK = 128
"""So many rounds are in a block."""

FAR = 2**23
"""Bytes of an array that memory may have to answer for. Of the last cache processors ask in time."""

FAR_BUSY = 2**22
"""The same where a round reads a row, does much, or is in no lanes: fewer rounds are under way at once."""

BUSY = 10
"""A round that does more has much to do, for each element that it asks for, beside what tells its place."""

LIGHT = 12
"""The most that a loop in lanes may do in a round to be better off out of them, for each line of the cache
that it asks for; one that does more for each element, beside what tells its place, need not ask.
"""

QUICK = 4
"""The most that a place may take to be computed a second time."""

SHORT = 64
"""The most bytes of a row of which a processor does not foresee what is behind its beginning."""


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
    known = {
        b: n
        for b, n in sizes.items()
        if b not in unknown and free.of(n).isdisjoint(assigned) and not buffers_read(n)
    }
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
            if isinstance(changed, l.For):
                changed = replace(changed, body=(*self.rows(changed), *changed.body))
            return (changed,)
        asked = self.asked(statement)
        work = weigh(*_values(statement)).cost - weigh(*asked.values()).cost
        is_busy = statement.reductions is None or work > BUSY * len(asked)
        far = FAR_BUSY if is_busy else FAR
        hints = [self.hint(buffer, later, far) for buffer, later in self.lines(asked)]
        if not hints:
            return (statement,)
        if statement.reductions is None:
            return (replace(statement, body=(*hints, *statement.body)),)
        if work > LIGHT * len(asked):
            return (statement,)
        any_far = self.make.false
        for cond in dict.fromkeys([each.cond for each in hints]):
            any_far = self.make.call(p.ORB, any_far, cond)
        if weigh(*_values(statement)).cost > LIGHT * len(hints):
            later = [
                self.hint(buffer, each, far) for buffer, each in self.lines(self.asked(statement, BLOCK))
            ]
            ahead = self.in_blocks(statement, [s for each in later for s in each.then])
        else:
            asking = [s for each in hints for s in each.then]
            ahead = replace(statement, body=(*asking, *statement.body), reductions=None)
        return (l.If(any_far, (ahead,), (statement,)),)

    def in_blocks(self, loop: l.For, asking: list[l.Stm]) -> l.For:
        """A loop in lanes, each block of it behind one that asks for what the next block reads."""
        make = self.make
        start = make.between("start", (loop.start,), make.last_indices(loop.stop))
        after = make.add(start, make.const(BLOCK))
        stop = make.between("stop", (start,), (after, loop.stop))
        first = l.For(loop.var, start, stop, tuple(asking))
        lanes = replace(loop, start=start, stop=stop, parallel=None)
        body = (l.Declare(stop, make.call(p.MINI, after, loop.stop)), first, lanes)
        return replace(loop, var=start, body=body, step=BLOCK, reductions=None)

    def lines(self, asked: Iterable[tuple[Buffer, Exp]]) -> Iterator[tuple[Buffer, Exp]]:
        """What is not in the line of the cache of something before it, most often."""
        found: list[tuple[Buffer, Exp]] = []
        for buffer, later in asked:
            far = [self.make.sub(later, other) for known, other in found if known is buffer]
            if not any(isinstance(d, Const) and abs(d.value) * buffer.item_bytes < LINE for d in far):
                found.append((buffer, later))
                yield buffer, later

    def hint(self, buffer: Buffer, later: Exp, far: int) -> l.If:
        """What a round asks for, if it is far."""
        is_far = self.make.call(p.LTI, self.make.const(far // buffer.item_bytes), self.sizes[buffer])
        return l.If(is_far, (l.Prefetch(buffer, later),))

    def rows(self, loop: l.For) -> list[l.If]:
        """What a round that walks along one row asks for."""
        make, inner = self.make, [s for s in loop.body if isinstance(s, l.For)]
        if loop.step != 1 or loop.descending or loop.reductions is not None or len(inner) != 1:
            return []
        (row,) = inner
        others = [s for s in within(loop.body) if s is not row]
        plain = l.Declare | l.Assign | l.Store | l.Fail | l.Prefetch
        if row.step != 1 or not all(isinstance(s, plain) for s in others):
            return []
        inside = {s.var.name for s in within(loop.body) if isinstance(s, l.Declare | l.Assign | l.For)}
        written = self.changing | _written(loop)
        hints: dict[tuple[Buffer, Exp], l.If] = {}
        for buffer, place in reads_of([*loop.body, *row.body], make):
            size, width = self.sizes.get(buffer), make.sub(row.stop, row.start)
            is_row = make.linear(place)[1].get(row.var) == 1 and contains(Read, place)
            if size is None or not is_row or contains(Read, width):
                continue
            ends = [
                Substitute(make, {row.var: each})(place) for each in (row.start, make.sub(row.stop, make.one))
            ]
            later = [self.later(end, loop, written) for end in ends]
            found = [each for each in later if each is not None]
            names = [self.free.names(each) for each in (*found, width)]
            if len(found) == len(ends) and all(each.isdisjoint(inside) for each in names):
                is_short = make.call(p.LTEI, width, make.const(SHORT // buffer.item_bytes))
                hint = self.hint(buffer, found[0], FAR_BUSY)
                asking = tuple([l.Prefetch(buffer, each) for each in found])
                hints[buffer, found[0]] = l.If(make.call(p.ANDB, hint.cond, is_short), asking)
        return list(hints.values())

    def asked(self, loop: l.For, rounds: int = AHEAD) -> dict[tuple[Buffer, Exp], Exp]:
        """What a round asks for, so many rounds before, and where it is read."""
        make = self.make
        if loop.step != 1 or loop.descending:
            return {}
        changing = {s.var for s in within(loop.body) if isinstance(s, l.Declare | l.Assign)}
        written = self.changing | _written(loop)
        asked: dict[tuple[Buffer, Exp], Exp] = {}
        for buffer, place in reads_of(loop.body, make):
            if not contains(Read, place):
                continue
            later = self.later(place, loop, written, rounds)
            size = self.sizes.get(buffer)
            if later is not None and size is not None and self.free.of(later).isdisjoint(changing):
                asked[buffer, later] = place
        return asked

    def later(self, place: Exp, loop: l.For, written: set[Buffer], rounds: int = AHEAD) -> Exp | None:
        """A place that elements tell, some rounds on; None if it is none, more must be done to find it, or
        elements of what is being written tell it.
        """
        make, place = self.make, _roughly(place, self.make)
        changed: dict[Exp, Exp] = {}
        for node in nodes(place):
            if isinstance(node, Read):
                is_next = make.linear(node.index)[1].get(loop.var) == 1 and not contains(Read, node.index)
                if not is_next or node.buffer in written or node.buffer not in self.sizes:
                    return None
                last = make.sub(self.sizes[node.buffer], make.one)
                ahead = make.call(p.MINI, make.add(node.index, make.const(rounds)), last)
                changed[node] = make.read(node.buffer, ahead)
        is_quick = weigh(place).cost <= QUICK
        return Substitute(make, changed)(place) if changed and is_quick and is_total(place) else None


def _roughly(place: Exp, make: ExprBuilder) -> Exp:
    """A place, or one beside it: whether it is in an array, and what tolerance makes of it, does not matter
    for what is only asked for.
    """
    const, terms = make.linear(place)
    found = make.const(const)
    for atom, k in terms.items():
        found = make.add(found, make.mul(make.const(k), _integer(atom, make)))
    return found


def _integer(atom: Exp, make: ExprBuilder) -> Exp:
    """An integer in a place; the floor of a double is what it is cut off to."""
    while isinstance(atom, Select) and isinstance(atom.other, Const):
        atom = atom.then
    if isinstance(atom, Call) and atom.op is p.MULI:
        return make.mul(*[_integer(arg, make) for arg in atom.args])
    if not isinstance(atom, Call) or atom.op is not TRUNCATE:
        return atom
    (whole,) = atom.args
    if isinstance(whole, Call) and whole.op in (FLOOR, CEIL):
        (whole,) = whole.args
        if isinstance(whole, Call) and whole.op is SNAP:
            whole = whole.args[1]
    return make.call(TRUNCATE, whole)


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
