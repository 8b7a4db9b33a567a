"""Folds of one row that read the same elements: one loop."""

import re

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

TEXTS = (
    "{{(⌈/⍵),⌊/⍵}⍤1⊢⍵}",
    "{{(⌈/⍵)-⌊/⍵}⍤1⊢⍵}",
    "{{(+/⍵),(+/⍵×⍵),⌈/⍵}⍤1⊢⍵}",
    "{m←⍵ ⋄ ⍉(4,≢m)⍴m[;1],(⌈/m),(⌊/m),m[;60]}",
    "{m←⍵ ⋄ (+/m)÷⌈/|m}",
    "{m←⍵ ⋄ (∨/m>2),(∧/m<2),⍪⌈/m}",
    "{m←⍵ ⋄ s←0 ⋄ s+←(⌈/m)-⌊/m ⋄ s×+/m}",
)


@needs_c
@pytest.mark.in_turn(8)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("kind", ("double", "int", "nan"))
def test_values(text: str, kind: str) -> None:
    random = np.random.default_rng(3)
    for shape in ((0, 60), (1, 60), (7, 61), (100, 75), (5, 300)):
        m = random.normal(0, 1, shape)
        if kind == "int":
            m = random.integers(-9, 9, shape)
        elif kind == "nan" and m.size:
            m[random.random(shape) < 0.02] = np.nan
        wanted = aplc.fn(text, target="interp")(m)
        for target in ("c", "openmp"):
            found = aplc.fn(text, target=target)(m)
            assert np.allclose(found, wanted, rtol=1e-9, equal_nan=True), (shape, target)


def loops_of(text: str, types: str = "[double]2") -> int:
    """How often code has a loop that accumulates an extremum of 60 elements."""
    return len(re.findall(r"k < 60", aplc.fn(text).emit("c", types)))


@pytest.mark.parametrize(
    ("text", "loops"),
    (
        ("{m←((⌊(≢⍵)÷60),60)⍴⍵ ⋄ ⍉(2,≢m)⍴(⌈/m),⌊/m}", 1),
        ("{m←((⌊(≢⍵)÷60),60)⍴⍵ ⋄ ⍉(2,≢m)⍴(⌈/m),⌊/-m}", 1),
        ("{m←((⌊(≢⍵)÷60),60)⍴⍵ ⋄ n←((≢m),60)⍴⌽⍵ ⋄ ⍉(2,≢m)⍴(⌈/m),⌊/n}", 2),
    ),
)
def test_which_are(text: str, loops: int) -> None:
    """Those that read an element both; and what both accumulate of the same values is accumulated once."""
    assert loops_of(text, "[double]1") == loops


def test_a_flag_is_raised_once() -> None:
    text = aplc.fn("{m←((⌊(≢⍵)÷60),60)⍴⍵ ⋄ ⍉(2,≢m)⍴(⌈/m),⌊/m}").emit("c", "[double]1")
    assert text.count("nan |=") == 1
    assert "nan1 |=" not in text


@needs_c
@pytest.mark.parametrize("text", ["{{⊃⍒⍵}¨↓⍵}", "{{⊃⍋⍵}¨↓⍵}", "{{+/⍵=⌈/⍵}¨↓⍵}"])
def test_what_reads_the_result_of_another_has_a_loop_of_its_own(text: str) -> None:
    """The place of the largest element is that of the last largest one so far in one loop of both."""
    m = np.random.default_rng(4).integers(0, 50, (9, 31))
    np.testing.assert_array_equal(aplc.fn(text)(m), aplc.fn(text, target="interp")(m))
