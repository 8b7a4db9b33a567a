"""Elements that a filter keeps, packed a vector at a time."""

from __future__ import annotations

import numpy as np
import pytest

from aplc import fn
from tests.support.machine import needs_c, needs_threads

TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("text", ["{⍵/⍨2|⍳≢⍵}", "{(⍵≠0)/⍵}", "{(1000≤⍳≢⍵)/-⍵}", "{⍵[⍸0=3|⍳≢⍵]}"])
def test_complex_numbers(text: str, target: str) -> None:
    compiled, meaning = fn(text, target=target), fn(text, target="interp")
    for length in (0, 1, 5, 64, 4097):
        v = (np.arange(length) % 3) * (2 - 1j)
        np.testing.assert_array_equal(compiled(v), meaning(v))
