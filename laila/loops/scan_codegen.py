"""Scans as loops.

Note [Running values]
    A running value waits for the one before it. Where the order of doubles is free, several elements are
    combined among themselves first, so that only one step of the chain is left for all of them. Elements that
    take work are computed into a small array first, in lanes. Extrema: Note [Plateaus] of `plateaus`.

Note [Running rows]
    Where the results along another axis are neighbours in memory, as in `+⍀m`, each row is the one before it
    combined with the elements: `for i from 1 { for j { a[i;j] = a[i-1;j] ⊕ m[i;j] } }`, in lanes over j.
"""

from __future__ import annotations

from aplc.laila.ir import loops as l
from aplc.laila.ir.program import Scan
from aplc.laila.ir.scalar import BlockExp, Buffer, Exp, Fold, Var, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import Piece
from aplc.laila.ir.strides import steps_by_one
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block, Mode
from aplc.laila.loops.nests import Wanted
from aplc.laila.loops.spans import Span, Spans
from aplc.laila.loops.staging.plateaus import Chain, Plateaus
from aplc.laila.lowering.pull import weigh
from aplc.laila.lowering.scalars import neutral
from aplc.tail import prims as p
from aplc.tail.prims import Prim

TOGETHER = 4
"""So many elements are combined before they join the chain."""

SLOW = (p.ADDD, p.MULD, p.MAXD, p.MIND)
"""Operators whose chain would be what a loop waits for."""

BLOCK = 256
"""So many elements are computed before they are combined."""

CHEAP = 4
"""Elements of more operations than this are computed in lanes."""


def neutral_of_scan(make: ExprBuilder, op: Prim) -> Exp:
    """What a scan starts from: ¯0 + x is x, also for ¯0."""
    return make.const(-0.0) if op is p.ADDD else neutral(make, op)


def is_work(element: Exp, mode: Mode) -> bool:
    """Whether elements are better computed in lanes, in a loop of their own."""
    if mode.reporting or contains(Fold | BlockExp, element):
        return False
    return weigh(element).cost > CHEAP


class Scans:
    """The loops of SCANs."""

    def __init__(self, spans: Spans) -> None:
        self.spans, self.nests, self.code = spans, spans.nests, spans.code
        self.make, self.free = spans.make, spans.nests.free
        self.plateaus = Plateaus(spans.nests)

    def scan(self, statement: Scan, roots: tuple[Exp, ...], block: Block) -> None:
        """Running values along the innermost axis: see Note [Running values]."""
        make = self.make
        body, position, *extents = roots
        axes = list(zip(statement.space.indices, extents, strict=True))
        (var, _) = axes[-1]
        across = self.axis_across(position, [index for index, _ in axes])
        if across is not None:
            self.scan_rows(statement, axes, across, (body, position), block)
            return

        def row(inner: Block, roots: tuple[Exp, ...]) -> None:
            element, place, extent = roots
            acc = Var(make.fresh("s"), body.ty)
            start = statement.start or neutral_of_scan(make, statement.combine)
            inner.statements.append(l.Declare(acc, start, mutable=True))
            scope = self.nests.carrying(inner, (l.Reduction(statement.combine, acc, start),))
            chain = Chain(statement.combine, acc, element)
            if not axes[:-1] and self.plateaus.are((chain,), scope):
                self.on_plateaus(statement, chain, var, (place, extent), scope)
            elif is_work(element, scope.mode):
                self.in_blocks(statement, var, (element, place, extent), acc, scope)
            else:
                self.along(statement, Piece(var, make.zero, extent, (element, place)), acc, scope)

        self.nests.loops(axes[:-1], (body, position, axes[-1][1]), block, row, frozenset((var,)))

    def axis_across(self, position: Exp, indices: list[Var]) -> Var | None:
        """The axis along which a scan's results are neighbours in memory, if it is not the last."""
        *others, last = indices
        if steps_by_one(self.make, self.free, position, last):
            return None
        return next((v for v in others if steps_by_one(self.make, self.free, position, v)), None)

    def scan_rows(
        self,
        statement: Scan,
        axes: list[tuple[Var, Exp]],
        across: Var,
        roots: tuple[Exp, Exp],
        block: Block,
    ) -> None:
        """Running values of whole rows: see Note [Running rows]."""
        make = self.make
        (var, extent) = axes[-1]
        (width,) = [n for v, n in axes if v is across]

        def along(inner: Block, roots: tuple[Exp, ...]) -> None:
            def store(scope: Block, roots: tuple[Exp, ...]) -> None:
                place, *values = self.code.values(roots, scope)
                value = make.call(statement.combine, *values) if len(values) > 1 else values[0]
                scope.statements.append(l.Store(statement.buffer, place, value))

            for piece in self.nests.pieces(Piece(across, make.zero, roots[0], roots[1:]), frozenset()):
                self.nests.loop(Wanted(piece, store, independent=True), inner)

        def rows(inner: Block, roots: tuple[Exp, ...]) -> None:
            element, place, extent, width = roots
            first = Substitute(make, {var: make.zero})
            start = (width, first(place), first(element))
            self.nests.branch(make.call(p.LTI, make.zero, extent), inner, lambda b: along(b, start))
            before = Substitute(make, {var: make.sub(var, make.one)})(place)
            whole = Piece(var, make.one, extent, (width, place, make.read(statement.buffer, before), element))
            for piece in self.nests.pieces(whole, frozenset((across,))):
                self.nests.loop(Wanted(piece, along, frozenset((across,)), None), inner)

        others = [(v, n) for v, n in axes[:-1] if v is not across]
        self.nests.loops(others, (*roots, extent, width), block, rows, frozenset((var, across)))

    def in_blocks(
        self, statement: Scan, var: Var, roots: tuple[Exp, Exp, Exp], acc: Var, block: Block
    ) -> None:
        """The elements of a block in lanes, then their running values."""
        make = self.make
        element, place, extent = roots

        def one(inner: Block, start: Exp, stop: Exp) -> None:
            storage = statement.buffer.storage
            some = Buffer(make.fresh("some"), element.ty, storage)
            inner.statements.append(l.Local(some, BLOCK))
            at = make.sub(var, start)
            along, store = [Span(var, start, stop)], self.spans.storing(some)
            self.spans.loops(along, (element, at), inner, store, frozenset())
            self.along(statement, Piece(var, start, stop, (make.read(some, at), place)), acc, inner)

        self.nests.blocks(extent, BLOCK, block, one, in_order=True)

    def on_plateaus(
        self, statement: Scan, chain: Chain, var: Var, roots: tuple[Exp, Exp], block: Block
    ) -> None:
        """A running extremum in blocks, most of which do not change it."""
        place, extent = roots

        def in_order(inner: Block, start: Exp, stop: Exp) -> None:
            self.along(statement, Piece(var, start, stop, (chain.element, place)), chain.acc, inner)

        def at_once(inner: Block, start: Exp, stop: Exp, held: Substitute) -> None:
            along, store = [Span(var, start, stop)], self.spans.storing(statement.buffer)
            self.spans.loops(along, (held(chain.acc), place), inner, store, frozenset())

        self.plateaus.loops((chain,), var, extent, block, in_order, at_once)

    def along(self, statement: Scan, whole: Piece, acc: Var, block: Block) -> None:
        """Running values along a range, whose roots are an element and its place."""
        op = statement.combine
        is_free = op in SLOW and not self.make.settings.strict_fp and not block.mode.reporting

        def advance(inner: Block, roots: tuple[Exp, ...]) -> None:
            values = self.code.values(roots, inner)
            sums: list[Exp] = []
            for value in values[0::2]:
                total = self.make.call(op, sums[-1], value) if sums else value
                sums.append(self.code.named(total, inner, "t"))
            stores = [
                l.Store(statement.buffer, place, self.make.call(op, acc, total))
                for total, place in zip(sums, values[1::2], strict=True)
            ]
            if len(sums) == 1:
                inner.statements.append(l.Assign(acc, self.make.call(op, acc, sums[0])))
                inner.statements.append(l.Store(statement.buffer, values[1], acc))
                return
            inner.statements += stores
            inner.statements.append(l.Assign(acc, self.make.call(op, acc, sums[-1])))

        for piece in self.nests.pieces(whole, frozenset()):
            left = piece
            if is_free and self.spans.may_repeat(piece.roots):
                steps, left = self.spans.steps(piece, TOGETHER, block)
                self.nests.loop(Wanted(steps, advance, reductions=None), block)
            self.nests.loop(Wanted(left, advance, reductions=None), block)
