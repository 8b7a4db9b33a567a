"""`⌹` in C: least squares by reflections, against the interpreter."""

from __future__ import annotations

import numpy as np
import pytest

from aplc import fn
from aplc.tail.errors import RunError
from tests.support.machine import needs_c, needs_threads

TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]
SIZES = (0, 1, 2, 5, 31, 33, 70)
"""A panel has 32 columns, and four take part in a reflection together."""


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
