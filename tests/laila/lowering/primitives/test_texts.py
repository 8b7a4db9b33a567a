"""Numbers that the run-time system writes as texts: what the interpreter writes."""

import random

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

RNG = random.Random(3)
INTS = [
    0, 1, -1, 9, 10, -10, 2**63 - 1, -(2**63),
    *[10**k for k in range(19)], *[10**k - 1 for k in range(19)],
    *[RNG.randrange(-(10**k), 10**k) for k in range(1, 19) for _ in range(5)],
]  # fmt: skip
DOUBLES = [
    0.0, -0.0, 1.5, 1e10, 9999999999.9, 99999999999.9, 1e-5, 1e-6, 1.23e-6, 9.9999999999e-7, 1e-7, -1.5e-7,
    1e300, -1e-300, 5e-324, 0.1, 1 / 3, 2.5, 123456.5, float("inf"), -float("inf"), float("nan"),
    *[RNG.uniform(-1, 1) * 10.0 ** RNG.randrange(-20, 20) for _ in range(200)],
    *[sign * (10.0**k - less) for k in range(20) for sign in (1, -1) for less in (0, 1)],
    *[float(RNG.randrange(-(10**k), 10**k)) for k in range(1, 19) for _ in range(3)],
]  # fmt: skip


@pytest.mark.parametrize(
    "text", ("{⍕⍵}", "{⎕PP←17 ⋄ ⍕⍵}", "{⎕PP←3 ⋄ ⍕⍵}", "{⍕⍵>0}", "{⊃,/⍕¨⍵}", "{(⍕⍵)≡⍕⌽⌽⍵}")
)
@pytest.mark.parametrize("numbers", (INTS, DOUBLES))
def test_texts(text: str, numbers: list[float]) -> None:
    compiled, wanted = aplc.fn(text), aplc.fn(text, target="interp")
    for given in (np.array(numbers), np.array(numbers[:1])):
        assert np.array_equal(compiled(given), wanted(given))


@pytest.mark.parametrize("numbers", (INTS, DOUBLES))
def test_single_numbers(numbers: list[float]) -> None:
    compiled, wanted = aplc.fn("{⍕⍵}"), aplc.fn("{⍕⍵}", target="interp")
    for number in [*numbers[:60], *numbers[-60:]]:
        assert np.array_equal(compiled(number), wanted(number)), number


def test_no_numbers() -> None:
    assert np.asarray(aplc.fn("{⍕⍵}")(np.zeros(0))).shape == (0,)


@pytest.mark.parametrize(
    ("text", "asks"), [("⍕⍳?9", False), ("⍕÷?9", False), ("⍕2 2⍴?9", True), ("⍕0J1×?9", True)]
)
def test_what_asks_the_host(text: str, *, asks: bool) -> None:
    assert ("aplc_texts" not in laila(text)) is asks


def test_fields_and_texts_in_one_program() -> None:
    text = "{n←2⊃','⎕VFI ⍵ ⋄ ⍕2×n}"
    assert "".join(np.asarray(aplc.fn(text)(np.array(list("1,2.5,x,¯3"))))) == "2 5 0 ¯6"
