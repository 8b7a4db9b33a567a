"""Shared objects kept on disk between runs: one pair of files for each key, and records.

    KEY.so      the shared object
    KEY.c       the C it was compiled from, for reading, and in its last line the digest of KEY.so
    KEY.record  bytes of the caller's, or a function that many programs are linked with, behind their digest

The key of a pair covers everything that decides the machine code: the C and its headers, the compiler and
its flags, the processor, libc. What does not agree with its digest (cut short, damaged, half removed)
counts as absent; what agrees is handed out as the bytes that were looked at. Files appear by renaming, so
that any number of processes may look up and compile at once, and none is ever written to again. What cannot
be kept on disk is compiled among temporary files, and remembered by this process.
"""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import re
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from aplc.backends.native.cache_directory import open_cache
from aplc.backends.native.locks import Lock
from aplc.backends.native.private_files import Directory, Untrusted, temporary
from aplc.backends.native.toolchain import DISK_FULL, Compiler, NoSpace, compile_shared, flags, no_space
from aplc.tail.errors import InternalError, MachineError

ABI_VERSION = 1
"""Goes up when generated code and the code that calls it change together."""

DIGEST_SIZE = hashlib.sha256().digest_size

MOST_REMEMBERED = 64 << 20
"""Bytes of shared objects that a process remembers where they cannot be kept on disk."""

_remembered: OrderedDict[str, bytes] = OrderedDict()
_remembering = Lock()


class Binary(NamedTuple):
    """A shared object."""

    content: bytes
    key: str
    """Under which it is kept on disk; empty where it is not."""


def shared_object(
    source: str, compiler: Compiler, level: int, *, headers: Mapping[str, str], use_cache: bool = True
) -> Binary:
    """The shared object of a C source, compiled unless the cache has it.

    `headers` maps the names in `#include "…"` to their texts. Raises MachineError (a full disk, an incomplete
    compiler) or InternalError (the compiler rejects the C).
    """
    key = entry_key(source, compiler, level, headers)
    if use_cache:
        with suppress(OSError, NoSpace), _opened() as directory:
            content = _found(directory, key)
            return (
                Binary(content, key) if content else _built(directory, key, source, compiler, level, headers)
            )
        if (content := _remembered.get(key)) is not None:
            return Binary(content, "")
    try:
        with temporary() as work:
            content, _ = _compiled(work, key, source, compiler, level, headers)
    except OSError as exc:
        if exc.errno in DISK_FULL:
            raise no_space(exc.filename or "temporary files") from exc
        raise MachineError(f"no temporary file can be made: {exc}; TMPDIR says where they go") from exc
    if use_cache:
        _remember(key, content)
    return Binary(content, "")


def kept_object(key: str) -> bytes | None:
    """The shared object of a key, where it is kept on disk."""
    with suppress(OSError), _opened() as directory:
        return _found(directory, key)
    return None


def kept_record(key: str) -> bytes | None:
    """What was kept as a record; its time of use is noted."""
    with suppress(OSError), _opened() as directory:
        return record_in(directory, key)
    return None


def keep_record(key: str, content: bytes) -> None:
    """Keep a record, unless the cache cannot be written."""
    with suppress(OSError), _opened() as directory:
        keep_record_in(directory, key, content)


def record_in(directory: Directory, key: str) -> bytes | None:
    """What a directory has as a record; None where it is absent or damaged."""
    with suppress(OSError):
        data = directory.read(f"{key}.record")
        directory.touch(f"{key}.record")
        digest, content = data[:DIGEST_SIZE], data[DIGEST_SIZE:]
        return content if hashlib.sha256(content).digest() == digest else None
    return None


def keep_record_in(directory: Directory, key: str, content: bytes) -> None:
    """Keep a record in a directory. Raises OSError where that cannot be written."""
    directory.write(f"{key}.record", hashlib.sha256(content).digest() + content)


def cache_note() -> str:
    """Why compiled programs are not kept on disk; empty where they are."""
    try:
        with open_cache() as directory:
            if os.access(directory.path, os.W_OK | os.X_OK):
                return ""
            return f"compiled programs are not kept: {directory.path} cannot be written"
    except OSError as exc:
        return _note(exc)


def _note(failure: OSError) -> str:
    return f"compiled programs are not kept: {failure.filename}: {failure.strerror}"


def _opened() -> Directory:
    """The cache. Where it cannot be trusted, that is said once."""
    try:
        return open_cache()
    except Untrusted as failure:
        _say_once(_note(failure))
        raise


@cache
def _say_once(note: str) -> None:
    import logging  # noqa: PLC0415 (most runs say nothing)

    logging.getLogger("aplc").warning("aplc: %s; APLC_CACHE_DIR says where they go", note)


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


def _found(directory: Directory, key: str) -> bytes | None:
    """The shared object of an entry that is there and whole; its time of use is noted."""
    try:
        content = directory.read(f"{key}.so")
        if not directory.read(f"{key}.c").endswith(_trailer(key, content)):
            return None
    except OSError:
        return None
    directory.touch(f"{key}.so")
    return content


def _built(
    directory: Directory, key: str, source: str, compiler: Compiler, level: int, headers: Mapping[str, str]
) -> Binary:
    """Compile an entry, and keep it if there is room; OSError where the directory cannot be written."""
    from aplc.backends.native.cache_limits import prune  # noqa: PLC0415 (what is kept starts faster without it)

    prune(directory)  # first, so that it cannot take what is made below
    with directory.work() as work:
        content, text = _compiled(work, key, source, compiler, level, headers, directory)
        try:
            directory.write(f"{key}.so", content)
            directory.write(f"{key}.c", text + _trailer(key, content))
        except OSError:
            return Binary(content, "")
    return Binary(content, key)


def _compiled(
    work: Directory,
    key: str,
    source: str,
    compiler: Compiler,
    level: int,
    headers: Mapping[str, str],
    kept: Directory | None = None,
) -> tuple[bytes, bytes]:
    """The shared object of a C source, compiled in a directory that goes away, and the text as compiled;
    functions that are compiled once are `kept` where there is a directory for them.

    OSError where others remove the directory meanwhile: the compiler is not to blame then.
    """
    from aplc.backends.native.objects import linked  # noqa: PLC0415 (what is kept starts faster without it)

    text = (source if source.endswith("\n") else source + "\n").encode()
    path, binary = Path(work.path, f"{key}.c"), Path(work.path, f"{key}.so")
    path.write_bytes(text)
    written = [path]
    for name, header in headers.items():
        place = Path(work.path, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(header, encoding="utf-8")
        written.append(place)
    try:
        if kept is None or not linked(kept, work, path, binary, source, compiler, level, headers):
            compile_shared(compiler, path, binary, level, work=(work.path,))
    except (InternalError, MachineError):
        if all(place.is_file() for place in written):
            raise
        raise FileNotFoundError(errno.ENOENT, "it was removed meanwhile", work.path) from None
    return binary.read_bytes(), text


def _remember(key: str, content: bytes) -> None:
    """Remember a shared object, and forget the oldest where these are too many."""
    with _remembering:
        _remembered[key] = content
        while sum(map(len, _remembered.values())) > MOST_REMEMBERED:
            _remembered.popitem(last=False)
