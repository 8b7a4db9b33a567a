"""Bits that are moved or combined by ≠: words that shifts and masks make, with the values of the bits."""

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila
from tests.support.machine import needs_c

WORDS = {
    "running, from the top": "{2⊥≠⍀(16⍴2)⊤⍵}",
    "running, from below": "{2⊥⊖≠⍀⊖(16⍴2)⊤⍵}",
    "running, not all": "{2⊥¯3↓≠⍀2↓(16⍴2)⊤⍵}",
    "running, of a number that is no power": "{2⊥≠⍀(11⍴2)⊤⍵}",
    "neighbours": "{b←(16⍴2)⊤⍵ ⋄ 2⊥b≠0⍪¯1↓b}",
    "rotated": "{2⊥4⊖(16⍴2)⊤⍵}",
    "two numbers": "{b←(16⍴2)⊤⍵ ⋄ c←(16⍴2)⊤⌽⍵ ⋄ 2⊥b≠3⊖c}",
    "a constant beside them": "{7+2⊥5⊖(12⍴2)⊤⍵}",
}
BITS = {
    "running, turned": "{2⊥⊖≠⍀(16⍴2)⊤⍵}",
    "long words": "{2⊥≠⍀(60⍴2)⊤⍵}",
    "some places": "{b←(16⍴2)⊤⍵ ⋄ 2⊥b[1 2 3 4 9 10 11 12;]}",
    "all so far": "{2⊥∧⍀(16⍴2)⊤⍵}",
    "some so far": "{2⊥∨⍀(16⍴2)⊤⍵}",
    "two at one place": "{1 1 2 4 8 16+.×(6⍴2)⊤⍵}",
    "turned over": "{2⊥⊖(16⍴2)⊤⍵}",
    "not": "{2⊥~≠⍀(16⍴2)⊤⍵}",
    "the first of them": "{2⊥<⍀(16⍴2)⊤⍵}",
    "sums": "{2⊥2|+⍀(8⍴2)⊤⍵}",
    "kept": "{b←≠⍀(8⍴2)⊤⍵ ⋄ (2⊥b)+⍤1⊢b}",
}
RNG = np.random.default_rng(17)
NUMBERS = (
    np.arange(0, dtype=np.int64),
    np.array([-1, 0, 1, 65535, 65536, -65536, 2**62, -(2**63), 2**63 - 1]),
    RNG.integers(0, 1 << 16, 1000),
    RNG.integers(0, 1 << 8, 77).astype(np.uint8),
    RNG.integers(-(2**63), 2**63 - 1, 333),
)


@pytest.mark.in_turn(16)
@needs_c
@pytest.mark.parametrize("name", WORDS | BITS)
def test_values(name: str) -> None:
    text = (WORDS | BITS)[name]
    meaning = aplc.fn(text, target="interp")
    for target in ("c", "openmp"):
        found = aplc.fn(text, target=target)
        for numbers in NUMBERS:
            assert np.array_equal(found(numbers), meaning(numbers)), target


@pytest.mark.parametrize("name", WORDS)
def test_bits_are_not_taken_one_by_one(name: str) -> None:
    made = laila(f"f←{WORDS[name]}\nn←?100⍴65536\n⎕←f n")
    assert "bitfield" in made
    assert ", 1)" not in made  # the mask of one bit


@pytest.mark.parametrize("name", ["two at one place", "the first of them"])
def test_other_bits_are_taken_one_by_one(name: str) -> None:
    assert ", 1)" in laila(f"f←{BITS[name]}\nn←?100⍴65536\n⎕←f n")
