"""Texts that programs read, and texts of numbers. `aplc.tail.npy` reads arrays.

Whatever is wrong with a file is a FILE ERROR that names its path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from aplc.tail.faults import FILE, FaultRaised
from aplc.tail.npy import fault
from aplc.tail.regular import open_regular

Value = np.ndarray[Any, Any]


def read_text(path: str) -> str:
    """The characters of a file in UTF-8, without a byte-order mark at its beginning."""
    try:
        with open_regular(path) as file:
            content = file.read()
    except OSError as failure:
        raise fault(path, failure) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        line = content[: failure.start].count(b"\n") + 1
        raise FaultRaised(FILE, f"{path}, line {line}: no UTF-8") from None


INTEGER = re.compile(r"[-+¯]?[0-9]{1,4000}")
DOUBLE = re.compile(
    r"[-+¯]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+¯]?[0-9]+)?|inf|infinity|nan|∞)", re.IGNORECASE
)
TOKEN = re.compile(r"[][,]|[^][,\s]+")


def read_integers(path: str) -> Value:
    """The integers of a text file: with `-` or `¯`, between blanks, newlines or single commas, in brackets or
    not.
    """
    numbers = []
    for token, line in _tokens(path):
        if not INTEGER.fullmatch(token):
            raise FaultRaised(FILE, f"{path}, line {line}: {token[:40]} is no whole number")
        number = int(token.replace("¯", "-"))
        if not -(2**63) <= number < 2**63:
            raise FaultRaised(FILE, f"{path}, line {line}: {token[:40]} does not fit 64 bits")
        numbers.append(number)
    return np.array(numbers, dtype=np.int64)


def read_doubles(path: str) -> Value:
    """The doubles of a text file, laid out as integers are; also `inf`, `∞` and `nan`."""
    numbers = []
    for token, line in _tokens(path):
        if not DOUBLE.fullmatch(token):
            raise FaultRaised(FILE, f"{path}, line {line}: {token[:40]} is no number")
        numbers.append(float(token.replace("¯", "-").replace("∞", "inf")))
    return np.array(numbers, dtype=np.float64)


def _tokens(path: str) -> Iterator[tuple[str, int]]:
    """What should be numbers, with their lines; a bracket or a comma only where it is out of place."""
    lines = enumerate(read_text(path).split("\n"), start=1)
    tokens = [(token, line) for line, text in lines for token in TOKEN.findall(text)]
    if len(tokens) > 1 and tokens[0][0] == "[" and tokens[-1][0] == "]":
        tokens = tokens[1:-1]
    for before, (token, line) in pairwise([(",", 0), *tokens]):
        if token != "," or before[0] == ",":
            yield token, line
    if tokens and tokens[-1][0] == ",":
        yield tokens[-1]
