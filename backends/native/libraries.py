"""Shared objects in this process: loaded from bytes, and unloaded with the last reference to what is in them.

What is loaded is a copy in memory of the bytes that were looked at, so that no file can be exchanged behind
our back and no file system need allow programs. Where the system has no such memory, it is a file among
temporary ones, which is removed at once.

Note [Names of loaded files]
    The loader knows a library again by the name it was loaded by, whatever the name stands for by now, and
    the descriptor of a closed file is used again. So each copy is given a name that no other has: `/` and
    `/.` between two parts of a path mean the same, and a row of them is a number.
"""

from __future__ import annotations

import errno
import itertools
import os
import weakref
from _ctypes import dlclose, dlopen, dlsym
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from aplc.backends.native.private_files import temporary
from aplc.tail.errors import MachineError

_EXECUTABLE = 0x10
"""MFD_EXEC of Linux 6.3 and later."""
_OPENMP = ("libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so")
_FOR_EVER = os.RTLD_NOW | getattr(os, "RTLD_NOLOAD", 0) | getattr(os, "RTLD_NODELETE", 0)

_numbers = itertools.count(1)


class Library:
    """A shared object. Its functions keep it; it is unloaded with the last of them, but not by the end of the
    process, when threads may still be in it.

    This is `ctypes.CDLL` without the cycles, for which programs would wait until garbage is collected.
    """

    def __init__(self, path: str) -> None:
        self._handle = dlopen(path, os.RTLD_NOW)
        weakref.finalize(self, dlclose, self._handle).atexit = False

    def function(self, name: str, prototype: Callable[[int], Any]) -> Any:
        """A function of a type of `ctypes`. Raises `MachineError` where there is none of that name."""
        try:
            function = prototype(dlsym(self._handle, name))
        except (OSError, AttributeError):
            raise MachineError(
                f"what the C compiler makes has no function {name}; is it a C compiler?"
            ) from None
        function.library = self
        return function


def load(content: bytes) -> Library:
    """The library of a shared object. Raises `MachineError` where it cannot be loaded."""
    with suppress(OSError):
        return _from_memory(content)
    try:
        with temporary() as directory:
            directory.write("program.so", content)
            return Library(os.path.join(directory.path, "program.so"))
    except OSError as failure:
        raise MachineError(
            f"what the C compiler makes cannot be loaded ({failure}); is it a compiler for this machine, and "
            "may programs be in memory or where TMPDIR says?"
        ) from failure


def _from_memory(content: bytes) -> Library:
    """The library of a shared object, copied into memory that nobody can change."""
    if not hasattr(os, "memfd_create"):
        raise OSError(errno.ENOSYS, "no memory for programs")
    try:
        descriptor = os.memfd_create("aplc", os.MFD_CLOEXEC | _EXECUTABLE)
    except OSError:
        descriptor = os.memfd_create("aplc", os.MFD_CLOEXEC)
    with open(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        return Library(_unique(descriptor))


def _unique(descriptor: int) -> str:
    """A path of an open file that was never used before: see Note [Names of loaded files]."""
    number = "".join(["/." if bit == "1" else "/" for bit in f"{next(_numbers):b}"])
    return f"/proc/self{number}/fd/{descriptor}"


def keep_threads() -> None:
    """Never unload OpenMP, whose threads outlive the programs that they ran in."""
    for name in _OPENMP:
        with suppress(OSError):
            dlopen(name, _FOR_EVER)
