"""`↑` of a few arrays of a strand: they are read where they are, and what follows sees each of them."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_device, needs_threads

TEXTS = (
    "{+⌿↑(1⊖⍵)(¯1⊖⍵)(1⌽⍵)(¯1⌽⍵)}",
    "{↑(1↓⍵)(0 2↓⍵)(⍉⍵)}",
    "{⌈⌿↑⍵(2 3⍴⍳6)}",
    "{↑⍵ 5(⍳3)}",
    "{↑(3>⍵)(⍵÷2)}",
    "{↑[0.5](1⌽⍵)(2↓⍵)}",
    "{↑[1.5](1⌽⍵)(2↓⍵)}",
    "{,⍉↑(,⍵)(⌽,⍵)}",
    "{↑⍵(⌽2>⍵)0 0 0 0 0 0 0}",
    "{↑(⍕,⍵)'two'(⌽'three')}",
    "{p←¯1⊖¯1⌽(2+⍴⍵)↑⍵ ⋄ (2 2↓p)+¯2 ¯2↓p}",
)
TARGETS = [
    pytest.param("c", marks=needs_c),
    pytest.param("openmp", marks=needs_threads),
    pytest.param("opencl", marks=needs_device),
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("target", TARGETS)
def test_values(text: str, target: TargetName) -> None:
    wanted, found = [aplc.fn(text, target=each) for each in ("interp", target)]
    for shape in ((0, 0), (0, 3), (1, 1), (3, 0), (2, 5), (30, 17)):
        m = np.arange(shape[0] * shape[1]).reshape(shape) % 23
        assert np.array_equal(found(m), wanted(m)), shape


@needs_c
def test_nothing_but_the_result_is_written() -> None:
    for text in (TEXTS[0], TEXTS[-1]):
        laila = aplc.fn(text).emit("laila", "[double]2")
        assert laila.count("alloc") == 1 and "quot" not in laila


@needs_c
def test_many_items_stand_one_behind_the_other() -> None:
    """A choice among many would be asked for each element."""
    few, many = ["{↑" + "".join(f"({k}⌽⍵)" for k in range(n)) + "}" for n in (32, 33)]
    assert "nest(" not in aplc.fn(few).emit("tail", "[double]1")
    assert "nest(" in aplc.fn(many).emit("tail", "[double]1")
