"""A set of numeric programs: what they are called with, and what they give, as in `rows`."""

from __future__ import annotations

import numpy as np

from tests.idioms.rows import (
    Arguments,
    Row,
    Value,
    bits,
    ints,
    normal,
    prices,
    random,
    signal,
    square,
    vector,
)


def _returns(days: int, n: int) -> Arguments:
    """Weights, and so many days of returns."""
    return np.full(n, 1 / n), 0.01 * normal(days, n) + 0.005 * normal(days, 1)


def _market(n: int) -> Value:
    """Returns of a market, and of a share that follows it."""
    market = normal(n)
    return np.stack([market, 0.8 * market + 0.5 * np.random.default_rng(5).normal(0, 1, n)])


def _options(n: int) -> Arguments:
    """The price of the asset, and strikes, times and prices near those of a volatility of 0.2 to 0.4."""
    r = random()
    strikes, times = 90 + 20 * r.random(n), 0.5 + r.random(n)
    worth = np.maximum(100 - strikes, 0) / 2 + 100 * 0.3989 * (0.2 + 0.2 * r.random(n)) * np.sqrt(times)
    return 100.0, np.stack([strikes, times, worth])


def _mixture(n: int) -> Arguments:
    """Weights, means and deviations of four distributions, and numbers."""
    return np.array([[0.1, 0.2, 0.3, 0.4], [-2.0, -1.0, 0.0, 1.0], [0.5, 0.6, 0.7, 0.8]]), normal(n)


def _filters(n: int) -> Arguments:
    """The coefficients of eight filters of second order, and a signal."""
    c = np.linspace(0.2, 0.3, 5)[:, None] * np.linspace(0.5, 1, 8)
    c[3] = -np.linspace(1.0, 1.7, 8)
    c[4] = 0.8
    return c, signal(n)


def _symmetric(n: int) -> Value:
    a = random().random((n, n))
    return a + a.T


def _populations(n: int) -> Value:
    return 1 + 9 * random().random((2, n))


M = 1_000_000
HESTON = np.array([1.5, 0.04, 0.3, -0.7, 0.01])
OPTION = np.array([36.0, 40.0, 0.06, 0.2, 0.02])
QUATERNION = np.array([0.5, 0.5, -0.5, 0.5])
NUMERIC_ROWS = (
    Row(
        "rollingBeta",
        "finance",
        lambda n: (60, _market(n)),
        1000,
        M,
        "float64",
        lambda n: (n - 59,),
    ),
    Row(
        "garch",
        "finance",
        lambda n: (np.array([1e-6, 0.08, 0.9]), 0.01 * normal(n)),
        1000,
        M,
        "float64",
        vector,
    ),
    Row("impliedVol", "finance", _options, 1000, 100_000, "float64", vector),
    Row("heston", "finance", lambda n: (HESTON, normal(2, 100, n)), 50, 10_000, "float64"),
    Row("longstaff", "finance", lambda n: (OPTION, normal(n, 50)), 200, 20_000, "float64"),
    Row(
        "discounts",
        "finance",
        lambda n: (0.01 + 0.02 * random().random((30, n)),),
        50,
        10_000,
        "float64",
        lambda n: (30, n),
    ),
    Row("riskShares", "finance", lambda n: _returns(1000, n), 20, 300, "float64", vector),
    Row("shortfall", "finance", lambda n: _returns(n, 20), 200, 100_000, "float64", lambda n: (2,)),
    Row(
        "kalman",
        "signals",
        lambda n: (np.array([0.01, 1.0]), normal(500, n)),
        20,
        1000,
        "float64",
        lambda n: (500, n),
    ),
    Row("bank", "signals", _filters, 100, 200_000, "float64", lambda n: (n, 8)),
    Row(
        "bootstrapped",
        "statistics",
        lambda n: (ints(1, n + 1, 1000, n), normal(n)),
        50,
        1000,
        "float64",
        lambda n: (2,),
    ),
    Row(
        "density",
        "statistics",
        lambda n: (np.linspace(-3, 3, 200), normal(n)),
        50,
        5000,
        "float64",
        lambda n: (200,),
    ),
    Row("mixture", "statistics", _mixture, 100, 200_000, "float64", lambda n: (3, 4)),
    Row("kolmogorov", "statistics", lambda n: (normal(n), 3 * signal(n)), 200, 100_000, "float64"),
    Row("theilSen", "statistics", lambda n: (prices(n), normal(n)), 30, 1000, "float64"),
    Row("prey", "physics", lambda n: (200, _populations(n)), 30, 5000, "float64", lambda n: (2, n)),
    Row(
        "lennard",
        "physics",
        lambda n: (10.0, 10 * random().random((3, n))),
        30,
        1000,
        "float64",
        lambda n: (3, n),
    ),
    Row("redBlack", "physics", lambda n: (20, normal(n, n)), 30, 500, "float64", square),
    Row("alternating", "physics", lambda n: (10, normal(n, n)), 30, 300, "float64", square),
    Row("eigenvalues", "matrices", lambda n: (3, _symmetric(n)), 10, 100, "float64", vector),
    Row("rotated", "images", lambda n: (0.3, 255 * random().random((n, n))), 30, 1000, "float64", square),
    Row(
        "correlated",
        "images",
        lambda n: (normal(7, 7), random().random((n, n))),
        30,
        500,
        "float64",
        lambda n: (n - 6, n - 6),
    ),
    Row("reach", "images", lambda n: (bits(0.01, n, n),), 30, 1000, "float64", square),
    Row("spun", "geometry", lambda n: (QUATERNION, normal(n, 3)), 100, 300_000, "float64", lambda n: (n, 3)),
)
