"""The command where the machine lacks something, where we are wrong, and as a process among others."""

import importlib.util
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import aplc.cli
import aplc.compiler
import aplc.tail.pipeline
import aplc.targets.interp
from aplc.backends.native import toolchain
from aplc.tail.errors import InternalError
from aplc.tail.pipeline import PASSES
from tests.support.commands import COMMAND, Cli, Outcome, environment, write
from tests.support.machine import needs_c

DEV_FULL = Path("/dev/full")

pytestmark = pytest.mark.usefixtures("surroundings")


# --- this machine, and our bugs -------------------------------------------------------------------------


@pytest.fixture
def no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which no C compiler is found."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CC", raising=False)
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "ziglang" else find_spec(name, *rest)
    )
    toolchain._find.cache_clear()


@pytest.mark.usefixtures("no_compiler")
def test_machine_without_a_compiler(cli: Cli) -> None:
    write("p.apl", "1+2")
    outcome = cli("p.apl")
    assert (outcome.status, outcome.out) == (3, "")
    assert outcome.err.startswith("aplc: no C compiler found")
    assert "apt install gcc" in outcome.err and "pip install" in outcome.err
    assert cli("p.apl", "--target", "interp") == Outcome(0, "3\n", "")
    assert cli("emit", "c", "p.apl").status == 0
    assert cli("check", "p.apl").status == 0


def test_compiler_that_does_not_exist(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    outcome = cli(write("p.apl", "1+2"))
    assert outcome.status == 3
    assert outcome.err.startswith("aplc: the environment variable CC is no-such-compiler")


@pytest.mark.parametrize(
    ("failure", "where"),
    [
        (InternalError("lower", "no rule"), "lower"),
        (KeyError("x"), "KeyError"),
        (AttributeError("'NoneType' object has no attribute 'x'"), "AttributeError"),
    ],
)
def test_bug_of_ours(cli: Cli, monkeypatch: pytest.MonkeyPatch, failure: Exception, where: str) -> None:
    def fail(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(aplc.compiler, "lower_program", fail)
    outcome = cli(write("p.apl", "1+2"), "--no-cache")
    assert (outcome.status, outcome.out) == (70, "")
    assert outcome.first == f"aplc: this is a bug in aplc, not in your program ({where})"
    assert "report it" in outcome.err
    monkeypatch.setenv("APLC_DEBUG", "1")
    with pytest.raises(type(failure)):
        aplc.cli.main(["p.apl"])


def test_bug_in_a_pass_names_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(term: object) -> None:
        raise IndexError("out of range")

    broken = type(PASSES[0])("break-things", fail)
    monkeypatch.setattr(aplc.tail.pipeline, "PASSES", (broken,))
    outcome = cli(write("p.apl", "1+2"), "--target", "interp")
    assert outcome.status == 70
    assert "(break-things)" in outcome.first


def test_no_memory(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(aplc.targets.interp, "evaluate", fail)
    outcome = cli(write("p.apl", "1+2"), "--target", "interp")
    assert outcome == Outcome(1, "", "aplc: WS FULL: not enough memory\n")


# --- the process ----------------------------------------------------------------------------------------


def test_unicode_whatever_the_locale() -> None:
    write("p.apl", "⎕←'é⍳'\n¯1\n1÷0")
    changes = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "NO_COLOR": "1"}
    command = (*COMMAND, "p.apl", "--target", "interp")
    done = subprocess.run(command, env=environment(**changes), capture_output=True, check=False)
    assert (done.returncode, done.stdout.decode()) == (1, "é⍳\n¯1\n")
    expected = "p.apl:3:1: DOMAIN ERROR: ÷ divides by zero\n  3 | 1÷0\n    | ^^^\n"
    assert done.stderr.decode() == expected


def test_reader_that_goes_away() -> None:
    write("p.apl", "⎕←⍳5000\n⎕←⍳5000\n⎕←⍳5000")
    reader, writer = os.pipe()
    os.close(reader)
    try:
        command = (*COMMAND, "p.apl", "--target", "interp")
        done = subprocess.run(command, env=environment(), stdout=writer, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(not DEV_FULL.is_char_device(), reason="NOT CHECKED: no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [("p.apl", "--target", "interp"), ("emit", "tail", "p.apl"), ("-h",)])
def test_disk_that_is_full(arguments: tuple[str, ...], unbuffered: str) -> None:
    write("p.apl", "1+2")
    with open(DEV_FULL, "w") as full:
        done = subprocess.run(
            (*COMMAND, *arguments),
            env=environment(PYTHONUNBUFFERED=unbuffered),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (3, b"aplc: cannot write: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="NOT CHECKED: limits are those of POSIX shells")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1</dev/null", "Bad file descriptor"),
        (">written", "File too large"),
        ("", "write could not complete without blocking"),
    ],
)
def test_output_that_takes_no_more(line: str, reason: str, unbuffered: str) -> None:
    write("p.apl", "⍳100000")
    reader, writer = os.pipe()
    os.set_blocking(writer, line != "")
    with open(reader, "rb"), open(writer, "wb") as pipe:
        done = subprocess.run(
            ("sh", "-c", f'ulimit -f 100; "$0" -m aplc p.apl --target interp {line}', sys.executable),
            env=environment(PYTHONUNBUFFERED=unbuffered),
            stdout=pipe,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr.decode()) == (3, f"aplc: cannot write: {reason}\n")


def test_messages_to_a_reader_that_has_gone() -> None:
    for arguments in (("missing.apl",), ("emit", "c")):
        reader, writer = os.pipe()
        os.close(reader)
        with open(writer, "wb") as gone:
            done = subprocess.run((*COMMAND, *arguments), env=environment(), stderr=gone, check=False)
        assert done.returncode == 1, arguments


def test_little_is_imported_before_an_interrupt_ends_the_command() -> None:
    script = "import sys, aplc.__main__; sys.exit('numpy' in sys.modules or 'aplc.cli' in sys.modules)"
    subprocess.run((sys.executable, "-c", script), env=environment(), check=True)


@pytest.mark.skipif(not DEV_FULL.is_char_device(), reason="NOT CHECKED: no /dev/full")
def test_messages_that_cannot_be_written() -> None:
    write("p.apl", "1÷0")
    interp = ("--target", "interp")
    for arguments, status in (
        ((*interp, "--nonsense"), 2),
        (("p.apl", *interp), 1),
        (("-", *interp, "--time"), 0),
    ):
        with open(DEV_FULL, "w") as full:
            done = subprocess.run(
                (*COMMAND, *arguments), env=environment(), stdin=subprocess.DEVNULL, stderr=full, check=False
            )
        assert done.returncode == status, arguments


@pytest.mark.skipif(os.name != "posix", reason="NOT CHECKED: streams are closed as POSIX shells do it")
def test_streams_that_are_closed() -> None:
    write("p.apl", "1+2")
    for arguments, status in (("p.apl --target interp", 0), ("- --target interp", 0), ("missing.apl", 1)):
        line = f'"$0" -m aplc.cli {arguments} <&- >&- 2>&-'
        done = subprocess.run(("sh", "-c", line, sys.executable), env=environment(), check=False)
        assert done.returncode == status, arguments


@pytest.mark.parametrize("target", [pytest.param("c", marks=needs_c)])
def test_interrupt_ends_a_program_at_once(target: str) -> None:
    write("p.apl", "⎕←'started'\n+/÷⍳1000000000000")
    command = (*COMMAND, "p.apl", "--target", target)
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=environment(PYTHONUNBUFFERED="1"), stdout=pipe, stderr=pipe
    ) as process:
        try:
            assert process.stdout is not None and process.stderr is not None
            assert process.stdout.readline() == b"started\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=60) == -signal.SIGINT
            assert process.stdout.read() == b""
            assert process.stderr.read() == b""
        finally:
            process.kill()


# --- files that are commands ----------------------------------------------------------------------------


def test_a_file_that_a_shell_runs(tmp_path: Path) -> None:
    (tmp_path / "aplc").write_text(f'#!/bin/sh\nexec {sys.executable} -m aplc "$@"\n', encoding="utf-8")
    text = "#!/usr/bin/env aplc\n⍝ == input n int64 : 4\n⍝ == output 1 2 3 4\n⍳n\n"
    (tmp_path / "count").write_text(text, encoding="utf-8")
    for name in ("aplc", "count"):
        (tmp_path / name).chmod(0o755)
    places = environment(PATH=f"{tmp_path}:{os.environ['PATH']}")
    run = partial(subprocess.run, capture_output=True, text=True, env=places, cwd=tmp_path, check=False)
    done = run(["./count", "--target", "interp"])
    assert (done.returncode, done.stdout) == (0, "1 2 3 4\n")
    assert run(["./count", "--target", "interp", "--input", "n=2"]).stdout == "1 2\n"
    assert run(["aplc", "test", "count", "--targets", "interp"]).stdout.endswith("1 of 1 as stated\n")
    (tmp_path / "count").write_text("#!/usr/bin/env aplc\n1 2+1 2 3\n", encoding="utf-8")
    assert run(["./count"]).stderr.startswith("./count:2:1: LENGTH ERROR")
