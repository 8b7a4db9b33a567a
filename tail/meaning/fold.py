"""The meaning of scans, of reductions of windows, and of functions on cells, in NumPy."""

from __future__ import annotations

import math

import numpy as np

from aplc.tail import faults
from aplc.tail.array_limits import require_room_for
from aplc.tail.errors import RunError
from aplc.tail.faults import FaultRaised
from aplc.tail.meaning.core import (
    CellFunction,
    Pointwise,
    Value,
    fill_of,
    reduce_nonempty,
    require,
    require_lengths,
)


def scan(f: Pointwise, a: Value) -> Value:
    r"""`f\a` along the last axis: element k is the reduction of the first k, from the right.

    All prefixes take one more element on their left at a time; an associative function can go left to right
    instead.
    """
    n = a.shape[-1] if a.size else 0
    result = a.copy()
    if f.associative:
        for k in range(1, n):
            result[..., k] = f(result[..., k - 1], a[..., k])
        return result
    if f.in_order:
        for *row, k in np.ndindex(result.shape):
            result[*row, k] = reduce_nonempty(f, a[*row, : k + 1])
        return result
    for k in range(n - 2, -1, -1):
        rest = result[..., k + 1 :]
        rest[...] = f(np.broadcast_to(a[..., k : k + 1], rest.shape), rest)
    return result


def reduce_windows(f: Pointwise, identity: Value, n: Value, a: Value) -> Value:
    """`n f/a` along the last axis: each run of |n| elements reduced, reversed first if n is negative.

    Runs of no elements give the identity item. There is no result, an empty one, for one more than there are.
    """
    if n == 0:
        return np.full((*a.shape[:-1], a.shape[-1] + 1), identity, dtype=a.dtype)
    return _reduce_windows(f, int(n), a)


def reduce_windows_nonempty(f: Pointwise, n: Value, a: Value) -> Value:
    """`n f/a` for a function without identity item."""
    if n == 0:
        require(0 in a.shape[:-1], faults.EMPTY_REDUCTION)
        return np.zeros((*a.shape[:-1], a.shape[-1] + 1), dtype=a.dtype)
    return _reduce_windows(f, int(n), a)


def _reduce_windows(f: Pointwise, n: int, a: Value) -> Value:
    width, extent = abs(n), a.shape[-1]
    require(width <= extent + 1, faults.WINDOW, extent + 1, width)
    count = extent - width + 1
    if 0 in a.shape[:-1]:
        return a[..., :count].copy()
    if f.in_order and width:
        result = a[..., :count].copy()
        for *row, k in np.ndindex(result.shape):
            window = a[*row, k : k + width]
            result[*row, k] = reduce_nonempty(f, window if n > 0 else window[::-1])
        return result
    places = range(width) if n < 0 else range(width - 1, -1, -1)
    result = a[..., places[0] : places[0] + count]
    for k in places[1:]:
        result = f(a[..., k : k + count], result)
    return np.array(result)


def cells(f: CellFunction, a: Value) -> Value:
    """A function applied to each cell of the trailing axes; its results are the cells of the result.

    Those that are smaller than others are filled up, as by `↑`. Where there is no cell, one of fills tells
    the shape; extents are 0 if it fails.
    """
    split = a.ndim - f.ranks[0]
    frame, flat = a.shape[:split], a.reshape(_count(a.shape[:split]), *a.shape[split:])
    if not len(flat):
        return _no_cells(f, frame, _cell_of_fills(a, split))
    return _assemble(f, frame, [f(cell) for cell in flat])


def zip_cells(f: CellFunction, a: Value, b: Value) -> Value:
    """A function of two arguments applied to corresponding cells, otherwise as `cells`."""
    splits = a.ndim - f.ranks[0], b.ndim - f.ranks[1]
    frame = a.shape[: splits[0]]
    require_lengths(frame, b.shape[: splits[1]])
    if 0 in frame:
        return _no_cells(f, frame, _cell_of_fills(a, splits[0]), _cell_of_fills(b, splits[1]))
    lefts, rights = (x.reshape(_count(frame), *x.shape[k:]) for x, k in zip((a, b), splits, strict=True))
    return _assemble(f, frame, [f(left, right) for left, right in zip(lefts, rights, strict=True)])


def _assemble(f: CellFunction, frame: tuple[int, ...], results: list[Value]) -> Value:
    shapes = {np.shape(result) for result in results}
    extents = tuple([max(ns) for ns in zip(*shapes, strict=True)])
    require_room_for(frame + extents, f.dtype.itemsize)
    if len(shapes) == 1:
        return np.array(results, dtype=f.dtype).reshape(frame + extents)
    filled = np.full((len(results), *extents), fill_of(np.array((), dtype=f.dtype)), dtype=f.dtype)
    for cell, result in zip(filled, results, strict=True):
        cell[tuple([slice(n) for n in np.shape(result)])] = result
    return filled.reshape(frame + extents)


def _no_cells(f: CellFunction, frame: tuple[int, ...], *cells: Value) -> Value:
    """The result for an empty frame."""
    try:
        extents = np.shape(f(*cells))
    except (RunError, FaultRaised):
        extents = (0,) * f.result_rank if f.result_length is None else (f.result_length,)
    require_room_for((*frame, *extents), f.dtype.itemsize)
    return np.zeros((*frame, *extents), dtype=f.dtype)


def _cell_of_fills(a: Value, split: int) -> Value:
    require_room_for(a.shape[split:], a.itemsize)
    return np.full(a.shape[split:], fill_of(a), dtype=a.dtype)


def _count(extents: tuple[int, ...]) -> int:
    return math.prod(extents)
