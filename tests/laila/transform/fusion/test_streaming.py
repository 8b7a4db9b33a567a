"""Filters of which a loop takes what they keep block by block."""

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

RNG = np.random.default_rng(3)
WORDS = ("be", "to", "or", "not", "question", "w" * 2500, "v" * 5000, "a")
COUNTS = "{{≢⍵}⌸' '(≠⊆⊢)⍵}"
TEXTS = [
    "",
    " ",
    "a",
    "  a b  a ",
    *[" ".join(RNG.choice(["be", "to", "a"], 4000))[:n] for n in (2046, 2047, 2048, 2049, 4094, 9000)],
    " ".join(RNG.choice(WORDS, 50)),
    "a " * 3000,
    "x" * 7000,
    " " * 7000 + "x",
]


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("target", ("c", "openmp"))
@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_words(number: int, target: str) -> None:
    text = TEXTS[number]
    first: dict[str, int] = {}
    for word in text.split():
        first[word] = first.get(word, 0) + 1
    assert list(aplc.fn(COUNTS, target=target)(text)) == list(first.values())


@pytest.mark.parametrize("n", (0, 1, 2047, 2048, 6000))
def test_parts_that_touch(n: int) -> None:
    marks, values = RNG.integers(0, 3, n), RNG.integers(0, 2, n)
    text = "{{≢⍵}⌸⍺⊆⍵}"
    wanted = aplc.fn(text, target="interp")(marks, values)
    assert np.array_equal(aplc.fn(text, target="c")(marks, values), wanted)


@pytest.mark.parametrize(
    ("text", "is_streamed"),
    [
        ("⎕←{≢⍵}⌸' '(≠⊆⊢)t", True),
        ("w←' '(≠⊆⊢)t ⋄ ⎕←{≢⍵}⌸w ⋄ ⎕←≢w", False),
        ("w←' '(≠⊆⊢)t ⋄ ⎕←{≢⍵}⌸w ⋄ ⎕←≢¨w", False),
    ],
)
def test_what_is_streamed(text: str, is_streamed: bool) -> None:
    assert ("var from" in laila(f"t←'ab '[1+3|⍳9999]\n{text}")) == is_streamed
