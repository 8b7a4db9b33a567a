"""Many digits of numbers: they come from parts that fit 32 bits, with the values of digits one by one."""

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila
from tests.support.machine import needs_c

RADICES = {
    "decimal": "10⍴10",
    "more than there are": "25⍴10",
    "wide and narrow ones": "3 1000000007 5 2 9 9 9 4294967296 3 3 7",
    "what is left": "0,11⍴7",
    "nothing in front": "9 9 0 24 60 60 1000 8 8 8 8",
    "ones": "1 1 1 10 10 10 10 10 10 10 10 10 1",
    "bits beside the sign": "13⍴32",
    "the sign alone": "22⍴8",
    "bits beyond a word": "70⍴2",
}
RNG = np.random.default_rng(29)
NUMBERS = (
    np.arange(0, dtype=np.int64),
    np.array([-1, 0, 1, 9, 10, -10, 10**9, 10**9 - 1, -(10**9), -(2**63), 2**63 - 1]),
    RNG.integers(0, 200, 70).astype(np.uint8),
    RNG.integers(-(2**63), 2**63 - 1, (3, 111)),
    RNG.integers(-(10**6), 10**6, (7, 0)),
    np.int64(-123456789012345),
)


@pytest.mark.in_turn(12)
@needs_c
@pytest.mark.parametrize("name", RADICES)
def test_digits(name: str) -> None:
    text = f"{{({RADICES[name]})⊤⍵}}"
    meaning = aplc.fn(text, target="interp")
    for target in ("c", "openmp"):
        found = aplc.fn(text, target=target)
        for numbers in NUMBERS:
            assert np.array_equal(found(numbers), meaning(numbers)), target


def test_digits_of_parts_do_not_divide_numbers() -> None:
    made = laila("f←{+⌿(18⍴10)⊤⍵}\nn←1-?1000⍴1000000000000\n⎕←f n")
    assert made.count("floordiv(") <= 2  # the first part is there, and its first digit made, in one loop


@pytest.mark.in_turn(12)
@needs_c
@pytest.mark.parametrize("radix", [2, 4, 8, 10, 16, 32, 256, 2**62])
def test_as_many_digits_as_the_run_says(radix: int) -> None:
    """Of numbers with any sign, fewer and more than a word has."""
    text = f"{{(⍺⍴{radix})⊤⍵}}"
    meaning = aplc.fn(text, target="interp")
    for target in ("c", "openmp"):
        found = aplc.fn(text, target=target)
        for count in (0, 1, 2, 8, 9, 21, 22, 63, 64, 65, 100):
            for numbers in NUMBERS[:3]:
                assert np.array_equal(found(count, numbers), meaning(count, numbers)), (target, count)


def test_bits_are_not_written() -> None:
    """What is made of as many bits as there are elements reads them where the numbers are."""
    made = aplc.fn("{⍵+.×((≢⍵)⍴2)⊤¯1+⍳2*≢⍵}").emit("laila", "[double]1")
    assert made.count("alloc ") == 1 and "bitfield(" in made


def test_digits_of_negative_bases_are_not_places() -> None:
    """The product of two of them is positive, as the size of an array is."""
    text = aplc.fn("{(2⍴¯8)⊤4}").emit("laila", "[int]0")
    assert "resi(-8, floordiv(4, -8))" in text and " quot(" not in text
