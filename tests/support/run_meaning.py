"""The meaning of a primitive, run on values that are written shortly.

An array is written as nested lists, with `of` for what lists cannot say: the shape of an empty array and the
element type where it matters.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from aplc.tail.faults import FaultRaised
from aplc.tail.meaning.core import DTYPES, CellFunction, Pointwise, Value
from aplc.tail.meaning.random_numbers import RandomStream
from aplc.tail.prims import Prim
from aplc.tail.types import Base

INF, NAN = math.inf, math.nan
INT_MIN, INT_MAX = -(2**63), 2**63 - 1


def of(value: Any, *shape: int, base: str = "") -> Value:
    """An array; a string is its characters, and ints, floats and bools keep their types."""
    if isinstance(value, str):
        codes = np.array([ord(c) for c in value], dtype=np.uint32)
        return codes.reshape(shape or codes.shape)
    array = np.array(value, dtype=DTYPES[Base(base)] if base else None)
    if array.size == 0 and not base:
        array = array.astype(np.int64)
    return array.reshape(shape) if shape else array


def empty(*shape: int, base: str = "int") -> Value:
    return np.zeros(shape, DTYPES[Base(base)])


def run(prim: Prim, *args: Any) -> Value:
    """A meaning on arrays; lists and texts become arrays, callables and arrays stay."""
    ready = [a if callable(a) or isinstance(a, np.ndarray | tuple | RandomStream) else of(a) for a in args]
    with np.errstate(all="ignore"):
        return np.asarray(prim.meaning(*ready))


def agree(found: Value, expected: Any) -> None:
    wanted = expected if isinstance(expected, np.ndarray) else of(expected)
    assert found.shape == wanted.shape
    assert found.dtype == wanted.dtype
    assert np.array_equal(found, wanted, equal_nan=wanted.dtype.kind == "f"), found


def fails(prim: Prim, *args: Any) -> str:
    """What the user reads."""
    with pytest.raises(FaultRaised) as raised:
        run(prim, *args)
    error = raised.value.fault.error("f", None, *raised.value.values)
    (diagnostic,) = error.diagnostics
    return f"{diagnostic.kind}: {diagnostic.message}"


def text(array: Value) -> Any:
    """A character array as nested lists of strings."""
    assert array.dtype == np.uint32
    if array.ndim == 1:
        return "".join(map(chr, array.tolist()))
    return [text(row) for row in array]


SUB = Pointwise(np.subtract)
ADD = Pointwise(np.add, associative=True)


def cell_function(call: Callable[..., Any], *ranks: int, result_rank: int, base: str = "int") -> CellFunction:
    return CellFunction(lambda *args: np.asarray(call(*args)), ranks, DTYPES[Base(base)], result_rank)


MATRIX = [[1, 2, 3], [4, 5, 6]]
