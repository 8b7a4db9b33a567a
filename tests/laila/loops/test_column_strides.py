"""Loops over a few columns: a version for rows of just these."""

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

TEXTS = (
    "{⍵[;1]+2×⍵[;2]}",
    "{⍵[;1]⌈⍵[;2]⌈⍵[;3]}",
    "{(⍵[;2]*2)+⍵[;4]}",
    "{+/⍵[;3]×⍵[;1]}",
    "{a←⍵[;1] ⋄ b←⍵[;2] ⋄ (⌽a)+b}",
    "{10⊥⍉⍵[;1 2 4]}",
    "{60⊥10⊥⍉((≢⍵),2 2)⍴⍵[;1 2 4 5]}",
)


@needs_c
@pytest.mark.in_turn(8)
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str) -> None:
    random = np.random.default_rng(3)
    for columns in (4, 5, 8, 3, 2):
        for rows in (0, 1, 7, 100):
            for m in (random.normal(0, 1, (rows, columns)), random.integers(-9, 9, (rows, columns))):
                try:
                    wanted = aplc.fn(text, target="interp")(m)
                except aplc.RunError:
                    with pytest.raises(aplc.RunError, match="INDEX ERROR"):
                        aplc.fn(text, target="c")(m)
                    continue
                for target in ("c", "openmp"):
                    assert np.allclose(aplc.fn(text, target=target)(m), wanted, rtol=1e-9)


@pytest.mark.parametrize(
    ("text", "version"),
    (
        ("{⍵[;1]+2×⍵[;2]}", "if (omega_n1 == 2)"),
        ("{⍵[;1]⌈⍵[;2]⌈⍵[;3]}", "if (omega_n1 == 3)"),
        ("{⍵[;1]+⍵[;4]}", "if (omega_n1 == 4)"),
        ("{⍵[;1]+⍵[;5]}", None),
        ("{10⊥⍉⍵[;1 2 4 5 7 8]}", "if (omega_n1 == 8)"),
        ("{10⊥⍉⍵[;1 2 3 9]}", None),
        ("{2×⍵[;2]}", None),
    ),
)
def test_which_have_one(text: str, version: str | None) -> None:
    """One column alone has none, nor have longer rows, or such of which most is not read."""
    made = aplc.fn(text).emit("c", "[double]2")
    assert version in made if version else "omega_n1 ==" not in made
