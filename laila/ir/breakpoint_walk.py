"""Ranges cut at breakpoints whose order only the run knows: a loop over the pieces, with one loop in it.

Note [Walks]
    Cut where it tests its index against k numbers of which nothing is known, a range falls into 2^k pieces,
    most of them empty. Where each test only chooses how far from the index an array is read, as rotations of
    a vector by several amounts do, one body serves all pieces, with other distances in each:

        for i in a … b { x[i] = (i < p ? y[i+c] : y[i+d]) + (i < q ? y[i+e] : y[i+f]) }
        →   low := a
            while low < b {
                high := the least of b and those of p and q that are above low
                g := low < p ? c : d;  h := low < q ? e : f
                for i in low … high { x[i] = y[i+g] + y[i+h] }
                low := high
            }
"""

from __future__ import annotations

from dataclasses import dataclass

from aplc.laila.ir.scalar import Exp, FreeVars, Read, Select, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import Piece, at_most_once, breaks_of
from aplc.laila.ir.substitute import Substitute
from aplc.tail.types import Base


@dataclass(frozen=True, slots=True)
class Walk:
    """A range that is walked, see Note [Walks]: `piece` is from `low` up to `high`, which is one of `ends` or
    `stop`, and its roots are made of `tests` and `distances`.
    """

    piece: Piece
    start: Exp
    stop: Exp
    low: Var
    high: Var
    ends: tuple[Exp, ...]
    tests: tuple[tuple[Var, Exp], ...]
    distances: tuple[tuple[Var, Exp], ...]


def walk(make: ExprBuilder, free: FreeVars, whole: Piece, pieces: list[Piece]) -> Walk | None:
    """The range of an innermost loop as a walk, if its pieces are as many as there may be and still have
    tests in them, and all tests only decide from where elements are read.
    """
    longer = [each for each in pieces if not at_most_once(make, each)]
    if all(next(breaks_of(make, free, each), None) is None for each in longer):
        return None
    return as_walk(make, free, whole)


def as_walk(make: ExprBuilder, free: FreeVars, whole: Piece) -> Walk | None:
    """The range of an innermost loop as a walk, if it has tests that all only decide from where elements are
    read.
    """
    breaks = list(breaks_of(make, free, whole))
    if not breaks or any(
        found.cond.ty is not Base.BOOL or None in (found.below, found.above) for found in breaks
    ):
        return None
    lasts = make.last_indices(whole.stop)
    low = make.between("low", (whole.start,), lasts)
    high = make.between("high", (make.add(whole.start, make.one),), (whole.stop,))
    var = make.between(whole.var.name, (whole.start, low), (*lasts, *make.last_indices(high)))
    at_low = Substitute(make, {whole.var: low})
    tests = {found.cond: Var(make.fresh("below"), Base.BOOL) for found in breaks}
    distances = _Distances(make, free, var, {whole.var: var, **tests})
    roots = tuple([distances(root) for root in whole.roots])
    if not set(tests.values()).isdisjoint(nodes(*roots)):
        return None
    ends = tuple(dict.fromkeys([found.at for found in breaks]))
    known = tuple([(test, at_low(cond)) for cond, test in tests.items()])
    piece = Piece(var, low, high, roots)
    return Walk(piece, whole.start, whole.stop, low, high, ends, known, tuple(distances.found.items()))


class _Distances(Substitute):
    """Makes of a choice between two elements of an array one at a distance that is chosen before the loop."""

    def __init__(self, make: ExprBuilder, free: FreeVars, var: Var, known: dict[Exp, Exp]) -> None:
        super().__init__(make, known)
        self.free, self.var = free, var
        self.found: dict[Var, Exp] = {}
        self.names: dict[Exp, Var] = {}

    def _rebuild(self, node: Exp) -> Exp:
        made = super()._rebuild(node)
        if not isinstance(made, Select) or self.var in self.free.of(made.cond):
            return made
        match made.then, made.other:
            case Read(buffer=buffer, index=then), Read(buffer=same, index=other) if buffer is same:
                return self.element(made, then, other)
            case _:
                return made

    def element(self, choice: Select, then: Exp, other: Exp) -> Exp:
        """The element that a choice chooses from two places, if these are always as far from each other."""
        make, (_, terms) = self.make, self.make.linear(then)
        along = make.mul(make.const(terms.get(self.var, 0)), self.var)
        distances = [make.sub(place, along) for place in (then, other)]
        if any(self.var in self.free.of(each) for each in distances):
            return choice
        chosen = make.select(choice.cond, *distances)
        if chosen not in self.names:
            self.names[chosen] = make.between("distance", (), ())
            self.found[self.names[chosen]] = chosen
        assert isinstance(choice.then, Read)
        return make.read(choice.then.buffer, make.add(along, self.names[chosen]))
