"""Loops that read the elements of several rounds before they compute."""

import numpy as np
import pytest

from aplc.options import Options
from tests.support.kernel_runs import GRID, differs, kernels
from tests.support.machine import needs_device

FOLDS = [
    "+/÷v",
    "+/÷v∘.+⍳37",
    "+/2÷w-v",
    "⌈/÷1+v",
    "+/⍟v",
    "+/(v*0.5)÷1+1⌽v",
    "+/÷m",
    "+⌿÷m",
    "+/(-2-/0,v)÷0.01+v",
]
"""With functions that have a branch."""


def inputs(n: int) -> dict[str, np.ndarray]:
    v = 1 + np.random.default_rng(n).random(n)
    return {"v": v, "w": np.arange(n) + 9.0, "m": np.arange(1.0, 3 * n + 1).reshape(3, n)}


@needs_device
@pytest.mark.parametrize("text", FOLDS)
def test_values(text: str) -> None:
    several = [
        {name: value for name, value in inputs(n).items() if name in text}
        for n in (0, 1, 3, 63, 64, 255, 256, 257, 1000, 5001)
    ]
    assert not differs(text, Options("opencl", verify=True, division=GRID), several)


@pytest.mark.parametrize(
    ("text", "held"),
    [("+/÷v", 1), ("+/(-2-/0,v)÷0.01+v", 2), ("+/v", 0), ("+/v×v", 0), ("+/(v×v÷w)÷w+1⌽v", 3), ("÷v", 0)],
)
def test_what_is_read_early(text: str, held: int) -> None:
    found = kernels(text, {"v": np.ones(3), "w": np.ones(3)}, GRID)
    assert found.count("aplc_held(") == (held + 1 if held else 0)  # and its definition


def test_processors_have_no_batches() -> None:
    assert "aplc_held(" not in kernels("+/÷v", {"v": np.ones(3)})
