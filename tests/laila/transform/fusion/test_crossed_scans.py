"""Scans along the columns of scans along the rows."""

from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

RNG = np.random.default_rng(8)
SHAPES = ((0, 3), (3, 0), (1, 7), (7, 1), (5, 9), (64, 33))


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("text", ("{+⍀+\\⍵}", "{⌈⍀⌊\\⍵}", "{+⍀⍵×+\\⍵}", "{(+⍀+\\⍵)÷1+(⍳≢⍵)∘.×⍳2⊃⍴⍵}"))
def test_values(text: str) -> None:
    meaning, strict = aplc.fn(text, target="interp"), aplc.fn(text, target="c", strict_fp=True)
    found = aplc.fn(text, target="c")
    for shape in SHAPES:
        bytes_ = RNG.integers(0, 99, shape).astype(np.uint8)
        for matrix in (bytes_, RNG.random(shape)):
            wanted: Any = meaning(matrix)
            assert np.allclose(found(matrix), wanted, rtol=1e-9, atol=0)
            assert strict(matrix).tobytes() == np.asarray(wanted).tobytes()


@pytest.mark.parametrize(
    ("text", "allocs"),
    [
        ("⎕←+⍀+\\m", 1),
        ("⎕←+⍀⌽+\\m", 2),
        ("a←+\\m ⋄ ⎕←+⍀a ⋄ ⎕←a", 2),
    ],
)
def test_which_share_a_loop(text: str, allocs: int) -> None:
    made = laila(f"m←40 50⍴9|7×⍳2000\n{text}")
    assert made.count("alloc ") == allocs
    assert ("while" in made) == (allocs == 1)
