"""`.npy` files: the header, checked against the file, and the elements, read or mapped.

The reader is strict and our own: a header is a Python literal in general, for which NumPy runs Python's
tokenizer and parser over what a stranger wrote. All that is wrong with a file is an `OSError`, `ValueError`
or `UnfitArray` with the cause; `fault` makes the FILE ERROR of it.

Note [Read or mapped]
    A program may read its inputs several times: indices are checked and then used, elements are counted and
    then kept. So a file must not change meanwhile. One that is mapped does when another process writes it,
    and where it is cut short, touching what is gone kills the process (SIGBUS). One that is read whole, into
    memory of our own, cannot change. Reading costs about 30 ms for 400 MB of doubles (`+/` of them 56 ms in
    place of 41), up to a second in a virtual machine that must get memory from its host first; a mapped file
    may be larger than memory, and costs nothing where a program uses a small part. So a file is mapped only
    where that is safe and worth it: it is large, its elements are numbers that may have any bits (booleans
    and characters are scanned on their way in), and nobody but its owner may write it, who is the user or
    root. Such a file is cut short by a mistake of the user's own: `aplc.backends.native.mapped` then ends the
    process with a FILE ERROR; without it files are read. What ⎕NPY reads is never mapped: it may be read in a
    process of somebody else's, that must not end.
"""

from __future__ import annotations

import math
import mmap
import os
import re
import struct
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any, Self

import numpy as np

from aplc.tail.elements import MOST_ELEMENTS, UnfitArray, as_elements, base_of_dtype, stored_as
from aplc.tail.faults import FILE, FaultRaised
from aplc.tail.regular import open_regular
from aplc.tail.types import Base

Value = np.ndarray[Any, Any]

MAGIC = b"\x93NUMPY"
LENGTH_OF_HEADER = {"1.0": "<H", "2.0": "<I", "3.0": "<I"}
LONGEST_HEADER = 1 << 16
"""Bytes; what NumPy writes for an array of numbers has 118."""
MOST_AXES = 32
"""What every NumPy takes."""

LEAST_MAPPED = 1 << 25
"""Bytes from which on a file is mapped; less is read in no time."""

ENTRY = re.compile(
    r"""[ \t\n\r\f]*(["'])(\w{1,20})\1[ \t\n\r\f]*:[ \t\n\r\f]*
    (?: (["'])([^"'\\]*)\3 | (True|False) | \(([- \t\n\r\fL,0-9]*)\) | (\[.*\]) )
    [ \t\n\r\f]*(?:,|(?=\}[ \t\n\r\f]*$))""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
BLANKS = " \t\r\n"
EXTENT = r"-?[0-9]{1,30}L?[ \t\n\r\f]*"
EXTENTS = re.compile(rf"[ \t\n\r\f]*(?:(?:{EXTENT},[ \t\n\r\f]*)+(?:{EXTENT})?)?", re.ASCII)
ELEMENTS = re.compile(r"[<>|=]?[?biufcmMOSUV][0-9]{0,9}(?:\[[^]]{0,40}\])?")


@dataclass(frozen=True)
class Npy:
    """A `.npy` file that is open, with the array that its header declares and its size allows."""

    file: IO[bytes]
    start: int
    """Where the elements begin."""
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    is_by_columns: bool

    @classmethod
    def open(cls, path: str) -> Npy:
        """The file of that name. Raises `OSError`, `ValueError`, `UnfitArray`."""
        return cls.of(open_regular(path))

    @classmethod
    def of(cls, file: IO[bytes]) -> Npy:
        """The array in a file that is open and can be searched; it is closed where there is none in it."""
        try:
            return cls(file, *_header(file))
        except BaseException:
            file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.file.close()

    @property
    def size(self) -> int:
        """The bytes of the elements."""
        return math.prod(self.shape) * self.dtype.itemsize

    @property
    def is_mappable(self) -> bool:
        """Whether the file may be mapped: see Note [Read or mapped]."""
        status = os.fstat(self.file.fileno())
        is_ours = status.st_uid in (os.geteuid(), 0) and not status.st_mode & 0o022
        is_plain = self.dtype == stored_as(self.dtype) and self.dtype.kind in "iuf" and self.dtype.isnative
        is_in_place = not self.is_by_columns and self.start % max(1, self.dtype.itemsize) == 0
        return self.size >= LEAST_MAPPED and is_ours and is_plain and is_in_place

    def read(self) -> tuple[Base, Value]:
        """What `as_elements` gives for the array, in memory of its own."""
        array: Value = np.empty(math.prod(self.shape), self.dtype)
        self.file.seek(self.start)
        if self.file.readinto(array.view(np.uint8).data) < self.size:  # type: ignore[attr-defined]
            raise ValueError("it is cut short")
        return as_elements(array.reshape(self.shape, order="F" if self.is_by_columns else "C"))

    def mapped(self) -> tuple[Base, Value]:
        """What `as_elements` gives for the array of a file that is mappable, which is mapped."""
        memory = mmap.mmap(self.file.fileno(), self.start + self.size, access=mmap.ACCESS_READ)
        array: Value = np.frombuffer(memory, self.dtype, math.prod(self.shape), self.start)
        return as_elements(array.reshape(self.shape))

    def stand_in(self) -> tuple[Base, Value]:
        """An array of the same type and shape that has no memory, for who does not look at elements."""
        return base_of_dtype(self.dtype), np.broadcast_to(np.zeros((), stored_as(self.dtype)), self.shape)


# --- headers ----------------------------------------------------------------------------------------------


def _header(file: IO[bytes]) -> tuple[int, np.dtype[Any], tuple[int, ...], bool]:
    """Where elements begin, their type, the shape, and whether they stand column by column; all of them are
    there.
    """
    begin = file.read(len(MAGIC) + 2)
    if begin[: len(MAGIC)] != MAGIC:
        raise ValueError("it does not begin like one")
    version = ".".join([str(number) for number in begin[len(MAGIC) :]])
    form = LENGTH_OF_HEADER.get(version)
    if form is None:
        raise ValueError(f"its version is {version}, which is not known")
    (length,) = struct.unpack(form, _exactly(file, struct.calcsize(form)))
    if length > LONGEST_HEADER:
        raise ValueError("its header is too long")
    entries = _entries(_exactly(file, length).decode("latin-1"))
    dtype, shape = _elements(entries["descr"]), _extents(entries["shape"])
    if entries["fortran_order"] not in ("True", "False"):
        raise ValueError("its header does not say in which order the elements stand")
    base_of_dtype(dtype)
    _require_all(file, dtype, shape)
    return file.tell(), dtype, shape, entries["fortran_order"] == "True"


def _exactly(file: IO[bytes], length: int) -> bytes:
    found = file.read(length)
    if len(found) < length:
        raise ValueError("its header is cut short")
    return found


def _entries(header: str) -> dict[str, str]:
    """The texts of the three values in a header."""
    text = header.strip(BLANKS)
    entries: dict[str, str] = {}
    place = 1
    while place < len(text) - 1 and (entry := ENTRY.match(text, place)):
        name, value, flag, extents, records = entry[2], entry[4], entry[5], entry[6], entry[7]
        entries[name] = next(found for found in (value, flag, extents, records) if found is not None)
        place = entry.end()
    if (
        not text.startswith("{")
        or text[place:].strip(BLANKS) != "}"
        or set(entries) != {"descr", "fortran_order", "shape"}
    ):
        raise ValueError("its header cannot be read")
    return entries


def _elements(text: str) -> np.dtype[Any]:
    """The type of elements. Raises `UnfitArray`; no type that NumPy would parse as an expression is made."""
    if text.startswith("["):
        raise UnfitArray("records")
    if not ELEMENTS.fullmatch(text):
        raise ValueError("its header names no type of elements")
    try:
        return np.dtype(text)
    except Exception:
        raise ValueError("its header names no type of elements") from None


def _extents(text: str) -> tuple[int, ...]:
    if not EXTENTS.fullmatch(text):
        raise ValueError("its header has no shape")
    shape = tuple([int(extent) for extent in re.findall("-?[0-9]+", text)])
    if any(extent < 0 for extent in shape):
        raise ValueError("it has negative extents")
    if len(shape) > MOST_AXES:
        raise ValueError(f"it has {len(shape)} axes")
    return shape


def _require_all(file: IO[bytes], dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
    """An array of that shape can exist, and the file has all of it."""
    if math.prod([extent for extent in shape if extent]) > MOST_ELEMENTS:
        raise ValueError("its extents are too large")
    wanted = math.prod(shape) * dtype.itemsize
    here = file.tell()
    if file.seek(0, os.SEEK_END) < here + wanted:
        raise ValueError("it is cut short")
    file.seek(here)


# --- files by name ----------------------------------------------------------------------------------------

FAILURES = (UnfitArray, OSError, ValueError, MemoryError)
"""What reading an array can raise."""


def npy_header(path: str) -> tuple[Base, int]:
    """The element type and the rank of the array in a `.npy` file; `FaultRaised` if it cannot be used."""
    try:
        with Npy.open(path) as npy:
            return base_of_dtype(npy.dtype), len(npy.shape)
    except FAILURES as failure:
        raise fault(path, failure) from None


def read_npy(path: str) -> tuple[Base, Value]:
    """What `as_elements` gives for the array in a `.npy` file; `FaultRaised` if it cannot be used."""
    try:
        with Npy.open(path) as npy:
            return npy.read()
    except FAILURES as failure:
        raise fault(path, failure) from None


def fault(path: str, failure: Exception) -> FaultRaised:
    """The FILE ERROR for what went wrong with a file."""
    match failure:
        case UnfitArray():
            reason = f"{path} holds {failure}, a program needs numbers or single characters"
        case FileNotFoundError():
            reason = f"there is no file {path}"
        case OSError():
            reason = f"{path} cannot be read: {failure.strerror or failure}"
        case MemoryError():
            reason = f"{path} cannot be read: it does not fit into memory"
        case _:
            reason = f"{path} is no .npy file, or damaged ({failure})"
    return FaultRaised(FILE, reason)
