"""Searches among doubles that are equal within ⎕CT, against the reference interpreter: numbers in clusters as
wide as the tolerance, on both sides of powers of two, with infinities, NaN and zeros of both signs.
"""

from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

pytestmark = needs_c

TEXTS = ("{∪⍵}", "{≠⍵}", "{⍵⍳⌽⍵}", "{(⌽40↑⍵)⍳⍵}", "{⍵∊⌽30↓⍵}", "{≢∪⍵}", "{⍵~⌽20↓⍵}", "{∪7 2⍴⍵}")
SCALES = (1.0, 0.1, 1 / 3, 1e5, 1e-300, 1e300)
ODD = (0.0, -0.0, np.inf, -np.inf, 5e-324, -5e-324, 1.7976931348623157e308)
LENGTHS = (0, 1, 5, 17, 70, 300, 20_000)


def clustered(n: int, tolerance: float, seed: int) -> Any:
    """Numbers of which many equal others."""
    random = np.random.default_rng(seed)
    steps = random.choice([0, 0, 0.5, -0.5, 0.9, -0.9, 1, -1, 1.1, -1.1, 2, 3], n)
    if seed % 3 == 1:
        whole = 2.0 ** random.integers(-3, 3, n)
    else:
        whole = random.integers(-30, 30, n) * SCALES[seed % len(SCALES)]
    values = whole * (1 + tolerance * steps)
    if n and seed % 3 == 0:
        values[random.integers(0, n, 1 + n // 20)] = random.choice(ODD, 1 + n // 20)
    return values


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("tolerance", (1e-14, 1e-9))
def test_clusters(text: str, tolerance: float) -> None:
    ours, meant = [aplc.fn(text, target=target, ct=tolerance) for target in ("c", "interp")]
    for n in LENGTHS:
        for seed in range(3 if n > 1000 else 6):
            v = clustered(n, tolerance, seed)
            np.testing.assert_array_equal(ours(v), meant(v), f"{n} elements, seed {seed}")


def test_nan() -> None:
    """A NaN equals nothing, not even itself."""
    v = np.array([1.0, np.nan, 1.0, np.nan, 2.0] * 20)
    for text in ("{∪⍵}", "{≠⍵}", "{⍵⍳⍵}", "{⍵∊⌽⍵}"):
        ours, meant = [aplc.fn(text, target=target)(v) for target in ("c", "interp")]
        np.testing.assert_array_equal(ours, meant, text)
