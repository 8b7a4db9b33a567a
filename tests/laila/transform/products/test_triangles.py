"""Folds over all pairs take each pair once where both orders give the same."""

import re

import numpy as np
import pytest

import aplc

RNG = np.random.default_rng(71)
DOUBLES = [RNG.normal(0, 1, n).round(1) for n in (0, 1, 2, 7, 33, 130)]
INTEGERS = [RNG.integers(-9, 9, n) for n in (0, 1, 2, 7, 33, 130)] + [np.array([-(1 << 62), 1 << 62, 5, -7])]
HALVED = [
    "+/,|⍵∘.-⍵",
    "+/,⍵∘.⌈⍵",
    "⌈/,|⍵∘.-⍵",
    "⌊/,((⍵∘.-⍵)*2)+1E9×(⍳≢⍵)∘.=⍳≢⍵",
    "+/,(1+⍵)∘.×⍵+1",
    "+/,3>|⍵∘.-⍵",
    "(+/,|⍵∘.-⍵)+⌈/,⍵∘.+⍵",
    "+/⌈/¨|⍵∘.-⍵",
    "+/,(⍵∘.-⍵)×2+⍵∘.-⍵",
]


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("text", [*HALVED, "+/,(×⍵∘.-⍵)××(⍵*2)∘.-⍵*2", "+/,⍵∘.-⍵", "+/,⍵∘.>⍵"])
def test_values(text: str) -> None:
    compiled = [aplc.fn(f"{{{text}}}", target=target) for target in ("c", "openmp")]
    wanted = aplc.fn(f"{{{text}}}", target="interp")
    for vector in (*DOUBLES, *INTEGERS):
        for function in compiled:
            assert np.allclose(function(vector), wanted(vector), 1e-9, 1e-9, equal_nan=True), vector


def test_differences_that_wrap() -> None:
    text, vector = "{+/,(×⍵∘.-⍵)××⍵∘.-⍵}", np.array([-(1 << 62), 1 << 62, 3, -(1 << 63), 0])
    assert aplc.fn(text)(vector) == aplc.fn(text, target="interp")(vector)


@pytest.mark.parametrize(
    "text", ["+/,|⍵∘.-⍵", "+/,(×⍵∘.-⍵)××(⍵*2)∘.-⍵*2", "+/,(⍵∘.-⍵)*2", "⌈/,|⍵∘.-⍵", "⌈/,×⍨⍵∘.-⍵"]
)
def test_pairs_are_taken_once(text: str) -> None:
    found = aplc.fn(f"{{{text}}}").emit("laila", "[double]1")
    assert re.search(r" over k_1_1 < (k|\(k \+ 1\)) {", found), found


@pytest.mark.parametrize("text", ["+/,⍵∘.-⍵", "+/,⍵∘.>⍵", "+/,(1+⍵)∘.-⍵", "+/,⍵∘.×⌽⍵", "+/,(×⍵∘.-⍵)×|⍵∘.-⍵"])
def test_orders_that_differ(text: str) -> None:
    assert "< k {" not in aplc.fn(f"{{{text}}}").emit("laila", "[double]1")


def test_sums_in_order() -> None:
    assert "< k {" not in aplc.fn("{+/,|⍵∘.-⍵}", strict_fp=True).emit("laila", "[double]1")


MATRICES = [
    "t←0<(⍵-2)∘.{(⍺×⍵-1)-(2×⍺*3)-3×⍵*2}⍵ ⋄ +/,t∧⍉t",
    "t←(⍵*2)∘.{(⍺×⍵-1)-(2×⍺*3)-3×⍵*2}⍵ ⋄ ⌈/,t+⍉t",
    "s←0<⍵∘.{(⍺×⍵-1)-(2×⍺*3)-3×⍵*2}⍵ ⋄ t←0<⍵∘.{(⍺×⍵-3)-(⍺*3)-9×⍵*2}⍵ ⋄ 2÷⍨+/,(s≠t)∧⍉s≠t",
]
KEPT = [
    "t←(⍵*2)∘.{(⍺×⍵-1)-(2×⍺*3)-3×⍵*2}⍵ ⋄ (⌈/,t+⍉t),+/,t",
    "t←(⍵*2)∘.{(⍺×⍵-1)-(2×⍺*3)-3×⍵*2}⍵ ⋄ ⌈/,t-⍉t",
]
"""Matrices that are read elsewhere, too, or in a fold that is not symmetric."""


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("text", [*MATRICES, *KEPT])
def test_values_of_matrices(text: str) -> None:
    compiled = [aplc.fn(f"{{{text}}}", target=target) for target in ("c", "openmp")]
    wanted = aplc.fn(f"{{{text}}}", target="interp")
    for vector in (*DOUBLES[1:], *INTEGERS[1:-1]):
        for function in compiled:
            assert np.allclose(function(vector), wanted(vector), 1e-9, 1e-9), vector


@pytest.mark.parametrize("text", MATRICES)
def test_matrices_that_are_not_written(text: str) -> None:
    assert "(⍵_n * ⍵_n)]" not in aplc.fn(f"{{{text}}}").emit("laila", "[double]1")


@pytest.mark.parametrize("text", KEPT)
def test_matrices_that_are_written(text: str) -> None:
    assert "(⍵_n * ⍵_n)]" in aplc.fn(f"{{{text}}}").emit("laila", "[double]1")
