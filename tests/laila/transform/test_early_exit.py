"""Folds that leave early, and the first element that a filter keeps."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.laila.ir.text_print import print_program
from aplc.options import Options
from aplc.tail.types import Array, Base, Rho
from tests.support import compiling
from tests.support.laila.programs import lowered

TEXTS = [
    "{∨/⍵>3}",
    "{∧/⍵<3}",
    "{(⍵>3)⍳1}",
    "{⍵⍳5}",
    "{5∊⍵}",
    "{⊃⍸⍵>3}",
    "{⊃(⍵>3)/⍵}",
    "{⊃(⍵>3)/⌽⍵}",
    "{⊃(3<+\\⍵)/⍵}",
    "{w←(⍵>3)/⍵ ⋄ 0=≢w:¯1 ⋄ ⊃w}",
    "{w←(⍵>3)/⍵ ⋄ (≢w),⊃w}",
    "{w←(⍵>3)/⍵ ⋄ (⊃w),⊃⌽w}",
    "{i←⍸⍵>3 ⋄ ⊃i,99}",
    "{⊃⍸(⍵>3)∧⌽⍵>3}",
    "{⊃⌽⍸⍵>3}",
    "{⊃⌽(⍵>3)/⍵+⍳≢⍵}",
    "{(⊃⌽⍸⍵>3)+⊃⍸⍵>3}",
    "{0⌈⌈/⍸⍵>3}",
    "{0⌈⌈/(⍵>3)/¯1+⍳≢⍵}",
    "{9⌊⌊/⍸⍵>3}",
    "{0⌈⌈/(⍵>3)/3×⍳≢⍵}",
    "{0⌊⌈/(⍵>3)/-⍳≢⍵}",
    "{∨/(⍵>3)∧1⌽⍵>3}",
    "{⎕IO←0 ⋄ (⍵>3)⍳1}",
    "{⎕IO←0 ⋄ ⊃⍸⍵>3}",
    "{⍵≡⌽⍵}",
    "{m←90 50⍴⍵,5 ⋄ m≡⍉⍉m}",
    "{m←70 70⍴⍵,5 ⋄ m≡⍉m}",
    "{m←∘.+⍨0.5×130⍴⍵,5 ⋄ m[128;3]+←1∊⍵ ⋄ m≡⍉m}",
    "{m←∘.+⍨130⍴⍵,5 ⋄ m[3;128]+←2=≢⍵ ⋄ ∨/,m≠⍉m}",
    "{(1↓⍵)≡¯1↓⍵}",
    "{1∊∨/⍵∘.=5 6 7}",
    "{s←0 ⋄ s+{⊃⍸⍵<v}¨1 4 9⊣v←⍵}",
    "{r←0 ⋄ r⊣{r+←(v>⍵)⍳1}¨⍳4⊣v←⍵}",
    "{v←⍵ ⋄ {k←⍵⌊(≢v)-⍵ ⋄ 2×+/∧\\(k↑⍵↓v)=k↑⌽⍵↑v}¨(1 2 9 4500)⌊≢v}",
    "{v←⍵ ⋄ {b←∨/3<⍵↓v ⋄ b+(2+~b)×⌊(≢v)÷⍵}¨⍳9}",
]
PLACES = (0, 1, 17, 4095, 4096, 4097, 8191, 9000)


def vectors() -> list[Any]:
    """Vectors with one element that is sought, or none, in every part of a piece."""
    found: list[Any] = [np.zeros(0, np.int64), np.array([5]), np.array([1.5])]
    for length in (5000, 8192, 9001):
        for place in PLACES:
            v = np.ones(length, np.int64)
            if place < length:
                v[place] = 5
            found.append(v)
    found.append(np.where(np.arange(9001) % 3000 == 2999, 5.0, 0.0))
    found.append(np.full(9001, np.nan))
    return found


@pytest.mark.in_turn(12)
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str) -> None:
    given = vectors()
    if "∘" in text or "¨" in text:
        given = given[:6] + given[-2:]
    wanted = [aplc.fn(text, target="interp")(v) for v in given]
    for target in ("c", "openmp"):
        compiled = aplc.fn(text, target=target)
        for v, value in zip(given, wanted, strict=True):
            assert np.array_equal(compiled(v), value), (target, v)


@pytest.mark.parametrize("text", ["{(∨/7=⍵∘.+⍵)⍳1}", "{⊃⍸∨⌿7=⍵∘.+⍵}", "{(∧/7≠⍵∘.+⍵)⍳0}", "{∨/,7=⍵∘.+⍵}"])
def test_a_square_that_is_the_same_on_both_sides_of_its_diagonal(text: str) -> None:
    """Its only pair lies in two pieces, of which the first has the row that is sought."""
    v = np.arange(130) * 1000
    v[5], v[100] = 3, 4
    for target in ("c", "openmp"):
        assert aplc.fn(text, target=target)(v) == aplc.fn(text, target="interp")(v)


@pytest.mark.parametrize(
    ("text", "loops", "filters"),
    [
        ("⎕←∨/v>3", 1, 0),
        ("⎕←(v>3)⍳1", 1, 0),
        ("⎕←⊃(v>3)/v", 1, 0),
        ("⎕←⊃⍸v>3", 1, 0),
        ("⎕←⊃⌽⍸v>3", 1, 0),
        ("⎕←⊃⌽(v>3)/v", 1, 0),
        ("⎕←⌈/⍸v>3", 1, 0),
        ("⎕←⌊/⍸v>3", 1, 0),
        ("w←(v>3)/v ⋄ ⎕←(≢w),⊃w", 0, 0),
        ("w←(v>3)/v ⋄ ⎕←2⌷w", 0, 1),
        ("⎕←(∨/v>3),+/v", 0, 0),
        ("⎕←∨/3<÷v", 0, 0),
        ("⎕←∨/3<1000↑v", 0, 0),
        ("⎕←{k←⍵⌊(≢v)-⍵ ⋄ 2×+/∧\\(k↑⍵↓v)=k↑⌽⍵↑v}¨⍳≢v", 1, 0),
        ("⎕←{k←⍵⌊9 ⋄ 2×+/∧\\(9↑⍵↓v)=9↑⌽⍵↑v}¨⍳≢v", 0, 0),
    ],
)
def test_which_leave_early(text: str, loops: int, filters: int) -> None:
    """Those that have a loop for themselves, cannot fail, and are long enough."""
    made = print_program(lowered(text, v=Array(Base.INT, Rho(1))))
    assert (made.count("while"), made.count("FILTER")) == (loops, filters)


def test_pieces_grow_with_threads() -> None:
    """What is found early takes no more than in one thread; what is found late is sought in threads."""
    text = "⎕←∨/v>3"
    made = compiling.c_of(text, Options("openmp"), v=np.arange(9))
    (end,) = [line.strip() for line in made.splitlines() if "int64_t stop = " in line]
    longest = "aplc_min_int(v_n, start + 1048576)"
    assert end == f"const int64_t stop = aplc_min_int({longest}, aplc_max_int(4096, 4 * start));"


@pytest.mark.parametrize("place", [4096, 16383, 16384, 19999])
def test_places_in_pieces_that_grow(place: int) -> None:
    v = np.ones(20000, np.int64)
    v[place] = 5
    assert aplc.fn("{(⍵>3)⍳1}", target="openmp")(v) == place + 1
