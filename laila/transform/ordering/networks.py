"""Sorting networks: where of a few elements in order those at known places are read, they are compared and
exchanged in scalars, without a grade.

    for cell { MAP a[j] = x[cell+j] over j < 3; run aplc_grade_up_int(a, 3, 1, g); put m[cell] = a[g[1]-1] }
    →   MAP m[cell] = max(min(x[cell], x[cell+1]), min(max(x[cell], x[cell+1]), x[cell+2])) over cell

So the median of a window has no memory of its own, and many cells stand in the lanes of a vector. The
network is the merge exchange of Knuth (The Art of Computer Programming 3, 5.2.2, algorithm M), or one for
medians where nothing else is read; of its comparators only those are there on which a place that is read
depends.

Note [Equal elements in networks]
    A network does not keep equal elements in their order. Elements that are equal are the same, but for 0 and
    ¯0: with `--strict-fp` doubles are graded. NaN stands above all numbers, as in a grade.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product

from aplc.laila.ir.liveness import buffers_read, changed, mentioned
from aplc.laila.ir.program import Alloc, ForEach, Free, Map, Program, RuntimeCall, Statement, Store
from aplc.laila.ir.scalar import (
    LESSER,
    BlockExp,
    Buffer,
    Const,
    Exp,
    Fold,
    PureCall,
    Read,
    contains,
    nodes,
    operands,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bodies, expressions, rebuilt, with_blocks
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.ordering.grades import GRADE, graded, is_grade
from aplc.laila.transform.ordering.median_networks import MEDIANS
from aplc.laila.transform.unroll import FoldsWrittenOut
from aplc.tail import prims as p
from aplc.tail.types import Base

MOST = 25
"""So many elements are sorted by a network at most."""


def with_networks(program: Program, make: ExprBuilder) -> Program:
    """The program without grades of a few elements of which known places are read."""
    return with_blocks(program, _Networks(make).block)


def comparators(count: int) -> Iterator[tuple[int, int]]:
    """The pairs of places that a sorting network of so many elements compares and exchanges, in order."""
    top = 1 << max(count - 1, 0).bit_length() >> 1
    width = top
    while width > 0:
        far, gap, bits = top, width, 0
        while True:
            yield from ((i, i + gap) for i in range(count - gap) if i & width == bits)
            if far == width:
                break
            far, gap, bits = far // 2, far - width, width
        width //= 2


def network_for(count: int, asked: Collection[int]) -> Iterable[tuple[int, int]]:
    """The comparators behind which so many elements are in order at the places that are asked for."""
    median = MEDIANS.get(count)
    return median if median is not None and set(asked) == {count // 2} else comparators(count)


def in_order(make: ExprBuilder, elements: Sequence[Exp], asked: Collection[int]) -> list[Exp]:
    """Elements from the least to the greatest, at the places that are asked for."""
    found = list(elements)
    for i, j in network_for(len(found), asked):
        x, y = found[i], found[j]
        less, greater = (p.MINI, p.MAXI) if x.ty is Base.INT else (LESSER, p.MAXD)
        found[i], found[j] = make.call(less, x, y), make.call(greater, x, y)
    return found


Elements = tuple[Exp, ...]
"""Those of a small array in a block."""


class _ShortFolds(FoldsWrittenOut):
    """Rebuilds expressions with folds of a few elements in order written out."""

    few = MOST


class _Networks:
    """The grades of a few elements in a program."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make = make

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements without such grades; a loop that then only writes an element a round is a map."""
        made = graded(statements, self.block)
        block: list[Statement] = made.block
        left_out: set[int] = set()
        for k in made.grades:
            left_out |= self.sorted(block, made.users, k)
        return tuple([self.as_map(s) for k, s in enumerate(block) if k not in left_out])

    def sorted(self, block: list[Statement], users: Mapping[Buffer, list[int]], k: int) -> set[int]:
        """Reads by the grade at a position become elements of a network; the positions of the statements that
        are then left out, none where it cannot be.
        """
        run, make = block[k], self.make
        assert isinstance(run, RuntimeCall)
        a, rows, columns, grade = run.arguments
        if not isinstance(a, Buffer) or not isinstance(grade, Buffer) or columns is not make.one:
            return set()
        if not isinstance(rows, Const) or not 1 < rows.value <= MOST or not self.may_exchange(a):
            return set()
        count = int(rows.value)
        reading = [m for m in users[grade] if m > k and not isinstance(block[m], Free)]
        array = self.array(block, users, a, count, k)
        if not reading or any(grade in changed(block[m]) or any(bodies(block[m])) for m in reading):
            return set()
        if array is None or self.changes(block[k + 1 : max(reading)], array):
            return set()
        reads = {m: self.one_by_one(block[m], grade) for m in reading}
        places = in_order(make, array, self.asked(list(reads.values()), grade, run))
        if not run.function.startswith(f"{GRADE}up_"):
            places.reverse()
        gone = {k, *[m for m in users[grade] if m != k and isinstance(block[m], Alloc | Free)]}
        instead = {m: self.instead(block, users, m, s, grade, (array, places)) for m, s in reads.items()}
        if any(grade in mentioned(statement) for statement in instead.values()):
            return set()
        arrays = {b for m in reading for b in buffers_read(*expressions(block[m])) if b is not grade} | {a}
        for m, statement in instead.items():
            block[m] = statement
        for each in arrays:
            gone |= self.unread(block, users[each], each, gone)
        return gone

    def asked(self, reading: Sequence[Statement], grade: Buffer, run: RuntimeCall) -> set[int]:
        """The places in order that statements ask a grade for; -1 for those that are no constants."""
        reads = [
            n for s in reading for n in nodes(*expressions(s)) if isinstance(n, Read) and n.buffer is grade
        ]
        places = {int(n.index.value) if isinstance(n.index, Const) else -1 for n in reads}
        rows = run.arguments[1]
        last = int(rows.value) - 1 if isinstance(rows, Const) else 0
        is_up = run.function.startswith(f"{GRADE}up_")
        return places if is_up else {last - k for k in places}

    def may_exchange(self, a: Buffer) -> bool:
        """Whether elements may lose their order among equal ones: see Note [Equal elements in networks]."""
        return a.ty is Base.INT or (a.ty is Base.DOUBLE and not self.make.settings.strict_fp)

    def array(
        self,
        block: Sequence[Statement],
        users: Mapping[Buffer, list[int]],
        a: Buffer,
        count: int,
        before: int,
    ) -> Elements | None:
        """The elements of an array in front of a position."""
        make = self.make
        writers = [m for m in users[a] if m < before and self.writes(block[m], a)]
        if not writers:
            return tuple([make.read(a, make.const(i)) for i in range(count)])
        *_, last = writers
        writer = block[last]
        if not isinstance(writer, Map) or writer.guard is not None or writer.ordered:
            return None
        extents = writer.space.extents
        if contains(Fold | BlockExp | PureCall, writer.body):
            return None
        if not all(isinstance(extent, Const) for extent in extents):
            return None
        found: dict[int, Exp] = {}
        for point in product(*[range(int(e.value)) for e in extents if isinstance(e, Const)]):
            at = Substitute(make, dict(zip(writer.space.indices, map(make.const, point), strict=True)))
            place = at(writer.position)
            if not isinstance(place, Const) or len(found) > count:
                return None
            found[int(place.value)] = at(writer.body)
        if sorted(found) != list(range(count)):
            return None
        elements = tuple([found[i] for i in range(count)])
        return None if self.changes(block[last + 1 : before], elements) else elements

    def writes(self, statement: Statement, buffer: Buffer) -> bool:
        """Whether a statement may write to an array, or makes it; a grade only reads what it grades."""
        if isinstance(statement, RuntimeCall) and is_grade(statement):
            return buffer is statement.arguments[-1]
        return buffer in (mentioned(statement) if any(bodies(statement)) else changed(statement))

    def changes(self, statements: Sequence[Statement], elements: Sequence[Exp]) -> bool:
        """Whether statements change what elements are computed from, or might."""
        read = dict.fromkeys([b for e in elements for b in buffers_read(e)])
        return any(self.writes(s, b) for s in statements for b in read)

    def one_by_one(self, statement: Statement, grade: Buffer) -> Statement:
        """A statement in which each place of a grade is read by itself, where folds read several."""
        folds = [n for n in nodes(*expressions(statement)) if isinstance(n, Fold)]
        if not any([grade in buffers_read(fold.body) for fold in folds]):
            return statement
        return rebuilt(statement, _ShortFolds(self.make, {}))

    def instead(
        self,
        block: Sequence[Statement],
        users: Mapping[Buffer, list[int]],
        m: int,
        statement: Statement,
        grade: Buffer,
        found: tuple[Elements, list[Exp]],
    ) -> Statement:
        """A statement, at a position, that takes elements in order, where it read them by a grade."""
        array, places = found
        known: dict[Exp, Exp] = {}
        asked: dict[int, set[Exp]] = {}
        """The places of the grade by which a node is made."""
        for node in nodes(*expressions(statement)):
            if isinstance(node, Read) and node.buffer is grade:
                asked[id(node)] = {node}
                continue
            asked[id(node)] = {each for operand in operands(node) for each in asked[id(operand)]}
            if len(asked[id(node)]) == 1 and node.ty is array[0].ty:
                (position,) = asked[id(node)]
                place = self.place(position, grade, len(places))
                if place is not None and self.are(block, users, m, node, position, array):
                    known[node] = places[place]
        return rebuilt(statement, Substitute(self.make, known)) if known else statement

    def are(
        self,
        block: Sequence[Statement],
        users: Mapping[Buffer, list[int]],
        m: int,
        exp: Exp,
        position: Exp,
        array: Elements,
    ) -> bool:
        """Whether what is made by a position, counted from one, is the element of an array there."""
        make, count = self.make, len(array)

        def made(k: int) -> Exp:
            return Substitute(make, {position: make.const(k + 1)})(exp)

        if all(made(k) is array[k] for k in range(count)):
            return True
        if not isinstance(exp, Read) or any(
            made(k) is not make.read(exp.buffer, make.const(k)) for k in range(count)
        ):
            return False
        return self.array(block, users, exp.buffer, count, m) == array

    def place(self, exp: Exp, grade: Buffer, count: int) -> int | None:
        """Which of so many positions of a grade an expression is, where that is known."""
        if not isinstance(exp, Read) or exp.buffer is not grade or not isinstance(exp.index, Const):
            return None
        return int(exp.index.value) if 0 <= exp.index.value < count else None

    def unread(
        self, block: Sequence[Statement], users: Sequence[int], buffer: Buffer, gone: set[int]
    ) -> set[int]:
        """The positions of the statements that make an array of this block which nobody reads any longer."""
        left = [m for m in users if m not in gone and buffer in mentioned(block[m])]
        is_own = any(isinstance(block[m], Alloc) for m in left)
        makers = all(isinstance(s, Alloc | Free) or only_writes(s, buffer) for s in [block[m] for m in left])
        return set(left) if is_own and makers else set()

    def as_map(self, statement: Statement) -> Statement:
        """A loop that writes an element a round, in any order, as a map."""
        match statement:
            case ForEach(space, (Store(buffer, position, value),), independent=True, scratch=(), ends=None):
                if statement.counts is None and buffer not in buffers_read(value, position):
                    return Map(buffer, space, position, value)
            case _:
                pass
        return statement


def only_writes(statement: Statement, buffer: Buffer) -> bool:
    """Whether a statement is a map of an array that it does not read."""
    return isinstance(statement, Map) and buffer not in buffers_read(*expressions(statement))
