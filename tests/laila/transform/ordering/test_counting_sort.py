"""Values in the order of their groups go each to its place, without a sort."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila
from tests.support.machine import needs_c, needs_threads

RNG = np.random.default_rng(4)
KEYS: dict[str, Any] = {
    "few": RNG.integers(0, 4, 300),
    "far": RNG.integers(-9, 9, 300) * 10**17,
    "different": RNG.permutation(300),
    "doubles": np.round(RNG.random(300), 1),
    "booleans": RNG.random(300) < 0.3,
    "NaN": np.array([1.0, np.nan, 2.0, 1.0, np.nan, 0.0]),
    "one": np.array([7]),
    "none": np.zeros(0, int),
}


@needs_c
@pytest.mark.in_turn(16)
@pytest.mark.parametrize("target", ["c", pytest.param("openmp", marks=needs_threads)])
@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize(
    "text",
    [
        "{⍺{3↑⍵[⍒⍵]}⌸⍵}",
        "{⍺{⍺,2↑⌽⍵}⌸⍵}",
        "{n←(∪⍺)⍳⍺ ⋄ ⍵[⍋n]}",
        "{g←⍋(∪⍺)⍳⍺ ⋄ (⍺[g]),[1.5]⍵[g]}",
        "{g←⍋(∪⍺)⍳⍺ ⋄ (⍵[⌽g]),g}",
    ],
)
def test_values(text: str, keys: Any, target: str) -> None:
    values = RNG.integers(0, 100, len(keys))
    wanted = aplc.fn(text, target="interp")(keys, values)
    assert np.array_equal(aplc.fn(text, target=target)(keys, values), wanted, equal_nan=True)


@pytest.mark.parametrize(
    ("text", "grades"),
    [
        ("⎕←v{2↑⌽⍵}⌸w", 0),
        ("⎕←w[⍋(∪v)⍳v]", 0),
        ("g←⍋(∪v)⍳v ⋄ x←⍋w[g] ⋄ y←⍋v[g] ⋄ ⎕←x-y", 3),  # x before y
        ("g←⍋(∪v)⍳v ⋄ ⎕←(w[g]),v[g]", 1),
        ("g←⍋(∪v)⍳v ⋄ ⎕←(w[g]),g", 1),
        ("⎕←w[⌽⍋(∪v)⍳v]", 1),
        ("⎕←w[⍋(∪v)⍳1+v]", 0),
        ("⎕←w[⍋(∪500↑v)⍳v]", 1),
        ("⎕←w[⍋v]", 1),
    ],
)
def test_which_are(text: str, grades: int) -> None:
    made = laila(f"v←300|7×⍳9999 ⋄ w←⌽v\n{text}")
    assert made.count("aplc_grade_") + made.count("aplc_first_up_") == grades


SMALL = [
    "{⍵[⍋7|⍵]}",
    "{⍵[⍒7|⍵]}",
    "{⍵[⍋¯100⌈100⌊⍵]}",
    "{⍵[⍋0>⍵]}",
    "{⍵[⍒0>⍵]}",
    "{⍵[⍋(≢⍵)⍴3 1 ¯4 1 5]}",
    "{(-⍵)[⍒5-3|⍵]}",
]


@needs_c
@pytest.mark.parametrize("text", SMALL)
def test_few_numbers(text: str) -> None:
    for n in (0, 1, 2, 9, 700):
        values = RNG.integers(-300, 300, n)
        assert np.array_equal(aplc.fn(text)(values), aplc.fn(text, target="interp")(values))


@pytest.mark.parametrize("text", SMALL)
def test_few_numbers_are_not_graded(text: str) -> None:
    assert "aplc_grade_" not in aplc.fn(text).emit("laila", "[int]1")


def test_numbers_that_are_not_known_to_be_few() -> None:
    for text in ("{⍵[⍋-⍵]}", "{⍵[⍋300|⍵]}"):
        assert "aplc_grade_" in aplc.fn(text).emit("laila", "[int]1")
    assert "aplc_grade_" in aplc.fn(SMALL[0], target="openmp").emit("laila", "[int]1")


@needs_c
def test_lengths_that_differ_are_an_error() -> None:
    k, v = np.array([1, 2, 1]), np.arange(4)
    for target in ("interp", "c"):
        with pytest.raises(aplc.AplcError, match="LENGTH ERROR"):
            aplc.fn("{⍺{2↑⌽⍵}⌸⍵}", target=target)(k, v)
        with pytest.raises(aplc.AplcError, match="INDEX ERROR"):
            aplc.fn("{⍵[⍋(∪⍺)⍳⍺]}", target=target)(v, k)


@needs_c
@pytest.mark.parametrize("target", ["c", pytest.param("openmp", marks=needs_threads)])
@pytest.mark.parametrize(
    "text",
    [
        "{x←⌽¨⍵ ⋄ (⊃¨x){⍺ ⍵}⌸x}",
        "{x←⍵⊂⍨(≢⍵)⍴1 0 0 ⋄ (≢¨⊃¨x){⊂⍵}⌸x}",
        "{x←⍵∩⌽⍵ ⋄ (⊃¨x){⊂⍵}⌸x}",
    ],
)
def test_what_values_are_read_of_lives_until_all_are_in_their_places(text: str, target: str) -> None:
    """Where items begin and how long they are is taken to its place at once, though one was freed earlier."""
    words = ["abcde"[k % 5] * (k % 7) + "edcba"[k * k % 5] for k in range(5000)]
    wanted = aplc.fn(text, target="interp")(words)
    assert repr(aplc.fn(text, target=target)(words).tolist()) == repr(wanted.tolist())
