"""Errors inside functions of items name the item, with the same message on every target."""

import numpy as np
import pytest

import aplc
from tests.support.days import of_today
from tests.support.machine import require

TEXTS = {
    "an index": (
        "x←' '(≠⊆⊢)'many are here' ⋄ {⍵[4]}¨x",
        "INDEX ERROR: ⍵ has no element 4, the length is 3 in item 2",
    ),
    "a reduction": ("x←m⊂v ⋄ {(+/÷⍵)+≢⍵}¨x", "DOMAIN ERROR: ÷ divides by zero in item 3"),
    "a check in a loop, and one before it": (
        "x←m⊂v ⋄ {+/(÷⍵)×(⍳8)[⍳≢⍵]}¨x",
        "DOMAIN ERROR: ÷ divides by zero in item 3",
    ),
    "results that are arrays": ("x←m⊂v ⋄ {(÷⍵),≢⍵}¨x", "DOMAIN ERROR: ÷ divides by zero in item 3"),
    "index origin 0": ("⎕IO←0 ⋄ x←m⊂v ⋄ {(÷⍵),≢⍵}¨x", "DOMAIN ERROR: ÷ divides by zero in item 2"),
    "lengths of two items": (
        "x←m⊂v ⋄ x×¨(1 0 1 0 1 1 0 0⊂v)",
        "LENGTH ERROR: × needs equal lengths, got 2 and 3 in item 4",
    ),
    "a matrix of items": (
        "x←2 2⍴m⊂v ⋄ {(≢⍵)-÷⌊/⍵}¨x",
        "DOMAIN ERROR: ÷ divides by zero in item 2 1",
    ),
    "a matrix of results": (
        "x←2 2⍴m⊂v ⋄ {(÷⍵),1}¨x",
        "DOMAIN ERROR: ÷ divides by zero in item 2 1",
    ),
    "an outer product": (
        "x←m⊂v ⋄ (1 1⊂2↑v)∘.{÷⌊/⍺,⍵}x",
        "DOMAIN ERROR: ÷ divides by zero in item 1 3",
    ),
    "an outer product of arrays": (
        "x←m⊂v ⋄ (1 1⊂2↑v)∘.{÷⍺,⍵}x",
        "DOMAIN ERROR: ÷ divides by zero in item 1 3",
    ),
    "items of items": (
        "x←m⊂v ⋄ {+/{÷⊃⍵}¨⍵}¨{((≢⍵)⍴1)⊂⍵}¨x",
        "DOMAIN ERROR: ÷ divides by zero in item 2 of item 3",
    ),
    "what the host computes": (
        "x←{2 2⍴⍵}¨(8⍴1 0 0 0)⊂8↑0 1 1 0,v ⋄ {+/,⌹⍵}¨x,⊂2 2⍴1",
        "DOMAIN ERROR: ⌹ needs a matrix with independent columns in item 3",
    ),
    "a group of a key": (
        "1 1 2 2{÷⌊/⊃⍵}⌸m⊂v",
        "DOMAIN ERROR: ÷ divides by zero in item 2",
    ),
    "a strand": ("{÷⍵[2]}¨(1 2)(3 0 4)v", "DOMAIN ERROR: ÷ divides by zero in item 2"),
    "a strand, when compiling": (
        "(1 2)(3 4 5)+(1 2)(3 4)",
        "LENGTH ERROR: + needs equal lengths, got <int>3 and <int>2 in item 2",
    ),
    "strands of strands": (
        "{{÷⊃⍵}¨⍵}¨((1 2)(3 4 5))((1 2)(0 4 5))",
        "DOMAIN ERROR: ÷ divides by zero in item 2 of item 2",
    ),
    "items in a strand": (
        "{{÷⊃⍵}¨m⊂⍵}¨v(⌽v)(-v)",
        "DOMAIN ERROR: ÷ divides by zero in item 2 of item 2",
    ),
    "what is the same for all items": (
        "x←m⊂v ⋄ {(≢⍵)+(8⌷v)÷5⌷v-5}¨x",
        "DOMAIN ERROR: ÷ divides by zero in item 1",
    ),
    "items that another function makes": (
        "{⍵[4]}¨⌽¨' '(≠⊆⊢)'many are here'",
        "INDEX ERROR: ⍵ has no element 4, the length is 3 in item 2",
    ),
    "items that are made of numbers": (
        "{⍵[2]}¨⍳¨⌊v+1",
        "INDEX ERROR: ⍵ has no element 2, the length is 1 in item 6",
    ),
    "items of items that were made": (
        "∊{2+/⍵}¨⍳¨⌊v",
        "LENGTH ERROR: +/ needs windows of at most 1 elements, got 2 in item 6",
    ),
    "what makes items of numbers is in no item": (
        "⌽¨⍳¨⌊v-1",
        "DOMAIN ERROR: ⍳ needs a count that is not negative, got ¯1",
    ),
    "a recursive function is in no item": (
        "f←{1≥≢⍵:÷⍵ ⋄ (f 1↑⍵),f 1↓⍵} ⋄ x←m⊂v ⋄ f¨x",
        "DOMAIN ERROR: ÷ divides by zero",
    ),
}
INPUTS = {
    "m": np.array([1, 0, 1, 0, 1, 0, 1, 0], dtype=bool),
    "v": np.array([1.0, 2.0, 4.0, 3.0, 5.0, 0.0, 8.0, 10.0]),
}


WITH_THREADS = of_today([(name, target) for name in TEXTS for target in ("openmp", "opencl")], 4)


@pytest.mark.in_turn(8)
@pytest.mark.parametrize(
    ("name", "target"), [*[(name, target) for name in TEXTS for target in ("interp", "c")], *WITH_THREADS]
)
def test_the_item_is_named(name: str, target: str) -> None:
    if target != "interp":
        require(target)
    text, message = TEXTS[name]
    used = {n: v for n, v in INPUTS.items() if n in text.replace("many", "")}
    with pytest.raises(aplc.Error) as raised:
        aplc.run(text.replace(" ⋄ ", "\n"), target=target, inputs=used)
    (diagnostic,) = raised.value.diagnostics  # type: ignore[attr-defined]
    assert f"{diagnostic.kind}: {diagnostic.message}" == message


def test_a_call_from_python_names_it_too() -> None:
    require("c")
    reciprocals = aplc.fn("{{+/÷⍵}¨(8⍴1 0)⊂⍵}")
    for _ in range(4):
        reciprocals(np.ones(8))
    with pytest.raises(aplc.Error, match="divides by zero in item 2"):
        reciprocals(np.array([1.0, 1, 1, 0, 1, 1, 1, 1]))
