"""Compilers end with us, whatever ends us, and leave nothing; one that does not answer is ended."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from aplc.backends.native import processes
from aplc.backends.native.processes import OutOfTime, end_those_of, ended
from tests.support.commands import eventually
from tests.support.paths import ROOT

SLOW = """#!/bin/sh
[ "$1" = --version ] && echo gcc 99 && exit 0
touch "$TMPDIR/left.s"
sleep 600 &
echo $$ $! > "{started}.new"; mv "{started}.new" "{started}"; wait
"""
COMMAND = "import aplc.cli; aplc.cli.main(['p.apl'])"
LIBRARY = """
from aplc.backends.native import cache, toolchain
def compile_it(): cache.shared_object('int f;', toolchain.find_compiler(), 0, headers={})
"""
CALL = LIBRARY + "compile_it()"
IN_A_THREAD = LIBRARY + "import threading; t = threading.Thread(target=compile_it); t.start(); t.join()"
DEEP = LIBRARY + "from aplc.deep_stack import on_deep_stack; on_deep_stack(compile_it, Exception())"
HANDLES = LIBRARY + "import signal; signal.signal(signal.SIGTERM, lambda *_: 1 / 0); compile_it()"

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="NOT CHECKED: no /proc to see processes in"
)


def gone(pid: int) -> bool:
    """Whether a process has ended, even if nobody asked for its status yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[[str], tuple[subprocess.Popen[str], list[int]]]]:
    """Starts a Python program that compiles; it, and the processes of its compiler."""
    script, started = tmp_path / "slow", tmp_path / "started"
    script.write_text(SLOW.format(started=started))
    script.chmod(0o700)
    (tmp_path / "t").mkdir()
    (tmp_path / "p.apl").write_text("+/⍳10\n", encoding="utf-8")
    running: list[subprocess.Popen[str]] = []

    def start(program: str) -> tuple[subprocess.Popen[str], list[int]]:
        own = {"CC": str(script), "APLC_CACHE_DIR": str(tmp_path / "cache"), "TMPDIR": str(tmp_path / "t")}
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env={**os.environ, **own, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        running.append(process)
        while not started.exists():
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.01)
        return process, [int(pid) for pid in started.read_text().split()]

    yield start
    for process in running:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    ("program", "how", "said"),
    [
        (COMMAND, signal.SIGINT, ""),
        (COMMAND, signal.SIGTERM, ""),
        (CALL, signal.SIGINT, "KeyboardInterrupt"),
        (CALL, signal.SIGTERM, ""),
        (CALL, signal.SIGHUP, ""),
        (CALL, signal.SIGKILL, ""),
        (IN_A_THREAD, signal.SIGTERM, ""),
        (DEEP, signal.SIGINT, "KeyboardInterrupt"),
        (HANDLES, signal.SIGTERM, "ZeroDivisionError"),
    ],
)
def test_what_ends_us_ends_the_compiler(
    begin: Callable[[str], tuple[subprocess.Popen[str], list[int]]],
    tmp_path: Path,
    program: str,
    how: signal.Signals,
    said: str,
) -> None:
    kept = how is not signal.SIGTERM or program != CALL
    if not kept:
        (tmp_path / "cache").touch()  # no directory: nothing is kept
    process, pids = begin(program)
    process.send_signal(how)
    assert said in process.communicate()[1]
    assert eventually(lambda: all(map(gone, pids)))
    cache = tmp_path / "cache" / "compiled"
    assert eventually(lambda: not list((tmp_path / "t").iterdir()))
    assert eventually(lambda: not kept or not list(cache.glob("work-*")))


def test_nothing_stays_of_what_was_started() -> None:
    done = ended(["/bin/sh", "-c", "sleep 600 >&- 2>&- & echo $!; echo and >&2; exit 3"], 60)
    assert (done.status, done.errors) == (3, b"and\n")
    assert eventually(lambda: gone(int(done.output)))
    assert not processes._groups


def test_a_child_that_holds_what_its_parent_wrote_to_is_not_waited_for() -> None:
    assert ended(["/bin/sh", "-c", "sleep 600 & echo said"], 60, together=True)[:2] == (0, b"said\n")


@pytest.mark.parametrize(
    "command", ["exec sleep 600", "trap '' TERM; sleep 600", "exec >&- 2>&-; sleep 600", "yes"]
)
def test_what_does_not_end_is_ended(command: str) -> None:
    with pytest.raises(OutOfTime):
        ended(["/bin/sh", "-c", command], 0.3)
    assert not processes._groups


def test_of_what_is_said_without_end_the_beginning_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "MOST_SAID", 100)
    done = ended(["/bin/sh", "-c", "head -c 1000000 /dev/zero"], 60)
    assert (done.status, len(done.output)) == (0, 100)


def test_what_a_thread_waits_for_can_be_ended() -> None:
    seen: list[int] = []
    thread = threading.Thread(target=lambda: seen.append(ended(["sleep", "600"], 700).status))
    thread.start()
    assert eventually(lambda: processes._groups)
    end_those_of(threading.get_ident())  # another one's
    assert processes._groups
    end_those_of(thread.ident or 0)
    thread.join()
    assert seen == [-signal.SIGKILL]


def test_what_is_ended_while_it_is_started_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    start = subprocess.Popen

    def ended_before(command: list[str], **options: Any) -> Any:
        if command[0] == "sleep":
            assert end_those_of(threading.get_ident())
        return start(command, **options)

    monkeypatch.setattr(subprocess, "Popen", ended_before)
    assert ended(["sleep", "600"], 700).status == -signal.SIGKILL


def test_status_and_words_are_those_of_the_command() -> None:
    assert ended(["/bin/sh", "-c", "kill -SEGV $$"], 60).status == -signal.SIGSEGV
    assert ended(["/bin/sh", "-c", "cat; echo out; echo err >&2"], 60) == (0, b"out\n", b"err\n")
    assert ended(["/bin/sh", "-c", "echo out; echo err >&2"], 60, together=True).output == b"out\nerr\n"
    with pytest.raises(FileNotFoundError):
        ended(["/nowhere/cc"], 60)
