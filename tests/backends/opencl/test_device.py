"""OpenCL beyond programs and their values: the simulator, the command for GPUs, what a machine may lack."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from aplc.backends.native import run as run_native
from aplc.backends.native.cache import keep_record
from aplc.backends.opencl import device as cl_device
from aplc.backends.opencl import programs as cl_programs
from aplc.backends.opencl.device import Device, find_device
from aplc.backends.opencl.memory import Separate, Shared, TooLarge
from aplc.backends.opencl.run import OpenclProgram
from aplc.laila.devices.device_mapping import DIVISION, on_cpu, on_gpu
from aplc.options import Options
from aplc.tail.errors import InternalError, MachineError
from tests import oclgrind
from tests.support.kernel_runs import GRID, THREE, compiled, outcome, same
from tests.support.machine import needs_device
from tests.support.paths import ROOT
from tests.support.samples import sample_name, sample_paths

# --- on a simulator -------------------------------------------------------------------------------------


on_simulator = pytest.mark.skipif(
    shutil.which("oclgrind") is None, reason=f"NOT CHECKED with Oclgrind: {oclgrind.INSTALL}"
)
PLANTED = {
    "t[l] = l; x[g] = t[7 - l];": "Read-write data race at local memory",
    "t[l] = l; if (l < 4) barrier(CLK_LOCAL_MEM_FENCE); x[g] = t[l];": "Work-group divergence detected",
    "x[0] = g;": "Write-write data race at global memory",
    "x[g + 1] = 1;": "Invalid write of size 8 at global memory",
    "x[g] = x[g + 1] > 0;": "Invalid read of size 8 at global memory",
    "x[g] = t[l];": "Uninitialized value written to global memory",
    "t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); x[g] = t[7 - l];": "",
}
"""What kernels do in two groups of eight, and what is wrong with that."""
KERNEL = """kernel void number{}(global long *x) {{
    local long t[8];
    const long l = get_local_id(0), g = get_global_id(0);
    {}
}}
"""
STARTING = """import sys, numpy as np, backends.opencl.device as d
device = d.find_device()
for function in device.cl.Program(device.context, sys.argv[1]).build().all_kernels():
    memory = device.cl.Buffer(device.context, device.cl.mem_flags.COPY_HOST_PTR, hostbuf=np.zeros(16))
    function.set_arg(0, memory)
    device.start(function, (16,), (8,)).wait()
"""


@on_simulator
def test_what_is_planted_is_found() -> None:
    text = "".join([KERNEL.format(k, body) for k, body in enumerate(PLANTED)])
    report = oclgrind.simulated([sys.executable, "-c", STARTING, text])
    assert not report.beyond
    for number, wanted in enumerate(PLANTED.values()):
        found = [each for each in report.findings if re.search(rf"Kernel: +number{number}\n", each)]
        assert any([each.startswith(wanted) for each in found]) if wanted else not found, (number, found)


@on_simulator
def test_what_cannot_be_simulated_is_no_finding() -> None:
    text = KERNEL.format(0, "x[g] = __builtin_bitreverse64(x[g]);")
    report = oclgrind.simulated([sys.executable, "-c", STARTING, text])
    assert not report.findings and report.beyond.startswith(oclgrind.BEYOND) and "bitreverse" in report.beyond
    assert oclgrind.simulated(["sleep", "9"], 0.1) == oclgrind.Report([], "longer than 0.1 s")
    assert oclgrind.simulated(["sh", "-c", "echo no; exit 3"]) == oclgrind.Report(["no"])


@pytest.mark.in_turn(6)
@on_simulator
def test_kernels_on_a_simulator() -> None:
    names = ["signal", *oclgrind.of_today(240)]
    command = [sys.executable, "-m", "tests.oclgrind", "--seconds", "10", *names]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.stdout.endswith(f"{len(names)} samples, 0 with findings\n"), ran.stdout + ran.stderr


def test_samples_take_turns_on_the_simulator() -> None:
    turns = [name for day in range(24) for name in oclgrind.of_today(24, day)]
    assert sorted(turns) == sorted([*map(sample_name, sample_paths()), *oclgrind.PARTS])


def test_messages_of_the_simulator() -> None:
    first, second = (
        "Invalid read of size 8\n\tKernel: k\n\t",
        "Write-write data race\n\tKernel: k\n\t\n\tFirst entity",
    )
    assert oclgrind.messages(f"\n{first}\n\n{second}\n") == [first.strip(), second]
    assert oclgrind.messages("\n") == []


# --- the command for a machine with a GPU ---------------------------------------------------------------


@pytest.mark.in_turn(4)
@needs_device
def test_the_command_for_gpus() -> None:
    command = [sys.executable, "-m", "tests.gpu_check", "--quick", "--program", "signal", "--of", "1000"]
    ran = subprocess.run(
        [*command, "--jobs", "1", "--kernels"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    device, _, line, kernel, _, _, published, _, samples, _ = ran.stdout.split("\n")
    assert "copies" in device and line.startswith("signal ") and line.endswith("%")
    assert kernel.startswith("    ") and kernel.endswith(" in 1")
    assert published.startswith("signal ") and "1.49" in published
    assert samples == "1 samples, 0 wrong"


# --- what a machine may lack ----------------------------------------------------------------------------


def test_no_pyopencl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cl_device.importlib.util, "find_spec", lambda name: None)
    cl_device._find.cache_clear()
    with pytest.raises(
        MachineError, match=r"needs the Python package pyopencl; pip install 'aplc\[opencl\]'"
    ):
        find_device("nothing but this test")


@needs_device
def test_no_such_device() -> None:
    with pytest.raises(MachineError, match="no OpenCL device is called abacus; there are "):
        find_device("abacus")


@needs_device
def test_no_linker(monkeypatch: pytest.MonkeyPatch) -> None:
    device = find_device()
    if "Portable" not in device.device.platform.name:
        pytest.skip("NOT CHECKED: the device is not PoCL's")
    monkeypatch.setattr(cl_device, "missing_linker", lambda: "the linker ld")
    program = compiled("+/v", {"v": np.ones(5)}, Options("opencl", division=THREE))
    with pytest.raises(MachineError, match="needs the linker ld to build kernels; install gcc"):
        program.run([np.ones(5)], lambda *_: None)


@needs_device
@pytest.mark.parametrize(
    ("may_use", "said", "expected"), [({0, 1}, None, "1"), ({1}, None, None), ({0, 1}, "0", "0")]
)
def test_threads_of_the_driver_stay_apart(
    monkeypatch: pytest.MonkeyPatch, may_use: set[int], said: str | None, expected: str | None
) -> None:
    environment = {} if said is None else {"POCL_AFFINITY": said}
    monkeypatch.setattr(cl_device.os, "environ", environment)
    monkeypatch.setattr(cl_device.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(cl_device.os, "sched_getaffinity", lambda pid: may_use, raising=False)
    cl_device.keep_threads_apart()
    assert environment.get("POCL_AFFINITY") == expected


@needs_device
def test_the_host_has_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    text, inputs = "⎕←+/w←⍋v ⋄ w+⌽v÷w", {"v": np.linspace(0.0, 5.0, 200_000)}
    options = Options("opencl", division=replace(THREE, least_work=1 << 40))

    def of_host() -> tuple[bool, Any]:
        program = compiled(text, inputs, options).runnable
        assert isinstance(program, OpenclProgram) and program.kernels.launches
        assert program.native.program.has_threads == ("omp parallel" in program.native.program.text)
        return program.native.program.has_threads, outcome(text, inputs, options)

    def refuses() -> None:
        raise MachineError("no OpenMP here")

    has_threads, expected = of_host()
    assert has_threads
    monkeypatch.setattr(run_native, "find_threads", refuses)
    has_threads, found = of_host()
    assert not has_threads and same(found, expected)


@needs_device
def test_a_host_that_has_nothing_for_threads() -> None:
    program = compiled("2+3", {}, Options("opencl")).runnable
    assert isinstance(program, OpenclProgram) and not program.native.program.has_threads


def test_what_is_worth_a_kernel_depends_on_what_the_host_has() -> None:
    assert on_cpu(DIVISION, 2, 32).least_work > on_cpu(replace(DIVISION, in_threads=False), 2, 32).least_work
    assert on_cpu(replace(DIVISION, least_work=7), 2, 32).least_work == 7
    assert on_gpu(DIVISION, 80, looks_back=True).least_work == DIVISION.least_work


def test_groups_look_back_where_the_device_has_atomics_for_that() -> None:
    cl = SimpleNamespace(device_type=SimpleNamespace(CPU=2))
    both = ("cl_khr_fp64 cl_khr_int64_base_atomics", 48 << 10), ("cl_khr_int64_extended_atomics", 32 << 10)
    for extensions, local in both:
        found = SimpleNamespace(type=4, extensions=extensions, max_compute_units=2, local_mem_size=local)
        device: Any = Device(cl, found, None, None, None, None)
        division = on_gpu(
            DIVISION, device.units, looks_back=device.has_long_atomics, local=device.local_bytes
        )
        assert division.looks_back == ("base" in extensions)
        assert (division.local_bytes > DIVISION.local_bytes) == (local > 32 << 10)


@needs_device
def test_a_linker_is_missed_before_the_driver_is_called(tmp_path: Path) -> None:
    """PoCL would end the process; so this is another one, which finds no `ld`."""
    program = "import sys, backends.opencl.device as d; d.find_device().build('kernel void f(void) {}')"
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "Portable" not in find_device().device.platform.name:
        pytest.skip("NOT CHECKED: the device is not PoCL's")
    assert ran.returncode == 1 and "needs the linker ld to build kernels" in ran.stderr


@needs_device
def test_memory_of_a_device_that_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    given = SimpleNamespace(name="Small", max_mem_alloc_size=4 << 20, global_mem_size=16 << 20)
    device = replace(find_device(), device=given)
    with pytest.raises(MachineError) as failure:
        Separate(device, {}).allocate(5 << 20)
    assert str(failure.value) == (
        "Small has no room for an array of 5 MB: the program holds 0 bytes of its 16 MB, and its arrays may "
        "have 4 MB; smaller or narrower inputs need less, with --precision single doubles take half of it, "
        "and --target c needs none of it"
    )

    def full(self: Device, *_: Any) -> None:
        raise self.cl.MemoryError("out of it")

    monkeypatch.setattr(Device, "start", full)
    with pytest.raises(
        MachineError, match="has no room for what a kernel needs: the program holds 0 bytes of"
    ):
        outcome("+/v", {"v": np.ones(9)}, Options("opencl", division=THREE))


@needs_device
def test_arrays_that_are_too_large_for_the_driver_are_left_to_the_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_large(self: Shared, address: int, size: int) -> Any:
        raise TooLarge

    monkeypatch.setattr(Shared, "view", too_large)
    (value,), _ = outcome("+/v", {"v": np.ones(9)}, Options("opencl", division=THREE))
    assert value == 9


# --- what is kept, and what is done once ----------------------------------------------------------------


@needs_device
def test_kernels_are_given_what_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a loop the two arrays change places, and nothing else does."""
    built: list[Any] = []
    functions = Device.functions

    class Noted:
        def __init__(self, function: Any) -> None:
            self.function, self.set = function, 0
            built.append(self)

        def set_arg(self, number: int, value: Any) -> None:
            self.set += 1
            self.function.set_arg(number, value)

    def noted(self: Device, *given: Any, **options: Any) -> dict[str, Any]:
        return {name: Noted(found) for name, found in functions(self, *given, **options).items()}

    start = Device.start
    monkeypatch.setattr(Device, "functions", noted)
    monkeypatch.setattr(Device, "start", lambda self, noted, *rest: start(self, noted.function, *rest))
    text, inputs = "{0.5×⍵+1⌽⍵}⍣20⊢v", {"v": np.arange(9.0)}
    found = outcome(text, inputs, Options("opencl", division=GRID))
    assert np.allclose(found[0][0], outcome(text, inputs, Options("interp"))[0][0])
    assert 2 * 20 <= max(kernel.set for kernel in built) <= 2 * 20 + 6


@needs_device
def test_runs_in_turns_have_their_own_arguments() -> None:
    """A kernel keeps what it was given by another run of the program."""
    program = compiled("{s×⍵+1⌽⍵}⍣3⊢v", {"v": np.ones(5), "s": 0.5}, Options("opencl", division=THREE))
    for length, factor in ((5, 0.5), (7, -0.5), (5, 0.5), (5, -0.0)):
        given = {"s": np.array(factor), "v": np.ones(length)}
        (value,) = program.run([given[name] for name in program.inputs], lambda *_: None)
        assert value.tobytes() == np.full(length, (2 * factor) ** 3).tobytes()
    assert not program.runnable.sessions  # type: ignore[union-attr]


@needs_device
def test_kernels_are_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cl_programs, "keeps_programs", lambda device: False)
    device, text = find_device(), "kernel void f(global int *x) { x[0] = 42; }"

    def answer(*, use_cache: bool = True) -> int:
        function = device.functions(text, ["f"], use_cache=use_cache)["f"]
        number = np.zeros(1, np.int32)
        flags = device.cl.mem_flags.COPY_HOST_PTR | device.cl.mem_flags.READ_WRITE
        memory = device.cl.Buffer(device.context, flags, hostbuf=number)
        function.set_arg(0, memory)
        device.start(function, (1,), (1,))
        device.cl.enqueue_copy(device.queue, number, memory, is_blocking=True)
        return int(number[0])

    assert answer(use_cache=False) == 42 and not list(tmp_path.rglob("*.record"))
    assert answer() == 42
    (kept,) = tmp_path.rglob("*.record")
    content = kept.read_bytes()
    built = device.cl.Program
    given: list[type] = []
    monkeypatch.setattr(device.cl, "Program", lambda *a: given.append(type(a[1])) or built(*a))
    assert answer() == 42 and given == [list]  # from what is kept
    kept.write_bytes(content[:-1])  # cut short
    assert answer() == 42 and given[1:] == [str] and kept.read_bytes() != content[:-1]
    keep_record(kept.stem, b"no program")  # of another driver
    assert answer() == 42 and given[2:] == [list, str]
    assert not [path for path in tmp_path.rglob("work-*")]


@needs_device
def test_a_build_that_was_interrupted_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[str, ...]] = []
    build = Device.build

    def empty_at_first(self: Device, text: str, options: Sequence[str] = (), **given: bool) -> Any:
        tried.append(tuple(options))
        return build(self, text if len(tried) > 2 else "constant int nothing = 0;", options, **given)

    monkeypatch.setattr(Device, "build", empty_at_first)
    (value,), _ = outcome("+/v", {"v": np.ones(5)}, Options("opencl", division=THREE))
    assert value == 5 and len(set(tried)) == 3
    with pytest.raises(InternalError, match="builds a program without its kernels"):
        find_device().functions("constant int nothing = 0;", ["something"])


@needs_device
def test_a_forked_process_does_not_call_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    program = compiled("+/v", {"v": np.ones(5)}, Options("opencl", division=THREE))
    assert isinstance(program.runnable, OpenclProgram)
    monkeypatch.setattr(cl_device, "_started_in", [0])
    for call in (find_device, lambda: replace(program).run([np.ones(5)], lambda *_: None)):
        with pytest.raises(MachineError, match="forked off after OpenCL had been used"):
            call()


@needs_device
def test_an_interrupt_waits_for_the_kernel_that_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory that the host frees then is nobody's."""
    program = compiled("1+v", {"v": np.ones(5)}, Options("opencl", division=THREE))
    device, waited = find_device(), []
    queue = device.queue

    def interrupted(*_: object) -> None:
        monkeypatch.setattr(device, "queue", SimpleNamespace(finish=lambda: waited.append(queue.finish())))
        raise KeyboardInterrupt

    monkeypatch.setattr(Shared, "done", interrupted)
    with pytest.raises(KeyboardInterrupt):
        program.run([np.ones(5)], lambda *_: None)
    assert waited == [None]


@pytest.mark.in_turn(6)
@needs_device
def test_random_programs() -> None:
    """A few of those that `python -m tests.fuzz_targets --target opencl` compares; the driver is in another
    process.
    """
    command = [sys.executable, "-m", "tests.fuzz_targets", "--target", "opencl", "--seconds", "1"]
    ran = subprocess.run(
        [*command, "--seed", "1", "--batch", "12"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert " agreed" in ran.stdout


def test_pyopencl_reads_no_pickles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does it keep any, unless the user wants it to; what users say elsewhere stays as it is."""
    pytest.importorskip("pyopencl")
    script = (
        "from backends.opencl.device import _package; import os; print({}_package()._PYOPENCL_NO_CACHE, {})"
    )
    for first, said in (("", "True True"), ("__import__('pyopencl') and ", "False True")):
        program = script.format(first, "'PYOPENCL_NO_CACHE' not in os.environ")
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == said
