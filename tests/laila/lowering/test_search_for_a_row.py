"""`m⍳row`: rows are compared until one is equal; no table of them is made."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_device

ROWS = np.array([[3, 1, 4], [1, 5, 9], [2, 6, 5], [1, 5, 9]])
TEXT = np.array([list("ann"), list("bob"), list("cid")])


@pytest.mark.parametrize(
    "target",
    ["interp", pytest.param("c", marks=needs_c), pytest.param("opencl", marks=needs_device)],
)
def test_values(target: TargetName) -> None:
    place = aplc.fn("{⍺⍳⍵}", target=target)
    for row, expected in (([1, 5, 9], 2), ([3, 1, 4], 1), ([2, 6, 5], 3), ([9, 5, 1], 5)):
        assert place(ROWS, np.array(row)) == expected
        assert place(ROWS * 1.0, np.array(row) * (1 + 1e-15)) == expected  # within ⎕CT
        assert place(ROWS[:0], np.array(row)) == 1
    assert place(ROWS[:, :0], np.array([], dtype=int)) == 1
    assert place(TEXT, "bob") == 2
    assert place(TEXT, "bot") == 4
    assert place(np.stack([ROWS, ROWS[::-1]]), ROWS[::-1]) == 2
    with pytest.raises(aplc.Error, match="LENGTH ERROR"):
        place(ROWS, np.array([1, 2]))


@needs_c
def test_no_table_is_made() -> None:
    assert "table" not in aplc.fn("{⍺⍳⍵}").emit("c", "[int]2,[int]1")
    assert "table" in aplc.fn("{⍺⍳⍵}").emit("c", "[int]2,[int]2")
