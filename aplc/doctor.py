"""`aplc doctor`: what of this machine programs can use, what is missing, and how to get it.

Each thing is tried, not looked up: a compiler compiles a program, which is run; a device runs kernels.
Drivers of OpenCL are asked in processes of their own (`device_probe`).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import signal
import sys
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from aplc import __version__
from aplc.backends.native.cache import cache_note
from aplc.backends.native.cache_directory import cache_path
from aplc.backends.native.processes import OutOfTime, ended
from aplc.backends.native.processor import available_cores
from aplc.backends.native.run import waiting
from aplc.backends.native.toolchain import find_compiler, find_threads, flags
from aplc.command_line import LACKING, OK, Parser
from aplc.compiler import compile_program
from aplc.options import Options
from aplc.tail.errors import InternalError, MachineError
from aplc.tail.legible import legible
from aplc.tail.source import Source

PROBE = (sys.executable, "-P", "-m", "aplc.device_probe")
"""-P: no file of the working directory is imported."""
PATIENCE = 60
"""Seconds within which a driver must answer."""
MEGABYTE = 1 << 20
WIDTH = 92


@dataclass(frozen=True)
class Finding:
    """One thing that programs can use: what it is, or why not, and the same as data."""

    name: str
    state: Literal["found", "missing", "broken"]
    lines: tuple[str, ...]
    data: Mapping[str, Any] = field(default_factory=dict)

    def text(self) -> str:
        """As people read it."""
        head = f"{self.name:<9} {self.state:<8} "
        wrapped = [textwrap.wrap(legible(line), WIDTH, break_on_hyphens=False) for line in self.lines]
        lines = [part for parts in wrapped for part in parts]
        return head + ("\n" + " " * len(head)).join(lines)

    def as_json(self) -> dict[str, Any]:
        """As programs read it."""
        return {"kind": self.name, "state": self.state, "lines": list(self.lines), **self.data}


def doctor(arguments: list[str]) -> int:
    """Examine the machine; exit status 0 if the default target works here, 3 if not."""
    parser = Parser(prog="aplc doctor", add_help=False, allow_abbrev=False)
    parser.add_argument("--json", action="store_true")
    parsed: argparse.Namespace = parser.parse_args(arguments)
    found: list[Finding] = []
    if not parsed.json:
        print(f"aplc {__version__} on Python {platform.python_version()}, {platform.machine()}")
    for finding in findings():
        found.append(finding)
        if not parsed.json:
            print(finding.text(), flush=True)
    works = all(each.state == "found" for each in found if each.name == "compiler")
    if parsed.json:
        versions = {"aplc": __version__, "python": platform.python_version(), "machine": platform.machine()}
        told = {**versions, "works": works, "found": [each.as_json() for each in found]}
        print(json.dumps(told, ensure_ascii=False, indent=1))
    elif works:
        print("programs run here; `--target interp` needs nothing of this")
    else:
        print("programs run here with `--target interp` only")
    return OK if works else LACKING


def findings() -> Iterator[Finding]:
    """What is found, as it is found."""
    yield _compiler()
    yield _openmp()
    yield from _opencl()
    yield _cache()


# --- compilers ------------------------------------------------------------------------------------------


def _failure(target: str) -> str:
    """What keeps a program from being compiled and run for a target; empty if nothing does."""
    try:
        program = Source("doctor", "+/⍳5")
        compiled = compile_program([program], {}, {}, Options(target, use_cache=False))
        (value,) = compiled.run([], lambda *_: None)
    except MachineError as lacking:
        return str(lacking)
    except (InternalError, OSError) as failure:
        return f"a compiler for our C: {str(failure).splitlines()[0]}"
    return "" if value == 15 else "a compiler for our C: +/⍳5 is not 15 here"


def _compiler() -> Finding:
    if lack := _failure("c"):
        return Finding("compiler", "missing", (lack,))
    compiler = find_compiler()
    command, given = shlex.join(compiler.command), " ".join(flags(compiler, Options().level))
    data = {"command": command, "version": compiler.version, "flags": given}
    return Finding("compiler", "found", (f"{command}: {compiler.version}", given), data)


def _openmp() -> Finding:
    if lack := _failure("openmp"):
        return Finding("OpenMP", "missing", (lack,))
    threads = available_cores()
    said = {name: os.environ[name] for name in ("OMP_NUM_THREADS", "OMP_WAIT_POLICY") if name in os.environ}
    data = {"processors": threads, "environment": said, "waiting": waiting()}
    lines = [f"{find_threads().kind}, {threads} processors to run threads on"]
    lines += [f"{name}={value} in the environment" for name, value in said.items()]
    return Finding("OpenMP", "found", tuple(lines), data)


# --- OpenCL ---------------------------------------------------------------------------------------------


def _opencl() -> Iterator[Finding]:
    answer = asked()
    if isinstance(answer, str):
        yield Finding("OpenCL", "missing", (answer,))
        return
    drivers = list(dict.fromkeys(str(each["driver"]) for each in answer))
    yield Finding("OpenCL", "found", tuple(drivers), {"drivers": drivers})
    for each in answer:
        yield _device(each)


def _device(device: dict[str, Any]) -> Finding:
    kind = "the processor" if device["is_processor"] else "a device of its own"
    doubles = "doubles" if device["has_doubles"] else "no doubles: it needs --precision single"
    head = (
        f"{device['name']}: {kind}, {device['units']} units, {device['memory'] // MEGABYTE:,} MB, {doubles}"
    )
    answer = asked(device["name"], *([] if device["has_doubles"] else ["single"]))
    if isinstance(answer, str):
        return Finding("device", "broken", (head, answer), device)
    data = {**device, **answer}
    lines = [head, f"a kernel is started and done in {answer['start'] * 1e6:.0f} µs; {_memory(answer)}"]
    lines.append(f"a loop goes there from {answer['least_work']:,} operations on ({_measured(answer)})")
    return Finding("device", "found", tuple(lines), data)


def _memory(answer: Mapping[str, Any]) -> str:
    if answer["uses_host_memory"]:
        return "arrays are used where they are"
    there, back = [answer[way] / 1e9 for way in ("copies_there", "copies_back")]
    return f"arrays are copied there at {there:.1f} GB/s and back at {back:.1f} GB/s"


def _measured(answer: Mapping[str, Any]) -> str:
    """What a loop took there and in the threads of the host, and from where on the device is faster."""
    lines = [("", answer["device"], answer["break_even"])]
    if "device_there" in answer:
        lines = [("with copying ", answer["device"], answer["break_even"])]
        lines.append(("without ", answer["device_there"], answer["break_even_there"]))
    told = [
        f"{how}{start * 1e6:.0f} µs and {each * 1e9:.3f} ns an operation, {_faster(break_even)}"
        for how, (start, each), break_even in lines
    ]
    host = f"on the host {answer['host'][1] * 1e9:.3f} ns an operation"
    return f"measured: {host}; there {'; '.join(told)}"


def _faster(operations: int | None) -> str:
    if operations is None:
        return "never faster"
    return f"faster from about {float(f'{operations:.1g}'):,.0f} on"


def asked(*arguments: str) -> Any:
    """What `device_probe` answers, or in words why there is no answer: it is another process, which a broken
    driver may end, or keep.
    """
    try:
        ran = ended([*PROBE, *arguments], PATIENCE)
    except OutOfTime:
        return f"its driver has not answered for {PATIENCE} s"
    errors = ran.errors.decode(errors="replace")
    if ran.status < 0:
        how = signal.strsignal(-ran.status) or f"signal {-ran.status}"
        return f"its driver ended the process that asked it ({how.lower()}){_last(errors)}"
    with suppress(ValueError):
        found = json.loads(ran.output)
        return found["lack"] if isinstance(found, dict) and "lack" in found else found
    return f"its driver gave no answer (status {ran.status}){_last(errors)}"


def _last(text: str) -> str:
    """The last line of what a process said, behind a colon."""
    lines = text.strip().splitlines()
    return f": {lines[-1].strip()}" if lines else ""


# --- the cache ------------------------------------------------------------------------------------------


def _cache() -> Finding:
    if note := cache_note():
        return Finding("cache", "missing", (note, "APLC_CACHE_DIR says where they go"))
    directory = Path(cache_path())
    sizes = _sizes(directory)
    data = {"directory": str(directory), "files": len(sizes), "bytes": sum(sizes)}
    line = f"{directory}: {len(sizes):,} files, {sum(sizes) / MEGABYTE:,.1f} MB, can be written"
    return Finding("cache", "found", (line,), data)


def _sizes(directory: Path) -> list[int]:
    """The sizes of the files in a directory, of which others may disappear meanwhile."""
    sizes: list[int] = []
    with suppress(OSError):
        for path in directory.iterdir():
            with suppress(OSError):
                if path.is_file():
                    sizes.append(path.stat().st_size)
    return sizes
