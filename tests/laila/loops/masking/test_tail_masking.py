"""Narrow elements in whole vectors: extents around multiples of one, what lies behind the last element."""

import re
from itertools import product

import numpy as np
import pytest

from aplc.backends.native.run import Value
from aplc.options import Options
from tests.support import compiling
from tests.support.days import of_today
from tests.support.machine import needs_threads

LENGTHS = (0, 1, 2, 15, 16, 32, 33, 62, 63, 64, 65, 66, 127, 128, 130, 191, 1000)
TEXTS = (
    "m←⌷v>0 ⋄ ⌷m≠1⌽m",
    "m←⌷3|v ⋄ ⌷1=(1↓m)-¯1↓m",
    "m←⌷3|v ⋄ k←⌷7,m+1 ⋄ ⌷20<k×9,m",
    "m←⌷300|v ⋄ ⌷300<m+⌽m",
    "m←⌷300|v ⋄ ⌷100<m-3⌽m",
    "({(⍵∨1⌽⍵)∧~¯1⌽⍵}⍣5)v>0",
    "c←⌷⌽v>0 ⋄ ({c≠~1⌽⍵}⍣3)v>0",
)
BOARD = "({r←⍵+(1⌽⍵)+¯1⌽⍵ ⋄ s←r+(1⊖r)+¯1⊖r ⋄ (s=3)∨(s=4)∧⍵}⍣6)v>0"
SHAPES = ((0, 5), (1, 1), (1, 70), (70, 1), (2, 33), (3, 40), (40, 40), (8, 64), (9, 65), (5, 600))
TARGETS = ("c", "openmp")

pytestmark = needs_threads


def value(text: str, target: str, v: Value) -> Value:
    """What a program gives; in threads however short its loops are."""
    program, given = compiling.compiled(text, Options(target, verify=True, threads=3), v=v)
    (result,) = program.run(given, lambda *_: None)
    return np.asarray(result)


@pytest.mark.parametrize(
    ("text", "target"), of_today([(text, target) for text in TEXTS for target in TARGETS], 3)
)
def test_vectors(text: str, target: str) -> None:
    for n in LENGTHS:
        v = np.random.default_rng(n).integers(-500, 500, n)
        np.testing.assert_array_equal(value(text, target, v), value(text, "interp", v), str(n))


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("target", TARGETS)
def test_boards(target: str) -> None:
    for shape in SHAPES:
        v = np.random.default_rng(1).integers(-1, 2, shape)
        np.testing.assert_array_equal(value(BOARD, target, v), value(BOARD, "interp", v), str(shape))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("product", ["∧.∨", "≠.∧", "⌊.+"])
def test_products_of_short_rows(product: str, target: str) -> None:
    """Several rows at a time, the last vector of each ending in those behind it."""
    text = f"m←⌷3|v ⋄ m{product}⍉m" if product == "⌊.+" else f"m←⌷v>0 ⋄ m{product}⍉m"
    for shape in ((4, 3), (12, 11), (33, 5), (70, 9)):
        v = np.random.default_rng(3).integers(-1, 2, shape)
        np.testing.assert_array_equal(value(text, target, v), value(text, "interp", v), str(shape))


def c_of(text: str, target: str) -> str:
    """The C of a program of a vector, or a matrix for a board."""
    v = np.zeros((3, 3) if text is BOARD else 3, dtype=np.int64)
    return compiling.c_of(text, Options(target), v=v)


@pytest.mark.parametrize("text", (*TEXTS[:3], *TEXTS[4:], BOARD))
def test_what_is_left_is_one_vector(text: str) -> None:
    assert "mask[" in c_of(text, "c")


@pytest.mark.parametrize("text", (*TEXTS[:3], *TEXTS[4:], BOARD))
def test_what_a_mask_chooses_between_is_computed_before(text: str) -> None:
    """clang writes lane by lane where either is computed or read in a branch of the choice."""
    chosen = [line for line in c_of(text, "c").splitlines() if " = mask[" in line]
    assert chosen and all(re.search(r"\] != 0 \? \w+ : \w+;$", line) for line in chosen)


def test_compilers_are_told_that_the_elements_of_a_vector_are_independent() -> None:
    """clang does the first and the last row of the board one by one otherwise."""
    lines = c_of(BOARD, "c").splitlines()
    vectors = [
        k for k, line in enumerate(lines) if re.search(r"for \(\w+ j\w* = 0; j\w* < \d+; j\w*\+\+\)", line)
    ]
    assert vectors and all("#pragma omp simd" in lines[k - 1] for k in vectors)


def test_rows_in_threads_end_where_they_end() -> None:
    """A row that one thread computes is followed by one that another does."""
    rows = "m←⌷v>0 ⋄ c←⌷⍉m ⋄ ⌷(⍉c)∨m∧1⌽m"
    v = np.random.default_rng(2).integers(-1, 2, (50, 33))
    for _ in range(20):
        np.testing.assert_array_equal(value(rows, "openmp", v), value(rows, "interp", v))


def test_a_sum_that_two_comparisons_take_has_a_name() -> None:
    stores = [line for line in c_of(BOARD, "c").splitlines() if "== 3" in line]
    assert stores
    assert all(line.count("[") <= 4 for line in stores), stores


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("target", TARGETS)
def test_rows_of_one_tile_do_not_overwrite_one_another(target: str) -> None:
    """What lies behind a row is the next one, which the same loop computes."""
    for rows, columns, steps in product((4, 9), (3, 4, 67), (1, 2, 5)):
        random = np.random.default_rng(rows)
        given = {
            "a": random.integers(0, 2, (rows, steps)) > 0,
            "b": random.integers(0, 2, (steps, columns)) > 0,
        }
        values = []
        for each in (target, "interp"):
            program, arrays = compiling.compiled("a∧.=⌷b", Options(each, verify=True, threads=3), **given)
            values += program.run(arrays, lambda *_: None)
        np.testing.assert_array_equal(*values, f"{rows} {columns} {steps}")
