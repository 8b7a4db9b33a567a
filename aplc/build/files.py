"""The files of a build, written whole or not at all, in the place of those of an earlier build only."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from aplc.backends.native.toolchain import DISK_FULL, no_space
from aplc.build.header import MARK
from aplc.command_line import file_error
from aplc.tail.legible import legible


def require_ours(paths: list[Path]) -> None:
    """Raise an error where one of the files is there and is not of an earlier build."""
    for path in paths:
        if path.is_dir():
            raise file_error(f"-o {path}", f"{path} cannot be written: it is a directory")
        if path.exists() and not _is_ours(path):
            message = f"{path} is there and was not made by aplc build; remove it, or choose another name"
            raise file_error(f"-o {path}", message)


def _is_ours(path: Path) -> bool:
    try:
        content = path.read_bytes()
    except OSError:
        return False
    return not content or MARK.encode() in content


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write files: all of them, or none where one cannot be written."""
    directory = next(iter(contents)).parent
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory("", ".aplc-", directory, ignore_cleanup_errors=True) as scratch:
            fresh = {path: Path(scratch, f"{k}.new") for k, path in enumerate(contents)}
            for path, content in contents.items():
                fresh[path].write_bytes(content)
                mask = os.umask(0)
                os.umask(mask)
                fresh[path].chmod((0o777 if path.suffix == ".so" else 0o666) & ~mask)
            _exchange(fresh, Path(scratch))
    except OSError as failure:
        if failure.errno in DISK_FULL:
            raise no_space(directory) from None
        where = failure.filename or directory
        reason = legible(failure.strerror or str(failure))
        raise file_error(f"-o {directory}", f"{where} cannot be written: {reason}") from None


def _exchange(fresh: Mapping[Path, Path], scratch: Path) -> None:
    """Put files into their places; where that fails, what was there is there again."""
    before: dict[Path, Path | None] = {}
    try:
        for k, (path, new) in enumerate(fresh.items()):
            old = scratch / f"{k}.old"
            before[path] = old if path.exists() else None
            if path.exists():
                os.link(path, old)
            new.replace(path)
    except BaseException:
        for path, earlier in before.items():
            with suppress(OSError):
                if earlier is None:
                    path.unlink()
                else:
                    earlier.replace(path)
        raise
