"""Where compiled programs are kept between runs: one directory of ours, marked as such.

    CACHEDIR.TAG    the mark, which backup programs know, too

The directory is called `compiled` and lies under APLC_CACHE_DIR, or where the platform keeps caches. One that
has files and no mark is somebody's own, and is left alone. So is one that another user could change.
"""

from __future__ import annotations

import errno
import os

import platformdirs

from aplc.backends.native.private_files import WORK_NAME, Directory, open_private, untrusted

NAME = "compiled"
MARK = "CACHEDIR.TAG"
MARK_TEXT = b"""Signature: 8a477f597d28d172789f06886806bc55
# aplc keeps compiled programs in this directory. All of it may be removed at any time.
# What the first line says to other programs: https://bford.info/cachedir/
"""


def cache_path() -> str:
    """Where the directory is, or would be made. Raises OSError where there is no home for it."""
    parent = os.path.expanduser(os.environ.get("APLC_CACHE_DIR") or platformdirs.user_cache_dir("aplc"))
    if parent.startswith("~"):
        raise FileNotFoundError(errno.ENOENT, "no home directory", parent)
    return os.path.join(os.path.abspath(parent), NAME)


def open_cache() -> Directory:
    """The directory, made where it is absent.

    Raises `Untrusted` where it is not ours alone, and OSError where it cannot be had.
    """
    directory = open_private(cache_path(), make=True)
    try:
        if not _is_marked(directory):
            _mark(directory)
    except BaseException:
        os.close(directory.descriptor)
        raise
    return directory


def _is_marked(directory: Directory) -> bool:
    try:
        return directory.read(MARK) == MARK_TEXT
    except FileNotFoundError:
        return False


def _mark(directory: Directory) -> None:
    """Mark a directory that is empty, but for what others make who mark it at the same time."""
    if any(name != MARK and not WORK_NAME.fullmatch(name) for name in os.listdir(directory.descriptor)):
        if _is_marked(directory):  # meanwhile
            return
        raise untrusted(f"it holds files and no {MARK} of aplc's", directory.path)
    directory.write(MARK, MARK_TEXT)
