"""The meaning of functions that choose, place or check elements by data, with 1-based indices and lengths."""

from __future__ import annotations

import numpy as np

from aplc.tail import faults
from aplc.tail.array_limits import require_room, require_room_for
from aplc.tail.meaning.core import Pointwise, Value, fill_of, require, require_lengths

# --- along the last axis ----------------------------------------------------------------------------------


def replicate(counts: Value, a: Value) -> Value:
    """`counts/a`: each slice of the last axis as often as its count says, or as many fills in its place if
    that is negative. One count, or one slice, extends.
    """
    extent = a.shape[-1]
    if counts.size == 1:
        counts = np.broadcast_to(counts, (extent,))
    require(extent in (1, counts.size), faults.LENGTHS, counts.size, extent)
    sources = np.arange(extent) if extent == counts.size else np.zeros(counts.size, dtype=np.int64)
    return _slices(a, np.where(counts < 0, -1, sources), _magnitudes(counts))


def expand(counts: Value, a: Value) -> Value:
    r"""`counts\a`: each positive count repeats the next slice of the last axis, another one inserts as many
    fills, at least one. There are as many slices as positive counts; one slice, or one count, extends.
    """
    extent = a.shape[-1]
    if counts.size == 1 and extent != 1:
        counts = np.repeat(counts, extent)
    taken = counts > 0
    needed = int(np.count_nonzero(taken))
    require(extent in (1, needed), faults.LENGTHS, needed, extent)
    sources = np.cumsum(taken) - 1 if extent == needed else np.zeros(counts.size, dtype=np.int64)
    return _slices(a, np.where(taken, sources, -1), np.maximum(_magnitudes(counts), 1))


def _magnitudes(counts: Value) -> Value:
    """The absolute values; the least integer, which has none, becomes the greatest."""
    magnitudes = np.abs(counts.astype(np.int64))
    return np.where(magnitudes < 0, np.iinfo(np.int64).max, magnitudes)


def _slices(a: Value, sources: Value, counts: Value) -> Value:
    """The slices of the last axis with these numbers, each repeated; -1 stands for one of fills."""
    require_room_for((*a.shape[:-1], _total(counts)), max(a.itemsize, counts.itemsize))
    positions = np.repeat(sources, counts)
    result = np.full((*a.shape[:-1], positions.size), fill_of(a), dtype=a.dtype)
    kept = positions >= 0
    result[..., kept] = a[..., positions[kept]]
    return result


def _total(counts: Value) -> int:
    """The sum of counts, which may be greater than an integer of NumPy holds."""
    if float(np.sum(counts, dtype=np.float64)) < 2.0**62:
        return int(np.sum(counts, dtype=np.int64))
    return sum(counts.tolist())


def rotate_each(counts: Value, a: Value) -> Value:
    """`counts⌽a`: each row of the last axis by its own count; one count extends."""
    if counts.size == 1:
        counts = np.broadcast_to(counts.reshape(()), a.shape[:-1])
    require_lengths(counts.shape, a.shape[:-1])
    extent = a.shape[-1]
    if extent == 0:
        return a.copy()
    positions = (np.arange(extent) + (counts % extent)[..., np.newaxis]) % extent
    return np.take_along_axis(a, positions, axis=-1)


# --- indices ----------------------------------------------------------------------------------------------


def index(subscripts: tuple[Value, ...], a: Value) -> Value:
    """`a[i;j;…]`, counted from 1: the shape is that of the subscripts, one after the other."""
    _require_grid(subscripts)
    return np.asarray(a[_grid(subscripts, a.shape)])


def update(a: Value, subscripts: tuple[Value, ...], value: Value) -> Value:
    """`a[i;j;…]←value`, in place; the last one wins where an element is named twice, in row-major order. One
    value extends.
    """
    _require_grid(subscripts)
    _require_selected(subscripts, value)
    positions = _positions(subscripts, a.shape)
    a.reshape(-1)[positions.reshape(-1)] = value.reshape(()) if value.size == 1 else value.reshape(-1)
    return a


def modify(f: Pointwise, a: Value, subscripts: tuple[Value, ...], value: Value) -> Value:
    """`a[i;j;…] f←value`, in place, in row-major order: an element that is named twice changes twice. One
    value extends.
    """
    _require_grid(subscripts)
    _require_selected(subscripts, value)
    positions = _positions(subscripts, a.shape)
    values = np.broadcast_to(value.reshape(()) if value.size == 1 else value, positions.shape).reshape(-1)
    positions, flat = positions.reshape(-1), a.reshape(-1)
    while positions.size:
        _, firsts = np.unique(positions, return_index=True)
        flat[positions[firsts]] = f(flat[positions[firsts]], values[firsts])
        positions, values = np.delete(positions, firsts), np.delete(values, firsts)
    return a


def _require_selected(subscripts: tuple[Value, ...], value: Value) -> None:
    """New values have the shape that the subscripts select, or there is one."""
    if value.size != 1:
        selected = [n for subscript in subscripts for n in subscript.shape]
        for wanted, given in zip(selected, value.shape, strict=True):
            require(wanted == given, faults.NOT_SELECTED, wanted, given)


def _require_grid(subscripts: tuple[Value, ...]) -> None:
    """There is room for all combinations of the subscripts."""
    require_room_for([n for subscript in subscripts for n in subscript.shape])


def _positions(subscripts: tuple[Value, ...], extents: tuple[int, ...]) -> Value:
    """Where all combinations of the subscripts are among the elements, from 0; indices of
    NumPy are for fewer axes than arrays have.
    """
    positions = np.zeros((), dtype=np.int64)
    for places, extent in zip(_grid(subscripts, extents), extents, strict=True):
        positions = positions * extent + places
    return positions


def _grid(subscripts: tuple[Value, ...], extents: tuple[int, ...]) -> tuple[Value, ...]:
    """Positions from 0 that together address all combinations of the subscripts."""
    rank = sum(s.ndim for s in subscripts)
    grid, before = [], 0
    for axis, (subscript, extent) in enumerate(zip(subscripts, extents, strict=True), start=1):
        for wrong in subscript[(subscript < 1) | (subscript > extent)].reshape(-1)[:1]:
            if len(extents) == 1:
                require(False, faults.INDEX_RANGE, int(wrong), extent)
            require(False, faults.INDEX_AXIS, int(wrong), axis, extent)
        after = rank - before - subscript.ndim
        grid.append(subscript.reshape((1,) * before + subscript.shape + (1,) * after) - 1)
        before += subscript.ndim
    return tuple(grid)


def where(counts: Value) -> Value:
    """`⍸counts`: the positions of the ones, from 1; a greater count repeats its position."""
    for wrong in counts[counts < 0][:1]:
        require(False, faults.NEGATIVE_COUNT, int(wrong))
    require_room(_total(counts))
    return np.repeat(np.arange(1, counts.size + 1), counts.astype(np.int64))


# --- checks -----------------------------------------------------------------------------------------------


def single(a: Value) -> Value:
    """The only element."""
    require(a.size == 1, faults.ONE_ELEMENT, a.size)
    return a.reshape(()).copy()


def of_length(n: Value, a: Value) -> Value:
    """A vector of n elements; one element extends."""
    require(a.size in (1, int(n)), faults.OF_LENGTH, int(n), a.size)
    require_room(int(n), a.itemsize)
    return np.resize(a, int(n))


def no_result(a: Value) -> Value:
    """Where a function ends without a result."""
    require(False, faults.NO_RESULT)
    return a


def fresh(a: Value) -> Value:
    """The same array in memory of its own, row by row."""
    return np.array(a, order="C")
