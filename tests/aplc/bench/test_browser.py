"""The page of `aplc bench` as a browser shows it: on a desk, on a phone, on paper.

Without Chromium these tests are skipped; tests/aplc/bench/test_report.py reads the page as text.
"""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from aplc.bench.report import tables
from aplc.bench.report.listings import Listing
from aplc.bench.report.page import page
from aplc.bench.suite import SUITE
from tests.support.bench_results import FOUND

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next((found for found in map(shutil.which, NAMES) if found), "")

pytestmark = pytest.mark.skipif(not BROWSER, reason="NOT CHECKED in a browser: no chromium on PATH")

MEASURED = """
<script>
"use strict";
const failures = [];
addEventListener("error", event => failures.push(String(event.message)), true);
addEventListener("load", () => {
  const cut = [], over = [];
  for (const chart of document.querySelectorAll("svg")) {
    const view = chart.viewBox.baseVal, before = [];
    for (const words of chart.querySelectorAll("text.word, text.number, text.tick")) {
      const box = words.getBBox();
      if (box.x < 0 || box.y < 0 || box.x + box.width > view.width || box.y + box.height > view.height)
        cut.push(words.textContent);
      for (const [other, its] of before)
        if (box.x < its.x + its.width - 1 && its.x < box.x + box.width - 1 &&
            box.y < its.y + its.height - 3 && its.y < box.y + box.height - 3)
          over.push(words.textContent + " over " + other.textContent);
      before.push([words, box]);
    }
  }
  const shown = name => [...document.querySelectorAll(name)].filter(e => e.getClientRects().length).length;
  parent.postMessage(JSON.stringify({
    failures, cut, over, window: innerWidth, page: document.documentElement.scrollWidth,
    tables: shown("table"), charts: shown("svg"), programs: shown("article"),
  }), "*");
});
</script>
"""
"""Sends what it finds to the page around it."""

AROUND = """<!DOCTYPE html>
<script>
"use strict";
addEventListener("message", event => document.title = event.data);
</script>
<iframe src="bench.html" style="border: 0; width: {width}px; height: 900px"></iframe>
"""
"""A window is never as narrow as a phone, a frame is."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    listings = [Listing(each.name, each.function, "a<b", "x&y;\n" * 40, "it's") for each in SUITE]
    path = tmp_path_factory.mktemp("page") / "bench.html"
    text = page(FOUND, tables.tables(FOUND), listings)
    path.write_text(text.replace("</head>", f"{MEASURED}</head>"), "utf-8")
    return path


def browse(path: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
    """What the browser prints of a page."""
    always = ("--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr")
    profile = f"--user-data-dir={path.parent / 'profile'}"
    command = [BROWSER, *always, profile, *options, path.as_uri()]
    return subprocess.run(command, capture_output=True, timeout=120, check=True)


@pytest.mark.parametrize("width", [1280, 390])
def test_everything_is_seen(written: Path, width: int) -> None:
    around = written.with_name(f"around{width}.html")
    around.write_text(AROUND.format(width=width), "utf-8")
    done = browse(around, "--window-size=1400,1000", "--virtual-time-budget=5000", "--dump-dom")
    assert b"CONSOLE" not in done.stderr
    found = re.search(r"<title>(.*?)</title>", done.stdout.decode(), re.S)
    assert found is not None, done.stdout.decode()
    seen: dict[str, Any] = json.loads(html.unescape(found[1]))
    assert seen["failures"] == []
    assert seen["cut"] == []
    assert seen["over"] == []
    assert seen["window"] == width
    assert seen["page"] <= width  # wide tables and programs scroll by themselves
    assert seen["tables"] == len([each for each in tables.tables(FOUND) if each.rows])
    assert seen["charts"] == 6
    assert seen["programs"] == len(SUITE)


def test_on_paper(written: Path) -> None:
    """Charts stand side by side, and few sheets are half empty."""
    target = written.with_suffix(".pdf")
    browse(written, f"--print-to-pdf={target}")
    assert len(re.findall(rb"/Type\s*/Page\b", target.read_bytes())) <= 30
