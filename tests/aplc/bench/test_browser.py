"""The page of `aplc bench` as a browser shows it: on a desk, on a phone, on paper.

Without Chromium these tests are skipped; tests/aplc/bench/test_report.py reads the page as text.
"""

import re
from pathlib import Path

import pytest

from aplc.bench.report import tables
from aplc.bench.report.listings import Listing
from aplc.bench.report.page import page
from aplc.bench.suite import SUITE
from tests.support.bench_results import FOUND
from tests.support.interactive.browser import LACKING, Browser

pytestmark = pytest.mark.skipif(bool(LACKING), reason=LACKING)

MEASURED = """
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
return {cut, over, window: innerWidth, page: document.documentElement.scrollWidth,
  tables: shown("table"), charts: shown("svg"), programs: shown("article")};
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    listings = [Listing(each.name, each.function, "a<b", "x&y;\n" * 40, "it's") for each in SUITE]
    path = tmp_path_factory.mktemp("page") / "bench.html"
    path.write_text(page(FOUND, tables.tables(FOUND), listings), "utf-8")
    return path


@pytest.mark.parametrize("width", [1280, 390])
def test_everything_is_seen(browser: Browser, written: Path, width: int) -> None:
    browser.resize(width, 900)
    browser.go(written.as_uri())
    seen = browser.js(MEASURED)
    assert browser.errors() == []
    assert seen["cut"] == []
    assert seen["over"] == []
    assert seen["window"] == width
    assert seen["page"] <= width  # wide tables and programs scroll by themselves
    assert seen["tables"] == len([each for each in tables.tables(FOUND) if each.rows])
    assert seen["charts"] == 6
    assert seen["programs"] == len(SUITE)


def test_on_paper(browser: Browser, written: Path) -> None:
    """Charts stand side by side, long tables in two columns, programs in three."""
    browser.go(written.as_uri())
    assert len(re.findall(rb"/Type\s*/Page\b", browser.printed())) <= 12
