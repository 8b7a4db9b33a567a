"""The memory of results that the module of a wheel keeps for the next call."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.commands import COMMAND, environment
from tests.support.machine import needs_c

pytestmark = [needs_c, pytest.mark.skipif(sys.platform != "linux", reason="NOT CHECKED: this is not Linux")]

TEXT = "next←{⍝: [double]1 → [double]1\n1+⍵}\nkept←{⍝: [double]1 → [double]1\n(0<⍵)/2×⍵}\n"
BEGIN = """
import os, resource, sys, time
sys.path.insert(0, sys.argv[1])
import numpy, pooled

SIZE = 5 << 20
v = numpy.ones(SIZE)

def faults(f):
    f(v)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    f(v)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() >> 20

def wait(is_so):
    end = time.monotonic() + 30
    while not is_so() and time.monotonic() < end:
        time.sleep(0.1)
    return is_so()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the module `pooled`."""
    work = tmp_path_factory.mktemp("pooled")
    (work / "p.apl").write_text(TEXT, encoding="utf-8")
    built = subprocess.run(
        [*COMMAND, "build", "--python", str(work / "p.apl"), "-o", str(work / "pooled"), "--cpu", "native"],
        capture_output=True, text=True, check=False, env=environment(),
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    (wheel,) = work.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(work)
    return work


def _said(folder: Path, script: str, **variables: str) -> str:
    command = [sys.executable, "-c", BEGIN + script, str(folder)]
    settings = {**os.environ, **variables}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=settings).stdout.strip()


def test_results_take_the_pages_of_those_before(folder: Path) -> None:
    script = "print(faults(pooled.next) < 10, faults(pooled.kept) < 10)"
    assert _said(folder, script) == "True True"


def test_nothing_is_kept_where_nothing_may_be(folder: Path) -> None:
    assert _said(folder, "print(faults(pooled.next) >= 10)", APLC_POOL_MB="0") == "True"


def test_what_nobody_takes_is_freed(folder: Path) -> None:
    script = """
pooled.next(v)
before = resident()
print(before - 16 > 2 * SIZE * 8 >> 20, wait(lambda: before - resident() >= SIZE * 8 >> 20))
print(faults(pooled.next) < 10)
"""
    assert _said(folder, script).split() == ["True"] * 3


def test_a_forked_process_keeps_and_frees_by_itself(folder: Path) -> None:
    script = """
pooled.next(v)
if (child := os.fork()) == 0:
    is_right = (pooled.next(v) == 2).all()
    before = resident()
    is_freed = wait(lambda: before - resident() >= SIZE * 8 >> 20)
    os._exit(0 if is_right and is_freed and (pooled.next(v) == 2).all() else 1)
print(os.waitpid(child, 0)[1], (pooled.next(v) == 2).all())
"""
    assert _said(folder, script) == "0 True"
