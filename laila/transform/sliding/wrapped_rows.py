"""Terms of a sum that are there for several rows of a torus.

    a[i,j] + (i < 1 ? a[n-1,j] : a[i-1,j]) + (i < n-1 ? a[i+1,j] : a[0,j])

Each is the first one for another row, which a condition on the row at hand tells: i+n-1 or i-1, and i+1 or
i+1-n. With the terms for the columns beside j, a sum of three by three elements is one of the sums of rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

from aplc.laila.ir.scalar import Call, Const, Exp, FreeVars, Sum, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A row of a torus: so many rows below, by whether a condition holds, or the row at hand."""

    cond: Exp | None
    then: Exp
    other: Exp


Rows = tuple[tuple[Neighbour, int], ...]
"""Rows, each with a factor of its terms."""


@dataclass(frozen=True, slots=True)
class Family:
    """A term in the row at hand, its factor there, and the terms in all rows."""

    first: Exp
    factor: int
    terms: tuple[Exp, ...]


@dataclass(frozen=True, slots=True)
class Torus:
    """The `n` rows of a map, which `row` counts; `others` are its other indices."""

    make: ExprBuilder
    free: FreeVars
    row: Var
    n: Exp
    others: frozenset[Var]

    @property
    def here(self) -> Neighbour:
        """The row at hand."""
        return Neighbour(None, self.make.zero, self.make.zero)

    def families(self, exp: Sum) -> list[tuple[Rows, list[Family]]]:
        """The terms of a sum that are there for several rows, with these rows."""
        factors = dict(exp.terms)
        found: dict[Exp, dict[Neighbour, Exp]] = {}
        for atom in factors:
            for neighbour, first in self.in_rows(atom):
                if first in factors:
                    found.setdefault(first, {self.here: first})[neighbour] = atom
        grouped: dict[frozenset[tuple[Neighbour, int]], tuple[Rows, list[Family]]] = {}
        for first, terms in found.items():
            own = gcd(*[factors[e] for e in terms.values()]) * (1 if factors[first] > 0 else -1)
            rows = tuple([(neighbour, factors[e] // own) for neighbour, e in terms.items()])
            _, alike = grouped.setdefault(frozenset(rows), (rows, []))
            alike.append(Family(first, own, tuple(terms.values())))
        return list(grouped.values())

    def in_rows(self, atom: Exp) -> Iterator[tuple[Neighbour, Exp]]:
        """The neighbour for which a term stands, and the term that it is in the row at hand."""
        conds = dict.fromkeys([n for n in nodes(atom) if self.tells_row(n)])
        if len(conds) != 1 or self.make.may_fail(atom):
            return
        (cond,) = conds
        neighbour = self.neighbour(cond)
        if neighbour is None:
            return
        then, other = [Substitute(self.make, {cond: self.make.const(is_)})(atom) for is_ in (True, False)]
        first = self.below(other, self.make.sub(self.make.zero, neighbour.other))
        if self.below(first, neighbour.then) is then and self.below(first, neighbour.other) is other:
            yield neighbour, first

    def tells_row(self, node: Exp) -> bool:
        """Whether a node asks about the row at hand only."""
        if not isinstance(node, Call) or node.op is not p.LTI:
            return False
        free = self.free.of(node)
        return self.row in free and not free & self.others

    def neighbour(self, cond: Exp) -> Neighbour | None:
        """The row of a torus, so many below or above, for which a condition decides how far that is."""
        assert isinstance(cond, Call)
        row, bound = cond.args
        make, left = self.make, self.make.sub(self.n, bound)
        if row is not self.row:
            return None
        if isinstance(bound, Const):
            return Neighbour(cond, left, make.sub(make.zero, bound))
        return Neighbour(cond, left, make.sub(left, self.n)) if isinstance(left, Const) else None

    def below(self, exp: Exp, by: Exp) -> Exp:
        """The same so many rows below."""
        return Substitute(self.make, {self.row: self.make.add(self.row, by)})(exp)
