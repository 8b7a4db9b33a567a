"""A third set of programs: what they are called with, and what they give, as in `rows`."""

from __future__ import annotations

import numpy as np

from tests.idioms.rows import (
    Arguments,
    Row,
    Value,
    bits,
    image,
    ints,
    letters,
    prices,
    random,
    signal,
    square,
    vector,
)


def _garden(n: int) -> Value:
    """Plots and rocks, with one place to start from."""
    plots = letters("......#", n, n)
    plots[n // 2, n // 2] = "S"
    return plots


def _transitions(n: int) -> Value:
    return np.random.default_rng(5).integers(1, n + 1, (n, n))


def _words(n: int) -> Value:
    """Five letters each, of seven."""
    return letters("aeinrst", n, 5)


def _lattice(n: int) -> Value:
    return 0.1 + 0.01 * random().random((9, n, n))


def _labelled(n: int) -> Value:
    """Rows of a label, 0 or 1, and sixteen numbers."""
    x = random().normal(0, 1, (n, 17))
    x[:, 0] = x[:, 0] > 0
    return x


def _quotes(n: int) -> Arguments:
    return ints(1, 1000, n, 5), np.random.default_rng(5).integers(1, 1000, (n, 5))


def _cash(n: int) -> Value:
    """A payment, and ten that come back."""
    back = 10 + 10 * random().random((n, 11))
    back[:, 0] = -100
    return back


def _events(n: int) -> Arguments:
    return ints(1, 1 + n // 20, n), np.random.default_rng(5).integers(0, 86400, n)


def _entries(n: int) -> Arguments:
    """A vector, and ten entries of a matrix for each of its elements: rows, columns and numbers."""
    at = np.random.default_rng(5).integers(1, n + 1, (2, 10 * n)).astype(float)
    return signal(n), np.concatenate([at, random().random((1, 10 * n))])


def _system(n: int) -> Value:
    a = random().random((n, n))
    return (a + a.T) / 2 + n * np.eye(n)


def _brackets(n: int) -> Value:
    """Brackets of which each is closed, as far as they go."""
    depth = np.abs(np.cumsum(2 * bits(0.5, n) - 1))
    steps = np.concatenate([np.diff(depth, prepend=0), np.full(depth[-1], -1)])
    return np.where(steps > 0, "(", ")")


def _bodies(n: int) -> Value:
    x = random().normal(0, 1, (7, 5))
    x[6] = 1 + np.abs(x[6])
    return x


def _sales(n: int) -> Arguments:
    return signal(n), np.stack([ints(1, 11, n), np.random.default_rng(5).integers(1, 25, n)], 1)


M = 1_000_000
THIRD_ROWS = (
    Row("increases", "puzzles", lambda n: (ints(0, 10000, n),), 1000, M, "int64"),
    Row("lowPoints", "puzzles", lambda n: (ints(0, 10, n, n).astype(np.uint8),), 50, 1000, "int64"),
    Row("visible", "puzzles", lambda n: (ints(0, 10, n, n).astype(np.uint8),), 50, 1000, "int64"),
    Row("gardens", "puzzles", lambda n: (64, _garden(n)), 50, 300, "int64"),
    Row("fish", "puzzles", lambda n: (100_000, ints(1, 6, n)), 50, 300, "int64"),
    Row("leastPath", "puzzles", lambda n: (ints(1, 10, n, n).astype(np.uint8),), 50, 1000, "int64"),
    Row("lookAndSay", "puzzles", lambda n: (n,), 20, 48, "int64"),
    Row("luhn", "puzzles", lambda n: (ints(0, 10, n, 16).astype(np.uint8),), 100, 100_000, "int64"),
    Row("sieve", "numbers", lambda n: (n,), 1000, M, "bool", vector),
    Row("coprimes", "numbers", lambda n: (n,), 50, 300, "int64"),
    Row("pascal", "numbers", lambda n: (n,), 50, 2000, "int64", lambda n: (n + 1,)),
    Row(
        "change",
        "numbers",
        lambda n: (n, np.array([1, 2, 5, 10, 20, 50, 100, 200])),
        1000,
        200_000,
        "int64",
        lambda n: (n + 1,),
    ),
    Row("josephus", "numbers", lambda n: (n,), 1000, M, "int64"),
    Row("power", "numbers", lambda n: (ints(1, 1000, n), ints(0, M, n)), 1000, 100_000, "int64", vector),
    Row(
        "mandelbrot",
        "numbers",
        lambda n: (np.linspace(-2, 0.5, n) + 1j * np.linspace(-1.2, 1.2, n)[:, None],),
        32,
        300,
        "int64",
        square,
    ),
    Row("american", "finance", lambda n: (n, np.array([100, 105, 1.001, 0.99995])), 50, 1000, "float64"),
    Row("returns", "finance", lambda n: (_cash(n),), 100, 10_000, "float64", vector),
    Row("resampled", "finance", lambda n: (prices(60 * n),), 100, 20_000, "float64", lambda n: (n, 4)),
    Row("imbalance", "finance", _quotes, 100, 200_000, "float64", vector),
    Row("circle", "finance", lambda n: (50, ints(1, 2147483647, n)), 100, 10_000, "int64"),
    Row(
        "calls",
        "finance",
        lambda n: (90 + 20 * signal(n), 0.1 + np.random.default_rng(5).random(n)),
        1000,
        200_000,
        "float64",
        vector,
    ),
    Row(
        "filtered",
        "signals",
        lambda n: (random().random(16), signal(n)),
        1000,
        M,
        "float64",
        lambda n: (n - 15,),
    ),
    Row("biquad", "signals", lambda n: (signal(n),), 1000, M, "float64", vector),
    Row("fft", "signals", lambda n: (signal(n) + 0j,), 64, 65536, "complex128", vector),
    Row(
        "goertzel",
        "signals",
        lambda n: (np.linspace(0.1, 1, 8), signal(n) - 0.5),
        1000,
        50_000,
        "float64",
        lambda n: (8,),
    ),
    Row("haar", "signals", lambda n: (signal(n),), 64, 1 << 20, "float64", vector),
    Row("dct", "signals", lambda n: (random().random((n, 8, 8)),), 20, 5000, "float64", lambda n: (n, 8, 8)),
    Row(
        "interpolated",
        "signals",
        lambda n: (signal(n), 1 + (n - 2) * np.random.default_rng(5).random(n)),
        1000,
        M,
        "float64",
        vector,
    ),
    Row(
        "resized",
        "images",
        lambda n: (n, random().random((n * 3 // 4, n * 3 // 4))),
        40,
        1000,
        "float64",
        square,
    ),
    Row("dithered", "images", lambda n: (256 * random().random((n, n)),), 32, 500, "int64", square),
    Row("boxed", "images", lambda n: (image(n),), 32, 1000, "int64", lambda n: (n - 10, n - 10)),
    Row("opened", "images", lambda n: (bits(0.9, n, n),), 32, 1000, "bool", square),
    Row("greatestNear", "images", lambda n: (image(n),), 32, 1003, "int64", square),
    Row("binomial", "images", lambda n: (image(n),), 32, 1003, "int64", square),
    Row("softened", "images", lambda n: (20, random().random((n, n))), 32, 1003, "float64", square),
    Row("labelled", "images", lambda n: (20, bits(0.5, n, n)), 32, 500, "int64", square),
    Row("hues", "images", lambda n: (random().integers(0, 256, (n, 3)),), 1000, 500_000, "float64", vector),
    Row(
        "kmeans",
        "learning",
        lambda n: (random().random((n, 2)), np.random.default_rng(5).random((8, 2))),
        200,
        200_000,
        "float64",
        lambda n: (8, 2),
    ),
    Row(
        "gradient", "learning", lambda n: (signal(16), _labelled(n)), 100, 50_000, "float64", lambda n: (16,)
    ),
    Row(
        "attention",
        "learning",
        lambda n: (random().normal(0, 1, (n, 64)), np.random.default_rng(5).normal(0, 1, (n, 64))),
        32,
        512,
        "float64",
        lambda n: (n, 64),
    ),
    Row(
        "adam",
        "learning",
        lambda n: (np.abs(random().normal(0, 1, (4, n))),),
        100,
        500_000,
        "float64",
        vector,
    ),
    Row(
        "pooled",
        "learning",
        lambda n: (random().normal(0, 1, (3, 3)), random().random((n, n))),
        32,
        1000,
        "float64",
        lambda n: (n // 2, n // 2),
    ),
    Row(
        "entropy",
        "learning",
        lambda n: (ints(1, 11, n), random().normal(0, 1, (n, 10))),
        100,
        100_000,
        "float64",
    ),
    Row(
        "neighbours",
        "learning",
        lambda n: (random().random((n, 8)), np.random.default_rng(5).random((100, 8))),
        100,
        5000,
        "int64",
        lambda n: (100, 5),
    ),
    Row("closure", "matrices", lambda n: (bits(1 / n, n, n),), 50, 500, "bool", square),
    Row("shortest", "matrices", lambda n: (100 * random().random((n, n)),), 30, 300, "float64", square),
    Row(
        "orthonormal",
        "matrices",
        lambda n: (random().random((n, 64)),),
        100,
        1000,
        "float64",
        lambda n: (n, 64),
    ),
    Row("lu", "matrices", lambda n: (_system(n),), 30, 300, "float64", square),
    Row("seidel", "matrices", lambda n: (_system(n), signal(n)), 30, 500, "float64", vector),
    Row("conjugate", "matrices", lambda n: (_system(n), signal(n)), 30, 500, "float64", vector),
    Row("sparse", "matrices", _entries, 100, 50_000, "float64", vector),
    Row("adler", "texts", lambda n: (ints(0, 256, n).astype(np.uint8),), 1000, M, "int64"),
    Row("fnv", "texts", lambda n: (ints(0, 256, n, 16).astype(np.uint8),), 100, 100_000, "int64", vector),
    Row(
        "vigenere",
        "texts",
        lambda n: (letters("LEMON", 7), letters("ABCDEFGHIJKLMNOPQRSTUVWXYZ", n)),
        1000,
        M,
        "<U1",
        vector,
    ),
    Row("depths", "texts", lambda n: (_brackets(n),), 1000, M, "int64"),
    Row("automaton", "texts", lambda n: (_transitions(8), ints(1, 9, n)), 1000, M, "int64"),
    Row("hexed", "texts", lambda n: (ints(0, 256, n).astype(np.uint8),), 1000, M, "<U1", lambda n: (2 * n,)),
    Row("commonest", "texts", lambda n: (letters("abc ", n),), 1000, M, "int64"),
    Row("anagrams", "texts", lambda n: (_words(n),), 100, 100_000, "int64"),
    Row(
        "listed",
        "texts",
        lambda n: (np.random.default_rng(7).integers(100, 1000, n),),
        100,
        100_000,
        "<U1",
        lambda n: (4 * n - 1,),
    ),
    Row("bodies", "physics", lambda n: (n, _bodies(n)), 20, 10_000, "float64"),
    Row("wave", "physics", lambda n: (20, random().random((n, n))), 32, 300, "float64", square),
    Row(
        "metropolis",
        "physics",
        lambda n: (random().random((n, n)), 2 * np.random.default_rng(5).integers(0, 2, (n, n)) - 1),
        32,
        500,
        "int64",
        square,
    ),
    Row("lattice", "physics", lambda n: (_lattice(n),), 32, 300, "float64", lambda n: (9, n, n)),
    Row(
        "lorenz", "physics", lambda n: (n, np.array([1.0, 1.0, 1.0])), 20, 100_000, "float64", lambda n: (3,)
    ),
    Row(
        "summaries",
        "tables",
        lambda n: (ints(1, 1001, n), signal(n)),
        20_000,
        M,
        "float64",
        lambda n: (1000, 4),
    ),
    Row("sessions", "tables", _events, 1000, 200_000, "int64"),
    Row("pivot", "tables", _sales, 1000, M, "float64", lambda n: (10, 24)),
    Row("seen", "tables", lambda n: (ints(0, 100_000, n),), 1000, 500_000, "int64", vector),
    Row("highest", "tables", lambda n: (signal(n),), 1000, M, "float64", lambda n: (n - 99,)),
    Row("bests", "tables", lambda n: (ints(1, 1001, n), ints(0, M, n)), 1000, M, "int64", lambda n: (1000,)),
    Row("matched", "tables", lambda n: (ints(0, M, n, 2), ints(0, M, n // 10)), 1000, 500_000, "int64"),
)
