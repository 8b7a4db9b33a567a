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
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import aplc
from aplc.bench.native import OPENMP, builds
from tests.idioms.applied_rows import APPLIED_ROWS
from tests.idioms.codes_rows import CODE_ROWS
from tests.idioms.collected_rows import COLLECTED_ROWS
from tests.idioms.everyday_rows import EVERYDAY_ROWS
from tests.idioms.more_rows import MORE_ROWS
from tests.idioms.numeric_rows import NUMERIC_ROWS
from tests.idioms.records_rows import RECORD_ROWS
from tests.idioms.rows import ROWS, Arguments, Row
from tests.idioms.stencil_rows import STENCIL_ROWS
from tests.idioms.third_rows import THIRD_ROWS

HERE = Path(__file__).parent
SETS = {
    "idioms": ROWS,
    "more": MORE_ROWS,
    "third": THIRD_ROWS,
    "stencils": STENCIL_ROWS,
    "records": RECORD_ROWS,
    "numeric": NUMERIC_ROWS,
    "codes": CODE_ROWS,
    "applied": APPLIED_ROWS,
    "collected": COLLECTED_ROWS,
    "everyday": EVERYDAY_ROWS,
}
"""The rows of each pair of files."""
CLOSE = 1e-9
WAYS = ("C, flags of aplc", OPENMP)
"""How C is compiled, without and with threads."""


def same(expected: Any, found: Any) -> bool:
    """Whether two values agree: doubles within 1e-9 of each other."""
    a, b = np.asarray(expected), np.asarray(found)
    agree = np.isclose(a, b, CLOSE, 0) if a.dtype.kind in "fc" and a.shape == b.shape else a == b
    return a.shape == b.shape and bool(np.all(agree))


def by_hand(directory: str, name: str, way: str) -> ctypes.CDLL:
    """The functions of a file in C, compiled with the flags of aplc."""
    output = Path(directory, f"{name}.so")
    command = ["gcc", *builds()[way], "-fvisibility=default", "-shared", "-fPIC", str(HERE / f"{name}.c")]
    subprocess.run([*command, "-o", str(output), "-lmvec", "-lm"], check=True)
    return ctypes.CDLL(str(output))


def call_of(function: Any, row: Row, arguments: Arguments) -> Callable[[], Any]:
    """A function in C as a call, which gives its value, an array always in the same memory."""
    passed: list[Any] = []
    apart = [part for each in arguments for part in (each if isinstance(each, tuple) else (each,))]
    for each in apart:
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
    print(
        "| idiom | kind | C by hand, ms | aplc, ms | medians | least |\n| --- | --- | --: | --: | --: | --: |"
    )
    agree = True
    with tempfile.TemporaryDirectory() as directory:
        for name, rows in SETS.items():
            chosen = [row for row in rows if not given.names or row.name in given.names]
            if chosen:
                agree &= print_set(name, chosen, by_hand(directory, name, WAYS[given.openmp]), given)
    return 0 if agree else 1


def print_set(name: str, rows: Sequence[Row], library: ctypes.CDLL, given: argparse.Namespace) -> bool:
    """Prints rows of one set of files; whether all values agree."""
    path = HERE / f"{name}.apl"
    meaning, c, threads = aplc.load(path, target="interp"), aplc.load(path), aplc.load(path, target="openmp")
    ours = threads if given.openmp else c
    clock = time.perf_counter if given.openmp else time.process_time
    all_agree = True
    for row in rows:
        small = row.arguments(row.small)
        expected = meaning[row.name](*small)
        arguments = row.arguments(row.size)
        hand, function = call_of(library[row.name], row, arguments), ours[row.name]
        found = [each[row.name](*small) for each in (c, threads)]
        agree = all(same(expected, each) for each in found) and same(hand(), function(*arguments))
        first, second = measured((hand, partial(function, *arguments)), given.runs, clock)
        middle, least = (statistics.median(second) / statistics.median(first), min(second) / min(first))
        figures = (statistics.median(first), statistics.median(second), middle, least)
        shown = " | ".join([f"{figure:.2f}" for figure in figures])
        print(f"| {row.name} | {row.kind} | {shown} |{'' if agree else ' VALUES DIFFER'}", flush=True)
        all_agree &= agree
    return all_agree


if __name__ == "__main__":
    sys.exit(main())
