"""Values as text: APL's own display form, which is also that of monadic `⍕`, and the JSON form.

Note [Numbers]
Integers and booleans print in full. A double is first rounded to `precision` significant digits (⎕PP) and
loses its trailing zeros; then, with 10^e ≤ |rounded value| < 10^(e+1),

    ¯6 ≤ e < precision    is positional: 0.000001  ¯2.5  1234567890
    otherwise             is scaled:     1E¯7  1E10  1.099511628E12

so a whole double has no point, and 9999999999.9, which rounds to ten digits as 1E10, is scaled. Both zeros
are 0. A scaled number has one digit before the point, and no point if that is all its mantissa. Rounding
starts from the exact binary value; a tie goes to the even digit. Infinities and not-a-number, which APL
does not have, are `∞`, `¯∞` and `NaN`.

Note [Arrays]
The items of a numeric vector are each formatted by themselves and separated by one blank. In an array of
higher rank each column (index of the last axis) is formatted over all planes together, and columns are
separated by one blank: integer parts are flush right, so points are aligned; blanks fill up what is missing.

    ∘.÷⍨⍳3 is  1 0.5 0.3333333333        ⍪0.5 100 1E10 is  5E¯1
               2 1   0.6666666667                          1E2
               3 1.5 1                                     1E10

If one number of a column is scaled, all are: mantissas get zeros up to the longest one (1.50E0 above
1.25E10), exponents are flush left. Every row of a matrix has the same length, as in APL, hence trailing
blanks. The rows of a character array are its text. A blank line stands between planes, two between cubes,
one more per further axis. An array without rows has no lines and gives "", as does an empty vector, which
has one empty line: `has_lines` tells them apart. Long lines are not wrapped: there is no ⎕PW.

Note [Tuples]
A tuple shows as the nested vector that it would be in APL: components side by side, aligned at the top,
what is not a scalar with a blank on either side, and one more blank between a scalar and its neighbour unless
both are characters:

    (1 2) 3 'ab' is " 1 2  3  ab "        (1 2) (3 4) is " 1 2  3 4 "

An empty tuple behind the only component marks an enclosed array, and does not show.

Note [Arrays of arrays]
An array of arrays, here one of Python objects, shows its items like the components of a tuple; in one of
higher rank the items of a column are as wide as the widest, and planes are separated as in Note [Arrays]. A
column of numbers, as tables have it, is aligned as in a matrix of numbers; a number below or above what is
no scalar is flush right, with the blank that that has behind it.

    ↑('ann' 3)('bob' 100) is  ann    3        ⍉↑('ann' 'bo')(3 100) is  ann    3
                              bob  100                                  bo   100
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from aplc.tail.elements import base_of_dtype
from aplc.tail.meaning.core import Value, base_of_value
from aplc.tail.types import Base

SMALLEST_POSITIONAL_EXPONENT = -6
DIGITS = 10
"""The significant digits of a double where nobody sets ⎕PP."""


def display(value: Value | tuple[Any, ...], *, chars: bool = False, precision: int = 10) -> str:
    """The display form of a value: lines joined by a newline, without one at the end.

    `chars` says that an array holds code points; in a tuple an array of dtype uint32 does. `precision` is the
    number of significant digits of a double, 1 to 17. See Note [Arrays] and Note [Tuples].
    """
    if isinstance(value, tuple):
        return _display_tuple(value, precision)
    array = np.asarray(value)
    if array.dtype == object:
        return _display_nested(array, precision)
    if array.ndim >= 2:
        rows = array.reshape(_row_count(array), array.shape[-1])
        lines = _text_rows(rows) if chars else _numeric_rows(rows, precision)
        text = _stack(lines, array.shape[:-1])
    else:
        text = _text(array) if chars else " ".join(_items(array.ravel(), precision))
    return text if chars else text.replace("-", "¯")


def has_lines(value: Value | tuple[Any, ...]) -> bool:
    """Whether a value shows as any line at all: an array without rows does not. See Note [Arrays]."""
    return isinstance(value, tuple) or 0 not in value.shape[:-1]


def format_number(x: int | float | bool, precision: int = 10) -> str:
    """One number as APL writes it; see Note [Numbers]."""
    return display(np.asarray(x), precision=precision)


def numeric_lines(array: Value, precision: int) -> list[str]:
    """What `⍕` makes of the rows of a numeric array: the one line of a scalar or a vector, or one for each
    row over all planes, all of one length, without the blank lines that `display` puts between planes.
    """
    if array.ndim < 2:
        lines = [" ".join(_items(array.ravel(), precision))]
    else:
        lines = _numeric_rows(array.reshape(_row_count(array), array.shape[-1]), precision)
    return [line.replace("-", "¯") for line in lines]


def to_json(value: Value | tuple[Any, ...], *, base: str = "") -> str:
    """One line `{"type":base,"shape":[…],"data":[row-major]}`; base is int, double, bool or char.

    A double keeps all its digits and reads back as a double (1.0, not 1), a non-finite one is the string
    "inf", "-inf" or "nan", a complex number is its two parts; booleans are true and false; the data of a
    character array is one string. The data of a tuple (type "tuple") are its components, each such an object.
    """
    if isinstance(value, np.ndarray) and value.dtype == object:
        fields = {
            "type": "nested", "shape": list(value.shape), "data": [_json_item(v) for v in value.ravel()],
        }  # fmt: skip
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, tuple):
        shown = shown_items(value)
        items = [_json_item(v) for v in shown]
        fields = {"type": "tuple", "shape": [len(items)] if len(shown) == len(value) else [], "data": items}
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    array: Value = np.asarray(value, dtype=Base(base).dtype)
    data: str | list[Any]
    if base == "char":
        data = _text(array)
    else:
        data = array.ravel().tolist()
        if base == "complex":
            data = [[_json_part(z.real), _json_part(z.imag)] for z in data]
        elif not np.isfinite(array).all():
            data = [_json_part(x) for x in data]
    fields = {"type": base, "shape": list(array.shape), "data": data}
    return json.dumps(fields, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _json_item(value: Value | tuple[Any, ...]) -> Any:
    """The JSON form of a component or an item."""
    if isinstance(value, tuple) or value.dtype == object:
        return json.loads(to_json(value))
    return json.loads(to_json(value, base=base_of_value(value).value))


def shown_items(value: tuple[Any, ...]) -> tuple[Any, ...]:
    """The components of a tuple, without the mark of an enclosed array; see Note [Tuples]."""
    return tuple([v for v in value if not isinstance(v, tuple) or v])


def _json_part(x: float) -> float | str:
    return x if np.isfinite(x) else str(x)


# Below, negative numbers have Python's sign, which is as wide as APL's; `display` replaces it last.


def _text(array: Value) -> str:
    """The characters of an array of code points in row-major order; U+FFFD for what is no character."""
    return array.astype("<u4").tobytes().decode("utf-32-le", errors="replace")


def _items(vector: Value, precision: int) -> list[str]:
    """The items of a numeric vector, each formatted by itself."""
    if base_of_dtype(vector.dtype).is_exact:
        return [str(x) for x in vector.astype(np.int64).tolist()]
    if base_of_dtype(vector.dtype) is Base.COMPLEX:
        parts = zip(_items(vector.real, precision), _items(vector.imag, precision), strict=True)
        return [real if imaginary == "0" else f"{real}J{imaginary}" for real, imaginary in parts]
    form = f"%.{precision}g"
    items = [form % x for x in (vector + 0.0).tolist()]  # + 0.0 makes negative zero positive
    # An exponent or a non-finite number: Python's spelling of anything else is APL's.
    return [_respell(item) if "e" in item or "n" in item else item for item in items]


def _respell(item: str) -> str:
    """APL's form of what Python's %g printed with an exponent, or as inf or nan."""
    mantissa, e, exponent = item.partition("e")
    if not e:
        return item.replace("inf", "∞").replace("nan", "NaN")
    if not SMALLEST_POSITIONAL_EXPONENT <= int(exponent) < 0:
        return f"{mantissa}E{int(exponent)}"
    sign = "-" if mantissa.startswith("-") else ""
    digits = mantissa.lstrip("-").replace(".", "")
    return f"{sign}0.{'0' * (-int(exponent) - 1)}{digits}"


def _row_count(array: Value) -> int:
    """The number of rows over all planes of an array of rank 1 or more."""
    return int(np.prod(array.shape[:-1], dtype=np.int64))


def _stack(rows: list[str], frame: Sequence[int]) -> str:
    """The rows of an array with leading extents `frame`, with blank lines between planes, cubes and so on."""
    if not rows:
        return ""
    blocks = rows
    for depth, extent in enumerate(reversed(frame), start=1):
        separator = "\n" * depth
        blocks = [separator.join(blocks[i : i + extent]) for i in range(0, len(blocks), extent)]
    return blocks[0]


def _text_rows(matrix: Value) -> list[str]:
    """The rows of a matrix of code points."""
    text = _text(matrix)
    columns = matrix.shape[1]
    return [text[i * columns : (i + 1) * columns] for i in range(matrix.shape[0])]


def _numeric_rows(matrix: Value, precision: int) -> list[str]:
    """The rows of a numeric matrix, with columns aligned as Note [Arrays] says."""
    count, columns = matrix.shape
    if not matrix.size:
        return [""] * count
    if base_of_dtype(matrix.dtype).is_exact:
        integers = matrix.astype(np.int64)
        ends = zip(integers.min(axis=0).tolist(), integers.max(axis=0).tolist(), strict=True)
        template = " ".join(f"%{max(len(str(low)), len(str(high)))}d" for low, high in ends)
        return [template % tuple(row) for row in integers.tolist()]
    numbers = matrix.ravel().tolist()
    items = _items(matrix.ravel(), precision)
    if base_of_dtype(matrix.dtype) is Base.COMPLEX:
        widths = [max(map(len, items[j::columns])) for j in range(columns)]
        padded = [item.rjust(widths[k % columns]) for k, item in enumerate(items)]
        return [" ".join(padded[i * columns : (i + 1) * columns]) for i in range(count)]
    aligned = [_align(items[j::columns], numbers[j::columns], precision) for j in range(columns)]
    return [" ".join(row) for row in zip(*aligned, strict=True)]


def _align(items: list[str], numbers: list[float], precision: int) -> list[str]:
    """One column of doubles as texts of equal length; `items` are its numbers formatted by themselves."""
    if any("E" in item for item in items):
        return _align_scaled(numbers, precision)
    points = [len(item) if (point := item.find(".")) < 0 else point for item in items]
    left = max(points)
    shifted = [" " * (left - point) + item for point, item in zip(points, items, strict=True)]
    width = max(map(len, shifted))
    return [item.ljust(width) for item in shifted]


def _align_scaled(numbers: list[float], precision: int) -> list[str]:
    """One column of doubles, all scaled, as texts of equal length."""
    form = f"%.{precision - 1}e"
    parts = [_scaled_parts(form % (x + 0.0)) for x in numbers]
    left = max(len(whole) for whole, _, _ in parts)
    places = max(len(fraction) for _, fraction, _ in parts)
    tails = [
        ("." * (places > 0) + fraction.ljust(places, "0") + exponent) if exponent else ""
        for _, fraction, exponent in parts
    ]
    right = max(map(len, tails))
    return [whole.rjust(left) + tail.ljust(right) for (whole, _, _), tail in zip(parts, tails, strict=True)]


def _scaled_parts(item: str) -> tuple[str, str, str]:
    """Integer digit, shortest fraction and exponent of what Python's %e printed; ∞ has only the first."""
    mantissa, e, exponent = item.partition("e")
    if not e:
        return _respell(item), "", ""
    whole, _, fraction = mantissa.partition(".")
    return whole, fraction.rstrip("0"), f"E{int(exponent)}"


def _display_tuple(components: tuple[Any, ...], precision: int) -> str:
    """The display form of a tuple; see Note [Tuples]."""
    components = shown_items(components)
    if not components:
        return ""
    texts = [_component_lines(c, precision) for c in components]
    kinds = [_component_kind(c) for c in components]
    # Two nested components have their own blanks, and adjacent characters are text.
    gaps = ["" if one == next_one != "number" else " " for one, next_one in pairwise(kinds)] + [""]
    height = max(map(len, texts))
    filled = [lines + [" " * len(lines[0])] * (height - len(lines)) for lines in texts]
    rows = zip(*filled, strict=True)
    return "\n".join("".join(cell + gap for cell, gap in zip(row, gaps, strict=True)) for row in rows)


def _display_nested(array: Value, precision: int) -> str:
    """The display form of an array of arrays; see Note [Arrays of arrays]."""
    if array.ndim == 0:
        return _display_tuple((array.item(), ()), precision)
    if array.ndim == 1:
        return _display_tuple(tuple(array), precision)
    if not array.size:
        return _stack([""] * _row_count(array), array.shape[:-1])
    count = array.shape[-1]
    items = list(array.ravel())
    kinds = [_kind_of_column(items[j::count]) for j in range(count)]
    columns = [_column_lines(items[j::count], kind, precision) for j, kind in enumerate(kinds)]
    gaps = ["" if one == next_one != "number" else " " for one, next_one in pairwise(kinds)] + [""]
    rows: list[str] = []
    for row in zip(*columns, strict=True):
        height = max(map(len, row))
        padded = [
            [line + gap for line in cell] + [" " * len(cell[0] + gap)] * (height - len(cell))
            for cell, gap in zip(row, gaps, strict=True)
        ]
        rows.append("\n".join(map("".join, zip(*padded, strict=True))))
    return _stack(rows, array.shape[:-1])


def _kind_of_column(items: Sequence[Any]) -> str:
    """What the items of a column are together: `nested` where one of them is no scalar."""
    kinds = {_component_kind(item) for item in items}
    return kinds.pop() if len(kinds) == 1 else "nested" if "nested" in kinds else "number"


def _column_lines(items: Sequence[Any], kind: str, precision: int) -> list[list[str]]:
    """The lines of the items of a column, all of one width."""
    if kind == "number" and not any(map(holds_chars, items)):
        numbers = np.array(items).reshape(-1, 1)
        return [[line.replace("-", "¯")] for line in _numeric_rows(numbers, precision)]
    cells = [_component_lines(item, precision) for item in items]
    if kind == "nested":
        kinds = [_component_kind(item) for item in items]
        edged = [
            [f" {line} " for line in c] if k != "nested" else c for c, k in zip(cells, kinds, strict=True)
        ]
        width = max(len(cell[0]) for cell in edged)
        return [
            [line.rjust(width) if k == "number" else line.ljust(width) for line in cell]
            for cell, k in zip(edged, kinds, strict=True)
        ]
    width = max(len(cell[0]) for cell in cells)
    return [[line.ljust(width) for line in cell] for cell in cells]


def _component_kind(component: Value | tuple[Any, ...]) -> str:
    if isinstance(component, tuple) or np.ndim(component):
        return "nested"
    return "character" if holds_chars(component) else "number"


def _component_lines(component: Value | tuple[Any, ...], precision: int) -> list[str]:
    """The lines of one component, of equal length; those of a nested one with a blank on either side."""
    lines = display(component, chars=holds_chars(component), precision=precision).split("\n")
    width = max(map(len, lines))
    edge = " " if _component_kind(component) == "nested" else ""
    return [edge + line.ljust(width) + edge for line in lines]


def holds_chars(component: Value | tuple[Any, ...]) -> bool:
    """Whether a component of a tuple, or an item, is text."""
    return not isinstance(component, tuple) and np.asarray(component).dtype == np.dtype(Base.CHAR.dtype)
