"""Types of TAIL, read from their texts."""

from aplc.tail.types import (
    Type,
)
from aplc.tail.unify import TypeReader


def read(text: str) -> Type:
    """The type that the whole text denotes."""
    reader = TypeReader(text)
    ty = reader.function_type()
    assert not text[reader.position :].strip(), text
    return ty
