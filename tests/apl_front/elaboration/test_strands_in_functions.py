"""Functions that put their argument beside something: no scalar functions, though nothing else is in them."""

from __future__ import annotations

import pytest

import aplc


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("({⍵ ⍵}⍤1)m", "↑{⍵ ⍵}¨↓m"),
        ("({1 ⍵}⍤1)m", "↑{1 ⍵}¨↓m"),
        ("({⍵ 1}⍤0)m", "m,[2.5]1"),
        ("({(-⍵)(⍵+1)}⍤0)m", "(-m),[2.5]m+1"),
    ],
)
def test_cells_side_by_side(text: str, same: str) -> None:
    assert aplc.run(f"m←2 3⍴⍳6 ⋄ ({text})≡{same}", target="interp") == 1
