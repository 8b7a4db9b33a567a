"""Ways to make the same code, tried in order: the first that applies makes it.

A strategy makes what is wanted, or hands it on: `otherwise` is made of those behind it. One that makes a part
of what is wanted hands on the rest, and one that makes several versions may leave some of them to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from aplc.laila.loops.blocks import Block

T = TypeVar("T")

Otherwise = Callable[[T, Block], None]
"""What adds the code of something that is wanted to a block."""


class Strategy(Protocol[T]):
    """One way to make some kind of code."""

    def generate(self, wanted: T, block: Block, otherwise: Otherwise[T]) -> None:
        """Add the code of what is wanted to a block, or hand it on."""
        ...


def in_order(strategies: Sequence[Strategy[T]], plain: Otherwise[T]) -> Otherwise[T]:
    """What makes code by the first of these strategies that applies, by `plain` if none does."""
    made = plain
    for strategy in reversed(strategies):
        made = _before(strategy, made)
    return made


def _before(strategy: Strategy[T], others: Otherwise[T]) -> Otherwise[T]:
    return lambda wanted, block: strategy.generate(wanted, block, others)
