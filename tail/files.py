"""Texts that programs read, and texts of numbers. `aplc.tail.npy` reads arrays.

Whatever is wrong with a file is a FILE ERROR that names its path.
"""

from __future__ import annotations

import csv
import errno
import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from aplc.tail.faults import FILE, FaultRaised
from aplc.tail.npy import fault
from aplc.tail.number_text import INTEGER, number_of, quickly
from aplc.tail.regular import open_regular

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


def read_table(path: str) -> Value:
    """The numbers of a file of comma-separated values, a row for each line that is not empty."""
    content = _content(path)
    lines = content.replace(b"\r\n", b"\n").rstrip(b"\n").split(b"\n") if content.strip() else []
    columns = lines[0].count(b",") + 1 if lines else 0
    if all([line.count(b",") == columns - 1 for line in lines]):
        found = quickly(b"\n".join([line.replace(b",", b" ") for line in lines]))
        if found is not None and len(found) == len(lines) * columns:
            return found.reshape(len(lines), columns)
    rows: list[list[float]] = []
    text = _decoded(content, path)
    for line, fields in enumerate(csv.reader(text.splitlines()), start=1):
        if not fields:
            continue
        if rows and len(fields) != len(rows[0]):
            what = f"{len(fields)} fields, where the first row has {len(rows[0])}"
            raise FaultRaised(FILE, f"{path}, line {line}: {what}")
        numbers = [number_of(field.strip()) for field in fields]
        for column, (field, number) in enumerate(zip(fields, numbers, strict=True), start=1):
            if number is None:
                what = f"{field[:40]} is no number" if field else "an empty field"
                raise FaultRaised(FILE, f"{path}, line {line}, column {column}: {what}")
        rows.append([number for number in numbers if number is not None])
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(rows[0]) if rows else 0)


def write_text(path: str, text: str, *, replaces: bool) -> int:
    """Write a file in UTF-8, whole or not at all, and give its length in bytes. What is there already is an
    error unless it may be replaced; then it must be a regular file.
    """
    content = text.encode("utf-8", errors="surrogatepass")
    try:
        if os.path.lexists(path):
            if not replaces:
                raise FileExistsError(errno.EEXIST, "it exists; 1 behind its name replaces it")
            open_regular(path).close()
        write_whole(Path(path), content)
    except (OSError, ValueError) as failure:
        told = failure if isinstance(failure, OSError) else OSError(errno.EINVAL, str(failure))
        raise fault(path, told) from None
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
