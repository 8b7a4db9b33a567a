"""Residues of any integers by constants, in lanes: without a division for each."""

import numpy as np
import pytest

import aplc

RNG = np.random.default_rng(17)
MOST = 2**63
DIVISORS = [
    2,
    3,
    7,
    10,
    12,
    100,
    1000,
    4095,
    4096,
    4097,
    65521,
    10**9 + 7,
    2**31 - 1,
    2**32 + 15,
    10**12,
    2**50 - 27,
]
LARGE_DIVISORS = [2**53 + 1, 2**61 - 1, 2**62 - 1, 2**62, 2**62 + 1, 2**63 - 1]


def numbers_around(divisor: int) -> np.ndarray:
    """What is next to multiples of a divisor, to the ends of integers, and others."""
    times = [0, 1, 2, 3, *RNG.integers(0, max(1, (MOST - 1) // divisor) + 1, 300).tolist(), MOST // divisor]
    near = [sign * k * divisor + off for k in times for sign in (1, -1) for off in (-2, -1, 0, 1, 2)]
    ends = [sign * (MOST >> k) + off for k in range(63) for sign in (1, -1) for off in (-1, 0, 1)]
    some = RNG.integers(-MOST, MOST - 1, 500).tolist()
    return np.array([x for x in (*near, *ends, *some) if -MOST <= x < MOST])


@pytest.mark.parametrize("divisor", [*DIVISORS, *LARGE_DIVISORS])
def test_values(divisor: int) -> None:
    v = numbers_around(divisor)
    wanted = np.array([int(x) % divisor for x in v])
    for target in ("c", "openmp"):
        assert np.array_equal(aplc.fn(f"{{{divisor}|⍵}}", target=target)(v), wanted)
        assert np.array_equal(aplc.fn(f"{{({divisor}|⍵)×1}}", target=target)(v[:3]), wanted[:3])
        total = int(np.sum(wanted, dtype=np.int64))
        assert aplc.fn(f"{{+/{divisor}|⍵}}", target=target)(v) == total


def test_of_what_is_a_double_too() -> None:
    """Numbers in memory of 32 bits times a constant have less than 52."""
    v = np.array([-(2**31), 2**31 - 1, 0, 1, -1, *RNG.integers(-(2**31), 2**31, 1000)])
    function = aplc.fn("{2147483647|16807×2147483647⌊¯2147483648⌈⍵}")
    assert np.array_equal(function(v), 16807 * v % (2**31 - 1))
    assert "aplc_residue_by52(" in function.emit("c", "[int]1")


def test_which_are() -> None:
    """Those in loops that run in lanes; what waits for another one is divided, which takes less time then."""
    text = aplc.fn("{1000000007|⍵×⍵}").emit("c", "[int]1")
    assert "aplc_residue_by64(1000000007, t * t)" in text
    text = aplc.fn("{{1000000007|⍺+31×⍵}/⍵}").emit("c", "[int]1")
    assert "aplc_residue_by" not in text


@pytest.mark.parametrize("divisor", [2, 3, 4, 7, 10, 121, 1000, 10**9 + 7, 2**46 + 1, 2**52 - 1])
@pytest.mark.parametrize("tolerance", ["", "⎕CT←0 ⋄ ", "⎕CT←1e¯9 ⋄ "])
def test_quotients(divisor: int, tolerance: str) -> None:
    """Those of large numbers are rounded, as doubles are, and near whole ones then."""
    edges = [
        sign * (2**k) + off for k in (45, 46, 52, 53, 54, 62) for sign in (1, -1) for off in range(-3, 4)
    ]
    v = np.concatenate([numbers_around(divisor), np.array(edges)])
    for text in (f"{tolerance}⎕←⌊v÷{divisor}", f"{tolerance}⎕←⌈v÷{divisor}", f"{tolerance}⎕←⌈/⌊v÷{divisor}"):
        wanted = aplc.run(text, inputs={"v": v}, target="interp")
        for target in ("c", "openmp"):
            assert np.array_equal(aplc.run(text, inputs={"v": v}, target=target), wanted), text


def test_quotients_in_lanes() -> None:
    text = aplc.fn("{⌊⍵÷10}").emit("c", "[int]1")
    assert "aplc_snap_quot_in_lanes(1e-14, omega[i], 10)" in text
    text = aplc.fn("{⌊⍵÷10}").emit("c", "[int]0")
    assert "in_lanes" not in text
