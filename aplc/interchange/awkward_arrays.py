"""Arrays of Awkward Array: recognised, taken apart, and made."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import numpy as np

from aplc.interchange.columns import Chosen, Flat, Lists, Node, Regular, Unknown, items_of, refused
from aplc.interchange.given import Items, UnfitValue, Value
from aplc.tail.elements import UnfitArray

MODULE = "awkward"


def is_awkward(value: object) -> bool:
    """Whether a value is an array or a record of Awkward Array's, which is not imported for that."""
    module = sys.modules.get(MODULE)
    return module is not None and isinstance(value, module.Array | module.Record)


def of_awkward(array: Any) -> Items:
    """An array of Awkward Array, taken apart. Raises `UnfitArray`, `UnfitValue`."""
    awkward = sys.modules[MODULE]
    if isinstance(array, awkward.Record):
        raise _of_records(array.layout.array)
    layout = array.layout
    if layout.backend.name != "cpu":
        raise UnfitValue(
            "DOMAIN ERROR",
            f"has the backend {layout.backend.name}; ak.to_backend(array, 'cpu') has the values",
        )
    if not layout.is_all_materialized:
        layout = awkward.materialize(layout)
    return items_of(layout, _read)


def _read(layout: Any) -> Node:
    """What the outermost level of a layout is."""
    if layout.is_record:
        raise _of_records(layout)
    if layout.is_union:
        kinds = ", ".join([str(content.form.type) for content in layout.contents])
        raise refused(f"holds a union of {kinds}", "its items need one type")
    if layout.is_indexed and not layout.is_option:
        return Chosen(layout.index.data, layout.content)
    if layout.is_option:
        if layout.is_unmasked:
            return _read(layout.content)
        raise refused(
            f"has the option type {layout.form.type}",
            "ak.fill_none(array, value, axis=None) or ak.drop_none(array) make one without",
        )
    if layout.is_unknown:
        return Unknown()
    if layout.is_numpy:
        return Flat(layout.data)
    kind = layout.parameter("__array__")
    if kind == "bytestring":
        raise UnfitArray("bytestrings of Awkward Array")
    content = layout.content
    is_text = kind == "string"
    if is_text:
        content = _bytes(content)
    if layout.is_regular and not is_text:
        return Regular(int(layout.size), len(layout), content)
    if layout.is_regular:
        offsets = np.arange(len(layout) + 1, dtype=np.int64) * int(layout.size)
        return Lists(offsets, None, content, is_text=True)
    if hasattr(layout, "offsets"):
        return Lists(_index(layout.offsets), None, content, is_text)
    starts, stops = _index(layout.starts), _index(layout.stops)[: len(layout)]
    lengths = np.subtract(stops, starts, dtype=np.int64)
    return Lists(starts, np.where(_fits(starts) & _fits(stops), lengths, -1), content, is_text)


def _fits(places: Value) -> Value:
    """Which places are such that the difference of two of them has 64 bits."""
    fits: Value = (places >= 0) & (places < 1 << 62)
    return fits


def _index(index: Any) -> Value:
    array: Value = np.ascontiguousarray(index.data)
    return array


def _bytes(content: Any) -> Value:
    """The bytes of texts."""
    if not content.is_numpy or content.data.dtype != np.uint8 or content.data.ndim != 1:
        raise UnfitArray("texts that are no bytes")
    return np.ascontiguousarray(content.data)


def _of_records(layout: Any) -> UnfitValue:
    """The error for records, which names their fields."""
    if not layout.fields:
        return refused("holds records without fields", "its items need a type")
    fields = ", ".join(layout.fields)
    return refused(f"holds records with the fields {fields}", f"array[{layout.fields[0]!r}] is one of them")


class ForAwkward:
    """Makes arrays of Awkward Array."""

    def __init__(self) -> None:
        self._awkward = import_module(MODULE)
        self._contents = self._awkward.contents

    def values(self, array: Value) -> Any:
        """Numbers, where they are."""
        return self._contents.NumpyArray(array)

    def lists(self, offsets: Value, content: Any) -> Any:
        """Lists, one behind the other."""
        return self._contents.ListOffsetArray(self._awkward.index.Index64(offsets), content)

    def texts(self, offsets: Value, data: Value) -> Any:
        """Texts, one behind the other."""
        index = self._awkward.index.Index64(offsets)
        content = self._contents.NumpyArray(data, parameters={"__array__": "char"})
        return self._contents.ListOffsetArray(index, content, parameters={"__array__": "string"})

    def regular(self, content: Any, size: int, count: int) -> Any:
        """Lists of one length."""
        return self._contents.RegularArray(content, size, count)

    def array(self, content: Any) -> Any:
        """What the user gets."""
        return self._awkward.Array(content)
