"""Extrema in rounds: what the round before has made is compared last."""

import re

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

WARPED = """∇ r←a warped b;i;j;d;p
p←0,(≢b)⍴1e300
:For i :In ⍳≢a
    d←(1+≢b)⍴1e300
    :For j :In ⍳≢b
        d[j+1]←(|a[i]-b[j])+VALUE
    :EndFor
    p←d
:EndFor
r←⊃⌽p
∇
"""
ORDERS = [
    "p[j+1]⌊p[j]⌊d[j]",
    "d[j]⌊p[j+1]⌊p[j]",
    "p[j]⌊d[j]⌊p[j+1]",
    "(d[j]⌊p[j])⌊p[j+1]",
    "(p[j]⌊p[j+1])⌊d[j]",
    "d[j]⌊p[j]",
]


@pytest.mark.parametrize("value", ORDERS)
def test_the_element_just_written_is_compared_last(value: str) -> None:
    program = WARPED.replace("VALUE", value)
    text = "a←⎕ReadDoubleVecFile 'a.txt' ⋄ b←⎕ReadDoubleVecFile 'b.txt'\n" + program + "⎕←a warped b"
    found = re.search(r"mind\((.*)\)\)\n *put \w+\[\(round_1 \+ 1\)\]", laila(text))
    assert found is not None
    assert found[1].endswith(", before")
    assert found[1].count("mind") == value.count("⌊") - 1


@pytest.mark.parametrize("value", ORDERS)
def test_values(value: str) -> None:
    program = WARPED.replace("VALUE", value)
    rng = np.random.default_rng(1)
    a, b = rng.random(30), rng.random(20)
    b[7] = np.nan
    for x, y in ((a, b[:7]), (a, b), (a[:1], b[:1]), (a[:0], b)):
        found = [aplc.run(program + "a warped b", a=x, b=y, target=t) for t in ("interp", "c", "openmp")]
        assert np.array_equal(found, found[:1] * 3, equal_nan=True)
