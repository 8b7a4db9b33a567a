"""Loops over items of two inputs, in a version for inputs whose items have the same places and lengths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from aplc import fn
from aplc.inputs import from_python, memory_of
from aplc.laila.ir.program import If, Statement
from aplc.laila.ir.scalar import Read, Var, nodes
from aplc.laila.ir.statements import expressions
from aplc.tail.errors import RunError
from aplc.tail.types import Base, nested
from tests.support.laila.programs import DOUBLES, all_statements, lowered
from tests.support.machine import needs_c, needs_threads

ROWS = nested(DOUBLES, 1)
TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]


def items(*rows: list[float]) -> Any:
    made = np.empty(len(rows), object)
    made[:] = [np.array(row) for row in rows]
    return made


def descriptors(statements: tuple[Statement, ...]) -> set[str]:
    """The names of arrays of places and lengths that are read."""
    found = {n.buffer for s in statements for e in expressions(s) for n in nodes(e) if isinstance(n, Read)}
    return {buffer.name for buffer in found if buffer.ty is Base.INT}


def choices(text: str, **inputs: Any) -> list[If]:
    """The choices between the versions of a program that are for descriptors."""
    program = lowered(text, **inputs)
    found = [s for s in all_statements(program.statements) if isinstance(s, If)]
    return [s for s in found if isinstance(s.cond, Var) and s.cond.name.startswith("same")]


def test_one_descriptor_is_read_where_two_are_one() -> None:
    (choice,) = choices("+/¨x×y", x=ROWS, y=ROWS)
    assert len(descriptors(choice.then)) == 2 and len(descriptors(choice.other)) == 4
    first, second = choices("+/¨x×y×z", x=ROWS, y=ROWS, z=ROWS)
    assert second in first.then
    assert len(descriptors(second.then)) == 2 and len(descriptors(first.other)) == 6


@pytest.mark.parametrize("text", ["+/¨x×x", "(+/¨x)×+/¨y", "(≢¨x)=≢¨y"])
def test_nothing_stands_twice_where_no_items_meet(text: str) -> None:
    assert not choices(text, x=ROWS, y=ROWS)


def test_equal_descriptors_have_one_memory() -> None:
    given = [
        from_python(x) for x in (items([1, 2], [3]), items([5, 6], [7]), items([1], [2, 3]), np.arange(3))
    ]
    first, second, third = [memory_of(given)[3 * k : 3 * k + 2] for k in range(3)]
    assert all(a is b for a, b in zip(first, second, strict=True))
    assert not any(a is b for a, b in zip(first, third, strict=True))


def test_descriptors_that_begin_alike_have_two_memories() -> None:
    lengths = [np.ones(1000, int), np.ones(1000, int)]
    lengths[1][501:503] = 0, 2
    given = [from_python(items(*[[1.0] * n for n in each])) for each in lengths]
    memory = memory_of(given)
    assert not any(memory[k] is memory[k + 3] for k in range(2))


@pytest.mark.parametrize("target", TARGETS)
def test_values_and_errors(target: str) -> None:
    """A sparse matrix times a vector, with rows that are as long as those of the columns, and others."""
    text = "{v←10 20 30 ⋄ +/¨⍺×{v[⍵]}¨⌊⍵}"
    compiled, meaning = fn(text, target=target), fn(text, target="interp")
    columns = items([1, 3], [], [2])
    for rows in (items([2, 4], [], [8]), items([2], [], [8]), items([2, 4], [1], [8])):
        np.testing.assert_allclose(compiled(rows, columns), meaning(rows, columns))
    for columns in (items([1, 3], [], [4]), items([0, 3], [], [1])):
        errors = []
        for function in (compiled, meaning):
            with pytest.raises(RunError, match="INDEX ERROR") as raised:
                function(items([2, 4], [], [8]), columns)
            errors.append(str(raised.value))
        assert errors[0] == errors[1]
