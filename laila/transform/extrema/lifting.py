"""Lifts the extremum of elements out of a branch, to where the elements are made; before fusion.

Where a branch wants an extremum and its place, the fold moves in front of it, and the search for the place
computes the elements anew. So fusion, which makes one loop of the map and the fold, need not write them.

    MAP a[k] = e(k)                               MAP a[k] = e(k)
    if c { s = REDUCE max a[k]               →    s = REDUCE max a[k]
           x = REDUCE min (a[k] = s ? … ) }       if c { x = REDUCE min (e(k) = s ? …) }

An extremum is one operation an element more where the branch is not taken; it cannot fail. The checks in e
have been made when the search begins. `bounding` keeps that short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from aplc.laila.ir.liveness import Users, buffers_read, changed
from aplc.laila.ir.program import (
    Free,
    HostLet,
    If,
    Map,
    Program,
    Statement,
)
from aplc.laila.ir.scalar import BlockExp, Exp, Fold, FreeVars, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, with_blocks, with_bodies, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.pull import weigh
from aplc.laila.transform.extrema.searches import EXTREMA, is_compared, search_of, unchecked
from aplc.tail.prims import Prim

MOST_WORK = 64
"""Elements that take more operations are written rather than computed anew."""


def lift_extrema(program: Program, make: ExprBuilder) -> Program:
    """The program with extrema computed where their elements are made."""
    return with_blocks(program, _Lifted(make).block)


@dataclass(slots=True)
class _Lifted:
    make: ExprBuilder
    free: FreeVars = field(default_factory=FreeVars)

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those in branches and rounds."""
        block = [with_bodies(s, self.block) for s in statements]
        maps = [k for k, s in enumerate(block) if isinstance(s, Map) and self.is_plain(s)]
        all_users = Users()
        users = all_users.of(block) if maps else {}
        for position in reversed(maps):
            made = block[position]
            assert isinstance(made, Map)
            if self.lift(block, made, [k for k in users[made.buffer] if k >= position]):
                users = all_users.of(block)
        return tuple(block)

    def is_plain(self, made: Map) -> bool:
        """Whether a map makes a vector whose elements are quickly computed again."""
        is_vector = len(made.space.indices) == 1 and made.position is made.space.indices[0]
        is_simple = made.guard is None and not made.ordered and not contains(Fold | BlockExp, made.body)
        return is_vector and is_simple and weigh(made.body).cost <= MOST_WORK

    def lift(self, block: list[Statement], made: Map, users: Sequence[int]) -> bool:
        """Moves the fold of a branch of which the map makes the elements, if besides only a search reads
        them behind the map; whether it does. The first of the `users` of the elements is the map.
        """
        position, *users = [k for k in users if not isinstance(block[k], Free)]
        if not users:
            return False
        last = block[users[-1]]
        between = [s for s in block[position + 1 : users[-1]] if not isinstance(s, Free)]
        memory = {made.buffer, *buffers_read(made.body)}
        freed = {s.buffer for s in within((*block[position : users[-1]], last)) if isinstance(s, Free)}
        if not freed.isdisjoint(memory - {made.buffer}):
            return False
        if any(not memory.isdisjoint(changed(s)) for s in within((*between, last))):
            return False
        if self.needs(made.body, between):
            return False
        if isinstance(last, If):
            for side in (last.then, last.other):
                found = self.extremum(side, made)
                if found is not None and not self.needs(found[0].value, between):
                    fold, rest = found
                    branches = [rest if s is side else s for s in (last.then, last.other)]
                    block[users[-1]] = replace(last, then=branches[0], other=branches[1])
                    block.insert(position + 1, fold)
                    return True
        elif isinstance(last, HostLet):
            for before in block[: users[-1]]:
                if isinstance(before, HostLet) and self.is_extremum(before):
                    anew = self.computed_anew(last, before, made)
                    if anew is not None:
                        block[users[-1]] = anew
                        return True
        return False

    def extremum(
        self, side: tuple[Statement, ...], made: Map
    ) -> tuple[HostLet, tuple[Statement, ...]] | None:
        """The extremum of the elements that a branch computes, and the branch without it."""
        users = Users().of(side).get(made.buffer, [])
        if len(users) != 2:
            return None
        fold, search = side[users[0]], side[users[1]]
        if not isinstance(fold, HostLet) or not isinstance(search, HostLet):
            return None
        if not self.is_extremum(fold) or weigh(fold.value).may_fail:
            return None
        if self.needs(fold.value, side[: users[0]]) or self.needs(made.body, side[: users[1]]):
            return None
        anew = self.computed_anew(search, fold, made)
        if anew is None:
            return None
        return fold, tuple([anew if s is search else s for s in side if s is not fold])

    def is_extremum(self, statement: HostLet) -> bool:
        """Whether a statement computes an extremum."""
        return isinstance(statement.value, Fold) and statement.value.combine in EXTREMA

    def needs(self, exp: Exp, statements: Sequence[Statement]) -> bool:
        """Whether an expression is of what some statements bind."""
        return not {v.name for s in statements for v in bound(s)}.isdisjoint(self.free.names(exp))

    def computed_anew(self, statement: HostLet, extremum: HostLet, made: Map) -> HostLet | None:
        """A search for the place of an extremum of the elements of a map, which computes these itself."""
        make = self.make
        fold = statement.value
        search = search_of(make, statement.var, fold) if isinstance(fold, Fold) else None
        if search is None or search.number is not extremum.var:
            return None
        if search.fold.extent is not made.space.extents[0]:
            return None
        k = search.fold.var
        if search.element is not make.read(made.buffer, k):
            return None
        element = unchecked(make, Substitute(make, {made.space.indices[0]: k})(made.body))
        known = Substitute(make, {search.element: element})
        assert isinstance(extremum.value, Fold)
        same = Substitute(make, {extremum.value.var: k})(extremum.value.body)
        combine = extremum.value.combine
        assert isinstance(combine, Prim)
        if not is_compared(make, combine, unchecked(make, known(same)), element):
            return None
        body = known(search.fold.body)
        if made.buffer in buffers_read(body):
            return None
        return replace(statement, value=replace(search.fold, body=body))
