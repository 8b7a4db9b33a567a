"""What is written to memory, and what is computed at its use: a matrix with constants at its sides."""

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

BOXES = "{s←0⍪0,+⍀+\\⍵ ⋄ (3 3↓s)+(¯3 ¯3↓s)-(3 ¯3↓s)+¯3 3↓s}"
TEXTS = (
    BOXES,
    "{s←(⍵,1)⍪2 ⋄ (1 1↓s)×¯1 ¯1↓s}",
    "{s←0⍪⍵ ⋄ (1↓s)-¯1↓s}",
    "{s←0,⍵ ⋄ (0 1↓s)-0 ¯1↓s}",
    "{s←0⍪0,⍵ ⋄ (+/,s),(⍉s)[1;],s[≢s;]}",
    "{s←¯1⍪⍵×2 ⋄ (s⌈⌽s)-⊖s}",
)


@needs_c
@pytest.mark.in_turn(8)
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str) -> None:
    random = np.random.default_rng(3)
    for shape in ((0, 0), (0, 5), (1, 1), (2, 7), (7, 2), (30, 41)):
        for m in (random.integers(0, 200, shape), random.integers(0, 200, shape).astype(np.uint8)):
            wanted = aplc.fn(text, target="interp")(m)
            for target in ("c", "openmp"):
                assert np.array_equal(aplc.fn(text, target=target)(m), wanted), (shape, target)


CHAIN = "{i←⍋⍵ ⋄ j←⌽i[⍋⍺[i]] ⋄ t←⍵[j] ⋄ +/1800<(1↓t)-¯1↓t}"


@needs_c
def test_what_is_read_anywhere_is_not_read_twice() -> None:
    """At a place that is read at a place that is read."""
    random = np.random.default_rng(3)
    given = random.integers(0, 9, 500), random.integers(0, 9999, 500)
    wanted = aplc.fn(CHAIN, target="interp")(*given)
    for target in ("c", "openmp"):
        assert aplc.fn(CHAIN, target=target)(*given) == wanted
    made = aplc.fn(CHAIN).emit("laila", "[int]1", "[int]1")
    (reduction,) = [line for line in made.splitlines() if "REDUCE" in line]
    assert "index" not in made[made.index(reduction) :].replace("free index", "")
    once = aplc.fn("{t←⍵[⍋2|⍵] ⋄ +/1800<(1↓t)-¯1↓t}").emit("laila", "[int]1")
    assert "index" in once[once.index("REDUCE") :].replace("free index", "")


def test_sides_are_not_written() -> None:
    """The sums alone are, and the result; with a fifth place that reads it, the array is, too."""
    assert aplc.fn(BOXES).emit("laila", "[int]2").count("alloc ") == 2
    five = BOXES.replace("⋄ (3", "⋄ (⊖¯3 ¯3↓s)+(3", 1)
    assert aplc.fn(five).emit("laila", "[int]2").count("alloc ") == 3
