"""Processors that PoCL's version of LLVM does not know.

Note [Unknown processors]
    PoCL compiles kernels for what LLVM calls the processor. Of an AMD processor that is newer than LLVM is,
    this is `generic`, and clang refuses that name for x86-64: no kernel can be built ("unknown target CPU
    'generic'"). PoCL 3 has no setting for the name. It keeps it as a string of its own in what a
    `cl_device_id` points to, and reads it there for each kernel. The name of an older processor is written
    over it, which must do nothing that this one cannot; it is as long, or shorter.

    The string is looked for, not expected at a place: a word among the first of the device that points to
    exactly these letters. What a word points to is read through the kernel, since not all of them are
    addresses. Where it is not found, nothing is changed.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

UNKNOWN = b"generic\0"

KNOWN = (
    (b"haswell\0", frozenset(("avx2", "bmi1", "bmi2", "fma", "f16c", "abm", "movbe", "popcnt", "rdrand"))),
    (b"x86-64\0", frozenset(("sse2",))),
)
"""Names for LLVM, the best first, with what Linux says of a processor that has all that kernels would use."""

WORDS = 256
"""How many words of a device are looked at."""

MEMORY = "/proc/self/mem"


def name_processor(device: Any, features: frozenset[str]) -> bool:
    """Give PoCL a name that its compiler knows for a processor with these features; whether it needed one.

    `device` is a device of PyOpenCL.
    """
    if "Portable Computing Language" not in device.platform.name or not device.version.endswith("-generic"):
        return False
    names = [name for name, needed in KNOWN if needed <= features]
    with suppress(OSError):
        for address in _strings(device.int_ptr, UNKNOWN):
            if names:
                ctypes.memmove(address, names[0], len(names[0]))
                return True
    return False


def _strings(start: int, wanted: bytes) -> Iterator[int]:
    """The addresses of a string to which one of the words from `start` on points."""
    memory = os.open(MEMORY, os.O_RDONLY | os.O_CLOEXEC)
    try:
        content = os.pread(memory, 8 * WORDS, start)
        for (address,) in struct.iter_unpack("=Q", content[: len(content) // 8 * 8]):
            with suppress(OSError, OverflowError):
                if address and os.pread(memory, len(wanted), address) == wanted:
                    yield address
    finally:
        os.close(memory)
