"""Updates at places that are looked up: several searches at a time, and the writes in order."""

from typing import Any

import numpy as np
import pytest

import aplc
from tests.support.machine import needs_c

RNG = np.random.default_rng(8)
KEYS: dict[str, Any] = {
    "close": RNG.permutation(100)[:60],
    "far": RNG.permutation(100)[:60] * 10**15,
    "few": np.array([3, -2, 7]),
    "doubles": RNG.permutation(100)[:60] / 7,
    "none": np.zeros(0, np.int64),
}
TEXTS = (
    "{t←(1+≢⍺)⍴0 ⋄ t[⍺⍳⍵]+←⍳≢⍵ ⋄ t}",
    "{t←(1+≢⍺)⍴0 ⋄ t[⍺⍳⍵]←⍳≢⍵ ⋄ t}",
    "{t←(1+≢⍺)⍴¯1 ⋄ t[⍺⍳⍵]⌈←⌊⍵ ⋄ t}",
    "{r←2+4|⍳≢⍺ ⋄ t←9⍴0 ⋄ t[(r,1)[⍺⍳⍵]]+←1 ⋄ t}",
    "{t←2⍴0 ⋄ t[1+⍵∊⍺]+←1 ⋄ t}",
    "{t←(≢⍺)⍴0 ⋄ t[⍺⍳⍵]+←1 ⋄ t}",  # INDEX ERROR where one is missing
    "{r←⍳≢⍺ ⋄ t←(≢⍺)⍴0 ⋄ t[r[⍺⍳⍵]]+←1 ⋄ t}",  # and here
)


def outcome(text: str, target: str, *given: Any) -> Any:
    """The value, or the message of the error."""
    try:
        return np.asarray(aplc.fn(text, target=target)(*given)).tolist()
    except aplc.RunError as error:
        return str(error)


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("text", TEXTS)
@needs_c
def test_values(text: str, keys: Any) -> None:
    some = np.append(keys, keys[:1] * 0 + 1)
    for count in (0, 1, 255, 256, 257, 1000):
        given = RNG.choice(some, count) if len(some) else np.zeros(0, np.int64)
        wanted = outcome(text, "interp", keys, given)
        for target in ("c", "openmp"):
            assert outcome(text, target, keys, given) == wanted


def test_which_are_searched_so() -> None:
    code = aplc.fn(TEXTS[0], target="c").emit("c", "[int]1", "[int]1")
    assert "aplc_table_int_find_some" in code
