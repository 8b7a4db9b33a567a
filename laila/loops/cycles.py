"""Loops over arrays that repeat, round after round; what is such a loop `aplc.laila.lowering.cycles` says."""

from __future__ import annotations

from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import QUOT, REM, Exp
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import Piece
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import Nests, Wanted, in_any_order
from aplc.laila.loops.strategies import Otherwise
from aplc.laila.lowering.cycles import Cycle, cycle_of
from aplc.tail import prims as p


class Cycles:
    """Loops in rounds: see Note [Rounds of a cycle]."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.code, self.make = nests, nests.code, nests.make

    def generate(self, wanted: Wanted, block: Block, otherwise: Otherwise[Wanted]) -> None:
        """A loop in rounds if it reads an array that repeats, and does not run in order."""
        cycle = self.cycle_of(wanted)
        if cycle is None:
            otherwise(wanted, block)
        else:
            self.in_rounds(wanted, cycle, block)

    def cycle_of(self, wanted: Wanted) -> Cycle | None:
        """The cycle in which memory is read, if there is one and a loop may be cut by it."""
        is_free = wanted.reductions is not None and not wanted.descending and wanted.piece.step == 1
        if not is_free or not self.nests.options.splitting:
            return None
        return cycle_of(self.make, self.nests.free, wanted.piece, wanted.unbound)

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
        self.nests.loop(wanted.over(Piece(var, low, end, roots)), inner)
        loop = l.For(number, make.zero, count, tuple(inner.statements))
        parallel = self.nests.accumulated(wanted.reductions, inner)
        block.statements.append(in_any_order(loop, parallel, roots))


def _rounded_up(make: ExprBuilder, count: Exp, size: Exp) -> Exp:
    """How many pieces of a size a number of iterations makes, which may be negative."""
    padded = make.add(make.call(p.MAXI, count, make.zero), make.sub(size, make.one))
    return make.call(QUOT, padded, size)
