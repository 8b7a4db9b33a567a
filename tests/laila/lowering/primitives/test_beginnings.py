"""Searches in the beginning of a vector (`(n↑t)⍸x`) look at what is in memory, and copy nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

LONGEST = """
∇r←longest x;t;n;i;k
t←(≢x)⍴0 ⋄ n←0
:For i :In ⍳≢x
  k←1+(n↑t)⍸x[i]-1
  t[k]←x[i]
  n←n⌈k
:EndFor
r←n
∇
"""
V = np.array([-4, 0, 1, 1, 5, 9, 12])


@needs_c
@pytest.mark.parametrize("n", [0, 1, 3, 7, 8, 10, -1, -3, -7])
def test_values(n: int) -> None:
    """Longer than the vector there are zeros behind it, which do not ascend; negative counts are its end."""
    texts = (
        "{(⍺↑⍵)⍸4}",
        "{t←⍵ ⋄ k←(⍺↑t)⍸0.5 ⋄ t[1]←99 ⋄ k,t}",
        "{(⍺↑⍵)⍸⍬}",
        "{(⍺↑⍵)⍸¯5 2 30}",
        "{(⍺↑-⌽⍵)⍸3}",
    )
    for text in texts:
        for v in (V, V / 2):
            found: list[object] = []
            for target in ("interp", "c"):
                try:
                    found.append(np.asarray(aplc.fn(text, target=target)(n, v)).tolist())
                except aplc.AplcError as error:
                    found.append(str(error))
            assert found[0] == found[1], text


@needs_c
def test_what_does_not_ascend_is_an_error() -> None:
    v = np.array([1.0, 2.0, np.nan, 3.0])
    for target in ("interp", "c"):
        found = aplc.fn("{(⍺↑⍵)⍸2.5}", target=target)
        assert found(2, v) == 2
        with pytest.raises(aplc.AplcError, match="DOMAIN ERROR"):
            found(3, v)


@needs_c
def test_longest_increasing_subsequence(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    (tmp_path / "longest.apl").write_text(LONGEST)
    longest = aplc.load(tmp_path / "longest.apl").longest
    for n in (0, 1, 2, 50, 700):
        x = rng.integers(0, 1000, n)
        ends: list[int] = []
        for each in x:
            k = int(np.searchsorted(ends, each))
            ends[k : k + 1] = [int(each)]
        assert longest(x) == len(ends)


def test_nothing_is_copied() -> None:
    """The copy is of no elements where the count is not negative, nor more than there are."""
    text = aplc.fn("{(⍺↑⍵)⍸4}").emit("laila", "int,[int]1")
    assert "(beginning ? 0 : n)" in text
    assert "aplc_is_ascending_int(⍵, n)" in text
