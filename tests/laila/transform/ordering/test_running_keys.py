"""Keys that are a running count have numbers without a search."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.options import Options
from tests.support.compiling import c_of
from tests.support.laila.text import laila

RNG = np.random.default_rng(8)


def cases() -> list[tuple[Any, Any]]:
    """Values, and what is counted where it is above 3: never, always, at the first one or not."""
    lengths = (0, 1, 2, 5, 300)
    return [(RNG.integers(0, 100, n), RNG.integers(low, 6, n)) for n in lengths for low in (0, 3, 4)]


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("target", ("c", "openmp"))
@pytest.mark.parametrize(
    "text",
    (
        "{(+\\⍵>3){+/⍵}⌸⍺}",
        "{(+\\⍵>3){⍺,+/⍵}⌸⍺×0.5}",
        "{(+\\⍵>3){≢⍵}⌸⍺}",
        "{(+\\⍵>3){⊃⍵}⌸⍺}",
        "{k←+\\⍵>3 ⋄ (∪k),k{(⌈/⍵)-⊃⌽⍵}⌸⍺}",
        "{k←+\\⍵>3 ⋄ k,(∪k)⍳k}",
        "{(+\\1,1↓3<⍵){+/⍵}⌸⍺}",
        "{{≢⍵}⌸+\\3<(⍺>50)/⍵}",
        "{b←⍺>50 ⋄ (+\\2∊⍨b/⍵){+/⍵}⌸b/⍺}",
    ),
)
def test_values(text: str, target: Any) -> None:
    wanted, found = aplc.fn(text, target="interp"), aplc.fn(text, target=target)
    for values, counted in cases():
        if len(values) or "1," not in text:
            assert np.array_equal(found(values, counted), wanted(values, counted))


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        ("+\\v>3", 0),
        ("+\\1,7<1↓v-¯1⌽v", 0),
        ("+\\2×v>3", 1),
        ("+\\v", 1),
        ("⌽+\\v>3", 1),
    ],
)
def test_which_are(keys: str, found: int) -> None:
    made = laila(f"v←300|7×⍳9999\n⎕←({keys}){{+/⍵}}⌸v")
    assert made.count("aplc_number_") == found


def test_what_is_counted_lives_until_then() -> None:
    made = c_of("⎕←{≢⍵}⌸+\\'ab'∊⍨(v>3)/w", Options(verify=True), v=[3, 4], w=np.array(list("ab")))
    assert "aplc_count_each" not in made
