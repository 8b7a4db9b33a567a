"""Maps over a few rows that loops read side by side: a map for each row, in the loop that reads them."""

import numpy as np
import pytest

import aplc
from aplc.laila.transform.fusion.few_rows import FEW
from tests.support.days import of_today
from tests.support.laila.text import laila

SORTED = "{d←{⍵[⍒⍵]}⍤1⍉(4⍴10)⊤⍵ ⋄ (10⊥⍉d)-10⊥⍉⌽d}"
SIDE_BY_SIDE = (
    SORTED,
    f"{{{SORTED}⍣3⊢⍵}}",
    "{{⌈/⍵[⍋⍵][2 3]}⍤1⍉(4⍴10)⊤⍵}",
    "{d←⍉{⍵[⍋⍵]}⍤1⍉10 10⊤⍵ ⋄ d[2;]×d[1;]}",
)
APART = ("{k←1⌊≢⍵ ⋄ d←{⍵[⍋⍵]}⍤1⍉10 10⊤⍵ ⋄ d[⍳k;]}", f"{{+/,{{⍵[⍋⍵]}}⍤1⍉({FEW + 1}⍴2)⊤⍵}}")


@pytest.mark.parametrize("power", ("", "⍣3"))
def test_digits_that_are_sorted_are_in_registers(power: str) -> None:
    """One array is written, that of the values."""
    made = laila(f"w←1000|7×⍳9999\n⎕←{SORTED}{power}⊢w")
    assert made.count("alloc") == 1


def test_rows_that_are_small_behind_the_first_round_are_narrow() -> None:
    assert "began : bool" in laila(f"w←?9999⍴1000\n⎕←{SORTED}⍣3⊢w")


@pytest.mark.parametrize("text", of_today((*SIDE_BY_SIDE, *APART), 2))
def test_values(text: str) -> None:
    for n in (0, 1, 5, 300):
        v = np.random.default_rng(n).integers(-(10**12), 10**12, n) // 10 ** (n % 13)
        meaning = aplc.fn(text, target="interp")(v)
        for target in ("c", "openmp"):
            np.testing.assert_array_equal(aplc.fn(text, target=target)(v), meaning)
