"""Arrays that are hard to sort and to search in some way, of each type whose elements have an order."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from aplc.tail.meaning.core import DTYPES, Value
from aplc.tail.types import Base

INF, NAN = math.inf, math.nan
INT_MIN, INT_MAX = -(2**63), 2**63 - 1

TELLING: dict[Base, list[Any]] = {
    Base.INT: [INT_MIN, INT_MIN + 1, -(2**53) - 1, -(2**32), -1, 0, 1, 2, 2**31, 2**53, INT_MAX - 1, INT_MAX],
    Base.DOUBLE: [
        NAN,
        -NAN,
        -INF,
        INF,
        -0.0,
        0.0,
        5e-324,
        -5e-324,
        1.0,
        -1.0,
        1.7976931348623157e308,
        0.1,
        3.0,
    ],
    Base.BOOL: [False, True],
    Base.CHAR: [0, 32, 97, 98, 0x3C1, 0xFFFF, 0x10FFFF],
}
"""Elements at the ends of their types, and some that are nearly equal."""


def of(base: Base, elements: Any) -> Value:
    return np.ascontiguousarray(np.array(elements, dtype=DTYPES[base]))


def narrow(base: Base, rng: np.random.Generator, *shape: int) -> Value:
    """Few different elements, close to each other."""
    high = {Base.BOOL: 2, Base.CHAR: 126}.get(base, 40)
    return of(base, rng.integers(0 if base in (Base.BOOL, Base.CHAR) else -5, high, shape))


def wide(base: Base, rng: np.random.Generator, *shape: int) -> Value:
    """Elements of the whole range of their type."""
    match base:
        case Base.INT:
            return rng.integers(INT_MIN, INT_MAX, shape, dtype=np.int64, endpoint=True)
        case Base.DOUBLE:
            return rng.integers(INT_MIN, INT_MAX, shape, dtype=np.int64, endpoint=True).view(np.float64)
        case Base.BOOL:
            return of(base, rng.random(shape) < 0.1)
        case Base.CHAR:
            return of(base, rng.integers(0, 0x110000, shape))


def clustered(base: Base, rng: np.random.Generator, n: int) -> Value:
    """Clusters of clusters of elements that differ in their last bits only."""
    if base in (Base.BOOL, Base.CHAR):
        return narrow(base, rng, n)
    steps = rng.choice([0, 2**61], n) + rng.choice([0, 2**37, 3 * 2**37], n) + rng.integers(0, 2**12, n)
    result: Value = steps - 2**60 if base is Base.INT else steps.view(np.float64)
    return result


def few_alike(base: Base, rng: np.random.Generator, n: int, each: int) -> Value:
    """Elements that occur so often, or differ in their last bits only."""
    many = np.repeat(wide(base, rng, n // each), each)
    if base in (Base.INT, Base.DOUBLE):
        many.view(np.int64)[: n // 2] ^= rng.integers(0, 3, n // 2)
    return rng.permutation(many)


def telling(base: Base, rng: np.random.Generator, *shape: int) -> Value:
    return rng.choice(of(base, TELLING[base]), shape)


def vectors(base: Base) -> Iterator[Value]:
    rng = np.random.default_rng(20)
    for make in (narrow, wide, clustered, telling):
        for n in (0, 1, 2, 3, 8, 9, 31, 32, 33, 64, 700, 5000):
            yield make(base, rng, n)
        vector = make(base, rng, 1000)
        yield np.sort(vector)
        yield np.ascontiguousarray(np.sort(vector)[::-1])
        yield np.repeat(vector[:1], 500)
        yield np.concatenate([np.sort(vector), vector[:1]])
        yield np.concatenate([narrow(base, rng, 1000), of(base, [TELLING[base][-1], TELLING[base][0]])])
    yield from (few_alike(base, rng, 3000, each) for each in (2, 3, 8, 9, 40))


def long_vectors(base: Base) -> Iterator[Value]:
    """More words than are sorted in one go."""
    rng = np.random.default_rng(21)
    n = 150_000
    for make in (narrow, wide, clustered, telling):
        yield make(base, rng, n)
    yield rng.choice(wide(base, rng, 300), n)
    outlier = narrow(base, rng, n) if base is not Base.INT else rng.integers(0, 10**6, n)
    outlier[n // 3] = TELLING[base][-1]
    yield outlier


def matrices(base: Base) -> Iterator[Value]:
    rng = np.random.default_rng(22)
    for rows, columns in (
        (0, 0),
        (0, 3),
        (5, 0),
        (1, 4),
        (6, 2),
        (9, 3),
        (40, 2),
        (300, 5),
        (300, 70),
        (999, 17),
    ):
        yield narrow(base, rng, rows, columns)
        yield wide(base, rng, rows, columns)
        yield telling(base, rng, rows, columns)
        yield rng.choice(telling(base, rng, 5, columns), rows) if rows else telling(base, rng, 0, columns)
    late = np.repeat(narrow(base, rng, 1, 90), 500, axis=0)
    late[:, 80:] = narrow(base, rng, 500, 10)
    yield late
