"""The command `aplc watch`: runs a program, and again whenever one of its files changes.

Each run is a process of its own, so that nothing that a program does ends the watch: errors, crashes, loops
without end. A run that is not over when a file changes is ended. Files are looked at five times a second,
which works on every system of files, for editors that write in place as for those that rename.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress

from aplc.command_line import OK, UsageError
from aplc.command_options import parser_of
from aplc.shell.input_arguments import FILES
from aplc.tail.legible import legible

HELP = """usage: aplc watch FILE.apl… [options]

run the program, and again whenever one of its files, or of the files of --input, changes; Ctrl-C ends it.
The options are those of aplc FILE."""
COMMAND = (sys.executable, "-P", "-m", "aplc", "run")
"""-P: no file of the working directory is imported."""
EVERY = 0.2
"""Seconds between two looks."""
PATIENCE = 1.0
"""Seconds that a run has to come to its end."""

State = tuple[tuple[int, int, int] | None, ...]


def watch(arguments: Sequence[str]) -> int:
    """Run and watch until Ctrl-C."""
    if {"-h", "--help"} & set(arguments):
        print(HELP)
        return OK
    parsed = parser_of("run").parse_intermixed_args(list(arguments))
    files = [*parsed.files, *[found for each in parsed.input for found in re.findall(FILES, each)]]
    if not parsed.files:
        raise UsageError("aplc watch needs a file that may change", HELP.partition("\n")[0])
    if "-" in parsed.files:
        raise UsageError("aplc watch needs files, standard input is read once")
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        while True:
            _until_change(arguments, files)
    except KeyboardInterrupt:
        return OK


def _until_change(arguments: Sequence[str], files: Sequence[str]) -> None:
    """One run, until a file has changed."""
    before = _state(files)
    child = subprocess.Popen([*COMMAND, *arguments], stdin=subprocess.DEVNULL)
    try:
        is_told = False
        while _state(files) == before:
            if not is_told and (status := child.poll()) is not None:
                is_told = True
                _tell(f"{_how(status)}; waiting for a change of {', '.join(files)} (Ctrl-C ends)")
            time.sleep(EVERY)
        if not is_told:
            _tell("changed, the run is ended")
    finally:
        _end(child)


def _how(status: int) -> str:
    if status < 0:
        return f"ended by signal {-status}"
    return "ran" if status == OK else f"exit status {status}"


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a run that is not over."""
    if child.poll() is None:
        child.terminate()
        try:
            child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            child.kill()
    child.wait()


def _state(files: Iterable[str]) -> State:
    """What tells whether files have changed; None for one that is not there just now."""
    return tuple(map(_state_of, files))


def _state_of(path: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _tell(text: str) -> None:
    print(f"aplc: {legible(text)}", file=sys.stderr, flush=True)
