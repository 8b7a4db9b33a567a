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


def _random() -> np.random.Generator:
    return np.random.default_rng(50)


def _prices(n: int) -> Value:
    return 100 * np.exp(np.cumsum(_random().normal(0, 0.001, n)))


def _volumes(n: int) -> Value:
    return _random().integers(1, 1000, n)


def _ints(low: int, high: int, *shape: int) -> Value:
    return _random().integers(low, high, shape)


def _image(n: int) -> Value:
    return _random().integers(0, 256, (n, n)).astype(np.uint8)


def _bits(often: float, *shape: int) -> Value:
    return _random().random(shape) < often


def _letters(text: str, *shape: int) -> Value:
    codes = np.array([ord(letter) for letter in text], np.uint32)
    return codes[_random().integers(0, len(codes), shape)].view("<U1")


def _dates(n: int) -> Value:
    r = _random()
    return np.array([r.integers(1600, 2400, n), r.integers(1, 13, n), r.integers(1, 29, n)])


def _written_dates(n: int) -> Value:
    r = _random()
    return r.integers(1600, 2400, n) * 10000 + r.integers(0, 14, n) * 100 + r.integers(0, 33, n)


def _costs(n: int) -> Arguments:
    costs = 1.0 + _random().random((n, n))
    return np.where(np.arange(n) == 0, 0.0, 1e9), np.where(_bits(0.05, n, n), costs, 1e9)


def _edges(n: int) -> Value:
    return _ints(1, n + 1, 5 * n, 2)


def _signal(n: int) -> Value:
    return _random().random(n)


def _points(n: int) -> Arguments:
    """Sixteen points, and as many as the size says, of four coordinates."""
    return _random().random((16, 4)), np.random.default_rng(5).random((n, 4))


def _table(n: int) -> Value:
    """So many rows of 32 numbers."""
    return _random().random((n, 32))


def _runs(n: int) -> Value:
    """So many runs of equal numbers, of one to eight each."""
    return np.repeat(np.arange(n) % 10, _ints(1, 9, n))


def _segments(n: int) -> Arguments:
    """The starts of so many segments, of one to eight numbers each, and the numbers."""
    lengths = _ints(1, 9, n)
    starts = np.zeros(lengths.sum(), bool)
    starts[np.cumsum(lengths) - lengths] = True
    return starts, _signal(len(starts))


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
    Row("skewness", "statistics", lambda n: (_signal(n),), 1000, M, "float64"),
    Row("correlation", "statistics", lambda n: (_signal(n), _prices(n)), 1000, M, "float64"),
    Row("mode", "statistics", lambda n: (_ints(1, 1001, n),), 1000, M, "int64"),
    Row("quartiles", "statistics", lambda n: (_signal(n),), 1000, M, "float64"),
    Row(
        "groupMeans",
        "statistics",
        lambda n: (_ints(1, 1001, n), _signal(n)),
        1000,
        M,
        "float64",
        lambda n: (1000,),
    ),
    Row("sharpe", "finance", lambda n: (_prices(n),), 1000, M, "float64"),
    Row("averagePrice", "finance", lambda n: (_volumes(n), _prices(n)), 1000, M, "float64", vector),
    Row("onBalance", "finance", lambda n: (_volumes(n), _prices(n)), 1000, M, "int64", vector),
    Row("bands", "finance", lambda n: (_prices(n),), 1000, M, "float64", lambda n: (2, n - 19)),
    Row("strength", "finance", lambda n: (_prices(n),), 1000, M, "float64", lambda n: (n - 14,)),
    Row(
        "grey",
        "images",
        lambda n: (_random().integers(0, 256, (n, 3)).astype(np.uint8),),
        1000,
        4 * M,
        "int64",
        vector,
    ),
    Row("halved", "images", lambda n: (_image(n),), 64, 2048, "int64", lambda n: (n // 2, n // 2)),
    Row("equalised", "images", lambda n: (_image(n),), 64, 2048, "int64", square),
    Row("dilated", "images", lambda n: (_bits(0.1, n, n),), 64, 2048, "bool", square),
    Row("integralImage", "images", lambda n: (_image(n),), 64, 2048, "int64", square),
    Row("blurred", "images", lambda n: (_image(n),), 64, 2048, "int64", square),
    Row("sobel", "images", lambda n: (_image(n),), 64, 2048, "int64", square),
    Row("parsed", "texts", lambda n: (_letters("0123456789", n, 8),), 1000, M, "int64", vector),
    Row("hash", "texts", lambda n: (_letters("abcdefghij klm", n),), 1000, M, "int64"),
    Row("upper", "texts", lambda n: (_letters("abcdefghij KLM", n),), 1000, 4 * M, "<U1", vector),
    Row(
        "hexadecimal", "texts", lambda n: (_letters("0123456789abcdef", 2 * n),), 1000, 2 * M, "int64", vector
    ),
    Row("caesar", "texts", lambda n: (3, _letters("abcdefghijxyz", n)), 1000, 4 * M, "<U1", vector),
    Row("words", "texts", lambda n: (_letters("abcdefg ", n),), 1000, 4 * M, "int64"),
    Row("longestRun", "texts", lambda n: (_letters("ab", n),), 1000, 4 * M, "int64"),
    Row("distances", "graphs", _costs, 50, 1000, "float64", vector),
    Row("reached", "graphs", lambda n: (1, _bits(3 / n, n, n)), 50, 1000, "bool", vector),
    Row("laplacian", "graphs", lambda n: (_bits(0.1, n, n),), 50, 2000, "int64", square),
    Row("symmetric", "graphs", lambda n: (lambda a: (a + a.T,))(_ints(0, 9, n, n)), 50, 2000, "int64"),
    Row("adjacency", "graphs", lambda n: (n, _edges(n)), 50, 2000, "int64", square),
    Row("smoothed", "recurrences", lambda n: (0.9, _prices(n)), 1000, M, "float64", vector),
    Row("fibonacci", "recurrences", lambda n: (n,), 1000, M, "int64"),
    Row("logistic", "recurrences", lambda n: (100, _signal(n)), 1000, 100_000, "float64", vector),
    Row("collatz", "recurrences", lambda n: (n,), 100, 100_000, "int64"),
    Row("fraction", "recurrences", lambda n: (_signal(n) + 1,), 1000, M, "float64"),
    Row("leap", "dates", lambda n: (_ints(1600, 2400, n),), 1000, M, "int64"),
    Row("dayNumber", "dates", lambda n: (_dates(n),), 1000, M, "int64", vector),
    Row("months", "dates", lambda n: (_ints(2_000_000, 2_600_000, n),), 1000, M, "int64", vector),
    Row("weekdays", "dates", lambda n: (_ints(2_000_000, 2_600_000, n),), 1000, M, "int64", lambda n: (7,)),
    Row("valid", "dates", lambda n: (_written_dates(n),), 1000, M, "int64"),
    Row("quoted", "bits", lambda n: (_letters('abcdefghi"', n),), 1000, 4 * M, "bool", vector),
    Row("edges", "bits", lambda n: (_bits(0.5, n),), 1000, 10 * M, "int64"),
    Row("packed", "bits", lambda n: (_bits(0.5, 8 * n),), 1000, M, "int64", vector),
    Row("jaccard", "bits", lambda n: (_bits(0.5, n), _bits(0.3, n)), 1000, 10 * M, "float64"),
    Row("encoded", "bits", lambda n: (_runs(n),), 1000, M, "int64", lambda n: (n, 2)),
    Row("segmentSums", "bits", _segments, 1000, M, "float64", vector),
    Row("gray", "bits", lambda n: (_ints(0, 1 << 30, n),), 1000, M, "int64", vector),
    Row("horner", "polynomials", lambda n: (_random().random(8), _signal(n)), 1000, M, "float64", vector),
    Row(
        "product",
        "polynomials",
        lambda n: (_ints(-9, 10, n), _ints(-99, 100, n)),
        50,
        2000,
        "int64",
        lambda n: (2 * n - 1,),
    ),
    Row("roots", "polynomials", lambda n: (_random().random((n, 3)) + 1,), 1000, M, "float64", vector),
    Row("differences", "polynomials", lambda n: (10, _signal(n)), 1000, M, "float64", lambda n: (n - 10,)),
    Row("vandermonde", "polynomials", lambda n: (_signal(n),), 1000, M, "float64", lambda n: (n, 8)),
    Row("generator", "simulations", lambda n: (n, 1), 1000, M, "int64"),
    Row("waiting", "simulations", lambda n: (_random().normal(0, 1, n),), 1000, M, "float64", vector),
    Row("walk", "simulations", lambda n: (_bits(0.5, n),), 1000, 10 * M, "int64"),
    Row("sampled", "simulations", lambda n: (np.full(100, 0.01), _signal(n)), 1000, M, "int64", vector),
    Row("ising", "simulations", lambda n: ((2 * _bits(0.5, n, n) - 1).astype(np.int8),), 64, 2048, "int64"),
    Row("nearest", "rows", _points, 200, 100_000, "int64", vector),
    Row("normed", "rows", lambda n: (_table(n),), 100, 50_000, "float64", table),
    Row("softmax", "rows", lambda n: (_table(n),), 100, 50_000, "float64", table),
    Row("standardised", "rows", lambda n: (_table(n),), 100, 50_000, "float64", table),
    Row("histogram", "keys", lambda n: (_ints(-2, 68, n),), 1000, M, "int64", lambda n: (64,)),
    Row("weighted", "keys", lambda n: (_signal(n), _ints(-2, 68, n)), 1000, M, "float64", lambda n: (64,)),
    Row("tallies", "keys", lambda n: (_ints(-2, 68, n),), 1000, M, "int64", lambda n: (64,)),
    Row("leastPlaces", "keys", lambda n: (_table(n),), 100, 50_000, "int64", vector),
)
