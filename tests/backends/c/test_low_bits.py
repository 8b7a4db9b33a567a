"""Bits of integers: constants of more than 32 bits, and sums and products with them, are cut to those."""

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

VALUES = np.array([0, 1, -1, 5, 2**32, -(2**31), 2**62 + 3])


@needs_c
@pytest.mark.parametrize("target", ["c", "openmp"])
def test_long_constants(target: str) -> None:
    for text in (
        "{2147483648 ⎕INT32OR ⍵}",
        "{4294967295 ⎕INT32AND ⍵}",
        "{4294967295 ⎕INT32XOR ⍵}",
        "{(⍵+4294967295)⎕INT32XOR 1}",
        "{(⍵+4294967295×⌽⍵)⎕INT32XOR 1}",
        "{(4294967297×⍵)⎕INT32OR ⌽⍵}",
        "{⎕INT32NOT ⍵-4294967290}",
        "{4294967295 ⎕INT32SHR 3⌊0⌈⍵}",
    ):
        expected = aplc.fn(text, target="interp")(VALUES)
        assert np.array_equal(aplc.fn(text, target=target)(VALUES), expected), text
