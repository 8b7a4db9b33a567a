"""Loops over the same rows, for a few rows at a time."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.calling.functions import Function
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.laila.text import laila

RNG = np.random.default_rng(8)
MATRICES: dict[str, Any] = {
    "many": RNG.normal(size=(130, 7)),
    "long": RNG.normal(size=(5, 300)),
    "NaN": np.where(RNG.random((70, 5)) < 0.1, np.nan, 1.5),
    "no rows": np.zeros((0, 3)),
    "no columns": np.zeros((3, 0)),
    "integers": RNG.integers(1, 9, (33, 9)),
}
TEXTS = (
    "{⍵÷⍤1 0⊢(+/⍵*2)*0.5}",
    "{e←*⍵-⍤1 0⊢⌈/⍵ ⋄ e÷⍤1 0⊢+/e}",
    "{s←+/⍵ ⋄ (⍵×⍤1 0⊢s),s}",
    "{s←+/⍵ ⋄ b←⍵×⍤1 0⊢s ⋄ b+1⊖b}",
    "{⌈/(⌈\\⍵)-⍵}",
    "{(⌊\\⍵)-⍵}",
    "{s←+\\⍵ ⋄ s÷⍤1 0⊢1+⌈/|s}",
    "{(+\\⍵)-⊖⌊\\⍵}",
)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("m", MATRICES.values(), ids=MATRICES)
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str, m: Any) -> None:
    meaning = aplc.fn(text, target="interp")(m)
    for target in ("c", "openmp"):
        found = Function([Source("text", text)], None, Options(target, verify=True))(m)
        assert np.allclose(found, meaning, rtol=1e-9, atol=0, equal_nan=True), target


@pytest.mark.parametrize(
    ("text", "together"),
    [
        ("m×⍤1 0⊢+/m", True),
        ("m÷⍤1 0⊢(+/m*2)*0.5", True),
        ("e÷⍤1 0⊢+/e←*m-⍤1 0⊢⌈/m", True),
        ("m×⍤1 0⊢⌽+/m", False),
        ("m×⍤1 0⊢+/⊖m", False),
        ("m×⍤1⊢+⌿m", False),
        ("s,≢m×⍤1 0⊢s←+/m", False),
        ("m÷⍤1 0⊢(+/m)*0.5", False),  # both may fail
        ("(2×m)+⍤1 0⊢+/m", True),
        ("⌈/(⌈\\m)-m", True),
        ("(⌊\\m)-m", True),
        ("(⌊\\m)-⊖m", True),
        ("⊖(⌊\\m)-1⊖m", False),
        ("(⊖⌊\\m)-m", False),
        ("⌈/(⌈⍀m)-m", False),
    ],
)
def test_which_are_together(text: str, together: bool) -> None:
    made = laila(f"m←40 9⍴÷300|7×⍳999\nm←(m[;1]>0)⌿m\nm←(m[1;]>0)/m\n⎕←{text}")
    assert ("for part" in made) == together


def test_the_first_error_is_that_of_the_first_loop() -> None:
    m = np.ones((600, 5))
    m[0] = 0.0
    m[0, 0] = np.nan
    m[599] = -1.0
    for target in ("interp", "c"):
        with pytest.raises(aplc.RunError, match="DOMAIN ERROR"):
            aplc.fn("{⍵÷⍤1 0⊢(+/⍵)*0.5}", target=target)(m)
