"""The command `aplc repl`: reads lines from a terminal, or from a pipe, and runs each in a session."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from aplc.backends.native.run import Result
from aplc.command_line import OK, WRONG_PROGRAM, Parser, UsageError
from aplc.options import Options
from aplc.repl.boxed import boxed
from aplc.repl.commands import Leave, WrongCommand, command
from aplc.repl.files import load, take
from aplc.repl.reading import is_open
from aplc.repl.session import Session
from aplc.shell.on_terminal import message
from aplc.tail.display import display, has_lines
from aplc.tail.errors import AplcError, MachineError
from aplc.tail.legible import legible
from aplc.tail.types import Base
from aplc.targets import TARGETS

INPUT_HELP = "an array from a file (.npy .csv .npz .parquet .json), all columns of a table, or APL text"
HELP = "a session: each line is run as it is entered; ]help tells more"

Reader = Callable[[Session], Iterator[str]]
"""Gives what is entered, whole: a line, or several that belong together."""


def repl(arguments: Sequence[str]) -> int:
    """A session, until its input ends or `]off`. Files are run first.

    The status is 1 where a line from a pipe was wrong.
    """
    parser = Parser(prog="aplc repl", description=HELP, allow_abbrev=False)
    parser.add_argument("files", nargs="*", metavar="FILE", help="run first: definitions, say")
    parser.add_argument("--input", action="append", default=[], metavar="NAME=…", help=INPUT_HELP)
    parser.add_argument("--target", default="c", help=f"what lines are compiled for: {', '.join(TARGETS)}")
    parsed = parser.parse_args(list(arguments))
    if parsed.target not in TARGETS:
        raise UsageError(f"--target is one of {', '.join(TARGETS)}, not {parsed.target}")
    session = Session(lambda *shown: _show(session, *shown), options=Options(parsed.target))
    for argument in parsed.input:
        take(session, argument)
    for path in parsed.files:
        load(session, path)
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    with suppress(ValueError):  # not in the main thread
        signal.signal(signal.SIGINT, signal.default_int_handler)
    read: Reader = _from_pipe
    if is_terminal:
        from aplc.repl.terminal import from_terminal  # noqa: PLC0415 (prompt_toolkit is imported only for a terminal)

        read = from_terminal
    wrong = 0
    for text in read(session):
        try:
            wrong += not _entered(session, text)
        except Leave:
            break
    return WRONG_PROGRAM if wrong and not is_terminal else OK


def _entered(session: Session, text: str) -> bool:
    """Run what was entered; whether it was right."""
    try:
        if text.lstrip().startswith(("]", ")")):
            command(session, text.lstrip(), _say)
        else:
            session.run(text)
    except KeyboardInterrupt:
        _say("interrupted")
    except AplcError as error:
        for diagnostic in error.diagnostics:
            _say(message(diagnostic.render(), sys.stdout))
    except (WrongCommand, UsageError, MachineError) as error:
        _say(legible(str(error)))
    except MemoryError:
        _say("WS FULL: not enough memory")
    else:
        return True
    return False


def _from_pipe(session: Session) -> Iterator[str]:
    lines: list[str] = []
    for line in sys.stdin:
        lines.append(line.rstrip("\n"))
        if not is_open("\n".join(lines)):
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines)


def _show(session: Session, value: Result, base: Base | None, digits: int) -> None:
    if has_lines(value):
        form = boxed if session.is_boxed else display
        sys.stdout.write(form(value, chars=base is Base.CHAR, precision=digits) + "\n")


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
