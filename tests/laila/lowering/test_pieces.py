"""Items that functions make: the same on every target, whether they are counted first or not."""

from functools import cache
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.inputs import as_input
from aplc.laila.ir.text_print import print_program
from aplc.options import Options
from aplc.tail.types import Array, Base, Rho
from tests.support.compiling import c_of, compiled
from tests.support.days import of_today
from tests.support.laila.programs import lowered
from tests.support.machine import lack_of, needs_c
from tests.support.observing import Observed, difference, observe
from tests.support.samples import CHUNKS

WAYS = {
    "c -O2": Options("c", verify=True),
    "c -O0": Options("c", 0, verify=True),
    "openmp": Options("openmp", verify=True, threads=3),
    "opencl": Options("opencl", verify=True, division=CHUNKS),
}
"""There OpenMP runs the shortest loops in threads."""

COUNTED = """x←k⊂v
⎕←⌽¨x
⎕←3↑¨x
⎕←x,¨⍳≢x
⎕←{⍵[⍋⍵]}¨x
⎕←⍳¨≢¨x
⎕←{⍵∘.×⍵}¨x
⎕←⌽¨2×⌽¨x
⎕←∊1+{⍵×2}¨⌽¨x
"""
APPENDED = """x←k⊂v
⎕←{⍵/⍨2|⍵}¨x
⎕←{∪⍵}¨x
⎕←(⍸2|⊢)¨x
⎕←{(⍵>0)/⍵}¨⌽¨x
"""

DEEP = """x←k⊂v
⎕←{⍵⊂⍳≢⍵}¨x
⎕←{↓⍵∘.+⍵}¨x
⎕←{2 1⍴⍵⊂⍳≢⍵}¨2↑¨x
⎕←{⎕←⌽¨⍵⊂⍳≢⍵}¨x
⎕←⌽¨¨{(1+2|⍵)⊂⍵}¨x
⎕←{{⍵⊂⍳≢⍵}¨(1+2|⍵)⊂⍵}¨x
⎕←∊{{(2|⍵)/⍵}¨⌽(1+2|⍵)⊂⍵}¨x
⎕←{{⌽⍵∘.×⍵}¨(1+2|⍵)⊂⍵}¨x
⎕←{⊂⌽(1+2|⍵)⊂⍵}¨x
⎕←{⊂⌽⍵}¨¨{(1+2|⍵)⊂⍵}¨x
"""

VECTORS = {
    "no items": ([], []),
    "items of all lengths": ([1, 0, 2, 0, 0, 1, 1], [5, -3, 2, 7, 7, 4, 9]),
    "empty items": ([3, 0], [1, 2]),
    "what no item has": ([0, 0, 1, 0], [1, 2, 3, 4]),
    "one item": ([1, *[0] * 99], [k * 37 % 101 for k in range(100)]),
    "a long item among short ones": ([1, 1, 1, *[0] * 500, 1, 1], [k * 37 % 101 - 50 for k in range(505)]),
}


def seen(text: str, options: Options, **inputs: Any) -> Observed:
    """What a program does."""
    program, values = compiled(text, options, **inputs)
    return observe(program.run, values)


@cache
def of_all_vectors(text: str, options: Options) -> dict[str, Observed]:
    """What a program, compiled once, does with each of the inputs."""
    given = {name: [np.array(each, np.int64) for each in pair] for name, pair in VECTORS.items()}
    k, v = given["one item"]
    program, _ = compiled(text, options, k=k, v=v)
    return {
        name: observe(program.run, [as_input(each).value for each in pair]) for name, pair in given.items()
    }


@pytest.mark.in_turn(12)
@needs_c
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", [COUNTED, APPENDED, DEEP], ids=["counted", "appended", "deep"])
def test_targets_agree(text: str, way: str) -> None:
    options = WAYS[way]
    if why := lack_of(options.target):
        pytest.skip(f"NOT CHECKED: {why}")
    for name, got in of_all_vectors(text, options).items():
        assert not difference(got, of_all_vectors(text, Options("interp", 0))[name]), name


ERRORS = ["⎕←÷¨k⊂v", "⎕←⍳¨v", "⎕←(k⊂v)+¨⊂1 2"]


@needs_c
@pytest.mark.parametrize(("text", "way"), of_today([(text, way) for text in ERRORS for way in WAYS], 3))
def test_errors_agree(text: str, way: str) -> None:
    options = WAYS[way]
    if why := lack_of(options.target):
        pytest.skip(f"NOT CHECKED: {why}")
    inputs = {"k": np.array([1, 0, 1, 0, 0]), "v": np.array([2, 1, 0, -1, 3])}
    expected = seen(text, Options("interp", 0), **inputs)
    assert isinstance(expected.results, str)
    assert not difference(seen(text, options, **inputs), expected)


@needs_c
def test_lengths_that_count_items_are_no_common_extent() -> None:
    v = np.array([1.5, 2.0, 3.0, 4.0])
    expected = seen("+/+/¨v×,\\v", Options("interp", 0), v=v)
    assert not difference(seen("+/+/¨v×,\\v", Options("c", 0), v=v), expected)


def test_items_that_are_too_many_are_no_memory() -> None:
    for v in ([2**61] * 8, [2**40] * 2**10):
        assert seen("≢¨⍳¨v⊣⎕←⊃⌽⍳¨v", WAYS["c -O2"], v=np.array(v)).results == "WS FULL"


GIVEN = {"k": np.array([1, 0, 1]), "v": np.array([1, 2, 3])}


def test_items_are_counted_before_they_are_made() -> None:
    text = c_of("⌽¨k⊂v", Options("c"), **GIVEN)
    assert "room" not in text


def test_lengths_are_not_summed_again() -> None:
    once, twice = [c_of(text, Options("c"), **GIVEN) for text in ("⌽¨k⊂v", "⎕←x←⌽¨k⊂v\n⌽¨2×x")]
    assert once.count("most = ") == twice.count("most = ") == 1


def test_what_is_kept_needs_no_memory_of_its_own() -> None:
    text = c_of("{⍵/⍨2|⍵}¨k⊂v", Options("c"), **GIVEN)
    assert "items[used]" in text
    assert "more" not in text


def test_filters_of_items_run_in_parts() -> None:
    text = c_of("{⍵/⍨2|⍵}¨k⊂v", Options("openmp"), **GIVEN)
    assert "used_before" in text


PAIRS = GIVEN | {"m": np.array([1, 0, 1]), "w": np.array([1.5, 2.0, 3.0])}


def test_pairs_of_items_take_no_memory() -> None:
    assert "] = i + 1;" not in c_of("+/¨(k⊂v)×m⊂w", Options("c"), **PAIRS)


def test_a_loop_over_items_of_equal_lengths_reads_them_side_by_side() -> None:
    text = c_of("+/¨(k⊂v)×m⊂w", Options("c"), **PAIRS)
    loops = [line for line in text.splitlines() if "aplc_multiply_add(" in line or "s +=" in line]
    assert any(" ? " not in line for line in loops)


@pytest.mark.in_turn(12)
@needs_c
@pytest.mark.parametrize("way", ("c -O2", "openmp"))
def test_pairs_of_items_agree(way: str) -> None:
    for k, m in (
        ([1, 0, 1], [1, 0, 1]),
        ([1, 0, 1], [0, 1, 1]),
        ([1, 0, 0], [1, 1, 1]),
        ([1, 1, 0], [1, 0, 1]),
    ):
        given = PAIRS | {"k": np.array(k), "m": np.array(m)}
        for text in ("+/¨(k⊂v)×m⊂w", "⌈/¨(k⊂v)-m⊂w", "+/¨(k⊂v)×⊂2⊃m⊂w"):
            expected = seen(text, Options("interp", 0), **given)
            assert not difference(seen(text, WAYS[way], **given), expected)


@needs_c
@pytest.mark.parametrize("text", ["{0,≢¨(⍵≠' ')⊆⍵}", "{(⍳3),1+≢¨(⍵≠' ')⊆⍵}", "{⌽1↓0,≢¨(⍵≠' ')⊆⍵}"])
def test_lengths_behind_others_need_no_words(text: str) -> None:
    """An element behind others is read at an index that is known to be inside: no item is made for it."""
    found, wanted = [aplc.fn(text, target=t) for t in ("c", "interp")]
    made = found.emit("laila", "[char]1")
    assert "INDEX ERROR" not in made and ": char[" not in made.split("\n", 1)[1]
    for words in ("", " ", "a", "a bcd  ef ", "  a"):
        given = np.array(list(words), "<U1")
        assert np.array_equal(found(given), wanted(given)), words


def test_items_without_elements_leave_the_elements_of_others() -> None:
    """Of a vector of which no item is left, nothing is written where there is no room for it."""
    text = print_program(lowered("(⊢⍤1)0↑(,n)(,1)", n=Array(Base.INT, Rho(0))))
    (written,) = [line.split(" over ")[1] for line in text.splitlines() if "MAP items" in line]
    assert " < 0 " in written
