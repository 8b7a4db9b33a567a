"""Values as tables of HTML: arrays of arrays, whose items stand in cells, and tables of records."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import numpy as np

from aplc.tail.display import display, holds_chars, shown_items

TABLE = "border-collapse:collapse;font-family:monospace;display:inline-table"
CELL = "border:1px solid #8888;padding:2px 6px;white-space:pre;vertical-align:top;text-align:%s"


def table_of(value: Any, precision: int = 10) -> str | None:
    """An array of arrays, or a strand, of at most two axes as a table; None for what is none."""
    if isinstance(value, tuple):
        return _table([shown_items(value)], precision)
    array = np.asarray(value)
    if array.dtype != object or array.ndim > 2 or not array.size:
        return None
    return _table(array.reshape(-1, array.shape[-1]) if array.ndim else [[array.item()]], precision)


def _table(rows: Sequence[Sequence[Any]] | np.ndarray[Any, Any], precision: int) -> str:
    lines = ["".join([_cell(item, precision) for item in row]) for row in rows]
    return f'<table style="{TABLE}">' + "".join([f"<tr>{line}</tr>" for line in lines]) + "</table>"


def _cell(item: Any, precision: int) -> str:
    while isinstance(item, tuple) and len(shown_items(item)) == 1 < len(item):
        item = shown_items(item)[0]  # an enclosed array has the frame of its cell
    inner = table_of(item, precision)
    is_number = inner is None and not np.ndim(item) and not holds_chars(item)
    if inner is None:
        array = np.asarray(item)
        inner = html.escape(display(array, chars=holds_chars(array), precision=precision))
    return f'<td style="{CELL % ("right" if is_number else "left")}">{inner}</td>'
