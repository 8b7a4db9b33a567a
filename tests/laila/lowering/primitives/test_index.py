"""Assignments by index: which error comes first, and what is changed in place."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.options import Options
from tests.support.compiling import c_of

V, M = np.array([1.0, 2.0, 3.0]), np.arange(6.0).reshape(2, 3)

WRONG = {
    "a place, and how many values": ("{v←⍺ ⋄ v[⍵]←⍳3 ⋄ v}", V),
    "a place of a matrix, and how many values": ("{m←⍺ ⋄ m[1;⍵]←⍳4 ⋄ m}", M),
    "a place, and the value": ("{m←⍺ ⋄ m[⍵;9]←÷⊃9-⍵ ⋄ m}", M),
    "what is left of an array, and how many values": ("{v←0⍴⍺ ⋄ (2↑v)←⍵,⍵,⍵ ⋄ v}", V),
    "the first change, and how many values of the next": ("{v←⍺ ⋄ v[⊃⍵]←1 ⋄ v[2 3]←⍳1+⍵ ⋄ v}", V),
    "the first change, and the values of the third": ("{v←⍺ ⋄ v[⊃⍵]←1 ⋄ v[1]←9 ⋄ v[2]←÷⊃9-⍵ ⋄ v}", V),
    "the second change, and the third": ("{v←⍺ ⋄ v[1]←1 ⋄ v[⊃⍵]+←9 ⋄ v[2 3]←⍳1+⍵ ⋄ v}", V),
}


def told(text: str, target: Any, *arguments: Any) -> str:
    """The error of a function."""
    with pytest.raises(aplc.Error) as caught:
        aplc.fn(text, target=target)(*arguments)
    return str(caught.value)


@pytest.mark.parametrize(("text", "array"), WRONG.values(), ids=WRONG)
def test_the_first_error_is_that_of_the_interpreter(text: str, array: Any) -> None:
    for places in (np.array([9]), np.array([9, 2])):
        expected = told(text, "interp", array, places)
        assert told(text, "c", array, places) == expected


def test_changes_that_read_the_old_array_take_its_memory() -> None:
    text = "v←⍋⍵ ⋄ w←v ⋄ v[1]←0 ⋄ v[2]←w[3] ⋄ v"
    assert c_of(text.replace("⍵", "a"), Options(), a=[3, 1, 2]).count("aplc_alloc(") == 1
    targets: list[Any] = ["interp", "c"]
    for target in targets:
        assert aplc.fn(f"{{{text}}}", target=target)([3, 1, 2]).tolist() == [0, 1, 1]
