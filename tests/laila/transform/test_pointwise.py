"""Loops over whole arrays of which each round changes every element for itself, against the interpreter.

There are elements enough for none, one or several strips of them, with and without a rest; rounds for none,
one, a check whether they still change anything, and many.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest

from aplc import fn
from aplc.calling.functions import Function
from aplc.laila.loops.masked_simd_loops import LANES_OF_ROUNDS, ROUNDS_TO_A_CHECK
from tests.support.machine import needs_c

Value = np.ndarray[Any, Any]

ELEMENTS = (0, 1, 7, 8, 17, LANES_OF_ROUNDS - 1, LANES_OF_ROUNDS, 2 * LANES_OF_ROUNDS + 3, 5000)
ROUNDS = (0, 1, 2, ROUNDS_TO_A_CHECK, 3 * ROUNDS_TO_A_CHECK + 5)

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]


def _doubles(random: np.random.Generator, n: int) -> Value:
    return random.choice([np.nan, 0.0, -0.0, 1.5, -2.0, np.inf, 0.3, -0.7, 1e300, 4.0], n)


def _moderate(random: np.random.Generator, n: int) -> Value:
    """Numbers with which a loop has no infinities, but for some strips of them."""
    x = random.choice([0.0, 1.5, -2.0, 0.3, -0.7, 1e30, 4.0], n)
    if n > 100:
        x[-40:-38] = [random.choice([-0.0, np.inf, np.nan, 1e200]), -0.0]
    return x


def _integers(random: np.random.Generator, n: int) -> Value:
    return random.integers(-(2**40), 2**40, n)


def _small(random: np.random.Generator, n: int) -> Value:
    return random.integers(-9, 9, n).astype(np.int8)


def _bits(random: np.random.Generator, n: int) -> Value:
    return random.integers(0, 2, n).astype(bool)


_ALL = (_doubles, _integers, _small, _bits)
FUNCTIONS = {
    "{0.5×⍵+c÷1+|⍵}": (_doubles, _integers, _bits),
    "{⍵+c}": _ALL,
    "{(⍵×100>|⍵)+c×100≤|⍵}": _ALL,
    "{(⍵×c<1)+(-⍵)×c≥1}": (_doubles, _integers, _small),
    "{(⍵+1)×~c<0}": (_doubles, _small),
    "{⍵⌈c}": _ALL,
    "{⍵≠c=1}": (_bits,),
    "{-⍵}": (_doubles, _integers, _small),
    "{⌊⍵÷2}": (_integers, _small),
}
ESCAPE = "{(x y k)←⍵ ⋄ in←4≥(x×x)+y×y ⋄ ((x×~in)+in×(c+x×x)-y×y)((y×~in)+in×c+2×x×y)(k+in)}"
SEVERAL = {
    "1⊃({(x y)←⍵ ⋄ (y)(x+c×y)}⍣⍺)⍵(0×⍵)": (_doubles, _integers),
    "2⊃({(x y)←⍵ ⋄ (y)(x+c×y)}⍣⍺)⍵(0×⍵)": (_doubles, _integers),
    "(x y)←({(x y)←⍵ ⋄ (x×0.5)(y+x>1)}⍣⍺)⍵((⍴⍵)⍴0) ⋄ x+y": (_doubles, _small),
    "3⊃({(x b k)←⍵ ⋄ in←b∧10>|x ⋄ ((x×~in)+in×c+x×x)in(k+in)}⍣⍺)⍵(⍵=⍵)((⍴⍵)⍴0)": (_doubles, _small),
    f"3⊃({ESCAPE}⍣⍺)⍵(0×⍵)(⌊0×c=c)": (_moderate,),
    "1⊃({(x k)←⍵ ⋄ in←~5<|x-k ⋄ ((x×~in)+in×c-x×x)(k+in)}⍣⍺)⍵(0.5+0×⍵)": (_moderate, _doubles),
    "1⊃({(x y)←⍵ ⋄ in←(x<3)∧y>¯3 ⋄ ((x×~in)+in×x+c)((y×~in)+in×y-c)}⍣⍺)⍵ ⍵": (_moderate,),
    "1⊃({(x y)←⍵ ⋄ in←100≥y×y ⋄ ((x×~in)+in×x×x)((y×~in)+in×c-y)}⍣⍺)⍵ ⍵": (_moderate,),
    "1⊃({(x k)←⍵ ⋄ (x+k×c)(k+1)}⍣⍺)⍵ 0": (_doubles, _integers),
}
TEXTS = {f"{{c←⌽⍵ ⋄ ({body}⍣⍺)⍵}}": makes for body, makes in FUNCTIONS.items()} | {
    f"{{c←⌽⍵ ⋄ {body}}}": makes for body, makes in SEVERAL.items()
}


def _agree(text: str, rounds: int, *arrays: Value) -> None:
    """Whether compiled code gives what is meant, to the bit."""
    ours, meant = fn(text), fn(text, target="interp")
    for x in arrays:
        _agrees(ours, meant, rounds, x)


def _agrees(ours: Function, meant: Function, rounds: int, x: Value) -> None:
    with np.errstate(all="ignore"):
        found, expected = np.asarray(ours(rounds, x)), np.asarray(meant(rounds, x))
    what = f"{rounds} rounds of {x.shape} {x.dtype}"
    assert found.shape == expected.shape, what
    if found.dtype == np.float64:
        found, expected = [np.where(np.isnan(a), np.nan, a).view(np.int64) for a in (found, expected)]
    np.testing.assert_array_equal(found, expected, what)


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("text", TEXTS)
def test_rounds(text: str) -> None:
    random = np.random.default_rng(7)
    ours, meant = fn(text), fn(text, target="interp")
    for make, n, rounds in product(TEXTS[text], ELEMENTS, ROUNDS):
        _agrees(ours, meant, rounds, make(random, n))


@pytest.mark.parametrize("shape", ((0, 3), (3, 0), (1, 1), (4, 5), (3, 16), (2, 37), (20, 3)))
def test_rows(shape: tuple[int, ...]) -> None:
    """What is the same for a row, or for a column, is read where it stands."""
    text = "{r←+/⍵ ⋄ c←⌽+⌿⍵ ⋄ s←⍴⍵ ⋄ ({(0.25×⍵)+(⍉(⌽s)⍴r)-s⍴c}⍣⍺)⍵}"
    random = np.random.default_rng(8)
    for rounds in ROUNDS:
        _agree(text, rounds, random.integers(-50, 50, shape) / 4)


def test_a_known_number_of_rounds() -> None:
    for rounds in (0, 1, 3, 100):
        text = f"{{k←⍺ ⋄ ({{k+⍵÷2}}⍣{rounds})⍵}}"
        _agree(text, 3, np.arange(40.0))


def test_rounds_end_when_nothing_changes() -> None:
    """As many rounds as these would take years."""
    halves = fn("{({⍵÷2}⍣⍺)⍵}")
    np.testing.assert_array_equal(
        halves(2**60, np.array([1.0, -3.0, np.nan, np.inf] * 9)), [0, 0, np.nan, np.inf] * 9
    )


def test_rounds_that_change_something_again() -> None:
    """What depends on the number of the round does not end early."""
    late = "{2⊃({(k x)←⍵ ⋄ (k+1)(x+k>50)}⍣⍺)0 ⍵}"
    _agree(late, 100, np.arange(40))
    sign = fn("{({-⍵}⍣⍺)⍵}")
    assert np.signbit(sign(101, np.zeros(40))).all()


def test_what_reads_rounds_is_one_map_with_them() -> None:
    """Elements that rounds made and one map reads are not written."""
    text = "{x←⍵ ⋄ y←0.5+0×⍵ ⋄ (x y)←({(x y)←⍵ ⋄ (x+0.01×x×1-y)(y+0.01×y×x-1)}⍣50)x y ⋄ x+2×y}"
    made = fn(text).emit("laila", "[double]1")
    assert made.count("MAP") == 1
    assert made.count("alloc") == 1
    found, wanted = [fn(text, target=t) for t in ("c", "interp")]
    for n in (0, 1, 70):
        given = np.arange(n) / 7
        np.testing.assert_allclose(found(given), wanted(given))
    for other in ("(x+⌽y)", "(+/x),+/y", "(x,y)", "(x+y)-y"):
        text = "{x←⍵ ⋄ y←0.5+0×⍵ ⋄ (x y)←({(x y)←⍵ ⋄ (x+0.01×x×1-y)(y+0.01×y×x-1)}⍣50)x y ⋄ OTHER}"
        found, wanted = [fn(text.replace("OTHER", other), target=t) for t in ("c", "interp")]
        np.testing.assert_allclose(found(given), wanted(given))
