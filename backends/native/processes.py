"""Processes that end with us, whatever ends us, and within a time.

Each runs in a group with a watcher, a shell that reads from a pipe of ours. Nobody ever writes there: when
the pipe closes, this process has ended, by a signal or otherwise, and the watcher ends the group and removes
the files that were being made. So it needs no handlers of signals, which are the user's business.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, NamedTuple

WATCHER = """
trap "" HUP INT TERM
read -r nothing
kill -TERM 0
for each in "$@"; do rm -rf -- "$each" || rm -rf -- "$each"; done
kill -KILL 0
"""
MOST_SAID = 1 << 20
"""Bytes that are kept of what a process says."""
LOOK_AGAIN = 0.05
"""Seconds after which a process may have ended although others still hold what it wrote to, and after which
the thread that waits for it may have been ended.
"""


@dataclass(eq=False)
class _Group:
    """A group of processes, and the thread that waits for it."""

    thread: int
    number: int
    is_ended: bool = False

    def end(self) -> None:
        """Ends what is in the group. What is started into it afterwards is for the thread that waits."""
        self.is_ended = True
        with suppress(ProcessLookupError):
            os.killpg(self.number, signal.SIGKILL)


_groups: set[_Group] = set()
"""Those that threads wait for."""


class Ended(NamedTuple):
    """How a process ended: its status (below 0: a signal), and what it said."""

    status: int
    output: bytes
    errors: bytes


class OutOfTime(Exception):
    """A process has not ended in time."""


def ended(
    command: Sequence[str],
    seconds: float,
    *,
    env: Mapping[str, str] | None = None,
    together: bool = False,
    removing: Sequence[str] = (),
) -> Ended:
    """Run a command, with nothing to read. What it started ends with it.

    What it says on standard error stands in its output where that is wanted `together`. Should this process
    end before it does, the files and directories of `removing` go away. Raises `OutOfTime`, and OSError where
    the command cannot be started.
    """
    deadline = time.monotonic() + seconds
    with _group(removing) as group, _waiting_for(group):
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if together else subprocess.PIPE,
            env=env,
            process_group=group.number,
        )
        if group.is_ended:  # perhaps while the command was being started: then it was not in the group yet
            group.end()
        with _killed_at_the_end(process):
            try:
                output, errors = _said(process, deadline)
                process.wait(max(0.0, deadline - time.monotonic()))
            except (subprocess.TimeoutExpired, TimeoutError):
                raise OutOfTime from None
        return Ended(process.returncode, output, errors)


def end_those_of(thread: int) -> bool:
    """End the processes that a thread waits for, given its identity; whether there were any."""
    groups = [group for group in tuple(_groups) if group.thread == thread]
    for group in groups:
        group.end()
    return bool(groups)


class Workplace(NamedTuple):
    """A directory for temporary files, and the number of the group of processes that work there."""

    path: str
    group: int


@contextmanager
def workplace(prefix: str) -> Iterator[Workplace]:
    """A place whose files are removed and whose processes are ended, whatever ends this process."""
    with tempfile.TemporaryDirectory(prefix=prefix) as path, _group((path,)) as group:
        yield Workplace(path, group.number)


@contextmanager
def _group(removing: Sequence[str]) -> Iterator[_Group]:
    """A group of processes that ends with this process, or at the end."""
    watcher = subprocess.Popen(
        ["/bin/sh", "-c", WATCHER, "aplc-watcher", *removing],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"PATH": "/usr/bin:/bin"},
        cwd="/",
        process_group=0,
    )
    group = _Group(threading.get_ident(), watcher.pid)
    try:
        yield group
    finally:
        group.end()
        with watcher:
            pass


@contextmanager
def _waiting_for(group: _Group) -> Iterator[None]:
    """A thread waits for what is in the group, until that is ended."""
    _groups.add(group)
    try:
        yield
    finally:
        _groups.discard(group)


@contextmanager
def _killed_at_the_end(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Whatever happens, the process is not there afterwards."""
    with process:
        try:
            yield
        finally:
            if process.returncode is None:
                process.kill()


def _said(process: subprocess.Popen[bytes], deadline: float) -> tuple[bytes, bytes]:
    """All that a process says until it ends, or the beginning of it. Raises `TimeoutError`."""
    said: dict[IO[bytes] | None, bytearray] = {process.stdout: bytearray(), process.stderr: bytearray()}
    with selectors.DefaultSelector() as selector:
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                selector.register(stream, selectors.EVENT_READ, stream)
        while selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            events = selector.select(min(left, LOOK_AGAIN))
            if not events and process.poll() is not None:
                break
            for key, _ in events:
                piece = os.read(key.fd, 1 << 16)
                if not piece:
                    selector.unregister(key.fileobj)
                text = said[key.data]
                text += piece[: MOST_SAID - len(text)]
    return bytes(said[process.stdout]), bytes(said[process.stderr])
