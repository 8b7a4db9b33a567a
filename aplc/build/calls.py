"""Calls of a library that `aplc build` has made, from Python.

This module is a part of every wheel, where it stands beside the functions. It
needs NumPy, and nothing of aplc.
"""

from __future__ import annotations

import contextlib
import ctypes
import glob
import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]


class AplError(Exception):
    """An APL error of a function: `kind` as in DOMAIN ERROR, and where in the APL text it is."""

    kind: str = ""


class _Complex(ctypes.Structure):
    _fields_ = [("re", ctypes.c_double), ("im", ctypes.c_double)]


class _Base(NamedTuple):
    """A type of elements: its dtype, the kinds of dtypes that it takes, its C type, what it is called."""

    dtype: str
    kinds: str
    c_type: Any
    called: str


_BASES = {
    "int": _Base("int64", "biu", ctypes.c_int64, "whole numbers"),
    "double": _Base("float64", "biuf", ctypes.c_double, "real numbers"),
    "complex": _Base("complex128", "biufc", _Complex, "numbers"),
    "bool": _Base("bool", "b", ctypes.c_bool, "truth values"),
    "char": _Base("uint32", "U", ctypes.c_uint32, "text"),
}


class Value(NamedTuple):
    """An argument or a result: an array of that rank, or a vector of vectors."""

    base: str
    rank: int
    is_lists: bool = False


class _Memory:
    """Elements that the library has made, freed with the last array that shows them."""

    def __init__(self, address: int, count: int, dtype: str, free: Callable[[int], None]) -> None:
        self._address, self._free = address, free
        self.__array_interface__ = {
            "data": (address, False),
            "shape": (count,),
            "typestr": np.dtype(dtype).str,
            "version": 3,
        }

    def __del__(self) -> None:
        self._free(self._address)


class Library:
    """The shared object beside this module. Calls release the interpreter's lock."""

    def __init__(self, name: str, prefix: str, *, has_device: bool = False) -> None:
        if has_device:
            _load_opencl()
        self._functions = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), name))
        self._message = self._functions[f"{prefix}_message"]
        self._message.restype = ctypes.c_char_p
        free = self._functions[f"{prefix}_free"]
        free.argtypes, free.restype = [ctypes.c_void_p], None
        self.free: Callable[[int], None] = free
        self._prefix = prefix

    def function(
        self, name: str, symbol: str, arguments: Sequence[tuple[str, Value]], results: Sequence[Value]
    ) -> Callable[..., Any]:
        """A function of the library, by the name of its symbol and what it takes and gives."""
        entry = self._functions[symbol]
        entry.restype = ctypes.c_int

        def call(*given: Any) -> Any:
            words: list[Any] = []
            held: list[Array] = []
            for (argument, value), each in zip(arguments, given, strict=True):
                words += _passed(f"{name}: {argument}", value, each, held)
            places = [_place(value) for value in results]
            status = entry(*words, *[ctypes.byref(place) for place in places])
            if status != 0:
                raise self._error()
            found = tuple([self._taken(value, place) for value, place in zip(results, places, strict=True)])
            return found if len(found) > 1 else found[0]

        return call

    def init(self, device: str) -> None:
        """Choose the device whose name contains this. Raises RuntimeError where there is none."""
        if self._functions[f"{self._prefix}_init"](device.encode()) != 0:
            raise self._error()

    def device(self) -> str:
        """The name of the device; empty where there is none."""
        function = self._functions[f"{self._prefix}_device"]
        function.restype = ctypes.c_char_p
        return str(function().decode(errors="replace"))

    def finish(self) -> None:
        """Give the device back."""
        self._functions[f"{self._prefix}_finish"]()

    def _error(self) -> Exception:
        message = self._message().decode(errors="replace")
        if message.startswith("DEVICE ERROR: "):
            return RuntimeError(message)
        kind = next((kind for kind in _KINDS if f"{kind}: " in message), "")
        if kind == "WS FULL":
            return MemoryError(message)
        error = AplError(message)
        error.kind = kind
        return error

    def _taken(self, value: Value, place: Any) -> Any:
        """A result as Python has it."""
        if value.is_lists:
            offsets = self._array(place.offsets, place.count + 1, "int64")
            data = self._array(place.data, int(offsets[-1]), _BASES[value.base].dtype)
            items = np.empty(place.count, dtype=object)
            bounds = offsets.tolist()
            for k in range(place.count):
                item = data[bounds[k] : bounds[k + 1]]
                items[k] = _text(item) if value.base == "char" else item
            return items
        if value.rank == 0:
            if value.base == "complex":
                return complex(place.re, place.im)
            return chr(place.value) if value.base == "char" else place.value
        shape = tuple(place.shape)
        count = int(np.prod(shape, dtype=np.int64))
        array = self._array(place.data, count, _BASES[value.base].dtype).reshape(shape)
        if value.base != "char":
            return array
        return _text(array) if value.rank == 1 else array.view("U1")

    def _array(self, address: int | None, count: int, dtype: str) -> Array:
        if not address or count == 0:
            if address:
                self.free(address)
            return np.empty(count, dtype)
        return np.asarray(_Memory(address, count, dtype, self.free))


def _load_opencl() -> None:
    """Load the library of OpenCL, which drivers are behind: the system's, or that of the package pyopencl."""
    with contextlib.suppress(OSError):
        ctypes.CDLL("libOpenCL.so.1", ctypes.RTLD_GLOBAL)
        return
    with contextlib.suppress(ImportError, OSError):
        package = importlib.import_module("pyopencl")
        folder = os.path.join(glob.escape(os.path.dirname(str(package.__file__))), ".libs")
        for name in glob.glob(os.path.join(folder, "libOpenCL*")):
            ctypes.CDLL(name, ctypes.RTLD_GLOBAL)  # it is there, and now others find it


_KINDS = (
    "WS FULL", "INDEX ERROR", "RANK ERROR", "LENGTH ERROR", "VALUE ERROR", "FORMAT ERROR", "LIMIT ERROR",
    "DOMAIN ERROR", "FILE ERROR",
)  # fmt: skip


def _text(characters: Array) -> str:
    return characters.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _place(value: Value) -> Any:
    """Where a result goes."""
    element = _BASES[value.base].c_type
    if value.is_lists:
        fields: list[Any] = [("offsets", ctypes.c_void_p), ("count", ctypes.c_int64)]
    elif value.rank == 0:
        return element()
    else:
        fields = [("shape", ctypes.c_int64 * value.rank)]
    return type("Result", (ctypes.Structure,), {"_fields_": [("data", ctypes.c_void_p), *fields]})()


def _passed(what: str, value: Value, given: Any, held: list[Array]) -> Iterator[Any]:
    """The words that stand for an argument; `held` keeps its memory."""
    if value.is_lists:
        items = [_elements(f"{what}, item {k}", value, 1, item) for k, item in enumerate(_items(what, given))]
        offsets = np.zeros(len(items) + 1, np.int64)
        np.cumsum([item.size for item in items], out=offsets[1:])
        data = np.concatenate(items) if items else np.empty(0, _BASES[value.base].dtype)
        held += [data, offsets]
        yield from (_pointer(data), _pointer(offsets), ctypes.c_int64(len(items)))
        return
    array = _elements(what, value, value.rank, given)
    if value.rank == 0:
        number = array.item()
        yield (
            _Complex(number.real, number.imag)
            if value.base == "complex"
            else _BASES[value.base].c_type(number)
        )
        return
    held.append(array)
    yield _pointer(array)
    yield from map(ctypes.c_int64, array.shape)


def _items(what: str, given: Any) -> list[Any]:
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__"):
        raise TypeError(f"{what} is a sequence of vectors, not {type(given).__name__}")
    return list(given)


def _pointer(array: Array) -> Any:
    return ctypes.c_void_p(array.ctypes.data)


_RANKS = {0: "a scalar", 1: "a vector", 2: "a matrix"}


def _elements(what: str, value: Value, rank: int, given: Any) -> Array:
    """An argument as an array that the library can read. Raises TypeError and ValueError."""
    base = _BASES[value.base]
    if isinstance(given, np.ma.MaskedArray):
        raise TypeError(f"{what} is a masked array; fill it first")
    if value.base == "char" and isinstance(given, str):
        given = np.frombuffer(given.encode("utf-32-le", "surrogatepass"), "<u4").view("U1")
        given = given.reshape(()) if rank == 0 and given.size == 1 else given
    try:
        array = np.asarray(given)
    except ValueError as failure:
        raise ValueError(f"{what} is no array: {failure}") from None
    if array.size == 0 and array.dtype.kind == "f" and not isinstance(given, np.ndarray):
        array = array.astype(np.dtype("U1") if value.base == "char" else base.dtype)  # of []
    if array.dtype.kind not in base.kinds:
        raise TypeError(f"{what} holds {base.called}, and this is {type(given).__name__} of {array.dtype}")
    if array.ndim != rank:
        expected = _RANKS.get(rank, f"an array of rank {rank}")
        found = _RANKS.get(array.ndim, f"an array of rank {array.ndim}")
        raise ValueError(f"{what} is {expected}, and this is {found}")
    if value.base == "int" and array.dtype.kind == "u" and array.size and array.max() > 2**63 - 1:
        raise ValueError(f"{what} holds {array.max()}, which does not fit 64 bits with a sign")
    if value.base == "char":
        if array.dtype.itemsize != 4:
            raise TypeError(f"{what} holds characters, and this holds texts")
        return np.ascontiguousarray(array, "U1").view("uint32").reshape(array.shape)
    return np.ascontiguousarray(array, base.dtype).reshape(array.shape)
