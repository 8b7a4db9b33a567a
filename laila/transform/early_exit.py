"""Folds that can be known before their end leave early: `∨/c`, `∧/c`, `v⍳x`, `⊃c/v`, `⌈/⍸c`.

    s = REDUCE orb over k < n { c[k] }     →     var found = false; var start = 0
                                                 while ¬found ∧ start < n {
                                                     stop = n ⌊ start + 4096
                                                     found = REDUCE orb over k < stop - start { c[start+k] }
                                                     start = stop
                                                 }

A piece has lanes, and is long enough that to ask after it costs nothing. With threads each piece has three
times the elements of all before it, until it is worth threads: what is found early is found in one. The
least place where a condition holds is in the first piece where it holds anywhere, as those behind it are
greater; it is sought there. The greatest is in the last such piece, so pieces come from the end for it. This
is done to folds that have a loop for themselves, after fusion: with another one in it, that loop goes to the
end anyway. So does one that may fail. Where the fold is one side of a choice, as that of `a≡b` is behind the
test of the shapes, the other side is the constant. Where it is done for each of many items, pieces are short,
as items are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import is_

from aplc.laila.ir.program import (
    Assign,
    ForEach,
    Fused,
    HostLet,
    If,
    Program,
    Reduce,
    Statement,
    Variable,
    While,
)
from aplc.laila.ir.scalar import BlockExp, Check, Const, Exp, Fold, FreeVars, Select, Var, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import statements_of, with_blocks, with_bodies
from aplc.laila.ir.strides import depends, is_symmetric
from aplc.laila.ir.substitute import Substitute, with_sequences
from aplc.laila.lowering.scalars import neutral
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

PIECE, PIECE_OF_LOOPS, PIECE_OF_ITEMS, PIECE_IN_THREADS = 4096, 64, 64, 1 << 20
"""The elements of a piece; of elements that are loops themselves; for each of many items; and in threads."""


def with_early_exits(program: Program, make: ExprBuilder, *, in_threads: bool) -> Program:
    """The program with folds that leave as soon as their value is known."""
    of_items = _EarlyExits(make, PIECE_OF_ITEMS)
    exits = _EarlyExits(make, PIECE, of_items, PIECE_IN_THREADS if in_threads else PIECE)
    return with_blocks(program, exits.block)


@dataclass(frozen=True, slots=True)
class _Search:
    """A fold of conditions by `∨` or `∧`; what is sought are the places where one holds, if it has those."""

    combine: Prim
    index: Var
    extent: Exp
    condition: Exp
    place: Exp | None = None
    none: Exp | None = None
    pick: Prim = p.MINI
    """Which of the places is sought."""


class _EarlyExits:
    def __init__(
        self, make: ExprBuilder, first: int, of_items: _EarlyExits | None = None, longest: int = 0
    ) -> None:
        self.make, self.first, self.longest = make, first, max(first, longest)
        """How many elements the first piece has, and the longest."""
        self.of_items = of_items or self
        """What is done in loops over items."""
        self.known: dict[Exp, Exp] = {} if of_items is None else of_items.known
        """What sequences have become."""
        self.free = FreeVars()

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with folds that leave early."""
        return tuple([made for statement in statements for made in self.statement(statement)])

    def statement(self, statement: Statement) -> tuple[Statement, ...]:
        """A statement, or what it becomes."""
        match statement:
            case HostLet(
                value=Select(then=Fold(), other=Const()) | Select(then=Const(), other=Fold()) as choice
            ):
                return self.chosen(statement, choice)
            case HostLet(var=var, value=Fold(combine, index, extent, element)):
                search = self.search(combine, index, extent, element)
            case Fused(parts=(Reduce(var, space, fold, element),)) if len(space.indices) == 1:
                search = self.search(fold.combine, space.indices[0], space.extents[0], element)
            case If() | While():
                return (with_bodies(statement, self.block),)
            case ForEach():
                return (with_bodies(statement, self.of_items.block),)
            case _:
                search = None
        if search is not None:
            return self.in_pieces(var, search)
        return (with_sequences(self.make, statement, self.in_sequence, self.known),)

    def in_sequence(self, node: BlockExp) -> tuple[Statement, ...] | None:
        """What is done for one of many items, with folds that leave early; None if it has none."""
        old = statements_of(node)
        new = self.of_items.block(old)
        return None if len(old) == len(new) and all(map(is_, old, new)) else new

    def chosen(self, statement: HostLet, choice: Select) -> tuple[Statement, ...]:
        """A choice between a constant and a fold, which is a statement of its own if it leaves early."""
        folds_then = isinstance(choice.then, Fold)
        fold, constant = (choice.then, choice.other) if folds_then else (choice.other, choice.then)
        value, kept = [Var(self.make.fresh(statement.var.name), choice.ty) for _ in range(2)]
        made = self.statement(HostLet(value, fold))
        if len(made) == 1:
            return (statement,)
        alone = (*made, Assign(kept, value))
        versions = (alone, ()) if folds_then else ((), alone)
        return Variable(kept, constant), If(choice.cond, *versions), HostLet(statement.var, kept)

    def search(self, combine: object, index: Var, extent: Exp, element: Exp) -> _Search | None:
        """A fold that may know its value before its end, if it is long enough."""
        make = self.make
        if isinstance(extent, Const) and extent.value <= self.piece(element):
            return None
        if contains(Check | BlockExp, element):
            return None
        if combine in (p.ORB, p.ANDB):
            assert isinstance(combine, Prim)
            return _Search(combine, index, extent, element)
        if combine in (p.MINI, p.MAXI) and isinstance(element, Select):
            assert isinstance(combine, Prim)
            search = _Search(p.ORB, index, extent, element.cond, element.then, element.other, combine)
            opposite = make.call(p.NOTB, element.cond)
            other = replace(search, condition=opposite, place=element.other, none=element.then)
            return self.of_place(search) or self.of_place(other)
        return None

    def of_place(self, search: _Search) -> _Search | None:
        """The search for the least or the greatest place where a condition holds, if it is one; the greatest
        is sought from the end.
        """
        make, index, place, none = self.make, search.index, search.place, search.none
        assert place is not None and none is not None
        _, terms = make.linear(place)
        ascends = terms.pop(index, 0) > 0 and not any(depends(self.free, e, index) for e in terms)
        if not ascends or depends(self.free, none, index):
            return None
        is_least = search.pick is p.MINI
        bounds = (none, place) if is_least else (place, none)
        if none is not neutral(make, search.pick) and not make.at_least(*bounds):
            return None
        if is_least:
            return search
        back = Substitute(make, {index: make.sub(make.sub(search.extent, make.one), index)})
        return replace(search, condition=back(search.condition), place=back(place))

    def piece(self, element: Exp) -> int:
        """How many elements are folded before it is first asked whether the value is known."""
        return PIECE_OF_LOOPS if contains(Fold, element) else self.first

    def in_pieces(self, var: Var, search: _Search) -> tuple[Statement, ...]:
        """A fold, a piece at a time until its value is known."""
        make, extent = self.make, search.extent
        start, begin, stop = [self.bound(name, extent) for name in ("start", "begin", "stop")]
        first = self.piece(search.condition)
        length = make.const(self.longest if first == self.first else first)
        found, seen = [Var(make.fresh(name), Base.BOOL) for name in ("found", "seen")]
        unknown = make.call(p.NOTB, found) if search.combine is p.ORB else found
        known = neutral(make, search.combine)
        between = make.sub(stop, start)
        count = Var(make.fresh("count"), Base.INT, lows=(make.zero,), highs=(length, between))
        condition = self.up_to_diagonal(search, stop)
        steps: list[Statement] = [
            HostLet(stop, make.call(p.MINI, extent, self.end(start, first, length))),
            HostLet(count, between),
            HostLet(seen, self.fold(search, search.combine, start, count, condition, known)),
            Assign(found, seen),
            Assign(start, stop),
        ]
        before: list[Statement] = [Variable(found, known), Variable(start, make.zero)]
        behind: list[Statement] = [HostLet(var, found)]
        if search.place is not None and search.none is not None:
            before.append(Variable(begin, make.zero))
            steps.insert(0, Assign(begin, start))
            place, least = Var(make.fresh(var.name), var.ty), Var(make.fresh("place"), var.ty)
            element = make.select(search.condition, search.place, search.none)
            sought = self.fold(search, search.pick, begin, make.sub(start, begin), element, None)
            at_hand = (HostLet(least, sought), Assign(place, least))
            behind = [Variable(place, search.none), If(found, at_hand, ()), HostLet(var, place)]
        going_on = make.call(p.ANDB, unknown, make.call(p.LTI, start, extent))
        return (*before, While(going_on, tuple(steps)), *behind)

    def end(self, start: Var, first: int, longest: Exp) -> Exp:
        """Where the piece ends that begins at a place, if elements go on."""
        make = self.make
        end, least = make.add(start, longest), make.const(first)
        if longest is least:
            return end
        grown = make.call(p.MAXI, least, make.mul(make.const(4), start))
        return make.call(p.MINI, end, grown)

    def up_to_diagonal(self, search: _Search, stop: Var) -> Exp:
        """The condition of a row, up to the last row of the piece where that of a square matrix is the same
        on both sides of its diagonal: the pieces behind look at the others. Not so where the first row that
        has something is sought: it may be the only one in its piece.
        """
        make, row = self.make, search.condition
        if not isinstance(row, Fold) or row.combine is not search.combine or search.place is not None:
            return row
        if not is_symmetric(make, row.body, search.index, row.var):
            return row
        is_square = make.call(p.EQI, search.extent, row.extent)
        some = make.select(is_square, stop, row.extent)
        column = make.index(row.var.name, some)
        return make.fold(row.combine, column, some, Substitute(make, {row.var: column})(row.body), row.empty)

    def bound(self, name: str, extent: Exp) -> Var:
        """A variable for a place where a piece begins or ends."""
        return Var(self.make.fresh(name), Base.INT, lows=(self.make.zero,), highs=(extent,))

    def fold(
        self, search: _Search, combine: Prim, start: Var, length: Exp, element: Exp, empty: Exp | None
    ) -> Exp:
        """A fold over a piece."""
        make = self.make
        k = make.index("k", length)
        there = Substitute(make, {search.index: make.add(start, k)})
        return make.fold(combine, k, length, there(element), empty)
