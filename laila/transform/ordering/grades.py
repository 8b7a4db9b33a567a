"""Grades in a block: where they are made, and by whom they are mentioned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from aplc.laila.ir.liveness import Users
from aplc.laila.ir.program import Fused, Map, RuntimeCall, Statement
from aplc.laila.ir.scalar import BlockExp, Buffer
from aplc.laila.ir.statements import do, statements_of, with_bodies

Change = Callable[[Sequence[Statement]], tuple[Statement, ...]]

GRADE = "aplc_grade_"
"""What makes a grade: `aplc_grade_up_int(a, rows, columns, grade)` and its kin."""
FIRST = "aplc_first_"
"""What makes the first positions of one: `aplc_first_up_int(a, rows, wanted, grade)` and its kin."""


@dataclass(frozen=True, slots=True)
class Graded:
    """A block, where grades are made in it, and the statements that mention a buffer, both as positions in
    order. Where there is no grade nothing is known of buffers.
    """

    block: list[Statement]
    grades: list[int]
    users: Mapping[Buffer, list[int]]


def graded(statements: Sequence[Statement], inside: Change, kinds: tuple[str, ...] = (GRADE,)) -> Graded:
    """What statements grade, when `inside` has changed those in branches and rounds, and of elements."""
    block = [_with_elements(with_bodies(s, inside), inside) for s in statements]
    grades = [k for k, s in enumerate(block) if is_grade(s, kinds)]
    return Graded(block, grades, Users().of(block) if grades else {})


def _with_elements(statement: Statement, change: Change) -> Statement:
    """A statement whose elements are made by statements, with these changed."""
    match statement:
        case Map():
            return _map(statement, change)
        case Fused(parts=parts):
            made = [_map(part, change) if isinstance(part, Map) else part for part in parts]
            return replace(statement, parts=tuple(made))
        case _:
            return statement


def _map(statement: Map, change: Change) -> Map:
    body = statement.body
    if not isinstance(body, BlockExp):
        return statement
    return replace(statement, body=do(list(change(statements_of(body))), body.value))


def is_grade(statement: Statement, kinds: tuple[str, ...] = (GRADE,)) -> bool:
    """Whether a statement makes a grade, or what is named."""
    return isinstance(statement, RuntimeCall) and statement.function.startswith(kinds)
