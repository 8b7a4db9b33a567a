"""Files that programs read: `.npy` arrays, texts, and texts of numbers.

Whatever is wrong with a file is a FILE ERROR that names its path. `aplc.inputs` reads the arrays that are
given on the command line or from Python by the same rules.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from tail.faults import FILE, FaultRaised
from tail.types import Base

Value = np.ndarray[Any, Any]

BASE_OF_KIND = {"b": Base.BOOL, "i": Base.INT, "u": Base.INT, "f": Base.DOUBLE, "U": Base.CHAR}


class UnfitArray(Exception):
    """An array that APL has no counterpart for; the message continues `… holds`."""


# --- arrays -----------------------------------------------------------------------------------------------


@cache
def base_of_dtype(dtype: np.dtype[Any]) -> Base:
    """The TAIL type of elements: integers up to 64 bits, float16 to float64, booleans, single characters.

    Raises `UnfitArray`.
    """
    base = BASE_OF_KIND.get(dtype.kind)
    if base is None or (dtype.kind == "U" and dtype.itemsize > 4) or dtype.name in ("float128", "longdouble"):
        raise UnfitArray(_kind_name(dtype))
    return base


def _kind_name(dtype: np.dtype[Any]) -> str:
    names = {"c": "complex numbers", "O": "Python objects", "V": "records", "S": "bytes", "U": "texts"}
    names |= {"M": "dates", "m": "time spans", "f": "floats of more than 64 bits"}
    return names.get(dtype.kind, f"elements of type {dtype}")


def as_elements(array: Value) -> tuple[Base, Value]:
    """The type of an array's elements, and the array as generated code can read it: native byte order,
    row-major, characters as code points. It is not copied where its memory can be used as it is, and narrow
    numbers stay narrow.

    Unsigned 64-bit integers must fit 64 bits with a sign. Raises `UnfitArray`.
    """
    dtype = array.dtype
    base = base_of_dtype(dtype)
    if base is Base.CHAR:
        native_order = np.ascontiguousarray(array, dtype=dtype.newbyteorder("="))
        array = native_order.view(np.uint32).reshape(array.shape)
    elif dtype.kind == "u" and dtype.itemsize == 8:
        if array.size and int(array.max()) >= 2**63:
            raise UnfitArray("unsigned integers beyond 64 bits with a sign")
        array = array.astype(np.int64)
    elif dtype.kind == "f" and dtype.itemsize == 2:
        array = array.astype(np.float64)
    flags = array.flags
    if flags.c_contiguous and flags.aligned and array.dtype.isnative:
        return base, array
    return base, np.require(array, dtype=array.dtype.newbyteorder("="), requirements=["C", "A"])


def npy_header(path: str) -> tuple[Base, int]:
    """The element type and the rank of the array in a `.npy` file; `FaultRaised` if it cannot be used."""
    try:
        shape, dtype = _header(path)
        return base_of_dtype(dtype), len(shape)
    except FAILURES as failure:
        raise _fault(path, failure) from None


def map_npy(path: str) -> tuple[Base, Value]:
    """What `as_elements` gives for the array in a `.npy` file, which is memory-mapped unless it is empty;
    `FaultRaised` if it cannot be used.
    """
    try:
        shape, _ = _header(path)
        mode = "r" if all(shape) else None
        loaded: Value = np.load(path, mmap_mode=mode, allow_pickle=False)  # type: ignore[arg-type]
        return as_elements(loaded)
    except FAILURES as failure:
        raise _fault(path, failure) from None


def _header(path: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Shape and element type from the header of a `.npy` file that is complete."""
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
    return shape, dtype


FAILURES = (UnfitArray, OSError, ValueError, EOFError, SyntaxError, TypeError)
"""What reading an array can raise; the last ones come from headers that are no Python literals."""


def _fault(path: str, failure: Exception) -> FaultRaised:
    """The FILE ERROR for what went wrong with a file."""
    match failure:
        case UnfitArray():
            reason = f"{path} holds {failure}, a program needs numbers or single characters"
        case FileNotFoundError():
            reason = f"there is no file {path}"
        case OSError():
            reason = f"{path} cannot be read: {failure.strerror or failure}"
        case _:
            detail = next(iter(str(failure).splitlines()), "it cannot be read")
            reason = f"{path} is no .npy file, or damaged ({detail})"
    return FaultRaised(FILE, reason)


# --- texts ------------------------------------------------------------------------------------------------


def read_text(path: str) -> str:
    """The characters of a file in UTF-8, without a byte-order mark at its beginning."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except (OSError, ValueError) as failure:
        raise _fault(path, failure if isinstance(failure, OSError) else OSError(str(failure))) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as failure:
        line = content[: failure.start].count(b"\n") + 1
        raise FaultRaised(FILE, f"{path}, line {line}: no UTF-8") from None


INTEGER = re.compile(r"[-+¯]?[0-9]{1,4000}")
DOUBLE = re.compile(
    r"[-+¯]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+¯]?[0-9]+)?|inf|infinity|nan|∞)", re.IGNORECASE
)
TOKEN = re.compile(r"[][,]|[^][,\s]+")


def read_integers(path: str) -> Value:
    """The integers of a text file: with `-` or `¯`, between blanks, newlines or single commas, in brackets or
    not.
    """
    numbers = []
    for token, line in _tokens(path):
        if not INTEGER.fullmatch(token):
            raise FaultRaised(FILE, f"{path}, line {line}: {token[:40]} is no whole number")
        number = int(token.replace("¯", "-"))
        if not -(2**63) <= number < 2**63:
            raise FaultRaised(FILE, f"{path}, line {line}: {token[:40]} does not fit 64 bits")
        numbers.append(number)
    return np.array(numbers, dtype=np.int64)


def read_doubles(path: str) -> Value:
    """The doubles of a text file, laid out as integers are; also `inf`, `∞` and `nan`."""
    numbers = []
    for token, line in _tokens(path):
        if not DOUBLE.fullmatch(token):
            raise FaultRaised(FILE, f"{path}, line {line}: {token[:40]} is no number")
        numbers.append(float(token.replace("¯", "-").replace("∞", "inf")))
    return np.array(numbers, dtype=np.float64)


def _tokens(path: str) -> Iterator[tuple[str, int]]:
    """What should be numbers, with their lines; a bracket or a comma only where it is out of place."""
    lines = enumerate(read_text(path).split("\n"), start=1)
    tokens = [(token, line) for line, text in lines for token in TOKEN.findall(text)]
    if len(tokens) > 1 and tokens[0][0] == "[" and tokens[-1][0] == "]":
        tokens = tokens[1:-1]
    for before, (token, line) in pairwise([(",", 0), *tokens]):
        if token != "," or before[0] == ",":
            yield token, line
    if tokens and tokens[-1][0] == ",":
        yield tokens[-1]
