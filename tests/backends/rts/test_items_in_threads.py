"""Searching among items of arrays of arrays in threads, however few there are: as in the interpreter."""

from functools import cache
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.compiled import Compiled
from aplc.options import Options
from aplc.tail.errors import RunError
from tests.support.compiling import c_of, compiled
from tests.support.days import of_today
from tests.support.machine import needs_threads

RNG = np.random.default_rng(7)
WORDS = "w←' '(≠⊆⊢)t ⋄ "
OF_WORDS = (
    "{≢⍵}⌸' '(≠⊆⊢)t",
    "≢∪' '(≠⊆⊢)t",
    "∊∪' '(≠⊆⊢)t",
    WORDS + "w⍳w",
    WORDS + "w∊(⌊0.5×≢w)↑w",
    WORDS + "(∪w)⍳w",
    WORDS + "w{+/⍵}⌸⍳≢w",
    WORDS + "{≢⍵}⌸w,⌽w",
    WORDS + "∊{⊂⍵}⌸w",
)
OF_ITEMS = ("{≢⍵}⌸m⊂v", "≢∪m⊂v", "(m⊂v)⍳m⊂v", "(m⊂v){+/⍵}⌸⍳+/m", "{≢⍵}⌸m⊆v")
THREADS = (1, 2, 3, 7)

pytestmark = needs_threads


def texts() -> dict[str, str]:
    """Words of all kinds, as many as matter to shares and to the rounds of their loops."""
    few = [" ".join(RNG.choice(["be", "to", "a", "x" * 19], n)) for n in (1, 2, 5, 6, 40, 700, 2300)]
    return {
        "none": "",
        "blanks": " " * 9,
        **{f"few {len(text)}": text for text in few},
        "far apart": "needle " + "hay " * 3000 + "needle",
        "different": " ".join(map(str, range(2500))),
        "different at the end": "a b " * 1500 + " ".join(map(str, range(1500))),
        "alike": "ab " * 3000,
        "long": " ".join(RNG.choice(["w" * 2500, "v" * 5000, "u"], 12)),
        "one": "x" * 9000,
        "wide": " ".join(RNG.choice(["\U0001f600" * 3, "é", "\u4e00\u4e01", "z"], 900)),
        "blanks between": "  a   b " * 1300,
    }


TEXTS = texts()


@cache
def _made(text: str, kinds: tuple[tuple[str, str], ...], target: str, threads: int) -> Compiled:
    given: dict[str, Any] = {name: np.zeros(40, kind) for name, kind in kinds}
    return compiled(text, Options(target, verify=True, threads=threads), **given)[0]


def _codes(v: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """An array as programs have it, flat."""
    return np.array(list(map(ord, v.ravel())), np.uint32) if v.dtype.kind == "U" else v.ravel()


def _agree(text: str, **inputs: np.ndarray[Any, Any]) -> None:
    """Whether a program gives what it does in the interpreter, in any number of threads."""
    wanted = _codes(np.asarray(aplc.run(text, target="interp", inputs=inputs)))
    kinds = tuple([(name, each.dtype.str) for name, each in inputs.items()])
    given = list(map(_codes, inputs.values()))
    for threads in THREADS:
        (found,) = _made(text, kinds, "openmp", threads).run(given, lambda *_: None)
        assert np.array_equal(np.asarray(found).ravel(), wanted), (threads, wanted)


@pytest.mark.parametrize("text", of_today(OF_WORDS, 3))
def test_words(text: str) -> None:
    for t in TEXTS.values():
        _agree(text, t=np.array(list(t), "<U1"))


def pieces(kind: str, size: int) -> list[np.ndarray[Any, Any]]:
    """Elements of which pieces are often alike, seldom, always or never."""
    found = [RNG.integers(0, 2, size), RNG.integers(0, 50, size), np.zeros(size, int), np.arange(size)]
    if kind == "bool":
        return [each % 2 == 1 for each in found]
    if kind == "double":
        numbers = [each / 8 for each in found]
        numbers[1][RNG.random(size) < 0.1] = np.nan
        numbers[2][::3] = -0.0
        return numbers
    return [each.astype(kind) for each in (*found, found[1] * 5)]


@pytest.mark.parametrize(
    ("text", "kind"),
    of_today([(text, kind) for text in OF_ITEMS for kind in ("bool", "int8", "int16", "int64", "double")], 5),
)
def test_items(text: str, kind: str) -> None:
    """Of elements of each size, and of doubles compared exactly, as threads do no other."""
    for size in (0, 1, 3, 100, 5000):
        for v in pieces(kind, size):
            for m in (RNG.random(size) < 0.4, np.arange(size) % 2 == 0):
                _agree(f"⎕CT←0 ⋄ {text}", m=m, v=v)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{≢⍵}⌸' '(≠⊆⊢)t", "aplc_items_4_join"),
        ("≢∪' '(≠⊆⊢)t", "aplc_items_4_join"),
        ("∪' '(≠⊆⊢)t", "aplc_items_4_join"),
        (WORDS + "w⍳w", "aplc_items_4_join"),
        (WORDS + "w{+/⍵}⌸⍳≢w", "aplc_items_4_join_numbers"),
    ],
)
def test_which_are_in_threads(text: str, name: str) -> None:
    t = np.array(list("to be"), "<U1")
    assert f"{name}(host, " in c_of(text, Options("openmp"), t=t)
    assert "aplc_items_share" not in c_of(text, Options("c"), t=t)


def test_a_tolerance_is_for_one_thread() -> None:
    given = {"m": np.ones(3, bool), "v": np.arange(3) / 2}
    assert "aplc_items_share" not in c_of("{≢⍵}⌸m⊂v", Options("openmp"), **given)
    assert "aplc_items_double_join" in c_of("⎕CT←0 ⋄ {≢⍵}⌸m⊂v", Options("openmp"), **given)


@pytest.mark.parametrize("text", of_today(["≢{≢⍵}⌸' '(≠⊆⊢)t", WORDS + "≢w{+/⍵}⌸⍳≢w"], 2))
def test_memory_that_ends(text: str) -> None:
    """Whatever a table of a share or their join may not have: that is an error, and all else is freed."""
    t = np.array(list(" ".join(map(str, range(3000)))), "<U1")
    found = set()
    for limit in range(10_000, 1_500_000, 40_000):
        program, given = compiled(text, Options("openmp", verify=True, threads=3, memory_limit=limit), t=t)
        try:
            found.add(int(np.asarray(program.run(given, lambda *_: None)[0])))
        except RunError as error:
            assert "WS FULL" in str(error)
            found.add(0)
    assert found == {0, 3000}
