"""What a terminal gets: no control characters, of a long line what tells, carets in the right column."""

import io
import json
import unicodedata
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import aplc
import aplc.cli
from aplc.bench.results import reason_of
from aplc.doctor import Finding
from aplc.tail.errors import Diagnostic, InternalError, MachineError
from aplc.tail.legible import CUT, LONGEST, WIDTH, excerpt, legible, shortened
from aplc.tail.source import Source, Span, render_caret
from tests.support.commands import Cli

HOSTILE = "\33]0;owned\7\33[2J\r\u202e\u2066\x9b\x7f\u2028\u200b\ud800"
"""A title, a cleared screen, a carriage return, reversed directions, C1, DEL, a line separator, an invisible
space, half a character.
"""

pytestmark = pytest.mark.usefixtures("surroundings")


def is_clean(text: str) -> bool:
    return all(line.isprintable() for line in text.split("\n"))


def columns(text: str) -> int:
    """The columns of a terminal that a printable text takes."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.category(c) in ("Mn", "Me") for c in text)


def marked(text: str, start: int, end: int) -> tuple[str, str]:
    """The line that is shown with carets, and what stands above the carets."""
    shown, carets = render_caret(Span(Source("t", text), start, end)).split("\n")
    first, last = carets.index("^"), carets.rindex("^") + 1
    above, column = "", 0
    for char in shown:
        if first <= column < last:
            above += char
        column += columns(char)
    return shown, above


# --- what is not printable ------------------------------------------------------------------------------


def test_what_is_not_printable_is_escaped() -> None:
    assert legible("\33[31m⍳\t\n\u202e") == r"\x1b[31m⍳\t\n" + r"\u202e"
    assert legible("a\nb", keep="\n") == "a\nb"
    assert is_clean(legible(HOSTILE)) and legible("é⍳漢 ") == "é⍳漢 "


@given(st.text())
def test_every_text_becomes_legible(text: str) -> None:
    assert legible(text).isprintable()
    assert shortened(text * 50, 40).isprintable() and len(shortened(text * 50, 40)) <= 40 * 10 + 3


def test_a_diagnostic_is_clean_and_its_data_are_not_changed() -> None:
    source = Source(f"dir{HOSTILE}\nfake:1:1: /x.apl", f"1+'{HOSTILE}'+2")
    span = Span(source, 2, 5)
    diagnostic = Diagnostic("DOMAIN ERROR", f"+ on {HOSTILE}\nnext", span, f"note {HOSTILE}", (span, span))
    lines = diagnostic.render().split("\n")
    assert len(lines) == 5 and is_clean(diagnostic.render())
    assert diagnostic.message.endswith("\nnext") and span.source.name == source.name
    assert is_clean(Diagnostic("E", HOSTILE).render())


def test_other_errors_are_clean() -> None:
    assert is_clean(str(MachineError(f"{HOSTILE} cannot be found"))) and "\n" not in str(MachineError("\n"))
    assert str(InternalError("compile-c", f"one\n  two{HOSTILE}")).count("\n") == 1
    assert is_clean(str(InternalError("compile-c", f"one\n  two{HOSTILE}")))
    assert is_clean(reason_of(OSError(HOSTILE)))
    assert is_clean(Finding("compiler", "broken", (HOSTILE,)).text())


# --- the command line -----------------------------------------------------------------------------------


def test_every_command_escapes(cli: Cli, tmp_path: Path) -> None:
    text = "x←⍳3 ⍝ \33[31m\nf←{⍵+x}\nf 1 2 ⍝ \u202e\r"
    named, good = tmp_path / "a\33[2J\u202e\nb.apl", tmp_path / "good.apl"
    named.write_text(text, encoding="utf-8")
    good.write_text("v←+/⍳9 ⍝ \33\nv", encoding="utf-8")
    hostile = str(named)
    for arguments in (
        [hostile, "--target", "interp"],
        ["check", hostile],
        [f"{hostile}.apl"],
        [str(good), "--input", "x=\33[2J.npy"],
        [str(good), "--input", "\33[2J=x.npy"],
        [str(good), "--target", "\33[2J"],
        [str(good), "--passes", "\33[2J"],
        [str(good), "--threads", "\33[2J"],
        ["emit", "\33[2J", str(good)],
        ["explain", "\33[2J", str(good)],
        [str(good), "--target", "interp", "--dump-after", "all", "-O", "0"],
        ["explain", str(good)],
        ["check", str(good)],
    ):
        outcome = cli(*arguments)
        assert is_clean(outcome.err) and is_clean(outcome.out), arguments
        assert "Traceback" not in outcome.err
    found = json.loads(cli("check", "--json", hostile).out)
    assert found["diagnostics"][0]["file"] == hostile  # for programs, so as it is
    assert cli(hostile, "--target", "interp").err.count("\n") == 4  # head, line, carets, call


def test_paths_inside_programs_are_escaped(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "p.apl").write_text("⎕ReadFile 'no\33[2Jfile'", encoding="utf-8")
    outcome = cli(str(tmp_path / "p.apl"), "--target", "interp")
    assert outcome.status == 1 and r"no\x1b[2Jfile" in outcome.err and is_clean(outcome.err)


def test_values_that_a_program_prints_are_its_own(cli: Cli, tmp_path: Path) -> None:
    """Programs may draw: what they print is written as it is, docs/security.md says so."""
    np.save(tmp_path / "x.npy", np.array(list("\33[31mred")))
    (tmp_path / "p.apl").write_text("x", encoding="utf-8")
    outcome = cli(str(tmp_path / "p.apl"), "--input", f"x={tmp_path / 'x.npy'}", "--target", "interp")
    assert outcome.out == "\33[31mred\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_stage_on_a_terminal(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a file or a pipe a stage is data, which reads back."""
    path = tmp_path / "p.apl"
    path.write_text("'a\33[31mb'", encoding="utf-8")
    assert "\33" in cli("emit", "tail", str(path)).out
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    assert aplc.cli.main(["emit", "tail", str(path)]) == 0
    assert r"a\x1b[31mb" in terminal.getvalue() and is_clean(terminal.getvalue())


# --- carets ---------------------------------------------------------------------------------------------


def test_carets_below_wide_combining_and_escaped_characters() -> None:
    assert marked("漢字 x", 3, 4) == ("  1 | 漢字 x", "x")
    assert marked("漢字 x", 1, 2)[1] == "字"
    assert marked("e\u0301\u0323o x", 5, 6)[1] == "x"
    assert marked("\t\tx", 2, 3) == ("  1 |   x", "x")
    assert marked("\33[2Jx\u202ey", 4, 5)[1] == "x"
    assert marked("a\33b", 1, 2)[1] == r"\x1b"
    assert marked("a\33b", 3, 3)[0] == r"  1 | a\x1bb"


def test_a_long_line_is_cut_around_the_carets() -> None:
    line = "a" * 500_000 + "XYZ" + "b" * 500_000
    shown, above = marked(line, 500_000, 500_003)
    assert above == "XYZ" and len(shown) <= WIDTH + 10
    assert shown.startswith(f"  1 | {CUT} a") and shown.endswith(f"b {CUT}")
    assert marked(line, 0, 1)[0].startswith("  1 | a") and marked(line, 0, 1)[0].endswith(CUT)
    assert marked(line, len(line) - 1, len(line))[0].endswith("b")
    assert set(marked(line, 0, len(line))[1]) == {"a"}
    assert marked("x" * WIDTH, 3, 4)[0] == "  1 | " + "x" * WIDTH
    assert len(aplc.check(line + "+").diagnostics[0].render()) < LONGEST + 500
    long = Diagnostic("E", "m" * 10**6, Span(Source("t", line), 1, 2), "n" * 10**6)
    assert len(long.render()) < 3 * LONGEST


@given(
    st.text(st.sampled_from("abc ⍳漢e\u0301\t\33\u202e"), max_size=400),
    st.integers(0, 400),
    st.integers(0, 60),
    st.integers(12, 60),
)
def test_excerpts(line: str, start: int, length: int, width: int) -> None:
    """What stands above the carets is what is marked, as far as there is room for it."""
    start = min(start, len(line))
    end = min(start + length, len(line))
    text, first, last = excerpt(line, start, end, width)
    assert text.isprintable() and columns(text) <= width + 2 * len(f"{CUT} ")
    above, column = "", 0
    for char in text:
        if first <= column < last:
            above += char
        column += columns(char)
    wanted = legible(line[start:end].replace("\t", " "))
    bare = "".join([c for c in wanted if columns(c)])
    assert bare.startswith("".join([c for c in above if columns(c)]))
    if columns(wanted) <= width:
        assert last - first == columns(wanted)


def test_an_explanation_of_a_long_line(cli: Cli, tmp_path: Path) -> None:
    line = " ⋄ ".join([f"v{k}←⌽⍳{k + 9} ⋄ ⎕←v{k}+v{k}" for k in range(40)])
    (tmp_path / "p.apl").write_text(line + " ⍝ \33\n", encoding="utf-8")
    lines = cli("explain", str(tmp_path / "p.apl")).out.split("\n")
    for above, below in pairwise(lines):
        if below.startswith("    | ") and above.startswith("  1 | "):
            assert len(above) <= WIDTH + 10
            first = below.index("^")
            assert above[first : first + 1] not in ("", " ", CUT)
