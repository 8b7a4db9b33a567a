"""Loops over points that walk along short rows of their own have a version for rows that are short.

Note [Gathered rows]
    The lanes of a fold along a row of ten elements are not full, and what is left over is done one by one.
    Across the points they are full: a vector gathers an element of each of several rows. Where only the run
    knows how long the rows are, it chooses:

        for i { a[i] = REDUCE + over k < n { f(x[n×i + k]) } }
        →   if (n ≤ 23) { for i in lanes { … over k < short … } } else { … }

    What is long for a gather is not for a call of a function of reals, which takes longer: see
    `most_gathered`. Elements that are only added up are not gathered: four rows side by side, one element of
    each after the other, keep the machine busy, and take rows from memory as they lie. Longer rows, and those
    read again and again, are none of this: see `ShortRows`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import BlockExp, Check, Const, Exp, Fold, PureCall, Read, Var, contains
from aplc.laila.ir.split import Piece, bound_in
from aplc.laila.ir.substitute import BoundedFolds
from aplc.laila.loops.blocks import Block, Mode
from aplc.laila.loops.lanes import Lanes
from aplc.laila.loops.nests import Nests, Wanted
from aplc.laila.loops.outer_loop_legality import folds_of_points
from aplc.laila.loops.spans import MapNest
from aplc.laila.loops.strategies import Otherwise
from aplc.laila.transform.register_tiling import SIZES, is_added_up, most_gathered
from aplc.tail import prims as p

_NOT_BEFORE = BlockExp | Check | Fold | PureCall | Read
"""What an extent has none of that is computed before a loop that may have no rounds."""


class GatheredRows:
    """Loops over points with short folds: see Note [Gathered rows]."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.lanes, self.code = nests, Lanes(nests), nests.code
        self.make, self.free = nests.make, nests.free

    def generate(self, wanted: Wanted, block: Block, otherwise: Otherwise[Wanted]) -> None:
        """A version of a loop for short rows, in lanes, and one for others."""
        bounded = self.bounded(wanted.piece, wanted.unbound, block.mode) if wanted.may_be_in_lanes else {}
        if not bounded:
            otherwise(wanted, block)
            return
        piece = wanted.piece
        change = BoundedFolds(self.make, bounded)
        short = replace(piece, roots=tuple([change(root) for root in piece.roots]))
        self.nests.hoist(piece, wanted.hidden, block)
        versions = {True: wanted if self.are_added_up(piece) else wanted.over(short), False: wanted}
        self.chosen(piece, bounded, block, lambda is_short, inner: otherwise(versions[is_short], inner))

    def chosen(
        self, piece: Piece, bounded: dict[Exp, Var], block: Block, make_it: Callable[[bool, Block], None]
    ) -> None:
        """A version for short rows where there are points enough, and one for others: `make_it` makes the
        first if it is told so.
        """
        make = self.make
        cond = make.call(p.GTEI, make.sub(piece.stop, piece.start), make.const(SIZES.least_points))
        fast, slow = block.inner(in_loop=False), block.inner(in_loop=False)
        added_up = self.are_added_up(piece)
        for extent, var in bounded.items():
            value = self.code.single(extent, block)
            if not added_up:
                fast.statements.append(l.Declare(var, value))
            cond = make.call(p.ANDB, cond, make.call(p.LTEI, value, var.highs[-1]))
        test = self.code.single(cond, block)
        make_it(True, fast.under(replace(fast.mode, long_rows=added_up, in_scalars=added_up)))
        make_it(False, slow.under(replace(slow.mode, long_rows=True)))
        block.statements.append(l.If(test, tuple(fast.statements), tuple(slow.statements)))

    def bounded(self, piece: Piece, unbound: frozenset[Var], mode: Mode) -> dict[Exp, Var]:
        """Variables for the extents of folds which must be short so that the points are taken in lanes; none
        if they are not even then, or are in any case. They are known before the loop, of which others bind
        `unbound` variables.
        """
        make = self.make
        if not self.nests.options.splitting or mode.is_rare or mode.long_rows or piece.step != 1:
            return {}
        folds = folds_of_points(self.free, piece.roots, piece.var)
        extents: dict[Exp, None] = dict.fromkeys([f.extent for f in folds if not isinstance(f.extent, Const)])
        if not extents or self.lanes.is_in_lanes(piece, mode):
            return {}
        hidden = bound_in(piece.roots) | unbound | {piece.var}
        if any(self.free.of(n) & hidden or contains(_NOT_BEFORE, n) for n in extents):
            return {}
        most = make.const(most_gathered(*[fold.body for fold in folds], loaded=True))
        bounded = {n: make.between("short", (n,), (n, most)) for n in extents}
        change = BoundedFolds(make, bounded)
        short = replace(piece, roots=tuple([change(root) for root in piece.roots]))
        return bounded if self.lanes.is_in_lanes(short, mode) else {}

    def are_added_up(self, piece: Piece) -> bool:
        """Whether all folds of a piece only add up elements."""
        return all(is_added_up(fold) for fold in folds_of_points(self.free, piece.roots, piece.var))


class GatheredMaps:
    """The same of maps, whose rows would otherwise be taken a few at a time."""

    def __init__(self, nests: Nests) -> None:
        self.rows, self.make = GatheredRows(nests), nests.make

    def generate(self, wanted: MapNest, block: Block, otherwise: Otherwise[MapNest]) -> None:
        """A version of a map for short rows, in lanes, and one for others."""
        pieces = [Piece(var, self.make.zero, extent, (wanted.body,)) for var, extent in wanted.axes[-1:]]
        outer = frozenset([var for var, _ in wanted.axes[:-1]])
        bounded = self.rows.bounded(pieces[0], outer, block.mode) if pieces else {}
        if not bounded:
            otherwise(wanted, block)
            return
        added_up = self.rows.are_added_up(pieces[0])
        body = wanted.body if added_up else BoundedFolds(self.make, bounded)(wanted.body)
        versions = {True: replace(wanted, body=body), False: wanted}
        self.rows.chosen(
            pieces[0], bounded, block, lambda is_short, inner: otherwise(versions[is_short], inner)
        )
