"""Stencils: what they are called with, and what they give, as in `rows`.

Most have an odd number of columns.
"""

from __future__ import annotations

import numpy as np

from tests.idioms.rows import Arguments, M, Row, Value, bits, ints, random, signal

ROUNDS = 20


def _across(n: int) -> int:
    """The columns of so many rows."""
    return n * 3 // 4 | 1


def _numbers(n: int) -> Value:
    return random().random((n, _across(n)))


def _bytes(n: int, most: int = 256) -> Value:
    return ints(0, most, n, _across(n)).astype(np.uint8)


def _drops(n: int) -> Value:
    """A reagent in the middle."""
    v = np.zeros((n, _across(n)))
    v[n // 3 : n // 2, n // 3 : n // 2] = 0.25
    return v


def _cube(n: int) -> Value:
    return random().random((n, n, n | 1))


def _bits(n: int) -> Value:
    return bits(0.4, n, _across(n))


def _rounds(value: Value) -> Arguments:
    return (ROUNDS, value)


def _same(n: int) -> tuple[int, ...]:
    return (n, _across(n))


def _inside(n: int) -> tuple[int, ...]:
    """All but a border of one."""
    return (n - 2, _across(n) - 2)


def _further_inside(n: int) -> tuple[int, ...]:
    """All but a border of two."""
    return (n - 4, _across(n) - 4)


STENCIL_ROWS = (
    Row("heatWrapped", "wrapped", lambda n: _rounds(_numbers(n)), 32, 500, "float64", _same),
    Row("boxWrapped", "wrapped", lambda n: (_numbers(n),), 32, 1000, "float64", _same),
    Row("cyclic", "wrapped", lambda n: _rounds(_bytes(n, 8)), 32, 500, "int64", _same),
    Row("majority", "wrapped", lambda n: _rounds(_bits(n)), 32, 1000, "bool", _same),
    Row("rule110", "wrapped", lambda n: _rounds(bits(0.5, n)), 1000, 100_001, "bool", lambda n: (n,)),
    Row("advect", "wrapped", lambda n: _rounds(signal(n)), 1000, 100_001, "float64", lambda n: (n,)),
    Row("laplace3Wrapped", "wrapped", lambda n: (_cube(n),), 16, 100, "float64", lambda n: (n, n, n | 1)),
    Row("grayScott", "wrapped", lambda n: _rounds(_drops(n)), 32, 300, "float64", _same),
    Row("lifeZero", "zeros", lambda n: _rounds(_bits(n)), 32, 1000, "bool", _same),
    Row("lifeStencil", "zeros", lambda n: _rounds(_bits(n)), 32, 1000, "bool", _same),
    Row("topple", "zeros", lambda n: _rounds(_bytes(n, 8)), 32, 500, "int64", _same),
    Row("gauss5", "zeros", lambda n: (_bytes(n),), 32, 1000, "float64", _same),
    Row("edges3", "zeros", lambda n: (_bytes(n),), 32, 1000, "int64", _same),
    Row("clampAt", "clamped", lambda n: (_numbers(n),), 32, 1000, "float64", _same),
    Row("clampJoined", "clamped", lambda n: _rounds(_numbers(n)), 32, 500, "float64", _same),
    Row("keptAt", "kept", lambda n: _rounds(_numbers(n)), 32, 500, "float64", _same),
    Row("keptJoined", "kept", lambda n: _rounds(_numbers(n)), 32, 500, "float64", _same),
    Row("waveKept", "kept", lambda n: _rounds(_drops(n)), 32, 500, "float64", _same),
    Row("jacobiMask", "kept", lambda n: (_bits(n), _numbers(n)), 32, 500, "float64", _same),
    Row("steepness", "inside", lambda n: (_numbers(n),), 32, 1000, "float64", _inside),
    Row("sobelInts", "inside", lambda n: (_bytes(n),), 32, 1000, "int64", _inside),
    Row("dilate5", "inside", lambda n: (_bytes(n),), 32, 1000, "uint8", _further_inside),
    Row("erode3", "inside", lambda n: (_bits(n),), 32, 1000, "bool", _inside),
    Row("box5", "inside", lambda n: (_numbers(n),), 32, 1000, "float64", _further_inside),
    Row("sharpen", "inside", lambda n: (_bytes(n),), 32, 1000, "int64", _inside),
    Row("peaks", "inside", lambda n: (_bytes(n),), 32, 1000, "int64"),
    Row(
        "laplace3", "inside", lambda n: (_cube(n),), 16, 100, "float64", lambda n: (n - 2, n - 2, (n | 1) - 2)
    ),
    Row("line3", "inside", lambda n: (signal(n),), 1000, M, "float64", lambda n: (n - 2,)),
    Row("median3", "inside", lambda n: (signal(n),), 1000, M, "float64", lambda n: (n - 2,)),
)
