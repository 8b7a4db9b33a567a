"""States that a round makes small, whatever they were, are narrow behind the first one."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_threads

STEPS = {
    "fire": "{f←⍵=2 ⋄ n←(1⌽f)∨¯1⌽f ⋄ (⍵=1)×1+n}",
    "residues": "{7|⍵+1⌽⍵}",
    "a table": "{t←3 1 4 1 5 ⋄ t[1+5|⍵-1⌽⍵]}",
    "bounded": "{¯100⌈100⌊(1⌽⍵)-2×⍵}",
    "wide": "{⍵+1⌽⍵}",
}
TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
@pytest.mark.parametrize("target", TARGETS)
def test_values(step: str, target: TargetName) -> None:
    """No round, one, several; numbers of all sizes to begin with."""
    texts = [f"{{({step}⍣⍺)⍵}}", f"{{⍺,+/({step}⍣⍺)⍵}}", f"{{r←⍵ ⋄ r[⍳1⌊≢r]←⍺ ⋄ r,({step}⍣⍺)r}}"]
    for text in texts:
        wanted, found = aplc.fn(text, target="interp"), aplc.fn(text, target=target)
        for size in (0, 1, 2, 65, 300):
            start = np.random.default_rng(size).integers(-9, 9, size)
            for count in (0, 1, 2, 5):
                for given in (start, start << 40):
                    assert np.array_equal(found(count, given), wanted(count, given)), (size, count)


@needs_c
@pytest.mark.parametrize("step", [name for name in STEPS if name != "wide"])
def test_rounds_behind_the_first_are_narrow(step: str) -> None:
    text = aplc.fn(f"{{({STEPS[step]}⍣⍺)⍵}}").emit("c", "[int]0", "[int]1")
    assert text.count("int8_t *const other") == 1
    assert text.count("int64_t *const other") == 0


@needs_c
def test_others_stay() -> None:
    """What a round makes may be large, or what it begins with is small already."""

    def changes(step: str, start: str = "⍵") -> bool:
        return "began" in aplc.fn(f"{{({step}⍣⍺){start}}}").emit("laila", "[int]0", "[int]1")

    assert changes(STEPS["residues"])
    assert not changes(STEPS["wide"])
    assert not changes(STEPS["residues"], "5|⍵")
