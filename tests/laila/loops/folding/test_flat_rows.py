"""Folds over narrow rows, in lanes across the borders of rows."""

import numpy as np
import pytest

import aplc
from tests.support.commands import Cli

RNG = np.random.default_rng(12)

TEXTS = (
    "+⌿⍵",
    "⌈⌿⍵",
    "⌊⌿⍵",
    "∧⌿⍵≥0",
    "∨⌿⍵>3",
    "(+⌿⍵)>0.5×≢⍵",
    "(⌈⌿⍵)-⌊⌿⍵",
    "+⌿⍵×⍤1⊢⍳2⊃⍴⍵",
    "(+⌿(⍵-⍤1⊢(+⌿⍵)÷≢⍵)*2)÷≢⍵",
    "(+⌿⍵)÷1⌈+⌿⍵≠0",
)


def matrices(rows: int, columns: int) -> list[np.ndarray]:
    """Truth values, digits, large integers, which wrap, and doubles, some of which are none."""
    doubles = RNG.normal(size=(rows, columns))
    strange = doubles.copy()
    strange.flat[:: max(1, strange.size // 3)] = np.nan
    infinite = np.where(doubles > 2, np.inf, doubles)
    large = RNG.integers(-(2**62), 2**62, (rows, columns))
    return [doubles > 0, RNG.integers(-3, 10, (rows, columns)), large, doubles, strange, infinite]


@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str) -> None:
    meaning, *others = [aplc.fn(f"{{{text}}}", target=t) for t in ("interp", "c", "openmp")]
    for shape in ((0, 5), (3, 0), (1, 7), (2000, 1), (900, 5), (700, 12), (3001, 13), (1100, 64), (40, 513)):
        for matrix in matrices(*shape):
            wanted = meaning(matrix)
            for function in others:
                assert np.allclose(wanted, function(matrix), 1e-9, 1e-9, equal_nan=True)


def test_narrow_accumulators_are_emptied() -> None:
    ones = np.ones((300_000, 6), bool)
    assert aplc.fn("{+⌿⍵}")(ones).tolist() == [300_000] * 6
    assert aplc.fn("{(+⌿⍵)>0.5×≢⍵}")(ones).tolist() == [1] * 6


@pytest.mark.parametrize(
    ("text", "ty", "made"),
    [
        ("+⌿⍵", "[bool]2", "int8_t sums["),
        ("+⌿⍵", "[int]2", "int64_t sums["),
        ("+⌿⍵", "[double]2", "double sums["),
        ("(+⌿⍵)>0.5×≢⍵", "[bool]2", "int8_t sums["),
        ("+⌿(⍵-⍤1⊢(+⌿⍵)÷≢⍵)*2", "[double]2", "double again["),
        ("+⌿⍵÷⍤1 0⊢+/⍵", "[double]2", None),
        ("-⌿⍵", "[int]2", None),
    ],
)
def test_which_are_in_lanes(cli: Cli, text: str, ty: str, made: str | None) -> None:
    out = cli("emit", "c", "-e", f"f←{{{text}}}", "--function", "f", "--types", ty).out
    assert (" sums[" in out) == (made is not None)
    assert made is None or made in out


def test_strict_sums_stay_in_order(cli: Cli) -> None:
    made = cli("emit", "c", "-e", "f←{+⌿⍵}", "--function", "f", "--types", "[double]2", "--strict-fp")
    assert " sums[" not in made.out
