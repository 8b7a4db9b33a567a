"""Rounds that hand memory on from array to array, against the interpreter."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.machine import needs_c, needs_threads

ROUNDS = """∇ r←n f x;a;b;c;t;s
START
:For _ :In ⍳n
ROUND
:EndFor
r←RESULT
∇
"""
BEGUN = "a←0×x\nb←x\nc←1+x\ns←0×x"
PROGRAMS = {
    "two values": ("t←(x×b)-a ⋄ a←b ⋄ b←t", "b"),
    "both of them": ("t←(x×b)-a ⋄ a←b ⋄ b←t", "a,b"),
    "and a sum": ("t←(x×b)-a ⋄ a←b ⋄ b←t ⋄ s+←_×t", "s"),
    "only a sum": ("t←b-a÷2 ⋄ s+←t ⋄ a←b ⋄ b←t", "s"),
    "three values": ("t←(a-b)+c×0.5 ⋄ a←b ⋄ b←c ⋄ c←t", "c,a"),
    "new ones in both": ("t←b-a ⋄ s←s+t ⋄ a←b+0.5 ⋄ b←t", "a,b,s"),
    "exchanged": ("t←a ⋄ a←b ⋄ b←t", "a,b"),
    "exchanged and changed": ("t←a+1 ⋄ a←b ⋄ b←t", "a,b"),
    "neighbours": ("t←(1⌽b)-a ⋄ a←b ⋄ b←t", "a,b"),
    "what may fail": ("t←b-a÷1+_ ⋄ a←b ⋄ b←t÷2⌈≢x", "a,b"),
}


def function(name: str, target: TargetName) -> aplc.Function:
    round_, result = PROGRAMS[name]
    text = ROUNDS.replace("START", BEGUN).replace("ROUND", round_).replace("RESULT", result)
    return aplc.Function([Source("test", text)], "f", Options(target=target))


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize(
    "target", [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]
)
def test_values(name: str, target: TargetName) -> None:
    wanted, given = function(name, "interp"), function(name, target)
    random = np.random.default_rng(3)
    for n in (0, 1, 2, 3, 7, 20):
        for many in (0, 1, 31, 64, 700):
            x = random.uniform(-0.9, 0.9, many)
            if many > 31:
                x[3] = np.nan
            assert np.allclose(given(n, x), wanted(n, x), rtol=1e-9, equal_nan=True), (n, many)
            y = random.integers(-3, 4, many)
            assert np.allclose(given(n, y), wanted(n, y), rtol=1e-9), (n, many)


@pytest.mark.parametrize("name", ["two values", "both of them", "and a sum", "three values"])
def test_all_rounds_of_an_element_are_made_at_once(name: str) -> None:
    said = function(name, "c").emit("laila", "[int]0,[double]1")
    assert "swap" not in said, said


def test_rounds_that_read_neighbours_move_arrays() -> None:
    assert "swap" in function("neighbours", "c").emit("laila", "[int]0,[double]1")
