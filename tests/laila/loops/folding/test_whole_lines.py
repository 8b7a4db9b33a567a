"""Long folds whose arrays begin anywhere in a line of the cache."""

import numpy as np
import pytest

import aplc
from tests.support.commands import Cli

FAR = 1 << 20
"""So many bytes are folded in whole lines."""


@pytest.mark.parametrize("target", ("c", "openmp"))
def test_arrays_that_begin_anywhere(target: str) -> None:
    folds = [aplc.fn(text, target=target) for text in ("{+/⍵}", "{⌈/⍵}", "{+/(1↓⍵)-2×¯1↓⍵}", "{+/⍵>50}")]
    for kind in (np.float64, np.int64, np.uint8, np.bool_):
        few = FAR // np.dtype(kind).itemsize
        data = np.random.default_rng(5).integers(0, 101, 3 * few + 300).astype(kind)
        for start in (0, 1, 2, 7, 63):
            for length in (few - 1, few, few + 1, few + 131, 3 * few + 129):
                v = data[start : start + length]
                whole = v.astype(np.int64)
                wanted = [whole.sum(), whole.max(), (whole[1:] - 2 * whole[:-1]).sum(), (whole > 50).sum()]
                assert [fold(v) for fold in folds] == wanted, (kind, start, length)


def test_an_array_between_two_elements() -> None:
    raw = np.zeros(8 * FAR + 3, np.uint8)
    v = raw[3:].view(np.float64)
    v[:] = np.arange(len(v))
    assert aplc.fn("{+/⍵}", target="c")(v) == v.sum()


@pytest.mark.parametrize("place", (0, 1, 5, 1000, 2 * (FAR // 8), 3 * (FAR // 8) - 1))
def test_a_check_fails_in_any_round(place: int) -> None:
    v = np.ones(3 * (FAR // 8))[1:]
    v[place - 1] = 0
    with pytest.raises(aplc.RunError, match="DOMAIN ERROR"):
        aplc.fn("{+/1÷⍵}", target="c")(v)


@pytest.mark.parametrize(
    ("function", "type_", "in_lines"),
    [
        ("{+/⍵}", "[double]1", True),
        ("{+/(1↓⍵)-¯1↓⍵}", "[double]1", True),
        ("{(⍳≢⍵)+.×⍵}", "[int]1", True),
        ("{+/64↑⍵}", "[double]1", False),
        ("{+/⍵}", "[double]2", False),
        ("{+/⌽⍵}", "[double]1", False),
        ("{+/⍳⍵}", "[int]0", False),
    ],
)
def test_which_are_in_whole_lines(cli: Cli, function: str, type_: str, in_lines: bool) -> None:
    made = cli("emit", "c", "-e", f"f←{function}", "--function", "f", "--types", type_)
    assert ("aplc_lines" in made.out) == in_lines
