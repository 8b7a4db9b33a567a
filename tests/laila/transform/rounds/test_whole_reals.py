"""Whole doubles are not made integers to become doubles again; what fails and the signs of zeros stay."""

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName

RNG = np.random.default_rng(7)
TEXTS = (
    "{⍵-⌊⍵}",
    "{⍺-10×⌊0.5+⍺÷10}",
    "{d←⍵∘.-⍵ ⋄ +/d-5×⌊0.5+d÷5}",
    "{p←⌊⍺ ⋄ f←⍺-p ⋄ (⍵[1⌈(≢⍵)⌊p]×1-f)+⍵[1⌈(≢⍵)⌊p+1]×f}",
    "{0.5×⌈⍵}",
    "{r←⌊⍵ ⋄ s←0 ⋄ (r÷3)+(⌈⍵)×0.25+s}",
    "{⎕CT←0 ⋄ ⍵-⌊⍵}",
)


@pytest.mark.parametrize("target", ("c", "openmp"))
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str, target: TargetName) -> None:
    compiled, wanted = aplc.fn(text, target=target), aplc.fn(text, target="interp")
    for n in (1, 7, 100):
        for given in (
            RNG.normal(0, 30, n),
            np.round(RNG.normal(0, 3, n), 1),
            RNG.choice([0.0, -0.0, -0.25, 3 - 1e-15, 2.0**53, -(2.0**62), 5e-324], n),
            RNG.choice([1.0, 1e19, -1e300], n),
            RNG.choice([1.0, np.nan, np.inf], n),
        ):
            found = [_outcome(each, text, given) for each in (wanted, compiled)]
            if isinstance(found[0], str):
                assert found[1] == found[0]
            else:
                np.testing.assert_allclose(found[1], found[0], 1e-9, 1e-300)
                assert np.array_equal(np.signbit(found[0]), np.signbit(found[1]))


def _outcome(function: aplc.Function, text: str, given: np.ndarray) -> object:
    """The value of a call, or its error."""
    try:
        return function(given, given[::-1].copy()) if "⍺" in text else function(given)
    except aplc.Error as error:
        return str(error)


def test_nothing_becomes_an_integer() -> None:
    text = aplc.fn("{⍵-⌊⍵}").emit("laila", "[double]1")
    assert "ffloor" in text and "ftrunc" not in text
    assert "ftrunc" in aplc.fn("{⌊⍵}").emit("laila", "[double]1")
