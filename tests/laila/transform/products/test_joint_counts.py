"""Counts by several keys at once: contingency tables and matrices of confusion."""

from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

RNG = np.random.default_rng(5)
TABLE = "(⍉⍺∘.=⍳10)+.×⍵∘.=⍳7"
TABLES = (
    f"{{c←{TABLE} ⋄ n←⌈/0,9⌊⍺ ⋄ (,c),(,c÷1⌈+/,c),(,((⍳n)∘.=⍺)+.×⍵∘.=⍳n),,((⍳5)∘.=5|⍺)+.×(⌊⍵÷2)∘.=¯2+⍳4}}",
    "{t←(⍳5)∘.=⍺ ⋄ m←(⍳5)∘.≥9-⍺ ⋄ k←⍵∘.=⍳6 ⋄ (,(t∧m)+.×k),(,(t∧(⍳5)∘.=2×⍺)+.×k),,((⍳5)∘.=⍺)+.×k}",
    "{k←⌊⍺÷2 ⋄ m←k∘.=⍳6 ⋄ r←(⍉m)+.×⍵∘.=⍳9 ⋄ k←⌽k ⋄ (+/k),(+/,m),,r}",
)
KEYS: dict[str, Any] = {
    "many": (RNG.integers(-2, 14, 300), RNG.integers(-3, 12, 300)),
    "one": (np.array([3]), np.array([4])),
    "one and many": (np.array([3]), RNG.integers(1, 9, 20)),
    "none": (np.array([], int), np.array([], int)),
    "far away": (np.array([2**62, -(2**63), 5]), np.array([-(2**63), 2**63 - 1, 5])),
    "other lengths": (np.array([1, 2, 3]), np.array([1, 2])),
}


@needs_c
@pytest.mark.in_turn(8)
@pytest.mark.parametrize("given", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("text", TABLES)
def test_values(text: str, given: tuple[Any, Any]) -> None:
    assert outcome(text, "c", given) == outcome(text, "interp", given)


def outcome(text: str, target: Any, given: tuple[Any, Any]) -> Any:
    """What a function gives, or its error."""
    try:
        return np.asarray(aplc.fn(text, target=target)(*given)).round(9).tolist()
    except aplc.RunError as error:
        return str(error).splitlines()[0]


def test_pairs_are_counted_and_no_table_of_truth_values_is_written() -> None:
    text = aplc.fn(f"{{{TABLE}}}").emit("c", "[int]1,[int]1")
    assert "sums[" in text and "bool *a" not in text
