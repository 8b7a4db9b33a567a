"""What programs are called with: numbers, arrays, items of different lengths, and several of these at once.

`inputs_of` makes of them what compiled APL takes; `aplc.bench.native` says how the rivals in C take them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from aplc.inputs import Input, as_input
from aplc.tail.types import Array, Rho, Tuple, base_of, nested

Value = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Items:
    """A vector of vectors: item k is the elements from offset k to the one before offset k+1."""

    offsets: Value
    """One more than there are items; the first is 0 and the last the number of elements."""
    elements: Value

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def starts(self) -> Value:
        """Where the items begin."""
        return np.ascontiguousarray(self.offsets[:-1])

    @cached_property
    def lengths(self) -> Value:
        """The number of elements of each item."""
        return np.diff(self.offsets)


Argument: TypeAlias = "Value | int | float | Items | tuple[Argument, ...]"
"""A tuple is several arguments in one, a strand in APL."""


def input_of(argument: Argument) -> Input:
    """An argument as compiled APL takes it."""
    if isinstance(argument, Items):
        elements = as_input(argument.elements)
        parts = (as_input(argument.starts), as_input(argument.lengths), elements)
        return Input(nested(Array(base_of(elements.type), Rho(1)), 1), "", elements.value, parts=parts)
    if isinstance(argument, tuple):
        given = [input_of(each) for each in argument]
        flat = tuple([part for each in given for part in each.flat])
        return Input(Tuple(tuple([each.type for each in given])), "", flat[-1].value, parts=flat)
    return as_input(np.asarray(argument))


def inputs_of(arguments: Sequence[Argument]) -> dict[str, Input]:
    """The arguments by the names that they have in a function."""
    names = ("⍵",) if len(arguments) == 1 else ("⍺", "⍵")
    return {name: input_of(each) for name, each in zip(names, arguments, strict=True)}


def is_flat(argument: Argument) -> bool:
    """Whether an argument is a number or an array of them, which needs no conversion."""
    return not isinstance(argument, Items | tuple)


def one_by_one(arguments: Sequence[Argument]) -> Iterator[Value | int | float | Items]:
    """The arguments in order, and in the place of several in one these."""
    for argument in arguments:
        if isinstance(argument, tuple):
            yield from one_by_one(argument)
        else:
            yield argument
