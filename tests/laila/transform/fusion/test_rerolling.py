"""Counts that are written out one by one."""

import numpy as np
import pytest

import aplc
from aplc.calling.functions import Function
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.compiling import c_of

RNG = np.random.default_rng(5)
KEYS = (RNG.integers(-3, 30, 1000), np.array([], int), np.array([7]), np.array([2**62, -(2**62), 5]))
TEXTS = (
    "{+/¨(⍳20)=⊂⍵}",
    "{+/¨(⍳9)=⊂⍵}",
    "{+/¨(⌽⍳20)=⊂⍵}",
    "{(+/¨(3+⍳12)=⊂⍵),+/⍵}",
    "{w←÷1+|⍵ ⋄ v←⍵ ⋄ +/¨((⍳20)=⊂v)×⊂w}",
    "{v←⍵ ⋄ (⍳20)×+/¨(⍳20)=⊂v}",
)


@pytest.mark.parametrize("keys", KEYS, ids=len)
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str, keys: np.ndarray) -> None:
    meaning = aplc.fn(text, target="interp")(keys)
    for target in ("c", "openmp"):
        found = Function([Source("text", text)], None, Options(target, verify=True))(keys)
        np.testing.assert_allclose(found, meaning, rtol=1e-9)


def test_letters() -> None:
    text = "THE QUICK BROWN FOX, AND SO ON"
    assert aplc.fn("{+/¨⎕A=⊂⍵}")(text).tolist() == [text.count(chr(65 + k)) for k in range(26)]


@pytest.mark.parametrize("text", ["+/¨(⍳20)=⊂v", "+/¨⎕A=⊂t"])
def test_many_counts_are_one_walk_over_the_keys(text: str) -> None:
    c = c_of(text, Options(), v=[1, 2], t=np.array(["A", "B"]))
    assert "reduction(+" not in c and "sums[" in c


def test_few_counts_share_a_loop() -> None:
    assert c_of("+/¨(⍳8)=⊂v", Options(), v=[1, 2]).count("reduction(") == 1
