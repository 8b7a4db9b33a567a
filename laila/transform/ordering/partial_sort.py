"""Partial sorting: a grade of which only the first positions are used finds those without sorting the others.

    alloc g : n; run aplc_grade_down_int(v, n, 1, g); MAP a[i] = v[g[i] - 1] over i < 10
    →   alloc g : 10; run aplc_first_down_int(v, n, 10, g); …

So `10↑v[⍒v]` and `⊃⍋v` cost little more than reading `v`. How many are wanted follows from the indices by
which the grade is read; it must be known before the grade is made. There may be fewer elements than are
wanted: then those that read beyond them choose not to, as they did before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from aplc.laila.ir.liveness import Users, named
from aplc.laila.ir.program import Alloc, Free, Program, RuntimeCall, Statement
from aplc.laila.ir.scalar import Buffer, Exp, FreeVars, Read, Var, nodes
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import bound, expressions, with_blocks, with_bodies, within
from aplc.tail import prims as p

GRADE, FIRST = "aplc_grade_", "aplc_first_"


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
        block = [with_bodies(s, self.block) for s in statements]
        grades = [
            k for k, s in enumerate(block) if isinstance(s, RuntimeCall) and s.function.startswith(GRADE)
        ]
        if not grades:
            return tuple(block)
        users = Users().of(block)
        bound_at = {v.name: k for k, s in enumerate(block) for v in bound(s)}
        for k in grades:
            alloc, run = block[k - 1], block[k]
            if k and isinstance(alloc, Alloc) and isinstance(run, RuntimeCall):
                wanted = self.wanted(alloc, run, [block[m] for m in users[alloc.buffer] if m > k])
                if wanted is not None and all(bound_at.get(v.name, 0) < k for v in self.free.of(wanted)):
                    block[k - 1 : k + 1] = self.shorter(alloc, run, wanted)
        return tuple(block)

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
        most: Exp | None = None
        for statement in users:
            for inner in within((statement,)):
                if grade in named(inner) and not isinstance(inner, Free):
                    return None
            for node in nodes(*expressions(statement)):
                if isinstance(node, Read) and node.buffer is grade:
                    count = self.count(node.index)
                    if count is None:
                        return None
                    most = count if most is None else self.make.call(p.MAXI, most, count)
        return None if most is rows else most

    def count(self, index: Exp) -> Exp | None:
        """A number that is more than an index."""
        make = self.make
        const, terms = make.linear(index)
        total: Exp = make.const(const + 1)
        for atom, k in terms.items():
            if k != 1 or not isinstance(atom, Var) or not atom.is_index or len(atom.highs) != 1:
                return None
            total = make.add(total, atom.highs[0])
        return total
