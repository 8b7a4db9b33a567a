"""Updates of what a mask chooses."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.options import Options
from tests.support.compiling import compiled
from tests.support.laila.text import laila

RNG = np.random.default_rng(12)
TEXTS = [
    "{v←⍵ ⋄ v[⍸v<0]←0 ⋄ v}",
    "{v←⍵ ⋄ v[⍸v<0]←0 ⋄ v[⍸v>2]←2 ⋄ v}",
    "{v←⍵ ⋄ v[⍸0=2|⌊v]×←2 ⋄ v}",
    "{v←⍵ ⋄ ((v>3)/v)←7 ⋄ v}",
    "{v←⍵ ⋄ ((v>3)/v)×←2 ⋄ v}",
    "{0@(⍸⍵<0)⊢⍵}",
    "{v←+\\⍵ ⋄ w←3|v ⋄ v[⍸⍵>2]←7 ⋄ v w}",
    "{v←+\\⍵ ⋄ w←3|v ⋄ v[⍸⍵>2]←7 ⋄ v,w[⍋w]}",
    "{-@(0∘>)⊢⍵}",
    "{v←⍵ ⋄ v[⍸2</0,v]←9 ⋄ v}",
    "{v←⍵ ⋄ v[⍸2</0,v]-←⍵[⍸2</0,v] ⋄ v}",
    "{v←⍵ ⋄ i←⍸v>0 ⋄ v[i]←0 ⋄ v,≢i}",
    "{v←⍵ ⋄ v[⍳2⌊≢v]←0 ⋄ ((v>2)/v)←7 ⋄ v}",
    "{v←⍵ ⋄ v[⍳2⌊≢v]←4 ⋄ v[⍸¯1↓v>2]←7 ⋄ v}",
    "{v←⍵ ⋄ i←⍸v>0 ⋄ v[i]←0 ⋄ (⊂v),⊂i}",
    "{v←⍵ ⋄ v[⍸v>0]←i←3 ⋄ v×i}",
    "{v←⍵ ⋄ v[⍸v>0]←+/v ⋄ v}",
    "{v←⍵ ⋄ s←+/v ⋄ v[⍸v>0]←s ⋄ v,s}",
    "{v←⍵ ⋄ w←⌽v ⋄ v[⍸v>w]←0 ⋄ v,w}",
    "{v←⍵ ⋄ w←v ⋄ v[⍸w>0]←0 ⋄ w[⍸v=0]←1 ⋄ v,w}",
    "{v←⍵ ⋄ v[⍸⌽v>0]←v[⍸⌽v>0] ⋄ v}",
    "{v←⍵ ⋄ {v[⍸v>⍵]-←1 ⋄ 0}¨⍳3 ⋄ v}",
    "{v←⍵ ⋄ v[⍸v>0]←⌽v[⍸v>0] ⋄ v}",
    "{v←⍵ ⋄ b←v>0 ⋄ v[⍸b]←1-b/v ⋄ v}",
    "{v←⍵ ⋄ b←v>0 ⋄ v[⍸b]+←b/⌽v ⋄ v}",
    "{v←⍵ ⋄ b←v>0 ⋄ w←b/v ⋄ v[⍸b]←w÷2 ⋄ v,w}",
    "{v←⍵ ⋄ b←v>0 ⋄ u←v ⋄ v[⍸b]←b/⍳≢v ⋄ v,u}",
    "{v←⍵ ⋄ b←v>0 ⋄ {v[⍸b]←b/⌽v+⍵ ⋄ 0}¨⍳3 ⋄ v}",
    "{v←⍵ ⋄ b←v>0 ⋄ v[⍸b]←(⌽b)/v ⋄ v}",
    "{v←⍵ ⋄ b←v>0 ⋄ v[⍸b]←*b/v ⋄ v}",
    "{v←⍵ ⋄ v[⌽⍸v>0]←1 ⋄ v}",
    "{v←⍵ ⋄ v[1↓⍸v>0]←1 ⋄ v}",
    "{v←⍵ ⋄ v[⍸(v>0)∧⌽v<2]←÷3 ⋄ v}",
    "{v←1+⍵ ⋄ v[⍸v>1]←*v[⍸v>1] ⋄ v}",
    "{⎕IO←0 ⋄ v←⍵ ⋄ v[⍸v<0]←0 ⋄ v}",
    "{(5⌊≢⍵)↑{v←⍵ ⋄ v[⍸v<0]←0 ⋄ v}⍵}",
    "{v←⍵÷2 ⋄ m←0≠⍵ ⋄ (m/v)←8÷m/⍵ ⋄ v}",
    "{(÷@{0≠⍵})⍵}",
    "{(⍟@{0<⍵})⍵}",
    "{v←⍵ ⋄ m←⍵>0 ⋄ (m/v)←(⌽⍳9)[1+9|⌊m/⍵] ⋄ v}",
    "{v←⍵ ⋄ m←⍵>0 ⋄ v[⍸m]+←(⌽⍳9)[1+9|⌊m/⌽⍵] ⋄ v}",
    "{v←⍵ ⋄ m←⍵>0 ⋄ w←m/⍵ ⋄ (m/v)←÷w ⋄ v,≢w}",
    "{v←⍵ ⋄ m←⍵>0 ⋄ w←m/⍵ ⋄ (m/v)←÷w ⋄ v,⌽w}",
    "{v←⍵ ⋄ m←⍵>0 ⋄ w←m/⍵ ⋄ w←w[⍋w] ⋄ (m/v)←÷w ⋄ v,⌽w}",
    "{v←⍵ ⋄ m←⍵>0 ⋄ w←m/⍵ ⋄ w[⍸w>2]←9 ⋄ (m/v)←÷w ⋄ v,⌽w}",
    "{v←⍵ ⋄ m←⍵>0 ⋄ u←m/v ⋄ v[⍸⍵<0]←7 ⋄ (m/v)←÷u ⋄ v}",
    "{v←⍵ ⋄ v[⍸⍵>2]←5 ⋄ u←(v>0)/v ⋄ ((v>0)/v)←÷u ⋄ v}",
    "{v←⍵ ⋄ m←⍵>0 ⋄ (m/v)←10÷m/⌽⍵ ⋄ v}",
    "{v←⍵ ⋄ m←⍵>0 ⋄ a←10÷m/⌽⍵ ⋄ _←(⍳3)[⌊⍵] ⋄ (m/v)←a ⋄ v}",
    "{v←⍵ ⋄ m←⍵>0 ⋄ v[⍸m]←(10÷m/⌽⍵),0 ⋄ v}",
    "{v←⍵×2 ⋄ m←⍵>0 ⋄ a←÷v[⍸m] ⋄ v←v+3 ⋄ v[⍸m]←a ⋄ v}",
    "{v←⍵×2 ⋄ m←⍵>0 ⋄ a←⌽v[⍸m] ⋄ v←v+3 ⋄ v[⍸m]←a ⋄ v}",
    "{v←⍵×2 ⋄ _←{m←v>0 ⋄ a←÷v[⍸m] ⋄ v←v+⍵ ⋄ v[⍸m]←a ⋄ 0}¨⍳3 ⋄ v}",
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
VECTORS = [
    RNG.integers(-5, 6, 40),
    RNG.integers(-5, 6, 700) * 1.5,
    np.zeros(0, np.int64),
    np.array([-3.0]),
    np.array([4, 4, 4]),
]


def plain(value: Any) -> Any:
    """A value as lists of lists."""
    return [plain(x) for x in value] if isinstance(value, np.ndarray | list | tuple) else value


def is_like(made: Any, wanted: Any) -> bool:
    """Whether two values or errors are the same, doubles nearly so."""
    if isinstance(wanted, list):
        pairs = zip(made, wanted, strict=True)
        return isinstance(made, list) and all([is_like(x, y) for x, y in pairs])
    return bool(made == (pytest.approx(wanted, rel=1e-12) if isinstance(wanted, float) else wanted))


def told(function: Callable[..., Any], *given: Any) -> Any:
    """The value of a function, or its error."""
    try:
        return plain(function(*given))
    except aplc.AplcError as error:
        return str(error)


@pytest.mark.in_turn(12)
@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str) -> None:
    """Values and errors, of which the first is told."""
    for v in VECTORS:
        wanted = told(aplc.fn(text, target="interp"), v)
        for target in ("c", "openmp"):
            assert is_like(told(aplc.fn(text, target=target), v), wanted), (target, v)


OF_TWO = [
    "{v←⍵ ⋄ (⍺/v)←0 ⋄ v}",
    "{v←⍵ ⋄ (⍺/v)×←2 ⋄ +/v}",
    "{v←⍵ ⋄ v[⍸⍺]←7 ⋄ v}",
    "{v←⍵ ⋄ v[⍸⍺]←-v[⍸⍺] ⋄ v}",
    "{v←⍵ ⋄ ((~⍺)/v)←÷4 ⋄ (⍺/v)+←1 ⋄ v}",
    "{v←⍵ ⋄ ((1,⍺)/v)←3 ⋄ v}",
    "{v←⍵ ⋄ (⍺/v)←0 ⋄ v[⍸v>9]←1 ⋄ v}",
    "{v←⍵ ⋄ w←v ⋄ (⍺/v)←0 ⋄ w,v}",
    "{v←⍵×2 ⋄ (⍺/v)←÷⍺/v ⋄ v}",
    "{0@(⍸⍺)⊢⍵}",
    "{v←+\\⍵ ⋄ v[⍸⍺]←0 ⋄ u←v×2 ⋄ (⍺/v)←5 ⋄ u,v}",
    "{(2⊃¨⍺(⍳≢⍵)){v←⍵ ⋄ (⍺/v)←9 ⋄ v}⍵}",
    "{v←⌽⍵ ⋄ (⍺/v)←⍺/⍵ ⋄ v}",
    "{m←⍺ ⋄ v←⍳≢m ⋄ (m/v)←m/2×⍵ ⋄ v}",
    "{m←⍺ ⋄ v←0×⍳≢m ⋄ w←m/⍵ ⋄ (m/v)←w ⋄ v,≢w}",
    "{v←⌽⍵ ⋄ v[⍸⍺]←(⍺/⍵),0 ⋄ v}",
]


@pytest.mark.in_turn(12)
@pytest.mark.parametrize("text", OF_TWO)
def test_masks_and_arrays_of_any_lengths(text: str) -> None:
    """A mask or an array of one element extends, other lengths are errors or places that there are not."""
    made = {target: aplc.fn(text, target=target) for target in ("interp", "c", "openmp")}
    for m in (0, 1, 2, 40, 41):
        for n in (0, 1, 2, 40, 41):
            for mask in (np.arange(m) % 3 == 1, np.arange(m) >= 0, np.arange(m) < 0):
                wanted = told(made["interp"], mask, np.arange(n) + 1.5)
                for target in ("c", "openmp"):
                    found = told(made[target], mask, np.arange(n) + 1.5)
                    assert is_like(found, wanted), (target, m, n)


def test_a_mask_of_another_array_has_a_version() -> None:
    """For equal lengths there is no list of places, for others there is."""
    quick, _, slow = (
        aplc.fn("{v←⍵ ⋄ (⍺/v)←0 ⋄ v}").emit("laila", "[bool]1", "[double]1").partition("} else {")
    )
    assert "FILTER" not in quick and slow.count("FILTER") == 1


def test_what_one_mask_keeps_of_two_vectors_has_a_version() -> None:
    """Both filters count the same where the lengths are equal, so there is no condition on their counts."""
    shown = aplc.fn("{v←⍵ ⋄ m←v<0 ⋄ (m/v)←m/⍺ ⋄ v}").emit("laila", "[double]1", "[double]1")
    quick, _, slow = shown.partition("} else {")
    assert "FILTER" not in quick and "FILTER" in slow


@pytest.mark.parametrize(
    ("text", "lists"),
    [
        ("v[⍸v<0]←0", 0),
        ("v[⍸v<0]←0 ⋄ v[⍸v>9]←9", 0),
        ("((v>3)/v)×←2", 0),
        ("v←0@(⍸v<0)⊢v", 0),
        ("b←v<0 ⋄ v[⍸b]←1-b/v", 0),
        ("v[⍸2</0,v]←9", 1),
        ("w←v ⋄ v[⍸2</0,w]←9 ⋄ ⎕←w", 0),
        ("i←⍸v<0 ⋄ v[i]←0 ⋄ ⎕←i", 1),
        ("i←⍸v<0 ⋄ ⎕←+/v ⋄ v[i]←0", 0),
        ("v[⍸v<0]←⍳+/v<0", 1),
        ("v[⍸v>0]*←0.3", 1),
        ("m←v>0 ⋄ v[⍸m]×←(⍳9)[m/⌽v]", 2),
        ("m←v>0 ⋄ (m/v)←÷m/v", 0),
        ("m←v>0 ⋄ (m/v)←(⍳9)[m/v]", 0),
        ("w←⌽⍳999 ⋄ m←v>0 ⋄ v[⍸m]×←(⍳9)[m/w]", 0),
        ("v←(⍟@{0<⍵})v", 0),
        ("m←v>0 ⋄ w←m/v ⋄ (m/v)←÷w ⋄ ⎕←w[⍋w]", 1),
    ],
)
def test_which_are(text: str, lists: int) -> None:
    """A list of places is made where it is wanted itself, where it tells an order, and where few of much work
    are chosen.
    """
    assert laila(f"v←(7|⍳999)-3\n{text}\n⎕←v").count("FILTER") == lists


def test_what_was_written_in_part_is_asked_everywhere() -> None:
    """The choices took the place of the first elements alone."""
    shown = aplc.fn("{v←⍵ ⋄ v[⍳2⌊≢v]←0 ⋄ ((v>2)/v)←7 ⋄ v}").emit("laila", "[int]1")
    (asked,) = [line for line in shown.splitlines() if "> 2" in line]
    assert "< ⍵_n" in asked


def test_an_error_of_what_is_written_is_one_where_the_mask_holds() -> None:
    text = "{v←⍵ ⋄ v[⍸v<9]←÷v[⍸v<9] ⋄ v}"
    compiled = aplc.fn(text, target="c")
    assert compiled(np.array([9.0, 1.0])).tolist() == [9.0, 1.0]
    with pytest.raises(aplc.AplcError, match="DOMAIN ERROR"):
        compiled(np.array([9.0, 0.0]))


def test_letters_in_another_case() -> None:
    """What few elements need does not count: most letters are computed in lanes."""
    shown = aplc.fn("{t←⍵ ⋄ i←⍸2</0,⍵≠' ' ⋄ t[i]←1 ⎕C t[i] ⋄ t}").emit("laila", "[char]1")
    assert "FILTER" not in shown


def test_memory_lives_as_long_as_what_moved_behind_its_end() -> None:
    """A table of letters was freed in front of the update that looks into it."""
    text = "t←v ⋄ t[⍸t∊'aéσ']←1⎕C t[⍸t∊'aéσ'] ⋄ t"
    letters = np.array(list("aéσx" * 40))
    program, given = compiled(text, Options("c", 3, verify=True), v=letters)
    (made,) = program.run(given, lambda *_: None)
    assert "".join(map(chr, np.asarray(made).view(np.uint32).ravel())).startswith("AÉΣxA")
