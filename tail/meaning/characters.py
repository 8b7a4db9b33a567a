"""Characters as arrays, as Python's text, and as bytes."""

from __future__ import annotations

import numpy as np

from aplc.tail.meaning.core import Value

LAST_ASCII = 127


def as_text(characters: Value) -> str:
    """The text of a vector; what no text can hold is replaced."""
    return characters.astype("<u4").tobytes().decode("utf-32-le", errors="replace")


def as_characters(text: str) -> Value:
    """The vector of a text."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8).astype(np.uint32)
    return np.frombuffer(text.encode("utf-32-le", errors="surrogatepass"), dtype="<u4").astype(np.uint32)


def as_utf_8(characters: Value) -> bytes:
    """The bytes of a vector; what no text can hold is replaced."""
    if characters.max(initial=0) <= LAST_ASCII:
        return characters.astype(np.uint8).tobytes()
    return as_text(characters).encode("utf-8")
