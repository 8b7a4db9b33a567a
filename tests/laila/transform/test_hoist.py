"""Memory that leaves loops and branches: its size asks for nothing that the program does not ask for."""

import numpy as np
import pytest

import aplc
from aplc import fn
from tests.support.machine import needs_c


@needs_c
@pytest.mark.parametrize("target", ["interp", "c"])
def test_a_size_is_not_checked_where_no_memory_is_wanted(target: str) -> None:
    f = fn("{≢¨1⊃¨⍺\\{a←⍵⍴'pq' ⋄ b←≢a ⋄ a b}¨2 2⊣⍵}", target=target)
    assert f(np.array([1, 1, 0]), 0).tolist() == [2, 2, 2]


@needs_c
@pytest.mark.parametrize("target", ["interp", "c"])
def test_an_error_of_a_size_is_that_of_the_program(target: str) -> None:
    f = fn("{n←⍺ ⋄ {⍵>2: 0 ⋄ +/(⍳n)[⍋(⌽⍳n)×⍵]}¨⍵}", target=target)
    assert f(-3, np.array([3, 4])).tolist() == [0, 0]
    assert f(3, np.array([1, 4])).tolist() == [6, 0]
    with pytest.raises(aplc.RunError, match="DOMAIN ERROR"):
        f(-3, np.array([3, 1]))


WINDOWS = [
    "{p←⍺ ⋄ ⌈/{⌈/,⍵+/⍵+⌿p}¨⍵}",
    "{p←⍺ ⋄ {+/,⍵+⌿p}¨⍵}",
    "{p←⍺ ⋄ r←0 ⋄ r⊣{r+←+/,⍵+/p}¨⍵}",
]


@needs_c
@pytest.mark.parametrize("text", WINDOWS)
def test_values_of_what_is_written_once(text: str) -> None:
    compiled = [fn(text, target=target) for target in ("c", "openmp")]
    wanted = fn(text, target="interp")
    for rows, columns in ((5, 5), (7, 6), (6, 90)):
        matrix = np.arange(rows * columns).reshape(rows, columns) * 7919 % 100 - 50
        for widths in (np.array([1, 2, 4]), np.array([3]), np.array([], int)):
            expected = wanted(matrix, widths)
            for f in compiled:
                assert np.array_equal(f(matrix, widths), expected)


@needs_c
def test_an_error_comes_before_what_is_written_once() -> None:
    f = fn("{p←⍺ ⋄ {+/,⍵+⌿p}¨⍵}")
    with pytest.raises(aplc.RunError, match="LENGTH ERROR"):
        f(np.ones((3, 4), int), np.array([1, 6]))
    assert f(np.ones((3, 4), int), np.array([], int)).tolist() == []


def test_sums_of_all_windows_are_made_once() -> None:
    lines = fn(WINDOWS[0]).emit("laila", "[int]2", "[int]1").splitlines()
    assert sum("SCAN addi a[" in line and "{ ⍺[" in line and "REDUCE" not in line for line in lines) == 1
