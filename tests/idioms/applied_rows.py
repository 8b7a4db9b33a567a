"""A set of applied programs: what they are called with, and what they give, as in `rows`."""

from __future__ import annotations

import numpy as np

from tests.idioms.rows import (
    Arguments,
    Row,
    Value,
    bits,
    edges,
    image,
    ints,
    letters,
    normal,
    prices,
    random,
    signal,
    vector,
)


def _labelled(n: int) -> Arguments:
    """Labels of so many, and scores."""
    return bits(0.3, n), np.random.default_rng(5).random(n)


def _classes(n: int) -> Arguments:
    """So many true classes of ten, and what was guessed."""
    right = ints(1, 11, n)
    return right, np.where(bits(0.8, n), right, np.random.default_rng(5).integers(1, 11, n))


def _pixels(n: int) -> Arguments:
    """So many pixels with an alpha channel, and what lies below."""
    r = np.random.default_rng(5)
    return r.integers(0, 256, (n, 4)).astype(np.uint8), r.integers(0, 256, (n, 3)).astype(np.uint8)


def _colours(n: int) -> Value:
    """So many colours as hue, saturation and value."""
    return random().random((n, 3)) * np.array([360.0, 1.0, 1.0])


def _quotes(n: int) -> Arguments:
    """Times and prices of so many quotes, and times of trades behind the first of them, all ascending."""
    r = random()
    quotes = np.stack([np.cumsum(r.exponential(1, n)), prices(n)], 1)
    return quotes, quotes[0, 0] + np.sort(r.random(n // 2)) * quotes[-1, 0]


def _gaps(n: int) -> Value:
    """Numbers of which more than half are missing."""
    return np.where(bits(0.4, n), prices(n), 0.0)


def _ticks(n: int) -> Arguments:
    """Times in seconds of so many trades, about ten a minute and one in each, and their prices."""
    return np.arange(n) * 6, prices(n)


def _polygon(n: int) -> Arguments:
    """A star of 40 corners, and so many points."""
    turn = 2 * np.pi * (np.arange(40) + 0.1) / 40
    size = np.where(np.arange(40) % 2, 0.4, 0.9)
    return np.stack([size * np.cos(turn), size * np.sin(turn)], 1), 2 * random().random((n, 2)) - 1


def _places(n: int) -> Value:
    """Latitudes and longitudes in degrees."""
    return random().random((n, 2)) * np.array([160.0, 360.0]) - np.array([80.0, 180.0])


M = 1_000_000
APPLIED_ROWS = (
    Row("gelu", "inference", lambda n: (normal(n),), 1000, M, "float64", vector),
    Row(
        "layerNorm",
        "inference",
        lambda n: (1 + 0.1 * normal(2, 64), normal(n, 64)),
        50,
        20_000,
        "float64",
        lambda n: (n, 64),
    ),
    Row("topPlaces", "inference", lambda n: (normal(n, 64),), 50, 20_000, "int64", lambda n: (n, 3)),
    Row("confusion", "inference", _classes, 1000, M, "int64", lambda n: (10, 10)),
    Row("auc", "inference", _labelled, 1000, M, "float64"),
    Row(
        "embedded",
        "inference",
        lambda n: (normal(1000, 32), ints(1, 1001, n, 8)),
        50,
        50_000,
        "float64",
        lambda n: (n, 32),
    ),
    Row(
        "fewestCoins",
        "dynamic programming",
        lambda n: (n, np.array([1, 7, 31, 90, 250])),
        1000,
        M // 2,
        "int64",
        lambda n: (n + 1,),
    ),
    Row("chain", "dynamic programming", lambda n: (ints(1, 100, n + 1),), 20, 300, "int64"),
    Row("increasing", "dynamic programming", lambda n: (ints(1, M, n),), 200, 100_000, "int64"),
    Row("seam", "dynamic programming", lambda n: (random().random((n, n)),), 50, 1000, "float64"),
    Row("bestSpan", "dynamic programming", lambda n: (ints(-99, 100, n),), 1000, M, "int64"),
    Row("warped", "dynamic programming", lambda n: (prices(n), signal(n)), 30, 1000, "float64"),
    Row("xorshift", "random numbers", lambda n: (100, ints(1, 1 << 30, n)), 100, 50_000, "int64", vector),
    Row(
        "normals",
        "random numbers",
        lambda n: (1 - signal(n), np.random.default_rng(5).random(n)),
        1000,
        M // 2,
        "float64",
        lambda n: (2 * n,),
    ),
    Row("ruin", "random numbers", lambda n: (bits(0.5, n, 200),), 50, 20_000, "int64"),
    Row("eroded", "images", lambda n: (image(n),), 64, 2048, "uint8", lambda n: (n - 14, n - 14)),
    Row("blended", "images", _pixels, 1000, M, "int64", lambda n: (n, 3)),
    Row("pixelated", "images", lambda n: (image(n),), 64, 2048, "int64", lambda n: (n, n)),
    Row("toRgb", "images", lambda n: (_colours(n),), 1000, M // 2, "int64", lambda n: (n, 3)),
    Row(
        "decimated",
        "signals",
        lambda n: (normal(16), signal(n)),
        1000,
        M,
        "float64",
        lambda n: ((n - 15) // 4,),
    ),
    Row("envelope", "signals", lambda n: (0.999, normal(n)), 1000, M, "float64", vector),
    Row("crossings", "signals", lambda n: (normal(n),), 1000, 4 * M, "int64"),
    Row("hops", "graphs", lambda n: (1, bits(4 / n, n, n)), 50, 1500, "int64", vector),
    Row("ranked", "graphs", lambda n: (n, edges(n)), 50, 50_000, "float64", vector),
    Row("unions", "graphs", lambda n: (n, ints(1, n + 1, n, 2)), 50, 200_000, "int64"),
    Row(
        "drawdowns",
        "series",
        lambda n: (np.exp(np.cumsum(0.01 * normal(1000, n), 0)),),
        20,
        500,
        "float64",
        vector,
    ),
    Row(
        "merged",
        "series",
        lambda n: (np.sort(ints(0, M, n)), np.sort(ints(0, M, n // 2))),
        100,
        M // 2,
        "int64",
        lambda n: (n + n // 2,),
    ),
    Row("crossover", "series", lambda n: (prices(n),), 1000, M, "float64"),
    Row("asOf", "series", _quotes, 1000, M // 2, "float64", lambda n: (n // 2,)),
    Row("filledForward", "series", lambda n: (_gaps(n),), 1000, M, "float64", vector),
    Row("bars", "series", _ticks, 1000, M, "float64", lambda n: (n // 10, 4)),
    Row("inside", "geometry", _polygon, 200, 50_000, "int64"),
    Row(
        "haversines",
        "geometry",
        lambda n: (_places(n), _places(n)[::-1].copy()),
        20,
        500,
        "float64",
        lambda n: (n, n),
    ),
    Row("closest", "geometry", lambda n: (normal(n, 2),), 50, 2000, "float64"),
    Row("harshad", "numbers", lambda n: (n,), 1000, M // 2, "int64"),
    Row("gcds", "numbers", lambda n: (6 * ints(1, 10_000, n, 6) - 3,), 100, 50_000, "int64"),
    Row("complement", "letters", lambda n: (letters("ACGT", n),), 1000, 4 * M, "<U1", vector),
    Row("gcWindows", "letters", lambda n: (letters("ACGT", n),), 1000, M, "int64"),
    Row("isograms", "letters", lambda n: (letters("abcdefghijklmn  ", n),), 1000, M, "int64"),
    Row(
        "scores",
        "letters",
        lambda n: (ints(1, 11, 26), letters("ABCDEFGHIJKLMNOP  ", n)),
        1000,
        M,
        "int64",
    ),
)
