"""The rivals in C: compiling them in several ways, and calling their functions with NumPy arrays.

A function of `rivals/NAME.c` takes what the APL function takes, ⍺ before ⍵: a number by value (`int64_t` or
`double`), an array as a pointer to its elements (`int64_t`, `double`, or `uint8_t` for booleans) and then its
extents as `int64_t` each. Items of different lengths are a pointer to all elements, one to where each item
begins, behind the last of which stands where it ends, and the number of items. Several arguments in one are
taken one by one. A result that is a number is returned. For one that is an array there is a pointer behind
the arguments, to memory that is new for each call, as it is for compiled APL; where the length depends on
the data, the memory is as long as the result can be and the function returns the true length. Arguments are
converted once, not in each call.

With OpenMP a loop stays sequential while its work takes less than some 120 µs: threads that sleep between
calls, as they do where rivals run in turn, took 60 to 70 µs to begin where the limits were measured.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import platform
import subprocess
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from aplc.backends.native.processes import workplace
from aplc.backends.native.run import waiting
from aplc.backends.native.toolchain import find_compiler, flags
from aplc.bench.arguments import Argument, Items, one_by_one
from aplc.tail.errors import MachineError, first_line

Value = np.ndarray[Any, Any]

OPENMP = "C OpenMP"
"""The way of compiling in which the rivals use all threads."""

SOURCES = Path(__file__).with_name("rivals")


@dataclass(frozen=True, slots=True)
class Returns:
    """What a rival in C gives: a number if there is no shape; only the first part of it if it is counted."""

    dtype: str
    shape: tuple[int, ...] | None = None
    counted: bool = False


def builds() -> dict[str, tuple[str, ...]]:
    """The flags of each way of compiling the rivals; `-ffast-math`, which changes results, is in none.

    zig has no OpenMP.
    """
    ours = flags(find_compiler(), 2)
    plain = ("-std=gnu11", "-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-fopenmp-simd")
    threads = {} if find_compiler().kind == "zig" else {OPENMP: (*ours, "-fopenmp")}
    return {"C": plain, "C, flags of aplc": ours, **threads}


SCRATCH = "APLC_BENCH_SCRATCH"
"""The environment variable with a directory whose shared objects several processes use."""


@cache
def _own_scratch() -> str:
    """Where shared objects lie until the process ends."""
    until_the_end = ExitStack()
    atexit.register(until_the_end.close)
    return until_the_end.enter_context(workplace("aplc-bench-")).path


@cache
def library(program: str, build: str) -> ctypes.CDLL:
    """The rivals of a program, compiled in one of the ways."""
    os.environ.update(waiting())  # OpenMP is loaded once: threads wait alike, here and in our programs
    output = Path(os.environ.get(SCRATCH) or _own_scratch(), f"{program}-{list(builds()).index(build)}.so")
    if not output.exists():
        _compile(program, build, output)
    return ctypes.CDLL(str(output))


def _compile(program: str, build: str, output: Path) -> None:
    """Raises `MachineError` where the compiler does not get through."""
    fresh = output.with_suffix(f".{os.getpid()}")
    link = ["-fvisibility=default", "-shared", "-fPIC", str(SOURCES / f"{program}.c"), "-o", str(fresh)]
    vectors = ["-lmvec"] if platform.machine() == "x86_64" and find_compiler().kind == "gcc" else []
    command = [*find_compiler().command, *builds()[build], *link, *vectors, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise MachineError(f"{program}.c does not compile ({build}): {first_line(done.stderr.strip())}")
    fresh.replace(output)


_SCALARS: dict[str, type[ctypes.c_int64] | type[ctypes.c_double]] = {
    "int64": ctypes.c_int64,
    "float64": ctypes.c_double,
}


def bind(function: Any, arguments: Sequence[Argument], returns: Returns) -> Callable[[], Any]:
    """A function of a rival as a call without arguments."""
    passed: list[Any] = []
    for argument in one_by_one(arguments):
        if isinstance(argument, Items):
            passed += [ctypes.c_void_p(each.ctypes.data) for each in (argument.elements, argument.offsets)]
            passed.append(ctypes.c_int64(len(argument)))
        elif isinstance(argument, np.ndarray):
            passed.append(ctypes.c_void_p(argument.ctypes.data))
            passed += [ctypes.c_int64(extent) for extent in argument.shape]
        elif isinstance(argument, int):
            passed.append(ctypes.c_int64(argument))
        else:
            passed.append(ctypes.c_double(argument))
    shape, dtype = returns.shape, np.dtype(returns.dtype)
    if shape is None:
        function.restype = _SCALARS[returns.dtype]
        return lambda: function(*passed)
    function.restype = ctypes.c_int64 if returns.counted else None
    start = ctypes.c_char * 0  # passed as a pointer; NumPy takes twice as long to tell an address

    def run() -> Value:
        out = np.empty(shape, dtype)
        count = function(*passed, start.from_buffer(out.data))
        return out[:count] if returns.counted else out

    return run
