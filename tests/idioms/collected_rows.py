"""Programs in the manner of public collections: what they are called with, and what they give."""

from __future__ import annotations

from math import comb, factorial

import numpy as np

from tests.idioms.rows import (
    Arguments,
    Row,
    Value,
    ints,
    letters,
    prices,
    random,
    signal,
    vector,
)


def _ways(n: int) -> Value:
    """Lengths between so many places, a fifth of which are joined."""
    r = random()
    return np.where(r.random((n, n)) < 0.2, 1 + r.random((n, n)), 1e9)


def _maze(n: int) -> Value:
    """A square of open places, walls and a way through, from S to E."""
    g = np.where(random().random((n, n)) < 0.3, "#", ".")
    g[1, 1:-1] = g[1:-1, -2] = "."
    g[[0, -1]] = "#"
    g[:, [0, -1]] = "#"
    g[1, 1], g[-2, -2] = "S", "E"
    return g


def _switches(n: int) -> Value:
    """So many times: on, off or toggle, and the corners of what is switched."""
    r = random()
    a, b = np.sort(r.integers(1, 1001, (2, n, 2)), axis=0)
    return np.concatenate([r.integers(1, 4, (n, 1)), a, b], 1)


def _knots(n: int) -> Arguments:
    """Points of a curve of 1,000 points, and places between them."""
    x = np.cumsum(0.5 + signal(1000))
    return np.array([x, np.sin(x / 9)]), random().random(n) * x[-1]


def _segments(n: int) -> Value:
    """So many short segments."""
    a = random().random((n, 2))
    return np.concatenate([a, a + random().normal(0, 0.1, (n, 2))], 1)


def _words(n: int) -> Value:
    """Words of four letters, as many as a fifth of the size says."""
    t = letters("ABCDEFGHIJKLMNOPQRSTUVWXYZ", n)
    t[4::5] = " "
    return t


def _rules(n: int) -> Arguments:
    """The two pairs that each of so many pairs turns into, and how often."""
    return ints(1, n + 1, 2, n), 400


M = 1_000_000
COLLECTED_ROWS = (
    Row("queens", "recursions", lambda n: (n,), 5, 9, "int64"),
    Row("perms", "recursions", lambda n: (n,), 4, 9, "int64", lambda n: (factorial(n), n)),
    Row("combs", "recursions", lambda n: (6, n), 8, 22, "int64", lambda n: (comb(n, 6), 6)),
    Row("parts", "recursions", lambda n: (n,), 12, 60, "int64"),
    Row("quick", "recursions", lambda n: (ints(0, M, n),), 100, 200_000, "int64", vector),
    Row("hanoi", "recursions", lambda n: (n,), 4, 16, "int64", lambda n: (2**n - 1, 2)),
    Row("hilbert", "recursions", lambda n: (n,), 3, 10, "int64", lambda n: (2**n, 2**n)),
    Row("happy", "recursions", lambda n: (n,), 100, 100_000, "int64"),
    Row("fuel", "recursions", lambda n: (ints(1, 150_000, n),), 100, M, "int64"),
    Row("nearness", "graphs", lambda n: (1, _ways(n)), 40, 1500, "float64", vector),
    Row("maze", "grids", lambda n: (_maze(n),), 20, 600, "int64"),
    Row("cucumbers", "grids", lambda n: (50, letters(".>v", n, n)), 10, 300, "<U1", lambda n: (n, n)),
    Row("lights", "grids", lambda n: (_switches(n),), 3, 300, "int64"),
    Row("squares", "grids", lambda n: (ints(-5, 5, n, n),), 30, 300, "int64"),
    Row("polymer", "puzzles", _rules, 20, 676, "int64", vector),
    Row("houses", "puzzles", lambda n: (letters("^>v<", n),), 100, M, "int64"),
    Row("nice", "puzzles", lambda n: (letters("aabcdeipqxy", n, 16),), 50, 200_000, "int64"),
    Row("reacted", "puzzles", lambda n: (letters("aAbB", n),), 100, M, "int64"),
    Row("marbles", "puzzles", lambda n: (400, n), 500, M, "int64"),
    Row("suffixes", "puzzles", lambda n: (20, ints(0, 10, n)), 50, 500_000, "int64", vector),
    Row("palindromic", "texts", lambda n: (letters("ab", n),), 100, 20_000, "int64"),
    Row("soundex", "texts", lambda n: (_words(n),), 50, M, "<U1", lambda n: (n // 5, 4)),
    Row("sha", "codes", lambda n: (ints(-(1 << 31), 1 << 31, n, 16),), 3, 10_000, "int64", lambda n: (5,)),
    Row("rc4", "codes", lambda n: (ints(0, 256, 16), n), 300, M, "int64", vector),
    Row("toFront", "codes", lambda n: (ints(0, 100, n),), 300, 100_000, "int64", vector),
    Row("totients", "numbers", lambda n: (n,), 300, M, "int64", vector),
    Row("factorial", "numbers", lambda n: (n,), 50, 2000, "int64"),
    Row("recaman", "numbers", lambda n: (n,), 100, M, "int64", vector),
    Row("rods", "numbers", lambda n: (ints(1, 1000, n),), 50, 4000, "int64", lambda n: (n + 1,)),
    Row(
        "solved",
        "numeric",
        lambda n: (random().normal(0, 1, (n, n)), signal(n)),
        10,
        300,
        "float64",
        vector,
    ),
    Row("spline", "numeric", _knots, 100, M, "float64", vector),
    Row("oscillator", "money", lambda n: (prices(n),), 100, M, "float64", lambda n: (n - 15,)),
    Row("crossed", "points", lambda n: (_segments(n),), 30, 1500, "float64"),
)
