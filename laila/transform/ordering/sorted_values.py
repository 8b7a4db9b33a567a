"""Sorting: where a vector is read at all positions of its own grade, which nothing else reads, its elements
are sorted where they are wanted.

    alloc g : n; run aplc_grade_up_int(v, n, 1, g); MAP a[p+i] = v[g[i] - 1] over i < n
    →   MAP a[p+i] = v[i] over i < n; run aplc_sort_up_int(a, p, n)

So `v[⍋v]` writes no positions, and in `{⍵[⍋⍵]}¨x` items need no memory of their own. What is graded may have
been written for that: its elements are then computed where they are sorted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import buffers_read, mentioned, named
from aplc.laila.ir.program import Alloc, Free, Map, Program, RuntimeCall, Statement
from aplc.laila.ir.scalar import Buffer, Exp, FreeVars
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, with_blocks
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.ordering.grades import GRADE, graded, is_grade

SORT, HEADER = "aplc_sort_", "aplc_sort.h"


def with_sorted_values(program: Program, make: ExprBuilder) -> Program:
    """The program without grades by which only what has been graded is read."""
    return with_blocks(program, _Grades(make).block)


def _grade_of(statement: Statement) -> list[Buffer]:
    """The buffer that a grade is written to."""
    assert isinstance(statement, RuntimeCall)
    return [b for b in statement.arguments[3:] if isinstance(b, Buffer)]


class _Grades:
    """The grades of a program."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make = make
        self.free = FreeVars()

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements with elements sorted."""
        made = graded(statements, self.block)
        block, users = made.block, made.users
        found: dict[int, tuple[Statement, ...]] = {}
        read: set[Buffer] = set()  # by what takes the place of statements
        for k in reversed(made.grades):
            instead = self.sorted(block, users, k)
            if not any(b in read for b in _grade_of(block[k])):
                found |= instead
                read.update([b for each in instead.values() for s in each for b in mentioned(s)])
        changed = [found.get(k, (statement,)) for k, statement in enumerate(block)]
        return tuple([statement for each in changed for statement in each])

    def sorted(
        self, block: list[Statement], users: Mapping[Buffer, list[int]], k: int
    ) -> dict[int, tuple[Statement, ...]]:
        """What takes the place of the statements of a block if the grade at a position is left out; nothing
        where it cannot be. `users` are the positions of the statements that mention a buffer.
        """
        run = block[k]
        assert isinstance(run, RuntimeCall)
        a, rows, columns, grade = run.arguments
        if not isinstance(a, Buffer) or not isinstance(grade, Buffer) or isinstance(rows, Buffer):
            return {}
        places = [m for m in users[grade] if isinstance(block[m], Map)]
        others = [m for m in users[grade] if m != k and m not in places]
        if columns is not self.make.one or len(places) != 1 or places[0] < k:
            return {}
        if not all(isinstance(block[m], Alloc | Free) for m in others):
            return {}
        (place,) = places
        reader = block[place]
        assert isinstance(reader, Map)
        element = self.element(block, users[a], k, a, rows, place, grade)
        if element is None:
            return {}
        start = self.make.sub(reader.position, reader.space.indices[0])
        arguments = (reader.buffer, start, rows)
        sort = RuntimeCall(run.function.replace(GRADE, SORT), HEADER, arguments, site=run.site)
        gone = dict.fromkeys((k, *others), ())
        return {**gone, place: (replace(reader, body=element), sort)}

    def element(
        self,
        block: list[Statement],
        users: Sequence[int],
        k: int,
        a: Buffer,
        rows: Exp,
        place: int,
        grade: Buffer,
    ) -> Exp | None:
        """What the elements in order are the order of, at the index of a map that writes them one behind the
        other; None if it does something else.
        """
        make, reader = self.make, block[place]
        assert isinstance(reader, Map)
        if len(reader.space.indices) != 1 or reader.space.extents[0] is not rows or reader.guard is not None:
            return None
        (i,) = reader.space.indices
        if i in self.free.of(make.sub(reader.position, i)) or reader.ordered:
            return None
        at = make.sub(make.read(grade, i), make.one)
        if reader.body is make.read(a, at):
            return None if self.changes(block[k:place], make.read(a, i)) else make.read(a, i)
        for m in reversed([m for m in users if m < k and a in named(block[m])]):
            writer = block[m]
            if not isinstance(writer, Map) or writer.guard is not None or len(writer.space.indices) != 1:
                return None
            (j,) = writer.space.indices
            if writer.position is not j or writer.space.extents[0] is not rows:
                return None
            if reader.body is not Substitute(make, {j: at})(writer.body):
                return None
            element = Substitute(make, {j: i})(writer.body)
            return None if self.changes(block[m + 1 : place], element) else element
        return None

    def changes(self, statements: Sequence[Statement], element: Exp) -> bool:
        """Whether statements change what an element is made of."""
        wanted = {v.name for v in self.free.of(element)}
        memory = buffers_read(element)
        for statement in statements:
            if is_grade(statement):
                continue
            if wanted & {v.name for v in bound(statement)} or any(b in named(statement) for b in memory):
                return True
        return False
