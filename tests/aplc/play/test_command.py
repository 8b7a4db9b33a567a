"""The command line of `aplc play`: what it refuses, and what it says where something is lacking."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from aplc import run
from aplc.play.samples import samples
from tests.support.commands import Cli, environment
from tests.support.machine import needs_c

LONG = ("The Mandelbrot set",)
"""Samples that take the interpreter too long."""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--port", "0"), "a port is a number from 1 to 65535, not 0"),
        (("--time-limit", "0"), "a positive number of seconds is expected, not 0"),
        (("--files=yes",), "ignored explicit argument 'yes'"),
    ],
)
def test_wrong_command_lines(arguments: tuple[str, ...], message: str, cli: Cli) -> None:
    done = cli("play", *arguments)
    assert done.status == 2
    assert message in done.err.splitlines()[0]


def test_a_port_that_is_taken_and_a_file_that_is_not_there(cli: Cli) -> None:
    pytest.importorskip("uvicorn", reason="NOT CHECKED: the extra play is not installed")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = cli("play", "--no-browser", "--port", port)
    assert done.status == 3
    assert done.err.startswith(f"aplc: port {port} cannot be had: ")
    assert cli("play", "--no-browser", "nothing.apl").status == 1


def test_without_the_extra(tmp_path: Path) -> None:
    (tmp_path / "uvicorn.py").write_text("raise ImportError")
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from aplc.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), "play", "--no-browser"],
        capture_output=True, text=True, env=environment(), check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        3, "aplc: the page needs a server: pip install 'aplc[play]'\n",
    )  # fmt: skip


@needs_c
def test_the_samples_run() -> None:
    found = samples()
    assert len(found) >= 5
    for sample in found:
        assert sample["title"]
        run(sample["text"], files=False, target="c" if sample["title"] in LONG else "interp")
