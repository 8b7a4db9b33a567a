"""Loops over arrays that are maps of loops over scalars."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName

LARGEST = """
∇ r←v largest items;i
r←1↓v
:For i :In items
    r←r⌈⊃i
:EndFor
∇
v largest items
"""


@pytest.mark.parametrize("target", ["interp", "c"])
def test_rounds_that_want_an_item_each(target: TargetName) -> None:
    """Where an item begins and how long it is are variables under two guises."""
    given = {"v": np.array([9, 1, 2.5, 10]), "items": [[0.5, 8], [], [3.5]]}
    np.testing.assert_array_equal(aplc.run(LARGEST, target=target, inputs=given), [3.5, 3.5, 10])
