"""OpenCL beyond programs and their values: the simulator, the command for GPUs, what a machine may lack."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import oclgrind
import pytest
from machine import needs_device
from samples import sample_name, sample_paths
from test_opencl import THREE, compiled, outcome

from aplc.options import Options
from backends import cl_device
from backends.cl_device import Device, find_device
from backends.run_opencl import OpenclProgram
from tail.errors import InternalError, MachineError

ROOT = Path(__file__).resolve().parent.parent


# --- on a simulator -------------------------------------------------------------------------------------


def on_simulator(*names: str) -> str:
    """What `python -m tests.oclgrind` says of samples."""
    command = [sys.executable, "-m", "tests.oclgrind", *names]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout


@pytest.mark.skipif(shutil.which("oclgrind") is None, reason=f"NOT CHECKED with Oclgrind: {oclgrind.INSTALL}")
def test_kernels_on_a_simulator() -> None:
    today = oclgrind.of_today(240)
    assert on_simulator("signal", *today).endswith(f"{1 + len(today)} samples, 0 with findings\n")


def test_samples_take_turns_on_the_simulator() -> None:
    turns = [name for day in range(24) for name in oclgrind.of_today(24, day)]
    assert sorted(turns) == sorted(map(sample_name, sample_paths()))


def test_messages_of_the_simulator() -> None:
    first, second = (
        "Invalid read of size 8\n\tKernel: k\n\t",
        "Write-write data race\n\tKernel: k\n\t\n\tFirst entity",
    )
    assert oclgrind.messages(f"\n{first}\n\n{second}\n") == [first.strip(), second]
    assert oclgrind.messages("\n") == []


# --- the command for a machine with a GPU ---------------------------------------------------------------


@needs_device
def test_the_command_for_gpus() -> None:
    command = [sys.executable, "-m", "tests.gpu_check", "--quick", "--program", "+/", "--of", "1000"]
    ran = subprocess.run([*command, "--jobs", "1"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    device, _, line, _, samples, _ = ran.stdout.split("\n")
    assert "copies" in device and line.startswith("+/ ") and line.endswith("%")
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
def test_a_build_that_was_interrupted_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[str, ...]] = []
    build = Device.build

    def empty_at_first(self: Device, text: str, options: Sequence[str] = ()) -> Any:
        tried.append(tuple(options))
        return build(self, text if len(tried) > 2 else "constant int nothing = 0;", options)

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
