"""Inputs that are mapped: where such a file is cut short, the process ends with a FILE ERROR and status 1.

Without this it would end by SIGBUS. `rts/aplc_mapped.c` handles the signal; it is compiled once for a
machine. That is for the command line only, whose process is ours. See Note [Read or mapped] in
`aplc.tail.npy`.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from aplc.backends.native.arrays import address_of
from aplc.backends.native.stopping import library_of
from aplc.tail.errors import InternalError, MachineError

Value = np.ndarray[Any, Any]


def watch(array: Value, message: str) -> bool:
    """Whether the process will say that message when elements of a mapped array turn out to be gone."""
    library, text = _library(), (message + "\n").encode("utf-8", "backslashreplace")
    if library is None:
        return False
    address = address_of(array)
    if library.watch(address, array.nbytes, text, len(text)) != 0:
        return False
    weakref.finalize(array, library.forget, address)
    return True


class _Handler(NamedTuple):
    """The functions of `aplc_mapped.c`."""

    watch: Callable[[int, int, bytes, int], int]
    forget: Callable[[int], None]


_WATCH = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t)
_FORGET = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@cache
def _library() -> _Handler | None:
    """The handler; None without a C compiler."""
    with suppress(OSError, MachineError, InternalError):
        library = library_of("aplc_mapped.c")
        return _Handler(
            library.function("aplc_mapped_watch", _WATCH), library.function("aplc_mapped_forget", _FORGET)
        )
    return None
