"""The beginning of values that are too large to be shown."""

from __future__ import annotations

from typing import Any

import numpy as np

from aplc.tail.display import shown_items

MOST_ITEMS, MOST_ROWS, MOST_COLUMNS, MOST_PLANES = 1000, 60, 100, 4
"""What is shown of vectors, of rows and columns, and of the axes before them."""
MOST_IN_ITEM = 60


def shortened(value: Any, most: int = MOST_ITEMS) -> tuple[Any, str]:
    """As much of a value as is shown, and a note on how large all of it is; empty if that is all."""
    if isinstance(value, tuple):
        return _items_of(value, most)
    array = np.asarray(value)
    bounds = _bounds(array.shape, most)
    part = array[bounds]
    if part.dtype == object:
        part = _with_short_items(part)
    return part, _note(array.shape) if part.shape != array.shape else ""


def _bounds(shape: tuple[int, ...], most: int) -> tuple[slice, ...]:
    """What is shown of each axis."""
    if len(shape) < 2:
        return tuple([slice(most)] * len(shape))
    return (*[slice(MOST_PLANES)] * (len(shape) - 2), slice(MOST_ROWS), slice(MOST_COLUMNS))


def _note(shape: tuple[int, ...]) -> str:
    whole = f"{shape[0]:,} elements" if len(shape) == 1 else "shape " + " ".join(map(str, shape))
    return f"… the beginning of {whole}"


def _with_short_items(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """An array of arrays, whose items are shortened without a word."""
    made = np.empty(array.shape, dtype=object)
    for place, item in np.ndenumerate(array):
        made[place] = shortened(item, MOST_IN_ITEM)[0] if isinstance(item, tuple) or np.ndim(item) else item
    return made


def _items_of(value: tuple[Any, ...], most: int) -> tuple[Any, str]:
    items = shown_items(value)
    mark = value[len(items) :]
    kept = tuple([shortened(item, MOST_IN_ITEM)[0] for item in items[:most]])
    return (*kept, *mark), f"… the beginning of {len(items):,} items" if len(items) > most else ""
