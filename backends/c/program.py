"""A C program, and what its host must know to run it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from aplc.tail.faults import Site
from aplc.tail.types import Base

if TYPE_CHECKING:  # a program that was kept is run without the compiler
    from aplc.tail.prims import Prim


@dataclass(frozen=True, slots=True)
class ValueType:
    """The type of a value handed out: element type and rank; how it is stored, if that is not as usual."""

    base: Base
    rank: int
    storage: str = ""

    @property
    def dtype(self) -> str:
        """The name of the dtype of its elements in memory."""
        return self.storage or self.base.dtype


@dataclass(frozen=True, slots=True)
class NestedKind:
    """An array of arrays, by the types of its parts."""

    parts: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class RecordsKind:
    """An array of records, or a table, by the types of its columns, of some rank."""

    columns: tuple[Kind, ...]
    rank: int
    axis: int | None


Kind = ValueType | NestedKind | RecordsKind | tuple["Kind", ...]
"""The type of a value, or those of the components of a tuple."""


@dataclass(frozen=True, slots=True)
class Question:
    """A primitive that the host computes, with the types of what it takes and gives."""

    prim: Prim | None
    """None where a device answers."""
    arguments: tuple[Kind, ...]
    result: Kind
    site: int


@dataclass(frozen=True, slots=True)
class CProgram:
    """The text of a program, and what its host must know to run it."""

    text: str
    sites: tuple[Site, ...]
    prints: tuple[Kind, ...]
    results: tuple[ValueType, ...]
    questions: tuple[Question, ...] = ()
    is_recursive: bool = False
    has_threads: bool = False
    """Whether it needs OpenMP."""
    looks_at: tuple[int, ...] = ()
    """The inputs of which it sees for itself whether they are characters."""
    names: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """The identifiers of the text, each with the name in the program that it stands for."""
