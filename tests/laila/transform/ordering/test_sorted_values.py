"""Elements that are read in the order of their own grade."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.calling.functions import Function
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.laila.text import laila

RNG = np.random.default_rng(9)
VECTORS: dict[str, Any] = {
    "doubles": RNG.normal(size=3001),
    "zeros and NaN": RNG.choice([0.0, -0.0, np.nan, -np.inf, 2.5, -1e-300], 700),
    "few": np.array([3.0, 1.0, 2.0]),
    "integers": RNG.integers(-(2**40), 2**40, 999),
    "booleans": RNG.random(400) < 0.3,
    "one": np.array([4.0]),
    "none": np.zeros(0),
}
TEXTS = (
    "{s←⍵[⍋⍵] ⋄ (+/s×⍳≢s),≢s}",
    "{s←⍵[⍒⍵] ⋄ (⌈/s-1⌽s),(⌊/2×s),≢⍵}",
    "{w←1+2×⍵ ⋄ s←w[⍋w] ⋄ +/s×⌽⍳≢s}",
    "{s←⍵[⍋⍵] ⋄ +/(1↓s)≠¯1↓s}",
    "{n←≢⍵ ⋄ +/(⍳n)×{⍵[⍋⍵]}{⍵[⍒⍵]}⍳n}",  # one statement reads both grades
    "{s←⍵[⍋⍵] ⋄ n←0 ⋄ r←{⍵+s[1⌈⍵⌊≢s]>0}⍣3⊢n ⋄ r+⌈/0,s>1}",
)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("v", VECTORS.values(), ids=VECTORS)
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str, v: Any) -> None:
    if "s[" in text and not len(v):
        return  # no such index
    wanted = aplc.fn(text, target="interp")(v)
    for target in ("c", "openmp"):
        found = aplc.fn(text, target=target)(v)
        assert np.allclose(found, wanted, rtol=1e-12, equal_nan=True), target


@pytest.mark.in_turn(16)
def test_medians_of_groups() -> None:
    keys, values = RNG.integers(0, 9, 2000), RNG.normal(size=2000)
    functions = [aplc.fn("{⍺{(⍵[⍋⍵])[⌈0.5×≢⍵]}⌸⍵}", target=target) for target in ("interp", "c")]
    wanted, found = [function(keys, values) for function in functions]
    assert np.array_equal(found, wanted)


@pytest.mark.parametrize(
    ("text", "sorts"),
    [
        ("s←v[⍋v] ⋄ ⎕←(+/s×⍳≢s)÷+/s", 1),
        ("s←v[⍒v] ⋄ ⎕←+/s>1⌽s", 1),
        ("w←v×v ⋄ s←w[⍋w] ⋄ ⎕←+/s×⍳≢s", 1),
        ("g←⍋v ⋄ ⎕←+/v[g]×g", 0),
        ("g←⍋v ⋄ ⎕←+/v[g]×⌽v ⋄ v[3]←7 ⋄ ⎕←+/v[g]×⌽v", 0),
        ("u←⌽v ⋄ g←⍋v ⋄ ⎕←+/u[g]×v[g]", 0),
    ],
)
def test_which_are(text: str, sorts: int) -> None:
    made = laila(f"v←300|7×⍳9999\nv←(v>3)/v\n{text}")
    assert made.count("aplc_sort_") == sorts
    assert made.count("aplc_grade_") == 1 - sorts


def test_a_length_that_a_loop_computes_binds_its_names_once() -> None:
    source = Source("lengths", "{{({⍵[⍋⍵]}⍳⍵)⍸⍵}¨⍬⊥⍵}")
    numbers = Function([source], None, Options("c", verify=True))
    assert list(numbers(np.zeros((0, 3), int))) == [0, 0, 0]
