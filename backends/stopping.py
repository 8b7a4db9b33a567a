"""Ending work from outside: compiled code by `rts/aplc_stops.h`, Python by an exception in its thread.

`aplc_python.c` is compiled once for a machine, with the gates of `python_calls` and with what runs a program
so that it can be ended: by Ctrl-C and what else makes Python's handlers of signals raise, by a time limit, or
because the thread that waits for it is ended. The structures mirror it.
"""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from backends.cache import shared_object
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


@cache
def library() -> Any:
    """`aplc_python.c`, loaded; None where this Python has no such functions, or no C compiler gets at
    them.
    """
    if not hasattr(ctypes, "PyDLL") or not hasattr(ctypes, "pythonapi"):
        return None
    with suppress(OSError, MachineError, InternalError):
        text = (RTS / "aplc_python.c").read_text("utf-8")
        headers = {name: (RTS / name).read_text("utf-8") for name in INCLUDED}
        found = ctypes.PyDLL(str(shared_object(text, find_compiler(), 1, headers=headers)))
        found.aplc_python_gate.argtypes, found.aplc_python_gate.restype = [ctypes.c_void_p], ctypes.py_object
        pointer = ctypes.c_void_p
        run = found.aplc_python_run
        run.argtypes = [pointer, pointer, ctypes.c_double, pointer, pointer, pointer, pointer]
        found.aplc_python_stop.argtypes, found.aplc_python_stop.restype = [ctypes.c_ulong], None
        main = threading.main_thread().ident or 0
        _known.append(_Surroundings(int, float, bool, NotImplemented, HOLDERS, object.__basicsize__, main))
        found.aplc_python_begin(ctypes.byref(_known[0]))
        return found
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
        status = found.aplc_python_run(*addresses, seconds, host, arguments, results, ctypes.byref(why))
        if why.value != GOES_ON:
            raise TimeIsUp
        return int(status)

    return run


def address_of_function(function: Any) -> int | None:
    """Where a function of a shared object begins."""
    return ctypes.cast(function, ctypes.c_void_p).value


def wait_for(thread: threading.Thread) -> None:
    """Wait for the end of a thread. What interrupts this thread ends what that one does, and then goes on."""
    try:
        while thread.is_alive():
            thread.join(PATIENCE)
    except BaseException:
        patience = PATIENCE
        while thread.is_alive():
            _end(thread.ident or 0)
            with suppress(BaseException):
                thread.join(patience)
            patience *= 2
        raise


def _end(ident: int) -> None:
    """End what a thread does: compiled code, and Python."""
    if library.cache_info().currsize and (found := library()) is not None:
        found.aplc_python_stop(ident)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(TimeIsUp))
