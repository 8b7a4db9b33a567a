"""Sums of doubles that are small whole numbers are sums of integers."""

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

TEXTS = (
    "{+/⍵×¯1*⍵>3}",
    "{+/⍵×¯1*⍵<1↓⍵,0}",
    "{(+/⍵×¯1*⍵>3)÷2}",
    "{+/2.0×⍵-1}",
    "{+/¯1*⍵>3}",
    "{+/0.5×⍵}",
)


@needs_c
@pytest.mark.in_turn(2)
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str) -> None:
    random = np.random.default_rng(3)
    for length in (0, 1, 5, 64, 5000, 100_003):
        for kind in (np.uint8, np.int8, np.int16, np.int64):
            v = random.integers(0, 100, length).astype(kind)
            wanted = aplc.fn(text, target="interp")(v)
            for target in ("c", "openmp"):
                found = aplc.fn(text, target=target)(v)
                assert type(found) is type(wanted) and found == wanted, (length, kind)


@pytest.mark.parametrize(
    ("text", "is_whole"),
    (
        ("{t←1 5 10['IVX'⍳⍵] ⋄ +/t×¯1*t<1↓t,0}", True),
        ("{+/¯1*⍵='a'}", True),
        ("{+/0.5×⍵='a'}", False),
        ("{t←1 5 100000['IVX'⍳⍵] ⋄ +/t×¯1*t<1↓t,0}", False),
    ),
)
def test_which_are(text: str, is_whole: bool) -> None:
    """Those of 16 bits; in order, where they have to be."""
    emitted = aplc.fn(text).emit("laila", "[char]1")
    assert (" REDUCE addi " in emitted or "(REDUCE addi " in emitted) == is_whole
    assert "i2d(REDUCE addi" not in aplc.fn(text, strict_fp=True).emit("laila", "[char]1")
