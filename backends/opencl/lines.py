"""Lines of generated text that are no longer than one reads."""

from __future__ import annotations

import re

WIDTH = 110
STEP = 4
"""Spaces before what continues a line, beyond those before the line."""

_BREAK = re.compile(r"(?<=,) | (?=(?:[-+*/%|&^?:<>]|==|!=|<=|>=|<<|>>) )")
"""Where a line may end: behind a comma, and before an operator between two operands."""

_LEAST = "?:|^&=!<>+-*/%"
"""Operators by their first signs, those that bind least first."""


def in_short_lines(text: str) -> str:
    """A text of C without strings whose long lines are broken where the fewest parentheses are open."""
    return "\n".join([part for line in text.split("\n") for part in _parts(line)])


def _parts(line: str) -> list[str]:
    """The lines of one line; what has no place for a break is left as it is."""
    if len(line) <= WIDTH or line.lstrip().startswith("#"):
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    parts, rest, margin = [], line, indent
    while len(rest) > WIDTH and (place := _place(rest, len(margin))):
        parts.append(rest[:place])
        margin = indent + " " * STEP
        rest = margin + rest[place + 1 :]
    return [*parts, rest]


def _place(line: str, margin: int) -> int:
    """The position of the space that gives way to a new line; 0 where there is none.

    It lies in the right half of the line if one does, where the fewest parentheses are open, and before the
    operator that binds least; of such places it is the last.
    """
    depths = _depths(line)
    places = [found.start() for found in _BREAK.finditer(line, margin + STEP, WIDTH)]
    right = [place for place in places if place > (margin + WIDTH) // 2]
    return min(right or places, key=lambda place: (depths[place], _binds(line, place), -place), default=0)


def _binds(line: str, place: int) -> int:
    """How tightly what stands at a break binds its operands."""
    return -1 if line[place - 1] == "," else _LEAST.find(line[place + 1])


def _depths(line: str) -> list[int]:
    """How many parentheses are open at each position."""
    depth, depths = 0, []
    for sign in line:
        depth += (sign in "([{") - (sign in ")]}")
        depths.append(depth)
    return depths
