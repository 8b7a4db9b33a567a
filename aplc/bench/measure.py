"""The first measurement: signal against hand-written C, and the time and memory that a run takes as a whole.

    python -m aplc.bench.measure [--size N] [--runs K]

Rivals run interleaved in one process, in an order that changes from round to round; medians are shown, and a
figure only if the values agree. The hand-written C is compiled twice: with `-O3 -march=native`, and with
the flags that aplc itself uses.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import aplc
from backends.toolchain import find_compiler, flags
from tail.meaning import Value

SIGNAL = "diff ← {1↓⍵-¯1⌽⍵}\nsignal ← {¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵}\n"


def interleaved(rivals: dict[str, Callable[[], float]], runs: int) -> dict[str, float]:
    """The median seconds of each rival, run in turn, after one round to warm up."""
    names = list(rivals)
    taken: dict[str, list[float]] = {name: [] for name in names}
    for round_number in range(runs + 1):
        for name in names:
            started = time.perf_counter()
            rivals[name]()
            if round_number:
                taken[name].append(time.perf_counter() - started)
        names = names[1:] + names[:1]
    return {name: statistics.median(times) for name, times in taken.items()}


def hand_written(directory: Path, options: tuple[str, ...], tag: str) -> ctypes.CDLL:
    """The hand-written C, compiled with the given flags."""
    source = directory / "signal.c"
    source.write_text(Path(__file__).with_name("rivals").joinpath("signal.c").read_text("utf-8"), "utf-8")
    output = directory / f"signal-{tag}.so"
    link = ["-fvisibility=default", "-shared", "-fPIC", str(source), "-o", str(output), "-lm"]
    subprocess.run([*find_compiler().command, *options, *link], check=True)
    return ctypes.CDLL(str(output))


def c_function(library: ctypes.CDLL, name: str, data: Value) -> Callable[[], float]:
    """One of the hand-written loops on the given data."""
    function = getattr(library, name)
    function.argtypes, function.restype = [ctypes.c_void_p, ctypes.c_int64], ctypes.c_double
    address, size = data.ctypes.data, data.size
    return lambda: float(function(address, size))


def signal_rivals(size: int, runs: int) -> list[str]:
    """The lines of the table for signal."""
    data = np.random.default_rng(1).random(size) * 10
    program = aplc.fn(SIGNAL + "{+/signal ⍵}")
    with tempfile.TemporaryDirectory() as scratch:
        plain = hand_written(Path(scratch), ("-O3", "-march=native"), "plain")
        ours = hand_written(Path(scratch), flags(find_compiler(), 2), "ours")
        rivals: dict[str, Callable[[], float]] = {
            "aplc": lambda: float(program(data)),
            "C, plain loop, -O3 -march=native": c_function(plain, "signal_plain", data),
            "C, in lanes, -O3 -march=native": c_function(plain, "signal_lanes", data),
            "C, in lanes, flags of aplc": c_function(ours, "signal_lanes", data),
        }
        values = {name: run() for name, run in rivals.items()}
        reference = values["C, plain loop, -O3 -march=native"]
        medians = interleaved(rivals, runs)
    lines = [f"signal of {size:,} doubles, median of {runs} interleaved runs"]
    for name, seconds in medians.items():
        agrees = abs(values[name] - reference) <= 1e-9 * abs(reference)
        figure = f"{seconds * 1000:8.2f} ms" if agrees else "  wrong value"
        lines.append(f"  {name:36} {figure}   {medians['aplc'] / seconds:5.2f} = aplc over it")
    return lines


def whole_runs(size: int, runs: int) -> list[str]:
    """Start to end of the command, cold and from the cache, and its peak memory."""
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch)
        (directory / "small.apl").write_text(SIGNAL + "+/signal 9 8 6 8 7 4 4 3 2 2 1 2 4 5 6\n", "utf-8")
        (directory / "large.apl").write_text(SIGNAL + "+/signal v\n", "utf-8")
        np.save(directory / "v.npy", np.random.default_rng(1).random(size) * 10)
        cold = [seconds(directory, f"cold{k}", "small.apl")[0] for k in range(runs)]
        warm = [seconds(directory, "warm", "small.apl")[0] for _ in range(runs + 1)][1:]
        _, timing = seconds(directory, "warm", "large.apl", "--input", "v=v.npy", "--time")
        idle = seconds(directory, "warm", "small.apl", "--time")[1]
    return [
        f"aplc small.apl, whole command, median of {runs}",
        f"  cold          {statistics.median(cold):6.3f} s",
        f"  from the cache{statistics.median(warm):6.3f} s",
        f"aplc --input v=v.npy --time, {size:,} doubles ({size * 8 / 2**20:.1f} MB)",
        *[f"  {line}" for line in timing.splitlines()],
        "the same for the small program",
        *[f"  {line}" for line in idle.splitlines()],
    ]


def seconds(directory: Path, cache: str, *arguments: str) -> tuple[float, str]:
    """The time of one command, and what it said on standard error."""
    environment = {**os.environ, "APLC_CACHE_DIR": str(directory / cache)}
    started = time.perf_counter()
    command = [sys.executable, "-m", "aplc.cli", *arguments]
    done = subprocess.run(command, cwd=directory, env=environment, check=True, capture_output=True, text=True)
    return time.perf_counter() - started, done.stderr


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="signal against hand-written C")
    parser.add_argument("--size", type=int, default=10_000_000)
    parser.add_argument("--runs", type=int, default=15)
    chosen = parser.parse_args()
    print("\n".join([*signal_rivals(chosen.size, chosen.runs), "", *whole_runs(chosen.size, 5)]))


if __name__ == "__main__":
    main()
