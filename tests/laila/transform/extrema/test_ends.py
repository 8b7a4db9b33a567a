"""What equals the extremum of a row is compared with the last number that does."""

import re
from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

RNG = np.random.default_rng(11)
WIDTHS = (0, 1, 3, 5, 8, 15, 16, 40)
KINDS = ("few", "just within ⎕CT", "negative", "NaN", "infinite", "next to nothing")
TEXTS = (
    "{{⍵⍳⌊/⍵}⍤1⊢⍵}",
    "{{⍵⍳⌈/⍵}⍤1⍉⍵}",
    "{{(⌈/⍵)=⍵}⍤1⊢⍵}",
    "{{+/⍵=⌊/⍵}⍤1⊢⍵}",
    "{⎕CT←1E¯9 ⋄ {⍵⍳⌈/⍵}⍤1⊢⍵}",
    "{⎕CT←0 ⋄ {⍵⍳⌈/⍵}⍤1⊢⍵}",
    "{{m←⌈/⍵ ⋄ ((m=⍵)/⍳≢⍵),m=2×⍵}¨↓⍵}",
    "{{m←⌊/⍵ ⋄ v←⍵ ⋄ v[≢v]←m ⋄ ⍸v=m}¨↓1,⍵}",
    "{(⌈/⍵)=⍤0 1⊢⍵}",
    "{⍵=⍤1⊢⌊⌿⍵}",
    "{{(⍵=⌈/⍵)/⍳≢⍵}¨↓1,⍵}",
    "{+/{+/(⍵=⌊/⍵)/⌽⍳≢⍵}¨↓1,⍵}",
    "{(1⊃⍴⍵)↑{⍵⍳⌈/|⍵}⍤1⊢⍵}",
)


def _matrix(kind: str, rows: int, columns: int) -> Any:
    some = RNG.integers(-3, 4, (rows, columns)).astype(float)
    steps = 1 + RNG.integers(-60, 60, (rows, columns)) * 2.0**-52
    match kind:
        case "few":
            return some
        case "just within ⎕CT":
            return steps * RNG.choice([1.0, 1.9, 3e200, 1e-300], (rows, 1))
        case "negative":
            return -steps * RNG.choice([1.0, 1.4, 7e-5], (rows, 1))
        case "NaN":
            return np.where(RNG.random((rows, columns)) < 0.1, np.nan, some)
        case "infinite":
            return np.where(RNG.random((rows, columns)) < 0.3, RNG.choice([np.inf, -np.inf], columns), some)
        case _:
            return some * 5e-324


def _outcome(function: Any, m: Any) -> str:
    """The value, or the error."""
    try:
        return str(function(m))
    except aplc.Error as error:
        return str(error)


@pytest.mark.in_turn(12)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str, kind: str) -> None:
    c, interp = aplc.fn(text, target="c"), aplc.fn(text, target="interp")
    for columns in WIDTHS:
        m = _matrix(kind, 37, columns)
        assert _outcome(c, m) == _outcome(interp, m), columns


@pytest.mark.parametrize("kind", KINDS)
def test_values_in_kernels(kind: str) -> None:
    text = "{{⍵⍳⌊/⍵}⍤1⊢⍵}"
    kernels, interp = aplc.fn(text, target="opencl"), aplc.fn(text, target="interp")
    m = _matrix(kind, 37, 9)
    assert kernels(m).tolist() == interp(m).tolist()


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("{⍵⍳⌊/⍵}⍤1⊢m", "highestd"),
        ("{(⌈/⍵)=⍵}⍤1⊢m", "lowestd"),
        ("{s←⌈/⍵ ⋄ v←⍵ ⋄ v[3]←7 ⋄ +/v=s}⍤1⊢m", ""),
        ("{⍵⍳⌊/1+⍵}⍤1⊢m", ""),
        ("{⍵⍳⌊/1↓⍵}⍤1⊢m", ""),
    ],
)
def test_which_rows_are_compared_so(text: str, ends: str) -> None:
    text = laila(f"m←0.5×20 30⍴⍳600\n⎕←{text}")
    assert [each for each in ("highestd", "lowestd") if each in text] == ends.split()


def test_lanes_find_the_end_once() -> None:
    """That of each row is found beside those of others, in front of the loop along the rows."""
    text = laila("m←0.5×200 30⍴⍳6000\n⎕←{(⌈/⍵)=⍵}⍤1⊢m")
    assert re.search(r"MAP \w+\[lane\] over lane < 16 { lowestd", text)
