"""Ending work from outside: compiled code by `rts/aplc_stops.h`, Python by an exception in its thread.

`aplc_python.c` is compiled once for a machine, with the gates of `python_calls` and with what runs a program
so that it can be ended: by Ctrl-C and what else makes Python's handlers of signals raise, by a time limit, or
because the thread that waits for it is ended. The structures mirror it.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backends.cache import shared_object
from backends.libraries import load
from backends.time_limit import TimeIsUp, remaining
from backends.toolchain import find_compiler
from tail.errors import InternalError, MachineError

RTS = Path(__file__).with_name("rts")
INCLUDED = ("aplc_host.h", "aplc_work.h", "aplc_stops.h")
"""What `aplc_python.c` includes."""
MOST_HOLDERS = 16
HOLDERS = (np.ndarray, np.float64, np.int64, np.bool_, np.float32, np.int32, np.int16, np.int8)
"""The types of NumPy that a gate takes: arrays, and numbers as the elements of arrays are."""
GOES_ON, RAISED, TOLD, OUT_OF_TIME = range(4)
"""Why a program has ended before its time."""
PATIENCE = 0.05
"""Seconds between two looks of a thread that waits for another one."""


class _Surroundings(ctypes.Structure):
    _fields_ = [
        ("integer", ctypes.py_object),
        ("real", ctypes.py_object),
        ("boolean", ctypes.py_object),
        ("not_implemented", ctypes.py_object),
        ("holders", ctypes.py_object * MOST_HOLDERS),
        ("object_size", ctypes.c_int64),
        ("main_thread", ctypes.c_ulong),
    ]


_known: list[_Surroundings] = []

_POINTER = ctypes.c_void_p
_BEGIN = ctypes.PYFUNCTYPE(ctypes.c_int, _POINTER)
_GATE = ctypes.PYFUNCTYPE(ctypes.py_object, _POINTER)
_RUN = ctypes.PYFUNCTYPE(
    ctypes.c_int, _POINTER, _POINTER, ctypes.c_double, _POINTER, _POINTER, _POINTER, _POINTER
)
_STOP = ctypes.PYFUNCTYPE(None, ctypes.c_ulong)


class PythonCalls(NamedTuple):
    """The functions of `aplc_python.c`, which is never unloaded: a thread of its own runs in it."""

    gate: Callable[[int], Any]
    """What makes the function of a gate."""
    run: Callable[..., int]
    """Runs a program so that it can be ended."""
    stop: Callable[[int], None]
    """Ends what runs in a thread."""


@cache
def library() -> PythonCalls | None:
    """`aplc_python.c`, loaded; None where this Python has no such functions, or no C compiler gets at
    them.
    """
    if not hasattr(ctypes, "PyDLL") or not hasattr(ctypes, "pythonapi"):
        return None
    with suppress(OSError, MachineError, InternalError):
        text = (RTS / "aplc_python.c").read_text("utf-8")
        headers = {name: (RTS / name).read_text("utf-8") for name in INCLUDED}
        found = load(shared_object(text, find_compiler(), 1, headers=headers).content)
        main = threading.main_thread().ident or 0
        _known.append(_Surroundings(int, float, bool, NotImplemented, HOLDERS, object.__basicsize__, main))
        found.function("aplc_python_begin", _BEGIN)(ctypes.byref(_known[0]))
        return PythonCalls(
            found.function("aplc_python_gate", _GATE),
            found.function("aplc_python_run", _RUN),
            found.function("aplc_python_stop", _STOP),
        )
    return None


Entry = Callable[[Any, Any, Any], int]
"""What runs a program: from its host, arguments and results to its status."""


def stoppable(entry: Any, place: Any) -> Entry:
    """The entry of a program as one that can be ended; `place` tells where it keeps what a thread does.

    Where Ctrl-C ends this process at once, and there is no time limit, nothing needs to end a program.
    """
    addresses = address_of_function(entry), address_of_function(place)

    def run(host: Any, arguments: Any, results: Any) -> int:
        seconds = remaining()
        is_needed = seconds is not None or signal.getsignal(signal.SIGINT) != signal.SIG_DFL
        found = library() if is_needed else None
        if found is None:
            return int(entry(host, arguments, results))
        why = ctypes.c_int()
        seconds = 0.0 if seconds is None else max(seconds, 1e-9)
        status = found.run(*addresses, seconds, host, arguments, results, ctypes.byref(why))
        if why.value != GOES_ON:
            raise TimeIsUp
        return int(status)

    return run


def address_of_function(function: Any) -> int | None:
    """Where a function of a shared object begins."""
    return ctypes.c_void_p.from_buffer(function).value


def wait_for(thread: threading.Thread, is_done: threading.Event) -> None:
    """Wait until a thread says that it is done. What interrupts this thread ends what that one does, and then
    goes on. (`Thread.join` takes a thread for ended once it was interrupted.)
    """
    try:
        while not is_done.wait(PATIENCE):
            pass
    except BaseException:
        patience = PATIENCE
        while not is_done.is_set():
            _end(thread.ident or 0)
            with suppress(BaseException):
                is_done.wait(patience)
            patience *= 2
        raise
    thread.join()


def _end(ident: int) -> None:
    """End what a thread does: a compiler, compiled code, and Python."""
    if (processes := sys.modules.get("backends.processes")) is not None:
        processes.end_those_of(ident)
    if library.cache_info().currsize and (found := library()) is not None:
        found.stop(ident)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(TimeIsUp))
