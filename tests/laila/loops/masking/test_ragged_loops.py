"""Folds over items of any lengths: those around a vector and a block, none, empty ones, one that is huge."""

import numpy as np
import pytest

from aplc.backends.native.run import Value
from aplc.options import Options
from tests.support import compiling
from tests.support.days import of_today
from tests.support.machine import needs_threads

TEXTS = (
    "+/¨m⊂v",
    "⌈/¨m⊂v",
    "⌊/¨m⊂⌊v",
    "{(+/⍵)÷≢⍵}¨m⊂v",
    "∨/¨m⊂v>0",
    "+/¨m⊂v>0",
    "×/¨m⊂1+v÷1000",
    "⌈/¨m⊂100|⌊v",
    "+/¨m⊂v×v[1+(≢v)|⌊v]",
    "{+/⍵×⍵}¨(+\\m)⊆v",
    "+/¨m⊂v×⌽v",
    "{(⌈/⍵)-+/⍵}¨m⊂1+v",
    "+/¨(2×m)⊂v+1",
    "≢¨m⊂v",
    "(⌈/¨m⊂v)-⌊/¨m⊂v",
    "{⌈/|⍵}¨m⊂0J1×v",
    "{⍵≡⌽⍵}¨m⊂0<v",
    "{+/⍵×⌽⍵}¨m⊂⌊v",
)
LENGTHS = (
    (),
    (0,),
    (1,),
    (1,) * 70,
    (7, 8, 9, 1, 15, 16, 17),
    (31, 32, 33, 63, 64, 65),
    (3, 5000, 1, 1, 2),
    (130, 1, 8, 40),
)

pytestmark = needs_threads


def value(text: str, target: str, m: Value, v: Value) -> Value:
    """What a program gives; in threads however short its loops are."""
    program, given = compiling.compiled(text, Options(target, verify=True, threads=3), m=m, v=v)
    (result,) = program.run(given, lambda *_: None)
    return np.asarray(result)


@pytest.mark.in_turn(12)
@pytest.mark.parametrize(
    ("text", "target"), of_today([(text, target) for text in TEXTS for target in ("c", "openmp")], 3)
)
def test_items(text: str, target: str) -> None:
    """With what lies before the first item, too: it belongs to none."""
    for lengths in LENGTHS:
        for before in (0, 3):
            n = before + sum(lengths)
            m = np.zeros(n, dtype=bool)
            m[[before + sum(lengths[:k]) for k, size in enumerate(lengths) if size]] = True
            v = np.random.default_rng(n).integers(-500, 500, n) / 8
            ours, meant = [value(text, t, m, v) for t in (target, "interp")]
            np.testing.assert_allclose(ours, meant, rtol=1e-12, err_msg=str(lengths))


@pytest.mark.parametrize("target", ("c", "openmp"))
def test_not_a_number_wins(target: str) -> None:
    """Among the last elements of an item, which share a vector with lanes that have none."""
    v = np.arange(300.0)
    v[37] = np.nan
    m = np.arange(300) % 41 == 0
    for text in ("⌈/¨m⊂v", "⌊/¨m⊂v"):
        ours, meant = [value(text, t, m, v) for t in (target, "interp")]
        assert np.isnan(ours[0]) and not np.any(np.isnan(ours[1:]))
        np.testing.assert_array_equal(ours, meant)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("share", of_today((0.0, 0.01, 0.1, 0.25, 0.5, 1.0), 3))
@pytest.mark.parametrize("target", ("c", "openmp"))
def test_marks(target: str, share: float) -> None:
    """Few bits of a word, and many, which are packed."""
    for n in (0, 1, 63, 64, 65, 127, 128, 1000):
        random = np.random.default_rng(n)
        m, v = random.random(n) < share, random.random(n)
        for text in ("⍸m", "m/v", "(~m)/⍳≢m", "(m∧1⌽m)/v", "⍸m≤¯1⌽m"):
            ours, meant = [value(text, t, m, v) for t in (target, "interp")]
            np.testing.assert_array_equal(ours, meant, f"{text} {n}")


@pytest.mark.in_turn(10)
@pytest.mark.parametrize("text", ("+/¨m⊂v", "{(+/⍵)÷≢⍵}¨m⊂v", "+/+/¨m⊂v", "⌈/≢¨m⊂v", "{+/⍵×⍳≢⍵}¨m⊂v"))
def test_parts_with_a_long_item(text: str) -> None:
    """Threads share elements, and what is more than a share of them is shared itself, wherever it stands."""
    for lengths in (
        (70000, *[3] * 500),
        (*[3] * 500, 70000),
        (*[2] * 300, 50000, *[1] * 300),
        (*[5] * 100, 9000, 9000, 9000, 5),
        (100000,),
        (1, 100000),
        (40000, 1, 40000),
        tuple(range(1, 300)),
    ):
        n = sum(lengths)
        m = np.zeros(n, dtype=bool)
        m[np.cumsum((0, *lengths[:-1]))] = True
        v = np.random.default_rng(n).integers(-500, 500, n) / 8
        ours, meant = [value(text, t, m, v) for t in ("openmp", "interp")]
        np.testing.assert_allclose(ours, meant, rtol=1e-11, err_msg=str(lengths[:3]))


def test_items_read_from_their_end() -> None:
    """They have no masked lanes, which gcc 12 would compute one by one."""
    t = np.array(list("abc ab"))
    for text, is_masked in (("{⍵≡⌽⍵}¨(t≠' ')⊆t", False), ("+/¨'a'=(t≠' ')⊆t", True)):
        assert ("aplc_in_vectors" in compiling.c_of(text, Options("c"), t=t)) == is_masked


WORDS = (
    "∨/¨'a'=(t≠' ')⊆t",
    "{∧/⍵∊'abc'}¨(t≠' ')⊆t",
    "+/~∨/¨((t≠' ')⊆t)∊¨⊂'ae'",
    "{(∨/⍵='a')∧∧/⍵≠'c'}¨(t≠' ')⊆t",
)


@pytest.mark.parametrize("text", WORDS)
def test_conditions_about_letters(text: str) -> None:
    """They are accumulated in numbers as wide as letters: words around a vector and a block, or long."""
    assert "mark" in compiling.c_of(text, Options("c"), t=np.array(list("abc ab")))
    rng = np.random.default_rng(5)
    lengths = (1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 80, 81, 200, 3)
    for letters in ("a", "b", "ab", "bd", "abcdefghijklmnopqrstuvwxyz"):
        words = ["".join(rng.choice(list(letters), length)) for length in lengths]
        words += [word[:-1] + other for word in words for other in "ac"]
        t = np.array(list(" ".join(words)))
        for target in ("c", "openmp"):
            program, given = compiling.compiled(text, Options(target, verify=True, threads=3), t=t)
            meaning, same = compiling.compiled(text, Options("interp"), t=t)
            (ours,), (meant,) = [
                each.run(it, lambda *_: None) for each, it in ((program, given), (meaning, same))
            ]
            np.testing.assert_array_equal(ours, meant)
