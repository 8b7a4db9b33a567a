"""Folds of catenations, whose parts are folded each for itself where the order does not matter."""

from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila
from tests.support.machine import lack_of

PROGRAMS = (
    "{⌈/0,≢¨⍵⊆⍵}", "{⌈/(≢¨⍵⊆⍵),0}", "{⌊/7,(≢¨⍵⊆⍵),3}", "{+/1,2≠/⍵,0}", "{×/2,1+≢¨⍵⊆⍵}", "{∧/1,0<≢¨⍵⊆⍵}",
    "{∨/(0<≢¨⍵⊆⍵),0}", "{≠/1,1=2|≢¨⍵⊆⍵}", "{⌈/(≢¨⍵⊆⍵),≢¨(~⍵)⊆⍵}", "{⌊/(⍵/⍳≢⍵),≢¨⍵⊆⍵}", "{-/1,≢¨⍵⊆⍵}",
    "{+/(0.5×≢¨⍵⊆⍵),0.25}", "{⌈/0,{(⍳5)[⍵]}¨4+⍵}", "{⌈/((⍳5)[5+≢⍵]),{(⍳4)[⍵]}¨4+⍵}",
    "{⌈/({(⍳5)[⍵]}¨5+⍵),{(⍳4)[⍵]}¨4+⍵}",
)  # fmt: skip


def outcome(function: Any, given: Any) -> Any:
    try:
        found = np.asarray(function(given))
    except aplc.RunError as error:
        return str(error)
    return found.dtype, found.shape, found.tobytes()


@pytest.mark.parametrize("target", ("c", "openmp", "opencl"))
@pytest.mark.parametrize("text", PROGRAMS)
def test_as_the_interpreter(target: str, text: str) -> None:
    """Values, and the first of several errors."""
    if lack := lack_of(target):
        pytest.skip(f"NOT CHECKED: {lack}")
    found, meaning = [aplc.fn(text, target=each) for each in (target, "interp")]
    rng = np.random.default_rng(4)
    for given in [*[rng.integers(0, 2, n).astype(bool) for n in (0, 1, 2, 3, 40, 1000)], np.zeros(9, bool)]:
        assert outcome(found, given) == outcome(meaning, given), given


def test_lengths_of_pieces_need_no_pieces() -> None:
    made = laila("b←1=?100⍴2\n⎕←⌈/0,≢¨b⊆b")
    assert "do {" not in made and "provided" not in made


def test_doubles_are_added_in_one_fold() -> None:
    assert laila("v←?0⍴⍨100\n⎕←+/1,v").count("REDUCE") == 1
