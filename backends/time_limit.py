"""Time limits: work that is ended when it takes longer than it may.

    limited(seconds, work)    the result of some work, or a `TimeLimitError`
    remaining()               the seconds that are left to this thread

One thread for the whole process, the clock, waits until the next time is up, and raises an exception in the
thread that works. Python raises it between two of its own instructions, so what is not written in Python sees
to it itself: compiled programs know how much time is left, compilers are waited for in short pieces. A single
operation of NumPy, or of the driver of a device, comes to its end first.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from numbers import Real
from time import monotonic
from typing import Any, TypeVar

from tail.errors import Diagnostic, TimeLimitError

T = TypeVar("T")

LONGEST = 1e9
"""Seconds that no limit exceeds, some thirty years: no wait of the operating system may be much longer."""
AGAIN = 0.25
"""Seconds after which a thread that goes on nevertheless is interrupted again."""


class TimeIsUp(BaseException):
    """The time of some work in this thread is up."""


@dataclass(eq=False)
class _Alarm:
    """The time limit of a thread."""

    thread: int
    end: float
    next: float
    """When the thread is to be interrupted."""


class _Clock:
    """The alarms of a process, and whether a thread waits for them."""

    def __init__(self) -> None:
        self.changed = threading.Condition(threading.Lock())
        self.alarms: list[_Alarm] = []
        self.runs = False

    def arm(self, alarm: _Alarm) -> None:
        """The thread is interrupted when its time is up."""
        with self.changed:
            self.alarms.append(alarm)
            if not self.runs:
                self.runs = True
                threading.Thread(target=self.watch, name="aplc-clock", daemon=True).start()
            self.changed.notify()

    def disarm(self, alarm: _Alarm) -> None:
        """The thread is not interrupted from now on, though it may be while this is done."""
        while True:
            try:
                with self.changed:
                    if alarm in self.alarms:
                        self.alarms.remove(alarm)
                    if alarm.next != alarm.end:
                        _raise_in(alarm.thread, None)
                    return
            except TimeIsUp:
                continue

    def watch(self) -> None:
        """Interrupt the threads whose time is up, for ever."""
        with self.changed:
            while True:
                now = monotonic()
                for alarm in self.alarms:
                    if alarm.next <= now:
                        alarm.next = now + AGAIN
                        _raise_in(alarm.thread, TimeIsUp)
                soonest = min([alarm.next for alarm in self.alarms], default=inf)
                self.changed.wait(None if soonest == inf else max(0.0, soonest - now))


def _raise_in(thread: int, what: type[BaseException] | None) -> None:
    """Raise an exception in a thread, or none that has not been raised yet."""
    given = None if what is None else ctypes.py_object(what)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), given)


_clock = _Clock()


def _after_fork() -> None:
    """The threads of a process do not come along to one that is forked off."""
    global _clock
    _clock = _Clock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

_own = threading.local()


def limited(seconds: float | None, work: Callable[[], T]) -> T:
    """The result of the work. Raises `TimeLimitError` if it takes longer; None: it may take for ever."""
    if seconds is None:
        return work()
    end = monotonic() + seconds
    alarm, before = _Alarm(threading.get_ident(), end, end), getattr(_own, "end", inf)
    try:
        try:
            _own.end = min(before, end)
            _clock.arm(alarm)
            return work()
        finally:
            _clock.disarm(alarm)
            _own.end = before
    except TimeIsUp:
        if monotonic() < end:  # that of a limit around this one
            raise
        raise too_long(seconds) from None


def too_long(seconds: float) -> TimeLimitError:
    """The error of work that takes longer."""
    message = f"compiling and running take longer than the {seconds:g} s that they may"
    return TimeLimitError(Diagnostic("TIME LIMIT", message))


def seconds_of(limit: object) -> float | None:
    """A time limit that a user gives, which is a positive number of seconds. Raises ValueError."""
    if limit is None:
        return None
    is_number = isinstance(limit, Real) and not isinstance(limit, bool)
    seconds: Any = limit if is_number else 0
    if not 0 < seconds < inf:
        raise ValueError(f"time_limit is a positive number of seconds, not {limit!r}")
    return float(min(seconds, LONGEST))


def remaining() -> float | None:
    """The seconds that are left to this thread; None: it may take for ever."""
    end = getattr(_own, "end", inf)
    return None if end == inf else end - monotonic()


def within_remaining(seconds: float | None, work: Callable[[], T]) -> T:
    """The result of work in a thread that has the time that is left to another one, which waits for it."""
    _own.end = inf if seconds is None else monotonic() + seconds
    return work()
