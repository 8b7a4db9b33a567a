"""Texts in UTF-8 as vectors of code points, and back, many at a time."""

from __future__ import annotations

import numpy as np

from aplc.interchange.given import UnfitValue, Value

ASCII = 128


def code_points(data: Value, starts: Value, lengths: Value) -> tuple[Value, Value, Value]:
    """The characters of texts that lie in some bytes, and where each text lies in the characters.

    The places are within the bytes. Raises `UnfitValue` for what is not UTF-8.
    """
    if not data.size or data.max() < ASCII:
        return data.astype(np.uint32), starts, lengths
    ends = starts + lengths
    try:
        characters = data.tobytes().decode()
    except UnicodeDecodeError as failure:
        is_there = (starts <= failure.start) & (failure.start < ends)
        if is_there.any():
            raise _not_utf8(int(is_there.argmax())) from None
        return code_points(_only(data, starts, ends), starts, lengths)
    begins = np.ones(data.size + 1, np.bool_)
    np.not_equal(data & 0xC0, 0x80, out=begins[:-1])
    is_whole = (begins[starts] & begins[ends]) | (lengths == 0)
    if not is_whole.all():
        raise _not_utf8(int(is_whole.argmin()))
    before = np.zeros(data.size + 1, np.int64)
    np.cumsum(begins[:-1], out=before[1:])
    elements = np.frombuffer(characters.encode("utf-32-le"), np.uint32)
    return elements, before[starts], before[ends] - before[starts]


def _only(data: Value, starts: Value, ends: Value) -> Value:
    """The bytes of texts, with zeros between them."""
    changes = np.zeros(data.size + 1, np.int64)
    np.add.at(changes, starts, 1)
    np.subtract.at(changes, ends, 1)
    return np.where(np.cumsum(changes)[:-1] > 0, data, np.uint8(0))


def _not_utf8(k: int) -> UnfitValue:
    return UnfitValue("DOMAIN ERROR", f"has bytes in item {k} that are no text in UTF-8")


def utf8(characters: Value, offsets: Value) -> tuple[Value, Value]:
    """The bytes of characters, and where each text ends and begins in them; `offsets` are those places in the
    characters. Raises `UnfitValue` for halves of characters, which UTF-8 does not have.
    """
    if not characters.size or characters.max() < ASCII:
        return characters.astype(np.uint8), offsets
    if ((characters >= 0xD800) & (characters < 0xE000)).any():
        raise UnfitValue("DOMAIN ERROR", "holds halves of UTF-16, which no text in UTF-8 has")
    lengths = 1 + (characters >= 0x80) + (characters >= 0x800) + (characters >= 0x10000).astype(np.int64)
    before = np.zeros(characters.size + 1, np.int64)
    np.cumsum(lengths, out=before[1:])
    data = characters.astype("<u4").tobytes().decode("utf-32-le").encode()
    return np.frombuffer(data, np.uint8), before[offsets]
