"""Columns of files, by name: `.csv`, `.parquet`, and the arrays of `.npz`.

A name is that of a column, or another column is asked for. A `.csv` file whose first line holds numbers only
has no names: it is a vector if it has one column, and a matrix otherwise.

Note [Cells of text]
    A file of text does not tell what its columns hold. A column holds numbers where most of its cells are
    some; then a cell that is none is an error that names its line, whether it is empty or has text. Otherwise
    it holds texts. Numbers are written as in most programs, `-1.5e3`; `nan`, `inf` and `-inf` are the doubles
    that `--output` spells so. A column in which any number has a fraction or an exponent is one of doubles.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn, Protocol

import numpy as np

from aplc.interchange.arrow_arrays import of_arrow
from aplc.interchange.given import Input, UnfitValue, as_input, input_of
from aplc.interchange.lists import of_lists
from aplc.tail.errors import CompileError, Diagnostic, Error, MachineError
from aplc.tail.legible import shortened
from aplc.tail.npy import FAILURES, Npy, fault
from aplc.tail.regular import open_regular
from aplc.tail.source import Source, Span

NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|-?inf|nan", re.ASCII)
WHOLE = re.compile(r"[-+]?\d+", re.ASCII)
MOST_NAMES = 12
"""So many columns are named where one is missing."""


class WrongFile(Error):
    """A file that is none of its kind; the message tells it whole."""


Decode = Callable[[bytes, str], Source]
"""What makes a text of bytes; it raises `CompileError` where they are none."""


class Table(Protocol):
    """A file that was read: the names of its columns, of which `.csv` may have none, and their arrays."""

    names: list[str]

    def column(self, name: str) -> Input:
        """The column with a name that is there. Raises `UnfitValue`, `UnfitArray`, `WrongFile`, and
        `CompileError` with a position in the file.
        """


def table(path: str, decode: Decode) -> Table:
    """The table in a file. Raises `OSError`, `WrongFile`, `MachineError`, and `CompileError` with a position
    in the file.
    """
    made: Table = TABLES[Path(path).suffix.lower()](path, decode)
    return made


def column(path: str, read: Table, name: str) -> Input:
    """A column by its name, or all there is where nothing has a name. Raises what `Table.column` raises."""
    count = read.names.count(name)
    if count > 1:
        raise WrongFile(f"{path} has {count} columns with the name {name}")
    if count:
        return read.column(name)
    if isinstance(read, _Csv) and not read.names:
        return read.whole()
    near = get_close_matches(name, read.names, 1)
    shown = ", ".join(read.names[:MOST_NAMES]) + (" …" if len(read.names) > MOST_NAMES else "")
    what = "array" if isinstance(read, _Npz) else "column"
    proposal = f"; did you mean {near[0]}?" if near else ""
    raise WrongFile(shortened(f"{path} has no {what} {name}, but {shown}{proposal}"))


# --- tables of text -------------------------------------------------------------------------------------


class _Csv:
    """A text with a line for each row."""

    def __init__(self, path: str, decode: Decode) -> None:
        self.path = path
        with open_regular(path) as file:
            source = decode(file.read(), path)
        text = source.text.replace("\r", "\n") if "\n" not in source.text else source.text
        self.source = Source(path, text)
        self.rows: list[list[str]] = []
        self.lines: list[int] = []
        reader = csv.reader(io.StringIO(self.source.text, newline=""), strict=True)
        first = 1
        try:
            for row in reader:
                if row:
                    self.rows.append(row)
                    self.lines.append(first)
                first = reader.line_num + 1
        except csv.Error as failure:
            self._wrong(first, f"this is no line of a .csv file: {failure}")
        if not self.rows:
            raise WrongFile(f"{path} is empty")
        head = [cell.strip() for cell in self.rows[0]]
        self.names = [] if all(map(NUMBER.fullmatch, head)) else head
        self.first = 1 if self.names else 0
        for row, line in zip(self.rows, self.lines, strict=True):
            if len(row) != len(head):
                self._wrong(line, f"there are {len(row)} cells, and {len(head)} in the first line")

    def column(self, name: str) -> Input:
        """The numbers or texts of a column: see Note [Cells of text]."""
        return self._column(self.names.index(name), f"column {name}")

    def whole(self) -> Input:
        """All numbers."""
        columns = [self._column(k, f"column {k + 1}").value for k in range(len(self.rows[0]))]
        return as_input(columns[0] if len(columns) == 1 else np.stack(columns, axis=1))

    def _column(self, k: int, title: str) -> Input:
        cells = [row[k].strip() for row in self.rows[self.first :]]
        fits = [NUMBER.fullmatch(cell) is not None for cell in cells]
        if self.names and 2 * sum(fits) <= sum(map(bool, cells)) and cells:
            texts = np.empty(len(cells), object)
            texts[:] = [row[k] for row in self.rows[self.first :]]
            return of_lists(texts, None, lambda _: None).input()
        if not all(fits):
            place = fits.index(False)
            what = f"text, {cells[place]}, among numbers" if cells[place] else "an empty cell among numbers"
            self._wrong(self.lines[self.first + place], f"{title} has {what}", k)
        if not all(map(WHOLE.fullmatch, cells)):
            return as_input(np.array([*map(float, cells)], np.float64))
        numbers = [*map(int, cells)]
        for number, line in zip(numbers, self.lines[self.first :], strict=True):
            if not -(2**63) <= number < 2**63:
                self._wrong(line, f"{title} has a whole number that does not fit 64 bits", k)
        return as_input(np.array(numbers, np.int64))

    def _wrong(self, line: int, message: str, k: int | None = None) -> NoReturn:
        """Raise the error of a line, or of its cell of that number."""
        text = self.source.text
        start = 0
        for _ in range(line - 1):
            start = text.index("\n", start) + 1
        content = text[start:].partition("\n")[0].rstrip("\r")
        end = start + len(content)
        if k is not None and '"' not in content:
            cells = content.split(",")
            start += sum(map(len, cells[:k])) + k
            end = start + max(len(cells[k]), 1)
        raise CompileError(Diagnostic("FILE ERROR", shortened(message), Span(self.source, start, end)))


# --- tables of Parquet ----------------------------------------------------------------------------------


class _Parquet:
    """A file of Arrow's columns."""

    def __init__(self, path: str, decode: Decode) -> None:
        try:
            import pyarrow  # noqa: PLC0415 (an extra)
            from pyarrow import parquet  # noqa: PLC0415 (an extra)
        except ImportError:
            raise MachineError("a .parquet file needs pyarrow: pip install 'aplc[arrow]'") from None
        self.path = path
        with open_regular(path) as file:
            data = file.read()
        try:
            self.file = parquet.ParquetFile(pyarrow.BufferReader(data))
            self.names = list(self.file.schema_arrow.names)
        except (pyarrow.ArrowException, OSError, ValueError) as failure:
            raise WrongFile(f"{path} is no .parquet file, or damaged ({failure})") from None
        if not self.names:
            raise WrongFile(f"{path} has no columns")
        self.failures = (pyarrow.ArrowException, OSError)

    def column(self, name: str) -> Input:
        """A column without nulls."""
        try:
            found = self.file.read([name]).column(name)
        except self.failures as failure:
            raise WrongFile(f"{self.path} is damaged ({failure})") from None
        if found.null_count:
            row = found.is_null().index(True).as_py() + 1
            what = f"{found.null_count} nulls, the first in row {row}"
            raise WrongFile(f"column {name} of {self.path} has {what}, which APL has no counterpart for")
        items = of_arrow(found)
        if items.base is None:
            raise UnfitValue("DOMAIN ERROR", "has a column of no type")
        return items.input()


# --- archives of arrays ---------------------------------------------------------------------------------


class _Npz:
    """An archive of NumPy's."""

    def __init__(self, path: str, decode: Decode) -> None:
        self.path = path
        try:
            with open_regular(path) as file:
                self.archive = zipfile.ZipFile(io.BytesIO(file.read()))
        except zipfile.BadZipFile as failure:
            raise WrongFile(f"{path} is no .npz file, or damaged ({failure})") from None
        self.names = [name.removesuffix(".npy") for name in self.archive.namelist()]
        if not self.names:
            raise WrongFile(f"{path} holds no arrays")

    def column(self, name: str) -> Input:
        """An array of the archive."""
        members = self.archive.namelist()
        member = members[self.names.index(name)]
        try:
            with Npy.of(io.BytesIO(self.archive.read(member))) as npy:
                return input_of(*npy.read())
        except (*FAILURES, zipfile.BadZipFile, RuntimeError, NotImplementedError) as failure:
            told = fault(f"array {name} of {self.path}", failure).values[0]
            raise WrongFile(str(told)) from None


TABLES: dict[str, Any] = {".csv": _Csv, ".npz": _Npz, ".parquet": _Parquet}
"""What reads the columns of files, by their endings."""


def table_of(argument: str) -> tuple[str, str] | None:
    """The file and the column of `FILE.csv:COLUMN`; of `FILE.csv` the column is empty. None for others."""
    found = re.fullmatch(rf"(.+(?:{'|'.join(map(re.escape, TABLES))}))(?::(.*))?", argument, re.I | re.S)
    return None if found is None else (found[1], found[2] or "")
