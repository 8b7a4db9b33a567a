"""Folds inside loops over points, which accumulate for many points side by side, against the interpreter.

There are points enough for none, one or several vectors of them, with and without a rest; the folds have no
elements, one, or some.
"""

import re
from itertools import product
from typing import Any

import numpy as np
import pytest

from aplc import fn
from aplc.laila.transform.register_tiling import SIZES
from tests.support.days import of_today
from tests.support.machine import needs_c, needs_device

Value = np.ndarray[Any, Any]

POINTS = (0, 1, SIZES.points - 1, SIZES.points, SIZES.points + 1, 2 * SIZES.points + 7)
STEPS = (0, 1, 2, 5)

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]


def _doubles(random: np.random.Generator, n: int) -> Value:
    return random.standard_normal(n)


def _some_are_none(random: np.random.Generator, n: int) -> Value:
    """Doubles of which some are no numbers, and many are zeros of either sign."""
    return random.choice([np.nan, 0.0, -0.0, 1.5, -2.0, np.inf], n, p=[0.02, 0.3, 0.3, 0.18, 0.18, 0.02])


def _integers(random: np.random.Generator, n: int) -> Value:
    return random.integers(-(2**62), 2**62, n)


def _small(random: np.random.Generator, n: int) -> Value:
    return random.integers(-9, 9, n).astype(np.int8)


FUNCTIONS = {
    "{⍵⊥c}": (_doubles, _small),
    "{+/c×⍵*¯1+⍳≢c}": (_doubles, _small),
    "{-/c×⍵}": (_doubles, _integers, _small),
    "{-/(c+⍵)×|⍵×⍵×⍵×⍵+1}": (_doubles, _integers),
    "{×/c+⍵}": (_doubles, _integers, _small),
    "{⌈/c×⍵}": (_doubles, _some_are_none, _integers, _small),
    "{⌊/c-⍵}": (_doubles, _some_are_none, _integers, _small),
    "{∧/c≤⍵}": (_doubles, _small),
    "{∨/c=⍵}": (_some_are_none, _small),
    "{≠/c<⍵}": (_doubles, _integers),
    "{+/c<⍵}": (_doubles, _integers, _small),
    "{+/(c<⍵)×c}": (_integers, _small),
    "{(+/c×⍵)-⌈/c+⍵}": (_doubles, _integers, _small),
    "{(⍵×+/c)-+/c×⍵×⍵}": (_doubles, _integers),
    "{⎕INT32XOR/c ⎕INT32AND ⍵ ⎕INT32XOR ⍵ ⎕INT32SHR 1}": (_integers, _small),
    "{⎕INT32OR/⍵ ⎕INT32SHL c-c}": (_integers, _small),
    "{⎕INT32AND/c×⍵}": (_integers, _small),
    "{+/{⌈/c×⍵}¨c+⍵}": (_doubles, _small),
    "{-/c×+/c-⍵}": (_doubles, _integers),
    "{+/⍵>c⌈2|⍳≢c}": (_doubles, _integers),
}


@pytest.mark.in_turn(10)
@pytest.mark.parametrize("strict_fp", (False, True))
@pytest.mark.parametrize("body", of_today([*FUNCTIONS], 2))
def test_folds_at_points(body: str, strict_fp: bool) -> None:
    for form in ("{{c←⍺ ⋄ {}¨⍵}}", "{{c←⍺ ⋄ +/{}¨⍵}}"):
        text = form.format(body)
        ours, meant = fn(text, strict_fp=strict_fp), fn(text, target="interp")
        random = np.random.default_rng(19)
        for make, n, steps in product(FUNCTIONS[body], POINTS, STEPS):
            c, x = make(random, steps), make(random, n)
            with np.errstate(all="ignore"):
                found, expected = np.asarray(ours(c, x)), np.asarray(meant(c, x))
            what = f"{steps} {text} {n}: {make.__name__}"
            assert found.shape == expected.shape, what
            if strict_fp or found.dtype != np.float64:
                np.testing.assert_array_equal(found, expected, what)
            else:
                np.testing.assert_allclose(found, expected, 1e-9, 1e-9, err_msg=what)


def test_a_failure_at_one_point() -> None:
    inverse = fn("{c←⍺ ⋄ {+/c÷⍵}¨⍵}")
    points = np.arange(1.0, 200.0)
    np.testing.assert_allclose(inverse(np.array([1.0, 2.0]), points), 3 / points)
    points[70] = 0.0
    np.testing.assert_array_equal(inverse(np.array([0.0]), np.arange(100.0))[:1], [1.0])  # 0÷0
    assert not inverse(np.zeros(0), points).any()  # nothing is divided
    with pytest.raises(Exception, match="DOMAIN ERROR"):
        inverse(np.array([1.0, 2.0]), points)


@pytest.mark.parametrize("target", ["c", pytest.param("opencl", marks=needs_device)])
@pytest.mark.parametrize("text", ["{{0.1×*0.01×⍵}/⍵}", "{{⍟2+⍺×*-⍵*2}/⍵}", "{{*⍵}/⍵}"])
def test_calls_of_what_a_step_has_made_stay_in_the_loop(text: str, target: str) -> None:
    """A logarithm or an exponential that is the same in each round would be computed in front of it."""
    for shape in ((200, 3), (64, 40), (5, 7, 2)):
        m = np.random.default_rng(7).random(shape) / 8
        found, wanted = [fn(text, target=each)(m) for each in (target, "interp")]
        assert np.allclose(found, wanted, rtol=1e-9, atol=0, equal_nan=True)


def test_calls_that_are_the_same_in_each_round_are_computed_in_front() -> None:
    text = fn("{{+/(⌈/⍵)=⍵}⍤1⊢⍵}").emit("c", "[double]2")
    assert re.search(r"const double t\d* = aplc_lowest_near\(1e-14, s\d*\);\n\s*(#|APLC|for)", text)


def test_truth_values_of_points_beside_numbers_are_numbers() -> None:
    """Bytes would fill no vector with as few points as a strip has."""
    text = "{{f←¯2+⌊⍵÷3 ⋄ f≤0:0 ⋄ f+∇f}¨⍵}"
    function = fn(text)
    assert "uint8_t" not in function.emit("c", "[int]1")
    for v in (np.arange(100), np.arange(-5, 3), np.zeros(0, np.int64), np.array([10**12, 7])):
        assert np.array_equal(function(v), fn(text, target="interp")(v))
