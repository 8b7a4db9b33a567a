"""Loops over arrays that repeat, round after round; what is such a loop `aplc.laila.lowering.cycles` says.

Note [Short cycles of data]
    A round of seven elements fills no vector, and costs what a loop costs. Where the run finds that the cycle
    is short and the loop long, the elements are written into a small array as often as they fit, whole, and
    the rounds are as long as that: `for r < 73 { for j < 7 { again[7×r+j] = w[j] } }`, then rounds of 511.
"""

from __future__ import annotations

from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import QUOT, REM, Buffer, Const, Exp, Read, Select, nodes, operands
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import Piece
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import Nests, Wanted, in_any_order
from aplc.laila.loops.strategies import Otherwise
from aplc.laila.lowering.cycles import LONG, Cycle, cycle_of
from aplc.tail import prims as p

TIMES = 4
"""A loop that is so many times longer than the memory for an array again and again pays for it."""

MOST_CYCLES = 3
"""Of so many cycles of unlike lengths or starts rounds are made; of more, most rounds would be short."""


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
        self.nests.hoist(piece, wanted.unbound, block)
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
        times = self.code.named(make.call(QUOT, make.const(LONG), length), block, "times")
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
        self.nests.hoist(piece, wanted.unbound, block)
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
        substitute = Substitute(make, {**replaced, piece.var: var})
        roots = tuple([substitute(root) for root in piece.roots])
        in_round = wanted.over(Piece(var, low, end, roots))
        self.nests.loop(replace(in_round, rounds=wanted.rounds + 1), inner)
        loop = l.For(number, make.zero, count, tuple(inner.statements))
        parallel = self.nests.accumulated(wanted.reductions, inner)
        block.statements.append(in_any_order(loop, parallel, roots))


def _rounded_up(make: ExprBuilder, count: Exp, size: Exp) -> Exp:
    """How many pieces of a size a number of iterations makes, which may be negative."""
    padded = make.add(make.call(p.MAXI, count, make.zero), make.sub(size, make.one))
    return make.call(QUOT, padded, size)
