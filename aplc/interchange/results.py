"""Arrays of arrays that programs give, as arrays of Awkward Array or Arrow.

The items lie one behind the other there. Where they do so in the result, its elements are used as they are;
otherwise they are gathered first. Texts become UTF-8.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np

from aplc.interchange import arrow_arrays, awkward_arrays
from aplc.interchange.given import UnfitValue, Value
from aplc.interchange.texts import utf8
from aplc.tail.errors import CompileError, Diagnostic, MachineError, OptionError
from aplc.tail.types import UNIT, Base, Nested, Records, Tuple, Type, base_of

FORMS = ("numpy", "awkward", "arrow")
"""What arrays of arrays are for Python."""


class Maker(Protocol):
    """A library whose arrays are made."""

    def values(self, array: Value) -> Any:
        """Numbers."""

    def lists(self, offsets: Value, content: Any) -> Any:
        """Lists, one behind the other."""

    def texts(self, offsets: Value, data: Value) -> Any:
        """Texts in UTF-8, one behind the other."""

    def regular(self, content: Any, size: int, count: int) -> Any:
        """Lists of one length."""

    def array(self, content: Any) -> Any:
        """What the user gets."""


def require_form(to: str) -> None:
    """Raise `OptionError` or `MachineError` unless arrays of arrays can be given so."""
    if to not in FORMS:
        raise OptionError(f"to is one of {', '.join(FORMS)}, not {to!r}")
    package = {"awkward": awkward_arrays.MODULE, "arrow": arrow_arrays.MODULE}.get(to)
    if package is not None and find_spec(package) is None:
        raise MachineError(f"to={to!r} needs the package {package}; pip install 'aplc[{to}]' brings it")


def has_nested(ty: Type) -> bool:
    """Whether there is an array of arrays in a value, but in records, which have a form of their own."""
    if isinstance(ty, Records):
        return False
    return isinstance(ty, Nested) or (isinstance(ty, Tuple) and any(map(has_nested, ty.items)))


def given_as(to: str, ty: Type, arrays: Iterator[Value], plain: Callable[[Value, Base], Any]) -> Any:
    """A value from its flat arrays, its arrays of arrays in the form asked for, flat ones as `plain` has it.
    Raises `CompileError` where the library has no such arrays.
    """
    maker: Maker = awkward_arrays.ForAwkward() if to == "awkward" else arrow_arrays.ForArrow()

    def value(ty: Type) -> Any:
        if isinstance(ty, Nested):
            return _array(ty, arrays, maker)
        if isinstance(ty, Tuple):
            return tuple([value(item) for item in ty.items if item != UNIT])
        return plain(next(arrays), base_of(ty))

    try:
        return value(ty)
    except UnfitValue as unfit:
        raise CompileError(Diagnostic(unfit.kind, f"the result {unfit}; to='numpy' gives it")) from None


_Level = tuple[Value, list[Value]]
"""The places and the extents of items."""


def _array(ty: Nested, arrays: Iterator[Value], make: Maker) -> Any:
    """An array of arrays."""
    levels: list[_Level] = []
    shape: tuple[int, ...] | None = None
    item = ty
    while True:
        places = next(arrays)
        shape = places.shape if shape is None else shape
        extents = [next(arrays).reshape(-1) for _ in range(item.item.rank.const)]
        levels.append((places.reshape(-1), extents))
        if isinstance(item.item, Records):
            raise UnfitValue("DOMAIN ERROR", "has arrays of records as items")
        if not isinstance(item.item, Nested):
            break
        item = item.item
    content = _lists(levels, next(arrays), make, is_text=item.item.base is Base.CHAR)
    for axis in range(len(shape) - 1, 0, -1):
        content = make.regular(content, shape[axis], math.prod(shape[:axis]))
    array = make.array(content)
    return array if shape else array[0]


def _lists(levels: list[_Level], elements: Value, make: Maker, *, is_text: bool) -> Any:
    """The items of the outermost level, with all that lies beneath."""
    (places, extents), *others = levels
    if not extents:  # an enclosed array is the array
        (inner, axes), *deeper = others
        return _lists(
            [(inner[places], [axis[places] for axis in axes]), *deeper], elements, make, is_text=is_text
        )
    starts, outer = places, []
    while len(extents) > 1:
        counts, *extents = extents
        outer.append(_offsets(counts))
        row = math.prod(extents[1:], start=extents[0])
        number = np.arange(int(outer[-1][-1])) - np.repeat(outer[-1][:-1], counts)
        starts = np.repeat(starts, counts) + number * np.repeat(row, counts)
        extents = [np.repeat(extent, counts) for extent in extents]
    (lengths,) = extents
    ends = starts + lengths
    if (starts[1:] == ends[:-1]).all():
        offsets, chosen = np.concatenate([starts, ends[-1:]]) if ends.size else np.zeros(1, np.int64), None
    else:
        offsets = _offsets(lengths)
        chosen = np.arange(int(offsets[-1])) + np.repeat(starts - offsets[:-1], lengths)
    if others:
        (places, extents), *deeper = others
        if chosen is not None:
            places, extents = places[chosen], [extent[chosen] for extent in extents]
        below = _lists([(places, extents), *deeper], elements, make, is_text=is_text)
        content = make.lists(offsets, below)
    elif is_text:
        first, last = int(offsets[0]), int(offsets[-1])
        characters = elements[first:last] if chosen is None else elements[chosen]
        data, offsets = utf8(characters, offsets - first)
        content = make.texts(offsets, data)
    else:
        content = make.lists(offsets, make.values(elements if chosen is None else elements[chosen]))
    for bounds in reversed(outer):
        content = make.lists(bounds, content)
    return content


def _offsets(lengths: Value) -> Value:
    """Where lists of these lengths begin and end, one behind the other."""
    offsets = np.zeros(lengths.size + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
