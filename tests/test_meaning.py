"""The meanings of primitives on arrays, corner by corner; expectations are worked out by hand.

An array is written as nested lists, with `of` for what lists cannot say: the shape of an empty array and the
element type where it matters.
"""

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tail import prims as p
from tail.errors import RunError
from tail.faults import FILE, INDEX_RANGE, FaultRaised
from tail.meaning import DTYPES, CellFunction, Pointwise, Value
from tail.prims import PRIMS, Prim
from tail.random_numbers import GAMMA, RandomStream, mix, multiply_high
from tail.types import Base
from tail.unify import NoMatch, TypeReader

INF, NAN = math.inf, math.nan
INT_MIN, INT_MAX = -(2**63), 2**63 - 1


def of(value: Any, *shape: int, base: str = "") -> Value:
    """An array; a string is its characters, and ints, floats and bools keep their types."""
    if isinstance(value, str):
        codes = np.array([ord(c) for c in value], dtype=np.uint32)
        return codes.reshape(shape or codes.shape)
    array = np.array(value, dtype=DTYPES[Base(base)] if base else None)
    if array.size == 0 and not base:
        array = array.astype(np.int64)
    return array.reshape(shape) if shape else array


def empty(*shape: int, base: str = "int") -> Value:
    return np.zeros(shape, DTYPES[Base(base)])


def run(prim: Prim, *args: Any) -> Value:
    """A meaning on arrays; lists and texts become arrays, callables and arrays stay."""
    ready = [a if callable(a) or isinstance(a, np.ndarray | tuple | RandomStream) else of(a) for a in args]
    with np.errstate(all="ignore"):
        return np.asarray(prim.meaning(*ready))


def agree(found: Value, expected: Any) -> None:
    wanted = expected if isinstance(expected, np.ndarray) else of(expected)
    assert found.shape == wanted.shape
    assert found.dtype == wanted.dtype
    assert np.array_equal(found, wanted, equal_nan=wanted.dtype.kind == "f"), found


def fails(prim: Prim, *args: Any) -> str:
    """What the user reads."""
    with pytest.raises(FaultRaised) as raised:
        run(prim, *args)
    error = raised.value.fault.error("f", None, *raised.value.values)
    (diagnostic,) = error.diagnostics
    return f"{diagnostic.kind}: {diagnostic.message}"


def text(array: Value) -> Any:
    """A character array as nested lists of strings."""
    assert array.dtype == np.uint32
    if array.ndim == 1:
        return "".join(map(chr, array.tolist()))
    return [text(row) for row in array]


SUB = Pointwise(np.subtract)
ADD = Pointwise(np.add, associative=True)


# --- scalar functions -----------------------------------------------------------------------------------


def test_factorial() -> None:
    agree(run(p.FACTD, [0.0, 1.0, 5.0, 20.0, 170.0]), [1.0, 1.0, 120.0, 2432902008176640000.0, FACTORIAL_170])
    agree(run(p.FACTD, [171.0, 171.5, 1e300, INF, NAN]), [INF, INF, INF, INF, NAN])
    assert run(p.FACTD, 0.5) == pytest.approx(math.sqrt(math.pi) / 2, rel=1e-15)
    assert run(p.FACTD, -0.5) == pytest.approx(math.sqrt(math.pi), rel=1e-15)
    assert run(p.FACTD, -1.5) == pytest.approx(-2 * math.sqrt(math.pi), rel=1e-15)
    agree(run(p.FACTD, empty(0, 2, base="double")), empty(0, 2, base="double"))
    for x in (-1.0, -7.0, -INF):
        assert fails(p.FACTD, x) == "DOMAIN ERROR: f has no value for a negative whole number"


FACTORIAL_170 = float(math.prod(range(1, 171)))


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        (2, 5, 10.0),
        (0, 0, 1.0),
        (0, 7, 1.0),
        (7, 7, 1.0),
        (3, 2, 0.0),
        (-1, 5, 0.0),
        (-1, 0, 0.0),
        (2, -3, 6.0),  # ¯3×¯4÷2
        (3, -1, -1.0),  # ¯1×¯2×¯3÷6
        (0, -4, 1.0),
        (-2, -1, -1.0),  # (¯1*1)×0!1
        (-3, -2, -2.0),  # (¯1*1)×1!2
        (-3, -1, 1.0),  # (¯1*2)×0!2
        (-2, -3, 0.0),
        (-4, -4, 1.0),
        (30, 60, 118264581564861424.0),
        (1, 1e300, 1e300),
        (5000, 10000, INF),
        (1, 2.5, 2.5),
        (2, 0.5, -0.125),  # 0.5×¯0.5÷2
        (-2, 0.5, 0.0),
        (2.5, 0.5, 0.0),
        (NAN, 1, NAN),
    ],
)
def test_binomial(x: float, y: float, expected: float) -> None:
    agree(run(p.BINOMD, float(x), float(y)), expected)


def test_binomial_beyond_whole_numbers() -> None:
    assert run(p.BINOMD, 0.5, 1.0) == pytest.approx(4 / math.pi, rel=1e-14)
    assert run(p.BINOMD, 0.5, 0.5) == 1.0
    agree(run(p.BINOMD, 1.5, -0.5), 0.0)
    assert run(p.BINOMD, 100.25, 150.75) == pytest.approx(float(run(p.BINOMD, 50.5, 150.75)), rel=1e-12)
    assert run(p.BINOMD, 0.5, 1e306) == pytest.approx(1e153 / math.gamma(1.5), rel=1e-12)
    assert fails(p.BINOMD, 0.5, -2.0).startswith("DOMAIN ERROR")
    agree(run(p.BINOMD, [0.0, 1.0, 2.0], 2.0), [1.0, 2.0, 1.0])


def test_circular_functions() -> None:
    x = 0.6
    assert run(p.CIRCD, 0, x) == pytest.approx(0.8)
    for k, f in enumerate((math.sin, math.cos, math.tan), start=1):
        assert run(p.CIRCD, k, x) == pytest.approx(f(x), rel=1e-15)
    for k, f in ((5, math.sinh), (6, math.cosh), (7, math.tanh), (-1, math.asin), (-2, math.acos)):
        assert run(p.CIRCD, k, x) == pytest.approx(f(x), rel=1e-15)
    for k, f in ((-3, math.atan), (-5, math.asinh), (-7, math.atanh)):
        assert run(p.CIRCD, k, x) == pytest.approx(f(x), rel=1e-15)
    assert run(p.CIRCD, -6, 2.0) == pytest.approx(math.acosh(2))
    assert run(p.CIRCD, 4, 0.75) == 1.25
    agree(run(p.CIRCD, 4, 1e200), 1e200)
    agree(run(p.CIRCD, [-4, -4, -4], [1.25, -1.25, -1.0]), [0.75, -0.75, 0.0])
    agree(run(p.CIRCD, [[0, 1], [2, 0]], [[1.0, 0.0], [0.0, -1.0]]), [[0.0, 0.0], [1.0, 0.0]])
    agree(run(p.CIRCD, 2, [0.0, 0.0]), [1.0, 1.0])
    agree(run(p.CIRCD, [1, 2], 0.0), [0.0, 1.0])
    agree(run(p.CIRCD, [-1, -4, -6, -7], [NAN] * 4), [NAN] * 4)


@pytest.mark.parametrize(
    ("k", "x"),
    [(0, 2), (0, -1.5), (-1, 2), (-2, -2), (-4, 0.5), (-6, 0.5), (-6, -3), (-7, 1), (-7, -1), (-7, INF)],
)
def test_outside_the_domain_of_a_circular_function(k: int, x: float) -> None:
    assert fails(p.CIRCD, k, float(x)) == "DOMAIN ERROR: f has no real result"


def test_there_are_fifteen_circular_functions() -> None:
    for k in (8, -8, INT_MIN):
        assert fails(p.CIRCD, [1, k], [0.0, 0.0]) == (
            f"DOMAIN ERROR: f has no function {str(k).replace('-', '¯')}, only ¯7 to 7"
        )
    agree(run(p.CIRCD, empty(0), empty(0, base="double")), empty(0, base="double"))


def test_functions_of_32_bits() -> None:
    agree(run(p.ANDI32, [12, -1, 2**32 + 5], [10, 2**31, -1]), [8, -(2**31), 5])
    agree(run(p.ORI32, [12, 2**31, 0], [10, 0, 2**32]), [14, -(2**31), 0])
    agree(run(p.XORI32, [12, -1, INT_MIN], [10, 0, 1]), [6, -1, 1])
    agree(run(p.NOTI32, [0, -1, 2**31, 5]), [-1, 0, 2**31 - 1, -6])
    agree(run(p.SHLI32, [1, 1, 1, 3, 2**32 + 1], [0, 31, 32, 30, 4]), [1, -(2**31), 0, -(2**30), 16])
    agree(run(p.SHLI32, [1, 1], [INT_MAX, 2**32]), [0, 0])
    agree(run(p.SHRI32, [-8, 8, 2**31, 2**31 - 1, -1], [1, 1, 31, 32, INT_MAX]), [-4, 4, -1, 0, -1])
    for prim in (p.SHLI32, p.SHRI32):
        assert fails(prim, [1, 1], [0, -3]) == "DOMAIN ERROR: f needs a shift that is not negative, got ¯3"
        agree(run(prim, empty(0), empty(0)), empty(0))


# --- scans, windows, cells ------------------------------------------------------------------------------


@pytest.mark.parametrize("f", [ADD, Pointwise(np.add)])
def test_scan(f: Pointwise) -> None:
    agree(run(p.SCAN, f, [1, 2, 3, 4]), [1, 3, 6, 10])
    agree(run(p.SCAN, f, [[1, 2, 3], [4, 5, 6]]), [[1, 3, 6], [4, 9, 15]])
    agree(run(p.SCAN, f, [7]), [7])
    for shape in ((0,), (3, 0), (0, 3), (2, 0, 4)):
        agree(run(p.SCAN, f, empty(*shape)), empty(*shape))


def test_scan_reduces_each_prefix_from_the_right() -> None:
    agree(run(p.SCAN, SUB, [1, 2, 3, 4]), [1, -1, 2, -2])
    agree(run(p.SCAN, SUB, [[1, 2, 3, 4], [10, 1, 1, 1]]), [[1, -1, 2, -2], [10, 9, 10, 9]])
    agree(run(p.SCAN, Pointwise(np.divide), [8.0, 4.0, 2.0]), [8.0, 2.0, 4.0])
    agree(run(p.SCAN, Pointwise(np.less), of([False, True, True])), [False, True, False])
    four = np.arange(16).reshape(2, 2, 2, 2)
    agree(run(p.SCAN, SUB, four), np.stack([four[..., 0], four[..., 0] - four[..., 1]], axis=-1))


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (1, [1, 5, 2]),
        (-1, [1, 5, 2]),
        (2, [-4, 3]),
        (-2, [4, -3]),
        (3, [-2]),  # 1-5-2
        (-3, [-2]),  # 2-5-1
        (4, []),
        (-4, []),
        (0, [0, 0, 0, 0]),
    ],
)
def test_reduction_of_windows(n: int, expected: list[int]) -> None:
    agree(run(p.REDUCE_N, SUB, 0, n, [1, 5, 2]), expected)
    agree(run(p.REDUCE_N, SUB, 0, n, [[1, 5, 2]] * 2), of([expected] * 2, 2, len(expected)))
    if n:
        agree(run(p.REDUCE_N1, SUB, n, [1, 5, 2]), expected)


def test_windows_that_do_not_fit() -> None:
    for n in (5, -5, INT_MIN):
        assert fails(p.REDUCE_N, ADD, 0, n, [1, 5, 2]).startswith(
            "LENGTH ERROR: f needs windows of at most 4"
        )
    assert fails(p.REDUCE_N1, ADD, 2, []).startswith("LENGTH ERROR")
    agree(run(p.REDUCE_N, ADD, 0, 1, []), [])
    agree(run(p.REDUCE_N, ADD, 9, 0, []), [9])
    agree(run(p.REDUCE_N, ADD, 9, 0, empty(2, 0)), [[9], [9]])
    assert fails(p.REDUCE_N1, ADD, 0, [1]).startswith("DOMAIN ERROR: f has no identity item")
    agree(run(p.REDUCE_N1, ADD, 0, empty(0, 3)), empty(0, 4))


def cell_function(call: Callable[..., Any], *ranks: int, result_rank: int, base: str = "int") -> CellFunction:
    return CellFunction(lambda *args: np.asarray(call(*args)), ranks, DTYPES[Base(base)], result_rank)


REVERSED = cell_function(lambda row: row[::-1], 1, result_rank=1)
TOTAL = cell_function(np.sum, 1, result_rank=0)
MATRIX = [[1, 2, 3], [4, 5, 6]]


def test_cells() -> None:
    agree(run(p.CELLS, REVERSED, MATRIX), [[3, 2, 1], [6, 5, 4]])
    agree(run(p.CELLS, REVERSED, [1, 2]), [2, 1])
    agree(run(p.CELLS, TOTAL, MATRIX), [6, 15])
    agree(run(p.CELLS, TOTAL, [1, 2]), 3)
    agree(run(p.CELLS, TOTAL, empty(2, 0)), [0, 0])
    double = cell_function(lambda x: [x, 2 * x], 0, result_rank=1)
    agree(run(p.CELLS, double, MATRIX), [[[1, 2], [2, 4], [3, 6]], [[4, 8], [5, 10], [6, 12]]])


def test_cells_of_an_empty_frame_have_the_shape_that_fills_give() -> None:
    agree(run(p.CELLS, REVERSED, empty(0, 3)), empty(0, 3))
    agree(run(p.CELLS, REVERSED, empty(2, 0, 3)), empty(2, 0, 3))
    agree(run(p.CELLS, TOTAL, empty(0, 3)), empty(0))
    seen = []
    peek = cell_function(lambda cell: seen.append(cell) or cell, 1, result_rank=1)
    run(p.CELLS, peek, of("", 0, 2))
    agree(seen[0], of("  "))

    def refuse(cell: Value) -> Value:
        raise FaultRaised(INDEX_RANGE, 1, 0)

    def refuse_with_position(cell: Value) -> Value:
        raise INDEX_RANGE.error("f", None, 1, 0)

    for call in (refuse, refuse_with_position):
        found = run(p.CELLS, cell_function(call, 1, result_rank=2, base="double"), empty(0, 3))
        agree(found, empty(0, 0, 0, base="double"))
    with pytest.raises(RunError):
        run(p.CELLS, cell_function(refuse_with_position, 1, result_rank=2), empty(1, 3))


def test_cells_of_different_shapes() -> None:
    upto = cell_function(lambda n: np.arange(int(n)), 0, result_rank=1)
    agree(run(p.CELLS, upto, [2, 2]), [[0, 1], [0, 1]])
    assert fails(p.CELLS, upto, [2, 3]) == "LENGTH ERROR: f gives results of different shapes, 2 and 3"
    wide = cell_function(lambda n: np.zeros((1, int(n))), 0, result_rank=2, base="double")
    assert fails(p.CELLS, wide, [2, 3]) == "LENGTH ERROR: f gives results of different shapes, 1 2 and 1 3"


def test_zip_cells() -> None:
    scale = cell_function(lambda k, row: k * row, 0, 1, result_rank=1)
    agree(run(p.ZIP_CELLS, scale, [1, 10], MATRIX), [[1, 2, 3], [40, 50, 60]])
    agree(run(p.ZIP_CELLS, scale, 2, [1, 2]), [2, 4])
    agree(run(p.ZIP_CELLS, scale, empty(0), empty(0, 3)), empty(0, 3))
    assert fails(p.ZIP_CELLS, scale, [1, 2, 3], MATRIX) == "LENGTH ERROR: f needs equal lengths, got 3 and 2"


# --- selection --------------------------------------------------------------------------------------------


def test_replicate() -> None:
    agree(run(p.REPLICATE, [1, -2, 3, -4, 5], [1, 2, 3, 4, 5]), [1, 0, 0, 3, 3, 3, 0, 0, 0, 0, 5, 5, 5, 5, 5])
    agree(run(p.REPLICATE, [2, 0], MATRIX[0][:2]), [1, 1])
    agree(run(p.REPLICATE, [2], MATRIX), [[1, 1, 2, 2, 3, 3], [4, 4, 5, 5, 6, 6]])
    agree(run(p.REPLICATE, [-1], of("ab")), of("  "))
    agree(run(p.REPLICATE, [1, 0, 2], [[7], [8]]), [[7, 7, 7], [8, 8, 8]])
    agree(run(p.REPLICATE, [], [7]), [])
    agree(run(p.REPLICATE, [3], []), [])
    agree(run(p.REPLICATE, [], []), [])
    agree(run(p.REPLICATE, [1, 2, 1], empty(0, 3)), empty(0, 4))
    assert fails(p.REPLICATE, [1, 2], [1, 2, 3]) == "LENGTH ERROR: f needs equal lengths, got 2 and 3"
    assert fails(p.REPLICATE, [1, 2], []).startswith("LENGTH ERROR")
    assert fails(p.REPLICATE, [2**50], [1]).startswith("WS FULL")
    assert fails(p.REPLICATE, [INT_MIN], [1]).startswith("WS FULL")


def test_compress() -> None:
    agree(run(p.COMPRESS, of([True, False, True]), of("abc")), of("ac"))
    agree(run(p.COMPRESS, of([False]), MATRIX), empty(2, 0))
    agree(run(p.COMPRESS, of([True, False, True]), [5]), [5, 5])
    agree(run(p.COMPRESS, empty(0, base="bool"), empty(4, 0)), empty(4, 0))


def test_expand() -> None:
    agree(run(p.EXPAND, [1, 0, 2, -2, 1], of("abc")), of("a bb  c"))
    agree(run(p.EXPAND, [1, 0, 1, 1], MATRIX), [[1, 0, 2, 3], [4, 0, 5, 6]])
    agree(run(p.EXPAND, [1, 0, 1], [5]), [5, 0, 5])
    agree(run(p.EXPAND, [0, -2], []), [0, 0, 0])
    agree(run(p.EXPAND, [0], [5]), [0])
    agree(run(p.EXPAND, [], []), [])
    agree(run(p.EXPAND, [], [5]), [])
    assert fails(p.EXPAND, [1, 1], [1, 2, 3]) == "LENGTH ERROR: f needs equal lengths, got 2 and 3"
    assert fails(p.EXPAND, [0], [1, 2]).startswith("LENGTH ERROR")


def test_rotation_of_each_row() -> None:
    agree(run(p.ROTATES, [1, -1], MATRIX), [[2, 3, 1], [6, 4, 5]])
    agree(run(p.ROTATES, 4, [1, 2, 3]), [2, 3, 1])
    agree(run(p.ROTATES, [INT_MIN, INT_MAX], MATRIX), [[2, 3, 1], [5, 6, 4]])  # ¯2*63 is 1 modulo 3
    agree(run(p.ROTATES, [1, 2], empty(2, 0)), empty(2, 0))
    agree(run(p.ROTATES, empty(0), empty(0, 3)), empty(0, 3))
    agree(run(p.ROTATES, [[1, 0]], [[[1, 2], [3, 4]]]), [[[2, 1], [3, 4]]])
    assert fails(p.ROTATES, [1, 2, 3], MATRIX).startswith("LENGTH ERROR")


def test_index() -> None:
    a = of(MATRIX)
    agree(run(p.INDEX, (of([3, 1]),), [7, 8, 9]), [9, 7])
    agree(run(p.INDEX, (of(2),), [7, 8, 9]), 8)
    agree(run(p.INDEX, (of([[1, 2], [2, 1]]),), of("ab")), of("abba", 2, 2))
    agree(run(p.INDEX, (of([2, 1]), of([3])), a), [[6], [3]])
    agree(run(p.INDEX, (of(2), of([1, 3])), a), [4, 6])
    agree(run(p.INDEX, (of([1, 2]), of(3)), a), [3, 6])
    agree(run(p.INDEX, (of([[1], [2]]), of([1, 2])), a), [[[1, 2]], [[4, 5]]])
    agree(run(p.INDEX, (of(1), of(1)), a), 1)
    agree(run(p.INDEX, (of([]), of([1, 2])), a), empty(0, 2))
    agree(run(p.INDEX, (of([]),), []), [])
    four = np.arange(16).reshape(2, 2, 2, 2)
    agree(run(p.INDEX, (of(1), of([2, 1]), of(2), of([1])), four), four[0, [1, 0], 1][:, [0]])
    assert fails(p.INDEX, (of([1, 4]),), [7, 8, 9]) == "INDEX ERROR: f has no element 4, the length is 3"
    assert fails(p.INDEX, (of([0]),), []) == "INDEX ERROR: f has no element 0, the length is 0"
    expected = "INDEX ERROR: f has no element ¯1 on axis 2, the extent is 3"
    assert fails(p.INDEX, (of([]), of([[1, -1]])), a) == expected


def test_update_changes_its_argument() -> None:
    a = of(MATRIX)
    found = p.UPDATE.meaning(a, (of(2), of([1, 3])), of([8, 9]))
    assert found is a
    agree(a, [[1, 2, 3], [8, 5, 9]])
    agree(run(p.UPDATE, a, (of([1, 2]), of([2])), of(0)), [[1, 0, 3], [8, 0, 9]])
    agree(run(p.UPDATE, a, (of([1]), of([1, 2, 3])), [[4, 4, 7]]), [[4, 4, 7], [8, 0, 9]])
    agree(run(p.UPDATE, a, (of([]), of([2])), empty(0, 1)), [[4, 4, 7], [8, 0, 9]])
    agree(run(p.UPDATE, of("abc"), (of(2),), of("x")), of("axc"))


def test_the_last_of_several_updates_wins() -> None:
    agree(run(p.UPDATE, of([0, 0]), (of([1, 2, 1]),), [5, 6, 7]), [7, 6])
    rows = of([[1, 1], [2, 1]])
    agree(run(p.UPDATE, of([0, 0]), (rows,), [[5, 6], [7, 8]]), [8, 7])
    agree(run(p.UPDATE, of([0, 0]), (np.asfortranarray(rows),), np.asfortranarray([[5, 6], [7, 8]])), [8, 7])


def test_what_an_update_refuses() -> None:
    assert fails(p.UPDATE, of([1, 2]), (of([1, 3]),), [5, 6]).startswith("INDEX ERROR")
    expected = "LENGTH ERROR: the index of f selects 2 elements, there are 3 values"
    assert fails(p.UPDATE, of([1, 2]), (of([1, 2]),), [5, 6, 7]) == expected


def test_where() -> None:
    agree(run(p.WHERE, of([True, False, True])), [1, 3])
    agree(run(p.WHERE, [0, 2, 1]), [2, 2, 3])
    agree(run(p.WHERE, []), [])
    agree(run(p.WHERE, of([False])), [])
    assert fails(p.WHERE, [1, -2]).startswith("DOMAIN ERROR")
    assert fails(p.WHERE, [2**50]).startswith("WS FULL")


def test_checks_of_shape() -> None:
    agree(run(p.SINGLE, [[[7]]]), 7)
    agree(run(p.SINGLE, of("x")), of("x", 1).reshape(()))
    for wrong in ([], [1, 2]):
        assert fails(p.SINGLE, wrong) == f"RANK ERROR: f needs a single element here, got {len(wrong)}"
    agree(run(p.OF_LENGTH, 2, [7, 8]), [7, 8])
    agree(run(p.OF_LENGTH, 3, [7]), [7, 7, 7])
    agree(run(p.OF_LENGTH, 0, [7]), [])
    assert fails(p.OF_LENGTH, 2, [1, 2, 3]) == "LENGTH ERROR: f needs 2 values, got 3"
    assert fails(p.NO_RESULT, [1]) == "VALUE ERROR: the function has no result here"


# --- order and search -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "up", "down"),
    [
        ([3, 1, 2, 1], [2, 4, 3, 1], [1, 3, 2, 4]),
        ([], [], []),
        ([5], [1], [1]),
        ([INT_MAX, INT_MIN, 0], [2, 3, 1], [1, 3, 2]),
        ([0.0, -0.0, -1.0], [3, 1, 2], [1, 2, 3]),
        ([1.0, NAN, -INF, INF, NAN], [3, 1, 4, 2, 5], [2, 5, 4, 1, 3]),
        ("banana", [2, 4, 6, 1, 3, 5], [3, 5, 1, 2, 4, 6]),
        (of([True, False, True]), [2, 1, 3], [1, 3, 2]),
        ([[2, 1], [1, 5], [1, 4], [1, 5]], [3, 2, 4, 1], [1, 2, 4, 3]),
        ([[[1, 2], [3, 4]], [[1, 2], [3, 3]]], [2, 1], [1, 2]),
        (empty(3, 0), [1, 2, 3], [1, 2, 3]),
        (empty(0, 3), [], []),
    ],
)
def test_grades(a: Any, up: list[int], down: list[int]) -> None:
    agree(run(p.GRADE_UP, a), up)
    agree(run(p.GRADE_DOWN, a), down)


def test_interval_index() -> None:
    agree(run(p.INTERVAL, [1, 3, 3, 5], [[0, 1, 2], [3, 5, 9]]), [[0, 1, 1], [3, 4, 4]])
    agree(run(p.INTERVAL, [], [1, 2]), [0, 0])
    agree(run(p.INTERVAL, [1], 1), 1)
    agree(run(p.INTERVAL, [-INF, 0.0], [NAN, -0.0, INF]), [0, 2, 2])
    agree(run(p.INTERVAL, of("am"), of("Zaz")), [0, 1, 2])
    for wrong in ([2, 1], [1.0, NAN], [NAN, 1.0]):
        assert fails(p.INTERVAL, wrong, wrong) == "DOMAIN ERROR: f needs ascending values on the left"


def test_unique() -> None:
    agree(run(p.UNIQUE, [3, 1, 3, 2, 1]), [3, 1, 2])
    agree(run(p.UNIQUE, of("mississippi")), of("misp"))
    agree(run(p.UNIQUE, [[1, 2], [0, 0], [1, 2]]), [[1, 2], [0, 0]])
    agree(run(p.UNIQUE, [[[1], [2]], [[1], [2]], [[2], [1]]]), [[[1], [2]], [[2], [1]]])
    agree(run(p.UNIQUE, []), [])
    agree(run(p.UNIQUE, empty(3, 0)), empty(1, 0))
    agree(run(p.UNIQUE, empty(0, 3)), empty(0, 3))
    found = run(p.UNIQUE, [-0.0, NAN, 0.0, NAN])
    agree(found, [0.0, NAN, NAN])
    assert np.signbit(found[0])


def test_member() -> None:
    agree(run(p.MEMBER, [[1, 5], [2, 1]], [1, 2, 3]), [[True, False], [True, True]])
    agree(run(p.MEMBER, 2, 2), True)
    agree(run(p.MEMBER, [1], []), [False])
    agree(run(p.MEMBER, empty(0, 2), [1]), empty(0, 2, base="bool"))
    agree(run(p.MEMBER, [NAN, -0.0], [[NAN, 0.0]]), [False, True])
    agree(run(p.MEMBER, of("ab"), of("bcd")), [False, True])


def test_find() -> None:
    agree(run(p.FIND, of("aba"), of("ababa")), [True, False, True, False, False])
    agree(run(p.FIND, [1, 2], [[1, 2, 1], [3, 1, 2]]), [[True, False, False], [False, True, False]])
    agree(run(p.FIND, [[1], [3]], [[1, 2, 1], [3, 1, 2]]), [[True, False, False], [False] * 3])
    agree(run(p.FIND, 2, [1, 2]), [False, True])
    agree(run(p.FIND, 2, 2), True)
    agree(run(p.FIND, [[2]], [1, 2]), [False, False])
    agree(run(p.FIND, [1, 2, 3], [1, 2]), [False, False])
    agree(run(p.FIND, [], [1, 2]), [True, True])
    agree(run(p.FIND, empty(0, 2), [[1, 2, 3]]), [[True, True, False]])
    agree(run(p.FIND, [1], []), empty(0, base="bool"))
    agree(run(p.FIND, [NAN], [NAN, 1.0]), [False, False])


def test_index_of() -> None:
    agree(run(p.INDEX_OF, [5, 3, 5], [[5, 4], [3, 5]]), [[1, 4], [2, 1]])
    agree(run(p.INDEX_OF, [5, 3], 3), 2)
    agree(run(p.INDEX_OF, [], [1]), [1])
    agree(run(p.INDEX_OF, [1], []), [])
    agree(run(p.INDEX_OF, [0.0, NAN], [-0.0, NAN]), [1, 3])
    agree(run(p.INDEX_OF, of("abc"), of("cz")), [3, 4])


def test_index_of_cells() -> None:
    a = [[1, 2], [3, 4], [1, 2]]
    agree(run(p.INDEX_OF, a, [3, 4]), 2)
    agree(run(p.INDEX_OF, a, [[1, 2], [2, 1]]), [1, 4])
    agree(run(p.INDEX_OF, a, [[[3, 4]], [[1, 2]]]), [[2], [1]])
    agree(run(p.INDEX_OF, empty(2, 0), empty(3, 0)), [1, 1, 1])
    agree(run(p.INDEX_OF, empty(0, 0), empty(3, 0)), [1, 1, 1])
    agree(run(p.INDEX_OF, empty(0, 2), a), [1, 1, 1])
    agree(run(p.INDEX_OF, a, empty(0, 2)), [])
    assert fails(p.INDEX_OF, a, [1, 2, 3]) == "LENGTH ERROR: f needs equal lengths, got 2 and 3"


# --- number systems, matrices -----------------------------------------------------------------------------


def test_decode() -> None:
    agree(run(p.DECODE, [2], [1, 0, 1]), 5)
    agree(run(p.DECODE, [24, 60, 60], [1, 2, 3]), 3723)
    agree(run(p.DECODE, [INT_MAX, 10], [1, 2]), 12)
    agree(run(p.DECODE, [10, 10, 10], [4]), 444)
    agree(run(p.DECODE, [[2], [3]], [[1, 2], [3, 4]]), [[5, 8], [6, 10]])
    agree(run(p.DECODE, [10], []), 0)
    agree(run(p.DECODE, [], [5]), 0)
    agree(run(p.DECODE, [0.5], [4.0, 1.0]), 3.0)
    agree(run(p.DECODE, [INF, 2.0], [1.0, 1.0]), 3.0)
    agree(run(p.DECODE, empty(0, 2), [1, 2]), [])
    assert fails(p.DECODE, [2, 2], [1, 2, 3]) == "LENGTH ERROR: f needs equal lengths, got 2 and 3"
    assert fails(p.DECODE, [], [1, 2]).startswith("LENGTH ERROR")


def test_encode() -> None:
    agree(run(p.ENCODE, [24, 60, 60], 3723), [1, 2, 3])
    agree(run(p.ENCODE, [2, 2, 2], [5, -1, 8]), [[1, 1, 0], [0, 1, 0], [1, 1, 0]])
    agree(run(p.ENCODE, [0, 10], [123, -7]), [[12, -1], [3, 3]])
    agree(run(p.ENCODE, [0, 0], 5), [0, 5])
    agree(run(p.ENCODE, [-10], 3), [-7])
    agree(run(p.ENCODE, [0, 1], [INT_MIN, INT_MAX]), [[INT_MIN, INT_MAX], [0, 0]])
    agree(run(p.ENCODE, [0.0, 1.0], [3.75, -0.5]), [[3.0, -1.0], [0.75, 0.5]])
    agree(run(p.ENCODE, [[10, 2], [10, 2]], 3), [[0, 1], [3, 1]])
    agree(run(p.ENCODE, [], [1, 2]), empty(0, 2))
    agree(run(p.ENCODE, [2, 2], []), empty(2, 0))


def close(found: Value, expected: Any) -> None:
    wanted = np.array(expected, dtype=np.float64)
    assert found.shape == wanted.shape
    assert np.allclose(found, wanted, rtol=1e-13, atol=1e-13)


def test_matrix_inverse() -> None:
    close(run(p.MAT_INV, [[1.0, 2.0], [3.0, 4.0]]), [[-2, 1], [1.5, -0.5]])
    close(run(p.MAT_INV, [[4.0]]), [[0.25]])
    close(run(p.MAT_INV, [[0.0, 1.0], [1.0, 0.0]]), [[0, 1], [1, 0]])
    close(run(p.MAT_INV, [[1.0], [1.0]]), [[0.5, 0.5]])
    close(run(p.MAT_INV, [[1.0, 0.0], [0.0, 1e-20]]), [[1, 0], [0, 1e20]])
    agree(run(p.MAT_INV, empty(0, 0, base="double")), empty(0, 0, base="double"))
    agree(run(p.MAT_INV, empty(3, 0, base="double")), empty(0, 3, base="double"))


def test_matrices_without_inverse() -> None:
    nine = np.arange(1.0, 10.0).reshape(3, 3)
    for singular in (
        nine,
        of([[0.0]]),
        of([[1.0, 2.0], [2.0, 4.0]]),
        of([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]),
    ):
        assert fails(p.MAT_INV, singular) == "DOMAIN ERROR: f needs a matrix with independent columns"
    for wide in (of([[1.0, 2.0]]), empty(0, 1, base="double")):
        assert fails(p.MAT_INV, wide).startswith("LENGTH ERROR: f needs at least as many rows as columns")


def test_matrix_division() -> None:
    a = [[2.0, 0.0], [0.0, 4.0]]
    close(run(p.MAT_DIV, [2.0, 2.0], a), [1, 0.5])
    close(run(p.MAT_DIV, [[2.0, 4.0], [2.0, 4.0]], a), [[1, 2], [0.5, 1]])
    close(run(p.MAT_DIV, [1.0, 2.0, 4.0], [[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]]), [-2 / 3, 1.5])
    close(run(p.MAT_DIV, [6.0], [[3.0]]), [2])
    agree(run(p.MAT_DIV, empty(2, 0, base="double"), a), empty(2, 0, base="double"))
    agree(run(p.MAT_DIV, [1.0], empty(1, 0, base="double")), empty(0, base="double"))
    assert fails(p.MAT_DIV, [1.0, 2.0, 3.0], a) == "LENGTH ERROR: f needs equal lengths, got 3 and 2"


# --- text -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "expected"),
    [
        (5, "5"),
        (-5, "¯5"),
        (1 / 3, "0.3333333333"),
        ([1, -2, 3], "1 ¯2 3"),
        ([], ""),
        ([1.5, 1e10], "1.5 1E10"),
        (of([True, False]), "1 0"),
        ("it's", "it's"),
        (of("x", 1).reshape(()), "x"),
        ([[1, 10], [-1, 2]], [" 1 10", "¯1  2"]),
        ([[0.5], [100.0]], ["  0.5", "100  "]),
        ([[[1], [2]], [[30], [4]]], [[" 1", " 2"], ["30", " 4"]]),
        (empty(2, 0), ["", ""]),
        (of("abcd", 2, 2), ["ab", "cd"]),
    ],
)
def test_format(a: Any, expected: Any) -> None:
    assert text(run(p.FORMAT, 10, a)) == expected


def test_digits_of_format() -> None:
    assert text(run(p.FORMAT, 3, [1 / 3, 2.0])) == "0.333 2"
    assert text(run(p.FORMAT, 17, 0.1)) == "0.10000000000000001"
    agree(run(p.FORMAT, 10, empty(0, 3)), of("", 0, 0))
    agree(run(p.FORMAT, 10, empty(2, 0, 3)), of("", 2, 0, 0))
    for digits in (0, 18, -1):
        assert fails(p.FORMAT, digits, 5).startswith("DOMAIN ERROR: f needs 1 to 17 digits")


@pytest.mark.parametrize(
    ("specification", "a", "expected"),
    [
        ([2], 3.14159, " 3.14"),
        ([0], [1.0, 22.0], " 1 22"),
        ([6, 2], [1.005, -2.5], "  1.00 ¯2.50"),
        ([1, 0], [1.0, 0.0, 1.0], "101"),
        ([0, 1], [[1.0, 100.0], [-20.0, 3.0]], ["   1.0 100.0", " ¯20.0   3.0"]),
        ([5, 1, 3, 0], [[1.0, 2.0]], ["  1.0  2"]),
        ([0, -2], [5.0, 15.0, 155.0, -1555.0], " 5.0E0 1.5E1 1.6E2 ¯1.6E3"),
        ([-1], 1e-7, " 1E¯7"),
        ([9, -3], 0.0, "   0.00E0"),
        ([1], [0.25, 0.35, -0.04], " 0.2 0.3 0.0"),  # 0.35 is below 35÷100
        ([2], [INF, -INF, NAN], " ∞ ¯∞ NaN"),
        ([2], empty(0, base="double"), ""),
        ([2], empty(2, 0, base="double"), ["", ""]),
    ],
)
def test_format_by_specification(specification: list[int], a: Any, expected: Any) -> None:
    assert text(run(p.FORMAT_BY, specification, a)) == expected


def test_what_format_by_specification_refuses() -> None:
    agree(run(p.FORMAT_BY, [4, 2], 10.0), of("****"))
    assert (
        fails(p.FORMAT_BY, [1, 2, 3], [1.0]) == "LENGTH ERROR: f needs 1, 2 or 2 numbers on the left, got 3"
    )
    assert fails(p.FORMAT_BY, [], 1.0).startswith("LENGTH ERROR")
    assert fails(p.FORMAT_BY, [-4, 2], 1.0).startswith("DOMAIN ERROR")
    assert fails(p.FORMAT_BY, [0, INT_MAX], 1.0).startswith("DOMAIN ERROR")
    assert fails(p.FORMAT_BY, [2**60, 2], 1.0).startswith("WS FULL")


# --- chance and time --------------------------------------------------------------------------------------


def test_words_are_those_of_splitmix64() -> None:
    """The first outputs for the seed 1234567 as published with the generator's C source."""
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    states = [(1234567 + (i + 1) * GAMMA) % 2**64 for i in range(4)]
    assert mix(np.array(states, dtype=np.uint64)).tolist() == known
    stream = RandomStream(7)
    stream.key = 1234567
    assert stream.words(1).tolist() + stream.words(3).tolist() == known


def test_upper_half_of_a_product() -> None:
    words = [0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1, 0x9E3779B97F4A7C15]
    pairs = [(x, y) for x in words for y in words]
    x, y = (np.array(side, dtype=np.uint64) for side in zip(*pairs, strict=True))
    assert multiply_high(x, y).tolist() == [a * b >> 64 for a, b in pairs]


def test_what_a_word_becomes() -> None:
    words = RandomStream(-3).words(6).tolist()
    stream = RandomStream(-3)
    agree(run(p.ROLL, stream, [[6, 1], [INT_MAX, 2]]), of([[w * n >> 64] for w, n in
          zip(words, (6, 1, INT_MAX, 2), strict=False)], 2, 2) + 1)  # fmt: skip
    agree(run(p.UNIFORM, stream, [2]), [((w >> 12) + 0.5) / 2**52 for w in words[4:]])
    assert RandomStream(-3).words(6).tolist() == RandomStream(2**64 - 3).words(6).tolist() == words


def test_roll() -> None:
    stream = RandomStream()
    many = run(p.ROLL, stream, np.full(6000, 6))
    assert set(many.tolist()) == {1, 2, 3, 4, 5, 6}
    assert all(850 < np.count_nonzero(many == k) < 1150 for k in range(1, 7))
    agree(run(p.ROLL, stream, empty(0, 2)), empty(0, 2))
    assert stream.position == 6000
    assert run(p.ROLL, stream, 1) == 1
    for wrong in (0, -5):
        assert fails(p.ROLL, stream, [1, wrong]).startswith("DOMAIN ERROR: f needs whole numbers above zero")


def test_uniform() -> None:
    many = run(p.UNIFORM, RandomStream(), [50, 100])
    assert many.shape == (50, 100)
    assert 0 < many.min() < many.max() < 1
    assert abs(many.mean() - 0.5) < 0.02
    assert run(p.UNIFORM, RandomStream(), []).shape == ()
    agree(run(p.UNIFORM, RandomStream(), [3, 0]), empty(3, 0, base="double"))
    assert fails(p.UNIFORM, RandomStream(), [-1]).startswith("DOMAIN ERROR")


def test_deal() -> None:
    assert sorted(run(p.DEAL, RandomStream(), 52, 52).tolist()) == list(range(1, 53))
    few = run(p.DEAL, RandomStream(), 1000, INT_MAX)
    assert len(set(few.tolist())) == 1000 and few.min() >= 1
    agree(run(p.DEAL, RandomStream(), 0, 0), [])
    agree(run(p.DEAL, RandomStream(), 1, 1), [1])
    assert fails(p.DEAL, RandomStream(), 4, 3) == "DOMAIN ERROR: f cannot choose 4 different numbers among 3"
    assert fails(p.DEAL, RandomStream(), -1, 3).startswith("DOMAIN ERROR")
    assert fails(p.DEAL, RandomStream(), 2**60, INT_MAX).startswith("WS FULL")


def test_deal_is_a_shuffle_of_the_whole() -> None:
    """Against the definition with the whole vector in memory."""
    for count, limit in ((5, 5), (5, 7), (30, 40), (100, 100)):
        words = RandomStream(9).words(count).tolist()
        whole = list(range(limit))
        for j, word in enumerate(words):
            r = j + (word * (limit - j) >> 64)
            whole[j], whole[r] = whole[r], whole[j]
        assert RandomStream(9).deal(count, limit).tolist() == [x + 1 for x in whole[:count]]


def test_a_seed_starts_the_stream_again() -> None:
    stream = RandomStream(5)
    one = run(p.ROLL, stream, [1000] * 10)
    agree(run(p.SET_SEED, stream, 5), 5)
    agree(run(p.ROLL, stream, [1000] * 10), one)
    assert not np.array_equal(run(p.ROLL, stream, [1000] * 10), one)
    assert RandomStream().words(1).tolist() == RandomStream(16807).words(1).tolist()


def test_time() -> None:
    one, two = run(p.NOW, 0), run(p.NOW, 0)
    assert one.dtype == np.float64 and one.shape == () and one <= two
    year, month, *_ = run(p.TIMESTAMP, 0).tolist()
    assert run(p.TIMESTAMP, 0).shape == (7,)
    assert year > 2000 and 1 <= month <= 12


def test_bench(capsys: pytest.CaptureFixture[str]) -> None:
    calls = []
    f = cell_function(lambda x: calls.append(x) or x + len(calls), 1, result_rank=1)
    agree(run(p.BENCH, f, 3, [10, 20]), [13, 23])
    assert re.fullmatch(r"⎕BENCH: 3 runs, \d+\.\d{3} ms each\n", capsys.readouterr().err)
    assert fails(p.BENCH, f, 0, [1]) == "DOMAIN ERROR: f needs one run or more, got 0"


# --- files ------------------------------------------------------------------------------------------------


def write(path: Path, content: str | bytes) -> str:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def test_reading_text(tmp_path: Path) -> None:
    assert text(run(p.READ_FILE, write(tmp_path / "a", "⍳5\r\nä\n"))) == "⍳5\r\nä\n"
    assert text(run(p.READ_FILE, write(tmp_path / "b", "\ufeffx"))) == "x"
    agree(run(p.READ_FILE, write(tmp_path / "c", "")), of(""))
    bad = write(tmp_path / "bad-one", b"ok\nno \xff")
    assert fails(p.READ_FILE, bad) == f"FILE ERROR: {bad}, line 2: no UTF-8"
    absent = str(tmp_path / "not-here")
    assert fails(p.READ_FILE, absent) == f"FILE ERROR: there is no file {absent}"
    assert fails(p.READ_FILE, str(tmp_path)).startswith(f"FILE ERROR: {tmp_path} cannot be read: ")
    assert fails(p.READ_FILE, "a\0b").startswith("FILE ERROR: ")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", []),
        ("\n \n", []),
        ("[]", []),
        ("5", [5]),
        ("1 2\n3", [1, 2, 3]),
        ("[1, -2, ¯3]\n", [1, -2, -3]),
        ("1,\n2\t+3", [1, 2, 3]),
        (f"{INT_MIN} {INT_MAX} 007", [INT_MIN, INT_MAX, 7]),
    ],
)
def test_reading_integers(content: str, expected: list[int], tmp_path: Path) -> None:
    path = write(tmp_path / "numbers", content)
    agree(run(p.READ_INTS, path), expected)
    agree(run(p.READ_DOUBLES, path), of(expected, base="double"))


def test_reading_doubles(tmp_path: Path) -> None:
    path = write(tmp_path / "numbers", "1.5, .5 2. -1e3 1E¯3 ¯2.5e+2 inf -inf ∞ nan 1e999 NaN")
    agree(run(p.READ_DOUBLES, path), [1.5, 0.5, 2, -1000, 0.001, -250, INF, -INF, INF, NAN, INF, NAN])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1\n2 x3", "line 2: x3 is no"),
        ("1,,2", "line 1: , is no"),
        (",1", "line 1: , is no"),
        ("1 2,\n", "line 1: , is no"),
        ("[1 2", "line 1: [ is no"),
        ("1 2]", "line 1: ] is no"),
        ("[", "line 1: [ is no"),
        ("[1] [2]", "line 1: ] is no"),
        ("--1", "line 1: --1 is no"),
        ("1-2", "line 1: 1-2 is no"),
        ("٣", "line 1: ٣ is no"),
    ],
)
def test_ill_formed_numbers(content: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path / "some-numbers", content)
    for prim in (p.READ_INTS, p.READ_DOUBLES):
        assert fails(prim, path).startswith(f"FILE ERROR: {path}, {message}")


def test_integers_are_whole_and_fit(tmp_path: Path) -> None:
    for content in (str(2**63), "-" + "9" * 3000):
        assert fails(p.READ_INTS, write(tmp_path / "n", content)).endswith("does not fit 64 bits")
    for content in ("1.5", "1.0", "1e3", "9" * 5000):
        assert fails(p.READ_INTS, write(tmp_path / "n", content)).endswith("is no whole number")


NPY = {"int": p.NPY_INT, "double": p.NPY_DOUBLE, "bool": p.NPY_BOOL, "char": p.NPY_CHAR}


@pytest.mark.parametrize(
    ("stored", "base", "expected"),
    [
        (np.arange(6, dtype=np.int8).reshape(2, 3), "int", [[0, 1, 2], [3, 4, 5]]),
        (np.array([1, 2], dtype=">i4"), "int", [1, 2]),
        (np.array([1, 2], dtype=np.uint64), "int", [1, 2]),
        (np.array(2.5, dtype=np.float32), "double", 2.5),
        (np.array([0.5], dtype=np.float16), "double", [0.5]),
        (np.array([[True], [False]]), "bool", [[True], [False]]),
        (np.array(list("hé")), "char", of("hé")),
        (np.asfortranarray([[1, 2], [3, 4]]), "int", [[1, 2], [3, 4]]),
        (np.zeros((0, 3)), "double", empty(0, 3, base="double")),
    ],
)
def test_mapping_arrays(stored: Value, base: str, expected: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    np.save(path, stored)
    agree(run(NPY[base], str(path), stored.ndim), expected)
    other = "double" if base == "int" else "int"
    assert fails(NPY[other], str(path), stored.ndim) == (
        f"FILE ERROR: {path} holds {base} of rank {stored.ndim}, "
        f"the program was compiled for {other} of rank {stored.ndim}"
    )
    assert fails(NPY[base], str(path), stored.ndim + 1).startswith("FILE ERROR")


def test_arrays_that_cannot_be_used(tmp_path: Path) -> None:
    def refused(content: bytes) -> str:
        return fails(p.NPY_INT, write(tmp_path / "a.npy", content), 1).replace(str(tmp_path), "…")

    np.save(tmp_path / "c.npy", np.zeros(3, complex))
    assert "holds complex numbers" in fails(p.NPY_INT, str(tmp_path / "c.npy"), 1)
    np.save(tmp_path / "i.npy", np.arange(100))
    whole = (tmp_path / "i.npy").read_bytes()
    assert refused(whole[:-1]) == "FILE ERROR: …/a.npy is no .npy file, or damaged (it is cut short)"
    assert refused(b"PK") == "FILE ERROR: …/a.npy is no .npy file, or damaged (it does not begin like one)"
    assert refused(whole.replace(b"descr", b"d'scr")).startswith("FILE ERROR")
    assert fails(p.NPY_INT, str(tmp_path / "no.npy"), 1).startswith("FILE ERROR: there is no file ")


def test_a_text_in_a_message_stays_as_it_is() -> None:
    assert FILE.error("f", None, "a-b").diagnostics[0].message == "a-b"
    assert (
        INDEX_RANGE.error("f", None, -1, 2).diagnostics[0].message == "f has no element ¯1, the length is 2"
    )


# --- memory -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prim", "args"),
    [
        (p.RAVEL, (of(MATRIX),)),
        (p.REVERSE, (of(MATRIX),)),
        (p.REVERSE, (of(1),)),
        (p.ROTATE, (of(0), of(MATRIX))),
        (p.ROTATES, (of([0, 0]), of(MATRIX))),
        (p.TRANSP, (of(MATRIX),)),
        (p.TRANSP2, (of([1, 2]), of(MATRIX))),
        (p.DIAGONAL, (of([1, 1]), of(MATRIX))),
        (p.TAKE, (of(2), of(MATRIX))),
        (p.TAKES, (of([]), of(MATRIX))),
        (p.DROP, (of(0), of(MATRIX))),
        (p.RESHAPE, (of([2, 3]), of(MATRIX))),
        (p.FIRST, (of(MATRIX),)),
        (p.PICK, (of(1), of([1, 2]))),
        (p.REDUCE1, (ADD, of([[1], [2]]))),
        (p.REDUCE_N1, (ADD, of(1), of(MATRIX))),
        (p.EACH, (Pointwise(lambda x: x), of(MATRIX))),
        (p.OUTER, (Pointwise(lambda x, y: x), of([1, 2]), of([3]))),
        (p.CELLS, (cell_function(lambda x: x, 1, result_rank=1), of(MATRIX))),
        (p.SCAN, (ADD, of([1]))),
        (p.REPLICATE, (of([1]), of(MATRIX))),
        (p.UNIQUE, (of(MATRIX),)),
        (p.INDEX, ((of(1), of(1)), of(MATRIX))),
        (p.SINGLE, (of([7]),)),
        (p.OF_LENGTH, (of(2), of([7, 8]))),
        (p.COPY, (of(MATRIX),)),
        (p.COPY, (of(MATRIX).T,)),
        (p.MATERIALISE, (of(MATRIX),)),
        (p.FORMAT, (of(10), of("ab"))),
    ],
    ids=lambda x: x.name if isinstance(x, Prim) else "",
)
def test_a_result_shares_no_memory_with_an_argument(prim: Prim, args: tuple[Any, ...]) -> None:
    found = np.asarray(prim.meaning(*args))
    assert not any(np.shares_memory(found, a) for a in args if isinstance(a, np.ndarray))


def test_a_copy_can_be_changed() -> None:
    fixed = np.broadcast_to(np.int64(3), (2, 2))
    found = run(p.COPY, fixed)
    assert found.flags.c_contiguous and found.flags.writeable
    agree(run(p.UPDATE, found, (of(1), of(1)), 0), [[0, 3], [3, 3]])


def test_taking_from_arrays_with_empty_axes() -> None:
    agree(run(p.TAKES, [2, -3], empty(0, 2)), empty(2, 3))
    agree(run(p.TAKES, [2, 2], of("", 0, 0)), of("    ", 2, 2))
    agree(run(p.TAKES, [0, 3], of(MATRIX)), empty(0, 3))
    agree(run(p.TAKE, -2, empty(0, 3)), empty(2, 3))
    agree(run(p.TAKE, 2, empty(3, 0)), empty(2, 0))
    agree(run(p.TAKES, [1, 2], np.ones((2, 0, 3), np.int64)), empty(1, 2, 3))
    agree(run(p.DROPS, [1, 1], empty(0, 2)), empty(0, 1))
    agree(run(p.DROPS, [-5, 0], empty(3, 2)), empty(0, 2))
    assert fails(p.TAKE, 2**60, empty(3, 0)).startswith("WS FULL")
    assert fails(p.TAKES, [2**40, 2**40], empty(0, 0)).startswith("WS FULL")


# --- types ------------------------------------------------------------------------------------------------


def result(name: str, *args: str) -> str:
    """The type of an application as text; a one-element tuple is written `(τ,)`."""
    try:
        return str(PRIMS[name].result_type(tuple([TypeReader(a).function_type() for a in args])))
    except NoMatch:
        return "none"


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("index", ["([int]1, int)", "[char]2"], "[char]1"),
        ("index", ["(<int>3, S(int,2), [int]2)", "[double]3"], "[double]3"),
        ("index", ["([int]1, [int]1)", "[int]3"], "none"),
        ("index", ["([double]1, [int]1)", "[int]2"], "none"),
        ("update", ["[int]2", "([int]1, int)", "[int]1"], "[int]2"),
        ("update", ["[int]2", "([int]1, [int]1)", "S(int,1)"], "[int]2"),
        ("update", ["[int]2", "([int]1, [int]1)", "[int]1"], "none"),
        ("update", ["[int]2", "([int]1, [int]1)", "double"], "none"),
        ("scan", ["int → int → int", "<int>3"], "<int>3"),
        ("scan", ["int → int → int", "[int]3"], "[int]3"),
        ("scan", ["int → int → int", "int"], "none"),
        ("indexOf", ["[int]2", "[int]1"], "[int]0"),
        ("indexOf", ["<char>3", "char"], "[int]0"),
        ("indexOf", ["[int]3", "[int]1"], "none"),
        ("gradeUp", ["SV(int,5)"], "<int>1"),
        ("gradeUp", ["[char]2"], "[int]1"),
        ("gradeDown", ["int"], "none"),
        ("decode", ["[int]1", "[int]3"], "[int]2"),
        ("decode", ["[double]2", "[double]1"], "[double]1"),
        ("decode", ["[int]1", "[double]1"], "none"),
        ("encode", ["[int]2", "[int]1"], "[int]3"),
        ("encode", ["[double]1", "double"], "[double]1"),
        ("format", ["int", "double"], "[char]1"),
        ("format", ["int", "[int]3"], "[char]3"),
        ("formatBy", ["[int]1", "[double]2"], "[char]2"),
        ("ofLength", ["S(int,2)", "[int]1"], "<int>2"),
        ("ofLength", ["S(int,-2)", "[int]1"], "none"),
        ("ofLength", ["int", "[int]1"], "none"),
        ("npyDouble", ["[char]1", "S(int,2)"], "[double]2"),
        ("npyDouble", ["[char]1", "S(int,-2)"], "none"),
        ("uniform", ["<int>3"], "[double]3"),
        ("cells", ["[int]1 → [double]2", "[int]3"], "[double]4"),
        ("cells", ["[int]1 → double", "int"], "none"),
        ("zipCells", ["int → [int]1 → [char]1", "[int]2", "[int]3"], "[char]3"),
        ("zipCells", ["int → [int]1 → [char]1", "[int]2", "[int]2"], "none"),
        ("print", ["(int, [char]1)"], "([int]0, [char]1)"),
        ("print", ["S(int,3)"], "S(int,3)"),
        ("print", ["int → int"], "none"),
        ("printWith", ["int", "<int>2"], "<int>2"),
        ("printWith", ["char", "<int>2"], "none"),
        ("printWith", ["<int>2"], "none"),
        ("reduceN", ["int → int → int", "int", "int", "[int]2"], "[int]2"),
        ("rotates", ["[int]1", "[char]2"], "[char]2"),
        ("rotates", ["int", "[char]2"], "none"),
        ("bench", ["[int]1 → [double]2", "int", "[int]1"], "[double]2"),
    ],
)
def test_types(name: str, args: list[str], expected: str) -> None:
    assert result(name, *args) == expected


def test_an_index_of_one_axis_is_a_tuple_too() -> None:
    for name, schemes in (("index", 16), ("update", 30), ("modify", 30)):
        assert len(PRIMS[name].schemes) == schemes
    subscripts = p.INDEX.schemes[0].type.params[0]
    assert str(p.INDEX.result_type((subscripts, TypeReader("[char]1").data_type()))) == "<char>γ"


def test_the_random_and_the_stateful() -> None:
    names = {"roll", "uniform", "deal", "setSeed"}
    assert {prim.name for prim in PRIMS.values() if prim.draws} == names
    names |= {"print", "printWith", "now", "timestamp", "bench"}
    assert {prim.name for prim in PRIMS.values() if prim.stateful} == names
