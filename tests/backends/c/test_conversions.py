"""Doubles of integers of 64 bits in lanes: rounded as everywhere."""

import numpy as np
import pytest

from aplc import fn
from tests.support.machine import needs_c


@needs_c
@pytest.mark.optimised
def test_doubles_of_integers_of_any_size() -> None:
    f = fn("{⍺+⍵}", target="c")
    assert "aplc_real_of(" in f.emit("c", "[double]1", "[int]1")
    near = [base + step for base in (0, 2**31, 2**32, 2**52, 2**53, 2**54, 2**62) for step in range(-5, 6)]
    some = np.random.default_rng(7).integers(-(2**63), 2**63 - 1, 1000)
    integers = np.array([-(2**63), 2**63 - 1, *near, *[-n for n in near], *some])
    assert np.array_equal(f(np.zeros(len(integers)), integers), integers.astype(float))
