"""Opening files to read them: regular files only.

A pipe, a socket or a device can make its reader wait for ever. So a file is opened without waiting, and
looked at through its descriptor: what has been looked at is what is read.
"""

from __future__ import annotations

import errno
import io
import os
import stat

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
