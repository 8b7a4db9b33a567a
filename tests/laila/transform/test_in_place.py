"""Loops that change an array in place while they read its neighbours' sums from another one.

The generators of random programs rarely put a stencil of something written down beside the old value itself,
so these are listed: each formula on boards with and without inner columns, rows, borders.
"""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName

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


def wave(step: str, last: str = "") -> str:
    """A definition whose rounds know two states, `u` and behind it `v`, and what it does last."""
    return (
        f"∇ r←n wave u;v;w\nv←u\n:For _ :In ⍳n\n    w←{step}\n    v←u\n    u←w\n{last}:EndFor\nr←u,v\n∇\nwave"
    )


THREE_STATES = """∇ r←n wave u;v;w;x
v←w←u
:For _ :In ⍳n
    x←(u+v-w)+0.1×1⌽u
    w←v
    v←u
    u←x
:EndFor
r←u,v,w
∇
wave"""

WAVES = {
    "elements": wave("(2×u)-v+0.1×u"),
    "neighbours": wave("((2×u)-v)+0.2×(1⊖u)+(¯1⊖u)+(1⌽u)+(¯1⌽u)-4×u"),
    "neighbours of the oldest": wave("(2×u)-0.5×v+1⌽v"),
    "the oldest turned": wave("(2×u)-⌽v"),
    "the oldest behind": wave("(2×u)-v+0.1×1⌽u ⋄ w[1;]←0.5×v[1;]"),
    "a border behind": wave("(2×u)-v+0.1×1⌽u ⋄ w[;1]←0"),
    "the most behind": wave("(2×u)-v+0.1×1⌽u ⋄ w÷←1+⌈/,|w-v"),
    "three states": THREE_STATES,
    "another size": wave("(2×u)-v+0.1×1⌽u", "    u←(1⌈¯1+≢u)↑u\n    v←(≢u)↑v\n"),
}


@pytest.mark.parametrize("name", WAVES)
@pytest.mark.parametrize("target", ["c", "openmp"])
def test_new_states_of_waves_where_the_oldest_were(name: str, target: TargetName) -> None:
    compiled, meant = aplc.fn(WAVES[name], target=target), aplc.fn(WAVES[name], target="interp")
    for shape in [(1, 1), (1, 5), (2, 2), (5, 6), (3, 40), (2, 600), (70, 600)]:
        board = np.random.default_rng(5).random(shape)
        for rounds in (0, 1, 2, 5):
            np.testing.assert_allclose(
                compiled(rounds, board), meant(rounds, board), rtol=1e-9, atol=1e-9, err_msg=str(shape)
            )
