"""The report as one HTML page that needs nothing else: tables, charts, programs.

Its text is in `templates`, for Jinja2, which comes with the extra `bench`.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, Template
from markupsafe import Markup

from aplc.bench import results
from aplc.bench.report import svg
from aplc.bench.report.beside import CURVES
from aplc.bench.report.cells import Table, extent
from aplc.bench.report.listings import Listing
from aplc.bench.report.tables import floor
from aplc.bench.report.text import heading
from aplc.bench.results import Results, Row

TEMPLATES = Path(__file__).with_name("templates")


def page(found: Results, tables: Sequence[Table], programs: Sequence[Listing]) -> str:
    """The whole page."""
    shown = [table for table in tables if table.rows]
    links = [(_key(table.title), table.title) for table in shown]
    charts = list(_charts(found))
    template = _template("page.html")
    return template.render(
        style=Markup((TEMPLATES / "style.css").read_text("utf-8")),
        facts=heading(found),
        links=[("charts", "Charts"), *links, ("programs", "Programs")],
        charts=[Markup(chart) for chart in charts],
        tables=[_section(table) for table in shown],
        programs=[_program(each) for each in programs],
    )


def _template(name: str) -> Template:
    loader = FileSystemLoader(TEMPLATES)
    return Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True).get_template(
        name
    )


def _key(title: str) -> str:
    """A name for a link."""
    return "".join([c if c.isalnum() and c.isascii() else "-" for c in title.lower()])


# --- tables ---------------------------------------------------------------------------------------------


SHEET, COLUMN = 12, 100
"""On paper a table of so few rows is not broken, one of more than the other stands in two columns."""


def _section(table: Table) -> dict[str, Any]:
    """What the template needs of a table: cells with the classes of their columns."""
    size = " sheet" if len(table.rows) <= SHEET else " long-table" if len(table.rows) > COLUMN else ""
    styles = [_style(table, column) for column in range(len(table.heads))]
    return {
        "key": _key(table.title),
        "table": table,
        "heads": list(zip(styles, table.heads, strict=True)),
        "rows": [list(zip(styles, row, strict=True)) for row in table.rows],
        "scroll": f"scroll{size}",
    }


LONG = 60
"""A column with a cell of more letters breaks into lines."""


def _style(table: Table, column: int) -> str:
    if column and any(len(row[column]) > LONG for row in table.rows):
        return "long"
    return "word" if column < table.words else ""


# --- charts ---------------------------------------------------------------------------------------------


RATIOS = (
    ("hand", "aplc C over C by hand", results.APLC, results.C, "faster than C", "slower than C"),
    ("openmp", "aplc OpenMP over C OpenMP", results.APLC_OPENMP, results.C_OPENMP, "faster", "slower"),
    ("opencl", "aplc OpenCL over aplc C", results.APLC_OPENCL, results.APLC, "faster", "slower"),
    ("numpy", "NumPy over aplc C", results.NUMPY, results.APLC, "NumPy is faster", "aplc is faster"),
    ("flat", "flat over hybrid arrays", results.FLAT, results.APLC, "flat is faster", "hybrid is faster"),
)
"""Charts of ratios: a key, a title, the two columns, what a bar to the left and to the right means."""
SPREAD = (
    "Whiskers: between the quartiles of both sides (of fewer than five runs, all of them); n: the runs. Grey "
    "bars lie within the spread."
)
GROWING = (
    ("growing-openmp", "aplc OpenMP over aplc C", results.APLC_OPENMP, results.APLC, "faster", "slower"),
    RATIOS[2],
)
"""The charts where programs were measured with growing work."""
GOOD_ABOVE = ("numpy", "flat")


def _charts(found: Results) -> Iterator[str]:
    """A figure for each chart that has something to show."""
    for key, title, above, below, left, right in GROWING if found.growing else RATIOS:
        bars = [bar for row in found.rows if (bar := _bar(row, _label(row, found), above, below))]
        if bars:
            drawn = svg.bars(key, title, bars, left, right, above_is_good=key in GOOD_ABOVE)
            yield _figure(title, drawn, f"On a logarithmic scale; 1 is as fast. {SPREAD}")
    if found.growing:
        return
    bounded = [(row, floor(row, found)) for row in found.rows]
    bars = [bar for row, bound in bounded if bound and (bar := _over(row, _label(row, found), bound[0]))]
    if bars:
        title = "aplc C over the floor of the machine"
        drawn = svg.bars("floor", title, bars, "below the floor", "above the floor")
        yield _figure(
            title, drawn, f"The floor: copying the bytes that must move, or the peak of one core. {SPREAD}"
        )
    yield from _speed_up(found)
    yield from _roofline(found)


def _bar(row: Row, label: str, above: str, below: str) -> svg.Bar | None:
    """The ratio of two columns with its spread; none where one of them has no figure."""
    ratio, spread = row.ratio(above, below), row.spread(above, below)
    if not ratio or spread is None:
        return None
    return svg.Bar(label, ratio, *spread, row.runs(above, below))


def _over(row: Row, label: str, bound: float) -> svg.Bar | None:
    """The time of ours over a bound that has no spread."""
    best = row.best(results.APLC)
    if best is None:
        return None
    low, high = best.bounds
    return svg.Bar(label, best.median / bound, low / bound, high / bound, len(best.seconds))


def _figure(title: str, drawn: str, caption: str, more: str = "") -> str:
    words = f"<strong>{html.escape(title)}.</strong> {html.escape(caption)}"
    opening = '<figure class="listed">' if more else "<figure>"
    return f"{opening}\n<figcaption>{words}</figcaption>\n{drawn}\n{more}</figure>"


def _label(row: Row, found: Results) -> str:
    """The name of a row, with the size where the name alone says not enough."""
    several = sum(other.name == row.name for other in found.rows) > 1
    return f"{row.name} {extent(row.size)}".replace(" × ", "×") if several else row.name


def _speed_up(found: Results) -> Iterator[str]:
    lines = []
    for row in found.rows:
        for label, column, base in CURVES:
            measured = tuple([p for t in found.threads if (p := _point(row, column, base, t)) is not None])
            if len(measured) > 1:
                runs = min([len(f.seconds) for f in row.figures if f.column == column])
                lines.append(svg.Line(f"{_label(row, found)}, {label}", measured, runs))
    if lines:
        drawn = svg.curve("speed-up", "Speed-up over threads", lines)
        words = "The time of the sequential version over that with threads, as in figure 3.10 of the thesis."
        yield _figure("Speed-up over threads", drawn, words)


def _point(row: Row, column: str, base: str, threads: int) -> tuple[float, float, float, float] | None:
    """The speed-up with so many threads, and its bounds."""
    one, many = row.best(base), row.best(column, threads)
    if one is None or many is None or not min(many.seconds):
        return None
    low, high = one.bounds[0] / many.bounds[1], one.bounds[1] / many.bounds[0]
    return float(threads), one.median / many.median, low, high


def _roofline(found: Results) -> Iterator[str]:
    machine = found.machine
    points = []
    for row in found.rows:
        seconds = row.seconds(results.APLC)
        if seconds and row.operations:
            intensity = row.operations / row.moved if row.moved else None
            best = row.best(results.APLC)
            assert best is not None
            slow, fast = best.bounds[1], best.bounds[0]
            name = f"{_label(row, found)} (n={len(best.seconds)})"
            bounds = row.operations / slow, row.operations / fast
            points.append(svg.Point(name, intensity, row.operations / seconds, *bounds))
    if not points or not (machine.copy_rate and machine.peak):
        return
    drawn = svg.roofline("roofline", "Roofline of one core", points, machine.copy_rate, machine.peak)
    items = "\n".join([f"<li>{html.escape(_told(point))}</li>" for point in points])
    caption = (
        "The programs as C under the roof of one core: what lies on the slope is bound by memory, what lies "
        "under the flat part by arithmetic. Integers are narrower than doubles and data may stay in a "
        "cache, so a point can lie above the roof. Lines through points: half of the runs lie between."
    )
    yield _figure("Roofline of one core", drawn, caption, f"<ol>\n{items}\n</ol>\n")


def _told(point: svg.Point) -> str:
    moved = "no bytes" if point.intensity is None else f"{_digits(point.intensity)} operations a byte"
    return f"{point.name}: {_digits(point.rate / 1e9)} billion operations a second, {moved}"


def _digits(value: float) -> str:
    """Two digits, without an exponent."""
    return f"{value:,.{max(0, 1 - math.floor(math.log10(value)))}f}" if value > 0 else "0"


# --- programs -------------------------------------------------------------------------------------------


SOURCE = "APL source"
"""Open from the start, and on paper; the others are long."""


def _program(listing: Listing) -> dict[str, Any]:
    """What the template needs of a program."""
    parts = (
        (SOURCE, listing.source),
        ("generated C", listing.code),
        ("what aplc explain says", listing.explanation),
    )
    return {
        "key": _key(f"program-{listing.name}") + f"-{sum(map(ord, listing.name))}",
        "name": listing.name,
        "function": listing.function,
        "parts": [(title, text, title is SOURCE) for title, text in parts],
    }
