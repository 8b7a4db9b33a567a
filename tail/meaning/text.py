"""The meaning of `⍕` and `⎕JSON`: values as characters.

Note [Format by specification]
`w d⍕a` gives each column (index of the last axis) a width w and d decimals; two numbers hold for all columns,
one is d with width 0. A negative d is the scaled form with |d| digits, one of them before the point:
`0 ¯2⍕155` is ` 1.6E2`. Numbers are flush right. A width of 0 is that of the column's longest number and a
blank before it. Rounding starts from the exact binary value, a tie goes to the even digit, and what rounds to
zero has no sign.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from aplc.tail import faults
from aplc.tail.array_limits import require_room, require_room_for
from aplc.tail.display import display, has_lines, numeric_lines, shown_items
from aplc.tail.meaning.characters import as_characters, as_text
from aplc.tail.meaning.core import Value, base_of_value, require
from aplc.tail.types import Base

Nested = Value | tuple[Any, ...]
"""An array, one of objects that are arrays, or a tuple of such: see Note [Tuples] in `aplc.tail.display`."""

MAX_DIGITS = 17
"""So many tell every double from all others."""
LEAST_WIDTH = 2
"""Of a number among others, with a blank."""
TEXT = 16
"""Bytes of a character, also in the texts of which an array is made."""
MAX_DECIMALS = 1100
"""More than any double has."""


def format_value(precision: Value, a: Value) -> Value:
    """`⍕a` with ⎕PP digits: the lines of the display form as the last axis; characters stay as they are."""
    digits = int(precision)
    require(1 <= digits <= MAX_DIGITS, faults.PRECISION, digits)
    if base_of_value(a) is Base.CHAR:
        return np.array(a, ndmin=1)
    require_room_for((*a.shape, LEAST_WIDTH), TEXT)
    return lines_as_characters(numeric_lines(a, digits), a.shape[:-1])


def format_nested(precision: Value, axes: Value, a: Nested) -> Value:
    """`⍕a` of an array of arrays: the lines of its display form as a matrix, or its only line where `axes`
    is 1: a line feed among the characters of items is one in that line.
    """
    digits = int(precision)
    require(1 <= digits <= MAX_DIGITS, faults.PRECISION, digits)
    require_room(_size(a), LEAST_WIDTH * TEXT)
    text = display(a, precision=digits)
    if axes == 1:
        return as_characters(text)
    lines = text.split("\n") if has_lines(a) else []
    width = max(map(len, lines), default=0)
    require_room_for((len(lines), width), TEXT)
    return lines_as_characters([line.ljust(width) for line in lines], (len(lines),))


def _size(a: Nested) -> int:
    """The number of scalars in an array of arrays."""
    if isinstance(a, tuple) or a.dtype == object:
        return sum([_size(item) for item in (a if isinstance(a, tuple) else a.reshape(-1))])
    return a.size


def format_by(specification: Value, a: Value) -> Value:
    """`specification⍕a`; see Note [Format by specification]."""
    columns = a.shape[-1] if a.ndim else 1
    count = math.prod(a.shape[:-1])
    pairs = _pairs(specification, columns)
    require_room_for((count, sum([max(1, width) for width, _ in pairs])), TEXT)
    numbers = a.reshape(count, columns)
    texts = [_column(numbers[:, j].tolist(), width, decimals) for j, (width, decimals) in enumerate(pairs)]
    if count == 0:
        return np.empty((*a.shape[:-1], sum([max(1, width) for width, _ in pairs])), dtype=np.uint32)
    return lines_as_characters(["".join([text[i] for text in texts]) for i in range(count)], a.shape[:-1])


def _pairs(specification: Value, columns: int) -> list[tuple[int, int]]:
    """Width and decimals of each column."""
    numbers = specification.tolist()
    if len(numbers) == 1:
        numbers = [0, *numbers]
    if len(numbers) == 2:
        numbers = numbers * columns
    require(len(numbers) == 2 * columns, faults.FORMAT_PAIRS, 2 * columns, len(specification))
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    for width, decimals in pairs:
        require(width >= 0, faults.NEGATIVE_COUNT, width)
        require(abs(decimals) <= MAX_DECIMALS, faults.TOO_MANY_DECIMALS, decimals, MAX_DECIMALS)
    return pairs


def _column(numbers: list[float], width: int, decimals: int) -> list[str]:
    """The texts of one column, of equal length."""
    items = [format_number(x, decimals) for x in numbers]
    longest = max(map(len, items), default=0)
    if width == 0:
        width = longest + 1
    return [item.rjust(width) if len(item) <= width else "*" * width for item in items]


def format_number(x: float, decimals: int) -> str:
    """A number with so many decimals; -k: in scaled form with k digits."""
    if not math.isfinite(x):
        return "NaN" if math.isnan(x) else "∞" if x > 0 else "¯∞"
    if decimals >= 0:
        text = f"{x:.{decimals}f}"
    else:
        mantissa, _, exponent = f"{x:.{-decimals - 1}e}".partition("e")
        text = f"{mantissa}E{int(exponent)}"
    is_zero = not any(digit in "123456789" for digit in text.partition("E")[0])
    return (text.removeprefix("-") if is_zero else text).replace("-", "¯")


def lines_as_characters(lines: list[str], frame: tuple[int, ...]) -> Value:
    """Lines of equal length as the last axis of an array of characters."""
    length = len(lines[0]) if lines else 0
    codes = np.frombuffer("".join(lines).encode("utf-32-le"), dtype=np.uint32)
    return codes.reshape(*frame, length).copy()


# --- JSON -------------------------------------------------------------------------------------------------

NUMBER = 32
"""Bytes of a number as text."""


def json_of(a: Nested) -> Value:
    """`1⎕JSON a`: a number, a string of characters, or arrays in arrays, one for each axis; an enclosed array
    is as if it were not.
    """
    require_room(_size(a), NUMBER)
    return as_characters(_json(a))


def _json(a: Nested) -> str:
    if isinstance(a, tuple):
        items = shown_items(a)
        if len(items) < len(a):
            return _json(items[0])
        return "[" + ",".join([_json(item) for item in items]) + "]"
    if a.dtype == object:
        if a.ndim == 0:
            return _json(a.item())
    elif base_of_value(a) is Base.CHAR:
        if a.ndim < 2:
            return json.dumps(as_text(a.reshape(-1)), ensure_ascii=False)
    elif a.ndim == 0:
        return _json_number(a.item())
    elif a.ndim == 1:
        return "[" + ",".join([_json_number(x) for x in a.tolist()]) + "]"
    return "[" + ",".join([_json(item) for item in a]) + "]"


def _json_number(x: complex) -> str:
    """A number with as many digits as tell it from all others; a complex one as the array of its parts."""
    if isinstance(x, complex):
        return f"[{_json_number(x.real)},{_json_number(x.imag)}]"
    if isinstance(x, int):
        return str(int(x))
    require(math.isfinite(x), faults.NO_JSON, format_number(x, 0))
    mantissa, _, exponent = repr(x).partition("e")
    return mantissa.removesuffix(".0") + (f"E{int(exponent)}" if exponent else "")
