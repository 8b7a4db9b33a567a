"""What comes from outside: texts, `.npy` arrays, Python values; their types, and what is wrong with them."""

from __future__ import annotations

import re
import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from aplc.backends.opencl.arrays import OnDevice, UnfitForDevice, as_cl_array, from_cl_array
from aplc.interchange.arrow_arrays import is_arrow, of_arrow
from aplc.interchange.awkward_arrays import is_awkward, of_awkward
from aplc.interchange.given import Input as Input
from aplc.interchange.given import Items, input_of
from aplc.interchange.given import UnfitValue as UnfitValue
from aplc.interchange.given import as_input as as_input
from aplc.interchange.given import memory_of as memory_of
from aplc.interchange.lists import characters, completed, of_lists, require_exact
from aplc.interchange.other_arrays import as_numpy as as_numpy
from aplc.interchange.record_arrays import of_rows, of_structured
from aplc.tail.display import shown_items
from aplc.tail.elements import UnfitArray as UnfitArray
from aplc.tail.elements import base_of_dtype
from aplc.tail.errors import CompileError, Diagnostic
from aplc.tail.meaning.core import base_of_value
from aplc.tail.source import Source, Span
from aplc.tail.types import MOST_AXES, Base, Nested, Type, parts_by_name

Value = np.ndarray[Any, Any]

HASH_BANG = b"#!"
SINGLE = np.dtype("<U1")
"""The elements of a text for NumPy."""
APL_NAME = re.compile(r"(?:[^\W0-9]|[∆⍙])[\w∆⍙]*")


def by_part(inputs: Mapping[str, Input]) -> dict[str, Input]:
    """The flat arrays that inputs are, by the names of the parameters that take them."""
    return {
        part: each
        for name, given in inputs.items()
        for (part, _), each in zip(parts_by_name(name, given.type), given.flat, strict=True)
    }


class UnusedInput(CompileError):
    """Arrays are given that the program does not use: most likely their names are others there."""

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic], names: Sequence[str]) -> None:
        super().__init__(diagnostics)
        self.names = tuple(names)


def require_used(unused: Sequence[str]) -> None:
    """Raise `UnusedInput` if there are any."""
    if unused:
        what = f"the input {unused[0]}" if len(unused) == 1 else f"the inputs {', '.join(unused)}"
        raise UnusedInput(Diagnostic("VALUE ERROR", f"the program does not use {what}"), unused)


Wanted = Callable[[], Type | None]
"""What tells the type that an annotation gives an argument; it is asked where that decides something."""


def from_python(value: object, wanted: Wanted = lambda: None) -> Input:
    """A Python value as an input: a number, a text, an array, what NumPy makes an array of; lists, arrays of
    objects, and arrays of Awkward Array or Arrow, as arrays of arrays.

    Raises `UnfitArray`, `UnfitValue`.
    """
    if isinstance(value, np.ndarray) and value.dtype == object:
        return _of_rows(value, wanted())
    if isinstance(value, np.ndarray) and value.dtype.names and not _is_masked(value):
        return of_structured(np.asarray(value), from_python)
    if type(value) is np.ndarray:
        return as_input(value)
    if isinstance(value, str):
        return as_input(np.asarray(value) if len(value) == 1 else characters(value))
    if (items := _of_column(value)) is not None:
        return (completed(items, wanted()) if items.base is None else items).input()
    if _is_masked(value):
        raise UnfitValue(
            "DOMAIN ERROR",
            "is a masked array, whose holes APL has no counterpart for; "
            "filled(value) puts a value into them, compressed() leaves them out",
        )
    if isinstance(value, list | tuple):
        return _from_list(value, wanted())
    try:
        array = as_numpy(value)
    except ValueError as failure:  # NumPy asks others what they are
        raise UnfitValue("DOMAIN ERROR", f"is no array: {failure}") from None
    if array.dtype == object and array.ndim and hasattr(type(value), "to_numpy"):  # a column of texts
        return of_lists(array, wanted(), _of_other).input()
    try:
        require_exact(array, value)
        return as_input(array)
    except UnfitArray as unfit:
        if isinstance(value, np.generic):
            raise
        kind = type(value)
        raise UnfitArray(f"{unfit} ({kind.__module__.partition('.')[0]}.{kind.__qualname__})") from None


def _from_list(value: list[Any] | tuple[Any, ...], wanted: Type | None) -> Input:
    """A list: NumPy's array of it where it is one of numbers."""
    first: Any = value
    for _ in range(MOST_AXES):  # a list may hold itself
        if isinstance(first, list | tuple) and first:
            first = first[0]
    if isinstance(first, bool | int | float | complex) and not isinstance(wanted, Nested):
        with suppress(ValueError):
            array = np.asarray(value)
            if array.dtype.kind in "biufc":
                require_exact(array, value)
                return as_input(array)
    return _of_rows(value, wanted)


def _of_rows(value: object, wanted: Type | None) -> Input:
    """A list or an array of objects: an array of arrays, and where that cannot be, as texts and numbers stand
    side by side, one of records.
    """
    try:
        return of_lists(value, wanted, _of_other).input()
    except UnfitValue as unfit:
        with suppress(UnfitValue, UnfitArray):
            if (made := of_rows(value, lambda column: of_lists(column, None, _of_other).input())) is not None:
                return made
        raise unfit from None


def _of_column(value: object) -> Items | None:
    """An array of Awkward Array or Arrow, taken apart; None for other values."""
    if is_awkward(value):
        return of_awkward(value)
    return of_arrow(value) if is_arrow(value) else None


def _of_other(value: object) -> Value | None:
    """What stands in a list and is an array of another library's, as NumPy's; None for what is none."""
    items = _of_column(value)
    if items is not None:
        return None if items.levels or items.base is None else items.elements.reshape(items.shape)
    if not any([hasattr(type(value), protocol) for protocol in ("__array__", "__dlpack__")]):
        return None
    try:
        return as_numpy(value)
    except ValueError:
        return None


def _is_masked(value: object, deep: int = 64) -> bool:
    """Whether a value is a masked array, or a list with one in it, of which NumPy would forget the mask."""
    masked = sys.modules.get("numpy.ma")
    if masked is None or not deep:  # NumPy has no more axes
        return False
    if isinstance(value, list | tuple):
        kinds = set(map(type, value))
        if any(issubclass(kind, list | tuple | masked.MaskedArray) for kind in kinds):
            return any(_is_masked(item, deep - 1) for item in value)
        return False
    return isinstance(value, masked.MaskedArray)


def input_on_device(array: Any, *, is_single: bool) -> Input:
    """An array of PyOpenCL as an input. Raises `UnfitForDevice`; with `is_single` also for doubles and
    complex numbers.
    """
    if is_single and array.dtype == np.float64:
        raise UnfitForDevice(
            "holds doubles, for which there is no single precision; astype(np.float32) has it"
        )
    if is_single and array.dtype.kind == "c":
        raise UnfitForDevice("holds complex numbers, for which there is no single precision; get() has them")
    try:
        base = base_of_dtype(array.dtype)
    except UnfitArray as unfit:
        raise UnfitForDevice(f"holds {unfit}") from None
    return input_of(base, from_cl_array(array))


def decode(data: bytes, name: str) -> Source:
    """The text in a file's bytes, without a byte-order mark; a first line `#!…` is a comment in it. Raises
    `CompileError` where it is not UTF-8.
    """
    data = data.removeprefix(BOM_UTF8)
    if data.startswith(HASH_BANG):  # what a shell runs it with is a comment, as long in characters
        data = "⍝!".encode() + data[len(HASH_BANG) :]
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        good = len(data[: error.start].decode())
        source = Source(name, data.decode(errors="replace"))
        utf16 = ": this looks like UTF-16" if data[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) else ""
        message = f"byte 0x{data[error.start]:02X} is not UTF-8 text{utf16}; save the file as UTF-8"
        raise CompileError(Diagnostic("SYNTAX ERROR", message, Span(source, good, good + 1))) from None
    source = Source(name, text)
    if (nul := text.find("\0")) >= 0:
        message = "a NUL character: this is not a text file"
        raise CompileError(Diagnostic("SYNTAX ERROR", message, Span(source, nul, nul + 1)))
    return source


def touch(array: Value) -> None:
    """Bring a memory-mapped array into memory, so that a measurement does not include reading it."""
    if array.size:
        np.add.reduce(array.reshape(-1).view(np.uint8)[::4096], dtype=np.int64)


def _item_for_python(value: Any) -> Any:
    simple = isinstance(value, np.ndarray) and value.dtype != object
    return as_python(value, base_of_value(value) if simple else None)


def as_python(value: Value | tuple[Any, ...], base: Base | None) -> Any:
    """A value for Python: a scalar for rank 0, characters as text or arrays of single characters, an array of
    PyOpenCL for what is on a device, a tuple of such for a nested value; an enclosed array is a tuple of one.
    An array of arrays is an array of Python objects.
    """
    if isinstance(value, OnDevice):
        return as_cl_array(value)
    if isinstance(value, tuple):
        return tuple([_item_for_python(v) for v in shown_items(value)])
    if value.dtype == object:
        items = value.reshape(-1).tolist()
        alike = value.ndim < 2 or len({(type(item), getattr(item, "dtype", None)) for item in items}) < 2
        is_array = alike and items and isinstance(items[0], np.ndarray) and items[0].ndim
        if is_array and items[0].dtype.kind in "bifc":
            return value  # all are of one kind, as they are but in tables
        is_text = is_array and items[0].dtype == np.uint32
        result = np.empty(value.shape, dtype=object)
        flat = result.reshape(-1)
        for k, item in enumerate(items):
            flat[k] = item.view(SINGLE) if is_text else _item_for_python(item)
        return result
    if base is Base.CHAR:
        text = np.ascontiguousarray(value, dtype=np.uint32).view(SINGLE).reshape(value.shape)
        return text.item() if value.ndim == 0 else text
    return value.item() if value.ndim == 0 else value
