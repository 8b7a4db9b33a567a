"""Matrices of which a loop over cells reads a row in each."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.calling.functions import Function
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.compiling import c_of

RNG = np.random.default_rng(12)
SHAPES = ((0, 3), (3, 0), (1, 1), (5, 7), (40, 5), (33, 40))
OF_TWO = (
    "{{⍵⍳⌊/⍵}⍤1⊢((⍺∘.-⍵)*2)+⍺∘.×⍵}",
    "{{⍵-⌈/⍵}⍤1⊢(⍺∘.×⍵)+*⍺∘.-⍵}",
    "{{⍵[⍋⍵]}⍤1⊢⍺∘.-⍵}",
    "{{(⌽⍵)+1⌽⍵}⍤1⊢(⍺∘.-⍵)*2}",
    "{m←(⍺∘.-⍵)*2 ⋄ ({⍵⍳⌊/⍵}⍤1⊢m),≢m}",
    "{{(⌈/⍵)⌊⌊/⍵×2}¨↓(⍺∘.-⍵)*2}",
)
OF_ONE = (
    "{{⍵⍳⌈/⍵}⍤1⊢⍵+⍤1⊢⌽5↑0.5,,⍵}",
    "{{(≢∪⍵),⍵⍳⌈/⍵}⍤1⊢⌊10×⍵×⍵}",
    "{{⍵⍳⌈/⍵}⍤1⊢⍉*⍵}",
    "{{⍵⍳⌈/⍵}⍤1⊢⊖*⍵}",
    "{{+/⍵/⍨⍵>0.5}⍤1⊢⍵×⍵+⍵*3}",
    "{{⍵⍳⌈/⍵}⍤1⊢⍵+.×⍉⍵}",
)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("text", OF_TWO + OF_ONE)
def test_values(text: str, shape: tuple[int, int]) -> None:
    n, m = shape
    given: tuple[Any, ...] = (RNG.random(n), RNG.random(m)) if text in OF_TWO else (RNG.random(shape),)
    if text == OF_ONE[0]:
        given = (RNG.random((n, 5)),)
    meaning = aplc.fn(text, target="interp")(*given)
    for target in ("c", "openmp"):
        found = Function([Source("text", text)], None, Options(target, verify=True))(*given)
        np.testing.assert_allclose(found, meaning, rtol=1e-9, err_msg=target)


def sizes(text: str) -> str:
    """What is allocated by a text about vectors of doubles v and w."""
    lines = c_of(text, Options(), v=[0.5, 1.0], w=[0.5, 1.0]).splitlines()
    return "\n".join([line for line in lines if "aplc_alloc(" in line])


def test_no_memory_for_a_matrix_of_which_cells_read_rows() -> None:
    """A row that is copied is not made twice."""
    text = "{⍵⍳⌊/⍵}⍤1⊢((v∘.-w)*2)+v∘.×w"
    assert "v_n, w_n" not in sizes(text) and "w_n * v_n" not in sizes(text)
    strip = c_of(text, Options(), v=[0.5, 1.0], w=[0.5, 1.0])
    assert strip[strip.index("strip") :].count("v[first") == 1


@pytest.mark.parametrize(
    "text",
    [
        "{⍵[⍋⍵]}⍤1⊢m ⊣ m←(v∘.+w)+.×w∘.×v",
        "({⍵⍳⌊/⍵}⍤1⊢m),(⌊/⌊/m),1↑,⍉m⊣m←((v∘.-w)*2)+v∘.×w",
    ],
    ids=["product", "read by others"],
)
def test_what_stays_a_matrix(text: str) -> None:
    assert "aplc_count(2, " in sizes(text)


@pytest.mark.parametrize("target", ["c", "openmp"])
def test_a_row_that_a_function_of_its_own_gets(target: Any) -> None:
    """Where the matrix is handed over, from the row's first element on, and read besides."""
    text = "{g←{2≥≢⍵:+/⍵ ⋄ h←⌊2÷⍨≢⍵ ⋄ (∇h↑⍵)×∇h↓⍵} ⋄ {(g ⍵)+(⌊/⍵)-+/⍵}⍤1⊢(⍺∘.-⍵)*2}"
    given = RNG.random(5), RNG.random(9)
    meaning = aplc.fn(text, target="interp")(*given)
    np.testing.assert_allclose(aplc.fn(text, target=target)(*given), meaning, rtol=1e-9)


def test_an_element_fails_before_cells_do() -> None:
    for target in ("interp", "c", "openmp"):
        with pytest.raises(aplc.RunError, match="divides by zero"):
            aplc.fn("{{⍵[99×⌊/⍵]}⍤1⊢÷⍵∘.-0 1}", target=target)(np.array([3.0, 1.0]))
