"""Residues of doubles by constants, in lanes: by a product with the inverse."""

import math
from fractions import Fraction

import numpy as np
import pytest

import aplc

RNG = np.random.default_rng(23)
DIVISORS = [360.0, 1.1, 0.1, 3.0, 7.5, 2.0**0.5, 1e-3, 1e300, 5e-300, 1 - 2.0**-53, 1 + 2.0**-52, 1.5, 2.0]


def numbers_around(divisor: float) -> np.ndarray:
    """What is next to multiples of a divisor, large, small and no numbers."""
    times = [*range(8), *RNG.integers(0, 2**20, 200), *RNG.integers(0, 2**49, 200), 2**50, 2**51, 2**54]
    exact = [float(int(k) * Fraction(divisor)) if abs(divisor) < 1e200 else k * 1e290 for k in times]
    near = [y for x in exact for y in (x, math.nextafter(x, 0), math.nextafter(x, math.inf))]
    some = [*(RNG.normal(0, 1, 300) * divisor), *RNG.normal(0, 1e6, 300)]
    tiny = [5e-324, 1e-310, 1e-200, 0.0]
    v = np.array([*near, *some, *tiny])
    return np.concatenate([v, -v, [np.inf, -np.inf, np.nan]])


@pytest.mark.parametrize("divisor", DIVISORS)
@pytest.mark.parametrize("length", [3, 8, None])
def test_values(divisor: float, length: int | None) -> None:
    """The same bits as those of single numbers and of other divisors, of which the run tells."""
    v = numbers_around(divisor)
    if length is not None:
        v = v[: len(v) // length * length].reshape(-1, length)
    text = f"⎕CT←0 ⋄ x←{divisor!r}".replace("e-", "E¯").replace("e+", "E") + " ⋄ ⎕←x|v"
    given = "⎕CT←0 ⋄ ⎕←x|v"
    wanted = np.asarray(aplc.run(given, inputs={"v": v, "x": divisor}, target="interp"))
    for target in ("c", "openmp"):
        found = np.asarray(aplc.run(text, inputs={"v": v}, target=target))
        assert np.array_equal(
            found.view(np.int64)[~np.isnan(wanted)], wanted.view(np.int64)[~np.isnan(wanted)]
        )
        assert np.array_equal(np.isnan(found), np.isnan(wanted))


def test_of_many() -> None:
    """Of random numbers each residue is the exact one."""
    v = RNG.normal(0, 1e4, 20_000)
    found = np.asarray(aplc.run("⎕CT←0 ⋄ ⎕←360|v", inputs={"v": v}))
    assert np.array_equal(found, np.where(np.fmod(v, 360) < 0, np.fmod(v, 360) + 360, np.fmod(v, 360)))
