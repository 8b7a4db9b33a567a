"""Loops over elements of which few need what has no lanes.

Note [Rounds without the rare branch]
    Where one branch of a choice is computed in lanes, and the other one calls a function of the run-time
    system, the loop runs in rounds. Each asks first, in lanes, whether all elements take the cheap branch:

        for i { b[i] = c(i) ? cheap(i) : search(t, i) }
        →   for rounds { if all of c(i) { for i { b[i] = cheap(i) } } else { for i { b[i] = c(i) ? … : … } } }

    Where the other branch is such a choice itself, a round that does not take the first branch only is asked
    whether it takes these two. If the second one has the same value where the first one is taken, as a table
    of all letters has, the rounds that need it do not look for the first one.
    So letters of ASCII among others are computed as in a text that has no others.

    Where such a choice is itself what is chosen, as what is written where a mask holds, elements that do not
    ask for it need not take its cheap branch.
"""

from __future__ import annotations

from dataclasses import dataclass

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.scalar import QUOT, BlockExp, Call, Check, Const, Exp, Fold, PureCall, Select, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import Piece, bound_in
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.nests import Nests, Wanted, in_any_order
from aplc.laila.loops.strategies import Otherwise
from aplc.tail import prims as p

ROUND = 256
"""So many elements are asked about at once."""
MOST_VALUES = 256
"""So many values are tried whether both branches are the same."""
MOST_LEVELS = 2
"""So many choices in each other are looked at."""

_NOT_IN_LANES = PureCall | Fold | BlockExp


@dataclass(frozen=True, slots=True)
class Chain:
    """Choices, each in the other branch of the one before, and where none of them is asked for."""

    choices: tuple[Select, ...]
    unless: tuple[Exp, ...]

    def needs_lanes_only(self, make: ExprBuilder, depth: int) -> Exp:
        """Whether an element takes one of the branches up to a depth, or none."""
        result = self.choices[: depth + 1][-1].cond
        for cond in (*[node.cond for node in reversed(self.choices[:depth])], *reversed(self.unless)):
            result = make.call(p.ORB, cond, result)
        return result


@dataclass(frozen=True, slots=True)
class Level:
    """What holds for each element of a round, and what its choices come to then."""

    holds: Exp
    known: dict[Exp, Exp]


class RareBranches:
    """Loops in rounds, each in some versions: see Note [Rounds without the rare branch]."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.code, self.make, self.free = nests, nests.code, nests.make, nests.free

    def generate(self, wanted: Wanted, block: Block, otherwise: Otherwise[Wanted]) -> None:
        """A loop in rounds, if elements have a branch without lanes that they may not need."""
        levels = self.levels(wanted.piece, block) if wanted.may_be_in_lanes else []
        if levels:
            self.in_rounds(wanted, levels, block, otherwise)
        else:
            otherwise(wanted, block)

    def levels(self, piece: Piece, block: Block) -> list[Level]:
        """The cases in which no element needs anything but lanes, the cheapest first; the last one is that of
        any elements.
        """
        options = self.nests.options
        if not (options.splitting and options.has_memory) or block.mode.reporting or block.mode.is_rare:
            return []
        is_short = self.make.at_least(self.make.add(piece.start, self.make.const(ROUND)), piece.stop)
        if piece.step != 1 or is_short or not contains(PureCall, *piece.roots):
            return []
        chosen = [n for n in unconditional(piece.roots) if isinstance(n, Select)]
        chains = [c for node in chosen if (c := self.chain(node, piece)) is not None]
        same: dict[Exp, Exp] = {
            c.choices[0]: c.choices[0].other for c in chains if self.is_same_in_both(c.choices[0])
        }
        found: list[Level] = []
        for depth in range(max([len(chain.choices) for chain in chains], default=0)):
            holds: Exp = self.make.true
            known: dict[Exp, Exp] = dict(same) if depth else {}
            for chain in chains:
                last = chain.choices[: depth + 1][-1]
                holds = self.make.call(p.ANDB, holds, chain.needs_lanes_only(self.make, depth))
                known[last] = last.then
            for first in same if depth else ():
                known[first] = Substitute(self.make, known)(same[first])
            change = Substitute(self.make, known)
            if not contains(_NOT_IN_LANES, *[change(root) for root in piece.roots]):
                found.append(Level(holds, known))
        return [*found, Level(self.make.true, same)] if found else []

    def is_same_in_both(self, node: Select) -> bool:
        """Whether the other branch has the value of the first one there, too, for each of the few numbers
        with which the condition holds. Then the first one only pays where it is that of all elements.
        """
        match node.cond:
            case Call(op=p.LTI, args=(x, Const(value=int() as stop))) if 0 < stop <= MOST_VALUES:
                known = [Substitute(self.make, {x: self.make.const(value)}) for value in range(stop)]
                is_natural = self.nests.ranges.integers(x).low >= 0
                return is_natural and all(at(node.then) is at(node.other) for at in known)
            case _:
                return False

    def chain(self, node: Exp, piece: Piece) -> Chain | None:
        """Choices, each in the other branch of the one before, as long as that needs more than lanes."""
        found: list[Select] = []
        unless: list[Exp] = []
        hidden = bound_in(piece.roots)
        while isinstance(node, Select) and len(found) < MOST_LEVELS:
            free = self.free.of(node.cond)
            is_plain = not contains(_NOT_IN_LANES | Check, node.cond)
            if not (is_plain and piece.var in free and hidden.isdisjoint(free)):
                break
            if contains(PureCall, node.other):
                found.append(node)
                node = node.other
            elif not found and contains(PureCall, node.then):
                unless.append(self.make.call(p.NOTB, node.cond))
                node = node.then
            else:
                break
        return Chain(tuple(found), tuple(unless)) if found else None

    def in_rounds(
        self, wanted: Wanted, levels: list[Level], block: Block, otherwise: Otherwise[Wanted]
    ) -> None:
        """A loop in rounds, each in a version for each level, and in one for anything."""
        make, size, piece = self.make, self.make.const(ROUND), wanted.piece
        self.nests.hoist(piece, frozenset(), block)
        start, stop = self.nests.bounds(piece, block)
        whole = make.add(make.call(p.MAXI, make.sub(stop, start), make.zero), make.const(ROUND - 1))
        rounds = self.code.named(self.code.single(make.call(QUOT, whole, size), block), block, "rounds")
        number = make.between("round", (make.zero,), make.last_indices(rounds))
        inner = block.inner(in_loop=True)
        base = make.between("base", (piece.start,), make.last_indices(piece.stop))
        end = make.between("end", (), (stop,))
        inner.statements.append(l.Declare(base, make.add(start, make.mul(number, size))))
        inner.statements.append(l.Declare(end, make.call(p.MINI, make.add(base, size), stop)))
        lows, highs = (base, piece.start), (*make.last_indices(piece.stop), *make.last_indices(end))
        var = make.between(piece.var.name, lows, highs)

        def version(known: dict[Exp, Exp], scope: Block) -> None:
            change, move = Substitute(make, known), Substitute(make, {piece.var: var})
            roots = tuple([move(change(root)) for root in piece.roots])
            otherwise(wanted.over(Piece(var, base, end, roots)), scope)

        def from_level(k: int, scope: Block) -> None:
            if k == len(levels) - 1:
                version(levels[k].known, scope)
                return
            all_hold = self.all_hold(levels[k].holds, piece, base, end, scope)
            others = scope.inner(in_loop=True), scope.inner(in_loop=True)
            version(levels[k].known, others[0])
            from_level(k + 1, others[1])
            scope.statements.append(l.If(all_hold, *[tuple(o.statements) for o in others]))

        from_level(0, inner)
        loop = l.For(number, make.zero, rounds, tuple(inner.statements))
        parallel = self.nests.accumulated(wanted.reductions, inner)
        block.statements.append(in_any_order(loop, parallel, piece.roots))

    def all_hold(self, holds: Exp, piece: Piece, base: Exp, end: Exp, block: Block) -> Exp:
        """Whether a condition holds for all elements of a round."""
        make = self.make
        extent = make.sub(end, base)
        index = make.index("k", extent)
        each = Substitute(make, {piece.var: make.add(base, index)})(holds)
        fold = make.fold(p.ANDB, index, extent, each, make.true)
        return self.code.named(self.code.value(fold, block), block, "all")
