"""Programs of everyday work: what they are called with, and what they give, as in `rows`."""

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
    square,
    vector,
)


def _other(n: int) -> Value:
    return np.random.default_rng(5).random(n)


def _bonds(n: int) -> Arguments:
    """Discounts of 30 years; coupons and maturities of so many bonds."""
    return 1.03 ** -np.arange(1.0, 31), np.stack([0.1 * _other(n), ints(1, 31, n)], 1)


def _flows(n: int, k: int) -> Value:
    """So many investments of 100, each with what k years return."""
    return np.concatenate([np.full((n, 1), -100.0), 5 + 20 * random().random((n, k - 1))], 1)


def _trades(n: int) -> Arguments:
    """Seconds, ascending; prices and volumes."""
    return np.arange(n) * 6, np.stack([prices(n), ints(1, 1000, n)], 1)


def _quotes(n: int) -> Value:
    """Bids, offers and their sizes."""
    return np.stack([prices(n), prices(n) + 0.01, 1 + signal(n), 1 + _other(n)], 1)


def _orders(n: int) -> Value:
    """The side, the level of 100 and the new size of so many changes of a book."""
    side = ints(1, 3, n)
    level = np.where(side == 1, ints(1, 51, n), ints(51, 101, n))
    return np.stack([side, level, np.random.default_rng(5).integers(0, 4, n)], 1)


def _bars(n: int) -> Value:
    """High, low and close of so many days."""
    close = prices(n)
    return np.stack([close + 0.1 * signal(n), close - 0.1 * _other(n), close])


def _classified(n: int) -> Arguments:
    """Points with their classes, and so many points without one."""
    p = normal(500, 4)
    classes = 1 + (p[:, :1] > 0) + 2 * (p[:, 1:2] > 0)
    return np.concatenate([p, classes], 1), np.random.default_rng(5).normal(0, 1, (n, 4))


def _targets(n: int) -> Arguments:
    x = normal(n, 4)
    return x, _other(n) < 1 / (1 + np.exp(-x[:, 0]))


def _hidden(n: int) -> Arguments:
    r = random().random((6, 6))
    a = np.random.default_rng(5).random((6, 20))
    return (r / r.sum(1, keepdims=True), a / a.sum(1, keepdims=True)), ints(1, 21, n)


def _compressed(n: int) -> Arguments:
    """A matrix of eight values a row, in compressed rows, and a vector."""
    return (signal(8 * n), ints(1, n + 1, 8 * n), 1 + 8 * np.arange(n + 1)), _other(n)


def _samples(n: int) -> Value:
    """Places and values of so many samples of a function."""
    return np.stack([np.arange(n) + signal(n), signal(n)])


def _paths(n: int) -> Arguments:
    """The price, the strike and the barrier; so many paths of 64 steps."""
    return (100.0, 95.0, 80.0), 0.02 * normal(n, 64)


def _days(n: int) -> Arguments:
    """The first and last days of so many spans."""
    return ints(700_000, 730_000, n), ints(730_000, 740_000, n)


def _weights(n: int) -> Value:
    w = np.where(bits(0.1, n, n), 1 + random().random((n, n)), 1e9)
    return np.minimum(w, w.T)


def _arcs(n: int) -> Value:
    return np.concatenate([ints(1, n + 1, 5 * n, 2), ints(1, 100, 5 * n, 1)], 1)


def _texts(letters_of: str, n: int) -> Arguments:
    return letters(letters_of, n), letters(letters_of, n + n // 5)[n // 5 :].copy()


def _lines(n: int) -> Value:
    text = "".join(f"{i},item {i % 7},{(7919 * i) % 100000 / 100:.2f}\n" for i in range(n))
    return np.array([text]).view("<U1")


def _postfix(n: int) -> Value:
    """So many operators between digits, in postfix order."""
    r = random()
    text = ["1"]
    depth = 1
    for _ in range(n):
        if depth > 1 and (depth > 60 or r.random() < 0.5):
            text.append("+-*"[r.integers(3)])
            depth -= 1
        else:
            text.append("0123456789"[r.integers(10)])
            depth += 1
    return np.array(["".join(text)]).view("<U1")


def _bytes(n: int) -> Value:
    """So many numbers as variable-length bytes."""
    out = []
    for x in random().integers(0, 1 << 20, n) >> ints(0, 20, n):
        while x > 127:
            out.append(int(x) & 127 | 128)
            x >>= 7
        out.append(int(x))
    return np.array(out, np.uint8)


def _ledger(n: int) -> Arguments:
    """Quantities bought, or sold below zero, and prices."""
    side = np.where(bits(0.5, n), 1, -1)
    return (np.stack([side * ints(1, 9, n), ints(90, 110, n)], 1),)


def _groups(n: int) -> Arguments:
    """One of 20 groups, and a value, of so many members."""
    return np.concatenate([np.arange(20), ints(0, 20, n - 20)]), _other(n)


def _floor(n: int) -> Value:
    """A square with walls here and there, none in the first corner."""
    walls = bits(0.3, n, n)
    walls[0, 0] = False
    return walls


M = 1_000_000
EVERYDAY_ROWS = (
    Row("forwards", "bonds", lambda n: ((1 + signal(n) / n) / n,), 1000, M, "float64", vector),
    Row("bonds", "bonds", _bonds, 1000, M, "float64", vector),
    Row("convexities", "bonds", lambda n: (1.04, _flows(n, 20)), 100, 100_000, "float64", vector),
    Row("internalRates", "bonds", lambda n: (_flows(n, 12),), 100, 20_000, "float64", vector),
    Row("schedule", "bonds", lambda n: ((1e6, 1e-6, n),), 100, M, "float64", lambda n: (n, 3)),
    Row("riskMetrics", "markets", lambda n: (0.94, normal(n, 8)), 100, 50_000, "float64", lambda n: (8, 8)),
    Row("vwap", "markets", _trades, 1000, M, "float64", lambda n: (n // 10,)),
    Row("binPrices", "markets", _trades, 1000, M, "float64", lambda n: (n // 10,)),
    Row("microPrices", "markets", lambda n: (_quotes(n),), 1000, M, "float64", vector),
    Row("book", "markets", lambda n: (100, _orders(n)), 1000, 200_000, "int64", vector),
    Row("trueRange", "markets", lambda n: (_bars(n),), 1000, M, "float64"),
    Row("winters", "markets", lambda n: (np.array([0.3, 0.1, 0.2]), prices(n)), 1000, M, "float64", vector),
    Row("spearman", "samples", lambda n: (signal(n), _other(n)), 1000, 200_000, "float64"),
    Row("kendall", "samples", lambda n: (signal(n), _other(n)), 100, 3000, "float64"),
    Row("jackknife", "samples", lambda n: (signal(n),), 1000, M, "float64"),
    Row("signTest", "samples", lambda n: (2 * ints(0, 2, n, 100) - 1, normal(100)), 100, 50_000, "float64"),
    Row("outliers", "samples", lambda n: (normal(n),), 1000, M, "int64"),
    Row("correlations", "samples", lambda n: (normal(n, 16),), 100, 50_000, "float64", lambda n: (16, 16)),
    Row("variance", "samples", lambda n: (ints(1, 11, n), signal(n)), 1000, M, "float64"),
    Row("vote", "models", _classified, 50, 2000, "int64", vector),
    Row("newtonSteps", "models", _targets, 1000, 100_000, "float64", lambda n: (4,)),
    Row("tfidf", "models", lambda n: (ints(0, 4, n, 64),), 100, 20_000, "float64", lambda n: (n, 64)),
    Row("cosines", "models", lambda n: (normal(n, 32),), 50, 1000, "float64", square),
    Row("fitted", "models", lambda n: (normal(n, 4), _other(n)), 1000, 200_000, "float64", vector),
    Row("forward", "models", _hidden, 1000, 200_000, "float64"),
    Row("householder", "matrices", lambda n: (normal(4 * n, n),), 20, 100, "float64", square),
    Row("dominant", "matrices", lambda n: (50, 1 + random().random((n, n))), 20, 500, "float64"),
    Row("steady", "matrices", lambda n: (100, np.full((n, n), 1 / n)), 20, 400, "float64", vector),
    Row(
        "barycentric",
        "matrices",
        lambda n: (np.stack([np.cos(0.1 + np.arange(12)), np.arange(12.0)]), signal(n)),
        1000,
        200_000,
        "float64",
        vector,
    ),
    Row(
        "divided",
        "matrices",
        lambda n: (_samples(n),),
        10,
        1000,
        "float64",
        vector,
    ),
    Row("rowsTimes", "matrices", _compressed, 100, 100_000, "float64", vector),
    Row("fibonacciPower", "matrices", lambda n: (1_000_007, n), 1000, M, "int64"),
    Row("dijkstra", "graphs", lambda n: (1, _weights(n)), 50, 1000, "float64", vector),
    Row("spanning", "graphs", lambda n: (_weights(n),), 50, 1000, "float64"),
    Row("relaxed", "graphs", lambda n: (n, _arcs(n)), 50, 20_000, "int64", vector),
    Row("labels", "graphs", lambda n: (edges(n),), 50, 50_000, "int64", vector),
    Row("reached", "graphs", lambda n: (1, bits(0.003, n, n).astype(np.int64)), 50, 1000, "int64", vector),
    Row("levels", "graphs", lambda n: (bits(0.003, n, n),), 50, 1000, "int64", vector),
    Row("needleman", "tables", lambda n: _texts("ACGT", n), 50, 1500, "int64"),
    Row("commonSpan", "tables", lambda n: _texts("ACGT", n), 50, 3000, "int64"),
    Row("subsetSums", "tables", lambda n: (n, ints(1, 1000, 100)), 2000, 50_000, "int64"),
    Row("base64", "texts", lambda n: (letters("abcdefghij klm", 3 * n),), 100, M, "<U1", lambda n: (4 * n,)),
    Row("railFence", "texts", lambda n: (letters("abcdefgh", n),), 1000, M, "<U1", vector),
    Row("amounts", "texts", lambda n: (_lines(n),), 100, 50_000, "float64"),
    Row("trigrams", "texts", lambda n: (letters("abcdefghij klm", n),), 1000, M, "int64"),
    Row("polish", "texts", lambda n: (_postfix(n),), 1000, M // 2, "int64"),
    Row("distanceTransform", "pictures", lambda n: (bits(0.99, n, n),), 40, 1000, "int64", square),
    Row("hough", "pictures", lambda n: (180, ints(1, 140, n, 2)), 100, 20_000, "int64"),
    Row("filled", "pictures", lambda n: (bits(0.8, n, n),), 40, 500, "int64", square),
    Row("medianAt", "pictures", lambda n: (signal(n * n).reshape(n, n),), 40, 1000, "float64", square),
    Row("swirled", "pictures", lambda n: (image(n),), 40, 1000, "uint8", square),
    Row("gammas", "pictures", lambda n: (0.45, image(n)), 40, 2048, "int64", square),
    Row("rule", "simulations", lambda n: ((110, 100), bits(0.5, n)), 1000, 100_000, "int64", vector),
    Row("ant", "simulations", lambda n: (100, n), 1000, M, "int64"),
    Row("shuffled", "simulations", lambda n: (1 - signal(n),), 1000, M, "int64", vector),
    Row(
        "barrier",
        "simulations",
        _paths,
        100,
        20_000,
        "float64",
    ),
    Row("areaBelow", "simulations", lambda n: (random().random((n, 2)),), 1000, M, "float64"),
    Row("mobius", "numbers", lambda n: (n,), 1000, M, "int64", vector),
    Row("varints", "numbers", lambda n: (_bytes(n),), 100, M // 2, "float64", vector),
    Row("easter", "numbers", lambda n: (ints(1600, 2400, n),), 1000, M, "int64", vector),
    Row(
        "workdays",
        "numbers",
        _days,
        1000,
        M,
        "int64",
        vector,
    ),
    Row("civil", "numbers", lambda n: (ints(0, 30_000, n),), 1000, M, "int64", lambda n: (n, 3)),
    Row("twins", "numbers", lambda n: (n,), 1000, M, "int64"),
    Row("lots", "ledgers", _ledger, 1000, M, "int64"),
    Row("divergence", "ledgers", lambda n: (prices(n),), 1000, M, "float64", vector),
    Row("welford", "ledgers", lambda n: (signal(n),), 1000, M, "float64", lambda n: (2,)),
    Row("mannWhitney", "groups", lambda n: (0.9 * _other(n), signal(n)), 1000, 200_000, "float64"),
    Row("stratified", "groups", _groups, 1000, M, "float64", lambda n: (20, 2)),
    Row("binned", "groups", lambda n: ((0.0, 1.0, 32), _other(n)), 1000, M, "int64", lambda n: (32,)),
    Row("chebyshev", "groups", lambda n: (signal(8), signal(n)), 1000, M, "float64", vector),
    Row("wandered", "walks", lambda n: (ints(1, 5, n),), 1000, M, "int64", lambda n: (n, 2)),
    Row("steps", "walks", lambda n: (_floor(n),), 20, 700, "int64", lambda n: (n * n,)),
    Row("djb2", "residues", lambda n: (letters("abcdefghij ", n),), 1000, M, "float64"),
    Row("rolling", "residues", lambda n: (letters("abcdefghij ", n),), 1000, M, "float64"),
    Row("uniforms", "residues", lambda n: (n,), 1000, M, "float64", vector),
    Row("drunk", "residues", lambda n: (n,), 1000, M, "int64"),
)
