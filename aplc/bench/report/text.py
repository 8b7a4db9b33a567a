"""Tables as text: for a terminal, and as Markdown. Pure functions."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence

from aplc.bench.report.cells import Table
from aplc.bench.results import Results
from aplc.tail.legible import legible

WIDTH = 110


def heading(found: Results) -> list[str]:
    """What was measured, on what, with what: a line each."""
    machine = found.machine
    published = "sizes of --quick" if found.quick else "sizes of the published tables"
    sizes = "growing sizes" if found.growing else published
    versions = ", ".join([f"{name} {version}" for name, version in machine.versions.items()])
    lines = [
        f"{machine.date}; {sizes}; commit {machine.commit or 'unknown'}",
        f"{machine.processor}, {machine.cores} {'core' if machine.cores == 1 else 'cores'}, "
        f"{machine.memory / 2**30:.0f} GiB, {machine.system}",
        f"{machine.compiler}; {versions}",
        *[f"flags of {way}: {flags}" for way, flags in machine.flags.items()],
    ]
    if found.interrupted:
        lines.append("interrupted: the rows that were measured until then")
    return lines


# --- terminal -------------------------------------------------------------------------------------------


def terminal(tables: Sequence[Table], found: Results) -> str:
    """All of it for a terminal."""
    parts = ["\n".join(heading(found))]
    for table in tables:
        if not table.rows:
            continue
        notes = [f"{table.title}", *textwrap.wrap(table.text, WIDTH)]
        body = aligned(table)
        below = [line for note in table.notes for line in textwrap.wrap(note, WIDTH, subsequent_indent="  ")]
        parts.append("\n".join([*notes, "", *body, *below]))
    return legible("\n\n".join(parts) + "\n", keep="\n")


LONG = 60
"""A last column with longer cells runs on in lines below."""


def aligned(table: Table) -> list[str]:
    """The cells in columns: words to the left, figures to the right."""
    grid = [table.heads, *table.rows]
    widths = [max(_width(row[k]) for row in grid) for k in range(len(table.heads))]
    is_long = widths[-1] > LONG
    lines: list[str] = []
    for row in grid:
        short = row[:-1] if is_long else row
        cells = [_padded(cell, widths[k], k < table.words) for k, cell in enumerate(short)]
        line = "  ".join(cells)
        if is_long:
            indent = " " * (_width(line) + 2)
            room = max(WIDTH - len(indent), LONG)
            parts = textwrap.wrap(row[-1], room, break_long_words=False) or [""]
            lines += [f"{line}  {parts[0]}", *[indent + part for part in parts[1:]]]
        else:
            lines.append(line)
    ruled = "─" * min(max(map(_width, lines)), WIDTH)
    return [lines[0].rstrip(), ruled, *[line.rstrip() for line in lines[1:]]]


def _width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def _padded(text: str, width: int, left: bool) -> str:
    blanks = " " * (width - _width(text))
    return text + blanks if left else blanks + text


# --- Markdown -------------------------------------------------------------------------------------------


def markdown(tables: Sequence[Table], found: Results, command: str) -> str:
    """All of it as a Markdown file that says how it was made."""
    parts = [
        "# Benchmarks",
        "Made by the command below; do not edit. Ratios of one run can be compared, milliseconds of two "
        "machines cannot.",
        f"    {command}",
        "\n".join([f"- {line}" for line in heading(found)]),
    ]
    for table in tables:
        if not table.rows:
            continue
        parts += [f"## {table.title}", "\n".join(textwrap.wrap(table.text, 140))]
        parts.append("\n".join(_markdown_rows(table)))
        if table.notes:
            parts.append("\n".join([f"- {note}" for note in table.notes]))
    return "\n\n".join(parts) + "\n"


def _markdown_rows(table: Table) -> list[str]:
    rules = ["---" if k < table.words else "--:" for k in range(len(table.heads))]
    rows = [[_escaped(cell) for cell in row] for row in table.rows]
    return [f"| {' | '.join(cells)} |" for cells in (table.heads, rules, *rows)]


def _escaped(cell: str) -> str:
    """A cell whose bars and stars are no marks."""
    for mark in "\\|*_`<":
        cell = cell.replace(mark, "\\" + mark)
    return cell
