"""Arrays that a command line gives: `--input NAME=…`, where `…` is a file, a value of JSON, or APL text.

NAME=FILE.npy               the array of the file
NAME=FILE.csv[:COLUMN]      a column of it, the one called NAME if none is asked for; also .parquet, .npz
FILE.csv                    each column that the program uses, by its name; also .parquet, .npz
NAME=FILE.json, NAME=[…]    a value of JSON
NAME=100, NAME='1 2 3'      the value of an APL expression
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from aplc.command_line import UsageError
from aplc.inputs import APL_NAME, Input, UnfitArray, UnfitValue, UnusedInput, as_input, decode
from aplc.interchange.given import input_of
from aplc.tail.errors import AplcError, CompileError, Diagnostic
from aplc.tail.npy import FAILURES, Npy, fault
from aplc.tail.regular import open_regular
from aplc.tail.source import Source, Span

if TYPE_CHECKING:  # most programs start faster without it
    from aplc.interchange.tables import Table

JSON_BEGINS = ("[", '"', "{")
"""How a text of JSON begins where a file could be named instead."""
TABLE = r"(?is)(.+\.(?:csv|npz|parquet))(?::(.*))?"
"""Patterns are compiled where they are used: most programs are given no inputs."""
NUMBERS = r"¯?[0-9]{1,18}(?: +¯?[0-9]{1,18})*"
OPTION = "--input "
NO_PROGRAM = r"'[^'\n]*'|\"[^\"\n]*\"|⍝[^\n]*"
"""Texts and comments."""
FILES = r"(?i)(?:^|=)([^=]+\.(?:npy|json|csv|npz|parquet))(?=:|$)"
"""The files in an argument, by their endings."""
LIKE_A_FILE = r"[\w~.-]*(?:/|\w\.[^\W\d])[\w~./-]*"
MOST_NAMES = 12


@dataclass
class Given:
    """What a command line gives, by name. A file of columns is read once."""

    sources: Sequence[Source] | None
    """The texts of the program, which say what of a table is used; without any, in a session, all is."""
    header_only: bool = False
    """Whether arrays of the same type and shape will do, whose elements may mean nothing."""
    files: bool = True
    """Whether files may be read; without them an input is NAME=[…] or NAME=100."""
    option: str = OPTION
    place: str = "command line"
    """What stands before an argument, and where, as errors show it."""
    found: dict[str, Input] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    """Where the names stand in the command line."""
    _tables: dict[str, Table] = field(default_factory=dict)

    def take(self, argument: str) -> None:
        """Read what an argument gives. Raises `UsageError`, and `CompileError` with the position in it, or in
        the file.
        """
        for name, span, value in self._read(argument):
            if name in self.found:
                raise UsageError(f"--input {name} is given twice")
            self.found[name], self.spans[name] = value, span

    def _read(self, argument: str) -> Iterator[tuple[str, Span, Input]]:
        source = Source(self.place, self.option + argument)
        start, end = len(self.option), len(source.text)
        name, equals, text = argument.partition("=")
        if self.files and (table := re.fullmatch(TABLE, argument)) and table[2] is None and not equals:
            yield from self._used_columns(argument, Span(source, start, end))
            return
        if not equals or not name or not text:
            message = "an input is written NAME=FILE.npy (.csv, .npz, .parquet, .json), NAME=[…] or NAME=100"
            raise _wrong("SYNTAX ERROR", message, Span(source, start, end))
        where = Span(source, start, start + len(name))
        if not APL_NAME.fullmatch(name):
            raise _wrong("SYNTAX ERROR", f"{name} is no APL name", where)
        yield name, where, self._value(name, text, Span(source, where.end + 1, end))

    def _value(self, name: str, text: str, span: Span) -> Input:
        if text.startswith(JSON_BEGINS) or (self.files and text.lower().endswith(".json")):
            return _from_json(text, span)
        if not self.files:
            return _from_apl(name, text, span)
        if table := re.fullmatch(TABLE, text):
            return self._column(table[1], table[2] or name, span)
        if re.fullmatch(NUMBERS, text):
            numbers = np.array([int(each.replace("¯", "-")) for each in text.split()], np.int64)
            return as_input(numbers if numbers.size > 1 else numbers.reshape(()))
        if text.lower().endswith(".npy") or os.path.exists(text.partition("\0")[0]):
            return _from_npy(text, span, header_only=self.header_only)
        return _from_apl(name, text, span)

    # --- files of columns ---

    def _used_columns(self, path: str, span: Span) -> Iterator[tuple[str, Span, Input]]:
        """The columns that the program uses and nothing else gives."""
        names = self._table(path, span).names
        if not names:
            message = f"the columns of {path} have no names; NAME={path} is all of it"
            raise _wrong("VALUE ERROR", message, span)
        used = {*filter(APL_NAME.fullmatch, names)} if self.sources is None else names_used(self.sources)
        chosen = [name for name in names if name in used and name not in self.found]
        if not chosen:
            shown = ", ".join(names[:MOST_NAMES]) + (" …" if len(names) > MOST_NAMES else "")
            what = "the program uses no column" if self.sources is not None else "no name of APL is a column"
            raise _wrong("VALUE ERROR", f"{what} of {path}: {shown}", span)
        for name in chosen:
            yield name, span, self._column(path, name, span)

    def _column(self, path: str, name: str, span: Span) -> Input:
        from aplc.interchange import tables  # noqa: PLC0415 (most programs start faster without it)

        table = self._table(path, span)
        with _told(path, span):
            return tables.column(path, table, name)

    def _table(self, path: str, span: Span) -> Table:
        from aplc.interchange import tables  # noqa: PLC0415 (most programs start faster without it)

        if path not in self._tables:
            with _told(path, span):
                self._tables[path] = tables.table(path, decode)
        return self._tables[path]

    def told(self, error: UnusedInput) -> UnusedInput:
        """The error with the places of the names in the command line, and what may have been meant."""
        from difflib import get_close_matches  # noqa: PLC0415 (for errors only)

        names = {found[0] for source in self.sources or () for found in _names(source)} - set(self.found)
        told = []
        for name in error.names:
            near = get_close_matches(name, sorted(names), 1)
            message = f"the program does not use the input {name}"
            message += f"; did you mean {near[0]}?" if near else ""
            told.append(Diagnostic("VALUE ERROR", message, self.spans.get(name)))
        return UnusedInput(told, error.names)


def read_input(argument: str) -> tuple[str, Input]:
    """The name and the array of one argument that names it. Raises `CompileError`."""
    given = Given(())
    given.take(argument)
    return next(iter(given.found.items()))


def names_used(sources: Sequence[Source]) -> set[str]:
    """The names that a program mentions before it gives them a value, more or less: its text decides."""
    used: set[str] = set()
    given: set[str] = set()
    for source in sources:
        for found in _names(source):
            if re.compile(" *←").match(found.string, found.end()):
                given.add(found[0])
            elif found[0] not in given:
                used.add(found[0])
    return used


def _names(source: Source) -> Iterator[re.Match[str]]:
    """Where names stand in a program, outside of texts and comments."""
    return APL_NAME.finditer(re.sub(NO_PROGRAM, " ", source.text))


def _wrong(kind: str, message: str, span: Span) -> CompileError:
    return CompileError(Diagnostic(kind, message, span))


@contextmanager
def _told(what: str, span: Span) -> Iterator[None]:
    """Whatever is wrong with a file, told at its place in the command line."""
    from aplc.interchange.tables import WrongFile  # noqa: PLC0415 (most programs start faster without it)

    try:
        yield
    except UnfitValue as unfit:
        raise _wrong(unfit.kind, f"{what} {unfit}", span) from None
    except (WrongFile, UnfitArray, OSError, MemoryError) as failure:
        message = str(failure) if isinstance(failure, WrongFile) else str(fault(what, failure).values[0])
        raise _wrong("FILE ERROR", message, span) from None


def _from_npy(path: str, span: Span, *, header_only: bool) -> Input:
    """The array of a file, read, or mapped and watched: see Note [Read or mapped]."""
    try:
        with Npy.open(path) as npy:
            if header_only:
                return input_of(*npy.stand_in())
            if npy.is_mappable:
                from aplc.backends.native.mapped import watch  # noqa: PLC0415 (for large files only)

                base, elements = npy.mapped()
                gone = Diagnostic("FILE ERROR", f"{path} was cut short while it was read", span)
                if watch(elements, gone.render()):
                    return replace(input_of(base, elements), is_mapped=True)
            return input_of(*npy.read())
    except FAILURES as failure:
        raise _wrong("FILE ERROR", str(fault(path, failure).values[0]), span) from None


def _from_json(path: str, span: Span) -> Input:
    """The array of a text of JSON, or of a file of such."""
    from aplc.interchange.json_values import of_json  # noqa: PLC0415 (most programs start faster without it)

    what, text = "this", path
    try:
        if not path.startswith(JSON_BEGINS):
            what = path
            with open_regular(path) as file:
                text = decode(file.read(), path).text
        return of_json(text)
    except UnfitValue as unfit:
        raise _wrong(unfit.kind, f"{what} {unfit}", span) from None
    except UnfitArray as unfit:
        message = f"{what} holds {unfit}, a program needs numbers or single characters"
        raise _wrong("DOMAIN ERROR", message, span) from None
    except ValueError as failure:
        raise _wrong("FILE ERROR", f"{what} is no value of JSON: {failure}", span) from None
    except OSError as failure:
        raise _wrong("FILE ERROR", str(fault(path, failure).values[0]), span) from None


def _from_apl(name: str, text: str, span: Span) -> Input:
    """The value of an APL expression, which uses no other names and reads no files."""
    from aplc.repl.session import Session  # noqa: PLC0415 (most programs start faster without it)

    def nothing(*_: object) -> None:
        """What the expression prints is of no interest."""

    try:
        return Session(nothing, show_text=nothing).value_of(text)
    except AplcError as error:
        told = [_moved(each, text, span) for each in error.diagnostics]
        if is_path := re.fullmatch(LIKE_A_FILE, text):
            told = [replace(told[0], message=f"there is no file {is_path[0]}", kind="FILE ERROR", span=span)]
        raise CompileError(told) from None


def _moved(diagnostic: Diagnostic, text: str, span: Span) -> Diagnostic:
    """An error in an expression, told at the place in the command line where the expression stands."""
    place = diagnostic.span
    if place is None:
        return replace(diagnostic, span=span, trail=())
    shift = span.start - (len(place.source.text) - len(text))
    start, end = [min(max(k + shift, span.start), span.end) for k in (place.start, place.end)]
    return replace(diagnostic, span=Span(span.source, start, end), trail=())
