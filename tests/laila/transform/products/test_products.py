"""Inner products, sums along axes and transposes of all shapes, against NumPy: loops in tiles and blocks.

Extents lie on both sides of the sizes in `aplc.laila.transform.register_tiling`, so that each remainder
occurs, alone and with others.
"""

import re
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from aplc import fn
from aplc.calling.options import TargetName
from aplc.laila.transform.register_tiling import SIZES
from aplc.options import Options
from tests.support import compiling
from tests.support.days import of_today
from tests.support.machine import needs_c

Value = np.ndarray[Any, Any]

EXTENTS = (0, 1, 2, 3, 7, 17, 33, 100)
MATRICES = list(product(EXTENTS, EXTENTS))
LONG = (SIZES.row_block + 5, SIZES.fold_block + 3)
SHAPES = [
    (m, k, n)
    for m, k, n in product(EXTENTS, EXTENTS, EXTENTS)
    if (m + 2 * k + 4 * n) % 5 == 0 or max(m, k, n) <= 3
]
SHAPES += [(6, LONG[1], 9), (5, 6, LONG[0]), (9, LONG[1], LONG[0])]
PANELS = [
    (32, 16, 16),
    (33, 17, 48),
    (67, 40, 203),
    (40, SIZES.product_steps + 3, 21),
    (SIZES.product_rows + 9, 18, 200),
    (SIZES.product_rows + 8, SIZES.product_steps + 2, 24),
    (33, 17, SIZES.product_columns + 9),
]
SHAPES += PANELS
BOXES = list(product((0, 1, 2, 7, 33), repeat=3))
LEAST, GREATEST = np.finfo(np.float64).min, np.iinfo(np.int64).max

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]


def _doubles(random: np.random.Generator, *shape: int) -> Value:
    return random.standard_normal(shape)


def _quarters(random: np.random.Generator, *shape: int) -> Value:
    """Doubles among which many are equal; some are no numbers."""
    values = random.integers(-9, 9, shape) / 4
    return np.where(random.integers(0, 50, shape) == 0, np.nan, values)


def _integers(random: np.random.Generator, *shape: int) -> Value:
    return random.integers(-(2**62), 2**62, shape)


def _digits(random: np.random.Generator, *shape: int) -> Value:
    return random.integers(0, 2, shape)


def _small(random: np.random.Generator, *shape: int) -> Value:
    """Integers of eight bits."""
    return random.integers(-128, 128, shape).astype(np.int8)


def _bits(random: np.random.Generator, *shape: int) -> Value:
    return random.integers(0, 2, shape).astype(bool)


def _same(found: Value, expected: Value, what: str) -> None:
    assert found.shape == expected.shape, what
    if found.dtype == np.float64:
        np.testing.assert_allclose(found, expected, 1e-9, 1e-9, err_msg=what)
    else:
        np.testing.assert_array_equal(found, expected, what)


def _inner(f: Any, empty: Any, g: Any) -> Callable[[Value, Value], Value]:
    """`f.g` in NumPy."""

    def meaning(a: Value, b: Value) -> Value:
        with np.errstate(over="ignore"):
            pairs = g(a[:, :, np.newaxis], b[np.newaxis])
            return f.reduce(pairs, axis=1) if a.shape[1] else np.full((len(a), b.shape[1]), empty)

    return meaning


Meaning = Callable[..., Value]
Make = Callable[..., Value]
PRODUCTS: dict[str, tuple[Make, Meaning]] = {
    "+.×": (_doubles, np.matmul),
    "+.× ": (_integers, _inner(np.add, 0, np.multiply)),
    "+.× bits": (_bits, lambda a, b: a.astype(int) @ b),
    "{1-⍺+.×⍵}": (_small, lambda a, b: 1 - a.astype(int) @ b),
    "+.≤": (_small, _inner(np.add, 0, lambda a, b: (a <= b).astype(int))),
    "⌈.+": (_quarters, _inner(np.maximum, LEAST, np.add)),
    "⌊.×": (_integers, _inner(np.minimum, GREATEST, np.multiply)),
    "∧.=": (_digits, _inner(np.logical_and, True, np.equal)),
    "∨.<": (_quarters, _inner(np.logical_or, False, np.less)),
    "+.=": (_digits, _inner(np.add, 0, np.equal)),
    "∨.∧": (_bits, _inner(np.logical_or, False, np.logical_and)),
    "≠.∧": (_bits, _inner(np.not_equal, False, np.logical_and)),
    "+.{|⍺-⍵}": (_doubles, lambda a, b: np.abs(a[:, :, np.newaxis] - b).sum(1)),
    "{3<⍺+.×⍵}": (_digits, lambda a, b: (a @ b) > 3),
    "{⍺+.×÷1+⍵×⍵}": (_doubles, lambda a, b: a @ (1 / (1 + b * b))),
    "{1+⍺⌈.+⍵}": (_quarters, lambda a, b: 1 + PRODUCTS["⌈.+"][1](a, b)),
    "{(⍺,1)+.×⍵⍪2}": (_doubles, lambda a, b: a @ b + 2),
    "{(1⌽⍺)+.×1⊖⍵}": (_doubles, np.matmul),
    "{(1⊖⍺)+.×1⌽⍵}": (_doubles, lambda a, b: np.roll(np.roll(a @ b, -1, 0), -1, 1)),
}


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("function", of_today([*PRODUCTS], 2))
def test_inner_products(function: str) -> None:
    make, meaning = PRODUCTS[function]
    compiled, random = fn(function.removesuffix(" bits")), np.random.default_rng(17)
    for m, k, n in SHAPES:
        a, b = make(random, m, k), make(random, k, n)
        if a.size == 1 or b.size == 1:  # a single element is extended: no product of matrices
            continue
        _same(compiled(a, b), meaning(a, b), f"{m}×{k} {function} {k}×{n}")


@pytest.mark.parametrize(
    ("make", "threads"), of_today([(m, t) for m in (_doubles, _integers, _bits) for t in (False, True)], 3)
)
def test_inner_products_of_transposed(make: Make, threads: bool) -> None:
    random = np.random.default_rng(20)
    target = "openmp" if threads else "c"
    left, right = fn("{(⍉⍺)+.×⍵}", target=target), fn("{⍺+.×⍉⍵}", target=target)
    for m, k, n in PANELS:
        a, b = make(random, m, k), make(random, k, n)
        with np.errstate(over="ignore"):
            expected = (a.astype(int) if a.dtype == bool else a) @ b
        _same(left(a.T.copy(), b), expected, f"{m}×{k}, {k}×{n}")
        _same(right(a, b.T.copy()), expected, f"{m}×{k}, {k}×{n}")


def test_what_only_the_run_indexes_is_a_copy_of_the_sums() -> None:
    """clang keeps an array in registers where its indices are constants; how many rows of a tile are stored
    only the run knows.
    """
    text = compiling.c_of("m+.×m", Options(), m=[[0.5]])
    stored = [line for line in text.splitlines() if re.search(r"\ba\[.* \+?= \w+\[r", line)]
    assert stored and all(re.search(r" whole\w*\[", line) for line in stored)


def test_inner_products_of_boxes() -> None:
    compiled, random = fn("+.×"), np.random.default_rng(21)
    a, b = random.standard_normal((3, 40, 37)), random.standard_normal((37, 5, 29))
    _same(compiled(a, b), np.tensordot(a, b, 1), "boxes")


def _extremum(f: Any, empty: float, axis: int) -> Meaning:
    def meaning(a: Value) -> Value:
        return f.reduce(a, axis=axis) if a.shape[axis] else np.full(np.delete(a.shape, axis), empty)

    return meaning


ALONG_AXES: dict[str, tuple[Make, Meaning, list[tuple[int, ...]]]] = {
    "+⌿": (_doubles, lambda a: a.sum(0), MATRICES),
    "+/": (_doubles, lambda a: a.sum(1), MATRICES),
    "⌈⌿": (_quarters, _extremum(np.maximum, LEAST, 0), MATRICES),
    "⌈/": (_quarters, _extremum(np.maximum, LEAST, 1), MATRICES),
    "∧/": (_bits, lambda a: a.all(1), MATRICES),
    "{(+/⍵)-2×+/0⌈⍵}": (_integers, lambda a: a.sum(1) - 2 * np.maximum(a, 0).sum(1), MATRICES),
    "+/ ": (_integers, lambda a: a.sum(2), BOXES),
    "{+/[2]⍵}": (_doubles, lambda a: a.sum(1), BOXES),
    "⍉": (_integers, np.transpose, MATRICES),
    "⍉ ": (_bits, np.transpose, BOXES),
    "{2 1 3⍉⍵}": (_integers, lambda a: a.transpose(1, 0, 2), BOXES),
    "{1 3 2⍉⍵}": (_integers, lambda a: a.transpose(0, 2, 1), BOXES),
    "{3 1 2⍉⍵}": (_integers, lambda a: a.transpose(1, 2, 0), BOXES),
    "{1⌽⍉0,⍵}": (
        _integers,
        lambda a: np.roll(np.pad(a, ((0, 0), (1, 0))).T, -1, 1),
        MATRICES,
    ),
}


@pytest.mark.parametrize("function", of_today([*ALONG_AXES], 2))
def test_along_axes(function: str) -> None:
    make, meaning, shapes = ALONG_AXES[function]
    compiled, random = fn(function), np.random.default_rng(18)
    for shape in shapes:
        a = make(random, *shape)
        _same(compiled(a), np.asarray(meaning(a)), f"{function} of {shape}")


@pytest.mark.parametrize("text", ["{+/⍺∘.×⍵}", "{+/⍺∘.⌈⍵}"])
def test_outer_products_summed(text: str) -> None:
    compiled, random = fn(text), np.random.default_rng(19)
    outer = np.multiply.outer if "×" in text else np.maximum.outer
    for n, (m, k) in product((0, 1, 6, 9), MATRICES):
        v, a = random.integers(-99, 99, n), random.integers(-99, 99, (m, k))
        _same(compiled(v, a), outer(v, a).sum(2), f"{n} {text} {m}×{k}")


def test_distances_of_points_with_few_coordinates() -> None:
    """In panels, whose lanes are points: a coordinate is no loop worth lanes."""
    compiled, random = fn("{(+/(⍺(-⍤1⍤1 2)⍵)*2)*0.5}"), np.random.default_rng(20)
    for (m, n), k in product([(32, 16), (33, 47), (3, 50), (70, 3)], range(4)):
        a, b = random.standard_normal((m, k)), random.standard_normal((n, k))
        distances = np.sqrt(((a[:, None] - b) ** 2).sum(2))
        np.testing.assert_allclose(compiled(a, b), distances, rtol=1e-12, err_msg=f"{m} {n} {k}")


def almost(rows: int, columns: int) -> Value:
    """Numbers that equal one another, or just do not, and those of which only they themselves are equal."""
    rng = np.random.default_rng(rows)
    near = 1 + 1e-14 * rng.choice([-1.001, -0.999, -0.5, 0, 0.5, 0.999, 1.001], (rows, columns))
    some = rng.choice([1.0, -1.0, 3.0, -7e300, 2e-310, 0.0, np.inf, -np.inf, 1.79e308], (rows, columns))
    return np.where(rng.random((rows, columns)) < 0.5, near, 1.0) * some


@needs_c
@pytest.mark.parametrize("steps", [3, 20])
@pytest.mark.parametrize("text", ["⍺∧.≤⍵", "⍺∨.<⍵", "⍺+.=⍵", "⍺+.≥⍵", "⍺+.>⍵"])
def test_comparisons_within_the_tolerance(text: str, steps: int) -> None:
    a, b = almost(40, steps), almost(steps, 50)
    found = fn(f"{{{text}}}")
    assert np.array_equal(found(a, b), fn(f"{{{text}}}", target="interp")(a, b))
    assert "aplc_alloc(room" in found.emit("c", "[double]2,[double]2")


def test_what_equals_an_element_is_found_before_the_steps() -> None:
    text = fn("{⍺∧.≤⍵}").emit("c", "[double]2,[double]2")
    assert "aplc_highest_near(1e-14" in text


@pytest.mark.parametrize("target", ["c", "openmp"])
def test_symmetric_products_are_the_same_on_both_sides_of_the_diagonal(target: TargetName) -> None:
    """Half of them is computed; where rows and columns are told apart afterwards, all."""
    half, whole = fn("{(⍵+.×⍉⍵)*0.5}", target=target), fn("{(⍵+.×⍉⍵)-⍤1⍳≢⍵}", target=target)
    random = np.random.default_rng(21)
    for n, k in ((24, 16), (25, 300), (97, 17), (333, 5), (SIZES.product_columns + 9, 3)):
        a = random.random((n, k))
        found = half(a)
        np.testing.assert_array_equal(found, found.T, f"{n} {k}")
        np.testing.assert_allclose(found, np.sqrt(a @ a.T), 1e-12, err_msg=f"{n} {k}")
        np.testing.assert_allclose(whole(a), a @ a.T - np.arange(1, n + 1), 1e-12, 1e-12, f"{n} {k}")


@pytest.mark.parametrize(("text", "is_symmetric"), [("⍵+.×⍉⍵", True), ("(⍉⍵)∨.∧⍵", True), ("⍵+.<⍉⍵", False)])
def test_which_products_are_symmetric(text: str, is_symmetric: bool) -> None:
    types = "[bool]2" if "∧" in text else "[double]2"
    assert ("square" in fn(f"{{{text}}}").emit("c", types)) == is_symmetric
