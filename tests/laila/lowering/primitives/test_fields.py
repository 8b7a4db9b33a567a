"""Fields of texts that are numbers, found by the run-time system as the interpreter finds them."""

import math
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila
from tests.support.machine import lack_of

BOTH = "{valid numbers←(⎕UCS ⍺)⎕VFI ⎕UCS ⍵ ⋄ valid numbers}"
SEPARATORS = ("", ",", ";", " ", ", ", "\n,", "e", "1", "-", ".", "∞", "¯", "\u3000", "]^-", "n\ufffd")
BLANKS = (" ", "  ", "\t", "\n", "\x1c", "\x1f", "\x85", "\xa0", "\u1680", "\u200a", "\u202f", "\u3000")
ODD = (
    "", "-", "¯", "+", ".", "e5", "1e", "1e+", "1e¯", "--1", "¯¯1", "-¯1", "1.2.3", "1..2", "1_0",
    "0x1", "1j2", "½", "٣", "1e5.0", "inf", "Infinity", "INFINITYS", "infinit", "¯inf", "∞", "¯∞", "+∞",
    "∞∞", "nan", "-NaN", "nano", "\u0131nf", "ﬁ", "1-2", "1e5e5", "x", "1x", "1 x", "\u200b1",
    "1\u200b", "\x1b1", "0", "¯0", "-0.0", "00", "007", "5.", ".5", "¯.5E¯3", "1e400", "¯1e400",
    "1e-400", "4.9e-324", "2.4703282292062328e-324", "9007199254740993", "1e22", "1e23",
    "17976931348623157e292", "179769313486231580793e289", "1" * 400, "0." + "0" * 400 + "1", "9" * 19,
    "9" * 20, "0" * 30, "1." + "0" * 30, "0" * 300 + ".5", "1e00000000000000000000000000000001",
    "1e99999999999999999999", "0e9999999999", "0." + "0" * 120_000 + "1e120001",
    "1" + "0" * 120_000 + "e-120000", "9007199254740992." + "0" * 900 + "1",
    "9007199254740993." + "0" * 900, "9007199254740993." + "0" * 900 + "1",
)  # fmt: skip


def half_way(rng: random.Random) -> str:
    """A number half-way between two doubles, or next to that, in all its digits."""
    low = rng.getrandbits(53) | 1 << 52
    power = rng.randrange(-300, 20)
    shown = str((2 * low + 1) * 5**-power) if power < 0 else str((2 * low + 1) << power)
    return shown + rng.choice(("", ".0", f".{0:030}1")) + (f"e{power}" if power < 0 else "")


def field(rng: random.Random) -> str:
    """A number, or nearly one, in one of many forms."""
    kind = rng.randrange(8)
    if kind == 0:
        return rng.choice(ODD)
    if kind == 1:
        return repr(rng.uniform(-1, 1) * 10.0 ** rng.randrange(-320, 309))
    if kind == 2:
        return half_way(rng)
    if kind == 3:
        return "".join(rng.choices("0123456789.eE-+¯∞inf ", k=rng.randrange(9)))
    whole = str(rng.getrandbits(rng.randrange(1, 80)))
    fraction = f".{rng.getrandbits(rng.randrange(1, 80))}" if rng.random() < 0.4 else ""
    exponent = f"{rng.choice('eE')}{rng.choice(('', '-', '+', '¯'))}{rng.randrange(330)}" if kind == 4 else ""
    return rng.choice(("", "-", "¯", "+")) + whole + fraction + exponent


def texts(rng: random.Random, count: int) -> Iterator[tuple[str, str]]:
    """Separators, and texts of fields between them or between others."""
    for _ in range(count):
        separators = rng.choice(SEPARATORS)
        between = [*(separators or BLANKS), *([] if rng.random() < 0.7 else [",", " "])]
        parts: list[str] = []
        for _ in range(rng.randrange(6)):
            around = [rng.choice(BLANKS) if rng.random() < 0.2 else "" for _ in range(2)]
            parts += [around[0], field(rng), around[1], rng.choice(between)]
        yield separators, "".join(parts[: len(parts) - rng.randrange(2)])


def codes(text: str) -> Any:
    return np.array([ord(c) for c in text], np.int64)


def agree(separators: Any, given: Any, found: Any, meaning: Any) -> None:
    wanted, answer = meaning(separators, given), found(separators, given)
    for one, other in zip(wanted, answer, strict=True):
        assert one.tobytes() == other.tobytes(), (separators, given)


@pytest.mark.parametrize("target", ("c", "openmp", "opencl"))
def test_as_the_interpreter(target: str) -> None:
    if lack := lack_of(target):
        pytest.skip(f"NOT CHECKED: {lack}")
    found, meaning = [aplc.fn(BOTH, target=each) for each in (target, "interp")]
    rng = random.Random(8)
    for separators, text in texts(rng, 3000 if target == "c" else 300):
        agree(codes(separators), codes(text), found, meaning)
    for text in ODD:
        agree(codes(","), codes(text), found, meaning)
        agree(codes(""), codes(text), found, meaning)


def test_characters_that_no_text_has() -> None:
    """Halves of pairs of UTF-16, which are given by Python only, are all the same."""
    text = "{valid numbers←⍺ ⎕VFI ⍵ ⋄ valid numbers}"
    found, meaning = [aplc.fn(text, target=each) for each in ("c", "interp")]
    given = "1\ud8002\ufffd3\udfff\ud7ff4\ue000\U0010ffff5"
    for separators in ("\ud800", "\udc00,", "\ufffd", "\ue000", "\U0010ffff", "\ud7ff\ufffd"):
        agree(separators, given, found, meaning)


def test_rounding_once() -> None:
    """Beside the doubles that Python reads."""
    found = aplc.fn("{2⊃','⎕VFI ⍵}", target="c")
    rng = random.Random(9)
    numbers = [half_way(rng) for _ in range(500)]
    numbers += [repr(math.ldexp(rng.random(), rng.randrange(-1100, 1024))) for _ in range(500)]
    assert found(",".join(numbers)).tolist() == [float(number) for number in numbers]


def test_many_digits_before_what_is_none() -> None:
    """As long as it takes to look at each of them once: not their square."""
    assert aplc.fn("{+/⊃' '⎕VFI ⍵}", target="interp")("7" * 2_000_000 + "x") == 0


def outcome(function: Any, given: Any) -> Any:
    try:
        found = np.asarray(function(given))
    except aplc.RunError as error:
        return str(error)
    return found.dtype, found.shape, found.tobytes()


@pytest.mark.parametrize("target", ("c", "openmp", "opencl"))
@pytest.mark.parametrize("text", ("{⍎⎕UCS ⍵}", "{⊃⍎⎕UCS ⍵}", "{(⊃⍎)¨(⍵≠59)⊆⎕UCS ⍵}"))
def test_execute_as_the_interpreter(target: str, text: str) -> None:
    """Values and errors, with the text that is no number and the item in which it is."""
    if lack := lack_of(target):
        pytest.skip(f"NOT CHECKED: {lack}")
    found, meaning = [aplc.fn(text, target=each) for each in (target, "interp")]
    rng = random.Random(10)
    tried = [text for _, text in texts(rng, 300 if target == "c" else 60)]
    tried = [text for text in tried if len(text) < 1000]
    tried += [
        "1;2 3;;4",
        "1;2x;3y",
        "x" * 41,
        "1 " + "é∞\U0001d4b3" * 30,
        "7 ab\0c",
        "\0",
        " \n1 2\t",
        "",
        *[odd for odd in ODD if len(odd) < 1000],
    ]
    for given in map(codes, tried):
        assert outcome(found, given) == outcome(meaning, given), given.tobytes()


def test_the_first_number_needs_no_memory() -> None:
    made = laila("t←⎕ReadFile 'x'\n⎕←+/(⊃⍎)¨(t≠⎕UCS 10)⊆t")
    assert "aplc_first_number" in made and "aplc_read_numbers" not in made
    assert "numbersOf" not in made


def test_threads_tell_the_first_error() -> None:
    lines = [str(k) for k in range(200_000)]
    found = aplc.fn("{(⊃⍎)¨⍵}", target="openmp", threads=2)
    assert found(lines)[-1] == 199_999
    lines[150_000] = lines[170_000] = "none"
    lines[120_000] = "1 2 thé"
    with pytest.raises(aplc.RunError, match="and thé is none in item 120001"):
        found(lines)


def test_nobody_asks_the_host() -> None:
    made = laila("t←⎕ReadFile 'x'\nl←{2⊃','⎕VFI ⍵}¨(t≠⎕UCS 10)⊆t\n⎕←l")
    assert "aplc_fields_numbers" in made and "aplc_fields_valid" not in made
    assert "numberFields" not in made


def test_how_many_there_are_is_asked_once() -> None:
    made = laila("t←⎕ReadFile 'x'\nv n←','⎕VFI t\n⎕←v/n")
    assert made.count("aplc_fields(") == 1
