"""What a terminal gets beside the text, `aplc watch` there, and completion in a real bash."""

import io
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aplc.command_options import USAGE
from aplc.shell.completion import COMMANDS, OTHER_OPTIONS, SHELLS, completion, options_of
from aplc.shell.on_terminal import message, saying
from tests.support.commands import Cli, write
from tests.support.terminal import Terminal

BLOCK = "p.apl:1:3: DOMAIN ERROR: ÷ divides by zero\n  1 | 1÷0\n    |  ^ why ^"


class Screen(io.StringIO):
    """A terminal, as far as Python can tell."""

    def isatty(self) -> bool:
        return True


Open = Callable[..., Terminal]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens a terminal in the test's own directory."""
    made: list[Terminal] = []

    def start(*arguments: str, **places: str) -> Terminal:
        made.append(Terminal(tmp_path, *arguments, **places))
        return made[-1]

    yield start
    for each in made:
        each.close()


# --- colour and progress --------------------------------------------------------------------------------


def test_messages_have_colour_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert message(BLOCK, io.StringIO()) == BLOCK
    coloured = message(BLOCK, Screen())
    assert "\x1b[1;31mDOMAIN ERROR\x1b[0m" in coloured and "\x1b[1;31m^\x1b[0m why ^" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == BLOCK
    monkeypatch.setenv("NO_COLOR", "1")
    assert message(BLOCK, Screen()) == BLOCK
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert message(BLOCK, Screen()) == BLOCK


def test_what_takes_long_is_told_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("aplc.shell.on_terminal.PATIENCE", 0.02)
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with saying("compiling p.apl"):
        time.sleep(0.3)
    assert "\r\x1b[Kcompiling p.apl, 0 s" in screen.getvalue()
    assert screen.getvalue().endswith("\r\x1b[K")  # it is gone
    monkeypatch.setattr(sys, "stderr", pipe := io.StringIO())
    with saying("compiling p.apl"):
        time.sleep(0.1)
    assert pipe.getvalue() == ""


def test_colour_of_the_command(opened: Open) -> None:
    terminal = opened("-e", "1÷0", "--target", "interp", NO_COLOR="")
    terminal.wait("DOMAIN ERROR")
    assert terminal.process.wait(60) == 1
    assert "\x1b[1;31mDOMAIN ERROR" in terminal.written


# --- watch ----------------------------------------------------------------------------------------------


def test_watch_goes_on_through_errors_until_ctrl_c(opened: Open, tmp_path: Path) -> None:
    program = tmp_path / "p.apl"
    program.write_text("+/⍳n", encoding="utf-8")
    (tmp_path / "n.csv").write_text("n\n4\n", encoding="utf-8")
    terminal = opened("watch", "p.apl", "--input", "n=n.csv", "--target", "interp")
    terminal.wait("waiting for a change of p.apl, n.csv")
    program.write_text("⍳'", encoding="utf-8")
    terminal.wait("SYNTAX ERROR")
    terminal.wait("exit status 1")
    program.write_text("{∇⍵}0,n", encoding="utf-8")  # without end
    time.sleep(1)
    program.unlink()
    terminal.wait("exit status 1")
    program.write_text("100+n", encoding="utf-8")
    terminal.wait("104")
    terminal.wait("waiting")
    (tmp_path / "n.csv").write_text("n\n5\n", encoding="utf-8")
    terminal.wait("105")
    terminal.wait("waiting")
    os.killpg(terminal.process.pid, signal.SIGINT)
    assert terminal.process.wait(60) == 0


def test_watch_without_a_file(cli: Cli) -> None:
    assert cli("watch", "-e", "1").first == "aplc: aplc watch needs a file that may change"
    assert cli("watch", "--help").out.startswith("usage: aplc watch FILE.apl")


# --- completion -----------------------------------------------------------------------------------------

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="NOT CHECKED: bash is not installed")


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert completion([shell]) == 0
    return capsys.readouterr().out


@needs_bash
def test_completion_in_bash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = {
        ("aplc", "che"): {"check"},
        ("aplc", "p"): {"p.apl", "part", "play"},
        ("aplc", "emit", "tail"): {"tail", "tail-opt"},
        ("aplc", "emit", "c", "--fun"): {"--function"},
        ("aplc", "p.apl", "--target", "op"): {"openmp", "opencl"},
        ("aplc", "p.apl", "--ti"): {"--time", "--time-limit"},
        ("aplc", "p.apl", "--input", "x", "=", "pr"): {"prices of May.csv"},
        ("aplc", "check", "--thr"): set(),
        ("aplc", "bench", "--qu"): {"--quick"},
        ("aplc", "completion", ""): set(SHELLS),
    }
    for name in ("p.apl", "prices of May.csv"):
        (tmp_path / name).touch()
    (tmp_path / "part").mkdir()
    asked = "\n".join(
        f"COMP_WORDS=({' '.join(map(repr, words))}) COMP_CWORD={len(words) - 1}; _aplc; "
        'printf "%s|" "${COMPREPLY[@]}"; echo'
        for words in cases
    )
    text = script("bash", capsys) + asked
    done = subprocess.run(
        ["bash", "--norc"], input=text, capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = [set(line.split("|")) - {""} for line in done.stdout.splitlines()]
    assert dict(zip(cases, found, strict=True)) == cases


@needs_bash
def test_tab_in_bash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "signal.apl").touch()
    (tmp_path / "rc").write_text(f"PS1='> '\naplc() {{ echo given \"$@\"; }}\n{script('bash', capsys)}")
    bash = Terminal(tmp_path, "--rcfile", "rc", "-i", command=("bash",))
    try:
        bash.wait("> ")
        bash.type("aplc exp\tsig\t--targ\topenc\t\r")
        bash.wait("given explain signal.apl --target opencl")
    finally:
        bash.close()


@pytest.mark.skipif(shutil.which("fish") is None, reason="NOT CHECKED: there is no fish")
@pytest.mark.parametrize(
    ("line", "offered", "not_offered"),
    [
        ("aplc ", {"check", "bench", "signal.apl"}, {"tail-opt"}),
        ("aplc --ta", {"--target"}, {"--targets"}),
        ("aplc run --ta", {"--target"}, {"--targets"}),
        ("aplc test --ta", {"--targets"}, {"--target"}),
        ("aplc --target ", {"interp", "c", "openmp", "opencl"}, {"signal.apl"}),
        ("aplc emit ", {"ast", "tail-opt", "opencl"}, {"bench", "check"}),
        ("aplc emit c si", {"signal.apl"}, set()),
        ("aplc --input x=si", {"x=signal.apl"}, set()),
        ("aplc completion ", {"fish"}, {"run"}),
    ],
)
def test_what_fish_offers(
    line: str, offered: set[str], not_offered: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "signal.apl").touch()
    (tmp_path / "aplc.fish").write_text(script("fish", capsys), encoding="utf-8")
    asked = f"source aplc.fish; complete -C {line!r}"
    done = subprocess.run(
        ["fish", "--no-config", "-c", asked], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = {each.partition("\t")[0] for each in done.stdout.splitlines()}
    assert offered <= found and not found & not_offered


@pytest.mark.skipif(shutil.which("zsh") is None, reason="NOT CHECKED: there is no zsh")
def test_tab_in_zsh(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "signal.apl").touch()
    (tmp_path / "aplc.zsh").write_text(script("zsh", capsys), encoding="utf-8")
    zsh = Terminal(tmp_path, "-f", "-i", command=("zsh",), PS1="> ", TERM="dumb")
    try:
        zsh.wait("> ")
        zsh.type(
            "autoload -U compinit; compinit -u; source aplc.zsh; aplc() { echo given $@ }; echo rea''dy\r"
        )
        zsh.wait("ready")
        zsh.type("aplc exp\tsig\t--targ\topenc\t\r")
        zsh.wait("given explain signal.apl --target opencl")
    finally:
        zsh.close()


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_scripts_of_other_shells(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = script(shell, capsys)
    assert all(name in text for name in COMMANDS)
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=text, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_every_command_is_completed_and_has_help(cli: Cli) -> None:
    for name in COMMANDS:
        told = cli(name, "--help")
        assert told.status == 0 and told.out.startswith("usage: aplc"), name
        options = {each.name for each in options_of(name)} - {"--help"}
        if name in OTHER_OPTIONS:
            assert set(re.findall(r"(?<![\w-])(?:--[a-z-]+|-[oO]\b)", told.out)) - {"--help"} == options, name
        assert name == "run" or f"aplc {name}" in USAGE


def test_help_on_a_command(cli: Cli) -> None:
    assert cli("help").out == cli("--help").out
    assert cli("help", "emit").out == cli("emit", "--help").out != cli("help").out


def test_commands_that_were_meant(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = "aplc: there is no file and no command chek; did you mean aplc check?\n"
    assert cli("chek", "p.apl").err == told
    assert cli(write("tests", "1+1"), "--target", "interp").out == "2\n"
    assert cli("completion", "tcsh").first == "aplc: aplc completion is for one of bash, zsh, fish"
