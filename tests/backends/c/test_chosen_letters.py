"""Letters for letters: the same on each target, one choice after the other in lanes, and no table of gcc."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.tail.errors import RunError
from tests.support.machine import needs_c, needs_threads

TEXTS = [
    "{'TGCAN'['ACGT'⍳⍵]}",
    "{'TGCAN'['ACGT'⍳⌽⍵]}",
    "{'TGCA'['ACGT'⍳⌽⍵]}",
    "{1 2 3 4 0['ACGT'⍳⍵]}",
    "{0.5 2 3 4 0['ACGT'⍳⍵]}",
    "{'TGCAN'['ACGT'⍳⍵]=⍵}",
    "{+/'⍋GCAN'['ACGT'⍳⍵]∊'A⍋'}",
]
TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("target", TARGETS)
def test_values(text: str, target: str) -> None:
    found, wanted = [aplc.fn(text, target=t) for t in (target, "interp")]  # type: ignore[arg-type]
    for size in (0, 1, 7, 300, 5000):
        letters = np.random.default_rng(size).choice(list("ACGT"), size)
        assert np.array_equal(found(letters), wanted(letters)), size
        letters[size // 2 :] = "⍋"
        outcomes = []
        for function in (found, wanted):
            try:
                outcomes.append(np.asarray(function(letters)).tolist())
            except RunError as error:
                outcomes.append(str(error).split("\n")[0])
        assert outcomes[0] == outcomes[1], size


@needs_c
@pytest.mark.parametrize("text", TEXTS[:4])
def test_that_they_are_chosen(text: str) -> None:
    assert "= aplc_select_int32(" in aplc.fn(text).emit("c", "[char]1")
