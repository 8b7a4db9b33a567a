"""The kernels of samples on Oclgrind, a simulator of a device: `python -m tests.oclgrind [NAME…]`.

It finds reads and writes out of bounds, races, barriers that not all reach, and reads of memory that nobody
has written. A sample runs with all of its loops in kernels, in chunks and in steps; without names those run
whose turn it is, one in `--of N`. Each has a process of its own, as the simulator takes the place of the
drivers there. Its log tells what it has found. Run it from the root of the repository.
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
from dataclasses import replace
from datetime import date
from pathlib import Path
from zlib import crc32

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for `python -m`

from samples import ON_DEVICE, REFERENCE, WAYS, faults, read_sample, sample_name, sample_paths

from backends.cl_device import find_device

INSTALL = "Oclgrind is not on PATH (`apt install oclgrind`)"
BEYOND = "Undefined external function"
"""What the simulator says of functions that it does not have."""
SECONDS = 300
"""For one sample."""


def messages(log: str) -> list[str]:
    """What a log tells, one text a finding."""
    return [block.strip() for block in re.split(r"\n\s*\n(?=\S)", log.strip()) if block.strip()]


def findings(name: str) -> list[str]:
    """What is wrong with the kernels of a sample; nothing if all is well."""
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch, "log")
        options = ["--data-races", "--uninitialized", "--log", str(log)]
        inside = [sys.executable, "-m", "tests.oclgrind", "--inside", name]
        environment = {**os.environ, "PYOPENCL_NO_CACHE": "1"}
        try:
            ran = subprocess.run(
                [shutil.which("oclgrind") or "oclgrind", *options, *inside],
                capture_output=True, text=True, check=False, timeout=SECONDS, env=environment,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return [f"{name} took longer than {SECONDS} s"]
        found = messages(log.read_text("utf-8", errors="replace")) if log.exists() else []
        return found if ran.returncode == 0 else [*found, ran.stdout + ran.stderr]


def of_today(of: int, today: int | None = None) -> list[str]:
    """The samples whose turn it is."""
    day = date.today().toordinal() if today is None else today
    return [name for name in map(sample_name, sample_paths()) if (crc32(name.encode()) + day) % of == 0]


def run_inside(name: str) -> int:
    """Run a sample's kernels in this process; the status is 0 if they do what its header says."""
    (path,) = [path for path in sample_paths() if sample_name(path) == name]
    sample = read_sample(path)
    find_device()  # the simulator wants kernels built in the thread that found it
    for way in ON_DEVICE:  # of the host's memory it does not know what has been written
        WAYS[way] = replace(WAYS[way], division=replace(WAYS[way].division, shared=False))
    found = faults(sample, [REFERENCE, *ON_DEVICE])
    print("\n".join(found))
    return 1 if found and not sample.xfail else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--of", type=int, default=24, help="one sample in so many runs on a day")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.inside:
        return run_inside(chosen.inside)
    if shutil.which("oclgrind") is None:
        print(INSTALL, file=sys.stderr)
        return 3
    names, failures = chosen.names or of_today(chosen.of), 0
    for name in names:
        found = findings(name)
        if any(BEYOND in each for each in found):
            print(f"--- {name}: not simulated, {found[0].splitlines()[1]}", flush=True)
        elif found:
            failures += 1
            print(f"--- {name}\n" + "\n\n".join(found), flush=True)
    print(f"{len(names)} samples, {failures} with findings")
    return min(1, failures)


if __name__ == "__main__":
    sys.exit(main())
