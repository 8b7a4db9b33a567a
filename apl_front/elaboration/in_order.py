"""Operators with a function that changes outer names: loops whose order APL fixes.

`f¨`, `∘.f` and `f⍤k` take elements or cells in ravel order, `f/` goes from the last element to the first, and
so do the reductions of prefixes of a scan. What the function gives is written to an array that is
part of the state, beside the names that it changes: see Note [Outer names] of `typing.effects`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from aplc.apl_front.building.builder import base_of, join_bases, plain_type, rank
from aplc.apl_front.building.facts import InOrder
from aplc.apl_front.elaboration.power import times
from aplc.apl_front.functions import indexing, nested_values, operators, structure, tuples
from aplc.apl_front.functions.cells import Cells, extents
from aplc.apl_front.functions.operators import Operand
from aplc.apl_front.typing.effects import Place, blocks_carry, taken_apart, unchanged_behind, with_names
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail import prims as p
from aplc.tail.errors import Error, compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, conditional, literal, nest, op, product, vec
from aplc.tail.types import Base

Element = Callable[[Exp], Exp]
"""What a function gives for the element or cell at a position, counted from 0."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """What the items of a result are: arrays of this rank, of characters or of numbers."""

    rank: int = 0
    is_text: bool = False


class _OfOtherKind(Error):
    """The items of a result turned out to be of another kind than supposed."""

    def __init__(self, kind: _Kind) -> None:
        self.kind = kind
        super().__init__(str(kind))


@dataclass(frozen=True, slots=True)
class Ordered:
    """A function that changes outer names, as the operand of an operator in one place of the program."""

    elab: Elaborating
    f: Operand
    places: tuple[Place, ...]
    symbol: str
    span: Span

    # --- what operators do ---

    def each(self, left: Exp | None, right: Exp) -> Exp:
        """`f¨b`, `a f¨b`: from the first element to the last."""
        if left is not None:
            left, right = operators.conformed(self.elab.build, self.f, left, right, self.span)
            if rank(left) > 0 and rank(right) > 0:
                left, right = self._of_one_shape(left, right, (0, 0))
        second = Cells(self.elab.build, right, 0, self.span)
        first = second if left is None else Cells(self.elab.build, left, 0, self.span)
        longer = second if second.frame else first

        def element(i: Exp) -> Exp:
            return self.f.apply(None if left is None else first.at(i), second.at(i), self.span)

        mark = self.elab.build.mark()
        try:
            write = partial(self._written, longer.count, element)
            return self._gathered(longer.frame, longer.count, write, of_scalars=True)
        except _OfOtherKind as found:
            kind = found.kind
        self.elab.build.undo(mark)
        return self._items(longer.frame, longer.count, element, kind)

    def on_cells(self, left: Exp | None, right: Exp, ranks: tuple[int, int, int]) -> Exp:
        """`f⍤k`: the frame of the arguments in ravel order."""
        if left is None:
            return self._on_cells(None, right, (0, operators.cell_rank(ranks[0], right)))
        cells = operators.cell_rank(ranks[1], left), operators.cell_rank(ranks[2], right)
        frames = rank(left) - cells[0], rank(right) - cells[1]
        if 0 not in frames:
            if frames[0] != frames[1]:
                shown = f"got {plain_type(left)} and {plain_type(right)}"
                message = f"{self.symbol} needs frames of equal rank, {shown}"
                raise compile_error("RANK ERROR", message, self.span)
            left, right = self._of_one_shape(left, right, cells)
        return self._on_cells(left, right, cells)

    def outer(self, left: Exp, right: Exp) -> Exp:
        """`a∘.f b`: all elements of b for the first one of a, and so on."""
        build, span = self.elab.build, self.span
        rows, columns = [Cells(build, a, 0, span) for a in (left, right)]
        total = build.bind(op(p.MULI, rows.count, columns.count, span=span))

        def elements(start: Exp) -> Exp:
            def row(i: Exp, state: Exp) -> Exp:
                written = taken_apart(build, self.places, state, span)
                first = build.bind(op(p.MULI, i, columns.count, span=span))

                def element(j: Exp) -> Exp:
                    return self.f.apply(rows.at(i), columns.at(j), span)

                with blocks_carry(self.elab.effects, build, self.places):
                    written = self._written(total, element, written, columns.count, first)
                return with_names(self.places, written)

            return self._loop(row, rows.count, start)

        return self._gathered((*rows.frame, *columns.frame), total, elements)

    def reduce(self, array: Exp) -> Exp:
        """`f/a` along the last axis, row by row: from the last element to the first."""
        build = self.elab.build
        if rank(array) == 1:
            row = build.bind(array)
            return self._folded(row, structure.tally(build, row, self.span))
        rows = Cells(build, array, 1, self.span)

        def element(i: Exp) -> Exp:
            row = build.bind(rows.at(i))
            with blocks_carry(self.elab.effects, build, self.places):
                return self._folded(row, structure.tally(build, row, self.span))

        return self._gathered(rows.frame, rows.count, partial(self._written, rows.count, element))

    def scan(self, array: Exp) -> Exp:
        r"""`f\a` along the last axis: the reduction of each prefix."""
        build, span = self.elab.build, self.span
        elements, rows = Cells(build, array, 0, span), Cells(build, array, 1, span)
        length = build.bind(structure.tally(build, rows.at(literal(0, span)), span)) if rows.frame else None

        def element(k: Exp) -> Exp:
            if length is None:
                row, column = elements.flat, k
            else:
                column = build.bind(op(p.RESI, length, k, span=span))
                row = rows.at(self._quotient(op(p.SUBI, k, column, span=span), length))
            with blocks_carry(self.elab.effects, build, self.places):
                return self._folded(build.bind(row), op(p.ADDI, column, literal(1, span), span=span))

        return self._gathered(elements.frame, elements.count, partial(self._written, elements.count, element))

    # --- how ---

    def _of_one_shape(self, left: Exp, right: Exp, cells: tuple[int, int]) -> tuple[Exp, Exp]:
        """Two arguments whose frames must be alike; they are compared when the program runs."""
        build, span = self.elab.build, self.span
        left, right = build.bind(left), build.bind(right)
        frames = [
            Cells(build, a, k, span).places_in_frame() for a, k in zip((left, right), cells, strict=True)
        ]
        function = build.function((Base.INT, Base.INT), lambda x, _: x, span)
        build.bind(op(p.ZIP_WITH, function, *frames, symbol=self.symbol, span=span))
        return left, right

    def _on_cells(self, left: Exp | None, right: Exp, ranks: tuple[int, int]) -> Exp:
        """The function on pairs of cells; where there is one on a side only, it goes with all others."""
        build, span = self.elab.build, self.span
        second = Cells(build, right, ranks[1], span)
        first = second if left is None else Cells(build, left, ranks[0], span)
        longer = second if second.frame else first

        def element(i: Exp) -> Exp:
            return self.f.apply(None if left is None else first.at(i), second.at(i), span)

        return self._gathered(longer.frame, longer.count, partial(self._written, longer.count, element))

    def _folded(self, row: Exp, count: Exp) -> Exp:
        """The reduction of the first elements of a vector, of which there is one at least."""
        build, span = self.elab.build, self.span
        later = build.function((base_of(row), base_of(row)), lambda _, y: y, span)
        prefix = op(p.TAKE, count, row, span=span)
        last = build.bind(op(p.REDUCE1, later, prefix, symbol=self.symbol, span=span))
        others = op(p.SUBI, count, literal(1, span), span=span)
        rounds = build.bind(op(p.MAXI, literal(0, span), others, span=span))

        def step(i: Exp, state: Exp) -> Exp:
            accumulated = taken_apart(build, self.places, state, span)
            item = op(p.PICK, op(p.SUBI, rounds, i, span=span), row, span=span)
            return with_names(self.places, self.f.apply(item, accumulated, span))

        return self._loop(step, rounds, last)

    def _items(self, frame: Sequence[Exp], count: Exp, element: Element, kind: _Kind) -> Exp:
        """The array of arrays with a frame from its items in ravel order. Their elements are written one
        behind the other, to a vector that grows to twice its length where it has no room.
        """
        build, span = self.elab.build, self.span

        def step(i: Exp, state: Exp) -> Exp:
            parts = tuples.items_of(build, taken_apart(build, self.places, state, span))
            *descriptor, used, elements = [build.bind(part) for part in parts]
            value = build.bind(element(i))
            if tuples.is_tuple(value) or rank(value) != kind.rank:
                raise unsupported(f"{self.symbol} with a result of {plain_type(value)}", self.f.span)
            common = join_bases([base_of(elements), base_of(value)])
            if common is None:
                raise unsupported(f"{self.symbol} with characters and numbers as results", self.f.span)
            new = build.bind(build.coerce(nested_values.flat(value, span), common, self.symbol, span))
            size = build.bind(nested_values.size_of(build, new, span))
            there = build.bind(nested_values.size_of(build, elements, span))
            wanted = build.bind(op(p.ADDI, used, size, span=span))
            more = vec((op(p.MAXI, wanted, there, span=span),), Base.INT, span)
            old = build.bind(build.coerce(elements, common, self.symbol, span))
            room = op(p.CAT, old, op(p.RESHAPE, more, build.fill(common, span), span=span), span=span)
            old = build.bind(conditional(op(p.LTEI, wanted, there, span=span), old, room, span))
            at = nested_values.moved(build, op(p.IOTA, size, span=span), used, span)
            changed = op(p.UPDATE, op(p.COPY, old, span=span), product((at,), span), new, span=span)
            place = product((op(p.ADDI, i, literal(1, span), span=span),), span)
            numbers = [used, *extents(build, value, span)]
            noted = [
                build.bind(op(p.UPDATE, op(p.COPY, d, span=span), place, n, span=span))
                for d, n in zip(descriptor, numbers, strict=True)
            ]
            return with_names(self.places, product((*noted, wanted, build.bind(changed)), span))

        zeros = build.bind(op(p.RESHAPE, vec((count,), Base.INT, span), literal(0, span), span=span))
        fill = build.fill(Base.CHAR if kind.is_text else Base.BOOL, span)
        nothing = op(p.RESHAPE, vec((literal(0, span),), Base.INT, span), fill, span=span)
        start = product((*[zeros] * (1 + kind.rank), literal(0, span), nothing), span)
        made = tuples.items_of(build, build.bind(self._loop(step, count, start)))
        *descriptor, _, elements = made
        if len(frame) != 1:
            shape = build.bind(vec(tuple(frame), Base.INT, span))
            descriptor = [build.bind(op(p.RESHAPE, shape, d, span=span)) for d in descriptor]
        return nest((*descriptor, elements), span)

    def _gathered(
        self, frame: Sequence[Exp], count: Exp, items: Callable[[Exp], Exp], *, of_scalars: bool = False
    ) -> Exp:
        """An array with a frame from its items in ravel order, given what writes them to an array of them.
        With `of_scalars` `_OfOtherKind` is raised where they turn out to be arrays.
        """
        build, span = self.elab.build, self.span
        mark, kind = build.mark(), _Kind()
        while True:
            try:
                written = build.bind(items(self._room(count, kind)))
                break
            except _OfOtherKind as found:
                build.undo(mark)
                kind = found.kind
                if of_scalars and kind.rank:
                    raise
        if len(frame) == 1:
            return written
        shape = (*frame, *extents(build, written, span)[1:])
        return op(p.RESHAPE, vec(shape, Base.INT, span), written, span=span)

    def _room(self, count: Exp, kind: _Kind) -> Exp:
        """An array for items; that for arrays is empty, since nobody knows their shape yet."""
        fill = self.elab.build.fill(Base.CHAR if kind.is_text else Base.BOOL, self.span)
        shape = (literal(0, self.span),) * (1 + kind.rank) if kind.rank else (count,)
        return op(p.RESHAPE, vec(shape, Base.INT, self.span), fill, span=self.span)

    def _written(
        self,
        total: Exp,
        element: Element,
        start: Exp,
        count: Exp | None = None,
        first: Exp | None = None,
    ) -> Exp:
        """An array of items with some written to it from a position on, counted from 0; its element type may
        widen.
        """
        build, span = self.elab.build, self.span

        def step(i: Exp, state: Exp) -> Exp:
            written = taken_apart(build, self.places, state, span)
            value = element(i)
            if tuples.is_tuple(value):
                raise unsupported(f"{self.symbol} with a result of {plain_type(value)}", self.f.span)
            common = join_bases([base_of(written), base_of(value)])
            if common is None or rank(value) != rank(written) - 1:
                raise _OfOtherKind(_Kind(rank(value), base_of(value) is Base.CHAR))
            position = i if first is None else op(p.ADDI, first, i, span=span)
            old = build.coerce(written, common, self.symbol, span)
            new = build.bind(build.coerce(value, common, self.symbol, span))
            if rank(value):
                shape = vec((total, *extents(build, new, span)), Base.INT, span)
                room = op(p.RESHAPE, shape, build.fill(common, span), span=span)
                is_first = op(p.EQI, position, literal(0, span), span=span)
                old = conditional(is_first, room, old, span)
            old = build.bind(old)
            axes = [indexing.whole_axis(build, old, k, span) for k in range(1, rank(old))]
            at = product((op(p.ADDI, position, literal(1, span), span=span), *axes), span)
            changed = op(p.UPDATE, op(p.COPY, old, span=span), at, new, symbol=self.symbol, span=span)
            return with_names(self.places, changed)

        return self._loop(step, total if count is None else count, start)

    def _loop(self, step: Callable[[Exp, Exp], Exp], count: Exp, start: Exp) -> Exp:
        """The value at the end; the names have theirs afterwards."""
        build, span = self.elab.build, self.span
        begin = with_names(self.places, start)
        names = tuple([place.name for place in self.places])
        build.ordered[span] = InOrder(self.symbol, names, span)
        with unchanged_behind(build):
            result = times(self.elab, step, count, begin, span, span, self.places)
        return taken_apart(build, self.places, result, span)

    def _quotient(self, multiple: Exp, divisor: Exp) -> Exp:
        """A multiple of a number divided by it."""
        span = self.span
        parts = [op(p.I2D, exp, span=span) for exp in (multiple, divisor)]
        return op(p.FLOORD, op(p.DIVD, *parts, span=span), span=span)
