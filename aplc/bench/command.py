"""The command `aplc bench`: measures the suite, prints its tables, writes them to files.

Each row is measured in a process of its own (`worker`). Ctrl-C ends the row at hand and keeps the others; a
second one ends the command.
"""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from aplc.backends.native.processes import workplace
from aplc.backends.native.processor import available_cores
from aplc.bench import interpreters, python_rivals, results
from aplc.bench.machine import this_machine
from aplc.bench.measure import TARGET_COLUMNS, Plan
from aplc.bench.progress import progress
from aplc.bench.report.cells import Table
from aplc.bench.report.on_terminal import show
from aplc.bench.report.published import SPEED_UP
from aplc.bench.report.summary import summary
from aplc.bench.report.tables import comparison, tables
from aplc.bench.report.text import markdown
from aplc.bench.results import Results, Row, Size, from_json, to_json
from aplc.bench.suite import SUITE, Benchmark
from aplc.bench.worker import Job, run_job
from aplc.command_line import Parser, UsageError, file_error, write_text
from aplc.tail.errors import MachineError
from aplc.tail.regular import open_regular
from aplc.targets import TARGETS

OK, NOTHING_MEASURED, INTERRUPTED = 0, 1, 130
QUICK_LIMIT, LIMIT = 300.0, 1800.0
"""The most seconds for a row."""
FACTORS = (0.01, 0.1, 1.0, 10.0)
"""How many times the work of a first look `--growing` measures."""
STANDARD_OUTPUT = "-"
FORMS = ("json", "markdown", "html", "svg")
"""Of files that are written, each with an option of that name."""


@dataclass(frozen=True, slots=True)
class Request:
    """A command line, understood."""

    jobs: tuple[Job, ...]
    plan: Plan
    given: argparse.Namespace
    earlier: Results | None
    command: str


def bench(arguments: Sequence[str]) -> int:
    """Run the command; the exit status, which is 1 where no row has a figure."""
    request = understood(arguments)
    found = run(request)
    compared = [] if request.earlier is None else [comparison(request.earlier, found)]
    wanted = [*compared, *tables(found)]
    texts = {
        "json": lambda: to_json(found),
        "markdown": lambda: markdown(wanted, found, request.command),
        "html": lambda: _page(found, wanted),
        "svg": lambda: summary(found),
    }
    outputs = {form: getattr(request.given, form) for form in texts}
    if STANDARD_OUTPUT not in outputs.values():
        show(wanted, found)
    for form, path in outputs.items():
        if path == STANDARD_OUTPUT:
            sys.stdout.write(texts[form]())
        elif path is not None:
            write_text(Path(path), texts[form](), f"--{form}")
    if found.interrupted:
        return INTERRUPTED
    return OK if any(row.figures for row in found.rows) else NOTHING_MEASURED


def _page(found: Results, wanted: Sequence[Table]) -> str:
    """The HTML page."""
    from aplc.bench.report.listings import listings  # noqa: PLC0415 (only for the page)
    from aplc.bench.report.page import page  # noqa: PLC0415

    names = {row.name for row in found.rows}
    return page(found, wanted, listings([each for each in SUITE if each.name in names]))


# --- the command line -----------------------------------------------------------------------------------


def understood(arguments: Sequence[str]) -> Request:
    """What is asked for. Raises `UsageError`, and `CompileError` for a file that is missing."""
    parser = Parser(prog="aplc bench", add_help=False, allow_abbrev=False)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--only", default="", metavar="NAME,…")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--growing", action="store_true")
    parser.add_argument("--targets", metavar="T,…")
    parser.add_argument("--threads", metavar="1,2,…")
    parser.add_argument("--device", default="", metavar="NAME")
    parser.add_argument("--data", default="", metavar="DIR")
    for form in FORMS:
        parser.add_argument(f"--{form}", metavar="FILE")
    parser.add_argument("--compare", metavar="OLD.json")
    given = parser.parse_intermixed_args(list(arguments))
    names = [*given.names, *[name.strip() for name in given.only.split(",") if name.strip()]]
    jobs = [Job(benchmark, size) for benchmark in chosen(names) for size in _sizes(benchmark, given)]
    targets, threads = _targets(given.targets), _threads(given.threads)
    if given.data and not Path(given.data).is_dir():
        raise file_error(f"--data {given.data}", f"{given.data} is no directory")
    if given.html is not None and find_spec("jinja2") is None:
        raise MachineError("the page needs Jinja2: pip install 'aplc[bench]'")
    for form in FORMS:
        _can_be_written(form, getattr(given, form))
    earlier = None if given.compare is None else _earlier(given.compare)
    data = str(Path(given.data).resolve()) if given.data else ""
    curves = [b.name for b in SUITE] if given.threads else [each.name for each in SPEED_UP]
    plan = Plan(targets, threads, tuple(curves), given.device, data, given.quick, given.growing)
    command = shlex.join(["aplc", "bench", *arguments])
    return Request(tuple(jobs), plan, given, earlier, command)


def _sizes(benchmark: Benchmark, given: argparse.Namespace) -> Sequence[Size]:
    """The sizes of a row that are asked for."""
    if given.growing:
        return [benchmark.grown(factor) for factor in FACTORS]
    return [benchmark.quick] if given.quick else benchmark.full


def chosen(names: Sequence[str]) -> list[Benchmark]:
    """The benchmarks of that name, or of the program of that name; all of them without names."""
    for name in names:
        if not any(name in (b.name, b.program) for b in SUITE):
            known = ", ".join(dict.fromkeys([b.program for b in SUITE]))
            raise UsageError(f"there is no benchmark {name}; there are {known}")
    return [b for b in SUITE if not names or b.name in names or b.program in names]


def _targets(text: str | None) -> tuple[str, ...]:
    """The targets that were asked for; all that there are if none were."""
    if text is None:
        return tuple(TARGETS)
    targets = [target.strip() for target in text.split(",")]
    for target in targets:
        if target not in TARGETS:
            raise UsageError(f"--targets: a target is one of {', '.join(TARGETS)}, not {target or 'nothing'}")
    return tuple(dict.fromkeys(targets))


def _threads(text: str | None) -> tuple[int, ...]:
    """The numbers of threads, in order; without any 1, 2, 4 … and the number of cores."""
    if text is None:
        cores = available_cores()
        powers = [1 << k for k in range(cores.bit_length()) if 1 << k < cores]
        return (*powers, cores)
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() and 0 < int(word) <= 1024 for word in words):
        raise UsageError(f"--threads is a list of numbers from 1 to 1024, such as 1,2,4, not {text}")
    return tuple(sorted({int(word) for word in words}))


def _can_be_written(form: str, name: str | None) -> None:
    """Refuse a file that cannot be written before an hour is spent on it."""
    if name in (None, STANDARD_OUTPUT):
        return
    path = Path(str(name))
    where = path if path.exists() else path.absolute().parent
    problem = "it is a directory" if path.is_dir() else "there is no such directory"
    if path.is_dir() or not where.exists():
        raise file_error(f"--{form} {name}", f"{name} cannot be written: {problem}")
    if not os.access(where, os.W_OK):
        raise file_error(f"--{form} {name}", f"{name} cannot be written: Permission denied")


def _earlier(name: str) -> Results:
    """The results of an earlier run."""
    try:
        with open_regular(name) as file:
            return from_json(file.read().decode())
    except OSError as failure:
        reason = "there is no such file" if isinstance(failure, FileNotFoundError) else failure.strerror
    except ValueError as failure:
        reason = str(failure)
    raise file_error(f"--compare {name}", f"{name} cannot be read: {reason}")


# --- the run --------------------------------------------------------------------------------------------


def run(request: Request) -> Results:
    """Measure all rows, or those until Ctrl-C. Raises `MachineError` without a C compiler."""
    plan, interrupted = request.plan, False
    rows: list[Row] = []
    machine = this_machine(quick=plan.quick)
    limit = QUICK_LIMIT if plan.quick else LIMIT
    before = signal.getsignal(signal.SIGINT)
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        _measure(request.jobs, plan, limit, rows)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        with suppress(ValueError):
            signal.signal(signal.SIGINT, before)
    rest = tuple(rows), absent(plan), interrupted, plan.growing
    return Results(machine, plan.quick, plan.threads, *rest)


def _measure(jobs: Sequence[Job], plan: Plan, limit: float, rows: list[Row]) -> None:
    """Measure row by row; what is done stays in `rows`."""
    with workplace("aplc-bench-") as place, progress(len(jobs)) as report:
        for number, job in enumerate(jobs):
            report(number, job.title)
            rows.append(run_job(job, plan, limit, place))


def absent(plan: Plan) -> dict[str, str]:
    """The columns that no row can have, and why."""
    missing = interpreters.absent() | python_rivals.absent()
    for target, column in TARGET_COLUMNS.items():
        if target not in plan.targets:
            missing[column] = "not asked for"
    if results.C_OPENMP not in missing and not _has_openmp():
        missing[results.C_OPENMP] = "this C compiler has no OpenMP; gcc and clang have"
    return missing


def _has_openmp() -> bool:
    from aplc.bench.native import OPENMP, builds  # noqa: PLC0415 (not without a compiler)

    return OPENMP in builds()
