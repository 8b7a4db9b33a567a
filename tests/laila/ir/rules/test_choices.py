"""Choices among constants: what is computed of them."""

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

LETTERS = np.array(list("MCMXLXIXVIIA"), "<U1")


@pytest.mark.parametrize("op", "<≤=≠≥>")
@pytest.mark.parametrize("bound", [0, 1, 2, 3, 4, 5])
def test_a_comparison_of_a_place_is_conditions(op: str, bound: int) -> None:
    text = f"{{('XIM'⍳⍵){op}{bound}}}"
    assert np.array_equal(aplc.fn(text, target="c")(LETTERS), aplc.fn(text, target="interp")(LETTERS))
    made = laila(f"t←'MIXA'[?99⍴4]\n⎕←('XIM'⍳t){op}{bound}")
    assert "? 2" not in made


def test_what_stands_beside_a_key_is_one_choice() -> None:
    """Whether there is one is told by the conditions of the choice, not by its place."""
    made = laila("t←'MIXA'[?99⍴4]\n⎕←5 7 9['XIM'⍳t]")
    assert made.count("? 5 :") == 1 and "<= 3" not in made
    assert made.count(": 0)") == 1


def test_a_key_that_is_not_there_is_an_error() -> None:
    compiled = aplc.fn("{5 7 9['XIM'⍳⍵]}", target="c")
    assert compiled(LETTERS[[0, 3, 6]]).tolist() == [9, 5, 7]
    with pytest.raises(aplc.AplcError, match="INDEX ERROR"):
        compiled(LETTERS)


def test_conditions_that_guard_others_stay() -> None:
    """What the second one reads is only there where the first one says so."""
    text = "{(≢⍵)<2:0 ⋄ +/2=⊃{⍵>(≢v):1 ⋄ 0<v[⍵]:2 ⋄ 3}¨⍳5⊣v←⍵}"
    for v in (np.array([1, 2, 3]), np.array([1])):
        assert aplc.fn(text, target="c")(v) == aplc.fn(text, target="interp")(v)
