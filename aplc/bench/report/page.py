"""The report as one HTML page that needs nothing else: tables, charts, programs. Pure functions."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence

from aplc.bench import results
from aplc.bench.report import svg
from aplc.bench.report.listings import Listing
from aplc.bench.report.tables import CURVES, Table, extent, floor, over
from aplc.bench.report.text import heading
from aplc.bench.results import Results, Row

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; color: #1a1a1a; background: #fff;
  font: 16px/1.5 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.2; }
h2 { margin-top: 2.5rem; border-bottom: 2px solid #1b5e8c; padding-bottom: .2rem; }
a { color: #0b4f86; }
p, li, figcaption { max-width: 46rem; }
nav ul { padding-left: 1.2rem; columns: 18rem; }
.scroll { overflow-x: auto; border: 1px solid #767676; }
.scroll:focus-visible, pre:focus-visible, summary:focus-visible, a:focus-visible {
  outline: 3px solid #0b4f86; outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: .85rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: .4rem .6rem; font-weight: 600; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #d0d0d0; text-align: right; white-space: nowrap; }
th, td { vertical-align: top; }
thead th { vertical-align: bottom; background: #e9f0f6; white-space: normal; min-width: 4.5rem; }
th.word, td.word { text-align: left; }
th.long, td.long { white-space: normal; text-align: left; }
td.long { min-width: 16rem; }
tbody tr:nth-child(even) { background: #f7f7f7; }
.notes { font-size: .85rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 34rem), 1fr));
  gap: 1rem 2rem; }
figure { margin: .5rem 0; min-width: 0; }
figure ol { font-size: .8rem; columns: 15rem; column-gap: 3rem; }
svg { width: 100%; height: auto; border: 1px solid #d0d0d0; background: #fff;
  font: 14px system-ui, sans-serif; }
.word, .number, .tick { fill: #1a1a1a; }
.number { font-weight: 600; }
.grid { stroke: #d8d8d8; } .one { stroke: #1a1a1a; stroke-width: 1.5; }
.better { fill: #1b6ca8; } .worse { fill: #a8480f; stroke: #1a1a1a; }
.ideal { stroke: #595959; stroke-dasharray: 3 3; } .roof { stroke: #1a1a1a; stroke-width: 2; fill: none; }
.lead { stroke: #595959; } .point { fill: #1b5e8c; }
.inside { fill: #fff; font-size: 10px; font-weight: 600; }
polyline, line.series0, line.series1, line.series2, line.series3 { fill: none; stroke-width: 2; }
.series0 { stroke: #1b6ca8; } .series1 { stroke: #a33c0a; }
.series2 { stroke: #1f6f43; } .series3 { stroke: #6b2f8a; }
.marker0 { fill: #1b6ca8; } .marker1 { fill: #a33c0a; }
.marker2 { fill: #1f6f43; } .marker3 { fill: #6b2f8a; }
pre { overflow-x: auto; background: #f4f4f4; padding: .8rem; font-size: .8rem; line-height: 1.35;
  border: 1px solid #d0d0d0; }
summary { cursor: pointer; padding: .3rem 0; font-weight: 600; }
@media (max-width: 40rem) { body { padding: .7rem; } h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; } }
@media print {
  @page { size: A4 landscape; margin: 12mm; }
  body { max-width: none; font-size: 10pt; padding: 0; }
  nav { display: none; }
  .charts { display: block; }
  .charts figure { display: inline-block; width: 47%; margin: 0 2% 1rem 0; vertical-align: top; }
  .scroll { overflow: visible; border: 0; }
  .sheet { break-inside: avoid; }
  table { font-size: 6.5pt; } th, td { padding: 1pt 3pt; white-space: normal; min-width: 0; }
  td.long { min-width: 0; }
  thead th { min-width: 0; }
  figure, tr { break-inside: avoid; } h2, h3, summary { break-after: avoid; }
  details:not([open]) { display: none; }
  pre { white-space: pre-wrap; font-size: 6.5pt; }
}
"""


def page(found: Results, tables: Sequence[Table], programs: Sequence[Listing]) -> str:
    """The whole page."""
    charts = list(_charts(found))
    sections = [_section(table) for table in tables if table.rows]
    links = [(_key(table.title), table.title) for table in tables if table.rows]
    links = [("charts", "Charts"), *links, ("programs", "Programs")]
    contents = "\n".join([f'<li><a href="#{key}">{html.escape(title)}</a></li>' for key, title in links])
    facts = "\n".join([f"<li>{html.escape(each)}</li>" for each in heading(found)])
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            "<title>aplc bench</title>",
            f'<link rel="icon" href="data:,">\n<style>{STYLE}</style>\n</head>\n<body>\n<header>',
            "<h1>Benchmarks of aplc</h1>",
            "<p>APL compiled ahead of time, beside C by hand, NumPy and interpreters. Ratios of one run can "
            "be compared, milliseconds of two machines cannot.</p>",
            f"<ul>\n{facts}\n</ul>\n</header>",
            f'<nav aria-label="Contents">\n<ul>\n{contents}\n</ul>\n</nav>\n<main>',
            '<section id="charts">\n<h2>Charts</h2>',
            '<div class="charts">',
            *charts,
            "</div>\n</section>",
            *sections,
            '<section id="programs">\n<h2>Programs</h2>',
            *[_program(each) for each in programs],
            "</section>\n</main>\n</body>\n</html>\n",
        ]
    )


def _key(title: str) -> str:
    """A name for a link."""
    return "".join([c if c.isalnum() and c.isascii() else "-" for c in title.lower()])


# --- tables ---------------------------------------------------------------------------------------------


SHEET = 40
"""So many rows stand on one sheet of paper."""


def _section(table: Table) -> str:
    key = _key(table.title)
    title = html.escape(table.title)
    styles = [_style(table, column) for column in range(len(table.heads))]
    heads = "".join(
        [f"<th{s} scope='col'>{html.escape(h)}</th>" for s, h in zip(styles, table.heads, strict=True)]
    )
    rows = "\n".join([_row(styles, row) for row in table.rows])
    notes = "\n".join([f"<li>{html.escape(note)}</li>" for note in table.notes])
    scroll = "scroll sheet" if len(table.rows) <= SHEET else "scroll"
    return "\n".join(
        [
            f'<section id="{key}">\n<h2>{title}</h2>\n<p>{html.escape(table.text)}</p>',
            f'<div class="{scroll}" tabindex="0" role="region" aria-label="{title}">\n<table>',
            f"<caption>{title}</caption>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>",
            "</table>\n</div>",
            f'<ul class="notes">\n{notes}\n</ul>' if notes else "",
            "</section>",
        ]
    )


LONG = 60
"""A column with a cell of more letters breaks into lines."""


def _row(styles: Sequence[str], row: Sequence[str]) -> str:
    cells = [f"<td{style}>{html.escape(cell)}</td>" for style, cell in zip(styles, row, strict=True)]
    return f'<tr><th class="word" scope="row">{html.escape(row[0])}</th>{"".join(cells[1:])}</tr>'


def _style(table: Table, column: int) -> str:
    if column and any(len(row[column]) > LONG for row in table.rows):
        return ' class="long"'
    return ' class="word"' if column < table.words else ""


# --- charts ---------------------------------------------------------------------------------------------


RATIOS = (
    ("hand", "aplc C over C by hand", results.APLC, results.C, "faster than C", "slower than C"),
    ("openmp", "aplc OpenMP over C OpenMP", results.APLC_OPENMP, results.C_OPENMP, "faster", "slower"),
    ("opencl", "aplc OpenCL over aplc C", results.APLC_OPENCL, results.APLC, "faster", "slower"),
    ("numpy", "NumPy over aplc C", results.NUMPY, results.APLC, "NumPy is faster", "aplc is faster"),
    ("flat", "flat over hybrid arrays", results.FLAT, results.APLC, "flat is faster", "hybrid is faster"),
)
"""Charts of ratios: a key, a title, the two columns, what a bar to the left and to the right means."""
GOOD_ABOVE = ("numpy", "flat")


def _charts(found: Results) -> Iterator[str]:
    """A figure for each chart that has something to show."""
    for key, title, above, below, left, right in RATIOS:
        pairs = [(row, row.ratio(above, below)) for row in found.rows]
        bars = [svg.Bar(_label(row, found), ratio) for row, ratio in pairs if ratio]
        if bars:
            drawn = svg.bars(key, title, bars, left, right, above_is_good=key in GOOD_ABOVE)
            yield _figure(title, drawn, "On a logarithmic scale; 1 is as fast.")
    bounded = [(row, floor(row, found)) for row in found.rows]
    pairs = [(row, over(row.seconds(results.APLC), bound[0])) for row, bound in bounded if bound]
    bars = [svg.Bar(_label(row, found), ratio) for row, ratio in pairs if ratio]
    if bars:
        title = "aplc C over the floor of the machine"
        drawn = svg.bars("floor", title, bars, "below the floor", "above the floor")
        yield _figure(title, drawn, "The floor: copying the bytes that must move, or the peak of one core.")
    yield from _speed_up(found)
    yield from _roofline(found)


def _figure(title: str, drawn: str, caption: str, more: str = "") -> str:
    words = f"<strong>{html.escape(title)}.</strong> {html.escape(caption)}"
    return f"<figure>\n<figcaption>{words}</figcaption>\n{drawn}\n{more}</figure>"


def _label(row: Row, found: Results) -> str:
    """The name of a row, with the size where the name alone says not enough."""
    several = sum(other.name == row.name for other in found.rows) > 1
    return f"{row.name} {extent(row.size)}".replace(" × ", "×") if several else row.name


def _speed_up(found: Results) -> Iterator[str]:
    lines = []
    for row in found.rows:
        for label, column, base in CURVES:
            points = [(float(t), over(row.seconds(base), row.seconds(column, t))) for t in found.threads]
            measured = tuple([(t, s) for t, s in points if s is not None])
            if len(measured) > 1:
                lines.append(svg.Line(f"{_label(row, found)}, {label}", measured))
    if lines:
        drawn = svg.curve("speed-up", "Speed-up over threads", lines)
        words = "The time of the sequential version over that with threads, as in figure 3.10 of the thesis."
        yield _figure("Speed-up over threads", drawn, words)


def _roofline(found: Results) -> Iterator[str]:
    machine = found.machine
    points = []
    for row in found.rows:
        seconds = row.seconds(results.APLC)
        if seconds and row.operations:
            intensity = row.operations / row.moved if row.moved else None
            points.append(svg.Point(_label(row, found), intensity, row.operations / seconds))
    if not points or not (machine.copy_rate and machine.peak):
        return
    drawn = svg.roofline("roofline", "Roofline of one core", points, machine.copy_rate, machine.peak)
    items = "\n".join([f"<li>{html.escape(_told(point))}</li>" for point in points])
    caption = (
        "The programs as C under the roof of one core: what lies on the slope is bound by memory, what lies "
        "under the flat part by arithmetic. Integers are narrower than doubles and data may stay in a "
        "cache, so a point can lie above the roof."
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


def _program(listing: Listing) -> str:
    parts = (
        (SOURCE, listing.source),
        ("generated C", listing.code),
        ("what aplc explain says", listing.explanation),
    )
    details = [
        f"<details{' open' if title is SOURCE else ''}>\n<summary>{title}</summary>\n"
        f'<pre tabindex="0" role="region" aria-label="{html.escape(listing.name)}: {title}"><code>'
        f"{html.escape(text)}</code></pre>\n</details>"
        for title, text in parts
    ]
    key = _key(f"program-{listing.name}") + f"-{sum(map(ord, listing.name))}"
    head = f"{listing.name}: the function {listing.function}"
    return "\n".join([f'<article id="{key}">\n<h3>{html.escape(head)}</h3>', *details, "</article>"])
