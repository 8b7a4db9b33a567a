"""Sorting where elements lie, `v[⍋v]`, against NumPy: by ranks, exchanges, counting and digits."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.options import Options
from tests.support.compiling import c_of
from tests.support.machine import needs_c

SIZES = (0, 1, 2, 5, 8, 9, 15, 32, 33, 100, 2048, 2049, 70_000)


def vectors(kind: str, size: int) -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(size)
    match kind:
        case "int":
            wide = rng.integers(-(2**63), 2**63 - 1, size)
            organ = np.abs(np.arange(size) - size // 2) * 10**6
            return [
                wide,
                wide // 2**40 * 2**35,
                rng.integers(0, 9, size),
                np.arange(size)[::-1].copy(),
                organ,
                rng.integers(0, 7, size) * 2**59 + rng.integers(0, 2**20, size),
            ]
        case "double":
            plain = rng.standard_normal(size)
            signs = np.where(plain > 0, 0.0, -0.0)
            odd = np.where(plain > 1, np.nan, plain)
            return [plain, signs, odd, np.round(plain), np.where(plain > 1, np.inf, -plain)]
        case "bool":
            return [rng.integers(0, 2, size).astype(bool)]
        case _:
            letters = [chr(c) for c in rng.integers(32, 0x3000, size)]
            return [np.array(letters, dtype="<U1")]


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
