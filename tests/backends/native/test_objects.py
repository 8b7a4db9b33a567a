"""Functions of the run-time system that are compiled once: what programs are linked with, and where not."""

import ctypes
import multiprocessing
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aplc
from aplc.backends.native import cache, objects, toolchain
from aplc.backends.native.cache import shared_object
from aplc.backends.native.cache_directory import cache_path
from aplc.backends.native.private_files import Directory
from aplc.backends.native.run import headers
from aplc.backends.native.toolchain import find_compiler
from aplc.tail.errors import InternalError
from tests.support.machine import needs_c, needs_threads

pytestmark = needs_c

SORT = '#include "aplc.h"\n#include "aplc_sort.h"\nAPLC_EXPORT int f(double *a, int64_t n) {{ return {}; }}\n'
CALL = "aplc_sort_up_double(a, 0, n)"


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache directory of the test."""
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path))
    toolchain._find.cache_clear()
    return Path(cache_path())


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is compiled or linked, by the names of files."""
    found: list[str] = []
    compile_shared = toolchain.compile_shared

    def noted(compiler: object, source: Path, *rest: object, **options: object) -> None:
        found.append("program.c" if re.fullmatch(r"[0-9a-f]{64}\.c", source.name) else source.name)
        compile_shared(compiler, source, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(cache, "compile_shared", noted)
    monkeypatch.setattr(objects, "compile_shared", noted)
    yield found


def sorts(call: str = CALL) -> bytes:
    """The shared object of a program that sorts."""
    return shared_object(SORT.format(call), find_compiler(), 1, headers=headers()).content


def records(directory: Path) -> list[Path]:
    return sorted(directory.glob("*.record"))


ONCE, AGAIN = ["program.c", "missing.c", "program.o"], ["program.c", "program.o"]


def test_a_second_program_that_sorts_compiles_without_it(compiled: list[str]) -> None:
    sorts()
    assert compiled == ONCE
    sorts(f"1 + {CALL}")
    assert compiled == ONCE + AGAIN


def test_a_program_that_calls_none_is_compiled_as_a_whole(compiled: list[str]) -> None:
    aplc.fn("{+/⍵×2}")(np.array([1.0, 2.0]))
    assert compiled[-1:] == ["program.c"] and "program.o" not in compiled


@pytest.mark.parametrize("damage", ["removed", "cut", "another"])
def test_what_is_damaged_is_made_again(directory: Path, compiled: list[str], damage: str) -> None:
    sorts()
    for path in records(directory):
        if damage == "removed":
            path.unlink()
        else:
            path.write_bytes(path.read_bytes()[:-1] if damage == "cut" else b" " * 1000)
    sorts(f"1 + {CALL}")
    assert compiled == ONCE + ONCE


def test_what_is_no_object_does_no_harm(directory: Path, compiled: list[str]) -> None:
    """A record that agrees with its digest, and is none."""
    sorts()
    for path in records(directory):
        cache.keep_record(path.stem, b"nothing of the kind")
    assert b"aplc_run" not in sorts(f"1 + {CALL}")
    assert compiled == [*ONCE, *AGAIN, "program.c"]


def test_where_they_cannot_be_kept(monkeypatch: pytest.MonkeyPatch, directory: Path) -> None:
    def full(*arguments: object) -> None:
        raise OSError("there is no room")

    monkeypatch.setattr(Directory, "write", full)
    assert sorts()
    assert records(directory) == []


def test_without_a_cache_it_is_compiled_as_a_whole(compiled: list[str]) -> None:
    shared_object(SORT.format(CALL), find_compiler(), 1, headers=headers(), use_cache=False)
    assert compiled == ["program.c"]


def test_wrong_c_is_told_of_as_ever(compiled: list[str]) -> None:
    with pytest.raises(aplc.Error, match="nowhere"):
        sorts("nowhere")
    assert compiled == ["program.c", "program.c"]


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "{⍵[⍋⍵]}": lambda v: np.sort(v),
    "{⍵[⍒⍵]}": lambda v: np.sort(v)[::-1],
    "{⍋⍵}": lambda v: np.argsort(v, kind="stable") + 1,
    "{≢∪⍵}": lambda v: len(np.unique(v)),
    "{+/{≢⍵}⌸⍵}": lambda v: len(v),
    "{+/⍵∊⌽⍵}": lambda v: len(v),
}


@pytest.mark.parametrize("target", ["c", pytest.param("openmp", marks=needs_threads)])
@pytest.mark.parametrize("options", [{}, {"memory_limit": 1 << 30}, {"strict_fp": True}, {"debug": True}])
def test_values(monkeypatch: pytest.MonkeyPatch, target: str, options: dict[str, object]) -> None:
    """What the macros of a program change is changed in what it is linked with, too."""
    if options.pop("debug", False):
        monkeypatch.setenv("APLC_DEBUG", "1")
    given = np.random.default_rng(1).integers(0, 50_000, 100_000)
    for text, meant in PROGRAMS.items():
        function = aplc.fn(text, target=target, **options)  # type: ignore[arg-type]
        for v in (given, given[:20], given * 0.5, given.astype("f8"), given < 9):
            assert np.array_equal(function(v), meant(v)), text


def build_some(use: int) -> list[bool]:
    """Programs that share what they call."""
    v = np.random.default_rng(use).random(100)
    return [np.array_equal(aplc.fn(f"{{{k}+⍵[⍋⍵]}}")(v), k + np.sort(v)) for k in range(4)]


@pytest.mark.in_turn(3)
def test_processes_at_once() -> None:
    with ProcessPoolExecutor(4, multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(build_some, range(4))) == [[True] * 4] * 4


def test_the_oldest_go_with_other_entries(
    monkeypatch: pytest.MonkeyPatch, directory: Path, compiled: list[str]
) -> None:
    sorts()
    for path in records(directory):
        os.utime(path, (1, 1))
    monkeypatch.setenv("APLC_CACHE_MB", "0")
    sorts(f"1 + {CALL}")
    assert compiled == ONCE + ONCE


@needs_threads
def test_each_function_is_in_the_header_that_it_names(tmp_path: Path) -> None:
    texts = headers()
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    homes = {
        home for text in texts.values() for home in re.findall(r"^APLC_ONCE\((\w+),", text, re.MULTILINE)
    }

    def compiler_says(text: str, *flags: str) -> str:
        (tmp_path / "all.c").write_text(text, "utf-8")
        command = (*find_compiler().command, "-std=gnu11", "-fopenmp", *flags, str(tmp_path / "all.c"))
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr
        return made.stdout

    includes = {home: f'#include "aplc.h"\n#include "{home}.h"\n' for home in sorted(homes)}
    declared = compiler_says("".join(includes.values()), "-E", "-P", "-DAPLC_LINKED")
    found = set(re.findall(r'__asm__\("(\w+)" "\." "(\w+)"\)', declared))
    assert {home for home, _ in found} == homes
    assert len(found) > 100
    for home, include in includes.items():
        made = [f"APLC_MADE({home}, {name})\n" for each, name in sorted(found) if each == home]
        compiler_says(f"#define APLC_OBJECT\n{include}{''.join(made)}", "-O0", "-fsyntax-only")


LONG = """#include "aplc.h"
#if APLC_IN_SHARE(0)
APLC_SECTION int section(int *place) { *place = 40; return aplc_here == NULL; }
#else
APLC_SECTION int section(int *place);
#endif
#if APLC_IN_SHARE(1)
APLC_EXPORT int f(void) { int n = 0; return section(&n) + n + (aplc_here == NULL); }
#endif
"""


@pytest.mark.parametrize("cores", [1, 2])
def test_the_shares_of_a_long_program(
    cores: int, compiled: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """They are compiled at the same time if there are cores for that; what a thread remembers is theirs
    in common.
    """
    monkeypatch.setattr(objects, "available_cores", lambda: cores)
    content = shared_object(LONG, find_compiler(), 1, headers=headers()).content
    path = tmp_path / "f.so"
    path.write_bytes(content)
    assert ctypes.CDLL(str(path)).f() == 42
    assert compiled == (["program.c"] if cores == 1 else ["share0.o"])


def test_a_share_that_does_not_compile(compiled: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Then what is wrong is said of the whole program."""
    monkeypatch.setattr(objects, "available_cores", lambda: 2)
    with pytest.raises(InternalError, match="expected"):
        shared_object(LONG.replace("= 40", "="), find_compiler(), 1, headers=headers())
    assert compiled == ["program.c"]
