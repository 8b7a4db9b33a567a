"""Records from Python: arrays of records of NumPy, and lists whose rows hold texts and numbers side by side.

Each field is a column, and becomes an array as any other Python value does; rows are taken apart in one step
for each field. A text in a field is a vector of characters, whatever its length.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from aplc.interchange.given import Input, UnfitValue, Value
from aplc.interchange.lists import NUMBERS
from aplc.tail.types import field_of, records

Convert = Callable[[Value], Input]
"""A column, which is an array of one axis, as an input. Raises `UnfitArray`, `UnfitValue`."""


def of_structured(array: Value, convert: Convert) -> Input:
    """An array of records of NumPy: a vector of records; those of other ranks have as many axes. Raises
    `UnfitArray`, `UnfitValue`.
    """
    names = array.dtype.names
    assert names
    return _joined([_named(name, array[name], convert) for name in names], array)


def _named(name: str, column: Value, convert: Convert) -> Input:
    """A field of NumPy's; texts of a fixed width are items, without what fills them up."""
    if column.dtype.kind == "U":
        column = _objects(column.tolist(), column.shape)
    try:
        return convert(column)
    except UnfitValue as unfit:
        raise UnfitValue(unfit.kind, f"{unfit}, in its field {name}") from None


def of_rows(rows: object, convert: Convert) -> Input | None:
    """A list of rows, lists or tuples with as many fields each, one of them a text or a number, as records;
    None for any other value. Raises `UnfitArray`, `UnfitValue`.
    """
    if isinstance(rows, np.ndarray):
        rows = rows.tolist() if rows.ndim == 1 else None
    if not isinstance(rows, list | tuple) or not rows:
        return None
    if not all(issubclass(kind, list | tuple) for kind in set(map(type, rows))):
        return None
    if len(set(map(len, rows))) != 1 or not any(isinstance(field, (str, *NUMBERS)) for field in rows[0]):
        return None
    columns = [_objects(column, (len(rows),)) for column in zip(*rows, strict=True)]
    return _joined([convert(column) for column in columns], columns[0])


def _objects(items: Any, shape: tuple[int, ...]) -> Value:
    """Python values as an array of objects, each of them one element."""
    result = np.empty(shape, dtype=object)
    if len(shape) == 1:
        for k, item in enumerate(items):
            result[k] = item
    else:
        result[...] = items
    return result


def _joined(columns: list[Input], value: Value) -> Input:
    rank = value.ndim
    ty = records(tuple([field_of(column.type) for column in columns]), rank)
    if tuple([column.type for column in columns]) != ty.items:
        raise UnfitValue("RANK ERROR", f"has fields with more axes than its {rank}")
    return Input(ty, "", value, parts=tuple(columns))
