"""`aplc doctor`: what is found, what is missing, and drivers that do not survive being asked."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aplc import device_probe, doctor
from aplc.backends.native import run as run_native
from aplc.backends.native import toolchain
from aplc.backends.opencl import device as cl_device
from aplc.backends.opencl.device import find_device
from aplc.cli import main
from aplc.laila.devices.device_mapping import DIVISION
from aplc.tail.errors import MachineError
from tests.support.machine import needs_device
from tests.support.paths import ROOT

PROCESSOR: dict[str, Any] = {
    "name": "Chip 9", "driver": "Driver, OpenCL 3.0", "is_processor": True, "units": 4, "memory": 8 << 30,
    "largest_array": 2 << 30, "has_doubles": True,
}  # fmt: skip
CARD = PROCESSOR | {"name": "Card", "is_processor": False, "units": 80, "has_doubles": False}
MEASURED: dict[str, dict[str, Any]] = {
    "Chip 9": {
        "start": 12e-6, "uses_host_memory": True,
        "least_work": 33_554_432, "host": [1e-6, 1e-9], "device": [5e-5, 0.5e-9], "break_even": 98_000,
    },
    "Card": {
        "start": 8e-6, "uses_host_memory": False, "copies_there": 12e9, "copies_back": 6e9,
        "least_work": 4_194_304, "host": [1e-6, 1e-9], "device": [1e-4, 2e-9], "break_even": None,
        "device_there": [6e-5, 1e-11], "break_even_there": 59_596,
    },
}  # fmt: skip


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with two devices; asking for more is not quick."""

    def asked(*arguments: str) -> Any:
        if not arguments:
            return [PROCESSOR, CARD]
        assert (arguments[1:] == ("single",)) == (arguments[0] == "Card")
        return MEASURED[arguments[0]]

    monkeypatch.setattr(doctor, "asked", asked)


@pytest.mark.optimised
def test_what_is_found(machine: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    told = capsys.readouterr().out
    assert "\ncompiler  found    " in told and "\ndevice    found    Chip 9: the processor" in told
    assert max(map(len, told.splitlines())) <= 112
    words = " ".join(told.split())
    for sentence in (
        "-O3 -std=gnu11",
        "OpenCL found Driver, OpenCL 3.0 device found",
        "Chip 9: the processor, 4 units, 8,192 MB, doubles a kernel is started and done in 12 µs; ",
        "arrays are used where they are a loop goes there from 33,554,432 operations on (measured: on the "
        "host 1.000 ns an operation; there 50 µs and 0.500 ns an operation, faster from about 100,000 on)",
        "Card: a device of its own, 80 units, 8,192 MB, no doubles: it needs --precision single",
        "8 µs; arrays are copied there at 12.0 GB/s and back at 6.0 GB/s",
        "there with copying 100 µs and 2.000 ns an operation, never faster; without 60 µs and 0.010 ns an "
        "operation, faster from about 60,000 on)",
        "can be written programs run here; `--target interp` needs nothing of this",
    ):
        assert sentence in words, told


def test_as_data(machine: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["works"] is True and told["aplc"]
    assert [each["kind"] for each in told["found"]] == [
        "compiler",
        "OpenMP",
        "OpenCL",
        "device",
        "device",
        "cache",
    ]
    assert {each["state"] for each in told["found"]} == {"found"}
    compiler, device = told["found"][0], told["found"][3]
    assert compiler["version"] and device["break_even"] == 98_000 and device["least_work"] == 33_554_432


def test_no_compiler(
    machine: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    assert main(["doctor"]) == 3
    told = capsys.readouterr().out
    assert "compiler  missing  the environment variable CC is no-such-compiler" in told
    assert "OpenMP    missing" in told and told.endswith("programs run here with `--target interp` only\n")
    monkeypatch.setenv("CC", "")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(toolchain, "_zig_program", lambda: "")
    assert main(["doctor"]) == 3
    assert "compiler  missing  no C compiler found: looked for gcc and clang" in capsys.readouterr().out


def test_a_compiler_that_is_none(machine: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\necho cc 1\n", encoding="utf-8")
    compiler.chmod(0o700)
    monkeypatch.setenv("CC", str(compiler))
    assert [each.state for each in doctor.findings() if each.name == "compiler"] == ["missing"]


def test_no_cache(machine: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "file"))
    (cache,) = [each for each in doctor.findings() if each.name == "cache"]
    assert cache.state == "missing" and "not kept" in cache.lines[0] and "APLC_CACHE_DIR" in cache.lines[1]


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("import os; os.abort()", r"its driver ended the process that asked it \(aborted\)$"),
        (
            "import os, sys; sys.stderr.write('a\\nno ld\\n'); sys.stderr.flush(); os.abort()",
            r"\(aborted\): no ld$",
        ),
        ("import time; time.sleep(9)", "its driver has not answered for 0.3 s"),
        ("print('hello')", r"its driver gave no answer \(status 0\)"),
        ("raise SystemExit('bad')", r"its driver gave no answer \(status 1\): bad"),
        ('print(\'{"lack": "the linker ld"}\')', "^the linker ld$"),
    ],
)
def test_drivers_that_do_not_answer(program: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PROBE", (sys.executable, "-c", program))
    monkeypatch.setattr(doctor, "PATIENCE", 0.3 if "sleep" in program else 60)
    answer = doctor.asked("Chip 9")
    assert isinstance(answer, str)
    with pytest.raises(MachineError, match=message):
        raise MachineError(answer)


def test_a_device_that_is_broken(machine: None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = doctor.asked
    monkeypatch.setattr(doctor, "asked", lambda *a: "its driver is ill" if a[:1] == ("Card",) else asked(*a))
    _, card = [each for each in doctor.findings() if each.name == "device"]
    assert card.state == "broken" and card.lines[1] == "its driver is ill"
    assert "device    broken   Card: " in card.text()


def test_no_pyopencl(tmp_path: Path) -> None:
    """The list is asked for in a process that finds a package which cannot be imported."""
    (tmp_path / "pyopencl.py").write_text(
        "raise ImportError('libOpenCL.so.1 is not there')", encoding="utf-8"
    )
    ran = subprocess.run(
        [sys.executable, "-m", "aplc.device_probe"], cwd=tmp_path, check=False,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}, capture_output=True, text=True,
    )  # fmt: skip
    lack = json.loads(ran.stdout)["lack"]
    assert lack.startswith(
        "the Python package pyopencl does not work here: libOpenCL.so.1 is not there; pip install"
    )


@needs_device
def test_asking_the_devices_of_this_machine() -> None:
    answer = doctor.asked()
    assert find_device().name in [each["name"] for each in answer]


@needs_device
def test_measuring(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(device_probe, "LONG", 10_000)
    monkeypatch.setattr(device_probe, "RUNS", 2)
    monkeypatch.setattr(device_probe, "COPIED", 1 << 16)
    for given in ([], ["single"]):
        monkeypatch.setattr(cl_device.Device, "uses_host_memory", not given)
        device_probe.main([find_device().name, *given])
        found = json.loads(capsys.readouterr().out)
        assert found["start"] > 0 and (found["break_even"] or 0) >= 0
        assert ("copies_back" in found) == ("break_even_there" in found) == bool(given)


@needs_device
def test_where_loops_go_beside_a_host_without_threads(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuses() -> None:
        raise MachineError("no OpenMP here")

    monkeypatch.setattr(device_probe, "LONG", 10_000)
    monkeypatch.setattr(device_probe, "RUNS", 2)
    monkeypatch.setattr(run_native, "find_threads", refuses)
    device_probe.main([find_device().name])
    assert json.loads(capsys.readouterr().out)["least_work"] == DIVISION.least_work


@needs_device
def test_a_device_that_cannot_link(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cl_device, "missing_linker", lambda: "the linker ld")
    device_probe.main([find_device().name])
    if find_device().is_pocl:
        assert "needs the linker ld to build kernels" in json.loads(capsys.readouterr().out)["lack"]


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "file.apl"]) == 2
    assert "unrecognized arguments: file.apl" in capsys.readouterr().err
