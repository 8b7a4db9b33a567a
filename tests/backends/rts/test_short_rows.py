"""Rows of a few elements in the run-time system: sorted in registers, told apart by one code each."""

import numpy as np
import pytest

import aplc

RNG = np.random.default_rng(11)
SORTS = ("{{⍵[⍋⍵]}⍤1⊢⍵}", "{{⍵[⍒⍵]}⍤1⊢⍵}", "{{2↑⍋⍵}⍤1⊢⍵}", "{{(⍵[⍒⍵])[2]}⍤1⊢⍵}")
KEYS = ("{≢∪⍵}", "{∪⍵}", "{⍵{≢⍵}⌸⍳≢⍵}", "{⍵⍳⍵}")


def same(text: str, m: np.ndarray) -> None:
    wanted = np.asarray(aplc.fn(text, target="interp")(m))
    found = np.asarray(aplc.fn(text, target="c")(m))
    assert np.array_equal(wanted, found, equal_nan=wanted.dtype.kind == "f"), (text, m.shape)
    if wanted.dtype.kind == "f":
        assert np.array_equal(np.signbit(wanted), np.signbit(found)), (text, m.shape)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("text", SORTS)
@pytest.mark.parametrize("columns", [2, 3, 4, 5, 6, 7, 8, 9, 31, 33])
def test_sorted_rows(text: str, columns: int) -> None:
    size = (60, columns)
    numbers = RNG.integers(-3, 4, size)
    numbers[RNG.random(size) < 0.1] = -(2**63)
    numbers[RNG.random(size) < 0.1] = 2**63 - 1
    doubles = RNG.integers(-2, 3, size) * 0.5
    doubles[RNG.random(size) < 0.2] *= -1.0  # zeros of both signs
    doubles[RNG.random(size) < 0.05] = np.nan
    doubles[RNG.random(size) < 0.05] = -np.inf
    for m in (numbers, doubles, numbers > 0, RNG.choice(list("aéz \U0010ffff"), size)):
        same(text, m)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("text", KEYS)
@pytest.mark.parametrize("columns", [1, 2, 3, 5, 8, 9, 13, 64, 65])
def test_keys(text: str, columns: int) -> None:
    """Of 5 letters in 3 bits each, of truth values, and of what has more bits than a code."""
    size = (200, columns)
    kinds = [
        RNG.choice(list("abcde"), size),
        RNG.choice(list("a\U0010ffff"), size),
        RNG.random(size) < 0.1,
        RNG.integers(-2, 2, size),
        RNG.choice([-(2**63), 2**63 - 1, 0], size),
        RNG.integers(0, 2, size) * (2**32 // 2**6),
        np.full(size, 7),
        RNG.integers(0, 2, size) * -0.0,
    ]
    for m in kinds:
        doubled = np.concatenate([m, m[::-1], m[:3]])
        same(text, doubled)
        same(text, doubled[:1])
        same(text, doubled[:8])


def test_rows_are_sorted_where_they_are_wanted() -> None:
    """No copies are made before."""
    function = aplc.fn("{{⍵[⍋⍵]}⍤1⊢⍵}")
    text = function.emit("laila", "[int]2")
    assert text.count("alloc") == 1 and "aplc_sort_up_int(cells" in text, text
