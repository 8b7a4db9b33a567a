"""Cells of results that differ in their extents are filled up, as those of Dyalog APL's `⍤` and `⌺`."""

from __future__ import annotations

import numpy as np
import pytest

from aplc import RunError, fn
from tests.support.machine import needs_c

FUNCTIONS = [
    "⍳⍤0⊢⍵",
    "{(⍵,1+2|⍵)⍴⍳9}⍤0⊢⍵",
    "{((1+⌊⍵÷3),1+3|⍵)⍴0.5}⍤0⊢⍵",
    "{⍵⍴'abc'}⍤0⊢⍵",
    "{⍵⍴0J1}⍤0⊢⍵",
    "∪⍤1⊢3|⍵∘.×⍳5",
    "{(⍵>3)/⍵}⍤1⊢⍵∘.+⍳4",
    "{(9<+/⍵)⌿⍵}⍤2⊢⍵∘.+2 3⍴⍳6",
    "⍵↑⍤0 1⊢⍵∘.+⍳3",
    "⍕⍤0⊢10*⍵",
    "{(3|+/⍵)↑⍵}⌺3⊢⍵",
    "{⎕←⍵ ⋄ ⍳⍵}⍤0⊢⍵",
    "+/⍳⍤0⊢⍵",
    "+⌿{⍳+/⍵}⍤1⊢⍵∘.+1 2",
    "≢⍤1⍳⍤0⊢⍵",
    "{+/⍳⍤0⊢⍵}⍤1⊢⍵∘.|3 5 7",
]


@needs_c
@pytest.mark.parametrize("target", ["c", "openmp", "opencl"])
@pytest.mark.parametrize("text", FUNCTIONS)
def test_cells_of_different_extents(text: str, target: str) -> None:
    meaning, found = fn(f"{{{text}}}", target="interp"), fn(f"{{{text}}}", target=target)
    for given in ([], [0], [4], [3, 3, 3], [1, 2, 3, 4], [4, 3, 2, 1], [0, 5, 0, 2, 9], list(range(40))):
        argument = np.array(given, dtype=np.int64)
        np.testing.assert_array_equal(found(argument), meaning(argument))


@needs_c
def test_cells_of_a_matrix_of_cells() -> None:
    shapes = np.array([[2, 0, 1], [3, 1, 0]])
    want = np.zeros((2, 3, 3), dtype=np.int64)
    for place in np.ndindex(2, 3):
        want[*place, : shapes[place]] = np.arange(1, shapes[place] + 1)
    for target in ("interp", "c"):
        np.testing.assert_array_equal(fn("{⍳⍤0⊢⍵}", target=target)(shapes), want)


@needs_c
def test_cells_that_grow_are_copied_a_few_times() -> None:
    """Room is doubled: of 2,000 cells that get longer and longer only eleven find too little."""
    c = fn("{⍳⍤0⊢⍵}").emit("c", "[int]1")
    assert "2 * room" in c or "room + room" in c
    longer = np.arange(2000)
    assert fn("{+/+/⍳⍤0⊢⍵}")(longer) == int((longer * (longer + 1) // 2).sum())


@needs_c
@pytest.mark.parametrize("lengths", [(2**45, 2**45), (1, 2**46), (3, 2, 2**46, 1)])
def test_more_elements_than_can_be_counted(lengths: tuple[int, ...]) -> None:
    """Cells that one by one might have memory, and all together have more elements than 64 bits count."""
    argument = np.resize(np.array(lengths), 2**20)
    with pytest.raises(RunError, match=r"WS FULL: no memory for an array of \d{20} elements"):
        fn("{⍳⍤0⊢⍵}")(argument)
