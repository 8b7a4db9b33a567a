"""The target `interp`: optimised TAIL is run by the reference interpreter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aplc.backends.native.run import OnPrint, Result, Value
from aplc.deep_stack import with_deep_stack_once
from aplc.options import Options
from aplc.tail.evaluate import evaluate
from aplc.tail.meaning.pieces import presented
from aplc.tail.syntax import Term
from aplc.tail.types import Tuple, Type, base_of


@dataclass(frozen=True)
class Interpreted:
    """A program for the reference interpreter."""

    term: Term
    check_overflow: bool = False
    memory_limit: int | None = None

    def run(self, inputs: Sequence[Value], on_print: OnPrint) -> tuple[Value, ...]:
        """The arrays of the program's value."""

        def show(value: Result, ty: Type, digits: int) -> None:
            on_print(presented(value, ty), None if isinstance(ty, Tuple) else base_of(ty), digits)

        def values() -> tuple[Any, ...]:
            result = evaluate(
                self.term,
                inputs,
                show,
                check_overflow=self.check_overflow,
                memory_limit=self.memory_limit,
            )
            return tuple(_arrays(result))

        return with_deep_stack_once(values, self.term)

    in_c = None
    """Nothing of it is compiled."""


def _arrays(value: Result) -> Iterator[Value]:
    """The arrays of a value, each of its own: an input may be a value."""
    if isinstance(value, tuple):
        for item in value:
            yield from _arrays(item)
    else:
        yield np.array(value, order="C")


def runnable(term: Term, storage: Mapping[str, str], options: Options) -> Interpreted:
    """A term for the interpreter."""
    return Interpreted(term, options.settings.check_overflow, options.memory_limit)
