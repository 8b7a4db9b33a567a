"""Folds whose residues are whole doubles: which are made with integers, and what they give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

WITH_INTEGERS = {
    "of characters": "{(2*32)|⍺+33×⍵}/⎕UCS s",
    "with a start": "{(2*32)|⍺+33×⍵}/(⎕UCS s),5381",
    "by a prime": "{(1E9+7)|⍺+31×⍵}/⎕UCS s",
    "near the end of doubles": "{(2*32)|⍺+1664525×⍵}/⎕UCS s",
    "of a difference": "{(2*16)|⍺-3×⍵}/⎕UCS s",
    "of truth values": "{(2*20)|⍺+2×⍵}/s='a'",
    "of rows": "{(2*32)|⍺+33×⍵}/(2,≢s)⍴⎕UCS s",
    "of small integers": "{(2*31)|⍺+33×⍵}/v",
    "of rows of these": "{(2*31)|⍺+33×⍵}/(2,≢v)⍴v",
    "through a maximum": "{(2*32)|⍺⌈33×⍵}/⎕UCS s",
}
WITH_DOUBLES = {
    "beyond whole doubles": "{(2*32)|⍺+(2*30)×⍵}/⎕UCS s",
    "by a fraction": "{2.5|⍺+33×⍵}/⎕UCS s",
    "of fractions": "{(2*32)|⍺+33×⍵}/v÷2",
    "halves": "{(2*32)|⍺+0.5×⍵}/⎕UCS s",
    "by a negative number": "{(-2*32)|⍺+33×⍵}/⎕UCS s",
}
ALL = WITH_INTEGERS | WITH_DOUBLES
TEXTS = ["", "a", "ab", "\U0010ffff" * 9, "the quick brown fox jumps over the lazy dog" * 40]
NUMBERS: list[Any] = [
    [], [0], [-5], [3, -7, 2, 0, 0, -1], [2**25] * 50, [-(2**25)] * 9, [2**25 + 1, 5, 7],
    [2**62, -(2**62), 5], list(range(-40, 500)),
]  # fmt: skip


def text_of(body: str) -> str:
    """The functions of a body: of a text, and of numbers."""
    return f"f←{{s←⍺ ⋄ v←⍵ ⋄ {body}}}\n"


def is_of_integers(body: str) -> bool:
    """Whether there is a fold over integers."""
    text = aplc.fn(text_of(body).removeprefix("f←").strip()).emit("laila", "[char]1", "[int]1")
    return "i2d(REDUCE from the right" in text


@pytest.mark.parametrize("body", WITH_INTEGERS.values(), ids=WITH_INTEGERS)
def test_over_integers(body: str) -> None:
    assert is_of_integers(body)


@pytest.mark.parametrize("body", WITH_DOUBLES.values(), ids=WITH_DOUBLES)
def test_over_doubles(body: str) -> None:
    assert not is_of_integers(body)


@needs_c
@pytest.mark.parametrize("strict", [False, True], ids=["fast", "strict"])
@pytest.mark.parametrize("body", ALL.values(), ids=ALL)
def test_values(body: str, strict: bool, tmp_path: Path) -> None:
    path = tmp_path / "f.apl"
    path.write_text(text_of(body))
    interp, c = [aplc.load(path, target=target, strict_fp=strict).f for target in ("interp", "c")]
    for k, numbers in enumerate(NUMBERS):
        for text in TEXTS if k == 0 else TEXTS[k % len(TEXTS) :][:1]:
            try:
                wanted = np.asarray(interp(text, np.array(numbers, np.int64)))
            except aplc.AplcError as error:
                with pytest.raises(type(error)):
                    c(text, np.array(numbers, np.int64))
            else:
                found = np.asarray(c(text, np.array(numbers, np.int64)))
                assert np.array_equal(found, wanted), (text, numbers)
                assert not strict or np.array_equal(np.signbit(found), np.signbit(wanted))
