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
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from aplc.backends.native.run import DEFAULT_KEY, NativeProgram, usable_threads
from aplc.backends.native.stopping import library
from aplc.backends.native.time_limit import too_long
from aplc.tail.types import Base

MOST_ARGUMENTS, MOST_AXES = 8, 16
OUT_OF_TIME = -1
"""The number of no check: the time is up."""
NEVER = (1 << 63) - 1
"""The extent of arguments from which on a program asks something, as long as it has not."""


class _Elements(ctypes.Structure):
    _fields_ = [("letter", ctypes.c_int32), ("size", ctypes.c_int32)]


class _Argument(ctypes.Structure):
    _fields_ = [("of", _Elements), ("rank", ctypes.c_int64)]


class _Plan(ctypes.Structure):
    _fields_ = [
        ("next", ctypes.c_void_p),
        ("entry", ctypes.c_void_p),
        ("place", ctypes.c_void_p),
        ("seconds", ctypes.c_double),
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
        ("looks_at", ctypes.c_uint64),
    ]


class _Gate(ctypes.Structure):
    _fields_ = [("plans", ctypes.c_void_p)]


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

    def add(self, program: NativeProgram, arguments: Sequence[Form], seconds: float | None = None) -> None:
        """A program for arguments of some types, unless it prints or needs a stack of its own; it may run for
        so many seconds, None: for ever.
        """
        found = library()
        if found is None or not _is_plain(program) or len(arguments) > MOST_ARGUMENTS:
            return
        plan = _plan(program, arguments, seconds)
        plan.next = self._list.plans
        self._plans.append(plan)
        self._list.plans = ctypes.addressof(plan)
        if self.call is refuse:
            self.call = found.gate(ctypes.addressof(self._list))


def _is_plain(program: NativeProgram) -> bool:
    """Whether a program does nothing but compute an array or a number, with or without questions."""
    code = program.program
    if program.address is None or code.prints or code.is_recursive:
        return False
    if len(code.results) != 1:
        return False
    (result,) = code.results
    return result.rank <= MOST_AXES and not (result.base is Base.CHAR and result.rank == 0)


def _failing(
    program: NativeProgram, seconds: float | None
) -> Callable[[int, int, int, Sequence[int]], NoReturn]:
    """What raises the error of a check, or of a run whose time is up."""

    def fail(number: int, first: int, second: int, items: Sequence[int]) -> NoReturn:
        if number == OUT_OF_TIME and seconds is not None:
            raise too_long(seconds)
        program.fail(number, first, second, items)

    return fail


def _plan(program: NativeProgram, arguments: Sequence[Form], seconds: float | None) -> _Plan:
    (result,) = program.program.results
    dtype = seen(result.base, np.dtype(result.dtype))
    return _Plan(
        entry=program.address,
        place=program.place,
        seconds=seconds or 0.0,
        count=len(arguments),
        arguments=tuple([_argument(*form) for form in arguments]),
        result=_argument(dtype, result.rank),
        dtype=dtype,
        failed=_failing(program, seconds),
        random_key=DEFAULT_KEY,
        has_threads=program.program.has_threads,
        threads=usable_threads(program.threads),
        process=os.getpid(),
        asked=NEVER,
        looks_at=sum([1 << position for position in program.program.looks_at]),
    )


def _argument(dtype: np.dtype[Any], rank: int) -> _Argument:
    return _Argument(_Elements(ord(dtype.kind), dtype.itemsize), rank)
