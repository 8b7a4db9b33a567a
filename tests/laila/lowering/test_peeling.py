"""Loops whose first round alone changes the extents of their state: it stands in front of them."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c, needs_device, needs_threads

PEELED = (
    "⊃{⍺+x×⍵}/c",
    "⊃{(x×⍺)-⍵}/c",
    "({0.5×⍵+x}⍣(≢c)),0",
    "⊃({r k←⍵ ⋄ (c[k]+x×r)(k-1)}⍣(≢c))(0×x)(≢c)",  # one is read by the number of the round
    "(x∘.+⍳2){⍵≡0:⍺ ⋄ ⍺ ∇ 0}1",
)
OTHERS = (
    "({(≢⍵)+x}⍣(≢c)),1.5",  # the first round, but no element is carried on
    "({⍵,x}⍣(≢c)),0",  # each round
    "⊃{⍺,⍵}/c",
    "({1↓⍵,⍵}⍣(≢c))x",
    "({⍵×2}⍣(≢c))x",  # none
)


@pytest.mark.parametrize("body", [*PEELED, *OTHERS])
@pytest.mark.parametrize(
    "target",
    [
        pytest.param("c", marks=needs_c),
        pytest.param("openmp", marks=needs_threads),
        pytest.param("opencl", marks=needs_device),
    ],
)
def test_values(body: str, target: TargetName) -> None:
    text = f"{{c←⍺ ⋄ x←⍵ ⋄ {body}}}"
    wanted, found = [aplc.fn(text, target=each) for each in ("interp", target)]
    for terms in (0, 1, 2, 6):
        for points in (0, 1, 2, 33, 300):
            c, x = np.arange(1.0, terms + 1), np.linspace(-1, 1, points)
            expected, value = [np.asarray(f(c, x)) for f in (wanted, found)]
            assert value.shape == expected.shape, (terms, points)
            assert np.allclose(value, expected, rtol=1e-9), (terms, points)


STATES = (
    "{{(y v)←⍵ ⋄ v-←1 ⋄ y+←v ⋄ y<0:(-y)(-0.9×v) ⋄ y v}⍣⍺⊢⍵}",
    "{{p←2⍴⍵ ⋄ (p[1]+0.1×p[2]),0.5×p[2]}⍣⍺⊢⍵}",
    "{⍺{⍺=0:⍵ ⋄ (⍺-1)∇2⍴1+⍵}⍵}",
    "{n←⍺ ⋄ {n<≢⍵:⍵ ⋄ n<⊃⍵:⍵ ⋄ ∇(n+⊃⍵)1}⍵}",
)
"""Loops that make of a vector of any length one of a known length."""


@needs_c
@pytest.mark.parametrize("text", STATES)
def test_states_get_a_known_length(text: str) -> None:
    wanted, found = [aplc.fn(text, target=each) for each in ("interp", "c")]
    for rounds in (0, 1, 2, 7):
        for state in ([3.0, 1.0], [3.0], [9.0, 1.0]):
            assert found(rounds, state).tolist() == pytest.approx(wanted(rounds, state).tolist())
    text_of_c = found.emit("c", "[int]0", "[double]1")
    assert "aplc_alloc" not in text_of_c.partition("while (")[2].partition("\n        }")[0]


@needs_c
@pytest.mark.parametrize("body", PEELED[:4])
def test_points_stay_in_lanes(body: str) -> None:
    text = f"{{c←⍺ ⋄ x←⍵ ⋄ {body}}}"
    assert "aplc_round_lanes" in aplc.fn(text).emit("c", "[double]1,[double]1")
