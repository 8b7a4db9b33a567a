"""Texts that programs read, and texts of numbers. `aplc.tail.npy` reads arrays.

Whatever is wrong with a file is a FILE ERROR that names its path.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from aplc.tail.faults import FILE, FaultRaised
from aplc.tail.meaning.number_text import IGNORED, INTEGER, NUMERIC, number_of, quickly, table_quickly
from aplc.tail.npy import fault
from aplc.tail.regular import open_regular, write_whole

Value = np.ndarray[Any, Any]


def read_text(path: str) -> str:
    """The characters of a file in UTF-8, without a byte-order mark at its beginning."""
    return _decoded(_content(path), path)


def _content(path: str) -> bytes:
    try:
        with open_regular(path) as file:
            return file.read()
    except OSError as failure:
        raise fault(path, failure) from None


def _decoded(content: bytes, path: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        line = content[: failure.start].count(b"\n") + 1
        raise FaultRaised(FILE, f"{path}, line {line}: no UTF-8") from None


TOKEN = re.compile(r"[][,]|[^][,\s]+")


def read_integers(path: str) -> Value:
    """The integers of a text file: with `-` or `¯`, between blanks, newlines or single commas, in brackets or
    not.
    """
    content = _content(path)
    if (found := quickly(content, integers=True)) is not None:
        return found
    numbers = []
    for token, line in _tokens(_decoded(content, path)):
        if not INTEGER.fullmatch(token):
            raise FaultRaised(FILE, f"{path}, line {line}: {token[:40]} is no whole number")
        number = int(token.replace("¯", "-"))
        if not -(2**63) <= number < 2**63:
            raise FaultRaised(FILE, f"{path}, line {line}: {token[:40]} does not fit 64 bits")
        numbers.append(number)
    return np.array(numbers, dtype=np.int64)


def read_doubles(path: str) -> Value:
    """The doubles of a text file, laid out as integers are; also `inf`, `∞` and `nan`."""
    content = _content(path)
    if (found := quickly(content)) is not None:
        return found
    numbers = []
    for token, line in _tokens(_decoded(content, path)):
        number = number_of(token)
        if number is None:
            raise FaultRaised(FILE, f"{path}, line {line}: {token[:40]} is no number")
        numbers.append(number)
    return np.array(numbers, dtype=np.float64)


def read_table(path: str, kinds: list[int]) -> Value:
    """The numbers of a file of comma-separated values; see `table_of`."""
    return table_of(_content(path), kinds, path)


def table_of(content: bytes, kinds: list[int], name: str) -> Value:
    """The numbers of comma-separated values, a row for each line that is not empty, of columns of the kinds
    that `aplc.tail.meaning.number_text` has. One kind is for all columns.
    """
    found = table_quickly(content, kinds)
    if found is not None:
        return found
    rows: list[list[float]] = []
    width = 0
    lines = csv.reader(io.StringIO(_decoded(content, name), newline=""))
    try:
        for fields in lines:
            if not fields:
                continue
            if not rows:
                width = len(fields)
                if len(kinds) not in (1, width):
                    what = f"{width} fields, where the program says {len(kinds)} columns"
                    raise FaultRaised(FILE, f"{name}, line {lines.line_num}: {what}")
                of_columns = kinds * width if len(kinds) == 1 else kinds
            if len(fields) != width:
                what = f"{len(fields)} fields, where the first row has {width}"
                raise FaultRaised(FILE, f"{name}, line {lines.line_num}: {what}")
            rows.append([])
            for column, (field, kind) in enumerate(zip(fields, of_columns, strict=True), start=1):
                number = None if kind == IGNORED else number_of(field.strip())
                if number is None and kind == NUMERIC:
                    what = f"{field[:40]} is no number" if field.strip() else "an empty field"
                    raise FaultRaised(FILE, f"{name}, line {lines.line_num}, column {column}: {what}")
                if kind != IGNORED:
                    rows[-1].append(0.0 if number is None else number)
    except csv.Error as failure:
        raise FaultRaised(FILE, f"{name}, line {lines.line_num}: {failure}") from None
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(rows[0]) if rows else 0)


def write_file(path: str, content: bytes, *, replaces: bool) -> int:
    """Write a file, whole or not at all, and give its length in bytes. What is there already is an error
    unless it may be replaced; then it must be a regular file, and keeps its permissions.
    """
    try:
        write_whole(path, content, replaces=replaces)
    except FileExistsError:
        reason = f"{path} is there already: 1 behind its name replaces it"
        raise FaultRaised(FILE, reason) from None
    except OSError as failure:
        raise FaultRaised(FILE, f"{path} cannot be written: {failure.strerror or failure}") from None
    except ValueError:
        reason = f"{path} cannot be written: its name holds a character that no name can hold"
        raise FaultRaised(FILE, reason) from None
    return len(content)


def _tokens(content: str) -> Iterator[tuple[str, int]]:
    """What should be numbers, with their lines; a bracket or a comma only where it is out of place."""
    lines = enumerate(content.split("\n"), start=1)
    tokens = [(token, line) for line, text in lines for token in TOKEN.findall(text)]
    if len(tokens) > 1 and tokens[0][0] == "[" and tokens[-1][0] == "]":
        tokens = tokens[1:-1]
    for before, (token, line) in pairwise([(",", 0), *tokens]):
        if token != "," or before[0] == ",":
            yield token, line
    if tokens and tokens[-1][0] == ",":
        yield tokens[-1]
