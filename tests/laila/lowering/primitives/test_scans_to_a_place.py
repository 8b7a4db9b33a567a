"""Scans of truth values that one place tells, which is sought: nothing else is computed of them."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.laila.text import laila
from tests.support.machine import needs_c, needs_device, needs_threads

FREE = (
    "+/∧\\b",
    "(∨\\b)/t",
    "(⌽∨\\⌽b)/t",
    "((∨\\b)∧⌽∨\\⌽b)/t",
    "(+/∧\\b)↓t",
    "(-+/∧\\⌽b)↓t",
    "(~∧\\b)/t",
    "⍸∧\\b",
    "(∧\\b)⍳0",
    "(⌽∨\\b)⍳1",
    "⊥⍨b",
    "(1-b⊥1)↓t",
    "+/∧\\∨\\b",
    "t×∨\\b",
    "(<\\b)/t",
    "t×<\\b",
    "t×≤\\b",
    "⍸<\\b",
    "+/{⍺∧⍵}\\b",
)
OTHERS = (
    "((∧\\b)=∨\\⌽b)/t",
    "b⊥t",
    "{(∨\\⍵>2)/⍵}¨↓t∘.⌊t",
    "+/∧\\t∘.>t",
)
TARGETS = [
    pytest.param("c", marks=needs_c),
    pytest.param("openmp", marks=needs_threads),
    pytest.param("opencl", marks=needs_device),
]


@pytest.mark.parametrize("body", [*FREE, *OTHERS])
@pytest.mark.parametrize("target", TARGETS)
def test_values(body: str, target: TargetName) -> None:
    text = f"{{b←2<⍵ ⋄ t←⍵ ⋄ {body}}}"
    wanted, found = [aplc.fn(text, target=each) for each in ("interp", target)]
    for t in ([], [1], [3], [1, 3], [3, 1], [3, 1, 3], [1, 1, 3, 2, 1], [3, 3, 1, 3], [3] * 40, [1] * 40):
        v = np.array(t, dtype=int)
        expected, value = wanted(v), found(v)
        assert str(value) == str(expected), t


@needs_c
def test_of_a_place_that_is_far() -> None:
    """Beyond the first piece of a search."""
    v = np.ones(20_000, dtype=int)
    for place in (0, 4095, 4096, 19_999):
        v[place] = 3
        assert aplc.fn("{+/∧\\⍵<2}")(v) == place
        assert aplc.fn("{⊥⍨⌽⍵<2}")(v) == place
        v[place] = 1


@pytest.mark.parametrize("body", FREE)
def test_no_scan_is_left(body: str) -> None:
    text = f"t←3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3 2 3 8 4 6\nb←2<t\n⎕←{body}"
    assert "SCAN" not in laila(text)
    assert "FILTER" not in laila(text)


def test_what_may_fail_is_computed_to_the_end() -> None:
    """An element behind the place is an error all the same."""
    for target in ("interp", "c"):
        with pytest.raises(aplc.Error, match="DOMAIN ERROR"):
            aplc.fn("{+/∧\\2<÷⍵}", target=target)(np.array([1.0, 2.0, 0.0]))
