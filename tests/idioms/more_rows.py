"""A second set of idioms: what they are called with, and what they give, as in `rows`."""

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
    prices,
    random,
    signal,
    square,
    vector,
    volumes,
)


def _csv(n: int) -> Value:
    """So many lines of eight numbers."""
    text = "".join(",".join(map(str, line)) + "\n" for line in ints(0, 10000, n, 8).tolist())
    return np.array(list(text), "<U1")


def _lines(n: int) -> Value:
    """So many lines of one to nine fields."""
    counts = ints(1, 10, n).tolist()
    text = "".join(",".join(["abc"] * count) + "\n" for count in counts)
    return np.array(list(text), "<U1")


def _spd(n: int) -> Value:
    a = random().random((n, n))
    return a @ a.T + n * np.eye(n)


def _graph(n: int) -> Value:
    a = np.triu(bits(0.1, n, n), 1)
    return a | a.T


def _links(n: int) -> Value:
    return bits(10 / n, n, n) | np.eye(n, dtype=bool)


def _tridiagonal(n: int) -> Arguments:
    return np.stack([signal(n), 3 + signal(n), signal(n)], 1), np.random.default_rng(5).random(n)


def _times(n: int) -> Value:
    times = ints(0, 86400, n).tolist()
    text = "".join(f"{t // 3600:02}:{t // 60 % 60:02}:{t % 60:02}" for t in times)
    return np.array(list(text), "<U1").reshape(n, 8)


def _days(n: int) -> Value:
    """The days of so many months, in order."""
    months = np.arange(n)
    return ((190000 + months // 12 * 100 + months % 12 + 1)[:, None] * 100 + np.arange(1, 21)).ravel()


def _crc_table() -> Value:
    table = np.arange(256)
    for _ in range(8):
        table = np.where(table & 1, table >> 1 ^ 0xA001, table >> 1)
    return table


def _planted(n: int) -> Value:
    """Words, of which one has a hundred letters."""
    text = letters("abc ", n)
    text[n // 2 : n // 2 + 102] = np.array(list(" " + "abcab" * 20 + " "))
    return text


M = 1_000_000
MORE_ROWS = (
    Row(
        "covariance",
        "statistics",
        lambda n: (random().random((n, 16)),),
        100,
        50_000,
        "float64",
        lambda n: (16, 16),
    ),
    Row("movingMedian", "statistics", lambda n: (signal(n),), 1000, M, "float64", lambda n: (n - 4,)),
    Row("gini", "statistics", lambda n: (signal(n),), 1000, 200_000, "float64"),
    Row(
        "autocorrelation", "statistics", lambda n: (20, signal(n)), 1000, 500_000, "float64", lambda n: (20,)
    ),
    Row("weightedMedian", "statistics", lambda n: (volumes(n), signal(n)), 1000, 200_000, "float64"),
    Row("macd", "finance", lambda n: (prices(n),), 1000, M, "float64", vector),
    Row("underWater", "finance", lambda n: (prices(n),), 1000, M, "int64"),
    Row(
        "bondYields",
        "finance",
        lambda n: (1 + 9 * signal(n), 60 + 40 * np.random.default_rng(5).random(n)),
        1000,
        200_000,
        "float64",
        vector,
    ),
    Row(
        "portfolioRisks",
        "finance",
        lambda n: (random().random((n, 16)), _spd(16)),
        100,
        50_000,
        "float64",
        vector,
    ),
    Row("asian", "finance", lambda n: (random().normal(0, 1, (n, 64)),), 100, 20_000, "float64"),
    Row("medianFilter", "images", lambda n: (image(n),), 32, 1024, "uint8", square),
    Row("otsu", "images", lambda n: (image(n),), 64, 2048, "int64"),
    Row("turned", "images", lambda n: (image(n),), 64, 2048, "uint8", square),
    Row(
        "channels",
        "images",
        lambda n: (random().integers(0, 256, (n, 3)).astype(np.uint8),),
        1000,
        M,
        "int64",
        lambda n: (3, 256),
    ),
    Row(
        "convolved",
        "images",
        lambda n: (random().random((5, 5)), random().random((n, n))),
        32,
        512,
        "float64",
        square,
    ),
    Row(
        "toYuv",
        "images",
        lambda n: (random().integers(0, 256, (n, 3)).astype(np.uint8),),
        1000,
        M,
        "int64",
        lambda n: (n, 3),
    ),
    Row("fields", "texts", lambda n: (_lines(n),), 100, 50_000, "int64", vector),
    Row(
        "frequencies",
        "texts",
        lambda n: (letters("abcdefghijklmnopqrstuvwxyz ,.", n),),
        1000,
        4 * M,
        "int64",
        lambda n: (26,),
    ),
    Row("roman", "texts", lambda n: (letters("IVXLCDM", n),), 1000, 2 * M, "float64"),
    Row(
        "base64",
        "texts",
        lambda n: (random().integers(0, 256, 3 * n).astype(np.uint8),),
        1000,
        M,
        "<U1",
        lambda n: (4 * n,),
    ),
    Row("titled", "texts", lambda n: (letters("abcdefgh  ", n),), 1000, 4 * M, "<U1", vector),
    Row("columnSums", "texts", lambda n: (_csv(n),), 100, 5_000, "float64", lambda n: (8,)),
    Row(
        "levenshtein",
        "texts",
        lambda n: (letters("acgt", n), np.roll(letters("acgt", n), 7)),
        50,
        2000,
        "int64",
    ),
    Row("floyd", "graphs", lambda n: (100 * random().random((n, n)),), 30, 200, "float64", square),
    Row("triangles", "graphs", lambda n: (_graph(n),), 50, 1000, "float64"),
    Row("components", "graphs", lambda n: (n, ints(1, n + 1, n, 2)), 100, 50_000, "int64", vector),
    Row("pageRank", "graphs", lambda n: (_links(n),), 50, 1000, "float64", vector),
    Row("degrees", "graphs", lambda n: (n, edges(n)), 100, 100_000, "int64", vector),
    Row("cubeRoots", "recurrences", lambda n: (1 + signal(n),), 1000, 100_000, "float64", vector),
    Row("thomas", "recurrences", _tridiagonal, 1000, 500_000, "float64", vector),
    Row(
        "knapsack",
        "recurrences",
        lambda n: (ints(1, 500, n), ints(1, 100, n)[::-1].copy()),
        50,
        1000,
        "int64",
    ),
    Row(
        "lcs",
        "recurrences",
        lambda n: (letters("acgt", n), np.roll(letters("acgt", n), 7)),
        50,
        2000,
        "int64",
    ),
    Row(
        "viterbi",
        "recurrences",
        lambda n: (np.log(random().random((16, 16))), np.log(np.random.default_rng(5).random((n, 16)))),
        100,
        50_000,
        "float64",
        lambda n: (16,),
    ),
    Row("streams", "recurrences", lambda n: (100, ints(1, 2147483647, n)), 100, 20_000, "int64", vector),
    Row("clock", "dates", lambda n: (ints(0, 86400, n),), 1000, M, "int64", lambda n: (3, n)),
    Row("seconds", "dates", lambda n: (_times(n),), 1000, 500_000, "int64", vector),
    Row("monthEnds", "dates", lambda n: (_days(n),), 100, 50_000, "int64", vector),
    Row("bitCounts", "bits", lambda n: (ints(0, 1 << 32, n),), 1000, M, "int64", vector),
    Row("grayDecoded", "bits", lambda n: (ints(0, 1 << 16, n),), 1000, M, "int64", vector),
    Row("bitsReversed", "bits", lambda n: (ints(0, 1 << 16, n),), 1000, M, "int64", vector),
    Row("hamming", "bits", lambda n: (bits(0.5, n, 256),), 50, 1000, "int64", square),
    Row("crc", "bits", lambda n: (_crc_table(), ints(0, 256, n)), 1000, M, "int64"),
    Row("jacobi", "linear algebra", lambda n: (_spd(n), signal(n)), 50, 700, "float64", vector),
    Row("cholesky", "linear algebra", lambda n: (_spd(n),), 30, 300, "float64", square),
    Row(
        "squaredDistances",
        "linear algebra",
        lambda n: (np.eye(n, 8) + random().random((n, 8)),),
        50,
        1000,
        "float64",
        square,
    ),
    Row("rule30", "simulations", lambda n: (100, bits(0.5, n)), 1000, 200_000, "bool", vector),
    Row("heat", "simulations", lambda n: (20, random().random((n, n))), 32, 300, "float64", square),
    Row("sandpile", "simulations", lambda n: (50, ints(0, 8, n, n)), 32, 200, "int64", square),
    Row(
        "gravity",
        "simulations",
        lambda n: (signal(n), np.random.default_rng(5).random((3, n))),
        50,
        1000,
        "float64",
        lambda n: (3, n),
    ),
    Row("wander", "simulations", lambda n: (ints(0, 4, n),), 1000, M, "int64"),
    Row("ranks", "keys", lambda n: (signal(n),), 1000, 200_000, "int64", vector),
    Row("topK", "keys", lambda n: (100, signal(n)), 1000, M, "float64", lambda n: (100,)),
    Row(
        "groupMedians",
        "keys",
        lambda n: (ints(1, 1001, n), signal(n)),
        20_000,
        500_000,
        "float64",
        lambda n: (1000,),
    ),
    Row(
        "joined",
        "keys",
        lambda n: (ints(0, 1 << 40, n, 2), np.concatenate([ints(0, 1 << 40, n, 2)[::-1, 0]] * 4)),
        100,
        50_000,
        "int64",
        lambda n: (4 * n,),
    ),
    Row("distinct", "keys", lambda n: (ints(0, 500_000, n) * 1_000_003,), 1000, 500_000, "int64"),
    Row("bucketMeans", "keys", lambda n: (prices(n), signal(n)), 1000, M, "float64", lambda n: (64,)),
    Row(
        "wordLengths",
        "nested data",
        lambda n: (letters("abcdefg ", n),),
        1000,
        2 * M,
        "int64",
        lambda n: (32,),
    ),
    Row("longestWord", "nested data", lambda n: (_planted(n),), 1000, 2 * M, "<U1", lambda n: (100,)),
    Row("palindromes", "nested data", lambda n: (letters("abc ", n),), 1000, 2 * M, "int64"),
    Row("bestStreak", "nested data", lambda n: (random().normal(0, 1, n),), 1000, M, "float64"),
    Row("vowelless", "nested data", lambda n: (letters("abcdefghi  ", n),), 1000, M, "int64"),
)
