"""What the caller decides about a program that its text does not say."""

from __future__ import annotations

from dataclasses import dataclass

TOLERANCE = 1e-14
"""⎕CT unless something else is said, as in Dyalog."""

MOST_TOLERANT = 1e-9
"""The greatest ⎕CT, as in Dyalog."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules for one program."""

    may_read: bool = True
    """Whether it may read files."""
    tolerance: float = TOLERANCE
    """⎕CT until the program sets it."""
    in_line: int = 0
    """Long definitions with several calls become functions where a program would have more items with all of
    them in line."""


def tolerance_of(value: object) -> float:
    """A number as ⎕CT. Raises `ValueError` for one that is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_TOLERANT:
        raise ValueError(f"ct is a number from 0 to {MOST_TOLERANT:g}, not {value!r}")
    return float(value)


DEFAULTS = Rules()
"""What holds where nothing else is said."""
