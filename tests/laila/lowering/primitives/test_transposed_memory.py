"""What is transposed and wanted many times is written as it is made, where that runs along memory."""

from __future__ import annotations

import re

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c, needs_threads

TEXTS = [
    "{⍉3⌊/⍉3⌊/⍵}",
    "{⍉9⌊/⍉9⌊/⍵}",
    "{4+/⍉4+/⍵}",
    "{2⌿2/⌊⍵÷2}",
    "{2/2⌿⌊⍵÷2}",
    "{3⌿3/1+⍵}",
    "{d←⍵-⍤1⊢(+⌿⍵)÷1⌈≢⍵ ⋄ (⍉d)+.×d}",
    "{d←⍵×2.5 ⋄ d+.×⍉d}",
    "{⍉2-/⍉0.5×⍵*2}",
    "{+⌿⍉⍳⍨⍤1⊢⍵÷2}",
    "{⊃⍉¯1↓⍉3⌈/⍵}",
]
TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("target", TARGETS)
def test_values(text: str, target: str) -> None:
    found, wanted = [aplc.fn(text, target=t) for t in (target, "interp")]  # type: ignore[arg-type]
    for shape in ((9, 9), (12, 20), (40, 11), (70, 90), (0, 9), (9, 0), (8, 8), (1, 1)):
        for high in (2, 1 << 40):
            given = np.random.default_rng(shape[0]).integers(-high, high, shape)
            results = []
            for function in (found, wanted):
                try:
                    results.append(np.asarray(function(given)))
                except aplc.RunError as error:
                    results.append(str(error).split("\n")[0])
            if isinstance(results[1], str):
                assert results[0] == results[1], shape
            else:
                assert results[0].shape == results[1].shape and np.allclose(*results, 1e-9), shape


def test_that_it_is_written_as_it_is_made() -> None:
    """Both loops of an erosion run along the columns, and those of a picture whose elements are repeated."""
    code = aplc.fn("{⍉9⌊/⍉9⌊/⍵}").emit("laila", "[int]2")
    assert re.search(r"MAP a\[\(\(i_3 \* n\) \+ j\)\] over i_3 < ⍵_n0, j < n", code)
    code = aplc.fn("{3⌿3/1+⍵}").emit("laila", "[int]2")
    assert not re.search(r"\[\(?\(j\w* \*", code)


def test_that_what_lies_across_is_written_across() -> None:
    """Down the columns first, the matrix is made in its own order."""
    code = aplc.fn("{5⌈/5⌈⌿⍵}").emit("laila", "[int]2")
    assert not re.search(r"\(j\w* \*", code)
