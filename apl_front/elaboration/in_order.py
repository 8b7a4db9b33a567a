"""Operators with a function that changes outer names: loops whose order APL fixes.

`f¨` and `∘.f` take the elements of their arguments in ravel order, `f/` goes from the last to the first. What
the function gives is written to an array that is part of the state, beside the names that it changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from aplc.apl_front.building.builder import base_of, join_bases, plain_type, rank
from aplc.apl_front.elaboration.power import times
from aplc.apl_front.functions import operators, structure, tuples
from aplc.apl_front.functions.catenation import catenate
from aplc.apl_front.functions.operators import Operand
from aplc.apl_front.typing.effects import Place, blocks_carry, taken_apart, unchanged_behind, with_names
from aplc.apl_front.typing.elaborating import Elaborating
from aplc.tail import prims as p
from aplc.tail.errors import Error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, literal, op, product, vec
from aplc.tail.types import Base

Element = Callable[[Exp], Exp]
"""What a function gives for the element at a position, counted from 0."""


class _Characters(Error):
    """The elements of a result turned out to be characters."""


@dataclass(frozen=True, slots=True)
class InOrder:
    """A function that changes outer names, as the operand of an operator in one place of the program."""

    elab: Elaborating
    f: Operand
    places: tuple[Place, ...]
    symbol: str
    span: Span

    def each(self, left: Exp | None, right: Exp) -> Exp:
        """`f¨b`, `a f¨b`: from the first element to the last."""
        build, span = self.elab.build, self.span
        if left is None:
            items = _Items(self.elab, right, span)

            def one(i: Exp) -> Exp:
                return self.f.apply(None, items.at(i), span)

            return self.gathered(
                items.count, items.shape, lambda start: self.written(items.count, one, start)
            )
        left, right = operators.conformed(build, self.f, left, right, span)
        if rank(left) > 0 and rank(right) > 0:  # one of a pair is the left one, if there are as many of both
            types = (base_of(left), base_of(right))
            function = build.function(types, lambda x, _: x, span)
            right = build.bind(right)
            first: Exp = op(p.ZIP_WITH, function, left, right, symbol=self.symbol, span=span)
        else:
            first = left
        first_items, items = _Items(self.elab, first, span), _Items(self.elab, right, span)
        longer = items if rank(right) > 0 else first_items

        def pair(i: Exp) -> Exp:
            return self.f.apply(first_items.at(i), items.at(i), span)

        return self.gathered(
            longer.count, longer.shape, lambda start: self.written(longer.count, pair, start)
        )

    def outer(self, left: Exp, right: Exp) -> Exp:
        """`a∘.f b`: the elements of b for the first of a, and so on."""
        build, span = self.elab.build, self.span
        rows, columns = _Items(self.elab, left, span), _Items(self.elab, right, span)
        shape = catenate(build, rows.shape, columns.shape, span)

        def elements(written: Exp) -> Exp:
            def row(i: Exp, state: Exp) -> Exp:
                begin = taken_apart(build, self.places, state, span)
                first = build.bind(op(p.MULI, i, columns.count, span=span))

                def element(j: Exp) -> Exp:
                    return self.f.apply(rows.at(i), columns.at(j), span)

                with blocks_carry(self.elab.effects, build, self.places):
                    return with_names(self.places, self.written(columns.count, element, begin, first))

            return self.loop(row, rows.count, written)

        return self.gathered(op(p.MULI, rows.count, columns.count, span=span), shape, elements)

    def reduce(self, vector: Exp) -> Exp:
        """`f/v`: from the last element to the first."""
        build, span = self.elab.build, self.span
        if rank(vector) != 1:
            what = f"{self.symbol} of {plain_type(vector)} with a function that changes {self.names()}"
            raise unsupported(what, span)
        base = base_of(vector)
        items = _Items(self.elab, vector, span)
        later = build.function((base, base), lambda _, y: y, span)
        last = build.bind(op(p.REDUCE1, later, items.flat, symbol=self.symbol, span=span))
        others = op(p.SUBI, items.count, literal(1, span), span=span)
        rounds = build.bind(op(p.MAXI, literal(0, span), others, span=span))

        def step(i: Exp, state: Exp) -> Exp:
            accumulated = taken_apart(build, self.places, state, span)
            item = items.at(op(p.SUBI, op(p.SUBI, rounds, i, span=span), literal(1, span), span=span))
            return with_names(self.places, self.f.apply(item, accumulated, span))

        return self.loop(step, rounds, last)

    def gathered(self, count: Exp, shape: Exp, elements: Callable[[Exp], Exp]) -> Exp:
        """An array of a shape, given what writes its elements, in ravel order, to a vector of them."""
        build, span = self.elab.build, self.span
        extents = build.bind(vec((build.bind(count),), Base.INT, span))
        mark = build.mark()
        try:
            flat = elements(op(p.RESHAPE, extents, build.fill(Base.BOOL, span), span=span))
        except _Characters:
            build.undo(mark)
            flat = elements(op(p.RESHAPE, extents, build.fill(Base.CHAR, span), span=span))
        return structure.reshape(build, shape, flat, span)

    def written(self, count: Exp, element: Element, start: Exp, first: Exp | None = None) -> Exp:
        """A vector with elements written to it from a position on, counted from 0; its type may widen."""
        build, span = self.elab.build, self.span

        def step(i: Exp, state: Exp) -> Exp:
            written = taken_apart(build, self.places, state, span)
            value = element(i)
            place = i if first is None else op(p.ADDI, first, i, span=span)
            if tuples.is_tuple(value) or rank(value) != 0:
                what = (
                    f"{self.symbol} with a function that changes {self.names()} and gives {plain_type(value)}"
                )
                raise unsupported(what, self.f.span, "give a scalar")
            common = join_bases([base_of(written), base_of(value)])
            if common is None:
                raise _Characters
            old = build.bind(build.coerce(written, common, self.symbol, span))
            new = build.coerce(value, common, self.symbol, span)
            at = product((op(p.ADDI, place, literal(1, span), span=span),), span)
            return with_names(self.places, op(p.UPDATE, op(p.COPY, old, span=span), at, new, span=span))

        return self.loop(step, count, start)

    def loop(self, step: Callable[[Exp, Exp], Exp], count: Exp, start: Exp) -> Exp:
        """The value at the end; the names have theirs afterwards."""
        build, span = self.elab.build, self.span
        begin = with_names(self.places, start)
        with unchanged_behind(build):
            result = times(self.elab, step, count, begin, span, span, self.places)
        return taken_apart(build, self.places, result, span)

    def names(self) -> str:
        """The names that the function changes."""
        return " and ".join([place.name for place in self.places])


class _Items:
    """The elements of an array in ravel order; a scalar is the same everywhere."""

    def __init__(self, elab: Elaborating, array: Exp, span: Span) -> None:
        self.span = span
        build = elab.build
        array = build.bind(array)
        self.is_scalar = rank(array) == 0
        self.shape = build.bind(structure.shape(build, array, span))
        self.flat = array if self.is_scalar else build.bind(structure.ravel(build, array, span))
        self.count = (
            literal(1, span) if self.is_scalar else build.bind(structure.tally(build, self.flat, span))
        )

    def at(self, i: Exp) -> Exp:
        """The element at a position, counted from 0."""
        if self.is_scalar:
            return self.flat
        return op(p.PICK, op(p.ADDI, i, literal(1, self.span), span=self.span), self.flat, span=self.span)
