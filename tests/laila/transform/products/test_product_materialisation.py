"""Products whose elements are folded."""

from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

TEXTS = ("{+/,⍺+.×⍵}", "{⌈/,⍺⌊.+⍵}", "{+/0<⍺+.×⍵}", "{⌈⌿⍺+.×⍵}", "{+/,⍺∧.=⍵}", "{÷/,⍺+.×⍵}")
SIZES = ((70, 66, 65), (64, 64, 64), (70, 3, 70), (63, 80, 80), (3, 200, 2), (0, 70, 70))
RNG = np.random.default_rng(11)


@pytest.mark.in_turn(12)
@pytest.mark.parametrize("target", ["c", "openmp"])
@pytest.mark.parametrize(
    "text", ["{+/,⍺+.×⍵}", "{⌈/,⍺⌊.+⍵}", "{+/0<⍺+.×⍵}", "{⌈⌿⍺+.×⍵}", "{+/,⍺∧.=⍵}", "{÷/,⍺+.×⍵}"]
)
def test_values(text: str, target: str) -> None:
    f, meaning = aplc.fn(text, target=target), aplc.fn(text, target="interp")
    for rows, steps, columns in (
        (70, 66, 65),
        (64, 64, 64),
        (70, 3, 70),
        (63, 80, 80),
        (3, 200, 2),
        (0, 70, 70),
    ):
        a, b = RNG.integers(1, 5, (rows, steps)), RNG.integers(1, 5, (steps, columns))
        for given in ((a, b), (a / 4, b / 4)):
            found, wanted = f(*given), meaning(*given)
            assert np.allclose(found, wanted, 1e-9, 0, equal_nan=True), (rows, steps, columns)


@pytest.mark.parametrize(
    ("text", "is_written"),
    [
        ("⎕←+/,a+.×b", True),
        ("⎕←+/a+.×b", True),
        ("⎕←+/,a×a+.×b", True),
        ("⎕←+/,0<a+.×⍉b", True),
        ("⎕←6÷⍨+/,a+.×b", True),
        ("⎕←(⌈/,a⌊.+b)-⌊/,a+.×b", True),
        ("⎕←a+.×b", False),
        ("⎕←+/a+.×⍳70", False),
        ("⎕←+/,(70 3↑a)+.×3 70↑b", False),
        ("⎕←+/,(⍳70)∘.×⍳70", False),
        ("⎕←+/,90 80↑a+.×b", False),
        ("⎕←⌈/,¯3⊖90 70↑a+.×b", False),
        ("⎕←+/,(9999 70⍴a)+.×70 9999⍴b", False),
    ],
)
def test_what_is_written(text: str, is_written: bool) -> None:
    assert ("alloc product" in laila(f"a←70 70⍴9|⍳999 ⋄ b←70 70⍴7|⍳998\n{text}")) == is_written


def test_what_is_small_is_found_by_the_run() -> None:
    values: list[Any] = [np.ones((n, 64)) for n in (5, 64, 200)]
    f = aplc.fn("{+/,⍵+.×⍉⍵}", target="c")
    assert [f(v) for v in values] == [64.0 * len(v) ** 2 for v in values]
