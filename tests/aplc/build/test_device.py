"""`aplc build --kernels`: a library whose loops run on a device, for C and for Python, where aplc is not."""

from __future__ import annotations

import pickle
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.build.files import write_all
from aplc.build.functions import Built, build_functions
from aplc.build.kernels import division_of_library, kernels_text
from aplc.build.library import library_files
from aplc.build.naming import Names
from aplc.build.wheel import wheel_files, wheel_path
from aplc.inputs import decode
from aplc.options import Options
from aplc.tail.errors import RunError
from tests.support.commands import Cli, environment, write
from tests.support.machine import needs_c, needs_device
from tests.support.paths import ROOT

HERE = Path(__file__).parent
STRICT = ("-Wall", "-Wextra", "-Werror")
TEXT = (HERE / "device.apl").read_text("utf-8")
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="NOT CHECKED: there is no gcc")


@pytest.fixture(scope="module")
def built() -> list[Built]:
    """The functions, all of whose loops are large enough for kernels."""
    division = replace(division_of_library(in_threads=False), least_work=1, least_rows=1)
    options = Options("opencl", division=division)
    return build_functions([decode(TEXT.encode(), "device.apl")], (), options)[0]


@pytest.fixture(scope="module")
def library(built: list[Built], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the library and the module, which have the same functions."""
    folder, options = tmp_path_factory.mktemp("library"), Options("opencl")
    write_all(library_files(folder, "libgpu", built, "device.apl", options, ()))
    wheel = wheel_path(folder, "gpu")
    write_all(wheel_files(wheel, "gpu", built, "device.apl", options, ()))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(folder: Path, *command: str) -> None:
    """A command, which ends well."""
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment(LD_LIBRARY_PATH=str(folder)), cwd=folder,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def calls() -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Functions and what they get, at lengths where groups and runs end."""
    for n in (0, 1, 2, 63, 64, 65, 1000, 2049):
        whole, real = np.arange(n) * 7 % 31 - 9, np.arange(n) / 8
        yield "total", (real,)
        yield "running", (whole,)
        yield "multiples", (whole,)
        yield "heat", (5, real)
        yield "ratios", (real + 1,)
        yield "ratios", (real - n // 2 / 8,)
        yield "pick", (whole, np.arange(n)[::-1] + 1)
        yield "pick", (whole, np.arange(n) + 2)
        yield "words", ("to be or  not " * (n // 14) + "x" * (n % 14 + 2),)
        yield "turned", (1 + 2j, real + 1j)
        yield "flags", (True, whole > 3)
        yield "deep", (3, real / (n + 1))
        yield "several", (whole,)
        yield "squares", (whole,)
        yield "matmul", (np.resize(real, (n % 67, 33)), np.resize(real, (33, n % 41)))
        yield "sums", ([real[: k % 70] for k in range(n % 130)],)


def expected() -> list[tuple[str, tuple[Any, ...], Any]]:
    """Calls with what the interpreter gives for them; of an error what it is called."""
    program: Any = aplc.load(str(HERE / "device.apl"), target="interp")
    found: list[tuple[str, tuple[Any, ...], Any]] = []
    for name, arguments in calls():
        value: Any
        try:
            value = getattr(program, name)(*arguments)
        except RunError as error:
            value = f"{error.diagnostics[0].kind}: "
        found.append((name, arguments, plain(value)))
    return found


def plain(value: Any) -> Any:
    """A value without anything of aplc."""
    if isinstance(value, tuple):
        return tuple([plain(item) for item in value])
    if isinstance(value, np.ndarray) and value.dtype == object:
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray) and value.dtype.kind == "U":
        return "".join(value.tolist())
    return value


@needs_device
@needs_gcc
def test_it_is_called_without_aplc(library: Path, built: list[Built]) -> None:
    assert all([each.kernels.launches for each in built if each.name != "plain"])
    cases = expected()
    assert {name for name, _, _ in cases} == {each.name for each in built} - {"plain"}
    assert 8 <= len([1 for *_, value in cases if isinstance(value, str) and ": " in value]) < len(cases) // 2
    (library / "expected.pickle").write_bytes(pickle.dumps(cases))
    caller = ("-fPIC", "-shared", str(HERE / "device_caller.c"), "-o", "caller.so")
    run(library, "gcc", "-std=c11", *STRICT, "-I.", *caller, "-L.", "-lgpu", "-Wl,-rpath,$ORIGIN")
    processor = ROOT / "backends" / "opencl" / "processor.py"
    run(library, sys.executable, str(HERE / "device_user.py"), str(library), str(processor))


@needs_c
@needs_gcc
def test_neither_opencl_nor_its_headers_are_needed_to_compile(library: Path) -> None:
    source = (library / "libgpu.c").read_text("utf-8")
    assert not re.search(r"#\s*include\s+<CL/", source)
    flags = ("-O1", "-fwrapv", "-fPIC", "-shared", *STRICT, "-fsanitize=undefined")
    run(library, "gcc", "-std=gnu11", *flags, "libgpu.c", "-o", "strict.so", "-lm", "-ldl")
    if shutil.which("g++") is not None:
        program = "int main() { return gpu_init(nullptr) == GPU_OK && gpu_device()[0] == 0; }\n"
        (library / "plus.cc").write_text(f'#include "libgpu.h"\n{program}', "utf-8")
        run(library, "g++", "-std=c++17", *STRICT, "-I.", "plus.cc", "-o", "plus", "-L.", "-lgpu")


@needs_c
@needs_gcc
def test_where_there_is_no_opencl_that_is_told(library: Path) -> None:
    """A process that finds no library of OpenCL, however many the machine has."""
    program = """#include "libgpu.h"
        #include <stdio.h>
        int main(void) {
            const double x[] = {1, 2};
            double total;
            int64_t next;
            printf("%d %s\\n", gpu_init(NULL), gpu_message());
            printf("%d %s\\n", gpu_total(x, 2, &total), gpu_message());
            printf("%d\\n", gpu_plain(2, &next));
        }"""
    hidden = """#include <dlfcn.h>
        #include <stdlib.h>
        void *dlsym(void *library, const char *name) { (void)library; (void)name; return NULL; }
        void *dlopen(const char *name, int how) { (void)name; (void)how; return NULL; }
        char *dlerror(void) { return "there is none"; }"""
    (library / "none.c").write_text(program, "utf-8")
    (library / "hidden.c").write_text(hidden, "utf-8")
    files = ("none.c", "libgpu.c", "hidden.c")
    run(library, "gcc", "-std=gnu11", "-fwrapv", "-w", "-I.", *files, "-o", "none", "-lm")
    done = subprocess.run(["./none"], cwd=library, capture_output=True, text=True, check=False)
    told = "100 DEVICE ERROR: no OpenCL is found here: there is none\n"
    assert done.stdout == f"{told}{told}0\n"


@needs_c
def test_only_the_interface_is_exported(library: Path) -> None:
    if shutil.which("nm") is None:
        pytest.skip("NOT CHECKED: there is no nm")
    done = subprocess.run(
        ["nm", "-D", str(library / "libgpu.so")], capture_output=True, text=True, check=True
    )
    names = {line.split()[-1] for line in done.stdout.splitlines() if re.search(" [Ti] ", line)}
    assert {"gpu_init", "gpu_device", "gpu_finish", "gpu_total"} <= names
    assert all(name.startswith("gpu_") for name in names)


def test_kernels_of_all_functions_are_one_text(built: list[Built]) -> None:
    text = kernels_text(Names("libgpu"), built, "device.apl")
    kernels = re.findall(r"^kernel void (\w+)\(", text, re.M)
    defined = re.findall(r"^(?:static|constant) (?:inline )?[\w ]+?(\w+)(?:\(|\[)", text, re.M)
    assert len(kernels) == sum([len(each.kernels.launches) for each in built]) > len(built)
    assert len({*kernels, *defined}) == len(kernels) + len(defined)
    assert max(map(len, text.splitlines())) <= 110


@needs_c
@pytest.mark.usefixtures("surroundings")
def test_the_command(cli: Cli) -> None:
    program = write("p.apl", "⍝: [double]1 → double\nsum←{+/⍵}\n⍝: int → int\ninit←{⍵}\n")
    outcome = cli("build", program, "-o", "libp", "--kernels")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out == "made libp.h, libp.c, libp.cl, libp.so, libp.pc\n"
    assert "kernel void p_sum_reduce(" in Path("libp.cl").read_text("utf-8")
    header = Path("libp.h").read_text("utf-8")
    assert "int p_init(const char *device);" in header
    assert "int p_init_(int64_t y, int64_t *result);" in header
    assert "omp parallel" not in Path("libp.c").read_text("utf-8")
    assert cli("build", program, "-o", "libp", "--kernels", "--target", "openmp").status == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("⍝: int → int\nf←{⍵+1}\n", "no loop of f can run on a device; build it without --kernels"),
        ("⍝: [double]1 → [char]1\nf←{⍕⍵×2}\n", "f: ⍕ is computed by Python, which a library does without"),
    ],
)
@pytest.mark.usefixtures("surroundings")
def test_what_has_no_kernels_is_told(cli: Cli, text: str, message: str) -> None:
    outcome = cli("build", write("p.apl", text), "-o", "libp", "--kernels")
    assert outcome.status == 1
    assert message in outcome.err
    assert not list(Path.cwd().glob("libp*"))
