"""Directories and files that nobody but their owner can change, used by descriptor.

A path is judged as OpenSSH judges those of keys: the directory is this user's and nobody else may write to
it; each directory above it is this user's or root's, and where others may write, it is sticky, so that what
is in it stays in its place. What a descriptor was opened for cannot be exchanged any more. Files are regular,
this user's, without other names, and no links; none of them can make a reader wait.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import TracebackType

WORK_PREFIX = "work-"
"""Begins the name of everything unfinished in a directory of ours."""
TEMPORARY_PREFIX = "aplc-"
"""Begins the names of our directories among the temporary files of others."""
WORK_NAME = re.compile(rf"{WORK_PREFIX}[0-9a-f]{{16}}")

MOST_READ = 1 << 28
"""Bytes of the largest file that is read: one with holes takes no room on disk, but it does in memory."""

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_STEP = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Untrusted(PermissionError):
    """Others could have put there what is found, or put something there later."""


def untrusted(reason: str, path: str) -> Untrusted:
    """The error of a file or directory, for a reason."""
    return Untrusted(errno.EACCES, reason, path)


@dataclass(frozen=True, slots=True)
class Directory:
    """A directory that nobody else can change, open until it is closed."""

    path: str
    """Without links; nobody else can let it lead elsewhere."""
    descriptor: int

    def __enter__(self) -> Directory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self.descriptor)

    def read(self, name: str) -> bytes:
        """The bytes of a file. Raises `Untrusted` where it is no regular file of this user's alone, and
        OSError where it is larger than any of ours.
        """
        with open(os.open(name, _READ, dir_fd=self.descriptor), "rb") as file:
            status = os.fstat(file.fileno())
            _require_own_file(status, os.path.join(self.path, name))
            if status.st_size > MOST_READ:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), os.path.join(self.path, name))
            return file.read()

    def write(self, name: str, content: bytes) -> None:
        """Put a file in its place, whole, whatever stands there."""
        fresh = WORK_PREFIX + _random()
        try:
            with open(os.open(fresh, _WRITE, 0o600, dir_fd=self.descriptor), "wb") as file:
                os.fchmod(file.fileno(), 0o600)  # whatever the umask
                file.write(content)
            os.rename(fresh, name, src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)
        except BaseException:
            self.remove(fresh)
            raise

    def touch(self, name: str) -> None:
        """Note that a file was used, where that can be noted."""
        with suppress(OSError):
            os.utime(name, dir_fd=self.descriptor, follow_symlinks=False)

    def remove(self, name: str) -> None:
        """Remove a file, where it is there and can be removed."""
        with suppress(OSError):
            os.unlink(name, dir_fd=self.descriptor)

    def remove_all(self, name: str) -> None:
        """Remove a directory and all that is in it, as far as that can be done."""
        with suppress(OSError):
            shutil.rmtree(name, ignore_errors=True, dir_fd=self.descriptor)

    def is_used(self, name: str) -> bool:
        """Whether a process works in a directory here; of one that was killed nothing is left but that."""
        try:
            descriptor = os.open(name, _LIST, dir_fd=self.descriptor)
        except OSError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as failure:
            return failure.errno == errno.EWOULDBLOCK
        finally:
            os.close(descriptor)
        return False

    @contextmanager
    def work(self, prefix: str = WORK_PREFIX) -> Iterator[Directory]:
        """A directory in it that goes away."""
        name = prefix + _random()
        os.mkdir(name, 0o700, dir_fd=self.descriptor)
        try:
            os.chmod(name, 0o700, dir_fd=self.descriptor)  # whatever the umask
            descriptor = os.open(name, _LIST, dir_fd=self.descriptor)
            with Directory(os.path.join(self.path, name), descriptor) as work:
                with suppress(OSError):  # some file systems have no locks
                    fcntl.flock(descriptor, fcntl.LOCK_EX)
                yield work
        finally:
            self.remove_all(name)


def open_private(path: str, *, make: bool = False) -> Directory:
    """The directory at a path, made where it is absent if that is asked for.

    Raises `Untrusted` where another user could change it or lead the path elsewhere, and OSError where it
    cannot be opened or made.
    """
    directory = _opened(path, make=make)
    status = os.fstat(directory.descriptor)
    if status.st_uid != os.getuid() or status.st_mode & _OTHERS_WRITE:
        os.close(directory.descriptor)
        raise untrusted("another user owns it or can write to it", directory.path)
    return directory


def _opened(path: str, *, make: bool) -> Directory:
    """The directory at a path, which nobody else can lead elsewhere."""
    here, walked = os.open("/", _STEP), "/"
    try:
        names = [name for name in os.path.realpath(path).split("/") if name]
        for place, name in enumerate(names, 1):
            _require_stays(os.fstat(here), walked)
            walked = os.path.join(walked, name)
            below = _step(here, name, _LIST if place == len(names) else _STEP, make=make)
            os.close(here)
            here = below
    except OSError as failure:
        os.close(here)
        failure.filename = walked
        raise
    return Directory(walked, here)


def _step(here: int, name: str, how: int, *, make: bool) -> int:
    """A directory in one that is open."""
    with suppress(FileNotFoundError):
        return os.open(name, how, dir_fd=here)
    if make:
        with suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=here)
            os.chmod(name, 0o700, dir_fd=here)  # whatever the umask
    return os.open(name, how, dir_fd=here)


def _require_stays(status: os.stat_result, path: str) -> None:
    """What is in a directory stays in its place, whatever others do."""
    is_sticky = status.st_mode & stat.S_ISVTX
    if status.st_uid not in (0, os.getuid()) or (status.st_mode & _OTHERS_WRITE and not is_sticky):
        raise untrusted("another user owns it or can write to it", path)


def _require_own_file(status: os.stat_result, path: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise untrusted("it is no regular file", path)
    if status.st_uid != os.getuid() or status.st_mode & _OTHERS_WRITE or status.st_nlink > 1:
        raise untrusted("another user owns it or can write to it", path)


def _random() -> str:
    return os.urandom(8).hex()


TEMPORARY = ("", "/tmp", "/var/tmp", "/dev/shm")
"""Where temporary files go: where Python puts them, or else here."""


@contextmanager
def temporary() -> Iterator[Directory]:
    """A directory for temporary files that nobody else can change, and that goes away. Raises OSError."""
    with _temporary_place() as place, place.work(TEMPORARY_PREFIX) as work:
        yield work


def _temporary_place() -> Directory:
    """A directory in which nobody else can move what is ours."""
    first: OSError | None = None
    for path in TEMPORARY:
        try:
            place = _opened(path or tempfile.gettempdir(), make=False)
            try:
                _require_stays(os.fstat(place.descriptor), place.path)
            except Untrusted:
                os.close(place.descriptor)
                raise
            return place
        except OSError as failure:
            first = first or failure
    assert first is not None
    raise first
