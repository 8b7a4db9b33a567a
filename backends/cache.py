"""Shared objects kept on disk between runs, one pair of files for each key, and records:

    KEY.so      the shared object
    KEY.c       the C it was compiled from, for reading, and in its last line the digest of KEY.so
    KEY.record  bytes of the caller's, behind their digest

The key of a pair covers everything that decides the machine code: the C and its headers, the compiler and
its flags, the processor, libc. What does not agree with its digest (cut short, damaged, half removed)
counts as absent. Files appear by renaming, so that any number of processes may look up and compile at once,
and none is ever written to again. What cannot be kept is compiled into a temporary directory of this process.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import re
import shutil
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from backends.toolchain import (
    DISK_FULL,
    WORK_PREFIX,
    Compiler,
    cache_directory,
    compile_shared,
    flags,
    no_space,
)
from tail.errors import MachineError

ABI_VERSION = 1
"""Goes up when generated code and the code that calls it change together."""

DIGEST_SIZE = hashlib.sha256().digest_size

SUFFIXES = (".so", ".c", ".record")
MAX_ENTRIES = 2000
KEPT_ENTRIES = 1800
"""What is left when there were more than MAX_ENTRIES."""

STALE_SECONDS = 24 * 3600
"""Unfinished work of this age belongs to a process that was killed."""


def shared_object(
    source: str, compiler: Compiler, level: int, *, headers: Mapping[str, str], use_cache: bool = True
) -> Path:
    """The shared object of a C source, compiled unless the cache has it.

    `headers` maps the names in `#include "…"` to their texts. Without `use_cache`, or where the cache cannot
    be written, the path lies in a directory that goes away with this process. Raises MachineError (a full
    disk, an incomplete compiler) or InternalError (the compiler rejects the C).
    """
    key = entry_key(source, compiler, level, headers)
    if use_cache:
        with suppress(OSError):
            directory = cache_directory()
            return _find(directory, key) or _build(directory, key, source, compiler, level, headers)
    try:
        directory = _process_directory(os.getpid())
        found = _find(directory, key) if use_cache else None
        return found or _build(directory, key, source, compiler, level, headers)
    except OSError as exc:
        raise MachineError(f"no temporary file can be made: {exc}; TMPDIR says where they go") from exc


def kept_object(key: str) -> Path | None:
    """The shared object of a key, where it is kept on disk."""
    with suppress(OSError):
        return _find(cache_directory(), key)
    return None


def kept_record(key: str) -> bytes | None:
    """What was kept as a record; its time of use is noted."""
    with suppress(OSError):
        path = _record(key)
        data = path.read_bytes()
        os.utime(path)
        digest, content = data[:DIGEST_SIZE], data[DIGEST_SIZE:]
        return content if hashlib.sha256(content).digest() == digest else None
    return None


def keep_record(key: str, content: bytes) -> None:
    """Keep a record, unless the cache cannot be written."""
    with suppress(OSError):
        path = _record(key)
        with tempfile.TemporaryDirectory("", WORK_PREFIX, path.parent, ignore_cleanup_errors=True) as work:
            fresh = Path(work, path.name)
            fresh.write_bytes(hashlib.sha256(content).digest() + content)
            fresh.replace(path)


def _record(key: str) -> Path:
    return cache_directory() / f"{key}.record"


def cache_note() -> str:
    """Why compiled programs are not kept on disk; empty where they are."""
    try:
        directory = cache_directory()
    except OSError as exc:
        return f"compiled programs are not kept: {exc.filename}: {exc.strerror}"
    writable = directory.is_dir() and os.access(directory, os.W_OK | os.X_OK)
    return "" if writable else f"compiled programs are not kept: {directory} cannot be written"


def entry_key(source: str, compiler: Compiler, level: int, headers: Mapping[str, str]) -> str:
    """The name of an entry: a digest of everything that decides the machine code."""
    facts = (
        ABI_VERSION,
        source,
        sorted(headers.items()),
        compiler.command,
        compiler.version,
        flags(compiler, level),
        machine_identity(),
    )
    return hashlib.sha256(repr(facts).encode()).hexdigest()


@cache
def machine_identity() -> str:
    """What `-march=native` and linking depend on: the processor's model and features, and libc's version."""
    libc = ""
    with suppress(OSError, ValueError):
        libc = os.confstr("CS_GNU_LIBC_VERSION") or ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as cpuinfo:
            first, _, _ = cpuinfo.read(1 << 16).partition("\n\n")  # the first processor
    except OSError:
        return f"{platform.machine()}\n{platform.processor()}\n{libc}"
    wanted = r"^(?:vendor_id|cpu family|model|model name|stepping|flags|Features|isa|CPU \w+|cpu)\s*:.*$"
    return "\n".join([platform.machine(), *re.findall(wanted, first, re.MULTILINE), libc])


def _trailer(key: str, binary: bytes) -> bytes:
    """The last line of KEY.c."""
    return f"/* {key}.so has sha256 {hashlib.sha256(binary).hexdigest()} */\n".encode()


def _find(directory: Path, key: str) -> Path | None:
    """The shared object of an entry that is there and whole; its time of use is noted."""
    binary = directory / f"{key}.so"
    try:
        trailer = _trailer(key, binary.read_bytes())
        with open(directory / f"{key}.c", "rb") as text:
            text.seek(-len(trailer), os.SEEK_END)
            whole = text.read() == trailer
    except OSError:
        return None
    with suppress(OSError):
        os.utime(binary)
    return binary if whole else None


def _build(
    directory: Path, key: str, source: str, compiler: Compiler, level: int, headers: Mapping[str, str]
) -> Path:
    """Compile an entry and publish it; OSError where the directory cannot be written."""
    _prune(directory)  # first, so that it cannot take what is made below
    try:
        return _publish(directory, key, source, compiler, level, headers)
    except OSError as exc:
        if exc.errno in DISK_FULL:
            raise no_space(directory) from exc
        raise


def _publish(
    directory: Path, key: str, source: str, compiler: Compiler, level: int, headers: Mapping[str, str]
) -> Path:
    """Compile in a working directory inside `directory`, and rename the results into their places."""
    binary = directory / f"{key}.so"
    with tempfile.TemporaryDirectory("", WORK_PREFIX, directory, ignore_cleanup_errors=True) as work:
        text = Path(work, f"{key}.c")
        text.write_text(source if source.endswith("\n") else source + "\n", encoding="utf-8")
        for name, header in headers.items():
            path = Path(work, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(header, encoding="utf-8")
        compile_shared(compiler, text, binary, level)
        with open(text, "ab") as file:
            file.write(_trailer(key, binary.read_bytes()))
        text.replace(directory / text.name)
    return binary


def _prune(directory: Path) -> None:
    """Remove the entries used least recently where there are too many, and the work of killed processes.

    Other processes may do the same at the same time.
    """
    used: dict[str, float] = {}
    with suppress(OSError), os.scandir(directory) as files:
        for file in files:
            stem, suffix = os.path.splitext(file.name)
            with suppress(OSError):
                status = file.stat(follow_symlinks=False)
                if file.name.startswith(WORK_PREFIX):
                    if status.st_mtime < time.time() - STALE_SECONDS:
                        _remove(file)
                elif suffix in SUFFIXES:
                    used[stem] = max(used.get(stem, 0.0), status.st_atime, status.st_mtime)
    if len(used) > MAX_ENTRIES:
        for stem in sorted(used, key=used.__getitem__)[: len(used) - KEPT_ENTRIES]:
            for suffix in SUFFIXES:
                with suppress(OSError):
                    os.unlink(directory / f"{stem}{suffix}")


def _remove(file: os.DirEntry[str]) -> None:
    """Remove a file or a directory with all that is in it."""
    if file.is_dir(follow_symlinks=False):
        shutil.rmtree(file.path, ignore_errors=True)
    else:
        os.unlink(file.path)


@cache
def _process_directory(pid: int) -> Path:
    """A directory that goes away when the process `pid`, which is this one, ends."""
    directory = Path(tempfile.mkdtemp(prefix="aplc-"))

    def remove() -> None:
        if os.getpid() == pid:  # not in a child that was forked off
            shutil.rmtree(directory, ignore_errors=True)

    atexit.register(remove)
    return directory
