"""Folds of windows by those of half the length: which are, and that values are those of the interpreter."""

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.laila.text import laila

RNG = np.random.default_rng(5)
LENGTHS = (39, 40, 41, 1062, 1063, 1064, 1065, 5000)
WINDOWS = {
    "greatest": "{40⌈/⍵}",
    "least of squares": "{17⌊/⍵×⍵}",
    "sum": "{39+/⍵}",
    "sum of a power of two": "{32+/⍵}",
    "spread": "{(40⌈/⍵)-40⌊/⍵}",
    "greatest sum": "{(16+/4↓⍵)⌈20+/⍵}",
    "of each row": "{r←3 39⍴⍵ ⋄ 20⌈/r}",
    "with neighbours": "{16⌊/(1↓⍵)-¯1↓⍵}",
}


def data(kind: str, n: int) -> np.ndarray:
    if kind == "double":
        return RNG.integers(-99, 100, n) / 8
    return RNG.integers(-99, 100, n).astype(kind)


def check(text: str, kind: str, target: TargetName) -> None:
    compiled, wanted = aplc.fn(text, target=target), aplc.fn(text, target="interp")
    for n in LENGTHS:
        given = data(kind, n)
        assert np.array_equal(compiled(given), wanted(given)), n


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("kind", ("int8", "int64", "double"))
@pytest.mark.parametrize("name", WINDOWS)
def test_values(name: str, kind: str) -> None:
    check(WINDOWS[name], kind, "c")


@pytest.mark.parametrize("name", ("greatest", "sum", "of each row"))
def test_values_in_threads(name: str) -> None:
    check(WINDOWS[name], "double", "openmp")


@pytest.mark.parametrize("text", ("{20∨/⍵}", "{33∧/⍵}"))
def test_conditions(text: str) -> None:
    given = RNG.random(3000) < 0.9
    compiled, wanted = aplc.fn(text), aplc.fn(text, target="interp")
    assert np.array_equal(compiled(given), wanted(given))


def test_what_is_no_number_is_in_each_window_of_it() -> None:
    given = np.arange(3000.0)
    given[[0, 1500, 2999]] = np.nan
    compiled, wanted = aplc.fn("{20⌈/⍵}"), aplc.fn("{20⌈/⍵}", target="interp")
    assert np.array_equal(compiled(given), wanted(given), equal_nan=True)


@pytest.mark.parametrize(
    ("text", "has_short"),
    [
        ("17⌈/V", True),
        ("15⌈/V", False),
        ("17+/V", True),
        ("⌈/V∘.×⍳20", False),  # no window: each element depends on both
        ("(20⌈/V)-20⌊/V", True),
        ("20{⍺-⍵}/V", False),
    ],
)
def test_what_is_doubled(text: str, *, has_short: bool) -> None:
    assert ("windows" in laila(f"V←÷⍳2000+?1000\n{text}")) is has_short


@pytest.mark.parametrize("text", ("{⍺+/⍵}", "{(⍺+/⍵×⍵)-⍺⌈/⍵}", "{(⍺⌊/⍵)⌈20⌊/⍺↓⍵,⍺⍴0}", "{⍺+/⍉2 3000⍴⍵}"))
@pytest.mark.parametrize("target", ("c", "openmp"))
def test_lengths_that_only_the_run_knows(text: str, target: TargetName) -> None:
    compiled, wanted = aplc.fn(text, target=target), aplc.fn(text, target="interp")
    for n in (20, 1062, 1063, 5000):
        given = data("double", n)
        for length in (1, 2, 17, 20, 24, 31, 32, 33, 127, 512, 1000):
            try:
                value = wanted(length, given)
            except aplc.Error as error:
                with pytest.raises(aplc.Error) as found:
                    compiled(length, given)
                assert str(found.value) == str(error)
            else:
                assert np.array_equal(compiled(length, given), value), (n, length)


def test_they_have_a_loop_for_short_ones() -> None:
    text = aplc.fn("{⍺⌈/⍵}").emit("laila", "[int]0", "[double]1")
    assert "if ((24 <= n) and (n <= 65536)) {" in text and "windows" in text and "REDUCE maxd" in text


def test_sums_of_doubles_stay_in_order_where_that_is_asked_for() -> None:
    given = RNG.random(3000)
    compiled = aplc.fn("{20+/⍵}", strict_fp=True)
    assert np.array_equal(compiled(given), aplc.fn("{20+/⍵}", target="interp")(given))


def test_items_that_are_windows_begin_one_behind_the_other() -> None:
    """No window is asked for its least place."""
    assert "REDUCE mini" not in aplc.fn("{+/¨⍺,/⍵}").emit("laila", "[int]0,[double]1")
