"""Kernels on Oclgrind, a simulator of a device: `python -m tests.oclgrind [NAME…]`.

It finds reads and writes out of bounds, races, barriers that not all reach, and reads of memory that nobody
has written. A sample runs with all of its loops in kernels, in chunks and in steps; `tests/K` is a part of
the programs of the tests of OpenCL, with arrays long enough for several groups. Without names those run whose
turn it is, one in `--of N`. Each has a process of its own, as the simulator takes the place of the drivers
there. Its log tells what it has found; what it cannot simulate is told, too, and is no finding.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

import numpy as np

from aplc.backends.native import run as run_native
from aplc.backends.opencl import programs as cl_programs
from aplc.backends.opencl.device import find_device
from aplc.backends.opencl.library import KNOWN
from aplc.laila.devices.kernels import RUN
from aplc.laila.ir.settings import Settings
from aplc.options import Options
from tests.support.days import DAY
from tests.support.kernel_runs import GRID, THREE, near, outcome, same
from tests.support.paths import ROOT
from tests.support.samples import ON_DEVICE, REFERENCE, WAYS, faults, read_sample, sample_name, sample_paths
from tests.support.tables.kernel_programs import (
    ACROSS,
    APART,
    BY_EIGHTS,
    CHECKED,
    COUNTED,
    FAILING,
    FAILING_SCANS,
    FEW_AND_LONG,
    FUSED,
    IN_ROUNDS,
    IN_TILES,
    MATRICES,
    OF_ROWS,
    PROGRAMS,
    REALS,
    ROWS,
    SCANS,
    TALLS,
    TURNS,
    of_length,
)

INSTALL = "Oclgrind is not on PATH (`apt install oclgrind`)"
BUILD = " ".join(
    ["-cl-opt-disable", *[f"-D{name}={name.removeprefix('__builtin_')}" for name in sorted(KNOWN)]]
)
"""Kernels are built as they are written. Optimised they have operations that the simulator lacks (the size of
an integer, vectors that become one number), and have lost reads that nobody uses. Nor does it know what
clang's own functions of reals do with memory that nobody has written.
"""
OPTIONS = ("--data-races", "--uninitialized", "--build-options", BUILD)
BEYOND = "OCLGRIND FATAL ERROR"
"""Begins what the simulator says of what it cannot simulate."""
SHOWN = 10
"""Of the findings of a sample."""
SECONDS = 300
"""For one sample; a work-item takes about a microsecond an operation."""

WITH_ERRORS = {"i": np.arange(2, RUN + 2), "w": np.arange(RUN) - 5.0}
"""An index that is none, and a zero."""
ALL = [
    *PROGRAMS,
    *FAILING,
    *IN_ROUNDS,
    *[(text, {"v": REALS}) for text in BY_EIGHTS],
    *[(text, TURNS) for text in APART],
    *[(text, TALLS) for text in ROWS],
    *[(text, COUNTED) for text in CHECKED],
    *[(text, ACROSS) for text in IN_TILES],
    *[(text, inputs) for text, inputs in FEW_AND_LONG if "÷m" not in text],  # it loses sight of these
    *[(text, of_length(2 * RUN + 1)) for text in (*SCANS, *FUSED)],
    *[(text, MATRICES) for text in OF_ROWS],
    *[(text, of_length(RUN) | WITH_ERRORS) for text in FAILING_SCANS],
]
PARTS = [f"tests/{k}" for k in range(16)]
FORMS = (
    (replace(THREE, shared=False), Settings(), same),  # what the host has written is not known
    (GRID, Settings(), same),
    (replace(GRID, grid=64, looks_back=True), Settings(), same),  # a group has several tiles
    (GRID, Settings(precision="single"), near),
)
"""How work is divided, and how values are compared."""


@dataclass(frozen=True, slots=True)
class Report:
    """What is wrong with kernels, one text a finding, and why they cannot be simulated, if so."""

    findings: list[str]
    beyond: str = ""


def messages(log: str) -> list[str]:
    """What a log tells, one text a finding."""
    return [block.strip() for block in re.split(r"\n\s*\n(?=\S)", log.strip()) if block.strip()]


def simulated(command: Sequence[str], seconds: float = SECONDS) -> Report:
    """What the simulator finds while a command runs, and what the command says if it fails."""
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch, "log")
        environment = {**os.environ, "PYOPENCL_NO_CACHE": "1"}
        try:
            ran = subprocess.run(
                [shutil.which("oclgrind") or "oclgrind", *OPTIONS, "--log", str(log), *command],
                capture_output=True, text=True, check=False, timeout=seconds, env=environment, cwd=ROOT,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Report([], f"longer than {seconds} s")
        told = messages(log.read_text("utf-8", errors="replace")) if log.exists() else []
    beyond = [" ".join(m.split()) for m in (*told, *messages(ran.stderr)) if m.startswith(BEYOND)]
    found = [each for each in told if not each.startswith(BEYOND)]
    if beyond or ran.returncode == 0:  # after such an error no value counts
        return Report(found, "".join(beyond[:1]))
    return Report([*found, (ran.stdout + ran.stderr).strip() or f"it ends with status {ran.returncode}"])


def of_today(of: int, today: int | None = None) -> list[str]:
    """The samples, and parts of the programs, whose turn it is."""
    day = DAY if today is None else today
    names = [*map(sample_name, sample_paths()), *PARTS]
    return [name for name in names if (crc32(name.encode()) + day) % of == 0]


def faults_of_programs(part: int) -> list[str]:
    """What programs do otherwise than the interpreter."""
    found: list[str] = []
    for text, inputs in ALL[part :: len(PARTS)]:
        wanted = outcome(text, inputs, Options("interp"))
        for division, settings, agrees in FORMS:
            options = Options("opencl", verify=True, division=division, settings=settings)
            value = outcome(text, inputs, options)
            if not agrees(value, wanted):
                found.append(f"{text} gives {value}, expected {wanted}, with {division}, {settings}")
    return found


def faults_of_sample(name: str) -> list[str]:
    """What a sample does otherwise than its header says."""
    (path,) = [path for path in sample_paths() if sample_name(path) == name]
    sample = read_sample(path)
    for way in ON_DEVICE:  # what the host has written is not known
        WAYS[way] = replace(WAYS[way], division=replace(WAYS[way].division, shared=False))
    found = faults(sample, [REFERENCE, *ON_DEVICE])
    return [] if sample.xfail else found


def run_inside(name: str) -> int:
    """Run kernels in this process, which the simulator watches; the status is 0 if their values are right."""
    find_device()  # the simulator ends the process where another thread calls it
    run_native._on_large_stack = lambda work: work()
    cl_programs.keeps_programs = lambda device: True  # what is kept was built otherwise
    found = faults_of_programs(PARTS.index(name)) if name in PARTS else faults_of_sample(name)
    print("\n".join(found))
    return min(1, len(found))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--of", type=int, default=24, help="one sample in so many runs on a day")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="for one sample, which is skipped if it takes longer"
    )
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.inside:
        return run_inside(chosen.inside)
    if shutil.which("oclgrind") is None:
        print(INSTALL, file=sys.stderr)
        return 3
    names, failures = chosen.names or of_today(chosen.of), 0
    for name in names:
        report = simulated([sys.executable, "-m", "tests.oclgrind", "--inside", name], chosen.seconds)
        if report.beyond:
            print(f"--- {name}: not simulated, {report.beyond}", flush=True)
        if report.findings:
            failures += 1
            print("\n\n".join([f"--- {name}, {len(report.findings)}", *report.findings[:SHOWN]]), flush=True)
    print(f"{len(names)} samples, {failures} with findings")
    return min(1, failures)


if __name__ == "__main__":
    sys.exit(main())
