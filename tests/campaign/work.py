"""What kinds of work share: blocks of it, what they counted, what they found."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

GENERATED, COMPARED, REJECTED = "generated", "compared", "rejected"
COLUMNS = (GENERATED, COMPARED, REJECTED)
MOST_SHRUNK = 3
"""So many findings of one sort are made small; the others are told as they are."""


@dataclass(frozen=True)
class Finding:
    """Something that is not as it must be.

    `sort` is what it has in common with others of the same cause; `file` is a name for it, with the ending
    of what `text` is.
    """

    kind: str
    sort: str
    detail: str
    file: str
    text: str


@dataclass
class Tally:
    """What a block of work gave."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True)
class Block:
    """A piece of work: everything random in it follows from the seed and the number."""

    seed: int
    number: int
    sorts: Counter[str]
    """How many findings of each sort there are already."""
    until: float = float("inf")
    """When no more is to be made small, by the clock of `time.monotonic`."""

    def random(self, of: object = "") -> Random:
        """Choices for a part of the block."""
        return Random(f"{self.seed} {self.number} {of}")

    def seconds_to_shrink(self, sort: str, most: float) -> float:
        """How long a finding of a sort may be made small."""
        if self.sorts[sort] >= MOST_SHRUNK:
            return 0.0
        return max(0.0, min(most, self.until - time.monotonic()))


@dataclass(frozen=True)
class Kind:
    """A kind of work. `share` says how much of the time it is given, beside the others."""

    name: str
    about: str
    share: float
    run: Callable[[Block], Tally]
    lack: Callable[[], str] = str
    """Why it cannot be done on this machine; empty where it can."""
