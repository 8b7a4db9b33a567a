"""Folds that a loop takes where it writes what they read: digits of numbers that are not in memory."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.calling.functions import Function
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.compiling import c_of

NUMBERS = [0, 1, 9, 10, 99, 100, 12321, -1, -10, -11, 2**63 - 1, -(2**63), 10**18 - 1, 10**18]
TAKEN = {
    "sum": "{+/10⊥⍣¯1⊢⍵}",
    "sum of squares": "{+/2*⍨10⊥⍣¯1⊢⍵}",
    "product": "{×/10⊥⍣¯1⊢⍵}",
    "greatest and least": "{d←10⊥⍣¯1⊢⍵ ⋄ (⌈/d)-⌊/d}",
    "backwards": "{10⊥⌽10⊥⍣¯1⊢⍵}",
    "backwards in another base": "{7⊥⌽3⊥⍣¯1⊢⍵}",
    "alternating": "{-/10⊥⍣¯1⊢⍵}",
    "with weights": "{d←10⊥⍣¯1⊢⍵ ⋄ d+.×3×⍳≢d}",
    "two folds": "{d←10⊥⍣¯1⊢⍵ ⋄ 10|(+/d)××/d}",
    "any base": "{+/(2+7|⍵)⊥⍣¯1⊢⍵}",
}
KEPT = {
    "from the first": "{10⊥10⊥⍣¯1⊢⍵}",
    "alternating from the first": "{-/⌽10⊥⍣¯1⊢⍵}",
    "one after the other": "{d←10⊥⍣¯1⊢⍵ ⋄ +/d×⌽d}",
    "neighbours": "{d←10⊥⍣¯1⊢⍵ ⋄ +/2</d}",
    "how many are the first": "{d←10⊥⍣¯1⊢⍵ ⋄ +/d=⊃d}",
    "the digits themselves": "{d←10⊥⍣¯1⊢⍵ ⋄ (+/d),d}",
    "a fold of the fold": "{d←10⊥⍣¯1⊢⍵ ⋄ +/d>(+/d)÷≢d}",
    "a position that may fail": "{d←10⊥⍣¯1⊢⍵ ⋄ +/0.0+9 8 7 6 5 4 3 2 1[1+d⌊8]÷d+1}",
}


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("name", [*TAKEN, *KEPT])
def test_values(name: str) -> None:
    text = (TAKEN | KEPT)[name]
    meaning = aplc.fn(text, target="interp", strict_fp=True)
    each = f"{{{text}¨⍵}}"
    for target in ("c", "openmp"):
        options = Options(target, verify=True, settings=Settings(strict_fp=True))
        found = Function([Source("text", text)], None, options)
        for number in NUMBERS:
            assert np.array_equal(found(number), meaning(number)), (target, number)
        if "themselves" not in name:
            options = Options(target, verify=True)
            many: Any = Function([Source("text", each)], None, options)(np.array(NUMBERS))
            np.testing.assert_allclose(many, [meaning(n) for n in NUMBERS], rtol=1e-9)


@pytest.mark.parametrize("name", [*TAKEN, *KEPT])
def test_digits_are_in_memory_only_where_they_are_read_again(name: str) -> None:
    text = (TAKEN | KEPT)[name]
    assert ("aplc_alloc(" in c_of(f"{text}v", Options(), v=123)) is (name in KEPT)


def test_what_a_fold_reads_is_what_it_was_behind_the_loop() -> None:
    """A fold stays behind what changes what it reads besides."""
    text = "{w←3×⍳≢⍵ ⋄ d←10⊥⍣¯1⊢⊃⍵ ⋄ w[1]←7+≢d ⋄ +/d×(≢d)⍴w}"
    found = Function([Source("text", text)], None, Options("c", verify=True))
    meaning = aplc.fn(text, target="interp")
    for given in ([123, 4], [9], [10**17, 0, 0]):
        assert found(np.array(given)) == meaning(np.array(given))
