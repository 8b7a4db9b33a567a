"""Folds of one row that read the same elements share a loop.

    for k < n { s = s max x[k]; bad |= nan x[k] }      for k < n { s = s max x[k]
    if bad { s = NaN }                             →               t = t min x[k]; bad |= nan x[k] }
    for k < n { t = t min x[k]; odd |= nan x[k] }      if bad { s = NaN }
    if odd { t = NaN }                                 if bad { t = NaN }

The loop behind moves to the one before it, over what stands between: that is straight, and changes nothing
that the loop wants, nor does the one before. Both read an element at one place at least, so that less is
loaded; both take elements and numbers of the same widths, so that lanes stay as wide. What both accumulate of
the same values in the same way is accumulated once. Loops that stand in no other are not joined: these are
cut in ways of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir import loops as l
from aplc.laila.ir.loops import with_bodies
from aplc.laila.ir.scalar import BIT_OR, Buffer, Exp, FreeVars, PureCall, Read, Var, contains, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.substitute import Substitute
from aplc.laila.loops.inner_loops import substituted

MOST = 8
"""So many folds share a loop: more would not leave their lanes in registers."""

BETWEEN = l.Declare | l.Assign | l.Store | l.If
"""What stands between loops that are joined."""


def with_folds_joined(code: l.Code, make: ExprBuilder) -> l.Code:
    """The program with loops of several folds."""
    return l.with_blocks(code, _Loops(make).outermost)


@dataclass(frozen=True, slots=True)
class _Taken:
    """A loop of folds with the variables it accumulates into, and what it reads, each place by the index of
    another loop.
    """

    loop: l.For
    starts: dict[Var, l.Declare]
    places: frozenset[Exp]
    widths: frozenset[object]


class _Loops:
    """The loops of a program."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make, self.free = make, FreeVars()

    def outermost(self, statements: tuple[l.Stm, ...]) -> tuple[l.Stm, ...]:
        """Statements outside all loops, with those inside loops joined."""
        return tuple(
            [
                with_bodies(s, self.inside if isinstance(s, l.For | l.While) else self.outermost)
                for s in statements
            ]
        )

    def inside(self, statements: tuple[l.Stm, ...]) -> tuple[l.Stm, ...]:
        """Statements in a loop, with those in them."""
        result: list[l.Stm] = []
        for statement in statements:
            if not (isinstance(statement, l.For) and _is_fold(statement) and self.joined(statement, result)):
                result.append(with_bodies(statement, self.inside))
        return tuple(result)

    def joined(self, loop: l.For, before: list[l.Stm]) -> bool:
        """Puts a loop into one of the statements before it; whether it could."""
        at = len(before) - 1
        while at >= 0 and isinstance(before[at], BETWEEN):
            at -= 1
        first = before[at] if at >= 0 else None
        if not isinstance(first, l.For) or not _is_fold(first) or not _are_alike(first, loop):
            return False
        between = before[at + 1 :]
        if not all(map(_is_plain, between)):
            return False
        accumulated = {r.var for r in loop.reductions or ()}
        starts = {s.var: s for s in between if isinstance(s, l.Declare) and s.var in accumulated}
        earlier = {s.var: s for s in before[:at] if isinstance(s, l.Declare)}
        rest = [s for s in between if not (isinstance(s, l.Declare) and s.var in starts)]
        if len(starts) < len(accumulated) or not self.may_move(loop, starts, [first, *rest]):
            return False
        here = self.taken(first, earlier)
        new = self.taken(replace(loop, var=first.var, body=self.at_index(loop, first.var)), starts)
        if here is None or new is None or here.widths != new.widths or here.places.isdisjoint(new.places):
            return False
        if len(_folds(first)) + len(_folds(loop)) > MOST:
            return False
        body, reductions, same = self.together(here, new)
        moved = [start for var, start in starts.items() if var not in same]
        late = [replace(starts[var], value=other) for var, other in same.items()]
        whole = replace(first, body=body, reductions=reductions)
        if first.parallel is not None and loop.parallel is not None:
            more = [r for r in loop.parallel if r.var not in same]
            whole = replace(whole, parallel=(*first.parallel, *more))
        before[at:] = [*moved, whole, *late, *rest]
        return True

    def may_move(self, loop: l.For, starts: dict[Var, l.Declare], over: Sequence[l.Stm]) -> bool:
        """Whether a loop computes the same before some statements, which do not know what it computes."""
        changed: set[str] = set()
        written: set[Buffer] = set()
        named: set[str] = set()
        for s in l.within(over):
            if isinstance(s, l.Declare | l.Assign):
                changed.add(s.var.name)
            if isinstance(s, l.Store):
                written.add(s.buffer)
            for exp in l.own_expressions(s):
                named |= self.free.names(exp)
        own = {var.name for var in starts}
        values = [s.value for s in starts.values() if s.value is not None]
        wanted = [loop.start, loop.stop, *values, *[e for s in loop.body for e in l.own_expressions(s)]]
        names = {name for exp in wanted for name in self.free.names(exp)}
        reads = {n.buffer for n in nodes(*wanted) if isinstance(n, Read)}
        is_own = own.isdisjoint(changed) and own.isdisjoint(named)
        return is_own and names.isdisjoint(changed) and reads.isdisjoint(written)

    def at_index(self, loop: l.For, index: Var) -> tuple[l.Stm, ...]:
        """The body of a loop by the index of another one."""
        change = Substitute(self.make, {loop.var: index})
        return tuple([substituted(s, change) for s in loop.body])

    def taken(self, loop: l.For, starts: dict[Var, l.Declare]) -> _Taken | None:
        """A loop with what it reads."""
        exps = [e for s in loop.body for e in l.own_expressions(s)]
        reads = [n for n in nodes(*exps) if isinstance(n, Read)]
        known = [starts[r.var] for r in loop.reductions or () if r.var in starts]
        if contains(PureCall, *exps) or len(known) < len(loop.reductions or ()):
            return None
        widths: set[object] = {n.buffer.storage for n in reads}
        widths |= {(s.var.ty, s.bits) for s in known if s.var not in _flags(loop)}
        return _Taken(
            loop, {s.var: s for s in known}, frozenset([n for n in reads if loop.var in self.free.of(n)]),
            frozenset(widths),
        )  # fmt: skip

    def together(
        self, here: _Taken, new: _Taken
    ) -> tuple[tuple[l.Stm, ...], tuple[l.Reduction, ...], dict[Var, Var]]:
        """The body of both loops, what it accumulates, and which variables of the second one are others."""
        make = self.make
        body = list(here.loop.body)
        named = {s.value: s.var for s in body if isinstance(s, l.Declare) and not s.mutable}
        known: dict[Exp, Exp] = {}
        same: dict[Var, Var] = {}
        for statement in new.loop.body:
            now = substituted(statement, Substitute(make, known))
            if isinstance(now, l.Declare) and not now.mutable and now.value in named:
                known[now.var] = named[now.value]
                continue
            found = self.same_accumulated(now, here, new) if isinstance(now, l.Assign) else None
            if isinstance(now, l.Assign) and found is not None:
                same[now.var] = found
                continue
            body.append(now)
        assert here.loop.reductions is not None and new.loop.reductions is not None
        more = [r for r in new.loop.reductions if r.var not in same]
        return tuple(body), (*here.loop.reductions, *more), same

    def same_accumulated(self, now: l.Assign, here: _Taken, new: _Taken) -> Var | None:
        """The variable of the first loop that accumulates what one of the second does."""
        start = new.starts.get(now.var)
        if start is None or sum(s.var is now.var for s in new.loop.body if isinstance(s, l.Assign)) > 1:
            return None
        for s in here.loop.body:
            if not isinstance(s, l.Assign) or s.var not in here.starts:
                continue
            is_alike = here.starts[s.var].value is start.value and s.var.ty is start.var.ty
            if is_alike and Substitute(self.make, {s.var: now.var})(s.value) is now.value:
                once = sum(q.var is s.var for q in here.loop.body if isinstance(q, l.Assign)) == 1
                return s.var if once else None
        return None


def _is_fold(loop: l.For) -> bool:
    """Whether a loop does nothing but accumulate in lanes."""
    is_plain = not (loop.private or loop.running or loop.schedule or loop.is_share)
    is_whole = loop.ends is None and loop.beyond is None and loop.step == 1 and bool(loop.reductions)
    return is_plain and is_whole and all(isinstance(s, l.Declare | l.Assign) for s in loop.body)


def _are_alike(first: l.For, loop: l.For) -> bool:
    """Whether two loops have the same rounds, in the same way."""
    change = replace(
        loop, var=first.var, body=first.body, reductions=first.reductions, parallel=first.parallel
    )
    return change == first and (first.parallel is None) == (loop.parallel is None)


def _is_plain(statement: l.Stm) -> bool:
    """Whether a statement only computes and stores."""
    return all(isinstance(s, BETWEEN) for s in l.within((statement,)))


def _flags(loop: l.For) -> list[Var]:
    """The flags that a loop raises."""
    return [r.var for r in loop.reductions or () if r.op is BIT_OR]


def _folds(loop: l.For) -> list[Var]:
    """What a loop accumulates but for flags."""
    return [r.var for r in loop.reductions or () if r.op is not BIT_OR]
