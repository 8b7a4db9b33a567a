"""The run as one picture for a page of a repository: how many times as fast as NumPy, for each program.

`aplc bench NAME… --svg FILE` writes it. The file needs nothing else, and is readable on a light and on a
dark page. Two panels, one thread and several; in each a program has a bar for Numba, C by hand and compiled
APL, with whiskers, on one logarithmic scale. A pure function.
"""

from __future__ import annotations

import html
import statistics
from collections.abc import Iterator, Sequence

from aplc.bench import results
from aplc.bench.report.svg import Scale, figure, line, rectangle, text, ticks
from aplc.bench.results import NUMPY, Results, Row

PANELS = (
    ("one thread", (("Numba", results.NUMBA), ("C by hand", results.C), ("aplc", results.APLC))),
    (
        "{threads} threads",
        (
            ("Numba", results.NUMBA_PARALLEL),
            ("C by hand", results.C_OPENMP),
            ("aplc", results.APLC_OPENMP),
        ),
    ),
)
"""A title, and its bars: what they are called, and the column."""
NAMES, PANEL, GAP, RIM = 150, 320, 24, 14
WIDTH = NAMES + 2 * PANEL + GAP + RIM
BAR, BETWEEN, TOP = 12, 12, 92
LABEL = 40
"""What the figure behind a bar takes."""

STYLE = """
.ground { fill: #ffffff; stroke: #d0d7de; }
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
.title { font-size: 16px; font-weight: 600; } .head { font-weight: 600; }
.tick, .note { fill: #59636e; font-size: 11px; }
.number { font-size: 11px; } .number.own { font-weight: 700; }
.grid { stroke: #e4e8ec; } .one { stroke: #59636e; } .whisker { stroke: #1f2328; stroke-width: 1.2; }
.bar0 { fill: #8bb8a8; } .bar1 { fill: #b3a69a; } .bar2 { fill: #2f6fd0; }
@media (prefers-color-scheme: dark) {
  .ground { fill: #0d1117; stroke: #3d444d; }
  text { fill: #f0f6fc; } .tick, .note { fill: #9198a1; }
  .grid { stroke: #262c34; } .one { stroke: #9198a1; } .whisker { stroke: #f0f6fc; }
  .bar0 { fill: #3f7f6c; } .bar1 { fill: #7d7168; } .bar2 { fill: #4c8df0; }
}
"""


def summary(found: Results) -> str:
    """The SVG file; of a program with several sizes the largest one that has figures is shown."""
    rows = list(_shown(found))
    bars = max(len(columns) for _, columns in PANELS)
    group = bars * BAR + BETWEEN
    bottom = TOP + group * (len(rows) + (len(rows) > 1))
    height = bottom + 58
    ratios = [r for row in rows for _, columns in PANELS for _, c in columns if (r := row.ratio(NUMPY, c))]
    low, high = min(1.0, *ratios, 1.0) / 1.05, max(2.0, *ratios, 2.0) * 1.1
    parts = [
        f'<rect class="ground" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>',
        text(RIM, 26, "Times as fast as NumPy", style="title"),
        *_legend(),
        *[text(NAMES - 10, TOP + group * k + 22, row.name, "end", "head") for k, row in enumerate(rows)],
    ]
    if len(rows) > 1:
        parts.append(text(NAMES - 10, TOP + group * len(rows) + 22, "geometric mean", "end", "note"))
    for number, (title, columns) in enumerate(PANELS):
        start = NAMES + number * (PANEL + GAP)
        scale = Scale(low, high, start, start + PANEL - LABEL)
        parts += [text(start, TOP - 10, title.format(threads=found.most_threads), style="head")]
        parts += _axis(scale, bottom)
        for k, row in enumerate(rows):
            parts += _group(row, columns, scale, TOP + group * k)
        if len(rows) > 1:
            parts += _means(rows, columns, scale, TOP + group * len(rows))
    parts += [
        text(RIM, height - 26 + 14 * k, note, style="note") for k, note in enumerate(_notes(found, rows))
    ]
    return _file(height, _told(rows), parts)


def _shown(found: Results) -> Iterator[Row]:
    """The largest row of each name, if it has a figure of NumPy and one of ours; a variant, whose name has
    more behind a comma, only where the program itself is not there.
    """
    fit = [row for row in found.rows if row.ratio(NUMPY, results.APLC) is not None]
    names = dict.fromkeys([row.name for row in fit])
    for name in names:
        if ", " not in name or name.partition(", ")[0] not in names:
            yield [row for row in fit if row.name == name][-1]


def _legend() -> Iterator[str]:
    for k, (name, _) in enumerate(PANELS[0][1]):
        x = NAMES + 110 * k
        yield rectangle(x, 42, 14, BAR - 2, f"bar{k}")
        yield text(x + 20, 51, name, style="word")
    yield line(NAMES + 330, 42, NAMES + 330, 52, "one")
    yield text(NAMES + 338, 51, "NumPy", style="word")


def _axis(scale: Scale, bottom: float) -> Iterator[str]:
    for tick in ticks(scale.low, scale.high):
        x = scale.at(tick)
        yield line(x, TOP - 2, x, bottom - 4, "one" if tick == 1 else "grid")
        yield text(x, bottom + 10, f"{figure(tick)}×", "middle", "tick")


def _group(row: Row, columns: Sequence[tuple[str, str]], scale: Scale, top: float) -> Iterator[str]:
    for k, (_, column) in enumerate(columns):
        ratio, spread = row.ratio(NUMPY, column), row.spread(NUMPY, column)
        if ratio is not None and spread is not None:
            yield from _bar(ratio, scale, top + BAR * k, k)
            ends = scale.at(spread[0]), scale.at(spread[1])
            middle = top + BAR * k + (BAR - 2) / 2
            yield line(ends[0], middle, ends[1], middle, "whisker")
            yield from [line(x, middle - 3, x, middle + 3, "whisker") for x in ends]
            yield _figure(ratio, max(scale.at(1), *ends), top + BAR * k, k)


def _means(
    rows: Sequence[Row], columns: Sequence[tuple[str, str]], scale: Scale, top: float
) -> Iterator[str]:
    """Bars for the geometric means, of columns that have a figure in each row."""
    for k, (_, column) in enumerate(columns):
        ratios = [ratio for row in rows if (ratio := row.ratio(NUMPY, column)) is not None]
        if len(ratios) == len(rows):
            mean = statistics.geometric_mean(ratios)
            yield from _bar(mean, scale, top + BAR * k, k)
            yield _figure(mean, max(scale.at(1), scale.at(mean)), top + BAR * k, k)


def _bar(ratio: float, scale: Scale, top: float, k: int) -> Iterator[str]:
    left, right = sorted([scale.at(1), scale.at(ratio)])
    yield rectangle(left, top, max(right - left, 1.0), BAR - 2, f"bar{k}")


def _figure(ratio: float, x: float, top: float, k: int) -> str:
    own = " own" if k == len(PANELS[0][1]) - 1 else ""
    return text(x + 5, top + BAR - 3, f"{figure(ratio)}×", style=f"number{own}")


def _notes(found: Results, rows: Sequence[Row]) -> tuple[str, str]:
    columns = [NUMPY, *[column for _, of in PANELS for _, column in of]]
    runs = [len(best.seconds) for row in rows for c in columns if (best := row.best(c)) is not None]
    counted = f"{min(runs, default=0)} to {max(runs, default=0):,} runs" if runs else "no runs"
    machine = found.machine
    wanted = ("aplc", "NumPy", "Numba")
    versions = [f"{name} {machine.versions[name]}" for name in wanted if name in machine.versions]
    made = f"{machine.date[:10]}, commit {machine.commit[:12] or 'unknown'}"
    return (
        f"Medians of {counted} in turn; whiskers: quartiles of both. Inputs in memory, compilation not "
        "counted. Logarithmic; longer is faster.",
        f"{machine.processor}, {machine.cores} cores; {', '.join(versions)}; {made}",
    )


def _told(rows: Sequence[Row]) -> str:
    """The figures in words."""
    words = []
    for row in rows:
        figures = [
            f"{name}, {title.format(threads='several')}: {figure(ratio)}"
            for title, columns in PANELS
            for name, column in columns
            if (ratio := row.ratio(NUMPY, column)) is not None
        ]
        words.append(f"{row.name}: {'; '.join(figures)}")
    return ". ".join(words)


def _file(height: float, told: str, parts: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" aria-labelledby="title told">'
    )
    names = [
        '<title id="title">Times as fast as NumPy</title>',
        f'<desc id="told">{html.escape(told)}</desc>',
    ]
    return "\n".join([head, *names, f"<style>{STYLE}</style>", *parts, "</svg>"]) + "\n"
