"""`⊃,/` of items that are enclosed arrays: what functions give with `⊂` in front, one behind the other."""

from __future__ import annotations

from typing import Any

import pytest

import aplc
from aplc.calling.options import TargetName
from tests.support.machine import needs_c

PERMUTATIONS = "{⍵=0:,⊂⍬ ⋄ p←∇⍵-1 ⋄ ⊃,/{n←⍵ ⋄ {n,⍵+⍵≥n}¨p}¨⍳⍵}"
CASES = [
    ("{⊃,/{⊂⍵,1}¨⍵}", [1, 2, 3], [[1, 1], [2, 1], [3, 1]]),
    ("{⊃⍪/{⊂⍵,1}¨⍵}", [4, 5], [[4, 1], [5, 1]]),
    ("{⊃,/{⊂⍵⍴⍵}¨⍵}", [1, 3, 2], [[1], [3, 3, 3], [2, 2]]),
    ("{⊃,/{⊂⍵,1}¨⍵}", [7], [[7, 1]]),
    ("{≢⊃,/{⊂⍵'abc'}¨⍵}", [1, 2, 3], 3),
    ("{p←⊂⍬ ⋄ ⊃,/{n←⍵ ⋄ {n,⍵}¨p}¨⍵}", [1, 2, 3], [[1], [2], [3]]),
    (f"{{+/¨{PERMUTATIONS}⍵}}", 3, [6, 6, 6, 6, 6, 6]),
]


def plain(value: Any) -> Any:
    return [plain(each) for each in value] if getattr(value, "ndim", 0) else int(value)


@pytest.mark.parametrize("target", ["interp", pytest.param("c", marks=needs_c)])
@pytest.mark.parametrize(("text", "given", "wanted"), CASES)
def test_values(text: str, given: Any, wanted: Any, target: TargetName) -> None:
    assert plain(aplc.fn(text, target=target)(given)) == wanted


@pytest.mark.parametrize(
    ("text", "shape"), [("''⍪⊂1 2", (1,)), ("''⍪2 0⍴⊂1 2", (3, 0)), ("'',0 2⍴⊂'ab'", (0, 3))]
)
def test_an_empty_vector_is_joined_as_items_are(text: str, shape: tuple[int, ...]) -> None:
    assert aplc.run(text, target="interp").shape == shape
