"""Elements and slices as often as counts say: several copies are written at once where there is room."""

import re
from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

RNG = np.random.default_rng(3)
COUNTS: dict[str, Any] = {
    "few": RNG.integers(0, 4, 200),
    "about as many as are written at once": RNG.integers(6, 11, 200),
    "many now and then": np.where(RNG.random(200) < 0.05, 100, 1),
    "negative": RNG.integers(-9, 10, 200),
    "none at the end": np.append(RNG.integers(0, 3, 100), np.zeros(40, dtype=np.int64)),
    "one long": np.array([9]),
    "less than are written at once": np.array([0, 2, 0, 3, 1, 0]),
    "none": np.zeros(5, dtype=np.int64),
    "no counts": np.zeros(0, dtype=np.int64),
    "too many": np.array([1, 2**62, 2**62]),
    "the least integer": np.array([1, -(2**63)]),
}
TEXTS = (
    "{⍵/⍳≢⍵}",
    "{⍵/0.5×⍳≢⍵}",
    "{⍵/(≢⍵)⍴'replicate'}",
    "{⍵/2=⍳≢⍵}",
    "{⍵/3(≢⍵)⍴⍳3×≢⍵}",
    "{⍵⌿(≢⍵)2⍴⍳2×≢⍵}",
    "{⍸⍵}",
    "{+/⍵/⍳≢⍵}",
    "{2×⌽⍵/⍳≢⍵}",
    "{⍵/7}",
)


def _outcome(function: Any, counts: Any) -> str:
    """The value, or the error; how many elements there cannot be is told exactly by the interpreter alone."""
    try:
        return str(function(counts))
    except aplc.Error as error:
        return re.sub(r"\d{16,}", "many", str(error))


@pytest.mark.parametrize("target", ["c", "openmp"])
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str, target: str) -> None:
    compiled, interp = aplc.fn(text, target=target), aplc.fn(text, target="interp")
    for kind, counts in COUNTS.items():
        assert _outcome(compiled, counts) == _outcome(interp, counts), kind


def test_copies_are_written_at_once() -> None:
    """But not behind the last element."""
    text = laila("c←10|⍳50\n⎕←c/⍳50")
    assert "over j_1 < 8 {" in text or "over j < 8 {" in text
    assert "+ 8) <= " in text
