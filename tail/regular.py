"""Regular files only: opened to be read, and written whole or not at all.

A pipe, a socket or a device can make its reader wait for ever. So a file is opened without waiting, and
looked at through its descriptor: what has been looked at is what is read.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import tempfile
from contextlib import suppress

KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a pipe, not a regular file",
    stat.S_IFSOCK: "a socket, not a regular file",
    stat.S_IFCHR: "a device, not a regular file",
    stat.S_IFBLK: "a device, not a regular file",
}


def open_regular(path: str | os.PathLike[str]) -> io.BufferedReader:
    """A regular file, opened to be read. Raises `OSError` for anything else, with what it is."""
    return os.fdopen(_descriptor(os.fspath(path)), "rb")


def _descriptor(path: str) -> int:
    flags = (
        os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0)
    )
    try:
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except ValueError:
        raise OSError(errno.EINVAL, "its name holds a character that no name can hold") from None
    except OSError as failure:
        if failure.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, f"it is {KINDS[stat.S_IFSOCK]}") from None
        raise
    try:
        kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
        if kind != stat.S_IFREG:
            code = errno.EISDIR if kind == stat.S_IFDIR else errno.EINVAL
            raise OSError(code, f"it is {KINDS.get(kind, 'no regular file')}")
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def write_whole(path: str, content: bytes, *, replaces: bool) -> None:
    """Write a file that is there whole or not at all: under another name first, then renamed.

    A link is followed, and what is replaced keeps its permissions. Raises FileExistsError where there is
    something and it may not be replaced, OSError where it is no regular file, or cannot be written, and
    ValueError for a name that no file can have.
    """
    path = os.path.realpath(path)
    mode = None
    if os.path.lexists(path):
        if not replaces:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        with open_regular(path) as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    descriptor, fresh = tempfile.mkstemp(prefix=".aplc-", dir=os.path.dirname(path))
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), 0o666 & ~_umask() if mode is None else mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if replaces:
            os.replace(fresh, path)
        else:
            os.link(fresh, path)  # unlike a renaming, never onto what has come meanwhile
            os.unlink(fresh)
    except BaseException:
        with suppress(OSError):
            os.unlink(fresh)
        raise


def _umask() -> int:
    """The bits that new files of this process do not have."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
