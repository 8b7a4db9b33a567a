"""The cells of an array one after the other, for what goes through them in order."""

from __future__ import annotations

from functools import reduce

from aplc.apl_front.building.builder import Builder, rank
from aplc.apl_front.functions import indexing, structure
from aplc.tail import prims as p
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal, op, product, vec
from aplc.tail.types import Base


class Cells:
    """The cells of an array of some rank, in ravel order; the only cell there is stands everywhere."""

    def __init__(self, build: Builder, array: Exp, cell_rank: int, span: Span) -> None:
        self.build, self.span = build, span
        self.array = build.bind(array)
        shape = extents(build, self.array, span)
        self.frame = shape[: len(shape) - cell_rank]
        counts = reduce(lambda x, y: op(p.MULI, x, y, span=span), self.frame) if self.frame else None
        self.count = literal(1, span) if counts is None else build.bind(counts)
        self.flat = self.array
        if len(self.frame) > 1:
            cells = vec((self.count, *shape[len(self.frame) :]), Base.INT, span)
            self.flat = build.bind(op(p.RESHAPE, cells, self.array, span=span))

    def at(self, i: Exp) -> Exp:
        """The cell at a position, counted from 0."""
        if not self.frame:
            return self.array
        position = op(p.ADDI, i, literal(1, self.span), span=self.span)
        if rank(self.flat) == 1:
            return op(p.PICK, position, self.flat, span=self.span)
        axes = [indexing.whole_axis(self.build, self.flat, k, self.span) for k in range(1, rank(self.flat))]
        return op(p.INDEX, product((position, *axes), self.span), self.flat, symbol="⍤", span=self.span)

    def places_in_frame(self) -> Exp:
        """An array of integers that has the shape of the frame."""
        return op(p.RESHAPE, vec(self.frame, Base.INT, self.span), literal(0, self.span), span=self.span)


class SideBySide(Cells):
    """What stands at one place in each of several vectors of one length, as a strand; a scalar stands at all
    places.
    """

    def __init__(self, build: Builder, parts: list[Cells], symbol: str, span: Span) -> None:
        self.build, self.span, self.parts = build, span, parts
        longer = [part for part in parts if part.frame] or parts[:1]
        self.frame, self.count = longer[0].frame, longer[0].count
        function = build.function((Base.INT, Base.INT), lambda x, _: x, span)
        for other in longer[1:]:
            places = [op(p.IOTA, part.count, span=span) for part in (longer[0], other)]
            build.bind(op(p.ZIP_WITH, function, *places, symbol=symbol, span=span))

    def at(self, i: Exp) -> Exp:
        """The strand at a position, counted from 0."""
        return product(tuple([self.build.bind(part.at(i)) for part in self.parts]), self.span)


def extents(build: Builder, array: Exp, span: Span) -> tuple[Exp, ...]:
    """The extents of an array, one for each axis."""
    if rank(array) == 0:
        return ()
    shape = build.bind(structure.shape(build, array, span))
    return tuple([build.bind(op(p.PICK, literal(k + 1, span), shape, span=span)) for k in range(rank(array))])
