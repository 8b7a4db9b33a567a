"""Finding a C compiler, what is said where there is none, and compiling a small function."""

import ctypes
import importlib.util
import math
import os
import platform
import selectors
import shlex
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from aplc import fn
from aplc.backends.native import processes, toolchain
from aplc.backends.native.toolchain import Compiler, at_once, compile_shared, find_compiler, flags
from aplc.tail.errors import InternalError, MachineError

TRIPLE = """#include <stdint.h>
#include <math.h>
__attribute__((visibility("default"))) int64_t triple(int64_t x) { return 3 * x; }
__attribute__((visibility("default"))) double power(double x, double y) { return pow(x, y); }
"""


@pytest.fixture(autouse=True)
def isolated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache directory of its own, no CC, and nothing remembered from another test."""
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("CC", raising=False)
    toolchain._find.cache_clear()


@pytest.fixture
def fake(tmp_path: Path) -> Callable[[str], Compiler]:
    """A compiler that runs a line of shell whenever it is asked to compile."""

    def make(line: str, version: str = "gcc (fake) 99") -> Compiler:
        script = tmp_path / "fake compiler"
        script.write_text(f'#!/bin/sh\ncase "$*" in *--version) echo "{version}"; exit 0;; esac\n{line}\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        return Compiler((str(script),), "gcc", version)

    return make


def forbid_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise AssertionError(f"a process is started: {arguments}")

    monkeypatch.setattr("subprocess.Popen", fail)


def compile_text(compiler: Compiler, text: str, tmp_path: Path, level: int = 0) -> Path:
    source, output = tmp_path / "in" / "f.c", tmp_path / "out" / "f.so"
    source.parent.mkdir(exist_ok=True)
    output.parent.mkdir(exist_ok=True)
    source.write_text(text)
    compile_shared(compiler, source, output, level)
    return output


def triple(path: Path, x: int) -> int:
    function = ctypes.CDLL(str(path)).triple
    function.argtypes, function.restype = [ctypes.c_int64], ctypes.c_int64
    return int(function(x))


# --- Finding ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_the_compiler_found_compiles(tmp_path: Path, level: int) -> None:
    path = compile_text(find_compiler(), TRIPLE, tmp_path, level)
    assert triple(path, 14) == 42
    assert triple(path, 2**62) == -(2**62)  # wraps
    assert [p.name for p in path.parent.iterdir()] == ["f.so"]


def test_gcc_comes_before_clang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake: Callable[..., Compiler]
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    shutil.copy(fake("exit 1", "Debian clang version 14.0.6").command[0], programs / "clang")
    assert find_compiler() == Compiler((str(programs / "clang"),), "clang", "Debian clang version 14.0.6")
    shutil.copy(fake("exit 1", "gcc (Debian) 12.2.0").command[0], programs / "gcc")
    toolchain._find.cache_clear()
    assert find_compiler() == Compiler((str(programs / "gcc"),), "gcc", "gcc (Debian) 12.2.0")


def test_a_compiler_that_does_not_run_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake: Callable[..., Compiler]
) -> None:
    (tmp_path / "gcc").write_text("#!/bin/sh\necho no developer tools\nexit 1\n")
    (tmp_path / "gcc").chmod(0o700)
    shutil.copy(fake("exit 1", "clang version 17").command[0], tmp_path / "clang")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_compiler().command == (str(tmp_path / "clang"),)


def test_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(toolchain, "_zig_program", lambda: "")
    with pytest.raises(MachineError) as caught:
        find_compiler()
    for word in ("gcc", "clang", "ziglang", "apt install gcc", "dnf install gcc", "pip install 'aplc[cc]'"):
        assert word in str(caught.value)


def test_cc_is_a_command_line(monkeypatch: pytest.MonkeyPatch, fake: Callable[..., Compiler]) -> None:
    (script,) = fake("exit 1", "clang version 17").command
    monkeypatch.setenv("CC", f"'{script}' -DX='a b'")
    assert find_compiler() == Compiler((script, "-DX=a b"), "clang", "clang version 17")


def test_cc_with_arguments_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", f"{find_compiler().command[0]} -DFACTOR=3")
    assert triple(compile_text(find_compiler(), TRIPLE.replace("3 *", "FACTOR *"), tmp_path), 14) == 42


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("no-such-compiler -O9", "CC is no-such-compiler -O9, and no-such-compiler cannot be found"),
        ("'open quote", "which is not a command line (No closing quotation)"),
        ("false", "CC is false, which does not answer --version"),
        ("''", "cannot be found"),
    ],
)
def test_cc_is_nonsense(monkeypatch: pytest.MonkeyPatch, value: str, words: str) -> None:
    monkeypatch.setenv("CC", value)
    with pytest.raises(MachineError) as caught:
        find_compiler()
    assert words in str(caught.value)
    assert "unset it" in str(caught.value)


def test_a_blank_cc_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = find_compiler()
    monkeypatch.setenv("CC", "  ")
    assert find_compiler() == expected


def test_finding_again_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    first = find_compiler()
    toolchain._find.cache_clear()  # as in a new process
    forbid_processes(monkeypatch)
    assert find_compiler() == first


def test_a_changed_compiler_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, fake: Callable[..., Compiler]
) -> None:
    for version in ("gcc (fake) 7", "gcc (fake) 15"):
        (script,) = fake("exit 1", version).command
        monkeypatch.setenv("CC", f"'{script}'")
        toolchain._find.cache_clear()
        assert find_compiler().version == version


def test_a_damaged_answer_is_asked_again(tmp_path: Path) -> None:
    first = find_compiler()
    (record,) = (tmp_path / "cache" / "compiled").glob("compiler-*")
    for damage in (b"", b"\0\0\0\0", b"\xff\xfe"):
        record.write_bytes(damage)
        toolchain._find.cache_clear()
        assert find_compiler() == first


def test_without_a_cache_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert find_compiler().version


def test_zig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("NOT CHECKED: ziglang is not installed; pip install -e '.[cc]' brings it (400 MB)")
    monkeypatch.setenv("PATH", "")
    compiler = find_compiler()
    assert compiler.kind == "zig"
    assert compiler.command[0] == sys.executable
    for level in (0, 2):
        assert triple(compile_text(compiler, TRIPLE, tmp_path, level), 14) == 42


# --- Flags ------------------------------------------------------------------------------------------------


@pytest.mark.optimised
@pytest.mark.parametrize(("level", "expected"), [(0, "-O1"), (1, "-O2"), (2, "-O3"), (3, "-O3")])
def test_flags(level: int, expected: str) -> None:
    given = flags(Compiler(("gcc",), "gcc", "gcc 12"), level)
    assert [flag for flag in given if flag.startswith("-O")] == [expected]
    assert "-ffast-math" not in given
    assert {"-fwrapv", "-ffp-contract=off", "-fno-math-errno", "-shared", "-fopenmp-simd"} <= set(given)
    if platform.machine() == "x86_64":
        assert {"-march=native", "-mprefer-vector-width=512"} <= set(given)


# --- What goes wrong --------------------------------------------------------------------------------------


def test_flags_for_threads() -> None:
    gcc = Compiler(("gcc",), "gcc", "gcc 12")
    added = set(flags(replace(gcc, threads=True), 2)) - set(flags(gcc, 2))
    assert added == {"-fopenmp", "-fno-predictive-commoning"}  # see Note [Elements between]


COMPARISONS = """#include <stdint.h>
__attribute__((visibility("default"))) int8_t sum(const uint8_t *x) {
    return (x[0] != 0) + (x[1] != 0) + (x[2] != 0) + (x[3] != 0);
}
__attribute__((visibility("default"))) int8_t greatest(const uint8_t *x) {
    const int8_t a = x[0] != 0, b = x[1] != 0, c = x[2] != 0, d = x[3] != 0;
    const int8_t e = a > b ? a : b, f = e > c ? e : c;
    return f > d ? f : d;
}
"""


@pytest.mark.optimised
@pytest.mark.parametrize("level", [1, 2])
def test_comparisons_are_folded_as_they_should(tmp_path: Path, level: int) -> None:
    library = ctypes.CDLL(str(compile_text(find_compiler(), COMPARISONS, tmp_path, level)))
    for row in product((0, 1, 2), repeat=4):  # see Note [Sums of comparisons]
        ones = [int(each != 0) for each in row]
        library.sum.restype = library.greatest.restype = ctypes.c_int8
        assert (library.sum(bytes(row)), library.greatest(bytes(row))) == (sum(ones), max(ones))


@pytest.mark.parametrize(
    ("kind", "version", "has_them"),
    [
        ("gcc", "gcc 12", False),
        ("clang", "Debian clang version 13.0.1", False),
        ("clang", "Debian clang version 14.0.6", True),
        ("zig", "clang version 22.1.8", True),
        ("clang", "clang version 23.1.0", True),
    ],
)
def test_clang_is_told_of_functions_of_vectors(kind: toolchain.Kind, version: str, has_them: bool) -> None:
    has_them &= platform.machine() == "x86_64" and platform.libc_ver()[0] == "glibc"
    told = flags(Compiler((kind,), kind, version), 2, ("-march=x86-64-v3",))
    assert ("-fveclib=libmvec" in told) == has_them and "-fveclib=SVML" not in told


@pytest.mark.parametrize(("version", "has_them"), [(13, False), (14, True), (22, True), (23, False)])
def test_clang_is_told_of_functions_of_eight_numbers_with_avx512(version: int, has_them: bool) -> None:
    """Later versions may ask for functions that the run-time system does not have."""
    name, number = platform.libc_ver()
    is_new = name == "glibc" and tuple(map(int, number.split(".")[:2])) >= (2, 35)
    has_them &= platform.machine() == "x86_64" and is_new
    told = flags(Compiler(("clang",), "clang", f"clang version {version}.1.0"), 2, ("-march=x86-64-v4",))
    assert ("-fveclib=SVML" in told) == ("-DAPLC_SVML" in told) == has_them


def test_flags_of_ones_own_may_take_avx512_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "processor_features", lambda: frozenset({"avx512f"}))
    version = "clang version 14.0.6"
    own = [("clang",), ("python", "-m", "ziglang", "cc"), ("clang", "-mno-avx512f")]
    told = [flags(Compiler(command, "clang", version), 2, ("-march=native",)) for command in own]
    is_possible = platform.machine() == "x86_64" and platform.libc_ver()[0] == "glibc"
    assert ["-fveclib=SVML" in each for each in told] == [is_possible, is_possible, False]


@pytest.mark.optimised
def test_clang_calls_functions_of_vectors_unless_results_are_to_be_those_of_libm(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if shutil.which("clang") is None:
        pytest.skip("NOT CHECKED: there is no clang on PATH")
    given = np.linspace(-20.0, 20.0, 4001)
    texts = ["*⍵", "⍟|⍵-0.1", "1○⍵", "2○⍵", "3○⍵", "2*⍵", "(|⍵)*0.3", "⍵+⍟1+*⍵", "+/*-|⍵", "*0J1×⍵"]
    known = [fn(f"{{{text}}}", strict_fp=strict)(given) for text in texts for strict in (False, True)]
    monkeypatch.setenv("CC", "clang")
    found = [fn(f"{{{text}}}", strict_fp=strict)(given) for text in texts for strict in (False, True)]
    np.testing.assert_array_equal(found[1], [math.exp(x) for x in given])
    for k, text in enumerate(texts):
        np.testing.assert_allclose(found[2 * k], known[2 * k], rtol=1e-13, err_msg=text)
        np.testing.assert_array_equal(found[2 * k + 1], known[2 * k + 1], err_msg=text)


def fails_on_ours(commands: str) -> str:
    """Commands of a compiler that compiles what is short, and of which nothing else may be expected."""
    compiler = shlex.join(find_compiler().command)
    return f'case "$*" in *canary.c*) exec {compiler} "$@";; esac; {commands}'


def test_c_that_is_rejected_is_a_bug_of_ours(tmp_path: Path) -> None:
    with pytest.raises(InternalError) as caught:
        compile_text(find_compiler(), "int f(void) { return nowhere; }\n", tmp_path)
    assert caught.value.stage == "compile-c"
    assert "nowhere" in str(caught.value)
    assert list((tmp_path / "out").iterdir()) == []


def test_only_the_first_lines_are_shown(tmp_path: Path, fake: Callable[..., Compiler]) -> None:
    with pytest.raises(InternalError) as caught:
        compile_text(
            fake(fails_on_ours("for i in $(seq 100); do echo f.c:$i: error; done; exit 1")), TRIPLE, tmp_path
        )
    assert "f.c:12: error" in str(caught.value)
    assert "f.c:13: error" not in str(caught.value)


def test_clang_is_asked_for_errors_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("clang") is None:
        pytest.skip("NOT CHECKED: there is no clang on PATH")
    monkeypatch.setenv("CC", "clang")
    with pytest.raises(InternalError, match="nowhere") as caught:
        compile_text(find_compiler(), "int f(int x) { return x & x ? 1 : nowhere; }\n", tmp_path)
    assert "warning" not in str(caught.value)


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("ld: final link failed: No space left on device", "no space left on the disk of "),
        ("cc1: fatal error: /tmp/x.s: Disk quota exceeded", "no space left on the disk of "),
        ("/usr/bin/ld: cannot find crti.o: No such file or directory", "apt install libc6-dev"),
        ("/usr/bin/ld: cannot find -lm: No such file or directory", "apt install libc6-dev"),
        ("f.c:1:10: fatal error: stdint.h: No such file or directory", "apt install libc6-dev"),
        ("f.c:1:10: fatal error: 'math.h' file not found", "apt install libc6-dev"),
        ("collect2: fatal error: cannot find 'ld'", "apt install binutils"),
        ("gcc: fatal error: cannot execute 'as': execvp: No such file or directory", "apt install binutils"),
        ("clang: error: unable to execute command: Executable 'ld' doesn't exist!", "apt install binutils"),
        ("gcc: fatal error: cannot execute 'cc1': execvp: No such file or directory", "apt install gcc"),
        ("/usr/bin/ld: cannot find crtbeginS.o: No such file or directory", "apt install gcc"),
        ("gcc: fatal error: Killed signal terminated program cc1", "memory"),
        ("f.c:1:1: internal compiler error: in f, at f.c:1", "a compiler that does not crash"),
        ("gcc: internal compiler error: Segmentation fault signal terminated program cc1", "not crash"),
        ("PLEASE submit a bug report to https://github.com/llvm", "a compiler that does not crash"),
        ("gcc: error: unrecognized command-line option '-mprefer-vector-width=512'", "flags of gcc 8"),
        ("clang: error: unknown argument: '-fwrapv'", "flags of gcc 8"),
    ],
)
def test_what_the_machine_lacks(tmp_path: Path, fake: Callable[..., Compiler], says: str, words: str) -> None:
    with pytest.raises(MachineError) as caught:
        compile_text(fake(f'echo f.c: In function f: >&2; echo "{says}" >&2; exit 1'), TRIPLE, tmp_path)
    assert words in str(caught.value)
    assert (str(tmp_path / "out") if words.startswith("no space") else says) in str(caught.value)
    assert list((tmp_path / "out").iterdir()) == []


def test_a_header_of_ours_that_is_missing_is_a_bug_of_ours(tmp_path: Path) -> None:
    with pytest.raises(InternalError, match=r"rts_absent\.h"):
        compile_text(find_compiler(), '#include "rts_absent.h"\n', tmp_path)


def test_a_real_gcc_without_binutils(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gcc = shutil.which("gcc")
    if gcc is None or find_compiler().kind != "gcc":
        pytest.skip("NOT CHECKED: no gcc on PATH")
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(MachineError, match="apt install binutils"):
        compile_text(Compiler((gcc,), "gcc", ""), TRIPLE, tmp_path)


def test_a_compiler_that_writes_nothing(tmp_path: Path, fake: Callable[..., Compiler]) -> None:
    with pytest.raises(MachineError, match="writes no shared object"):
        compile_text(fake("exit 0"), TRIPLE, tmp_path)


def test_a_compiler_that_went_away(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="cannot be started: No such file"):
        compile_text(Compiler((str(tmp_path / "gone"),), "gcc", ""), TRIPLE, tmp_path)


def test_the_compiler_reads_nothing_from_us(tmp_path: Path, fake: Callable[..., Compiler]) -> None:
    with pytest.raises(InternalError, match="got <>"):
        compile_text(fake(fails_on_ours('read line; echo "got <$line>"; exit 1')), TRIPLE, tmp_path)


def test_an_interrupt_ends_the_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake: Callable[..., Compiler]
) -> None:
    """A handler of signals raises where its thread waits, as the user's own do."""
    groups: list[int] = []

    def interrupted(self: selectors.DefaultSelector, *_: object) -> None:
        groups.extend(group.number for group in processes._groups)
        raise KeyboardInterrupt

    monkeypatch.setattr(selectors.DefaultSelector, "select", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compile_text(fake("sleep 600 & sleep 600"), TRIPLE, tmp_path)
    for _ in range(3000):  # the kernel ends them in its own time
        try:
            os.killpg(groups[0], 0)
        except ProcessLookupError:
            break
        time.sleep(0.01)
    else:
        pytest.fail("processes of the compiler are left")
    assert list((tmp_path / "out").iterdir()) == []


def test_commands_at_once(tmp_path: Path) -> None:
    """Each waits for the other, and the status is that of the one that fails."""
    mine, other = f"{tmp_path}/mine", f"{tmp_path}/the other's"
    wait = 'true > "$0"; while [ ! -e "$1" ]; do sleep 0.01; done; exit "$2"'
    for first, second in ((0, 0), (3, 0), (0, 3)):
        both = [("sh", "-c", wait, mine, other, f"{first}"), ("sh", "-c", wait, other, mine, f"{second}")]
        assert subprocess.run(at_once(both), timeout=60).returncode == max(first, second)
        Path(mine).unlink()
        Path(other).unlink()
