"""Sorting: where a vector is read at all positions of its own grade, which nothing else reads, its elements
are sorted where they are wanted.

    alloc g : n; run aplc_grade_up_int(v, n, 1, g); MAP a[p+i] = v[g[i] - 1] over i < n
    →   MAP a[p+i] = v[i] over i < n; run aplc_sort_up_int(a, p, n)

So `v[⍋v]` writes no positions, and in `{⍵[⍋⍵]}¨x` items need no memory of their own. What is graded may have
been written for that: its elements are then computed where they are sorted. Where there is no such map, but
folds or loops read the elements in order, these are written in place of their positions.

    alloc g : n; run aplc_grade_up_int(v, n, 1, g); REDUCE add v[g[k] - 1] × k over k < n; free g
    →   alloc s : n; MAP s[i] = v[i] over i < n; run aplc_sort_up_int(s, 0, n); REDUCE add s[k] × k over k < n
        free s

So are the first of them, where only the run knows how many these are: it may be most of them.

    alloc g : m; run aplc_first_up_int(v, n, m, g); REDUCE add v[g[k] - 1] over k < m; free g
    →   alloc s : m; run aplc_least_up_int(v, n, m, s); REDUCE add s[k] over k < m; free s
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import buffers_read, mentioned, named
from aplc.laila.ir.program import Alloc, Free, Map, Program, RuntimeCall, Space, Statement
from aplc.laila.ir.scalar import Buffer, Call, Const, Exp, FreeVars, Read, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, expressions, rebuilt, with_blocks, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.ordering.grades import FIRST, GRADE, graded, is_grade

SORT, LEAST, HEADER = "aplc_sort_", "aplc_least_", "aplc_sort.h"


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
        made = graded(statements, self.block, (GRADE, FIRST))
        block, users = made.block, made.users
        found: dict[int, tuple[Statement, ...]] = {}
        read: set[Buffer] = set()  # by what takes the place of statements
        is_again = False
        for k in reversed(made.grades):
            if is_grade(block[k]):
                instead = self.sorted(block, users, k) or self.in_order(block, users, k)
            else:
                instead = self.least(block, users, k)
            if found.keys().isdisjoint(instead) and not any(b in read for b in _grade_of(block[k])):
                found |= instead
                read.update([b for each in instead.values() for s in each for b in mentioned(s)])
            else:
                is_again = is_again or bool(instead)
        changed = [found.get(k, (statement,)) for k, statement in enumerate(block)]
        result = tuple([statement for each in changed for statement in each])
        return self.block(result) if is_again else result  # two grades that one statement reads

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
        element = self.element(block, users, k, a, rows, place, grade)
        if element is None or reader.buffer.storage != a.storage:  # results may be narrow, as inputs are
            return {}
        start = self.make.sub(reader.position, reader.space.indices[0])
        arguments = (reader.buffer, start, rows)
        sort = RuntimeCall(run.function.replace(GRADE, SORT), HEADER, arguments, site=run.site)
        gone = dict.fromkeys((k, *others), ())
        return {**gone, place: (replace(reader, body=element), sort)}

    def in_order(
        self, block: list[Statement], users: Mapping[Buffer, list[int]], k: int
    ) -> dict[int, tuple[Statement, ...]]:
        """Likewise, with an array of the elements in order in place of the grade, if only these are read."""
        make, run, alloc = self.make, block[k], block[k - 1]
        assert isinstance(run, RuntimeCall)
        a, rows, columns, grade = run.arguments
        if not isinstance(a, Buffer) or not isinstance(grade, Buffer) or isinstance(rows, Buffer):
            return {}
        behind = [m for m in users[grade] if m > k]
        if not isinstance(alloc, Alloc) or alloc.buffer is not grade or columns is not make.one:
            return {}
        if k == 0 or len(behind) < 2 or not isinstance(block[behind[-1]], Free):
            return {}
        i = make.index("i", rows)
        equal = [(i, e) for e in self.equal_arrays(block, users, k, behind[-2] + 1, i)]
        name, ordered = run.function.replace(GRADE, SORT), Buffer(make.fresh("sorted"), a.ty, a.storage)
        readers = self.readers(block, behind[:-1], grade, equal, ordered)
        if readers is None:
            return {}
        later = [m for m in users[a] if m > k]
        is_own = any(isinstance(block[m], Alloc) for m in users[a] if m < k)
        wanted = [s for s in (readers.get(m, block[m]) for m in later) if not isinstance(s, Free)]
        if is_own and not any(a in mentioned(s) for s in wanted):  # nobody reads it as it was
            ordered, readers = a, self.readers(block, behind[:-1], grade, equal, a) or {}
            before: dict[int, tuple[Statement, ...]] = dict.fromkeys((k - 1, *later), ())
            copied: tuple[Statement, ...] = ()
        else:
            before = {k - 1: (replace(alloc, buffer=ordered),)}
            copied = (Map(ordered, Space((i,), (rows,)), i, make.read(a, i)),)
        sort = RuntimeCall(name, HEADER, (ordered, make.zero, rows), site=run.site)
        others = {m: (reader,) for m, reader in readers.items()}
        return {**before, k: (*copied, sort), **others, behind[-1]: (Free(ordered),)}

    def least(
        self, block: list[Statement], users: Mapping[Buffer, list[int]], k: int
    ) -> dict[int, tuple[Statement, ...]]:
        """Likewise, with the first elements in order in place of their positions."""
        make, run, alloc = self.make, block[k], block[k - 1]
        assert isinstance(run, RuntimeCall)
        a, rows, wanted, grade = run.arguments
        assert isinstance(a, Buffer) and isinstance(grade, Buffer)
        assert not isinstance(rows, Buffer) and not isinstance(wanted, Buffer)
        behind = [m for m in users[grade] if m > k]
        if k == 0 or not isinstance(alloc, Alloc) or alloc.buffer is not grade or len(behind) < 2:
            return {}
        is_few = isinstance(wanted, Call) and any(isinstance(arg, Const) for arg in wanted.args)
        if is_few or isinstance(wanted, Const) or not isinstance(block[behind[-1]], Free):
            return {}
        i = make.index("i", rows)
        equal = [(i, e) for e in self.equal_arrays(block, users, k, behind[-2] + 1, i)]
        ordered = Buffer(make.fresh("sorted"), a.ty, a.storage)
        readers = self.readers(block, behind[:-1], grade, equal, ordered)
        if readers is None:
            return {}
        name = run.function.replace(FIRST, LEAST)
        found = RuntimeCall(name, HEADER, (a, rows, wanted, ordered), site=run.site)
        others = {m: (reader,) for m, reader in readers.items()}
        return {k - 1: (replace(alloc, buffer=ordered),), k: (found,), **others, behind[-1]: (Free(ordered),)}

    def readers(
        self,
        block: Sequence[Statement],
        behind: Sequence[int],
        grade: Buffer,
        equal: Sequence[tuple[Var, Exp]],
        s: Buffer,
    ) -> dict[int, Statement] | None:
        """Statements that read elements by a grade, reading them in order; None if one uses it otherwise."""
        make = self.make
        found: dict[int, Statement] = {}
        for m in behind:
            elements: dict[Exp, Exp] = {}
            every = nodes(*expressions(block[m]))
            for place in [n for n in every if isinstance(n, Read) and n.buffer is grade]:
                at = make.sub(place, make.one)
                each = [Substitute(make, {i: at})(element) for i, element in equal]
                elements |= dict.fromkeys(each, make.read(s, place.index))
            found[m] = rebuilt(block[m], Substitute(make, elements))
            if grade in mentioned(found[m]):
                return None
        return found

    def equal_arrays(
        self, block: list[Statement], users: Mapping[Buffer, list[int]], k: int, end: int, i: Var
    ) -> list[Exp]:
        """What the element i of what is graded at position k is, for the statements from there to the end."""
        make, run = self.make, block[k]
        assert isinstance(run, RuntimeCall)
        a, rows = run.arguments[:2]
        assert isinstance(a, Buffer) and not isinstance(rows, Buffer)
        found = [] if self.changes(block[k + 1 : end], make.read(a, i)) else [make.read(a, i)]
        written = self.written(block, users[a], k, a, rows, i)
        if written is None:
            return found
        m, element = written
        found += [] if self.changes(block[m + 1 : end], element) else [element]
        for b in dict.fromkeys([s.buffer for s in block[k:end] if isinstance(s, Map)]):
            again = self.written(block, users[b], end, b, rows, i)
            if again is not None and again[0] > k and again[1] is element and b.storage == a.storage:
                found += [] if self.changes(block[m + 1 : again[0]], element) else [make.read(b, i)]
        return found

    def written(
        self, block: list[Statement], users: Sequence[int], k: int, a: Buffer, rows: Exp, i: Var
    ) -> tuple[int, Exp] | None:
        """Where a map writes all elements of an array, as the last statement before position k that names it,
        and what it writes as element i.
        """
        for m in reversed([m for m in users if m < k and any(a in named(s) for s in within((block[m],)))]):
            writer = block[m]
            if not isinstance(writer, Map) or writer.guard is not None or len(writer.space.indices) != 1:
                return None
            (j,) = writer.space.indices
            if writer.position is not j or writer.space.extents[0] is not rows or writer.ordered:
                return None
            return m, Substitute(self.make, {j: i})(writer.body)
        return None

    def element(
        self,
        block: list[Statement],
        users: Mapping[Buffer, list[int]],
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
        written = self.written(block, users[a], k, a, rows, i)
        if written is None:
            return None
        equal = (written[1], *self.equal_arrays(block, users, k, place, i))
        if all([reader.body is not Substitute(make, {i: at})(each) for each in equal]):
            return None
        return None if self.changes(block[written[0] + 1 : place], written[1]) else written[1]

    def changes(self, statements: Sequence[Statement], element: Exp) -> bool:
        """Whether statements change what an element is made of."""
        wanted = {v.name for v in self.free.of(element)}
        memory = buffers_read(element)
        for statement in statements:
            if is_grade(statement):
                continue
            if wanted & {v.name for v in bound(statement)}:
                return True
            if any(b in named(s) for s in within((statement,)) for b in memory):
                return True
        return False
