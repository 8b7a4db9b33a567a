"""Loops that change an array in place while they read its neighbours' sums from another one.

The generators of random programs rarely put a stencil of something written down beside the old value itself,
so these are listed: each formula on boards with and without inner columns, rows, borders.
"""

from __future__ import annotations

import numpy as np
import pytest

import aplc

STEPS = {
    "sums of neighbours": "{s←⌷2×⍵ ⋄ ⍵+(1⌽s)+¯1⌽s}",
    "both axes": "{s←⍵+(1⊖⍵)+¯1⊖⍵ ⋄ ⍵-0.1×s+(1⌽s)+¯1⌽s}",
    "dropped and filled": "{s←⌷2×⍵ ⋄ ⍵+(0 1↓s),0}",
    "filled at both ends": "{s←⍵+(1⊖⍵)+¯1⊖⍵ ⋄ ⍵-0.1×(0,0 ¯1↓s)+(0 1↓s),0}",
    "taken beyond the end": "{s←⌷2×⍵ ⋄ ⍵+0 1↓((⍴⍵)+0 1)↑s}",
    "reversed": "{s←⌷2×⍵ ⋄ ⍵+(⌽s)+1⌽s}",
    "the old board at the end": "{s←{⍵+(1⌽⍵)+¯1⌽⍵}{⍵+(1⊖⍵)+¯1⊖⍵}⍵ ⋄ 0.5×(s>3)+⍵×s<4}",
}
SHAPES = [(0, 3), (1, 1), (1, 5), (2, 2), (3, 3), (5, 6), (4, 1), (3, 40), (2, 600)]


@pytest.mark.parametrize("step", STEPS.values(), ids=list(STEPS))
def test_steps_in_place(step: str) -> None:
    text = f"{{({step}⍣3)⍵}}"
    compiled, meant = aplc.fn(text), aplc.fn(text, target="interp")
    for shape in SHAPES:
        board = np.random.default_rng(5).random(shape)
        np.testing.assert_allclose(compiled(board), meant(board), rtol=1e-9, err_msg=str(shape))
