"""Tables of constants in loops that run in lanes: computed."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.compiler import optimise, to_c, to_laila, to_tail
from aplc.laila.ir.constants import folded
from aplc.laila.ir.interval import Interval
from aplc.laila.ir.interval_rules import RULES
from aplc.laila.ir.scalar import PIECE
from aplc.laila.ir.simplify import ExprBuilder
from aplc.options import Options
from aplc.tail.source import Source

RNG = np.random.default_rng(8)
HEX = "0123456789abcdef"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
DAYS = "31 28 31 30 31 30 31 31 30 31 30 31"
CODES = [0, 1, 43, 46, 47, 48, 57, 58, 64, 65, 90, 91, 96, 97, 102, 103, 122, 123, 255, 65536, 1114111]
TEXT = np.array([chr(k) for k in CODES] * 40)
EXTREMES = [-(2**63), 2**63 - 1, -(2**31), 2**31 - 1, 2**31, 2**32 + 48, -1, 0]
NUMBERS = np.array([*EXTREMES, *range(-5, 60)] * 5)


def generated(text: str, **given: Any) -> str:
    options = Options(**given)
    term = optimise(to_tail([Source("p.apl", text)], {}).term, options)
    return to_c(*to_laila(term, {}, options), options).text


def same(text: str, *arguments: Any) -> None:
    wanted = aplc.fn(text, target="interp")(*arguments)
    for target in ("c", "openmp"):
        found = aplc.fn(text, target=target)(*arguments)
        assert np.array_equal(wanted, found), (text, target)


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("length", [0, 1, 2, 3, 31, 1000])
def test_elements(length: int) -> None:
    v = RNG.integers(0, 256, length)
    for given in (v, v.astype(np.uint8)):
        same(f"{{,'{HEX}'[1+⍉16 16⊤⍵]}}", given)
        same(f"{{'{LETTERS}'[1+64|⍵]}}", given)
        same(f"{{({DAYS})[1+12|⍵]}}", given)
        same("{(10 20 30 5 4 3 2 1)[1+8|⍵]}", given)
        same("{(9e15-¯4 ¯2 0 2)[1+4|⍵]}", given)
        same("{(1 ¯9223372036854775808 3 9223372036854775807)[1+4|⍵]}", given)
        same("{+/(3 1 4 1 5 9 2 6)[1+8|⍵]}", given)
        same("{⌈/(0 1 0 ¯1)[1+4|⍵]}", given)


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("keys", [HEX, LETTERS, HEX[::-1], "a0b1", "zz9a9", "ACGT0123"])
def test_places(keys: str) -> None:
    for length in (0, 1, 7, len(TEXT)):
        same(f"{{'{keys}'⍳⍵}}", TEXT[:length])
        same(f"{{+/'{keys}'⍳⍵}}", TEXT[:length])
    codes = " ".join(str(ord(c)) for c in keys)
    same(f"{{({codes})⍳⍵}}", NUMBERS)
    same("{(¯2 ¯1 0 5 6 7 20 18 16)⍳⍵}", NUMBERS)


def test_of_what_is_a_condition_away() -> None:
    """Elements that are not there are not wanted either."""
    same(f"{{{{(⍵<1)∨⍵>12:0 ⋄ ({DAYS})[⍵]}}¨⍵}}", NUMBERS)


@pytest.mark.parametrize(
    ("text", "are"),
    [
        (f"⎕←+/⎕UCS ,'{HEX}'[1+⍉16 16⊤⍳1000]", True),
        (f"⎕←({DAYS})[1+12|⍳1000]", True),
        (f"⎕←'{HEX}'⍳⎕UCS 128|⍳1000", True),
        ("⎕←(3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3 2 3 8 4 6 2 6 4)[1+24|⍳1000]", False),
        (f"⎕←+\\({DAYS})[1+12|⍳1000]", False),
        (f"⎕←¯3+{DAYS}", False),
    ],
)
def test_which_are(text: str, are: bool) -> None:
    for given in ({}, {"target": "openmp"}):
        made = generated(text, **given)
        assert ("static const" not in made) == are, made


def test_a_piece_is_bounded_by_its_ends() -> None:
    make = ExprBuilder()
    for value, step in [(5, 0), (5, 3), (-7, 2), (3, -4)]:
        args = [make.const(k) for k in (10, 6, value, step)]
        found = [folded(PIECE, [make.const(x), *args]) for x in range(20)]
        assert found == [value + step * (x - 10) if 10 <= x < 16 else 0 for x in range(20)]
        interval = RULES[PIECE](Interval(0, 99), *[Interval(k, k) for k in (10, 6, value, step)])
        assert interval == Interval(min(found), max(found))
