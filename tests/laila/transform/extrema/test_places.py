"""The place of an extremum: lifted out of branches, and sought from where it was seen first."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

RNG = np.random.default_rng(7)
LENGTHS = (0, 1, 2, 511, 512, 513, 1024, 1700)
KINDS = ("few", "many", "up by less than ⎕CT", "negative", "NaN", "infinite", "equal", "whole numbers")
TEXTS = (
    "{⍵⍳⌈/⍵}",
    "{⍵⍳⌊/⍵}",
    "{(⍵⍳⌈/⍵),⍵⍳⌊/⍵}",
    "{⎕CT←0 ⋄ (⍵⍳⌈/⍵),⍵⍳⌊/⍵}",
    "{⎕CT←1E¯10 ⋄ (⍵⍳⌈/⍵),⍵⍳⌊/⍵}",
    "{⎕IO←0 ⋄ ⍵⍳⌈/⍵}",
    "{h←1+2×⍵ ⋄ l←(3<h)/⍵ ⋄ 0=≢l: ,¯1 ⋄ (h⍳⌈/h),≢l}",
    "{m←⌈/⍵ ⋄ w←⌽⍵ ⋄ (w⍳m),⍵⍳m}",
    "{w←1×⍵ ⋄ m←⌈/w ⋄ w[⌈2÷⍨≢w]←m ⋄ w⍳m}",
)


def _vector(kind: str, n: int) -> Any:
    steps = 1 + np.arange(n) * 3e-15
    match kind:
        case "few":
            return RNG.integers(-5, 5, n).astype(float)
        case "many":
            return RNG.normal(size=n)
        case "up by less than ⎕CT":
            return steps
        case "negative":
            return -steps[::-1]
        case "NaN":
            return np.where(np.arange(n) == n // 2, np.nan, RNG.normal(size=n))
        case "infinite":
            return np.sort(np.append(RNG.normal(size=max(0, n - 1)), np.inf))[:n] if n else np.zeros(0)
        case "equal":
            return np.full(n, -np.inf)
        case _:
            return RNG.integers(-99, 1000, n)


def _outcome(function: Any, v: Any) -> str:
    """The value, or the kind of the error."""
    try:
        return str(np.asarray(function(v)).tolist())
    except aplc.Error as error:
        return str(error).split(":")[0]


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str, kind: str) -> None:
    c, interp = aplc.fn(text, target="c"), aplc.fn(text, target="interp")
    for n in LENGTHS:
        v = _vector(kind, n)
        assert _outcome(c, v) == _outcome(interp, v), n


@pytest.mark.parametrize(
    ("text", "is_bounded"),
    [
        ("⎕←v⍳⌈/v", True),
        ("⎕←(v⍳⌈/v),v⍳⌊/v", True),
        ("⎕←v⍳1+⌈/v", False),
        ("⎕←(⌽v)⍳⌈/v", False),
        ("m←⌈/v ⋄ v[3]←m ⋄ ⎕←v⍳m", False),
    ],
)
def test_which_searches_start_late(text: str, is_bounded: bool) -> None:
    assert ("? start : base" in laila(f"v←300|7×⍳9999\n{text}")) == is_bounded


def test_quickhull_writes_no_heights() -> None:
    """Nor does it copy the coordinates: the points that remain are all that a side of a line writes."""
    text = laila(Path("apl_samples/bench/hull.apl").read_text(encoding="utf-8"))
    functions = text[: text.index("give")]
    assert "alloc" in functions
    assert ": double[v" not in functions


def test_an_error_inside_blocks_undoes_what_was_kept() -> None:
    text = "{i←⍵ ⋄ h←⍺[i] ⋄ l←(0<h)/i ⋄ 0=≢l: ,¯1 ⋄ (≢l),h⍳⌈/h}"
    a, i = np.ones(100), np.repeat(np.arange(1, 101), 20)
    assert list(aplc.fn(text, target="c")(a, i)) == [2000, 1]
    i[1999] = 101
    with pytest.raises(aplc.Error, match="INDEX ERROR"):
        aplc.fn(text, target="c")(a, i)


def test_elements_whose_own_are_gone_are_not_computed_again() -> None:
    text = "x←0.5*⍨|1+0.5*⍨|v\n⎕←x[1]\nx⍳⌊/x\n"
    found = [aplc.run(text, target=target, v=np.array([3.0, 0.0, 5.0])) for target in ("interp", "c")]
    assert found == [2, 2]
