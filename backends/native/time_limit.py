"""Time limits: work that is ended when it takes longer than it may.

    limited(seconds, work)           the result of some work, or a `TimeLimitError`
    limited(seconds, work, ending)   the same; another thread may say `ending.now()`
    remaining()                      the seconds that are left to this thread

One thread for the whole process, the clock, waits until the next time is up, and raises an exception in the
thread that works. Python raises it between two of its own instructions (not while a module is imported), so
what is not written in Python sees to it itself: compiled programs know how much time is left, compilers are
waited for in short pieces. A single operation of NumPy, or of the driver of a device, comes to its end first.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from _queue import Empty, SimpleQueue
from _thread import LockType, start_new_thread
from _thread import allocate_lock as Lock  # noqa: N812 (that of threading, which is only typed as a function)
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from numbers import Real
from time import monotonic, sleep
from typing import Any, TypeVar

from aplc.tail.errors import Diagnostic, OptionError, TimeLimitError

T = TypeVar("T")

LONGEST = 1e9
"""Seconds that no limit exceeds, some thirty years: no wait of the operating system may be much longer."""
AGAIN = 0.25
"""Seconds after which a thread that goes on nevertheless is interrupted again."""
SOON = 0.01
"""Seconds after which one that could not be interrupted is looked at again."""
LOOK_AGAIN = 3600.0
"""Seconds after which the clock looks at its alarms, whatever they say: Python waits no longer than some."""


class TimeIsUp(BaseException):
    """The time of some work in this thread is up."""


@dataclass(eq=False)
class Bell:
    """What may raise `TimeIsUp` in a thread, from outside, until it is off.

    The thread may be interrupted wherever it is, also where it has taken a lock and does not know it yet. So
    it takes none here, and what it has to do is a single step of Python: all of it, or nothing. It sets
    `is_on` to False, and then waits for what is under way (`settle`).
    """

    thread: int = 0
    """Its identity; 0: it does nothing yet."""
    is_on: bool = True
    has_rung: bool = False
    is_held: LockType = field(default_factory=Lock)
    """By who rings; never by the thread itself."""

    def ring(self) -> None:
        """Interrupt the thread."""
        with self.is_held:
            if self.is_on and self.thread:
                self.has_rung = True
                _raise_in(self.thread, TimeIsUp)

    def settle(self) -> None:
        """In the thread, when the bell is off: nothing comes from now on, though it may meanwhile."""
        while self.is_held.locked():
            sleep(0)
        if self.has_rung:
            _raise_in(self.thread, None)


def _imports(thread: int) -> bool:
    """Whether a thread imports a module in its limited work. Interrupted there it may leave one of Python's
    locks taken, for which others wait for ever.
    """
    frame = sys._current_frames().get(thread)
    while frame is not None and frame.f_code is not limited.__code__:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _raise_in(thread: int, what: type[BaseException] | None) -> None:
    """Raise an exception in a thread, or none that has not been raised yet."""
    given = None if what is None else ctypes.py_object(what)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), given)


@dataclass(eq=False)
class _Alarm(Bell):
    """A bell that the clock rings."""

    next: float = inf
    """When."""


class _Clock:
    """The alarms of a process, and the thread that waits for them."""

    def __init__(self) -> None:
        self.alarms: list[_Alarm] = []
        self.changed: SimpleQueue[None] = SimpleQueue()
        self.is_watched = Lock()

    def arm(self, alarm: _Alarm) -> None:
        """The alarm rings when its time comes, until it is off."""
        self.alarms.append(alarm)
        self.changed.put(None)
        if not self.is_watched.locked():
            start_new_thread(self.watch, ())

    def watch(self) -> None:
        """Ring the alarms whose time has come, for ever."""
        if not self.is_watched.acquire(blocking=False):  # another thread has begun at the same time
            return
        while True:
            for alarm in tuple(self.alarms):
                if not alarm.is_on:
                    self.alarms.remove(alarm)
                elif alarm.next <= monotonic():
                    is_importing = _imports(alarm.thread)
                    if not is_importing:
                        alarm.ring()
                    alarm.next = monotonic() + (SOON if is_importing else AGAIN)
            soonest = min([alarm.next for alarm in tuple(self.alarms)], default=inf) - monotonic()
            with suppress(Empty):
                self.changed.get(timeout=min(max(0.0, soonest), LOOK_AGAIN))


_clock = _Clock()


@dataclass(eq=False)
class Ending:
    """By which other threads end some work before its time is up."""

    has_come: bool = False
    alarm: _Alarm | None = None
    """That of the work, once it has begun."""

    def now(self) -> None:
        """End the work; if it has not begun, it ends when it does."""
        self.has_come = True
        if self.alarm is not None:
            self.alarm.next = 0.0
            _clock.changed.put(None)


def _after_fork() -> None:
    """The threads of a process do not come along to one that is forked off."""
    global _clock
    _clock = _Clock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

_own = threading.local()


def limited(seconds: float | None, work: Callable[[], T], ending: Ending | None = None) -> T:
    """The result of the work. Raises `TimeLimitError` if it takes longer, or is ended; None: it may take for
    ever, and is not ended.
    """
    if seconds is None:
        return work()
    end = monotonic() + seconds
    ending = ending or Ending()
    alarm, before = _Alarm(threading.get_ident(), next=end), getattr(_own, "end", inf)
    try:
        try:
            _own.end = min(before, end)
            ending.alarm = alarm
            if ending.has_come:
                raise TimeIsUp
            _clock.arm(alarm)
            return work()
        finally:
            alarm.is_on = False
            _own.end = before
            alarm.settle()
    except TimeIsUp:
        try:  # noqa: SIM105 (here, where its first step is inside)
            alarm.settle()  # another interruption may have been under way: the last
        except TimeIsUp:
            pass
        if monotonic() < end and not ending.has_come:  # that of a limit around this one
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
        raise OptionError(f"time_limit is a positive number of seconds, not {limit!r}")
    return float(min(seconds, LONGEST))


def remaining() -> float | None:
    """The seconds that are left to this thread; None: it may take for ever."""
    end = getattr(_own, "end", inf)
    return None if end == inf else end - monotonic()


def within_remaining(seconds: float | None, work: Callable[[], T]) -> T:
    """The result of work in a thread that has the time that is left to another one, which waits for it."""
    _own.end = inf if seconds is None else monotonic() + seconds
    return work()
