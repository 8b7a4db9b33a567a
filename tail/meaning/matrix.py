"""The meaning of `⌹`, in NumPy: least squares by Householder's triangularisation A = QR."""

from __future__ import annotations

import numpy as np

from aplc.tail import faults
from aplc.tail.meaning.core import Value, require

TOLERANCE = 2.0**-52
"""A column is taken for a combination of those before it if what is left of it is at most this part of its
length, times the number of rows.
"""


def inverse(a: Value) -> Value:
    """`⌹a`: the inverse, or that from the left with the least squares if there are more rows than columns."""
    return divide(np.eye(a.shape[0]), a)


def divide(b: Value, a: Value) -> Value:
    """`b⌹a`: the x for which a+.×x is nearest to b, for each column of b."""
    rows, columns = a.shape
    require(rows >= columns, faults.TOO_FEW_ROWS, rows, columns)
    require(b.shape[0] == rows, faults.LENGTHS, b.shape[0], rows)
    q, r = np.linalg.qr(a)
    lengths = np.hypot.reduce(a, axis=0)  # of numbers whose squares are too large or too small, too
    require(~(np.abs(np.diagonal(r)) <= TOLERANCE * rows * lengths), faults.SINGULAR)
    result = q.T @ b.reshape(rows, -1) if b.size else np.zeros((columns, b.size))
    for k in range(columns - 1, -1, -1):
        result[k] = (result[k] - r[k, k + 1 :] @ result[k + 1 :]) / r[k, k]
    return np.asarray(result.reshape(columns, *b.shape[1:]))
