"""Places in a text as the protocol counts them: lines and columns from 0, columns in units of UTF-16."""

from __future__ import annotations

from bisect import bisect_right
from typing import TypedDict


class Position(TypedDict):
    """A place between two characters."""

    line: int
    character: int


class Range(TypedDict):
    """From one place up to another."""

    start: Position
    end: Position


class Places:
    r"""The places of a text: offsets count its characters, as Python does.

    Lines end as the protocol says, with `\n`, `\r\n` or `\r`. `encoding` is what the client counts in.
    """

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text, self.encoding = text, encoding
        self._starts = [0]
        for at, char in enumerate(text):
            if char == "\n" or (char == "\r" and text[at + 1 : at + 2] != "\n"):
                self._starts.append(at + 1)

    @property
    def last_line(self) -> int:
        """The number of the last line."""
        return len(self._starts) - 1

    def line_of(self, offset: int) -> int:
        """The line that a character stands on."""
        return bisect_right(self._starts, offset) - 1

    def start_of(self, line: int) -> int:
        """Where a line begins."""
        return self._starts[line]

    def end_of(self, line: int) -> int:
        """Where a line ends, before what ends it."""
        if line >= self.last_line:
            return len(self.text)
        return self._starts[line] + len(self.text[self._starts[line] : self._starts[line + 1]].rstrip("\r\n"))

    def position(self, offset: int) -> Position:
        """The place of an offset; of one behind the text its end."""
        offset = max(0, min(offset, len(self.text)))
        line = self.line_of(offset)
        return {"line": line, "character": self.width(self.text[self._starts[line] : offset])}

    def range(self, start: int, end: int) -> Range:
        """The range of characters."""
        return {"start": self.position(start), "end": self.position(end)}

    def offset(self, position: Position) -> int:
        """The offset of a place. One behind a line is its end, one inside of a character its beginning."""
        line = position["line"]
        if not 0 <= line <= self.last_line:
            return 0 if line < 0 else len(self.text)
        at, end, left = self._starts[line], self.end_of(line), position["character"]
        while at < end and (left := left - self.width(self.text[at])) >= 0:
            at += 1
        return at

    def width(self, text: str) -> int:
        """How many units a text on one line is long."""
        if text.isascii() or self.encoding == "utf-32":
            return len(text)
        if self.encoding == "utf-8":
            return len(text.encode(errors="replace"))
        return len(text) + sum([char > "\uffff" for char in text])
