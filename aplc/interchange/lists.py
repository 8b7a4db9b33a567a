"""Lists, tuples, texts, and arrays of Python objects as arrays of arrays.

Note [Axes of lists]
    Lists are looked at one depth after the other, all of one depth together, so that what each item costs is
    a few operations of Python's own, and elements are joined once. A depth adds an axis where all its lists
    have one length: rows of one length are a matrix, of numbers or of whatever they hold. Where lengths
    differ, its lists are items. Arrays in lists have all their axes at one depth. Texts are items, and so is
    what an array of objects holds, whatever their lengths. An annotation that wants an array of arrays
    decides otherwise: it says how many axes each level of nesting has, and what type elements have where
    there are none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from aplc.interchange.given import (
    Items,
    Level,
    UnfitValue,
    Value,
    level_of_extents,
    unfit_for_lack_of_type,
)
from aplc.tail.elements import UnfitArray, as_elements, base_of_dtype
from aplc.tail.types import MOST_AXES, Array, Base, Nested, Type

NUMBERS = (bool, int, float, complex, np.generic)


@dataclass(frozen=True)
class _Depth:
    """What stands at one depth: the extents of each node, an array for each axis."""

    extents: list[Value]
    count: int
    """The number of nodes."""
    is_boxed: bool = False
    """Whether it lies in an array of objects, so that a level of nesting begins."""


@dataclass
class _Tree:
    """Nested lists on the way to the bottom."""

    nodes: Any
    """What stands at the depth reached, in order."""
    depths: list[_Depth] = field(default_factory=list)
    is_boxed: bool = False
    of_other: Callable[[Any], Value | None] = lambda _: None
    """What other libraries' arrays are in NumPy's."""

    def descend(self, extents: list[Value], nodes: Sequence[Any] | Value, *, boxes: bool = False) -> None:
        self.depths.append(_Depth(extents, len(self.nodes), self.is_boxed))
        self.nodes, self.is_boxed = nodes, boxes
        if sum([len(depth.extents) for depth in self.depths]) > MOST_AXES:
            raise UnfitValue("LIMIT ERROR", f"has more than {MOST_AXES} axes")

    def place(self, k: int, *, above: int = 0) -> str:
        """Where a node stands, as Python writes it; or one that stood so many depths above."""
        indices = []
        for depth in reversed(self.depths[: len(self.depths) - above]):
            if not depth.extents:
                continue
            ends = np.cumsum(math.prod(depth.extents[1:], start=depth.extents[0]))
            parent = int(np.searchsorted(ends, k, "right"))
            shape = [int(axis[parent]) for axis in depth.extents]
            inside = np.unravel_index(k - (int(ends[parent - 1]) if parent else 0), shape)
            indices.append(f"[{', '.join(map(str, map(int, inside)))}]")
            k = parent
        return "".join(reversed(indices))


def of_lists(value: object, wanted: Type | None, of_other: Callable[[Any], Value | None]) -> Items:
    """A list, a tuple or an array of objects, as an array of arrays where its rows differ.

    `wanted` is the type that an annotation gives it, `of_other` makes arrays of NumPy of those of other
    libraries. See Note [Axes of lists]. Raises `UnfitArray`, `UnfitValue`.
    """
    tree = _Tree([value], of_other=of_other)
    while _opened(tree, wanted):
        pass
    base, elements = _bottom(tree)
    ranks = level_ranks(wanted) if isinstance(wanted, Nested) else None
    levels = _levels(tree.depths, ranks)
    if levels is None:
        levels, ranks = _levels(tree.depths, None), None
    assert levels is not None
    if base is None and tree.is_boxed and ranks is None:
        raise unfit_for_lack_of_type()
    outer, *others = levels
    shape = tuple([int(axis[0]) for axis in outer])
    items = Items(shape, tuple([level_of_extents(axes) for axes in others]), base, elements)
    return completed(items, wanted if ranks is not None or not others else None)


def completed(items: Items, wanted: Type | None) -> Items:
    """The same with a type where there are no elements: that of an annotation, or doubles."""
    if items.base is not None:
        return items
    base = base_wanted(wanted) or Base.DOUBLE
    ranks = level_ranks(wanted) if isinstance(wanted, Nested) else []
    none = np.zeros(0, np.int64)
    missing = [Level(none, (none,) * rank) for rank in ranks[1 + len(items.levels) :]]
    return Items(items.shape, (*items.levels, *missing), base, np.zeros(0, base.dtype))


def level_ranks(ty: Type) -> list[int]:
    """The number of axes at each level of nesting, from outside."""
    if isinstance(ty, Nested):
        return [ty.rank.const, *level_ranks(ty.item)]
    assert isinstance(ty, Array)
    return [ty.rank.const]


def base_wanted(ty: Type | None) -> Base | None:
    """The element type at the bottom of a type, where it is known."""
    while isinstance(ty, Nested):
        ty = ty.item
    return ty.base if isinstance(ty, Array) and isinstance(ty.base, Base) else None


def _levels(depths: list[_Depth], ranks: list[int] | None) -> list[list[Value]] | None:
    """The axes of each level, with the extents of each of its items; with `ranks` None unless they fit."""
    levels: list[list[Value]] = []
    counts: list[int] = []
    for depth in depths:
        same = all([axis.size == 0 or bool((axis == axis[0]).all()) for axis in depth.extents])
        if ranks is None:
            begins = not levels or depth.is_boxed or not same
        else:
            if len(levels) > len(ranks):
                return None
            begins = not levels or len(levels[-1]) >= ranks[len(levels) - 1]
            if not begins and (depth.is_boxed or not same):
                return None
        if begins:
            levels.append(list(depth.extents))
            counts.append(depth.count)
        else:
            axes = [int(axis[0]) if axis.size else 0 for axis in depth.extents]
            levels[-1] += [np.full(counts[-1], extent, np.int64) for extent in axes]
    if ranks is None:
        return levels
    fits = len(levels) <= len(ranks) and all(
        [len(axes) == rank for axes, rank in zip(levels, ranks, strict=False)]
    )
    return levels if fits else None


# --- one depth after the other ----------------------------------------------------------------------------


def _kind(node: object) -> str:
    """What a node is, as messages name it."""
    if isinstance(node, str):
        return "a text"
    if isinstance(node, list | tuple):
        return "a list"
    if isinstance(node, np.ma.MaskedArray):
        return "a masked array"
    if isinstance(node, np.ndarray):
        axes = "one axis" if node.ndim == 1 else f"{node.ndim} axes"
        return f"an array of {axes}" if node.ndim else _kind(node.item())
    if isinstance(node, NUMBERS):
        return "a number"
    kind = type(node)
    package = kind.__module__.partition(".")[0]
    name = kind.__qualname__ if package == "builtins" else f"{package}.{kind.__qualname__}"
    return "None" if node is None else name


def _opened(tree: _Tree, wanted: Type | None) -> bool:
    """Go one depth down, unless the bottom is reached: numbers and characters, arrays of them, or nothing."""
    nodes = tree.nodes
    kinds = set(map(type, nodes))
    if not kinds:
        return False
    if all([issubclass(kind, list | tuple) for kind in kinds]):
        lengths = np.fromiter(map(len, nodes), np.int64, len(nodes))
        tree.descend([lengths], list(chain.from_iterable(nodes)))
        return True
    if all([issubclass(kind, str) for kind in kinds]):
        lengths = np.fromiter(map(len, nodes), np.int64, len(nodes))
        if tree.is_boxed or not (lengths == 1).all() or _wants_texts(tree.depths, wanted):
            tree.is_boxed = True
            tree.descend([lengths], characters("".join(nodes)))
        return False
    if all([issubclass(kind, np.ndarray) for kind in kinds]):
        return _opened_arrays(tree)
    if any([not issubclass(kind, NUMBERS) for kind in kinds]):
        return _made_alike(tree, kinds)
    return False


def _wants_texts(depths: list[_Depth], wanted: Type | None) -> bool:
    """Whether texts of one character are vectors for an annotation."""
    if not isinstance(wanted, Nested) or base_wanted(wanted) is not Base.CHAR:
        return False
    return sum(level_ranks(wanted)) > sum([len(depth.extents) for depth in depths])


def characters(text: str) -> Value:
    """A text as a vector of its characters."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<U1")


def _opened_arrays(tree: _Tree) -> bool:
    """Go down into arrays: those of objects are opened, others are the bottom."""
    nodes = tree.nodes
    if any([issubclass(kind, np.ma.MaskedArray) for kind in set(map(type, nodes))]):
        raise _no_counterpart(
            tree, next(k for k, node in enumerate(nodes) if isinstance(node, np.ma.MaskedArray))
        )
    ranks = {node.ndim for node in nodes}
    if len(ranks) > 1:
        first = nodes[0].ndim
        raise _unlike(tree, next(k for k, node in enumerate(nodes) if node.ndim != first))
    if ranks == {0} and tree.depths:
        tree.nodes = [node[()] for node in nodes]
        return True
    dtypes = {node.dtype for node in nodes}
    if ranks == {1}:
        extents = [np.fromiter(map(len, nodes), np.int64, len(nodes))]
    else:
        shapes = np.array([node.shape for node in nodes], np.int64).reshape(len(nodes), ranks.pop())
        extents = [np.ascontiguousarray(axis) for axis in shapes.T]
    if np.dtype(object) not in dtypes:
        if extents:
            tree.descend(extents, nodes)
        return False
    opened = list(chain.from_iterable([node.ravel().tolist() for node in nodes]))
    tree.descend(extents, opened, boxes=True)
    return True


def _made_alike(tree: _Tree, kinds: set[type]) -> bool:
    """Go on where lists, texts and arrays stand side by side: as lists. Raises `UnfitValue` where something
    else does.
    """
    nodes = list(tree.nodes)
    known = (list, tuple, str, np.ndarray, *NUMBERS)
    for k, node in enumerate(nodes):
        if not isinstance(node, known):
            array = tree.of_other(node)
            if array is None:
                raise _no_counterpart(tree, k)
            nodes[k] = array
    if any([not issubclass(kind, known) for kind in kinds]):
        tree.nodes = nodes
        return True
    for k, node in enumerate(nodes):
        if _depth_of(node) != _depth_of(nodes[0]):
            raise _unlike(tree, k)
    if _depth_of(nodes[0]):
        tree.nodes = [list(node) for node in nodes]
        return True
    tree.nodes = [node[()] if isinstance(node, np.ndarray) else node for node in nodes]
    return any([isinstance(node, np.ndarray) for node in nodes])


def _depth_of(node: object) -> int:
    """0 for a scalar, 1 for what has items."""
    if isinstance(node, np.ndarray):
        return min(node.ndim, 1)
    return int(isinstance(node, str | list | tuple))


def _unlike(tree: _Tree, k: int) -> UnfitValue:
    """The error for a node that differs from the first one."""
    return _differs(_kind(tree.nodes[0]), tree.place(0), _kind(tree.nodes[k]), tree.place(k))


def _differs(first: str, place: str, other: str, other_place: str) -> UnfitValue:
    return UnfitValue(
        "DOMAIN ERROR",
        f"holds {first} at {place} and {other} at {other_place}; "
        "the items of an array have one rank and kind",
    )


def _no_counterpart(tree: _Tree, k: int) -> UnfitArray:
    return UnfitArray(f"{_kind(tree.nodes[k])}{_at(tree.place(k))}")


def _at(place: str) -> str:
    """Where something is, to be said behind it: an array without axes has no places."""
    return f" at {place}" if place else ""


# --- the bottom -------------------------------------------------------------------------------------------


def _bottom(tree: _Tree) -> tuple[Base | None, Value]:
    """The elements in one vector, and their type if there is anything that tells it."""
    nodes = tree.nodes
    if isinstance(nodes, np.ndarray):
        return as_elements(nodes)
    if not nodes:
        return None, np.zeros(0)
    if isinstance(nodes[0], np.ndarray):
        return _joined_arrays(tree)
    if any([isinstance(node, str) for node in nodes]):
        for k, node in enumerate(nodes):
            if isinstance(node, str) != isinstance(nodes[0], str):
                raise _unlike(tree, k)
        return as_elements(characters("".join(nodes)))
    array = np.array(nodes)
    require_exact(array, nodes)
    return as_elements(array)


def _joined_arrays(tree: _Tree) -> tuple[Base, Value]:
    """The elements of all arrays in one vector, as numbers of the widest type. Raises `UnfitArray`."""
    arrays: list[Value] = list(tree.nodes)
    dtypes = list(dict.fromkeys([array.dtype for array in arrays]))
    if len(dtypes) == 1:
        return as_elements(np.concatenate(arrays, axis=0 if arrays[0].ndim == 1 else None))
    bases = {}
    for dtype in dtypes:
        try:
            bases[dtype] = base_of_dtype(dtype)
        except UnfitArray as unfit:
            k = next(k for k, array in enumerate(arrays) if array.dtype == dtype)
            raise UnfitArray(f"{unfit}{_at(tree.place(k, above=1))}") from None
    is_text = [bases[array.dtype] is Base.CHAR for array in arrays]
    if any(is_text) and not all(is_text):
        k = is_text.index(not is_text[0])
        kinds = ("numbers", "characters") if is_text[k] else ("characters", "numbers")
        raise _differs(kinds[0], tree.place(0, above=1), kinds[1], tree.place(k, above=1))
    base = widest(list(bases.values()))
    arrays = [as_elements(array)[1] if array.dtype in _CONVERTED else array for array in arrays]
    if base is Base.CHAR:
        return as_elements(np.concatenate([array.astype("<U1") for array in arrays], axis=None))
    return base, np.concatenate(arrays, axis=None, dtype=base.dtype, casting="unsafe")


_CONVERTED = frozenset([np.dtype(np.uint64), np.dtype(bool)])
"""Whose elements are looked at before they are joined with others: they may be beyond, or no truth values."""


def widest(bases: list[Base]) -> Base:
    """The element type that holds numbers of all of these."""
    order = (Base.BOOL, Base.INT, Base.DOUBLE, Base.COMPLEX)
    return Base.CHAR if Base.CHAR in bases else max(bases, key=order.index)


def require_exact(array: Value, value: object) -> None:
    """NumPy makes Python's integers beyond 64 bits doubles, or objects. Raises `UnfitArray` where it did."""
    if isinstance(value, np.ndarray | np.generic) or not (
        array.dtype == object or (array.dtype == np.float64 and bool((np.abs(array) >= 2.0**63).any()))
    ):
        return
    items = np.asarray(value, object).ravel().tolist()
    numbers = [item for item in items if isinstance(item, int | float)]
    if len(numbers) == len(items) and any(
        [isinstance(number, int) and not -(2**63) <= number < 2**63 for number in numbers]
    ):
        raise UnfitArray("integers beyond 64 bits with a sign")
