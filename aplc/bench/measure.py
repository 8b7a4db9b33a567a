"""Measuring one row of the suite: compiled APL, C by hand, NumPy and interpreters, in turn, in one process.

Inputs lie in memory, compilation is not counted. A first run of each, which also warms up, shows its
value, and only what gives the right one is timed. Rivals run in turn, in an order that changes from
round to round: a machine that is busy for a while is so for all of them. A result is new memory for
every rival.
"""

from __future__ import annotations

import ctypes
import os
import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from aplc.backends.native.python_calls import Gate, seen
from aplc.bench import results
from aplc.bench.arguments import Argument, inputs_of, is_flat
from aplc.bench.interpreters import INTERPRETERS, measured_by
from aplc.bench.native import OPENMP, bind, builds, library
from aplc.bench.python_rivals import by_python
from aplc.bench.results import Figure, Refusal, Row, Size, reason_of
from aplc.bench.rival import Call, Rival
from aplc.bench.suite import Benchmark
from aplc.calling.functions import Function
from aplc.compiled import Compiled
from aplc.compiler import compile_function
from aplc.explain.report import explain_function
from aplc.explain.text import told_of_written
from aplc.inputs import as_python, by_part, decode, memory_of
from aplc.laila.ir.settings import Arrays, Settings
from aplc.options import Options
from aplc.tail.source import Source
from aplc.tail.types import base_of
from aplc.targets import TARGETS

TOLERANCE = 1e-9
"""Relative, for doubles; other values must be equal."""
FEWEST_RUNS, LEAST_RUNS, MOST_RUNS = 3, 5, 1000
MOST_SECONDS, LEAST_SECONDS = 2.0, 0.05
"""A rival runs so often at least, however long it takes; then so often, or so long; and what is fast goes on
to the last of these."""
PAGE = 512
"""Doubles in a page of memory."""
QUICK_PROCESS, PROCESS = 20.0, 100.0
"""The most seconds for the process of an interpreter of others."""
INTERPRETED_SECONDS = 1.0
"""The interpreter is not asked for what takes longer."""

TARGET_COLUMNS = {
    "interp": results.INTERP,
    "c": results.APLC,
    "openmp": results.APLC_OPENMP,
    "opencl": results.APLC_OPENCL,
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured of each row."""

    targets: tuple[str, ...] = tuple(TARGETS)
    threads: tuple[int, ...] = (1,)
    """The thread counts of the speed-up; the columns that use several take the largest."""
    curves: tuple[str, ...] = ()
    """The benchmarks that are measured with each number of threads."""
    device: str = ""
    data: str = ""
    """A directory with data sets; empty: the data are made by formula."""
    quick: bool = False
    growing: bool = False
    """Whether our targets alone are measured, with more and more work."""

    @property
    def most_threads(self) -> int:
        """The threads of the columns that use several."""
        return max(self.threads, default=1)

    def sweep(self, benchmark: Benchmark) -> tuple[int, ...]:
        """The thread counts with which a benchmark is measured besides."""
        if self.growing:
            return ()
        return self.threads if len(self.threads) > 1 and benchmark.name in self.curves else ()


def agrees(value: Any, reference: Any) -> bool:
    """Whether a value is the reference, up to the tolerance where the reference is of doubles."""
    found, wanted = np.asarray(value), np.asarray(reference)
    if found.shape != wanted.shape:
        return False
    if wanted.dtype.kind == "f":
        return bool(np.allclose(found, wanted, rtol=TOLERANCE, atol=0.0))
    return bool(np.array_equal(found, wanted))


# --- rivals ---------------------------------------------------------------------------------------------


def compiled(
    benchmark: Benchmark,
    arguments: Sequence[Argument],
    target: str = "c",
    *,
    arrays: Arrays = "hybrid",
    threads: int = 0,
    device: str = "",
) -> Call:
    """The APL function; it is compiled by its first call."""
    known = {each.name for each in fields(Options)}
    wanted = {"threads": threads or None, "device": device or None}
    chosen = {name: value for name, value in wanted.items() if value is not None and name in known}
    options = Options(target=target, settings=Settings(arrays=arrays), **chosen)  # type: ignore[arg-type]
    source = decode(benchmark.path.read_bytes(), benchmark.path.name)
    if all(map(is_flat, arguments)):
        function = Function([source], benchmark.function, options)
        return lambda: function(*arguments)
    return _converted(benchmark, source, arguments, options)


def _converted(benchmark: Benchmark, source: Source, arguments: Sequence[Argument], options: Options) -> Call:
    """The APL function for arguments that are converted once, as those of the rivals are."""
    inputs = inputs_of(arguments)
    parts = by_part(inputs)
    given = memory_of(inputs.values())
    kept: list[Compiled] = []
    gate = Gate()

    def run() -> Any:
        if not kept:
            types = {name: each.type for name, each in inputs.items()}
            storage = {name: each.storage for name, each in parts.items()}
            kept.append(compile_function([source], benchmark.function, types, storage, options))
            native = kept[0].runnable.in_c
            if native is not None and kept[0].is_stored_by(native):
                gate.add(
                    native, [(seen(base_of(q.type), q.value.dtype), q.value.ndim) for q in parts.values()]
                )
        found = gate.call(*given)
        if found is not NotImplemented:
            return found
        (program,) = kept
        ((value, base),) = program.shown(program.run(given, lambda *_: None))
        return as_python(value, base)

    return run


def by_hand(
    benchmark: Benchmark, size: Size, arguments: Sequence[Argument], plan: Plan | None = None
) -> Iterator[Rival]:
    """The rivals in C, compiled in each of the ways; those with OpenMP also for each number of threads."""
    plan = plan or Plan()
    for way in builds():
        shared = library(benchmark.program, way)
        for function in (*benchmark.rivals, *benchmark.beyond):
            call = bind(shared[function], arguments, benchmark.returns(size))
            detail = f"{function}, {way}"
            if way != OPENMP:
                is_rival = function in benchmark.rivals
                yield Rival(results.C if is_rival else results.C_BEYOND, call, detail)
            elif function in benchmark.rivals:
                for number in (0, *plan.sweep(benchmark)):
                    with_threads = _with_threads(shared, call, number or plan.most_threads)
                    yield Rival(results.C_OPENMP, with_threads, detail, number)


def _with_threads(shared: ctypes.CDLL, call: Call, number: int) -> Call:
    """A call of C with OpenMP that uses so many threads."""

    def run() -> Any:
        shared.omp_set_num_threads(ctypes.c_int(number))
        return call()

    return run


def ours(benchmark: Benchmark, arguments: Sequence[Argument], plan: Plan) -> Iterator[Rival]:
    """The APL function for each target, with flat index functions too, and for each number of threads."""
    for target in plan.targets:
        if target not in TARGETS or not TARGETS[target].compiled:
            continue
        column = TARGET_COLUMNS[target]
        threads = plan.most_threads if TARGETS[target].threads else 0
        device = plan.device if TARGETS[target].kernels else ""
        call = compiled(benchmark, arguments, target, threads=threads, device=device)
        yield Rival(column, call, compiles=True)
        if target == "c":
            yield Rival(results.FLAT, compiled(benchmark, arguments, arrays="flat"))
        if target == "openmp":
            for number in plan.sweep(benchmark):
                yield Rival(column, compiled(benchmark, arguments, target, threads=number), "", number)


def interpreted(benchmark: Benchmark, size: Size, arguments: Sequence[Argument]) -> Rival | Refusal:
    """The reference interpreter, if it can be expected to end soon: a small size tells."""
    if size not in (benchmark.quick, benchmark.tiny):
        return Refusal(results.INTERP, "only at the sizes of --quick")
    small = benchmark.arguments(benchmark.tiny)
    value = compiled(benchmark, small, "interp")
    value()
    started = time.perf_counter()
    reference = value()
    taken = time.perf_counter() - started
    growth = benchmark.operations(size, benchmark.numpy(*arguments)) / benchmark.operations(
        benchmark.tiny, reference
    )
    if taken * growth > INTERPRETED_SECONDS:
        return Refusal(results.INTERP, f"would take about {taken * growth:.0f} s")
    return Rival(results.INTERP, compiled(benchmark, arguments, "interp"))


def copying(moved: int, passes: int) -> Call:
    """Copies so many bytes in each pass: half of them are read, half are written."""
    count = max(moved // 16, 1)
    memory = np.ones(2 * count + 3 * PAGE)
    start = memory.ctypes.data + -memory.ctypes.data % (8 * PAGE)
    # Half a page apart: a load and a store whose addresses end in the same bits wait for each other.
    target = start + 8 * ((count + PAGE - 1) // PAGE * PAGE - PAGE // 2)
    target += 8 * PAGE if target < start + 8 * count else 0
    copy = library("machine", "C").machine_copy
    given = ctypes.c_int64(passes), ctypes.c_void_p(target), ctypes.c_void_p(start), ctypes.c_int64(count)

    def run() -> None:
        assert memory.size  # it lives as long as the call
        copy(*given)

    return run


# --- a row ----------------------------------------------------------------------------------------------


def measured(benchmark: Benchmark, size: Size, plan: Plan) -> Row:
    """One row: values first, then times of those whose value agrees."""
    from_files = benchmark.files(Path(plan.data), size) if plan.data else None
    arguments = benchmark.arguments(size) if from_files is None else from_files
    reference = benchmark.numpy(*arguments)
    rivals, refusals = _found(benchmark, size, arguments, plan)
    fit: list[tuple[Rival, First]] = []
    for rival in rivals:
        first = tried(rival, reference)
        if isinstance(first, Refusal):
            refusals.append(first)
        else:
            fit.append((rival, first))
    moved, passes = benchmark.moves(size, reference)
    if moved * passes and not plan.growing:
        fit.append((Rival(results.COPY, copying(moved, passes)), First()))
    others = [
        measured_by(each, benchmark, arguments, reference, QUICK_PROCESS if plan.quick else PROCESS)
        for each in INTERPRETERS
        if each.path() is not None and not plan.growing
    ]
    refusals += [each for each in others if isinstance(each, Refusal)]
    seconds = 0.5 if plan.quick or plan.growing else MOST_SECONDS
    times = interleaved([rival.call for rival, _ in fit], seconds)
    figures = [
        Figure(rival.column, tuple(seconds), rival.detail, rival.threads, first.memory, first.seconds)
        for (rival, first), seconds in zip(fit, times, strict=True)
    ]
    return Row(
        benchmark.name,
        benchmark.program,
        size,
        (*[each for each in others if isinstance(each, Figure)], *figures),
        tuple(refusals),
        moved * passes,
        benchmark.operations(size, reference),
        benchmark.integers,
        tuple(_written(benchmark, arguments)),
        results.MADE if from_files is None else f"from {plan.data}",
    )


def _found(
    benchmark: Benchmark, size: Size, arguments: Sequence[Argument], plan: Plan
) -> tuple[list[Rival], list[Refusal]]:
    """The rivals of a row, and those that are not there."""
    if plan.growing:
        return [rival for rival in ours(benchmark, arguments, plan) if rival.column != results.FLAT], []
    rivals = [Rival(results.NUMPY, lambda: benchmark.numpy(*arguments))]
    refusals: list[Refusal] = []
    if "interp" in plan.targets:
        try:
            found = interpreted(benchmark, size, arguments)
        except Exception as failure:
            found = Refusal(results.INTERP, reason_of(failure))
        (rivals if isinstance(found, Rival) else refusals).append(found)  # type: ignore[arg-type]
    rivals += ours(benchmark, arguments, plan)
    rivals += by_hand(benchmark, size, arguments, plan)
    for each in by_python(benchmark.numpy.__name__, arguments, plan.most_threads):
        (rivals if isinstance(each, Rival) else refusals).append(each)  # type: ignore[arg-type]
    return rivals, refusals


@dataclass(frozen=True, slots=True)
class First:
    """What the first run of a rival took, where it can be known."""

    memory: int | None = None
    seconds: float | None = None
    """If it also compiled."""


def tried(rival: Rival, reference: Any) -> First | Refusal:
    """What the first run of a rival took, or why it may not be timed."""
    before = _start_of_memory()
    try:
        started = time.perf_counter()
        value = rival.call()
        taken = time.perf_counter() - started
        most = _peak_of_memory() if before is not None else None
        if rival.compiles:
            rival.call()  # the second call of a process may build what all programs share
    except Exception as failure:  # whatever it is, it is the row's, and others go on
        return Refusal(rival.column, reason_of(failure), rival.detail)
    if not agrees(value, reference):
        return Refusal(rival.column, results.WRONG, rival.detail)
    memory = None if before is None or most is None else max(most - before, 0)
    return First(memory, taken if rival.compiles else None)


def interleaved(calls: Sequence[Call], seconds: float = MOST_SECONDS) -> list[list[float]]:
    """The seconds of the runs of each call, made in turn."""
    taken: list[list[float]] = [[] for _ in calls]
    left = list(range(len(calls)))
    chance = random.Random(0)  # so that none always runs behind the same one
    while left:
        chance.shuffle(left)
        for k in left:
            started = time.perf_counter()
            calls[k]()
            taken[k].append(time.perf_counter() - started)
            wait_for_threads()
        left = [k for k in left if not _enough(taken[k], seconds)]
    return taken


PATIENCE = 0.2
"""Seconds after which other threads may run on."""


def wait_for_threads() -> None:
    """Wait until no other thread of this process is at work. Those of NumPy's library of matrices look for
    more for some 30 ms, on the processors of whatever is measured then.
    """
    end = time.perf_counter() + PATIENCE
    while others_run() and time.perf_counter() < end:
        pass


def others_run(tasks: Path = Path("/proc/self/task")) -> bool:
    """Whether another thread of this process has a processor, or waits for one; if that can be known."""
    own = str(threading.get_native_id())
    with suppress(OSError):  # of threads that end meanwhile
        for task in os.listdir(tasks):
            state = (tasks / task / "stat").read_text("ascii", errors="replace").rpartition(")")[2].split()[0]
            if state == "R" and task != own:
                return True
    return False


def _enough(taken: Sequence[float], seconds: float) -> bool:
    total = sum(taken)
    few = len(taken) < LEAST_RUNS or (len(taken) < MOST_RUNS and total < LEAST_SECONDS)
    return len(taken) >= FEWEST_RUNS and (total >= seconds or not few)


def _written(benchmark: Benchmark, arguments: Sequence[Argument]) -> Iterator[str]:
    """The arrays that our C writes, as `aplc explain` tells it."""
    source = decode(benchmark.path.read_bytes(), benchmark.path.name)
    inputs = inputs_of(arguments)
    with suppress(Exception):  # what cannot be compiled has a reason of its own in the row
        yield from told_of_written(explain_function([source], benchmark.function, inputs, Options()))


# --- memory ---------------------------------------------------------------------------------------------


def _start_of_memory() -> int | None:
    """The bytes in use now, from which the peak is counted anew; None where the system cannot."""
    try:
        Path("/proc/self/clear_refs").write_text("5", "ascii")
        return _status("VmRSS:")
    except OSError:
        return None


def _peak_of_memory() -> int | None:
    try:
        return _status("VmHWM:")
    except OSError:
        return None


def _status(key: str) -> int:
    text = Path("/proc/self/status").read_text("ascii")
    return int(text.split(key)[1].split()[0]) * 1024
