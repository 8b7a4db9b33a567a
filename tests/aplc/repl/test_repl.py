"""`aplc repl` from a pipe, and in a pseudo-terminal as one types it."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from aplc.symbols import BACKTICK, FUNCTIONS, NAMED, described
from tests.support.commands import COMMAND, environment
from tests.support.machine import needs_c
from tests.support.terminal import Terminal


def piped(*lines: str, arguments: tuple[str, ...] = (), cwd: Path | None = None) -> tuple[int, str]:
    done = subprocess.run(
        [*COMMAND, "repl", *arguments],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        env=environment(),
        cwd=cwd,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_lines_from_a_pipe() -> None:
    assert piped("x←⍳5", "+/x", "f←{", "⍵×2", "}", "f x") == (0, "15\n2 4 6 8 10\n")


def test_mistakes_have_carets_and_the_session_goes_on() -> None:
    status, out = piped("1 2+1 2 3", "2+2")
    assert status == 1
    assert out.startswith("line 1:1:1: LENGTH ERROR: + needs equal lengths") and "| ^^^^^^^^^" in out
    assert out.endswith("\n4\n")


def test_files_are_run_first(tmp_path: Path) -> None:
    (tmp_path / "defs.apl").write_text("square←{⍵×⍵}\n", encoding="utf-8")
    assert piped("square 7", arguments=("defs.apl",), cwd=tmp_path) == (0, "49\n")


@needs_c
def test_commands() -> None:
    lines = [
        "x←⍳5",
        "]type x÷2",
        "]tail +/x",
        "]vars",
        "f←{⍵}",
        "]fns",
        "]explain +/x×x",
        "]c +/x",
        "]target interp",
    ]
    status, out = piped(*lines, "]time 1+1", "]erase x", "]vars", "]help ⍴", "]off", "never")
    assert status == 0
    for expected in (
        "[double]1\n", "fn x:[int]1 => reduce(addi,0,x)\n", "x            [int]1   shape 5\n", "f←{⍵}\n",
        "reduction over x_n", "result += x[k];", "lines are compiled for interp", " ms\n", "⍴ y      shape\n",
        "typed as   `r\n",
    ):  # fmt: skip
        assert expected in out
    assert "never" not in out and out.count("shape 5") == 1


@needs_c
def test_a_table_becomes_a_file_of_results(tmp_path: Path) -> None:
    (tmp_path / "prices.csv").write_text("day,close,lot size\nmo,2,1\ntu,3,1\n", encoding="utf-8")
    (tmp_path / "defs.apl").write_text("mean←{(+/⍵)÷≢⍵}\nhalf←0.5\n", encoding="utf-8")
    status, out = piped(
        "]input prices.csv", "]input lots=prices.csv:lot size", "]load defs.apl", "r←half×close", "mean lots",
        "]output r=r.csv", "]output day=day.csv", "]save mine.apl", "mean←{⍵}", "]save mine.apl",
        cwd=tmp_path,
    )  # fmt: skip
    assert status == 0
    assert out.split("\n") == [
        "day          [[char]1]1   shape 2",
        "close        [int]1   shape 2",
        "lots         [int]1   shape 2",
        "1",
        *["mine.apl has 1 function now",
          "arrays are not in it, ]output close=FILE writes one: close day half lots r"] * 2,
        "",
    ]  # fmt: skip
    assert (tmp_path / "r.csv").read_text(encoding="utf-8") == "1.0\n1.5\n"
    assert (tmp_path / "day.csv").read_text(encoding="utf-8") == "mo\ntu\n"
    assert (tmp_path / "mine.apl").read_text(encoding="utf-8") == "mean←{⍵}\n"


def test_arrays_are_given_with_the_command(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    arguments = ("--input", "t.csv", "--input", "n=100")
    assert piped("a+b+n", arguments=arguments, cwd=tmp_path) == (0, "103 107\n")


def test_what_is_saved_is_loaded_again(tmp_path: Path) -> None:
    lines = ["⎕IO←0", "first←{⍵[0]}", "∇r←twice y", "r←first 2×y", "∇", "]save two.apl"]
    assert piped(*lines, cwd=tmp_path) == (0, "two.apl has 2 functions now\n")
    assert piped("twice 4 5", arguments=("two.apl",), cwd=tmp_path) == (0, "8\n")


def test_another_s_file_is_not_lost(tmp_path: Path) -> None:
    (tmp_path / "mine.apl").write_text("⍝ of value\n", encoding="utf-8")
    status, out = piped("f←{⍵}", "]save mine.apl", cwd=tmp_path)
    assert status == 1 and "mine.apl is there already" in out
    assert (tmp_path / "mine.apl").read_text(encoding="utf-8") == "⍝ of value\n"


def test_errors_in_files_name_them(tmp_path: Path) -> None:
    (tmp_path / "bad.apl").write_text("x←3\nx+1 2÷0 0\n", encoding="utf-8")
    status, out = piped("]load bad.apl", "]vars", cwd=tmp_path)
    assert status == 1 and out.startswith("bad.apl:2:3: DOMAIN ERROR") and "x  " not in out


def test_frames_are_shown_when_asked_for() -> None:
    status, out = piped("1 'ab'", "]box on", "1 'ab'", "]boxing off", "1 'ab'")
    assert status == 0
    assert out.split("\n")[2:5] == ["┌─┬──┐", "│1│ab│", "└─┴──┘"] and out.count(" ab ") == 2


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("]foo", "there is no ]foo; there are ]help ]type"),
        ("]type", "]type wants an expression behind it"),
        ("]target cuda", "a target is one of interp, c, openmp, opencl, not cuda"),
        ("]help q", "q is no symbol of APL"),
        ("]box maybe", "]box is on or off, not maybe"),
        ("]load", "]load wants the name of a file behind it"),
        ("]load no.apl", "command line:1:1: FILE ERROR: no.apl cannot be read: there is no such file"),
        ("]save mine", "]save writes a file whose name ends in .apl, not mine"),
        ("]output x=x.csv", "x has no value"),
        ("]output x", "an output is written NAME=FILE, not x"),
        ("]input x", "command line:1:9: SYNTAX ERROR: an input is written NAME=FILE.npy"),
        (")wsid", "there is no )wsid; there are ]help"),
        ("]var", "there is no ]var; did you mean ]vars?"),
    ],
)
def test_wrong_commands(line: str, said: str) -> None:
    status, out = piped(line)
    assert status == 1 and out.startswith(said)


def test_commands_of_dyalog_and_symbols_by_name() -> None:
    status, out = piped("x←'ab' 1", "y←⍳3", ")VARS", "]help rho", ")erase x", ")vars", ")off", "never")
    shown = "y            [int]1   shape 3\n"
    assert (status, out.partition(shown)[2]) == (
        0, f"⍴ y      shape\nx ⍴ y    reshape\ntyped as   `r\n{shown}"
    )  # fmt: skip
    assert out.startswith("x            (<char>2, [int]0)\n")


def test_only_braces_and_definitions_go_on_in_the_next_line() -> None:
    status, out = piped("(1 2", "3+4", "x[", "f←{(", "⍵)", "}", "5")
    assert status == 1 and out.endswith("\n5\n") and "\n7\n" in out
    assert "line 1:1:1: SYNTAX ERROR: unclosed (" in out


def test_every_symbol_is_typed_and_described() -> None:
    plain = set("+-|!*?~<=>,/\\.@&_'")
    for symbol in FUNCTIONS:
        assert described(symbol)
        assert symbol in plain or symbol in BACKTICK.values(), symbol
    for name, symbol in (("rho", "⍴"), ("iota", "⍳"), ("reshape", "⍴"), ("each", "¨"), ("transpose", "⍉")):
        assert NAMED[name] == symbol


# --- in a terminal --------------------------------------------------------------------------------------


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    pytest.importorskip("prompt_toolkit", reason="NOT CHECKED: prompt_toolkit is not installed")
    made = Terminal(tmp_path)
    yield made
    made.close()


def test_symbols_completion_and_history(terminal: Terminal, tmp_path: Path) -> None:
    terminal.wait("      ")
    terminal.type("`i4\r")
    terminal.wait("1 2 3 4")
    terminal.type("rho\t")  # the only completion takes the place of the word
    terminal.wait("⍴")
    terminal.type(" 2 3\r")
    terminal.type("3-`")
    time.sleep(1.2)  # a backtick waits
    terminal.type("[2\r")
    terminal.wait("3-←2")
    terminal.type("]ti")
    terminal.wait("]ti")
    terminal.type("\t")  # only what is new is drawn
    terminal.wait("me")
    terminal.type(" 1+1\r")
    terminal.wait(" ms")
    terminal.type("f`[{\r`w`-3}\r")  # a brace that is open goes on
    terminal.type("f 5\r")
    terminal.wait("15")
    terminal.type("\x1b[A\r")  # the line before
    terminal.wait("15")
    terminal.wait("      ")
    terminal.type("\x04")
    assert terminal.process.wait(60) == 0
    assert "f 5" in (tmp_path / "state" / "aplc" / "history").read_text(encoding="utf-8")


@needs_c
def test_ctrl_c_ends_a_computation_and_keeps_the_session(terminal: Terminal) -> None:
    terminal.wait("      ")
    terminal.type("x`[42\r")
    terminal.type("{`w+1}`P{0}0\r")
    time.sleep(3)
    os.killpg(terminal.process.pid, signal.SIGINT)
    terminal.wait("interrupted")
    terminal.type("x+1\r")
    terminal.wait("43")
    terminal.wait("      ")
    terminal.type("]off\r")
    assert terminal.process.wait(60) == 0
