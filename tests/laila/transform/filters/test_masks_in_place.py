"""Updates of what a mask chooses, of arrays that go on."""

import numpy as np

import aplc


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
