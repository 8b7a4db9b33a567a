"""What kernels call of the run-time system: functions of the headers for C, in the words of OpenCL C.

    in_opencl(text)    a text of C with OpenCL's names of types and its constants
    with_floats(text)  the same text where doubles are floats
    helpers(text)      the functions that a text calls, and those that they call, in the spelling of C

A function of the headers is OpenCL C as it stands but for the names of types. `rts/aplc.cl` has the few that
are written otherwise there, and comes first; `rts/aplc_single.cl` comes before it where doubles are floats.
`rts/aplc_wide.cl` has functions over whole vectors of AVX-512.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np

from aplc.tail.errors import InternalError

HEADERS = ("aplc_places.h", "aplc_lanes.h", "aplc_math.h", "aplc_random.h", "aplc.h")
"""Those whose functions kernels may call; each calls those before it."""

TYPES = {
    "int8_t": "char",
    "int16_t": "short",
    "int32_t": "int",
    "int64_t": "long",
    "uint8_t": "uchar",
    "uint16_t": "ushort",
    "uint32_t": "uint",
    "uint64_t": "ulong",
    "INT64_MIN": "LONG_MIN",
    "aplc_complex": "double2",
}
"""OpenCL's names by those of C."""

LARGEST_FLOAT = float(np.finfo(np.float32).max)

ELEMENTS = {
    "double": 8,
    "float": 4,
    "long": 8,
    "int": 4,
    "uint": 4,
    "short": 2,
    "ushort": 2,
    "char": 1,
    "uchar": 1,
}
"""OpenCL's types of elements of vectors, with their sizes in bytes."""

ROUNDINGS = ("floor", "ceil", "trunc", "rint", "fabs", "sqrt", "fma")
"""Functions of reals that processors have instructions for."""

KNOWN = frozenset([f"__builtin_{name}" for name in ROUNDINGS]) | frozenset(TYPES)
"""What is called and defined nowhere here: what compilers for processors have instead, and names of types."""

_UNALIGNED = {
    f"aplc_{name}{n}": f"typedef {name}{n} aplc_{name}{n} __attribute__((aligned({size})));"
    for n in (4, 8)
    for name, size in ELEMENTS.items()
}
"""Vectors at any place in memory, where `vload` may be a call for each."""

WIDE = frozenset([f"aplc_{name}8" for name in ("exp", "log", "sqrt", "floor", "ceil", "abs")])
"""The functions of `rts/aplc_wide.cl`, which stand together and call no others."""

_DEFINITION = re.compile(
    r"^(?:/\*(?:(?!\*/).)*\*/\n)?"  # a comment right above it belongs to it
    r"(?:#define (?P<macro>\w+)\([^\n]*\n|static inline (?:\w+ )+(?P<name>\w+)\((?:[^\n]*\}\n|.*?^\}\n))",
    re.MULTILINE | re.DOTALL,
)


def in_opencl(text: str) -> str:
    """A text of C with the names that OpenCL has for types and constants."""
    text = re.sub(r"\b\w+\b", lambda found: TYPES.get(found.group(), found.group()), text)
    text = re.sub(r"\bINT64_C\((-?\w+)\)", r"\1L", text)
    return re.sub(r"\bUINT64_C\((\w+)\)", r"\1UL", text)


def with_floats(text: str) -> str:
    """A text of C or OpenCL C with floats in place of doubles, their vectors and their constants."""
    text = re.sub(r"\baplc_complex\b", TYPES["aplc_complex"], text)
    text = re.sub(r"\b(aplc_|convert_)?double(s|\d*)\b", r"\1float\2", text)
    return _REAL.sub(lambda found: _as_float(found.group()), text)


_REAL = re.compile(r"(?<![\w.])(?:0x[\da-fA-F.]+p[-+]?\d+|\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+)(?![\w.])")
"""A constant that is a double."""


def _as_float(constant: str) -> str:
    value = float.fromhex(constant) if constant.startswith("0x") else float(constant)
    return f"{constant}f" if value <= LARGEST_FLOAT else "INFINITY"


@cache
def _text(name: str) -> str:
    """A file of the run-time system."""
    return (Path(__file__).parents[1] / "rts" / name).read_text("utf-8")


@cache
def library(*, is_single: bool = False) -> dict[str, str]:
    """The functions and macros that kernels may call, by name, each before those that call it."""
    found: dict[str, str] = {}
    for name in (*(["aplc_single.cl"] if is_single else []), "aplc.cl", *HEADERS):
        text = _text(name)
        for definition in _DEFINITION.finditer(text):
            found.setdefault(definition["name"] or definition["macro"], definition.group().strip("\n"))
    if is_single:
        found = {name: with_floats(text) for name, text in found.items()}
    return found | _UNALIGNED


def helpers(text: str, *, in_lanes: bool = False, is_single: bool = False) -> str:
    """The functions that a text calls, and those that they call, in the order of the library. If they are
    wanted `in_lanes`, they call what compilers know, where drivers for processors have functions.
    """
    known = library(is_single=is_single)
    wanted: set[str] = set()
    todo = [text]
    while todo:
        new = _called(todo.pop()) - wanted - KNOWN - WIDE
        if unknown := new - set(known):
            raise InternalError("emit-opencl", f"kernels have no {', '.join(sorted(unknown))}")
        wanted |= new
        todo += [known[name] for name in new]
    found = "".join([block + "\n\n" for name, block in known.items() if name in wanted])
    found = re.sub(rf"\b({'|'.join(ROUNDINGS)})\(", r"__builtin_\1(", found) if in_lanes else found
    return found if WIDE.isdisjoint(_called(text)) else f"{_text('aplc_wide.cl')}\n{found}"


def _called(text: str) -> set[str]:
    """The names of ours, and of compilers, in a text."""
    return set(re.findall(r"\b(?:aplc|__builtin)_\w+", text))
