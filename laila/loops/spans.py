"""Loops over ranges that take several indices at a time, and what they write to memory."""

from __future__ import annotations

from dataclasses import dataclass

from aplc.laila.ir import loops as l
from aplc.laila.ir.scalar import BlockExp, Buffer, Exp, Fold, Step, Var, contains, nodes
from aplc.laila.ir.split import Piece
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.blocks import Block
from aplc.laila.loops.folds import Folds
from aplc.laila.loops.nests import Axes, EmitBody, Wanted
from aplc.tail.prims import Prim


@dataclass(frozen=True, slots=True)
class Span:
    """A range of an index, of which `together` values are taken at a time, one after the other perhaps."""

    var: Var
    start: Exp
    stop: Exp
    together: int = 1
    in_order: bool = False


@dataclass(frozen=True, slots=True)
class MapNest:
    """A MAP that is to be made: at each point of its axes an element is written at a position."""

    buffer: Buffer
    axes: Axes
    body: Exp
    position: Exp

    @property
    def roots(self) -> tuple[Exp, Exp]:
        """An element and its position."""
        return self.body, self.position


class Spans:
    """The builder of loops over ranges of which some indices are taken together."""

    def __init__(self, folds: Folds) -> None:
        self.folds, self.accumulators, self.nests = folds, folds.accumulators, folds.nests
        self.make, self.code = folds.make, folds.code

    def storing(self, buffer: Buffer) -> EmitBody:
        """Writes values, given as pairs of a value and its position; their folds run side by side."""

        def store(inner: Block, roots: tuple[Exp, ...]) -> None:
            if len(roots) > 2:
                self.side_by_side(roots[0::2], inner)
            values = self.code.values(roots, inner)
            for value, place in zip(values[0::2], values[1::2], strict=True):
                inner.statements.append(l.Store(buffer, place, value))

        return store

    def side_by_side(self, bodies: tuple[Exp, ...], block: Block) -> None:
        """The folds of several bodies that differ in their indices only, those over one range in one loop."""
        groups: dict[tuple[int, int], list[Fold]] = {}
        for body in bodies:
            for node in nodes(body):
                if isinstance(node, Fold) and block.find(node) is None:
                    groups.setdefault((id(node.var), id(node.extent)), []).append(node)
        for group in groups.values():
            nodes_of = tuple(dict.fromkeys(group))
            accs = [self.accumulators.accumulator(node) for node in nodes_of]
            running = [
                self.accumulators.running(node, node.combine, acc)
                for node, acc in zip(nodes_of, accs, strict=True)
                if isinstance(node.combine, Prim)
            ]
            steps = [
                (node, node.combine, acc)
                for node, acc in zip(nodes_of, accs, strict=True)
                if isinstance(node.combine, Step)
            ]
            if running:
                self.folds.together(tuple(running), block)
            if steps:
                stop = self.code.single(group[0].extent, block)
                bodies_of = tuple([node.body for node, _, _ in steps])
                whole = Piece(group[0].var, self.make.zero, stop, bodies_of)
                self.folds.from_right_together(steps, whole, block)
            block.names |= {id(node): acc for node, acc in zip(nodes_of, accs, strict=True)}

    def loops(
        self, spans: list[Span], roots: tuple[Exp, ...], block: Block, build: EmitBody, hidden: frozenset[Var]
    ) -> None:
        """Loops over ranges, outermost first, with what `build` makes of the roots inside; these are there
        once for each of the indices taken together. `hidden` are indices bound further in.
        """
        if not spans:
            build(block, roots)
            return
        span, *rest = spans
        unbound = hidden | {s.var for s in rest}

        def inside(inner: Block, roots: tuple[Exp, ...]) -> None:
            self.loops(rest, roots, inner, build, hidden)

        whole, reductions = Piece(span.var, span.start, span.stop, roots), None if span.in_order else ()
        if span.together == 1 or not self.may_repeat(roots):
            self.nests.in_pieces(Wanted(whole, inside, unbound, reductions), block)
            return
        for piece in self.nests.pieces(whole, unbound):
            steps, left = self.steps(piece, span.together, block)
            self.nests.loop(Wanted(steps, inside, unbound, reductions), block)
            self.nests.loop(Wanted(left, inside, unbound, reductions), block)

    def may_repeat(self, roots: tuple[Exp, ...]) -> bool:
        """Whether expressions may stand side by side, once for each of several indices: copies of statements
        inside them would bind the same names.
        """
        return not contains(BlockExp, *roots)

    def steps(self, piece: Piece, count: int, block: Block) -> tuple[Piece, Piece]:
        """A range in steps of several indices, with the roots once for each of them, and the rest of it."""
        make = self.make
        end = self.nests.end_of_whole(piece, make.const(count), block)
        last = make.const(1 - count)
        highs = tuple([make.add(high, last) for high in make.last_indices(piece.stop)])
        var = make.between(piece.var.name, (piece.start,), highs)
        roots: list[Exp] = []
        for k in range(count):
            substitute = Substitute(make, {piece.var: make.add(var, make.const(k))})
            roots += [substitute(root) for root in piece.roots]
        return (
            Piece(var, piece.start, end, tuple(roots), count),
            Piece(piece.var, end, piece.stop, piece.roots),
        )
