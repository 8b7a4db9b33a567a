"""The place of the least or greatest element, as the first position of a grade."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.calling.functions import Function
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.laila.text import laila

RNG = np.random.default_rng(5)
NAN, INF = np.nan, np.inf
AMONG = [NAN, INF, -INF, 0.0, -0.0, 1.0, 2.0]
VECTORS: dict[str, Any] = {
    "doubles": RNG.normal(size=3000),
    "NaN here and there": RNG.choice(AMONG, 1500),
    "NaN in late blocks": np.r_[np.arange(2000.0), NAN, 5000.0, NAN],
    "infinity behind NaN": np.array([NAN, INF]),
    "NaN alone": np.full(700, NAN),
    "integers": RNG.integers(0, 5, 700),
    "ends": np.array([2**63 - 1, -(2**63)] * 2),
    "booleans": RNG.random(40) < 0.3,
    "characters": np.array(list("places"), "<U1"),
    "none": np.zeros(0),
}
MATRICES: dict[str, Any] = {
    "in lanes": RNG.choice(AMONG, (40, 6)),
    "long rows": RNG.normal(size=(3, 900)),
    "integers": RNG.integers(0, 4, (50, 5)),
    "no rows": np.zeros((0, 3)),
    "no columns": np.zeros((3, 0)),
}


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("v", VECTORS.values(), ids=VECTORS)
@pytest.mark.parametrize("text", ("{(⊃⍋⍵),⊃⍒⍵}", "{1↑⍵[⍋⍵]}", "{⍵[1↑⍒⍵]}", "{(1↑⍋⍵),(⍒⍵)[1]}"))
def test_values(text: str, v: Any) -> None:
    if len(v) or "[" not in text:
        same(text, v)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("m", MATRICES.values(), ids=MATRICES)
@pytest.mark.parametrize("text", ("{{(⊃⍋⍵),⊃⍒⍵}⍤1⊢⍵}", "{m←⍵ ⋄ {⊃⍋+/(m-⍤1⊢⍵)*2}⍤1⊢m}", "{⊃⍒+⌿⍵}"))
def test_values_of_rows(text: str, m: Any) -> None:
    same(text, m)


def same(text: str, value: Any) -> None:
    """A function gives the same everywhere."""
    meaning = aplc.fn(text, target="interp")(value)
    for target in ("c", "openmp"):
        found = Function([Source("text", text)], None, Options(target, verify=True))(value)
        assert np.asarray(found).tobytes() == np.asarray(meaning).tobytes(), target


@pytest.mark.parametrize(
    ("text", "orders", "folds"),
    [
        ("⎕←⊃⍋v", 0, 2),
        ("⎕←v[⊃⍒v]", 0, 2),
        ("⎕←{⊃⍋⍵×⍵}⍤1⊢3 4⍴v", 0, 2),
        ("g←⍋v ⋄ ⎕←g[1],g[≢g]", 1, 0),
        ("⎕←2↑⍋v", 1, 0),
        ("⎕←1↑v[⍋v]", 0, 2),
        ("⎕←⊃⍋↑v v", 1, 0),
    ],
)
def test_which_are(text: str, orders: int, folds: int) -> None:
    made = laila(f"v←÷300|7×⍳9999\n{text}")
    assert made.count("aplc_grade_") + made.count("aplc_first_") == orders
    assert made.count("REDUCE m") >= folds


@pytest.mark.parametrize("text", ("⊃⍋v", "v[⊃⍒v]"))
def test_the_search_begins_near_it(text: str) -> None:
    assert "start" in laila(f"v←÷300|7×⍳9999\n⎕←{text}")
