"""One command for a machine with a GPU: `python -m tests.gpu_check [--device NAME] [--quick] [--jobs N]`.

It measures programs of the suite at sizes that fill the card: the time of their kernels by the device's own
events, beside its copy bandwidth and its arithmetic peak, measured in the same run. The values must be those
of C. Then it runs every sample on the device, with all loops in kernels. `--only speed` or `--only samples`
does one of the two, `--program NAME` measures one program; `--quick` takes small sizes, and kernels however
small, so that the command can be tried on any device. It ends with status 1 if a sample or a value is wrong.
Run it from the root of the repository.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any

import numpy as np

from aplc.backends.opencl.device import Device, find_device
from aplc.bench.suite import SUITE, Benchmark
from aplc.compiled import Compiled
from aplc.compiler import compile_function
from aplc.inputs import as_input, decode
from aplc.laila.devices.device_mapping import DIVISION
from aplc.options import Options
from aplc.tail.source import Source
from tests.support.samples import CHUNKS, REFERENCE, WAYS, faults, read_sample, sample_name, sample_paths

RUNS = 5
ON_DEVICE = "opencl -O2, device"
FILLING = {
    "signal": (1 << 27,),
    "+/": (1 << 27,),
    "+\\": (1 << 27,),
    "⌈/": (1 << 27,),
    "compress": (1 << 27,),
    "black-scholes": (1 << 25,),
    "hotspot": (100, 4096, 4096),
    "stencil": (100, 4096, 4096),
    "life": (100, 1200, 1200),
    "matmul": (2048, 2048),
}
"""The size of each measured program."""
SIDE = 1 << 13
"""Of a square matrix."""
OF_A_MATRIX = {
    "⍉": ("⍉⍵", 2),
    "+/ rows": ("+/⍵", 1),
    "+⌿ columns": ("+⌿⍵", 1),
    "+/÷ rows": ("+/÷⍵", 1),
    "+\\ rows": ("+\\⍵", 2),
    "+⍀ columns": ("+⍀⍵", 2),
}
"""What is measured with that matrix, and how often it must go through memory."""


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
    if only not in ("", *OF_A_MATRIX):
        return
    side = 512 if quick else SIDE
    matrix = np.random.default_rng(1).random((side, side))
    for name, (text, passes) in OF_A_MATRIX.items():
        if only in ("", name):
            source = Source("matrix", f"f ← {{{text}}}")
            yield Measured(name, source, "f", (matrix,), lambda _, n=passes: (n * matrix.nbytes, 0))  # type: ignore[misc]


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


@contextmanager
def events() -> Iterator[list[Any]]:
    """Meanwhile the events of the kernels that are started are noted."""
    noted: list[Any] = []
    original = Device.start

    def start(self: Device, *arguments: Any) -> Any:
        noted.append(original(self, *arguments))
        return noted[-1]

    Device.start = start  # type: ignore[method-assign]
    try:
        yield noted
    finally:
        Device.start = original  # type: ignore[method-assign]


def line_of(program: Measured, options: Options, bandwidth: float, peak: float) -> tuple[str, bool]:
    """A line of the table, and whether the value is that of C."""
    on_device, given = compiled(program, options)
    on_host, _ = compiled(program, Options("c"))
    kernels, calls = [], []
    value: Any = None
    for _ in range(RUNS):
        with events() as noted:
            start = time.perf_counter()
            (value,) = on_device.run(given, lambda *_: None)
            calls.append(time.perf_counter() - start)
        kernels.append(sum(map(seconds, noted)))
    start = time.perf_counter()
    (wanted,) = on_host.run(given, lambda *_: None)
    host = time.perf_counter() - start
    is_right = np.allclose(np.asarray(value, float), np.asarray(wanted, float), 1e-9, 0, equal_nan=True)
    best = min(kernels)
    text = f"{program.name:14} {best * 1e3:12.3f} {min(calls) * 1e3:10.2f} {host * 1e3:10.2f}"
    if not best:
        return f"{text}  no loop was large enough for a kernel", is_right
    moved, done = [each / best for each in program.least(value)]
    text += f" {moved / 1e9:8.1f} {moved / bandwidth:6.0%} {done / 1e9:9.1f} {done / peak:6.0%}"
    return text + ("" if is_right else "  ITS VALUE IS NOT THAT OF C"), is_right


def check_speed(name: str, only: str, *, quick: bool) -> int:
    """The number of programs with wrong values; the table is printed."""
    device = find_device(name)
    profiling = device.cl.command_queue_properties.PROFILING_ENABLE
    device.queue = device.cl.CommandQueue(device.context, properties=profiling)
    bandwidth = copy_bandwidth(device, 1 << 22 if quick else 1 << 27)
    peak = arithmetic_peak(device, 100 if quick else 4000)
    print(f"{device.name}: copies {bandwidth / 1e9:.1f} GB/s, computes {peak / 1e9:.1f} GFLOP/s")
    print("program          kernels ms    call ms       C ms     GB/s   copy   GFLOP/s   peak")
    division = replace(DIVISION, least_work=1) if quick else DIVISION
    options, wrong = Options("opencl", device=name, division=division), 0
    for program in measured_programs(only, quick=quick):
        line, is_right = line_of(program, options, bandwidth, peak)
        wrong += not is_right
        print(line, flush=True)
    print()
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--device", default="", help="part of the name of the device")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--jobs", type=int, default=4, help="samples at the same time")
    parser.add_argument("--of", type=int, default=1, help="one sample in so many")
    parser.add_argument("--program", default="", help="the only one that is measured")
    parser.add_argument("--only", choices=("samples", "speed"))
    chosen = parser.parse_args(arguments)
    wrong = 0
    if chosen.only != "samples":
        wrong += check_speed(chosen.device, chosen.program, quick=chosen.quick)
    if chosen.only != "speed":
        wrong += check_samples(chosen.device, chosen.jobs, chosen.of)
    return min(1, wrong)


if __name__ == "__main__":
    sys.exit(main())
