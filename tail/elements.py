"""Elements of arrays that come from outside: their TAIL type, and their memory as generated code reads it.

Generated code trusts the types of its inputs: a boolean is a byte that is 0 or 1, a character is a code point
of Unicode. NumPy does not enforce either, so it is done here, where arrays enter. `docs/security.md` lists
all that is trusted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from aplc.tail.types import LAST_CHARACTER, Base

Value = np.ndarray[Any, Any]

BASE_OF_KIND = {kind: base for base in Base for kind in base.kinds}

WIDENED = {("f", 2): np.dtype(np.float64), ("c", 8): np.dtype(np.complex128)}
"""What the elements become, by kind and size, that compiled programs do not read as they are."""

MOST_ELEMENTS = 1 << 47
"""What no memory holds, and what programs count without a thought of 64 bits: so many elements an array may
have, and so many if those extents that are 0 were 1.
"""


class UnfitArray(Exception):
    """An array that APL has no counterpart for; the message continues `… holds`."""


@cache
def base_of_dtype(dtype: np.dtype[Any]) -> Base:
    """The TAIL type of elements: integers up to 64 bits, float16 to float64, complex numbers of two floats or
    doubles, booleans, single characters.

    Raises `UnfitArray`.
    """
    base = BASE_OF_KIND.get(dtype.kind)
    fits = base is not None and 0 < dtype.itemsize <= base.item_bytes
    if base is None or not fits or dtype.isbuiltin == 2:  # 2: a type that is not NumPy's own
        raise UnfitArray(_kind_name(dtype))
    return base


def _kind_name(dtype: np.dtype[Any]) -> str:
    if dtype.isbuiltin == 2:
        return f"elements of type {dtype}"
    names = {"O": "Python objects", "V": "records", "S": "bytes", "U": "texts", "M": "dates"}
    names |= {"m": "time spans", "f": "floats of more than 64 bits"}
    names |= {"c": "complex numbers of more than 128 bits"}
    return names.get(dtype.kind, f"elements of type {dtype}")


def require_extents(shape: Sequence[int]) -> None:
    """Raise `UnfitArray` for an array without elements whose other extents are beyond all arrays."""
    if math.prod([extent for extent in shape if extent]) > MOST_ELEMENTS:
        raise UnfitArray("no elements, and more of them along its other axes than an array can have")


def stored_as(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type of elements in memory as `as_elements` leaves them."""
    if dtype.kind == "U":
        return np.dtype(Base.CHAR.dtype)
    if dtype.kind == "u" and dtype.itemsize == 8:
        return np.dtype(np.int64)
    return WIDENED.get((dtype.kind, dtype.itemsize), dtype.newbyteorder("="))


def as_elements(array: Value) -> tuple[Base, Value]:
    """The type of an array's elements, and the array as generated code can read it: native byte order,
    row-major, aligned, characters as code points, booleans as 0 and 1. It is not copied where its memory can
    be used as it is, and narrow numbers stay narrow.

    Unsigned 64-bit integers must fit 64 bits with a sign. Raises `UnfitArray`.
    """
    dtype = array.dtype
    base = base_of_dtype(dtype)
    if not array.size:
        require_extents(array.shape)
    if base is Base.CHAR:
        native_order = np.ascontiguousarray(array, dtype=dtype.newbyteorder("="))
        array = native_order.view(np.uint32).reshape(array.shape)
    elif dtype.kind == "u" and dtype.itemsize == 8:
        if array.size and int(array.max()) >= 2**63:
            raise UnfitArray("unsigned integers beyond 64 bits with a sign")
        array = array.astype(np.int64)
    elif wide := WIDENED.get((dtype.kind, dtype.itemsize)):
        array = array.astype(wide)
    flags = array.flags
    if not (flags.c_contiguous and flags.aligned and array.dtype.isnative):
        array = np.require(array, dtype=array.dtype.newbyteorder("="), requirements=["C", "A"])
    return base, _enforced(base, array)


def _enforced(base: Base, array: Value) -> Value:
    """Contiguous elements that are of their type: any byte but 0 is true, as for NumPy."""
    if base is Base.BOOL and array.size:
        values: Value = array.view(np.uint8)
        if values.max() > 1:
            array = np.not_equal(values, 0)
    elif base is Base.CHAR and array.size and array.max() > LAST_CHARACTER:
        raise UnfitArray("characters beyond those of Unicode")
    return array
