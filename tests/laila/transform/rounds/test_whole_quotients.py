"""Rounds that divide integers of which no range is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from aplc.tail.errors import RunError
from tests.support.machine import needs_c, needs_threads

EUCLID = """∇ r←a f b;q;s;t;u
s←1 ⋄ t←0
:While b≠0
  q←⌊a÷b
  u←a-q×b ⋄ a←b ⋄ b←u
  u←s-q×t ⋄ s←t ⋄ t←u
:EndWhile
r←a,s,t
∇
"""
FRACTION = """∇ r←a f b;k;q
r←⍬
:For k :In ⍳6
  q←⌊a÷b
  r←r,q
  a←b+q+k ⋄ b←q
:EndFor
∇
"""
PAIRS = [
    (0, 1),
    (1, 1),
    (48, 18),
    (240, 46),
    (-48, 18),
    (48, -18),
    (2**52 + 1, 3),
    (2**62, 2**31 - 1),
    (3, 2**60),
]
PAIRS += [
    (50_000_000_000_000, 1),
    (50_000_000_000_001, 50_000_000_000_000),
    (49_999_999_999_999, 50_000_000_000_000),
]
TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]


@pytest.mark.parametrize("text", [EUCLID, FRACTION], ids=["euclid", "fraction"])
@pytest.mark.parametrize("target", TARGETS)
def test_values(text: str, target: TargetName, tmp_path: Path) -> None:
    path = tmp_path / "f.apl"
    path.write_text(text, encoding="utf-8")
    wanted, found = aplc.load(path, target="interp")["f"], aplc.load(path, target=target)["f"]
    for a, b in PAIRS:
        try:
            expected = wanted(a, b)
        except RunError as failure:
            with pytest.raises(RunError, match=str(failure).split(":")[-1].splitlines()[0][:20]):
                found(a, b)
        else:
            assert np.array_equal(found(a, b), expected), (a, b)


@needs_c
def test_small_integers_are_divided(tmp_path: Path) -> None:
    path = tmp_path / "f.apl"
    path.write_text(EUCLID, encoding="utf-8")
    assert "quot(" in aplc.load(path)["f"].emit("laila", "[int]0", "[int]0")
    assert "quot(" not in aplc.fn("{⌊⍺÷⍵}").emit("laila", "[int]1", "[int]1")
