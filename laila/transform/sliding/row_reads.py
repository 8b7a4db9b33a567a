"""Which rows of arrays a loop over rows reads, and what stands beyond the first and the last row.

    over i < n, j < m: i < n-1 ? t[m·(i+1)+j] : t[j]        →   the row below; behind the last row is row 0

The body is looked at inside, where all that it asks about its row is decided, and in each of the first and
the last rows. An element is so many rows below the one at hand, at a place that is proved to lie in a row:
from the ranges of the indices, and the conditions on the way to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from aplc.laila.ir.program import Map, Space
from aplc.laila.ir.scalar import Buffer, Call, Const, Exp, FreeVars, Read, Select, Var, nodes, operands
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p

FARTHEST = 4
"""How many rows away a neighbour may be."""

MOST_PATHS = 2000
"""Nodes of a body that are looked at; one that is on several paths counts for each."""

Facts = tuple[Exp, ...]
"""Expressions that are at least zero."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How the array that a map writes is cut into rows, of `size` elements each. They are counted from the
    one that belongs to the first row of another map: `above` of them are above it.
    """

    made: Map
    size: Exp
    above: int = 0
    more: int = 0
    """How many rows it has more than the other map."""

    def start(self, make: ExprBuilder, row: Exp) -> Exp:
        """Where a row begins."""
        first, *others = self.made.space.indices
        own = make.add(row, make.const(self.above))
        return Substitute(make, {first: own, **dict.fromkeys(others, make.zero)})(self.made.position)

    def has(self, row: int) -> bool:
        """Whether there is a row beyond the ends: above the first one, or so far behind the last one."""
        return row >= -self.above if row < 0 else row < self.more - self.above


def layout(made: Map, make: ExprBuilder) -> Layout | None:
    """The rows of what a map writes, if they are of one size."""
    row = made.space.indices[0]
    size = make.sub(Substitute(make, {row: make.add(row, make.one)})(made.position), made.position)
    found = Layout(made, size)
    free = FreeVars()
    if free.of(size) & set(made.space.indices):
        return None
    place = make.sub(made.position, found.start(make, row))
    if row in free.of(place) or found.start(make, make.zero) is not make.zero:
        return None
    return found if is_within(make, place, size, ()) else None


def within_space(make: ExprBuilder, space: Space) -> Facts:
    """What is known at the points of a space: no index is behind the last one."""
    pairs = zip(space.indices, space.extents, strict=True)
    return tuple([make.sub(make.sub(n, make.one), i) for i, n in pairs])


def is_within(make: ExprBuilder, place: Exp, size: Exp, facts: Facts) -> bool:
    """Whether a place lies in a row, from facts."""
    rest = make.sub(make.sub(size, make.one), place)
    return all(_holds(make, side, facts) for side in (place, rest))


def _holds(make: ExprBuilder, side: Exp, facts: Facts) -> bool:
    """Whether an expression is at least zero, from one fact at most."""
    if make.at_least(side, make.zero):
        return True
    return any(make.at_least(side, fact) for fact in facts)


@dataclass(frozen=True, slots=True)
class Place:
    """An element: so many rows below the one at hand, and where it is in that row."""

    below: int
    place: Exp


@dataclass(frozen=True, slots=True)
class Beyond:
    """What stands beyond the ends of an array: one of its rows, or a constant."""

    row: Exp | None
    value: Const | None = None


class TooFar(Exception):
    """What is read is in no row that is known to be near."""


@dataclass(slots=True)
class RowReads:
    """What a body reads of arrays: where inside, and what for rows beyond their ends: before the first one,
    counted from -1 down, and behind the last one, counted from 0 up.
    """

    make: ExprBuilder
    layouts: dict[Buffer, Layout]
    rows: Exp
    places: dict[Read, Place] = field(default_factory=dict)
    beyond: dict[tuple[Buffer, int], Beyond] = field(default_factory=dict)
    free: FreeVars = field(default_factory=FreeVars)

    @property
    def farthest(self) -> int:
        """How many rows away the farthest element is."""
        return max([abs(place.below) for place in self.places.values()], default=0)

    def inside(self, body: Exp, index: Var) -> tuple[Exp, Var]:
        """The body with what it reads of the arrays in a row so far from the ends that no question is left
        which row it is; and that row. The places of all reads are known then, and what is beyond the ends.

        Raises `TooFar`.
        """
        make = self.make
        trees = _trees(body, self.layouts)
        for far in range(FARTHEST + 1):
            last = make.sub(self.rows, make.const(far + 1))
            row = make.between(index.name, (make.const(far),), (last,))
            inner = Substitute(make, {index: row})
            changed = Substitute(make, {tree: inner(tree) for tree in trees})(body)
            if not any(isinstance(n, Select) and self.asks(n.cond, (index, row)) for n in nodes(changed)):
                self.places = {}
                for read, facts in self.reads(changed):
                    self.locate(read, row, facts)
                if self.farthest <= far:
                    self.look_beyond(trees, index, row)
                    return changed, row
        raise TooFar

    def asks(self, cond: Exp, rows: tuple[Var, Var]) -> bool:
        """Whether a condition is about a row, not about an element in it."""
        below = nodes(cond, below=lambda e: () if isinstance(e, Read) else operands(e))
        return any(node in rows for node in below)

    def reads(self, body: Exp, known: Facts = ()) -> Iterator[tuple[Read, Facts]]:
        """The reads of the arrays with the facts on each way to them."""
        todo: list[tuple[Exp, Facts]] = [(body, known)]
        seen: set[tuple[int, Facts]] = set()
        while todo:
            node, facts = todo.pop()
            key = (id(node), facts)
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > MOST_PATHS:
                raise TooFar
            if isinstance(node, Read) and node.buffer in self.layouts:
                yield node, facts
            if isinstance(node, Select):
                todo.append((node.cond, facts))
                todo.append((node.then, (*facts, *self.facts(node.cond, holds=True))))
                todo.append((node.other, (*facts, *self.facts(node.cond, holds=False))))
            else:
                todo += [(o, facts) for o in operands(node)]

    def facts(self, cond: Exp, *, holds: bool) -> Facts:
        """What a comparison of integers says where it holds, or where it does not."""
        make = self.make
        if not isinstance(cond, Call) or cond.op not in (p.LTI, p.LTEI, p.GTI, p.GTEI):
            return ()
        small, large = cond.args if cond.op in (p.LTI, p.LTEI) else cond.args[::-1]
        strict = cond.op in (p.LTI, p.GTI)
        gap = make.sub(large, small)
        if holds:
            return (make.sub(gap, make.one) if strict else gap,)
        return (make.sub(make.const(0 if strict else -1), gap),)

    def locate(self, read: Read, row: Var, facts: Facts) -> None:
        """Finds in which row an element is."""
        make, rows = self.make, self.layouts[read.buffer]
        start = make.sub(read.index, rows.start(make, row))
        known = self.places.get(read)
        for below in sorted(range(-FARTHEST, FARTHEST + 1), key=abs):
            place = make.sub(start, make.mul(make.const(below), rows.size))
            if is_within(make, place, rows.size, facts) and row not in self.free.of(place):
                if known is not None and known.below != below:
                    raise TooFar
                self.places[read] = Place(below, place)
                return
        raise TooFar

    # --- beyond the ends ---

    def look_beyond(self, trees: Sequence[Exp], index: Var, row: Var) -> None:
        """Finds what stands beyond the ends, for what chooses elements and is inside at `row`.

        Raises `TooFar` where that is no row and no constant, or not the same from everywhere.
        """
        make, far = self.make, self.farthest
        inner = Substitute(make, {index: row})
        for k in (*range(far), *range(-far, 0)):
            at = make.const(k) if k >= 0 else make.add(self.rows, make.const(k))
            there, same = Substitute(make, {index: at}), Substitute(make, {row: at})
            for tree in trees:
                self.compare(inner(tree), there(tree), same, k)

    def compare(self, inside: Exp, there: Exp, same: Substitute, row: int) -> None:
        """Compares what a body has inside with what it has in a row near an end, counted from there."""
        match inside:
            case Select(cond=cond, then=then, other=other):
                one, two = there, there
                if isinstance(there, Select):
                    if same(cond) is not there.cond:
                        raise TooFar
                    one, two = there.then, there.other
                elif not isinstance(there, Const):
                    raise TooFar
                self.compare(then, one, same, row)
                self.compare(other, two, same, row)
            case Read():
                self.element(inside, there, same, row)
            case _:
                if there is not inside:
                    raise TooFar

    def element(self, inside: Read, there: Exp, same: Substitute, row: int) -> None:
        """Compares an element with what stands for it in a row near an end."""
        place = self.places[inside]
        wanted = row + place.below
        if (wanted < 0) == (row < 0) or self.layouts[inside.buffer].has(wanted):
            if there is not same(inside):
                raise TooFar
            return
        found = self.found(inside.buffer, place, there, same)
        if self.beyond.setdefault((inside.buffer, wanted), found) != found:
            raise TooFar

    def found(self, buffer: Buffer, place: Place, there: Exp, same: Substitute) -> Beyond:
        """What stands for an element beyond an end."""
        if isinstance(there, Const):
            return Beyond(None, there)
        if not isinstance(there, Read) or there.buffer is not buffer:
            raise TooFar
        make, far = self.make, self.farthest
        near = [make.const(k) for k in range(2 * far)]
        for row in (*near, *[make.sub(self.rows, make.const(k + 1)) for k in range(2 * far)]):
            start = self.layouts[buffer].start(make, row)
            if make.sub(there.index, start) is same(place.place):
                return Beyond(row)
        raise TooFar


def _trees(body: Exp, arrays: dict[Buffer, Layout]) -> list[Exp]:
    """The largest expressions that choose among elements of the arrays and constants."""
    chosen: set[int] = set()
    for node in nodes(body):
        match node:
            case Read(buffer=buffer) if buffer in arrays:
                chosen.add(id(node))
            case Select(then=then, other=other):
                is_chosen = [id(e) in chosen for e in (then, other)]
                is_const = [isinstance(e, Const) for e in (then, other)]
                if any(is_chosen) and all(a or b for a, b in zip(is_chosen, is_const, strict=True)):
                    chosen.add(id(node))
            case _:
                pass
    below = nodes(body, below=lambda e: () if id(e) in chosen else operands(e))
    return [node for node in below if id(node) in chosen]
