"""Whether an array can exist: the one place that decides it, for the interpreter and for what hosts compute.

An array can exist if the product of its extents, of which zeros count as one, has an address for each
element, and its bytes fit the memory of the machine. So an empty array may not have just any other extents:
those of what is made of it multiply, too. Where a run has a limit, all its arrays together fit that.
`aplc_count` and `aplc_alloc` of `rts/aplc.h` decide the same for compiled programs.

A meaning asks before it makes an array that may be larger than its arguments. The interpreter says which
arrays live. The limit is that of the thread, as meanings know nothing of the run that they are part of.
"""

from __future__ import annotations

import math
import os
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from aplc.tail import faults
from aplc.tail.faults import FaultRaised, count_of_elements

ADDRESSABLE = 2**47
"""More elements than this have no addresses."""
WORD = 8
"""The bytes of an element, for those who do not say."""


@cache
def machine_memory() -> int:
    """The bytes of memory that this machine has."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return ADDRESSABLE * WORD


class Room:
    """The bytes that a run may hold, and those it holds."""

    def __init__(self, limit: int) -> None:
        self.limit, self.held = limit, 0
        self._known: dict[int, weakref.ref[Any]] = {}

    @property
    def left(self) -> int:
        """How many bytes more it may have."""
        return max(0, self.limit - self.held)

    def give(self, array: np.ndarray[Any, Any]) -> None:
        """The memory of an array is not the run's."""
        self._follow(array, 0)

    def hold(self, array: np.ndarray[Any, Any]) -> None:
        """The memory of an array is the run's for as long as anything shows it. Raises `FaultRaised`."""
        owner = self._follow(array, None)
        if self.held > self.limit:
            raise FaultRaised(faults.NO_MEMORY, count_of_elements(int(owner.size)))

    def _follow(self, array: np.ndarray[Any, Any], size: int | None) -> np.ndarray[Any, Any]:
        """The array whose memory another one shows; its bytes count from now on until it ends."""
        owner = array
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        key = id(owner)
        if key not in self._known:
            taken = owner.nbytes if size is None else size

            def ended(_: weakref.ref[Any]) -> None:
                self.held -= taken
                del self._known[key]

            self._known[key] = weakref.ref(owner, ended)
            self.held += taken
        return owner


class _Current(threading.local):
    room: Room | None = None


_current = _Current()


@contextmanager
def limited(room: Room | None) -> Iterator[None]:
    """Inside, arrays of this thread must fit the room."""
    before, _current.room = _current.room, room
    try:
        yield
    finally:
        _current.room = before


def require_room(count: int, element: int = WORD) -> None:
    """WS FULL for a number of elements, of so many bytes, that have no room."""
    require_room_for((count,), element)


def require_room_for(extents: Sequence[int], element: int = WORD) -> None:
    """WS FULL for an array that has no room, or cannot exist."""
    whole = math.prod([max(1, n) for n in extents])
    size = 0 if 0 in extents else whole * element
    most = machine_memory() if _current.room is None else min(_current.room.left, machine_memory())
    if whole >= ADDRESSABLE or size > most:
        raise FaultRaised(faults.NO_MEMORY, count_of_elements(whole, is_empty=0 in extents))
