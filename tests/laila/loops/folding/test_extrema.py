"""Extrema of doubles whose lanes are written out."""

import numpy as np
import pytest

import aplc
from tests.support.commands import Cli

RNG = np.random.default_rng(11)


def test_where_the_extremum_and_nan_may_stand() -> None:
    functions = [aplc.fn("{(⌈/⍵),⌊/⍵×1}", target=target) for target in ("interp", "c")]
    least, greatest = [aplc.fn(f"{{{op}/⍵}}", target="c") for op in "⌊⌈"]
    for length in (0, 1, 2, 31, 32, 33, 35, 64, 8192, 8193, 8200):
        v = RNG.normal(size=length)
        for place in {0, length // 2 - 1, length // 2, length - 1} if length else ():
            for value in (9.0, -9.0, np.nan):
                w = v.copy()
                w[place] = value
                assert np.array_equal([greatest(w), least(w)], [np.max(w), np.min(w)], equal_nan=True)
        wanted, found = [function(v) for function in functions]
        assert wanted.tobytes() == found.tobytes()


@pytest.mark.parametrize(
    ("text", "lanes"),
    [("⌈/v", True), ("⌊/|v", True), ("(⌈/v)-⌊/v", False), ("⌈/*v", False), ("⌈/⌊v", False), ("+/v", False)],
)
def test_which_are_in_lanes(cli: Cli, text: str, lanes: bool) -> None:
    made = cli("emit", "c", "-e", f"f←{{v←⍵ ⋄ {text}}}", "--function", "f", "--types", "[double]1")
    assert ("aplc_round_lanes" in made.out) == lanes
