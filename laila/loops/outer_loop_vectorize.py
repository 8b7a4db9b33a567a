"""Outer-loop vectorisation: reductions inside a loop accumulate for many of its iterations side by side.

Note [Points in lanes]
    In `for i { s = 0; for k { s = s + f(i,k) }; … s … }` the inner loop may run in lanes, which must be
    combined for each point; a polynomial by Horner's rule may not run in lanes at all. Across the points,

        for i by 64 {
            s[64] = 0
            for k { for j < 64 { s[j] = s[j] + f(i+j,k) } }
            for j < 64 { … s[j] … }
        }

    all loops over j are straight, the array stands in vector registers while k runs, and what depends on k
    alone serves all points. Folds over one range share their loop over k. Folds inside folds have arrays of
    their own. What depends on the point alone and takes work is computed once for each point. The points that
    are left over are a strip with as many lanes as there are; where each fold does as well alone, they take
    the plain loop.

    This does not pay where the fold walks along memory that belongs to one point: such a fold stays as it is.
    But if that fold is short, and another is around it, as in distances between all pairs of rows, then what
    the points read along it is laid out by lanes before, in a small array, and read again at each step of the
    other. Where only the run can tell that it is short, there are two versions.

The order in which one point accumulates is that of the plain loop, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.scalar import Buffer, Const, Exp, Fold, Read, Select, Var, contains, nodes, operands
from aplc.laila.ir.split import Piece, bound_in
from aplc.laila.ir.strides import depends
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block, Mode
from aplc.laila.loops.lanes import FoldsInLanes, Lanes
from aplc.laila.loops.nests import Nests, Wanted, in_any_order
from aplc.laila.loops.outer_loop_legality import (
    Rows,
    folds_of_points,
    is_plain,
    is_slow_alone,
    lanes_of,
    may_repeat,
    rows_of_points,
    used_inside,
    without_copies,
)
from aplc.laila.loops.prefetching.strips import StripsRead
from aplc.laila.loops.strategies import Otherwise
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.transform.register_tiling import SIZES
from aplc.tail import prims as p

MOST_CONDITIONS = 4
"""More are not tried."""


class Unswitching:
    """Loops in versions for a condition that stays the same, if points are then taken in lanes."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.lanes = nests, Lanes(nests)
        self.make, self.free = nests.make, nests.free

    def generate(self, wanted: Wanted, block: Block, otherwise: Otherwise[Wanted]) -> None:
        """Two versions of a loop if a condition decides whether its folds run, or where they read."""
        cond = self.deciding(wanted.piece, block.mode) if wanted.may_be_in_lanes else None
        if cond is None:
            otherwise(wanted, block)
        else:
            self.decided(wanted, cond, block)

    def deciding(self, piece: Piece, mode: Mode) -> Exp | None:
        """A condition that stays the same and decides whether folds run, or where they read, so that the
        points would be taken in lanes if it held.
        """
        folds = folds_of_points(self.free, piece.roots, piece.var)
        conditions = dict.fromkeys((*self.of_folds(piece, folds), *self.of_reads(folds)))
        for cond in islice(conditions, MOST_CONDITIONS):
            if self.lanes.is_in_lanes(self.with_condition(piece, cond, holds=True), mode):
                return cond
        return None

    def of_folds(self, piece: Piece, folds: Sequence[Fold]) -> Iterator[Exp]:
        """The conditions under which folds run."""
        certain = {id(n) for n in unconditional(piece.roots)} if folds else set()
        if all(id(fold) in certain for fold in folds):
            return
        below = lambda e: () if isinstance(e, Fold) else operands(e)  # noqa: E731
        for node in nodes(*piece.roots, below=below):
            if isinstance(node, Select) and is_plain(node.cond) and not contains(Read, node.cond):
                yield from () if depends(self.free, node.cond, piece.var) else (node.cond,)

    def of_reads(self, folds: Sequence[Fold]) -> Iterator[Exp]:
        """The conditions that decide where folds read."""
        for fold in folds:
            for read in nodes(fold.body):
                for node in nodes(read.index) if isinstance(read, Read) else ():
                    if isinstance(node, Select) and isinstance(node.cond, Var):
                        yield node.cond

    def with_condition(self, piece: Piece, cond: Exp, *, holds: bool) -> Piece:
        """The piece for when a condition holds, or does not."""
        decided = Substitute(self.make, {cond: self.make.const(holds)})
        return replace(piece, roots=tuple([decided(root) for root in piece.roots]))

    def decided(self, wanted: Wanted, cond: Exp, block: Block) -> None:
        """A version of the loop for when a condition holds, and one for when it does not."""
        versions: list[tuple[l.Stm, ...]] = []
        for holds in (True, False):
            inner = block.inner(in_loop=False)
            piece = self.with_condition(wanted.piece, cond, holds=holds)
            self.nests.loop(wanted.over(piece), inner)
            versions.append(tuple(inner.statements))
        block.statements.append(l.If(self.nests.code.single(cond, block), *versions))


class Points:
    """Loops whose iterations are taken in lanes, with the folds in them: see Note [Points in lanes]."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.lanes, self.code = nests, Lanes(nests), nests.code
        self.make, self.free = nests.make, nests.free
        self.folds = FoldsInLanes(self.lanes)
        self.loads = StripsRead(nests.make, nests.free, nests.code)

    def generate(self, wanted: Wanted, block: Block, otherwise: Otherwise[Wanted]) -> None:
        """A loop in lanes where that pays, and the iterations that are left over."""
        piece = wanted.piece
        if not wanted.may_be_in_lanes or not self.lanes.is_in_lanes(piece, block.mode):
            otherwise(wanted, block)
            return
        self.nests.hoist(piece, wanted.hidden, block)
        left = self.over(wanted, block)
        if left is not None:
            otherwise(replace(wanted, piece=left), block)

    def over(self, wanted: Wanted, block: Block, rows: Rows | None = None) -> Piece | None:
        """Loops over whole vectors of points, and the piece that is left if any; some reads are laid out
        before.
        """
        make = self.make
        piece = without_copies(make, self.free, wanted.piece)
        folds = folds_of_points(self.free, piece.roots, piece.var)
        earlier = len(used_inside(folds))
        count = lanes_of(make, piece, max(earlier, len(folds) - earlier))
        end = self.nests.end_of_whole(piece, make.const(count), block)
        first = self.lanes.first_of_strip(piece, make.const(count))
        inner = block.inner(in_loop=True)

        def strip(inner: Block, first: Exp, lane: Var) -> None:
            at = Substitute(make, {piece.var: make.add(first, lane)})
            roots = tuple([at(root) for root in piece.roots])
            if rows:
                laid_out = Substitute(make, self.by_lanes(rows, at, lane, count, inner))
                roots = tuple([laid_out(root) for root in roots])
            roots = self.folds.folded(roots, lane, count, inner)
            self.nests.loop(wanted.over(self.lanes.across(lane, roots)), inner)

        lane = make.index("j", make.const(count))
        if self.nests.options.has_memory:
            at = Substitute(make, {piece.var: make.add(first, lane)})
            in_strip = [fold for fold in map(at, folds) if isinstance(fold, Fold)]
            self.loads.load(in_strip, lane, bound_in(piece.roots), inner)
        strip(inner, first, lane)
        start = self.code.single(piece.start, block)
        loop = l.For(first, start, end, tuple(inner.statements), step=count)
        parallel = self.nests.accumulated(wanted.reductions, inner)
        block.statements.append(in_any_order(loop, parallel, piece.roots))
        is_repeatable = not rows and all(may_repeat(self.free, fold, piece.var) for fold in folds)
        is_slow = any(is_slow_alone(make, self.free, fold, piece.var) for fold in folds)
        if not rows and not is_slow and not is_repeatable:
            return Piece(piece.var, end, piece.stop, piece.roots)

        def repeated(inner: Block) -> None:
            lane = make.index("j", make.const(count))
            place = make.add(end, lane)
            inside = Substitute(make, {piece.var: make.call(p.MINI, place, make.sub(piece.stop, make.one))})
            values = self.folds.folded(tuple([inside(fold) for fold in folds]), lane, count, inner)
            known = Substitute(make, dict(zip(folds, values, strict=True)))
            at = Substitute(make, {piece.var: place})
            roots = tuple([at(known(root)) for root in piece.roots])
            left = self.code.single(make.sub(piece.stop, end), inner)
            self.nests.loop(wanted.over(Piece(lane, make.zero, left, roots)), inner)

        def rest(inner: Block) -> None:
            left = make.between("left", (make.one,), (make.const(count - 1),))
            inner.statements.append(l.Declare(left, self.code.single(make.sub(piece.stop, end), inner)))
            strip(inner, end, make.index("j", left))

        self.nests.branch(make.call(p.LTI, end, piece.stop), block, repeated if is_repeatable else rest)
        return None

    def by_lanes(self, rows: Rows, at: Substitute, lane: Var, count: int, block: Block) -> dict[Exp, Exp]:
        """What the points of a strip read along short folds, in arrays in which lanes are neighbours."""
        make, many = self.make, self.make.const(count)
        found: dict[Exp, Exp] = {}
        for row, fold in rows.items():
            source = at(row)
            array = Buffer(make.fresh("rows"), row.ty, STORAGE[row.ty])
            block.statements.append(l.Local(array, count * SIZES.short_fold))
            place = make.add(make.mul(fold.var, many), lane)

            def step(inner: Block, roots: tuple[Exp, ...], array: Buffer = array) -> None:
                def store(inner: Block, roots: tuple[Exp, ...]) -> None:
                    value, place = self.code.values(roots, inner)
                    inner.statements.append(l.Store(array, place, value))

                self.nests.loop(Wanted(self.lanes.across(lane, roots), store, independent=True), inner)

            whole = Piece(fold.var, make.zero, self.code.single(fold.extent, block), (source, place))
            self.nests.loop(Wanted(whole, step, frozenset((lane,)), None), block)
            found[source] = make.read(array, place)
        return found


class ShortRows:
    """Loops whose iterations walk along short rows of their own, which are laid out by lanes before."""

    def __init__(self, points: Points) -> None:
        self.points, self.nests, self.lanes = points, points.nests, points.lanes
        self.make, self.free, self.code = points.make, points.free, points.code

    def generate(self, wanted: Wanted, block: Block, otherwise: Otherwise[Wanted]) -> None:
        """A loop in lanes if that pays for rows that are laid out, in two versions if only the run knows."""
        rows = self.rows_in_lanes(wanted.piece, block.mode) if wanted.may_be_in_lanes else {}
        if rows:
            self.laid_out(wanted, rows, block, otherwise)
        else:
            otherwise(wanted, block)

    def rows_in_lanes(self, piece: Piece, mode: Mode) -> Rows:
        """What is laid out by lanes, where there may be points enough and their folds may be short."""
        make = self.make
        if not self.nests.options.splitting or mode.reporting:
            return {}
        length = make.sub(piece.stop, piece.start)
        rows = rows_of_points(make, self.free, piece)
        is_long = any(make.at_least(f.extent, make.const(SIZES.short_fold + 1)) for f in rows.values())
        is_short = isinstance(length, Const) and length.value < SIZES.least_points
        does_not_pay = not rows or is_long or is_short or self.lanes.is_in_lanes(piece, mode)
        return {} if does_not_pay else rows

    def laid_out(self, wanted: Wanted, rows: Rows, block: Block, otherwise: Otherwise[Wanted]) -> None:
        """A version of the loop in lanes for when folds are short and points are many, and a plain one."""
        make, piece = self.make, wanted.piece
        length = make.sub(piece.stop, piece.start)
        cond = make.call(p.GTEI, length, make.const(SIZES.least_points))
        for fold in rows.values():
            cond = make.call(p.ANDB, cond, make.call(p.LTEI, fold.extent, make.const(SIZES.short_fold)))
        self.nests.hoist(piece, wanted.hidden, block)
        fast, slow = block.inner(in_loop=False), block.inner(in_loop=False)
        self.points.over(wanted, fast, rows)
        if cond is make.true:
            block.statements += fast.statements
            return
        otherwise(wanted.over(piece), slow)
        test = self.code.single(cond, block)
        block.statements.append(l.If(test, tuple(fast.statements), tuple(slow.statements)))
