"""Searches among 64 numbers that follow one another: sets that are bits of a number."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.commands import Cli

RNG = np.random.default_rng(5)


def whole(n: int) -> Any:
    far = np.array([2**63 - 1, -(2**63), 2**63 - 5, -1, 0, 1, 63, 64, 65, -64])
    return np.concatenate([RNG.integers(-3, 70, n), RNG.choice(far, n)])


def rows(n: int) -> Any:
    return RNG.integers(0, 11, (n, 9))


def text(n: int) -> Any:
    return "".join(RNG.choice(list("abcdefghijklmnopqrstuvwxyzAEIOUZ09  \n\né😀\0"), n))


@pytest.mark.parametrize(
    ("function", "made"),
    [
        ("{{∧/(⍳9)∊⍵}⍤1⊢⍵}", rows),
        ("{{⍵∊5⌊1⌈⍵}⍤1⊢⍵}", rows),
        ("{(⍳9)∊⍵}", whole),
        ("{(¯3+⍳64)∊⍵}", whole),
        ("{(¯3+⍳65)∊⍵}", whole),
        ("{(9223372036854775800+⍳6)∊⍵}", whole),
        ("{⍵∊10|⍵}", whole),
        ("{(10|⍵)∊⍵}", whole),
        ("{⎕A∊⍵}", text),
        ("{+/{∧/(⎕C ⎕A)∊⍵}¨(⍵≠⎕UCS 10)⊆⍵}", text),
        ("{+/¨{'aeiouAEIOU'∊⍵}¨' '(≠⊆⊢)⍵}", text),
    ],
)
def test_values(function: str, made: Callable[[int], Any]) -> None:
    meaning, *others = [aplc.fn(function, target=target) for target in ("interp", "c", "openmp")]
    for n in (0, 1, 2, 9, 100, 1000):
        argument = made(n)
        wanted = meaning(argument)
        assert all(np.array_equal(wanted, each(argument)) for each in others)


@pytest.mark.parametrize(
    ("body", "ty", "bits"),
    [
        ("(⍳9)∊⍵", "[int]1", True),
        ("⎕A∊⍵", "[char]1", True),
        ("⍵∊10|⍵", "[int]1", True),
        ("(⍳65)∊⍵", "[int]1", False),
        ("⍵∊⌽1↓⍵", "[int]1", False),
        ("(⍳9)∊⍵", "[double]1", False),
    ],
)
def test_which_are_bits(cli: Cli, body: str, ty: str, bits: bool) -> None:
    out = cli("emit", "laila", "-e", f"f←{{{body}}}", "--function", "f", "--types", ty).out
    assert (("REDUCE also" in out), ("empty table" in out)) == (bits, not bits)
