"""Arrays of Arrow (pyarrow): recognised, taken apart, and made.

The memory of an array is read from its buffers, whose sizes are known; what Arrow's own functions would read
is not compared with them.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import numpy as np

from aplc.interchange.columns import Chosen, Flat, Lists, Node, Regular, Unknown, items_of, refused
from aplc.interchange.given import Items, UnfitValue, Value, joined
from aplc.tail.elements import UnfitArray

MODULE = "pyarrow"

ELEMENTS = {
    "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8",
    "uint8": "u1", "uint16": "u2", "uint32": "u4", "uint64": "u8",
    "halffloat": "f2", "float": "f4", "double": "f8",
}  # fmt: skip
"""The types of Arrow whose values lie in memory as those of NumPy."""


def is_arrow(value: object) -> bool:
    """Whether a value is an array, a table or a scalar of Arrow's, which is not imported for that."""
    module = sys.modules.get(MODULE)
    if module is None or not type(value).__module__.startswith(MODULE):
        return False
    kinds = module.Array | module.ChunkedArray | module.Scalar | module.Table | module.RecordBatch
    return isinstance(value, kinds)


def of_arrow(value: Any) -> Items:
    """An array of Arrow, taken apart; of a chunked one the chunks are joined. Raises `UnfitArray`,
    `UnfitValue`.
    """
    arrow = sys.modules[MODULE]
    if isinstance(value, arrow.Table | arrow.RecordBatch):
        names = ", ".join(map(str, value.schema.names))
        raise refused(f"is a table with the columns {names}", "table[NAME] is one of them")
    if isinstance(value, arrow.Scalar):
        raise UnfitArray(f"a scalar of Arrow's type {value.type}; scalar.as_py() is a value of Python's")
    if not isinstance(value, arrow.ChunkedArray):
        return items_of(value, _read)
    if value.num_chunks == 1:
        return items_of(value.chunk(0), _read)
    chunks = value.chunks or [arrow.array([], value.type)]
    parts = [items_of(chunk, _read) for chunk in chunks]
    return joined(parts)


def _read(array: Any) -> Node:
    """What the outermost level of an array is."""
    arrow = sys.modules[MODULE]
    if isinstance(array, arrow.ExtensionArray):
        return _read(array.storage)
    kind, buffers = array.type, array.buffers()
    types = arrow.types
    if types.is_null(kind):
        if len(array):
            raise _nulls(array, len(array))
        return Unknown()
    _require_no_nulls(array, buffers[0])
    if types.is_boolean(kind):
        return Flat(_bits(buffers[1], array.offset, len(array)))
    if str(kind) in ELEMENTS:
        return Flat(_values(buffers[1], ELEMENTS[str(kind)], array.offset, len(array)))
    if types.is_fixed_size_list(kind):
        size = kind.list_size
        return Regular(size, len(array), array.values[array.offset * size :])
    if types.is_list(kind) or types.is_large_list(kind):
        return Lists(_offsets(array, buffers, large=types.is_large_list(kind)), None, array.values)
    if _is(types, "is_list_view", kind) or _is(types, "is_large_list_view", kind):
        width = "i8" if _is(types, "is_large_list_view", kind) else "i4"
        starts, lengths = [_values(b, width, array.offset, len(array)) for b in buffers[1:3]]
        return Lists(starts, lengths.astype(np.int64), array.values)
    if types.is_string(kind) or types.is_large_string(kind):
        offsets = _offsets(array, buffers, large=types.is_large_string(kind))
        data = np.zeros(0, np.uint8) if buffers[2] is None else _values(buffers[2], "u1", 0, buffers[2].size)
        return Lists(offsets, None, data, is_text=True)
    if types.is_dictionary(kind):
        indices = array.indices
        _require_no_nulls(indices, indices.buffers()[0])
        width = ELEMENTS[str(indices.type)]
        return Chosen(_values(indices.buffers()[1], width, indices.offset, len(indices)), array.dictionary)
    if types.is_struct(kind):
        names = [kind.field(k).name for k in range(kind.num_fields)]
        raise refused(f"holds structs with the fields {', '.join(names)}", "array.field(NAME) is one of them")
    if _is(types, "is_string_view", kind):
        raise refused("holds texts that are views", "array.cast(pyarrow.large_string()) has them")
    raise UnfitArray(f"values of Arrow's type {kind}")


def _is(types: Any, question: str, kind: Any) -> bool:
    """Whether a type is of a kind that older versions of Arrow do not know."""
    return bool(getattr(types, question, lambda _: False)(kind))


def _values(buffer: Any, width: str, offset: int, count: int) -> Value:
    """Values of a buffer, where they are. Raises `UnfitValue` unless the buffer has them."""
    dtype = np.dtype(width)
    size = 0 if buffer is None else buffer.size
    if count < 0 or offset < 0 or ((offset + count) * dtype.itemsize > size and count):
        raise _short((offset + count) * dtype.itemsize, size)
    if not count:
        return np.zeros(0, dtype)
    if not buffer.is_cpu:
        raise UnfitValue("DOMAIN ERROR", "is in the memory of a device")
    return np.frombuffer(buffer, dtype, count, offset * dtype.itemsize)


def _short(wanted: int, size: int) -> UnfitValue:
    return UnfitValue("INDEX ERROR", f"is damaged: it needs a buffer of {wanted} bytes, and has {size}")


def _offsets(array: Any, buffers: list[Any], *, large: bool) -> Value:
    """The offsets of lists; of no lists there may be none in memory."""
    if not len(array):
        return np.zeros(1, np.int64)
    return _values(buffers[1], "i8" if large else "i4", array.offset, len(array) + 1)


def _bits(buffer: Any, offset: int, count: int) -> Value:
    """Bits as truth values."""
    first = offset >> 3
    data = _values(buffer, "u1", first, (offset + count + 7 >> 3) - first)
    bits = np.unpackbits(data, bitorder="little")[offset - 8 * first :][:count]
    return bits.view(np.bool_)


def _require_no_nulls(array: Any, validity: Any) -> None:
    """Raise `UnfitValue` where values are missing."""
    if validity is None:
        return
    if array.offset < 0 or array.offset + len(array) > 8 * validity.size:
        raise _short(array.offset + len(array) + 7 >> 3, validity.size)
    if array.null_count:
        raise _nulls(array, array.null_count)


def _nulls(array: Any, count: int) -> UnfitValue:
    return refused(
        f"has nulls ({count} of {len(array)} values of type {array.type})",
        "drop_null() and fill_null(value) make an array without",
    )


class ForArrow:
    """Makes arrays of Arrow."""

    def __init__(self) -> None:
        self._arrow = import_module(MODULE)

    def values(self, array: Value) -> Any:
        """Numbers, where they are; truth values become bits. Raises `UnfitValue` for complex numbers."""
        if array.dtype.kind == "c":
            raise UnfitValue("DOMAIN ERROR", "holds complex numbers, for which Arrow has no type")
        return self._arrow.array(array)

    def lists(self, offsets: Value, content: Any) -> Any:
        """Lists, one behind the other."""
        buffers = [None, self._arrow.py_buffer(offsets)]
        kind = self._arrow.large_list(content.type)
        return self._arrow.Array.from_buffers(kind, offsets.size - 1, buffers, children=[content])

    def texts(self, offsets: Value, data: Value) -> Any:
        """Texts, one behind the other."""
        buffers = [None, self._arrow.py_buffer(offsets), self._arrow.py_buffer(data)]
        return self._arrow.Array.from_buffers(self._arrow.large_string(), offsets.size - 1, buffers)

    def regular(self, content: Any, size: int, count: int) -> Any:
        """Lists of one length."""
        kind = self._arrow.list_(content.type, size)
        return self._arrow.Array.from_buffers(kind, count, [None], children=[content])

    def array(self, content: Any) -> Any:
        """What the user gets."""
        return content
