"""Measuring the suite: compiled APL, C by hand and NumPy, one after the other in one process.

    python -m aplc.bench.measure [NAME…] [--quick] [--runs K]

NAME is a program or a row of the table; without names all are measured. Inputs lie in memory, compilation is
not counted. The values are compared first, and a figure is shown only where the value agrees. Rivals run in
turn, in an order that changes from round to round, after one round to warm up; medians are shown. A result is
new memory for every rival. The C of the first table is the fastest of the functions and flags in the second.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import aplc
from aplc.bench.native import OPENMP, Argument, bind, builds, library
from aplc.bench.suite import SUITE, Benchmark, Size
from backends.toolchain import find_compiler
from tail.errors import AplcError, MachineError

Call = Callable[[], Any]

TOLERANCE = 1e-9
"""Relative, for doubles; other values must be equal."""
APLC, APLC_OPENMP, NUMPY = "aplc C", "aplc OpenMP", "NumPy"
OURS = {APLC: "c", APLC_OPENMP: "openmp"}
"""Compiled APL, by target."""


def interleaved(calls: dict[str, Call], runs: int) -> dict[str, float]:
    """The median seconds of each call, run in turn, after one round to warm up."""
    names = list(calls)
    taken: dict[str, list[float]] = {name: [] for name in names}
    for round_number in range(runs + 1):
        for name in names:
            started = time.perf_counter()
            calls[name]()
            if round_number:
                taken[name].append(time.perf_counter() - started)
        names = names[1:] + names[:1]
    return {name: statistics.median(times) for name, times in taken.items()}


def agrees(value: Any, reference: Any) -> bool:
    """Whether a value is the reference, up to the tolerance where the reference is of doubles."""
    found, wanted = np.asarray(value), np.asarray(reference)
    if found.shape != wanted.shape:
        return False
    if wanted.dtype.kind == "f":
        return bool(np.allclose(found, wanted, rtol=TOLERANCE, atol=0.0))
    return bool(np.array_equal(found, wanted))


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured of one benchmark at one size: seconds by rival, and why others have none."""

    benchmark: Benchmark
    size: Size
    seconds: dict[str, float]
    missing: dict[str, str] = field(default_factory=dict)

    @property
    def sequential(self) -> float | None:
        """The fastest rival in C on one thread."""
        return self._best(self.benchmark.rivals, [way for way in builds() if way != OPENMP])

    @property
    def threaded(self) -> float | None:
        """The fastest rival in C on all threads."""
        return self._best(self.benchmark.rivals, [OPENMP])

    @property
    def beyond(self) -> float | None:
        """The fastest C by other means, on one thread."""
        return self._best(self.benchmark.beyond, [way for way in builds() if way != OPENMP])

    def _best(self, functions: Sequence[str], ways: Sequence[str]) -> float | None:
        names = [by_hand_name(way, function) for way in ways for function in functions]
        return min([self.seconds[name] for name in names if name in self.seconds], default=None)


def by_hand_name(way: str, function: str) -> str:
    """What a function of the C by hand is called here when it was compiled in some way."""
    return f"{way}: {function}"


def by_hand(benchmark: Benchmark, size: Size, arguments: Sequence[Argument]) -> dict[str, Call]:
    """The rivals in C, compiled in each of the ways."""
    calls: dict[str, Call] = {}
    for way in builds():
        for rival in (*benchmark.rivals, *benchmark.beyond):
            function = library(benchmark.program, way)[rival]
            calls[by_hand_name(way, rival)] = bind(function, arguments, benchmark.returns(size))
    return calls


def compiled(benchmark: Benchmark, arguments: Sequence[Argument], target: str = "c") -> Call:
    """The APL function; it is compiled by its first call."""
    function = getattr(aplc.load(benchmark.path, target=target), benchmark.function)
    return lambda: function(*arguments)


def measured(benchmark: Benchmark, size: Size, runs: int) -> Row:
    """One row: values first, then times of those whose value agrees."""
    arguments = benchmark.arguments(size)
    reference = benchmark.numpy(*arguments)
    calls = {NUMPY: lambda: benchmark.numpy(*arguments), **by_hand(benchmark, size, arguments)}
    missing: dict[str, str] = {}
    for name, target in OURS.items():
        try:
            ours = compiled(benchmark, arguments, target)
            ours()
            calls[name] = ours
        except AplcError as error:
            missing[name] = _reason(error)
        except MachineError as lacking:
            missing[name] = str(lacking)
    missing |= {name: "wrong value" for name, call in calls.items() if not agrees(call(), reference)}
    calls = {name: call for name, call in calls.items() if name not in missing}
    return Row(benchmark, size, interleaved(calls, runs), missing)


def _reason(error: AplcError) -> str:
    """What the compiler refuses, in a line."""
    causes = [diagnostic.message for diagnostic in error.diagnostics]
    return "; ".join(dict.fromkeys(causes)) or str(error)


# --- tables ---------------------------------------------------------------------------------------------


def summary(rows: Sequence[Row]) -> list[str]:
    """A line per row, in milliseconds."""
    lines = [
        "| program | size | NumPy | aplc C | C | × of C | aplc OpenMP | C OpenMP | × of C OpenMP "
        "| C by other means | not measured |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|",
    ]
    for row in rows:
        ours, threads = row.seconds.get(APLC), row.seconds.get(APLC_OPENMP)
        cells = [row.benchmark.name, _extent(row.size), _shown(row.seconds.get(NUMPY))]
        cells += [_shown(ours), _shown(row.sequential), _ratio(ours, row.sequential)]
        cells += [_shown(threads), _shown(row.threaded), _ratio(threads, row.threaded)]
        notes = "; ".join([f"{name}: {reason}" for name, reason in row.missing.items()])
        cells += [_shown(row.beyond), notes]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def details(rows: Sequence[Row]) -> list[str]:
    """A line per rival in C, in milliseconds."""
    ways = list(builds())
    lines = [f"| program | size | function | {' | '.join(ways)} |", f"|---|---|---|{'--:|' * len(ways)}"]
    for row in rows:
        for rival in (*row.benchmark.rivals, *row.benchmark.beyond):
            figures = [_shown(row.seconds.get(by_hand_name(way, rival))) for way in ways]
            lines.append(f"| {' | '.join([row.benchmark.name, _extent(row.size), rival, *figures])} |")
    return lines


def _extent(size: Size) -> str:
    return " × ".join([f"{number:,}" for number in size])


def _ratio(ours: float | None, best: float | None) -> str:
    return f"{ours / best:.2f}" if ours is not None and best is not None else "—"


def _shown(seconds: float | None) -> str:
    return "—" if seconds is None else f"{seconds * 1000:.3g}"


def machine() -> list[str]:
    """What the figures were measured on and with."""
    models = [line.partition(":")[2].strip() for line in _cpu_lines() if line.startswith("model name")]
    lines = [
        f"{models[0] if models else os.uname().machine}, {os.cpu_count()} CPUs, {find_compiler().version}"
    ]
    return [*lines, *[f"{way}: {' '.join(options)}" for way, options in builds().items()]]


def _cpu_lines() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text("utf-8").splitlines() if path.exists() else []


def call_overhead(runs: int) -> float:
    """The seconds that a call of compiled APL takes which computes nothing."""
    function = aplc.fn("{⍵+1}")
    return interleaved({APLC: lambda: function(1)}, max(runs, 100))[APLC]


def chosen(names: Sequence[str]) -> list[Benchmark]:
    """The benchmarks of that name, or of the program of that name; all of them without names."""
    unknown = [name for name in names if not any(name in (b.name, b.program) for b in SUITE)]
    if unknown:
        known = ", ".join(dict.fromkeys([b.program for b in SUITE]))
        raise SystemExit(f"there is no benchmark {unknown[0]}; there are {known}")
    return [b for b in SUITE if not names or b.name in names or b.program in names]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="compiled APL against C by hand and NumPy")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a program, or a row of the table")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--runs", type=int, default=7, help="how often each rival runs (7)")
    given = parser.parse_args(arguments)
    rows: list[Row] = []
    for benchmark in chosen(given.names):
        for size in [benchmark.quick] if given.quick else benchmark.full:
            print(f"{benchmark.name}, {_extent(size)}", file=sys.stderr)
            rows.append(measured(benchmark, size, given.runs))
    print("\n".join(["Milliseconds, medians of " + str(given.runs), *machine()]))
    print(f"A call of compiled APL that computes nothing takes {call_overhead(given.runs) * 1e6:.0f} µs.")
    print("\n".join(["", *summary(rows), "", *details(rows)]))


if __name__ == "__main__":
    main()
