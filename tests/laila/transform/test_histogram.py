"""Counts and sums by key: a walk over the keys for many indices, comparisons for few."""

import numpy as np
import pytest

import aplc
from aplc.laila.transform.histogram import MANY
from tests.support.laila.text import laila

EXTENTS = (0, 1, MANY, MANY + 1, 1000)
LENGTHS = (0, 1, 77, 3000)


def counted(keys: np.ndarray, extent: int, weights: np.ndarray | None = None) -> np.ndarray:
    """What NumPy counts for the keys from 1 to the extent."""
    inside = (keys >= 1) & (keys <= extent)
    kept = None if weights is None else weights[inside]
    return np.bincount(keys[inside] - 1, weights=kept, minlength=extent)


@pytest.mark.parametrize("target", ("c", "openmp"))
@pytest.mark.parametrize("text", ("{+/(⍳⍺)∘.=⍵}", "{+⌿⍵∘.=⍳⍺}", "{+/(-⍳⍺)∘.=-⍵}", "{(+/(3+⍳⍺)∘.=3+⍵)×1+⍺-⍺}"))
def test_counts(text: str, target: str) -> None:
    count = aplc.fn(text, target=target)
    for extent in EXTENTS:
        for length in LENGTHS:
            keys = np.random.default_rng(length).integers(-3, extent + 5, length)
            assert np.array_equal(count(extent, keys), counted(keys, extent)), (extent, length)


def test_sums_by_key() -> None:
    sums, whole = aplc.fn("{((⍳⍺)∘.=|⍵)+.×⍵}", target="c"), aplc.fn("{+/(⍳⍺)×+/(⍳⍺)∘.=⌊⍵÷2}", target="c")
    for extent in EXTENTS:
        for length in LENGTHS:
            keys = np.random.default_rng(length).integers(-extent - 2, extent + 5, length)
            assert np.array_equal(sums(extent, keys), counted(abs(keys), extent, keys)), (extent, length)
            assert whole(extent, keys) == sum(counted(keys // 2, extent) * np.arange(1, extent + 1))


WEIGHTED = (
    "{+⌿⍺×[1]⍵∘.=⍳64}",
    "{(⍵∘.=⍳300)+.×⍨⍺}",
    "{⍺+.×⍵∘.=⍳5+≢⍺}",
    "{⍺+.×⍵∘.=⌽3×⍳5+≢⍺}",
    "{+/(-2×⍺×2)×[2](⍳64)∘.=⍵}",
)


@pytest.mark.parametrize("target", ("c", "openmp"))
@pytest.mark.parametrize("options", ({}, {"strict_fp": True}))
@pytest.mark.parametrize("text", WEIGHTED)
def test_weights(text: str, options: dict[str, bool], target: str) -> None:
    """Note [Infinite weights]: 0 times one that is infinite or NaN is NaN, also where keys are outside."""
    sums, meaning = aplc.fn(text, target=target, **options), aplc.fn(text, target="interp", **options)
    random = np.random.default_rng(8)
    for length in (0, 1, 9, 500):
        for wrong in (None, np.inf, -np.inf, np.nan, 1e308):
            for where in (-3, 0, 7, 900):
                w, keys = random.normal(size=length), random.integers(-5, 70, length)
                if wrong is not None and length > 0:
                    w[length // 2], keys[length // 2] = wrong, where
                expected = meaning(w, keys)
                if options:
                    assert np.array_equal(sums(w, keys), expected, equal_nan=True), (length, wrong, where)
                else:
                    near = np.isclose(sums(w, keys), expected, 1e-9, 1e-9, equal_nan=True)
                    assert near.all(), (length, wrong, where)


def test_keys_at_the_ends_of_the_range() -> None:
    count = aplc.fn("{+/(⍳⍺)∘.=⍵-1}", target="c")
    ends = np.array([-(2**63), 2**63 - 1, -(2**63) + 1, 2, 2**63 - 1])
    assert np.array_equal(count(500, ends), counted(np.array([1]), 500))


def test_one_walk() -> None:
    keys = "v←300|7×⍳9999\nw←⌽v\n"
    assert "UPDATE" in laila(f"{keys}⎕←+/(⍳300)∘.=v")
    assert "UPDATE" in laila(f"{keys}⎕←((⍳300)∘.=v)+.×w")
    assert "UPDATE" in laila(f"{keys}⎕←(w*0.5)+.×v∘.=⍳300")
    assert "UPDATE" in laila(f"{keys}⎕←+⌿(0.5×w)×[1]v∘.=⍳300")
    assert "finite" not in laila(f"{keys}⎕←+⌿0.5×w×[1]v∘.=⍳300"), "no integer is infinite"
    assert "UPDATE" in laila(f"{keys}⎕←+/(⍳300)×+/(⍳300)∘.=v")
    assert "if (8 < " in laila(f"{keys}k←≢∪v\n⎕←+/(⍳k)∘.=v")
    assert "UPDATE" not in laila(f"{keys}⎕←+/(⍳8)∘.=v"), "comparisons are faster"
    assert "UPDATE" not in laila(f"{keys}⎕←+/(⍳300)∘.<v")


def test_what_belongs_to_an_index() -> None:
    keys = "v←300|7×⍳9999\n"
    assert "table" in laila(f"{keys}⎕←+/(v×⍳9999)∘.=v")
    assert "table" not in laila(f"{keys}⎕←+/(32↑v)∘.=v"), "comparisons are faster"
    assert "table" in laila(f"{keys}⎕←((12↑v)∘.=v)+.×0.5×⌽v"), "what is added takes longer than to count"
    assert "table" not in laila(f"{keys}⎕←+/v∘.=0.5×v"), "which doubles are equal is no question of tables"
    frequencies = aplc.fn("{+/(∪⍵)∘.=⍵}", target="c")
    others = aplc.fn("{+/⍺∘.=⍵}", target="c")
    weights = aplc.fn("{(⍺∘.=⍵)+.×⍳≢⍵}", target="c")
    for length in LENGTHS:
        for span in (1, 3, 400, 10**6):
            v = np.random.default_rng(length).integers(-span, span, length)
            _, first, counts = np.unique(v, return_index=True, return_counts=True)
            assert np.array_equal(frequencies(v), counts[np.argsort(first)])
            some = np.concatenate([v[::3], v[::5], [7, -1]])
            equal = some[:, None] == v
            assert np.array_equal(others(some, v), equal.sum(1))
            assert np.array_equal(weights(some, v), equal @ np.arange(1, length + 1))


def test_characters() -> None:
    text = "".join(chr(0x391 + k * k % 500) for k in range(3000))
    found = aplc.fn("{+/(∪⍵)∘.=⍵}", target="c")(text)
    assert list(found) == [text.count(c) for c in dict.fromkeys(text)]


def test_no_copy() -> None:
    text = laila("v←300|7×⍳9999\nh←+/(⍳300)∘.=v\n⎕←h")
    assert text.count("alloc") == 3, "the places, the sums with those outside, the counts"


def test_places_for_other_keys() -> None:
    """A constant number of indices: keys outside have places, which are narrow and made in vectors."""
    text = laila("v←1○⍳9999\nh←+/(⍳10)∘.=⌈10×v-0.5\n⎕←h")
    assert "ftrunc(mind(11.0, maxd(0.0, " in text, "bounds of doubles"
    assert text.count("MAP places") == 1 and "FUSED" not in text and " where (" not in text
    assert "q < 4" in text and "q < 4" not in laila("⎕←+/(⍳4000)∘.=300|⍳9999"), "tables that fit the cache"


@pytest.mark.parametrize("target", ("c", "openmp"))
@pytest.mark.parametrize("extent", (10, 300, 5000))
def test_constant_extents(extent: int, target: str) -> None:
    count = aplc.fn(f"{{+/(⍳{extent})∘.=⌈⍵÷4}}", target=target)
    sums = aplc.fn(f"{{((⍳{extent})∘.=⍵)+.×0.5×⍳≢⍵}}", target=target)
    for length in LENGTHS:
        keys = np.random.default_rng(length).integers(-9, extent + 9, length)
        assert np.array_equal(count(4.0 * keys - 1), counted(keys, extent)), length
        assert np.allclose(sums(keys), counted(keys, extent, 0.5 * np.arange(1, length + 1)), 1e-9, 0)
        assert np.array_equal(sums(keys.astype("int16")), sums(keys))
    ends = np.array([-(2**63), 2**63 - 1, -1, 0, 1, extent, extent + 1])
    assert np.array_equal(sums(ends), counted(ends, extent, 0.5 * np.arange(1, 8)))


@pytest.mark.parametrize("wrong", (np.nan, np.inf, -np.inf, 2.0**63))
def test_keys_that_are_no_integers(wrong: float) -> None:
    count = aplc.fn("{+/(⍳10)∘.=⌈⍵}", target="c")
    with pytest.raises(aplc.Error, match="DOMAIN ERROR"):
        count(np.array([1.0, wrong, 2.0]))
    assert list(count(np.array([1.0, -(2.0**63), 1e18, 2.0, 2.0]))) == [1, 2] + 8 * [0]


def test_bounds_of_rounded_doubles() -> None:
    x = np.array([-1e18, -3.5, -0.5, -0.0, 0.5, 254.5, 255.5, 1e18])
    assert list(aplc.fn("{0⌈255⌊⌊⍵}", target="c")(x)) == [0, 0, 0, 0, 0, 254, 255, 255]
    assert list(aplc.fn("{(-2*53)⌈7⌊⌈⍵}", target="c")(x)) == [-(2**53), -3, 0, 0, 1, 7, 7, 7]
