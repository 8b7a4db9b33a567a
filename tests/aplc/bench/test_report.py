"""From results to tables, Markdown, a page: pure functions, on results that are written down here."""

import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from aplc.bench import results
from aplc.bench.report import cells, svg, tables
from aplc.bench.report.listings import Listing, listings
from aplc.bench.report.on_terminal import draw
from aplc.bench.report.page import TEMPLATES, page
from aplc.bench.report.summary import summary
from aplc.bench.report.text import aligned, markdown, terminal
from aplc.bench.results import Figure, Results, Row, from_json, to_json
from aplc.bench.suite import SUITE
from tests.support.bench_results import FOUND, MACHINE, figure, row


def table(title: str, found: Results = FOUND) -> cells.Table:
    return next(each for each in tables.tables(found) if each.title.startswith(title))


def column(of: cells.Table, head: str) -> list[str]:
    return [row[of.heads.index(head)] for row in of.rows]


def test_json_reads_back() -> None:
    assert from_json(to_json(FOUND)) == FOUND


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": 99}', '{"format": 1}', '{"format": 1, "machine": 3}']
)
def test_what_is_no_json_of_ours(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        from_json(text)


def test_figures() -> None:
    spread = Figure("C", (1.0, 2.0, 3.0, 4.0, 5.0))
    assert spread.median == 3.0
    assert spread.spread == pytest.approx(2 / 3)
    assert Figure("C", (1.0,)).spread == 0.0
    one = row("signal", (10,), 3.0, 2.0)
    assert one.seconds(results.C) == pytest.approx(0.002)
    assert one.ratio(results.APLC, results.C) == pytest.approx(1.5)
    assert one.ratio(results.APLC, results.CBQN) is None
    assert one.reason(results.C) == ""
    assert one.reason(results.APLC_OPENMP) == "there is no such thing"
    assert one.reason(results.CBQN) == "not measured"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "—"),
        (1.2345, "1,234"),
        (0.0456, "45.6"),
        (0.004567, "4.57"),
        (0.0004567, "0.457"),
        (1.2e-6, "0.0012"),
    ],
)
def test_milliseconds(seconds: float | None, text: str) -> None:
    assert cells.shown(seconds) == text


def test_every_row_is_in_the_overview_and_says_why_not() -> None:
    shown = table("All programs")
    assert column(shown, "program") == [each.name for each in SUITE]
    assert set(column(shown, results.APLC_OPENMP)) == {"—"}
    assert f"{results.APLC_OPENMP}: there is no such thing" in shown.notes
    assert f"{results.DYALOG}: not on PATH; buy it" in shown.notes
    assert any("odd, C" in note and "wrong value" in note for note in shown.notes)


def test_ratios_and_the_floor() -> None:
    shown = table("Against C")
    assert column(shown, "× of C")[:2] == ["1.00", "1.05"]
    assert column(shown, "× of floor")[0] == "4.00"
    assert column(shown, "floor")[0] == "5.00, memory"
    assert "10.0 GB/s" in shown.text
    busy = Results(MACHINE, False, (1,), (Row("x", "x", (1,), (), (), 0, 4 * 10**8),))
    assert tables.floor(busy.rows[0], busy) == (pytest.approx(0.01), "arithmetic")
    whole = Results(MACHINE, False, (1,), (Row("x", "x", (1,), (), (), 0, 4 * 10**8, True),))
    assert tables.floor(whole.rows[0], whole) is None


def test_slow_rows_name_what_was_written() -> None:
    shown = table("Slower")
    assert column(shown, "program") == [each.name for each in SUITE][2:]
    assert column(shown, "arrays written to memory")[0] == "3:4 a|b: written by loop 1"
    short = Results(MACHINE, False, (1,), (row("x", (1,), 0.03, 0.015),))
    assert not tables.slower(short).rows  # no more than what calls cost


@pytest.mark.parametrize(
    ("title", "label", "cells"),
    [
        ("Table 3.2", "Primes", ("1,423", "3,190", "0.45")),
        ("Table 3.2", "Easter", ("18,259", "46.0", "397")),
        ("Table 3.3", "Option pricer", ("3,420,000", "4,587", "2,267", "2.02")),
        ("Table 3.4", "HotSpot", ("5,238", "3,679", "1.42")),
        ("Table 3.5", "Easter", ("34.0", "—", "—")),
        ("Table 3.6", "Mandelbrot", ("1,046", "—", "—", "1.52", "—")),
    ],
)
def test_published_figures_stand_beside_ours(title: str, label: str, cells: tuple[str, ...]) -> None:
    shown = table(title)
    (found,) = [each for each in shown.rows if each[0].startswith(label)]
    assert found[2 : 2 + len(cells)] == cells
    assert "compared" in shown.text
    assert "—" not in column(shown, results.APLC if results.APLC in shown.heads else "hybrid")


def test_speed_up() -> None:
    shown = table("Figure 3.10")
    assert shown.heads[2:] == ("1 thread", "2 threads")
    by_name = {cells[0]: cells[2:] for cells in shown.rows}
    assert by_name["hotspot, C by hand"] == ("1.00", "2.00")
    assert by_name["hotspot, aplc"] == ("—", "—")


def test_verdicts_only_beyond_the_spread() -> None:
    wide = Figure(results.APLC, (1.0, 1.0, 3.0, 5.0, 5.0))
    narrow = Figure(results.C, (2.0,) * 5)
    assert Row("x", "x", (1,), (wide, narrow)).verdict(results.APLC, results.C) == results.SAME
    slow = Figure(results.APLC, (2.8, 2.9, 3.0, 3.1, 3.2))
    assert Row("x", "x", (1,), (slow, narrow)).verdict(results.APLC, results.C) == results.SLOWER
    assert Row("x", "x", (1,), (slow, narrow)).verdict(results.C, results.APLC) == results.FASTER
    once = Figure(results.C, (2.0,))
    assert Row("x", "x", (1,), (slow, once)).verdict(results.APLC, results.C) == ""
    unsure = replace(FOUND, rows=(Row("x", "x", (1,), (wide, narrow)),))
    assert not tables.slower(unsure).rows


def test_means_are_geometric() -> None:
    two = replace(FOUND, rows=(row("a", (1,), 2.0, 1.0), row("b", (1,), 8.0, 1.0)))
    assert tables.ratios(two).rows[-1][:4] == ("geometric mean", "", "", "4.00")


def test_where_threads_lose() -> None:
    """Where they take a tenth longer than one thread, by more than the spread."""
    one = [Figure(results.APLC, (2.0,) * 5)] * 3
    threads = [(2.8, 2.9, 3.0), (2.1, 2.1, 2.1), (1.0, 3.0, 5.0)]
    rows = [
        Row("x", "x", (k,), (one[k], Figure(results.APLC_OPENMP, seconds)))
        for k, seconds in enumerate(threads)
    ]
    shown = tables.growing(replace(FOUND, rows=tuple(rows), growing=True))
    assert column(shown, "verdict") == ["loses", "", ""]
    assert shown.notes == ("Of 3 rows 1 lose.",)
    assert not tables.growing(replace(FOUND, rows=tuple(rows))).rows


def test_first_calls_are_those_that_compile() -> None:
    compiled = replace(figure(results.NUMBA, 1.0), first=1.25)
    (cells,) = tables.first_calls(replace(FOUND, rows=(row("a", (1,), 2.0, 1.0, compiled),))).rows
    assert "1.25" in cells and cells.count("—") == len(cells) - 3


def test_comparison() -> None:
    old = Results(
        MACHINE, False, (1,), (row("a", (1,), 2.0, 2.0), row("b", (1,), 2.0, 2.0), row("gone", (1,), 1, 1))
    )
    new = Results(
        MACHINE, False, (1,), (row("a", (1,), 6.0, 3.0), row("b", (1,), 2.0, 2.0), row("c", (1,), 1, 1))
    )
    shown = tables.comparison(old, new)
    first = shown.rows[0]
    assert first == ("a", "1", results.APLC, "slower", "2.00", "6.00", "3.00", "2.00")
    assert {cells[3] for cells in shown.rows if cells[0] == "b"} == {"the same"}
    assert shown.notes == ("Only in the earlier run: gone, 1",)


def test_terminal() -> None:
    text = terminal(tables.tables(FOUND), FOUND)
    for each in tables.tables(FOUND):
        assert each.title in text or not each.rows
    lines = aligned(table("Table 3.4"))
    assert len({len(line) for line in (lines[0], *lines[2:])}) == 1
    long = replace(table("Slower"), rows=(("a", "1", "aplc C", "2.00", "word " * 50),))
    assert max(map(len, aligned(long))) <= 110
    assert " ".join(aligned(long)).count("word") == 50


def test_rich_draws_all_that_the_text_has() -> None:
    console = pytest.importorskip("rich.console", reason="NOT CHECKED: no rich")
    drawn = io.StringIO()
    odd = replace(FOUND, rows=(row("[bold]x", (1,), 3.0, 2.0),))
    draw(tables.tables(odd), odd, console.Console(file=drawn, force_terminal=True, width=200))
    text = re.sub(r"\x1b\[[0-9;]*m", "", drawn.getvalue())
    for each in tables.tables(odd):
        assert each.title in text or not each.rows
    assert "[bold]x" in text and "1.50" in text
    assert re.search(r"\x1b\[31m *slower", drawn.getvalue())


def test_markdown() -> None:
    text = markdown(tables.tables(FOUND), FOUND, "aplc bench --markdown docs/benchmarks.md")
    assert "    aplc bench --markdown docs/benchmarks.md\n" in text
    assert "a processor" in text
    assert "abc123" in text
    lines = text.splitlines()
    for start, line in enumerate(lines):
        if line.startswith("| program") or line.startswith("| ---"):
            bars = len(re.findall(r"(?<!\\)\|", lines[start + 1]))
            assert len(re.findall(r"(?<!\\)\|", line)) == bars
    assert "a\\|b" in text


# --- the page -------------------------------------------------------------------------------------------

VOID = ("meta", "link", "br", "rect", "line", "circle", "polyline")


class _Page(HTMLParser):
    """What a page holds; it notices what is opened and not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


@pytest.fixture(scope="module")
def parsed() -> _Page:
    programs = [Listing(each.name, each.function, "a<b", "x&y", "it's") for each in SUITE]
    found = _Page()
    found.feed(page(FOUND, tables.tables(FOUND), programs))
    return found


def test_the_page_is_well_formed_and_whole(parsed: _Page) -> None:
    assert not parsed.open
    assert len(parsed.all("table")) == len([each for each in tables.tables(FOUND) if each.rows])
    keys = [each["id"] for each in parsed.all("svg")]
    assert keys == ["hand", "numpy", "flat", "floor", "speed-up", "roofline"]
    assert len(parsed.all("article")) == len(SUITE)
    assert len(parsed.all("details")) == 3 * len(SUITE)
    assert not parsed.all("script")
    assert "a<b" in parsed.text


def test_the_page_needs_nothing_else(parsed: _Page) -> None:
    for _, attributes in parsed.found:
        for name in ("src", "href"):
            target = attributes.get(name)
            assert target is None or target.startswith(("#", "data:"))


def test_the_page_is_accessible(parsed: _Page) -> None:
    ids = [attributes["id"] for _, attributes in parsed.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    for link in parsed.all("a"):
        assert (link["href"] or "")[1:] in ids
    for each in parsed.all("svg"):
        assert each["role"] == "img"
        assert set((each["aria-labelledby"] or "").split()) <= set(ids)
    assert len(parsed.all("caption")) == len(parsed.all("table"))
    assert all(each.get("scope") in ("col", "row") for each in parsed.all("th"))
    assert parsed.all("html")[0]["lang"] == "en"
    assert parsed.all("meta")[1]["name"] == "viewport"


def _luminance(colour: str) -> float:
    digits = colour if len(colour) == 6 else "".join([c + c for c in colour])
    parts = [int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("block", [0, 1], ids=["light", "dark"])
def test_colours_of_words_have_contrast(block: int) -> None:
    """At least 4.5 to 1 on the grounds of tables, too."""
    style = (TEMPLATES / "style.css").read_text("utf-8")
    colours = dict(re.findall(r"--(\w+): #([0-9a-f]{3,6});", style.split(":root {")[block + 1]))
    words = set(re.findall(r"(?:^|[{;]\s*)(?:color|fill): var\(--(\w+)\)", style, re.M)) - {"inside"}
    grounds = set(re.findall(r"background: var\(--(\w+)\)", style))
    assert len(words) >= 4 and len(grounds) >= 3
    for word in words:
        for ground in grounds:
            light, dark = sorted([_luminance(colours[word]), _luminance(colours[ground])], reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (word, ground)


def test_bars_say_their_figure() -> None:
    drawn = svg.bars(
        "k", "t", [svg.Bar("a<b", 0.5, 0.4, 0.6, 7), svg.Bar("c", 20.0, 18.0, 25.0, 5)], "left", "right"
    )
    assert "a&lt;b" in drawn
    assert ">0.5<" in drawn
    assert ">20<" in drawn
    assert 'class="better"' in drawn
    assert 'class="worse"' in drawn
    widths = [float(w) for w in re.findall(r'<rect[^>]* width="([\d.]+)"', drawn)]
    assert widths[1] / widths[0] == pytest.approx(4.32, abs=0.05)  # the logarithms of 20 and 2


def test_labels_of_an_axis_do_not_touch() -> None:
    scale = svg.Scale(1e-4, 1e5, 0, 300)
    kept = svg.apart(scale, [10.0**k for k in range(-4, 6)])
    assert 1.0 in kept and 3 <= len(kept) < 10


def test_points_of_a_roofline_do_not_cover_each_other() -> None:
    points = [svg.Point(f"p{k}", None if k % 2 else 1.0, 1e9) for k in range(12)]
    drawn = svg.roofline("k", "t", points, 1e10, 4e10)
    places = [(float(x), float(y)) for x, y in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', drawn)]
    assert len(places) == 12
    assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) >= 18 for k, a in enumerate(places) for b in places[:k])


def test_listings() -> None:
    (one,) = listings([each for each in SUITE if each.name == "+/"])
    assert "total" in one.source
    assert "aplc_run" in one.code
    assert "loop 1" in one.explanation


# --- the picture for a page of a repository -------------------------------------------------------------


def test_the_picture_is_of_the_largest_sizes() -> None:
    small, large = row("signal", (10,), 3.0, 2.0), row("signal", (1000,), 3.0, 1.0)
    drawn = summary(
        replace(FOUND, rows=(small, large, row("life", (5,), 4.0, 8.0), row("life, famous line", (5,), 1, 1)))
    )
    parsed = ElementTree.fromstring(drawn)
    words = [each.text for each in parsed.iter("{http://www.w3.org/2000/svg}text")]
    assert words.count("signal") == 1
    assert "life" in words and "life, famous line" not in words
    assert "30×" in words and "10×" in words  # C by hand, and ours, both over NumPy
    assert "geometric mean" in words
    assert any("Medians of 5 to 5 runs" in (each or "") for each in words)
    assert "prefers-color-scheme: dark" in drawn
    assert "href" not in drawn


def test_whiskers_are_where_the_quartiles_are() -> None:
    ours = Figure(results.APLC, (1.0, 2.0, 3.0, 4.0, 5.0))
    theirs = Figure(results.NUMPY, (6.0,) * 5)
    one = Row("x", "x", (1,), (ours, theirs))
    assert one.spread(results.NUMPY, results.APLC) == (1.5, 3.0)
    assert summary(replace(FOUND, rows=(one,))).count('class="whisker"') == 3
