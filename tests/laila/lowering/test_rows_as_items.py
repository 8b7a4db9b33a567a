"""Rows and columns as items, `f¨↓m`: what a function folds once is computed there, as with `f⍤1`."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_device, needs_threads

ONCE = (
    "{+/¨↓⍵×2}",
    "{{(+/⍵)÷≢⍵}¨↓⍉⍵}",
    "{⌈/¨↓⍉⍵}",
    "{{+/⍵×⍳≢⍵}¨↓⌽⍵}",
    "{{∨/⍵>5}¨↓0⌈⍵-1}",
    "{{≢⍵}¨↓⍉⍵}",
)
OFTEN = (
    "{{+/⍵-⌈/⍵}¨↓⍵×2}",
    "{{⍵[⍋⍵]}¨↓⍉⍵}",
    "{+\\¨↓⍉⍵}",
    "{r←⍵×2 ⋄ ({+/⍵+⊃⊃⌽↓r}¨↓r)}",
    "{+/¨3⍴↓⍵×2}",
    "{+/¨⌽↓⍵×2}",
    "{+/¨(↓⍵×2),⊂⍳3}",
)
TARGETS = [
    pytest.param("c", marks=needs_c),
    pytest.param("openmp", marks=needs_threads),
    pytest.param("opencl", marks=needs_device),
]


def plain(value: object) -> list[object]:
    """Items as lists."""
    return [np.asarray(item).tolist() for item in np.asarray(value, dtype=object)]


@pytest.mark.parametrize("text", [*ONCE, *OFTEN])
@pytest.mark.parametrize("target", TARGETS)
def test_values(text: str, target: TargetName) -> None:
    wanted, found = [aplc.fn(text, target=each) for each in ("interp", target)]
    for shape in ((0, 0), (0, 3), (3, 0), (1, 1), (2, 5), (40, 3), (3, 40), (130, 70)):
        m = np.arange(shape[0] * shape[1]).reshape(shape) * 7 % 23
        try:
            expected = plain(wanted(m))
        except aplc.Error as error:
            with pytest.raises(aplc.Error, match=str(error).split(":")[-2].strip()):
                found(m)
            continue
        assert plain(found(m)) == expected, shape


@needs_c
@pytest.mark.parametrize("text", ONCE[:5])
def test_nothing_but_the_result_is_written(text: str) -> None:
    assert aplc.fn(text).emit("laila", "[double]2").count("alloc") == 1
