"""Numbers in texts: between blanks, newlines and commas, read at once where nothing is unusual.

`quickly` gives the numbers of a text that consists of plain decimal ones, and None for any other: what it cannot
read, or must not take for good, is read again by what finds the place of a mistake.
"""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np

Value = np.ndarray[Any, Any]

INTEGER = re.compile(r"[-+¯]?[0-9]{1,4000}")
DOUBLE = re.compile(
    r"[-+¯]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+¯]?[0-9]+)?|inf|infinity|nan|∞)", re.IGNORECASE
)

_BLANKS, _COMMA = b" \t\n\r\v\f", b","
_OF_INTEGERS = b"0123456789+-"
_OF_DOUBLES = b"0123456789+-.eE"
MOST_DIGITS = 18
"""An integer of so many characters fits 64 bits."""


def number_of(token: str) -> float | None:
    """The double that a text is, with `¯`, `∞` and `nan`, too; None where it is none."""
    if not DOUBLE.fullmatch(token):
        return None
    return float(token.replace("¯", "-").replace("∞", "inf"))


def quickly(content: bytes, *, integers: bool = False) -> Value | None:
    """The numbers of a text with single commas between them, or blanks; None where it has anything else."""
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
