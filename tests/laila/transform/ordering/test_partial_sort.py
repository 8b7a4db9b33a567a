"""Grades of which only the first positions are used."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.laila.text import laila

RNG = np.random.default_rng(5)
VECTORS: list[Any] = [
    RNG.normal(size=5000),
    RNG.integers(0, 9, 5000),
    np.array([3.0, np.nan, -1.0, np.nan, 7.0]),
    np.array([2, 1]),
    np.array([4]),
    RNG.random(999) < 0.1,
]


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("v", VECTORS, ids=range(len(VECTORS)))
@pytest.mark.parametrize(
    "text",
    ("{⊃⍒⍵}", "{⊃⍵[⍋⍵]}", "{3↑⍵[⍒⍵]}", "{⍵[(3⌊≢⍵)↑⍋⍵]}", "{(⍒⍵)[1]}", "{w←⍵[⍋⍵] ⋄ w[1]+w[⌈2÷⍨≢⍵]}", "{2↑⍒⍵}"),
)
def test_values(text: str, v: Any) -> None:
    wanted = aplc.fn(text, target="interp")(v)
    assert np.array_equal(aplc.fn(text, target="c")(v), wanted, equal_nan=True)


@pytest.mark.parametrize("wanted", (0, 1, 2, 7, 8, 4999, 5000, 5001, 7000))
def test_a_number_that_the_run_knows(wanted: int) -> None:
    v = VECTORS[1]
    expected = np.concatenate([np.sort(v)[::-1], np.zeros(2000, v.dtype)])[:wanted]
    assert np.array_equal(aplc.fn("{⍺↑⍵[⍒⍵]}", target="c")(wanted, v), expected)


TAKES = (
    "{⍺↑⍵[⍒⍵]}",
    "{⍺↑⍋⍵}",
    "{⍵[⍺↑⍒⍵]}",
    "{(⊂⍺↑⍋-⍵)⌷⍵}",
    "{g←⍒⍵ ⋄ (⍺↑g),2↑g}",
    "{+/⍺↑⍵[⍋⍵]}",
    "{⍺↑⍋⍵,⍵}",
)
ENOUGH = (0, 1, 5, 299, 5000, 6000, -3)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("target", ("c", "openmp"))
@pytest.mark.parametrize("text", TAKES)
def test_so_many_as_the_run_knows(text: str, target: TargetName) -> None:
    there, checked = aplc.fn(text, target="interp"), aplc.fn(text, target=target)
    for v in (*VECTORS, np.zeros(0), np.concatenate([np.tile([-0.0, 0.0, np.nan], 300), np.arange(99.0)])):
        for wanted in ENOUGH:
            if abs(wanted) <= len(v) or ("[⍺" not in text and "⌷" not in text):  # beyond them stands no index
                assert np.allclose(checked(wanted, v), there(wanted, v), 1e-12, equal_nan=True), (wanted, v)


def test_nothing_to_grade() -> None:
    assert aplc.fn("{⊃⍵[⍒⍵]}", target="c")(np.zeros(0)) == 0.0


@pytest.mark.parametrize(
    ("text", "is_short"),
    [
        ("⎕←10↑v[⍒v]", True),
        ("⎕←v[10↑⍋v]", True),
        ("⎕←v[(⍒v)[3]]", True),
        ("⎕←v[⍒v]", False),
        ("⎕←¯10↑v[⍒v]", False),
        ("g←⍋v ⋄ ⎕←g ⋄ ⎕←⊃g", False),
        ("⎕←(⍋v)[v]", False),
        ("⎕←k↑v[⍒v]", True),
        ("⎕←(k-1)↑⍋v", True),
        ("w←v,k ⋄ ⎕←k↑⍋w ⋄ ⎕←w", True),
        ("g←⍋v ⋄ ⎕←(k↑g),g[v]", False),
        ("g←⍋v ⋄ i←k+v[1] ⋄ ⎕←g[i]+⊃g", False),
        ("⎕←(k×≢v)⍴⍋v", False),
        ("w←k↓v ⋄ ⎕←(v[⍋v])≡w[⍋w]", False),
    ],
)
def test_what_is_graded(text: str, is_short: bool) -> None:
    assert ("aplc_first" in laila(f"v←300|7×⍳9999\nk←≢⍸v<5\n{text}")) == is_short


LEAST = (
    "{k←⌊0.3×≢⍵ ⋄ +/k↑⍵[⍋⍵]}",
    "{k←⌊0.05×≢⍵ ⋄ k↑⍵[⍒⍵]}",
    "{k←⌊0.002×≢⍵ ⋄ k↑⍵[⍋⍵]}",
    "{k←⌊0.95×≢⍵ ⋄ k↑⍵[⍋⍵]}",
    "{s←⍵[⍋⍵] ⋄ k←⌊0.1×≢⍵ ⋄ k↓(-k)↓s}",
    "{k←⌊0.3×≢⍵ ⋄ k↑(⍵×3)[⍋⍵×3]}",
)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("target", ("c", "openmp"))
@pytest.mark.parametrize("text", LEAST)
def test_values_that_are_the_least(text: str, target: TargetName) -> None:
    there, found = aplc.fn(text, target="interp"), aplc.fn(text, target=target)
    many = np.where(RNG.random(3000) < 0.2, np.nan, RNG.normal(size=3000))
    for v in (*VECTORS[:-1], many, RNG.integers(0, 3, 3000) - 1.0, np.zeros(0), np.repeat([0.0, -0.0], 300)):
        assert np.allclose(found(v), there(v), equal_nan=True)


@pytest.mark.parametrize(
    ("text", "least"),
    [
        ("{k←⌊0.3×≢⍵ ⋄ k↑⍵[⍋⍵]}", 1),
        ("{k←⌊0.3×≢⍵ ⋄ +/k↑⍵[⍒⍵]}", 1),
        ("{3↑⍵[⍋⍵]}", 0),
        ("{k←⌊0.3×≢⍵ ⋄ k↑⍋⍵}", 0),
        ("{k←⌊0.3×≢⍵ ⋄ g←k↑⍋⍵ ⋄ ⍵[g],g}", 0),
    ],
)
def test_the_least_are_no_positions(text: str, least: int) -> None:
    assert aplc.fn(text).emit("c", "[int]1").count("aplc_least_") == least
