"""Folds in larger expressions, and in arrays of a few elements, as statements that share loops."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_device, needs_threads

TEXTS = (
    "{(⌈/⍵),⌊/⍵}",
    "{d←(1↓⍵)-¯1↓⍵ ⋄ (⌈/d),(⌊/d),(+/d)÷1⌈≢d}",
    "{(+/⍵),(≢⍵),+/⍵>0}",
    "{2 2⍴(⌊/⍵),(⌈/⍵),(+/⍵),+/⍵*2}",
    "{⌽(⌊/⍵),2,⌈/⍵}",
    "{(⌊/⍵)⍪⍪(⌈/⍵),+/⍵}",
    "{(+/⍵),(⍳3),×/1+⍵÷8}",
    "{1↓(∨/⍵>0),(∧/⍵>0),(+/⍵>0)}",
    "{+/(⌈/⍵),⌊/⍵}",
    "{3⍴(⌈/⍵),⌊/⍵}",
    "{(⌈/⍵),20⍴⌊/⍵}",
    "{(+/m/⍵),⌈/m/⍵⊣m←⍵>0}",
    "{(⌈/(⍵<1)/⍵),⌊/(⍵>0)/⍵}",
    "{(⌈/(⍵>99)/⍵)+⌊/⍵}",
)
VECTORS = (
    np.zeros(0),
    np.array([-3.5]),
    np.array([2, -7, 4]),
    np.arange(40) * 1.5 - 20,
    np.array([1.5, np.nan, -2]),
    np.array([True, False, True, True]),
)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "target",
    [
        pytest.param("c", marks=needs_c),
        pytest.param("openmp", marks=needs_threads),
        pytest.param("opencl", marks=needs_device),
    ],
)
def test_values(text: str, target: TargetName) -> None:
    wanted, found = [aplc.fn(text, target=each) for each in ("interp", target)]
    for vector in VECTORS:
        expected, value = [np.asarray(f(vector)) for f in (wanted, found)]
        assert value.shape == expected.shape and value.dtype == expected.dtype, vector
        assert np.allclose(value, expected, rtol=1e-9, equal_nan=True), vector


@pytest.mark.parametrize(
    ("text", "loops"),
    [
        ("{(⌈/⍵),⌊/⍵}", 1),
        ("{(⌈/⍵),(⌊/⍵),+/⍵}", 1),
        ("{2 2⍴(⌊/⍵),(⌈/⍵),(+/⍵),+/⍵*2}", 1),
        ("{⌽(⌊/⍵),2,⌈/⍵}", 1),
        ("{(⌈/(⍵<1)/⍵),⌊/(⍵>0)/⍵}", 1),
        ("{(⌈/(⍵>0)/⍵)-+/(⍵>0)/⍵}", 1),
    ],
)
def test_folds_share_a_loop(text: str, loops: int) -> None:
    assert aplc.fn(text).emit("laila", "[int]1").count(" over k") == loops


def test_many_elements_are_a_loop() -> None:
    assert "put" not in aplc.fn("{(⌈/⍵),20⍴⌊/⍵}").emit("laila", "[int]1")
    assert aplc.fn("{(⌈/⍵),3⍴⌊/⍵}").emit("laila", "[int]1").count("put") == 4


@needs_c
@pytest.mark.parametrize("text", ["{(⌈/⍵),(÷⌊/⍵),+/⍵}", "{(⌈/÷⍵),+/⍵}"])
def test_what_fails_fails_still(text: str) -> None:
    wanted, found = aplc.fn(text, target="interp"), aplc.fn(text)
    assert found(np.array([2.0, 4.0])).tolist() == wanted(np.array([2.0, 4.0])).tolist()
    with pytest.raises(aplc.RunError, match="DOMAIN ERROR"):
        found(np.array([0.0, 4.0]))
