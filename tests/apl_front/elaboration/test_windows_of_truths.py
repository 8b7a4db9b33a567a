"""Windows of two or more numbers that are compared give truth values."""

from __future__ import annotations

import numpy as np
import pytest

from aplc import fn
from tests.support.machine import needs_c

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]


@pytest.mark.parametrize(
    ("text", "argument", "result"),
    [
        ("{2≤/⍵}", "[double]1", "[bool]1"),
        ("{2≤/⍵}", "[int]2", "[bool]2"),
        ("{2≠⌿⍵}", "[double]2", "[bool]2"),
        ("{¯2</⍵}", "[double]1", "[bool]1"),
        ("{3=/⍵}", "[int]1", "[bool]1"),
        ("{2{⍺>0.5×⍵}/⍵}", "[double]1", "[bool]1"),
        ("{1≤/⍵}", "[double]1", "[double]1"),  # the elements themselves
        ("{2⌊/⍵}", "[double]1", "[double]1"),
        ("{(⌊0.5×≢⍵)≤/⍵}", "[int]1", "[int]1"),  # of as many elements as the run says
    ],
)
def test_types(text: str, argument: str, result: str) -> None:
    assert fn(text).compile(argument).types == (f"{argument} → {result}",)


def test_the_type_for_every_rank() -> None:
    assert fn("{2≤/⍵}").type == "[κ](ρ+1) → [bool](ρ+1)"
    assert fn("{1≤/⍵}").type == "[κ](ρ+1) → [κ](ρ+1)"


TEXTS = ("{∧/2≤/⍵}", "{∧\\2≤/⍵}", "{∨/2>/⍵}", "{+/2≠/⍵}", "{(2</⍵)/1↓⍵}", "{¯2</⍵}", "{3=/⍵}", "{~2=/⍵}")


@pytest.mark.parametrize("text", TEXTS)
def test_values(text: str) -> None:
    f, meaning = fn(text), fn(text, target="interp")
    for v in ([], [1.5], [1, 2], [2, 1, 1, 3], [1, 1 + 1e-15, 1], [np.nan, 1, 2], range(9000)):
        a = np.array(v, float)
        np.testing.assert_array_equal(_value(f, a), _value(meaning, a))
        assert np.asarray(_value(f, a)).dtype == np.asarray(_value(meaning, a)).dtype


def _value(f: object, a: np.ndarray) -> object:
    assert callable(f)
    try:
        return f(a)
    except Exception as error:
        return str(error)


def test_whether_numbers_ascend_is_no_search_for_common_multiples() -> None:
    assert "lcm" not in fn("{∧/2≤/⍵}").emit("c", "[double]1")
    assert "lcm" not in fn("{∧\\2≤/⍵}").emit("c", "[double]1")
