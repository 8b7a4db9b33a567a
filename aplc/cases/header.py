"""The header of a file: comments that say what it takes and what it must show.

    ⍝ == input v int 3: 1 2 3
    ⍝ == output 6

`docs/samples.md` is the format. Nothing is run here: see `running`.

    read_header(data, name)  what a file states, or `HeaderError` with the line at fault
    inputs_of(source)        the inputs of its first case, for those who only run it or ask for its types
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from aplc.cases.structure import STRUCTURE_KEYS
from aplc.command_line import nearest
from aplc.inputs import Input, as_input
from aplc.tail.errors import CompileError, Diagnostic
from aplc.tail.source import Source, Span

DIRECTIVES = ("case", "input", "output", "json", "error", "structure", "xfail")


class HeaderError(CompileError):
    """A header that does not keep to the format."""


@dataclass(frozen=True, slots=True)
class ExpectedError:
    """A line `error LINE:COLUMN KIND: fragment of the message`."""

    line: int
    column: int
    kind: str
    fragment: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column} {self.kind}: …{self.fragment}…"

    def agrees(self, diagnostic: Diagnostic) -> bool:
        """Whether this is the error that was expected."""
        span = diagnostic.span
        where = span and (span.line, span.column)
        right_place = where == (self.line, self.column)
        return right_place and diagnostic.kind == self.kind and self.fragment in diagnostic.message


@dataclass(slots=True)
class Case:
    """One run of a program: its inputs and all that it must show."""

    title: str = ""
    inputs: dict[str, Input] = field(default_factory=dict)
    output: list[str] | None = None
    json: list[dict[str, Any]] = field(default_factory=list)
    errors: list[ExpectedError] = field(default_factory=list)

    @property
    def signature(self) -> str:
        """What of the inputs a program is compiled for."""
        return ", ".join([f"{name} {given.type} {given.storage}" for name, given in self.inputs.items()])

    @property
    def expects_something(self) -> bool:
        """Whether there is anything that could fail."""
        return self.output is not None or bool(self.json) or bool(self.errors)


@dataclass(slots=True)
class Header:
    """What a file says of itself."""

    cases: list[Case] = field(default_factory=list)
    structure: dict[str, int] = field(default_factory=dict)
    xfail: str = ""


def read_header(data: bytes, name: str) -> Header:
    """The header of a file, which must expect something in each of its cases. Raises `HeaderError`."""
    header = _parsed(data, name)
    if not all(each.expects_something for each in header.cases):
        message = "a file with cases expects output, json or an error, in each of them"
        raise _wrong(data, name, 1, message)
    return header


def inputs_of(source: Source, *, types_only: bool = False) -> dict[str, Input]:
    """The inputs of the first case of a file that is only run, or arrays of their types that have no
    elements. What does not look like the statement of an input is a comment like any other. Raises
    `HeaderError`.
    """
    found: dict[str, Input] = {}
    cases = 0
    for number, line in enumerate(source.text.split("\n"), start=1):
        if not line.startswith("⍝"):
            break
        words = _DIRECTIVE.fullmatch(line)
        if words is None:
            continue
        cases += words[1] == "case"
        if cases > 1:
            break
        if words[1] == "input" and _INPUT.fullmatch(words[2] or ""):
            try:
                found |= dict([_read_input(words[2], types_only=types_only)])
            except (ValueError, TypeError) as wrong:
                raise _wrong(source.text.encode(), source.name, number, str(wrong)) from None
    return found


def _wrong(data: bytes, name: str, number: int, message: str) -> HeaderError:
    """The error of a line, by its number."""
    source = Source(name, _text(data))
    lines = source.text.split("\n")
    start = sum([len(line) + 1 for line in lines[: number - 1]])
    span = Span(source, start, start + len(lines[number - 1].rstrip("\r")))
    return HeaderError(Diagnostic("HEADER ERROR", message, span))


def _text(data: bytes) -> str:
    text = data.decode("utf-8-sig", errors="replace")
    return "⍝!" + text.removeprefix("#!") if text.startswith("#!") else text


def _parsed(data: bytes, name: str) -> Header:
    header, common = Header(), Case()
    for number, word, rest in _directives(data, name):
        try:
            if word == "case":
                if common.expects_something:
                    raise ValueError("what is expected stands below its case")
                header.cases.append(Case(rest.strip(), dict(common.inputs)))
            else:
                _directive(header, header.cases[-1] if header.cases else common, word, rest)
        except (ValueError, KeyError, TypeError) as wrong:
            raise _wrong(data, name, number, str(wrong)) from None
    header.cases = header.cases or [common]
    return header


def _directives(data: bytes, name: str) -> Iterator[tuple[int, str, str]]:
    """The lines `⍝ == WORD REST` of the header: number, word, and the rest behind one blank."""
    in_header = True
    for number, line in enumerate(_text(data).split("\n"), start=1):
        in_header = in_header and line.startswith("⍝")
        if found := _DIRECTIVE.fullmatch(line):
            if not in_header:
                raise _wrong(data, name, number, "the header ends at the first line of program")
            yield number, found.group(1) or "", found.group(2) or ""


def _directive(header: Header, case: Case, word: str, rest: str) -> None:
    """Add what one line says to the header or to its case; ValueError if it says nothing."""
    match word:
        case "input":
            case.inputs |= dict([_read_input(rest)])
        case "output":
            case.output = [*(case.output or []), rest.rstrip()]
        case "json":
            value = json.loads(rest)
            if not isinstance(value, dict):
                raise ValueError("an object is expected, {…}")
            case.json.append(value)
        case "error":
            case.errors.append(_read_error(rest))
        case "structure":
            header.structure |= _read_structure(rest)
        case "xfail":
            header.xfail = rest.strip()
            if not header.xfail:
                raise ValueError("xfail needs its reason")
        case _:
            near = nearest(word, DIRECTIVES)
            meant = f"; did you mean {near}?" if near else f"; there are {', '.join(DIRECTIVES)}"
            raise ValueError(f"there is no directive {word or '(none)'}{meant}")


_DIRECTIVE = re.compile(r"⍝ ==(?: (\w+)(?: (.*))?)?\r?")
_DTYPES = {"int": "int64", "double": "float64", "bool": "bool", "char": "<U1"}
_INPUT = re.compile(r"([^\s:]+) +([a-z]\w*)((?: +\d+)*) *:(.*)")
_ERROR = re.compile(r"(\d+):(\d+) ([A-Z][A-Z ]*[A-Z]): (.+)")


def _read_input(text: str, *, types_only: bool = False) -> tuple[str, Input]:
    """`NAME dtype shape: data`; no shape for a scalar; `arange` for 0, 1, 2 … in data."""
    found = _INPUT.fullmatch(text)
    if found is None:
        raise ValueError("an input is written NAME dtype shape: data")
    name, dtype, shape, data = found[1], np.dtype(_DTYPES.get(found[2], found[2])), found[3], found[4].strip()
    extents = tuple([int(n) for n in shape.split()])
    if types_only:
        return name, as_input(np.zeros((0,) * len(extents), dtype))
    count = math.prod(extents)
    if data == "arange":
        array = np.arange(count).astype(dtype)
    elif dtype.kind == "U":
        if len(data) < 2 or data[0] != "'" or data[-1] != "'":
            raise ValueError("characters are written in quotes")
        array = np.array(list(data[1:-1]), dtype)
    else:
        readers: dict[str, Callable[[str], Any]] = {"f": float, "c": _complex}
        number = readers.get(dtype.kind, int)
        array = np.array([number(item.replace("¯", "-")) for item in data.split()], dtype)
    if array.size != count:
        raise ValueError(f"{name} has {array.size} elements, its shape {count}")
    return name, as_input(array.reshape(extents))


def _complex(text: str) -> complex:
    return complex(*[float(part) for part in text.split("J")])


def _read_error(text: str) -> ExpectedError:
    found = _ERROR.fullmatch(text.strip())
    if found is None:
        raise ValueError("an error is written LINE:COLUMN KIND: fragment of the message")
    return ExpectedError(int(found[1]), int(found[2]), found[3], found[4])


def _read_structure(text: str) -> dict[str, int]:
    """`{loops 1, allocs 0}`"""
    found = re.fullmatch(r"\{(.*)\}", text.strip())
    entries = [entry.split() for entry in found[1].split(",")] if found else []
    if not entries or not all(len(e) == 2 and e[0] in STRUCTURE_KEYS and e[1].isdigit() for e in entries):
        raise ValueError(f"a structure is written {{KEY N, …}} with the keys {', '.join(STRUCTURE_KEYS)}")
    return {key: int(count) for key, count in entries}
