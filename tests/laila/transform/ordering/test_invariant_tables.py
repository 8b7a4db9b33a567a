"""Tables of searches that leave loops, and those that may not."""

from typing import Any

import numpy as np
import pytest

import aplc

LOOPS = (
    "{a←⍺ ⋄ {a⍸⍵}⍣3⊢⍵}",
    "{a←⍺ ⋄ {a⍳⍵}⍣3⊢⍵}",
    "{a←⍺ ⋄ s←⍵ ⋄ i←0 ⋄ s⊣{i+←1 ⋄ s,←a⍳s↑⍨40⌊≢s ⋄ 0}⍣4⊢0}",
    "{a←⍺ ⋄ {a⊢←⌽a ⋄ a⍳⍵}⍣3⊢⍵}",
    "{a←⍺ ⋄ {a[1⌊≢a]←7 ⋄ a⍳⍵}⍣3⊢⍵}",
    "{a←⍺ ⋄ {v←(a+⍵[1])⍳⍵ ⋄ v}⍣3⊢⍵}",
    "{a←⍺ ⋄ ∊{(a⍳⍵),¯1↑⍵}¨(⍵≠0)⊆⍵}",
    "{a←⍺ ⋄ ∊{b←1↓⍵ ⋄ (a∊b),(b∊a),b~a}¨(⍵≠0)⊆⍵}",
    "{a←⍺ ⋄ ∊{2|≢⍵:a⍳⍵ ⋄ (⌽a)⍳⍵}¨(⍵≠0)⊆⍵}",
    "{a←⍺ ⋄ {x←⍵ ⋄ {a⍳x+⍵}⍣2⊢x}⍣2⊢⍵}",
    "{a←⍺ ⋄ {0=≢a:⍵ ⋄ (a[⍋a])⍸⍵}⍣2⊢⍵}",
)
"""Functions of two vectors of integers."""


@pytest.mark.parametrize("text", LOOPS)
@pytest.mark.parametrize("target", ("c", "openmp"))
def test_values(target: str, text: str) -> None:
    meaning, found = [aplc.fn(text, target=each) for each in ("interp", target)]
    rng = np.random.default_rng(5)
    for m, n in ((0, 5), (1, 1), (1, 0), (7, 30), (60, 200)):
        keys, items = np.sort(rng.integers(0, 40, m)), rng.integers(0, 40, n)
        assert _outcome(found, keys, items) == _outcome(meaning, keys, items)


def _outcome(f: Any, *args: Any) -> Any:
    try:
        return np.asarray(f(*args)).tolist()
    except aplc.RunError as error:
        return str(error).splitlines()[0]


@pytest.mark.parametrize(
    "text, types",
    (
        ("{∊{(1 ⎕C 1↑⍵),1↓⍵}¨(⍵≠' ')⊆⍵}", "[char]1"),
        ("{a←⍺ ⋄ {a⍸⍵}⍣3⊢⍵}", "[int]1,[int]1"),
        ("{a←⍺ ⋄ {x←⍵ ⋄ {a⍳x+⍵}⍣2⊢x}⍣2⊢⍵}", "[int]1,[int]1"),
    ),
)
def test_made_once(text: str, types: str) -> None:
    lines = aplc.fn(text).emit("laila", types).splitlines()
    assert [line for line in lines if "_make(" in line and not line.startswith(" ")]
    assert not [line for line in lines if "_make(" in line and line.startswith(" ")]


def test_keys_that_change_are_numbered_again() -> None:
    lines = aplc.fn("{a←⍺ ⋄ {a⊢←⌽a ⋄ a⍳⍵}⍣3⊢⍵}").emit("laila", "[int]1,[int]1").splitlines()
    assert [line for line in lines if "_make(" in line and line.startswith(" ")]
