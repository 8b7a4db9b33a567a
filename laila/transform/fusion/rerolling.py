"""Loop rerolling: counts of many numbers in a row, which were written out one by one, are a loop again.

    put a[3] = REDUCE add over j < n { 1 if key j = 7 }
    put a[4] = REDUCE add over j < n { 1 if key j = 8 }
    …
    →   MAP a[3+i] = REDUCE add over j < n { 1 if key j = 7+i } over i < m

As a loop they are counted by key, in one walk over the keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aplc.laila.ir.liveness import buffers_read
from aplc.laila.ir.program import Map, Program, Space, Statement, Store
from aplc.laila.ir.scalar import CHARACTER, Call, Const, Exp, Fold, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.tail import prims as p
from aplc.tail.types import Base

FEWEST = 9
"""Of fewer counts each is a pass over the keys, and all of them share a loop."""


def rerolled(program: Program, make: ExprBuilder) -> Program:
    """The program with loops over counts of many numbers in a row."""
    return with_blocks(program, _Rerolling(make).block)


@dataclass(frozen=True, slots=True)
class _Count:
    """A count that is stored, by where and of which number."""

    statement: Store
    place: int
    fold: Fold
    condition: Call
    number: int
    is_left: bool
    """Of the comparison."""


@dataclass(frozen=True, slots=True)
class _Rerolling:
    make: ExprBuilder

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements in order, with those inside."""
        result: list[Statement] = []
        run: list[_Count] = []
        for statement in statements:
            count = self.count(statement)
            if run and (count is None or not self.follows(run, count)):
                result += self.loop(run)
                run = []
            if count is None:
                result.append(with_bodies(statement, self.block))
            else:
                run.append(count)
        return (*result, *self.loop(run))

    def count(self, statement: Statement) -> _Count | None:
        """A statement as a count of a constant that is stored at a constant place."""
        match statement:
            case Store(position=Const(value=place), value=Fold(combine=p.ADDI | p.ADDD) as fold):
                equal = [n for n in nodes(fold.body) if isinstance(n, Call) and n.op in (p.EQI, p.EQC)]
            case _:
                return None
        if len(equal) != 1 or statement.buffer in buffers_read(fold):
            return None
        (condition,) = equal
        for side, is_left in zip(condition.args, (True, False), strict=True):
            if isinstance(side, Const):
                number = ord(side.value) if isinstance(side.value, str) else int(side.value)
                return _Count(statement, int(place), fold, condition, number, is_left)
        return None

    def follows(self, run: Sequence[_Count], count: _Count) -> bool:
        """Whether a count is that of the next number, in the next place."""
        last, first = run[-1], run[0]
        is_next = (count.place, count.number) == (last.place + 1, last.number + 1)
        is_next &= count.statement.buffer is first.statement.buffer
        is_alike = count.condition.op is first.condition.op and count.is_left == first.is_left
        if not (is_next and is_alike and count.fold.extent is first.fold.extent):
            return False
        index = Var(self.make.fresh("i"), Base.INT)
        same = Substitute(self.make, {count.fold.var: first.fold.var})
        return same(self.of(count, index)) is self.of(first, index)

    def of(self, count: _Count, number: Exp) -> Exp:
        """What is added up, with another number in the place of the constant."""
        make, (left, right) = self.make, count.condition.args
        given = make.call(CHARACTER, number) if count.condition.op is p.EQC else number
        args = (given, right) if count.is_left else (left, given)
        return Substitute(make, {count.condition: make.call(count.condition.op, *args)})(count.fold.body)

    def loop(self, run: Sequence[_Count]) -> list[Statement]:
        """A run of counts as one loop, if they are many."""
        make = self.make
        if len(run) < FEWEST:
            return [c.statement for c in run]
        first, extent = run[0], make.const(len(run))
        index = make.index("i", extent)
        fold = first.fold
        body = self.of(first, make.add(index, make.const(first.number)))
        counted = make.fold(fold.combine, fold.var, fold.extent, body, fold.empty)
        place = make.add(index, make.const(first.place))
        return [Map(first.statement.buffer, Space((index,), (extent,)), place, counted)]
