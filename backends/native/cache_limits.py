"""Keeping the cache in bounds: the entries used least recently go, and what killed processes left.

Only files whose names are of the forms that we make are ever removed, in a directory that has our mark.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass

from aplc.backends.native.private_files import WORK_NAME, Directory

ENTRY_NAME = re.compile(r"([0-9a-f]{64})\.(?:so|c|record)|(compiler-[0-9a-f]{32})")
MAX_ENTRIES = 2000
MAX_BYTES = 1 << 30
"""Of all files together, unless APLC_CACHE_MB says otherwise."""
KEPT = 0.9
"""The part of these that is left where there was more."""
STALE_SECONDS = 60
"""Unfinished work that nobody uses is younger only while it is being made."""


@dataclass(slots=True)
class _Entry:
    """The files of a key."""

    names: list[str]
    size: int = 0
    used: float = 0.0


def prune(directory: Directory) -> None:
    """Remove what is too much, and what killed processes left. Others may do the same at the same time."""
    entries, unfinished = _listed(directory)
    for name, status in unfinished.items():
        if status.st_mtime < time.time() - STALE_SECONDS and not directory.is_used(name):
            directory.remove_all(name)
            directory.remove(name)
    most, size = _most_bytes(), sum(entry.size for entry in entries.values())
    if len(entries) <= MAX_ENTRIES and size <= most:
        return
    count = len(entries)
    for entry in sorted(entries.values(), key=lambda each: each.used):
        if count <= MAX_ENTRIES * KEPT and size <= most * KEPT:
            break
        for name in entry.names:
            directory.remove(name)
        count, size = count - 1, size - entry.size


def _listed(directory: Directory) -> tuple[dict[str, _Entry], dict[str, os.stat_result]]:
    """The entries by key, and what is unfinished by name."""
    entries: dict[str, _Entry] = {}
    unfinished: dict[str, os.stat_result] = {}
    with suppress(OSError), os.scandir(directory.descriptor) as files:
        for file in files:
            with suppress(OSError):
                if WORK_NAME.fullmatch(file.name):
                    unfinished[file.name] = file.stat(follow_symlinks=False)
                elif named := ENTRY_NAME.fullmatch(file.name):
                    status = file.stat(follow_symlinks=False)
                    entry = entries.setdefault(named[1] or named[2], _Entry([]))
                    entry.names.append(file.name)
                    entry.size += status.st_blocks * 512
                    entry.used = max(entry.used, status.st_atime, status.st_mtime)
    return entries, unfinished


def _most_bytes() -> int:
    """The bytes that the cache may have."""
    given = os.environ.get("APLC_CACHE_MB", "")
    return int(given) << 20 if given.isascii() and given.isdigit() and len(given) < 10 else MAX_BYTES
