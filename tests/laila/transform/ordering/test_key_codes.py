"""Computed keys that are counted by small numbers."""

from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

RNG = np.random.default_rng(8)
KEYS: dict[str, Any] = {
    "close": RNG.integers(-20, 200, 5000),
    "one": np.full(3000, -(2**63)),
    "far": RNG.integers(-9, 9, 2000) * 10**17,
    "ends": np.array([-(2**63), 2**63 - 1] * 900),
    "as many as codes": np.arange(2**14)[::-1],
    "more than codes": np.arange(2**14 + 2),
    "few": RNG.integers(0, 3, 7),
    "none": np.zeros(0, np.int64),
    "bytes": RNG.integers(0, 256, 2100).astype(np.uint8),
    "late": np.repeat([5, 4, 9], [1500, 1, 1]),
}
TEXTS = (
    "{{≢⍵}⌸(¯1+⍳256),⍵}",
    "{{≢⍵}⌸⍵,⍪⌽⍵}",
    "{{≢⍵}⌸(2|⍵),(3|⍵),⍪⌽⍵}",
    "{{⍺,≢⍵}⌸⌽⍵}",
    "{k←1+⍵ ⋄ c←{≢⍵}⌸k ⋄ (∪k),c}",
)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str, keys: Any) -> None:
    wanted = aplc.fn(text, target="interp")(keys)
    for target in ("c", "openmp"):
        assert np.array_equal(aplc.fn(text, target=target)(keys), wanted)


@pytest.mark.parametrize(
    ("text", "is_coded"),
    [
        ("{≢⍵}⌸(⍳256),v", True),
        ("{≢⍵}⌸v,⍪⌽v", True),
        ("{⍺,≢⍵}⌸⌽v", True),
        ("{≢⍵}⌸v", False),
        ("{≢⍵}⌸w+÷w", False),
        ("{≢⍵}⌸+\\w", False),
        ("v{+/⍵}⌸v×v", False),
    ],
)
def test_keys_that_are_quickly_computed_are_codes(text: str, is_coded: bool) -> None:
    """Where the ranges are large they are keys as before."""
    made = laila(f"v←300|7×⍳9999 ⋄ w←2×v\nv[3]←7 ⋄ w[2]←4\n⎕←{text}")
    assert ("aplc_codes_2_count" in made) == is_coded
