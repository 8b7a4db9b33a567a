"""Whether a number is one of several constants: the same in lanes, and loops that ask that have lanes."""

from __future__ import annotations

import re

import numpy as np
import pytest

import aplc
from aplc.backends.c.bit_tests import groups_without_bits
from aplc.laila.ir.interval import Interval
from tests.support.machine import needs_c, needs_threads

SETS = ["2 3", "0 6", "2 3 5 7 11", "1 3 9 27 40", "3 5 9", "1 64 128 700", "¯5 0 5 11"]
TEXTS = [
    "{+/⍵∊SET}",
    "{⍵∊SET}",
    "{(⍵∊SET)/⍵}",
    "{⍵×~⍵∊SET}",
    "{+/(50|⍵)∊SET}",
    "{⍸(50|⍵)∊SET}",
    "{(⍵×⍵∊SET)+2×~⍵∊SET}",
    "{+/(⍵∊SET)∧(⍵>2)∨~⍵∊7 9 12}",
    "{∨\\⍵∊SET}",
]
TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("target", TARGETS)
def test_values(text: str, target: str) -> None:
    for some in SETS:
        found, wanted = [aplc.fn(text.replace("SET", some), target=t) for t in (target, "interp")]  # type: ignore[arg-type]
        for size in (0, 1, 7, 300):
            numbers = np.random.default_rng(size).integers(-70, 70, size)
            for given in (numbers, numbers.astype(np.int8), numbers << 40):
                assert np.array_equal(found(given), wanted(given)), (some, size)


@pytest.mark.parametrize("text", ["{+/⍵∊'aeiou'}", "{⍵∊'aeiou'}", "{(~⍵∊'aeiou ')/⍵}", "{+/1 0⍷⍵∊'aeiou'}"])
@pytest.mark.parametrize("target", TARGETS)
def test_letters(text: str, target: str) -> None:
    found, wanted = [aplc.fn(text, target=t) for t in (target, "interp")]  # type: ignore[arg-type]
    for size in (0, 1, 7, 300):
        letters = np.random.default_rng(size).integers(32, 128, size).astype(np.uint32).view("<U1")
        assert np.array_equal(found(letters), wanted(letters)), size


@needs_c
def test_where_gcc_would_test_bits() -> None:
    assert re.search(r"\) \^ \(", aplc.fn("{+/⍵∊'aeiou'}").emit("c", "[char]1"))
    assert re.search(r"\) \^ \(", aplc.fn("{+/(7|⍵)∊0 6}").emit("c", "[int]1"))
    assert not re.search(r"\) \^ \(", aplc.fn("{+/⍵∊0 6}").emit("c", "[int]1"))


def test_groups() -> None:
    """Neighbours, and two whose difference is a power of two, are one comparison."""
    assert groups_without_bits([97, 101, 105, 111, 117], None) == [[97, 101], [105], [111], [117]]
    assert groups_without_bits([2, 3, 5, 7], None) == []
    assert groups_without_bits([2, 3, 5, 7, 11], None) == [[2, 3], [5, 7], [11]]
    assert groups_without_bits([0, 6], Interval(0, 6)) == [[0], [6]]
    assert groups_without_bits([0, 4], Interval(0, 6)) == []
    assert groups_without_bits([], None) == []
