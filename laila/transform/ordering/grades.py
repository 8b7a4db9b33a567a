"""Grades in a block: where they are made, and by whom they are mentioned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from aplc.laila.ir.liveness import Users
from aplc.laila.ir.program import RuntimeCall, Statement
from aplc.laila.ir.scalar import Buffer
from aplc.laila.ir.statements import with_bodies

GRADE = "aplc_grade_"
"""What makes a grade: `aplc_grade_up_int(a, rows, columns, grade)` and its kin."""


@dataclass(frozen=True, slots=True)
class Graded:
    """A block, where grades are made in it, and the statements that mention a buffer, both as positions in
    order. Where there is no grade nothing is known of buffers.
    """

    block: list[Statement]
    grades: list[int]
    users: Mapping[Buffer, list[int]]


def graded(
    statements: Sequence[Statement], inside: Callable[[Sequence[Statement]], tuple[Statement, ...]]
) -> Graded:
    """What statements grade, when `inside` has changed those in branches and rounds."""
    block = [with_bodies(s, inside) for s in statements]
    grades = [k for k, s in enumerate(block) if is_grade(s)]
    return Graded(block, grades, Users().of(block) if grades else {})


def is_grade(statement: Statement) -> bool:
    """Whether a statement makes a grade."""
    return isinstance(statement, RuntimeCall) and statement.function.startswith(GRADE)
