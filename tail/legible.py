"""Text of others as a terminal may show it: no control characters, and of a long line what is of interest.

Programs, names of files, values and what other programs say come from anywhere. Written to a terminal as they
are, escape sequences would be obeyed, a line feed would begin what looks like a line of ours, and what
reverses the direction of writing would show another text than the one that is compiled. So every message
passes through `legible`. What a program prints itself is not a message and stays as it is.
"""

from __future__ import annotations

import unicodedata

WIDTH = 100
"""The columns of a line of source that are shown."""
LONGEST = 2000
"""The characters of a message that are shown."""
CUT = "…"


def legible(text: str, keep: str = "") -> str:
    r"""The text with everything that is not printable escaped (`\x1b`, `\u202e`), but for what is to be kept.

    >>> legible("\33[31m⍳\n")
    '\\x1b[31m⍳\\n'
    """
    if text.isprintable():
        return text
    return "".join([c if c.isprintable() or c in keep else _escaped(c) for c in text])


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text, legible; its beginning and its end where it is too long."""
    if len(text) <= longest:
        return legible(text)
    half = longest // 2
    return f"{legible(text[:half])} {CUT} {legible(text[-half:])}"


def _cell(char: str) -> tuple[str, int]:
    """How a character is shown, and the columns it takes; a tab takes one."""
    if char == "\t":
        return " ", 1
    if not char.isprintable():
        escaped = _escaped(char)
        return escaped, len(escaped)
    if char.isascii():
        return char, 1
    if unicodedata.category(char) in ("Mn", "Me"):
        return char, 0
    return char, 2 if unicodedata.east_asian_width(char) in "WF" else 1


def excerpt(line: str, start: int, end: int, width: int = WIDTH) -> tuple[str, int, int]:
    """What is shown of a line where the characters from `start` to `end` are of interest: at most `width`
    columns, and marks where it is cut; and the columns where these characters begin and end in it.

    `start` may be one behind the line. The work does not grow with the line.
    """
    first = max(0, start - width)
    cells = [_cell(char) for char in line[first : start + width]]
    at = min(start - first, len(cells))
    marked = min(end, start + width) - first
    low, high = _window([columns for _, columns in cells], at, marked, width)
    head = f"{CUT} " if first + low > 0 else ""
    tail = f" {CUT}" if first + high < len(line) else ""
    shown = "".join([text for text, _ in cells[low:high]])
    column = len(head) + sum([columns for _, columns in cells[low:at]])
    stop = column + sum([columns for _, columns in cells[at : min(marked, high)]])
    return head + shown + tail, column, stop


def _window(columns: list[int], at: int, marked: int, width: int) -> tuple[int, int]:
    """Which cells are shown: those from `at` to `marked` as far as they fit, then as many on either side."""
    low = high = at
    room = width
    while high < min(marked, len(columns)) and columns[high] <= room:
        room -= columns[high]
        high += 1
    if high < min(marked, len(columns)):
        return low, high
    before, after = room // 2, room - room // 2
    left, right = sum(columns[:low]), sum(columns[high:])
    if left < before:
        after += before - left
    elif right < after:
        before += after - right
    while low > 0 and columns[low - 1] <= before:
        low -= 1
        before -= columns[low]
    while high < len(columns) and columns[high] <= after:
        after -= columns[high]
        high += 1
    while 0 < low < at and columns[low] == 0:  # what combines with a character that is cut off
        low += 1
    return low, high
