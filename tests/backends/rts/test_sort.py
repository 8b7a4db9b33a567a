"""Sorting where elements lie, `v[⍋v]`, against NumPy: by ranks, exchanges, counting and digits."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.options import Options
from tests.support.compiling import c_of
from tests.support.machine import needs_c
from tests.support.tables.sortable import vectors

SIZES = (0, 1, 2, 5, 8, 9, 15, 32, 33, 48, 49, 100, 2048, 2049, 70_000)


@needs_c
@pytest.mark.parametrize("kind", ["int", "double", "bool", "char"])
def test_sorted(kind: str) -> None:
    up, down = aplc.fn("{⍵[⍋⍵]}"), aplc.fn("{⍵[⍒⍵]}")
    for size in SIZES:
        for v in vectors(kind, size):
            order = np.argsort(v, kind="stable")
            assert _same(up(v), v[order]), size
            backwards = np.argsort(v[::-1], kind="stable")[::-1]
            if not (kind == "double" and np.isnan(v).any()):
                assert _same(down(v), v[::-1][backwards]), size


def _same(found: Any, expected: np.ndarray[Any, Any]) -> bool:
    given = np.array(list(found), dtype=expected.dtype) if isinstance(found, str) else np.asarray(found)
    return given.tobytes() == expected.tobytes()


def test_a_grade_that_is_read_once_is_not_made() -> None:
    v = np.array([2.5, 1.5])
    assert "aplc_grade" not in c_of("v[⍋v]", Options("c"), v=v)
    assert "aplc_grade" in c_of("g←⍋v\n⎕←v[g]\n⎕←g", Options("c"), v=v)
    assert "aplc_first" in c_of("2↑v[⍋v]", Options("c"), v=v)
    assert "aplc_first" not in c_of("1↑v[⍋v]", Options("c"), v=v)


NUMBERS_NEAR_NAN = (
    (1.0, -4.0),  # keys that differ in the first bit alone
    (0.0,),
    (-0.0, 0.0),
    (np.inf, -np.inf),
    (np.finfo(float).max, -np.finfo(float).max, 5e-324),
    (2.0**-1074, 2.0**1023, -1.0, -(2.0**-1074)),
    (0.1, 0.2, 0.30000000000000004, 7.0),
    (),
)


@needs_c
@pytest.mark.parametrize("numbers", NUMBERS_NEAR_NAN, ids=str)
def test_nan_stands_above_all_numbers(numbers: tuple[float, ...]) -> None:
    """Its key follows that of the greatest number, whichever that is."""
    rng = np.random.default_rng(len(numbers))
    grades = {name: (aplc.fn(name), aplc.fn(name, target="interp")) for name in ("⍋", "⍒")}
    values = {name: aplc.fn(name) for name in ("{⍵[⍋⍵]}", "{⍵[⍒⍵]}")}
    for size in (4, 40, 400, 5000):
        v = rng.choice([*numbers, np.nan], size)
        for of in (v, np.full(size, np.nan), v.reshape(-1, 2), np.repeat(v, 3).reshape(-1, 3)):
            for compiled, meaning in grades.values():
                assert np.asarray(compiled(of)).tobytes() == np.asarray(meaning(of)).tobytes(), size
        for name, sort in values.items():
            assert _same(sort(v), v[np.asarray(grades[name[3]][0](v)) - 1])
