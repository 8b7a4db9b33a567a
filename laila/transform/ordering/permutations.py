"""Inverse permutations: the grade of a grade is its inverse, written where its positions tell, not sorted.

    run aplc_grade_up_double(v, n, 1, g); run aplc_grade_up_int(g, n, 1, r)    →    …; MAP r[g[i] - 1] = i + 1
    run aplc_grade_down_int(g, n, 1, r)                                       →    MAP r[n - g[i]] = i + 1

So `⍋⍋v` gives ranks after one sort. The positions in a grade are all different: no two of them are written to
one place.
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.laila.ir.liveness import named
from aplc.laila.ir.program import Map, Output, Program, RuntimeCall, Space, Statement
from aplc.laila.ir.scalar import Buffer, Exp
from aplc.laila.ir.simplify import ExprBuilder
from aplc.laila.ir.statements import with_blocks, with_bodies, within
from aplc.laila.transform.ordering.grades import GRADE, is_grade


def with_grades_inverted(program: Program, make: ExprBuilder) -> Program:
    """The program without grades of grades."""
    return with_blocks(program, lambda statements: _block(statements, make))


def _block(statements: Sequence[Statement], make: ExprBuilder) -> tuple[Statement, ...]:
    known: dict[Buffer, Exp] = {}  # what is a permutation, and of how many numbers
    block: list[Statement] = []
    for each in statements:
        statement = with_bodies(each, lambda body: _block(body, make))
        if known:
            for b in [
                b for s in within((statement,)) for b in named(s) if b in known and not _only_reads(s, b)
            ]:
                known.pop(b, None)
        if is_grade(statement):
            assert isinstance(statement, RuntimeCall)
            a, rows, columns, target = statement.arguments
            assert isinstance(target, Buffer) and not isinstance(rows, Buffer)
            if isinstance(a, Buffer) and known.get(a) is rows and columns is make.one:
                statement = _inverse(make, statement, a, rows, target)
            known[target] = rows
        block.append(statement)
    return tuple(block)


def _only_reads(statement: Statement, b: Buffer) -> bool:
    """Whether a statement that names an array prints or grades it."""
    if isinstance(statement, RuntimeCall):
        return is_grade(statement) and statement.arguments[3] is not b
    return isinstance(statement, Output)


def _inverse(make: ExprBuilder, run: RuntimeCall, a: Buffer, rows: Exp, target: Buffer) -> Map:
    """What writes the grade of a permutation."""
    i = make.index("i", rows)
    place = make.read(a, i)
    is_up = run.function.startswith(f"{GRADE}up_")
    position = make.sub(place, make.one) if is_up else make.sub(rows, place)
    return Map(target, Space((i,), (rows,)), position, make.add(i, make.one))
