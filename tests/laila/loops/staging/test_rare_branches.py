"""Loops in rounds, in which few elements need what has no lanes: letters in another case."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.laila.loops.staging.rare_branches import ROUND
from tests.support.machine import lack_of

LENGTHS = (0, 1, 2, 31, ROUND - 1, ROUND, ROUND + 1, 2 * ROUND, 5 * ROUND + 3)
TEXTS = (
    "{1 ⎕C ⍵}",
    "{¯1 ⎕C ⍵}",
    "{⎕C ⍵}",
    "{(⎕C ⍵)≡1 ⎕C ⌽⍵}",
    "{(1 ⎕C ⍵)≡1 ⎕C ¯1 ⎕C ⍵}",
    "{+/'E'=1 ⎕C ⍵}",
    "{(⍵∊'aé')/1 ⎕C ⍵}",
    "{t←⍵ ⋄ i←⍸2</0,⍵≠' ' ⋄ t[i]←1 ⎕C t[i] ⋄ t}",
    "{t←⍵ ⋄ t[⍸t∊'aéσ']←1 ⎕C t[⍸t∊'aéσ'] ⋄ t}",
    "{¯1 ⎕C@{⍵≠'E'}⍵}",
    "{t←⍵ ⋄ i←⍸t≠' ' ⋄ t[i]←1 ⎕C t[i] ⋄ j←⍸⌽t='E' ⋄ t[j]←¯1 ⎕C t[j] ⋄ t}",
    "{⍵[⍋⎕C ⍵]}",
    "{v←⎕UCS ⍵ ⋄ +/{⍵<100:⍵ ⋄ 3 500 7 900 101 9 5 4 2⍳⍵}¨v}",
)
COMMON, LATIN, ANY = "eE aZ{`@[", "éÉÿµß÷×ıİſ", "αΩσςжЖ\u1e9e\u212a\u2160\U0001f600\U00010400ǆǅ"


def characters(length: int) -> list[Any]:
    """Texts without other letters than those of ASCII, with some in each round, in one, and at the ends."""
    rng = np.random.default_rng(length)
    plain = rng.choice(list(COMMON), length)
    found = [plain, rng.choice(list(COMMON + LATIN), length), rng.choice(list(COMMON + LATIN + ANY), length)]
    for place in {0, length // 2, length - 1} if length else ():
        for letters in (LATIN, ANY):
            one = plain.copy()
            one[place] = rng.choice(list(letters))
            found.append(one)
    return found


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("target", ("c", "openmp", "opencl"))
def test_values(target: str, text: str) -> None:
    if lack := lack_of(target):
        pytest.skip(f"NOT CHECKED: {lack}")
    found, meaning = [aplc.fn(text, target=each) for each in (target, "interp")]
    for length in LENGTHS:
        for given in characters(length):
            wanted, answer = np.asarray(meaning(given)), np.asarray(found(given))
            assert wanted.shape == answer.shape and (wanted == answer).all(), (length, "".join(given))


def test_every_character() -> None:
    """Beside the characters of Python, those of ASCII among others, and by themselves."""
    every = "".join(map(chr, (*range(1, 0xD800), *range(0xE000, 0x1F000))))
    for way, change in ((1, str.upper), (-1, str.lower)):
        found = aplc.fn(f"{{{way} ⎕C ⍵}}".replace("-", "¯"), target="c")
        for part in (every, every[:128] * 3):
            answer = found(np.array(list(part)))
            alone = [c for c in part if len(change(c)) == 1]
            shown = [a for c, a in zip(part, answer, strict=True) if len(change(c)) == 1]
            assert shown == list(map(change, alone))


@pytest.mark.parametrize(
    ("text", "rounds"),
    [
        ("{1 ⎕C ⍵}", 1),
        ("{(⎕C ⍵)≡⎕C ⌽⍵}", 2),
        ("{+/'E'=1 ⎕C ⍵}", 1),
        ("{1 ⎕C 100↑⍵}", 0),
        ("{{98>⎕UCS ⍵:⍵ ⋄ ⎕UCS 1+⎕UCS ⍵}¨⍵}", 0),
    ],
)
def test_which_are(text: str, rounds: int) -> None:
    made = aplc.fn(text).emit("c", "[char]1")
    assert made.count("const int64_t rounds") == rounds
