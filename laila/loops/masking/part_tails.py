"""Where the vectors of rows that a thread writes may reach behind them, into rows that it writes next.

Note [Vectors behind rows]
    A part of a loop is a run of neighbouring iterations. Where each writes memory of its own, in the order of
    the index, what lies behind a row is the next row of the same part, or what nobody writes:

        for i in first … last { for j < m { x[s×i+j] = … } }

    with `m ≤ s` writes from `s×first` on to below `s×(last-1) + m`. A vector that begins in row `i` keeps
    clear of the next part if it ends before `s×last`. So it does in all but the last few iterations of a
    part: these take elements one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from aplc.laila.ir import loops as l
from aplc.laila.ir.rounds import is_total
from aplc.laila.ir.scalar import QUOT, Buffer, Exp, FreeVars, Read, Var, contains
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.strides import steps_by_one
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p

ALL = 1 << 60
"""More iterations than any part has."""


class NotInRows(Exception):
    """What a loop writes is not in the order of its index, as far as that can be told."""


def last_rows(
    make: ExprBuilder, free: FreeVars, loop: l.For, buffers: tuple[Buffer, ...], reach: int
) -> Exp | None:
    """How many of the last iterations of a part must not write vectors of `reach` elements that end behind
    what is theirs in these buffers: see Note [Vectors behind rows]; None if none may.
    """
    rows = _Rows(make, free, loop)
    try:
        counts = [rows.last(buffer, reach) for buffer in buffers]
    except NotInRows:
        return None
    return reduce(lambda a, b: make.call(p.MAXI, a, b), counts)


class _Rows:
    """The places that the iterations of a loop write."""

    def __init__(self, make: ExprBuilder, free: FreeVars, loop: l.For) -> None:
        self.make, self.free, self.loop = make, free, loop
        self.inside: set[str] = {loop.var.name}
        self.known: dict[Exp, Exp] = {}
        for statement in l.within(loop.body):
            match statement:
                case l.Declare(var=var, value=value, mutable=mutable):
                    self.inside.add(var.name)
                    if value is not None and not mutable:
                        self.known[var] = value
                case l.For(var=var):
                    self.inside.add(var.name)
                case _:
                    pass

    def last(self, buffer: Buffer, reach: int) -> Exp:
        """How many of the last iterations must not reach behind what they write to a buffer."""
        make = self.make
        spans = list(self.spans(self.loop.body, buffer, None))
        stride = spans[0][0]
        if any(each is not stride for each, _, _ in spans) or not make.nonnegative(stride):
            raise NotInRows
        low = reduce(lambda a, b: make.call(p.MINI, a, b), [low for _, low, _ in spans])
        high = reduce(lambda a, b: make.call(p.MAXI, a, b), [high for _, _, high in spans])
        if any(not is_total(e) or contains(Read, e) or self.is_hidden(e) for e in (stride, low, high)):
            raise NotInRows
        width = make.sub(high, low)
        apart = make.call(p.LTEI, width, stride)
        every = make.call(p.MAXI, stride, make.one)
        last = make.call(QUOT, make.add(width, make.const(reach - 2)), every)
        return make.select(apart, make.call(p.MAXI, last, make.zero), make.const(ALL))

    def spans(
        self, body: tuple[l.Stm, ...], buffer: Buffer, row: l.For | None
    ) -> Iterator[tuple[Exp, Exp, Exp]]:
        """How far apart the places of neighbouring iterations are that a store writes, where those of an
        iteration with index zero begin, and what is behind them.
        """
        make = self.make
        for statement in body:
            match statement:
                case l.Store(buffer=target, position=position) if target is buffer:
                    stride, place = self.located(position)
                    if row is None:
                        yield stride, place, make.add(place, make.one)
                        continue
                    if row.var in self.free.of(place):
                        if not steps_by_one(make, self.free, place, row.var):
                            raise NotInRows
                        if make.linear(place)[1][row.var] != 1 or row.step != 1:
                            raise NotInRows
                    first, behind = [Substitute(make, {row.var: e})(place) for e in (row.start, row.stop)]
                    yield stride, self.named(first), self.named(behind)
                case l.For(body=inner):
                    if row is not None and any(True for _ in self.spans(inner, buffer, statement)):
                        raise NotInRows
                    if row is None:
                        yield from self.spans(inner, buffer, statement)
                case l.If(then=then, other=other):
                    yield from self.spans((*then, *other), buffer, row)
                case l.Declare() | l.Store():
                    pass
                case _:
                    raise NotInRows

    def located(self, position: Exp) -> tuple[Exp, Exp]:
        """How far apart a place is from that of the next iteration, and the place where the index is zero."""
        make, index = self.make, self.loop.var
        position = self.named(position)
        following = Substitute(make, {index: make.add(index, make.one)})(position)
        stride = make.sub(following, position)
        if self.is_hidden(stride):
            raise NotInRows
        return stride, Substitute(make, {index: make.zero})(position)

    def named(self, exp: Exp) -> Exp:
        """An expression with what the variables stand for that the loop declares."""
        for _ in range(4):  # names of names
            if not self.free.of(exp) & self.known.keys():
                break
            exp = Substitute(self.make, self.known)(exp)
        return exp

    def is_hidden(self, exp: Exp) -> bool:
        """Whether an expression depends on what an iteration has."""
        return any(isinstance(v, Var) and v.name in self.inside for v in self.free.of(exp))
