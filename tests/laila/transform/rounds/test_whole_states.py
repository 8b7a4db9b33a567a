"""States of loops that are whole numbers in doubles: which loops are made with integers first, and what they
give about where integers end.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila
from tests.support.machine import needs_c

COLLATZ = ":While x≠1 ⋄ :If 0=2|x ⋄ x←x÷2 ⋄ :Else ⋄ x←1+3×x ⋄ :EndIf ⋄ k←k+1 ⋄ :EndWhile"
FACTORS = "p←2 ⋄ s←⍬ ⋄ :While x>1 ⋄ :If 0=p|x ⋄ s←s,p ⋄ x←x÷p ⋄ :Else ⋄ p←p+1 ⋄ :EndIf ⋄ :EndWhile ⋄ x←x,s"
TRIALS = "p←2 ⋄ :While x≥p×p ⋄ :While 0=p|x ⋄ k←k+1 ⋄ x←x÷p ⋄ :EndWhile ⋄ p←p+1 ⋄ :EndWhile"
GROWING = ":While k<70 ⋄ :If 0=2|x ⋄ x←x÷2 ⋄ :Else ⋄ x←x+3×x ⋄ :EndIf ⋄ k←k+1 ⋄ :EndWhile"
INNER = (
    "p←0 ⋄ :While p<9 ⋄ j←0 ⋄ :While j<20 ⋄ :If 0=3|x ⋄ x←x÷3 ⋄ :Else ⋄ x←2+7×x ⋄ :EndIf ⋄ j←j+1 ⋄ k←k+1"
    " ⋄ :If x>1e17 ⋄ x←5 ⋄ :EndIf ⋄ :EndWhile ⋄ p←p+1 ⋄ :EndWhile"
)
ONE_STEP = ":While (0=2|x)∧k<5 ⋄ x←x÷2 ⋄ k←k+1 ⋄ :EndWhile"
WITH_INTEGERS = {
    "collatz": COLLATZ, "factors": FACTORS, "trials": TRIALS, "growing": GROWING, "inner": INNER,
    "one condition": ONE_STEP,
    "indices of doubles": COLLATZ.replace("×x", "×x ⋄ s←0.5×⍳3|k ⋄ p←p+(+/0.5×⍳k)++/s×⌽s"),
    "the odd first": ":While x≠1 ⋄ :If 2|x ⋄ x←1+3×x ⋄ :Else ⋄ x←x÷2 ⋄ :EndIf ⋄ k←k+1 ⋄ :EndWhile",
    "squares of digits": ":While (k<9)∧x>4 ⋄ x←+/(10⊥⍣¯1⊢x)*2 ⋄ k←k+1 ⋄ :EndWhile",
    "powers of digits": ":While (k<9)∧x>4 ⋄ x←+/(10⊥⍣¯1⊢x)*15 ⋄ k←k+1 ⋄ :EndWhile",
    "a generator": ":While k<50 ⋄ x←(2*32)|1013904223+1664525×x ⋄ k←k+1 ⋄ :EndWhile",
    "two generators": ":While k<9 ⋄ x←(2*31)|7+65539×x ⋄ p←(1E9+7)|p+3×x ⋄ k←k+1 ⋄ :EndWhile",
    "of elements": "s←⌊0.5×x×1 3 2 ⋄ :While k<3 ⋄ k←k+1 ⋄ x←(2*20)|s[k]+33×x ⋄ :EndWhile",
    "elements below zero": "s←⌊x×3 ¯2 5 ⋄ :While k<3 ⋄ k←k+1 ⋄ x←(2*32)|s[k]+33×x ⋄ :EndWhile",
    "what it wrote before": "s←x,9⍴0 ⋄ :While k<9 ⋄ k←k+1 ⋄ s[k+1]←(2*32)|5+33×s[k] ⋄ :EndWhile ⋄ x←s",
    "by index": ":While x≠1 ⋄ x←(1+2|x)⊃(x÷2)(1+3×x) ⋄ k←k+1 ⋄ :EndWhile",
}  # fmt: skip
WITH_DOUBLES = {
    "halves": ":While x>1 ⋄ x←x÷2 ⋄ k←k+0=2|x ⋄ :EndWhile",
    "another divisor": ":While k<9 ⋄ :If 0=2|x ⋄ x←x÷3 ⋄ :EndIf ⋄ k←k+1 ⋄ :EndWhile",
    "changed since": ":While k<9 ⋄ :If 0=2|x ⋄ x←x+1 ⋄ x←x÷2 ⋄ :EndIf ⋄ k←k+1 ⋄ :EndWhile",
    "another condition": ":While k<9 ⋄ :If 1=3|x ⋄ x←x÷3 ⋄ :EndIf ⋄ k←k+1 ⋄ :EndWhile",
    "below zero": ":While k<9 ⋄ :If 0=2|x ⋄ x←-x÷2 ⋄ :EndIf ⋄ k←k+1 ⋄ :EndWhile",
    "a generator that rounds": ":While k<9 ⋄ x←(2*31)|12345+1103515245×x ⋄ k←k+1 ⋄ :EndWhile",
    "squares": ":While k<3 ⋄ :If 0=2|x ⋄ x←x×x÷2 ⋄ :EndIf ⋄ k←k+1 ⋄ :EndWhile",
}
STARTS = [
    0.0, -0.0, 1, 2, 27, -3, 96, 6006, 0.5, 2.5, 2**44 + 2, 2**46 - 2, 2**46 - 1, 2**46, 2**46 + 2, 2**47,
    3**28, 2**52 + 8, 1e17,
]  # fmt: skip


def program(body: str) -> str:
    """The function of a body."""
    lines = body.replace(" ⋄ ", "\n")
    return f"∇ r←f x;k;p;s;j\nk←0\np←0\nj←0\n{lines}\nr←x,k,p\n∇\n"


def with_integers(body: str) -> bool:
    """Whether a function has a loop that is made with integers first."""
    text = laila(program(body) + "⎕←f ≢?100⍴9\n")
    return any(line.lstrip().startswith("var ") and " : int = ftrunc(" in line for line in text.splitlines())


def outcome(function: Callable[[Any], Any], start: Any) -> object:
    """The value for a start, as bits, or the first line of the error."""
    try:
        return np.asarray(function(start), float).tobytes()
    except aplc.AplcError as error:
        return str(error).splitlines()[0]


def agree(text: str, path: Path) -> None:
    """Assert that both targets have the same values for all starts."""
    path.write_text(text)
    interp, c = [aplc.load(path, target=target, strict_fp=True).f for target in ("interp", "c")]
    for start in STARTS:
        assert outcome(interp, start) == outcome(c, start), start


@pytest.mark.parametrize("body", WITH_INTEGERS.values(), ids=WITH_INTEGERS)
def test_loops_with_integers(body: str) -> None:
    assert with_integers(body)


@pytest.mark.parametrize("body", WITH_DOUBLES.values(), ids=WITH_DOUBLES)
def test_loops_with_doubles(body: str) -> None:
    assert not with_integers(body)


@needs_c
@pytest.mark.parametrize(
    "body", [*WITH_INTEGERS.values(), *WITH_DOUBLES.values()], ids=[*WITH_INTEGERS, *WITH_DOUBLES]
)
def test_values(body: str, tmp_path: Path) -> None:
    head, _, rest = body.partition(":While ")
    first, _, behind = rest.partition(" ⋄ ")
    agree(program(f"{head}:While (k<200)∧(p<200)∧({first}) ⋄ {behind}"), tmp_path / "f.apl")


@needs_c
def test_elements_of_which_nothing_is_known_are_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "f.apl"
    path.write_text("∇ r←f v;c\nr←5\n:For c :In ⌊v\nr←(2*32)|c+33×r\n:EndFor\n∇\n")
    interp, c = [aplc.load(path, target=target, strict_fp=True).f for target in ("interp", "c")]
    assert "stops" in c.emit("laila", "[double]1")
    for v in (
        [],
        [1, 2, 3],
        [7, -1, 5, 9],
        [2**46, 3, 4],
        [1, 2, 2**52 + 1, 3],
        [4] * 99 + [2**62, -(2**62), 1],
    ):
        given = np.array(v, float)
        assert outcome(interp, given) == outcome(c, given)


@needs_c
def test_a_round_whose_inner_loop_comes_to_large_numbers_begins_anew(tmp_path: Path) -> None:
    body = (
        ":While k<5 ⋄ x←1+⌊x÷2 ⋄ k←k+1 ⋄ y←x ⋄ j←0 ⋄ :While (j<60)∧0=1|y ⋄ :If 0=2|y ⋄ y←y÷2"
        " ⋄ :Else ⋄ y←1+7×y ⋄ :EndIf ⋄ j←j+1 ⋄ :EndWhile ⋄ p←p+y ⋄ :EndWhile"
    )
    assert with_integers(body)
    agree(program(body).replace(";j", ";j;y"), tmp_path / "f.apl")
