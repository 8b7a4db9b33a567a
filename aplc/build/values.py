"""What crosses the border of a built function, and how C spells it.

    Flat    a scalar or an array: its elements in row-major order, and its extents
    Lists   a vector of vectors: all elements one behind the other, and where each item begins

Everything else that a function may take or give has no form here, and is an `Unsupported`.
"""

from __future__ import annotations

from dataclasses import dataclass

from aplc.tail.errors import unsupported
from aplc.tail.types import Array, Base, Func, Nested, Tuple, Type, base_of, rank_of

C_NAMES = {
    Base.INT: "int64_t",
    Base.DOUBLE: "double",
    Base.BOOL: "bool",
    Base.CHAR: "char32_t",
}
"""The types of elements as a caller knows them; complex numbers are a structure of the library."""
PLURALS = {
    Base.INT: "ints",
    Base.DOUBLE: "doubles",
    Base.COMPLEX: "complexes",
    Base.BOOL: "bools",
    Base.CHAR: "chars",
}
"""The beginnings of the names of structures."""
MOST_AXES = 8


@dataclass(frozen=True, slots=True)
class Flat:
    """A scalar (of rank 0) or an array."""

    base: Base
    rank: int

    @property
    def parts(self) -> int:
        """How many flat arrays the program sees."""
        return 1

    @property
    def structure(self) -> str:
        """The end of the name of its structure."""
        return PLURALS[self.base] + ("" if self.rank == 1 else str(self.rank))


@dataclass(frozen=True, slots=True)
class Lists:
    """A vector of vectors."""

    base: Base

    @property
    def parts(self) -> int:
        """The places of the items, their lengths, the elements."""
        return 3

    @property
    def structure(self) -> str:
        """The end of the name of its structure."""
        return f"lists_of_{PLURALS[self.base]}"


Shape = Flat | Lists


def shapes_of(ty: Type) -> list[Shape]:
    """The values that a value of a type is for a caller. Raises `Unsupported`."""
    match ty:
        case Nested(item=Array() as item, rank=rank) if rank.const == 1 and item.rank.const == 1:
            if not rank.terms and not item.rank.terms and isinstance(item.base, Base):
                return [Lists(item.base)]
            raise unsupported(f"a value of type {ty} in a library", None)
        case Nested():
            raise unsupported(
                f"a value of type {ty} in a library", None, "vectors of vectors are what it can take and give"
            )
        case Tuple(items=items):
            return [shape for item in items for shape in shapes_of(item)]
        case Func():
            raise unsupported("a function as a value", None)
        case _:
            rank = rank_of(ty)
            if rank.terms or rank.const > MOST_AXES:
                raise unsupported(f"a value of type {ty} in a library", None)
            return [Flat(base_of(ty), rank.const)]
