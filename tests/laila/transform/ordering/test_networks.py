"""A few elements in order, of which known places are read."""

from itertools import product
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from aplc.laila.transform.ordering.median_networks import MEDIANS
from aplc.laila.transform.ordering.networks import MOST, comparators
from tests.support.laila.text import laila

RNG = np.random.default_rng(9)
SOME = (np.nan, np.inf, -np.inf, 0.0, 1.0, 1.0, -2.5, 7.0)


@pytest.mark.parametrize("count", range(1, MOST + 1))
def test_comparators_sort_zeros_and_ones(count: int) -> None:
    """What sorts all of these sorts everything (Knuth 3, 5.3.4, theorem Z)."""
    every = product((0, 1), repeat=count) if count <= 10 else RNG.integers(0, 2, (2000, count))
    x = np.array(list(every))
    for i, j in comparators(count):
        assert i < j
        x[:, i], x[:, j] = np.minimum(x[:, i], x[:, j]), np.maximum(x[:, i], x[:, j])
    assert np.all(np.diff(x) >= 0)


@pytest.mark.parametrize("count", MEDIANS)
def test_medians_of_zeros_and_ones(count: int) -> None:
    """What finds the medians of all of these finds those of everything."""
    every = product((0, 1), repeat=count) if count <= 10 else RNG.integers(0, 2, (100000, count))
    x = np.array(list(every))
    wanted = np.median(x, axis=1)
    for i, j in MEDIANS[count]:
        x[:, i], x[:, j] = np.minimum(x[:, i], x[:, j]), np.maximum(x[:, i], x[:, j])
    assert np.array_equal(x[:, count // 2], wanted)


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("target", ["c", "openmp"])
@pytest.mark.parametrize(
    "text",
    [
        "{{(a[⍋a←,⍵])[5]}⌺3 3⊢⍵}",
        "{{(a[⍒a←,⍵])[5]}⌺3 3⊢⍵}",
        "{{s←a[⍋a←,⍵] ⋄ s[5]+s[6]}⌺3 3⊢⍵}",
        "{{(a[⍋a←,⍵])[13]}⌺5 5⊢⍵}",
        "{{(⍵[⍋⍵])[4]}⍤1⊢7↑[2]⍵}",
        "{{(,⍵)[(⍋,⍵)[5]]}⌺3 3⊢⍵}",
        "{{⌈/4↑s[⍋s←,⍵]}⌺3 3⊢⍵}",
        "{{w←,⍵ ⋄ +/(w[⍋w])[2 8]}⌺3 3⊢⍵}",
        "{{w←,⍵ ⋄ g←⍋w ⋄ w[g[5]]-(⌽w)[g[2]]}⌺3 3⊢⍵}",
    ],
)
def test_medians_of_windows(text: str, target: TargetName) -> None:
    """Of boards that are so large that what the rows have in common is a window of rows, too."""
    compiled, meant = aplc.fn(text, target=target), aplc.fn(text, target="interp")
    for shape in ((1, 7), (5, 6), (9, 70)):
        for given in (RNG.choice(SOME, shape), RNG.integers(-9, 9, shape), RNG.integers(0, 255, shape)):
            for board in (given, given.astype(np.uint8)) if given.dtype == np.int64 else (given,):
                assert np.array_equal(compiled(board), meant(board), equal_nan=True), (shape, board.dtype)
    board = RNG.integers(0, 255, (300, 301)).astype(np.uint8)
    assert np.array_equal(compiled(board), compiled(board.astype(np.int64)))
    assert np.array_equal(compiled(board)[:3], meant(board[:6])[:3])
    assert np.array_equal(compiled(board)[-3:], meant(board[-6:])[-3:])
    assert np.array_equal(compiled(board)[47:53], meant(board[40:60])[7:13])


@pytest.mark.in_turn(12)
@pytest.mark.parametrize("target", ["c", "openmp"])
@pytest.mark.parametrize("place", [1, 3, 5])
@pytest.mark.parametrize("grade", "⍋⍒")
def test_values(grade: str, place: int, target: str) -> None:
    text = f"{{{{(⍵[{grade}⍵])[{place}]}}⍤1⊢5↑[2]⍵}}"
    for rows in (RNG.choice(SOME, (300, 5)), RNG.integers(-3, 3, (300, 5)), np.zeros((0, 5))):
        wanted = aplc.fn(text, target="interp")(rows)
        assert np.array_equal(aplc.fn(text, target=target)(rows), wanted, equal_nan=True)


@pytest.mark.parametrize(
    ("text", "is_graded"),
    [
        ("⎕←{(⍵[⍋⍵])[3]}⍤1⊢5↑[2]m", False),
        ("⎕←{(w[⍒w])[3]⊣w←,⍵}⌺3 3⊢m", False),
        ("⎕←{(⍵[⍋⍵])[2]-(⍵[⍒⍵])[2]}⍤1⊢3↑[2]m", False),
        ("⎕←{⍵[(⌈0.5×≢⍵)⊃⍋⍵]}⍤1⊢5↑[2]m", False),
        ("⎕←{(,⍵)[(⍋,⍵)[5]]}⌺3 3⊢m", False),
        ("⎕←{⌈/4↑s[⍋s←,⍵]}⌺3 3⊢m", False),
        ("⎕←{w←⍵ ⋄ g←⍋w ⋄ w[g[1]]+(⌽w)[g[2]]}⍤1⊢5↑[2]m", True),
        ("⎕←{(⍵[⍋⍵])[3]}⍤1⊢26↑[2]m", True),
        ("⎕←{w←⍵ ⋄ g←⍋w ⋄ w[1]←9 ⋄ w[g[2]]}⍤1⊢5↑[2]m", True),
        ("⎕←{(⍵[⍋⌽⍵])[2]}⍤1⊢5↑[2]m", True),
        ("⎕←{w←⍵ ⋄ g←⍋w ⋄ g[1]+w[g[2]]}⍤1⊢5↑[2]m", True),
        ("⎕←{(⍵[⍋⍵])[1↑⍵]}⍤1⊢5↑[2]m", True),
    ],
)
def test_what_is_graded(text: str, is_graded: bool) -> None:
    found = laila(f"m←6 30⍴3000|7×⍳999\n{text}")
    assert any(name in found for name in ("aplc_first", "aplc_grade", "aplc_sort")) == is_graded


def test_equal_doubles_keep_their_order_where_bits_count() -> None:
    rows: Any = np.array([[0.0, -0.0, 0.0], [-0.0, 0.0, -0.0]])
    text = "{(⍵[⍋⍵])[2]}⍤1"
    found = [aplc.fn(text, target=target, strict_fp=True)(rows) for target in ("interp", "c")]
    assert found[0].tobytes() == found[1].tobytes()
