"""Rows that lanes gather are loaded as they lie in memory before, and nothing else is."""

from __future__ import annotations

import numpy as np
import pytest

from aplc import fn
from tests.support.machine import needs_c

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]

LOADS = ("{⌈/⍵}", "{2⊥⍵}⍤1", "{⌊/⌽⍵}", "{⌈/2-/⍵}", "{∧/2≤/⍵}")


@pytest.mark.parametrize("text", LOADS)
def test_what_is_loaded(text: str) -> None:
    assert fn(text).emit("c", "[double]2").count("APLC_LOAD(") == 1


@pytest.mark.parametrize(
    "text",
    [
        "{+/⍵}",  # not gathered
        "{⌈/⍵[;⍳5]}",  # a few columns of many
        "{⌈/⍵[1+⍳5;]}",  # rows that are neighbours
        "{⌈⌿⍵}",
        "{+/,⍵∘.+⌽⍵}",  # what all lanes read
        "{⌈/20↑⍤1⊢⍵}",  # elements that need not be there
    ],
)
def test_what_is_not_loaded(text: str) -> None:
    assert "APLC_LOAD(" not in fn(text).emit("c", "[double]2")


@pytest.mark.parametrize("text", LOADS)
def test_values(text: str) -> None:
    """Strips of whole rows, with a rest, of rows of one element and of none."""
    random, f, meaning = np.random.default_rng(3), fn(text), fn(text, target="interp")
    for rows in (8, 64, 65, 130):
        for columns in (0, 1, 2, 5, 15, 16):
            m = random.integers(-3, 3, (rows, columns)) / 2
            if columns or "2" not in text[:4]:
                np.testing.assert_array_equal(f(m), meaning(m))
