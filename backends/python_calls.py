"""Calls of compiled functions without the ways around: a `Gate` is a function of Python that is written in C.

A gate knows plans: programs with the element types and ranks of their arguments. It takes arrays of NumPy as
they lie in memory, and numbers; where these fit a plan, a call is that of a C function. Whatever else is
asked of it, a gate answers `NotImplemented`, and the caller goes the general way (`Runnable.run`), with
the same result. That is so, too, where the program asks its host for a primitive or a kernel, as programs for
devices do from some size on: the gate stops them there, and does not try again with arguments as large. The
C, `rts/aplc_python.c`, is compiled once for a machine; the structures mirror it.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast

import numpy as np

from backends.cache import shared_object
from backends.libraries import load
from backends.run_native import DEFAULT_KEY, RTS, NativeProgram, headers, usable_threads
from backends.toolchain import find_compiler
from tail.errors import InternalError, MachineError
from tail.meaning import DTYPES
from tail.types import Base

MOST_ARGUMENTS, MOST_AXES, MOST_HOLDERS = 2, 16, 16
NEVER = (1 << 63) - 1
"""The extent of arguments from which on a program asks something, as long as it has not."""

HOLDERS = (np.ndarray, np.float64, np.int64, np.bool_, np.float32, np.int32, np.int16, np.int8)
"""The types of NumPy that a gate takes: arrays, and numbers as the elements of arrays are."""


class _Elements(ctypes.Structure):
    _fields_ = [("letter", ctypes.c_int32), ("size", ctypes.c_int32)]


class _Argument(ctypes.Structure):
    _fields_ = [("of", _Elements), ("rank", ctypes.c_int64)]


class _Plan(ctypes.Structure):
    _fields_ = [
        ("next", ctypes.c_void_p),
        ("entry", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("arguments", _Argument * MOST_ARGUMENTS),
        ("result", _Argument),
        ("dtype", ctypes.py_object),
        ("failed", ctypes.py_object),
        ("random_key", ctypes.c_uint64),
        ("has_threads", ctypes.c_int64),
        ("threads", ctypes.c_int64),
        ("process", ctypes.c_int64),
        ("asked", ctypes.c_int64),
    ]


class _Gate(ctypes.Structure):
    _fields_ = [("plans", ctypes.c_void_p)]


class _Surroundings(ctypes.Structure):
    _fields_ = [
        ("integer", ctypes.py_object),
        ("real", ctypes.py_object),
        ("boolean", ctypes.py_object),
        ("not_implemented", ctypes.py_object),
        ("holders", ctypes.py_object * MOST_HOLDERS),
        ("object_size", ctypes.c_int64),
    ]


_KNOWN = _Surroundings(int, float, bool, NotImplemented, HOLDERS, object.__basicsize__)


Form = tuple[np.dtype[Any], int]
"""The elements of an array as Python sees them, and its rank."""


def seen(base: Base, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The elements of an array as Python sees them: characters are texts, not numbers."""
    return np.dtype("U1") if base is Base.CHAR else dtype


def refuse(*arguments: Any) -> Any:
    """A gate without plans."""
    return NotImplemented


@dataclass
class Gate:
    """A function with the plans that are known for it. Plans may be added while it is called."""

    call: Callable[..., Any] = refuse
    """The value for some arguments, or `NotImplemented`."""
    _list: _Gate = field(default_factory=_Gate)
    _plans: list[_Plan] = field(default_factory=list)

    def add(self, program: NativeProgram, arguments: Sequence[Form]) -> None:
        """A program for arguments of some types, unless it prints or needs a stack of its own."""
        make = _library()
        if make is None or not _is_plain(program):
            return
        plan = _plan(program, arguments)
        plan.next = self._list.plans
        self._plans.append(plan)
        self._list.plans = ctypes.addressof(plan)
        if self.call is refuse:
            self.call = make(ctypes.addressof(self._list))


def _is_plain(program: NativeProgram) -> bool:
    """Whether a program does nothing but compute an array or a number, with or without questions."""
    code = program.program
    if program.address is None or code.prints or code.is_recursive:
        return False
    if len(code.results) != 1:
        return False
    (result,) = code.results
    return result.rank <= MOST_AXES and not (result.base is Base.CHAR and result.rank == 0)


def _plan(program: NativeProgram, arguments: Sequence[Form]) -> _Plan:
    (result,) = program.program.results
    dtype = seen(result.base, DTYPES[result.base])
    return _Plan(
        entry=program.address,
        count=len(arguments),
        arguments=tuple([_argument(*form) for form in arguments]),
        result=_argument(dtype, result.rank),
        dtype=dtype,
        failed=program.fail,
        random_key=DEFAULT_KEY,
        has_threads=program.program.has_threads,
        threads=usable_threads(program.threads),
        process=os.getpid(),
        asked=NEVER,
    )


def _argument(dtype: np.dtype[Any], rank: int) -> _Argument:
    return _Argument(_Elements(ord(dtype.kind), dtype.itemsize), rank)


@cache
def _library() -> Callable[[int], Any] | None:
    """What makes the function of a gate; None where this Python has no such functions, or no C compiler gets
    at them.
    """
    if not hasattr(ctypes, "PyDLL") or not hasattr(ctypes, "pythonapi"):
        return None
    with suppress(OSError, MachineError, InternalError):
        text = (RTS / "aplc_python.c").read_text("utf-8")
        own = {"aplc_host.h": headers()["aplc_host.h"]}
        library = load(shared_object(text, find_compiler(), 1, headers=own).content)
        make = library.function("aplc_python_gate", ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p))
        begin = library.function("aplc_python_begin", ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p))
        begin(ctypes.byref(_KNOWN))
        return cast("Callable[[int], Any]", make)
    return None
