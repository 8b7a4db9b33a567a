"""Updates of what a mask chooses, of arrays that go on."""

import numpy as np
import pytest

import aplc
from tests.laila.transform.filters.test_masked_updates import VECTORS, is_like, told

LOOPS = [
    "{({v←⍵ ⋄ v[⍸v<0]←3 ⋄ v[⍸2>v]-←1 ⋄ v}⍣4)⍵}",
    "{m←⍵>0 ⋄ ({v←⍵ ⋄ v[⍸m]×←2 ⋄ v}⍣3)⍵}",
    "{m←⍵>0 ⋄ ({v←⍵ ⋄ v[⍸m∨⌽m]+←1 ⋄ v}⍣3)⍵}",
    "{({v←⍵ ⋄ v[⍸¯1⌽0>v]←5 ⋄ v}⍣3)⍵}",
    "{({v←⍵ ⋄ m←v>⌽v ⋄ v[⍸m]←0 ⋄ v[⍸1⌽m]+←1 ⋄ v}⍣3)⍵}",
    "{({m←⍵<0 ⋄ n←⌽m ⋄ 1@(⍸n)⊢7@(⍸m)⊢⍵}⍣2)⍵}",
    "{({v←⍵ ⋄ i←⍸v>0 ⋄ v[i]←0 ⋄ v+≢i}⍣2)⍵}",
    "{({v←⍵ ⋄ i←⍸v>0 ⋄ v[i]←÷v[i] ⋄ v}⍣2)⍵}",
    "{({v←⍵ ⋄ i←⍸v≥0 ⋄ v[i]←3÷v[i] ⋄ v}⍣2)⍵}",
    "{({v←⍵ ⋄ v[⍸v>0]←⌽v[⍸v>0] ⋄ v}⍣3)⍵}",
    "{({v←⍵ ⋄ v[⍸v>0]←v[⍸⌽v>0] ⋄ v}⍣3)⍵}",
    "{({v←⍵ ⋄ v[⍸v>0]←+/v ⋄ v}⍣2)⍵}",
    "{({v←⍵ ⋄ v[1+⍸¯1↓v>0]←2 ⋄ v}⍣2)⍵}",
    "{({v←⍵ ⋄ v[⍸1,v>0]←2 ⋄ v}⍣2)⍵}",
    "{({v←⍵ ⋄ v[⍸2↑v>0]-←2 ⋄ v}⍣2)⍵}",
    "{s←0 ⋄ v←⍵ ⋄ r←{v[⍸v>⍵]-←1 ⋄ s+←+/v ⋄ s}¨⍳3 ⋄ r,v}",
    "{({m←⍵>0 ⋄ m←m∧⌽m ⋄ v←⍵ ⋄ v[⍸m]←0 ⋄ w←v ⋄ w[⍸~m]+←1 ⋄ v+w}⍣2)⍵}",
]


@pytest.mark.in_turn(6)
@pytest.mark.parametrize("text", LOOPS)
def test_values_and_errors(text: str) -> None:
    for v in VECTORS:
        wanted = told(aplc.fn(text, target="interp"), v)
        for target in ("c", "openmp"):
            assert is_like(told(aplc.fn(text, target=target), v), wanted), (target, v)


def test_a_mask_moved_along_a_torus_needs_no_places() -> None:
    step = "{e←(⍵='>')∧'.'=1⌽⍵ ⋄ g←'>'@(⍸¯1⌽e)⊢'.'@(⍸e)⊢⍵ ⋄ s←(g='v')∧'.'=1⊖g ⋄ 'v'@(⍸¯1⊖s)⊢'.'@(⍸s)⊢g}"
    function = aplc.fn(f"{{({step}⍣⍺)⍵}}")
    assert "FILTER" not in function.emit("laila", "[int]0", "[char]2")
    board = np.random.default_rng(5).choice([*"..>v"], (9, 11))
    wanted = aplc.fn(f"{{({step}⍣⍺)⍵}}", target="interp")(20, board)
    assert np.array_equal(function(20, board), wanted)


def test_rows_of_masks_are_walked_along() -> None:
    text = aplc.fn("{'>'@(⍸¯1⌽⍵='a')⊢⍵}").emit("laila", "[char]2")
    assert "FILTER" not in text and "rem(" not in text
