"""Iterations side by side, in the lanes of vectors: what is kept for each, and folds that accumulate there.

The loops over lanes are straight; which loops are taken in lanes decide `outer_loop_vectorize` and
`masked_simd_loops`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.analysis import unconditional
from aplc.laila.ir.ranges import storage_for
from aplc.laila.ir.rules.complex_rules import PARTS
from aplc.laila.ir.scalar import (
    OF_PARTS,
    Buffer,
    Call,
    Const,
    Exp,
    Fold,
    FreeVars,
    Read,
    Select,
    Step,
    Var,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import Piece, at_most_once, bound_in
from aplc.laila.ir.strides import depends, steps_by_one
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.accumulators import better, combined, neutral_among
from aplc.laila.loops.blocks import Block, Mode
from aplc.laila.loops.nests import EmitBody, Nests, Wanted
from aplc.laila.loops.outer_loop_legality import folds_of_points, used_inside, wants_lanes
from aplc.laila.loops.points.running_powers import running_powers, with_running_powers
from aplc.laila.lowering.pull import fill, weigh
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.transform.register_tiling import SIZES
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

CHEAP = 4
"""What depends on the point alone is kept if it is more operations than this."""


@dataclass(frozen=True, slots=True)
class ValuesInLanes:
    """The values of an expression for each lane, in one array, or in two if they are complex."""

    make: ExprBuilder
    arrays: tuple[Buffer, ...]

    def at(self, lane: Exp) -> Exp:
        """The value of a lane."""
        reads = [self.make.read(array, lane) for array in self.arrays]
        return reads[0] if len(reads) == 1 else self.make.call(OF_PARTS, *reads)

    def parts(self, value: Exp) -> tuple[Exp, ...]:
        """What goes into each of the arrays for a value."""
        return (value,) if len(self.arrays) == 1 else tuple([self.make.call(part, value) for part in PARTS])


class Lanes:
    """What all loops over lanes need."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.code, self.make = nests, nests.code, nests.make
        self.free, self.ranges = nests.free, nests.ranges

    def is_in_lanes(self, piece: Piece, mode: Mode) -> bool:
        """Whether the points of a piece are taken in lanes."""
        if not self.nests.options.splitting or mode.reporting or at_most_once(self.make, piece):
            return False
        length = self.make.sub(piece.stop, piece.start)
        is_short = isinstance(length, Const) and length.value < SIZES.least_points
        return not is_short and wants_lanes(self.make, self.free, piece)

    def first_of_strip(self, piece: Piece, *counts: Exp) -> Var:
        """An index that steps over whole strips of a range, of a number of points with bounds from below."""
        make = self.make
        lasts = dict.fromkeys((*make.last_indices(piece.stop), *piece.var.highs))
        highs = tuple([make.sub(make.add(last, make.one), count) for last in lasts for count in counts])
        return make.between(piece.var.name, tuple(dict.fromkeys((piece.start, *piece.var.lows))), highs)

    def across(self, lane: Var, roots: tuple[Exp, ...]) -> Piece:
        """The lanes as the range of a loop, up to the last one that there is."""
        return Piece(lane, self.make.zero, self.make.add(lane.highs[0], self.make.one), roots)

    def filled(self, array: Buffer, lane: Var, value: Exp, block: Block) -> None:
        """A value for each lane."""
        self.filled_together((array,), lane, (value,), block)

    def filled_together(
        self, arrays: tuple[Buffer, ...], lane: Var, values: tuple[Exp, ...], block: Block
    ) -> None:
        """The values of several arrays for each lane, in one loop."""
        self.stored(arrays, self.across(lane, values), block)

    def stored(self, arrays: Sequence[Buffer], piece: Piece, block: Block) -> None:
        """The roots of a piece in arrays, each at the piece's index."""

        def store(inner: Block, roots: tuple[Exp, ...]) -> None:
            *found, place = self.code.values(roots, inner)
            for array, value in zip(arrays, found, strict=True):
                inner.statements.append(l.Store(array, place, value))

        piece = replace(piece, roots=(*piece.roots, piece.var))
        self.nests.loop(Wanted(piece, store, independent=True), block)

    def array(self, exp: Exp, count: int, block: Block) -> Buffer:
        """An array with a value of an expression for each lane, narrow where its integers are."""
        storage, values = self.storage(exp)
        array = Buffer(self.make.fresh("s"), exp.ty, storage, values=values)
        block.statements.append(l.Local(array, count))
        return array

    def values(self, exp: Exp, count: int, block: Block) -> ValuesInLanes:
        """Memory for the values of an expression: of a complex one the parts have an array each."""
        if exp.ty is not Base.COMPLEX:
            return ValuesInLanes(self.make, (self.array(exp, count, block),))
        parts = [self.make.call(part, exp) for part in PARTS]
        return ValuesInLanes(self.make, tuple([self.array(part, count, block) for part in parts]))

    def storage(self, exp: Exp) -> tuple[str, tuple[int, int] | None]:
        """In what the values of an expression are kept, and the bounds of integers."""
        if exp.ty is not Base.INT:
            return STORAGE[exp.ty], None
        interval = self.ranges.integers(exp)
        return storage_for(interval, 32), (int(interval.low), int(interval.high))

    def kept(
        self, roots: tuple[Exp, ...], lane: Var, count: int, changing: frozenset[Var], block: Block
    ) -> tuple[Exp, ...]:
        """Expressions that are computed several times, with the parts that stay the same computed before."""
        parts = tuple(self.parts_of_points(roots, lane, changing))
        if not parts:
            return roots
        arrays = tuple([self.array(each, count, block) for each in parts])
        self.filled_together(arrays, lane, parts, block)
        reads = [self.make.read(a, lane) for a in arrays]
        substitute = Substitute(self.make, dict(zip(parts, reads, strict=True)))
        return tuple([substitute(root) for root in roots])

    def parts_of_points(self, roots: tuple[Exp, ...], lane: Var, changing: frozenset[Var]) -> Iterator[Exp]:
        """The largest parts of expressions, computed at least once, that depend on the lane alone and are not
        cheap.
        """
        certain = {id(n) for n in unconditional(roots)}
        hidden = bound_in(roots) | changing
        seen: set[int] = set()
        stack = list(roots)
        while stack:
            node = stack.pop()
            free = self.free.of(node)
            if id(node) in seen or lane not in free or id(node) not in certain:
                continue
            seen.add(id(node))
            if not free & hidden:
                if self.is_worth_keeping(node, lane):
                    yield node
            elif not isinstance(node, Read | Fold):
                stack += operands(node)

    def is_worth_keeping(self, exp: Exp, lane: Var) -> bool:
        """Whether an expression takes more than a few operations, or a read that is not of neighbours."""
        far = any(
            isinstance(n, Read)
            and depends(self.free, n.index, lane)
            and not steps_by_one(self.make, self.free, n.index, lane)
            for n in nodes(exp)
        )
        return far or weigh(exp).cost > CHEAP


class FoldsInLanes:
    """Folds that accumulate for all lanes at each step: see Note [Points in lanes]."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes, self.nests, self.code = lanes, lanes.nests, lanes.code
        self.make, self.free = lanes.make, lanes.free
        self.tables: dict[tuple[str, str], Buffer] = {}
        """Tables of constants that are made here, by what stands in them."""

    def folded(self, roots: tuple[Exp, ...], lane: Var, count: int, block: Block) -> tuple[Exp, ...]:
        """Expressions with the folds that depend on the lane computed, for all lanes, in arrays."""
        results: dict[Exp, Exp] = {}
        folds = folds_of_points(self.free, roots, lane)
        earlier = used_inside(folds)
        if earlier:
            known = self.folded(tuple(earlier), lane, count, block)
            substitute = Substitute(self.make, dict(zip(earlier, known, strict=True)))
            return self.folded(tuple([substitute(root) for root in roots]), lane, count, block)
        for group in _over_one_range(folds):
            if isinstance(group[0].combine, Step):
                values = self.lanes.values(group[0], count, block)
                self.step_in_lanes(group[0], values, lane, count, block)
                results[group[0]] = values.at(lane)
                continue
            arrays = tuple([self.lanes.array(fold, count, block) for fold in group])
            if len(group) == 1 and is_place(self.make, self.free, group[0]):
                self.place_in_lanes(group[0], arrays[0], lane, count, block)
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
            assert isinstance(fold.combine, Prim)
            start = neutral_among(make, fold.combine, self.nests.ranges.of(fold))
            self.lanes.filled(array, lane, self.start_of(fold, start), block)
        bodies = tuple([Substitute(make, {fold.var: first.var})(fold.body) for fold in group])
        bodies = self.with_tables(bodies, first.var, first.extent)
        powers = running_powers(make, self.free, bodies, first.var)
        running = {power: self.lanes.array(power.var, count, block) for power in powers}
        known = Substitute(make, {power.var: make.read(array, lane) for power, array in running.items()})

        def add(inner: Block, roots: tuple[Exp, ...]) -> None:
            values: list[Exp] = []
            for fold, array, body in zip(group, arrays, map(known, roots), strict=False):
                assert isinstance(fold.combine, Prim)
                is_number = body.ty is Base.DOUBLE and self.nests.ranges.of(body) is not None
                join = better if is_number and fold.combine in (p.MAXD, p.MIND) else combined
                values.append(join(make, fold.combine, make.read(array, lane), body))
            bases = roots[len(group) :]
            values += [make.call(p.MULD, known(q.var), base) for q, base in zip(powers, bases, strict=True)]
            self.lanes.filled_together((*arrays, *running.values()), lane, tuple(values), inner)

        stop = self.code.single(first.extent, block)
        roots = with_running_powers(make, bodies, powers)
        whole = Piece(first.var, make.zero, stop, roots)
        changing = frozenset([power.var for power in powers])

        def steps(inner: Block) -> None:
            for power, array in running.items():
                self.lanes.filled(array, lane, power.first, inner)
            self.steps_in_lanes(whole, lane, count, inner, add, changing)

        self.nests.branch(make.call(p.LTI, make.zero, stop) if powers else make.true, block, steps)

    def place_in_lanes(self, fold: Fold, array: Buffer, lane: Var, count: int, block: Block) -> None:
        """The first place where something holds, from the last to the first one, or the last place: what is
        found later stands for what was found before.
        """
        make, body = self.make, fold.body
        assert isinstance(body, Select)
        self.lanes.filled(array, lane, self.start_of(fold, body.other), block)

        def found(inner: Block, roots: tuple[Exp, ...]) -> None:
            holds, place = roots
            value = make.select(holds, place, make.read(array, lane))
            self.lanes.filled_together((array,), lane, (value,), inner)

        whole = Piece(fold.var, make.zero, self.code.single(fold.extent, block), (body.cond, body.then))
        self.steps_in_lanes(whole, lane, count, block, found, descending=fold.combine is p.MINI)

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
        storage, _ = self.lanes.storage(exp)
        data = tuple([each.value for each in elements if isinstance(each, Const)])
        key = storage, repr(data)  # in which -0.0 is not 0.0
        if key not in self.tables:
            self.tables[key] = Buffer(self.make.fresh("table"), exp.ty, storage, data=data)
        return self.tables[key]

    def start_of(self, fold: Fold, start: Exp) -> Exp:
        """What a fold accumulates from, which is given for some elements; for none it is the result."""
        if fold.empty is None or fold.empty is start:
            return start
        return self.make.select(self.make.call(p.EQI, fold.extent, self.make.zero), fold.empty, start)

    def step_in_lanes(self, fold: Fold, values: ValuesInLanes, lane: Var, count: int, block: Block) -> None:
        """A fold from the right: the last elements, then each earlier one with what is right of it."""
        make, step = self.make, fold.combine
        assert isinstance(step, Step)
        stop = self.code.single(fold.extent, block)
        last = make.sub(stop, make.one)
        some = make.call(p.GTI, stop, make.zero)
        if some is not make.true:
            empty = fold.empty if fold.empty is not None else fill(make, fold.ty)
            self.lanes.filled_together(values.arrays, lane, values.parts(empty), block)

        def start(inner: Block) -> None:
            body = Substitute(make, {fold.var: last})(fold.body)
            (element,) = self.folded((body,), lane, count, inner)
            self.lanes.filled_together(values.arrays, lane, values.parts(element), inner)

        def advance(inner: Block, roots: tuple[Exp, ...]) -> None:
            before = Substitute(make, {step.accumulator: values.at(lane)})
            self.lanes.filled_together(values.arrays, lane, values.parts(before(roots[0])), inner)

        self.nests.branch(some, block, start)
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
        build: EmitBody,
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
            pieces = self.nests.pieces(Piece(whole.var, whole.start, whole.stop, roots), unbound)
            for piece in reversed(pieces) if descending else pieces:
                wanted = Wanted(piece, step, unbound, None, descending=descending, changing=changing)
                self.nests.loop(wanted, inner)

        kept = list(self.lanes.parts_of_points(whole.roots, lane, changing | {whole.var}))
        if not kept:
            run(block, whole.roots)
            return

        def keep_and_run(inner: Block) -> None:
            values = self.folded(tuple(kept), lane, count, inner)
            arrays = tuple([self.lanes.array(each, count, inner) for each in kept])
            self.lanes.filled_together(arrays, lane, values, inner)
            reads = {each: make.read(a, lane) for each, a in zip(kept, arrays, strict=True)}
            substitute = Substitute(make, reads)
            run(inner, tuple([substitute(root) for root in whole.roots]))

        self.nests.branch(make.call(p.LTI, whole.start, whole.stop), block, keep_and_run)


def _over_one_range(folds: list[Fold]) -> list[list[Fold]]:
    """Associative folds grouped by their range; the others one by one."""
    groups: dict[int, list[Fold]] = {}
    for fold in folds:
        key = id(fold) if isinstance(fold.combine, Step) else id(fold.extent)
        groups.setdefault(key, []).append(fold)
    return list(groups.values())


def is_place(make: ExprBuilder, free: FreeVars, fold: Fold) -> bool:
    """Whether a fold seeks the first or the last place where something holds: places ascend with the index,
    and what stands for none is beyond all of them.
    """
    body, k, n = fold.body, fold.var, fold.extent
    if not isinstance(body, Select) or fold.combine not in (p.MINI, p.MAXI) or k in free.of(body.other):
        return False
    origin = make.sub(body.then, k)
    if k in free.of(origin):
        return False
    if fold.combine is p.MINI:
        return make.at_least(body.other, make.sub(make.add(origin, n), make.one))
    return make.at_least(origin, body.other)
