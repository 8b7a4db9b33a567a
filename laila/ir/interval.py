"""Intervals of numbers."""

from __future__ import annotations

from dataclasses import dataclass

from aplc.tail.types import Base


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from `low` to `high`, inclusive; none if `low > high`."""

    low: int | float
    high: int | float

    @property
    def is_empty(self) -> bool:
        """Whether there is no value at all: nothing has been written yet."""
        return self.low > self.high

    def hull(self, other: Interval) -> Interval:
        """The smallest interval around both."""
        if self.is_empty or other.is_empty:
            return other if self.is_empty else self
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def meet(self, other: Interval) -> Interval:
        """What is in both."""
        return Interval(max(self.low, other.low), min(self.high, other.high))

    def within(self, other: Interval) -> bool:
        """Whether the other interval has all values of this one."""
        return other.low <= self.low and self.high <= other.high


ANY = {base: Interval(*base.bounds) for base in Base if base.bounds is not None}
"""What a value can be of which nothing but the type is known; no interval has all doubles, because of NaN."""


FULL = ANY[Base.INT]


EMPTY = Interval(0, -1)


BITS = ANY[Base.BOOL]


EXACT = Interval(-(2**53), 2**53)
"""The integers that are doubles, and their neighbours too."""
