"""`aplc build` for C: headers that C and C++ compile without a warning, libraries that give right values and
clear errors, and files that are there whole or not at all.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from aplc.backends.c import sections
from aplc.build.messages import template
from aplc.tail import faults
from aplc.tail.faults import IndexForm, Site
from aplc.tail.source import Source, Span
from tests.support.commands import Cli, write
from tests.support.machine import needs_c

HERE = Path(__file__).parent
STRICT = ("-Wall", "-Wextra", "-Werror")
ENDINGS = (".h", ".c", ".so", ".pc")
PROGRAM = "⍝: [double]1 → double\nsum←{+/⍵}\n"


@pytest.fixture(scope="module", params=["c", "openmp"])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the library for a target."""
    folder = tmp_path_factory.mktemp("library")
    source = str(HERE / "library.apl")
    command = (sys.executable, "-m", "aplc", "build", source, "-o", str(folder / "libsignal"))
    done = subprocess.run((*command, "--target", request.param), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def run(folder: Path, *command: str) -> str:
    """What a command says, which ends well."""
    environment = os.environ | {"LD_LIBRARY_PATH": str(folder), "PKG_CONFIG_PATH": str(folder)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@needs_c
@pytest.mark.skipif(shutil.which("gcc") is None, reason="NOT CHECKED: there is no gcc")
def test_c_calls_the_library(library: Path) -> None:
    flags = ["-I.", "-L.", "-lsignal"]
    if shutil.which("pkg-config"):
        flags = run(library, "pkg-config", "--cflags", "--libs", "libsignal").split()
    caller = str(HERE / "caller.c")
    run(library, "gcc", "-std=c11", *STRICT, caller, "-o", "caller", *flags)
    assert run(library, "./caller") == ""


@needs_c
@pytest.mark.skipif(shutil.which("g++") is None, reason="NOT CHECKED: there is no g++")
def test_cpp_calls_the_library(library: Path) -> None:
    caller = ("-x", "c++", str(HERE / "caller.c"))
    run(library, "g++", "-std=c++17", *STRICT, "-I.", *caller, "-o", "plus", "-L.", "-lsignal")
    assert run(library, "./plus") == ""


@needs_c
@pytest.mark.skipif(shutil.which("gcc") is None, reason="NOT CHECKED: there is no gcc")
def test_the_source_alone_is_enough_and_sanitizers_are_content(library: Path) -> None:
    threads = ["-fopenmp"] if "omp.h" in (library / "libsignal.c").read_text("utf-8") else []
    sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    run(
        library, "gcc", "-I.", "-std=gnu11", "-O1", "-fwrapv", *STRICT, *sanitizers, *threads,
        str(HERE / "caller.c"), "libsignal.c", "-o", "sanitized", "-lm",
    )  # fmt: skip
    assert run(library, "./sanitized") == ""


@needs_c
def test_only_the_interface_is_exported(library: Path) -> None:
    if shutil.which("nm") is None:
        pytest.skip("NOT CHECKED: there is no nm")
    lines = run(library, "nm", "-D", "libsignal.so").splitlines()
    names = [line.split()[-1] for line in lines if re.search(" [Ti] ", line)]
    assert "signal_mean" in names
    assert all(name.startswith("signal_") for name in names)
    assert not any("_run" in name or "_loop" in name for name in names)


@needs_c
def test_the_header_says_what_the_program_says(library: Path) -> None:
    header = (library / "libsignal.h").read_text("utf-8")
    assert " * Soft-clipped differences of a signal.\n *\n *     signal : [double]1 → [double]1\n" in header
    assert "int signal_signal(const double *y, int64_t y_length, signal_doubles *result);" in header
    assert max(map(len, header.splitlines())) <= 120
    assert str(HERE) not in (library / "libsignal.c").read_text("utf-8")


@needs_c
@pytest.mark.usefixtures("surroundings")
def test_what_is_left_out_is_told(cli: Cli) -> None:
    text = f"{PROGRAM}helper←{{⍵+1}}\n⍝: [double]2 → [char]2\nshown←{{⍕⍵}}\n"
    outcome = cli("build", write("p.apl", text), "-o", "libp")
    assert (outcome.status, outcome.out) == (0, "made libp.h, libp.c, libp.so, libp.pc\n")
    told = outcome.err
    assert "left out helper: its type stands nowhere; write one above it, such as ⍝: [double]1 →" in told
    assert "left out shown: ⍕ is computed by Python, which a library does without" in told


@pytest.mark.parametrize(
    ("text", "options", "status", "message"),
    [
        ("f←{⍵+1}\n", [], 1, "there is nothing to build: f: its type stands nowhere"),
        ("⍝: (int → int) → int → int\nf←{⍺⍺ ⍵}\n", [], 1, "f: it is an operator, and functions are built"),
        ("x←3\n", [], 1, "there is nothing to build: the program defines no function"),
        ("⍝: [κ]1 → [κ]1\nf←{⌽⍵}\n", [], 1, "its annotation leaves types open; write one without"),
        ("⍝: [[[int]1]1]1 → int\nf←{≢⍵}\n", [], 1, "vectors of vectors are what it can take and give"),
        ("⍝: int → int\nf←{⎕←⍵ ⋄ ⍵}\n", [], 1, "it prints, which a library does not"),
        (PROGRAM, ["--function", "g"], 1, "there is no function g in the program; there are sum"),
        ("⍝: int → char\nf←{⍵}\n", [], 1, "TYPE ERROR"),
        (PROGRAM, ["--target", "interp"], 2, "invalid choice"),
        (PROGRAM, ["-o", "out/1 2"], 2, "-o needs a name of letters, digits and _"),
        (PROGRAM, ["--cpu", "a b"], 2, "--cpu needs the name of a processor"),
    ],
)
@pytest.mark.usefixtures("surroundings")
def test_mistakes_are_told(cli: Cli, text: str, options: list[str], status: int, message: str) -> None:
    outcome = cli("build", write("p.apl", text), "-o", "libp", *options)
    assert outcome.status == status
    assert message in outcome.err
    assert not list(Path.cwd().glob("libp*"))


@needs_c
@pytest.mark.usefixtures("surroundings")
def test_files_of_others_stay_and_those_of_a_build_are_replaced(cli: Cli) -> None:
    command = ("build", write("p.apl", PROGRAM), "-o", "libp")
    other = Path(write("libp.c", "int main(void) { return 0; }\n"))
    outcome = cli(*command)
    assert outcome.status == 1
    assert "libp.c is there and was not made by aplc build; remove it, or choose another name" in outcome.err
    assert not Path("libp.h").exists()
    other.unlink()
    assert cli(*command).status == 0
    assert cli(*command).status == 0
    assert sorted(path.name for path in Path.cwd().glob("libp*")) == sorted([f"libp{e}" for e in ENDINGS])
    assert not list(Path.cwd().glob(".aplc*"))


@needs_c
@pytest.mark.skipif(shutil.which("gcc") is None, reason="NOT CHECKED: there is no gcc")
@pytest.mark.usefixtures("surroundings")
def test_a_name_of_one_letter_is_no_word_of_unistd(cli: Cli) -> None:
    assert cli("build", write("p.apl", PROGRAM), "-o", "libx").status == 0
    program = """#include <unistd.h>
        #include "libx.h"
        int main(void) {
            const double v[] = {1, 2};
            double sum;
            return x_sum(v, 2, &sum) == LIBX_OK && sum == 3 && X_OK == 1 ? 0 : 1;
        }"""
    write("main.c", program)
    here = Path.cwd()
    run(here, "gcc", "-std=gnu11", *STRICT, "main.c", "-o", "main", "-I.", "-L.", "-lx")
    assert run(here, "./main") == ""


@needs_c
@pytest.mark.skipif(shutil.which("gcc") is None, reason="NOT CHECKED: there is no gcc")
@pytest.mark.usefixtures("surroundings")
@pytest.mark.in_turn(3)
def test_long_functions(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of two functions that are cut into others have names of their own."""
    for name in ("MANY", "SECTION", "NEAR"):
        monkeypatch.setattr(sections, name, 2)
    text = "{a←⌽⍵×2 ⋄ b←a[⍋a] ⋄ c←(b>2)/b ⋄ d←≢∪c ⋄ e←+/c÷d ⋄ f←⌈/0,e-c ⋄ f+d×≢b}"
    both = "".join([f"⍝: [double]1 → double\n{name}←{text}\n" for name in ("one", "other")])
    assert cli("build", write("p.apl", both.replace("+/c÷d", "×/c", 1)), "-o", "libx").status == 0
    assert "one_section" in Path("libx.c").read_text() and "other_section" in Path("libx.c").read_text()
    program = """#include "libx.h"
        int main(void) {
            const double v[] = {1, 2, 3};
            double one, other;
            if (x_one(v, 3, &one) != LIBX_OK || x_other(v, 3, &other) != LIBX_OK)
                return 1;
            return one == 26 && other == 7 ? 0 : 2;
        }"""
    write("main.c", program)
    here = Path.cwd()
    run(here, "gcc", "-std=gnu11", *STRICT, "main.c", "-o", "main", "-I.", "-L.", "-lx")
    assert run(here, "./main") == ""


def test_messages_have_places_for_what_a_run_reports() -> None:
    span = Span(Source("folder/p.apl", "f v"), 0, 1)
    items = (IndexForm(1, (1,)), IndexForm(0, (2,)))
    site = Site(faults.INDEX_RANGE, "⌷", span, items)
    assert template(site) == (
        r"p.apl:1:1: INDEX ERROR: ⌷ has no element \001, the length is \002 in item \004BCA of item \004ABB"
    )
    text = Site(faults.NO_NUMBERS, "⍎", span, (IndexForm(1, (1,)),))
    assert template(text).endswith(r"⍎ of text reads numbers, and \005 is none in item \004MBB")
