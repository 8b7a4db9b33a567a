"""Arrays of Awkward Array and of Arrow, taken apart: what is the same for both.

Both keep an array of lists as offsets, or as starts and lengths, beside one array of all values; so do we,
and the values are used where they are. A library's array becomes a `Node` for each of its levels. Neither
library is imported here: an array of theirs is recognised where they have been imported.

Note [Conversions of columns]
    Truth values of Arrow are bits and become bytes. Texts are UTF-8 in both libraries and code points here.
    Elements that an index chooses are gathered; lists and texts are not, their places are. Of an array that
    shows a part of another only the values between its first and its last item are converted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from aplc.interchange.given import Items, Level, UnfitValue, Value, level_of_offsets, level_of_spans
from aplc.interchange.texts import code_points
from aplc.tail.elements import as_elements


@dataclass(frozen=True)
class Flat:
    """Elements; the first axis goes over the rows."""

    array: Value


@dataclass(frozen=True)
class Unknown:
    """Rows of a type that is not known; there are none."""


@dataclass(frozen=True)
class Regular:
    """Lists of one length, one behind the other."""

    size: int
    count: int
    content: Any


@dataclass(frozen=True)
class Lists:
    """Lists: by offsets, one more than there are lists, or by starts and lengths."""

    starts: Value
    lengths: Value | None
    content: Any
    """What a library has for the array of all values, which has a length and can be sliced; of texts it is
    bytes.
    """
    is_text: bool = False


@dataclass(frozen=True)
class Chosen:
    """Rows that an index chooses among others."""

    index: Value
    content: Any


Node = Flat | Unknown | Regular | Lists | Chosen
Reader = Callable[[Any], Node]
"""What a library's array is at its outermost level. Raises `UnfitArray`, `UnfitValue`."""


def items_of(array: Any, read: Reader) -> Items:
    """An array of some library, taken apart. Raises `UnfitArray`, `UnfitValue`."""
    return _rows((len(array),), array, read, None)


def _rows(axes: tuple[int, ...], array: Any, read: Reader, index: Value | None) -> Items:
    """Rows, those of an index if there is one, with the extents that are known so far."""
    node = read(array)
    while isinstance(node, Chosen):
        require_within(node.index, len(node.content))
        index = node.index if index is None else node.index[index]
        node = read(node.content)
    match node:
        case Unknown():
            return Items(axes, (), None, np.zeros(0))
        case Flat(array=elements):
            base, elements = as_elements(elements if index is None else elements[index])
            return Items((*axes, *elements.shape[1:]), (), base, elements.reshape(-1))
        case Regular(size=size, count=count, content=content):
            if len(content) < size * count:
                message = f"is damaged: {count} rows of {size} in {len(content)} elements"
                raise UnfitValue("INDEX ERROR", message)
            if index is not None:
                index = (index.astype(np.int64)[:, None] * size + np.arange(size)).reshape(-1)
            return _rows((*axes, size), content[: size * count], read, index)
        case Lists():
            level, items = _lists(node, index, read)
            return Items(axes, (level, *items.levels), items.base, items.elements)


def _lists(node: Lists, index: Value | None, read: Reader) -> tuple[Level, Items]:
    """The items of a level, and what lies beneath it."""
    size, starts, lengths = len(node.content), node.starts, node.lengths
    if lengths is None:
        level = level_of_offsets(starts, size)
        if index is None and not node.is_text:
            first, last = int(starts[0]), int(starts[-1])
            items = _rows((last - first,), node.content[first:last], read, None)
            if not first and len(items.shape) == 1:
                return level, items
            return level_of_offsets(starts - first, last - first, items.shape[1:]), items
        starts, lengths = level.places, level.extents[0]
    if index is not None:
        starts, lengths = starts[index], lengths[index]
    level = level_of_spans(starts, lengths, size)
    starts, (lengths,) = level.places, level.extents
    first, last = _window(starts, lengths)
    content, starts = node.content[first:last], np.where(lengths > 0, starts - first, 0)
    if node.is_text:
        elements, starts, lengths = code_points(content, starts, lengths)
        base, elements = as_elements(elements.view("<U1"))
        items = Items((elements.size,), (), base, elements)
    else:
        items = _rows((last - first,), content, read, None)
    return level_of_spans(starts, lengths, items.shape[0], items.shape[1:]), items


def _window(starts: Value, lengths: Value) -> tuple[int, int]:
    """The part of the values that items lie in."""
    filled = lengths > 0
    if not filled.any():
        return 0, 0
    last = (starts + lengths).max(where=filled, initial=0)
    return int(starts.min(where=filled, initial=1 << 62)), int(last)


def require_within(index: Value, size: int) -> None:
    """Raise `UnfitValue` unless an index chooses among so many."""
    if index.size and (int(index.min()) < 0 or int(index.max()) >= size):
        k = int(((index < 0) | (index >= size)).argmax())
        raise UnfitValue("INDEX ERROR", f"is damaged: item {k} is number {index[k]} of {size}")


def refused(what: str, instead: str) -> UnfitValue:
    """The error for a kind of array that APL has no counterpart for."""
    return UnfitValue("DOMAIN ERROR", f"{what}, which APL has no counterpart for; {instead}")
