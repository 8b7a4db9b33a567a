"""Partial sorting: a grade of which only the first positions are used finds those without sorting the others.

    alloc g : n; run aplc_grade_down_int(v, n, 1, g); MAP a[i] = v[g[i] - 1] over i < 10
    →   alloc g : 10; run aplc_first_down_int(v, n, 10, g); …

So `10↑v[⍒v]` costs little more than reading `v`; the first position alone, as in `⊃⍋v`, is no sort at all,
see `first_places`. How many are wanted follows from the indices by which the grade is read; it must be known
before the grade is first read, where it then is made. There may be fewer elements than are wanted: then those
that read beyond them choose not to, as they did before. A place that only the run knows, as of a median, is
another matter, see `rank_selection`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import buffers_read, named
from aplc.laila.ir.program import Alloc, Free, Program, RuntimeCall, Statement
from aplc.laila.ir.scalar import (
    BlockExp,
    Buffer,
    Const,
    Exp,
    Fold,
    FreeVars,
    PureCall,
    Read,
    Select,
    Var,
    contains,
    nodes,
)
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.split import bound_in
from aplc.laila.ir.statements import bound, expressions, rebuilt, with_blocks, within
from aplc.laila.ir.substitute import Substitute
from aplc.laila.transform.ordering.first_places import first_place
from aplc.laila.transform.ordering.grades import FIRST, GRADE, graded
from aplc.tail import prims as p


def first_of_grades(program: Program, make: ExprBuilder) -> Program:
    """The program without positions of grades that are not used."""
    return with_blocks(program, _Grades(make).block)


class _Grades:
    """The grades of a program."""

    def __init__(self, make: ExprBuilder) -> None:
        self.make = make
        self.free = FreeVars()

    def block(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """Statements with grades as short as they may be."""
        made = graded(statements, self.block)
        block = made.block
        bound_at = {v.name: k for k, s in enumerate(block) for v in bound(s)} if made.grades else {}
        instead: dict[int, tuple[Statement, ...]] = {}
        before: dict[int, tuple[Statement, ...]] = {}
        for k in made.grades:
            alloc, run = block[k - 1], block[k]
            if k and isinstance(alloc, Alloc) and isinstance(run, RuntimeCall):
                users = [m for m in made.users[alloc.buffer] if m > k]
                wanted = self.wanted(alloc, run, [block[m] for m in users])
                if wanted is self.make.one and self.found(block, k, users, instead):
                    continue
                if wanted is None:
                    continue
                known = max([bound_at.get(v.name, 0) for v in self.free.of(wanted)], default=0)
                if known < k:
                    block[k - 1 : k + 1] = self.shorter(alloc, run, wanted)
                elif known < users[0]:
                    frees = self.frees(run, block[k + 1 : users[0]])
                    if frees is not None:
                        instead |= dict.fromkeys((k - 1, k, *[k + 1 + m for m in frees]), ())
                        moved = (*self.shorter(alloc, run, wanted), *[block[k + 1 + m] for m in frees])
                        before[users[0]] = (*before.get(users[0], ()), *moved)
        changed = [(*before.get(k, ()), *instead.get(k, (s,))) for k, s in enumerate(block)]
        return tuple([statement for each in changed for statement in each])

    def frees(self, run: RuntimeCall, statements: Sequence[Statement]) -> list[int] | None:
        """Where some statements free what a grade is made of; None if they do more than that with it."""
        naming = [
            m for m, s in enumerate(statements) if any(run.arguments[0] in named(t) for t in within((s,)))
        ]
        return naming if all(isinstance(statements[m], Free) for m in naming) else None

    def found(
        self, block: list[Statement], k: int, users: Sequence[int], instead: dict[int, tuple[Statement, ...]]
    ) -> bool:
        """Whether the first position of the grade that a block makes at position k is found without it; then
        the `users` of the grade take it from a variable, and `instead` has what stands for what is left out.
        """
        run = block[k]
        assert isinstance(run, RuntimeCall)
        grade, place = run.arguments[3], first_place(self.make, run)
        assert isinstance(grade, Buffer)
        if place is None:
            return False
        statements, first = place
        instead[k - 1], instead[k] = (), tuple(statements)
        for m in users:
            if isinstance(block[m], Free):
                instead[m] = ()
            else:
                every = nodes(*expressions(block[m]))  # those that read the grade read its first position
                reads = [n for n in every if isinstance(n, Read) and n.buffer is grade]
                block[m] = rebuilt(block[m], Substitute(self.make, dict.fromkeys(reads, first)))
        return True

    def shorter(self, alloc: Alloc, run: RuntimeCall, wanted: Exp) -> tuple[Alloc, RuntimeCall]:
        """A grade of which so many positions are wanted."""
        a, rows, _, grade = run.arguments
        assert not isinstance(rows, Buffer)
        least = self.make.call(p.MINI, self.make.call(p.MAXI, wanted, self.make.zero), rows)
        name = run.function.replace(GRADE, FIRST)
        return replace(alloc, size=least), replace(run, function=name, arguments=(a, rows, least, grade))

    def wanted(self, alloc: Alloc, run: RuntimeCall, users: Sequence[Statement]) -> Exp | None:
        """How many positions are used by the statements that mention a grade behind it; None: all, or it
        cannot be told.
        """
        _, rows, columns, grade = run.arguments
        if columns is not self.make.one or grade is not alloc.buffer:
            return None
        folds = bound_in(tuple([e for s in users for e in expressions(s)]))
        inside = {v.name for v in (*folds, *[v for s in users for v in bound(s)])}
        most: Exp | None = None
        for statement in users:
            for inner in within((statement,)):
                if grade in named(inner) and not isinstance(inner, Free):
                    return None
            for node in nodes(*expressions(statement)):
                if isinstance(node, Read) and node.buffer is grade:
                    count = self.count(node.index, inside)
                    if count is None or self.free.names(count) & inside:
                        return None
                    most = count if most is None else self.make.call(p.MAXI, most, count)
        if most is None or isinstance(rows, Buffer):
            return None
        is_nearly_all = isinstance(self.make.sub(rows, most), Const) and not isinstance(rows, Const)
        if most is rows or is_nearly_all or any(self.is_all(s, grade, most, rows) for s in users):
            return None
        return most

    def is_all(self, statement: Statement, grade: Buffer, most: Exp, rows: Exp) -> bool:
        """Whether a statement reads a grade where as many positions are wanted as there are, as `≡` does."""
        all_of = self.make.call(p.EQI, most, rows), self.make.call(p.EQI, rows, most)
        return any(
            isinstance(node, Select) and node.cond in all_of and grade in buffers_read(node.then)
            for node in nodes(*expressions(statement))
        )

    def count(self, index: Exp, inside: Collection[str]) -> Exp | None:
        """A number that is more than an index, from what is not bound `inside`; None where it is a single one
        that only the run knows.
        """
        make = self.make
        const, terms = make.linear(index)
        total: Exp = make.const(const + 1)
        runs = not terms
        for atom, k in terms.items():
            if isinstance(atom, Var) and atom.name in inside:
                if k != 1 or len(atom.highs) != 1:
                    return None
                runs, atom = True, atom.highs[0]
            elif contains(Read | PureCall | Fold | BlockExp, atom):
                return None
            total = make.add(total, make.mul(make.const(k), atom))
        return total if runs else None
