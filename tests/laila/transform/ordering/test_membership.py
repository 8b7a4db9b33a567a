"""Tables that are only asked whether they have an element."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.laila.ir.text_print import print_program
from aplc.tail.types import Array, Base, Rho
from tests.support.laila.programs import lowered

RNG = np.random.default_rng(27)
PAIRS: dict[str, tuple[Any, Any]] = {
    "close": (RNG.integers(-50, 50, 700), RNG.integers(-40, 40, 300)),
    "far": (RNG.integers(-50, 50, 700) * 10**15, RNG.integers(-40, 40, 300) * 10**15),
    "few": (RNG.integers(-5, 5, 700), np.array([3, -2, 0])),
    "of any size": (np.append(RNG.integers(-(2**63), 2**63 - 1, 400), 0), RNG.integers(-9, 9, 2000) << 58),
    "none": (np.arange(5), np.zeros(0, np.int64)),
    "for none": (np.zeros(0, np.int64), np.arange(50)),
    "doubles": tuple(RNG.choice([0.0, -0.0, np.nan, 1.5, np.inf, 2.0], n) for n in (300, 40)),
    "characters": tuple(RNG.choice(list("abcdé€"), n).astype("<U1") for n in (300, 40)),
}


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
@pytest.mark.parametrize(
    "text", ("{⍺∊⍵}", "{+/~⍺∊⍵}", "{(⍺∊⍵)/⍺}", "{⍺~⍵}", "{⍺∩⍵}", "{(⍺∊⍵),⍵⍳⍺}", "{⎕CT←0 ⋄ ⍺∊⍵}")
)
def test_values(text: str, pair: tuple[Any, Any]) -> None:
    wanted = np.asarray(aplc.fn(text, target="interp")(*pair))
    for target in ("c", "openmp"):
        found = np.asarray(aplc.fn(text, target=target)(*pair))
        assert np.array_equal(found, wanted, equal_nan=wanted.dtype.kind == "f")


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
@pytest.mark.parametrize("text", ("{≠⍵}", "{+\\≠⍵}", "{(≠⍵)/⍵}", "{(⌽≠⌽⍵)/⍵}", "{⎕CT←0 ⋄ ≠⍵,⍵}"))
def test_firsts_of_their_kind(text: str, pair: tuple[Any, Any]) -> None:
    for given in pair:
        wanted = np.asarray(aplc.fn(text, target="interp")(given))
        for target in ("c", "openmp"):
            found = np.asarray(aplc.fn(text, target=target)(given))
            assert np.array_equal(found, wanted, equal_nan=wanted.dtype.kind == "f")


@pytest.mark.parametrize(
    ("text", "sets"),
    [
        ("⎕←v∊w", 1),
        ("⎕←+/v×~v∊w", 1),
        ("⎕←v~w", 1),
        ("⎕←w⍳v", 0),
        ("⎕←(w⍳v)≤3", 0),
        ("t←w⍳v ⋄ ⎕←(t≤≢w)/t", 0),
        ("⎕CT←1E¯9 ⋄ ⎕←(÷v)∊÷w", 0),
    ],
)
def test_which_are_sets(text: str, sets: int) -> None:
    inputs = {name: Array(Base.INT, Rho(1)) for name in "vw"}
    assert print_program(lowered(text, **inputs)).count("_make_set(") == sets


@pytest.mark.parametrize(
    ("text", "tables"), [("⎕←≠v", 0), ("⎕←(+\\≠v)×≠v", 0), ("⎕←(v⍳v)=⍳≢v", 0), ("⎕←v⍳v", 1)]
)
def test_firsts_need_no_table(text: str, tables: int) -> None:
    assert print_program(lowered(text, v=Array(Base.INT, Rho(1)))).count("_make(") == tables


@pytest.mark.parametrize(("text", "tables"), [("⎕CT←0 ⋄ ⎕←≠v", 0), ("⎕CT←0 ⋄ ⎕←(v⍳v)=⍳≢v", 1)])
def test_firsts_of_doubles(text: str, tables: int) -> None:
    """Each NaN is the first of its kind, and equals none: a mark answers only the one of these questions."""
    assert print_program(lowered(text, v=Array(Base.DOUBLE, Rho(1)))).count("_make(") == tables


@pytest.mark.parametrize("length", (4, 40, 4000))
def test_each_nan_is_the_first_of_its_kind(length: int) -> None:
    given = np.where(np.arange(length) % 5 == 2, np.nan, np.arange(length) % 7 * 1e5)
    for text in ("{⎕CT←0 ⋄ ≠⍵}", "{≠⍵}", "{⎕CT←0 ⋄ (⍵⍳⍵)=⍳≢⍵}"):
        wanted = aplc.fn(text, target="interp")(given)
        assert wanted[2] == (text[-3] != "≢")
        assert np.array_equal(aplc.fn(text, target="c")(given), wanted)


@pytest.mark.parametrize(
    ("text", "is_marked"),
    [
        ("m←99 2⍴v ⋄ ⎕←(≠m[;1])⌿m", True),
        ("m←99 2⍴v ⋄ ⎕←(⌽≠⌽m[;1])⌿m", True),
        ("⎕←(⌽≠⌽v)/v", True),
        ("⎕←(⍳≢v)≤v⍳⌽v", False),
        ("u←5↓v ⋄ ⎕←((5↓v)⍳v)≥⍳≢v", False),
    ],
)
def test_firsts_among_what_is_computed_again(text: str, is_marked: bool) -> None:
    made = print_program(lowered(text, v=Array(Base.INT, Rho(1))))
    assert ("aplc_firsts_1_int" in made) == is_marked
