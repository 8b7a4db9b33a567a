"""Compiled programs are unloaded with the last reference to what is in them, and never before."""

import ctypes
import gc
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.backends.native import libraries
from aplc.backends.native.libraries import load
from aplc.backends.native.toolchain import compile_shared, find_compiler
from aplc.tail.errors import MachineError
from tests.support.machine import needs_c, needs_threads

pytestmark = [
    needs_c,
    pytest.mark.usefixtures("own_cache"),
    pytest.mark.skipif(
        not Path("/proc/self/maps").exists(), reason="NOT CHECKED: no /proc to see mappings in"
    ),
]


pytestmark = pytest.mark.optimised

F = ctypes.CFUNCTYPE(ctypes.c_int)


def mapped(name: str = "memfd:aplc") -> int:
    """How many mappings have a name."""
    return Path("/proc/self/maps").read_text().count(name)


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A shared object."""
    directory = tmp_path_factory.mktemp("c")
    (directory / "f.c").write_text('__attribute__((visibility("default"))) int f(void) { return 42; }\n')
    compile_shared(find_compiler(), directory / "f.c", directory / "f.so", 0)
    return (directory / "f.so").read_bytes()


def test_functions_keep_their_library(content: bytes) -> None:
    gc.collect()
    before = mapped()
    function = load(content).function("f", F)
    gc.collect()
    assert function() == 42
    assert mapped() > before
    del function
    assert mapped() == before


def test_another_library_is_another(content: bytes) -> None:
    """Whatever descriptor it was loaded from: the loader knows names again."""
    other = content.replace(b"\x2a\x00\x00\x00\xc3", b"\x2b\x00\x00\x00\xc3")  # mov eax, 43; ret
    assert os.uname().machine != "x86_64" or other != content
    functions = [load(each).function("f", F) for each in (content, other) * 20]
    assert [function() for function in functions] == ([42, 42] if other == content else [42, 43]) * 20


def test_without_memory_for_programs(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    dlopen = libraries.dlopen

    def refused(path: str, flags: int) -> int:
        if path.startswith("/proc/"):
            raise OSError("failed to map segment from shared object")
        return dlopen(path, flags)

    monkeypatch.setattr(libraries, "dlopen", refused)
    assert load(content).function("f", F)() == 42
    monkeypatch.delattr("os.memfd_create")
    assert load(content).function("f", F)() == 42

    def refused_everywhere(path: str, flags: int) -> int:
        raise OSError(f"{path}: failed to map segment from shared object")

    monkeypatch.setattr(libraries, "dlopen", refused_everywhere)
    with pytest.raises(MachineError, match=r"failed to map segment.*TMPDIR"):
        load(content)


def test_a_function_that_is_not_there(content: bytes) -> None:
    with pytest.raises(MachineError, match="has no function g"):
        load(content).function("g", F)


@pytest.mark.parametrize("content", [b"", b"int f;", b"\x7fELF"])
def test_what_is_no_shared_object(content: bytes) -> None:
    with pytest.raises(MachineError, match="cannot be loaded"):
        load(content)


@pytest.mark.parametrize("target", ["c", pytest.param("openmp", marks=needs_threads)])
def test_functions_are_unloaded_with_the_last_reference(target: str) -> None:
    values = np.arange(3e4)
    aplc.fn("+/")(values)  # what stays: the runtime of OpenMP, and how Python calls
    kept = aplc.fn("{⍵+1}", target=target)
    for _ in range(4):
        result = kept(values)
    gc.collect()
    before = mapped()
    for k in range(3):
        function = aplc.fn(f"{{⍵×{k}+2}}", target=target)
        for _ in range(4):  # from the third on without ways around
            result = function(values)
    assert mapped() > before
    del function  # and no garbage is collected
    assert mapped() == before
    assert (result == values * 4).all()  # results own their memory
    assert (kept(values) == values + 1).all()


@needs_threads
def test_openmp_stays() -> None:
    function = aplc.fn("{+/⍵×⍵}", target="openmp")
    function(np.arange(1e6))
    del function
    gc.collect()
    assert any(mapped(name) for name in libraries._OPENMP)


def test_a_program_that_runs_is_not_unloaded() -> None:
    """Its function is dropped while threads are in it."""
    functions = [aplc.fn("{⍵⌈.+⍵}")]
    values = np.ones((150, 150))
    functions[0](values), functions[0](values), functions[0](values)
    results: list[Any] = []
    begun = threading.Barrier(3)

    def run() -> None:
        function = functions[0]
        begun.wait()
        results.append(function(values))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    begun.wait()
    functions.clear()
    gc.collect()
    for thread in threads:
        thread.join()
    assert [result.sum() for result in results] == [2 * 150 * 150] * 2


def test_more_programs_than_there_is_room_for_mappings() -> None:
    """A process that may have few mappings loads as many programs as it likes, one after the other."""
    script = (
        "import aplc, resource\n"
        "aplc.run('1')\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\n"
        "count = lambda: open('/proc/self/maps').read().count(chr(10))\n"
        "before = count()\n"
        "for k in range(40): assert aplc.run('+/⍳10') == 55\n"
        "assert count() < before + 100, (before, count())\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_end_of_the_process_unloads_nothing() -> None:
    """Threads may still be in a program then."""
    script = (
        "import aplc, threading, numpy as np\n"
        "f, v = aplc.fn('{⍵⌈.+⍵}'), np.ones((900, 900))\n"
        "f(v[:2, :2].copy())\n"
        "threading.Thread(target=f, args=(v,), daemon=True).start()\n"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
