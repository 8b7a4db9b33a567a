"""Rounds that change all but a border of an array: two arrays that exchange their memory."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.days import of_today
from tests.support.machine import needs_c, needs_device, needs_threads

EXCHANGED = {
    "inside": (2, "m[i;j]←m[i-1;j]+m[i+1;j]+2×m[i;j-1]"),
    "columns": (2, "m[;j]←m[;j-1]-m[;j+1]"),
    "rows": (2, "m[i;]←m[i-1;]⌈m[i+1;]"),
    "two arrays": (2, "m[i;j]←m[i;j+1]-w[i-1;j]\n w[i;j]←m[i;j]+w[i;j+1]"),
    "vector": (1, "m[i]←m[i-1]+m[i+1]"),
    "read afterwards": (1, "m[i]←m[i-1]+m[i+1]\n w←w+m"),
}
TARGETS = [
    pytest.param("c", marks=needs_c),
    pytest.param("openmp", marks=needs_threads),
    pytest.param("opencl", marks=needs_device),
]
KEPT = {
    "one row": (2, "m[1;]←m[1;]+⌽m[2;]"),
    "the border too": (1, "m[i]←m[i-1]+m[i+1]\n m[1]←n"),
    "places of a round": (1, "j←(2|n)↓i\n m[j]←m[j-1]+m[j+1]"),
    "its own place": (1, "m[i]←1+2×m[i]"),
}


def program(rank: int, text: str) -> str:
    """A function of a number of rounds and an array."""
    places = "i←1↓¯1↓⍳≢m" + "\nj←1↓¯1↓⍳2⊃⍴m" * (rank - 1)
    return f"∇ m←n turned m;w;i;j\n w←0×m\n {places}\n :While n>0\n {text}\n n-←1\n :EndWhile\n m←m,w\n∇"


def turned(rank: int, text: str, target: TargetName) -> aplc.Function:
    return aplc.fn(program(rank, text), target=target)


@pytest.mark.parametrize(("rank", "text"), of_today([*EXCHANGED.values(), *KEPT.values()], 3))
@pytest.mark.parametrize("target", TARGETS)
def test_values(rank: int, text: str, target: TargetName) -> None:
    wanted, found = turned(rank, text, "interp"), turned(rank, text, target)
    shapes = [(n,) for n in (2, 3, 4, 40)] if rank == 1 else [(2, 2), (2, 5), (5, 2), (3, 3), (4, 37)]
    for shape in shapes:
        start = np.random.default_rng(3).integers(-9, 9, shape)
        for count in (0, 1, 2, 5):
            for numbers in (start, start / 8):
                assert np.array_equal(found(count, numbers), wanted(count, numbers)), (shape, count)


@pytest.mark.parametrize(("rank", "text"), EXCHANGED.values(), ids=EXCHANGED)
def test_rounds_that_copy_nothing(rank: int, text: str) -> None:
    assert " swap " in rounds(rank, text)


@pytest.mark.parametrize(("rank", "text"), KEPT.values(), ids=KEPT)
def test_rounds_that_exchange_nothing(rank: int, text: str) -> None:
    assert " swap " not in rounds(rank, text)


def rounds(rank: int, text: str) -> str:
    """What a program does in its rounds."""
    laila = turned(rank, text, "c").emit("laila", "[int]0", f"[double]{rank}")
    return laila[laila.index("while") :].split("\n}")[0]
