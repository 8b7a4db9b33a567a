"""Versions for small integers: what is made of quotients and divided again shares a loop in each."""

from __future__ import annotations

import numpy as np
import pytest

from aplc import fn
from aplc.laila.ir.program import Alloc, Fused, If, Map
from aplc.laila.ir.statements import bodies, within
from aplc.tail.types import Array, Base, Rho
from tests.support.laila.programs import lowered
from tests.support.machine import needs_c, needs_threads

INTS = Array(Base.INT, Rho(1))
EASTER = (
    "{b←⌊⍵÷100 ⋄ c←19|⍵ ⋄ h←30|15+(19×c)+b-(⌊b÷4)+⌊(1+b-⌊(b+8)÷25)÷3 ⋄ d←114+h+7|b+c-h ⋄ (1+31|d)+100×⌊d÷31}"
)


def test_what_is_divided_again_is_in_the_same_versions() -> None:
    """There is one test, one loop in each version, and no memory but for the result."""
    statements = lowered(f"{EASTER} v", v=INTS).statements
    (choice,) = [s for s in statements if isinstance(s, If)]
    for version in bodies(choice):
        inside = list(within(version))
        assert [type(s) for s in inside if isinstance(s, Map | Fused | Alloc)] == [Map]


DATES = "{e←⌊⍵÷146097 ⋄ d←⍵-e×146097 ⋄ y←⌊(d-⌊d÷1460)÷365 ⋄ ⍉↑(y+400×e)(y-e)(⌊(d-365×y)÷153)}"


def test_what_both_versions_write_is_as_small_in_the_first() -> None:
    """Quotients that are results, too, have bounds where they are divided again."""
    text = fn(DATES).emit("laila", "[int]1").split("if small {")[1].split("} else {")[0]
    assert "floorquot" in text and "snapquot64" not in text and "alloc" not in text


def test_inputs_are_tested_in_front_of_loops_and_branches() -> None:
    text = fn("{⍺>1: 7|⍵ ⋄ ⍺>0: 5|⍵ ⋄ ⍵}").emit("laila", "[int]0", "[int]1")
    assert text.count("small : bool") == text.count("\nsmall : bool") == 1


@needs_c
@needs_threads
@pytest.mark.parametrize("large", [10, 10**15])
def test_values(large: int) -> None:
    text = "{a←⌊⍵÷7 ⋄ b←(⌊a÷3)-13|a ⋄ c←⌈/b ⋄ d←⌊(b+c)÷5 ⋄ d,(⌊d÷9)+11|d}"
    years = np.array([-1, 0, 1600, 1999, 2000, 2024, large])
    for program in (EASTER, text, DATES):
        expected = fn(program, target="interp")(years)
        for target in ("c", "openmp"):
            assert np.array_equal(fn(program, target=target)(years), expected)
