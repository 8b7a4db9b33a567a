"""Shared objects on disk: found again, made again when damaged, bounded, and never half there."""

import ctypes
import dataclasses
import errno
import multiprocessing
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from backends import cache, toolchain
from backends.cache import cache_note, entry_key, shared_object
from backends.toolchain import Compiler, find_compiler
from tail.errors import InternalError, MachineError

ROOT = Path(__file__).resolve().parent.parent
SOURCE = '#include "answer.h"\n__attribute__((visibility("default"))) int answer(void) { return ANSWER; }'
HEADERS = {"answer.h": "#define ANSWER 42\n"}


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache directory of the test, not made yet."""
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "cache"))
    toolchain._find.cache_clear()
    return tmp_path / "cache" / "native"


@pytest.fixture
def compiler(directory: Path) -> Compiler:
    """The C compiler, asked for its version anew, so that the cache directory is made."""
    return find_compiler()


def build(compiler: Compiler, source: str = SOURCE, *, use_cache: bool = True) -> Path:
    return shared_object(source, compiler, 0, headers=HEADERS, use_cache=use_cache)


def answer(path: Path) -> int:
    return int(ctypes.CDLL(str(path)).answer())


def entries(directory: Path) -> set[str]:
    """The files of the cache, but for what compilers answered."""
    return {path.name for path in directory.iterdir() if not path.name.startswith("compiler-")}


def forbid_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise AssertionError(f"a process is started: {arguments}")

    monkeypatch.setattr("subprocess.Popen", fail)


# --- Found again ------------------------------------------------------------------------------------------


def test_an_entry_is_two_files(directory: Path, compiler: Compiler) -> None:
    path = build(compiler)
    assert answer(path) == 42
    key = entry_key(SOURCE, compiler, 0, HEADERS)
    assert path == directory / f"{key}.so"
    assert entries(directory) == {f"{key}.so", f"{key}.c"}
    assert (directory / f"{key}.c").read_text().startswith(SOURCE + "\n")
    assert cache_note() == ""


def test_a_second_lookup_starts_no_process(monkeypatch: pytest.MonkeyPatch, compiler: Compiler) -> None:
    path = build(compiler)
    forbid_processes(monkeypatch)
    assert build(compiler) == path


@pytest.mark.parametrize("mask", [0o000, 0o077, 0o777])
def test_the_directory_is_private_whatever_the_umask(directory: Path, mask: int) -> None:
    directory.parent.mkdir()
    before = os.umask(mask)
    try:
        made = toolchain.cache_directory()
    finally:
        os.umask(before)
    assert made == directory
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


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


@pytest.mark.parametrize("damage", ["empty", "cut", "overwritten", "no shared object", "no text", "cut text"])
def test_a_damaged_entry_is_made_again(compiler: Compiler, damage: str) -> None:
    path = build(compiler)
    whole, text = path.read_bytes(), path.with_suffix(".c")
    if damage == "empty":
        path.write_bytes(b"")
    elif damage == "cut":
        path.write_bytes(whole[:-1])
    elif damage == "overwritten":
        path.write_bytes(b"\0" * len(whole))
    elif damage == "no shared object":
        path.unlink()
    elif damage == "no text":
        text.unlink()
    else:
        text.write_bytes(text.read_bytes()[:10])
    assert build(compiler) == path
    assert path.read_bytes()[:4] == whole[:4]
    assert len(path.read_bytes()) == len(whole)
    assert answer(path) == 42


def test_rejected_c_leaves_nothing(directory: Path, compiler: Compiler) -> None:
    with pytest.raises(InternalError, match="compile-c"):
        build(compiler, "int f(void) { return nowhere; }")
    assert entries(directory) == set()


# --- Where the cache cannot be had ------------------------------------------------------------------------


def assert_falls_back(compiler: Compiler, directory: Path) -> None:
    path = build(compiler)
    assert answer(path) == 42
    assert directory not in path.parents
    assert build(compiler) == path  # kept for the rest of this process
    assert "not kept" in cache_note()


def test_a_file_where_a_directory_should_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, compiler: Compiler, directory: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert_falls_back(compiler, directory)


def test_a_file_in_place_of_our_directory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, compiler: Compiler, directory: Path
) -> None:
    monkeypatch.setenv("APLC_CACHE_DIR", str(tmp_path / "other"))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "native").touch()
    assert_falls_back(compiler, directory)


def test_a_directory_that_others_can_write(compiler: Compiler, directory: Path) -> None:
    directory.chmod(0o777)
    assert_falls_back(compiler, directory)
    assert "another user" in cache_note()


def test_no_home(monkeypatch: pytest.MonkeyPatch, compiler: Compiler, directory: Path) -> None:
    monkeypatch.setenv("APLC_CACHE_DIR", "~no-such-user/cache")
    assert_falls_back(compiler, directory)
    assert "no home directory" in cache_note()


def test_a_directory_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, compiler: Compiler, directory: Path
) -> None:
    kept = build(compiler)
    make_directory = os.mkdir

    def read_only(path: str, *mode: int) -> None:
        if directory in Path(path).parents:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        make_directory(path, *mode)

    monkeypatch.setattr("os.mkdir", read_only)
    monkeypatch.setattr("os.utime", read_only)
    assert build(compiler) == kept  # what is there is used
    other = build(compiler, SOURCE + " ")
    assert answer(other) == 42
    assert directory not in other.parents


def test_a_full_disk(monkeypatch: pytest.MonkeyPatch, compiler: Compiler, directory: Path) -> None:
    def full(*arguments: object, **options: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for place in ("tempfile.TemporaryDirectory", "pathlib.Path.write_text", "pathlib.Path.replace"):
        for use_cache in (True, False):
            with monkeypatch.context() as patch, pytest.raises(MachineError, match="no space left") as caught:
                patch.setattr(place, full)
                build(compiler, use_cache=use_cache)
            assert (str(directory) in str(caught.value)) == use_cache
    assert not any(name.startswith(toolchain.WORK_PREFIX) for name in entries(directory))


def test_no_place_for_temporary_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, compiler: Compiler
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    cache._process_directory.cache_clear()
    with pytest.raises(MachineError, match="TMPDIR"):
        build(compiler, use_cache=False)


def test_without_cache(directory: Path, compiler: Compiler) -> None:
    path = build(compiler, use_cache=False)
    assert answer(path) == 42
    assert entries(directory) == set()
    path.unlink()  # it is loaded: another file takes its place
    path.write_bytes(b"")
    assert build(compiler, use_cache=False).stat().st_size > 0  # never looked up


def test_temporary_objects_go_away_with_the_process() -> None:
    program = (
        "from backends import cache, toolchain\n"
        "path = cache.shared_object('int f;', toolchain.find_compiler(), 0, headers={}, use_cache=False)\n"
        "assert path.exists()\n"
        "print(path)\n"
        "import os\n"
        "if os.fork() == 0: raise SystemExit\n"  # a child that ends first takes nothing with it
        "os.wait()\n"
        "assert path.exists()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    path = Path(done.stdout.strip())
    assert path.name.endswith(".so")
    assert not path.parent.exists()


# --- Bounded ----------------------------------------------------------------------------------------------


def test_the_oldest_entries_go(monkeypatch: pytest.MonkeyPatch, directory: Path, compiler: Compiler) -> None:
    monkeypatch.setattr(cache, "MAX_ENTRIES", 5)
    monkeypatch.setattr(cache, "KEPT_ENTRIES", 3)
    paths = []
    for age in range(5, 0, -1):
        path = build(compiler, f"{SOURCE} // {age}")
        for file in (path, path.with_suffix(".c")):
            os.utime(file, (time.time() - 1000 * age,) * 2)
        paths.append(path)
    assert build(compiler, f"{SOURCE} // 5") == paths[0]  # used now, so no longer the oldest
    (directory / "keep.txt").touch()
    build(compiler, f"{SOURCE} // new 1")
    assert all(path.exists() for path in paths)
    newest = build(compiler, f"{SOURCE} // new 2")
    assert [path.exists() for path in paths] == [True, False, False, False, True]
    assert [path.with_suffix(".c").exists() for path in paths] == [True, False, False, False, True]
    assert newest.exists()
    assert (directory / "keep.txt").exists()


def test_work_of_killed_processes_goes(directory: Path, compiler: Compiler) -> None:
    for name, age in (("work-old", 10**6), ("work-new", 0)):
        (directory / name).mkdir()
        (directory / name / "f.c").touch()
        os.utime(directory / name, (time.time() - age,) * 2)
    (directory / "work-file").touch()
    os.utime(directory / "work-file", (0, 0))
    build(compiler)
    assert {name for name in entries(directory) if name.startswith("work-")} == {"work-new"}


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


def gone(pid: int) -> bool:
    """Whether a process has ended, even if nobody asked for its status yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_an_interrupt_leaves_nothing(tmp_path: Path, directory: Path) -> None:
    if not Path("/proc/self/stat").exists():
        pytest.skip("NOT CHECKED: no /proc to see processes in")
    script, started = tmp_path / "slow", tmp_path / "started"
    script.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo gcc 99 && exit 0\ntouch "$TMPDIR/left.s"\n'
        f'sleep 600 &\necho $$ $! > "{started}.new"; mv "{started}.new" "{started}"; wait\n'
    )
    script.chmod(0o700)
    program = (
        "from backends import cache, toolchain\n"
        "cache.shared_object('int f;', toolchain.find_compiler(), 0, headers={})\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "CC": str(script)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not started.exists():
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in process.communicate()[1]
    left = [int(pid) for pid in started.read_text().split()]
    for _ in range(3000):  # the kernel ends them in its own time
        left = [pid for pid in left if not gone(pid)]
        time.sleep(0.01 if left else 0)
    assert left == []
    assert entries(directory) == set()
