"""How results are stored: narrow elements that are only moved or compared stay narrow, all others do not."""

from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c, needs_device, needs_threads

pytestmark = pytest.mark.usefixtures("surroundings")

KEPT = (
    "⊢⍵", "⌽⍵", "⍉⍵", "1⊖⍵", "1 0 1/⍵", ",⍵", "⍵[2 1;]", "⍵[⍋⍵;]", "4 5↑⍵", "¯1 1↓⍵", "⍵⌈0", "⍵⌈⌽⍵",
    "⍵,0 1", "⌈\\⍵", "∪,⍵", "{⍵>0:⍵ ⋄ 0}¨⍵", "(0<,⍵)/,⍵", "⍵∘.⌊⍵", "1⌷⍵", "⍵⍪⍵", "x⊣x[1;]←9⊣x←⍵", "2 3⍴⍵", 
    "⍵{⍺⌈⍵}⍤1⊢⍵", "0⍴⍵", "{(+/⍵)>0:⌽⍵ ⋄ ⍵},⍵", "(⊂2 1)⌷⍵", "⌽x⊣x←⍉⍵", "2⌈/⍵", "¯2⌊⌿⍵",
)  # fmt: skip
COMPUTED = (
    "2×⍵",
    "⍵+0",
    "-⍵",
    "⍵∘.+⍵",
    "⍵,300.1",
    "⍵,2*40",
    "⌈/⍵",
    "0⌈/⍵",
    "2+/⍵",
    "+\\⍵",
    "⍵⍪2×⍵",
    "{⍵>0:⍵ ⋄ 0.1}¨⍵",
    "⍵*2",
)
GIVEN = [
    np.float32([[0.5, -1, 2], [7, 0, 0.25]]),
    np.int8([[3, -1, 2], [7, 0, 1]]),
    np.uint16([[3, 9, 2], [7, 0, 65535]]),
]


def wide(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return array.astype(np.float64 if array.dtype.kind == "f" else np.int64)


@pytest.mark.parametrize("text", KEPT)
def test_what_is_moved_or_compared_stays_narrow(text: str) -> None:
    function = aplc.fn(f"{{{text}}}", target="interp")
    for array in GIVEN:
        found, expected = function(array), function(wide(array))
        assert found.dtype == array.dtype and expected.dtype == wide(array).dtype
        assert np.array_equal(found, expected) and found.shape == expected.shape


@pytest.mark.parametrize("text", COMPUTED)
def test_what_is_computed_does_not(text: str) -> None:
    function = aplc.fn(f"{{{text}}}", target="interp")
    for array in GIVEN:
        found = function(array)
        assert found.dtype in (np.int64, np.float64) and np.array_equal(found, function(wide(array)))


def test_two_arrays_have_the_dtype_that_holds_both() -> None:
    join = aplc.fn(",", target="interp")
    for a, b, dtype in (
        ("i1", "i1", "i1"), ("i1", "u1", "i2"), ("u4", "i4", "i8"), ("i1", "f4", "f8"), ("i1", "i8", "i8"),
        ("i2", "?", "i8"), ("f4", "f8", "f8"), ("f2", "f2", "f8"), ("?", "?", "?"),
    ):  # fmt: skip
        assert join(np.ones(2, a), np.ones(2, b)).dtype == np.dtype(dtype), (a, b)
    assert join(np.ones(2, "i1"), 127).dtype == np.int64  # its value is not looked at
    larger = aplc.fn("⌈", target="interp").ufunc
    assert larger(np.float32([[1], [2]]), np.float32([0, 3])).dtype == np.float32
    assert aplc.run("⌽x", x=np.int16([1, 2]), target="interp").dtype == np.int16
    both = aplc.run("x (⌽x)", x=np.int16([1, 2]), target="interp")
    assert {each.dtype for each in both} == {np.dtype(np.int64)}


TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("target", [*TARGETS, pytest.param("opencl", marks=needs_device)])
def test_targets_agree(target: str) -> None:
    """In one program: moved by an index, chosen, filled up; and a value that lies in memory anyway."""
    for text in ("(5↑⌽⍵[⍋⍵])⌈3", "(0<⍵)/⍵", "x⊣x[1]←9⊣x←⍵", "⍵[⍋⍵]", "⍵[⍒⍵],⍵", "2↑⍵[⍒⍵]", "∪⍵", "⍵[⍋⍒⍵]"):
        function, meaning = aplc.fn(f"{{{text}}}", target=target), aplc.fn(f"{{{text}}}", target="interp")
        for array in (np.float32([0.5, -1, 7]), np.int8([3, -1, 100])):
            for _ in range(3):  # then by the short way
                found = function(array)
                assert found.dtype == array.dtype and np.array_equal(found, meaning(array))


@needs_c
def test_nothing_wider_is_written() -> None:
    for text in ("⌽", "{(⍵≥0)/⍵}"):
        f = aplc.fn(text, memory_limit=5_000_000)
        assert f(np.ones(1_000_000, np.float32)).nbytes == 4_000_000
        with pytest.raises(aplc.RunError, match="WS FULL"):
            f(np.ones(1_000_000))
