"""SOACs as loops that run in order, and several SOACs fused.

Note [Fused loops in stages]
    A loop with a running value has no lanes. Where elements of a scan that is fused, or what a map makes of
    running values, take work, the loop runs in blocks: first such elements, in lanes, into a small array;
    then the running values, which go into small arrays, too; then such maps, in lanes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice

from aplc.laila.ir import loops as l
from aplc.laila.ir.program import Filter, Fused, Map, Part, Reduce, Scan
from aplc.laila.ir.scalar import BlockExp, Buffer, Exp, Fold, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import Piece
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.accumulators import Accumulator, FoldLoop
from aplc.laila.loops.blocks import Block, Mode, Reductions
from aplc.laila.loops.nests import Axes, Nests, Wanted
from aplc.laila.loops.powers import Powers
from aplc.laila.loops.scan_codegen import BLOCK, SLOW, TOGETHER, is_work, neutral_of_scan
from aplc.laila.loops.spans import Span, Spans
from aplc.laila.loops.staging.lookups import LookupsInBlocks
from aplc.laila.loops.staging.plateaus import Chain, Plateaus
from aplc.laila.loops.staging.scatter_stages import ScatterStages, Update
from aplc.laila.loops.versions import Versions
from aplc.laila.lowering.scopes import STORAGE
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base


@dataclass(frozen=True, slots=True)
class Stages:
    """The expressions of each part of a fused loop; by number, the scans whose elements are computed before
    it and the maps that are computed after it; the running values that these need.
    """

    roots: list[tuple[Exp, ...]]
    early: list[int]
    late: dict[int, Buffer]
    used: list[Var]


@dataclass(frozen=True, slots=True)
class FusedNest:
    """A fused loop that is to be made, and what it accumulates."""

    statement: Fused
    running: dict[int, Accumulator]
    """The folds of its reductions, by the number of the part."""
    reductions: Reductions
    """What these accumulate."""
    carried: Reductions
    """What scans and filters carry from point to point, so that the loop runs in order."""

    @property
    def changing(self) -> frozenset[Var]:
        """The variables that a point changes and another part may read."""
        return frozenset([each.var for each in self.carried])

    def of_parts(self, exps: tuple[Exp, ...]) -> list[tuple[Exp, ...]]:
        """The expressions of each part, given those of all."""
        rest = iter(exps)
        return [tuple(islice(rest, len(_roots_of(part)))) for part in self.statement.parts]


class FusedLoops:
    """Loops of several SOACs."""

    def __init__(self, spans: Spans, versions: Versions) -> None:
        self.spans, self.versions, self.nests = spans, versions, spans.nests
        self.accumulators, self.powers = spans.accumulators, Powers(spans.nests)
        self.make, self.code = spans.make, spans.code
        self.plateaus = Plateaus(spans.nests)

    def fused(self, statement: Fused, block: Block) -> None:
        """The parts of a fused loop: accumulators, one nest, and what reductions give for nothing."""
        nest = self.declared(statement, block)
        roots = tuple([root for part in statement.parts for root in _roots_of(part)])
        extents = statement.space.extents

        def build(scope: Block, everything: tuple[Exp, ...]) -> None:
            given, sizes = everything[: len(roots)], everything[len(roots) :]
            self.loops(nest, list(zip(statement.space.indices, sizes, strict=True)), given, scope)

        running = frozenset(_running_values(statement))
        self.versions.generate((*roots, *extents), block, build, running=running)
        for each in nest.running.values():
            self.accumulators.completed(each, block)

    def declared(self, statement: Fused, block: Block) -> FusedNest:
        """A fused loop, what it accumulates and carries declared."""
        running: dict[int, Accumulator] = {}
        carried: list[l.Reduction] = []
        for number, part in enumerate(statement.parts):
            match part:
                case Reduce(var=var, fold=fold):
                    assert isinstance(fold.combine, Prim)
                    running[number] = self.accumulators.running(fold, fold.combine, var)
                case Scan(combine=combine, running=value, start=start):
                    assert value is not None
                    neutral = neutral_of_scan(self.make, combine)
                    block.statements.append(l.Declare(value, start or neutral, mutable=True))
                    carried.append(l.Reduction(combine, value, neutral))
                case Filter(count=count, goes_on=goes_on):
                    if not goes_on:
                        block.statements.append(l.Declare(count, self.make.zero, mutable=True))
                    carried.append(l.Reduction(p.ADDI, count, self.make.zero))
                case Map():
                    pass
        reductions = self.accumulators.declared(list(running.values()), block)
        return FusedNest(statement, running, reductions, tuple(carried))

    def loops(self, nest: FusedNest, axes: Axes, roots: tuple[Exp, ...], block: Block) -> None:
        """The loops over the axes, in order where something is carried."""
        if len(axes) == 1 and len(nest.running) == len(nest.statement.parts):
            ((var, extent),) = axes
            whole = Piece(var, self.make.zero, extent, roots)
            for piece in self.nests.pieces(whole, frozenset()):
                self.spans.folds.loop(FoldLoop(tuple(nest.running.values()), piece, nest.reductions), block)
            return
        if not nest.carried:
            at_once = lambda inner, exps: self.at_once(nest, exps, inner)  # noqa: E731
            if len(axes) == 1 and nest.statement.in_place and not contains(Fold | BlockExp, *roots):
                ((var, extent),) = axes
                pieces = self.nests.pieces(Piece(var, self.make.zero, extent, roots), frozenset())
                if len(pieces) == 1:  # of so many arrays C compilers do not ask whether they overlap
                    self.nests.loop(
                        Wanted(pieces[0], at_once, frozenset(), nest.reductions, independent=True), block
                    )
                    return
            self.nests.loops(axes, roots, block, at_once, frozenset(), nest.reductions)
            return
        scope, changing = self.nests.carrying(block, nest.carried, nest.reductions), nest.changing
        chains = self.chains_of(nest, roots) if len(axes) == 1 else []
        if self.plateaus.are(chains, block):
            self.on_plateaus(nest, chains, axes[0], roots, scope)
            return
        stages = self.stages_of(nest.statement, nest.of_parts(roots), block.mode)
        if stages is None and not _running_values(nest.statement):
            at_once = lambda inner, exps: self.at_once(nest, exps, inner)  # noqa: E731
            self.nests.loops(axes, roots, scope, at_once, frozenset(), None, changing)
        elif stages is None and self.may_be_together(nest, roots, block):
            ((var, extent),) = axes
            self.in_groups(nest, Piece(var, self.make.zero, extent, roots), scope)
        elif stages is None:
            in_turn = lambda inner, exps: self.in_turn(nest, exps, frozenset(), inner)  # noqa: E731
            self.nests.loops(axes, roots, scope, in_turn, frozenset(), None, changing)
        else:
            self.in_stages(nest, stages, axes[0], scope)

    def chains_of(self, nest: FusedNest, roots: tuple[Exp, ...]) -> list[Chain]:
        """The scans of a fused loop; none if it changes what it reads, or something is read too early."""
        given, parts = nest.of_parts(roots), nest.statement.parts
        if nest.statement.in_place:
            return []
        if _reads_before(nest.statement, given):
            return []
        return [
            Chain(q.combine, q.running, own[0])
            for q, own in zip(parts, given, strict=True)
            if isinstance(q, Scan) and q.running is not None
        ]

    def on_plateaus(
        self,
        nest: FusedNest,
        chains: list[Chain],
        axis: tuple[Var, Exp],
        roots: tuple[Exp, ...],
        block: Block,
    ) -> None:
        """A fused loop in blocks, most of which do not change its running extrema."""
        var, extent = axis
        statement = nest.statement
        likely = self.versions.likely(roots, frozenset())
        usual = self.versions.substituted(roots, likely)
        counts = frozenset([q.count for q in statement.parts if isinstance(q, Filter)])

        def in_order(inner: Block, start: Exp, stop: Exp) -> None:
            self.ordered(nest, Piece(var, start, stop, roots), inner)

        def at_once(inner: Block, start: Exp, stop: Exp, held: Substitute) -> None:
            def point(scope: Block, exps: tuple[Exp, ...]) -> None:
                for number, own in enumerate(nest.of_parts(exps)):
                    part = statement.parts[number]
                    if not isinstance(part, Scan):
                        self.taken(nest, number, self.code.values(own, scope), scope)
                    elif part.is_written and part.running is not None:
                        (place,) = self.code.values(own[1:], scope)
                        scope.statements.append(l.Store(part.buffer, place, held(part.running)))

            roots_held = tuple([held(root) for root in usual])
            for piece in self.nests.pieces(Piece(var, start, stop, roots_held), frozenset()):
                order = None if counts else nest.reductions
                self.nests.loop(Wanted(piece, point, frozenset(), order, changing=counts), inner)

        self.plateaus.loops(chains, var, extent, block, in_order, at_once, self.versions.hold(likely))

    def at_once(self, nest: FusedNest, exps: tuple[Exp, ...], block: Block) -> None:
        """All parts at a point: their values, and then what they do with these."""
        values = self.code.values(exps, block)
        if nest.statement.in_place:
            values = tuple([self.before_writing(value, block) for value in values])
        for number, given in enumerate(nest.of_parts(values)):
            self.taken(nest, number, given, block)

    def in_turn(self, nest: FusedNest, exps: tuple[Exp, ...], skipped: frozenset[int], block: Block) -> None:
        """The parts at a point, one after the other, but for some of them."""
        for number, own in enumerate(nest.of_parts(exps)):
            if number not in skipped:
                self.taken(nest, number, self.code.values(own, block), block)

    def may_be_together(self, nest: FusedNest, roots: tuple[Exp, ...], block: Block) -> bool:
        """Whether several points of a fused loop in order are better taken together: a chain of doubles is
        what it waits for, which nothing keeps in order.
        """
        statement, parts = nest.statement, nest.statement.parts
        is_free = not (statement.in_place or self.make.settings.strict_fp or block.mode.reporting)
        if len(statement.space.indices) != 1 or not is_free:
            return False
        if any(isinstance(q, Filter) for q in parts) or not self.spans.may_repeat(roots):
            return False
        return any(isinstance(q, Scan) and q.combine in SLOW for q in parts) and not contains(Fold, *roots)

    def ordered(self, nest: FusedNest, whole: Piece, block: Block) -> None:
        """A piece of a fused loop in order, several points at a time if that pays."""
        if self.may_be_together(nest, whole.roots, block):
            self.in_groups(nest, whole, block)
            return

        def point(inner: Block, exps: tuple[Exp, ...]) -> None:
            self.in_turn(nest, exps, frozenset(), inner)

        for piece in self.nests.pieces(whole, frozenset()):
            self.nests.loop(Wanted(piece, point, reductions=None, changing=nest.changing), block)

    def in_groups(self, nest: FusedNest, whole: Piece, block: Block) -> None:
        """A piece of a fused loop in order, several points at a time: see Note [Running values] of
        `scan_codegen`.
        """
        roots = whole.roots

        def group(inner: Block, exps: tuple[Exp, ...]) -> None:
            self.together(nest, [exps[k : k + len(roots)] for k in range(0, len(exps), len(roots))], inner)

        def point(inner: Block, exps: tuple[Exp, ...]) -> None:
            self.in_turn(nest, exps, frozenset(), inner)

        for piece in self.nests.pieces(whole, frozenset()):
            steps, left = self.spans.steps(piece, TOGETHER, block)
            self.nests.loop(Wanted(steps, group, reductions=None, changing=nest.changing), block)
            self.nests.loop(Wanted(left, point, reductions=None, changing=nest.changing), block)

    def together(self, nest: FusedNest, points: list[tuple[Exp, ...]], block: Block) -> None:
        """Several points, whose scans combine the elements of the group before they join the chain."""
        make = self.make
        totals: dict[int, Exp] = {}
        now: dict[Exp, Exp] = {}
        for exps in points:
            for number, own in enumerate(nest.of_parts(exps)):
                values = self.code.values(tuple([Substitute(make, now)(exp) for exp in own]), block)
                part = nest.statement.parts[number]
                if not isinstance(part, Scan):
                    self.taken(nest, number, values, block)
                    continue
                assert part.running is not None
                total = values[0]
                if number in totals:
                    total = make.call(part.combine, totals[number], total)
                totals[number] = total = self.code.named(total, block, "t")
                value = make.call(part.combine, part.running, total)
                now[part.running] = self.code.named(value, block, "x")
                if part.is_written:
                    block.statements.append(l.Store(part.buffer, values[1], now[part.running]))
        for number, part in enumerate(nest.statement.parts):
            if isinstance(part, Scan) and part.running is not None and part.running in now:
                value = make.call(part.combine, part.running, totals[number])
                block.statements.append(l.Assign(part.running, value))

    def taken(self, nest: FusedNest, number: int, values: tuple[Exp, ...], block: Block) -> None:
        """What a part does with its values at a point."""
        part = nest.statement.parts[number]
        if isinstance(part, Reduce):
            self.accumulators.accumulate(nest.running[number], values[0], block)
        else:
            _write(self.make, part, values, block)

    def stages_of(self, statement: Fused, roots: list[tuple[Exp, ...]], mode: Mode) -> Stages | None:
        """The stages of a fused loop in order, if it is worth that: see Note [Fused loops in stages]."""
        parts = statement.parts
        has_filter = any(isinstance(q, Filter) for q in parts)
        if len(statement.space.indices) != 1 or statement.in_place or has_filter:
            return None
        running = _running_values(statement)
        if _reads_before(statement, roots):
            return None
        takes_work = {k for k, own in enumerate(roots) if is_work(own[0], mode)}
        early = [
            k
            for k in sorted(takes_work)
            if isinstance(parts[k], Scan) and set(running).isdisjoint(nodes(*roots[k]))
        ]
        late = {k: q.buffer for k, q in enumerate(parts) if k in takes_work and isinstance(q, Map)}
        used = [var for var in running if any(var is n for k in late for n in nodes(*roots[k]))]
        return Stages(roots, early, late, used) if early or late else None

    def in_stages(self, nest: FusedNest, stages: Stages, axis: tuple[Var, Exp], block: Block) -> None:
        """A fused loop in blocks, each in stages."""
        make = self.make
        var, extent = axis
        late = frozenset(stages.late)
        everything = tuple([root for own in stages.roots for root in own])
        whole, running = Piece(var, make.zero, extent, everything), frozenset(_running_values(nest.statement))
        powers = self.powers.powers(whole, block, running)
        tables = self.powers.tables_of(powers, extent, block) if powers else []

        def one(inner: Block, start: Exp, stop: Exp) -> None:
            at = make.sub(var, start)
            rows_of_powers = self.powers.rows_of_powers(powers, tables, Piece(var, start, stop, ()), inner)
            known = Substitute(make, rows_of_powers)
            given = [tuple([known(root) for root in own]) for own in stages.roots]
            roots = [(make.zero,) * len(own) if k in late else own for k, own in enumerate(given)]

            def row(ty: Base) -> Buffer:
                some = Buffer(make.fresh("some"), ty, STORAGE[ty])
                inner.statements.append(l.Local(some, BLOCK))
                return some

            def in_lanes(buffer: Buffer, element: Exp, place: Exp) -> None:
                along = [Span(var, start, stop)]
                self.spans.loops(along, (element, place), inner, self.spans.storing(buffer), frozenset())

            for k in stages.early:
                element, *others = roots[k]
                some = row(element.ty)
                in_lanes(some, element, at)
                roots[k] = (make.read(some, at), *others)
            rows = {value: row(value.ty) for value in stages.used}

            def ordered(scope: Block, everything: tuple[Exp, ...]) -> None:
                *exps, place = everything
                self.in_turn(nest, tuple(exps), late, scope)
                scope.statements += [l.Store(some, place, value) for value, some in rows.items()]

            together = (*[e for own in roots for e in own], at)
            for piece in self.nests.pieces(Piece(var, start, stop, together), frozenset()):
                self.nests.loop(Wanted(piece, ordered, reductions=None, changing=nest.changing), inner)
            substitute = Substitute(make, {value: make.read(some, at) for value, some in rows.items()})
            for k, buffer in stages.late.items():
                element, place = given[k]
                in_lanes(buffer, substitute(element), substitute(place))

        self.nests.blocks(extent, BLOCK, block, one, in_order=True)

    def before_writing(self, value: Exp, block: Block) -> Exp:
        """A value, computed before the elements change that it reads."""
        return self.code.named(value, block, "x") if contains(Read, value) else value


def _running_values(statement: Fused) -> list[Var]:
    """The variables of the scans of a fused loop."""
    return [q.running for q in statement.parts if isinstance(q, Scan) and q.running is not None]


def _reads_before(statement: Fused, roots: list[tuple[Exp, ...]]) -> bool:
    """Whether a part uses the running value of a scan behind it: that of the point before."""
    coming = set(_running_values(statement))
    for part, own in zip(statement.parts, roots, strict=True):
        if not coming.isdisjoint(nodes(*own)):
            return True
        if isinstance(part, Scan):
            coming -= {part.running}
    return False


def _roots_of(part: Part) -> tuple[Exp, ...]:
    """What a part computes at each point."""
    match part:
        case Reduce(body=body):
            return (body,)
        case Map(position=position, body=body) | Scan(position=position, body=body):
            return (body, position)
        case Filter(keep=keep, body=body):
            return (body, keep)


# --- loops in order -------------------------------------------------------------------------------------


class OrderedLoops:
    """MAPs whose iterations may not run in any order, and FILTERs."""

    def __init__(self, nests: Nests) -> None:
        self.nests, self.code, self.make = nests, nests.code, nests.make
        self.stages = ScatterStages(nests)
        self.searches = LookupsInBlocks(nests)

    def map(self, statement: Map, roots: tuple[Exp, ...], block: Block) -> None:
        """A MAP with a guard, or one whose positions may coincide. It has no lanes, so its checks leave at
        once, those inside folds only if they report values; nothing is written where an index is wrong.
        """
        body, position, *extents, guard = roots
        has_loop = contains(Fold | BlockExp, *roots)
        is_rare = block.mode.is_rare
        reporting = block.mode.reporting or not has_loop
        block = block.under(replace(block.mode, leaving=True, reporting=reporting))
        axes = list(zip(statement.space.indices, extents, strict=True))

        def store(inner: Block, roots: tuple[Exp, ...]) -> None:
            def write(scope: Block) -> None:
                place, value = self.code.values((roots[1], roots[0]), scope)
                scope.statements.append(l.Store(statement.buffer, place, value))
                scope.forget(statement.buffer)  # the next iteration may stand in the same block

            self.nests.branch(self.code.single(roots[2], inner), inner, write)

        update = Update(statement.buffer, axes, body, position, guard)
        parts = self.stages.staged(update, block) if statement.ordered and not is_rare else []
        if parts:
            self.stages.in_stages(update, parts, block, store)
            return
        if statement.ordered and not is_rare and len(axes) == 1:
            ((index, extent),) = axes
            whole = Piece(index, self.make.zero, extent, (body, position, guard))
            wanted = Wanted(whole, store, reductions=None)
            if self.searches.generate_in_order(wanted, statement.buffer, block):
                return
        order = None if statement.ordered else ()
        self.nests.loops(axes, (body, position, guard), block, store, frozenset(), order)

    def filter(self, statement: Filter, roots: tuple[Exp, ...], block: Block) -> None:
        """Kept elements one after the other: each is written, and the count tells whether it stays."""
        body, keep, *extents = roots
        axes = list(zip(statement.space.indices, extents, strict=True))

        def write(inner: Block, values: tuple[Exp, ...]) -> None:
            _write(self.make, statement, values, inner)

        scope = self.nests.carrying(block, (l.Reduction(p.ADDI, statement.count, self.make.zero),))
        self.nests.nest(axes, (body, keep), scope, write, None)


def _write(make: ExprBuilder, part: Map | Scan | Filter, values: tuple[Exp, ...], block: Block) -> None:
    """What a part writes at a point."""
    match part:
        case Map(buffer=buffer):
            block.statements.append(l.Store(buffer, values[1], values[0]))
        case Scan(buffer=buffer, combine=combine, running=running):
            assert running is not None
            block.statements.append(l.Assign(running, make.call(combine, running, values[0])))
            if part.is_written:
                block.statements.append(l.Store(buffer, values[1], running))
        case Filter(buffer=buffer, count=count):
            block.statements.append(l.Store(buffer, count, values[0]))
            _counted(make, count, values[1], block)


def _counted(make: ExprBuilder, count: Var, keep: Exp, block: Block) -> None:
    """One more, if the element written last is kept."""
    following = make.add(count, make.call(p.B2I, keep))
    if following is not count:
        block.statements.append(l.Assign(count, following))
