"""The meanings of primitives on arrays, corner by corner; expectations are worked out by hand.

Here scalar functions, scans, windows and cells; what results share with arguments; their types.
"""

import math
from typing import Any

import numpy as np
import pytest

from aplc.tail import prims as p
from aplc.tail.errors import RunError
from aplc.tail.faults import INDEX_RANGE, FaultRaised
from aplc.tail.meaning.core import Pointwise, Value
from aplc.tail.prims import PRIMS, Prim
from aplc.tail.unify import NoMatch, TypeReader
from tests.support.run_meaning import (
    ADD,
    INF,
    INT_MAX,
    INT_MIN,
    MATRIX,
    NAN,
    SUB,
    agree,
    cell_function,
    empty,
    fails,
    of,
    run,
)

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
    assert (
        fails(p.CIRCD, k, float(x))
        == "DOMAIN ERROR: f has no real result: of complex numbers, 0J0+x, it may have one"
    )


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


REVERSED = cell_function(lambda row: row[::-1], 1, result_rank=1)
TOTAL = cell_function(np.sum, 1, result_rank=0)


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
    agree(run(p.CELLS, upto, [[2, 0], [1, 3]]), [[[0, 1, 0], [0, 0, 0]], [[0, 0, 0], [0, 1, 2]]])
    wide = cell_function(lambda n: np.full((n % 2 + 1, n), 1.5), 0, result_rank=2, base="double")
    agree(run(p.CELLS, wide, [1, 2]), [[[1.5, 0.0], [1.5, 0.0]], [[1.5, 1.5], [0.0, 0.0]]])


def test_zip_cells() -> None:
    scale = cell_function(lambda k, row: k * row, 0, 1, result_rank=1)
    agree(run(p.ZIP_CELLS, scale, [1, 10], MATRIX), [[1, 2, 3], [40, 50, 60]])
    agree(run(p.ZIP_CELLS, scale, 2, [1, 2]), [2, 4])
    agree(run(p.ZIP_CELLS, scale, empty(0), empty(0, 3)), empty(0, 3))
    assert fails(p.ZIP_CELLS, scale, [1, 2, 3], MATRIX) == "LENGTH ERROR: f needs equal lengths, got 3 and 2"


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
    names |= {prim.name for prim in PRIMS.values() if prim.opens}
    assert {prim.name for prim in PRIMS.values() if prim.stateful} == names
