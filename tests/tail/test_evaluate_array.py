"""The array functions of the reference interpreter against plain Python, on a grid of shapes.

The primitives that select, sort, search and calculate have their grids in the modules `test_meaning…`, and as
APL in `test_tier1`.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import permutations, product

import pytest

from aplc.tail import prims as p
from aplc.tail.prims import PRIMS, Prim
from aplc.tail.syntax import Param, Var, fn, literal, op, prim_fn, vec
from aplc.tail.types import scalar
from tests.support.paths import TESTS
from tests.support.plain_tail.definitions import ARRAY, defined, run, same
from tests.support.plain_tail.scalar import (
    BOOL,
    CHAR,
    DOUBLE,
    FILL,
    INT,
    INT_MAX,
    INT_MIN,
    NAN,
    SCALAR,
    TOLERANT,
    Arr,
    Fun,
    counting,
    ints,
    less,
    one,
)
from tests.support.tables.tail_corners import CORNERS_AS_TEXTS

SHAPES = (
    (),
    (0,),
    (1,),
    (3,),
    (5,),
    (0, 2),
    (2, 0),
    (1, 1),
    (2, 3),
    (2, 1, 2),
    (0, 2, 2),
    (2, 0, 3),
    (2, 2, 0),
    (2, 3, 2),
)
ARRAYS = [counting(INT, *s) for s in SHAPES] + [
    counting(b, *s) for b in (DOUBLE, BOOL, CHAR) for s in ((), (0,), (3,), (2, 0), (2, 3))
]
VECTORS = [a for a in ARRAYS if len(a.shape) == 1]
WITH_AXES = [a for a in ARRAYS if a.shape]
COUNTS = [one(INT, n) for n in (0, 1, -1, 2, -2, 3, -3, 7, -7)]
TURNS = [*COUNTS, one(INT, INT_MIN), one(INT, INT_MAX)]

X, Y = Var("x", ty=scalar(INT)), Var("y", ty=scalar(INT))
FREE_FUNCTION = fn((Param("x", X.ty), Param("y", Y.ty)), op(p.SUBI, op(p.MULI, literal(2), X), Y))
BY_ELEMENT = fn(
    (Param("x", X.ty), Param("y", Y.ty)),
    op(p.REDUCE, prim_fn(p.SUBI), literal(0), vec((X, Y, literal(5)), INT)),
)
FUNCTIONS = [
    Fun(prim_fn(p.SUBI), SCALAR[p.SUBI], INT),
    Fun(FREE_FUNCTION, lambda x, y: 2 * x - y, INT),
    Fun(BY_ELEMENT, lambda x, y: x - (y - 5), INT),
]
COMPARE = Fun(prim_fn(p.LTI), less, BOOL)
MIXED = Fun(
    fn(
        (Param("x", scalar(INT)), Param("y", scalar(DOUBLE))),
        op(p.LTD, op(p.I2D, X), Var("y", ty=scalar(DOUBLE))),
    ),
    less,
    BOOL,
)
MONADIC = [
    Fun(prim_fn(p.NEGI), SCALAR[p.NEGI], INT),
    Fun(prim_fn(p.I2D), float, DOUBLE),
    Fun(fn((Param("x", X.ty),), op(p.ADDI, X, literal(10))), lambda x: x + 10, INT),
    Fun(fn((Param("x", X.ty),), literal("a")), lambda x: "a", CHAR),
    Fun(
        fn((Param("x", X.ty),), op(p.REDUCE, prim_fn(p.ADDI), literal(0), op(p.IOTA, X))),
        lambda x: sum(range(x + 1)),
        INT,
    ),
]
INT_ARRAYS = [a for a in ARRAYS if a.base is INT]


def same_base(left: list[Arr], right: list[Arr], difference: int) -> list[tuple[Arr, ...]]:
    """All pairs of one base type whose ranks differ by as much as said."""
    return [
        (a, b) for a in left for b in right if a.base is b.base and len(b.shape) - len(a.shape) == difference
    ]


def leading_counts() -> list[tuple[Arr, ...]]:
    """Counts for some or all of the leading axes of each array."""
    chosen = (0, 1, -2, 4)
    ranks = [(a, rank) for a in ARRAYS for rank in range(len(a.shape) + 1)]
    return [(ints(*counts), a) for a, rank in ranks for counts in product(chosen, repeat=rank)]


def inner_cases(functions: list[Fun]) -> Iterator[tuple[Fun, Arr, Fun, Arr, Arr]]:
    shapes = ((0,), (1,), (3,), (1, 1), (2, 3), (3, 2), (3, 0), (0, 3), (1, 3), (2, 1, 3), (3, 1, 2))
    for f, (a, b) in product(functions, product(shapes, shapes)):
        yield f, one(INT, 42), FUNCTIONS[0], counting(INT, *a), counting(INT, *b)


CASES: dict[Prim, list[tuple[Arr | Fun, ...]]] = {
    p.EACH: [(f, a) for f in MONADIC for a in INT_ARRAYS],
    p.ZIP_WITH: [(f, a, b) for f in (*FUNCTIONS, COMPARE) for a, b in same_base(INT_ARRAYS, INT_ARRAYS, 0)]
    + [
        (MIXED, a, b) for a in INT_ARRAYS for b in ARRAYS if b.base is DOUBLE and len(a.shape) == len(b.shape)
    ],
    p.REDUCE: [(f, one(INT, 42), a) for f in FUNCTIONS for a in INT_ARRAYS if a.shape],
    p.REDUCE1: [(f, a) for f in FUNCTIONS for a in INT_ARRAYS if a.shape],
    p.OUTER: [(f, a, b) for f in (*FUNCTIONS, COMPARE) for a in INT_ARRAYS for b in INT_ARRAYS]
    + [(MIXED, a, b) for a in INT_ARRAYS for b in ARRAYS if b.base is DOUBLE],
    p.INNER: list(inner_cases(FUNCTIONS)),
    p.INNER1: [(f, g, a, b) for f, _, g, a, b in inner_cases(FUNCTIONS[:2])],
    p.IOTA: [(one(INT, n),) for n in (0, 1, 5, -1, INT_MIN)],
    p.SHAPE: [(a,) for a in ARRAYS],
    p.RESHAPE: [
        (ints(*extents), a)
        for a in ARRAYS
        for extents in ((), (0,), (4,), (7,), (2, 2), (0, 3), (3, 0), (2, 1, 4), (-1,), (2, -3), (0, -1))
    ],
    p.RAVEL: [(a,) for a in ARRAYS],
    p.REVERSE: [(a,) for a in ARRAYS],
    p.ROTATE: [(n, a) for n in TURNS for a in ARRAYS],
    p.TRANSP: [(a,) for a in ARRAYS],
    p.TRANSP2: [(ints(*axes), a) for a in ARRAYS for axes in product(range(4), repeat=len(a.shape))],
    p.DIAGONAL: [
        (ints(*axes), a)
        for a in ARRAYS
        for axes in product(range(1, 4), repeat=len(a.shape))
        if set(axes) == set(range(1, max(axes, default=0) + 1))
    ],
    p.TAKE: [(n, a) for n in COUNTS for a in WITH_AXES],
    p.DROP: [(n, a) for n in TURNS for a in WITH_AXES],
    p.TAKES: leading_counts(),
    p.DROPS: leading_counts(),
    p.FIRST: [(a,) for a in ARRAYS],
    p.CAT: [pair for pair in same_base(ARRAYS, ARRAYS, 0) if pair[0].shape],
    p.CONS: list(same_base(ARRAYS, ARRAYS, 1)),
    p.SNOC: [(b, a) for a, b in same_base(ARRAYS, ARRAYS, 1)],
    p.PICK: [(n, a) for n in (*TURNS, one(INT, 5), one(INT, 6)) for a in VECTORS],
    p.INDEX_OF: [(a, b) for a in VECTORS for b in ARRAYS if a.base is b.base]
    + [(ints(3, 1, 3, 2), counting(INT, 2, 3)), (ints(1, 1), ints(1, 2))],
    p.MATCH: [
        *same_base(ARRAYS, ARRAYS, 0),
        (ints(1, 2), ints(1, 3)),
        (Arr(DOUBLE, (1,), (NAN,)), Arr(DOUBLE, (1,), (NAN,))),
    ],
    p.IOTA_V: [(one(INT, n),) for n in (0, 1, 5)],
    p.SHAPE_V: [(a,) for a in VECTORS],
    p.RESHAPE_V: [(one(INT, n), a) for n in (0, 1, 4) for a in ARRAYS],
    p.REVERSE_V: [(a,) for a in VECTORS],
    p.ROTATE_V: [(n, a) for n in TURNS for a in VECTORS],
    p.TAKE_V: [(n, a) for n in COUNTS for a in VECTORS],
    p.DROP_V: [(n, a) for n in TURNS for a in VECTORS],
    p.FIRST_V: [(a,) for a in VECTORS if a.items],
    p.CAT_V: same_base(VECTORS, VECTORS, 0),
    p.CONS_V: [(one(a.base, FILL[a.base]), a) for a in VECTORS],
    p.SNOC_V: [(a, one(a.base, FILL[a.base])) for a in VECTORS],
    p.PRINT: [(a,) for a in ARRAYS],
}


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("prim", CASES, ids=lambda prim: prim.name)
def test_array_function(prim: Prim) -> None:
    for args in CASES[prim]:
        assert same(run(prim, *args), defined(ARRAY[prim], *args)), (prim, args)


@pytest.mark.parametrize("prim", CASES, ids=lambda prim: prim.name)
def test_cases_reach_every_kind_of_outcome(prim: Prim) -> None:
    outcomes = [defined(ARRAY[prim], *args) for args in CASES[prim]]
    assert any(isinstance(outcome, Arr) and outcome.items for outcome in outcomes)
    kinds = {outcome for outcome in outcomes if isinstance(outcome, str)}
    assert kinds == FAULTS.get(prim, set())


FAULTS: dict[Prim, set[str]] = {
    p.ZIP_WITH: {"LENGTH ERROR"},
    p.REDUCE1: {"DOMAIN ERROR"},
    p.INNER: {"LENGTH ERROR"},
    p.INNER1: {"LENGTH ERROR", "DOMAIN ERROR"},
    p.IOTA: {"DOMAIN ERROR"},
    p.TRANSP2: {"DOMAIN ERROR"},
    p.RESHAPE: {"DOMAIN ERROR"},
    p.CAT: {"LENGTH ERROR"},
    p.CONS: {"LENGTH ERROR"},
    p.SNOC: {"LENGTH ERROR"},
    p.PICK: {"INDEX ERROR"},
}


def test_every_primitive_has_a_definition_and_cases() -> None:
    defined = set(SCALAR) | set(TOLERANT) | set(ARRAY)
    assert {prim for prim in SCALAR if not prim.is_scalar} == set()
    assert set(CASES) == set(ARRAY)
    elsewhere = "".join([path.read_text("utf-8") for path in (TESTS / "tail" / "meaning").glob("test_*.py")])
    texts = " ".join([text for text, _ in CORNERS_AS_TEXTS])
    names = {value: name for name, value in vars(p).items() if isinstance(value, Prim)}
    for prim in set(PRIMS.values()) - defined:
        assert re.search(rf"p\.{names[prim]}\b", elsewhere) or f"{prim.name}(" in texts, prim


def test_axes_of_a_permutation() -> None:
    a = counting(INT, 2, 3, 4)
    for axes in permutations((1, 2, 3)):
        found = run(p.TRANSP2, ints(*axes), a)
        assert isinstance(found, Arr)
        assert all(found.shape[k - 1] == n for k, n in zip(axes, a.shape, strict=True))


def test_the_table_after_an_import_that_was_ended() -> None:
    """Ctrl-C may come while the compiler is imported, at the first call of a function."""
    program = (
        "import sys, aplc.tail.prims as first\n"
        "del sys.modules['aplc.tail.prims']\n"
        "import aplc.tail.prims as second\n"
        "assert second.PRIMS and second.PRIMS['addi'] is second.ADDI is not first.ADDI\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
