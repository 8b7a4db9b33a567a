"""Searches in vectors that ascend, with tables: each kind of table finds what the meaning of `⍸` says."""

import ctypes
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.backends.c.types import C_TYPES
from aplc.backends.native.run import headers
from aplc.backends.native.toolchain import Compiler, compile_shared
from aplc.options import Options
from aplc.tail.meaning import order as meaning_order
from aplc.tail.meaning.core import DTYPES, Value
from aplc.tail.types import Base
from tests.support.compiling import compiled
from tests.support.machine import needs_c

BASES = (Base.INT, Base.DOUBLE)

WRAPPER = """
APLC_EXPORT int intervals_S(const T *a, int64_t n, int64_t searches, const T *x, int64_t count, int64_t *some,
                            int64_t *one, int64_t *ascends) {
    aplc_table table;
    if (aplc_intervals_S_make(&table, a, n, searches, ascends) != 0)
        return -1;
    const int kind = table.kind;
    if (*ascends) {
        aplc_intervals_S_find_some(&table, x - 3, 3, count, some);
        for (int64_t i = 0; i < count; i++)
            one[i] = aplc_intervals_S_find_one(&table, x[i]);
    }
    aplc_table_free(&table);
    return kind;
}
"""
DIRECT, HALVED, CELLS = 2, 4, 5
"""The kinds of tables that there are."""
TELLING: dict[Base, list[Any]] = {
    Base.INT: [-(2**63), -(2**63) + 1, -(2**53), -1, 0, 1, 2, 2**31, 2**63 - 2, 2**63 - 1],
    Base.DOUBLE: [
        np.nan,
        -np.inf,
        np.inf,
        -0.0,
        0.0,
        5e-324,
        -5e-324,
        1.0,
        -1.0,
        1.7976931348623157e308,
        0.1,
    ],
}
"""Elements at the ends of their types, and some that are nearly equal."""


def telling(base: Base, rng: np.random.Generator, n: int) -> Value:
    return rng.choice(np.array(TELLING[base], DTYPES[base]), n)


def narrow(base: Base, rng: np.random.Generator, n: int) -> Value:
    """Few different elements, close to each other."""
    return rng.integers(-5, 40, n).astype(DTYPES[base])


def wide(base: Base, rng: np.random.Generator, n: int) -> Value:
    """Elements of the whole range of their type."""
    words: Value = rng.integers(-(2**63), 2**63 - 1, n, dtype=np.int64, endpoint=True)
    return words if base is Base.INT else words.view(np.float64)


def clustered(base: Base, rng: np.random.Generator, n: int) -> Value:
    """Clusters of elements that differ in their last bits only."""
    words: Value = rng.choice([0, 2**61], n) + rng.choice([0, 2**37], n) + rng.integers(0, 2**12, n)
    return words - 2**60 if base is Base.INT else words.view(np.float64)


def vectors(base: Base) -> Iterator[Value]:
    rng = np.random.default_rng(30)
    for make in (narrow, wide, clustered, telling):
        for n in (0, 1, 2, 3, 4, 8, 33, 700, 5000):
            yield make(base, rng, n)
        yield np.repeat(make(base, rng, 1), 500)


@pytest.fixture(scope="module")
def library(compiler: Compiler, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    directory: Path = tmp_path_factory.mktemp("rts")
    for name, header in headers().items():
        directory.joinpath(name).write_text(header, encoding="utf-8")
    wrappers = [
        WRAPPER.replace("_S", f"_{base.value}").replace("T *", f"{C_TYPES[base]} *") for base in BASES
    ]
    source, target = directory / "text.c", directory / "text.so"
    source.write_text("\n".join(['#include "aplc_intervals.h"', *wrappers]), encoding="utf-8")
    compile_shared(compiler, source, target, 1)
    return ctypes.CDLL(str(target))


def kind_of(library: ctypes.CDLL, base: Base, a: Value, x: Value, searches: int | None = None) -> int:
    """The kind of table for a vector, which finds what it should; -1 where the vector does not ascend."""
    some, one, ascends = np.full(x.size + 1, -7), np.full(x.size + 1, -7), np.zeros(1, np.int64)
    pointers = [ctypes.c_void_p(each.ctypes.data) for each in (a, x, some, one, ascends)]
    count = ctypes.c_int64(x.size if searches is None else searches)
    kind: int = library[f"intervals_{base.value}"](
        pointers[0], ctypes.c_int64(a.size), count, pointers[1], ctypes.c_int64(x.size), *pointers[2:]
    )
    assert ascends[0] == all(a[1:] >= a[:-1])
    if not ascends[0]:
        return -1
    expected = meaning_order.interval_index(a, x)
    for found in (some, one):
        assert np.array_equal(found[:-1], expected), (a, x)
        assert found[-1] == -7
    return kind


@pytest.mark.parametrize("base", BASES)
def test_hard_vectors(library: ctypes.CDLL, base: Base) -> None:
    """Few elements and many, close together and far apart, equal ones, infinities."""
    rng = np.random.default_rng(31)
    kinds = set()
    for a in vectors(base):
        x = np.concatenate([a[:300], telling(base, rng, 40), wide(base, rng, 40)])
        for searches in (0, x.size, 10**6):
            kinds |= {kind_of(library, base, each, x, searches) for each in (a, np.sort(a[a == a]))}
    assert kinds == ({-1, DIRECT, HALVED, CELLS} if base is Base.INT else {-1, HALVED, CELLS})


@pytest.mark.parametrize("base", BASES)
def test_around_elements(library: ctypes.CDLL, base: Base) -> None:
    """Each element, and what is next to it on both sides."""
    rng = np.random.default_rng(32)
    for a in (
        narrow(base, rng, 500),
        clustered(base, rng, 500),
        (1000 * rng.random(700)).astype(narrow(base, rng, 1).dtype),
    ):
        a = np.sort(a)
        below, above = (
            (a - 1, a + 1) if base is Base.INT else (np.nextafter(a, -math.inf), np.nextafter(a, math.inf))
        )
        kind_of(library, base, a, np.concatenate([below, a, above]), 10**6)


@pytest.mark.parametrize("base", BASES)
def test_in_order(library: ctypes.CDLL, base: Base) -> None:
    """Elements that ascend themselves, close together, far apart, and in part only."""
    rng = np.random.default_rng(34)
    for make in (narrow, wide, clustered):
        for n, count in ((1, 100), (40, 2000), (5000, 40), (5000, 900), (900, 5000)):
            a, x = make(base, rng, n), make(base, rng, count)
            a, x = np.sort(a[a == a]), np.sort(x[x == x])
            some = x.copy()
            some[x.size // 2] = x[0]
            for given in (x, some, x[::-1].copy(), np.repeat(x[:1], 64), np.concatenate([x, x])):
                for searches in (0, 10**6):
                    kind_of(library, base, a, given, searches)


def test_no_cells_for_what_ascends() -> None:
    """Of what is in memory some is looked at before a table is made for it."""
    text = aplc.fn("{⍺⍸⍵}").emit("c", "[double]1", "[double]1")
    assert "aplc_intervals_double_make_for(" in text
    found, wanted = [aplc.fn("{⍺⍸⍵}", target=t) for t in ("c", "interp")]
    a, x = np.sort(np.random.default_rng(35).random((2, 3000)))
    for given in (x, x[::-1].copy(), np.concatenate([x[:2000], x[:2000]])):
        assert np.array_equal(found(a, given), wanted(a, given))


def test_kinds(library: ctypes.CDLL) -> None:
    """Cells are made where they save halvings and are repaid, one for each integer where these are close."""
    rng = np.random.default_rng(33)
    days, x = np.sort(rng.integers(730_000, 745_000, 450)), rng.integers(730_000, 745_000, 500)
    assert kind_of(library, Base.INT, days, x, 300_000) == DIRECT
    assert kind_of(library, Base.INT, days, x, 100) == HALVED
    assert kind_of(library, Base.INT, days * 10**9, x * 10**9, 300_000) == CELLS
    assert kind_of(library, Base.INT, days[:3], x) == HALVED
    assert kind_of(library, Base.DOUBLE, days / 7, x / 7, 300_000) == CELLS
    one_cell = np.concatenate([[-1e300], days / 7, [1e300]])
    assert kind_of(library, Base.DOUBLE, one_cell, x / 7, 300_000) == HALVED
    too_far = np.concatenate([[-1e308], days / 7, [1e308]])
    assert kind_of(library, Base.DOUBLE, too_far, x / 7, 300_000) == HALVED


@needs_c
def test_narrow_elements_are_looked_up() -> None:
    """Of an input whose elements are bytes: the table is asked for whole integers."""
    borders, sought = np.array([1, 5, 9]), np.array([-3, 1, 4, 9, 100], np.int8)
    program, given = compiled("b⍸s", Options("c", 2, verify=True), b=borders, s=sought)
    (made,) = program.run(given, lambda *_: None)
    assert np.asarray(made).tolist() == [0, 1, 1, 3, 3]
