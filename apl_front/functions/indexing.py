"""Indexing: brackets, `⌷`, and what they share with assignment by index.

indices(…)   the index arrays for all axes, counted from 1, the omitted ones in full
bracket(…)   a[i;j]
squad(…)     i⌷a
"""

from __future__ import annotations

from collections.abc import Sequence

from aplc.apl_front.building.axes import constant_axis
from aplc.apl_front.building.builder import (
    Builder,
    counted,
    enclosed,
    is_enclosed,
    length_of,
    plain_type,
    rank,
)
from aplc.apl_front.building.closed import whole_numbers
from aplc.apl_front.functions import nested_values, record_values, tuples
from aplc.apl_front.functions.structure import from_origin, to_integers
from aplc.tail import prims as p
from aplc.tail.errors import CompileError, Unsupported, compile_error, first_line, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Vec, literal, op, product
from aplc.tail.types import Tuple, known_length


def bracket(build: Builder, array: Exp, given: list[Exp | None], span: Span) -> Exp:
    """`a[i;j]`: the shape of the result is the shapes of the indices, one after the other."""
    symbol = "[ ]" if array.span is None else first_line(array.span.text)
    if nested_values.is_nested(array):
        if len(given) != nested_values.axes_of(array):
            raise wrong_count(plain_type(array), nested_values.axes_of(array), len(given), span)
        fixed = [None if g is None else build.bind(g) for g in given]
        change = lambda d: build.bind(index(build, d, fixed, symbol, span))  # noqa: E731
        return nested_values.arranged(build, array, change, span)
    if isinstance(array.ty, Tuple):
        if len(given) != 1:
            message = f"{plain_type(array)} has 1 axis, the index names {len(given)}"
            raise compile_error("RANK ERROR", message, span)
        if is_enclosed(array.ty):
            raise compile_error(
                "RANK ERROR", f"{plain_type(array)} is a scalar, the index names 1 axis", span
            )
        if given[0] is None:
            return array
        items = tuples.items_of(build, array)
        try:
            chosen = [
                items[tuples.position(build, one, len(items), symbol, span)]
                for one in _each_index(build, given[0], symbol, span)
            ]
            is_scalar = isinstance(given[0].ty, Tuple) or rank(given[0]) == 0
            return (
                enclosed(chosen[0], span)
                if is_scalar
                else tuples.as_simple(build, product(tuple(chosen), span))
            )
        except Unsupported:
            made = record_values.as_nested(build, array, span)
            if made is None:
                raise
        return bracket(build, made, given, span)
    return index(build, array, given, symbol, span)


def _each_index(build: Builder, index: Exp, symbol: str, span: Span) -> tuple[Exp, ...]:
    """The elements of an index, if the program names them."""
    known = build.definition(index)
    if isinstance(known, Vec) and known.items:
        return known.items
    if not isinstance(index.ty, Tuple) and rank(index) > 0:
        if numbers := whole_numbers(build, index):
            return tuple([literal(k, index.span) for k in numbers])
        what = f"{symbol}[ ] of a nested array with anything but constant whole numbers"
        raise unsupported(what, index.span or span, "take it apart with (a b)←")
    return (index,)


def index(build: Builder, array: Exp, given: Sequence[Exp | None], symbol: str, span: Span) -> Exp:
    """An array at the given indices, one for each axis; None takes the whole axis."""
    if len(given) != rank(array):
        raise wrong_axes(array, len(given), span)
    if all(g is None for g in given):
        return array
    if rank(array) == 1 and given[0] is not None and rank(given[0]) == 0:
        return op(p.PICK, position(build, given[0]), array, symbol=symbol, span=span)
    array = build.bind(array)
    return op(p.INDEX, full(build, array, given, span), array, symbol=symbol, span=span)


def wrong_axes(array: Exp, given: int, span: Span) -> CompileError:
    """The error for an index that does not name every axis, or more than there are."""
    return wrong_count(plain_type(array), rank(array), given, span)


def wrong_count(array: str, axes: int, given: int, span: Span) -> CompileError:
    """The same for an array of which the type is shown so, with so many axes."""
    all_axes = ";".join("ijklmnopqrstuvwxyz"[:axes])
    few = f": write [{all_axes}]; one left out takes the whole axis" if given < axes else ""
    message = f"{array} has {counted(axes, 'axis', 'axes')}, the index names {given}{few}"
    return compile_error("RANK ERROR", message, span)


def full(build: Builder, array: Exp, given: Sequence[Exp | None], span: Span) -> Exp:
    """The tuple of indices for all axes, counted from 1; an omitted one is in full."""
    if len(given) > p.MAX_RANK:
        message = f"an index is for at most {p.MAX_RANK} axes, and this array has {len(given)}"
        raise compile_error("LIMIT ERROR", message, span)
    arrays = [
        whole_axis(build, array, axis, span) if g is None else position(build, g)
        for axis, g in enumerate(given)
    ]
    return product(tuple(arrays), span)


def whole_axis(build: Builder, array: Exp, axis: int, span: Span) -> Exp:
    """All indices of an axis."""
    length = known_length(array.ty)
    if length is not None:
        extent: Exp = op(p.FIRST_V, op(p.SHAPE_V, array, span=span), span=span)
        return op(p.IOTA_V, extent, span=span)
    extent = op(p.PICK, literal(axis + 1, span), op(p.SHAPE, array, span=span), span=span)
    return op(p.IOTA, extent, span=span)


def position(build: Builder, exp: Exp) -> Exp:
    """An index as the user counts, counted from 1."""
    numbers = to_integers(build, exp, "an index")
    return from_origin(build, numbers)


def numbers_of(build: Builder, vector: Exp, axes: int, symbol: str, span: Span) -> list[Exp]:
    """The numbers of an index vector, one for each axis; where only the run knows how many there are it finds
    that there are too many, or too few: a single one does not extend.
    """
    what = f"the index of {symbol}"
    given = build.bind(to_integers(build, vector, "an index"))
    one_each = build.bind(op(p.OF_LENGTH, literal(axes, span), given, symbol=what, span=span))
    sources = [*[one_each] * (axes - 1), given][:axes]
    return [op(p.PICK, literal(k + 1, span), s, symbol=what, span=span) for k, s in enumerate(sources)]


def _one_for_each_axis(build: Builder, left: Exp, axes: int, span: Span) -> list[Exp]:
    """The left argument of `⌷`: an index for each axis; where it is nested, an array for each. Where only the
    run knows how many there are, as many as there are axes.
    """
    if isinstance(left.ty, Tuple):
        return list(tuples.items_of(build, left))
    indices = to_integers(build, left, "⌷")
    if rank(indices) == 1 and length_of(indices) is None and not build.proving:
        return numbers_of(build, indices, axes, "⌷", span)
    count = 1 if rank(indices) == 0 else length_of(indices)
    if rank(indices) > 1 or count is None:
        message = f"⌷ needs one index for each axis on the left, got {plain_type(left)}"
        raise compile_error("RANK ERROR", message, left.span or span)
    if rank(indices) == 0:
        return [indices]
    if isinstance(indices, Vec):
        return list(indices.items)
    vector = build.bind(indices)
    return [op(p.PICK, literal(k + 1, span), vector, span=span) for k in range(count)]


def squad(build: Builder, left: Exp, right: Exp, span: Span) -> Exp:
    """`i⌷a`: one index for each leading axis; a nested left argument has an array for each."""
    given: list[Exp | None] = [*_one_for_each_axis(build, left, rank(right), span)]
    if len(given) > rank(right):
        few = counted(rank(right), "index", "indices") if rank(right) else "no index"
        message = (
            f"⌷ needs {'at most ' if rank(right) else ''}{few} for {plain_type(right)}, got {len(given)}"
        )
        raise compile_error("LENGTH ERROR" if rank(right) else "RANK ERROR", message, span)
    given += [None] * (rank(right) - len(given))
    return index(build, right, given, "⌷", span)


def squad_along(build: Builder, left: Exp, right: Exp, span: Span, axis: Exp) -> Exp:
    """`i⌷[k]a`: the index belongs to the axis named, one to each of several. With a single axis a vector
    is all of its index.
    """
    known = build.definition(axis)
    axes = list(known.items) if isinstance(known, Vec) else [axis]
    is_whole = len(axes) == 1 and not isinstance(left.ty, Tuple)
    items = [left] if is_whole else _one_for_each_axis(build, left, len(axes), span)
    if len(axes) != len(items):
        message = f"⌷ needs an index for each of {counted(len(axes), 'axis', 'axes')}, got {len(items)}"
        raise compile_error("LENGTH ERROR", message, span)
    given: list[Exp | None] = [None] * rank(right)
    for each, item in zip(axes, items, strict=True):
        given[constant_axis(build, each, rank(right), "⌷", span)] = item
    return index(build, right, given, "⌷", span)
