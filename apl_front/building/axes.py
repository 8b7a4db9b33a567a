"""Axes: which one brackets name, and bringing it to where the primitives of TAIL expect it.

The primitives work along the last axis. A function along another one is that function between two
transpositions, which cost nothing in generated code.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from aplc.apl_front.building.builder import Builder, constant, counted, numeric, rank
from aplc.tail import prims as p
from aplc.tail.errors import compile_error, unsupported
from aplc.tail.source import Span
from aplc.tail.syntax import Exp, Vec, literal, op, vec
from aplc.tail.types import Base


def axis_number(given: Exp, symbol: str, span: Span) -> float:
    """The constant in the brackets behind a function."""
    only = given.items[0] if isinstance(given, Vec) and len(given.items) == 1 else given
    if error := numeric(given, f"the axis of {symbol}"):
        raise error
    value = constant(only)
    if value is None or isinstance(value, str):
        raise unsupported(f"{symbol} with an axis that is not one constant number", given.span or span)
    return float(value)


def constant_axis(build: Builder, given: Exp, axes: int, symbol: str, span: Span) -> int:
    """A whole axis in brackets, from 0; INDEX ERROR (as APL: AXIS) where there is no such axis."""
    number = axis_number(given, symbol, span)
    axis = number - build.index_origin
    if not axis.is_integer() or not 0 <= axis < axes:
        shown = f"{number:g}".replace("-", "¯")
        message = f"{symbol} has no axis {shown}: its argument has {counted(axes, 'axis', 'axes')}"
        raise compile_error("AXIS ERROR", message, given.span or span)
    return int(axis)


def constant_axes(build: Builder, given: Exp, axes: int, symbol: str, span: Span) -> list[int]:
    """Several whole axes in brackets, or one, from 0; they must ascend, so that all see which is which."""
    parts = given.items if isinstance(given, Vec) else (given,)
    found = [constant_axis(build, each, axes, symbol, span) for each in parts]
    if any(k >= following for k, following in pairwise(found)):
        raise compile_error("DOMAIN ERROR", f"{symbol} needs axes that ascend", given.span or span)
    return found


def permuted(a: Exp, places: list[int], span: Span) -> Exp:
    """The array with its axis i (from 0) at place `places[i]`."""
    if places == list(range(len(places))):
        return a
    if places == list(range(len(places) - 1, -1, -1)):
        return op(p.TRANSP, a, span=span)
    numbers = tuple([literal(k + 1, span) for k in places])
    return op(p.TRANSP2, vec(numbers, Base.INT, span), a, span=span)


def to_last(a: Exp, axis: int, span: Span) -> Exp:
    """The array with one axis moved behind the others."""
    last = rank(a) - 1
    return permuted(a, [last if i == axis else i - (i > axis) for i in range(last + 1)], span)


def from_last(a: Exp, axis: int, span: Span) -> Exp:
    """The array with its last axis moved to a place among the others."""
    last = rank(a) - 1
    return permuted(a, [axis if i == last else i + (i >= axis) for i in range(last + 1)], span)


def to_first(a: Exp, axis: int, span: Span) -> Exp:
    """The array with one axis moved in front of the others."""
    return permuted(a, [0 if i == axis else i + (i < axis) for i in range(rank(a))], span)


def from_first(a: Exp, axis: int, span: Span) -> Exp:
    """The array with its first axis moved to a place among the others."""
    return permuted(a, [axis if i == 0 else i - (i <= axis) for i in range(rank(a))], span)


def along(change: Callable[[Exp], Exp], a: Exp, axis: int, span: Span) -> Exp:
    """A function that works along the last axis and keeps the rank, applied along another axis."""
    if rank(a) <= 1 or axis == rank(a) - 1:
        return change(a)
    return from_last(change(to_last(a, axis, span)), axis, span)
