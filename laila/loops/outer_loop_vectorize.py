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

from collections.abc import Iterable
from dataclasses import replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import Buffer, Call, Const, Exp, Fold, Read, Select, Step, Var, nodes, operands
from aplc.laila.ir.split import Piece, at_most_once
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block, Mode, Reductions
from aplc.laila.loops.masked_simd_loops import Lockstep
from aplc.laila.loops.nests import Finish, in_any_order
from aplc.laila.loops.outer_loop_legality import (
    Rows,
    folds_of_points,
    is_slow_alone,
    lanes_of,
    may_repeat,
    rounds_of_points,
    rows_of_points,
    used_inside,
    wants_lanes,
    without_copies,
)
from aplc.laila.lowering.pull import fill
from aplc.laila.lowering.scalars import joined
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.transform.register_tiling import SIZES
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

LANES_OF_ROUNDS = 32
"""How many points loop side by side: those that have ended wait for the last."""


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
            cond = self.deciding(piece, block.mode)
            if cond is not None:
                self.decided(piece, cond, block, build, reductions)
                return
            rows = self.rows_in_lanes(piece, block.mode)
            if rows:
                self.laid_out(piece, rows, unbound, block, build, reductions)
                return
            if self.is_in_lanes(piece, block.mode):
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

    def is_in_lanes(self, piece: Piece, mode: Mode) -> bool:
        """Whether the points of a piece are taken in lanes."""
        if not self.options.splitting or mode.reporting or at_most_once(self.make, piece):
            return False
        length = self.make.sub(piece.stop, piece.start)
        is_short = isinstance(length, Const) and length.value < SIZES.least_points
        return not is_short and wants_lanes(self.make, self.free, piece)

    def rows_in_lanes(self, piece: Piece, mode: Mode) -> Rows:
        """What is laid out by lanes, where there may be points enough and their folds may be short."""
        make = self.make
        if not self.options.splitting or mode.reporting or self.is_in_lanes(piece, mode):
            return {}
        length = make.sub(piece.stop, piece.start)
        rows = rows_of_points(make, self.free, piece)
        is_long = any(make.at_least(f.extent, make.const(SIZES.short_fold + 1)) for f in rows.values())
        is_short = isinstance(length, Const) and length.value < SIZES.least_points
        return {} if is_long or is_short else rows

    def laid_out(
        self,
        piece: Piece,
        rows: Rows,
        unbound: frozenset[Var],
        block: Block,
        build: Finish,
        reductions: Reductions,
    ) -> None:
        """A version of the loop in lanes for when folds are short and points are many, and a plain one."""
        make = self.make
        length = make.sub(piece.stop, piece.start)
        cond = make.call(p.GTEI, length, make.const(SIZES.least_points))
        for fold in rows.values():
            cond = make.call(p.ANDB, cond, make.call(p.LTEI, fold.extent, make.const(SIZES.short_fold)))
        self.hoist(piece, unbound, block)
        fast, slow = block.inner(in_loop=False), block.inner(in_loop=False)
        self.points(piece, fast, build, reductions, rows)
        if cond is make.true:
            block.statements += fast.statements
            return
        super().piece(piece, unbound, slow, build, reductions)
        test = self.single(cond, block)
        block.statements.append(l.If(test, tuple(fast.statements), tuple(slow.statements)))

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
                    value, place = self.values(roots, inner)
                    inner.statements.append(l.Store(array, place, value))

                self.piece(self.across(lane, roots), frozenset(), inner, store, independent=True)

            whole = Piece(fold.var, make.zero, self.single(fold.extent, block), (source, place))
            self.piece(whole, frozenset((lane,)), block, step, None)
            found[source] = make.read(array, place)
        return found

    def deciding(self, piece: Piece, mode: Mode) -> Var | None:
        """A condition that stays the same and decides where folds read, so that the points would be taken in
        lanes if it held.
        """
        for fold in folds_of_points(self.free, piece.roots, piece.var):
            for read in nodes(fold.body):
                for node in nodes(read.index) if isinstance(read, Read) else ():
                    if isinstance(node, Select) and isinstance(node.cond, Var):
                        holds = self.with_condition(piece, node.cond, holds=True)
                        return node.cond if self.is_in_lanes(holds, mode) else None
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

    def points(
        self,
        piece: Piece,
        block: Block,
        build: Finish,
        reductions: Reductions,
        rows: Rows | None = None,
    ) -> Piece:
        """Loops over whole vectors of points, and the piece that is left; some reads are laid out before."""
        make = self.make
        piece = without_copies(make, self.free, piece)
        folds = folds_of_points(self.free, piece.roots, piece.var)
        earlier = len(used_inside(folds))
        count = lanes_of(make, piece, max(earlier, len(folds) - earlier))
        end = self.end_of_whole(piece, count, block)
        first = self.first_of_strip(piece, count)
        inner = block.inner(in_loop=True)

        def strip(inner: Block, first: Exp, lane: Var) -> None:
            at = Substitute(make, {piece.var: make.add(first, lane)})
            roots = tuple([at(root) for root in piece.roots])
            if rows:
                laid_out = Substitute(make, self.by_lanes(rows, at, lane, count, inner))
                roots = tuple([laid_out(root) for root in roots])
            roots = self.folded(roots, lane, count, inner)
            self.piece(self.across(lane, roots), frozenset(), inner, build, reductions)

        strip(inner, first, make.index("j", make.const(count)))
        start = self.single(piece.start, block)
        loop = l.For(first, start, end, tuple(inner.statements), step=count)
        parallel = self.accumulated(reductions, inner)
        block.statements.append(in_any_order(loop, parallel, piece.roots))
        is_repeatable = not rows and all(may_repeat(self.free, fold, piece.var) for fold in folds)
        is_slow = any(is_slow_alone(make, self.free, fold, piece.var) for fold in folds)
        if not rows and not is_slow and not is_repeatable:
            return Piece(piece.var, end, piece.stop, piece.roots)

        def repeated(inner: Block) -> None:
            lane = make.index("j", make.const(count))
            place = make.add(end, lane)
            inside = Substitute(make, {piece.var: make.call(p.MINI, place, make.sub(piece.stop, make.one))})
            values = self.folded(tuple([inside(fold) for fold in folds]), lane, count, inner)
            known = Substitute(make, dict(zip(folds, values, strict=True)))
            at = Substitute(make, {piece.var: place})
            roots = tuple([at(known(root)) for root in piece.roots])
            left = self.single(make.sub(piece.stop, end), inner)
            self.piece(Piece(lane, make.zero, left, roots), frozenset(), inner, build, reductions)

        def rest(inner: Block) -> None:
            left = make.between("left", (make.one,), (make.const(count - 1),))
            inner.statements.append(l.Declare(left, self.single(make.sub(piece.stop, end), inner)))
            strip(inner, end, make.index("j", left))

        self.branch(make.call(p.LTI, end, piece.stop), block, repeated if is_repeatable else rest)
        return Piece(piece.var, piece.stop, piece.stop, piece.roots)

    # --- folds ---

    def folded(self, roots: tuple[Exp, ...], lane: Var, count: int, block: Block) -> tuple[Exp, ...]:
        """Expressions with the folds that depend on the lane computed, for all lanes, in arrays."""
        results: dict[Exp, Exp] = {}
        folds = folds_of_points(self.free, roots, lane)
        earlier = used_inside(folds)
        if earlier:
            values = self.folded(tuple(earlier), lane, count, block)
            substitute = Substitute(self.make, dict(zip(earlier, values, strict=True)))
            return self.folded(tuple([substitute(root) for root in roots]), lane, count, block)
        for group in _over_one_range(folds):
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
            self.filled(array, lane, self.start_of(fold), block)
        bodies = tuple([Substitute(make, {fold.var: first.var})(fold.body) for fold in group])
        bodies = self.with_tables(bodies, first.var, first.extent)

        def add(inner: Block, roots: tuple[Exp, ...]) -> None:
            values: list[Exp] = []
            for fold, array, body in zip(group, arrays, roots, strict=True):
                assert isinstance(fold.combine, Prim)
                values.append(self.combined(fold.combine, make.read(array, lane), body))
            self.filled_together(arrays, lane, tuple(values), inner)

        stop = self.single(first.extent, block)
        self.steps_in_lanes(Piece(first.var, make.zero, stop, bodies), lane, count, block, add)

    def with_tables(self, roots: tuple[Exp, ...], index: Var, extent: Exp) -> tuple[Exp, ...]:
        """Expressions in which constants that depend on the index of a short fold are read from tables: the
        lanes load them, where otherwise each step computes them and spreads them over the lanes.
        """
        make = self.make
        if not isinstance(extent, Const) or not 0 < extent.value <= SIZES.table:
            return roots
        found: dict[Exp, Exp] = {}
        stack = list(roots)
        while stack:
            node = stack.pop()
            if isinstance(node, Call) and self.free.of(node) == {index}:
                steps = [Substitute(make, {index: make.const(k)})(node) for k in range(int(extent.value))]
                if all(isinstance(each, Const) for each in steps):
                    found[node] = make.read(self.table(node, steps), index)
                    continue
            stack += operands(node)
        substitute = Substitute(make, found)
        return tuple([substitute(root) for root in roots])

    def table(self, exp: Exp, elements: list[Exp]) -> Buffer:
        """The values of an expression as a table."""
        storage, _ = self.storage(exp)
        data = tuple([each.value for each in elements if isinstance(each, Const)])
        key = storage, repr(data)  # in which -0.0 is not 0.0
        if key not in self.tables:
            self.tables[key] = Buffer(self.make.fresh("table"), exp.ty, storage, data=data)
        return self.tables[key]

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
            self.filled(array, lane, empty, block)

        def start(inner: Block) -> None:
            body = Substitute(make, {fold.var: last})(fold.body)
            (element,) = self.folded((body,), lane, count, inner)
            self.filled(array, lane, element, inner)

        def advance(inner: Block, roots: tuple[Exp, ...]) -> None:
            before = Substitute(make, {step.accumulator: make.read(array, lane)})
            self.filled(array, lane, before(roots[0]), inner)

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
            self.filled_together(arrays, lane, values, inner)
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
            return joined(make, op, before, value)
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
