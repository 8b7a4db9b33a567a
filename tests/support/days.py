"""What is done on some days only, as compilers take their time: over some days all of it is."""

from collections.abc import Sequence
from datetime import date
from typing import TypeVar
from zlib import crc32

Item = TypeVar("Item")


def of_today(items: Sequence[Item], parts: int) -> list[Item]:
    """One of so many parts of some items, another one each day."""
    return list(items[date.today().toordinal() % parts :: parts])


def is_turn_of(name: str, days: int) -> bool:
    """Whether something is done today, which it is once in so many days."""
    return (crc32(name.encode()) + date.today().toordinal()) % days == 0
