"""Loops over arrays that repeat, round after round; what is such a loop `aplc.laila.lowering.cycles` says.

Note [Short cycles of data]
    A round of seven elements fills no vector, and costs what a loop costs. Where the run finds that the cycle
    is short and the loop long, the elements are written into a small array about as often as they fit, whole,
    and rounds are as long as that: `for r < 64 { for j < 7 { again[7×r+j] = w[j] } }`, then rounds of 448.
    They stand there a multiple of 64 or 16 times where there is room, so that rounds are whole vectors.

Note [Elements that stand several times]
    `n/w` reads `w[k quot n]`: each element stands n times, one behind the other. A loop over k is cut where
    the quotient changes, so that nothing is divided: `for k < n×m { a[k] = w[k quot n] }` becomes
    `for q < m { for k in n×q … n×q+n { a[k] = w[q] } }`. For a few times there is no inner loop: `a[2×q]` and
    `a[2×q+1]` are written side by side, many elements in a vector; also where only the run knows that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import is_straight
from aplc.laila.ir.scalar import (
    QUOT,
    REM,
    Buffer,
    Call,
    Const,
    Exp,
    Read,
    Select,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import Piece, bound_in
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import Nests, Wanted, in_any_order
from aplc.laila.loops.strategies import Otherwise
from aplc.laila.lowering.cycles import LONG, SHORT, Cycle, cycle_of
from aplc.tail import prims as p

LANES = (16, 64)
"""So many elements of four bytes, and of one, are a vector."""

TIMES = 4
"""A loop that is so many times longer than the memory for an array again and again pays for it."""

MOST_CYCLES = 3
"""Of so many cycles of unlike lengths or starts rounds are made; of more, most rounds would be short."""


FEW: tuple[int, ...] = (2, 3, 4)
"""Elements that stand so often are written side by side."""
MOST_SIDE_BY_SIDE = 32
"""What is computed is no larger than that where it is written down several times."""


class Cycles:
    """Loops in rounds: see Note [Rounds of a cycle]."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.code, self.make = nests, nests.code, nests.make

    def generate(self, wanted: Wanted, block: Block, otherwise: Otherwise[Wanted]) -> None:
        """A loop in rounds if it reads an array that repeats, and does not run in order."""
        cycle = self.cycle_of(wanted)
        if cycle is None:
            otherwise(wanted, block)
        elif (buffer := self.repeating(wanted, cycle, block)) is None:
            self.in_rounds(wanted, cycle, block)
        else:
            self.in_versions(wanted, cycle, buffer, block)

    def cycle_of(self, wanted: Wanted) -> Cycle | None:
        """The cycle in which memory is read, if there is one and a loop may be cut by it."""
        is_free = wanted.reductions is not None and not wanted.descending and wanted.piece.step == 1
        if not is_free or not self.nests.options.splitting or wanted.rounds == MOST_CYCLES:
            return None
        return cycle_of(self.make, self.nests.free, wanted.piece, wanted.unbound)

    def repeating(self, wanted: Wanted, cycle: Cycle, block: Block) -> Buffer | None:
        """The array that a long loop repeats, whose length only the run knows, if nothing else is read where
        that is.
        """
        if isinstance(cycle.length, Const) or block.in_loop or not self.nests.options.has_memory:
            return None
        every = list(nodes(*wanted.piece.roots))
        reads = [n for n in every if isinstance(n, Read) and n.index in cycle.positions]
        inside = {id(n.index) for n in reads} | {
            id(n.other) for n in cycle.positions if isinstance(n, Select)
        }
        others = [n for n in every if not isinstance(n, Read)]
        is_alone = all(id(o) in inside for n in others for o in operands(n) if o in cycle.positions)
        found = dict.fromkeys([n.buffer for n in reads])
        return next(iter(found)) if len(found) == 1 and is_alone and not block.mode.is_rare else None

    def in_versions(self, wanted: Wanted, cycle: Cycle, buffer: Buffer, block: Block) -> None:
        """A long loop over an array that repeats after a few elements reads them from memory in which they
        stand again and again: see Note [Short cycles of data].
        """
        make, piece = self.make, wanted.piece
        self.nests.hoist(piece, wanted.hidden, block)
        start, stop = self.nests.bounds(piece, block)
        length = self.code.named(self.code.single(cycle.length, block), block, "period")
        is_short = make.call(p.LTEI, make.mul(make.const(2), length), make.const(LONG))
        is_long = make.call(p.GTEI, make.sub(stop, start), make.const(LONG * TIMES))
        some = make.call(p.GTI, length, make.zero)
        pays = make.call(p.ANDB, some, make.call(p.ANDB, is_short, is_long))
        self.nests.one_of(
            pays,
            block,
            lambda inner: self.again(wanted, cycle, buffer, length, inner),
            lambda inner: self.in_rounds(wanted, cycle, inner),
        )

    def again(self, wanted: Wanted, cycle: Cycle, buffer: Buffer, length: Exp, block: Block) -> None:
        """The loop over an array that stands in memory as often as there is room for it."""
        make, piece = self.make, wanted.piece
        memory = replace(buffer, name=make.fresh("again"), asked=False)
        block.statements.append(l.Local(memory, LONG))
        times = make.call(QUOT, make.const(LONG), length)
        for lanes in LANES:
            times = self.code.named(of_whole_vectors(make, times, lanes), block, "times")
        number, element = make.index("time", times), make.index("k", length)
        store = l.Store(memory, make.add(make.mul(number, length), element), make.read(buffer, element))
        copy = l.For(element, make.zero, length, (store,), reductions=())
        block.statements.append(l.For(number, make.zero, times, (copy,)))
        whole = self.code.named(make.mul(times, length), block, "cycle")
        longer = make.call(REM, make.add(piece.var, cycle.shift), whole)
        replaced: dict[Exp, Exp] = {
            n: make.read(memory, longer)
            for n in nodes(*piece.roots)
            if isinstance(n, Read) and n.index in cycle.positions
        }
        substitute = Substitute(make, replaced)
        piece = replace(piece, roots=tuple([substitute(root) for root in piece.roots]))
        positions = tuple([n for n in nodes(*piece.roots) if n is longer])
        self.in_rounds(wanted.over(piece), Cycle(whole, cycle.shift, positions), block)

    def in_rounds(self, wanted: Wanted, cycle: Cycle, block: Block) -> None:
        """A loop over one piece, one round after the other: see Note [Rounds of a cycle]."""
        make, piece = self.make, wanted.piece
        self.nests.hoist(piece, wanted.hidden, block)
        start, stop = self.nests.bounds(piece, block)
        size = self.code.single(make.call(p.MAXI, cycle.length, make.one), block)
        length = self.code.named(size, block, "cycle")
        ahead = self.code.single(make.call(REM, make.add(piece.start, cycle.shift), length), block)
        first = make.sub(start, self.code.named(ahead, block, "ahead"))
        count = self.code.named(
            self.code.single(_rounded_up(make, make.sub(stop, first), length), block), block, "rounds"
        )
        number = make.between("round", (make.zero,), make.last_indices(count))
        inner = block.inner(in_loop=True)
        base = make.between("base", (first,), ())
        end = make.between("end", (), (stop,))
        low = base if ahead is make.zero else make.call(p.MAXI, base, start)
        inner.statements.append(l.Declare(base, make.add(first, make.mul(number, length))))
        inner.statements.append(l.Declare(end, make.call(p.MINI, make.add(base, length), stop)))
        lows, highs = (low, piece.start), (*make.last_indices(piece.stop), *make.last_indices(end))
        var = make.between(piece.var.name, lows, highs)
        replaced: dict[Exp, Exp] = {each: make.sub(var, base) for each in cycle.positions}
        for quotient in self.quotients(piece, cycle):
            before = make.call(QUOT, make.add(start, cycle.shift), length)
            before = self.code.named(self.code.single(before, block), block, "before")
            replaced[quotient] = make.add(before, number)
        substitute = Substitute(make, {**replaced, piece.var: var})
        roots = tuple([substitute(root) for root in piece.roots])
        in_round = wanted.over(Piece(var, low, end, roots))
        self.nests.loop(replace(in_round, rounds=wanted.rounds + 1), inner)
        loop = l.For(number, make.zero, count, tuple(inner.statements))
        parallel = self.nests.accumulated(wanted.reductions, inner)
        block.statements.append(in_any_order(loop, parallel, roots))

    def quotients(self, piece: Piece, cycle: Cycle) -> list[Exp]:
        """Which of the rounds an index is in, as where what repeats are the columns of an outer product."""
        place = self.make.add(piece.var, cycle.shift)
        found = [n for n in nodes(*piece.roots) if isinstance(n, Call) and n.op is QUOT]
        return [n for n in dict.fromkeys(found) if n.args[0] is place and n.args[1] is cycle.length]


def of_whole_vectors(make: ExprBuilder, times: Exp, lanes: int) -> Exp:
    """The greatest number of times up to this one of which rounds are whole vectors, if it is so large."""
    whole = make.sub(times, make.call(REM, times, make.const(lanes)))
    return make.select(make.call(p.GTEI, times, make.const(lanes)), whole, times)


def _rounded_up(make: ExprBuilder, count: Exp, size: Exp) -> Exp:
    """How many pieces of a size a number of iterations makes, which may be negative."""
    padded = make.add(make.call(p.MAXI, count, make.zero), make.sub(size, make.one))
    return make.call(QUOT, padded, size)


@dataclass(frozen=True, slots=True)
class Repetition:
    """Positions that are `(k + shift) quot times` for the index k of a loop."""

    times: Exp
    shift: Exp
    positions: tuple[Exp, ...]
    whole: Exp | None = None
    """How many times the loop ends behind, if it ends behind a whole number of times."""


class Repetitions:
    """Loops over elements that stand several times: see Note [Elements that stand several times]."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.code, self.make = nests, nests.code, nests.make

    def generate(self, wanted: Wanted, block: Block, otherwise: Otherwise[Wanted]) -> None:
        """A loop without a division, if it reads at quotients of its index, and does not run in order."""
        found = self.repetition(wanted)
        if found is None:
            otherwise(wanted, block)
            return
        self.nests.hoist(wanted.piece, wanted.hidden, block)
        times, few = found.times, FEW
        found = replace(found, whole=_factor(self.make, self.make.add(wanted.piece.stop, found.shift), times))
        if isinstance(times, Const):
            few = tuple([k for k in FEW if k == times.value])
        else:
            times = self.code.named(self.code.single(times, block), block, "times")
        is_small = len(list(nodes(*wanted.piece.roots))) <= MOST_SIDE_BY_SIDE
        found = replace(found, times=times)
        self.in_versions(wanted, found, few if is_small else (), block, otherwise)

    def repetition(self, wanted: Wanted) -> Repetition | None:
        """At which quotients an innermost loop reads, if there are some and it may be cut by them."""
        make, free, piece = self.make, self.nests.free, wanted.piece
        extent = make.sub(piece.stop, piece.start)
        is_short = isinstance(extent, Const) and extent.value < SHORT
        if not wanted.may_be_in_lanes or piece.step != 1 or not self.nests.options.splitting or is_short:
            return None
        hidden, found = bound_in(piece.roots), list[Repetition]()
        for node in nodes(*[n.index for n in nodes(*piece.roots) if isinstance(n, Read)]):
            match node:
                case Call(op=op, args=(place, times)) if op is QUOT and piece.var in free.of(node):
                    shift = make.sub(place, piece.var)
                    is_same = isinstance(shift, Const) and not free.of(times) & {piece.var, *hidden}
                    if is_same and make.nonnegative(place):
                        found.append(Repetition(times, shift, (node,)))
                case _:
                    pass
        if not found or wanted.rounds:
            return None
        same = [r for r in found if r.times is found[0].times and r.shift is found[0].shift]
        return replace(found[0], positions=tuple([p for r in same for p in r.positions]))

    def in_versions(
        self,
        wanted: Wanted,
        found: Repetition,
        few: tuple[int, ...],
        block: Block,
        otherwise: Otherwise[Wanted],
    ) -> None:
        """A loop for each of a few numbers of times, and one in rounds for all others."""
        if not few:
            self.in_rounds(wanted, found, block)
            return
        times = self.make.const(few[0])
        self.nests.one_of(
            self.make.call(p.EQI, found.times, times),
            block,
            lambda inner: self.side_by_side(wanted, replace(found, times=times), inner, otherwise),
            lambda inner: self.in_versions(wanted, found, few[1:], inner, otherwise),
        )

    def side_by_side(
        self, wanted: Wanted, found: Repetition, block: Block, otherwise: Otherwise[Wanted]
    ) -> None:
        """A loop over quotients in which all is computed for each index that has this quotient; what is
        before the first whole quotient and behind the last one is done apart.
        """
        make, piece, times = self.make, wanted.piece, found.times
        assert isinstance(times, Const)
        start, stop = self.nests.bounds(piece, block)
        first = _quotient(make, make.add(start, found.shift), times, up=True)
        last = found.whole or _quotient(make, make.add(stop, found.shift), times, up=False)
        low, high = [make.sub(make.mul(times, end), found.shift) for end in (first, last)]
        if low is not start:
            otherwise(self.part(wanted, start, make.call(p.MINI, low, stop)), block)
        number = make.between("q", (make.zero,), make.last_indices(last))
        inner = block.inner(in_loop=True)
        for k in range(int(times.value)):
            index = make.add(make.sub(make.mul(times, number), found.shift), make.const(k))
            wanted.build(inner, self.at(wanted, found, number, index))
        begin, end = [self.code.single(each, block) for each in (first, last)]
        parallel = self.nests.accumulated(wanted.reductions, inner)
        lanes = parallel if is_straight(inner.statements) else None
        body = tuple(inner.statements)
        loop = l.For(number, begin, end, body, lanes, independent=wanted.independent)
        block.statements.append(in_any_order(loop, parallel, piece.roots))
        if found.whole is None and high is not stop:
            behind = make.call(p.MAXI, make.call(p.MAXI, low, high), start)
            otherwise(self.part(wanted, behind, stop), block)

    def part(self, wanted: Wanted, start: Exp, stop: Exp) -> Wanted:
        """The same loop over a part of its range."""
        make, piece = self.make, wanted.piece
        var = make.between(piece.var.name, (piece.start,), make.last_indices(piece.stop))
        substitute = Substitute(make, {piece.var: var})
        return wanted.over(Piece(var, start, stop, tuple([substitute(root) for root in piece.roots])))

    def at(self, wanted: Wanted, found: Repetition, quotient: Exp, index: Exp) -> tuple[Exp, ...]:
        """What a loop computes for an index, whose quotient is known."""
        known: dict[Exp, Exp] = {each: quotient for each in found.positions}
        substitute = Substitute(self.make, {**known, wanted.piece.var: index})
        return tuple([substitute(root) for root in wanted.piece.roots])

    def in_rounds(self, wanted: Wanted, found: Repetition, block: Block) -> None:
        """A loop over quotients, and in it one over the indices that have this quotient."""
        make, piece, times = self.make, wanted.piece, found.times
        start, stop = self.nests.bounds(piece, block)
        first = self.code.single(make.call(QUOT, make.add(start, found.shift), times), block)
        padded = make.add(make.add(stop, found.shift), make.sub(times, make.one))
        last = self.code.named(self.code.single(make.call(QUOT, padded, times), block), block, "rounds")
        number = make.between("q", (make.zero,), make.last_indices(last))
        inner = block.inner(in_loop=True)
        base = make.between("base", (), ())
        end = make.between("end", (), (stop,))
        inner.statements.append(l.Declare(base, make.sub(make.mul(times, number), found.shift)))
        inner.statements.append(l.Declare(end, make.call(p.MINI, make.add(base, times), stop)))
        low = make.call(p.MAXI, base, start)
        var = make.between(
            piece.var.name, (low, piece.start), (*make.last_indices(piece.stop), *make.last_indices(end))
        )
        in_round = wanted.over(Piece(var, low, end, self.at(wanted, found, number, var)))
        self.nests.loop(replace(in_round, rounds=wanted.rounds + 1), inner)
        loop = l.For(number, first, last, tuple(inner.statements))
        parallel = self.nests.accumulated(wanted.reductions, inner)
        block.statements.append(in_any_order(loop, parallel, piece.roots))


def _quotient(make: ExprBuilder, number: Exp, times: Const, *, up: bool) -> Exp:
    """A number divided by a constant, rounded up or down; without a division where it is a multiple."""
    const, terms = make.linear(number)
    by = int(times.value)
    if const % by == 0 and all(k % by == 0 for k in terms.values()):
        return make.from_linear(const // by, {term: k // by for term, k in terms.items()})
    return make.call(QUOT, make.add(number, make.const(by - 1)) if up else number, times)


def _factor(make: ExprBuilder, number: Exp, times: Exp) -> Exp | None:
    """What a number is divided by what is one of its factors, if that is not zero; None if it is none."""
    if isinstance(times, Call) and times.op is p.MAXI and make.one in times.args:
        times = next((a for a in times.args if a is not make.one), times)
    match number:
        case Call(op=op, args=(a, b)) if op is p.MULI and times in (a, b):
            return b if times is a else a
        case _:
            return None
