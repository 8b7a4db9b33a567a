"""Filters whose tests are folds of rows and columns, which are maps in front of them."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_device, needs_threads

TEXTS = (
    "{⍸∨/0<⍵}",
    "{⍸∧⌿0<⍵}",
    "{(∧/0<⍵)⌿⍵}",
    "{(∨⌿0<⍵)/⍵}",
    "{(1<+/⍵)/⍳≢⍵}",
    "{(1<+⌿⍵)/⍳2⊃⍴⍵}",
    "{(0<⌈/⍵)⌿⍵}",
    "{(0<⌊⌿⍵)/⌽⍵}",
    "{⊃⍸∨/0<⍵}",
    "{1↑⌽⍸∨⌿0<⍵}",
)
SHAPES = ((0, 3), (3, 0), (1, 1), (7, 2), (40, 3), (33, 10), (100, 16), (5, 70), (64, 64))
TARGETS = (
    pytest.param("c", marks=needs_c),
    pytest.param("openmp", marks=needs_threads),
    pytest.param("opencl", marks=needs_device),
)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("target", TARGETS)
def test_values(text: str, target: TargetName) -> None:
    wanted, found = [aplc.fn(text, target=each) for each in ("interp", target)]
    random = np.random.default_rng(7)
    for shape in SHAPES:
        for rare in (0.0, 2.0):
            array = random.normal(-rare, 1, shape)
            if array.size > 20:
                array[1, -1] = np.nan
            expected, value = [np.asarray(f(array)) for f in (wanted, found)]
            assert value.shape == expected.shape, shape
            assert np.array_equal(value, expected, equal_nan=True), shape


@pytest.mark.parametrize(
    ("text", "types", "masks"),
    [
        ("{⍸∨⌿⍵}", "[bool]2", 1),
        ("{(3<+/⍵)/⍳≢⍵}", "[int]2", 1),
        ("{(3<+/⍵)⌿⍵}", "[int]2", 1),
        ("{v←⍵ ⋄ (v>+/v)/v}", "[int]1", 0),  # one sum for all
        ("{(2=+⌿0=(⍳⍵)∘.|⍳⍵)/⍳⍵}", "[int]0", 0),  # nothing is read
    ],
)
def test_folds_of_rows_and_columns_are_maps(text: str, types: str, masks: int) -> None:
    said = aplc.fn(text).emit("laila", types)
    assert said.count("alloc mask") == masks, said


@needs_c
def test_columns_are_walked_along_rows() -> None:
    text = aplc.fn("{⍸∨⌿⍵}").emit("c", "[bool]2")
    assert "s |= omega[k * omega_n1 + i]" not in text, text
