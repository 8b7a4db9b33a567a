"""Inverses: what they give is what the function takes."""

from __future__ import annotations

import numpy as np
import pytest

import aplc

NUMBERS = "1 2.5 ¯3 0.5"
OF_NUMBERS = "- + ÷ ⊢ ⌽ ⊖ 2∘+ 2∘- 2∘× 2∘÷ +∘2 -∘2 ×∘2 ÷∘2"
OF_POSITIVE = "* ⍟ 2∘* 2∘⍟ *∘3 ⍟∘3 ○ ×⍨ +⍨ !"
OF_MATRICES = "⍉|⌹|1∘⌽|1∘⊖|2 1∘⍉|+\\|+⍀|×\\|×⍀|⌽[1]|(2∘+)⍤1"
OF_CONDITIONS = "~ ≠\\ =\\ 1∘≠ =∘0 ≠\\∘⌽"
COMPOSED = "2∘+∘(3∘×)|(2∘+)⍤(3∘×)|-⍥(2∘×)|(2+3×⊢)|(1∘⌽-)|-⍨∘2|(2∘×)⍣3|(2∘+)¨|(f -)|(f (2∘×))"
BOTH_WAYS = [
    *[(f, NUMBERS) for f in OF_NUMBERS.split()],
    *[(f, "1 2.5 3") for f in OF_POSITIVE.split()],
    *[(f, "2 2⍴1 2 3 5") for f in OF_MATRICES.split("|")],
    *[(f, "1 0 0 1 1") for f in OF_CONDITIONS.split()],
    *[(f"{k}∘○", "0.1 0.2 0.3") for k in (1, 2, 3, 5, 7, 0)],
    *[(f, "3 4 5") for f in COMPOSED.split("|")],
    ("10∘⊥", "7 8 9 1234567890123456789"),
    ("2∘⊥", "0 1 2 3"),
    ("16∘⊥", "3 3⍴⍳9"),
    ("24 60 60∘⊥", "100000 1 0"),
    ("24 60 60∘⊤", "1 2 3"),
    ("1 2∘,", "1 2 3"),
    (",∘9", "1 2 9"),
    ("1 0 1∘\\", "1 0 2"),
]


@pytest.mark.parametrize(("function", "argument"), BOTH_WAYS)
def test_a_function_of_its_inverse(function: str, argument: str) -> None:
    text = f"f←1∘+\ng←{function}\n⎕←y←{argument}\ng (g⍣¯1) y"
    back = aplc.run(text, target="interp")
    expected = aplc.run(argument, target="interp")
    np.testing.assert_allclose(np.asarray(back, float), np.asarray(expected, float), rtol=1e-9, atol=1e-12)


DYADIC = [
    *[(f, "3", "5") for f in ("+", "-", "÷", "-⍨", "+∘-", "-⍤+", "-⍥(2∘×)", "(-+)", "+⍣2")],
    ("⌽", "1", "1 2 3"),
    ("+¨", "3", "5 6"),
    ("⊥", "10", "123"),
]


@pytest.mark.parametrize(("function", "left", "argument"), DYADIC)
def test_with_a_left_argument(function: str, left: str, argument: str) -> None:
    back = aplc.run(f"g←{function}\n{left} g {left} (g⍣¯1) {argument}", target="interp")
    assert np.asarray(back).tolist() == np.asarray(aplc.run(argument, target="interp")).tolist()


@pytest.mark.parametrize(
    "function", ["{⍵+1}", "+/", "⍴", "⌊", "2∘⌊", "≢", "∪", "+.×∘2", "{⍺⍺ ⍵}", "⍳", "(+/÷≢)", "2∘!"]
)
def test_what_has_none_says_so(function: str) -> None:
    with pytest.raises(aplc.Error, match=r"DOMAIN ERROR: .* has no inverse|VALUE ERROR|SYNTAX ERROR"):
        aplc.run(f"({function})⍣¯1⊢3 4", target="interp")


@pytest.mark.parametrize(
    "text", ["1⊥⍣¯1⊢5", "0⊥⍣¯1⊢5", "((1 2∘,)⍣¯1)1 3 4", "((,∘9)⍣¯1)1 2", "(!⍣¯1)0.5", "(2∘×⍣n)10", "÷⍣n⊢0"]
)
def test_where_there_is_none_the_run_says_so(text: str) -> None:
    with pytest.raises(aplc.Error, match="DOMAIN ERROR"):
        aplc.run(text, target="interp", inputs={"n": -1} if "n" in text else {})


@pytest.mark.parametrize("target", ["interp", "c"])
def test_counts_of_either_sign(target: str) -> None:
    for n, expected in ((-2, [2, 3, 1]), (0, [1, 2, 3]), (1, [2, 3, 1])):
        assert np.asarray(aplc.run("1∘⌽⍣n⊢1 2 3", target=target, n=n)).tolist() == expected
        assert aplc.run("(+∘1⍣n)10", target=target, n=n) == 10 + n
