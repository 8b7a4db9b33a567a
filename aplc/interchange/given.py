"""Arrays that are given to programs: flat ones, and arrays of arrays as their parts.

Note [Trusted parts]
    Generated code trusts that the items of an array of arrays lie within its elements. Whatever library an
    array comes from, its levels are made here: places and extents are compared with what lies beneath, as
    nobody else guarantees them. Neither Arrow nor Awkward Array looks at offsets when an array is made of
    them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from aplc.tail.elements import MOST_ELEMENTS, UnfitArray, as_elements, require_extents
from aplc.tail.errors import Error
from aplc.tail.types import Array, Base, Nested, Rho, Tuple, Type, nested

Value = np.ndarray[Any, Any]

COMPARED = 16
"""So many elements of descriptors, or a few more, are compared before all of them are."""


class UnfitValue(Error):
    """A Python value that is no array for APL; the message continues `… `."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


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
        """The flat arrays that the program takes, as `parts_by_name` names them."""
        return tuple([flat for part in self.parts for flat in part.flat]) or (self,)


def memory_of(inputs: Iterable[Input]) -> list[Value]:
    """The arrays that programs take for inputs, in order. Descriptors of items that are equal are one array:
    generated code has loops for that case, and compares where they lie.
    """
    kept: dict[tuple[object, ...], Value] = {}
    found: list[Value] = []
    for each in inputs:
        flat = [part.value for part in each.flat]
        found += [
            _kept(value, kept) if is_one else value
            for value, is_one in zip(flat, _descriptors(each.type), strict=True)
        ]
    return found


def _descriptors(ty: Type) -> Iterator[bool]:
    """For each flat array of an input, whether it tells where items begin, or how long they are."""
    items = ty.items if isinstance(ty, Tuple) else ()
    for k, item in enumerate(items):
        if isinstance(ty, Nested) and k + 1 < len(items):
            yield True
        else:
            yield from _descriptors(item)
    if not isinstance(ty, Tuple):
        yield False


def _kept(value: Value, kept: dict[tuple[object, ...], Value]) -> Value:
    """An array, or an equal one that is kept; what has some elements in common is compared."""
    some = value.reshape(-1)[:: value.size // COMPARED + 1]
    other = kept.setdefault((value.shape, value.dtype, some.tobytes()), value)
    return other if other is value or np.array_equal(other, value) else value


def input_of(base: Base, elements: Value) -> Input:
    """A flat array that `as_elements` has seen."""
    return Input(_type(base, elements.ndim), _name(elements.dtype), elements)


def as_input(array: Value) -> Input:
    """An array as an input, as `aplc.tail.elements.as_elements` gives it. Raises `UnfitArray`."""
    return input_of(*as_elements(array))


@cache
def _type(base: Base, rank: int) -> Array:
    return Array(base, Rho(rank))


@cache
def _name(dtype: np.dtype[Any]) -> str:
    """The name of a dtype, which NumPy takes a while to find."""
    return dtype.name


# --- arrays of arrays -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Level:
    """The items of one level of nesting: for each the place where it begins in what lies beneath, which is
    the items of the next level or the elements, and its extents. See Note [Trusted parts].
    """

    places: Value
    extents: tuple[Value, ...]


@dataclass(frozen=True)
class Items:
    """An array of arrays on its way in: its shape, the levels of nesting from outside, and the elements of
    all items in one vector, whose type may be unknown if there are none. Without levels it is flat.
    """

    shape: tuple[int, ...]
    levels: tuple[Level, ...]
    base: Base | None
    elements: Value

    def input(self) -> Input:
        """As an input; the type of its elements is known. Raises `UnfitArray`."""
        assert self.base is not None
        require_extents(self.shape)
        if not self.levels:
            return input_of(self.base, self.elements.reshape(self.shape))
        return _nested(self.shape, self.levels, input_of(self.base, self.elements))


def _nested(shape: tuple[int, ...], levels: tuple[Level, ...], elements: Input) -> Input:
    if not levels:
        return elements
    level, *others = levels
    beneath = _nested((-1,), tuple(others), elements)
    rank = len(level.extents)
    if isinstance(beneath.type, Nested):
        item: Array | Nested = nested(beneath.type.item, rank)
    else:
        assert isinstance(beneath.type, Array) and isinstance(beneath.type.base, Base)
        item = _type(beneath.type.base, rank)
    outer = [as_input(array.reshape(shape)) for array in (level.places, *level.extents)]
    return Input(nested(item, len(shape)), "", elements.value, parts=(*outer, beneath))


def level_of_offsets(offsets: Value, size: int, axes: tuple[int, ...] = ()) -> Level:
    """Items that lie one behind the other: n+1 positions among `size` rows beneath. A row has `axes`.

    Raises `UnfitValue` unless the offsets are in order and in range.
    """
    if not offsets.size:
        raise UnfitValue("INDEX ERROR", "is damaged: it has no offsets")
    lengths = np.subtract(offsets[1:], offsets[:-1], dtype=np.int64)
    if offsets.min() < 0 or offsets.max() > size or lengths.min(initial=0) < 0:
        wrong = (offsets < 0) | (offsets > size)
        wrong[1:] |= offsets[1:] < offsets[:-1]
        k = int(wrong.argmax())
        raise _out_of_range(f"offset {offsets[k]}", k, size)
    return _level(offsets[:-1], lengths, axes)


def level_of_spans(starts: Value, lengths: Value, size: int, axes: tuple[int, ...] = ()) -> Level:
    """Items anywhere among `size` rows beneath. A row has `axes`. Raises `UnfitValue` unless all are in
    range; an item without elements may begin anywhere.
    """
    starts, lengths = starts.astype(np.int64, copy=False), lengths.astype(np.int64, copy=False)
    wrong = (lengths < 0) | (lengths > size)
    if not wrong.any():
        outside = (starts < 0) | (starts > size - lengths)
        if outside.any():
            wrong = outside & (lengths > 0)
            starts = np.where(outside, 0, starts)
    if wrong.any():
        k = int(wrong.argmax())
        raise _out_of_range(f"a start of {starts[k]} and a length of {lengths[k]}", k, size)
    return _level(starts, lengths, axes)


def _out_of_range(what: str, k: int, size: int) -> UnfitValue:
    return UnfitValue("INDEX ERROR", f"is damaged: item {k} has {what}, and there are {size} elements")


def _level(starts: Value, lengths: Value, axes: tuple[int, ...]) -> Level:
    """The level of items whose rows have further axes."""
    require_extents((0, int(lengths.max(initial=0)), *axes))
    row = math.prod(axes)
    places = starts if row == 1 else starts.astype(np.int64) * row
    extents = [np.full(lengths.shape, extent, np.int64) for extent in axes]
    return Level(places, (lengths, *extents))


def level_of_extents(extents: list[Value]) -> Level:
    """Items one behind the other, by their extents, which are not negative."""
    largest = [int(axis.max(initial=0)) for axis in extents]
    if math.prod(map(float, map(lambda n: max(n, 1), largest))) > MOST_ELEMENTS:
        require_extents((0, *max(zip(*extents, strict=True), key=lambda shape: math.prod(map(int, shape)))))
    sizes = math.prod(extents[1:], start=extents[0])
    return Level(np.cumsum(sizes) - sizes, tuple(extents))


def joined(parts: list[Items]) -> Items:
    """Several vectors of one type as one, their elements copied."""
    count = len(parts[0].levels)
    levels = []
    beneath = [[level.places.size for level in part.levels[1:]] + [part.elements.size] for part in parts]
    for k in range(count):
        starts = np.cumsum([0, *[sizes[k] for sizes in beneath]])
        places = [
            part.levels[k].places.astype(np.int64) + start
            for part, start in zip(parts, starts.tolist(), strict=False)
        ]
        axes = zip(*[part.levels[k].extents for part in parts], strict=True)
        levels.append(Level(np.concatenate(places), tuple([np.concatenate(axis) for axis in axes])))
    shape = (sum([part.shape[0] for part in parts]), *parts[0].shape[1:])
    known = {part.base for part in parts if part.base is not None}
    elements = np.concatenate([part.elements for part in parts if part.base is not None or not known])
    return Items(shape, tuple(levels), known.pop() if known else None, elements)


def unfit_for_lack_of_type() -> UnfitArray:
    """The error for an array that tells the type of its items neither itself nor by an annotation."""
    return UnfitArray(
        "no item, and nothing tells the type of items but an annotation, as in {⍝: [[char]1]1 → [int]1 …}"
    )
