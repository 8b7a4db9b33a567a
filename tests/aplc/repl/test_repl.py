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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("]foo", "there is no ]foo; there are ]help ]type"),
        ("]type", "]type wants an expression behind it"),
        ("]target cuda", "a target is one of interp, c, openmp, opencl, not cuda"),
        ("]help q", "q is no symbol of APL"),
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
    terminal.type("]ti\t")
    terminal.wait("]time")
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
