"""What the programs are measured on: made by formula, nothing is downloaded, every run gets the same.

`rodinia` and `finpar` read the data sets of those suites, where a user has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from aplc.bench.arguments import Items
from aplc.tail.regular import open_regular

Value = np.ndarray[Any, Any]

SOBOL_BITS = 30

POLYNOMIALS: tuple[tuple[int, int, tuple[int, ...]], ...] = (
    (0, 0, ()),
    (1, 0, (1,)),
    (2, 1, (1, 3)),
    (3, 1, (1, 3, 1)),
    (3, 2, (1, 1, 1)),
    (4, 1, (1, 1, 3, 3)),
    (4, 4, (1, 3, 5, 13)),
    (5, 2, (1, 1, 5, 5, 17)),
    (5, 4, (1, 1, 5, 5, 5)),
    (5, 7, (1, 1, 7, 11, 19)),
    (5, 11, (1, 1, 5, 1, 1)),
    (5, 13, (1, 1, 1, 3, 11)),
    (5, 14, (1, 3, 5, 5, 31)),
    (6, 1, (1, 3, 3, 9, 7, 49)),
    (6, 13, (1, 1, 1, 15, 21, 21)),
)
"""Degree, inner coefficients as bits, and first odd numbers of each dimension, after S. Joe and F. Y. Kuo,
Constructing Sobol sequences with better two-dimensional projections, SIAM J. Sci. Comput. 30 (2008). The
first row stands for van der Corput's sequence."""


def directions(dimensions: int, bits: int = SOBOL_BITS) -> Value:
    """The direction numbers of a Sobol sequence, a row per dimension, as integers below 2^SOBOL_BITS.

    Number k of a row is m_k shifted to the left by SOBOL_BITS-k. For a polynomial of degree s with inner
    coefficients a_1 … a_(s-1) the m after the first s follow from those before them:
    m_k = 2a_1 m_(k-1) xor … xor 2^(s-1) a_(s-1) m_(k-s+1) xor 2^s m_(k-s) xor m_(k-s).
    """
    rows = []
    for degree, inner, first in POLYNOMIALS[:dimensions]:
        m = list(first) if degree else [1] * bits
        while len(m) < bits:
            new = m[-degree] ^ m[-degree] << degree
            for k in range(1, degree):
                if inner >> degree - 1 - k & 1:
                    new ^= m[-k] << k
            m.append(new)
        rows.append([number << SOBOL_BITS - k for k, number in enumerate(m[:bits], start=1)])
    return np.array(rows, np.int64)


def uniform(*shape: int) -> Value:
    """Doubles from 0 to 1."""
    return np.random.default_rng(1).random(shape)


def options(n: int) -> Value:
    """Spot prices 80 to 120, strikes 90 to 110 and times of 0.25 to 2 years, a row each."""
    parts = np.random.default_rng(2).random((3, n))
    result: Value = parts * np.array([[40.0], [20.0], [1.75]]) + np.array([[80.0], [90.0], [0.25]])
    return result


def board(rows: int, columns: int) -> Value:
    """Cells, one in three alive."""
    return np.random.default_rng(3).random((rows, columns)) < 1 / 3


def chip(rows: int, columns: int) -> Value:
    """Temperatures from 323 to 341 kelvin above powers up to 0.001 watt, two planes."""
    planes = np.random.default_rng(4).random((2, rows, columns))
    planes[0] = 323.0 + 18.0 * planes[0]
    planes[1] *= 0.001
    return planes


class UnfitData(Exception):
    """A file of a data set is not what its name promises; the message says what is wrong."""


def rodinia(directory: Path, size: tuple[int, ...]) -> tuple[Value | int, ...] | None:
    """Steps and planes for hotspot from `temp_N` and `power_N`: N² numbers each, separated by white space.

    None where the directory has no such files for this size. Raises `UnfitData`.
    """
    steps, rows, columns = size
    paths = [directory / f"{name}_{rows}" for name in ("temp", "power")]
    if rows != columns or not all(path.exists() for path in paths):
        return None
    planes = []
    for path in paths:
        try:
            numbers = np.array(_text_of(path).split(), np.float64)
        except (ValueError, OSError) as failure:
            raise UnfitData(f"{path.name}: {failure}") from None
        if numbers.size != rows * columns:
            raise UnfitData(f"{path.name} has {numbers.size} numbers, not {rows} × {columns}")
        planes.append(numbers.reshape(rows, columns))
    return steps, np.stack(planes)


def _text_of(path: Path) -> str:
    """The text of a regular file."""
    with open_regular(path) as file:
        return file.read().decode()


def finpar(directory: Path, size: tuple[int, ...]) -> tuple[Value | int, ...] | None:
    """Direction numbers and paths for the option pricer from `input.data` of FINPAR's medium data set.

    The file is a sequence of numbers and of lists in brackets: contract, paths, dates, underlyings, models,
    bits, then the direction numbers, a list per dimension. The market that follows is the one in our program.
    None where there is no such file. Raises `UnfitData`.
    """
    path = directory / "input.data"
    if not path.exists():
        return None
    try:
        text = re.sub(r"//.*", "", _text_of(path))
    except (ValueError, OSError) as failure:
        raise UnfitData(f"{path.name}: {failure}") from None
    start = text.find("[")
    head = [int(word) for word in re.findall(r"-?\d+", text[: max(start, 0)])]
    rows = list(_rows(text[start:]))
    if len(head) < 6 or not rows:
        raise UnfitData(f"{path.name} does not begin with six numbers and the direction numbers")
    _, paths, dates, underlyings, _, bits = head[:6]
    if (dates, underlyings, bits) != (5, 3, SOBOL_BITS):
        raise UnfitData(
            f"{path.name} has {underlyings} underlyings, {dates} dates and {bits} bits; "
            f"the program is for 3, 5 and {SOBOL_BITS}"
        )
    if len(rows) < dates * underlyings or any(len(a) != len(b) for a, b in pairwise(rows)):
        raise UnfitData(f"{path.name} has no direction numbers for {dates * underlyings} dimensions")
    return np.array(rows[: dates * underlyings], np.int64), min(paths, size[0])


def _rows(text: str) -> Iterator[list[int]]:
    """The lists of whole numbers in the list of lists at the head of a text."""
    end = re.search(r"\]\s*\]", text)
    for row in re.findall(r"\[([^\[\]]*)\]", text[: end.end()] if end else ""):
        yield [int(word) for word in re.findall(r"-?\d+", row)]


# --- items ----------------------------------------------------------------------------------------------


def _offsets(lengths: Value) -> Value:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


def pieces(n: int, count: int) -> tuple[Value, Value]:
    """Marks that cut n numbers into so many items of random lengths, and the numbers."""
    rng = np.random.default_rng(5)
    marks = np.zeros(n, np.bool_)
    marks[:1] = True
    marks[1 + rng.choice(n - 1, count - 1, replace=False)] = True
    return marks, rng.random(n)


def pairs(count: int) -> tuple[Items, Items]:
    """Pairs of vectors of one to 19 numbers."""
    rng = np.random.default_rng(6)
    offsets = _offsets(rng.integers(1, 20, count))
    return Items(offsets, rng.random(offsets[-1])), Items(offsets, rng.random(offsets[-1]))


def sparse_rows(lengths: Value, n: int) -> tuple[tuple[Items, Items], Value]:
    """Rows of so many elements in random columns of n, and a vector."""
    rng = np.random.default_rng(7)
    offsets = _offsets(lengths)
    columns = rng.integers(0, n, offsets[-1], dtype=np.int32)
    return (Items(offsets, columns), Items(offsets, rng.random(offsets[-1]))), rng.random(n)


def uniform_lengths(rows: int, each: int) -> Value:
    """So many for each row."""
    return np.full(rows, each, np.int64)


def power_lengths(rows: int, mean: int) -> Value:
    """A few rows are very long and most are short: a power law of exponent 2.3, and about that mean."""
    part = np.random.default_rng(8).random(rows)
    lengths = np.floor(mean / 4 * (1 - part) ** (-1 / 1.3)).astype(np.int64)
    return np.minimum(lengths, max(rows // 8, 1))


def disc(n: int) -> Value:
    """Points in a disc, a row for each coordinate."""
    radius, angle = np.random.default_rng(9).random((2, n))
    result: Value = np.sqrt(radius) * np.stack([np.cos(2 * np.pi * angle), np.sin(2 * np.pi * angle)])
    return result


WORDS, LETTERS, AT_ONCE = 50_000, 10, 1_000_000
"""Of a text: its different words, the letters of the longest one, and how many words are laid out at once."""


def text(n: int) -> Value:
    """So many characters: words of one to ten letters with one blank between them, their frequencies after
    Zipf.
    """
    rng = np.random.default_rng(10)
    letters = rng.integers(ord("a"), ord("z") + 1, (WORDS, LETTERS + 1)).astype(np.uint32)
    lengths = rng.integers(1, LETTERS + 1, WORDS)
    letters[np.arange(WORDS), lengths] = ord(" ")
    often = np.cumsum(1 / (np.arange(WORDS) + 2.7))
    out, filled = np.full(n, ord(" "), np.uint32), 0
    while filled < n:
        words = np.searchsorted(often, rng.random(min(AT_ONCE, n)) * often[-1])
        taken = lengths[words] + 1
        ends = np.cumsum(taken)
        places = np.arange(ends[-1]) - np.repeat(ends - taken, taken)
        characters = letters[np.repeat(words, taken), places][: n - filled]
        out[filled : filled + characters.size] = characters
        filled += characters.size
    return out.view("<U1")
