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
from aplc.apl_front.functions import items, nested, operators, structure, tuples
from aplc.apl_front.functions import nested_values as nv
from aplc.apl_front.functions import record_values as rv
from aplc.apl_front.functions.cells import Cells, extents
from aplc.apl_front.functions.operators import Operand
from aplc.apl_front.typing.effects import Place, blocks_carry, taken_apart, unchanged_behind, with_names
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail import prims as p
from aplc.tail.errors import Error, compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, conditional, literal, nest, op, product, vec
from aplc.tail.types import Base, Nested, Tuple
from aplc.tail.types import nested as array_of

Element = Callable[[Exp], Exp]
"""What a function gives for the element or cell at a position, counted from 0."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """What the items of a result are: arrays of a rank, of characters or numbers, or arrays of arrays."""

    rank: int = 0
    is_text: bool = False
    nested: Nested | None = None

    @property
    def is_simple_scalar(self) -> bool:
        """Whether the items are elements of a simple array."""
        return self.rank == 0 and self.nested is None


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
        """`f¨b`, `a f¨b`: from the first element, or item, to the last."""
        if any(a is not None and isinstance(a.ty, Tuple) for a in (left, right)):
            return self._each_item(left, right)
        if left is not None:
            left, right = operators.conformed(self.elab.build, self.f, left, right, self.span)
            if rank(left) > 0 and rank(right) > 0:
                left, right = self._of_one_shape(left, right, (0, 0))
        second = Cells(self.elab.build, right, 0, self.span)
        first = second if left is None else Cells(self.elab.build, left, 0, self.span)
        longer = second if second.frame else first

        def element(i: Exp) -> Exp:
            return self.f.apply(None if left is None else first.at(i), second.at(i), self.span)

        return self._collected(longer.frame, longer.count, element)

    def _each_item(self, left: Exp | None, right: Exp) -> Exp:
        """The same where an argument is an array of arrays, or becomes one."""
        build, span = self.elab.build, self.span
        last = items.side(build, right, span)
        first = None if left is None else items.side(build, left, span)
        sides = [side for side in (first, last) if side is not None]
        numbers = [build.bind(side.numbers) for side in sides if side.numbers is not None]
        if not numbers:
            return items.each(build, self.f, left, right, span)
        if len(numbers) == 2:
            items.require_equal_ranks(self.f, numbers[0], numbers[1], span)
            numbers = [build.bind(op(p.ALIKE, *numbers, symbol=self.symbol, span=span))]

        def element(i: Exp) -> Exp:
            number = build.bind(op(p.ADDI, i, literal(1, span), span=span))
            return self.f.apply(None if first is None else first.at(number), last.at(number), span)

        frame = nv.extents_of(build, numbers[0], span)
        return self._collected(frame, nv.size_of(build, numbers[0], span), element)

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
        of_left, of_right = items.side(build, left, span), items.side(build, right, span)
        if of_left.numbers is None or of_right.numbers is None:
            return self.each(left, right)
        numbers = [build.bind(side) for side in (of_left.numbers, of_right.numbers)]
        rows, columns = [build.bind(nv.size_of(build, side, span)) for side in numbers]

        def element(i: Exp) -> Exp:
            column = build.bind(op(p.RESI, columns, i, span=span))
            row = self._quotient(op(p.SUBI, i, column, span=span), columns)
            one = literal(1, span)
            first, second = [build.bind(op(p.ADDI, k, one, span=span)) for k in (row, column)]
            return self.f.apply(of_left.at(first), of_right.at(second), span)

        frame = [extent for side in numbers for extent in nv.extents_of(build, side, span)]
        return self._collected(frame, build.bind(op(p.MULI, rows, columns, span=span)), element)

    def reduce(self, array: Exp) -> Exp:
        """`f/a` along the last axis, row by row: from the last element to the first. A scalar is its own."""
        if rank(array) == 0:
            return array
        build = self.elab.build
        if rank(array) == 1:
            row = build.bind(array)
            return self._folded(row, structure.tally(build, row, self.span))
        rows = Cells(build, array, 1, self.span)

        def element(i: Exp) -> Exp:
            row = build.bind(rows.at(i))
            with blocks_carry(self.elab.effects, build, self.places):
                return self._folded(row, structure.tally(build, row, self.span))

        return self._gathered(rows.frame, rows.count, partial(self._written, element, rows.count))

    def scan(self, array: Exp) -> Exp:
        r"""`f\a` along the last axis: the reduction of each prefix. A scalar is its own."""
        if rank(array) == 0:
            return array
        build, span = self.elab.build, self.span
        array = build.bind(array)
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

        return self._gathered(elements.frame, elements.count, partial(self._written, element, elements.count))

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

        result = self._collected(longer.frame, longer.count, element)
        return nested.mix(build, build.bind(result), span) if nv.is_nested(result) else result

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

    def _collected(self, frame: Sequence[Exp], count: Exp, element: Element) -> Exp:
        """What a function gives for each element or item, in an array of that frame: of simple scalars, or of
        arrays.
        """
        mark = self.elab.build.mark()
        try:
            return self._gathered(frame, count, partial(self._written, element, count))
        except _OfOtherKind as found:
            kind = found.kind
        self.elab.build.undo(mark)
        if kind.nested is not None:
            made = self._grown(count, element, kind.nested)
        else:
            made = self._items(count, element, kind)
        if len(frame) == 1:
            return made
        build, span = self.elab.build, self.span
        shape = build.bind(vec(tuple(frame), Base.INT, span))
        return nv.arranged(build, made, lambda d: build.bind(op(p.RESHAPE, shape, d, span=span)), span)

    def _grown(self, count: Exp, element: Element, item: Nested) -> Exp:
        """The vector of what a function gives, arrays of arrays themselves, added one after the other."""
        build, span = self.elab.build, self.span

        def step(i: Exp, state: Exp) -> Exp:
            before = taken_apart(build, self.places, state, span)
            value = build.bind(element(i))
            known = rv.as_nested(build, value, span)
            if known is None:
                raise unsupported(f"{self.symbol} with a result of {plain_type(value)}", self.f.span)
            new = nv.ravelled(build, nv.enclosed_item(build, known, span), span)
            both = nv.fitted(build, [before, build.bind(new)])
            if both is None:
                shown = f"{plain_type(known)} beside {item}"
                raise unsupported(f"{self.symbol} with results of {shown}", self.f.span)
            joined = nv.catenated(build, both[0], both[1], lambda a, b: op(p.CAT, a, b, span=span), span)
            return with_names(self.places, joined)

        return self._loop(step, count, nv.nothing(array_of(item, 1), span))

    def _items(self, count: Exp, element: Element, kind: _Kind) -> Exp:
        """The vector of what a function gives, simple arrays of a rank. Their elements are written one
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
            new = build.bind(build.coerce(nv.flat(value, span), common, self.symbol, span))
            size = build.bind(nv.size_of(build, new, span))
            there = build.bind(nv.size_of(build, elements, span))
            wanted = build.bind(op(p.ADDI, used, size, span=span))
            more = vec((op(p.MAXI, wanted, there, span=span),), Base.INT, span)
            old = build.bind(build.coerce(elements, common, self.symbol, span))
            room = op(p.CAT, old, op(p.RESHAPE, more, build.fill(common, span), span=span), span=span)
            old = build.bind(conditional(op(p.LTEI, wanted, there, span=span), old, room, span))
            at = nv.moved(build, op(p.IOTA, size, span=span), used, span)
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
        return nest((*descriptor, elements), span)

    def _gathered(self, frame: Sequence[Exp], count: Exp, items: Callable[[Exp], Exp]) -> Exp:
        """An array of simple scalars with a frame, given what writes them to a vector in ravel order. Raises
        `_OfOtherKind` where they turn out to be arrays.
        """
        build, span = self.elab.build, self.span
        mark, kind = build.mark(), _Kind()
        while True:
            fill = build.fill(Base.CHAR if kind.is_text else Base.BOOL, span)
            room = op(p.RESHAPE, vec((count,), Base.INT, span), fill, span=span)
            try:
                written = build.bind(items(room))
                break
            except _OfOtherKind as found:
                if not found.kind.is_simple_scalar:
                    raise
                build.undo(mark)
                kind = found.kind
        if len(frame) == 1:
            return written
        return op(p.RESHAPE, vec(tuple(frame), Base.INT, span), written, span=span)

    def _written(self, element: Element, count: Exp, start: Exp) -> Exp:
        """A vector of that many elements with all written to it; its element type may widen."""
        build, span = self.elab.build, self.span

        def step(i: Exp, state: Exp) -> Exp:
            written = taken_apart(build, self.places, state, span)
            value = build.bind(element(i))
            if isinstance(value.ty, Tuple):
                known = rv.as_nested(build, value, span)
                if known is None:
                    raise unsupported(f"{self.symbol} with a result of {plain_type(value)}", self.f.span)
                raise _OfOtherKind(_Kind(nested=nv.type_of(known)))
            common = join_bases([base_of(written), base_of(value)])
            if common is None or rank(value) > 0:
                raise _OfOtherKind(_Kind(rank(value), base_of(value) is Base.CHAR))
            old = build.bind(build.coerce(written, common, self.symbol, span))
            new = build.bind(build.coerce(value, common, self.symbol, span))
            at = product((op(p.ADDI, i, literal(1, span), span=span),), span)
            changed = op(p.UPDATE, op(p.COPY, old, span=span), at, new, symbol=self.symbol, span=span)
            return with_names(self.places, changed)

        return self._loop(step, count, start)

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
