"""Different rows that are only counted."""

from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

RNG = np.random.default_rng(26)
ROWS: dict[str, Any] = {
    "close": RNG.integers(-20, 20, 500),
    "far": RNG.integers(-9, 9, 500) * 10**17,
    "all different": RNG.permutation(50_000) * 10**12,
    "one": np.array([0]),
    "within a word": np.array([-(2**63), 63 - 2**63, -(2**63)] * 9),
    "not within a word": np.array([2**62, 64 + 2**62, 2**62] * 9),
    "none": np.zeros(0, np.int64),
    "booleans": np.ones(40, np.bool_),
    "characters": np.array(list("mississippi"), "<U1"),
    "doubles": np.array([0.0, -0.0, 1.5, np.inf, np.nan, np.nan] * 9),
    "rows": RNG.integers(0, 3, (60, 2)),
    "rows without elements": np.zeros((5, 0)),
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("text", ("{⎕CT←0 ⋄ ≢∪⍵}", "{(≢⍵)=≢∪⍵}", "{⎕CT←0 ⋄ +/,⍵⍳∪20↑⍵}"))
def test_values(text: str, rows: Any) -> None:
    assert aplc.fn(text, target="c")(rows) == aplc.fn(text, target="interp")(rows)


@pytest.mark.parametrize(
    ("text", "is_counted"),
    [
        ("⎕←≢∪v", True),
        ("⎕←(≢v)=≢∪v", True),
        ("⎕←≢∪7 1429⍴v", True),
        ("⎕←(≢∪v),⊃∪v", False),
        ("u←∪v ⋄ ⎕←≢u ⋄ ⎕←u", False),
        ("⎕CT←1E¯9 ⋄ ⎕←≢∪÷v", False),
    ],
)
def test_which_are(text: str, is_counted: bool) -> None:
    made = laila(f"v←1+300|7×⍳9999\n{text}")
    assert ("aplc_count_unique_" in made) == is_counted


WINDOWS = "{⎕CT←0 ⋄ {≢∪⍵}⍤1⊢⍵[(¯1+⍳(≢⍵)-3)∘.+⍳4]}"


@pytest.mark.parametrize("rows", [ROWS[name] for name in ("far", "booleans", "characters", "doubles")])
def test_of_few_elements_each_two_are_compared(rows: Any) -> None:
    made = laila(f"v←7|⍳99 ⋄ ⎕←{WINDOWS}v")
    assert "unique" not in made and "for cell" not in made
    ours, meant = [aplc.fn(WINDOWS, target=target)(rows) for target in ("c", "interp")]
    np.testing.assert_array_equal(ours, meant)
    assert "unique" in laila(f"v←7|⍳99 ⋄ ⎕←{WINDOWS.replace('4', '17')}v")
