"""Libraries for old and new processors: one is chosen, by what the processor has, and each is right."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from aplc.backends.native.toolchain import find_compiler
from aplc.build.functions import build_functions
from aplc.build.library import library_files
from aplc.build.naming import Names
from aplc.build.variants import OLDEST, VARIANTS, choice_text, compile_variants, may_have_variants
from aplc.inputs import decode
from aplc.options import Options
from tests.support.commands import Cli, write
from tests.support.machine import needs_c

HERE = Path(__file__).parent
NAMES = [*[variant.name for variant in VARIANTS], OLDEST]
FEATURES = {"avx2", "bmi1", "bmi2", "fma"}, {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
"""As Linux calls what v3 and v4 need."""


@pytest.fixture(autouse=True)
def chosen_here() -> None:
    if not may_have_variants(find_compiler()):
        pytest.skip("NOT CHECKED: here libraries are made for one kind of processors")
    if shutil.which("gcc") is None:
        pytest.skip("NOT CHECKED: there is no gcc")


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@needs_c
@pytest.mark.parametrize(
    ("has_v3", "has_v4", "chosen"),
    [(0, 0, OLDEST), (1, 0, "v3"), (1, 1, "v4")],
)
def test_the_best_that_a_processor_has_is_chosen(
    tmp_path: Path, has_v3: int, has_v4: int, chosen: str
) -> None:
    stubs = [f'const char *which_{name}(void) {{ return "{name}"; }}' for name in NAMES]
    text = [
        f"#define LIB_HAS_V3 {has_v3}",
        f"#define LIB_HAS_V4 {has_v4}",
        choice_text("const char *which(void);", ["which"]),
        *stubs,
        "#include <stdio.h>",
        "int main(void) { puts(which()); }",
    ]
    (tmp_path / "main.c").write_text("\n".join(text), "utf-8")
    run(tmp_path, "gcc", "-Wall", "-Wextra", "-Werror", "main.c", "-o", "main")
    assert run(tmp_path, "./main") == f"{chosen}\n"


@needs_c
def test_each_of_them_is_right(tmp_path: Path) -> None:
    known = Path("/proc/cpuinfo").read_text("utf-8").partition("flags")[2].partition("\n")[0].split()
    built, _ = build_functions([decode((HERE / "library.apl").read_bytes(), "library.apl")], (), Options())
    names = Names("libsignal")
    contents = library_files(tmp_path, "libsignal", built, "library.apl", Options(), ("-march=x86-64",))
    for path, content in contents.items():
        path.write_bytes(content)
    header, text = [(tmp_path / f"libsignal{ending}").read_text("utf-8") for ending in (".h", ".c")]
    exported = names.exported(built)
    for level in range(3):
        if not FEATURES[level - 1] <= set(known) and level > 0:
            continue
        head = f"#define LIB_HAS_V3 {int(level >= 1)}\n#define LIB_HAS_V4 {int(level >= 2)}\n"
        folder = tmp_path / str(level)
        folder.mkdir()
        choice = head + choice_text(header, exported)
        library = folder / "libsignal.so"
        compile_variants(find_compiler(), text, choice, exported, library, 2, ("-lpthread",))
        where = ("-I..", "-L.", "-lsignal", f"-Wl,-rpath,{folder}")
        run(folder, "gcc", "-std=c11", str(HERE / "caller.c"), "-o", "caller", *where)
        assert run(folder, "./caller") == ""


@needs_c
@pytest.mark.usefixtures("surroundings")
def test_a_library_has_all_of_them_unless_processors_are_named(cli: Cli) -> None:
    if shutil.which("nm") is None:
        pytest.skip("NOT CHECKED: there is no nm")
    program = write("p.apl", "⍝: [double]1 → double\nsum←{+/⍵}\n")
    for options, expected in (((), {f"p_sum_{name}" for name in NAMES}), (("--cpu", "x86-64"), set())):
        assert cli("build", program, "-o", "libp", *options).status == 0
        symbols = {line.split()[-1] for line in run(Path.cwd(), "nm", "libp.so").splitlines()}
        assert {name for name in symbols if name.startswith("p_sum_v")} == expected
        assert "p_sum" in symbols
