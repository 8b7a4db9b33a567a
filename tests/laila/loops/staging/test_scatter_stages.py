"""Updates whose places or values take work: in blocks, with the errors of single elements."""

from typing import Any

import numpy as np
import pytest

import aplc
from aplc.laila.loops.staging.scatter_stages import BLOCK, FEWEST
from tests.support.machine import needs_c

TEXTS = (
    "{n←⍺ ⋄ a←n⍴0 ⋄ a[⌊1+n×0.999×|1○⍵]+←1 ⋄ a}",
    "{n←⍺ ⋄ a←n⍴0 ⋄ a[⌊1+n×|1○⍵]+←1 ⋄ a}",
    "{n←⍺ ⋄ a←n⍴0.5 ⋄ a[⌊0.5+⍵×n÷7]+←3○⍵ ⋄ a}",
    "{n←⍺ ⋄ a←n⍴0.5 ⋄ i←⌊0.5+n÷⍵ ⋄ a[i]←a[i]+1○⍵ ⋄ a}",
    "{n←⍺ ⋄ a←n⍴9.5 ⋄ a[1+n|⌊⍵×⍵]⌊←⍵×÷1+⍵ ⋄ a}",
    "{n←⍺ ⋄ a←n⍴0.5 ⋄ a[⌈⍵×n÷7]+←⍵×(n⍴÷3)[1+⌊⍵×0.99×n÷7] ⋄ a}",
    "{n←⍺ ⋄ a←n⍴0 ⋄ s←⍵ ⋄ _←{x←⍵ ⋄ a[⌊1+n×|0.99×1○s+x]+←1 ⋄ 0}¨⍳3 ⋄ a}",
)


def outcome(f: Any, *args: Any) -> Any:
    """What a function gives, or None for an error."""
    try:
        return np.asarray(f(*args))
    except aplc.RunError:
        return None


@needs_c
@pytest.mark.in_turn(8)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("target", ("c", "openmp"))
def test_values(target: str, text: str) -> None:
    found, meaning = [aplc.fn(text, target=each) for each in (target, "interp")]
    random = np.random.default_rng(31)
    for length in (0, 1, FEWEST - 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5):
        for n in (0, 1, 60):
            given = 7 * random.random(length)
            for place in (None, 0, length - 1):
                for special in (np.nan, -1.0, 0.0) if place is not None and length else (1.0,):
                    changed = given.copy()
                    if place is not None and length:
                        changed[place] = special
                    wanted, answer = outcome(meaning, n, changed), outcome(found, n, changed)
                    assert type(wanted) is type(answer), (n, length, place, special)
                    if isinstance(wanted, np.ndarray):
                        assert np.allclose(answer, wanted, rtol=1e-9, equal_nan=True)


@pytest.mark.parametrize(
    ("text", "types", "blocks"),
    (
        (TEXTS[0], "[int]0,[double]1", 1),
        (TEXTS[2], "[int]0,[double]1", 2),
        ("{a←⍺⍴0 ⋄ a[⍵]+←1 ⋄ a}", "[int]0,[int]1", 0),
        ("{a←⍺⍴0 ⋄ b←⍵ ⋄ a[b[b]]+←1 ⋄ a}", "[int]0,[int]1", 0),
        ("{a←⍺⍴0 ⋄ a[⌊1+⍺×|0.9×1○8↑⍵]+←1 ⋄ a}", "[int]0,[double]1", 0),
    ),
)
def test_which_are(text: str, types: str, blocks: int) -> None:
    """Simple places, what is gathered, and short loops stay as they are."""
    assert aplc.fn(text).emit("c", types).count(" part") >= blocks
    assert ("APLC_ALIGNED" in aplc.fn(text).emit("c", types)) is (blocks > 0)


@needs_c
@pytest.mark.in_turn(8)
def test_places_in_doubles() -> None:
    """Numbers of a table that are whole, or are not, at the first, the last or another place of a block."""
    text = "{y←(≢⍺)⍴0.0 ⋄ y[⍵[1;]]+←⍵[3;]×⍺[⍵[2;]] ⋄ y}"
    random = np.random.default_rng(5)
    x, n = random.random(50), 2 * BLOCK + 7
    table = np.concatenate([random.integers(1, 51, (2, n)), random.random((1, n))])
    for row, column in ((0, 0), (1, BLOCK - 1), (0, BLOCK), (1, n - 1), (2, 3)):
        for special in (50.0, 1.5, 0.0, 51.0, -1e300, np.inf, np.nan):
            changed = table.copy()
            changed[row, column] = special
            messages: list[Any] = []
            for target in ("interp", "c", "openmp"):
                try:
                    messages.append(np.asarray(aplc.fn(text, target=target)(x, changed)))
                except aplc.RunError as error:
                    messages.append(str(error))
            for each in messages[1:]:
                assert isinstance(each, str) == isinstance(messages[0], str)
                assert (
                    each == messages[0]
                    if isinstance(each, str)
                    else np.allclose(each, messages[0], rtol=1e-9, equal_nan=True)
                )


def test_nothing_is_asked_again() -> None:
    """Where all checks of a block hold, the loop of the writes has none, and chooses nothing."""
    text = aplc.fn("{y←(≢⍺)⍴0.0 ⋄ y[⍵[1;]]+←⍵[3;]×⍺[⍵[2;]] ⋄ y}").emit("c", "[double]1,[double]2")
    assert "a[t] += omega[2 * omega_n1 + i] * alpha[(int64_t)omega[omega_n1 + i] - 1];" in text
    assert "bad |= (int64_t)" in text
