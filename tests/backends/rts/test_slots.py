"""Tables of vectors by code: they grow as far as most elements are different, or as they turn out to be."""

import numpy as np
import pytest

import aplc
from aplc.calling.functions import Function
from aplc.options import Options
from aplc.tail.source import Source

RNG = np.random.default_rng(77)
TEXTS = ("{∪⍵}", "{≢∪⍵}", "{⍵⍳⌽⍵}", "{(∪⍵)⍳⍵}", "{≠⍵}", "{(3↓⍵)⍳⍵}", "{⍵∩⌽3↓⍵}")
FAR = 98_765_432_123
"""Between neighbours, so that there is no table by code itself."""


def vectors() -> dict[str, np.ndarray]:
    """Vectors whose tables begin small, grow step by step, or at once."""
    few, many = RNG.integers(0, 300, 20_000), RNG.permutation(40_000)
    most = RNG.permutation(90_000)
    return {
        "short": RNG.integers(-4, 4, 20) * FAR,
        "few": few * FAR,
        "all different": many * FAR,
        "first the same, then different": np.concatenate([few, many]) * FAR,
        "first different, then the same": np.concatenate([many, few]) * FAR,
        "many different, and zero": most * FAR,
        "many, first the same": np.concatenate([np.repeat(few, 5), most]) * FAR,
        "multiples": np.arange(35_000) << 40,
        "doubles": np.concatenate([many, few]) * 1e-300,
        "NaN and zeros": np.where(
            RNG.random(3000) < 0.3, np.nan, RNG.integers(-2, 3, 3000) * 0.0 + few[:3000]
        ),
    }


@pytest.mark.in_turn(6)
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str) -> None:
    meaning = aplc.fn(text, target="interp")
    programs = {t: Function([Source("text", text)], None, Options(t, verify=True)) for t in ("c", "openmp")}
    for name, given in vectors().items():
        wanted = np.asarray(meaning(given), float)
        for target, program in programs.items():
            found = np.asarray(program(given), float)
            assert np.array_equal(found, wanted, equal_nan=True), (name, target)
