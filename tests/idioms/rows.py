"""What the idioms are called with, and what they give: made by formula, so that every run has the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Value = np.ndarray[Any, Any]
Arguments = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """An idiom: its name in both files, its arguments for a size, the sizes, and its result.

    A result without a shape is a number.
    """

    name: str
    kind: str
    arguments: Callable[[int], Arguments]
    small: int
    size: int
    dtype: str
    shape: Callable[[int], tuple[int, ...]] | None = None


def random() -> np.random.Generator:
    return np.random.default_rng(50)


def normal(*shape: int) -> Value:
    return random().normal(0, 1, shape)


def prices(n: int) -> Value:
    return 100 * np.exp(np.cumsum(random().normal(0, 0.001, n)))


def volumes(n: int) -> Value:
    return random().integers(1, 1000, n)


def ints(low: int, high: int, *shape: int) -> Value:
    return random().integers(low, high, shape)


def image(n: int) -> Value:
    return random().integers(0, 256, (n, n)).astype(np.uint8)


def bits(often: float, *shape: int) -> Value:
    return random().random(shape) < often


def letters(text: str, *shape: int) -> Value:
    codes = np.array([ord(letter) for letter in text], np.uint32)
    return codes[random().integers(0, len(codes), shape)].view("<U1")


def dates(n: int) -> Value:
    r = random()
    return np.array([r.integers(1600, 2400, n), r.integers(1, 13, n), r.integers(1, 29, n)])


def written_dates(n: int) -> Value:
    r = random()
    return r.integers(1600, 2400, n) * 10000 + r.integers(0, 14, n) * 100 + r.integers(0, 33, n)


def costs(n: int) -> Arguments:
    costs = 1.0 + random().random((n, n))
    return np.where(np.arange(n) == 0, 0.0, 1e9), np.where(bits(0.05, n, n), costs, 1e9)


def edges(n: int) -> Value:
    return ints(1, n + 1, 5 * n, 2)


def signal(n: int) -> Value:
    return random().random(n)


def points(n: int) -> Arguments:
    """Sixteen points, and as many as the size says, of four coordinates."""
    return random().random((16, 4)), np.random.default_rng(5).random((n, 4))


def table_of_ints(n: int) -> Value:
    """So many rows of 32 numbers."""
    return random().random((n, 32))


def runs(n: int) -> Value:
    """So many runs of equal numbers, of one to eight each."""
    return np.repeat(np.arange(n) % 10, ints(1, 9, n))


def segments(n: int) -> Arguments:
    """The starts of so many segments, of one to eight numbers each, and the numbers."""
    lengths = ints(1, 9, n)
    starts = np.zeros(lengths.sum(), bool)
    starts[np.cumsum(lengths) - lengths] = True
    return starts, signal(len(starts))


def table(n: int) -> tuple[int, ...]:
    """The shape of these."""
    return (n, 32)


def vector(n: int) -> tuple[int, ...]:
    """As many numbers as the size says."""
    return (n,)


def square(n: int) -> tuple[int, ...]:
    """A matrix of so many rows and columns."""
    return (n, n)


M = 1_000_000
ROWS = (
    Row("skewness", "statistics", lambda n: (signal(n),), 1000, M, "float64"),
    Row("correlation", "statistics", lambda n: (signal(n), prices(n)), 1000, M, "float64"),
    Row("mode", "statistics", lambda n: (ints(1, 1001, n),), 1000, M, "int64"),
    Row("quartiles", "statistics", lambda n: (signal(n),), 1000, M, "float64"),
    Row(
        "groupMeans",
        "statistics",
        lambda n: (ints(1, 1001, n), signal(n)),
        1000,
        M,
        "float64",
        lambda n: (1000,),
    ),
    Row("sharpe", "finance", lambda n: (prices(n),), 1000, M, "float64"),
    Row("averagePrice", "finance", lambda n: (volumes(n), prices(n)), 1000, M, "float64", vector),
    Row("onBalance", "finance", lambda n: (volumes(n), prices(n)), 1000, M, "int64", vector),
    Row("bands", "finance", lambda n: (prices(n),), 1000, M, "float64", lambda n: (2, n - 19)),
    Row("strength", "finance", lambda n: (prices(n),), 1000, M, "float64", lambda n: (n - 14,)),
    Row(
        "grey",
        "images",
        lambda n: (random().integers(0, 256, (n, 3)).astype(np.uint8),),
        1000,
        4 * M,
        "int64",
        vector,
    ),
    Row("halved", "images", lambda n: (image(n),), 64, 2048, "int64", lambda n: (n // 2, n // 2)),
    Row("equalised", "images", lambda n: (image(n),), 64, 2048, "int64", square),
    Row("dilated", "images", lambda n: (bits(0.1, n, n),), 64, 2048, "bool", square),
    Row("integralImage", "images", lambda n: (image(n),), 64, 2048, "int64", square),
    Row("blurred", "images", lambda n: (image(n),), 64, 2048, "int64", square),
    Row("sobel", "images", lambda n: (image(n),), 64, 2048, "int64", square),
    Row("parsed", "texts", lambda n: (letters("0123456789", n, 8),), 1000, M, "int64", vector),
    Row("hash", "texts", lambda n: (letters("abcdefghij klm", n),), 1000, M, "int64"),
    Row("upper", "texts", lambda n: (letters("abcdefghij KLM", n),), 1000, 4 * M, "<U1", vector),
    Row(
        "hexadecimal", "texts", lambda n: (letters("0123456789abcdef", 2 * n),), 1000, 2 * M, "int64", vector
    ),
    Row("caesar", "texts", lambda n: (3, letters("abcdefghijxyz", n)), 1000, 4 * M, "<U1", vector),
    Row("words", "texts", lambda n: (letters("abcdefg ", n),), 1000, 4 * M, "int64"),
    Row("longestRun", "texts", lambda n: (letters("ab", n),), 1000, 4 * M, "int64"),
    Row("distances", "graphs", costs, 50, 1000, "float64", vector),
    Row("reached", "graphs", lambda n: (1, bits(3 / n, n, n)), 50, 1000, "bool", vector),
    Row("laplacian", "graphs", lambda n: (bits(0.1, n, n),), 50, 2000, "int64", square),
    Row("symmetric", "graphs", lambda n: (lambda a: (a + a.T,))(ints(0, 9, n, n)), 50, 2000, "int64"),
    Row("adjacency", "graphs", lambda n: (n, edges(n)), 50, 2000, "int64", square),
    Row("smoothed", "recurrences", lambda n: (0.9, prices(n)), 1000, M, "float64", vector),
    Row("fibonacci", "recurrences", lambda n: (n,), 1000, M, "int64"),
    Row("logistic", "recurrences", lambda n: (100, signal(n)), 1000, 100_000, "float64", vector),
    Row("collatz", "recurrences", lambda n: (n,), 100, 100_000, "int64"),
    Row("fraction", "recurrences", lambda n: (signal(n) + 1,), 1000, M, "float64"),
    Row("leap", "dates", lambda n: (ints(1600, 2400, n),), 1000, M, "int64"),
    Row("dayNumber", "dates", lambda n: (dates(n),), 1000, M, "int64", vector),
    Row("months", "dates", lambda n: (ints(2_000_000, 2_600_000, n),), 1000, M, "int64", vector),
    Row("weekdays", "dates", lambda n: (ints(2_000_000, 2_600_000, n),), 1000, M, "int64", lambda n: (7,)),
    Row("valid", "dates", lambda n: (written_dates(n),), 1000, M, "int64"),
    Row("quoted", "bits", lambda n: (letters('abcdefghi"', n),), 1000, 4 * M, "bool", vector),
    Row("edges", "bits", lambda n: (bits(0.5, n),), 1000, 10 * M, "int64"),
    Row("packed", "bits", lambda n: (bits(0.5, 8 * n),), 1000, M, "int64", vector),
    Row("jaccard", "bits", lambda n: (bits(0.5, n), bits(0.3, n)), 1000, 10 * M, "float64"),
    Row("encoded", "bits", lambda n: (runs(n),), 1000, M, "int64", lambda n: (n, 2)),
    Row("segmentSums", "bits", segments, 1000, M, "float64", vector),
    Row("gray", "bits", lambda n: (ints(0, 1 << 30, n),), 1000, M, "int64", vector),
    Row("horner", "polynomials", lambda n: (random().random(8), signal(n)), 1000, M, "float64", vector),
    Row(
        "product",
        "polynomials",
        lambda n: (ints(-9, 10, n), ints(-99, 100, n)),
        50,
        2000,
        "int64",
        lambda n: (2 * n - 1,),
    ),
    Row("roots", "polynomials", lambda n: (random().random((n, 3)) + 1,), 1000, M, "float64", vector),
    Row("differences", "polynomials", lambda n: (10, signal(n)), 1000, M, "float64", lambda n: (n - 10,)),
    Row("vandermonde", "polynomials", lambda n: (signal(n),), 1000, M, "float64", lambda n: (n, 8)),
    Row("generator", "simulations", lambda n: (n, 1), 1000, M, "int64"),
    Row("waiting", "simulations", lambda n: (random().normal(0, 1, n),), 1000, M, "float64", vector),
    Row("walk", "simulations", lambda n: (bits(0.5, n),), 1000, 10 * M, "int64"),
    Row("sampled", "simulations", lambda n: (np.full(100, 0.01), signal(n)), 1000, M, "int64", vector),
    Row("ising", "simulations", lambda n: ((2 * bits(0.5, n, n) - 1).astype(np.int8),), 64, 2048, "int64"),
    Row("nearest", "rows", points, 200, 100_000, "int64", vector),
    Row("normed", "rows", lambda n: (table_of_ints(n),), 100, 50_000, "float64", table),
    Row("softmax", "rows", lambda n: (table_of_ints(n),), 100, 50_000, "float64", table),
    Row("standardised", "rows", lambda n: (table_of_ints(n),), 100, 50_000, "float64", table),
    Row("histogram", "keys", lambda n: (ints(-2, 68, n),), 1000, M, "int64", lambda n: (64,)),
    Row("weighted", "keys", lambda n: (signal(n), ints(-2, 68, n)), 1000, M, "float64", lambda n: (64,)),
    Row("tallies", "keys", lambda n: (ints(-2, 68, n),), 1000, M, "int64", lambda n: (64,)),
    Row("leastPlaces", "keys", lambda n: (table_of_ints(n),), 100, 50_000, "int64", vector),
)
