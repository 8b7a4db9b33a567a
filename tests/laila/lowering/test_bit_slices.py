"""Bits of numbers that are combined, moved, folded and scanned: words, with the values of the bits."""

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila
from tests.support.machine import needs_c

WORDS = {
    "bits of either": "{2⊥((32⍴2)⊤⌽⍵)∨(32⍴2)⊤⍵}",
    "of both, as numbers": "{2⊥((32⍴2)⊤⌽⍵)×(32⍴2)⊤⍵}",
    "compared": "{b←(32⍴2)⊤⌽⍵ ⋄ 2⊥(b<(32⍴2)⊤⍵)=b≥2⊖b}",
    "neither": "{2⊥((32⍴2)⊤⌽⍵)⍱(32⍴2)⊤⍵}",
    "not": "{2⊥1-(62⍴2)⊤⍵}",
    "chosen by places": "{b←(32⍴2)⊤⍵ ⋄ b←b≠(13↓b)⍪(13,≢⍵)⍴0 ⋄ 2⊥b≠¯17↓((17,≢⍵)⍴1)⍪b}",
    "by a table": "{2⊥(16⍴1 0 0 1 1)≠⍤0 1⊢(16⍴2)⊤⍵}",
    "turned over": "{2⊥⊖(32⍴2)⊤⍵}",
    "turned over, no power": "{2⊥⊖(23⍴2)⊤⍵}",
    "both ways": "{b←(12⍴2)⊤⍵ ⋄ 2⊥b≠⊖b}",
    "two behind each other": "{2⊥((8⍴2)⊤⌽⍵)⍪(8⍴2)⊤⍵}",
    "odd": "{≠⌿(64⍴2)⊤⍵}",
    "even": "{=⌿(64⍴2)⊤⍵}",
    "even, of an odd number": "{=⌿(31⍴2)⊤⍵}",
    "truths": "{(≠⌿1=(16⍴2)⊤⍵)=∧⌿0≠(20⍴2)⊤⍵}",
    "all": "{∧⌿(64⍴2)⊤⍵}",
    "some": "{∨⌿0=(64⍴2)⊤⍵}",
    "the greatest": "{⌈⌿(20⍴2)⊤⍵}",
    "distance": "{+⌿((64⍴2)⊤⌽⍵)≠(64⍴2)⊤⍵}",
    "running": "{2⊥≠⍀(32⍴2)⊤⍵}",
    "running, from below": "{2⊥⊖≠⍀⊖(32⍴2)⊤⍵}",
    "running, the same": "{2⊥=⍀(33⍴2)⊤⍵}",
    "all so far": "{2⊥∧⍀(16⍴2)⊤⍵}",
    "some so far, turned over": "{2⊥⊖∨⍀(16⍴2)⊤⍵}",
    "distance of what runs": "{+⌿((40⍴2)⊤⍵)≠≠⍀(40⍴2)⊤⌽⍵}",
}
BITS = {
    "no bits": "{2⊥((8⍴2)⊤⍵)+(8⍴2)⊤⌽⍵}",
    "64 places": "{2⊥((64⍴2)⊤⌽⍵)=(64⍴2)⊤⍵}",
    "another radix": "{3⊥(8⍴2)⊤⍵}",
    "in another order": "{<⌿(20⍴2)⊤⍵}",
    "running, in memory": "{≠⍀(10⍴2)⊤⍵}",
    "running, of 63": "{≠⍀(63⍴2)⊤⍵}",
    "words of all": "{0=≢⍵:0 ⋄ {2⊥((32⍴2)⊤⍺)≠(32⍴2)⊤⍵}/⍵}",
    "words of all, by ∨": "{0=≢⍵:0 ⋄ {2⊥((20⍴2)⊤⍺)∨(20⍴2)⊤⍵}/⍵}",
    "wide words of all": "{0=≢⍵:0 ⋄ {2⊥((33⍴2)⊤⍺)∧(33⍴2)⊤⍵}/⍵}",
    "what only some read": "{b←(8⍴2)⊤⍵ ⋄ 2⊥b[1 1 2 3 5 8;]}",
}
RNG = np.random.default_rng(17)
NUMBERS = (
    np.arange(0, dtype=np.int64),
    np.array([7]),
    np.array([-1, 0, 1, 65535, 65536, -65536, 2**62, -(2**63), 2**63 - 1]),
    RNG.integers(0, 1 << 8, 77).astype(np.uint8),
    RNG.integers(-(2**63), 2**63 - 1, 333),
)


@pytest.mark.in_turn(12)
@needs_c
@pytest.mark.parametrize("check_overflow", [False, True])
@pytest.mark.parametrize("name", WORDS | BITS)
def test_values(name: str, check_overflow: bool) -> None:
    text = (WORDS | BITS)[name]
    meaning = aplc.fn(text, target="interp", check_overflow=check_overflow)
    for target in ("c", "openmp"):
        found = aplc.fn(text, target=target, check_overflow=check_overflow)
        for numbers in NUMBERS:
            try:
                expected = meaning(numbers)
            except aplc.Error as error:
                with pytest.raises(type(error)):
                    found(numbers)
                continue
            assert np.array_equal(found(numbers), expected), target


@pytest.mark.parametrize("name", WORDS)
def test_bits_are_not_taken_one_by_one(name: str) -> None:
    made = laila(f"f←{WORDS[name]}\nn←?100⍴65536\n⎕←f n")
    assert "SCAN" not in made
    assert "k < " not in made


def test_words_are_combined_in_any_order() -> None:
    made = laila("f←{2⊥((32⍴2)⊤⍺)≠(32⍴2)⊤⍵}\nn←?100⍴65536\n⎕←f/n")
    assert "REDUCE xori32" in made
