"""What this machine can do, and the marks of tests that need it.

A test that cannot run says so loudly: "NOT CHECKED with C: …". The marks are looked at when a test starts
(in conftest.py), so that nobody looks for a device only because tests are collected.
"""

import resource
from functools import cache
from pathlib import Path

import pytest

from aplc.backends.native.toolchain import find_compiler, find_threads
from aplc.backends.opencl.device import find_device
from aplc.tail.errors import MachineError

_CALLED = {"c": "C", "openmp": "threads", "opencl": "OpenCL"}


@cache
def lack_of(target: str) -> str:
    """Why programs for a target cannot run on this machine; empty where they can."""
    try:
        if target in ("c", "opencl"):
            find_compiler()
        if target == "openmp":
            find_threads()
        if target == "opencl":
            find_device().require_linker()
    except MachineError as lacking:
        return str(lacking)
    return ""


def require(target: str) -> None:
    """Skip the test at hand where programs for a target cannot run."""
    if why := lack_of(target):
        pytest.skip(f"NOT CHECKED with {_CALLED[target]}: {why}")


needs_c = pytest.mark.needs("c")
needs_threads = pytest.mark.needs("openmp")
needs_device = pytest.mark.needs("opencl")
TARGETS = ["interp", pytest.param("c", marks=needs_c)]
"""The reference interpreter, and C where it can be compiled."""
on_each_target = pytest.mark.parametrize("target", TARGETS)


def resident() -> int:
    """Bytes of this process in memory."""
    path = Path("/proc/self/statm")
    if not path.exists():
        pytest.skip("NOT CHECKED: this machine does not tell the memory of a process")
    return int(path.read_text().split()[1]) * resource.getpagesize()
