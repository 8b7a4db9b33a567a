"""Arrays of arrays with a frame around each item, as `]box on` shows them.

    'abc' 1 (2 3)    ┌───┬─┬───┐
                     │abc│1│2 3│
                     └───┴─┴───┘

A matrix of arrays is a table of frames, planes of such tables stand below each other, and an enclosed array
has one frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from aplc.backends.native.run import Result
from aplc.tail.display import display, holds_chars, shown_items

Block = list[str]
"""Lines of equal length."""


def boxed(value: Result, *, chars: bool = False, precision: int = 10) -> str:
    """The display form of a value with frames; that of an array that is not nested has none.

    The arguments are those of `aplc.tail.display.display`.
    """
    return "\n".join(_block(value, chars, precision))


def _block(value: Any, chars: bool, precision: int) -> Block:
    if isinstance(value, tuple):
        return _framed([[_item(each, precision) for each in shown_items(value)]])
    array = np.asarray(value)
    if array.dtype != object:
        return _even(display(array, chars=chars, precision=precision).split("\n"))
    if not array.size:
        return _framed([[]])
    table = array.reshape(-1, *array.shape[-2:]) if array.ndim > 1 else array.reshape(1, 1, -1)
    planes = [_framed([[_item(each, precision) for each in row] for row in plane]) for plane in table]
    lines: Block = []
    for number, plane in enumerate(planes):
        lines += [""] * _planes_ended(number, array.shape[:-2]) + plane
    return _even(lines)


def _even(lines: list[str]) -> Block:
    width = max(map(len, lines))
    return [line.ljust(width) for line in lines]


def _planes_ended(number: int, frame: Sequence[int]) -> int:
    """How many blank lines stand before a plane: one behind each plane, cube and so on that ends there."""
    ended = 0
    for extent in reversed(frame):
        if not number:
            break
        ended += 1
        if number % extent:
            break
        number //= extent
    return ended


def _item(value: Any, precision: int) -> Block:
    return _block(value, holds_chars(value), precision)


def _framed(rows: Sequence[Sequence[Block]]) -> Block:
    """A table of blocks, with lines around all of them."""
    widths = [max(len(row[k][0]) for row in rows) for k in range(len(rows[0]))]
    bars = ["─" * width for width in widths]
    lines = ["┌" + "┬".join(bars) + "┐"]
    for number, row in enumerate(rows):
        if number:
            lines.append("├" + "┼".join(bars) + "┤")
        height = max([len(block) for block in row], default=1)
        for k in range(height):
            parts = [
                (block[k] if k < len(block) else "").ljust(width)
                for block, width in zip(row, widths, strict=True)
            ]
            lines.append("│" + "│".join(parts) + "│")
    lines.append("└" + "┴".join(bars) + "┘")
    return lines
