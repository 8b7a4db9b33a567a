"""The machine that is measured on: what it is, and what one core of it can do at most."""

from __future__ import annotations

import ctypes
import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

import aplc
from aplc.backends.native.processor import available_cores
from aplc.backends.native.toolchain import find_compiler
from aplc.bench import python_rivals
from aplc.bench.measure import LEAST_RUNS, copying
from aplc.bench.native import builds, library
from aplc.bench.results import Machine
from aplc.timing import least_seconds

ROOT = Path(__file__).resolve().parents[2]

COPIED = 1 << 29
"""Bytes that are read and written to measure the rate of main memory: no cache is as large."""


def this_machine(*, quick: bool) -> Machine:
    """This machine, with its rates measured. Raises `MachineError` without a C compiler."""
    compiler = find_compiler()
    return Machine(
        processor=_processor(),
        cores=available_cores(),
        memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        system=f"{platform.system()} {platform.release()}, {platform.machine()}",
        compiler=compiler.version,
        flags={way: " ".join(options) for way, options in builds().items()},
        versions=versions(),
        commit=_commit(),
        date=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        copy_rate=_copy_rate(COPIED // 4 if quick else COPIED),
        peak=_peak(200_000 if quick else 2_000_000),
        call=_call(),
    )


def versions() -> dict[str, str]:
    """Of what is measured, as far as it is there."""
    always = {"aplc": aplc.__version__, "Python": platform.python_version(), "NumPy": np.__version__}
    return always | python_rivals.versions()


def _copy_rate(size: int) -> float:
    return size / least_seconds(copying(size, 1), 2 * LEAST_RUNS)


def _peak(rounds: int) -> float:
    built = library("machine", "C")
    built.machine_operations.restype = ctypes.c_int64
    function = built.machine_multiply_add
    function.restype = ctypes.c_double
    given = (ctypes.c_int64(rounds), ctypes.c_double(0.999), ctypes.c_double(0.5))
    return float(
        built.machine_operations() * rounds / least_seconds(lambda: function(*given), 2 * LEAST_RUNS)
    )


def _call() -> float:
    function = aplc.fn("{⍵+1}")
    return least_seconds(lambda: function(1), 200)


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def _commit() -> str:
    """The commit of the sources, with a sign that they were changed since; empty where it is not known."""
    if not (ROOT / ".git").exists():
        return ""
    git = ["git", "-C", str(ROOT)]
    try:
        named = subprocess.run([*git, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True)
        changed = subprocess.run(
            [*git, "status", "--porcelain", "--untracked-files=no"], capture_output=True, text=True
        )
    except OSError:
        return ""
    return named.stdout.strip() + (" and changes" if changed.stdout.strip() else "")
