"""The meaning of `⎕VFI`, and of `⍎` where it reads numbers: the fields of a text that are numbers.

Fields stand between blanks; where separators are given, between any two of these, blanks around them aside. A
field of nothing between two separators is 0, and valid, as in Dyalog APL.
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from aplc.tail import faults
from aplc.tail.array_limits import require_room
from aplc.tail.meaning.characters import as_text, as_utf_8
from aplc.tail.meaning.core import Value, require
from aplc.tail.meaning.number_text import number_of, quickly

FIELD = 128
"""Bytes of a field while it is a text of its own."""


def numbers(characters: Value) -> Value:
    """`⍎characters`: the numbers between blanks."""
    found = _plain(characters)
    if found is not None:
        return found
    fields = as_text(characters).split()
    for field in fields:
        require(number_of(field) is not None, faults.NO_NUMBERS, field[:40])
    return _doubles(fields)


def valid(separators: Value, characters: Value) -> Value:
    """`⊃separators ⎕VFI characters`: which fields are numbers."""
    if not len(separators) and (found := _plain(characters)) is not None:
        return np.ones(len(found), dtype=bool)
    fields = _fields(separators, characters)
    return np.array([not field or number_of(field) is not None for field in fields], dtype=bool)


def of_fields(separators: Value, characters: Value) -> Value:
    """`⊃⌽separators ⎕VFI characters`: the numbers, 0 for a field that is none."""
    if not len(separators) and (found := _plain(characters)) is not None:
        return found
    return _doubles(_fields(separators, characters))


def _plain(characters: Value) -> Value | None:
    content = as_utf_8(characters)
    return None if b"," in content else quickly(content)


def _fields(separators: Value, characters: Value) -> list[str]:
    require_room(len(characters), FIELD)
    text = as_text(characters)
    if not len(separators):
        return text.split()
    between = re.compile(f"[{re.escape(as_text(separators))}]")
    edges = [0, *[match.end() for match in between.finditer(text)], len(text) + 1]
    return [text[begin : end - 1].strip() for begin, end in pairwise(edges)]


def _doubles(fields: list[str]) -> Value:
    return np.array([number_of(field) or 0.0 for field in fields], dtype=np.float64)
