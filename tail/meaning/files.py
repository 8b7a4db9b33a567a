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
from aplc.tail.meaning.number_text import (
    HEADER,
    IGNORED,
    INTEGER,
    NUMERIC,
    TEXT,
    number_of,
    quickly,
    table_quickly,
)
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
    has_header = kinds[-1] == HEADER
    kinds = kinds[:-1] if has_header else kinds
    if not has_header and (found := table_quickly(content, kinds)) is not None:
        return found
    first = content.partition(b"\n")
    if has_header and b'"' not in first[0] and (found := table_quickly(first[2], kinds)) is not None:
        return found
    rows: list[list[float]] = []
    columns = len(kinds) - kinds.count(IGNORED) if len(kinds) > 1 else 0
    for number, (line, fields, of_columns) in enumerate(_rows(content, kinds, name)):
        columns = len(of_columns) - of_columns.count(IGNORED)
        if has_header and number == 0:
            continue
        rows.append([])
        for column, (field, kind) in enumerate(zip(fields, of_columns, strict=True), start=1):
            value = None if kind == IGNORED else number_of(field.strip())
            if value is None and kind == NUMERIC:
                what = f"{field[:40]} is no number" if field.strip() else "an empty field"
                raise FaultRaised(FILE, f"{name}, line {line}, column {column}: {what}")
            if kind != IGNORED:
                rows[-1].append(0.0 if value is None else value)
    return np.array(rows, dtype=np.float64).reshape(len(rows), columns)


def read_fields(path: str, kinds: list[int]) -> Value:
    """The texts in a file of comma-separated values; see `fields_of`."""
    return fields_of(_content(path), kinds, path)


def fields_of(content: bytes, kinds: list[int], name: str) -> Value:
    """The texts of comma-separated values in the columns of that kind, or those of the first row alone: how
    many rows and columns, the lengths row by row, and the characters of all.
    """
    has_header = kinds[-1] == HEADER
    kinds = kinds[:-1] if has_header else kinds
    texts: list[str] = []
    rows, columns = 0, kinds.count(TEXT) if len(kinds) > 1 else 0
    for _, fields, of_columns in _rows(content, kinds, name):
        rows, columns = rows + 1, of_columns.count(TEXT)
        texts += [field for field, kind in zip(fields, of_columns, strict=True) if kind == TEXT]
        if has_header:
            break
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32)
    return np.concatenate((np.array([rows, columns]), lengths, codes.astype(np.int64)))


def _rows(content: bytes, kinds: list[int], name: str) -> Iterator[tuple[int, list[str], list[int]]]:
    """For each line of comma-separated values that is not empty its number, its fields, and their kinds."""
    lines = csv.reader(io.StringIO(_decoded(content, name), newline=""))
    width = -1
    try:
        for fields in lines:
            if not fields:
                continue
            if width < 0:
                width = len(fields)
                if len(kinds) not in (1, width):
                    what = f"{width} fields, where the program says {len(kinds)} columns"
                    raise FaultRaised(FILE, f"{name}, line {lines.line_num}: {what}")
                of_columns = kinds * width if len(kinds) == 1 else kinds
            if len(fields) != width:
                what = f"{len(fields)} fields, where the first row has {width}"
                raise FaultRaised(FILE, f"{name}, line {lines.line_num}: {what}")
            yield lines.line_num, fields, of_columns
    except csv.Error as failure:
        raise FaultRaised(FILE, f"{name}, line {lines.line_num}: {failure}") from None


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
