"""Powers of ¯1, which are signs, and of 2, which are exponents."""

import numpy as np
import pytest

import aplc
from aplc.options import Options
from tests.support.compiling import c_of

EXPONENTS = np.array([
    0, 1, 2, -1, -2, 63, 64, 65, 1023, 1024, 1025, -1022, -1023, -1074, -1075, -1076, 5000, -5000,
    2**53 - 1, 2**53, 2**53 + 1, 1 - 2**53, -1 - 2**53, 2**63 - 1, -(2**63),
])  # fmt: skip


@pytest.mark.parametrize("text", ["¯1*v", "2*v", "2*v÷2", "+/(¯1*v)×1+0=v", "+\\¯1*v", "(¯1*v)∘.×1+v"])
def test_values(text: str) -> None:
    """They are exact, also where an integer is no double, and where a power is too large or too small."""
    given = EXPONENTS[:16] if "÷" in text else EXPONENTS
    for strict in (False, True):
        meaning = aplc.run(text, target="interp", strict_fp=strict, v=given)
        for target in ("c", "openmp"):
            assert np.array_equal(aplc.run(text, target=target, strict_fp=strict, v=given), meaning), target


@pytest.mark.parametrize("text", ["+/(¯1*⍳9⌈≢v)÷1+2×⍳9⌈≢v", "w×¯1*v", "¯1*⌊w"])
def test_signs_are_no_powers(text: str) -> None:
    assert "power" not in c_of(text, Options(), v=[1, 2], w=[0.5, 2.0])


def test_a_sign_of_a_number_that_is_not_whole_is_an_error() -> None:
    with pytest.raises(aplc.RunError, match="DOMAIN ERROR"):
        aplc.run("¯1*w", w=[0.5])
