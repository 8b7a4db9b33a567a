"""Loops in lanes that accumulate what conditions choose: see Note [Reads of lanes in branches]."""

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

SUMS = "(+/b/x) (+/c/y) (+/b/y)"
IMPLIED = "(+/(x>3)/x) (+/c/y) (+/(x>9)/y)"
PLACES = "(⊃b/b) (⊃⌽b/⌽b) (⌈/b/⍳≢b)"
EXTREMA = "(⌈/b/x) (⌊/c/y) (⌊/b/x)"


def inputs_of(text: str, length: int) -> dict[str, np.ndarray]:
    numbers = np.random.default_rng(length)
    masks = {name: numbers.random(length) > 0.5 for name in "bc"}
    doubles = {name: numbers.integers(0, 1000, length) / 4 for name in "xy"}
    return {name: value for name, value in (masks | doubles).items() if name in text}


@needs_c
@pytest.mark.optimised
@pytest.mark.parametrize("text", [SUMS, IMPLIED, PLACES, EXTREMA])
@pytest.mark.parametrize("length", [1000, 70_001])
def test_several_choices_have_their_values(text: str, length: int) -> None:
    given = inputs_of(text, length)
    expected = aplc.run(text, target="interp", inputs=given)
    assert np.allclose(aplc.run(text, target="c", inputs=given), expected, rtol=1e-9)
