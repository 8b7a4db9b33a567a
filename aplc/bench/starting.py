"""What a run of the command costs as a whole: time from start to end, cold and from the cache, and memory.

python -m aplc.bench.starting [--size N] [--target NAME]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from aplc.targets import COMPILED

SIGNAL = "diff ← {1↓⍵-¯1⌽⍵}\nsignal ← {¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵}\n"


def whole_runs(size: int, runs: int, target: str) -> list[str]:
    """Start to end of the command, cold and from the cache, and its peak memory."""
    with tempfile.TemporaryDirectory() as scratch:
        directory = Path(scratch)
        (directory / "small.apl").write_text(SIGNAL + "+/signal 9 8 6 8 7 4 4 3 2 2 1 2 4 5 6\n", "utf-8")
        (directory / "large.apl").write_text(SIGNAL + "+/signal v\n", "utf-8")
        np.save(directory / "v.npy", np.random.default_rng(1).random(size) * 10)
        small, large = ("small.apl", "--target", target), ("large.apl", "--target", target)
        cold = [seconds(directory, f"cold{k}", *small)[0] for k in range(runs)]
        warm = [seconds(directory, "warm", *small)[0] for _ in range(runs + 1)][1:]
        _, timing = seconds(directory, "warm", *large, "--input", "v=v.npy", "--time")
        idle = seconds(directory, "warm", *small, "--time")[1]
    return [
        f"aplc small.apl --target {target}, whole command, median of {runs}",
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
    """Print the figures."""
    parser = argparse.ArgumentParser(description="the command as a whole: time and memory")
    parser.add_argument("--size", type=int, default=10_000_000)
    parser.add_argument("--target", choices=COMPILED, default="c")
    parsed = parser.parse_args()
    print("\n".join(whole_runs(parsed.size, 5, parsed.target)))


if __name__ == "__main__":
    main()
