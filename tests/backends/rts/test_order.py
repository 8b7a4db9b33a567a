"""Sorting and searching of the run-time system, against the meanings in `aplc.tail.meaning.order`."""

import ctypes
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aplc.backends.c.types import C_TYPES
from aplc.backends.native.run import headers
from aplc.backends.native.toolchain import Compiler, compile_shared
from aplc.tail.faults import FaultRaised
from aplc.tail.meaning import order as meaning_order
from aplc.tail.meaning.core import Value
from aplc.tail.types import Base
from tests.support.arrays.hard import (
    INF,
    INT_MAX,
    NAN,
    TELLING,
    long_vectors,
    matrices,
    of,
    telling,
    vectors,
    wide,
)

OUT_OF_MEMORY = 1

BASES = [base for base in Base if base.is_ordered]

MEMORY = """
#include <stdint.h>
#include <stdlib.h>
static int64_t allowed = INT64_MAX, held = 0;
__attribute__((visibility("default"))) int64_t allow(int64_t count) { allowed = count; return held; }
static inline int limited_memalign(void **memory, size_t align, size_t bytes) {
    const int status = allowed-- > 0 ? posix_memalign(memory, align, bytes) : 12;
    held += status == 0;
    return status;
}
static inline void *limited_malloc(size_t bytes) {
    void *memory = allowed-- > 0 ? malloc(bytes) : NULL;
    held += memory != NULL;
    return memory;
}
static inline void *limited_calloc(size_t count, size_t size) {
    void *memory = allowed-- > 0 ? calloc(count, size) : NULL;
    held += memory != NULL;
    return memory;
}
static inline void counted_free(void *memory) {
    held -= memory != NULL;
    free(memory);
}
#define posix_memalign limited_memalign
#define malloc limited_malloc
#define calloc limited_calloc
#define free counted_free
"""
"""Memory that ends after so many allocations; `allow` tells how many are not freed."""

WRAPPERS = """
APLC_EXPORT int up_S(const T *a, int64_t rows, int64_t columns, int64_t *out) {
    return aplc_grade_up_S(a, rows, columns, out);
}
APLC_EXPORT int down_S(const T *a, int64_t rows, int64_t columns, int64_t *out) {
    return aplc_grade_down_S(a, rows, columns, out);
}
APLC_EXPORT int first_up_S(const T *a, int64_t n, int64_t wanted, int64_t *out) {
    return aplc_first_up_S(a, n, wanted, out);
}
APLC_EXPORT int first_down_S(const T *a, int64_t n, int64_t wanted, int64_t *out) {
    return aplc_first_down_S(a, n, wanted, out);
}
APLC_EXPORT int ascends_S(const T *a, int64_t n) { return aplc_is_ascending_S(a, n); }
APLC_EXPORT int interval_S(const T *a, int64_t n, const T *x, int64_t count, int64_t *out) {
    aplc_interval_some_S(a, n, x, 0, count, out);
    return 0;
}
APLC_EXPORT int interval_one_S(const T *a, int64_t n, const T *x, int64_t count, int64_t *out) {
    for (int64_t i = 0; i < count; i++)
        out[i] = aplc_interval_one_S(a, n, x[i]);
    return 0;
}
APLC_EXPORT int index_S(const T *a, int64_t rows, int64_t columns, const T *x, int64_t count, int64_t *out) {
    aplc_table table;
    const int status = aplc_table_S_make(&table, a, rows, columns);
    for (int64_t i = 0; i < count && status == 0; i++)
        out[i] = aplc_table_S_find(&table, x + i * columns);
    aplc_table_free(&table);
    return status;
}
APLC_EXPORT int index_one_S(const T *a, int64_t rows, const T *x, int64_t count, int64_t *out) {
    aplc_table table;
    const int status = aplc_table_S_make(&table, a, rows, 1);
    for (int64_t i = 0; i < count && status == 0; i++)
        out[i] = aplc_table_S_find_one(&table, x[i]);
    aplc_table_free(&table);
    return status;
}
APLC_EXPORT int index_some_S(const T *a, int64_t rows, const T *x, int64_t count, int64_t *out) {
    aplc_table table;
    const int status = aplc_table_S_make(&table, a, rows, 1);
    if (status == 0)
        aplc_table_S_find_some(&table, x - 3, 3, count, out);
    aplc_table_free(&table);
    return status;
}
APLC_EXPORT int has_S(const T *a, int64_t rows, const T *x, int64_t count, int64_t *out) {
    aplc_table set;
    uint8_t *const found = calloc((size_t)count + 1, 1);
    const int status = found == NULL ? APLC_OUT_OF_MEMORY : aplc_table_S_make_set(&set, a, rows);
    if (status == 0)
        aplc_table_S_has_some(&set, x - 3, 3, count, found);
    for (int64_t i = 0; i < count && status == 0; i++)
        out[i] = found[i] == aplc_table_S_has_one(&set, x[i]) ? found[i] : -1;
    if (found != NULL)
        aplc_table_free(&set);
    free(found);
    return status;
}
APLC_EXPORT int firsts_S(const T *a, int64_t rows, uint8_t *out) { return aplc_firsts_1_S(a, rows, out); }
APLC_EXPORT int unique_S(const T *a, int64_t rows, int64_t columns, int64_t *positions, int64_t *count) {
    return aplc_unique_S(a, rows, columns, positions, count);
}
APLC_EXPORT int count_unique_S(const T *a, int64_t rows, int64_t columns, int64_t *count) {
    return aplc_count_unique_S(a, rows, columns, count);
}
APLC_EXPORT int number_S(const T *a, int64_t rows, int64_t columns, int64_t *positions, int64_t *numbers,
                         int64_t *count) {
    return aplc_number_S(a, rows, columns, positions, numbers, count);
}
APLC_EXPORT int number_narrow_S(const T *a, int64_t rows, int64_t columns, int64_t *positions,
                                int32_t *numbers, int64_t *count) {
    return aplc_number_S_narrow(a, rows, columns, positions, numbers, count);
}
APLC_EXPORT int count_each_S(const T *a, int64_t rows, int64_t columns, int64_t *positions, int64_t *counts,
                             int64_t *count) {
    return aplc_count_each_S(a, rows, columns, positions, counts, count);
}
"""

CODES = """
APLC_EXPORT int codes_2_count(const uint16_t *codes, int64_t rows, int64_t different, int64_t *positions,
                              int64_t *counts, int64_t *count) {
    return aplc_codes_2_count(codes, rows, different, positions, counts, count);
}
"""


@pytest.fixture(scope="module")
def library(compiler: Compiler, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    directory: Path = tmp_path_factory.mktemp("rts")
    for name, header in headers().items():
        directory.joinpath(name).write_text(header, encoding="utf-8")
    wrappers = [
        WRAPPERS.replace("_S", f"_{base.value}").replace("T *", f"{C_TYPES[base]} *") for base in BASES
    ]
    text = "\n".join([MEMORY, '#include "aplc_order.h"', '#include "aplc_search.h"', *wrappers, CODES])
    source, target = directory / "text.c", directory / "text.so"
    source.write_text(text, encoding="utf-8")
    compile_shared(compiler, source, target, 1)
    return ctypes.CDLL(str(target))


def call(library: ctypes.CDLL, name: str, base: Base, *arguments: Value | int) -> int:
    """The status that a wrapper returns."""
    function = library[f"{name}_{base.value}"]
    pointers = [ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else a for a in arguments]
    function.argtypes = [ctypes.c_void_p if isinstance(a, np.ndarray) else ctypes.c_int64 for a in arguments]
    status: int = function(*pointers)
    return status


# --- what is compared -----------------------------------------------------------------------------------


def grades_agree(library: ctypes.CDLL, base: Base, a: Value) -> None:
    rows, columns = len(a), math.prod(a.shape[1:])
    for name, meaning in (("up", meaning_order.grade_up), ("down", meaning_order.grade_down)):
        out = np.full(rows + 1, -7, dtype=np.int64)
        assert call(library, name, base, a, rows, columns, out) == 0
        assert np.array_equal(out[:rows], meaning(a)), (name, a)
        assert out[rows] == -7


def firsts_agree(library: ctypes.CDLL, base: Base, a: Value) -> None:
    for name, meaning in (("up", meaning_order.grade_up), ("down", meaning_order.grade_down)):
        grade = meaning(a)
        for wanted in {0, 1, 2, 3, 8, 9, 10, a.size // 40, a.size // 16, a.size // 2, a.size} & set(
            range(a.size + 1)
        ):
            out = np.full(wanted + 1, -7, dtype=np.int64)
            assert call(library, f"first_{name}", base, a, a.size, wanted, out) == 0
            assert np.array_equal(out[:wanted], grade[:wanted]), (name, wanted, a)
            assert out[wanted] == -7


def interval_agrees(library: ctypes.CDLL, base: Base, a: Value, x: Value) -> None:
    out = np.full(x.size + 1, -7, dtype=np.int64)
    try:
        expected = meaning_order.interval_index(a, x)
    except FaultRaised:
        assert not call(library, "ascends", base, a, a.size)
        return
    assert call(library, "ascends", base, a, a.size)
    for name in ("interval", "interval_one"):
        out[:] = -7
        assert call(library, name, base, a, a.size, x, x.size, out) == 0
        assert np.array_equal(out[:-1], expected), (name, a, x)
        assert out[-1] == -7


def index_agrees(library: ctypes.CDLL, base: Base, a: Value, x: Value) -> None:
    rows, columns, count = len(a), math.prod(a.shape[1:]), len(x)
    expected = meaning_order.index_of(a, x)
    wrappers: list[tuple[str, tuple[int, ...]]] = [("index", (rows, columns))]
    if columns == 1:
        wrappers += [("index_one", (rows,)), ("index_some", (rows,))]
    for name, extents in wrappers:
        out = np.full(count + 1, -7, dtype=np.int64)
        assert call(library, name, base, a, *extents, x, count, out) == 0
        assert np.array_equal(out[:-1], expected), (name, a, x)
        assert out[-1] == -7
    if columns == 1 and a.ndim == 1:
        out = np.full(count + 1, -7, dtype=np.int64)
        assert call(library, "has", base, a, rows, x, count, out) == 0
        assert np.array_equal(out[:-1], expected <= rows), (a, x)
        assert out[-1] == -7


def unique_agrees(library: ctypes.CDLL, base: Base, a: Value) -> None:
    rows, columns = len(a), math.prod(a.shape[1:])
    positions, count = np.full(rows + 1, -7, dtype=np.int64), np.zeros(1, dtype=np.int64)
    assert call(library, "unique", base, a, rows, columns, positions, count) == 0
    found = positions[: count[0]]
    assert a[found].tobytes() == meaning_order.unique(a).tobytes(), a
    assert np.all(found[:-1] < found[1:])
    assert positions[rows] == -7
    counted = np.zeros(1, dtype=np.int64)
    assert call(library, "count_unique", base, a, rows, columns, counted) == 0
    assert counted == count
    if a.ndim == 1:
        firsts = np.zeros(rows + 1, np.uint8)
        assert call(library, "firsts", base, a, rows, firsts) == 0
        assert np.array_equal(np.flatnonzero(firsts), found)
    for name, dtype in (("number", np.int64), ("number_narrow", np.int32)):
        numbers, firsts = np.full(rows + 1, -7, dtype), np.full(rows + 1, -7, np.int64)
        assert call(library, name, base, a, rows, columns, firsts, numbers, count) == 0
        assert np.array_equal(firsts[: count[0]], found)
        assert np.array_equal(numbers[:-1], meaning_order.index_of(a[found], a))
        assert firsts[rows] == numbers[rows] == -7
    counts, firsts = np.full(rows + 1, -7), np.full(rows + 1, -7)
    assert call(library, "count_each", base, a, rows, columns, firsts, counts, count) == 0
    assert np.array_equal(firsts[: count[0]], found)
    expected = np.bincount(meaning_order.index_of(a[found], a) - 1, minlength=count[0] + 1)
    assert np.array_equal(counts[: count[0]], expected[: count[0]])
    assert firsts[rows] == counts[rows] == -7


# --- tests ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("different", [1, 3, 4096, 4097, 65536])
@pytest.mark.parametrize("rows", [1, 15, 17, 5000])
def test_codes_are_counted(library: ctypes.CDLL, rows: int, different: int) -> None:
    codes = np.random.default_rng(3).integers(0, different, rows).astype(np.uint16)
    positions, counts, count = np.full(rows + 1, -7), np.full(rows + 1, -7), np.zeros(1, np.int64)
    arrays = [ctypes.c_void_p(a.ctypes.data) for a in (codes, positions, counts, count)]
    sizes = ctypes.c_int64(rows), ctypes.c_int64(different)
    assert library.codes_2_count(arrays[0], *sizes, *arrays[1:]) == 0
    _, firsts, times = np.unique(codes, return_index=True, return_counts=True)
    assert np.array_equal(positions[: count[0]], np.sort(firsts))
    assert np.array_equal(counts[: count[0]], times[np.argsort(firsts)])
    assert positions[rows] == counts[rows] == -7


@pytest.mark.parametrize("base", BASES)
def test_grades(library: ctypes.CDLL, base: Base) -> None:
    for a in (*vectors(base), *long_vectors(base), *matrices(base)):
        grades_agree(library, base, a)
    for a in (*vectors(base), *long_vectors(base)):
        firsts_agree(library, base, a)


@pytest.mark.parametrize("base", BASES)
def test_intervals(library: ctypes.CDLL, base: Base) -> None:
    rng = np.random.default_rng(23)
    for a in vectors(base):
        x = rng.permutation(np.concatenate([a[:50], telling(base, rng, 20), wide(base, rng, 13)]))
        interval_agrees(library, base, a, x)
        interval_agrees(library, base, np.sort(a[a == a]), x)
        interval_agrees(library, base, np.sort(a[a == a]), x[:0])


@pytest.mark.parametrize("base", BASES)
def test_tables(library: ctypes.CDLL, base: Base) -> None:
    rng = np.random.default_rng(24)
    for a in (*vectors(base), *matrices(base)):
        shape = (40, *a.shape[1:])
        index_agrees(
            library, base, a, np.concatenate([a, telling(base, rng, *shape), wide(base, rng, *shape)])
        )
    for a in long_vectors(base):
        index_agrees(library, base, a[::2].copy(), a)


@pytest.mark.parametrize("base", BASES)
def test_uniques(library: ctypes.CDLL, base: Base) -> None:
    for a in (*vectors(base), *long_vectors(base), *matrices(base)):
        unique_agrees(library, base, a)


def test_many_rows_of_nan(library: ctypes.CDLL) -> None:
    """They equal nothing, so none is kept in a table, where each would be compared with all."""
    rows = np.full((20_000, 2), NAN)
    unique_agrees(library, Base.DOUBLE, rows)
    index_agrees(library, Base.DOUBLE, rows, rows)


@pytest.mark.parametrize("nearest", [5e-324, 1e-300, 1e-3, 3.0])
def test_numbers_around_zero(library: ctypes.CDLL, nearest: float) -> None:
    """The keys that no number has between zero and the nearest others are left out."""
    rng = np.random.default_rng(4)
    ends = np.array([nearest, -nearest, 3 * nearest, -5 * nearest, 1.0, -7e3])
    for others in ([], [0.0], [0.0, -0.0], [NAN], [INF, -INF], [0.0, NAN, INF, -INF]):
        for values in (ends, ends[::2], ends[1::2], ends[:2]):
            for n in (7, 40, 900):
                a = rng.choice([*values, *others], n) * rng.integers(1, 2 + (n > 100), n)
                grades_agree(library, Base.DOUBLE, of(Base.DOUBLE, a).reshape(-1, 1))


MANY = ((13, 70_000), (22, 70_000), (23, 70_000), (31, 70_000), (40, 70_000), (22, 300_000), (24, 300_000))


@pytest.mark.parametrize(("bits", "length"), MANY)
def test_many_keys(library: ctypes.CDLL, bits: int, length: int) -> None:
    """In two digits, in three, or in parts by one digit first."""
    a = np.random.default_rng(bits).integers(0, 2**bits, length) - 5
    a[:2] = -5, 2**bits - 6
    grades_agree(library, Base.INT, of(Base.INT, a).reshape(-1, 1))


@pytest.mark.parametrize("step", [2**k for k in range(0, 63, 3)])
def test_keys_in_steps(library: ctypes.CDLL, step: int) -> None:
    """Codes that differ in a few bits only, wherever these are."""
    a = np.arange(3000, dtype=np.int64) * step
    index_agrees(library, Base.INT, a, np.concatenate([a, a + 1, a[::-1]]))
    unique_agrees(library, Base.INT, np.concatenate([a, a[::-1]]))
    grades_agree(library, Base.INT, np.concatenate([a[::-1], a]))


@pytest.mark.parametrize("base", BASES)
def test_no_memory(library: ctypes.CDLL, base: Base) -> None:
    """Wherever memory ends, that is what the result says, and nothing stays allocated."""
    rng = np.random.default_rng(25)
    late = np.repeat(wide(base, rng, 1, 90), 300, axis=0)
    late[:, 80:] = wide(base, rng, 300, 10)
    library.allow.argtypes, library.allow.restype = [ctypes.c_int64], ctypes.c_int64
    for a in (wide(base, rng, 20), wide(base, rng, 100_000), late):
        rows, columns = len(a), math.prod(a.shape[1:])
        out, more, count = [np.zeros(n, dtype=np.int64) for n in (rows, rows, 1)]
        for name, rest in (
            ("up", (out,)),
            ("unique", (out, count)),
            ("count_unique", (count,)),
            ("number", (out, more, count)),
            ("count_each", (out, more, count)),
            ("index", (a, rows, out)),
        ):
            statuses = []
            for allowed in range(12):
                assert library.allow(allowed) == 0
                statuses.append(call(library, name, base, a, rows, columns, *rest))
                assert library.allow(INT_MAX) == 0
            needed = statuses.count(OUT_OF_MEMORY)
            assert statuses == [OUT_OF_MEMORY] * needed + [0] * (12 - needed)
            assert needed > 0 or name == "up"
        grades_agree(library, base, a)


@given(st.data())
def test_all_on_random_arrays(library: ctypes.CDLL, data: st.DataObject) -> None:
    base = data.draw(st.sampled_from(BASES))
    columns = data.draw(st.sampled_from([None, 0, 1, 2, 3]))
    elements = st.sampled_from(TELLING[base])

    def array(most: int) -> Value:
        rows = data.draw(st.integers(0, most))
        size = rows * (1 if columns is None else columns)
        drawn = data.draw(st.lists(elements, min_size=size, max_size=size))
        return of(base, drawn).reshape((rows,) if columns is None else (rows, columns))

    a, x = array(50), array(20)
    grades_agree(library, base, a)
    unique_agrees(library, base, a)
    index_agrees(library, base, a, x)
    if columns is None:
        firsts_agree(library, base, a)
        interval_agrees(library, base, a, x)
        interval_agrees(library, base, np.sort(a[a == a]), x)
