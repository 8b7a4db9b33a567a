"""SOACs as loops that run in order, and several SOACs fused.

Note [Fused loops in stages]
    A loop with a running value has no lanes. Where elements of a scan that is fused, or what a map makes of
    running values, take work, the loop runs in blocks: first such elements, in lanes, into a small array;
    then the running values, which go into small arrays, too; then such maps, in lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.program import Filter, Fused, Map, Part, Reduce, Scan
from aplc.laila.ir.scalar import Buffer, Do, Exp, Fold, Read, Var, nodes
from aplc.laila.ir.simplify import Scalars
from aplc.laila.ir.split import Piece
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.accumulators import Running
from aplc.laila.loops.blocks import Block, Mode
from aplc.laila.loops.nests import Nests, Wanted
from aplc.laila.loops.powers import Powers
from aplc.laila.loops.scan_codegen import BLOCK, is_work, neutral_of_scan
from aplc.laila.loops.spans import Span, Spans
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


class FusedLoops:
    """Loops of several SOACs."""

    def __init__(self, spans: Spans, versions: Versions) -> None:
        self.spans, self.versions, self.nests = spans, versions, spans.nests
        self.accumulators, self.powers = spans.accumulators, Powers(spans.nests)
        self.make, self.code = spans.make, spans.code

    def fused(self, statement: Fused, block: Block) -> None:
        """The parts of a fused loop: accumulators, one nest, and what reductions give for nothing."""
        make = self.make
        accumulators: list[Running] = []
        carried: list[l.Reduction] = []
        for part in statement.parts:
            match part:
                case Reduce(var=var, fold=fold):
                    assert isinstance(fold.combine, Prim)
                    accumulators.append(self.accumulators.running(fold, fold.combine, var))
                case Scan():
                    block.statements.append(self.start_of_scan(part))
                    assert part.running is not None
                    start = neutral_of_scan(self.make, part.combine)
                    carried.append(l.Reduction(part.combine, part.running, start))
                case Filter(count=count):
                    block.statements.append(l.Declare(count, make.zero, mutable=True))
                    carried.append(l.Reduction(p.ADDI, count, make.zero))
                case Map():
                    pass
        reductions = self.accumulators.declared(accumulators, block)
        roots = [self.roots_of(part) for part in statement.parts]
        sizes = [len(each) for each in roots]
        together = tuple([e for each in roots for e in each])
        whole = len(together)
        in_order = carried != []

        def build(scope: Block, everything: tuple[Exp, ...]) -> None:
            axes = list(zip(statement.space.indices, everything[whole:], strict=True))
            if not in_order:
                self.nests.loops(axes, everything[:whole], scope, point, frozenset(), reductions)
                return
            firsts = [sum(sizes[:k]) for k in range(len(sizes))]
            given = [everything[first : first + size] for first, size in zip(firsts, sizes, strict=True)]
            stages = self.stages_of(statement, given, scope.mode)
            scope = self.nests.carrying(scope, tuple(carried), reductions)
            if stages is None:
                self.nests.loops(axes, everything[:whole], scope, point, frozenset(), None)
            else:
                self.in_stages(stages, axes[0], running, scope, point)

        def point(inner: Block, exps: tuple[Exp, ...], skipped: frozenset[int] = frozenset()) -> None:
            running = iter(accumulators)
            first = 0
            values = () if in_order else self.code.values(exps, inner)
            if statement.in_place:
                values = tuple([self.before_writing(v, inner) for v in values])
            for number, (part, size) in enumerate(zip(statement.parts, sizes, strict=True)):
                own = exps[first : first + size]
                first += size
                if number in skipped:
                    continue
                given = self.code.values(own, inner) if in_order else values[first - size : first]
                if isinstance(part, Reduce):
                    self.accumulators.accumulate(next(running), given[0], inner)
                else:
                    written(self.make, part, given, inner)

        running = frozenset([q.running for q in statement.parts if isinstance(q, Scan) and q.running])
        self.versions.generate((*together, *statement.space.extents), block, build, running=running)
        for each in accumulators:
            self.accumulators.completed(each, block)

    def stages_of(self, statement: Fused, roots: list[tuple[Exp, ...]], mode: Mode) -> Stages | None:
        """The stages of a fused loop in order, if it is worth that: see Note [Fused loops in stages]."""
        parts = statement.parts
        has_filter = any(isinstance(q, Filter) for q in parts)
        if len(statement.space.indices) != 1 or statement.in_place or has_filter:
            return None
        running = [q.running for q in parts if isinstance(q, Scan) and q.running is not None]
        takes_work = {k for k, own in enumerate(roots) if is_work(own[0], mode)}
        early = [
            k
            for k in sorted(takes_work)
            if isinstance(parts[k], Scan) and set(running).isdisjoint(nodes(*roots[k]))
        ]
        late = {k: q.buffer for k, q in enumerate(parts) if k in takes_work and isinstance(q, Map)}
        used = [var for var in running if any(var is n for k in late for n in nodes(*roots[k]))]
        return Stages(roots, early, late, used) if early or late else None

    def in_stages(
        self,
        stages: Stages,
        axis: tuple[Var, Exp],
        running: frozenset[Var],
        block: Block,
        point: Callable[..., None],
    ) -> None:
        """A fused loop in blocks, each in stages; `point` writes what the parts of the loop in order do, but
        for those whose numbers it gets.
        """
        make = self.make
        var, extent = axis
        late = frozenset(stages.late)
        everything = tuple([root for own in stages.roots for root in own])
        powers = self.powers.powers(Piece(var, make.zero, extent, everything), block, running)
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
                point(scope, tuple(exps), late)
                scope.statements += [l.Store(some, place, value) for value, some in rows.items()]

            together = (*[e for own in roots for e in own], at)
            for piece in self.nests.pieces(Piece(var, start, stop, together), frozenset()):
                self.nests.loop(Wanted(piece, ordered, reductions=None), inner)
            substitute = Substitute(make, {value: make.read(some, at) for value, some in rows.items()})
            for k, buffer in stages.late.items():
                element, place = given[k]
                in_lanes(buffer, substitute(element), substitute(place))

        self.nests.blocks(extent, BLOCK, block, one, in_order=True)

    def before_writing(self, value: Exp, block: Block) -> Exp:
        """A value, computed before the elements change that it reads."""
        return self.code.named(value, block, "x") if any(isinstance(n, Read) for n in nodes(value)) else value

    def start_of_scan(self, part: Scan) -> l.Stm:
        """The variable of a scan in a fused loop."""
        assert part.running is not None
        return l.Declare(part.running, part.start or neutral_of_scan(self.make, part.combine), mutable=True)

    def roots_of(self, part: Part) -> tuple[Exp, ...]:
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

    def map(self, statement: Map, roots: tuple[Exp, ...], block: Block) -> None:
        """A MAP with a guard, or one whose positions may coincide. It has no lanes, so its checks leave at
        once, those inside folds only if they report values; nothing is written where an index is wrong.
        """
        body, position, *extents, guard = roots
        has_loop = any(isinstance(n, Fold | Do) for n in nodes(*roots))
        reporting = block.mode.reporting or not has_loop
        block = block.under(replace(block.mode, leaving=True, reporting=reporting))
        axes = list(zip(statement.space.indices, extents, strict=True))

        def store(inner: Block, roots: tuple[Exp, ...]) -> None:
            def write(scope: Block) -> None:
                place, value = self.code.values((roots[1], roots[0]), scope)
                scope.statements.append(l.Store(statement.buffer, place, value))

            self.nests.branch(self.code.single(roots[2], inner), inner, write)

        order = None if statement.ordered else ()
        self.nests.loops(axes, (body, position, guard), block, store, frozenset(), order)

    def filter(self, statement: Filter, roots: tuple[Exp, ...], block: Block) -> None:
        """Kept elements one after the other: each is written, and the count tells whether it stays."""
        body, keep, *extents = roots
        axes = list(zip(statement.space.indices, extents, strict=True))

        def write(inner: Block, values: tuple[Exp, ...]) -> None:
            written(self.make, statement, values, inner)

        scope = self.nests.carrying(block, (l.Reduction(p.ADDI, statement.count, self.make.zero),))
        self.nests.nest(axes, (body, keep), scope, write, None)


def written(make: Scalars, part: Map | Scan | Filter, values: tuple[Exp, ...], block: Block) -> None:
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


def _counted(make: Scalars, count: Var, keep: Exp, block: Block) -> None:
    """One more, if the element written last is kept."""
    following = make.add(count, make.call(p.B2I, keep))
    if following is not count:
        block.statements.append(l.Assign(count, following))
