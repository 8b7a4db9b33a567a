"""One statement as the grammar leaves it: lists of items with colons and semicolons between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from aplc.apl_front.syntax.annotations import Annotations
from aplc.apl_front.syntax.ast import Item, Statement
from aplc.tail.source import Span, cover


@dataclass(slots=True)
class Fields:
    """Lists of items with the marks (`:` or `;`) between them, at least one list."""

    parts: list[list[Item]]
    marks: list[Span]

    @property
    def span(self) -> Span | None:
        """From the first item or mark to the last; None where there is none."""
        return cover(*[item.span for part in self.parts for item in part], *self.marks)


class Reading(Protocol):
    """A text that is being read: what its comments claim, and to whom mistakes are told."""

    annotations: Annotations

    def report(self, message: str, span: Span) -> None:
        """A mistake."""

    def refuse(self, what: str, span: Span) -> None:
        """What is right APL and not supported."""


def statement_of(fields: Fields, reading: Reading) -> Statement | None:
    """The statement that the fields are; None where there are none."""
    guard = tuple(fields.parts[0]) if fields.marks else None
    span = fields.span
    if span is None:
        return None
    annotation = reading.annotations.statements.get(span.start)
    return Statement(tuple(fields.parts[-1]), span, guard, annotation)
