"""What takes compilers long is done in turn: a part each day, all of it over some days.

    APLC_TESTS=all            all of it is done now, as where tests are asked for by name
    APLC_TEST_DAY=740000      what is done on the day of that number, which the first line of a run tells

These are variables of the environment.
"""

import os
from collections.abc import Sequence
from datetime import date
from hashlib import blake2b
from typing import TypeVar

Item = TypeVar("Item")

CHOICE, ALL = "APLC_TESTS", "all"
DAY = int(os.environ.setdefault("APLC_TEST_DAY", str(date.today().toordinal())))
"""That of the run, in all of its processes, also where midnight passes."""


def all_today() -> bool:
    """Whether nothing is left for other days."""
    return os.environ.get(CHOICE) == ALL


def of_today(items: Sequence[Item], parts: int) -> list[Item]:
    """One of so many parts of some items, another one each day."""
    return list(items) if all_today() else list(items[DAY % parts :: parts])


def is_turn_of(name: str, days: int) -> bool:
    """Whether something is done today, which it is on one of so many days, as if by chance: what is in turn
    for other reasons, too, meets its day then.
    """
    return (
        all_today() or int.from_bytes(blake2b(f"{DAY} {name}".encode(), digest_size=8).digest()) % days == 0
    )
