"""The meaning of `⎕FMT` with a picture: each column of a matrix in a field of its own.

A picture is phrases between commas. A phrase with data is a count, qualifiers, a letter and a width: `3I5`
three columns of whole numbers, `F8.2` two decimals, `E10.3` three significant digits, `A4` characters. The
qualifiers are `B` (a zero is blank), `C` (commas between thousands), `L` (flush left) and `Z` (zeros in
front). `X3` is blanks, `<text>` a text. The phrases begin again when they are used up; what does not fit its
field is asterisks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from aplc.tail import faults
from aplc.tail.array_limits import require_room_for
from aplc.tail.meaning.characters import as_text
from aplc.tail.meaning.core import Value, base_of_value, require
from aplc.tail.meaning.text import TEXT, format_number, lines_as_characters
from aplc.tail.types import Base

QUOTED = r"<[^>]*>|⊂[^⊃]*⊃|¨[^¨]*¨|⎕[^⎕]*⎕"
PHRASE = re.compile(
    rf"""\s* (?: (?P<text>{QUOTED})
    | (?P<count>[0-9]{{0,6}}) (?P<qualifiers>[BCLZ]*)
      (?: (?P<kind>[IA])(?P<width>[0-9]{{1,6}})
      | (?P<exact>[FE])(?P<wide>[0-9]{{1,6}})\.(?P<digits>[0-9]{{1,3}})
      | X(?P<blanks>[0-9]{{1,6}}) ) ) \s*""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Phrase:
    """One phrase: a field for a column, or a text."""

    kind: str
    """I, F, E or A; empty for a text."""
    width: int = 0
    digits: int = 0
    qualifiers: str = ""
    text: str = ""
    written: str = ""

    def field(self, value: float | str) -> str:
        """A value in this field."""
        text = value if isinstance(value, str) else self._number(value)
        if len(text) > self.width:
            return "*" * self.width
        if "Z" in self.qualifiers and not isinstance(value, str):
            sign = "¯" if text.startswith("¯") else ""
            return sign + text.removeprefix("¯").rjust(self.width - len(sign), "0")
        return text.ljust(self.width) if "L" in self.qualifiers else text.rjust(self.width)

    def _number(self, x: float) -> str:
        if "B" in self.qualifiers and x == 0:
            return ""
        text = format_number(x, -self.digits if self.kind == "E" else self.digits)
        if "C" not in self.qualifiers:
            return text
        whole, point, rest = text.partition(".")
        return re.sub(r"(?<=[0-9])(?=(?:[0-9]{3})+$)", ",", whole) + point + rest


def format_picture(picture: Value, first: Value, a: Value) -> Value:
    """Rows of characters for those of a matrix. Its first column takes the phrase with data of that number,
    from 0; texts behind a phrase belong to it.
    """
    phrases = _phrases(as_text(picture))
    rows, columns = a.shape
    used = _used(phrases, int(first), columns)
    require_room_for((rows, sum([phrase.width for phrase in used])), TEXT)
    is_text = base_of_value(a) is Base.CHAR
    parts: list[list[str]] = []
    column = 0
    for phrase in used:
        if not phrase.kind:
            parts.append([phrase.text] * rows)
            continue
        if is_text:
            require(phrase.kind == "A", faults.PHRASE_FOR_NUMBERS, phrase.written)
            parts.append([phrase.field(c) for c in as_text(a[:, column])])
        else:
            require(phrase.kind != "A", faults.PHRASE_FOR_TEXT, phrase.written)
            parts.append([phrase.field(x) for x in a[:, column].tolist()])
        column += 1
    if not rows:
        return np.empty((0, sum([phrase.width for phrase in used])), dtype=np.uint32)
    return lines_as_characters(["".join(row) for row in zip(*parts, strict=True)] or [""] * rows, (rows,))


def _phrases(picture: str) -> list[Phrase]:
    found: list[Phrase] = []
    at = 0
    while True:
        match = PHRASE.match(picture, at)
        wrong = picture[at:].strip()[:40] or "nothing"
        require(match is not None, faults.NO_PICTURE, wrong)
        assert match is not None
        at = match.end()
        require(at == len(picture) or picture[at] == ",", faults.NO_PICTURE, wrong)
        found += _phrases_of(match)
        if at == len(picture):
            return found
        at += 1


def _phrases_of(match: re.Match[str]) -> list[Phrase]:
    if match["text"] is not None:
        return [Phrase("", len(match["text"]) - 2, text=match["text"][1:-1])]
    times = int(match["count"] or 1)
    require_room_for((times,), TEXT)
    if match["blanks"] is not None:
        blanks = times * int(match["blanks"])
        return [Phrase("", blanks, text=" " * blanks)]
    kind, width = match["kind"] or match["exact"], int(match["width"] or match["wide"])
    digits = int(match["digits"] or 0)
    require(kind != "E" or digits > 0, faults.NO_PICTURE, match[0].strip())
    return [Phrase(kind, width, digits, match["qualifiers"], written=match[0].strip())] * times


def _used(phrases: list[Phrase], first: int, columns: int) -> list[Phrase]:
    """The phrases for so many columns, with the texts beside them."""
    fields = [k for k, phrase in enumerate(phrases) if phrase.kind]
    require(bool(fields), faults.NO_DATA_PHRASE)
    ends = [*fields[1:], len(phrases)]
    used: list[Phrase] = []
    for column in range(first, first + columns):
        at = column % len(fields)
        used += phrases[: fields[0]] if at == 0 else []
        used.append(phrases[fields[at]])
        used += phrases[fields[at] + 1 : ends[at]]
    return used
