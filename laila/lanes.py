"""Lanes across the points of a loop: folds inside it accumulate for many points side by side.

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
    are left over take the plain loop.

    This does not pay where the fold walks along memory that belongs to one point: such a fold stays as it is.

The order in which one point accumulates is that of the plain loop, one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from laila import loops as l
from laila.analysis import unconditional
from laila.lockstep import Lockstep, Reductions
from laila.nests import Finish, in_any_order
from laila.order import depends, steps_by_one
from laila.pull import fill
from laila.rounds import Rounds, rounds_of
from laila.scalar import (
    Buffer,
    Check,
    Const,
    Do,
    Exp,
    Fold,
    FreeVars,
    Lookup,
    Read,
    Select,
    Step,
    Var,
    nodes,
    operands,
)
from laila.simplify import Scalars
from laila.split import Piece, at_most_once
from laila.substitute import Substitute
from laila.tile import SIZES, fits_tiles
from laila.values import Block
from tail import prims as p
from tail.prims import Prim
from tail.types import Base

LANES_OF_ROUNDS = 16
"""How many points loop side by side: those that have ended wait for the last."""


# --- decisions ------------------------------------------------------------------------------------------


def folds_of_points(free: FreeVars, roots: tuple[Exp, ...], point: Var) -> list[Fold]:
    """The folds that depend on a point, those inside others left out."""
    below = lambda e: () if isinstance(e, Fold) else operands(e)  # noqa: E731
    return [n for n in nodes(*roots, below=below) if isinstance(n, Fold) and depends(free, n, point)]


def rounds_of_points(make: Scalars, free: FreeVars, roots: tuple[Exp, ...], point: Var) -> dict[Do, Rounds]:
    """The loops over scalars that depend on a point; none if one of the sequences there is something else."""
    below = lambda e: () if isinstance(e, Do) else operands(e)  # noqa: E731
    found: dict[Do, Rounds] = {}
    for node in nodes(*roots, below=below):
        if isinstance(node, Do) and depends(free, node, point):
            rounds = rounds_of(make, node)
            if rounds is None:
                return {}
            found[node] = rounds
    return found


def _are_all(loops: dict[Do, Rounds], roots: tuple[Exp, ...]) -> bool:
    """Whether nothing but loops over scalars keeps the points from lanes."""
    below = lambda e: () if isinstance(e, Do) else operands(e)  # noqa: E731
    certain = {id(n) for n in unconditional(roots)}
    rest = [n for n in nodes(*roots, below=below) if n not in loops]
    is_plain = not any(isinstance(n, Do | Check | Fold) or (isinstance(n, Var) and n.likely) for n in rest)
    return is_plain and all(id(node) in certain for node in loops)


def wants_lanes(make: Scalars, free: FreeVars, piece: Piece) -> bool:
    """Whether the innermost loop over points is better taken in lanes: see Note [Points in lanes]."""
    if piece.step != 1:
        return False
    loops = rounds_of_points(make, free, piece.roots, piece.var)
    if loops:
        return _are_all(loops, piece.roots)
    folds = folds_of_points(free, piece.roots, piece.var)
    if not folds or not fits_tiles(*piece.roots):
        return False
    certain = {id(n) for n in unconditional(piece.roots)}
    fits = all(id(fold) in certain and _fits(make, free, fold, piece.var, ()) for fold in folds)
    return fits and any(_pays(make, free, fold, piece) for fold in folds)


def _pays(make: Scalars, free: FreeVars, fold: Fold, piece: Piece) -> bool:
    """Whether a fold gains by running across points: it has no lanes of its own, or only short ones, or walks
    along no memory itself. One that is no shorter than the loop is long where there are points for lanes.
    """
    if isinstance(fold.combine, Step):
        return True
    places = [n.index for n in nodes(fold.body) if isinstance(n, Read) and depends(free, n.index, fold.var)]
    if any(steps_by_one(make, free, place, piece.var) for place in places):
        return True
    if isinstance(fold.extent, Const):
        return fold.extent.value < SIZES.long_fold
    return not make.at_least(fold.extent, make.sub(piece.stop, piece.start))


def _fits(make: Scalars, free: FreeVars, fold: Fold, point: Var, around: tuple[Var, ...]) -> bool:
    """Whether a fold, `around` which others run, may accumulate across points, and walks along no memory of
    one point.
    """
    if depends(free, fold.extent, point) or (fold.empty is not None and not _is_plain(fold.empty)):
        return False
    if isinstance(fold.combine, Step) and not _is_plain(fold.combine.body, Check):
        return False
    indices = (*around, fold.var)
    inside = folds_of_points(free, (fold.body,), point)
    certain = {id(n) for n in unconditional((fold.body,))}
    below = lambda e: () if isinstance(e, Fold) else operands(e)  # noqa: E731
    for node in nodes(fold.body, below=below):
        if isinstance(node, Lookup) or (
            isinstance(node, Read)
            and depends(free, node.index, point)
            and any(depends(free, node.index, k) for k in indices)
            and not steps_by_one(make, free, node.index, point)
        ):
            return False
    return all(id(each) in certain and _fits(make, free, each, point, indices) for each in inside)


def _is_plain(exp: Exp, *allowed: type) -> bool:
    """Whether an expression needs no statements, but for some kinds of nodes."""
    kinds = tuple({Check, Fold, Do, Lookup} - set(allowed))
    return not any(isinstance(n, kinds) for n in nodes(exp))


def lanes_of(make: Scalars, piece: Piece, arrays: int) -> int:
    """How many points are taken together, as many as there are at most."""
    count = SIZES.points
    length = make.sub(piece.stop, piece.start)
    while count > SIZES.least_points and (
        count * arrays > SIZES.accumulators or (isinstance(length, Const) and length.value < count)
    ):
        count //= 2
    return count


# --- loops ----------------------------------------------------------------------------------------------


class Lanes(Lockstep):
    """The generation of loops over points whose folds, or loops of their own, run in lanes."""

    def piece(
        self,
        piece: Piece,
        unbound: frozenset[Var],
        block: Block,
        build: Finish,
        reductions: tuple[l.Reduction, ...] | None = (),
        *,
        descending: bool = False,
        independent: bool = False,
    ) -> None:
        """A loop over one piece; its points in lanes where that pays."""
        left = piece
        if reductions is not None and not unbound:
            cond = self.deciding(piece)
            if cond is not None:
                self.decided(piece, cond, block, build, reductions)
                return
            if self.is_in_lanes(piece):
                self.hoist(piece, unbound, block)
                loops = rounds_of_points(self.make, self.free, piece.roots, piece.var)
                if loops:
                    count = min(LANES_OF_ROUNDS, lanes_of(self.make, piece, 0))
                    self.in_lockstep(piece, loops, count, block, build, reductions)
                    return
                left = self.points(piece, block, build, reductions)
        if not self.make.at_least(left.start, left.stop):
            super().piece(
                left, unbound, block, build, reductions, descending=descending, independent=independent
            )

    def is_in_lanes(self, piece: Piece) -> bool:
        """Whether the points of a piece are taken in lanes."""
        if not self.splitting or self.reporting or at_most_once(self.make, piece):
            return False
        length = self.make.sub(piece.stop, piece.start)
        is_short = isinstance(length, Const) and length.value < SIZES.least_points
        return not is_short and wants_lanes(self.make, self.free, piece)

    def deciding(self, piece: Piece) -> Var | None:
        """A condition that stays the same and decides where folds read, so that the points would be taken in
        lanes if it held.
        """
        for fold in folds_of_points(self.free, piece.roots, piece.var):
            for read in nodes(fold.body):
                for node in nodes(read.index) if isinstance(read, Read) else ():
                    if isinstance(node, Select) and isinstance(node.cond, Var):
                        holds = self.with_condition(piece, node.cond, holds=True)
                        return node.cond if self.is_in_lanes(holds) else None
        return None

    def with_condition(self, piece: Piece, cond: Var, *, holds: bool) -> Piece:
        """The piece for when a condition holds, or does not."""
        decided = Substitute(self.make, {cond: self.make.const(holds)})
        return replace(piece, roots=tuple([decided(root) for root in piece.roots]))

    def decided(self, piece: Piece, cond: Var, block: Block, build: Finish, reductions: Reductions) -> None:
        """A version of the loop for when a condition holds, and one for when it does not."""
        versions: list[tuple[l.Stm, ...]] = []
        for holds in (True, False):
            inner = block.inner(in_loop=False)
            self.piece(self.with_condition(piece, cond, holds=holds), frozenset(), inner, build, reductions)
            versions.append(tuple(inner.statements))
        block.statements.append(l.If(cond, *versions))

    def points(self, piece: Piece, block: Block, build: Finish, reductions: Reductions) -> Piece:
        """Loops over whole vectors of points, and the piece that is left."""
        make = self.make
        count = lanes_of(make, piece, len(folds_of_points(self.free, piece.roots, piece.var)))
        end = self.end_of_whole(piece, count, block)
        first = self.first_of_strip(piece, count)
        lane = make.index("j", make.const(count))
        at = Substitute(make, {piece.var: make.add(first, lane)})
        inner = block.inner(in_loop=True)
        roots = self.folded(tuple([at(root) for root in piece.roots]), lane, count, inner)
        self.piece(self.across(lane, count, roots), frozenset(), inner, build, reductions)
        start = self.single(piece.start, block)
        loop = l.For(first, start, end, tuple(inner.statements), step=count)
        parallel = self.accumulated(reductions, inner.statements)
        block.statements.append(in_any_order(loop, parallel, piece.roots))
        return Piece(piece.var, end, piece.stop, piece.roots)

    # --- folds ---

    def folded(self, roots: tuple[Exp, ...], lane: Var, count: int, block: Block) -> tuple[Exp, ...]:
        """Expressions with the folds that depend on the lane computed, for all lanes, in arrays."""
        results: dict[Exp, Exp] = {}
        for group in _over_one_range(folds_of_points(self.free, roots, lane)):
            arrays = tuple([self.array(fold, count, block) for fold in group])
            if isinstance(group[0].combine, Step):
                self.step_in_lanes(group[0], arrays[0], lane, count, block)
            else:
                self.folds_in_lanes(group, arrays, lane, count, block)
            results |= {fold: self.make.read(a, lane) for fold, a in zip(group, arrays, strict=True)}
        substitute = Substitute(self.make, results)
        return tuple([substitute(root) for root in roots])

    def folds_in_lanes(
        self, group: list[Fold], arrays: tuple[Buffer, ...], lane: Var, count: int, block: Block
    ) -> None:
        """Associative folds over one range: `s[j] := neutral; for k … s[j] := s[j] op body`"""
        make = self.make
        first = group[0]
        for fold, array in zip(group, arrays, strict=True):
            self.filled(array, lane, count, self.start_of(fold), block)
        bodies = tuple([Substitute(make, {fold.var: first.var})(fold.body) for fold in group])

        def add(inner: Block, roots: tuple[Exp, ...]) -> None:
            values: list[Exp] = []
            for fold, array, body in zip(group, arrays, roots, strict=True):
                assert isinstance(fold.combine, Prim)
                values.append(self.combined(fold.combine, make.read(array, lane), body))
            self.filled_together(arrays, lane, count, tuple(values), inner)

        stop = self.single(first.extent, block)
        self.steps_in_lanes(Piece(first.var, make.zero, stop, bodies), lane, count, block, add)

    def start_of(self, fold: Fold) -> Exp:
        """What a fold accumulates from; for no elements it is the result."""
        assert isinstance(fold.combine, Prim)
        start = self.neutral_among(fold.combine, self.ranges.of(fold))
        if fold.empty is None or fold.empty is start:
            return start
        return self.make.select(self.make.call(p.EQI, fold.extent, self.make.zero), fold.empty, start)

    def step_in_lanes(self, fold: Fold, array: Buffer, lane: Var, count: int, block: Block) -> None:
        """A fold from the right: the last elements, then each earlier one with what is right of it."""
        make, step = self.make, fold.combine
        assert isinstance(step, Step)
        stop = self.single(fold.extent, block)
        last = make.sub(stop, make.one)
        some = make.call(p.GTI, stop, make.zero)
        if some is not make.true:
            empty = fold.empty if fold.empty is not None else fill(make, fold.ty)
            self.filled(array, lane, count, empty, block)

        def start(inner: Block) -> None:
            body = Substitute(make, {fold.var: last})(fold.body)
            (element,) = self.folded((body,), lane, count, inner)
            self.filled(array, lane, count, element, inner)

        def advance(inner: Block, roots: tuple[Exp, ...]) -> None:
            before = Substitute(make, {step.accumulator: make.read(array, lane)})
            self.filled(array, lane, count, before(roots[0]), inner)

        self.branch(some, block, start)
        result = Substitute(make, {step.element: fold.body})(step.body)
        rest = Piece(fold.var, make.zero, last, (result,))
        hidden = frozenset((step.accumulator,))
        self.steps_in_lanes(rest, lane, count, block, advance, hidden, descending=True)

    def steps_in_lanes(
        self,
        whole: Piece,
        lane: Var,
        count: int,
        block: Block,
        build: Finish,
        changing: frozenset[Var] = frozenset(),
        *,
        descending: bool = False,
    ) -> None:
        """The loop of a fold around loops over the lanes, with what `build` makes of the elements inside.
        `changing` are variables that stand for something else at each step.
        """
        make, unbound = self.make, frozenset((lane,))

        def step(inner: Block, roots: tuple[Exp, ...]) -> None:
            build(inner, self.folded(roots, lane, count, inner))

        def run(inner: Block, roots: tuple[Exp, ...]) -> None:
            pieces = self.pieces(Piece(whole.var, whole.start, whole.stop, roots), unbound)
            for piece in reversed(pieces) if descending else pieces:
                self.piece(piece, unbound, inner, step, None, descending=descending)

        kept = list(self.parts_of_points(whole.roots, lane, changing | {whole.var}))
        if not kept:
            run(block, whole.roots)
            return

        def keep_and_run(inner: Block) -> None:
            values = self.folded(tuple(kept), lane, count, inner)
            arrays = tuple([self.array(each, count, inner) for each in kept])
            self.filled_together(arrays, lane, count, values, inner)
            reads = {each: make.read(a, lane) for each, a in zip(kept, arrays, strict=True)}
            substitute = Substitute(make, reads)
            run(inner, tuple([substitute(root) for root in whole.roots]))

        self.branch(make.call(p.LTI, whole.start, whole.stop), block, keep_and_run)

    def combined(self, op: Prim, before: Exp, value: Exp) -> Exp:
        """`before op value`. Comparisons of numbers choose: C compilers put that in lanes, but not `&` of
        bytes and the outcome of wider operands.
        """
        make = self.make
        leaves = [n for n in nodes(value, below=_above_reads) if isinstance(n, Read | Var)]
        if op not in (p.ANDB, p.ORB) or all(n.ty is Base.BOOL for n in leaves):
            return self.joined(op, before, value)
        if op is p.ANDB:
            return make.select(value, before, make.false)
        return make.select(value, make.true, before)


def _above_reads(exp: Exp) -> Iterable[Exp]:
    """The operands of an expression, without those that tell where something is read."""
    return () if isinstance(exp, Read) else operands(exp)


def _over_one_range(folds: list[Fold]) -> list[list[Fold]]:
    """Associative folds grouped by their range; the others one by one."""
    groups: dict[int, list[Fold]] = {}
    for fold in folds:
        key = id(fold) if isinstance(fold.combine, Step) else id(fold.extent)
        groups.setdefault(key, []).append(fold)
    return list(groups.values())
