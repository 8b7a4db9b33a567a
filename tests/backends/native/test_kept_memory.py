"""Memory of results and of programs that is kept for the next run: no new pages, bounds, forks, threads."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import aplc
from aplc.backends.native import kept_memory, stopping
from aplc.backends.native.kept_memory import most_kept
from aplc.compiler import compile_program
from aplc.inputs import as_input
from aplc.options import Options
from aplc.tail.array_limits import machine_memory
from aplc.tail.source import Source
from tests.support.machine import needs_c
from tests.support.paths import ROOT

pytestmark = [needs_c, pytest.mark.usefixtures("own_cache")]

LARGE = 1 << 20
"""Doubles that are kept: 8 MiB."""


@pytest.fixture(scope="module", autouse=True)
def pool(own_cache: None) -> None:
    """Skip where memory is not kept."""
    if stopping.library() is None or sys.platform != "linux":
        pytest.skip("NOT CHECKED: this Python has no interface for C, or this is not Linux")


BEGIN = """
import aplc, numpy, os, resource, time
from pathlib import Path

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() >> 20

def megabytes(size):
    return numpy.ones(size << 17)
"""


def said(script: str, **environment: str) -> list[str]:
    """What a process of its own prints."""
    return subprocess.run(
        [sys.executable, "-c", BEGIN + script],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()


CALLS = """
for text, size in (("{⍵+⍵}", 12), ("{⍵+⍵}", 40), ("{⌽(⍵>0)/⍵}", 40)):
    function, x = aplc.fn(text, target="c"), megabytes(size)
    for _ in range(2):
        function(x)
    before = faults()
    for _ in range(4):
        function(x)
    print(faults() - before)
"""


def test_no_page_is_new_in_calls_like_the_last() -> None:
    """Neither of a result that was dropped nor of what the program held meanwhile."""
    assert max(map(int, said(CALLS))) < 20


def test_nothing_is_kept_where_the_environment_says_so() -> None:
    faults = [int(count) for count in said(CALLS, APLC_POOL_MB="0")]
    assert min(faults[1:]) >= 4


def test_what_is_kept_is_given_back_when_nothing_runs() -> None:
    """What is dropped later is not kept."""
    script = """
double, x = aplc.fn("{⍵+⍵}", target="c"), megabytes(64)
double(megabytes(8))
before = resident()
result = double(x)
double(x)
kept = resident() - before
for _ in range(100):
    if resident() - before < 96:
        break
    time.sleep(0.1)
after = resident() - before
del result
print(kept, after, resident() - before)
"""
    kept, after, later = map(int, said(script))
    assert kept > 120
    assert 60 < after < 96
    assert later < 32


def test_the_kernel_is_offered_what_nobody_takes_for_a_while() -> None:
    """Not what the next call takes: to offer it takes as long as a short call."""
    script = """
import re
double, x = aplc.fn("{⍵+⍵}", target="c"), megabytes(32)

def offered():
    return int(re.search(r"LazyFree:\\s+([0-9]+)", Path("/proc/self/smaps_rollup").read_text())[1]) >> 10

double(x)
soon = []
for _ in range(9):
    double(x)
    soon.append(offered())
for _ in range(100):
    if offered() >= 30:
        break
    time.sleep(0.02)
later = offered()
print(min(soon), later, (double(x) == 2).all())
"""
    soon, later, is_right = said(script)
    assert int(soon) == 0
    assert int(later) >= 30
    assert is_right == "True"


def test_what_is_kept_is_bounded() -> None:
    script = """
double, x = aplc.fn("{⍵+⍵}", target="c"), megabytes(32)
results = [double(x) for _ in range(6)]
before = resident()
while results:
    results.pop()
print(before - resident())
"""
    assert int(*said(script, APLC_POOL_MB="80")) > 120


def test_memory_for_what_is_larger_than_all_that_is_kept() -> None:
    """Where there is no other, what is kept is freed."""
    script = """
double, x, y = aplc.fn("{⍵+⍵}", target="c"), megabytes(64), megabytes(100)
double(x)
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (60 << 20), resource.RLIM_INFINITY))
print(len(double(y)))
"""
    assert said(script) == [str(100 << 17)]


def test_a_process_that_is_forked_off_computes_the_same() -> None:
    script = """
double, x = aplc.fn("{⍵+⍵}", target="c"), megabytes(16)
mine = double(x)
double(x)
child = os.fork()
if child == 0:
    for _ in range(3):
        mine = double(double(x))
    os._exit(0 if (mine == 4).all() else 1)
mine = double(double(x))
print(os.waitpid(child, 0)[1], (mine == 4).all())
"""
    assert said(script) == ["0", "True"]


def test_threads_have_results_of_their_own() -> None:
    """Each is freed by another thread than the one that it was made in."""
    reverse, source = aplc.fn("{⌽⍵+1}", target="c"), np.arange(float(LARGE))
    reverse(source)

    def call(number: int) -> tuple[int, "np.ndarray[tuple[int, ...], np.dtype[np.float64]]"]:
        return number, reverse(source[number:])

    with ThreadPoolExecutor(4) as threads:
        for number, result in threads.map(call, range(24)):
            assert result[0] == LARGE and result[-1] == number + 1
            assert np.array_equal(result, source[number:][::-1] + 1)


def test_what_is_kept_counts_as_freed() -> None:
    """`verify` compares what a run holds at its end with what it hands out."""
    given = as_input(np.arange(float(LARGE)))
    options = Options(level=2, verify=True)
    source = Source("program.apl", "(⌽+\\x)[⍋⌽x]")
    program = compile_program([source], {"x": given.type}, {"x": given.storage}, options)
    for _ in range(3):
        (result,) = program.run([given.value], print)
        assert result[0] == 0 and result[1] == 1


# --- how much -------------------------------------------------------------------------------------------


def test_a_share_of_what_the_process_may_have(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("APLC_POOL_MB", raising=False)
    monkeypatch.setattr(kept_memory, "GROUPS", tmp_path)
    monkeypatch.setattr(kept_memory, "OLD_GROUP", tmp_path / "limit_in_bytes")
    assert 0 < most_kept() <= machine_memory() // 8
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "limit_in_bytes").write_text("8000000\n")
    assert most_kept() == 1_000_000


@pytest.mark.parametrize(
    "given, most", [("0", 0), ("64", 64 << 20), ("-1", None), ("", None), ("much", None)]
)
def test_what_the_environment_says(monkeypatch: pytest.MonkeyPatch, given: str, most: int | None) -> None:
    monkeypatch.delenv("APLC_POOL_MB", raising=False)
    default = most_kept()
    monkeypatch.setenv("APLC_POOL_MB", given)
    assert most_kept() == (default if most is None else most)
