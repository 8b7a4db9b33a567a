"""What lowering decides about memory, as data for `aplc explain`: which arrays are written, and why.

An array that is not written is computed at its use. So only what is written is noted, under the name of its
buffer, with the place of the array in the source. The loops of reductions are noted under the name of their
index, scalars of the host under their own: these names stay when later passes change or join statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from aplc.laila.ir.scalar import Buffer, Exp, Var
from aplc.tail.source import Span

RESULT = "it is a result"
PRINTED = "it is printed"
MANY_TIMES = "wants its elements many times"
"""Behind the symbol of who does."""
ERRORS = "elements of it may be left out, and their errors must come all the same"
NEXT_ROUND = "it is the state of the next round of a loop"
FIRST_ROUND = "it is the state of the first round of a loop"
OWN_MEMORY = "it is changed in place"
BEFORE_CHANGE = "the array that it is a part of is changed in place while it lives on"


def used_twice(sinks: int, cost: int) -> str:
    """An array that several places want, for which recomputing costs more than memory."""
    return f"its elements go to {sinks} places and take about {cost} operations each"


@dataclass(frozen=True, slots=True)
class Written:
    """An array that is written: its place, and why."""

    span: Span | None
    why: str


Descriptor = Literal["uniform", "offsets", "spans"]
"""Where items are: at places that follow from their index; one behind the other, from where each ends;
anywhere, by starts and lengths.
"""
ENDS = "it says where items end"
ONE_SHAPE = "all items have one shape"
COUNTED = "lengths are counted first"
LIKE_OTHERS = "lengths are those of other items, whose ends are used again"
KEPT = "each is what is kept of a vector"
APPENDED = "lengths are known when items are made"
DEEP = "items are arrays of arrays, appended part by part"


@dataclass(frozen=True, slots=True)
class Items:
    """The items that a function makes: how they are found, why so, and where they are."""

    span: Span | None
    descriptor: Descriptor
    why: str
    places: tuple[Buffer, ...]
    """The memory that was written to find them."""
    values: tuple[tuple[Buffer, Exp], ...]
    """That of their elements, and how many; none if they are computed where they are used."""
    repeated: bool
    """Whether they are made in a loop or a function of the program, perhaps many times."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The application that is being lowered: its place and its symbol."""

    span: Span | None = None
    symbol: str = ""


@dataclass(slots=True)
class Decisions:
    """The decisions of one lowering."""

    subject: Subject = Subject()
    written: dict[str, Written] = field(default_factory=dict)
    """What each buffer holds."""
    places: dict[str, Span] = field(default_factory=dict)
    """Where the reductions and scalars stand that have these indices and names."""
    items: list[Items] = field(default_factory=list)
    """The arrays of items that functions make, in the order of lowering."""

    @contextmanager
    def about(self, span: Span | None, symbol: str = "") -> Iterator[None]:
        """What is decided inside concerns the application, or the expression, at that place."""
        outer = self.subject
        self.subject = Subject(span or outer.span, symbol)
        yield
        self.subject = outer

    def computed(self, buffer: Buffer) -> None:
        """A buffer for what the application at hand computes itself."""
        symbol = self.subject.symbol
        self.written[buffer.name] = Written(
            self.subject.span, f"{symbol} computes it as a whole" if symbol else "it is needed as a whole"
        )

    def kept(self, buffer: Buffer, span: Span | None, why: str) -> None:
        """A buffer that was filled with the elements of an array."""
        if span is None and not why and buffer.name in self.written:
            return
        symbol = self.subject.symbol
        needed = f"{symbol} needs it in memory" if symbol else "it is needed in memory"
        self.written[buffer.name] = Written(span or self.subject.span, why or needed)

    def ends(self, *buffers: Buffer) -> None:
        """Buffers that say where the items of the array at hand are."""
        for buffer in buffers:
            self.written.setdefault(buffer.name, Written(self.subject.span, ENDS))

    def wanted(self) -> str:
        """The reason of who wants elements many times."""
        return f"{self.subject.symbol or 'a function'} {MANY_TIMES}"

    def place(self, var: Var, span: Span | None = None) -> None:
        """The index of a reduction, or a scalar, belongs to a place; to the application at hand, if not
        given.
        """
        where = span or self.subject.span
        if where is not None:
            self.places[var.name] = where

    def close(self, buffers: Iterable[Buffer]) -> None:
        """Forget the buffers of what was tried and given up."""
        names = {b.name for b in buffers}
        self.written = {name: each for name, each in self.written.items() if name in names}
