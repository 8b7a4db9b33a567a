"""What elaboration reports about a program besides its TAIL: the types of its names, and what
`aplc explain` tells.
"""

from __future__ import annotations

from dataclasses import dataclass

from aplc.tail.source import Span
from aplc.tail.syntax import Exp


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of `aplc check`: a name, its type, and where it was assigned or used."""

    name: str
    type: str
    span: Span


@dataclass(frozen=True, slots=True)
class InOrder:
    """An operator whose function is applied to one element after the other, since it changes outer names."""

    operator: str
    names: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ItemsOf:
    """An array of arrays that an application gives."""

    value: Exp
    function: Span | None
    """The place of the function; None for an index."""
    span: Span
    """That of the whole application."""
