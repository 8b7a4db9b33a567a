"""Folds of items of one shape: their values are those of texts without items, and they write no more."""

from typing import Any

import numpy as np
import pytest

from aplc.options import Options
from tests.support.compiling import c_of, compiled
from tests.support.machine import lack_of, needs_c
from tests.support.observing import Observed, difference, observe

LIFE = "r←(¯1⌽m)+m+1⌽m ⋄ s←(¯1⊖r)+r+1⊖r ⋄ (s=3)∨(s=4)∧m"
STAR = "((1⌽m)+(¯1⌽m)+(1⊖m)+¯1⊖m)"

PAIRS = {
    "Life": ("{↑1 m∨.∧3 4=+/,¯1 0 1∘.⊖¯1 0 1∘.⌽⊂m}0", f"{{{LIFE}}}0"),
    "Life by columns": ("{⊃1 m∨.∧3 4=+/+⌿¯1 0 1∘.⊖¯1 0 1∘.⌽⊂m}0", f"{{{LIFE}}}0"),
    "Life by each": ("{↑1 m∨.∧3 4=+/,¯1 0 1∘.⊖¯1 0 1⌽¨⊂m}0", f"{{{LIFE}}}0"),
    "a stencil": ("4÷⍨⊃+/(1 ¯1⌽¨⊂m),1 ¯1⊖¨⊂m", f"4÷⍨{STAR}"),
    "a strand of five": ("⊃+/1 1 ¯4 1 1×(1⌽m)(¯1⌽m)m(1⊖m)(¯1⊖m)", f"{STAR}-4×m"),
    "the greatest of neighbours": (
        "⊃⌈/,¯1 0 1∘.⊖¯1 0 1∘.⌽⊂m",
        "{r←(¯1⌽m)⌈m⌈1⌽m ⋄ (¯1⊖r)⌈r⌈1⊖r}0",
    ),
    "from the right": ("⊃{⍺+2×⍵}/1 0 2⌽¨⊂m", "(1⌽m)+2×m+2×2⌽m"),
    "weights": ("⊃1 2 1+.×¯1 0 1⌽¨⊂m", "(¯1⌽m)+(2×m)+1⌽m"),
    "cells mixed": ("+⌿↑(⍳5)⌽¨⊂m", "(1⌽m)+(2⌽m)+(3⌽m)+(4⌽m)+5⌽m"),
    "reversed and dropped": ("⊃-/1↓⌽(⍳4)⌽¨⊂m", "(3⌽m)-(2⌽m)-1⌽m"),
    "many": ("⊃+/(⍳20)⌽¨⊂m", "{s←0×m ⋄ s⊣{s+←⍵⌽m}¨⍳20}0"),
    "as many as the data say": ("⊃+/(⍳≢,m)⌽¨⊂m", "(⍴m)⍴(⊃⌽⍴m)/(≢m)×+/m"),
    "rows": ("⊃+/↓m", "+⌿m"),
    "rows that are computed": ("⊃-/(↓m)×⌽2×↓m", "-⌿m×⊖2×m"),
    "windows of rows": ("↑2+/↓m", "2+⌿m"),
    "a mean": ("⊃(+/x)÷≢x←↓m", "(+⌿m)÷≢m"),
}

SHAPES = [(1, 1), (1, 7), (7, 1), (2, 2), (3, 5), (17, 70)]

WAYS = {
    "interp": Options("interp", verify=True),
    "c -O2": Options("c", verify=True),
    "c -O0": Options("c", 0, verify=True),
    "openmp": Options("openmp", verify=True, threads=3),
}


def seen(text: str, options: Options, **inputs: Any) -> Observed:
    """What a program does."""
    program, values = compiled(text, options, **inputs)
    return observe(program.run, values)


def board(shape: tuple[int, int]) -> Any:
    """A matrix of zeros and ones."""
    return np.random.default_rng(shape[1]).random(shape) < 0.4


@pytest.mark.in_turn(12)
@needs_c
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", PAIRS)
def test_values_are_those_of_the_flat_text(name: str, way: str) -> None:
    if why := lack_of(WAYS[way].target):
        pytest.skip(f"NOT CHECKED: {why}")
    nested, flat = PAIRS[name]
    for shape in SHAPES[2:] if "windows" in name else SHAPES:
        m = board(shape) if "Life" in name else board(shape) + 0.5
        found = seen(nested, WAYS[way], m=m)
        assert not difference(seen(flat, WAYS["interp"], m=m), found), shape


@needs_c
@pytest.mark.parametrize("name", PAIRS)
def test_no_more_is_written(name: str) -> None:
    m = board((17, 70)) + 0.5
    nested, flat = [c_of(text, Options("c"), m=m).count("aplc_alloc(") for text in PAIRS[name]]
    assert nested <= flat
