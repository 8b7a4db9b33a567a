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
    numbers = []
    for field in as_text(characters).split():
        number = number_of(field)
        require(number is not None, faults.NO_NUMBERS, field[: faults.TOLD_CHARACTERS])
        numbers.append(number)
    return np.array(numbers, dtype=np.float64)


def fields(separators: Value, characters: Value) -> tuple[Value, Value]:
    """`separators ⎕VFI characters`: which fields are numbers, and these; 0 for a field that is none."""
    if not len(separators) and (plain := _plain(characters)) is not None:
        return np.ones(len(plain), dtype=bool), plain
    texts = _fields(separators, characters)
    found = [number_of(text) for text in texts]
    valid = [not text or number is not None for text, number in zip(texts, found, strict=True)]
    numbers = [0.0 if number is None else number for number in found]
    return np.array(valid, dtype=bool), np.array(numbers, dtype=np.float64)


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
