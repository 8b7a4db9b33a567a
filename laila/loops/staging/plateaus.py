"""Running extrema a block at a time.

Note [Plateaus]
    A running extremum waits for the one before it, and loops with one have no lanes. But it seldom changes:
    of random numbers the n-th is the greatest so far once in n times, and of prices a few days in a hundred.
    So the extremum of a block is found first, in lanes. Where it is not beyond the one so far, all running
    values of the block are that one, and what is made of them is made in lanes as well:

        for k < n { s = s max x[k]; y[k] = f(s, x[k]) }
        →   for block of k {
                most = max x[block]
                if (most ≤ s) { for k in block { y[k] = f(s, x[k]) } }
                else { for k in block { s = s max x[k]; y[k] = f(s, x[k]) } }
            }

    Of two zeros the later one is the extremum, whose sign may differ: so a block with the same zero counts as
    one that is beyond it, and so does a block with NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import BlockExp, Exp, Fold, Var, contains
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import Nests
from aplc.laila.lowering.pull import weigh
from aplc.tail import prims as p
from aplc.tail.prims import Prim

BLOCK = 128
"""So many elements are looked at before their running values are made."""

CHEAP = 4
"""Elements of more operations than this are not computed twice."""

_BEYOND = {p.MAXD: p.LTD, p.MIND: p.GTD, p.MAXI: p.LTEI, p.MINI: p.GTEI}
"""By operator, what says that an element is not beyond the extremum so far."""

EmitRange = Callable[[Block, Exp, Exp], None]
"""What makes the loop from one point of a range up to another."""

EmitPlateau = Callable[[Block, Exp, Exp, Substitute], None]
"""The same where no extremum changes; it is given what puts their values in the place of the variables."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A running extremum: its operator, the variable that keeps it, and the element that joins it."""

    op: Prim
    acc: Var
    element: Exp


class Plateaus:
    """Loops with running extrema in blocks: see Note [Plateaus]."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.make, self.code = nests, nests.make, nests.code

    def are(self, chains: Sequence[Chain], block: Block) -> bool:
        """Whether all that a loop carries may be extrema that seldom change, and are found fast."""
        if not chains or block.in_loop or block.mode.is_rare or not self.nests.options.has_memory:
            return False
        free, running = self.nests.free, {each.acc for each in chains}
        return all(
            each.op in _BEYOND
            and not contains(Fold | BlockExp, each.element)
            and weigh(each.element).cost <= CHEAP
            and not weigh(each.element).may_fail
            and free.of(each.element).isdisjoint(running)
            for each in chains
        )

    def loops(
        self,
        chains: Sequence[Chain],
        var: Var,
        extent: Exp,
        block: Block,
        in_order: EmitRange,
        at_once: EmitPlateau,
        usual: Exp | None = None,
    ) -> None:
        """The loop over a range in blocks: `at_once` for those in which nothing changes, and in which
        something else holds, too, that is usual.
        """
        make = self.make

        def one(inner: Block, start: Exp, stop: Exp) -> None:
            before = [Var(make.fresh("before"), each.acc.ty) for each in chains]
            inner.statements += [l.Declare(v, c.acc) for v, c in zip(before, chains, strict=True)]
            held = Substitute(make, {c.acc: v for v, c in zip(before, chains, strict=True)})
            stay = make.true if usual is None else held(usual)
            for each in chains:
                stay = make.call(p.ANDB, stay, self.stays(each, held(each.acc), var, start, stop))
            self.nests.one_of(
                stay, inner, lambda b: at_once(b, start, stop, held), lambda b: in_order(b, start, stop)
            )

        self.nests.blocks(extent, BLOCK, block, one, in_order=True)

    def stays(self, chain: Chain, before: Exp, var: Var, start: Exp, stop: Exp) -> Exp:
        """Whether no element of a block changes the extremum before it."""
        make, length = self.make, self.make.sub(stop, start)
        k = make.index("k", length)
        element = Substitute(make, {var: make.add(start, k)})(chain.element)
        most = make.fold(chain.op, k, length, element, None)
        within = make.call(_BEYOND[chain.op], most, before)
        if chain.op not in (p.MAXD, p.MIND):
            return within
        is_zero = make.call(p.EQD, before, make.const(0.0))
        is_same = make.call(p.ANDB, make.call(p.EQD, most, before), make.call(p.NOTB, is_zero))
        return make.call(p.ORB, within, is_same)
