"""Idioms beside C by hand, from the root: `python -m tests.idioms [NAME …] [--runs N] [--openmp]`.

The values are compared first: the interpreter's with those of both targets, at a small size, and those of
C by hand at the size that is measured. Then calls of C by hand, with the flags of aplc, and of ours take
turns in one process. Their times are medians in ms, of processor time, with OpenMP by the clock; behind
them stand the ratios of the medians and of the least times. It ends with status 1 where values differ.
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import aplc
from aplc.bench.native import OPENMP, builds
from tests.idioms.rows import ROWS, Arguments, Row

HERE = Path(__file__).parent
CLOSE = 1e-9


def same(expected: Any, found: Any) -> bool:
    """Whether two values agree: doubles within 1e-9 of each other."""
    a, b = np.asarray(expected), np.asarray(found)
    agree = np.isclose(a, b, CLOSE, 0) if a.dtype.kind == "f" and a.shape == b.shape else a == b
    return a.shape == b.shape and bool(np.all(agree))


def by_hand(directory: str, way: str) -> ctypes.CDLL:
    """The functions of idioms.c, compiled with the flags of aplc."""
    output = Path(directory, "idioms.so")
    command = ["gcc", *builds()[way], "-fvisibility=default", "-shared", "-fPIC", str(HERE / "idioms.c")]
    subprocess.run([*command, "-o", str(output), "-lmvec", "-lm"], check=True)
    return ctypes.CDLL(str(output))


def call_of(function: Any, row: Row, arguments: Arguments) -> Callable[[], Any]:
    """A function of idioms.c as a call, which gives its value, an array always in the same memory."""
    passed: list[Any] = []
    for each in arguments:
        if isinstance(each, np.ndarray):
            passed += [ctypes.c_void_p(each.ctypes.data), *map(ctypes.c_int64, each.shape)]
        else:
            passed.append(ctypes.c_int64(each) if isinstance(each, int) else ctypes.c_double(each))
    if row.shape is None:
        function.restype = ctypes.c_double if row.dtype == "float64" else ctypes.c_int64
        return lambda: function(*passed)
    out = np.zeros(row.shape(row.size), row.dtype)
    function.restype, place = None, ctypes.c_void_p(out.ctypes.data)

    def run() -> Any:
        function(*passed, place)
        return out

    return run


def measured(
    calls: tuple[Callable[[], Any], ...], runs: int, clock: Callable[[], float]
) -> list[list[float]]:
    """The times of calls that take turns, in ms."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(runs):
        for call, taken in zip(calls, times, strict=True):
            begin = clock()
            call()
            taken.append(1e3 * (clock() - begin))
    return times


def main() -> int:
    """Prints a row of a table for each idiom."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.idioms", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("names", nargs="*", help="only these idioms")
    parser.add_argument("--runs", type=int, default=15, help="the number of calls of each")
    parser.add_argument("--openmp", action="store_true", help="two threads on both sides, by the clock")
    given = parser.parse_args()
    targets = ("interp", "c", "openmp")
    meaning, c, threads = (aplc.load(HERE / "idioms.apl", target=target) for target in targets)
    ours = threads if given.openmp else c
    clock = time.perf_counter if given.openmp else time.process_time
    wrong = 0
    print(
        "| idiom | kind | C by hand, ms | aplc, ms | medians | least |\n| --- | --- | --: | --: | --: | --: |"
    )
    with tempfile.TemporaryDirectory() as directory:
        library = by_hand(directory, OPENMP if given.openmp else "C, flags of aplc")
        for row in ROWS:
            if given.names and row.name not in given.names:
                continue
            small = row.arguments(row.small)
            expected = meaning[row.name](*small)
            arguments = row.arguments(row.size)
            hand, function = call_of(library[row.name], row, arguments), ours[row.name]
            found = [each[row.name](*small) for each in (c, threads)]
            agree = all(same(expected, each) for each in found) and same(hand(), function(*arguments))
            first, second = measured((hand, lambda f=function, a=arguments: f(*a)), given.runs, clock)
            middle, least = (statistics.median(second) / statistics.median(first), min(second) / min(first))
            figures = (statistics.median(first), statistics.median(second), middle, least)
            shown = " | ".join([f"{figure:.2f}" for figure in figures])
            print(f"| {row.name} | {row.kind} | {shown} |{'' if agree else ' VALUES DIFFER'}", flush=True)
            wrong += not agree
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
