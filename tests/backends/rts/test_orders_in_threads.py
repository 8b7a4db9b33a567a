"""Sorting, grading and finding different elements in threads, however short vectors are: as in one thread."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from aplc.backends.native.run import Value
from aplc.compiled import Compiled
from aplc.options import Options
from tests.support.compiling import c_of, compiled
from tests.support.days import of_today
from tests.support.machine import needs_threads
from tests.support.tables.sortable import vectors

ORDERS = ("v[⍋v]", "v[⍒v]", "⍋v", "⍒v")
SETS = ("∪v", "{⍺,≢⍵}⌸v", "{≢⍵}⌸v", "(∪v)⍳v", "v{+/⍵}⌸⍳≢v")
SIZES = (0, 1, 32, 33, 34, 70, 500, 3000)
THREADS = (1, 2, 7)

pytestmark = needs_threads


@cache
def _made(text: str, kind: str, target: str, threads: int) -> Compiled:
    v = vectors(kind, 40)[0]
    return compiled(text, Options(target, verify=True, threads=threads), v=v)[0]


def _value(text: str, kind: str, v: np.ndarray[Any, Any], target: str, threads: int = 1) -> Value:
    given = np.array([ord(c) for c in v], dtype=np.uint32) if kind == "char" else v
    (result,) = _made(text, kind, target, threads).run([given], lambda *_: None)
    return np.asarray(result)


def _bits(value: Value) -> object:
    found = np.asarray(value)
    return found.tolist() if found.dtype == object else (found.shape, found.tobytes())


def _agree(text: str, kind: str, of: Callable[[int], list[np.ndarray[Any, Any]]]) -> None:
    for size in SIZES:
        for v in of(size):
            expected = _value(text, kind, v, "c")
            for threads in THREADS:
                found = _value(text, kind, v, "openmp", threads)
                assert _bits(found) == _bits(expected), (size, threads, v[:9])


def _in_all_ways(text: str, **inputs: np.ndarray[Any, Any]) -> list[object]:
    """What a program gives in one thread without threads, in two and in three."""
    values = []
    for target, threads in (("c", 1), ("openmp", 2), ("openmp", 3)):
        program, given = compiled(text, Options(target, verify=True, threads=threads), **inputs)
        values.append(_bits(program.run(given, lambda *_: None)[0]))
    return values


@pytest.mark.parametrize(
    ("text", "kind"), of_today([(text, kind) for text in ORDERS for kind in ("int", "double", "char")], 3)
)
def test_orders(text: str, kind: str) -> None:
    """Of what is random, in order, the other way round, alike, few, wide, and of NaN and zeros with signs."""
    _agree(text, kind, lambda size: vectors(kind, size))


@pytest.mark.in_turn(4)
def test_long_vectors() -> None:
    """More than a part sorts at once, and so many that begin alike that all threads sort them."""
    rng = np.random.default_rng(3)
    wide = np.where(rng.random(300_000) < 0.8, rng.integers(0, 2**40, 300_000), 2**62)
    for v in (wide, wide / 7, rng.integers(-(2**63), 2**63 - 1, 300_000)):
        kind = "int" if v.dtype == np.int64 else "double"
        for text in ORDERS:
            assert _bits(_value(text, kind, v, "openmp", 3)) == _bits(_value(text, kind, v, "c"))


def repeated(kind: str, size: int) -> list[np.ndarray[Any, Any]]:
    """Elements of which some are there again: few, many, in order, and some that only the last part has."""
    rng = np.random.default_rng(size)
    ends = np.where(np.arange(size) < size * 9 // 10, np.arange(size) % 3, 77 + np.arange(size))
    found = [rng.integers(0, 5, size), rng.integers(0, max(size // 3, 1), size), np.arange(size) // 4, ends]
    if kind == "int":
        return [*found, *[each * 987654321987 for each in found]]
    return [np.array([chr(32 + c) for c in each % 9000], dtype="<U1") for each in found]


@pytest.mark.parametrize(
    ("text", "kind"), of_today([(text, kind) for text in SETS for kind in ("int", "char")], 3)
)
def test_different_ones(text: str, kind: str) -> None:
    _agree(text, kind, lambda size: repeated(kind, size))


@pytest.mark.parametrize("text", of_today(["∪m", "{⍺,≢⍵}⌸m", "{≢⍵}⌸m", "m{+/⍵}⌸⍳≢m"], 2))
def test_different_rows(text: str) -> None:
    for size in SIZES:
        for columns in (1, 2, 3, 9):
            m = np.random.default_rng(size).integers(0, 3, (size, columns)) * 99**4
            values = _in_all_ways(text, m=m)
            assert values[1:] == values[:-1], (size, columns)


@pytest.mark.parametrize("text", ["∪v", "{⍺,≢⍵}⌸v", "{≢⍵}⌸v", "(∪v)⍳v"])
def test_numbers_that_are_not(text: str) -> None:
    """NaN is found nowhere, and each is another one; with exact comparison, as threads do no other."""
    rng = np.random.default_rng(5)
    for size in SIZES:
        v = rng.integers(0, 9, size) / 8
        v[rng.random(size) < 0.1] = np.nan
        values = _in_all_ways(f"⎕CT←0\n{text}", v=v)
        assert values[1:] == values[:-1], size


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("v[⍋v]", "aplc_sort_up_int_in_threads"),
        ("⍋v", "aplc_grade_up_int_in_threads"),
        ("∪v", "aplc_unique_int_in_threads"),
        ("{≢⍵}⌸v", "aplc_count_each_int_in_threads"),
        ("(∪v)⍳v", "aplc_number_int_in_threads"),
    ],
)
def test_which_are_in_threads(text: str, name: str) -> None:
    v = np.arange(9)
    assert f"{name}(host, " in c_of(text, Options("openmp"), v=v)
    assert "in_threads" not in c_of(text, Options("c"), v=v)
