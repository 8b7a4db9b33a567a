"""Small memory that rounds want in changing sizes, which stays for the next one."""

from typing import Any

import numpy as np
import pytest

import aplc

TEXTS = (
    "{10⊥¯1+⎕D⍳⍵~'-'}",
    "{⌈/⍎⍵}",
    "{100⊥{10⊥¯1+⎕D⍳⍵}¨'-'(≠⊆⊢)⍵}",
    "{+/(⌽⍵)⍳∪⍵}",
    "{≢∪⍵[⍋⍵]}",
    "{+/{≢∪⍵}¨'-'(≠⊆⊢)⍵}",
    "{x←⍵ ⋄ ⊃{(⊂x){≢∪⍺,⍕⍵}¨⍵}⍣2⊢1 2}",
)
LENGTHS = (0, 3, 1, 70, 5, 64, 65, 4096, 9, 4097, 20_000, 0, 63, 6000, 2)


def outcome(function: Any, given: Any) -> Any:
    try:
        found = np.asarray(function(given))
    except aplc.RunError as error:
        return str(error)
    return found.dtype, found.shape, found.tobytes()


@pytest.mark.parametrize("text", TEXTS)
def test_items_of_any_size(text: str) -> None:
    """Beside the interpreter, also where an item fails behind larger ones."""
    rng = np.random.default_rng(2)
    words = ["".join(rng.choice(list("0123456789-"), n)) for n in LENGTHS]
    spaced = ["".join(rng.choice(list("01234 "), n)) for n in LENGTHS]
    found, meaning = [aplc.fn(text + "¨", target=target) for target in ("c", "interp")]
    for given in (words, spaced, words[:2], [*spaced, "7x"], [*words, "1", "²-²"]):
        assert outcome(found, given) == outcome(meaning, given)


def test_what_is_small_stays() -> None:
    """There is one place that asks for memory, and none in programs with threads."""
    digits = aplc.fn("{{+/⍎⍵}¨(⍵≠' ')⊆⍵}")
    assert "room > 4096" in digits.emit("c", "[char]1")
    assert "room > 4096" not in digits.emit("openmp", "[char]1")


def test_a_product_of_extents_is_multiplied_with_care() -> None:
    text = aplc.fn("{{+/,(⍵ ⍵⍴⍳9)+.×⍵ ⍵⍴⍳7}¨⍵}").emit("c", "[int]1")
    assert "room" not in text and text.count("aplc_alloc(aplc_count(2, ") == 2
