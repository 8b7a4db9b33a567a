"""Loops whose elements are looked up, block by block: what is found is what one by one finds."""

import numpy as np
import pytest

import aplc
from aplc.options import Options
from tests.support.compiling import c_of
from tests.support.machine import needs_c

LENGTHS = (0, 1, 255, 256, 257, 1000)
RNG = np.random.default_rng(7)
KEYS = {
    "few": RNG.permutation(7),
    "dense": RNG.permutation(500),
    "sparse": np.unique(RNG.integers(-(2**60), 2**60, 500)),
    "doubles": np.concatenate((RNG.normal(size=300), [0.0, np.inf, -np.inf])),
    "characters": np.array(list("aplc ⍳∊⌸≡≢xyz")),
    "wide characters": np.arange(0x100, 0x1000, 7, dtype=np.uint32).view("<U1"),
}


def sought(keys: np.ndarray, n: int) -> np.ndarray:
    """Elements of which some are among the keys."""
    some = keys[RNG.integers(0, len(keys), n)]
    other = np.array([ord("?")], np.uint32).view("<U1")[0] if keys.dtype.kind == "U" else 123456
    return np.where(RNG.random(n) < 0.2, other, some).astype(keys.dtype)


@needs_c
@pytest.mark.parametrize("target", ["c", "openmp"])
@pytest.mark.parametrize("kind", KEYS)
def test_places_in_a_vector(kind: str, target: str) -> None:
    keys = KEYS[kind]
    places, twice = aplc.fn("{⍺⍳⍵}", target=target, ct=0), aplc.fn("{(2×⍺⍳⌽⍵)-⍳≢⍵}", target=target, ct=0)
    first = {key: k + 1 for k, key in reversed(list(enumerate(keys.tolist())))}
    for n in LENGTHS:
        x = sought(keys, n)
        expected = np.array([first.get(each, len(keys) + 1) for each in x.tolist()], np.int64)
        assert np.array_equal(places(keys, x), expected), n
        assert np.array_equal(twice(keys, x), 2 * expected[::-1] - np.arange(1, n + 1)), n


@needs_c
@pytest.mark.parametrize("target", ["c", "openmp"])
def test_intervals(target: str) -> None:
    below = aplc.fn("{⍺⍸⍵}", target=target)
    for bounds in (np.arange(0, 90, 9), np.sort(RNG.normal(size=300)), np.array([0.5])):
        for n in LENGTHS:
            x = np.concatenate((RNG.normal(size=n) * 40, bounds[: n // 2])).astype(bounds.dtype)
            assert np.array_equal(below(bounds, x), np.searchsorted(bounds, x, "right")), n


@needs_c
def test_an_index_that_is_found_is_checked() -> None:
    f = aplc.fn("{(100×⍳≢⍺)[⍺⍳⍵]}", target="c", ct=0)
    keys = np.arange(3, 900)
    assert f(keys, np.array([5, 3])).tolist() == [300, 100]
    with pytest.raises(aplc.RunError, match="INDEX ERROR"):
        f(keys, np.array([*range(3, 500), 2]))


TOGETHER = {"a⍳b": 1, "1+a⍳-b": 1, "a⍸b": 1, "(a⍸b)-a⍸b-3": 2, "(a⍳b)+a⍸b": 2, "+/a⍸b": 1, "i,≢1↓i←a⍸b": 1}
"""What is looked up in loops, and in how many searches."""


@pytest.mark.parametrize("text", TOGETHER)
def test_elements_are_looked_up_together(text: str) -> None:
    a, b = np.arange(1000), np.arange(5000)
    code = c_of(text, Options(), a=a, b=b)
    assert code.count("_find_some") == TOGETHER[text]
    assert "_find_one" not in code


@needs_c
@pytest.mark.parametrize("target", ["c", "openmp"])
@pytest.mark.parametrize("kind", ["dense", "sparse", "doubles"])
def test_several_searches_share_a_loop(kind: str, target: str) -> None:
    bounds = np.sort(KEYS[kind])
    for text in ("{(⍺⍸⍵)-3×⍺⍸⍵-1}", "{+/(⍺⍳⍵)×⍺⍸⍵}", "{i←⍺⍸⍵ ⋄ +/i×(0,⍺)[1+i]}"):
        for n in LENGTHS:
            x = sought(bounds, n)
            expected, found = [aplc.fn(text, target=t)(bounds, x) for t in ("interp", target)]
            assert np.allclose(expected, found, rtol=1e-12, equal_nan=True), (text, n)


@needs_c
@pytest.mark.parametrize("text", ["{⌊⌿-⌿⍺⍳⍵}", "{+⌿⍺⍸⍵}", "{-⌿⍺⍳⍵}"])
def test_what_folds_look_up_is_looked_up_by_them(text: str) -> None:
    keys, x = np.arange(20), RNG.integers(0, 25, (3, 4, 300))
    wanted, found = [aplc.fn(text, target=target)(keys, x) for target in ("interp", "c")]
    assert np.array_equal(wanted, found)
