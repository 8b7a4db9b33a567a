"""Products with a matrix that tells which key is which."""

import re
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.calling.functions import Function
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.compiling import c_of

RNG = np.random.default_rng(21)
TEXTS = (
    "{(⍉⍺∘.=⍳9)+.×⍵}",
    "{((⍳9)∘.=⍺)+.×⍵}",
    "{(⍉⍺∘.=2+⍳5)+.×⍵}",
    "{m←⍺∘.=⍳6 ⋄ ((⍉m)+.×⍵)÷[1]1⌈+⌿m}",
    "{m←⍺∘.=⍳6 ⋄ (≢m),,(⍉m)+.×⍵}",
    "{(⍉⍺∘.=⍳2)+.×⍵}",
    "{(⍉⍺∘.=⍳7)+.×⌊10×⍵}",
    "{(⍺∘.=⍳≢⍵)+.×⍵}",
    "{((⍳≢⍵)∘.=⍺)+.×⍨⍉⍵}",
    "{((2|⍺)∘.=⍳≢⍵)+.×⌊10×⍵}",
    "{m←⍺∘.=⍳≢⍵ ⋄ (+/,m),,m+.×⍵}",
    "{k←⍺ ⋄ m←k∘.=⍳6 ⋄ k←⌽k ⋄ (+/k),,(⍉m)+.×⍵}",
    "{k←⍺ ⋄ z←0 ⋄ m←(k+z)∘.=⍳6 ⋄ z←{0<≢⍵:3 ⋄ 4}k ⋄ z+(⍉m)+.×⍵}",
)
KEYS: dict[str, Any] = {
    "many": (RNG.integers(-2, 12, 300), RNG.normal(size=(300, 4))),
    "one column": (RNG.integers(1, 9, 50), RNG.normal(size=(50, 1))),
    "no columns": (RNG.integers(1, 9, 50), np.zeros((50, 0))),
    "none": (np.array([], int), np.zeros((0, 3))),
    "far away": (np.array([2**62, -(2**62), 5]), RNG.normal(size=(3, 2))),
    "one row": (np.array([3, 4, 3]), RNG.normal(size=(1, 2))),
}


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("given", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str, given: tuple[Any, Any]) -> None:
    meaning = values(text, "interp", given)
    for target in ("c", "openmp"):
        np.testing.assert_allclose(values(text, target, given), meaning, rtol=1e-9, atol=1e-12)


def values(text: str, target: Any, given: tuple[Any, Any]) -> Any:
    """What a function gives; [] where lengths differ."""
    try:
        return Function([Source("text", text)], None, Options(target, verify=target != "interp"))(*given)
    except aplc.RunError as error:
        assert "LENGTH ERROR" in str(error)
        return np.array([])


@pytest.mark.parametrize("wrong", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("key", [2, 99])
def test_infinite_weights_are_multiplied_with_zero(wrong: float, key: int) -> None:
    given = np.array([1, key, 2, 3, 1]), np.arange(10.0).reshape(5, 2)
    given[1][1, 0] = wrong
    for target in ("c", "openmp"):
        found = values(TEXTS[0], target, given)
        np.testing.assert_array_equal(found, values(TEXTS[0], "interp", given))
        assert np.isnan(found[:, 0]).sum() >= 8 and not np.isnan(found[:, 1]).any()


def test_a_row_is_added_to_one_row_and_the_matrix_is_not_written() -> None:
    text = c_of("(⍉v∘.=⍳1000)+.×m", Options(), v=[1, 2], m=np.ones((2, 3)))
    walk = text[text.index("aplc_run") : re.search(r"if \(!\w+\)", text).start()]  # type: ignore[union-attr]
    assert "sums[" in walk and "aplc_alloc(1000 * v_n" not in walk and "panel[" not in walk


@pytest.mark.parametrize("wrong", [np.inf, -np.inf, np.nan, -0.0])
def test_rows_are_chosen_where_weights_are_finite(wrong: float) -> None:
    """What is not chosen is multiplied with zero; a zero with a sign is added to zero."""
    given = np.array([1, 9, 2, 3, 1]), np.arange(10.0).reshape(5, 2)
    given[1][1, 0] = wrong
    for target in ("c", "openmp"):
        found = values("{(⍺∘.=⍳5)+.×⍵}", target, given)
        np.testing.assert_array_equal(found, values("{(⍺∘.=⍳5)+.×⍵}", "interp", given))
        assert not np.signbit(found[:, 1]).any() and not np.signbit(found[found == 0]).any()


def test_rows_are_chosen_without_the_matrix() -> None:
    text = c_of("(v∘.=⍳1000)+.×m", Options(), v=[1, 2], m=np.ones((1000, 3)))
    walk = text[text.index("aplc_run") : re.search(r"if \(!\w+\)", text).start()]  # type: ignore[union-attr]
    assert "aplc_alloc(1000 * v_n" not in walk and "panel[" not in walk and "finite" in walk


def test_a_sum_that_overflows_is_infinite() -> None:
    given = np.array([1, 1, 2, 3]), np.array([[1e308], [1e308], [1.0], [2.0]])
    for target in ("c", "openmp"):
        found = values(TEXTS[0], target, given)
        assert found[:3, 0].tolist() == [np.inf, 1.0, 2.0] and not found[3:].any()
