"""Where a piece of program text stands: sources, spans and the caret rendering of a message.

    Source  a named text (an APL file, a `.tail` file, the command line)
    Span    a half-open range of characters in a source

Every node of every representation carries a `Span | None`; positions shown to a user are 1-based
lines and columns, counted in characters. This module knows nothing about errors or languages.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

from aplc.tail.legible import excerpt, legible, shortened


@dataclass(frozen=True, eq=False)
class Source:
    """A named text. Compared by identity, so that equal texts in two files stay two sources."""

    name: str
    text: str
    _line_starts: tuple[int, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        starts = [0] + [i + 1 for i, c in enumerate(self.text) if c == "\n"]
        object.__setattr__(self, "_line_starts", tuple(starts))

    def __reduce__(self) -> tuple[Any, ...]:
        return Source, (self.name, self.text)

    def __deepcopy__(self, _: object) -> Source:
        return self  # nothing of it changes, and spans of a copy stay equal to the others

    def position(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column of a character offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of a 1-based line, without its line end."""
        start = self._line_starts[line - 1]
        last = line >= len(self._line_starts)
        end = len(self.text) if last else self._line_starts[line] - 1
        return self.text[start:end].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """The characters `start` up to, not including, `end` of a source."""

    source: Source
    start: int
    end: int
    item: str = field(default="", compare=False)
    """In which item of an array of arrays the code here works, where that is known when compiling."""
    origin: int = field(default=1, compare=False)
    """The index origin that holds here: errors count from it."""

    @property
    def line(self) -> int:
        """The 1-based line on which the span begins."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The 1-based column at which the span begins."""
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        """The characters of the span."""
        return self.source.text[self.start : self.end]

    def join(self, other: Span | None) -> Span:
        """The smallest span that covers both; `self` where the other is absent or elsewhere."""
        if other is None or other.source is not self.source:
            return self
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))

    def __str__(self) -> str:
        return f"{legible(self.source.name)}:{self.line}:{self.column}"


def cover(*spans: Span | None) -> Span | None:
    """The smallest span that covers all spans given; None where there is none."""
    result: Span | None = None
    for span in spans:
        if span is not None:
            result = span if result is None else result.join(span)
    return result


def render_caret(span: Span, note: str = "") -> str:
    """The source line of a span with carets below it and a note behind them (two lines of text).

    Of a long line only what is around the carets is shown; characters that are not printable are escaped.
    """
    line, column = span.source.position(span.start)
    text = span.source.line_text(line)
    shown, start, end = excerpt(text, column - 1, column - 1 + span.end - span.start)
    gutter = " " * len(str(line))
    carets = " " * start + "^" * max(1, end - start)
    return f"  {line} | {shown}\n  {gutter} | {carets}{' ' + shortened(note) if note else ''}"
