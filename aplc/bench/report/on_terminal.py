"""The tables on a terminal, drawn by `rich` where it is installed; else they are plain text."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from aplc.bench.report.cells import Table
from aplc.bench.report.text import WIDTH, heading, terminal
from aplc.bench.results import FASTER, SLOWER, Results
from aplc.tail.legible import legible

COLOURS = {FASTER: "green", SLOWER: "red"}


def show(tables: Sequence[Table], found: Results) -> None:
    """Write all of it to standard output."""
    if sys.stdout.isatty() and find_spec("rich") is not None:
        from rich.console import Console  # noqa: PLC0415 (an extra)

        draw(tables, found, Console(highlight=False))
    else:
        sys.stdout.write(terminal(tables, found))
    sys.stdout.flush()


def draw(tables: Sequence[Table], found: Results, console: Any) -> None:
    """Draw the tables that have rows on a console of `rich`."""
    for line in heading(found):
        console.print(legible(line), markup=False, soft_wrap=True, style="dim")
    for table in tables:
        if table.rows:
            console.print()
            console.print(legible(table.title), markup=False, style="bold")
            console.print("\n".join(textwrap.wrap(legible(table.text), WIDTH)), markup=False)
            console.print(_drawn(table))
            for note in table.notes:
                console.print(legible(note), markup=False, style="dim")


def _drawn(table: Table) -> Any:
    from rich import box  # noqa: PLC0415 (an extra)
    from rich.table import Table as Drawn  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    drawn = Drawn(box=box.SIMPLE_HEAD, pad_edge=False)
    for k, head in enumerate(table.heads):
        drawn.add_column(Text(legible(head)), justify="left" if k < table.words else "right")
    for row in table.rows:
        drawn.add_row(*[Text(legible(cell), style=COLOURS.get(cell, "")) for cell in row])
    return drawn
