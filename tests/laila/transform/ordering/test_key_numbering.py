"""Keys that are numbered where their different ones are found."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc import fn
from aplc.tail.errors import RunError
from tests.support.laila.text import laila

RNG = np.random.default_rng(6)
KEYS: dict[str, Any] = {
    "close": RNG.integers(-20, 20, 500),
    "far": RNG.integers(-9, 9, 500) * 10**17,
    "few": RNG.integers(0, 3, 7),
    "none": np.zeros(0, np.int64),
    "doubles": RNG.choice([0.0, -0.0, 1.5, np.inf], 60),
    "booleans": RNG.random(50) < 0.5,
    "characters": np.array(list("mississippi"), "<U1"),
    "rows": RNG.integers(0, 3, (60, 2)),
    "rows of characters": np.array([*map(list, ("ab", "ba", "ab", "bb"))], "<U1"),
}


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("text", ("{(∪⍵)⍳⍵}", "{⍵{+/⍵}⌸⍳≢⍵}", "{{≢⍵}⌸⍵}", "{u←∪⍵ ⋄ (≢u),(u⍳⍵),⌽u⍳⊖⍵}"))
def test_values(text: str, keys: Any) -> None:
    wanted = aplc.fn(text, target="interp")(keys)
    for target in ("c", "openmp"):
        assert np.array_equal(aplc.fn(text, target=target)(keys), wanted)


def test_nan_is_nowhere() -> None:
    keys = np.array([3.0, np.nan, 3.0, np.nan, 1.0] * 3)
    assert aplc.fn("{(∪⍵)⍳⍵}", target="c")(keys).tolist() == [1, 9, 1, 9, 4] * 3


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("⎕←(∪v)⍳v", 0),
        ("⎕←v{+/⍵}⌸v×v", 0),
        ("u←∪v ⋄ ⎕←u⍳v ⋄ ⎕←u", 0),
        ("m←5000 2⍴v ⋄ ⎕←(∪m)⍳m", 0),
        ("⎕←(∪v)⍳⌽v", 0),
        ("⎕←(∪v)⍳1+v", 1),
        ("⎕←(1↓∪v)⍳v", 1),
        ("u←∪v ⋄ v[3]←9 ⋄ ⎕←u⍳v", 1),
        ("⎕CT←1E¯9 ⋄ w←÷v ⋄ ⎕←(∪w)⍳w", 1),
        ("⎕←{≢⍵}⌸(⍳300),v", 0),
        ("⎕←{≢⍵}⌸v,⍪⌽v", 0),
        ("⎕←v{+/⌽⍵}⌸⍳≢v", 0),
        ("⎕←(∪1+v)⍳1+⌽v", 0),
        ("⎕←(∪2×⍳9999)⍳2×⍳10001", 1),
        ("⎕←(∪v,⍪⌽v)⍳v,⍪⌽1+v", 1),
        ("u←∪v,⍪⌽v ⋄ v[3]←9 ⋄ ⎕←u⍳v,⍪⌽v", 1),
        ("u←∪(⍳300),v ⋄ v[3]←9 ⋄ ⎕←u⍳(⍳300),v", 1),
    ],
)
def test_which_are(text: str, tables: int) -> None:
    made = laila(f"v←300|7×⍳9999\n{text}")
    assert made.count("_make(") == tables
    assert made.count("aplc_number_") + made.count("aplc_count_each_") == 1 - tables


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("text", ("{{≢⍵}⌸(⍳9),,⍵}", "{{≢⍵}⌸⍵,⍪⌽⍵}", "{(0,⍵){+/⍵}⌸⌽⍳1+≢⍵}", "{(∪2×⍵)⍳2×⌽⍵}"))
def test_keys_that_are_computed_again(text: str) -> None:
    for n in (0, 1, 7, 8, 500):
        for keys in (
            RNG.integers(1, 9, n),
            RNG.integers(-(10**15), 10**15, n) >> 40,
            RNG.integers(0, 3, n) / 2,
        ):
            wanted = aplc.fn(text, target="interp")(keys)
            for target in ("c", "openmp"):
                assert np.array_equal(aplc.fn(text, target=target)(keys), wanted)


def test_different_keys_are_found_once() -> None:
    assert laila("v←300|7×⍳9999\n⎕←(∪v)[⍒{≢⍵}⌸v]").count("aplc_unique_") == 0


@pytest.mark.parametrize(
    ("text", "is_narrow"),
    [("⎕←v{+/⍵}⌸v×v", True), ("⎕←(∪v)[⍒v{+/⍵}⌸v×v]", True), ("⎕←(∪v)⍳⌽v", True), ("⎕←(∪v)⍳v", False)],
)
def test_numbers_are_narrow_where_they_are_not_wanted_themselves(text: str, is_narrow: bool) -> None:
    """Also those that a grade is told which nobody reads."""
    assert laila(f"v←300|7×⍳9999\n{text}").count("aplc_number_int_narrow(") == is_narrow


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("⎕←{≢⍵}⌸v", 1),
        ("⎕←{≢⍵}⌸v,⍪⌽v", 1),
        ("⎕←(∪v)[⍒{≢⍵}⌸v]", 1),
        ("⎕←{⍺,≢⍵}⌸v", 1),
        ("⎕←{⍺(100×≢⍵)}⌸v", 1),
        ("⎕←{≢⍵}⌸v÷2", 0),
        ("⎕←v{+/⍵}⌸v×v", 0),
        ("⎕←v{(+/⍵)÷≢⍵}⌸v×v", 0),
        ("⎕←{(≢⍵)-⊃⍵}⌸v", 0),
    ],
)
def test_what_is_only_counted_has_no_numbers(text: str, counted: int) -> None:
    made = laila(f"v←300|7×⍳9999\n{text}")
    assert made.count("aplc_count_each_") == counted
    assert made.count("aplc_number_") <= 1 - counted


@pytest.mark.parametrize(
    ("function", "is_told"),
    [
        ("(+/÷≢)⍵", True),
        ("(100×mean)⍵", True),
        ("⍺,mean ⍵", True),
        ("(spread÷2⍨)⍵", False),
        ("(mean-⌊/)⍵", True),
        ("mean←⊃ ⋄ mean ⍵", False),
        ("⍺ mean ⍵", False),
        ("(mean÷later)⍵", False),
    ],
)
def test_trains_and_named_functions_of_groups_are_folds(function: str, is_told: bool) -> None:
    """What they stand for is told where it mentions nothing but its argument."""
    names = "mean←+/÷≢ ⋄ spread←{(⌈/⍵)-⌊/⍵} ⋄ n←2 ⋄ later←{n+⌈/⍵}"
    text = laila(f"{names}\nv←300|7×⍳9999\n⎕←v{{{function}}}⌸v×v")
    assert ("alloc starts" not in text) == is_told


@pytest.mark.parametrize(
    ("function", "is_told"),
    [
        ("(+/×/⍵)÷+/⍵[;2]", True),
        ("⌈/|⍵[;1]-2×⍵[;2]", True),
        ("(≢⍵),+/(⍵[;1]*2)>⌊/⍵", True),
        ("+/⍵[1;]", False),
        ("+/×/⍵-1", False),
        ("+/+\\⍵[;1]", False),
    ],
)
def test_what_is_made_of_each_row_of_a_group_is_folded(function: str, is_told: bool) -> None:
    text = laila(f"v←300|7×⍳9999\n⎕←v{{{function}}}⌸v,⍪v×v")
    assert ("aplc_grade" not in text) == is_told


def test_folds_of_what_is_made_of_each_value() -> None:
    """An error is where the value is made."""
    keys, table = np.array([3, 1, 3, 3, 1]), np.arange(10.0).reshape(5, 2)
    vwap = fn("{⍺{(+/×/⍵)÷+/⍵[;2]}⌸⍵}", target="interp")
    assert vwap(keys, table).tolist() == [(0 + 20 + 42) / 13, (6 + 72) / 12]
    assert vwap(keys[:0], table[:0]).tolist() == []
    assert fn("{⍺{⎕IO←0 ⋄ +/⍵[;1]}⌸⍵}", target="interp")(keys, table).tolist() == [1 + 5 + 7, 3 + 9]
    with pytest.raises(RunError, match=r"1:6: DOMAIN ERROR"):
        fn("{⍺{+/÷⍵}⌸⍵}", target="interp")(keys, table[:, 0])


def test_where_groups_begin_is_told_by_their_counts() -> None:
    """Elements go where their keys tell, the numbers of the keys do not."""
    text = laila("v←300|7×⍳9999\n⎕←v{3↑⍵[⍒⍵]}⌸v×v")
    assert text.count("[place] =") == 1 and "aplc_grade_up_int" not in text


def test_sums_and_counts_by_key_share_a_loop() -> None:
    """One that may fail, or that reads what another changes, has a loop of its own."""
    text = laila("v←300|7×⍳9999\n⎕←v{(+/⍵)÷≢⍵}⌸v×v")
    assert text.count("numbers[") == 4 and text.count("UPDATE") == 0
    text = laila("v←1+300|7×⍳9999 ⋄ s←300⍴0 ⋄ t←300⍴0\ns[v]+←1 ⋄ t[v]+←s[v]\n⎕←s,t")
    assert text.count("UPDATE") == 2
