"""A row is measured in a process of its own: what it does to its process or its memory, no other row sees.

    python -m aplc.bench.worker

The process reads what to measure from standard input and writes the row to the file that is named there.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from aplc.backends.native.processes import Workplace
from aplc.backends.native.run import waiting
from aplc.bench.measure import Plan, measured
from aplc.bench.native import SCRATCH
from aplc.bench.results import COLUMNS, Refusal, Row, Size, reason_of, row_of
from aplc.bench.suite import SUITE, Benchmark
from aplc.tail.errors import MachineError

CACHES = ("APLC_CACHE_DIR", "POCL_CACHE_DIR")
"""Where compiled programs are kept: anew for each row, so that its first calls compile."""
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Job:
    """A row that is to be measured."""

    benchmark: Benchmark
    size: Size

    @property
    def title(self) -> str:
        """The name and the size."""
        return f"{self.benchmark.name}, {' × '.join([f'{n:,}' for n in self.size])}"


def run_job(job: Job, plan: Plan, limit: float, place: Workplace) -> Row:
    """The row, or one whose columns all have the reason why there are no figures.

    After `limit` seconds the process is ended. What it compiles lies in the workplace, for others.
    """
    with tempfile.TemporaryDirectory(dir=place.path) as scratch:
        answer = Path(scratch, "row.json")
        question = {
            "name": job.benchmark.name,
            "size": job.size,
            "plan": asdict(plan),
            "answer": str(answer),
        }
        said = _run(json.dumps(question), limit, scratch, place)
        if said is None and answer.exists():
            return row_of(json.loads(answer.read_text("utf-8")))
    return without_figures(job, said or "its process ended without an answer")


def without_figures(job: Job, reason: str) -> Row:
    """A row that has nothing but a reason."""
    refusals = tuple([Refusal(column, reason) for column in COLUMNS])
    return Row(job.benchmark.name, job.benchmark.program, job.size, (), refusals)


def _run(question: str, limit: float, scratch: str, place: Workplace) -> str | None:
    """Why the process gave no row; None if it ended well."""
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "TMPDIR": scratch}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment[SCRATCH] = place.path
    environment |= dict.fromkeys(CACHES, scratch)
    environment |= waiting()
    process = subprocess.Popen(
        [sys.executable, "-m", "aplc.bench.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
        encoding="utf-8",
        errors="replace",
        process_group=place.group,
    )
    try:
        _, errors = process.communicate(question, timeout=limit)
    except subprocess.TimeoutExpired:
        return f"took longer than {limit:.0f} s"
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    if process.returncode == 0:
        return None
    if process.returncode < 0:
        return f"its process was ended by {signal.Signals(-process.returncode).name}"
    last = errors.strip().splitlines()[-1:] or [f"its process ended with status {process.returncode}"]
    return last[0]


def main() -> None:
    """Measure what standard input asks for."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # at once, also in the middle of C
    asked = json.loads(sys.stdin.read())
    plan = Plan(
        **asked["plan"] | {key: tuple(asked["plan"][key]) for key in ("targets", "threads", "curves")}
    )
    benchmark = next(each for each in SUITE if each.name == asked["name"])
    try:
        row = measured(benchmark, tuple(asked["size"]), plan)
    except (Exception, MachineError) as failure:
        print(reason_of(failure), file=sys.stderr)
        sys.exit(1)
    Path(asked["answer"]).write_text(json.dumps(asdict(row)), "utf-8")


if __name__ == "__main__":
    main()
