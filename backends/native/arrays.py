"""NumPy arrays as the `aplc_array` of generated C, and back.

A call needs one block of words: for each array the address of its elements and the address of its extents,
then the extents of all of them.

    data₀ shape₀ data₁ shape₁ … | extents₀ … | extents₁ … | …
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np

from aplc.backends.c.program import ValueType
from aplc.backends.native.stopping import library

Value = np.ndarray[Any, Any]

WORD = 8
"""Bytes of an address and of an extent."""

_C = ctypes.CDLL(None)
_free, _malloc = _C.free, _C.malloc
_free.argtypes, _free.restype = [ctypes.c_void_p], None
_malloc.argtypes, _malloc.restype = [ctypes.c_size_t], ctypes.c_void_p

HUGE_PAGE = 1 << 21
"""Bytes to a multiple of which large blocks are aligned."""
LEARNT = 31 << 20
"""Bytes up to which memory that is freed stays with the process, for the next call."""

# glibc gives larger blocks back to the system than any that was freed before, and takes them anew, page by
# page. It learns from blocks of up to 32 MiB, but not from aligned ones that are as large as the next.
_free(_malloc(LEARNT))


def allocate(size: int) -> int:
    """The address of memory that the C program frees. Raises `MemoryError`."""
    address = _malloc(max(1, size))
    if not address:
        raise MemoryError
    return int(address)


def address_of(array: Value) -> int:
    """Where the elements of an array begin."""
    return int(array.__array_interface__["data"][0])


class Block:
    """Arrays in a row, given by address and shape, as one piece of memory."""

    def __init__(self, arrays: Sequence[tuple[int, Sequence[int]]]) -> None:
        first = 2 * len(arrays)
        words = (ctypes.c_int64 * (first + sum([len(shape) for _, shape in arrays])))()
        start = ctypes.addressof(words)
        self._extents: list[slice] = []
        for number, (address, shape) in enumerate(arrays):
            place = slice(first, first + len(shape))
            words[2 * number], words[2 * number + 1] = address, start + WORD * first
            extents: list[ctypes.c_int64 | int] = [*shape]
            words[place] = extents
            self._extents.append(place)
            first = place.stop
        self._words = words

    def array(self, number: int) -> Any:
        """The array of that number and those behind it, as an argument of a C function."""
        return ctypes.byref(self._words, 2 * WORD * number)

    def address(self, number: int) -> int:
        """Where the elements of an array begin."""
        return self._words[2 * number]

    def take(self, number: int) -> int:
        """The same, and the block shows them no more."""
        address = self._words[2 * number]
        self._words[2 * number] = 0
        return address

    def shape(self, number: int) -> list[int]:
        """The extents of an array."""
        return self._words[self._extents[number]]


class _Memory:
    """Elements at an address, in NumPy's array interface."""

    __slots__ = ("__array_interface__", "address")

    def __init__(self, address: int, dtype: str, shape: Iterable[int]) -> None:
        self.address = address
        self.__array_interface__ = {
            "data": (address, False),
            "shape": tuple(shape),
            "typestr": _type(dtype),
            "version": 3,
        }


class _OwnMemory(_Memory):
    """The same, freed with the last array that shows them, or kept for another run."""

    __slots__ = ()

    def __del__(self, page: int = HUGE_PAGE, free: Any = _free, library: Any = library) -> None:
        if self.address % page == 0 and library.cache_info().currsize and (found := library()) is not None:
            found.let_go(self.address)
        else:
            free(self.address)


@cache
def _type(dtype: str) -> str:
    return np.dtype(dtype).str


def release(address: int) -> None:
    """Free the elements at an address that nobody has adopted; 0: none."""
    _free(address)


def view(address: int, kind: ValueType, shape: list[int]) -> Value:
    """The elements at an address, not owned."""
    if math.prod(shape) == 0:
        return np.empty(shape, kind.dtype)
    return np.asarray(_Memory(address, kind.dtype, shape))


def adopted(address: int, kind: ValueType, shape: list[int]) -> Value:
    """The elements at an address, which are freed with the last array that shows them."""
    if math.prod(shape) == 0:
        _free(address)
        return np.empty(shape, kind.dtype)
    return np.asarray(_OwnMemory(address, kind.dtype, shape))
