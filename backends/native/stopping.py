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
import time
from _thread import start_new_thread
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from aplc.backends.native.cache import shared_object
from aplc.backends.native.kept_memory import most_kept
from aplc.backends.native.libraries import Library, load
from aplc.backends.native.locks import Lock
from aplc.backends.native.time_limit import Bell, TimeIsUp, remaining, within_remaining
from aplc.backends.native.toolchain import find_compiler
from aplc.tail.errors import InternalError, MachineError

T = TypeVar("T")

RTS = Path(__file__).parents[1] / "rts"
INCLUDED = (
    "aplc_apart.h", "aplc_decimal.h", "aplc_decimal_typed.h", "aplc_host.h", "aplc_pool.h", "aplc_powers.h",
    "aplc_stops.h", "aplc_work.h",
)  # fmt: skip
"""What the C files for the host include."""
MOST_HOLDERS = 16
HOLDERS = (np.ndarray, np.float64, np.int64, np.bool_, np.float32, np.int32, np.int16, np.int8)
"""The types of NumPy that a gate takes: arrays, and numbers as the elements of arrays are."""
GOES_ON, RAISED, TOLD, OUT_OF_TIME = range(4)
"""Why a program has ended before its time."""
HANDLED = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGALRM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
)
"""Signals for which programs have handlers, the usual first."""
PATIENCE = 0.05
"""Seconds between two looks of a thread that waits for another one."""

PAUSES = (0.001, 0.01, 0.1, 0.5)
"""Seconds after which a stack that there was no room for is asked for again."""


class _Surroundings(ctypes.Structure):
    _fields_ = [
        ("integer", ctypes.py_object),
        ("real", ctypes.py_object),
        ("boolean", ctypes.py_object),
        ("not_implemented", ctypes.py_object),
        ("holders", ctypes.py_object * MOST_HOLDERS),
        ("object_size", ctypes.c_int64),
        ("main_thread", ctypes.c_ulong),
        ("most_kept", ctypes.c_uint64),
    ]


_known: list[_Surroundings] = []

_POINTER = ctypes.c_void_p
_BEGIN = ctypes.PYFUNCTYPE(ctypes.c_int, _POINTER)
_GATE = ctypes.PYFUNCTYPE(ctypes.py_object, _POINTER)
_RUN = ctypes.PYFUNCTYPE(
    ctypes.c_int, _POINTER, _POINTER, ctypes.c_double, _POINTER, _POINTER, _POINTER, _POINTER
)
_STOP = ctypes.PYFUNCTYPE(None, ctypes.c_ulong)
_LET_GO = ctypes.CFUNCTYPE(None, _POINTER)


class PythonCalls(NamedTuple):
    """The functions of `aplc_python.c`, which is never unloaded: a thread of its own runs in it."""

    gate: Callable[[int], Any]
    """What makes the function of a gate."""
    run: Callable[..., int]
    """Runs a program so that it can be ended."""
    stop: Callable[[int], None]
    """Ends what runs in a thread."""
    let_go: Callable[[int], None]
    """Frees memory, or keeps it for another run."""


def library_of(name: str) -> Library:
    """The library of a C file for the host, which is compiled once for a machine."""
    text = (RTS / name).read_text("utf-8")
    headers = {each: (RTS / each).read_text("utf-8") for each in INCLUDED}
    return load(shared_object(text, find_compiler(), 1, headers=headers).content)


_loading = Lock()
"""Held by who loads `aplc_python.c`, of which there is one."""


@cache
def library() -> PythonCalls | None:
    """`aplc_python.c`, loaded once, whatever threads ask for it; None where Python has no such functions,
    or no C compiler gets at them.
    """
    with _loading:
        return _library()


@cache
def _library() -> PythonCalls | None:
    if not hasattr(ctypes, "PyDLL") or not hasattr(ctypes, "pythonapi"):
        return None
    with suppress(OSError, MachineError, InternalError):
        found = library_of("aplc_python.c")
        main = threading.main_thread().ident or 0
        size, most = object.__basicsize__, most_kept()
        _known.append(_Surroundings(int, float, bool, NotImplemented, HOLDERS, size, main, most))
        found.function("aplc_python_begin", _BEGIN)(ctypes.byref(_known[0]))
        return PythonCalls(
            found.function("aplc_python_gate", _GATE),
            found.function("aplc_python_run", _RUN),
            found.function("aplc_python_stop", _STOP),
            found.function("aplc_python_let_go", _LET_GO),
        )
    return None


Entry = Callable[[Any, Any, Any], int]
"""What runs a program: from its host, arguments and results to its status."""


def stoppable(entry: Any, place: Any) -> Entry:
    """The entry of a program as one that can be ended; `place` tells where it keeps what a thread does.

    Where signals end this process at once, and there is no time limit, nothing needs to end a program.
    """
    addresses = address_of_function(entry), address_of_function(place)

    def run(host: Any, arguments: Any, results: Any) -> int:
        seconds = remaining()
        is_needed = seconds is not None or any(callable(signal.getsignal(each)) for each in HANDLED)
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


_starting = Lock()
"""Held by who has set the stack of threads to come, which is one for all."""
NO_ROOM = ("can't start new thread",)
"""What Python says where there is no room for a stack. A handler of a signal, which may run between any two
steps, can raise a `RuntimeError` of its own.
"""


def in_thread(work: Callable[[], T], stack: int) -> T:
    """The result of the work in a thread with so many bytes of stack, and the time that is left to this one.

    What interrupts this thread ends that one, and goes on when it has ended. (Both `start` and `join` of
    `threading.Thread` can leave a lock behind where they are interrupted.) Raises `MachineError` where there
    is no room for the stack.
    """
    outcome: list[T] = []
    failure: list[BaseException] = []
    bell, ended, seconds = Bell(), threading.Lock(), remaining()
    has_begun = is_called_off = is_over = False

    def run() -> None:
        nonlocal has_begun, is_over
        has_begun = True
        if is_called_off:
            return
        bell.thread = threading.get_ident()
        try:
            try:
                outcome.append(within_remaining(seconds, work))
            except BaseException as failed:
                failure.append(failed)
            finally:
                bell.is_on = False
                bell.settle()
        except TimeIsUp:  # what is raised is what has interrupted the other thread
            try:  # noqa: SIM105 (here, where its first step is inside)
                bell.settle()  # another interruption may have been under way: the last
            except TimeIsUp:
                pass
        finally:
            is_over = True
            ended.release()

    ended.acquire()
    try:
        _start(run, stack)
        while not is_over:
            ended.acquire(timeout=PATIENCE)
    except BaseException:
        is_called_off = True
        patience = PATIENCE
        while has_begun and not is_over:
            try:
                _end(bell)
                ended.acquire(timeout=patience)
            except BaseException:  # another interrupt
                pass
            patience *= 2
        raise
    if failure:
        raise failure[0]
    return outcome[0]


def _start(run: Callable[[], None], stack: int) -> None:
    """Run it in a thread with such a stack."""
    with _starting:
        before = threading.stack_size(stack)
        try:
            for pause in PAUSES:
                try:
                    start_new_thread(run, ())
                    return
                except RuntimeError as failure:
                    if failure.args != NO_ROOM:
                        raise
                    time.sleep(pause)  # the stack of the last one is still there until it has ended
            start_new_thread(run, ())
        except RuntimeError as failure:
            if failure.args != NO_ROOM:
                raise
            raise MachineError(
                f"no room for the stack of a deep recursion, {stack >> 20} MB of address space; "
                "ulimit -v tells the limit"
            ) from failure
        finally:
            threading.stack_size(before)


def _end(bell: Bell) -> None:
    """End what a thread does: a compiler, compiled code, and Python."""
    if (processes := sys.modules.get("aplc.backends.native.processes")) is not None:
        processes.end_those_of(bell.thread)
    if library.cache_info().currsize and (found := library()) is not None:
        found.stop(bell.thread)
    bell.ring()
