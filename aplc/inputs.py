"""What comes from outside: texts, `.npy` arrays, Python values; their types, and what is wrong with them."""

from __future__ import annotations

import re
import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from aplc.backends.opencl.arrays import OnDevice, UnfitForDevice, as_cl_array, from_cl_array
from aplc.tail.display import shown_items
from aplc.tail.elements import UnfitArray as UnfitArray
from aplc.tail.elements import as_elements, base_of_dtype
from aplc.tail.errors import CompileError, Diagnostic, Error
from aplc.tail.meaning.core import base_of_value
from aplc.tail.npy import FAILURES, Npy, fault
from aplc.tail.source import Source, Span
from aplc.tail.types import Array, Base, Rho, Type, base_of, nested, parts_by_name

Value = np.ndarray[Any, Any]

APL_NAME = re.compile(r"(?:[^\W0-9]|[∆⍙])[\w∆⍙]*")


@dataclass(frozen=True)
class Input:
    """An array for a program: its TAIL type, the dtype of its elements in memory, and the elements."""

    type: Type
    storage: str
    value: Value
    is_mapped: bool = False
    """Whether the process ends where the file that has the elements is cut short."""
    parts: tuple[Input, ...] = ()
    """Those of an array of arrays, which has no elements of its own."""

    @property
    def flat(self) -> tuple[Input, ...]:
        """The flat arrays that the program takes."""
        return self.parts or (self,)


def by_part(inputs: Mapping[str, Input]) -> dict[str, Input]:
    """The flat arrays that inputs are, by the names of the parameters that take them."""
    return {
        part: each
        for name, given in inputs.items()
        for (part, _), each in zip(parts_by_name(name, given.type), given.flat, strict=True)
    }


class UnfitValue(Error):
    """A Python value that is no array for APL; the message continues `… `."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


class UnusedInput(CompileError):
    """An array is given that the program does not use: most likely its name is another one there."""


def require_used(unused: Sequence[str]) -> None:
    """Raise `UnusedInput` if there are any."""
    if unused:
        what = f"the input {unused[0]}" if len(unused) == 1 else f"the inputs {', '.join(unused)}"
        raise UnusedInput(Diagnostic("VALUE ERROR", f"the program does not use {what}"))


def as_input(array: Value) -> Input:
    """An array as an input, as `aplc.tail.elements.as_elements` gives it. Raises `UnfitArray`."""
    return _input(*as_elements(array))


def from_python(value: object) -> Input:
    """A Python value as an input: a number, a text, an array, what NumPy makes an array of.

    Raises `UnfitArray`, `UnfitValue`.
    """
    if isinstance(value, str) and len(value) != 1:
        value = _characters(value)
    if _has_items(value):
        return of_items(value)
    if type(value) is np.ndarray:
        return as_input(value)
    if _is_masked(value):
        raise UnfitValue(
            "DOMAIN ERROR",
            "is a masked array, whose holes APL has no counterpart for; "
            "filled(value) puts a value into them, compressed() leaves them out",
        )
    try:
        array = np.asarray(value)
    except ValueError as failure:
        if not isinstance(value, list | tuple):  # NumPy asks others what they are
            raise UnfitValue("DOMAIN ERROR", f"is no array: {failure}") from None
        message = "has rows of different lengths, a function needs an array without holes"
        raise UnfitValue("LENGTH ERROR", message) from None
    try:
        _require_exact(array, value)
        return as_input(array)
    except UnfitArray as unfit:
        if isinstance(value, np.generic | list | tuple):
            raise
        kind = type(value)
        raise UnfitArray(f"{unfit} ({kind.__module__.partition('.')[0]}.{kind.__qualname__})") from None


def _has_items(value: object) -> bool:
    """Whether a value is a list of texts or of arrays of different lengths, or an array of such objects."""
    if isinstance(value, np.ndarray):
        return value.dtype == object and value.size > 0 and all(map(_is_item, value.ravel()))
    if not isinstance(value, list | tuple) or not value:
        return False
    if all(isinstance(item, str) for item in value):
        return any(len(item) != 1 for item in value)  # one character is a scalar elsewhere
    if not all(map(_is_item, value)):
        return False
    if any(isinstance(item, str) for item in value):
        return True
    return len({np.shape(item) if isinstance(item, np.ndarray) else len(item) for item in value}) > 1


def _characters(text: str) -> Value:
    """A text as a vector of its characters."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<U1")


def _is_item(value: object) -> bool:
    if isinstance(value, str):
        return len(value) != 1
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0)


def of_items(value: Any) -> Input:
    """An array of arrays as an input. Raises `UnfitArray`, `UnfitValue`."""
    shape = value.shape if isinstance(value, np.ndarray) else (len(value),)
    given = value.ravel().tolist() if isinstance(value, np.ndarray) else value
    items = [from_python(_characters(item) if isinstance(item, str) else item) for item in given]
    if any(item.parts for item in items):
        raise UnfitValue("DOMAIN ERROR", "has arrays of arrays as items, which functions do not take yet")
    ranks = {item.value.ndim for item in items}
    bases = [base_of(item.type) for item in items]
    if len(ranks) > 1 or 0 in ranks or (Base.CHAR in bases and set(bases) != {Base.CHAR}):
        raise UnfitValue("DOMAIN ERROR", "has items of different rank or kind, a function needs one of each")
    base = Base.CHAR if Base.CHAR in bases else _widest(bases)
    sizes = np.array([item.value.size for item in items], dtype=np.int64)
    extents = np.array([item.value.shape for item in items], dtype=np.int64)
    elements = np.concatenate([item.value.reshape(-1).astype(base.dtype, copy=False) for item in items])
    arrays = ((np.cumsum(sizes) - sizes), *extents.T)
    parts = [as_input(np.ascontiguousarray(a.reshape(shape))) for a in arrays]
    ty = nested(Array(base, Rho(ranks.pop())), len(shape))
    return Input(ty, "", elements, parts=(*parts, _input(base, elements)))


def _widest(bases: list[Base]) -> Base:
    """The element type that holds numbers of all of these."""
    order = (Base.BOOL, Base.INT, Base.DOUBLE, Base.COMPLEX)
    return max(bases, key=order.index)


def _require_exact(array: Value, value: object) -> None:
    """NumPy makes Python's integers beyond 64 bits doubles, or objects. Raises `UnfitArray` where it did."""
    if isinstance(value, np.ndarray | np.generic) or not (
        array.dtype == object or (array.dtype == np.float64 and bool((np.abs(array) >= 2.0**63).any()))
    ):
        return
    items = np.asarray(value, object).ravel().tolist()
    numbers = [item for item in items if isinstance(item, int | float)]
    if len(numbers) == len(items) and any(
        [isinstance(number, int) and not -(2**63) <= number < 2**63 for number in numbers]
    ):
        raise UnfitArray("integers beyond 64 bits with a sign")


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


def _input(base: Base, elements: Value) -> Input:
    return Input(_type(base, elements.ndim), _name(elements.dtype), elements)


@cache
def _type(base: Base, rank: int) -> Type:
    return Array(base, Rho(rank))


@cache
def _name(dtype: np.dtype[Any]) -> str:
    """The name of a dtype, which NumPy takes a while to find."""
    return dtype.name


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
    return _input(base, from_cl_array(array))


def read_input(argument: str, *, header_only: bool = False) -> tuple[str, Input]:
    """The name and the array of `NAME=FILE.npy`; with `header_only` one of the same type and shape whose
    elements mean nothing.

    Raises `CompileError` with the position in the argument.
    """
    source = Source("command line", f"--input {argument}")
    start = len("--input ")
    name, equals, path = argument.partition("=")
    if not equals or not name or not path:
        span = Span(source, start, len(source.text))
        raise CompileError(Diagnostic("SYNTAX ERROR", "an input is written NAME=FILE.npy", span))
    if not APL_NAME.fullmatch(name):
        span = Span(source, start, start + len(name))
        raise CompileError(Diagnostic("SYNTAX ERROR", f"{name} is no APL name", span))
    span = Span(source, start + len(name) + 1, len(source.text))
    try:
        with Npy.open(path) as npy:
            if header_only:
                return name, _input(*npy.stand_in())
            return name, _from_file(npy, path, span)
    except FAILURES as failure:
        message = str(fault(path, failure).values[0])
        raise CompileError(Diagnostic("FILE ERROR", message, span)) from None


def _from_file(npy: Npy, path: str, span: Span) -> Input:
    """The array of a file, read, or mapped and watched: see Note [Read or mapped]."""
    if npy.is_mappable:
        from aplc.backends.native.mapped import watch  # noqa: PLC0415 (most programs start faster without it)

        base, elements = npy.mapped()
        gone = Diagnostic("FILE ERROR", f"{path} was cut short while it was read", span)
        if watch(elements, gone.render()):
            return replace(_input(base, elements), is_mapped=True)
    return _input(*npy.read())


def decode(data: bytes, name: str) -> Source:
    """The text in a file's bytes, without a byte-order mark. Raises `CompileError` where it is not UTF-8."""
    data = data.removeprefix(BOM_UTF8)
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
        result = np.empty(value.shape, dtype=object)
        for place, item in np.ndenumerate(value):
            result[place] = _item_for_python(item)
        return result
    if base is Base.CHAR:
        text = np.ascontiguousarray(value, dtype=np.uint32).view("<U1").reshape(value.shape)
        return text.item() if value.ndim == 0 else text
    return value.item() if value.ndim == 0 else value
