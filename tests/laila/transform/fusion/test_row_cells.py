"""Maps with folds of rows, which run in strips where rows are short."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_device, needs_threads

CELLS = (
    "{⍵÷+/⍵}⍤1⊢⍵",
    "{(⍵-⌊/⍵)÷1+(⌈/⍵)-⌊/⍵}⍤1⊢⍵",
    "{⌊10×⍵÷1+⌈/⍵}⍤1⊢⍵",
    "{d÷1+(+/d×d←⍵-(+/⍵)÷1⌈≢⍵)*0.5}⍤1⊢⍵",
    "{⍵>(+/⍵)÷1⌈≢⍵}⍤1⊢⍵",
)
SHAPES = ((0, 3), (3, 0), (1, 1), (15, 5), (16, 5), (17, 5), (100, 10), (33, 15), (33, 16), (40, 70))


@pytest.mark.parametrize("body", CELLS)
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
def test_a_row_that_cannot_be_divided() -> None:
    rows = np.ones((40, 5))
    rows[33] = 1, -1, 2, -2, 0
    with pytest.raises(aplc.RunError, match="DOMAIN ERROR"):
        aplc.fn("{⍵÷+/⍵}⍤1")(rows)
    rows[33] = 0
    assert aplc.fn("{⍵÷+/⍵}⍤1")(rows)[33].tolist() == [1.0] * 5


@pytest.mark.parametrize("body", CELLS)
def test_short_rows_run_in_strips(body: str) -> None:
    assert "strips" in aplc.fn(f"{{{body}}}").emit("laila", "[double]2")


@pytest.mark.parametrize(("value", "strips"), [("q", True), ("(q)(2×q)", False)])
def test_elements_that_others_want_are_handed_over(value: str, strips: bool) -> None:
    text = f"{{q←{{⍵÷+/⍵}}⍤1⊢50 7⍴⍵ ⋄ {value}}}"
    assert ("strip" in aplc.fn(text).emit("laila", "[double]1")) is strips
