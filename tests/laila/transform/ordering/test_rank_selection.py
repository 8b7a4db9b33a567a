"""Sorted arrays of which a few elements are read."""

from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.laila.text import laila

RNG = np.random.default_rng(7)
VECTORS: dict[str, Any] = {
    "doubles": RNG.normal(size=3001),
    "zeros and NaN": RNG.choice([0.0, -0.0, np.nan, -np.inf, 2.5, -1e-300], 700),
    "one NaN": np.array([2.0, np.nan, 1.0]),
    "integers": RNG.integers(-(2**62), 2**62, 999),
    "few values": RNG.integers(0, 3, 5000),
    "ends": np.array([2**63 - 1, -(2**63)] * 200),
    "alike": np.full(1000, 3),
    "bytes": RNG.integers(-9, 9, 600).astype(np.int8),
    "characters": np.array(list("selection" * 60), "<U1"),
    "booleans": RNG.random(400) < 0.3,
    "one": np.array([4.0]),
}


@pytest.mark.in_turn(16)
@pytest.mark.parametrize("v", VECTORS.values(), ids=VECTORS)
@pytest.mark.parametrize("order", ("⍋", "⍒"))
def test_values(order: str, v: Any) -> None:
    for text in (
        f"{{s←⍵[{order}⍵] ⋄ k←⌈⍺×≢⍵ ⋄ s[k],s[1+(≢⍵)-k]}}",
        f"{{s←⍵[{order}⍵] ⋄ s[1⌈⌈⍺×(≢⍵)×0.25 0.5 0.75]}}",
    ):
        meaning, found = [aplc.fn(text, target=target) for target in ("interp", "c")]
        for part in (1e-9, 0.1, 0.5, 0.9, 1.0):
            wanted, given = meaning(part, v), found(part, v)
            assert wanted.tobytes() == given.tobytes(), part


@pytest.mark.parametrize("places", ("0.25 0.5 1.75", "¯1 0.5 0.5", "0.5 0.5"))
def test_which_of_several_places_is_none(places: str) -> None:
    """The message is that of the meaning, with the first place that is outside."""
    v, said = np.array([3.0, 1.0, 2.0, 0.5]), []
    for target in ("interp", "c"):
        try:
            said.append(str(aplc.fn(f"{{s←⍵[⍋⍵] ⋄ s[⌈{places}×≢s]}}", target=target)(v).tolist()))
        except aplc.RunError as error:
            said.append(str(error))
    assert said[0] == said[1]


@pytest.mark.parametrize("place", (0, 4, -1))
def test_no_such_place(place: int) -> None:
    with pytest.raises(aplc.RunError, match="INDEX ERROR"):
        aplc.fn("{(⍵[⍋⍵])[⍺]}", target="c")(place, np.array([3.0, 1.0, 2.0]))


@pytest.mark.parametrize(
    ("text", "orders", "ranks"),
    [
        ("s←v[⍋v] ⋄ ⎕←s[⌈0.75×≢v]-s[⌈0.25×≢v]", 0, 2),
        ("s←v[⍒v] ⋄ ⎕←s[⌈0.1×≢v]", 0, 1),
        ("m←(v[⍋v])[⌈0.5×≢v] ⋄ ⎕←v-m", 0, 1),
        ("⎕←v-(v[⍋v])[⌈0.5×≢v]", 0, 1),
        ("s←v[⍋v] ⋄ ⎕←s[⌈0.1×≢v] ⋄ ⎕←s", 1, 0),
        ("s←v[⍋v] ⋄ ⎕←s[⌈(≢v)×(⍳5)÷5]", 1, 0),
        ("s←v[⍋v] ⋄ ⎕←s[⌈(≢v)×0.25 0.5 0.75]", 1, 0),
        ("s←v[⍋v] ⋄ k←⌈0.1×≢v ⋄ k←1⌈k⌊s[k] ⋄ ⎕←s[k]", 0, 2),
        ("g←⍋v ⋄ ⎕←g[⌈0.1×≢v]", 1, 0),
        ("g←⍋v ⋄ v[3]←7 ⋄ ⎕←v[g[⌈0.1×≢v]]", 1, 0),
    ],
)
def test_which_are(text: str, orders: int, ranks: int) -> None:
    made = laila(f"v←300|7×⍳9999\nv←(v>3)/v\n{text}")
    assert made.count("aplc_sort_") + made.count("aplc_grade_") == orders
    assert made.count("aplc_rank_") == ranks


def test_quartiles_of_doubles_are_selected() -> None:
    """Not those of integers, of which there may be few different ones."""
    quartiles = aplc.fn("{s←⍵[⍋⍵] ⋄ s[⌈(≢⍵)×0.25 0.5 0.75]}")
    for kind, ranks in (("[double]1", 3), ("[int]1", 0)):
        made = quartiles.emit("laila", kind)
        assert (made.count("aplc_rank_"), made.count("aplc_sort_")) == (ranks, not ranks)
