"""Shared objects on disk: found again, made again when damaged, bounded, and never half there."""

import ctypes
import dataclasses
import errno
import fcntl
import multiprocessing
import os
import shutil
import stat
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from aplc.backends.native import cache, cache_limits, private_files, toolchain
from aplc.backends.native.cache import Binary, cache_note, entry_key, shared_object
from aplc.backends.native.cache_directory import MARK, cache_path, open_cache
from aplc.backends.native.libraries import load
from aplc.backends.native.private_files import Directory
from aplc.backends.native.toolchain import Compiler, find_compiler
from aplc.tail.errors import InternalError, MachineError

SOURCE = '#include "answer.h"\n__attribute__((visibility("default"))) int answer(void) { return ANSWER; }'
HEADERS = {"answer.h": "#define ANSWER 42\n"}


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache directory of the test, not made yet."""
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "cache"))
    toolchain._find.cache_clear()
    cache._remembered.clear()
    return tmp_path / "cache" / "compiled"


@pytest.fixture
def compiler(directory: Path) -> Compiler:
    """The C compiler, asked for its version anew, so that the cache directory is made."""
    return find_compiler()


def build(compiler: Compiler, source: str = SOURCE, *, use_cache: bool = True) -> Binary:
    return shared_object(source, compiler, 0, headers=HEADERS, use_cache=use_cache)


def kept(compiler: Compiler, source: str = SOURCE) -> Path:
    """The shared object on disk, which is made where it is not there."""
    return Path(cache_path(), f"{build(compiler, source).key}.so")


def answer(made: Binary) -> int:
    return int(load(made.content).function("answer", ctypes.CFUNCTYPE(ctypes.c_int))())


def entries(directory: Path) -> set[str]:
    """The files of the cache, but for its mark and what compilers answered."""
    return {
        path.name
        for path in directory.iterdir()
        if path.name != MARK and not path.name.startswith("compiler-")
    }


def forbid_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise AssertionError(f"a process is started: {arguments}")

    monkeypatch.setattr("subprocess.Popen", fail)


# --- Found again ------------------------------------------------------------------------------------------


def test_an_entry_is_two_files(directory: Path, compiler: Compiler) -> None:
    made = build(compiler)
    assert answer(made) == 42
    key = entry_key(SOURCE, compiler, 0, HEADERS)
    assert made.key == key
    assert (directory / f"{key}.so").read_bytes() == made.content
    assert entries(directory) == {f"{key}.so", f"{key}.c"}
    assert (directory / f"{key}.c").read_text().startswith(SOURCE + "\n")
    assert cache_note() == ""


def test_a_second_lookup_starts_no_process(monkeypatch: pytest.MonkeyPatch, compiler: Compiler) -> None:
    made = build(compiler)
    forbid_processes(monkeypatch)
    assert build(compiler) == made


@pytest.mark.parametrize("mask", [0o000, 0o077, 0o777])
def test_the_directory_is_private_whatever_the_umask(directory: Path, mask: int) -> None:
    directory.parent.mkdir()
    before = os.umask(mask)
    try:
        with open_cache() as made:
            made.write("file", b"")
    finally:
        os.umask(before)
    assert made.path == str(directory)
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert stat.S_IMODE((directory / "file").stat().st_mode) == 0o600


@pytest.mark.optimised
def test_the_key_covers_everything(monkeypatch: pytest.MonkeyPatch, compiler: Compiler) -> None:
    def key(source: str = SOURCE, compiler: Compiler = compiler, level: int = 0, header: str = "") -> str:
        return entry_key(source, compiler, level, {"answer.h": header})

    keys = [
        key(),
        key(source=SOURCE + " "),
        key(header=" "),
        key(level=2),
        key(compiler=dataclasses.replace(compiler, version="another")),
        key(compiler=dataclasses.replace(compiler, command=("another",))),
        entry_key(SOURCE, compiler, 0, {"another.h": ""}),
    ]
    monkeypatch.setattr(cache, "machine_identity", lambda: "another")
    keys.append(key())
    monkeypatch.setattr(cache, "ABI_VERSION", -1)
    keys.append(key())
    assert len(set(keys)) == len(keys)
    assert key() == keys[-1]


def test_the_order_of_headers_does_not_matter(compiler: Compiler) -> None:
    assert entry_key("", compiler, 0, {"a": "1", "b": "2"}) == entry_key(
        "", compiler, 0, {"b": "2", "a": "1"}
    )


def test_the_machine_has_an_identity() -> None:
    identity = cache.machine_identity()
    assert len(identity) > 10
    if sys.platform == "linux" and os.uname().machine == "x86_64":
        assert "flags" in identity
        assert "MHz" not in identity


# --- Damaged ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage", ["empty", "cut", "overwritten", "huge", "no shared object", "no text", "cut text"]
)
def test_a_damaged_entry_is_made_again(compiler: Compiler, damage: str) -> None:
    path = kept(compiler)
    whole, text = path.read_bytes(), path.with_suffix(".c")
    if damage == "empty":
        path.write_bytes(b"")
    elif damage == "cut":
        path.write_bytes(whole[:-1])
    elif damage == "overwritten":
        path.write_bytes(b"\0" * len(whole))
    elif damage == "huge":
        os.truncate(path, 1 << 42)
    elif damage == "no shared object":
        path.unlink()
    elif damage == "no text":
        text.unlink()
    else:
        text.write_bytes(text.read_bytes()[:10])
    assert answer(build(compiler)) == 42
    assert path.read_bytes()[:4] == whole[:4]
    assert len(path.read_bytes()) == len(whole)


def test_rejected_c_leaves_nothing(directory: Path, compiler: Compiler) -> None:
    with pytest.raises(InternalError, match="compile-c"):
        build(compiler, "int f(void) { return nowhere; }")
    assert entries(directory) == set()


# --- Where the cache cannot be had ------------------------------------------------------------------------


def assert_falls_back(compiler: Compiler, note: str = "") -> None:
    made = build(compiler)
    assert answer(made) == 42
    assert not made.key
    assert build(compiler).content is made.content  # remembered by this process
    assert "not kept" in cache_note() and note in cache_note()


def test_a_file_where_a_directory_should_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, compiler: Compiler, directory: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert_falls_back(compiler)


def test_a_file_in_place_of_our_directory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, compiler: Compiler, directory: Path
) -> None:
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "other"))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "compiled").touch()
    assert_falls_back(compiler)


def test_a_directory_that_others_can_write(compiler: Compiler, directory: Path) -> None:
    directory.chmod(0o777)
    assert_falls_back(compiler, "another user")


@pytest.mark.parametrize("is_all", (True, False))
def test_a_directory_that_goes_while_the_compiler_runs(
    monkeypatch: pytest.MonkeyPatch, compiler: Compiler, directory: Path, is_all: bool
) -> None:
    whole = toolchain._compile

    def compiled(by: Compiler, source: Path, *rest: Any) -> tuple[int, str]:
        if directory in source.parents and is_all:
            shutil.rmtree(directory)
        elif directory in source.parents and source.name != "canary.c":
            source.unlink()
            source.with_name("answer.h").unlink()
        return whole(by, source, *rest)

    monkeypatch.setattr(toolchain, "_compile", compiled)
    made = build(compiler)
    assert answer(made) == 42
    assert not made.key


def test_no_home(monkeypatch: pytest.MonkeyPatch, compiler: Compiler, directory: Path) -> None:
    monkeypatch.setenv("APLC_CACHE_DIR", "~no-such-user/cache")
    assert_falls_back(compiler, "no home directory")


def test_a_directory_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, compiler: Compiler, directory: Path
) -> None:
    made, place = build(compiler), directory.stat().st_ino
    make_directory = os.mkdir

    def read_only(path: str, *mode: int, dir_fd: int | None = None) -> None:
        if dir_fd is not None and os.fstat(dir_fd).st_ino == place:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        make_directory(path, *mode, dir_fd=dir_fd)

    monkeypatch.setattr("os.mkdir", read_only)
    monkeypatch.setattr("os.utime", lambda *_, **__: read_only("", dir_fd=__["dir_fd"]))
    assert build(compiler) == made  # what is there is used
    other = build(compiler, SOURCE + " ")
    assert answer(other) == 42
    assert not other.key


def full(*arguments: object, **options: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("place", ["tempfile.TemporaryDirectory", "pathlib.Path.write_text"])
@pytest.mark.parametrize("use_cache", [False, True])
def test_full_disks(
    monkeypatch: pytest.MonkeyPatch, compiler: Compiler, directory: Path, place: str, use_cache: bool
) -> None:
    monkeypatch.setattr(place, full)
    with pytest.raises(MachineError, match="no space left"):
        build(compiler, use_cache=use_cache)
    assert entries(directory) == set()


def test_where_only_the_disk_of_the_cache_is_full(
    monkeypatch: pytest.MonkeyPatch, compiler: Compiler, directory: Path, tmp_path: Path
) -> None:
    place, make_directory = directory.stat().st_ino, os.mkdir

    def full_there(path: str, *mode: int, dir_fd: int | None = None) -> None:
        if dir_fd is not None and os.fstat(dir_fd).st_ino == place:
            full()
        make_directory(path, *mode, dir_fd=dir_fd)

    with monkeypatch.context() as patched:
        patched.setattr("os.mkdir", full_there)
        made = build(compiler, SOURCE + "// 1")
    assert answer(made) == 42 and not made.key
    with monkeypatch.context() as patched:  # full when the result is to be kept
        patched.setattr(Directory, "write", full)
        made = build(compiler, SOURCE + "// 2")
    assert answer(made) == 42 and not made.key
    assert entries(directory) == set()


def test_no_place_for_temporary_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, compiler: Compiler
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    assert answer(build(compiler, use_cache=False)) == 42  # there are others
    monkeypatch.setattr(private_files, "TEMPORARY", ("",))
    with pytest.raises(MachineError, match="TMPDIR"):
        build(compiler, use_cache=False)


def test_without_cache(directory: Path, compiler: Compiler) -> None:
    made = build(compiler, use_cache=False)
    assert answer(made) == 42
    assert not made.key
    assert entries(directory) == set()


def test_nothing_stays_among_temporary_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, compiler: Compiler
) -> None:
    (tmp_path / "t").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    made = build(compiler, use_cache=False)
    assert list((tmp_path / "t").iterdir()) == []
    monkeypatch.delattr("os.memfd_create", raising=False)  # as on other systems
    assert answer(made) == 42
    assert list((tmp_path / "t").iterdir()) == []


# --- Bounded ----------------------------------------------------------------------------------------------


def test_the_oldest_entries_go(monkeypatch: pytest.MonkeyPatch, directory: Path, compiler: Compiler) -> None:
    monkeypatch.setattr(cache_limits, "MAX_ENTRIES", 6)  # with what the compiler answered
    monkeypatch.setattr(cache_limits, "KEPT", 0.67)
    (answered,) = directory.glob("compiler-*")
    os.utime(answered, (time.time() + 10**6,) * 2)
    paths = []
    for age in range(5, 0, -1):
        path = kept(compiler, f"{SOURCE} // {age}")
        for file in (path, path.with_suffix(".c")):
            os.utime(file, (time.time() - 1000 * age,) * 2)
        paths.append(path)
    assert kept(compiler, f"{SOURCE} // 5") == paths[0]  # used now, so no longer the oldest
    (directory / "keep.txt").touch()
    build(compiler, f"{SOURCE} // new 1")
    assert all(path.exists() for path in paths)
    newest = kept(compiler, f"{SOURCE} // new 2")
    assert [path.exists() for path in paths] == [True, False, False, False, True]
    assert [path.with_suffix(".c").exists() for path in paths] == [True, False, False, False, True]
    assert newest.exists()
    assert (directory / "keep.txt").exists()


def test_the_bytes_are_bounded(monkeypatch: pytest.MonkeyPatch, directory: Path, compiler: Compiler) -> None:
    monkeypatch.setenv("APLC_CACHE_MB", "1")
    paths = [kept(compiler, f"{SOURCE} // {k}") for k in range(3)]
    for age, path in enumerate(paths):
        path.with_suffix(".record").write_bytes(b" " * 500_000)
        for file in (path, path.with_suffix(".c"), path.with_suffix(".record")):
            os.utime(file, (10**9 - age,) * 2)
    newest = kept(compiler, f"{SOURCE} // new")
    assert [path.exists() for path in paths] == [True, False, False]
    assert newest.exists()
    assert sum(path.stat().st_size for path in directory.iterdir()) < 1 << 20


def test_work_of_killed_processes_goes(directory: Path, compiler: Compiler) -> None:
    old, new, used, file = [f"work-{k:016x}" for k in range(4)]
    for name in (old, new, used, "work-of-mine"):
        (directory / name).mkdir()
        (directory / name / "f.c").touch()
    (directory / file).touch()
    for name in (old, used, file, "work-of-mine"):
        os.utime(directory / name, (0, 0))
    descriptor = os.open(directory / used, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    build(compiler)
    os.close(descriptor)
    assert {name for name in entries(directory) if name.startswith("work-")} == {new, used, "work-of-mine"}


# --- At the same time -------------------------------------------------------------------------------------


def build_many(use: int) -> list[int]:
    compiler = find_compiler()
    return [answer(build(compiler, f"{SOURCE} // {i}")) for i in range(5)]


def test_processes_at_once(directory: Path) -> None:
    with ProcessPoolExecutor(4, multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(build_many, range(4))) == [[42] * 5] * 4
    assert len(entries(directory)) == 10


def test_threads_at_once(directory: Path, compiler: Compiler) -> None:
    answers: list[list[int]] = []
    threads = [threading.Thread(target=lambda: answers.append(build_many(0))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [[42] * 5] * 4
    assert len(entries(directory)) == 10
