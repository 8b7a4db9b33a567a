"""Running compiled C in this process: load, call, hand values over without copies, bring errors back with
their place.

The structures mirror `rts/aplc.h`. A call holds no lock of ours and releases the interpreter's; everything
that it needs is made anew for each call, so one program may run in several threads at once.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from backends.cache import shared_object
from backends.emit_c import CProgram, ValueType
from backends.toolchain import find_compiler
from tail.display import DIGITS
from tail.errors import InternalError
from tail.meaning import DTYPES
from tail.types import Base

Value = np.ndarray[Any, Any]
OnPrint = Callable[[Value, Base, int], None]

OK, FAILED, STOPPED = 0, 1, 2


_EXTENTS = ctypes.POINTER(ctypes.c_int64)
_PRINT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, ctypes.c_void_p, _EXTENTS)


class _Array(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("shape", _EXTENTS)]


class _Host(ctypes.Structure):
    _fields_ = [("print", _PRINT), ("site", ctypes.c_int64), ("values", ctypes.c_int64 * 2)]


@cache
def headers() -> dict[str, str]:
    """The run-time system's files that generated C includes."""
    return {"aplc.h": Path(__file__).with_name("rts").joinpath("aplc.h").read_text("utf-8")}


@cache
def _free() -> Callable[[int], None]:
    free = ctypes.CDLL(None).free
    free.argtypes, free.restype = [ctypes.c_void_p], None
    return free


@dataclass(frozen=True)
class NativeProgram:
    """A compiled program, loaded. `run` may be called from several threads at once."""

    program: CProgram
    path: Path
    entry: Callable[..., int]

    def run(self, inputs: Sequence[Value], on_print: OnPrint) -> tuple[Value, ...]:
        """The results for the given inputs, which must be contiguous and have the dtypes it was compiled for.

        Results own their memory. Raises `RunError` for an APL error, and what `on_print` raises.
        """
        arguments = (_Array * max(1, len(inputs)))()
        shapes = [(ctypes.c_int64 * max(1, a.ndim))(*a.shape) for a in inputs]
        for k, array in enumerate(inputs):
            arguments[k].data, arguments[k].shape = array.ctypes.data, ctypes.cast(shapes[k], _EXTENTS)
        cells = [(ctypes.c_int64 * max(1, kind.rank))() for kind in self.program.results]
        scalars: list[Value] = [np.empty((), DTYPES[kind.base]) for kind in self.program.results]
        out = (_Array * max(1, len(cells)))()
        for k, kind in enumerate(self.program.results):
            out[k].shape = ctypes.cast(cells[k], _EXTENTS)
            if kind.rank == 0:
                out[k].data = scalars[k].ctypes.data
        raised: list[BaseException] = []
        host = _Host(print=_PRINT(_printer(self.program.prints, on_print, raised)))
        status = self.entry(ctypes.byref(host), arguments, out)
        if status == FAILED:
            site = self.program.sites[host.site]
            raise site.fault.error(site.symbol, site.span, *host.values)
        if status == STOPPED:
            raise raised[0]
        if status != OK:
            raise InternalError("run-native", f"the program returned {status}")
        return tuple(
            [
                scalars[k] if kind.rank == 0 else _adopt(out[k].data, kind, list(cells[k]))
                for k, kind in enumerate(self.program.results)
            ]
        )


def _view(address: int, kind: ValueType, shape: list[int]) -> Value:
    """The elements at an address, not owned."""
    dtype = np.dtype(DTYPES[kind.base])
    count = int(np.prod(shape, dtype=np.int64))
    if count == 0:
        return np.empty(shape, dtype)
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
    view: Value = np.frombuffer(memory, dtype=dtype)  # type: ignore[call-overload]
    return view.reshape(shape)


def _adopt(address: int, kind: ValueType, shape: list[int]) -> Value:
    """The elements at an address, freed with the last array that shows them."""
    view = _view(address, kind, shape)
    if view.size == 0:
        _free()(address)
        return view
    owner = view
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    weakref.finalize(owner.base, _free(), address).atexit = False
    return view


def _printer(
    kinds: tuple[ValueType, ...], on_print: OnPrint, raised: list[BaseException]
) -> Callable[[int, int, Any], int]:
    """The callback that shows value number k; what it raises stops the program."""

    def show(k: int, data: int, shape: Any) -> int:
        try:
            kind = kinds[k]
            on_print(_view(data, kind, [shape[axis] for axis in range(kind.rank)]), kind.base, DIGITS)
        except BaseException as failure:
            raised.append(failure)
            return 1
        return 0

    return show


def build(program: CProgram, level: int, *, use_cache: bool = True) -> NativeProgram:
    """Compile (unless the cache has it) and load. Raises `MachineError` without a compiler or room for the
    result.
    """
    path = shared_object(program.text, find_compiler(), level, headers=headers(), use_cache=use_cache)
    entry = ctypes.CDLL(str(path)).aplc_run
    entry.argtypes, entry.restype = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p], ctypes.c_int
    return NativeProgram(program, path, entry)
