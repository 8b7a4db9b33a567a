"""Numbers in texts: read at once where nothing is unusual, and one by one where something is.

`quickly` and `table_quickly` give the numbers of a text that consists of plain decimal ones, and None for any
other: what they cannot read, or must not take for good, is read again by what finds the place of a mistake.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

Value = np.ndarray[Any, Any]

INTEGER = re.compile(r"[-+¯]?[0-9]{1,4000}")
DOUBLE = re.compile(
    r"[-+¯]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[-+¯]?[0-9]+)?|inf|infinity|nan|∞)",
    re.IGNORECASE | re.ASCII,
)

IGNORED, TEXT, NUMERIC, LENIENT = 0, 1, 2, 4
"""What a column of a table holds, as ⎕CSV numbers it: nothing of interest; texts; numbers; numbers, and 0 for
what is none.
"""
COLUMN_KINDS = (IGNORED, NUMERIC, LENIENT)
HEADER = -1
"""Behind the kinds of columns: the first row has their names."""

_BLANKS, _COMMA = b" \t\n\r\v\f", b","
_OF_INTEGERS = b"0123456789+-"
_OF_DOUBLES = b"0123456789+-.eE"
MOST_DIGITS = 18
"""An integer of so many characters fits 64 bits."""
LARGE = 1 << 16
"""Bytes from which on a text is worth more than NumPy's reader, which takes 200 ns for a double."""


class Reader(Protocol):
    """What reads large texts; each function gives None for a text with anything unusual."""

    def numbers(self, content: bytes, *, integers: bool) -> Value | None:
        """The numbers of a text with single commas between them, or blanks."""

    def table(self, content: bytes, kinds: list[int]) -> Value | None:
        """The numbers of a table of comma-separated values, of columns of those kinds (one: of all)."""


class _Large:
    """Who reads large texts."""

    find: Callable[[], Reader | None] | None = None


def read_large_with(find: Callable[[], Reader | None]) -> None:
    """From now on `find` gives what reads large texts, if there is anything."""
    _Large.find = find


def _reader_for(content: bytes) -> Reader | None:
    return _Large.find() if _Large.find is not None and len(content) >= LARGE else None


def number_of(token: str) -> float | None:
    """The double that a text is, with `¯`, `∞` and `nan`, too; None where it is none."""
    if not DOUBLE.fullmatch(token):
        return None
    return float(token.replace("¯", "-").replace("∞", "inf"))


def quickly(content: bytes, *, integers: bool = False) -> Value | None:
    """The numbers of a text with single commas between them, or blanks; None where it has anything else."""
    if (reader := _reader_for(content)) is not None:
        return reader.numbers(content, integers=integers)
    allowed = (_OF_INTEGERS if integers else _OF_DOUBLES) + _BLANKS + _COMMA
    content = content.replace("¯".encode(), b"-")
    if content.translate(None, allowed):
        return None
    lengths = _token_lengths(np.frombuffer(content, np.uint8))
    if lengths is None or (integers and lengths.max(initial=0) > MOST_DIGITS):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            plain = content.translate(bytes.maketrans(_COMMA, b" "))
            numbers = np.fromstring(plain, np.int64 if integers else np.float64, sep=" ")
        except (DeprecationWarning, ValueError):
            return None  # it stopped before the end
    return numbers if len(numbers) == len(lengths) else None


def table_quickly(content: bytes, kinds: list[int]) -> Value | None:
    """The numbers of a large table of comma-separated values, a row for each line that is not empty; None
    where it has anything else, or is small.
    """
    reader = _reader_for(content)
    return None if reader is None else reader.table(content, kinds)


def _token_lengths(characters: Value) -> Value | None:
    """How long what stands between blanks and commas is; None where a comma is not between two of them, or
    not the only one.
    """
    is_comma = characters == ord(",")
    is_part = ~(is_comma | (characters == ord(" ")) | ((characters >= 9) & (characters <= 13)))
    edges = np.flatnonzero(np.diff(np.concatenate(([False], is_part, [False])).view(np.int8)))
    starts, ends = edges[::2], edges[1::2]
    commas = np.flatnonzero(is_comma)
    if len(commas):
        behind = np.searchsorted(starts, commas)
        if behind[0] == 0 or behind[-1] == len(starts) or (behind[1:] == behind[:-1]).any():
            return None
    return ends - starts
