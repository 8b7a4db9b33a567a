"""Programs that see for themselves whether what they are given are characters."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from aplc import Function, fn
from aplc.options import Options
from aplc.tail.errors import Error
from aplc.tail.source import Source
from tests.support.compiling import c_of
from tests.support.machine import needs_c, needs_threads

LOOKING = (
    "{≢(⍵≠' ')⊆⍵}",
    "{≢¨(⍵≠' ')⊆⍵}",
    "{u←⎕UCS ⍵ ⋄ ⎕UCS u-32×(u≥97)∧u≤122}",
    "{+/⍵='a'}",
    "{⍸⍵='a'}",
    "{+/1 5 10['IVX'⍳⍵]}",
    "{+/'abc'⍳⍵}",
    "{'x',⍵}",
    "{⍵[⍋⍵]}",
    "{{≢⍵}¨(⍵≠' ')⊆⍵}",
    "{(⍵='b')/⍳≢⍵}",
    "{(⎕A⍳⍵)+(≢⍵)⍴⌽⍳3⌈⌊5⌊≢⍵}",
    "{+/2≠/⍵≠' '}",
)
"""Functions of a text of which a loop reads all, and of which nothing else tells anything before."""
LEAVING = ("{1 ⎕C ⍵}", "{(1114112⍴⍳9)[1+⎕UCS ⍵]}", "{⌽⍵}", "{(⎕UCS ⊃⍵)⍴0}", "{≢⍵}", "{⊃⍸⍵='z'}")
"""Functions that take characters for granted, as places in a table or as numbers of elements, or do not read
all of them, or not from the first to the last.
"""

TEXT = np.array(list("IX VI ab xyz"))


def text(length: int) -> Any:
    """Characters of a kind that these functions like."""
    return np.resize(TEXT, length)


def with_number(given: Any, place: int, number: int) -> Any:
    """The same with a number in the place of a character."""
    changed = given.copy()
    changed.view(np.uint32)[place] = number
    return changed


def known(source: str, given: Any, options: Options | None = None) -> Function:
    """A function whose gate takes such arguments."""
    function = Function([Source("text", source)], None, options or Options())
    for _ in range(3):
        result(function, given)
    return function


def result(function: Function, *given: Any) -> str:
    """The value, or the error, as text."""
    try:
        return str(np.asarray(function(*given)).tolist())
    except Error as failure:
        return str(failure)


@pytest.mark.parametrize("source", [*LOOKING, *LEAVING])
def test_programs_look_where_they_may(source: str) -> None:
    """Where numbers could do harm before they are seen, the caller looks."""
    made = c_of(source + "t", Options("c"), t=TEXT)
    assert ("aplc_not_characters" in made) == (source in LOOKING)
    in_threads = c_of(source + "t", Options("openmp"), t=TEXT)
    assert ("aplc_not_characters" in in_threads) == (source in LOOKING)


@pytest.mark.parametrize("source", LOOKING)
def test_parts_collect_bits(source: str) -> None:
    """Each of them its own, which are joined, where the loop reads the characters anyway."""
    assert re.search(r"bits \|= part\d", c_of(source + "t", Options("openmp", verify=True), t=TEXT))


@needs_c
@pytest.mark.parametrize("source", [*LOOKING, *LEAVING])
def test_numbers_that_are_no_characters(source: str) -> None:
    """They are found wherever they stand, whatever else is wrong with them."""
    _compare(source, known(source, TEXT))


@needs_threads
@pytest.mark.parametrize("source", LOOKING)
def test_numbers_that_are_no_characters_in_parts(source: str) -> None:
    """The same where the shortest loops run in threads."""
    _compare(source, known(source, TEXT, Options("openmp", verify=True, threads=3)))


def _compare(source: str, function: Function) -> None:
    meaning = fn(source, target="interp")
    for length in (1, 2, 63, 64, 65, 66, 300, 5000, 9000):
        given = text(length)
        for place in {0, 1 % length, length // 2, length - 1}:
            for number in (0x110000, 0xFFFFFFFF, 0x200041):
                wrong = with_number(given, place, number)
                assert "beyond those of Unicode" in result(function, wrong) == result(meaning, wrong)
        assert result(function, given) == result(meaning, given)


@needs_c
@pytest.mark.parametrize("source", LOOKING)
def test_characters_whose_bits_are_no_character(source: str) -> None:
    """Together: each of them is one."""
    meaning, function = fn(source, target="interp"), known(source, TEXT)
    for length in (2, 65, 5000):
        given = with_number(with_number(text(length), 0, 0x0FFFFF), length - 1, 0x100041)
        assert result(function, given) == result(meaning, given)


@needs_c
@pytest.mark.parametrize("columns", [1, 2, 3, 4, 8, 9])
def test_rows(columns: int) -> None:
    """Of a few characters, some of which no loop reads."""
    for source in ("{10⊥⍉¯1+⎕D⍳⍵[;1 2 4 5 7 8]}", "{(⎕D⍳⍵[;1])+⎕D⍳⍵[;2]}", "{⎕D⍳⍵[;2]}"):
        meaning, function = fn(source, target="interp"), known(source, np.resize(TEXT, (9, 9)))
        for rows in (1, 3, 300):
            given = np.resize(TEXT, (rows, columns))
            assert result(function, given) == result(meaning, given)
            for place in {0, given.size // 2, given.size - 2, given.size - 1} - {-1}:
                wrong = with_number(given.ravel(), place, 0x110000).reshape(given.shape)
                assert result(function, wrong) == result(meaning, wrong)


@needs_c
@pytest.mark.parametrize("step", [2, 3, 4])
def test_steps(step: int) -> None:
    """Places of a vector in steps are no rows: what would be the last one may end behind the last place."""
    source = f"{{+/⎕D⍳⍵[1+{step}×¯1+⍳⌈(≢⍵)÷{step}]}}"
    meaning, function = fn(source, target="interp"), known(source, TEXT)
    made = fn(source).emit("c", "[char]1")
    assert f"[{step} * " in made and f"{step} * i + {step - 1}" not in made
    for length in (1, 7, 300, 301, 302, 303):
        given = text(length)
        assert result(function, given) == result(meaning, given)
        wrong = with_number(given, length - 1, 0x110000)
        assert result(function, wrong) == result(meaning, wrong)


BLOCK = "{u←⍵∊⎕A ⋄ i←+\\1+u ⋄ t←(1+u)/⍵ ⋄ t[i]←⍵ ⋄ t[¯1+u/i]←'_' ⋄ t}"


@needs_c
def test_loops_of_one_block_look_once() -> None:
    meaning, function = fn(BLOCK, target="interp"), known(BLOCK, TEXT)
    for length in (5, 255, 600):
        given = text(length)
        assert result(function, given) == result(meaning, given)
        wrong = with_number(given, length - 1, 0x110000)
        assert result(function, wrong) == result(meaning, wrong)
    assert fn(BLOCK).emit("c", "[char]1").count("bits |= omega[") == 1


@needs_c
def test_two_texts() -> None:
    """Of each of them."""
    source = "{(+/⍺='a')+(+/⍵='b')-+/⍺=⍵}"
    meaning, function = fn(source, target="interp"), fn(source)
    given = text(700)
    for _ in range(3):
        assert result(function, given, given) == result(meaning, given, given)
    wrong = with_number(given, 650, 0x110000)
    for pair in ((wrong, given), (given, wrong), (wrong, wrong)):
        assert "beyond those of Unicode" in result(function, *pair) == result(meaning, *pair)


@needs_c
def test_the_error_of_a_number_comes_first() -> None:
    """Before that of the program, and a program that fails is right about its own."""
    source = "{1 2 3[⍸⍵='a']}"
    meaning, function = fn(source, target="interp"), known(source, np.array(list("aab")))
    given = text(900)
    assert "INDEX ERROR" in result(function, given) == result(meaning, given)
    wrong = with_number(given, 899, 0x110000)
    assert "beyond those of Unicode" in result(function, wrong) == result(meaning, wrong)
