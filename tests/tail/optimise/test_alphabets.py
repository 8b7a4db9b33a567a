"""Alphabets in small letters, and those put together, are constants."""

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

LETTERS = np.array(list("Straße, ÄÖ 12 aAzZ[`{@ Ǆ ς π"))


@pytest.mark.parametrize(
    "text",
    [
        "{(⎕C ⎕A)⍳⍵}",
        "{(⎕D,⎕A)⍳⍵}",
        "{(⎕A,(⎕C ⎕A),⎕D,'+/')⍳⍵}",
        "{((¯1⎕C ⎕A),⌽⎕A)⍳⍵}",
        "{⍵∊1⎕C 'aeiouß'}",
        "{a←⎕C'AEIOU' ⋄ +/⍵∊a,1⎕C a}",
        "{⍵=⎕C'Q'}",
    ],
)
@needs_c
def test_the_compiler_knows_them(text: str) -> None:
    function = aplc.fn(text, target="c")
    assert np.array_equal(function(LETTERS), aplc.fn(text, target="interp")(LETTERS))
    assert "aplc_table_char_make" not in function.emit("laila", "[char]1")


@pytest.mark.parametrize("way", ["", "1", "¯1"])
def test_a_text_that_is_known_and_one_that_is_not(way: str) -> None:
    text = "".join(LETTERS)
    known = aplc.fn(f"{{⍵,{way}⎕C'{text}'}}", target="interp")(np.array([], "<U1"))
    assert np.array_equal(known, aplc.fn(f"{{{way}⎕C⍵}}", target="interp")(LETTERS))
    assert aplc.fn(f"{{≢{way}⎕C''}}", target="interp")(0) == 0
