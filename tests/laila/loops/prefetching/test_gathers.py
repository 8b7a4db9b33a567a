"""Elements that are read where data tell: the loops leave at once, and ask for those of later rounds."""

from __future__ import annotations

import numpy as np
import pytest

import aplc
from aplc import fn
from aplc.laila.loops.prefetching.gathers import AHEAD, FAR
from aplc.options import Options
from tests.support.compiling import c_of
from tests.support.machine import needs_c

LARGE = np.arange(FAR // 8 + 2, dtype=float)
"""Longer by two than what is near."""

ASKS = {
    "+/x[i]": 1,
    "x[i]": 1,
    "x[1+n|i×7]": 1,
    "(x[i])+y[i]": 2,
    "x[⍋i]": 1,
    "+/x[i[i]]": 2,  # of both arrays, each where one element tells
    "x[1+n|i⌊i⌽⍨1]": 1,
    "+/*○x[⍋i]÷3": 0,  # too much to do out of lanes
    "+/x[⍳n]": 0,  # one behind the other
    "1⌽x": 0,
}


@pytest.mark.parametrize(("text", "arrays"), ASKS.items())
def test_what_is_asked_for(text: str, arrays: int) -> None:
    made = c_of(text, Options(target="c"), x=[0.5], y=[0.5], i=[1], n=1)
    assert len({line.strip() for line in made.splitlines() if "APLC_AHEAD(" in line}) == arrays, made


def test_no_flag_is_raised_where_little_else_is_done() -> None:
    """So the loop stands once, and tells which place was wrong."""
    made = c_of("+/2×x[i]", Options(target="c"), x=[0.5], i=[1])
    assert "bad" not in made and made.count("for (") == 1


@needs_c
@pytest.mark.parametrize("target", ["c", "openmp"])
@pytest.mark.parametrize("count", [0, 1, AHEAD - 1, AHEAD, 1000])
def test_values_of_what_is_near_and_far(target: str, count: int) -> None:
    gather, total, sorted_by = (fn(f, target=target) for f in ("{⍺[⍵]}", "{+/⍺[⍵]}", "{⍺[⍋⍵]}"))
    for x in (LARGE, LARGE[:-2], LARGE[: max(count, 1)]):
        places = np.random.default_rng(count).integers(1, len(x) + 1, count)
        assert np.array_equal(gather(x, places), x[places - 1])
        assert total(x, places) == x[places - 1].sum()
    keys = np.random.default_rng(1).integers(0, 1 << 40, len(LARGE))
    assert np.array_equal(sorted_by(LARGE, keys), LARGE[np.argsort(keys, kind="stable")])


@needs_c
@pytest.mark.parametrize("text", ["{⍺[⍵]}", "{+/⍺[⍵]}"])
def test_the_first_wrong_place_is_told(text: str) -> None:
    places = np.ones(200, int)
    places[150:] = [-3, *[1] * 49]
    places[180] = len(LARGE) + 1
    with pytest.raises(aplc.RunError, match="¯3"):
        fn(text, target="c")(LARGE, places)
