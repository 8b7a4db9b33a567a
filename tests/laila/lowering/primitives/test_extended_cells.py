"""Cells that extend to others where they have one element are not in memory, even if they may fail."""

from __future__ import annotations

import math

import numpy as np
import pytest

import aplc
from aplc.laila.ir.text_print import print_program
from aplc.tail.types import Array, Base, Rho
from tests.support.laila.programs import lowered
from tests.support.machine import needs_c

RNG = np.random.default_rng(7)
SCALED = "{⍺+⍤1⊢⍺×⍤1⊢⍵÷⍤1 0⊢+/⍵}"
NUMBER, VECTOR = Array(Base.INT, Rho(0)), Array(Base.INT, Rho(1))
SHAPES = [(m, rows, n) for m in (0, 1, 2, 5) for rows in (0, 1, 3, 40) for n in (0, 1, 2, 5)]


def outcome(function: aplc.Function, v: np.ndarray, m: np.ndarray) -> object:
    """What a function gives, or its error."""
    try:
        return function(v, m)
    except aplc.RunError as error:
        return str(error).splitlines()[0]


@needs_c
@pytest.mark.parametrize("worst", [1.0, math.nan, math.inf, 0.0])
def test_values_and_errors(worst: float) -> None:
    found, meaning = aplc.fn(SCALED), aplc.fn(SCALED, target="interp")
    for m, rows, n in SHAPES:
        matrix = RNG.integers(1, 9, (rows, n)).astype(float)
        matrix[rows // 2 :, -1:] = worst - matrix[rows // 2 :, :-1].sum(1, keepdims=True)
        v = RNG.random(m)
        wanted, given = outcome(meaning, v, matrix), outcome(found, v, matrix)
        if isinstance(wanted, str):
            assert given == wanted or (isinstance(given, str) and "LENGTH" in given), (m, rows, n)
        else:
            assert np.shape(given) == np.shape(wanted), (m, rows, n)
            assert np.allclose(given, wanted, 1e-9, 0, equal_nan=True), (m, rows, n)


def test_cells_are_not_written() -> None:
    """Nothing is kept but the sums of rows, and an element that extends to none is looked at in front."""
    text = aplc.fn(SCALED).emit("laila", "[double]1,[double]2")
    assert "cells" not in text and "[only" not in text
    assert text.count("for cell") == 2


@pytest.mark.parametrize("text", ["e+.×÷w", "(÷w)⌈.+e", "e∧.=÷w", "e+.×,÷n"])
def test_a_single_element_is_computed_beside_none(text: str) -> None:
    """As a vector and once alone, or once in all where it is known to be alone."""
    types = {"e": VECTOR, "w": VECTOR, "n": NUMBER}
    made = lowered(text, **{name: ty for name, ty in types.items() if name in text})
    assert print_program(made).count("DOMAIN ERROR") == 2


@needs_c
def test_no_product_hides_an_error() -> None:
    assert (
        outcome(aplc.fn("{⍺+.×÷⍵}"), np.zeros(0), np.zeros(1)) == "text:1:6: DOMAIN ERROR: ÷ divides by zero"
    )
