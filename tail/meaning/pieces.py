"""What the primitives of arrays of arrays mean, in NumPy.

An array of arrays is a tuple: where the elements of each item start, counted from 0, the extents of the
items, one array for each of their axes, and the elements of all items in one vector.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from aplc.tail import faults
from aplc.tail.array_limits import require_room_for
from aplc.tail.faults import FaultRaised
from aplc.tail.meaning.core import CellFunction, Value, base_of_value, fill_of, require, require_lengths
from aplc.tail.types import Array, ItemType, Nested, Records, Rho, Tuple, Type, base_of

Parts = tuple[Value, ...]


def slice_of(start: Value, count: Value, elements: Value) -> Value:
    """`count` elements from `start` on; INDEX ERROR unless they are there."""
    end = int(start) + int(count)
    require(start >= 0 and count >= 0 and end <= elements.size, faults.INDEX_RANGE, end, elements.size)
    return elements[int(start) : int(start) + int(count)].copy()


def alike(a: Value, b: Value) -> Value:
    """The first array; LENGTH ERROR unless the second has the same extents."""
    require_lengths(a.shape, b.shape)
    return a.copy()


def runs(marks: Value) -> Parts:
    """Where runs of numbers that do not rise, and are no zeros, begin, from 0, and how long they are."""
    before, after = np.append(marks[:0], [0, *marks]), np.append(marks, [0])
    begins = after > before
    ends = (before > 0) & (begins | (after == 0))
    starts = np.flatnonzero(begins)
    return starts.astype(np.int64), (np.flatnonzero(ends) - starts).astype(np.int64)


def pieces(f: CellFunction, vector: Value) -> Parts:
    """What a function gives for each element of a vector, which are arrays, as the items of a vector."""
    values: list[Any] = [f(np.array(x)) for x in vector]
    own = f.result or Array(base_of_value(np.empty(0, f.dtype)), Rho(f.result_rank))
    return _in_one(values, own)


def _in_one(values: list[Any], ty: ItemType) -> Parts:
    """Arrays of a type as the items of a vector, one behind the other."""
    shapes = [_frame(v).shape for v in values]
    sizes = np.array([math.prod(shape) for shape in shapes], dtype=np.int64)
    extents = np.array(shapes, dtype=np.int64).reshape(len(values), ty.rank.const)
    return (np.cumsum(sizes) - sizes, *[np.array(axis) for axis in extents.T], _joined(values, ty))


def _frame(value: Any) -> Value:
    """An array that has the shape of one of arrays, or of records: the first that it is made of."""
    while isinstance(value, tuple):
        value = value[0]
    found: Value = value
    return found


def _joined(values: list[Any], ty: Type) -> Any:
    """What arrays of a type hold, in one vector."""
    match ty:
        case Nested(item=item):
            return _in_one([each for v in values for each in _items_of(v, ty)], item)
        case Records(items=columns):
            return tuple([_joined([v[k] for v in values], column) for k, column in enumerate(columns)])
        case _:
            dtype = np.dtype(base_of(ty).dtype)
            require_room_for((sum([v.size for v in values]),), dtype.itemsize)
            return np.concatenate([v.reshape(-1) for v in values]) if values else np.zeros(0, dtype)


def items(parts: tuple[Any, ...]) -> list[Value]:
    """The items of an array of arrays, which are simple, in row-major order."""
    return [parts[-1][start:end].reshape(shape) for start, end, shape in _places(parts)]


def _items_of(parts: tuple[Any, ...], ty: Nested) -> list[Any]:
    """The items of an array of arrays of any type, in row-major order."""
    return [_part(parts[-1], ty.items[-1], *place) for place in _places(parts)]


def _part(vector: Any, ty: Type, start: int, end: int, shape: tuple[int, ...]) -> Any:
    """Neighbours in a vector of a type as an array of a shape."""
    match ty:
        case Nested():
            *descriptor, elements = vector
            return (*[part[start:end].reshape(shape) for part in descriptor], elements)
        case Records(items=columns):
            pairs = zip(vector, columns, strict=True)
            return tuple([_part(column, each, start, end, shape) for column, each in pairs])
        case _:
            return vector[start:end].reshape(shape)


def _places(parts: tuple[Any, ...]) -> list[tuple[int, int, tuple[int, ...]]]:
    """Where each item of an array of arrays begins in the elements, and where it ends, and its extents."""
    starts, *extents, elements = parts
    axes = [n.reshape(-1).tolist() for n in extents]
    shapes = zip(*axes, strict=True) if axes else [()] * starts.size
    size = _frame(elements).size
    found: list[tuple[int, int, tuple[int, ...]]] = []
    for start, shape in zip(starts.reshape(-1).tolist(), shapes, strict=True):
        end = start + math.prod(shape)
        if start < 0 or min(shape, default=0) < 0 or end > size:
            raise faults.INDEX_RANGE.error("nest", None, end, size)
        found.append((start, end, shape))
    return found


def as_items(parts: tuple[Any, ...]) -> Value:
    """An array of arrays as an array of Python objects, each of them an item, given its elements as they are
    presented. An item that is an enclosed array is a tuple of that and an empty one.
    """
    starts, *extents, elements = parts
    elements = np.asarray(elements)
    result = np.empty(np.shape(starts), dtype=object)
    flat = result.reshape(-1)
    arrays = np.asarray(starts), *[np.asarray(n) for n in extents], elements
    if len(extents) == 1 and (vectors := _vectors(*arrays)) is not None:
        for k, vector in enumerate(vectors):
            flat[k] = vector
        return result
    for k, item in enumerate(items(arrays)):
        flat[k] = item.copy() if item.ndim else (item.item(), ())
    return result


def _vectors(starts: Value, lengths: Value, elements: Value) -> list[Value] | None:
    """Items of one axis; None where one of them is not within the elements.

    None shares an element with another, nor with what is given. What an item costs matters where there are
    millions, so they are looked at together, and those that lie one behind the other are copied together.
    """
    ends = starts + lengths
    if min(starts.min(initial=0), lengths.min(initial=0)) < 0 or ends.max(initial=0) > elements.size:
        return None
    starts, ends, size = starts.reshape(-1), ends.reshape(-1), int(lengths.sum())
    bounds = zip(starts.tolist(), ends.tolist(), strict=True)
    in_order = np.argsort(starts, kind="stable")
    if 2 * size >= elements.size and np.all(ends[in_order[:-1]] <= starts[in_order[1:]]):
        own = elements.copy()
        return [own[start:end] for start, end in bounds]
    return [elements[start:end].copy() for start, end in bounds]


def as_records(columns: tuple[Any, ...], rank: int, axis: int | None) -> Value:
    """An array of records, given its columns as they are presented, as an array of tuples; a table as an
    array of Python objects, each of them an element.
    """
    arrays = [c if isinstance(c, np.ndarray) else np.asarray(c) for c in columns]
    shape = arrays[0].shape
    for array in arrays:
        require_lengths(shape, array.shape)
    flat = [[_element(a, k) for k in range(a.size)] for a in arrays]
    if axis is None:
        result = np.empty(shape, dtype=object)
        cells = result.reshape(-1)
        for k, row in enumerate(zip(*flat, strict=True)):
            cells[k] = row
        return result
    whole = np.empty((len(arrays), *shape), dtype=object)
    for column, items_of_column in zip(whole, flat, strict=True):
        cells = column.reshape(-1)
        for k, item in enumerate(items_of_column):
            cells[k] = item
    return np.moveaxis(whole, 0, axis).copy()


def _element(array: Value, k: int) -> Any:
    value = array.reshape(-1)[k]
    return value if array.dtype == object else np.array(value)


def presented(value: Any, ty: Type) -> Any:
    """A value of the interpreter with its arrays of arrays as arrays of objects."""
    if isinstance(ty, Nested):
        return as_items((*value[:-1], presented(value[-1], ty.items[-1])))
    if isinstance(ty, Records):
        columns = tuple([presented(v, t) for v, t in zip(value, ty.items, strict=True)])
        return as_records(columns, ty.rank.const, ty.axis)
    if isinstance(ty, Tuple):
        return tuple([presented(v, t) for v, t in zip(value, ty.items, strict=True)])
    return value


def stack(parts: Parts) -> Value:
    """The items as cells of one array; those of a single element extend to the shape that all others must
    have, and LENGTH ERROR names the last one that has another.
    """
    starts, *extents, elements = parts
    shape, result = (0,) * len(extents), items(parts)
    for number in range(len(result), 0, -1):
        own = result[number - 1].shape
        if number == len(result) or math.prod(shape) == 1:
            shape = own
        elif own != shape and math.prod(own) != 1:
            unlike = next(k for k, n in enumerate(own) if n != shape[k])
            raise FaultRaised(faults.UNLIKE_ITEM, number, own[unlike])
    require_room_for((*starts.shape, *shape), elements.itemsize)
    whole = np.empty((starts.size, *shape), dtype=elements.dtype)
    for k, item in enumerate(result):
        whole[k] = item if item.shape == shape else item.reshape(-1)[0]
    return whole.reshape((*starts.shape, *shape))


def mix(least: Value, parts: Parts) -> Value:
    """`↑`: each item a cell of one array, filled up to the longest along each axis, and to the least."""
    starts, *extents, elements = parts
    common = tuple([int(n.max(initial=at_least)) for n, at_least in zip(extents, least, strict=True)])
    require_room_for((*starts.shape, *common), elements.itemsize)
    result = np.full((starts.size, *common), fill_of(elements), dtype=elements.dtype)
    for k, item in enumerate(items(parts)):
        result[k][tuple([slice(n) for n in item.shape])] = item
    return result.reshape((*starts.shape, *common))
