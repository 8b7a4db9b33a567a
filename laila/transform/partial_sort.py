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

from aplc.laila.ir.liveness import mentioned, named
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
        for k in range(1, len(block)):
            alloc, run = block[k - 1], block[k]
            if isinstance(alloc, Alloc) and isinstance(run, RuntimeCall) and run.function.startswith(GRADE):
                block[k - 1 : k + 1] = self.shorter(alloc, run, block[k + 1 :])
        return tuple(block)

    def shorter(
        self, alloc: Alloc, run: RuntimeCall, after: Sequence[Statement]
    ) -> tuple[Alloc, RuntimeCall]:
        """A grade as short as what stands behind it allows."""
        a, rows, columns, grade = run.arguments
        if columns is not self.make.one or grade is not alloc.buffer or isinstance(rows, Buffer):
            return alloc, run
        wanted = self.wanted(alloc.buffer, rows, after)
        if wanted is None:
            return alloc, run
        name = run.function.replace(GRADE, FIRST)
        return replace(alloc, size=wanted), replace(run, function=name, arguments=(a, rows, wanted, grade))

    def wanted(self, grade: Buffer, rows: Exp, after: Sequence[Statement]) -> Exp | None:
        """How many positions are used by statements behind the grade; None: all, or it cannot be told."""
        make = self.make
        most: Exp | None = None
        for statement in after:
            if grade not in mentioned(statement):
                continue
            for inner in within((statement,)):
                if grade in named(inner) and not isinstance(inner, Free):
                    return None
            for node in nodes(*expressions(statement)):
                if isinstance(node, Read) and node.buffer is grade:
                    count = self.count(node.index)
                    if count is None:
                        return None
                    most = count if most is None else make.call(p.MAXI, most, count)
        if most is None or most is rows:
            return None
        later = {v.name for s in within(after) for v in bound(s)}
        if not later.isdisjoint([v.name for v in self.free.of(most)]):
            return None
        return make.call(p.MINI, make.call(p.MAXI, most, make.zero), rows)

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
