"""Quotients of doubles by constants in loops: two products each, and the nearest double all the same."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import aplc
from aplc.backends.c.divisions import reciprocal
from aplc.laila.devices.device_mapping import Division
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from tests.support.compiling import c_of
from tests.support.kernel_runs import GRID, THREE, kernels, outcome
from tests.support.machine import needs_c, needs_device

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]

RNG = np.random.default_rng(11)
DIVISORS = (3.0, 6.0, 10.0, 49.0, -100.0, 255.0, 0.1, 2.5066282746310002, 1e200, -1e-200, 1.0 + 2.0**-52)


def numbers() -> np.ndarray:
    """Multiples of the divisors, numbers of all sizes, and those that are no numbers or have no end."""
    multiples = np.concatenate([np.arange(-40, 41) * d for d in DIVISORS])
    sizes = RNG.uniform(1, 2, 2000) * 2.0 ** RNG.integers(-300, 300, 2000) * RNG.choice((-1, 1), 2000)
    ends = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.7e308, -1.7e308, 1e-280, 2.0**53 - 1])
    return np.concatenate([multiples, sizes, ends])


@pytest.mark.parametrize("target", ("c", "openmp"))
def test_values_are_those_of_a_division(target: str) -> None:
    v = numbers()
    text = ",".join([f"(v÷{d!r})".replace("-", "¯").replace("+", "") for d in DIVISORS])
    found = np.asarray(aplc.run(text, target=target, v=v))
    with np.errstate(over="ignore", under="ignore"):
        wanted = np.concatenate([v / d for d in DIVISORS])
    normal = (np.abs(wanted) > 1e-290) | (wanted == 0)
    np.testing.assert_array_equal(np.signbit(found[~np.isnan(found)]), np.signbit(wanted[~np.isnan(wanted)]))
    np.testing.assert_array_equal(found[normal], wanted[normal])
    np.testing.assert_allclose(found, wanted, rtol=1e-15, atol=5e-324)


@needs_device
@pytest.mark.parametrize("division", (THREE, GRID, replace(THREE, lanes=4, vector=64)))
def test_values_of_kernels(division: Division) -> None:
    v = np.concatenate([np.arange(1.0, 900) * 49, RNG.uniform(-600, 600, 3000)])
    text = "(v÷49)-(*0×v)×v÷7.1"  # one of them over whole vectors, where there are such
    ((found,), _) = outcome(text, {"v": v}, Options("opencl", verify=True, division=division))
    np.testing.assert_array_equal(found, v / 49 - v / 7.1)
    assert kernels(text, {"v": v}, division).count("aplc_over") >= 2


@pytest.mark.parametrize("divisor", (*DIVISORS, 7.0, -1e-17, np.pi))
def test_the_parts_of_an_inverse_are_on_one_side_of_it(divisor: float) -> None:
    high, low = reciprocal(divisor) or (0.0, 0.0)
    inverse = 1 / Fraction(divisor)
    assert abs(Fraction(high)) <= abs(inverse) and high * low >= 0
    assert abs(Fraction(high) + Fraction(low) - inverse) <= abs(inverse) / 2**104


def test_what_has_an_inverse_or_is_beyond_is_divided_by() -> None:
    assert all(reciprocal(d) is None for d in (1.0, -2.0, 0.125, 0.0, np.inf, np.nan, 1e-300, 1e300))


def test_products_stand_in_loops_only_and_not_where_each_bit_counts() -> None:
    assert "aplc_over(v[i], 3.0, " in c_of("v÷3", Options(), v=[0.5])
    assert "/ 3.0" in c_of("v÷3", Options(settings=Settings(strict_fp=True)), v=[0.5])
    assert "aplc_over" not in c_of("v÷3", Options(), v=0.5)
