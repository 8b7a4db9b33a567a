"""Elements that filters keep, packed a vector at a time."""

from __future__ import annotations

import numpy as np
import pytest

from aplc import fn
from aplc.backends.native.run import Value
from aplc.options import Options
from tests.support.compiling import c_of, compiled
from tests.support.days import of_today
from tests.support.machine import needs_c, needs_threads

TARGETS = [pytest.param("c", marks=needs_c), pytest.param("openmp", marks=needs_threads)]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("text", ["{⍵/⍨2|⍳≢⍵}", "{(⍵≠0)/⍵}", "{(1000≤⍳≢⍵)/-⍵}", "{⍵[⍸0=3|⍳≢⍵]}"])
def test_complex_numbers(text: str, target: str) -> None:
    compiled, meaning = fn(text, target=target), fn(text, target="interp")
    for length in (0, 1, 5, 64, 4097):
        v = (np.arange(length) % 3) * (2 - 1j)
        np.testing.assert_array_equal(compiled(v), meaning(v))


TOGETHER = {
    "m←3<v ⋄ p←m/v ⋄ q←m/v×2 ⋄ (⌽p),⌽q": 2,
    "m←3<v ⋄ p←m/v ⋄ q←m/2|v ⋄ s←m/v÷2 ⋄ (⌽p),(⌽q),⌽s": 3,
    "p←(v<4)/v ⋄ q←(v≥4)/v ⋄ (⌽p),⌽q": 2,
    "p←(w<4)/v ⋄ q←(w<4)/w=2 ⋄ s←(w<4)/w ⋄ (⌽p),(⌽q),⌽s": 3,
    "m←~2|w ⋄ p←m/'abc'[1+3|v] ⋄ q←m/v ⋄ p[⍋q],p": 2,
    "m←w∊2 3 ⋄ p←⍸m ⋄ q←m/v ⋄ s←m/w>2 ⋄ (⌽p),(⌽q),⌽s": 3,
}
"""What is kept by one mask or several, of elements of one size or several, and how many arrays that are."""


@pytest.mark.parametrize("text", TOGETHER)
def test_filters_that_share_a_loop_are_packed(text: str) -> None:
    """Each of them, a vector at a time."""
    numbers = np.arange(100) % 7
    made = c_of(text, Options("c", 3), v=numbers, w=numbers.astype(np.int8))
    assert made.count(" aplc_pack_") >= TOGETHER[text]


def value(text: str, target: str, v: Value, w: Value) -> Value:
    """What a program gives; in threads however short its loops are."""
    program, given = compiled(text, Options(target, verify=True, threads=3), v=v, w=w)
    (result,) = program.run(given, lambda *_: None)
    return result


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("text", of_today(tuple(TOGETHER), 2))
def test_filters_that_share_a_loop(text: str, target: str) -> None:
    """Of masks that hold rarely, often and always, up to several words long."""
    rng = np.random.default_rng(11)
    for length in (0, 1, 7, 64, 65, 203, 5000):
        for high in (1, 5, 60):
            v, w = rng.integers(0, high, length), rng.integers(0, high, length)
            ours, meant = [value(text, each, v, w) for each in (target, "interp")]
            np.testing.assert_array_equal(ours, meant)


def test_what_each_round_keeps_is_packed() -> None:
    """Also where it has the memory of the round before, or other memory as soon as that is too small."""
    text = "∇ a←f t;i\na←⍳9\n:For i :In t\n    a←i,a~i\n:EndFor\n∇\nf v"
    for target, places in (("c", 1), ("openmp", 3)):  # a part, all of it, and all of it where it stands
        made = c_of(text, Options(target, 3), v=np.arange(20) % 12)
        assert "more = aplc_alloc" in made and made.count(" aplc_pack_8(") == places


WITHIN = {
    "∇ a←f t;i\na←⍳9\n:For i :In t\n    a←i,a~i\n:EndFor\n∇\nf w": 3,
    "{⍸(⍵=⌈\\⍵),1}v×1.0": 1,
    "{i←⍵ ⋄ +/⌽(2|i+v)/v}¨w": 1,
    "{i←⍵ ⋄ +/⌽(i<v)/v×2}¨⍳≢w": 1,
}
"""Filters in loops that are in order, or run in parts, each with memory of its own."""


@pytest.mark.parametrize("text", WITHIN)
def test_filters_within_loops_are_packed_in_threads(text: str) -> None:
    numbers = np.arange(100) % 7
    made = [c_of(text, Options(target, 2), v=numbers, w=numbers) for target in ("c", "openmp")]
    assert " aplc_pack_" in made[0] and made[1].count(" aplc_pack_") >= WITHIN[text]


@needs_threads
@pytest.mark.parametrize("text", WITHIN)
def test_filters_within_loops(text: str) -> None:
    rng = np.random.default_rng(12)
    for length in (1, 7, 65, 300):
        v, w = rng.integers(0, 60, length), rng.integers(0, 60, 20)
        np.testing.assert_array_equal(value(text, "openmp", v, w), value(text, "interp", v, w))


LETTERS = ("⍸t≠' '", "≢¨(t≠' ')⊆t", "⍸2≠/t", "(t='a')/⍳≢t")
"""What characters, of four bytes each, decide."""


@pytest.mark.parametrize("text", LETTERS)
def test_characters_decide_in_words(text: str) -> None:
    """64 of them at a time, whatever is kept of them."""
    assert "aplc_marks" in c_of(text, Options("c"), t=np.array(list("a b")))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("text", LETTERS)
def test_what_characters_decide(text: str, target: str) -> None:
    """Of words that are short, so that many bits are ones, and long."""
    rng = np.random.default_rng(3)
    for length in (1, 2, 63, 64, 65, 129, 3000):
        for letters in ("a", "a b", "abcdefghijklmnopqrstuvwxyzé\U0001f600 "):
            t = rng.choice(np.array(list(letters)), length)
            program, given = compiled(text, Options(target, verify=True, threads=3), t=t)
            meaning, same = compiled(text, Options("interp"), t=t)
            (ours,), (meant,) = [p.run(g, lambda *_: None) for p, g in ((program, given), (meaning, same))]
            np.testing.assert_array_equal(ours, meant)
