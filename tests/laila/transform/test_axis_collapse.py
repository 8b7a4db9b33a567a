"""Loops over several axes of rows: one loop over all rows, unless it asks for an index of its own."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from aplc.laila.ir.program import ForEach, Map
from aplc.laila.ir.scalar import Const
from aplc.tail.types import Array, Base, Rho
from tests.support.laila.programs import all_statements, lowered
from tests.support.machine import needs_c, needs_device, needs_threads

ROWS = (
    "+/⍵",
    "+⌿⍵",
    "+/[2]⍵",
    "{⍵⍳⌈/⍵}⍤1⊢⍵",
    "{⍵÷1+⌈/⍵}⍤1⊢⍵",
    "{(⍵-(+/⍵)÷1⌈≢⍵)*2}⍤1⊢⍵",
    "{e÷+/e←*⍵-⌈/⍵}⍤1⊢⍵",
    "{⍵[⍋⍵]}⍤1⊢⍵",
    "{+⌿⍵}⍤2⊢⍵",
    "{⍵+.×⍉⍵}⍤2⊢⍵",
    "(⍳≢⍵){⍺×⍵÷1+⌈/,⍵}⍤0 2⊢⍵",
    "(+/⍵)∘.×⍳2",
)
SHAPES = ((0, 2, 3), (2, 0, 3), (2, 3, 0), (1, 1, 1), (3, 2, 4), (5, 7, 9), (2, 40, 17), (3, 5, 130))


@pytest.mark.parametrize("body", ROWS)
@pytest.mark.parametrize(
    "target",
    [
        pytest.param("c", marks=needs_c),
        pytest.param("openmp", marks=needs_threads),
        pytest.param("opencl", marks=needs_device),
    ],
)
def test_values(body: str, target: TargetName) -> None:
    wanted, found = [aplc.fn(f"{{{body}}}", target=each) for each in ("interp", target)]
    random = np.random.default_rng(7)
    for shape in SHAPES:
        array = random.random(shape)
        expected, value = [np.asarray(f(array)) for f in (wanted, found)]
        assert value.shape == expected.shape, shape
        assert np.allclose(value, expected, rtol=1e-9), shape


@needs_c
@pytest.mark.parametrize("body", ["+/⍵", "{⍵⍳⌈/⍵}⍤1⊢⍵", "{⍵÷1+⌈/⍵}⍤1⊢⍵", "(+/⍵)-⌈/⍵"])
def test_values_of_four_axes(body: str) -> None:
    wanted, found = [aplc.fn(f"{{{body}}}", target=each) for each in ("interp", "c")]
    random = np.random.default_rng(7)
    for shape in ((2, 3, 4, 5), (3, 0, 2, 4), (2, 1, 20, 17)):
        array = random.random(shape)
        assert np.allclose(found(array), wanted(array), rtol=1e-9), shape


@pytest.mark.parametrize("rank", [3, 4])
@pytest.mark.parametrize("body", ["+/a", "{⍵⍳⌈/⍵}⍤1⊢a", "+⌿a"])
def test_one_loop_over_all_rows(body: str, rank: int) -> None:
    program = lowered(body, a=Array(Base.DOUBLE, Rho(rank)))
    loops = [s for s in all_statements(program.statements) if isinstance(s, ForEach | Map)]
    of_arrays = [s for s in loops if not any(isinstance(n, Const) for n in s.space.extents)]  # no strips
    assert of_arrays and all(len(s.space.indices) == 1 for s in of_arrays)


def test_a_loop_that_asks_for_its_row_stays() -> None:
    program = lowered("+/(⍳≢a)∘.+v", a=Array(Base.DOUBLE, Rho(3)), v=Array(Base.DOUBLE, Rho(2)))
    assert any(len(s.space.indices) == 2 for s in all_statements(program.statements) if isinstance(s, Map))
