"""A lock that neither a handler of signals nor a fork gets stuck at."""

from __future__ import annotations

import os
import threading
from types import TracebackType


class Lock:
    """One thread at a time, which may come in again, as a handler of a signal does that calls what it has
    interrupted. In a process that is forked off nobody holds it: who held it has not come along.
    """

    def __init__(self) -> None:
        self._locks = {os.getpid(): threading.RLock()}

    def __enter__(self) -> None:
        own = os.getpid()
        lock = self._locks.get(own)
        if lock is None:
            lock = self._locks.setdefault(own, threading.RLock())
        lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._locks[os.getpid()].release()
