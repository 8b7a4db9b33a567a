"""Values that are read in the order of small numbers, such as those of their groups, go each to its place,
which counts of the numbers tell.

    alloc a; MAP a[i] = aplc_table_int_find_one(table, x[i]) over i < n
    alloc g; run aplc_grade_up_int(a, n, 1, g)
    alloc b; MAP b[i] = v[g[i] - 1] over i < n
    free g
    →   alloc c; MAP c[j] = 0; UPDATE c[a[i]] = c[a[i]] + 1;  alloc s; SCAN + s[j] = c[j]
        for i < n { p = s[a[i] - 1]; b[p] = v[i]; s[a[i] - 1] = p + 1 }

The scan tells behind each number where the values of the next one begin. As the numbers are places in a table
that has no more rows than there are values, counts take no more memory than the grade. It is done where the
grade is only read in order. Numbers of which it is known that they are some of a few, as in `x[⍋7|x]`, are
such places, and so are truth values; programs with threads share the work of a grade among these instead.

Of lengths that were checked to be equal one is as good as the other, so places are known to be inside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.interval import Interval
from aplc.laila.ir.liveness import buffers_read, mentioned
from aplc.laila.ir.program import (
    Alloc,
    ForEach,
    Free,
    HostCheck,
    HostLet,
    Map,
    Program,
    RuntimeCall,
    Scan,
    Space,
    Statement,
    Store,
)
from aplc.laila.ir.ranges import Ranges
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Call,
    Check,
    Exp,
    FreeVars,
    PureCall,
    Read,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import own_expressions, with_blocks, with_bodies
from aplc.laila.ir.substitute import Substitute
from aplc.laila.lowering.scopes import STORAGE
from aplc.laila.transform.dead_code import UNIQUE
from aplc.laila.transform.ordering.grades import GRADE, Graded, graded, is_grade
from aplc.laila.transform.stored_ranges import Survey
from aplc.tail import prims as p
from aplc.tail.types import Base

FEW = 256
"""Numbers from so many at most have a count each."""


def with_values_distributed(program: Program, make: ExprBuilder, *, in_threads: bool) -> Program:
    """The program without grades of small numbers that only say in which order values are read."""
    known = _Known(program, make, in_threads)
    return with_blocks(program, lambda statements: _block(statements, make, known))


def _block(statements: Sequence[Statement], make: ExprBuilder, known: _Known) -> tuple[Statement, ...]:
    found = graded(statements, lambda inside: _block(inside, make, known))
    changes: dict[int, list[Statement]] = {}
    for position in found.grades:
        changes |= _Distribution(make, found, position, known).changes()
    if not changes:
        return tuple(found.block)
    return tuple([new for k, s in enumerate(found.block) for new in changes.get(k, [s])])


@dataclass(slots=True)
class _Known:
    """What is known of the arrays of a program that are graded."""

    program: Program
    make: ExprBuilder
    in_threads: bool
    ranges: Ranges | None = None

    def interval(self, numbers: Buffer) -> Interval | None:
        """What integers are, if that is known."""
        if self.in_threads:
            return None
        if self.ranges is None:
            ungraded = with_blocks(self.program, lambda block: tuple([_unread(s) for s in block]))
            self.ranges = Survey(ungraded, is_single=self.make.settings.is_single).ranges
        return self.ranges.stored.get(numbers)


def _unread(statement: Statement) -> Statement:
    """A statement whose grades do not mention what they read, which they might write for all one knows."""
    if is_grade(statement):
        assert isinstance(statement, RuntimeCall)
        return replace(statement, arguments=statement.arguments[1:])
    return with_bodies(statement, lambda block: tuple([_unread(s) for s in block]))


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Numbers from 1 up to the highest, made of the elements that are graded."""

    highest: Exp
    of: Callable[[Exp], Exp]


class _Distribution:
    """A grade at a position of a block."""

    def __init__(self, make: ExprBuilder, of: Graded, position: int, known: _Known) -> None:
        self.known = known
        self.make, self.block, self.users, self.position = make, of.block, of.users, position
        run = self.block[position]
        assert isinstance(run, RuntimeCall)
        self.run = run
        self.numbers, self.rows, self.columns, self.grade = run.arguments
        assert isinstance(self.rows, Exp) and isinstance(self.grade, Buffer)
        self.index = make.index("i", self.rows)

    def changes(self) -> dict[int, list[Statement]]:
        """What stands for some statements of the block; nothing if the grade is needed."""
        make, numbers, grade = self.make, self.numbers, self.grade
        assert isinstance(grade, Buffer)
        first, *inside, last = self.users[grade]
        is_vector = self.columns is make.one and isinstance(numbers, Buffer)
        if not is_vector or inside[:1] != [self.position]:
            return {}
        assert isinstance(numbers, Buffer)
        reads, alloc = inside[1:], self.block[first]
        maps = [s for k in reads if isinstance(s := self.block[k], Map)]
        if not maps or len(maps) < len(reads) or not isinstance(self.block[last], Free):
            return {}
        if not isinstance(alloc, Alloc) or self.waits(maps, reads, numbers):
            return {}
        places = self.places(numbers, maps)
        if places is None:
            return {}
        stores = [self.in_turn(each, grade) for each in maps]
        if None in stores:
            return {}
        read = self.read(maps, numbers)
        between = range(self.position, reads[-1])
        ends = [k for k in between if isinstance(s := self.block[k], Free) and s.buffer in read]
        made = self.distributed(numbers, places, [s for s in stores if s is not None], alloc)
        gone: dict[int, list[Statement]] = {k: [] for k in (first, self.position, *reads, last, *ends)}
        return gone | {reads[-1]: [*made, *[self.block[k] for k in ends]]}

    def places(self, numbers: Buffer, maps: Sequence[Map]) -> _Numbers | None:
        """The numbers of places of values that are graded, if there are few."""
        make, name = self.make, self.run.function.removeprefix(GRADE)
        if name == "up_int" and (highest := self.highest(numbers)) is not None:
            return _Numbers(highest, lambda x: x)
        is_sorted = any(numbers in buffers_read(*own_expressions(s)) for s in maps)
        if is_sorted or self.known.in_threads:
            return None
        two = make.const(2)
        if name == "up_bool":
            return _Numbers(two, lambda x: make.add(make.call(p.B2I, x), make.one))
        if name == "down_bool":
            return _Numbers(two, lambda x: make.sub(two, make.call(p.B2I, x)))
        range_of = self.known.interval(numbers) if name in ("up_int", "down_int") else None
        if range_of is None or range_of.is_empty or range_of.high - range_of.low >= FEW:
            return None
        least, greatest = make.const(int(range_of.low) - 1), make.const(int(range_of.high) + 1)
        span = make.const(int(range_of.high) - int(range_of.low) + 1)
        return _Numbers(
            span, (lambda x: make.sub(x, least)) if name == "up_int" else (lambda x: make.sub(greatest, x))
        )

    def highest(self, numbers: Buffer) -> Exp | None:
        """The highest of the numbers, if they are places in a table of rows, of which there are no more."""
        before = [self.block[k] for k in self.users[numbers] if k < self.position]
        made = before[1] if len(before) > 1 and isinstance(before[0], Alloc) else None
        if not isinstance(made, Map) or not isinstance(made.body, PureCall):
            return None
        if any(not isinstance(s, Map) or s.buffer is numbers for s in before[2:]):
            return None
        space, body = made.space, made.body
        is_whole = space.extents == (self.rows,) and made.position is space.indices[0]
        if not is_whole or made.guard is not None or self.make.one not in body.lows:
            return None
        for s in self.block[: self.position]:
            if isinstance(s, RuntimeCall) and s.function.startswith(UNIQUE) and s.arguments[1] is self.rows:
                most = s.written[0], self.make.add(s.written[0], self.make.one)
                found = [high for high in body.highs if high in most]
                if found:
                    return found[0]
        return None

    def read(self, maps: Sequence[Map], numbers: Buffer) -> set[Buffer]:
        """The arrays that are read where the maps were, which live until then."""
        return {b for each in maps for b in buffers_read(*own_expressions(each))} | {numbers}

    def waits(self, maps: Sequence[Map], reads: Sequence[int], numbers: Buffer) -> bool:
        """Whether something between the grade and the last of the maps that read in its order wants what
        these make, or changes what one of them has read.
        """
        targets = {each.buffer for each in maps}
        if not targets.isdisjoint(self.read(maps, numbers)):
            return True
        read = {numbers}
        for k in range(self.position + 1, reads[-1]):
            s = self.block[k]
            match s:
                case _ if k in reads:
                    read.update(buffers_read(*own_expressions(s)))
                case Alloc(buffer=b):
                    if b in read:
                        return True
                case Free(buffer=b):
                    if b in targets:
                        return True
                case HostLet() | HostCheck() | Map():
                    changes_it = isinstance(s, Map) and s.buffer in read
                    if changes_it or not targets.isdisjoint(mentioned(s)):
                        return True
                case _:
                    return True
        return len(targets) < len(maps)

    def in_turn(self, reading: Map, grade: Buffer) -> tuple[Buffer, Exp] | None:
        """The array that a map writes and what it makes of the next value in memory; None if it does anything
        else with the grade than to read elements where that says.
        """
        (i, *others), extents = reading.space.indices, reading.space.extents
        if others or extents[0] is not self.rows or reading.guard is not None or reading.position is not i:
            return None
        make = self.make
        body = Substitute(make, {make.read(grade, i): make.add(self.index, make.one)})(reading.body)
        for one, other in self.equal_lengths():
            if contains(Check, body):
                body = Substitute(make, {one: other})(body)
        reads_grade = any(isinstance(n, Read) and n.buffer is grade for n in nodes(body))
        is_other = reads_grade or contains(Check | BlockExp, body) or i in FreeVars().of(body)
        return None if is_other else (reading.buffer, body)

    def equal_lengths(self) -> list[tuple[Var, Var]]:
        """Lengths that are equal, as has been checked before."""
        found: list[tuple[Var, Var]] = []
        for s in self.block[: self.position]:
            match s:
                case HostCheck(ok=Call(op=p.EQI, args=(Var() as m, Var() as n))):
                    found += [(n, m), (m, n)]
                case _:
                    pass
        return found

    def distributed(
        self, numbers: Buffer, places: _Numbers, stores: Sequence[tuple[Buffer, Exp]], alloc: Alloc
    ) -> list[Statement]:
        """The statements that take each value to its place."""
        make, rows, i = self.make, self.rows, self.index
        assert isinstance(rows, Exp)
        size = make.add(places.highest, make.one)
        counts, starts = [
            Buffer(make.fresh(name), Base.INT, STORAGE[Base.INT], lows=(make.zero,), highs=(rows,))
            for name in ("counts", "starts")
        ]
        j, k, m = make.index("j", size), make.index("k", size), make.index("m", rows)
        number = places.of(make.read(numbers, m))
        more = make.add(make.read(counts, number), make.one)
        place = make.between("place", (make.zero,), make.last_indices(rows))
        at = make.sub(places.of(make.read(numbers, i)), make.one)
        return [
            Alloc(counts, size, alloc.site),
            Map(counts, Space((j,), (size,)), j, make.zero),
            Map(counts, Space((m,), (rows,)), number, more, make.true, ordered=True),
            Alloc(starts, size, alloc.site),
            Scan(starts, Space((k,), (size,)), k, p.ADDI, make.read(counts, k)),
            Free(counts),
            ForEach(
                Space((i,), (rows,)),
                (
                    HostLet(place, make.read(starts, at)),
                    *[Store(target, place, value) for target, value in stores],
                    Store(starts, at, make.add(place, make.one)),
                ),
            ),
            Free(starts),
        ]
