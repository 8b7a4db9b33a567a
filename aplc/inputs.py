"""Arrays that come from outside: `.npy` files and Python values, their types, and what is wrong with them."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from backends.c_expr import STORAGE_TYPES
from tail.errors import CompileError, Diagnostic
from tail.source import Source, Span
from tail.types import Array, Base, Rho, Type

Value = np.ndarray[Any, Any]

APL_NAME = re.compile(r"(?:[^\W0-9]|[∆⍙])[\w∆⍙]*")
BASE_OF_KIND = {"b": Base.BOOL, "i": Base.INT, "u": Base.INT, "f": Base.DOUBLE, "U": Base.CHAR}


@dataclass(frozen=True)
class Input:
    """An array for a program: its TAIL type, the dtype of its elements in memory, and the elements."""

    type: Type
    storage: str
    value: Value


class UnfitArray(Exception):
    """An array that APL has no counterpart for; the message continues `… holds`."""


def as_input(array: Value) -> Input:
    """An array as an input, without a copy where its memory can be used as it is.

    Integers up to 64 bits, float16 to float64, booleans, and single characters; unsigned 64-bit integers
    must fit 64 bits with a sign. Raises `UnfitArray`.
    """
    dtype = array.dtype
    base = BASE_OF_KIND.get(dtype.kind)
    if base is None or (dtype.kind == "U" and dtype.itemsize > 4) or dtype.name in ("float128", "longdouble"):
        raise UnfitArray(_kind_name(array))
    if dtype.kind == "U":
        native_order = np.ascontiguousarray(array, dtype=dtype.newbyteorder("="))
        array = native_order.view(np.uint32).reshape(array.shape)
    elif dtype.name == "uint64":
        if array.size and int(array.max()) >= 2**63:
            raise UnfitArray("unsigned integers beyond 64 bits with a sign")
        array = array.astype(np.int64)
    elif dtype.name not in STORAGE_TYPES:  # float16
        array = array.astype(np.float64)
    native = array.dtype.newbyteorder("=")
    array = np.require(array, dtype=native, requirements=["C", "A"])
    return Input(Array(base, Rho(array.ndim)), native.name, array)


def _kind_name(array: Value) -> str:
    names = {"c": "complex numbers", "O": "Python objects", "V": "records", "S": "bytes", "U": "texts"}
    names |= {"M": "dates", "m": "time spans", "f": "floats of more than 64 bits"}
    return names.get(array.dtype.kind, f"elements of type {array.dtype}")


def read_npy(argument: str) -> tuple[str, Input]:
    """The name and the memory-mapped array of `NAME=FILE.npy`.

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
        array = _map(path)
        return name, as_input(array)
    except UnfitArray as unfit:
        reason = f"{path} holds {unfit}, a program needs numbers or single characters"
    except FileNotFoundError:
        reason = f"there is no file {path}"
    except OSError as failure:
        reason = f"{path} cannot be read: {failure.strerror or failure}"
    except (ValueError, EOFError, SyntaxError, TypeError) as failure:
        reason = f"{path} is no .npy file, or damaged ({str(failure).splitlines()[0]})"
    raise CompileError(Diagnostic("FILE ERROR", reason, span))


def _map(path: str) -> Value:
    """The array in a file, memory-mapped unless it is empty."""
    if os.path.isdir(path):
        raise IsADirectoryError(0, "it is a directory")
    with open(path, "rb") as file:
        if file.read(6) != b"\x93NUMPY":
            raise ValueError("it does not begin like one")
        file.seek(0)
        version = np.lib.format.read_magic(file)
        if version not in ((1, 0), (2, 0), (3, 0)):
            raise ValueError(f"its version is {version[0]}.{version[1]}, which is not known")
        read = (
            np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        )
        shape, _, dtype = read(file)
        end = file.tell()
    if dtype.hasobject:
        raise UnfitArray("Python objects")
    if os.path.getsize(path) < end + dtype.itemsize * math.prod(shape):
        raise ValueError("it is cut short")
    mode = "r" if all(shape) else None
    loaded: Value = np.load(path, mmap_mode=mode, allow_pickle=False)  # type: ignore[arg-type]
    return loaded


def touch(array: Value) -> None:
    """Bring a memory-mapped array into memory, so that a measurement does not include reading it."""
    if array.size:
        np.add.reduce(array.reshape(-1).view(np.uint8)[::4096], dtype=np.int64)


def as_python(value: Value, base: Base) -> Any:
    """A value for Python: a scalar for rank 0, characters as text or arrays of single characters."""
    if base is Base.CHAR:
        text = np.ascontiguousarray(value, dtype=np.uint32).view("<U1").reshape(value.shape)
        return text.item() if value.ndim == 0 else text
    return value.item() if value.ndim == 0 else value
