"""Bounds the search for the place of an extremum, `v⍳⌈/v`: it begins where the extremum was seen first.

The loop of the fold runs in blocks and notes in which of them it has found the value, and the search goes
block by block from there until it finds a place. This is done after fusion, which decides what else is in
the loop.

    FUSED over k < n { s = REDUCE max e(k), … }
    x = REDUCE min (e(k) = s ? k+1 : n+1) over k < n
    →   while base < n {
            FUSED over k < m { some = REDUCE max e(base+k), … }
            if some > s { unless s = some { start := base }; s := some }
            base := base + m
        }
        base := start; x := n+1
        while base < n and x = n+1 { x := REDUCE min (e(base+k) = s ? base+k+1 : n+1); base := base + m }

Note [Where an extremum is first]
    No element in front of `start` equals the extremum, within ⎕CT or exactly. Let x ≤ y ≤ z. If x does not
    equal y it does not equal z either, and if it equals z so does y: the difference of two numbers grows
    faster than what their magnitudes allow. Elements in front of the block at hand are at most the greatest
    one so far; if that does not equal the greatest of the block, nor do they, and nor do they equal what is
    greater still. Of the least element the same holds with all signs changed. Where there is a NaN, that is
    the extremum, and nothing equals it but another NaN, if the search is for that: it starts at the first
    one. Where NaN is left out of the extremum, the search finds none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from aplc.laila.ir.program import (
    Assign,
    Filter,
    Fused,
    HostLet,
    If,
    Map,
    Part,
    Program,
    Reduce,
    Scan,
    Space,
    Statement,
    Variable,
    While,
)
from aplc.laila.ir.scalar import BlockExp, Const, Exp, Fold, Select, Var, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.scalars import neutral
from aplc.laila.lowering.tolerance import equal
from aplc.laila.transform.extrema.searches import (
    EXTREMA,
    Search,
    fold_of,
    is_compared,
    search_of,
    searches_in,
    unchecked,
)
from aplc.tail import prims as p
from aplc.tail.prims import Prim
from aplc.tail.types import Base

BLOCK = 512
"""Elements between two looks at the extremum; as many are searched at once."""


def bound_searches(program: Program, make: ExprBuilder) -> Program:
    """The program with searches for the place of an extremum that begin near it."""
    return with_blocks(program, _Bounded(make).block)


@dataclass(slots=True)
class _Blocks:
    """A loop that is to run in blocks: what stands in front of them, in each, and behind them."""

    base: Var
    count: Var
    space: Space
    before: list[Statement] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    after: list[Statement] = field(default_factory=list)
    ends: list[Statement] = field(default_factory=list)


@dataclass(slots=True)
class _Bounded:
    make: ExprBuilder

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those in branches and rounds."""
        block = list(statements)
        position = 0
        while position < len(block):
            loop = self.loop_of(block[position])
            wanted = {} if loop is None else self.wanted(loop, block[position + 1 :])
            if loop is None or not wanted:
                if isinstance(block[position], If | While):
                    block[position] = with_bodies(block[position], self.block)
                position += 1
                continue
            starts = {var: self.make.between("start", (self.make.zero,), ()) for var in wanted}
            begun = self.in_blocks(loop, wanted, starts)
            known = {search.var: starts[var] for var, found in wanted.items() for search in found}
            block[position:] = [*begun, *self.with_searches(block[position + 1 :], known)]
            position += len(begun)
        return tuple(block)

    def loop_of(self, statement: Statement) -> Fused | None:
        """A loop over a vector that computes extrema, and can run in blocks."""
        if isinstance(statement, HostLet) and isinstance(statement.value, Fold):
            fold = statement.value
            if fold.combine not in EXTREMA:
                return None
            space = Space((fold.var,), (fold.extent,))
            statement = Fused(space, (Reduce(statement.var, space, fold, fold.body),))
        if not isinstance(statement, Fused) or statement.in_place or len(statement.space.indices) != 1:
            return None
        (extent,) = statement.space.extents
        folds = [q for q in statement.parts if isinstance(q, Reduce)]
        is_short = isinstance(extent, Const) and extent.value <= BLOCK
        fits = all(q.fold.combine in EXTREMA and q.fold.empty is not None for q in folds)
        fits = fits and not any(isinstance(q, Scan) for q in statement.parts)
        loops = any(contains(Fold | BlockExp, q.body) for q in statement.parts)
        return statement if folds and fits and not is_short and not loops else None

    def wanted(self, loop: Fused, after: Sequence[Statement]) -> dict[Var, list[Search]]:
        """For the extrema of a loop whose places are sought the searches, which compare alike."""
        make, (i,), (extent,) = self.make, loop.space.indices, loop.space.extents
        written = {make.read(q.buffer, q.position): q.body for q in loop.parts if isinstance(q, Map)}
        folds = {
            q.var: (q.fold.combine, unchecked(make, q.body))
            for q in loop.parts
            if isinstance(q, Reduce) and isinstance(q.fold.combine, Prim)
        }
        found: dict[Var, list[Search]] = {}
        for search in searches_in(make, after):
            if search.number in folds and search.fold.extent is extent:
                element = Substitute(make, {search.fold.var: i})(search.element)
                element = unchecked(make, written.get(element, element))
                others = found.get(search.number, [search])
                op, compared = folds[search.number]
                if is_compared(make, op, compared, element) and search.tolerance is others[0].tolerance:
                    found[search.number] = [*found.get(search.number, []), search]
        return found

    def in_blocks(
        self, loop: Fused, wanted: dict[Var, list[Search]], starts: dict[Var, Var]
    ) -> list[Statement]:
        """The loop in blocks, which notes where searches start."""
        make, (i,), (extent,) = self.make, loop.space.indices, loop.space.extents
        base, count, j, space = self.of_block()
        at = Substitute(make, {i: make.add(base, j)})
        blocks = _Blocks(base, count, space, [Variable(base, make.zero)])
        for part in loop.parts:
            match part:
                case Reduce(var=var, body=body):
                    searches = wanted.get(var)
                    self.extremum(part, at(body), blocks)
                    if searches is not None:
                        blocks.before.append(Variable(starts[var], make.zero))
                        self.noted(blocks, searches[0].tolerance, starts[var])
                case Filter(count=kept, keep=keep, body=body):
                    blocks.before.append(Variable(kept, make.zero))
                    filtered = replace(part, space=space, keep=at(keep), body=at(body), goes_on=True)
                    blocks.parts.append(filtered)
                case Map(position=position, body=body):
                    blocks.parts.append(replace(part, space=space, position=at(position), body=at(body)))
                case Scan():
                    raise AssertionError("a loop with a scan does not run in blocks")
        rounds = (self.counted(base, count, extent), Fused(space, tuple(blocks.parts)), *blocks.after)
        return [*blocks.before, self.rounds(base, count, extent, rounds), *blocks.ends]

    def extremum(self, part: Reduce, body: Exp, blocks: _Blocks) -> None:
        """An extremum of blocks, of one at hand, and of all."""
        make, var, fold = self.make, unbounded(part.var), part.fold
        assert isinstance(fold.combine, Prim) and fold.empty is not None
        start = neutral(make, fold.combine)
        some = Var(make.fresh(var.name), var.ty)
        inner = replace(fold, var=blocks.space.indices[0], extent=blocks.count, body=body, empty=start)
        blocks.parts.append(Reduce(some, blocks.space, inner, body))
        blocks.before.append(Variable(var, start))
        better = make.call(EXTREMA[fold.combine], some, var)
        if var.ty is Base.DOUBLE:
            first = make.call(p.ANDB, make.call(p.NEQD, some, some), make.call(p.EQD, var, var))
            better = make.call(p.ORB, better, first)
        blocks.after.append(If(better, (Assign(var, some),)))
        is_empty = make.call(p.EQI, part.space.extents[0], make.zero)
        if fold.empty is not start and is_empty is not make.false:
            blocks.ends.append(Assign(var, make.select(is_empty, fold.empty, var)))

    def noted(self, blocks: _Blocks, tolerance: Exp | None, start: Var) -> None:
        """The last extremum notes that a search starts at the block at hand, where it equals none before."""
        make, last = self.make, blocks.after[-1]
        assert isinstance(last, If)
        (update,) = last.then
        assert isinstance(update, Assign)
        var, some = update.var, update.value
        if tolerance is not None:
            is_same = equal(make, tolerance, var, some)
        else:
            is_same = make.call(p.EQD if var.ty is Base.DOUBLE else p.EQI, var, some)
        moved = Assign(start, make.select(is_same, start, blocks.base))
        blocks.after[-1] = replace(last, then=(moved, update))

    def of_block(self) -> tuple[Var, Var, Var, Space]:
        """Where a block begins, how many elements it has, and its index space."""
        make = self.make
        base = make.between("base", (make.zero,), ())
        count = Var(make.fresh("count"), Base.INT, True, (make.zero,), (make.const(BLOCK),))
        j = make.between("k", (make.zero,), (make.sub(count, make.one),))
        return base, count, j, Space((j,), (count,))

    def counted(self, base: Var, count: Var, extent: Exp) -> HostLet:
        """How many elements the block at hand has."""
        make = self.make
        return HostLet(count, make.call(p.MINI, make.const(BLOCK), make.sub(extent, base)))

    def rounds(self, base: Var, count: Var, extent: Exp, body: tuple[Statement, ...]) -> While:
        """The blocks, one after the other."""
        make = self.make
        return While(make.call(p.LTI, base, extent), (*body, Assign(base, make.add(base, count))))

    # --- the searches ---

    def with_searches(self, statements: Sequence[Statement], starts: dict[Var, Var]) -> list[Statement]:
        """Statements whose searches for these places begin where they may."""
        result: list[Statement] = []
        for statement in statements:
            match statement:
                case HostLet(var=var, value=Fold() as fold) if var in starts:
                    result += self.bounded(var, fold, starts[var])
                case Fused(parts=parts):
                    folds = [q for q in parts if isinstance(q, Reduce) and q.var in starts]
                    kept = tuple([q for q in parts if q not in folds])
                    result += [replace(statement, parts=kept)] if kept else []
                    for part in folds:
                        result += self.bounded(part.var, fold_of(part), starts[part.var])
                case If(then=then, other=other):
                    sides = [tuple(self.with_searches(side, starts)) for side in (then, other)]
                    result.append(replace(statement, then=sides[0], other=sides[1]))
                case _:
                    result.append(statement)
        return result

    def bounded(self, var: Var, fold: Fold, start: Var) -> list[Statement]:
        """A search from where it may begin, block by block."""
        make, extent = self.make, fold.extent
        search = search_of(make, var, fold)
        assert search is not None and isinstance(fold.body, Select)
        none = make.add(extent, search.origin)
        base, count, j, _ = self.of_block()
        cond = Substitute(make, {fold.var: make.add(base, j)})(fold.body.cond)
        some, found = Var(make.fresh(var.name), Base.INT), unbounded(var)
        place = make.add(make.add(base, j), search.origin)
        inner = make.fold(p.MINI, j, count, make.select(cond, place, none), neutral(make, p.MINI))
        goes_on = make.call(p.ANDB, make.call(p.LTI, base, extent), make.call(p.EQI, found, none))
        body = (
            self.counted(base, count, extent),
            HostLet(some, inner),
            Assign(found, some),
            Assign(base, make.add(base, count)),
        )
        return [Variable(base, start), Variable(found, none), While(goes_on, body)]


def unbounded(var: Var) -> Var:
    """A variable of which nothing is known while rounds change it: what is known of it may hold only behind
    them, where a check has asked.
    """
    return Var(var.name, var.ty)
