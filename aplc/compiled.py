"""Programs that are ready to run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from aplc.backends.native.run import NativeProgram, OnPrint, Result, Value
from aplc.tail.display import DIGITS
from aplc.tail.meaning.number_text import Reader, read_large_with
from aplc.tail.meaning.pieces import as_items, as_records
from aplc.tail.types import Base, Nested, Records, Tuple, Type, base_of


def _number_library() -> Reader | None:
    """What reads large texts of numbers; it is compiled where one is read for the first time."""
    from aplc.backends.native.numbers import number_library  # noqa: PLC0415 (few programs need it)

    return number_library()


read_large_with(_number_library)


class Runnable(Protocol):
    """A program for one target."""

    def run(self, inputs: Sequence[Value], on_print: OnPrint) -> tuple[Any, ...]:
        """The arrays of the program's value, none if it has no value."""

    @property
    def in_c(self) -> NativeProgram | None:
        """What runs the program where it asks nothing of its host; None if there is no such thing."""


@dataclass(frozen=True)
class Compiled:
    """A program ready to run, with the type of its value."""

    type: Type
    inputs: tuple[str, ...]
    """The names of the arrays it takes, in order."""
    runnable: Runnable
    digits: int = DIGITS
    """The significant digits with which the value is shown."""
    storage: str = ""
    """The dtype of the value, which is one array, where that is not the usual one."""

    def shown(self, results: tuple[Any, ...]) -> list[tuple[Result, Base | None]]:
        """The value of the program as it is shown, with its element type (None: a tuple); none for `()`."""
        if isinstance(self.type, Tuple):
            if isinstance(self.type, Nested | Records):
                return [(results[0], None)]
            return [(results, None)] if self.type.items else []
        return [(results[0], base_of(self.type))]

    def is_stored_by(self, program: NativeProgram) -> bool:
        """Whether the value comes from a program as it is to be stored."""
        return not self.storage or self.storage == program.program.results[0].storage

    def run(self, inputs: Sequence[Value], on_print: OnPrint) -> tuple[Any, ...]:
        """The values for the given inputs."""
        values = self.runnable.run(inputs, on_print)
        if self.storage and isinstance(values[0], np.ndarray):  # not on a device
            return (values[0].astype(self.storage, copy=False),)
        if not isinstance(self.type, Tuple):
            return values
        value = structured(self.type, iter(values))
        return value if isinstance(value, tuple) else (value,)


def structured(ty: Type, arrays: Iterator[Value]) -> Any:
    """The value of a type from its flat arrays, which are used up."""
    if not isinstance(ty, Tuple):
        return next(arrays)
    parts = tuple([structured(part, arrays) for part in ty.items])
    if isinstance(ty, Records):
        return as_records(parts, ty.rank.const, ty.axis)
    return as_items(parts) if isinstance(ty, Nested) else parts
