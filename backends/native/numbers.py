"""Numbers of large texts, read by `rts/aplc_numbers.c`, which is compiled once for a machine."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from aplc.backends.native.arrays import address_of
from aplc.backends.native.stopping import library_of
from aplc.tail.errors import InternalError, MachineError
from aplc.tail.meaning.number_text import IGNORED

Value = np.ndarray[Any, Any]

SHORTEST = 2
"""Bytes of a number with what ends it."""

_READ = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
_TABLE = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_char_p, ctypes.c_int64, ctypes.c_char_p, ctypes.c_int64,
    ctypes.c_void_p, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64),
)  # fmt: skip


class NumberLibrary(NamedTuple):
    """The functions of `aplc_numbers.c`; it is a `Reader` of `aplc.tail.meaning.number_text`."""

    read_doubles: Callable[[bytes, int, int, int], int]
    read_integers: Callable[[bytes, int, int, int], int]
    read_table: Callable[..., int]

    def numbers(self, content: bytes, *, integers: bool) -> Value | None:
        """The numbers of a text with single commas between them, or blanks; None for any other."""
        results = np.empty(len(content) // SHORTEST + 1, dtype=np.int64 if integers else np.float64)
        read = self.read_integers if integers else self.read_doubles
        count = read(content, len(content), address_of(results), len(results))
        return _shortened(results, count) if count >= 0 else None

    def table(self, content: bytes, kinds: list[int]) -> Value | None:
        """The numbers of a table; None where it has anything else."""
        fields = sum([content.count(end) for end in (b",", b"\n", b"\r")]) + 1
        results = np.empty(fields, dtype=np.float64)
        columns = ctypes.c_int64()
        count = self.read_table(
            content, len(content), bytes(kinds), len(kinds), address_of(results), len(results),
            ctypes.byref(columns),
        )  # fmt: skip
        if count < 0:
            return None
        of_kinds = kinds * columns.value if len(kinds) == 1 else kinds
        width = len(of_kinds) - of_kinds.count(IGNORED)
        return _shortened(results, count).reshape(-1, width) if width and columns.value else None


def _shortened(results: Value, count: int) -> Value:
    """The first so many; the memory of the others, of which most was never touched, is given back."""
    results.resize(count, refcheck=False)
    return results


@cache
def number_library() -> NumberLibrary | None:
    """The library; None without a C compiler."""
    with suppress(OSError, MachineError, InternalError):
        library = library_of("aplc_numbers.c")
        return NumberLibrary(
            library.function("aplc_numbers_doubles", _READ),
            library.function("aplc_numbers_integers", _READ),
            library.function("aplc_numbers_table", _TABLE),
        )
    return None
