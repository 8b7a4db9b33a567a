"""`⌹` in C: by reflections, elimination and cofactors, against the interpreter."""

from __future__ import annotations

import numpy as np
import pytest

from aplc import fn
from aplc.tail.errors import RunError
from tests.support.machine import needs_c, needs_threads

TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]
SIZES = (0, 1, 2, 3, 4, 5, 31, 33, 70)
"""A panel of reflections has 32 columns, and four take part together. Elimination has eight at a time,
and up to four unknowns are found by cofactors.
"""


@pytest.mark.parametrize("target", TARGETS)
def test_quotients(target: str) -> None:
    divide, meaning = fn("{⍺⌹⍵}", target=target), fn("{⍺⌹⍵}", target="interp")
    random = np.random.default_rng(1)
    for rows in SIZES:
        for columns in [n for n in SIZES if n <= rows]:
            a = random.normal(size=(rows, columns))
            for shape in ((rows,), (rows, 0), (rows, 3)):
                b = random.normal(size=shape)
                want, found = meaning(b, a), divide(b, a)
                assert found.shape == want.shape
                assert np.allclose(found, want, 1e-9, 1e-11 * np.max(np.abs(want), initial=0.0))


@pytest.mark.parametrize("target", TARGETS)
def test_inverses(target: str) -> None:
    invert, meaning = fn("{⌹⍵}", target=target), fn("{⌹⍵}", target="interp")
    random = np.random.default_rng(2)
    for rows in SIZES:
        a = random.normal(size=(rows, rows))
        assert np.allclose(invert(a) @ a, np.eye(rows), atol=1e-9)
        tall = random.normal(size=(rows, rows // 2))
        assert invert(tall).shape == meaning(tall).shape
        assert np.allclose(invert(tall), meaning(tall), atol=1e-9)


@pytest.mark.parametrize("target", TARGETS)
def test_square_systems_in_several_panels(target: str) -> None:
    """Updates take 256 steps and 96 rows at a time, few right sides are solved in pairs."""
    random = np.random.default_rng(5)
    a = random.normal(size=(530, 530))
    for sides in (1, 2, 3, 4, 21):
        b = random.normal(size=(530, sides))
        assert np.allclose(a @ fn("{⍺⌹⍵}", target=target)(b, a), b, atol=1e-9)
    assert np.allclose(fn("{⌹⍵}", target=target)(a) @ a, np.eye(530), atol=1e-9)


@pytest.mark.parametrize("target", TARGETS)
def test_reflections_together(target: str) -> None:
    """Of columns of 128 elements and more, where many take part; with few and many systems for a triangle."""
    random = np.random.default_rng(9)
    divide = fn("{⍺⌹⍵}", target=target)
    for rows, columns, sides in (
        (300, 150, 1),
        (300, 150, 40),
        (300, 150, 170),
        (130, 20, 100),
        (200, 32, 16),
    ):
        a, b = random.normal(size=(rows, columns)), random.normal(size=(rows, sides))
        assert np.allclose(a.T @ (a @ divide(b, a)), a.T @ b, atol=1e-9)
    a = random.normal(size=(140, 140))
    a[:, 7] = a[:, 3] + 1e-9 * random.normal(size=140)  # too near to a singular one for elimination
    assert np.allclose(a @ fn("{⌹⍵}", target=target)(a), np.eye(140), atol=1e-5)
    a = random.normal(size=(300, 150))
    a[:, 140] = a[:, :140] @ random.normal(size=140)
    with pytest.raises(RunError, match="independent columns"):
        divide(a[:, :20], a)


@needs_c
@needs_threads
def test_threads_change_no_element() -> None:
    random = np.random.default_rng(6)
    a, b = random.normal(size=(2, 150, 150))
    for text, given in (("{⌹⍵}", (a,)), ("{⍺⌹⍵}", (b, a)), ("{⍺⌹⍵}", (b[0], a))):
        alone = fn(text)(*given)
        for threads in (2, 3, 4):
            np.testing.assert_array_equal(fn(text, target="openmp", threads=threads)(*given), alone)


@needs_c
@pytest.mark.parametrize("unknowns", [1, 2, 3, 4])
def test_whole_numbers_give_exact_quotients_of_them(unknowns: int) -> None:
    """By cofactors: reflections take roots, which are rounded."""
    random = np.random.default_rng(unknowns)
    for rows in (unknowns, unknowns + 1, 30):
        a = random.integers(-9, 10, (8, rows, unknowns)) + 20.0 * np.eye(rows, unknowns)
        x = random.integers(-9, 10, (8, unknowns)).astype(float)
        right = np.einsum("kij,kj->ki", a, x)
        np.testing.assert_array_equal(fn("{⍺(⌹⍤1 2)⍵}")(right, a), x)


@needs_c
@pytest.mark.parametrize("unknowns", [2, 3, 4])
@pytest.mark.parametrize("more", [0, 1, 9])
def test_columns_that_get_nearer_to_each_other(unknowns: int, more: int) -> None:
    """As near as reflections can tell them apart, the results have the digits of those."""
    divide, meaning = fn("{⍺⌹⍵}"), fn("{⍺⌹⍵}", target="interp")
    random = np.random.default_rng(unknowns)
    for distance in 10.0 ** np.arange(0, -14, -1):
        a, b = random.normal(size=(unknowns + more, unknowns)), random.normal(size=unknowns + more)
        a[:, -1] = a[:, 0] + distance * random.normal(size=unknowns + more)
        found, want = divide(b, a), meaning(b, a)
        assert np.max(np.abs(found - want)) <= 1e-14 / distance * np.max(np.abs(want)) * 100


@needs_c
def test_elements_that_grow_in_elimination() -> None:
    """With -1 below the diagonal and 1 in the last column, which doubles in each step."""
    a = np.eye(64) - np.tri(64, k=-1)
    a[:, -1] = 1.0
    b = np.random.default_rng(7).normal(size=64)
    np.testing.assert_allclose(fn("{⍺⌹⍵}")(b, a), fn("{⍺⌹⍵}", target="interp")(b, a), 1e-9, 1e-9)


@needs_c
@pytest.mark.parametrize("rows", [4, 9, 40])
def test_a_combination_of_rows_or_columns_of_a_square(rows: int) -> None:
    random = np.random.default_rng(rows)
    divide, meaning = fn("{⍺⌹⍵}"), fn("{⍺⌹⍵}", target="interp")
    for a in (random.normal(size=(rows, rows)), random.integers(-9, 9, (rows, rows)).astype(float)):
        a[rows // 2] = a[: rows // 2].T @ random.integers(1, 3, rows // 2)
        for singular in (a, a.T):
            for b in (a[0], np.zeros(rows), a):
                with pytest.raises(RunError, match="independent columns"):
                    divide(b, singular)
            with pytest.raises(RunError, match="independent columns"):
                meaning(b, singular)
            with pytest.raises(RunError, match="independent columns"):
                fn("{⌹⍵}")(singular)


@needs_c
def test_right_sides_that_are_no_numbers() -> None:
    for b in (np.full(6, np.nan), np.array([0.0, 1.0, np.inf, 2.0, 3.0, 4.0])):
        found, want = [fn("{⍺⌹⍵}", target=t)(b, 2 * np.eye(6)) for t in ("c", "interp")]
        np.testing.assert_array_equal(found, want)


@needs_c
@pytest.mark.parametrize("size", [1e-200, 1e-20, 1.0, 1e20, 1e150])
def test_columns_of_any_size(size: float) -> None:
    a = np.array([[size, 1.0, 0.0], [0.0, 2.0, 1.0], [size, 0.0, 1.0]])
    want = fn("{⌹⍵}", target="interp")(a)
    np.testing.assert_allclose(fn("{⌹⍵}")(a), want, 1e-9, 1e-300)


@needs_c
@pytest.mark.parametrize("columns", [2, 3, 40])
def test_a_combination_of_columns(columns: int) -> None:
    """Wherever it stands; the first columns alone are none."""
    invert = fn("{⌹⍵}")
    random = np.random.default_rng(columns)
    for place in {1, columns // 2, columns - 1}:
        a = random.normal(size=(columns + 2, columns))
        assert np.isfinite(invert(a)).all()
        a[:, place] = a[:, :place] @ random.normal(size=place)
        with pytest.raises(RunError, match="independent columns"):
            invert(a)


@needs_c
def test_no_numbers() -> None:
    a = np.array([[np.nan, 1.0], [1.0, 2.0]])
    assert np.isnan(fn("{⌹⍵}")(a)).all()


@needs_c
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("size", [1e-170, 1e-300, 1.0, 1e170, 1e300])
def test_independence_is_that_of_columns_of_any_size(target: str, size: float) -> None:
    invert = fn("{⌹⍵}", target=target)
    assert np.allclose(invert(np.array([[2.0, 1.0], [1.0, 1.0]]) * size) * size, [[1.0, -1.0], [-1.0, 2.0]])
    with pytest.raises(RunError, match="independent columns"):
        invert(np.array([[1.0, 2.0], [2.0, 4.0]]) * size)


@needs_c
def test_infinities() -> None:
    for target in ("interp", "c"):
        assert fn("{⍺⌹⍵}", target=target)(np.array([np.inf]), np.array([[2.0]])).tolist() == [np.inf]
        with pytest.raises(RunError, match="independent columns"):
            fn("{⌹⍵}", target=target)(np.array([[1.0, np.inf], [2.0, 3.0]]))


@needs_c
def test_strict_doubles_are_those_of_the_interpreter() -> None:
    a = np.random.default_rng(4).normal(size=(9, 9))
    np.testing.assert_array_equal(fn("{⌹⍵}", strict_fp=True)(a), fn("{⌹⍵}", target="interp")(a))
