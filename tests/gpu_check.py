"""One command for a machine with a GPU: `python -m tests.gpu_check [--device NAME] [--quick] [--jobs N]`.

It measures programs of the suite at sizes that fill the card: the time of their kernels by the device's own
events, and from the begin of the first to the end of the last, beside its copy bandwidth and its arithmetic
peak, measured in the same run. The values must be those of C. Programs for which FHPC 2016 has figures are
measured at its sizes, too. Then it runs every sample on the device, with all loops in kernels. `--only`
with some of `speed`, `published` and `samples` does these alone, `--program NAME` measures one program,
`--kernels` tells of each kernel; `--quick` takes small sizes, and kernels however small, so that the command
can be tried on any device. It ends with status 1 if a sample or a value is wrong. Run it from the root of the
repository.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np

from aplc.backends.opencl.device import Device, find_device
from aplc.bench.report.published import FUTHARK, Published
from aplc.bench.suite import SUITE, Benchmark
from aplc.compiled import Compiled
from aplc.compiler import compile_function
from aplc.inputs import as_input, decode
from aplc.laila.devices.device_mapping import DIVISION
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.samples import CHUNKS, REFERENCE, WAYS, faults, read_sample, sample_name, sample_paths

PARTS = ("speed", "published", "samples")
RUNS = 5
ON_DEVICE = "opencl -O2, device"
FILLING = {
    "signal": (1 << 27,),
    "+/": (1 << 27,),
    "+\\": (1 << 27,),
    "⌈/": (1 << 27,),
    "compress": (1 << 27,),
    "integral": (1 << 27,),
    "easter": (1 << 27,),
    "sobol-pi": (1 << 27,),
    "black-scholes": (1 << 25,),
    "option-pricer": (1 << 20,),
    "mandelbrot, grid": (255, 4000),
    "primes": (30_000,),
    "hotspot": (100, 4096, 4096),
    "stencil": (100, 4096, 4096),
    "life": (100, 1200, 1200),
    "matmul": (2048, 2048),
}
"""The size of each measured program."""
LENGTH, SIDE = 1 << 26, 1 << 13
"""Of a vector of doubles, and of a square matrix of them."""
STREAMS = (
    (1, "2+3×⍵", 2),
    (1, "÷1+⍵", 2),
    (1, "*⍵", 2),
    (1, "+/⍵×⍵", 1),
    (1, "⌽⍵", 2),
    (1, "1⌽⍵", 2),
    (1, "2-/⍵", 2),
    (1, "⌈\\⍵", 2),
    (1, "(+⌿÷≢)⍵", 1),
    (1, "0.5<⍵", 1.125),
    (1, "+/0.5<⍵", 1),
    (1, "⍸0.5<⍵", 1.5),
    (1, "⍵⍳⌈/⍵", 2),
    (1, "+/(8,⌊8÷⍨≢⍵)⍴⍵", 1),
    (1, "+⌿((⌊64÷⍨≢⍵),64)⍴⍵", 1),
    (2, "⍉⍵", 2),
    (2, "+/⍵", 1),
    (2, "+⌿⍵", 1),
    (2, "+/÷⍵", 1),
    (2, "+\\⍵", 2),
    (2, "+⍀⍵", 2),
    (2, "⌽⍵", 2),
    (2, "1↓⍵", 2),
    (2, "⍵-⍤1⊢+⌿⍵", 3),
)
"""Functions of a vector or a matrix, by its rank, and how often one must go through all of its memory."""


# --- samples --------------------------------------------------------------------------------------------


def wrong_on_device(name: str, device: str) -> list[str]:
    """What a sample does otherwise there."""
    WAYS[ON_DEVICE] = Options("opencl", verify=True, division=CHUNKS, device=device)
    (path,) = [path for path in sample_paths() if sample_name(path) == name]
    sample = read_sample(path)
    found = faults(sample, [REFERENCE, ON_DEVICE])
    return [] if sample.xfail else found


def check_samples(device: str, jobs: int, of: int) -> int:
    """The number of samples that are wrong; their faults are printed."""
    names = [sample_name(path) for path in sample_paths()][::of]
    failures = 0
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for name, found in zip(names, pool.map(wrong_on_device, names, [device] * len(names)), strict=True):
            if found:
                failures += 1
                print(f"--- {name}\n" + "\n".join(found), flush=True)
    print(f"{len(names)} samples, {failures} wrong", flush=True)
    return failures


# --- what the device can do -----------------------------------------------------------------------------

PEAK = """kernel void peak(global double *out, const double a, const double b, const int rounds) {
    double8 x = get_global_id(0), y = x + 1.0, z = x + 2.0, w = x + 3.0;
    for (int i = 0; i < rounds; i++) {
        x = x * a + b;
        y = y * a + b;
        z = z * a + b;
        w = w * a + b;
    }
    x += y + z + w;
    out[get_global_id(0)] = x.s0 + x.s1 + x.s2 + x.s3 + x.s4 + x.s5 + x.s6 + x.s7;
}
"""
COPY = """kernel void copy(global const double *restrict in, global double *restrict out) {
    out[get_global_id(0)] = in[get_global_id(0)];
}
"""


def seconds(event: Any) -> float:
    """How long what an event stands for took on the device."""
    event.wait()
    return float(event.profile.end - event.profile.start) * 1e-9


def copy_bandwidth(device: Device, count: int) -> float:
    """Bytes a second, those read and those written."""
    flags = device.cl.mem_flags.READ_WRITE
    first, second = [device.cl.Buffer(device.context, flags, 8 * count) for _ in range(2)]
    function = device.functions(COPY, ["copy"])["copy"]
    best = min(seconds(function(device.queue, (count,), None, first, second)) for _ in range(RUNS))
    other = min(seconds(device.cl.enqueue_copy(device.queue, second, first)) for _ in range(RUNS))
    return 16 * count / min(best, other)


def arithmetic_peak(device: Device, rounds: int) -> float:
    """Operations on doubles a second, a multiplication with an addition counted as two."""
    items = 2048 * device.units
    out = device.cl.Buffer(device.context, device.cl.mem_flags.READ_WRITE, 8 * items)
    function = device.functions(PEAK, ["peak"])["peak"]
    arguments = (out, np.float64(0.999), np.float64(0.001), np.int32(rounds))
    best = min(seconds(function(device.queue, (items,), None, *arguments)) for _ in range(RUNS))
    return 2 * 32 * rounds * items / best


# --- programs -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """A function with its arguments; `least` gives for its value the bytes that must be moved, and the
    operations.
    """

    name: str
    source: Source
    function: str
    arguments: tuple[Any, ...]
    least: Callable[[Any], tuple[int, int]]


def measured_programs(only: str, *, quick: bool) -> Iterator[Measured]:
    """The programs, one at a time: their arguments may be large."""
    for benchmark in SUITE:
        if benchmark.name in FILLING and only in ("", benchmark.name):
            yield _of_suite(benchmark, benchmark.quick if quick else FILLING[benchmark.name])
    for rank, text, passes in STREAMS:
        name = f"{text} rank {rank}"
        if only in ("", name):
            side = 512 if quick else SIDE
            array = np.random.default_rng(1).random(side**2 if rank == 1 else (side, side))
            least = partial(_passes, round(passes * array.nbytes))
            yield Measured(name, Source("stream", f"f ← {{{text}}}"), "f", (array,), least)


def published_programs(only: str, *, quick: bool) -> Iterator[tuple[Measured, Published]]:
    """The programs that FHPC 2016 measured, at its sizes, with its figures."""
    known = {benchmark.name: benchmark for benchmark in SUITE}
    for row in FUTHARK:
        benchmark = known[row.name]
        if only in ("", row.name):
            yield _of_suite(benchmark, benchmark.quick if quick else row.size), row


def _passes(moved: int, value: Any) -> tuple[int, int]:
    """The least that is moved where it does not depend on the value."""
    del value
    return moved, 0


def _of_suite(benchmark: Benchmark, size: tuple[int, ...]) -> Measured:
    source = decode(benchmark.path.read_bytes(), benchmark.path.name)

    def least(value: Any) -> tuple[int, int]:
        once, passes = benchmark.moves(size, value)
        return once * passes, benchmark.operations(size, value)

    return Measured(benchmark.name, source, benchmark.function, benchmark.arguments(size), least)


def compiled(program: Measured, options: Options) -> tuple[Compiled, list[Any]]:
    """The function for the types of its arguments, and these as it takes them."""
    given = [as_input(np.asarray(argument)) for argument in program.arguments]
    names = ("⍵",) if len(given) == 1 else ("⍺", "⍵")
    types = {name: each.type for name, each in zip(names, given, strict=True)}
    storage = {name: each.storage for name, each in zip(names, given, strict=True)}
    made = compile_function([program.source], program.function, types, storage, options)
    return made, [each.value for each in given]


@dataclass(frozen=True)
class Run:
    """One call on the device."""

    call: float
    """Seconds on the host, copies of the arguments and of the value counted."""
    kernels: tuple[tuple[str, float], ...]
    """Each kernel that was started, with its seconds."""
    span: float
    """Seconds from the begin of the first kernel to the end of the last."""

    @property
    def busy(self) -> float:
        """Seconds in which kernels ran."""
        return sum(each for _, each in self.kernels)


@contextmanager
def events() -> Iterator[list[tuple[str, Any]]]:
    """Meanwhile the kernels that are started are noted, by name, with their events."""
    noted: list[tuple[str, Any]] = []
    original = Device.start

    def start(self: Device, function: Any, *arguments: Any) -> Any:
        event = original(self, function, *arguments)
        noted.append((function.function_name, event))
        return event

    Device.start = start  # type: ignore[method-assign]
    try:
        yield noted
    finally:
        Device.start = original  # type: ignore[method-assign]


def timed(on_device: Compiled, given: list[Any]) -> tuple[Any, Run]:
    """The value of a call, and how it ran."""
    with events() as noted:
        start = time.perf_counter()
        (value,) = on_device.run(given, lambda *_: None)
        call = time.perf_counter() - start
    kernels = tuple([(name, seconds(event)) for name, event in noted])
    span = (noted[-1][1].profile.end - noted[0][1].profile.start) * 1e-9 if noted else 0.0
    return value, Run(call, kernels, span)


@dataclass(frozen=True)
class Outcome:
    """The best run of a program on the device, beside C on one core of the host."""

    value: Any
    best: Run
    call: float
    host: float
    is_right: bool

    @property
    def remark(self) -> str:
        """What a line ends with."""
        return "" if self.is_right else "  ITS VALUE IS NOT THAT OF C"


def outcome(program: Measured, options: Options) -> Outcome:
    """What it does on the device; the better of two runs in C."""
    on_device, given = compiled(program, options)
    on_host, _ = compiled(program, Options("c"))
    value, first = timed(on_device, given)
    runs = [first, *[timed(on_device, given)[1] for _ in range(RUNS)]]
    hosts: list[float] = []
    for _ in range(2):
        start = time.perf_counter()
        (wanted,) = on_host.run(given, lambda *_: None)
        hosts.append(time.perf_counter() - start)
    is_right = np.allclose(np.asarray(value, float), np.asarray(wanted, float), 1e-9, 0, equal_nan=True)
    best, call = min(runs, key=lambda run: run.span), min(run.call for run in runs)
    return Outcome(value, best, call, min(hosts), bool(is_right))


def line_of(program: Measured, found: Outcome, bandwidth: float, peak: float) -> str:
    """A line of the table."""
    best = found.best
    text = f"{program.name:18} {best.busy * 1e3:11.3f} {best.span * 1e3:10.3f} {found.call * 1e3:10.2f}"
    text += f" {found.host * 1e3:10.2f}"
    if not best.kernels:
        return f"{text}  no loop was large enough for a kernel{found.remark}"
    moved, done = [each / best.busy for each in program.least(found.value)]
    text += f" {moved / 1e9:8.1f} {moved / bandwidth:6.0%} {done / 1e9:9.1f} {done / peak:6.0%}"
    return text + found.remark


def lines_of_kernels(run: Run) -> Iterator[str]:
    """A line for each kernel of a run: how often it was started, and its milliseconds in all."""
    for name in dict.fromkeys([name for name, _ in run.kernels]):
        took = [each for other, each in run.kernels if other == name]
        yield f"    {name:14} {sum(took) * 1e3:11.3f} in {len(took)}"


def check_speed(options: Options, only: str, *, quick: bool, of_kernels: bool) -> int:
    """The number of programs with wrong values; the table is printed."""
    device = find_device(options.device)
    bandwidth = copy_bandwidth(device, 1 << 22 if quick else 1 << 27)
    peak = arithmetic_peak(device, 100 if quick else 4000)
    version = str(device.device.driver_version)
    print(f"{device.name}, driver {version}: copies {bandwidth / 1e9:.1f} GB/s", end=", ")
    print(f"computes {peak / 1e9:.1f} GFLOP/s")
    print("program             kernels ms    span ms    call ms       C ms     GB/s   copy   GFLOP/s   peak")
    wrong = 0
    for program in measured_programs(only, quick=quick):
        found = outcome(program, options)
        wrong += not found.is_right
        print(line_of(program, found, bandwidth, peak), flush=True)
        if of_kernels:
            print(*lines_of_kernels(found.best), sep="\n", flush=True)
    print()
    return wrong


def check_published(options: Options, only: str, *, quick: bool) -> int:
    """The same, beside the figures of FHPC 2016: its C by hand over its best on a GPU."""
    print(
        "program             kernels ms    span ms    call ms       C ms  C over span  FHPC: best  C over it"
    )
    wrong = 0
    for program, row in published_programs(only, quick=quick):
        found = outcome(program, options)
        by_hand, _, _, best = row.figures
        wrong += not found.is_right
        run = found.best
        text = f"{program.name:18} {run.busy * 1e3:11.3f} {run.span * 1e3:10.3f} {found.call * 1e3:10.2f}"
        text += f" {found.host * 1e3:10.2f} {found.host / (run.span or np.inf):12.0f} {best:11.2f}"
        print(f"{text} {(by_hand or 0) / (best or 1):10.0f}{found.remark}", flush=True)
    print()
    return wrong


def with_events(name: str) -> None:
    """The device tells from now on when its kernels ran."""
    device = find_device(name)
    profiling = device.cl.command_queue_properties.PROFILING_ENABLE
    device.queue = device.cl.CommandQueue(device.context, properties=profiling)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--device", default="", help="part of the name of the device")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--jobs", type=int, default=4, help="samples at the same time")
    parser.add_argument("--of", type=int, default=1, help="one sample in so many")
    parser.add_argument("--program", default="", help="the only one that is measured")
    parser.add_argument("--kernels", action="store_true", help="the time of each kernel")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    chosen = parser.parse_args(arguments)
    wrong = 0
    with_events(chosen.device)
    division = replace(DIVISION, least_work=1) if chosen.quick else DIVISION
    options = Options("opencl", device=chosen.device, division=division)
    if "speed" in chosen.only:
        wrong += check_speed(options, chosen.program, quick=chosen.quick, of_kernels=chosen.kernels)
    if "published" in chosen.only:
        wrong += check_published(options, chosen.program, quick=chosen.quick)
    if "samples" in chosen.only:
        wrong += check_samples(chosen.device, chosen.jobs, chosen.of)
    return min(1, wrong)


if __name__ == "__main__":
    sys.exit(main())
