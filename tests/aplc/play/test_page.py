"""The page of `aplc play` in Chromium: typing, errors, running, links between a stage and the text."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator

import pytest

from tests.support.commands import COMMAND, environment
from tests.support.interactive.browser import CONTROL, LACKING, Browser
from tests.support.machine import needs_c

pytest.importorskip("uvicorn", reason="NOT CHECKED: the extra play is not installed")
pytest.importorskip("starlette", reason="NOT CHECKED: the extra play is not installed")
pytestmark = [pytest.mark.skipif(bool(LACKING), reason=LACKING), needs_c]

PROGRAM = "⍝ sums\nv ← 0.5×⍳40\nv\nw ← v[⍋-v]\n+/v×w\n"
ENTER, END, BACKSPACE, TAB = "\ue007", "\ue010", "\ue003", "\ue004"
LINES = "[...document.querySelectorAll('.code > div')]"


@pytest.fixture(name="address", scope="module")
def address_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    file = tmp_path_factory.mktemp("play") / "sums.apl"
    file.write_text(PROGRAM, "utf-8")
    command = [*COMMAND, "play", "--no-browser", "--time-limit", "60", str(file)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment())
    assert process.stdout is not None
    yield process.stdout.readline().strip()
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(30) == 0


def open_page(browser: Browser, address: str, width: int, height: int) -> None:
    browser.resize(width, height)
    browser.go(address)
    browser.until(lambda: browser.js("return 'ready' in document.documentElement.dataset"))


def run(browser: Browser) -> None:
    browser.click(".cm-content")
    browser.type(CONTROL + ENTER)
    browser.until(lambda: browser.text("#panel .quiet:last-child").startswith("compiled in"))


def test_a_program_is_run_looked_at_and_mended(browser: Browser, address: str) -> None:
    open_page(browser, address, 1280, 800)
    run(browser)
    assert browser.text("#panel .value:nth-of-type(2)") == "2870"
    assert browser.js("return document.querySelectorAll('#panel .value img').length") == 1
    browser.until(lambda: "<double>40" in browser.text(".cm-content"))
    browser.click("#tab-c")
    browser.until(lambda: browser.js("return document.querySelectorAll('.code .linked').length"))
    browser.js(f"{LINES}.find((e) => /result( \\+=| = aplc_multiply_add)/.test(e.textContent)).click()")
    assert browser.until(lambda: browser.text(".cm-marked")) == "+/v×w"
    browser.click(".cm-line:nth-child(4)")
    browser.until(lambda: "result" in browser.text(".code .here"))
    browser.type(CONTROL + END)
    browser.type("1 2+1 2 3`i")
    browser.until(lambda: "SYNTAX ERROR" in browser.text("#status"))
    assert "1 2+1 2 3⍳" in browser.text(".cm-content")
    browser.type(BACKSPACE)
    browser.until(lambda: "LENGTH ERROR: + needs equal lengths" in browser.text("#status"))
    assert browser.js("return document.querySelectorAll('.cm-lintRange-error').length") == 1
    browser.click("#tab-explain")
    browser.until(lambda: "LENGTH ERROR" in browser.text("#panel"))
    browser.click(".cm-content")
    browser.type(CONTROL + "a")
    browser.type("+/rho")
    browser.until(lambda: "reshape" in browser.text(".cm-tooltip-autocomplete"))
    time.sleep(0.1)  # the editor takes no key at once for the answer to a list that has just come
    browser.type(TAB)
    browser.type("n")
    browser.until(lambda: "n is not defined" in browser.text("#status"))
    browser.click("#input-n")
    browser.type("3 3`r1" + ENTER)
    browser.until(lambda: browser.text("#panel .value") == "6")
    assert browser.text(".cm-content").startswith("+/⍴n")
    assert browser.errors() == []


def test_a_phone_has_room_for_all_of_it(browser: Browser, address: str) -> None:
    open_page(browser, address, 390, 844)
    run(browser)
    parts = "'header, #editor, #panel, #run, #stop, select, .value img'"
    right = f"[...document.querySelectorAll({parts})].map((e) => e.getBoundingClientRect().right)"
    assert browser.js(f"return Math.max(...{right})") <= 390
    assert browser.js("return document.documentElement.scrollWidth") <= 390
    tops = "['run', 'stop'].map((e) => document.getElementById(e).offsetTop)"
    assert browser.js(f"return new Set({tops}).size") == 1
    assert browser.errors() == []


@pytest.mark.in_turn(3)
def test_what_does_not_end_is_stopped(browser: Browser, address: str) -> None:
    open_page(browser, address, 1280, 800)
    browser.click(".cm-content")
    browser.type(CONTROL + "a")
    browser.type("{`w+1}`P{0}0")
    browser.type(CONTROL + ENTER)
    browser.until(lambda: browser.js("return !document.getElementById('stop').disabled"))
    browser.click("#stop")
    browser.until(lambda: browser.text("#panel") == "stopped")
    browser.click(".cm-content")
    browser.type(CONTROL + "a")
    browser.type("+/`i4")
    run(browser)
    assert browser.text("#panel .value") == "10"
